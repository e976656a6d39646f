"""The facts of Panic Fire: what happened, as the table would say it. Nothing that follows by the rules is in them."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from companion.rules.common import COMMON_FACTS
from companion.rules.game import EntryId, Fact, SeatId, by_kind

Basis = Literal["shooter", "target", "both", "unknown"]
Order = Literal["as_stamped", "swapped", "both"]
Status = Literal["in", "out"]


class Fire(Fact):
    """The dealer called; the round's time zero is `at` (PF-5)."""

    kind: Literal["fire"] = "fire"


class Draw(Fact):
    """A seat drew one card from a pile (PF-6, PF-9)."""

    kind: Literal["draw"] = "draw"
    seat: SeatId


class Shot(Fact):
    """The gun fired; nobody is named yet. `lag_us` is hit minus trigger, `peak` the hit's ADC peak."""

    kind: Literal["shot"] = "shot"
    lag_us: int | None = Field(default=None, gt=-(2**63), lt=2**63)
    peak: int | None = Field(default=None, ge=0)


class DryPull(Fact):
    """A pull without a hit (PF-R3), with the reason."""

    kind: Literal["dry_pull"] = "dry_pull"
    reason: str = ""


class Knock(Fact):
    """A hit without a pull, with the reason."""

    kind: Literal["knock"] = "knock"
    reason: str = ""
    peak: int | None = Field(default=None, ge=0)


class Promote(Fact):
    """The dry pull or the knock recorded as `entry` was a shot."""

    kind: Literal["promote"] = "promote"
    entry: EntryId = Field(ge=1)


class Target(Fact):
    """Who was shot at in the oldest shot that is not named yet."""

    kind: Literal["target"] = "target"
    seat: SeatId


class Shooter(Fact):
    """Who shot in the oldest shot that is not named yet."""

    kind: Literal["shooter"] = "shooter"
    seat: SeatId


class Illegal(Fact):
    """The shot in hand had no match to rest on (PF-11)."""

    kind: Literal["illegal"] = "illegal"


class Legal(Fact):
    """The shot in hand was legal after all (PF-10)."""

    kind: Literal["legal"] = "legal"


class Match(Fact):
    """Who held a match when the shot in hand was fired (PF-10, PF-14)."""

    kind: Literal["match"] = "match"
    basis: Basis


class ShieldHand(Fact):
    """Whom the last shot would have put out discarded a Shield from hand and stays (PF-12)."""

    kind: Literal["shield_hand"] = "shield_hand"


class ShieldInPlay(Fact):
    """A seat has a Shield in play from now on, or has none any more (PF-6); with a `reason`, whatever PF-R6 says."""

    kind: Literal["shield_in_play"] = "shield_in_play"
    seat: SeatId
    present: bool = True
    reason: str = ""


class StalemateDraw(Fact):
    """On three everyone still in drew one card (PF-16), or `seats` where the table agrees on fewer (PF-R8)."""

    kind: Literal["stalemate_draw"] = "stalemate_draw"
    seats: tuple[SeatId, ...] = ()


class Reshuffle(Fact):
    """A new pile (PF-R1) of `cards` cards, where somebody counted them; with a `reason`, whatever PF-R1 says."""

    kind: Literal["reshuffle"] = "reshuffle"
    cards: int | None = Field(default=None, ge=0, le=106)
    reason: str = ""


class TieBreak(Fact):
    """The table orders the last two shots (PF-R2); `both` lets both count as if the other had not been fired."""

    kind: Literal["tie_break"] = "tie_break"
    order: Order


class Override(Fact):
    """The table puts a seat in or out of the round, whatever the rules say, with its reason."""

    kind: Literal["override"] = "override"
    seat: SeatId
    status: Status
    reason: str = ""


class RoundEnd(Fact):
    """The table ends the round: `seat` takes the Bullet card, or nobody does (PF-R5)."""

    kind: Literal["round_end"] = "round_end"
    seat: SeatId | None = None
    reason: str = ""


FACTS = by_kind(
    Fire, Draw, Shot, DryPull, Knock, Promote, Target, Shooter, Illegal, Legal, Match,
    ShieldHand, ShieldInPlay, StalemateDraw, Reshuffle, TieBreak, Override, RoundEnd, *COMMON_FACTS,
)  # fmt: skip
