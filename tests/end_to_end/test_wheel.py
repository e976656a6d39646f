"""The wheel as somebody installs it: into an environment where nothing of this checkout is."""

from __future__ import annotations

import os
import shutil
import site
import subprocess
import sys
import tarfile
import venv
from pathlib import Path

import pytest

from tests.end_to_end.parts import needs_vm

pytestmark = pytest.mark.waits

TOP = Path(__file__).parents[2]
PACKAGES = ("companion", "firmware_protocol")
LONGEST_S = 100
BUILD_SDIST = "from setuptools import build_meta; build_meta.build_sdist('dist')"


def run(*command: str | Path, at: Path) -> str:
    """Run a command away from the checkout, without this process's environment; return its output."""
    told = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(
        command, cwd=at, env=told, capture_output=True, text=True, timeout=LONGEST_S, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def files_of(folder: Path) -> set[str]:
    """Return the files of the packages in `folder`."""
    found = (
        path for package in PACKAGES for path in (folder / package).rglob("*") if path.is_file()
    )
    return {str(path.relative_to(folder)) for path in found if "__pycache__" not in path.parts}


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an environment with the wheel and this environment's libraries."""
    pytest.importorskip(
        "setuptools", minversion="77", reason="a wheel is built by setuptools 77 or newer"
    )
    folder = tmp_path_factory.mktemp("wheel")
    source, environment = folder / "source", folder / "environment"
    for package in PACKAGES:
        shutil.copytree(
            TOP / package, source / package, ignore=shutil.ignore_patterns("__pycache__")
        )
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(TOP / name, source)
    pip = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")
    run(
        *pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, source, at=folder
    )
    venv.create(environment, symlinks=True)
    (wheel,) = folder.glob("*.whl")
    run(
        *pip,
        "--python",
        environment,
        "install",
        "--no-index",
        "--no-deps",
        "--no-compile",
        wheel,
        at=folder,
    )
    (own,) = (environment / "lib").glob("python*/site-packages")
    (own / "libraries.pth").write_text("\n".join(site.getsitepackages()), encoding="utf-8")
    return environment


def test_the_wheel_has_every_file_of_the_packages(installed: Path) -> None:
    (own,) = (installed / "lib").glob("python*/site-packages")
    assert files_of(own) == files_of(TOP)


@pytest.mark.parametrize("name", ["companion", "table-companion"])
def test_the_program_calls_itself_by_the_name_under_which_it_was_started(
    installed: Path, name: str
) -> None:
    program = installed / "bin" / name
    assert run(program, "--version", at=installed).startswith(f"{name} ")
    assert run(program, "help", "sessions", at=installed).startswith(f"usage: {name} sessions ")
    wrong = subprocess.run(
        [program, "sessions", "renam"], capture_output=True, text=True, check=False
    )
    assert wrong.returncode == 2
    assert wrong.stderr.startswith(f"{name} sessions: there is no command 'renam'")
    assert wrong.stderr.endswith(f"More: {name} help sessions\n")


@pytest.mark.vm
@needs_vm
def test_the_demo_of_the_wheel_plays_a_whole_game_with_the_published_cards_on_the_virtual_board(
    installed: Path,
) -> None:
    printed = run(
        *(installed / "bin" / "companion", "demo", "--plain"),
        *("--game", "skyfire", "--speed", "1000", "--seed", "2"),
        at=installed,
    )
    for text in (
        "backs left over:",
        "round 2 of 5",
        "declares a misfire: all zones are turned up",
        "round 4 of 5",
        "round 5 of 5, the finale",
        "winner: ",
    ):
        assert text in printed
    assert "made up" not in printed


@pytest.mark.skipif(not (TOP / ".git").exists(), reason="only a clone tells what its files are")
def test_the_source_distribution_has_every_file_but_those_of_the_hosting_site(
    tmp_path: Path,
) -> None:
    listing = run("git", "-C", TOP, "ls-files", "-z", at=TOP).split("\0")
    tracked = [name for name in listing if name and (TOP / name).exists()]
    source = tmp_path / "source"
    for name in tracked:
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(TOP / name, source / name)
    run(sys.executable, "-c", BUILD_SDIST, at=source)
    (archive,) = (source / "dist").glob("*.tar.gz")
    with tarfile.open(archive) as file:
        contents = {member.name.partition("/")[2] for member in file if member.isfile()}
    assert {name for name in tracked if name not in contents} == {
        name for name in tracked if name.startswith((".git", ".pre-commit"))
    }
