"""An item to choose, for lists on a screen and in pages. Imports no screen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Item:
    """A line to choose: its label, the text beside it, and a hint for while the cursor is on it.

    `key` is the name of the key that chooses it, its number if empty.
    """

    value: Any
    label: str
    beside: str = ""
    about: str = ""
    key: str = ""
