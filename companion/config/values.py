"""The error for an invalid setting, and paths in settings."""

from __future__ import annotations

from pathlib import Path


class NotASetting(ValueError):
    """A value that a setting cannot have; its text is what was expected."""


def file_named(value: str) -> Path:
    """Return the path in a setting, with `~` expanded; it stays as it is if there is no such user."""
    try:
        return Path(value).expanduser()
    except RuntimeError:
        return Path(value)
