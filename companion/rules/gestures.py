"""Gestures: what a game receives from a board, and the settings by which edges are read as gestures."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

TRIGGER = "trigger"
HIT = "hit"

# The least and the most that a table can set.
HOLD_RANGE_US = (200_000, 2_000_000)  # less would be a quick tap, and nobody holds for longer
WINDOW_RANGE_US = (1_000, 100_000)  # a hit a tenth of a second after a pull is another event
PEAK_RANGE = (0, 65_535)  # readings of 16 bits
LOCK_RANGE_US = (5_000, 200_000)  # a finger can press again after a fifth of a second


class GestureKind(StrEnum):
    """A tap or a hold of a zone; a shot, a dry pull or a knock of the gun."""

    TAP = "tap"
    HOLD = "hold"
    SHOT = "shot"
    DRY_PULL = "dry-pull"
    KNOCK = "knock"


@dataclass(frozen=True, slots=True)
class Gesture:
    """A gesture and the entries it was read from.

    `channel` is `trigger`, `hit`, `zone-1` ...; `t_us` is the stamp of the press, the pull or the knock on the clock
    `clock`, plus or minus `pm_us`. `lag_us` is hit minus trigger of a shot; `peak` is the peak of the hit; `reason` is
    why a pull is dry or a hit a knock.

    A contact that bounces too long makes a run: three closings or more, each sooner after the contact opened than a
    finger could press again. `run_from` is the entry of the run's first press; it is None for that press itself and
    outside of runs. `doubt` is why only the table can know whether a gesture happened; it is empty if the board's
    word is enough.
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
"""The settings that a table can choose."""


@dataclass(frozen=True, slots=True)
class GestureSettings:
    """How edges are read as gestures; raise `ValueError` with a sentence for people if a value is out of its range.

    `hold_us` is the hold time, and `window_us` the time within which a pull and a hit are one shot. `min_peak` is the
    least peak of a hit in ADC counts, whatever the board decided; None leaves that to the board, which marks hits below
    its own threshold. `hit_sensor`: the gun has one. `gun`: if False, the trigger is a button with taps and holds, and
    hits mean nothing. `lock_us`: a contact that closes again this soon after it opened was never released, and the
    press goes on; None uses the board's own lock time alone. `board_threshold` is the board's threshold, only for the
    text of a reason.
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
        """The settings that a table can choose, by name; without `lock_us` if it is None."""
        chosen = {name: getattr(self, name) for name in CHOSEN}
        if self.lock_us is None:
            del chosen["lock_us"]
        return chosen

    def rejects(self, peak: int, *, below_threshold: bool) -> bool:
        """Return whether a hit is too weak to count; `below_threshold` is what the board decided."""
        # A board that measures no peaks reports 0 for hits that count.
        if self.min_peak is None or (peak == 0 and not below_threshold):
            return below_threshold
        return peak < self.min_peak

    @property
    def threshold(self) -> str:
        """The threshold in the text of a reason, with its number if that is known."""
        number = self.board_threshold if self.min_peak is None else self.min_peak
        return "threshold" if number is None else f"threshold {number}"


def _require(setting: str, value: int, bounds: tuple[int, int], per_unit: int, unit: str) -> None:
    least, most = bounds
    if not least <= value <= most:
        choices = f"{least // per_unit} to {most // per_unit}{unit}"
        raise ValueError(f"{setting} of {value / per_unit:g}{unit} cannot be used: enter {choices}")
