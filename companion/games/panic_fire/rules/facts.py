"""The facts of Panic Fire: what happened, as the table would say it. Nothing that follows by the rules is in them."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from companion.rules.common import COMMON_FACTS
from companion.rules.game import EntryId, Fact, SeatId, ToldAs, by_kind

Basis = Literal["shooter", "target", "both", "unknown"]
Order = Literal["as_stamped", "swapped", "both"]
Status = Literal["in", "out"]


class Fire(Fact):
    """The dealer called; the round's time zero is `at` (PF-5)."""

    called: ClassVar[str] = "fire! was called"
    told_as: ClassVar[ToldAs] = "round"
    kind: Literal["fire"] = "fire"


class Draw(Fact):
    """A seat drew one card from a pile (PF-6, PF-9)."""

    called: ClassVar[str] = "card was drawn"
    told_as: ClassVar[ToldAs] = "draw"
    kind: Literal["draw"] = "draw"
    seat: SeatId


class Shot(Fact):
    """The gun fired; nobody is named yet. `lag_us` is hit minus trigger, `peak` the hit's ADC peak."""

    called: ClassVar[str] = "shot was fired"
    told_as: ClassVar[ToldAs] = "shot"
    kind: Literal["shot"] = "shot"
    lag_us: int | None = Field(default=None, gt=-(2**63), lt=2**63, title="hit after pull, µs", examples=["4100"])
    peak: int | None = Field(default=None, ge=0, title="strength of hit", examples=["900"])


class DryPull(Fact):
    """A pull without a hit (PF-R3), with the reason."""

    called: ClassVar[str] = "pull that hit nothing"
    kind: Literal["dry_pull"] = "dry_pull"
    reason: str = ""


class Knock(Fact):
    """A hit without a pull, with the reason."""

    called: ClassVar[str] = "hit without a pull"
    kind: Literal["knock"] = "knock"
    reason: str = ""
    peak: int | None = Field(default=None, ge=0, title="strength of hit", examples=["900"])


class Promote(Fact):
    """The dry pull or the knock recorded as `entry` was a shot."""

    called: ClassVar[str] = "pull or hit that was a shot after all"
    kind: Literal["promote"] = "promote"
    entry: EntryId = Field(ge=1, title="which one")


class Target(Fact):
    """Who was shot at in the oldest shot that is not named yet."""

    called: ClassVar[str] = "who was hit"
    kind: Literal["target"] = "target"
    seat: SeatId = Field(title="target")


class Shooter(Fact):
    """Who shot in the oldest shot that is not named yet."""

    called: ClassVar[str] = "who shot"
    kind: Literal["shooter"] = "shooter"
    seat: SeatId = Field(title="shooter")


class Illegal(Fact):
    """The shot in hand had no match to rest on (PF-11)."""

    called: ClassVar[str] = "shot was illegal"
    kind: Literal["illegal"] = "illegal"


class Legal(Fact):
    """The shot in hand was legal after all (PF-10)."""

    called: ClassVar[str] = "shot was legal"
    kind: Literal["legal"] = "legal"


class Match(Fact):
    """Who held a match when the shot in hand was fired (PF-10, PF-14)."""

    called: ClassVar[str] = "who had a match"
    kind: Literal["match"] = "match"
    basis: Basis = Field(title="who had a match")


class ShieldHand(Fact):
    """Whom the last shot would have put out discarded a Shield from hand and stays (PF-12)."""

    called: ClassVar[str] = "Shield was discarded from hand"
    kind: Literal["shield_hand"] = "shield_hand"


class ShieldInPlay(Fact):
    """A seat has a Shield in play from now on, or has none any more (PF-6); with a `reason`, whatever PF-R6 says."""

    called: ClassVar[str] = "Shield is in play, or no longer"
    kind: Literal["shield_in_play"] = "shield_in_play"
    seat: SeatId
    present: bool = Field(default=True, title="has a Shield")
    reason: str = ""


class StalemateDraw(Fact):
    """On three everyone still in drew one card (PF-16), or `seats` where the table agrees on fewer (PF-R8)."""

    called: ClassVar[str] = "everybody drew together"
    kind: Literal["stalemate_draw"] = "stalemate_draw"
    seats: tuple[SeatId, ...] = ()


class Reshuffle(Fact):
    """A new pile (PF-R1) of `cards` cards, where somebody counted them; with a `reason`, whatever PF-R1 says."""

    called: ClassVar[str] = "new pile was shuffled"
    kind: Literal["reshuffle"] = "reshuffle"
    cards: int | None = Field(default=None, ge=0, le=106, title="cards in it", examples=["40"])
    reason: str = ""


class TieBreak(Fact):
    """The table orders the last two shots (PF-R2); `both` lets both count as if the other had not been fired."""

    called: ClassVar[str] = "which of two shots came first"
    kind: Literal["tie_break"] = "tie_break"
    order: Order = Field(title="which counts")


class Override(Fact):
    """The table puts a seat in or out of the round, whatever the rules say, with its reason."""

    called: ClassVar[str] = "somebody is in or out"
    kind: Literal["override"] = "override"
    seat: SeatId
    status: Status = Field(title="in or out")
    reason: str = ""


class RoundEnd(Fact):
    """The table ends the round: `seat` takes the Bullet card, or nobody does (PF-R5)."""

    called: ClassVar[str] = "round ended"
    kind: Literal["round_end"] = "round_end"
    seat: SeatId | None = Field(default=None, title="takes the Bullet")
    reason: str = ""


FACTS = by_kind(
    Fire, Draw, Shot, DryPull, Knock, Promote, Target, Shooter, Illegal, Legal, Match,
    ShieldHand, ShieldInPlay, StalemateDraw, Reshuffle, TieBreak, Override, RoundEnd, *COMMON_FACTS,
)  # fmt: skip
