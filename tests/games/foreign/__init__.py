"""Other people's games, good and bad, as packages that are installed for as long as a test."""

from __future__ import annotations

import sys
from collections.abc import Iterator
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
    info = folder / f"{module}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n", encoding="utf-8")
    lines = [point if "=" in point else f"{point} = {module}:ENTRY" for point in points]
    (info / "entry_points.txt").write_text("\n".join(["[companion.games]", *lines, ""]), encoding="utf-8")


@contextmanager
def installed(folder: Path) -> Iterator[None]:
    """Let this process find what is in `folder`, and look for the games anew."""
    folder.mkdir(parents=True, exist_ok=True)
    before = set(sys.modules)
    sys.path.append(str(folder))
    registry.look_again()
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        for name in set(sys.modules) - before:
            if str(folder) in str(getattr(sys.modules[name], "__file__", "")):
                del sys.modules[name]
        registry.look_again()
