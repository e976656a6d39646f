"""Writes a source archive again so that the same files give the same bytes.

setuptools puts the times, modes and owners of the files on this computer into the archive, in the order of the disk.
"""

from __future__ import annotations

import gzip
import io
import stat
import sys
import tarfile
from pathlib import Path

EXECUTABLE, PLAIN = 0o755, 0o644
SMALLEST = 9
"""The level of compression; another one gives other bytes."""


def repack(archive: Path, epoch: int) -> None:
    """Replace a `.tar.gz` by one with its files sorted, dated `epoch` (Unix seconds) and owned by nobody."""
    beside = archive.with_name(f"{archive.name}.new")
    with (
        tarfile.open(archive) as old,
        beside.open("wb") as raw,
        # neither the name of the file nor the present time goes into the header
        gzip.GzipFile("", "wb", SMALLEST, raw, mtime=epoch) as compressed,
        tarfile.open(mode="w", fileobj=compressed, format=tarfile.PAX_FORMAT) as new,
    ):
        for member in sorted(old.getmembers(), key=lambda each: each.name):
            content = old.extractfile(member)
            new.addfile(_plain(member, epoch), content or io.BytesIO())
    beside.replace(archive)


def _plain(member: tarfile.TarInfo, epoch: int) -> tarfile.TarInfo:
    if not (member.isfile() or member.isdir()):
        raise SystemExit(
            f"{member.name} is neither a file nor a folder: leave it out of the archive."
        )
    plain = tarfile.TarInfo(member.name)
    plain.type, plain.size, plain.mtime = member.type, member.size, epoch
    plain.mode = EXECUTABLE if member.isdir() or member.mode & stat.S_IXUSR else PLAIN
    return plain


if __name__ == "__main__":
    repack(Path(sys.argv[1]), int(sys.argv[2]))
