"""Device events to gestures: tap, hold, shot, dry pull, knock. Pure: time is passed in as the watermark."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


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
    `clock`, give or take `pm_us`; `lag_us` is hit minus trigger for a shot; `peak` the hit's peak; `reason` says why a pull
    is dry or a hit a knock.
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
