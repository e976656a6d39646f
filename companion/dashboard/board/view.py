"""What the pages of a board show, as data, and what they ask of whoever talks with the board."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class BoardPage(StrEnum):
    """A page."""

    MONITOR = "monitor"
    CALIBRATE = "calibrate"
    SELFTEST = "selftest"


@dataclass(frozen=True, slots=True)
class ChannelNow:
    """A channel as it is now: `level` in a word, how often it was worked, the stamp of its last event, and the
    bounces (a contact) or the peaks of 4095 (`hit`) of the last one and the most there were."""

    name: str
    hit: bool
    level: str
    count: int = 0
    last: int = 0
    most: int = 0
    t_us: int | None = None


@dataclass(frozen=True, slots=True)
class BoardOutcome:
    """The end of a calibration or a test: rows of a mark, a name and a sentence; sentences about the whole; whether
    there is something to store."""

    rows: tuple[tuple[str, str, str], ...]
    sentences: tuple[str, ...]
    can_store: bool = False


@dataclass(frozen=True, slots=True)
class BoardView:
    """All that a page paints. `lost` says why there is no board, "" while there is one or it is being asked;
    `keeps` whether that is because it keeps events for a session; `lines` are the latest events, the newest last,
    `wave` the drawing of the last hit, `low_wave` the same for where there is little room. `asked` is all that is asked
    of the person, one thing after the other, nothing while nothing is; `came` is what came of each that was asked, the
    last being that which is asked now."""

    part: BoardPage
    board: str = ""
    lost: str = ""
    keeps: bool = False
    notice: str = ""
    wires: tuple[ChannelNow, ...] = ()
    lines: tuple[str, ...] = ()
    wave: tuple[str, ...] = ()
    low_wave: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    came: tuple[str, ...] = ()
    outcome: BoardOutcome | None = None

    @property
    def now(self) -> str:
        """What is asked of the person now; empty while nothing is."""
        return self.asked[len(self.came) - 1] if self.asked else ""


class Desk(Protocol):
    """Whoever talks with the board. Every call returns at once; what came of it is in a later view.

    `view` is the same object until something changes; to `turn_to` another page breaks off what is being asked; `begin`
    what the page is for, or look for a lost board again; `skip` goes on without an answer.
    """

    def view(self) -> BoardView: ...
    def turn_to(self, part: BoardPage) -> None: ...
    def begin(self) -> None: ...
    def discard(self) -> None: ...
    def skip(self) -> None: ...
    def break_off(self) -> None: ...
    def store(self) -> None: ...
