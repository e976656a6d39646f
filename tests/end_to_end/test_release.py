"""Making a release: what stops it, and that the same commit gives the same files."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.waits,
    pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed"),
]

TOP = Path(__file__).parents[2]
RELEASE = TOP / ".ci" / "release"
LONGEST_S = 100
CHANGELOG = "# Changelog\n\n## 0.2.0 - unreleased\n\n- Something new.\n\n## 0.1.0 - 2026-01-01\n\nThe first.\n"
PROJECT = """\
[project]
name = "small"
classifiers = ["Programming Language :: Python :: 3.{minor}"]
"""
BUILD = "from setuptools import build_meta; build_meta.build_sdist('dist'); build_meta.build_wheel('dist')"
EPOCH = 1_767_225_600


def git(clone: Path, *words: str) -> str:
    who = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org")
    done = subprocess.run(
        ["git", "-C", clone, *who, *words], check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """Return a repository with just what a release reads first; its only claimed Python does not exist."""
    top = tmp_path / "clone"
    (top / "companion").mkdir(parents=True)
    (top / "companion" / "__init__.py").write_text('__version__ = "0.1.0"\n')
    (top / "CHANGELOG.md").write_text(CHANGELOG)
    (top / "pyproject.toml").write_text(PROJECT.format(minor=999))
    git(top, "init", "--quiet", "--initial-branch", "main")
    git(top, "add", ".")
    git(top, "commit", "--quiet", "--message", "Begin")
    return top


def release(clone: Path, version: str, *words: str) -> str:
    """Try to make a release that cannot be; return why not."""
    before = git(clone, "rev-parse", "main"), git(clone, "status", "--porcelain")
    who = {
        f"GIT_{role}_{what}": "ann@example.org"
        for role in ("AUTHOR", "COMMITTER")
        for what in ("NAME", "EMAIL")
    }
    done = subprocess.run(
        [sys.executable, RELEASE, version, *words],
        cwd=clone,
        env={**os.environ, **who},
        capture_output=True,
        text=True,
        timeout=LONGEST_S,
        check=False,
    )
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert (git(clone, "rev-parse", "main"), git(clone, "status", "--porcelain")) == before
    return done.stderr.strip()


def dirty(clone: Path) -> None:
    (clone / "notes.txt").write_text("not committed")


def on_another_branch(clone: Path) -> None:
    git(clone, "switch", "--quiet", "--create", "idea")


def tagged(clone: Path) -> None:
    git(clone, "tag", "v0.2.0")


def as_it_is(_clone: Path) -> None:
    """Change nothing."""


@pytest.mark.parametrize(
    ("version", "change", "why"),
    [
        ("0.2.0", dirty, "these files are not committed:\n?? notes.txt"),
        ("0.2.0", on_another_branch, "this clone is on idea; a release is made on main"),
        ("0.2.0", tagged, "there is a tag v0.2.0 already"),
        ("0.3.0", as_it_is, "CHANGELOG.md has no heading `## 0.3.0 - unreleased`"),
        ("two", as_it_is, "two is no version; give three numbers"),
        ("0.2.0", as_it_is, "pyproject.toml claims Python 3.999, which is not here"),
    ],
)
def test_what_is_not_ready_stops_the_release_and_changes_nothing(
    clone: Path, version: str, change: Callable[[Path], None], why: str
) -> None:
    change(clone)
    assert release(clone, version).startswith(f"No release: {why}")


def test_a_changelog_without_an_entry_stops_the_release(clone: Path) -> None:
    (clone / "CHANGELOG.md").write_text(CHANGELOG.replace("- Something new.\n", ""))
    git(clone, "commit", "--quiet", "--all", "--message", "Say nothing")
    assert "says nothing below `## 0.2.0 - unreleased`" in release(clone, "0.2.0")


def copied(target: Path, age_s: int) -> Path:
    """Return a copy of what is built, with other times and modes of its files."""
    for package in ("companion", "firmware_protocol"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(TOP / package, target / package, ignore=ignored)
    for name in ("pyproject.toml", "README.md", "LICENSE", "MANIFEST.in"):
        shutil.copy(TOP / name, target)
    for path in target.rglob("*"):
        os.utime(path, (EPOCH - age_s, EPOCH - age_s))
    return target


def built(source: Path, umask: int) -> dict[str, str]:
    """Build and repack; return each file's SHA-256."""
    told = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    told["SOURCE_DATE_EPOCH"] = str(EPOCH)
    subprocess.run(
        [sys.executable, "-c", BUILD],
        cwd=source,
        env=told,
        umask=umask,
        check=True,
        capture_output=True,
        timeout=LONGEST_S,
    )
    (archive,) = (source / "dist").glob("*.tar.gz")
    subprocess.run([sys.executable, RELEASE / "repack.py", archive, str(EPOCH)], check=True)
    files = sorted((source / "dist").iterdir())
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def test_the_same_files_give_the_same_wheel_and_source_archive_later_and_elsewhere(
    tmp_path: Path,
) -> None:
    pytest.importorskip(
        "setuptools", minversion="77", reason="an archive is built by setuptools 77 or newer"
    )
    first = built(copied(tmp_path / "first", age_s=0), umask=0o022)
    other = tmp_path / "elsewhere"
    other.mkdir()
    later = built(copied(other / "second", age_s=5_000), umask=0o022)
    assert len(first) == 2
    assert first == later


def test_a_repacked_archive_has_the_same_content_without_names_of_this_computer(
    tmp_path: Path,
) -> None:
    source = tmp_path / "small-1"
    source.mkdir()
    (source / "run").write_text("#!/bin/sh\n")
    (source / "run").chmod(0o775)
    (source / "text").write_text("hello")
    archive = tmp_path / "small.tar.gz"
    with tarfile.open(archive, "w:gz") as file:
        file.add(source, "small-1")
    subprocess.run([sys.executable, RELEASE / "repack.py", archive, str(EPOCH)], check=True)
    with tarfile.open(archive) as file:
        members = {member.name: member for member in file}
        content = file.extractfile("small-1/text")
        assert content is not None
        assert content.read() == b"hello"
    assert sorted(members) == list(members) == ["small-1", "small-1/run", "small-1/text"]
    assert [oct(member.mode) for member in members.values()] == ["0o755", "0o755", "0o644"]
    assert {(each.uid, each.gid, each.uname, each.mtime) for each in members.values()} == {
        (0, 0, "", EPOCH)
    }
