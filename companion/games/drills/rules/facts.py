"""What can happen in a drill."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from companion.rules.common import COMMON_FACTS
from companion.rules.game import Fact, SeatId, ToldAs, by_kind

MOST_DELAY_MS = 60_000


class Ready(Fact):
    """A string begins: somebody stands ready, and nothing counts before the signal (DR-2)."""

    called: ClassVar[str] = "string begins"
    kind: Literal["ready"] = "ready"
    seat: SeatId


class Delay(Fact):
    """How long the signal is waited for, drawn once (DR-3)."""

    called: ClassVar[str] = "delay is drawn"
    kind: Literal["delay"] = "delay"
    ms: int = Field(title="milliseconds", ge=0, le=MOST_DELAY_MS)


class Signal(Fact):
    """The signal is given: the zero of all times of the string (DR-3)."""

    called: ClassVar[str] = "signal is given"
    kind: Literal["signal"] = "signal"
    by: Literal["lamp", "screen"] = "screen"


class Shot(Fact):
    """The gun was fired (DR-4, DR-5)."""

    told_as: ClassVar[ToldAs] = "shot"
    kind: Literal["shot"] = "shot"
    lag_us: int | None = Field(default=None, title="hit after the pull, microseconds")
    peak: int | None = None


class Plate(Fact):
    """A player's zone button was pressed (DR-6)."""

    called: ClassVar[str] = "plate is hit"
    kind: Literal["plate"] = "plate"
    seat: SeatId


class DryPull(Fact):
    """The trigger was pulled and nothing hit; twice between two strings begins the next one (DR-2)."""

    kind: Literal["dry_pull"] = "dry_pull"
    reason: str = ""


class Stop(Fact):
    """The table stops the string: it does not count (DR-7)."""

    called: ClassVar[str] = "string is stopped"
    kind: Literal["stop"] = "stop"
    reason: str = ""


FACTS = by_kind(Ready, Delay, Signal, Shot, Plate, DryPull, Stop, *COMMON_FACTS)
