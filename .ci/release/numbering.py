"""What a release is called: its version, its date, and the versions of Python that it claims."""

from __future__ import annotations

import datetime
import re
import tomllib
from pathlib import Path

_VERSION = re.compile(r"\d+\.\d+\.\d+((a|b|rc)\d+)?")
_CLAIM = re.compile(r"Programming Language :: Python :: (3\.\d+)")
UNRELEASED = "unreleased"


def changelog_problem(clone: Path, version: str) -> str:
    """Return why a release of this version cannot be made from this changelog, or an empty text."""
    if not _VERSION.fullmatch(version):
        return f"{version} is no version; give three numbers, for example 0.2.0."
    top, *lines = _section(clone, version) or [""]
    if not top:
        return f"CHANGELOG.md has no heading `## {version} - {UNRELEASED}`; write what is new."
    if not any(line.startswith("- ") for line in lines):
        return f"CHANGELOG.md says nothing below `{top}`; write what is new."
    return ""


def _section(clone: Path, version: str) -> list[str]:
    """Return the lines of a version, its heading first; none if it is not there."""
    text = (clone / "CHANGELOG.md").read_text(encoding="utf-8")
    for section in re.split(r"^(?=## )", text, flags=re.MULTILINE):
        if section.startswith(f"## {version} - "):
            return section.splitlines()
    return []


def set_version(clone: Path, version: str) -> None:
    """Write the version into the package."""
    file = clone / "companion" / "__init__.py"
    text = file.read_text(encoding="utf-8")
    file.write_text(
        re.sub(r'^__version__ = ".*"$', f'__version__ = "{version}"', text, flags=re.MULTILINE),
        encoding="utf-8",
    )


def date_changelog(clone: Path, version: str, day: datetime.date) -> None:
    """Put the day in the place of *unreleased*."""
    file = clone / "CHANGELOG.md"
    text = file.read_text(encoding="utf-8")
    heading = f"## {version} - "
    file.write_text(text.replace(heading + UNRELEASED, f"{heading}{day}", 1), encoding="utf-8")


def claimed_pythons(clone: Path) -> list[str]:
    """Return the versions of Python in the classifiers, such as 3.11."""
    project = tomllib.loads((clone / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    claims = map(_CLAIM.fullmatch, project["classifiers"])
    return [claim[1] for claim in claims if claim is not None]
