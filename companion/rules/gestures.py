"""What hands do at a table with a board, as a game is told it, and how a table can have the edges read."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

TRIGGER = "trigger"
HIT = "hit"

# What a table can set, least and most: a quick tap is no hold, and nobody holds for longer than two seconds; a hit that
# is a tenth of a second from its pull is another event; a peak is a reading of 16 bits.
HOLD_RANGE_US = (200_000, 2_000_000)
WINDOW_RANGE_US = (1_000, 100_000)
PEAK_RANGE = (0, 65_535)
LOCK_RANGE_US = (5_000, 200_000)  # a finger presses again after a fifth of a second


class GestureKind(StrEnum):
    """What a hand did: on a zone a tap or a hold; on the gun a shot, a dry pull or a knock."""

    TAP = "tap"
    HOLD = "hold"
    SHOT = "shot"
    DRY_PULL = "dry-pull"
    KNOCK = "knock"


@dataclass(frozen=True, slots=True)
class Gesture:
    """A gesture and the entries it was read from.

    `channel` is `trigger`, `hit`, `zone-1` ...; `t_us` is the stamp of the press, the pull or the knock on the clock
    `clock`, give or take `pm_us`; `lag_us` is hit minus trigger for a shot; `peak` the hit's peak; `reason` says why a
    pull is dry or a hit a knock. `run_from`: the entry of the first press of a run of
    at least three closings, each too soon after the contact opened for a finger; None for that first press and outside
    of runs. `doubt` says why only the table can know that it was one; empty where the board's word is enough.
    """

    kind: GestureKind
    channel: str
    t_us: int
    clock: str
    pm_us: int
    evidence: tuple[int, ...]
    lag_us: int | None = None
    peak: int | None = None
    reason: str = ""
    run_from: int | None = None
    doubt: str = ""


CHOSEN = ("hold_us", "window_us", "min_peak", "lock_us")


@dataclass(frozen=True, slots=True)
class GestureSettings:
    """How edges are read; raise `ValueError` with a sentence for a person outside the ranges above.

    `hold_us` is the hold time, `window_us` the time within which a pull and a hit are one shot. `min_peak` is the least
    peak of a hit in ADC counts, whatever the board thought of it; None leaves that to the board, which flags what is
    below its own threshold. `hit_sensor` says whether the gun has one; a trigger that is no `gun` is a button: taps and
    holds, and hits mean nothing. A contact that closes again within `lock_us` of its opening was never let go: the same
    push goes on; None: the board's own lock time alone. `board_threshold` is the board's own, for the words of a reason
    only.
    """

    hold_us: int = 600_000
    window_us: int = 30_000
    min_peak: int | None = None
    hit_sensor: bool = True
    gun: bool = True
    lock_us: int | None = None
    board_threshold: int | None = None

    def __post_init__(self) -> None:
        _require("a hold time", self.hold_us, HOLD_RANGE_US, 1_000, " ms")
        _require("a pairing window", self.window_us, WINDOW_RANGE_US, 1_000, " ms")
        if self.min_peak is not None:
            _require("a hit threshold", self.min_peak, PEAK_RANGE, 1, "")
        if self.lock_us is not None:
            _require("a lock time", self.lock_us, LOCK_RANGE_US, 1_000, " ms")

    @property
    def chosen(self) -> dict[str, int | None]:
        """What a table can choose of it, by name; a lock time only where there is one."""
        chosen = {name: getattr(self, name) for name in CHOSEN}
        if self.lock_us is None:
            del chosen["lock_us"]
        return chosen

    def rejects(self, peak: int, *, below_threshold: bool) -> bool:
        """Return whether a hit with that peak, which the board found `below_threshold` or not, is too weak to count; a
        board that reads no peaks says 0 of hits that count."""
        if self.min_peak is None or (peak == 0 and not below_threshold):
            return below_threshold
        return peak < self.min_peak

    @property
    def threshold(self) -> str:
        """How a reason calls what a weak hit did not reach; the board's own has a number where that is known."""
        number = self.board_threshold if self.min_peak is None else self.min_peak
        return "threshold" if number is None else f"threshold {number}"


def _require(what: str, value: int, within: tuple[int, int], unit: int, name: str) -> None:
    least, most = within
    if not least <= value <= most:
        asked = f"{least // unit} to {most // unit}{name}"
        raise ValueError(f"{what} of {value / unit:g}{name} cannot be used: enter {asked}")
