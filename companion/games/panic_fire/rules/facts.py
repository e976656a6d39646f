"""The facts of Panic Fire: what happened, as the table would say it. Nothing that follows by the rules is in them."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from companion.rules.common import Override as Override
from companion.rules.facts import EntryId, Fact, SeatId

Basis = Literal["shooter", "target", "both", "unknown"]
Order = Literal["as_stamped", "swapped", "both"]


class Fire(Fact, kind="fire", called="fire! was called", told_as="round"):
    """The dealer called; the round's time zero is `at` (PF-5)."""


class Draw(Fact, kind="draw", called="card was drawn", told_as="draw"):
    """A seat drew one card from a pile (PF-6, PF-9)."""

    seat: SeatId


class Shot(Fact, kind="shot", called="shot was fired", told_as="shot"):
    """The gun fired; nobody is named yet. `lag_us` is hit minus trigger, `peak` the hit's ADC peak."""

    lag_us: int | None = Field(
        default=None, gt=-(2**63), lt=2**63, title="hit after pull, µs", examples=["4100"]
    )
    peak: int | None = Field(default=None, ge=0, title="strength of hit", examples=["900"])


class DryPull(Fact, kind="dry_pull", called="pull that hit nothing"):
    """A pull without a hit (PF-R3), with the reason."""

    reason: str = ""


class Knock(Fact, kind="knock", called="hit without a pull"):
    """A hit without a pull, with the reason."""

    reason: str = ""
    peak: int | None = Field(default=None, ge=0, title="strength of hit", examples=["900"])


class Promote(Fact, kind="promote", called="pull or hit that was a shot after all"):
    """The dry pull or the knock recorded as `entry` was a shot."""

    entry: EntryId = Field(ge=1, title="which one")


class Target(Fact, kind="target", called="who was hit"):
    """Who was shot at in the oldest shot that is not named yet."""

    seat: SeatId = Field(title="target")


class Shooter(Fact, kind="shooter", called="who shot"):
    """Who shot in the oldest shot that is not named yet."""

    seat: SeatId = Field(title="shooter")


class Illegal(Fact, kind="illegal", called="shot was illegal"):
    """The shot in hand had no match to rest on (PF-11)."""


class Legal(Fact, kind="legal", called="shot was legal"):
    """The shot in hand was legal after all (PF-10)."""


class Match(Fact, kind="match", called="who had a match"):
    """Who held a match when the shot in hand was fired (PF-10, PF-14)."""

    basis: Basis = Field(title="who had a match")


class ShieldHand(Fact, kind="shield_hand", called="Shield was discarded from hand"):
    """Whom the last shot would have eliminated discarded a Shield from hand and stays (PF-12)."""


class ShieldInPlay(Fact, kind="shield_in_play", called="Shield is in play, or no longer"):
    """A seat has a Shield in play from now on, or has none any more (PF-6); with a `reason`, whatever PF-R6 says."""

    seat: SeatId
    present: bool = Field(default=True, title="has a Shield")
    reason: str = ""


class StalemateDraw(Fact, kind="stalemate_draw", called="everybody drew together"):
    """On three everyone still in drew one card (PF-16), or `seats` where the table agrees on fewer (PF-R8)."""

    seats: tuple[SeatId, ...] = ()


class Reshuffle(Fact, kind="reshuffle", called="new pile was shuffled"):
    """A new pile (PF-R1) of `cards` cards, where somebody counted them; with a `reason`, whatever PF-R1 says."""

    cards: int | None = Field(default=None, ge=0, le=106, title="cards in it", examples=["40"])
    reason: str = ""


class TieBreak(Fact, kind="tie_break", called="which of two shots came first"):
    """The table orders the last two shots (PF-R2); `both` lets both count as if the other had not been fired."""

    order: Order = Field(title="which counts")


class RoundEnd(Fact, kind="round_end", called="round ended"):
    """The table ends the round: `seat` takes the Bullet card, or nobody does (PF-R5)."""

    seat: SeatId | None = Field(default=None, title="takes the Bullet")
    reason: str = ""
