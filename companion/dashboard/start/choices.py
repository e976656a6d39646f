"""What the start screens know, and what comes out of them. Nothing heavy is imported: this is on the first screen."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.link.finder import BoardSearch

PACKAGED, OWN, MADE_UP = "packaged", "own", "example"
AUTO, VIRTUAL, NONE = "auto", "virtual", "none"


@dataclass(frozen=True, slots=True)
class Past:
    """A session of this user: `begun` is local time to the minute, `elsewhere` says that another companion writes it,
    `names` are those it was begun with, `played` whether anything was ruled in it, `lacking` whether some of what was
    saved once cannot be read."""

    path: Path
    game: str
    title: str
    names: tuple[str, ...]
    begun: str
    entries: int
    ended: bool
    elsewhere: bool = False
    played: bool = True
    lacking: bool = False


@dataclass(frozen=True, slots=True)
class Resume:
    """Go on with a session, its board at `port`."""

    path: Path
    port: str


@dataclass(frozen=True, slots=True)
class LookOn:
    """Look on at a session that is open elsewhere."""

    path: Path


@dataclass(frozen=True, slots=True)
class Tour:
    """Look around on the virtual board."""


@dataclass(slots=True)
class NewGame:
    """A game as it is being put together, and then as it is to begin. `port` None: as the search says."""

    game: str = ""
    seats: list[str] = field(default_factory=list)
    rules: dict[str, str] = field(default_factory=dict)
    box: str = PACKAGED
    port: str | None = None


@dataclass(frozen=True, slots=True)
class EnterBox:
    """Enter what one's own copy of a game says, then go on with this game."""

    game: NewGame


Choice = Resume | LookOn | Tour | NewGame | EnterBox  # what somebody chose; None where they left


def port_of(chosen: str | None, found: BoardSearch | None) -> str:
    """Return where the board is to be looked for; while the search goes on, the table searches itself."""
    if chosen is not None:
        return chosen
    if found is None:
        return AUTO
    return found.port or NONE
