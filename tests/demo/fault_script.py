"""Simulated faults: kinds, times and durations drawn from a seed, and the effect of each on a virtual board.

`timeline` is pure. `begin` and `end` act on a board; the README of the virtual board lists the faults and the profiles.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from random import Random

from firmware_protocol.messages import PROTOCOL_MAJOR
from firmware_protocol.virtual.client import PERFECT, VirtualBoard
from firmware_protocol.virtual.faults import FaultRates

FOREIGN = "rst:0x1 (POWERON_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)\r\n>>> \0Traceback (most recent call last):\r\n"


class FaultKind(StrEnum):
    """The kinds of faults between a board and its host; the value is the text for people."""

    DROP = "frames are lost"
    CORRUPT = "frames are damaged"
    TRUNCATE = "frames are cut"
    DUPLICATE = "frames come twice"
    DELAY = "frames are late"
    ONE_BYTE = "bytes come one at a time"
    SILENT = "nothing leaves the board"
    UNPLUG = "the cable is out, the board has power"
    POWER = "the board is without power"
    RESET = "the board resets"
    SAME_NUMBERS = "the board resets into the same numbers"
    SKEW = "the board's clock runs wrong"
    STEP = "the board's clock jumps"
    OVERFLOW = "more presses than the ring holds"
    TEXT = "foreign text in the stream"
    VERSION = "the board claims another version"


@dataclass(frozen=True)
class Fault:
    """One fault of a timeline: it begins at `at_s` and lasts `lasts_s`, both in seconds.

    `amount` is a probability for frames, ms for a delay or a jump, ppm for a skew, presses for an overflow.
    """

    at_s: float
    kind: FaultKind
    lasts_s: float = 0.0
    amount: float = 0.0


@dataclass(frozen=True)
class Spread:
    """The ranges from which a fault's duration (s) and amount are drawn."""

    lasts_s: tuple[float, float] = (0.0, 0.0)
    amount: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True)
class Profile:
    """Kinds of faults with their ranges, and the pause in s between the end of one and the next."""

    spreads: dict[FaultKind, Spread]
    pause_s: tuple[float, float] = (1.0, 3.0)


_NOISE = {
    FaultKind.DROP: Spread((2.0, 5.0), (0.05, 0.3)),
    FaultKind.CORRUPT: Spread((2.0, 5.0), (0.05, 0.3)),
    FaultKind.TRUNCATE: Spread((2.0, 5.0), (0.05, 0.3)),
    FaultKind.DUPLICATE: Spread((2.0, 5.0), (0.1, 0.5)),
    FaultKind.DELAY: Spread((2.0, 4.0), (20.0, 60.0)),
    FaultKind.ONE_BYTE: Spread((2.0, 4.0)),
    FaultKind.TEXT: Spread(),
}
_CABLE = {FaultKind.SILENT: Spread((0.5, 4.0)), FaultKind.UNPLUG: Spread((0.5, 3.0))}
_POWER = {
    FaultKind.POWER: Spread((0.2, 1.5)),
    FaultKind.RESET: Spread(),
    FaultKind.SAME_NUMBERS: Spread(),
}
_CLOCK = {
    # Two ordinary crystals together: what the host allows for (100 ppm).
    FaultKind.SKEW: Spread((3.0, 6.0), (-80.0, 80.0)),
    FaultKind.STEP: Spread((0.0, 0.0), (5.0, 1500.0)),
}
PROFILES = {
    "noise": Profile(_NOISE),
    "cable": Profile(_CABLE),
    "power": Profile(_POWER),
    "clock": Profile(_CLOCK),
    "rough": Profile(
        {
            **_NOISE,
            **_CABLE,
            **_POWER,
            **_CLOCK,
            # For a ring of `SMALL_RING`.
            FaultKind.OVERFLOW: Spread((0.0, 0.0), (50, 70)),
            FaultKind.VERSION: Spread((1.0, 2.0)),
        }
    ),
}
SMALL_RING = 64
"""Frames of the ring that `rough` overflows: a burst of a second is enough."""


def timeline(seed: int, profile: Profile) -> Iterator[Fault]:
    """Yield faults without end, one after the other: all kinds in some order, then all again."""
    random = Random(seed)
    at_s = 0.0
    while True:
        kinds = list(profile.spreads)
        random.shuffle(kinds)
        for kind in kinds:
            at_s += random.uniform(*profile.pause_s)
            fault = drawn(kind, profile.spreads[kind], random, at_s)
            yield fault
            at_s += fault.lasts_s


def drawn(kind: FaultKind, spread: Spread, random: Random, at_s: float = 0.0) -> Fault:
    """Return a fault of that kind within its ranges."""
    lasts_s = random.uniform(*spread.lasts_s)
    amount = random.uniform(*spread.amount)
    return Fault(at_s, kind, round(lasts_s, 3), round(amount, 3))


_RATES: dict[FaultKind, Callable[[float], FaultRates]] = {
    FaultKind.DROP: lambda amount: FaultRates(drop=amount),
    FaultKind.CORRUPT: lambda amount: FaultRates(corrupt=amount),
    FaultKind.TRUNCATE: lambda amount: FaultRates(truncate=amount),
    FaultKind.DUPLICATE: lambda amount: FaultRates(duplicate=amount),
    FaultKind.DELAY: lambda amount: FaultRates(delay=0.5, delay_ms=amount),
    FaultKind.ONE_BYTE: lambda _: FaultRates(one_byte=True),
}


def begin(board: VirtualBoard, fault: Fault, seed: int = 0) -> None:
    """Begin the fault; raise `VirtualBoardError` if the board cannot have it now because it has no power."""
    match fault.kind:
        case FaultKind.SILENT:
            board.silence(fault.lasts_s)
        case FaultKind.UNPLUG:
            board.unplug()
        case FaultKind.POWER:
            board.power_off()
        case FaultKind.RESET | FaultKind.SAME_NUMBERS:
            board.reset(same_numbers=fault.kind is FaultKind.SAME_NUMBERS)
        case FaultKind.SKEW:
            board.disturb_clock(ppm=round(fault.amount))
        case FaultKind.STEP:
            board.disturb_clock(step_ms=fault.amount)
        case FaultKind.OVERFLOW:
            board.overflow(round(fault.amount))
        case FaultKind.TEXT:
            board.print_text(FOREIGN)
        case FaultKind.VERSION:
            board.claim_version((PROTOCOL_MAJOR + 1, 0))
            _replug(board)
        case kind:
            rates = _RATES[kind](fault.amount)
            board.faults(rates, rates, seed)


def end(board: VirtualBoard, fault: Fault) -> None:
    """End the fault; faults that pass by themselves need nothing."""
    match fault.kind:
        case FaultKind.UNPLUG:
            board.plug()
        case FaultKind.POWER:
            board.power_on()
        case FaultKind.SKEW:
            board.disturb_clock(ppm=0)
        case FaultKind.VERSION:
            board.claim_version(None)
        case kind if kind in _RATES:
            board.faults(PERFECT, PERFECT)


def heal(board: VirtualBoard) -> None:
    """Remove all faults: the board has power and a correct clock, and the cable is plugged in and perfect."""
    board.faults(PERFECT, PERFECT)
    board.silence(0)
    board.claim_version(None)
    board.plug()
    board.power_on()
    board.disturb_clock(ppm=0)


def _replug(board: VirtualBoard) -> None:
    """Replug the cable: a host asks for a HELLO when it finds the port again."""
    board.unplug()
    board.plug()
