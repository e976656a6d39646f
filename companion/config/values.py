"""A value of the settings: the error for a wrong one, and the file that one names."""

from __future__ import annotations

from pathlib import Path


class NotASetting(ValueError):
    """A value that a setting cannot have: what was expected instead."""


def file_named(value: str) -> Path:
    """Return the file that a setting names, where `~` is a home; that of somebody whom nobody knows stays as it is."""
    try:
        return Path(value).expanduser()
    except RuntimeError:
        return Path(value)
