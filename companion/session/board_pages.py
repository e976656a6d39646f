"""What the pages of a board show, as data, and the protocol of what talks with the board."""

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
    """The present state of a channel.

    `level` is a word, `count` how often it was worked, `t_us` the stamp of its last event. `last`
    and `most` are the bounces of a contact, or the peaks (of 4095) of a `hit` sensor: the last one,
    and the maximum.
    """

    name: str
    hit: bool
    level: str
    count: int = 0
    last: int = 0
    most: int = 0
    t_us: int | None = None


@dataclass(frozen=True, slots=True)
class BoardOutcome:
    """The result of a calibration or a test: rows of mark, name and sentence, then sentences on the
    whole."""

    rows: tuple[tuple[str, str, str], ...]
    sentences: tuple[str, ...]
    can_store: bool = False


@dataclass(frozen=True, slots=True)
class BoardView:
    """Everything that a page paints.

    `lost` says why there is no board, "" while there is one or it is being asked; `keeps` is
    whether it is unavailable because it keeps events for a session. `lines` are the latest events,
    newest last; `wave` is the drawing of the last hit, `low_wave` a lower one. `asked` are all
    requests to the person, in order, empty while there are none; `came` their results so far, the
    last of them that of the present request.
    """

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
        """The present request to the person, "" if there is none."""
        return self.asked[len(self.came) - 1] if self.asked else ""


class Desk(Protocol):
    """Talks with the board. Every call returns at once; its result is in a later view.

    `view` returns the same object until something changes. `turn_to` another page cancels what is
    being asked; `begin` starts the page's task, or looks for a lost board again; `skip` goes on
    without an answer.
    """

    def view(self) -> BoardView:
        """Return what the page shows now."""

    def turn_to(self, part: BoardPage) -> None:
        """Show another page."""

    def begin(self) -> None:
        """Begin the procedure of the page."""

    def discard(self) -> None:
        """Drop what the procedure measured."""

    def skip(self) -> None:
        """Leave out the present step."""

    def break_off(self) -> None:
        """End the procedure before its end."""

    def store(self) -> None:
        """Keep what was measured: in the settings and on the board."""
