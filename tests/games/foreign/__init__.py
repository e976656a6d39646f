"""Other people's games, good and bad, as packages that are installed for as long as a test."""

from __future__ import annotations

import shutil
import sys
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from companion.rules import registry

ENTRY = """
from companion.rules.registry import GameInfo
ENTRY = GameInfo(id="{id}", title="{id}", seats=range(2, 5), does="Nothing.", credits="An example.",
                 package=__name__, rules="rules:Game"{more})
"""


def install(folder: Path, package: str, code: str, *points: str, rules: str | None = None) -> None:
    """Put a package into `folder` as pip would, with these entry points; its one module runs `code` at its import."""
    module = package.replace("-", "_")
    (folder / module).mkdir(parents=True)
    (folder / module / "__init__.py").write_text(code, encoding="utf-8")
    if rules is not None:
        (folder / module / "rules.py").write_text(rules, encoding="utf-8")
    _describe(folder, package, "1.0", [f"{point} = {module}:ENTRY" for point in points])


def install_source(source: Path, folder: Path) -> Path:
    """Put a package with a `pyproject.toml` into `folder` as pip would, without asking a registry for its tools."""
    project = tomllib.loads((source / "pyproject.toml").read_text(encoding="utf-8"))
    name, version = project["project"]["name"], project["project"]["version"]
    for package in project["tool"]["setuptools"]["packages"]:
        shutil.copytree(
            source / package, folder / package, ignore=shutil.ignore_patterns("__pycache__")
        )
    points = project["project"]["entry-points"]["companion.games"]
    _describe(folder, name, version, [f"{point} = {value}" for point, value in points.items()])
    return folder


def _describe(folder: Path, package: str, version: str, points: Sequence[str]) -> None:
    info = folder / f"{package.replace('-', '_')}-{version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n", encoding="utf-8"
    )
    (info / "entry_points.txt").write_text(
        "\n".join(["[companion.games]", *points, ""]), encoding="utf-8"
    )


def look_again() -> None:
    """Have the companion forget what it found: a package was installed, or is gone."""
    vars(registry.GAMES).pop("installed", None)


@contextmanager
def installed(folder: Path) -> Iterator[None]:
    """Let this process find what is in `folder`, and look for the games anew."""
    folder.mkdir(parents=True, exist_ok=True)
    before = set(sys.modules)
    sys.path.append(str(folder))
    look_again()
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        for name in set(sys.modules) - before:
            if str(folder) in str(getattr(sys.modules[name], "__file__", "")):
                del sys.modules[name]
        look_again()
