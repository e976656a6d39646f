"""What can happen in a drill."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from companion.rules.common import COMMON_FACTS
from companion.rules.game import Fact, SeatId, by_kind

MOST_DELAY_MS = 60_000


class Ready(Fact, called="string begins"):
    """A string begins: somebody stands ready, and nothing counts before the signal (DR-2)."""

    kind: Literal["ready"] = "ready"
    seat: SeatId


class Delay(Fact, called="delay is drawn"):
    """How long the signal is waited for, drawn once (DR-3)."""

    kind: Literal["delay"] = "delay"
    ms: int = Field(title="milliseconds", ge=0, le=MOST_DELAY_MS)


class Signal(Fact, called="signal is given"):
    """The signal is given: the zero of all times of the string (DR-3)."""

    kind: Literal["signal"] = "signal"
    by: Literal["lamp", "screen"] = "screen"


class Shot(Fact, told_as="shot"):
    """The gun was fired (DR-4, DR-5)."""

    kind: Literal["shot"] = "shot"
    lag_us: int | None = Field(default=None, title="hit after the pull, microseconds")
    peak: int | None = None


class Plate(Fact, called="plate is hit"):
    """A player's zone button was pressed (DR-6)."""

    kind: Literal["plate"] = "plate"
    seat: SeatId


class DryPull(Fact):
    """The trigger was pulled and nothing hit; twice between two strings begins the next one (DR-2)."""

    kind: Literal["dry_pull"] = "dry_pull"
    reason: str = ""


class Stop(Fact, called="string is stopped"):
    """The table stops the string: it does not count (DR-7)."""

    kind: Literal["stop"] = "stop"
    reason: str = ""


FACTS = by_kind(Ready, Delay, Signal, Shot, Plate, DryPull, Stop, *COMMON_FACTS)
