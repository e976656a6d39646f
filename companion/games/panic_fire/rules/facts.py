"""The facts of Panic Fire: what happened, as the table would say it. Nothing that follows by the rules is in them."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from companion.rules.common import COMMON_FACTS
from companion.rules.game import EntryId, Fact, SeatId, by_kind

Basis = Literal["shooter", "target", "both", "unknown"]
Order = Literal["as_stamped", "swapped", "both"]
Status = Literal["in", "out"]


class Fire(Fact, called="fire! was called", told_as="round"):
    """The dealer called; the round's time zero is `at` (PF-5)."""

    kind: Literal["fire"] = "fire"


class Draw(Fact, called="card was drawn", told_as="draw"):
    """A seat drew one card from a pile (PF-6, PF-9)."""

    kind: Literal["draw"] = "draw"
    seat: SeatId


class Shot(Fact, called="shot was fired", told_as="shot"):
    """The gun fired; nobody is named yet. `lag_us` is hit minus trigger, `peak` the hit's ADC peak."""

    kind: Literal["shot"] = "shot"
    lag_us: int | None = Field(default=None, gt=-(2**63), lt=2**63, title="hit after pull, µs", examples=["4100"])
    peak: int | None = Field(default=None, ge=0, title="strength of hit", examples=["900"])


class DryPull(Fact, called="pull that hit nothing"):
    """A pull without a hit (PF-R3), with the reason."""

    kind: Literal["dry_pull"] = "dry_pull"
    reason: str = ""


class Knock(Fact, called="hit without a pull"):
    """A hit without a pull, with the reason."""

    kind: Literal["knock"] = "knock"
    reason: str = ""
    peak: int | None = Field(default=None, ge=0, title="strength of hit", examples=["900"])


class Promote(Fact, called="pull or hit that was a shot after all"):
    """The dry pull or the knock recorded as `entry` was a shot."""

    kind: Literal["promote"] = "promote"
    entry: EntryId = Field(ge=1, title="which one")


class Target(Fact, called="who was hit"):
    """Who was shot at in the oldest shot that is not named yet."""

    kind: Literal["target"] = "target"
    seat: SeatId = Field(title="target")


class Shooter(Fact, called="who shot"):
    """Who shot in the oldest shot that is not named yet."""

    kind: Literal["shooter"] = "shooter"
    seat: SeatId = Field(title="shooter")


class Illegal(Fact, called="shot was illegal"):
    """The shot in hand had no match to rest on (PF-11)."""

    kind: Literal["illegal"] = "illegal"


class Legal(Fact, called="shot was legal"):
    """The shot in hand was legal after all (PF-10)."""

    kind: Literal["legal"] = "legal"


class Match(Fact, called="who had a match"):
    """Who held a match when the shot in hand was fired (PF-10, PF-14)."""

    kind: Literal["match"] = "match"
    basis: Basis = Field(title="who had a match")


class ShieldHand(Fact, called="Shield was discarded from hand"):
    """Whom the last shot would have eliminated discarded a Shield from hand and stays (PF-12)."""

    kind: Literal["shield_hand"] = "shield_hand"


class ShieldInPlay(Fact, called="Shield is in play, or no longer"):
    """A seat has a Shield in play from now on, or has none any more (PF-6); with a `reason`, whatever PF-R6 says."""

    kind: Literal["shield_in_play"] = "shield_in_play"
    seat: SeatId
    present: bool = Field(default=True, title="has a Shield")
    reason: str = ""


class StalemateDraw(Fact, called="everybody drew together"):
    """On three everyone still in drew one card (PF-16), or `seats` where the table agrees on fewer (PF-R8)."""

    kind: Literal["stalemate_draw"] = "stalemate_draw"
    seats: tuple[SeatId, ...] = ()


class Reshuffle(Fact, called="new pile was shuffled"):
    """A new pile (PF-R1) of `cards` cards, where somebody counted them; with a `reason`, whatever PF-R1 says."""

    kind: Literal["reshuffle"] = "reshuffle"
    cards: int | None = Field(default=None, ge=0, le=106, title="cards in it", examples=["40"])
    reason: str = ""


class TieBreak(Fact, called="which of two shots came first"):
    """The table orders the last two shots (PF-R2); `both` lets both count as if the other had not been fired."""

    kind: Literal["tie_break"] = "tie_break"
    order: Order = Field(title="which counts")


class Override(Fact, called="somebody is in or out"):
    """The table eliminates a seat or takes it back into the round, whatever the rules say, with its reason."""

    kind: Literal["override"] = "override"
    seat: SeatId
    status: Status = Field(title="in or out")
    reason: str = ""


class RoundEnd(Fact, called="round ended"):
    """The table ends the round: `seat` takes the Bullet card, or nobody does (PF-R5)."""

    kind: Literal["round_end"] = "round_end"
    seat: SeatId | None = Field(default=None, title="takes the Bullet")
    reason: str = ""


FACTS = by_kind(
    Fire, Draw, Shot, DryPull, Knock, Promote, Target, Shooter, Illegal, Legal, Match,
    ShieldHand, ShieldInPlay, StalemateDraw, Reshuffle, TieBreak, Override, RoundEnd, *COMMON_FACTS,
)  # fmt: skip
