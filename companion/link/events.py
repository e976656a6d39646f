"""The events that a session reports to its owner."""

from __future__ import annotations

from dataclasses import dataclass

from companion.link.evidence import Evidence
from firmware_protocol.messages import Config, Hello, Wave


@dataclass(frozen=True, slots=True)
class TakeOver:
    """This board takes the place of board `uid`, whose last boot was `boot_id`.

    It identified itself between `asked_ns` and `read_ns`; `first_seq` is its first number that the session wants.
    """

    uid: int
    boot_id: int
    asked_ns: int
    read_ns: int
    first_seq: int


@dataclass(frozen=True, slots=True)
class Replaced:
    """The previous board was `uid`, with last boot `boot_id`.

    From its last frame to the first one of the board in its place `away_us` passed, give or take `away_pm_us`, by the
    host's clock; None if that cannot be known.
    """

    uid: int
    boot_id: int
    first_seq: int
    away_us: int | None
    away_pm_us: int | None


@dataclass(frozen=True, slots=True)
class Identified:
    """The first HELLO of this connection or of a new boot; what happened since the last frame of the boot before is
    unknown."""

    hello: Hello
    boot_id: int
    taking_over: TakeOver | None = None


@dataclass(frozen=True, slots=True)
class Watermark:
    """Everything stamped up to `settled_us` is durable: nothing else happened until then."""

    boot_id: int
    settled_us: int


@dataclass(frozen=True, slots=True)
class Clash:
    """A second frame with the identity of one already taken; it is kept beside the first, which counts."""

    other: Evidence


@dataclass(frozen=True, slots=True)
class Configured:
    """The board's settings now have this CRC.

    `config` are the settings, None if nobody here knows them; `of_session` is whether they are the session's, and
    `told` whether the board has them because it was told to.
    """

    boot_id: int
    crc: int
    config: Config | None
    of_session: bool
    told: bool


@dataclass(frozen=True, slots=True)
class CueGiven:
    """The board switched cue `id` on at `t_us`; `output` is None for a cue of an earlier session."""

    id: int
    t_us: int
    output: int | None = None


SessionEvent = Identified | Evidence | Watermark | Clash | Configured | CueGiven | Wave | str
"""Evidence comes in order, each number once; a `Wave` only when asked for; a `str` is a sentence to be shown and kept:
noise, a clash, a clock fault, a line the firmware logged."""
