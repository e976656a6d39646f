"""Facts of the drills: what happened."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from companion.rules.common import COMMON_FACTS
from companion.rules.facts import Fact, SeatId, by_kind

MOST_DELAY_MS = 60_000


class Ready(Fact, kind="ready", called="string begins", asks="begin a string"):
    """A string begins: somebody stands ready, and nothing counts before the signal (DR-2)."""

    seat: SeatId


class Delay(Fact, kind="delay", called="delay is drawn"):
    """The delay before the signal, drawn once (DR-3)."""

    ms: int = Field(title="milliseconds", ge=0, le=MOST_DELAY_MS, examples=["2500"])


class Signal(Fact, kind="signal", called="signal is given", asks="give the signal"):
    """The signal is given: the zero of all times of the string (DR-3)."""

    by: Literal["lamp", "screen"] = Field(default="screen", title="given by")


class Shot(Fact, kind="shot", told_as="shot"):
    """The gun was fired (DR-4, DR-5)."""

    lag_us: int | None = Field(default=None, title="hit after pull, µs", examples=["4100"])
    peak: int | None = Field(default=None, title="strength of hit", examples=["900"])


class Plate(Fact, kind="plate", called="plate is hit"):
    """A player's zone button was pressed (DR-6)."""

    seat: SeatId


class DryPull(Fact, kind="dry_pull", called="pull that hit nothing"):
    """The trigger was pulled and nothing hit; twice between two strings begins the next one (DR-2)."""

    reason: str = ""


class Stop(Fact, kind="stop", called="string is stopped", asks="stop the string"):
    """The table stops the string: it does not count (DR-7)."""

    reason: str = ""


FACTS = by_kind(Ready, Delay, Signal, Shot, Plate, DryPull, Stop, *COMMON_FACTS)
