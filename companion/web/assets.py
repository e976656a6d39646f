"""Styles, scripts and the icon stored in a package."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

_FOR_BROWSERS = (".js", ".css")


@cache
def asset(package: str, name: str) -> str:
    """Return the text of a file in a package; it is read once.

    Pages have a bound on their size, so scripts and styles are sent without indentation and without lines that are
    comments. A text in a script must not span lines: it would lose its indentation, too.
    """
    content = files(package).joinpath(name).read_text(encoding="utf-8")
    if not name.endswith(_FOR_BROWSERS):
        return content
    lines = (line.lstrip() for line in content.splitlines(keepends=True))
    return "".join(line for line in lines if line and not _is_comment(line))


def _is_comment(line: str) -> bool:
    """Return whether a line is nothing but a comment."""
    return line.startswith("//") or (line.startswith("/*") and line.rstrip().endswith("*/"))
