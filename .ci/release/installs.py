"""A release as somebody installs it: in an empty environment of each Python, with a demo; and what came with it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

EXTRAS = "virtual,serve,completion,mqtt,tls,hub"
PLAYED = "champion: "
_SHOW = "import sys; print('%d.%d' % sys.version_info[:2])"


def find_pythons(versions: list[str]) -> dict[str, Path]:
    """Return a Python of each version that is on this computer: this one, on the PATH, from pyenv or from uv."""
    found: dict[str, Path] = {}
    for version in versions:
        for python in _candidates(version):
            if _version_of(python) == version:
                found[version] = python
                break
    return found


def _candidates(version: str) -> Iterator[Path]:
    yield Path(sys.executable)
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    yield from sorted(pyenv.glob(f"versions/{version}.*/bin/python"))
    for name in (f"python{version}", "python3"):
        there = shutil.which(name)
        if there:
            yield Path(there)
    if shutil.which("uv"):
        asked = subprocess.run(
            ["uv", "python", "find", version], capture_output=True, text=True, check=False
        )
        if asked.returncode == 0:
            yield Path(asked.stdout.strip())


def _version_of(python: Path) -> str:
    try:
        asked = subprocess.run([python, "-c", _SHOW], capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return asked.stdout.strip()


def environment(tools: Path, python: Path, archive: Path, folder: Path, extras: str) -> Path:
    """Install the archive into a new environment without pip; return the folder of its commands."""
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([python, "-m", "venv", "--without-pip", folder], check=True)
    pip = (tools / "python", "-m", "pip", "--python", folder, "--quiet", "install")
    subprocess.run([*pip, f"{archive}[{extras}]"], check=True)
    return folder / ("Scripts" if os.name == "nt" else "bin")


def play_a_demo(tools: Path, python: Path, archive: Path, folder: Path) -> None:
    """Play a whole game on the virtual board with what was installed from the archive, away from the clone."""
    commands = environment(tools, python, archive, folder / "installed", "virtual,serve")
    played = subprocess.run(
        [commands / "table-companion", "demo", "--plain", "--speed", "20"],
        cwd=folder,
        env={**_plain_environment(), "COMPANION_DATA": str(folder / "data")},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if played.returncode != 0 or PLAYED not in played.stdout:
        sys.exit(
            f"No release: the demo ended with {played.returncode}.\n{played.stdout}{played.stderr}"
        )


def _plain_environment() -> dict[str, str]:
    """Return this process's environment without what leads Python back to the clone."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}


def bill_of_materials(tools: Path, python: Path, made: Path, folder: Path, name: str) -> None:
    """Write what an environment with the wheel and every extra contains, in CycloneDX's format."""
    (wheel,) = made.glob("*.whl")
    commands = environment(tools, python, wheel, folder / "everything", EXTRAS)
    subprocess.run(
        [
            *(tools / "cyclonedx-py", "environment", commands / "python"),
            *("--output-reproducible", "--output-format", "JSON", "--output-file", made / name),
        ],
        check=True,
    )
    # the wheel's place on this computer tells nobody anything
    bill = made / name
    text = bill.read_text(encoding="utf-8")
    bill.write_text(text.replace(f"{made.as_uri()}/", ""), encoding="utf-8")
