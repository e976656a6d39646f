"""The files of a release: wheel and source archive, the same bytes from the same commit, and their checksums."""

from __future__ import annotations

import hashlib
import os
import subprocess
import tarfile
import tempfile
import venv
from pathlib import Path

from repack import repack


def make_tools(folder: Path, clone: Path) -> Path:
    """Install the tools in their fixed versions; return the folder of their commands."""
    venv.create(folder, with_pip=True, symlinks=os.name != "nt")
    commands = folder / ("Scripts" if os.name == "nt" else "bin")
    wanted = clone / ".ci" / "release" / "tools.txt"
    subprocess.run(
        [commands / "python", "-m", "pip", "--quiet", "install", "-r", wanted], check=True
    )
    return commands


def build(tools: Path, clone: Path, out: Path, epoch: int) -> str:
    """Build wheel and source archive of the clone's last commit into `out`; return their checksums."""
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(epoch)}
    out.mkdir()
    with tempfile.TemporaryDirectory(prefix="build-") as folder:
        # what git has, and nothing that lies beside it
        source = Path(folder) / "source"
        tracked = Path(folder) / "source.tar"
        subprocess.run(["git", "-C", clone, "archive", "--output", tracked, "HEAD"], check=True)
        with tarfile.open(tracked) as archive:
            archive.extractall(source, filter="tar")
        # without isolation: the setuptools of tools.txt, not the newest one
        subprocess.run(
            [tools / "python", "-m", "build", "--no-isolation", "--outdir", out, source],
            env=environment,
            check=True,
            stdout=subprocess.DEVNULL,
        )
    (archive_file,) = out.glob("*.tar.gz")
    repack(archive_file, epoch)
    return checksums(out)


def checksums(folder: Path) -> str:
    """Return the files' SHA-256 sums, as `sha256sum --check` reads them."""
    return "".join(
        f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n"
        for file in sorted(folder.iterdir())
        if file.name != "SHA256SUMS"
    )
