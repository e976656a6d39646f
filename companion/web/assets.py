"""Styles, scripts and the icon stored in a package."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def asset(package: str, name: str) -> str:
    """Return the text of a file in a package; it is read once."""
    return files(package).joinpath(name).read_text(encoding="utf-8")
