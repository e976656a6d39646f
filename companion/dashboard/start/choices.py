"""Data and results of the start screens, and the search for a board. Imports nothing heavy."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.link.finder import BoardSearch


PACKAGED, OWN, MADE_UP = "packaged", "own", "example"  # the boxes
AUTO, VIRTUAL, NONE = "auto", "virtual", "none"  # the ports that are no device


@dataclass(frozen=True, slots=True)
class Past:
    """A session of this user.

    `begun` is the time as text, `names` those it was begun with. `elsewhere`: another companion has
    it open; `played`: something was done in it; `lacking`: some saved entries cannot be read;
    `may_be_last`: it is one of several, any of which may be the one played last.
    """

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
    may_be_last: bool = False


@dataclass(frozen=True, slots=True)
class Resume:
    """Continue a session, its board at `port`."""

    path: Path
    port: str


@dataclass(frozen=True, slots=True)
class LookOn:
    """Watch a session that is open elsewhere."""

    path: Path


@dataclass(frozen=True, slots=True)
class Learn:
    """Take the lesson with this name."""

    name: str


@dataclass(frozen=True, slots=True)
class InBrowser:
    """Choose and play on a page in the browser instead."""


@dataclass(slots=True)
class NewGame:
    """A game being put together; once confirmed, as it is to begin. `port` None follows the search."""

    game: str = ""
    seats: list[str] = field(default_factory=list)
    rules: dict[str, str] = field(default_factory=dict)
    box: str = PACKAGED
    port: str | None = None


@dataclass(frozen=True, slots=True)
class EnterBox:
    """Enter facts from one's own copy of a game, then continue with this game."""

    game: NewGame


Choice = (
    Resume | LookOn | Learn | InBrowser | NewGame | EnterBox
)  # the result of the screens; None: left


def port_of(chosen: str | None, found: BoardSearch | None) -> str:
    """Return where to look for the board; while the search is running, the table searches itself."""
    if chosen is not None:
        return chosen
    if found is None:
        return AUTO
    return found.port or NONE


DEADLINE_S = 6.0
"""Time after which the screens say that the search will continue at the table.

A search takes 3.5 s, and 1 s more for a hung port.
"""
LET_GO_S = 1.0  # seconds to wait for ports that the search still holds

Find = Callable[[Callable[[], bool]], "BoardSearch"]
"""Searches until it has a result, or until its argument returns True."""


def find_board(stopping: Callable[[], bool]) -> BoardSearch:
    """Ask every USB port for a board."""
    # Imported here, in the search's thread, so that the first screen does not wait.
    from companion.link.finder import Finder, usb_port_names
    from companion.link.transport import Opener, open_serial

    return Finder(usb_port_names, Opener(open_serial), stopping=stopping).find()


class Search:
    """A search in a thread of its own. `found` is None until it is over."""

    def __init__(
        self, find: Find = find_board, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._find = find
        self._clock = clock
        self._stop = threading.Event()
        self._begun_s: float | None = None
        self._thread = threading.Thread(target=self._run, name="board search", daemon=True)
        self.found: BoardSearch | None = None

    def start(self) -> None:
        """Begin; a second call does nothing."""
        if self._begun_s is None:
            self._begun_s = self._clock()
            self._thread.start()

    def stop(self) -> None:
        """Stop the search and wait until its ports are free, at most `LET_GO_S`."""
        self._stop.set()
        if self._thread.ident is not None:
            self._thread.join(LET_GO_S)

    def _run(self) -> None:
        from companion.link.finder import BoardSearch

        try:
            self.found = self._find(self._stop.is_set)
        except Exception as problem:  # a serial driver may raise anything; people can still play
            self.found = BoardSearch(
                None, f"The search for a board failed ({problem}): name its port, or play without."
            )

    @property
    def sentence(self) -> str:
        """The result of the search so far, as a sentence."""
        if self.found is not None:
            return self.found.sentence
        if self._begun_s is not None and self._clock() - self._begun_s > DEADLINE_S:
            return "No answer yet. Start whenever you like: the search continues at the table."
        return "Looking for a board at the USB ports ..."


def people_words(names: Sequence[str]) -> str:
    """Return who plays, as text."""
    if len(names) == 1:
        return f"{names[0]}, alone"
    return ", ".join(names)
