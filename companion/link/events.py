"""What a session tells its owner."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from companion.link.evidence import Evidence, Numbered
from firmware_protocol.messages import Config, Hello, Wave


@dataclass(frozen=True, slots=True)
class Identified:
    """The first HELLO of this connection, or of a new boot: what happened since the last word of the one before is
    unknown."""

    hello: Hello
    boot_id: int


@dataclass(frozen=True, slots=True)
class Watermark:
    """Everything stamped up to `settled_us` is durable: nothing else happened until then."""

    boot_id: int
    settled_us: int


@dataclass(frozen=True, slots=True)
class BoardSaid:
    """A LOG of the firmware, printable characters only; before it `unkept` lines were too many to keep."""

    text: str
    unkept: int = 0


@dataclass(frozen=True, slots=True)
class Clash:
    """Two different frames with one identity; the first stands, `other` is to be kept beside it."""

    kept: Numbered
    other: Evidence


@dataclass(frozen=True, slots=True)
class Missing:
    """`count` numbers from `first_seq` will not come: the board says that they were acknowledged, though not by this
    session, or, `withheld`, it says that it has them and never sends them."""

    boot_id: int
    first_seq: int
    count: int
    withheld: bool = False


class LinkNews(Enum):
    """What has nothing to it but that it happened."""

    CLOCK_FAULT = "two clock samples exclude each other: a clock jumped, and the matching started anew"
    CONFIG_IGNORED = "the board was told its settings several times and still publishes others"
    STOOD_BY = "the board confirmed STANDBY"


@dataclass(frozen=True, slots=True)
class Configured:
    """The board's settings have this CRC now. `config` is what they are, None when nobody here knows; `of_session`
    whether they are the session's, `told` whether it has them because it was told."""

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


SessionEvent = Identified | Evidence | Watermark | BoardSaid | Clash | Missing | LinkNews | Configured | CueGiven | Wave
"""The next piece of evidence comes in order, each number once; a `Wave` has been asked for."""
