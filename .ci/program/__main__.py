#!/usr/bin/env python3
"""Make the program that needs no Python, as one folder: `python3 .ci/program FOLDER`.

It installs the clone with every extra and PyInstaller into a temporary environment, builds FOLDER/table-companion from
the spec, and packs that beside it for this system. Build on the oldest system that it has to run on: it takes the C
library from there. `.venv/bin/python .ci/program/empty_root.py FOLDER/table-companion` then tries it (Linux, root).
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
CLONE = HERE.parents[1]
NAME = "table-companion"
# Not `virtual`: its MicroPython is a program around a Python that is not there; CPython runs the same firmware.
EXTRAS = "serve,completion,mqtt,tls,hub"


def main() -> None:
    """Build and pack."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where the result goes")
    out = parser.parse_args().folder.resolve()
    with tempfile.TemporaryDirectory(prefix="program-") as work:
        build(Path(work), out)
    check_files(out / NAME / "_internal")
    print(f"{pack(out)}\n{out / NAME}")


def build(work: Path, out: Path) -> None:
    """Build the folder `table-companion` in `out`."""
    environment = work / "environment"
    venv.create(environment, with_pip=True, symlinks=os.name != "nt")
    commands = environment / ("Scripts" if os.name == "nt" else "bin")
    pip = (commands / "python", "-m", "pip", "--quiet", "install")
    subprocess.run([*pip, f"{CLONE}[{EXTRAS}]", "-r", HERE / "tools.txt"], check=True)
    subprocess.run(
        [
            *(commands / "python", "-m", "PyInstaller", "--noconfirm", "--log-level", "ERROR"),
            *("--distpath", out, "--workpath", work / "work", HERE / f"{NAME}.spec"),
        ],
        check=True,
        cwd=work,
    )


def check_files(inside: Path) -> None:
    """Stop if a file of our packages is not there: lessons, rules and pages are read when they are needed."""
    missing = [
        str(path.relative_to(CLONE))
        for package in ("companion", "firmware_protocol")
        for path in sorted((CLONE / package).rglob("*"))
        if path.is_file()
        and "__pycache__" not in path.parts
        and not (inside / path.relative_to(CLONE)).exists()
    ]
    if missing:
        sys.exit(f"The program lacks {', '.join(missing)}.")


def pack(out: Path) -> Path:
    """Pack the folder, as a zip on Windows and a tar elsewhere; return the archive."""
    system = {"win32": "windows", "darwin": "macos"}.get(sys.platform, "linux")
    kind = "zip" if system == "windows" else "gztar"
    name = f"{NAME}-{version()}-{system}-{platform.machine().lower()}"
    return Path(shutil.make_archive(str(out / name), kind, out, NAME))


def version() -> str:
    """Return the version of the clone."""
    text = (CLONE / "companion" / "__init__.py").read_text(encoding="utf-8")
    found = re.search(r'^__version__ = "(.+)"$', text, re.MULTILINE)
    assert found is not None
    return found[1]


if __name__ == "__main__":
    main()
