"""Facts of Panic Fire: what happened, in the players' words. Nothing that the rules can derive is stored in
one."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from pydantic import Field

from companion.rules.common import Override as Override
from companion.rules.facts import EntryId, Fact, SeatId

Basis = Literal["shooter", "target", "both", "unknown"]
Order = Literal["as_stamped", "swapped", "both"]


class _OfGun(Fact):
    """What the gun did. A changed version keeps the number of the `first` one, by which rulings name it."""

    unasked: ClassVar = ("first",)
    first: EntryId | None = Field(default=None, ge=1)

    @classmethod
    def successor(cls, body: dict[str, Any], n: int) -> dict[str, Any]:
        return {"first": n, **body}


class _OfShot(Fact):
    """A ruling on the shot whose first version is entry `shot`.

    Older records leave it out, as does a line that was typed; the ruling is then on the shot that each kind says.
    """

    unasked: ClassVar = ("shot",)
    shot: EntryId | None = Field(default=None, ge=1)


class Fire(Fact, kind="fire", called="fire! was called", asks="call fire!", told_as="round"):
    """The dealer called; the round's time zero is `at` (PF-5)."""


class Draw(Fact, kind="draw", called="card was drawn", asks="draw a card", told_as="draw"):
    """A seat drew one card from a pile (PF-6, PF-9)."""

    seat: SeatId


class Shot(_OfGun, kind="shot", called="shot was fired", asks="shot", told_as="shot"):
    """The gun fired (PF-10). `lag_us` is hit minus trigger, `peak` the ADC peak of the hit.

    `target` and `shooter` are for a shot that is added later: facts that name it would name another shot that was
    open there. Usually nobody is named yet.
    """

    target: SeatId | None = Field(default=None, title="who was hit")
    shooter: SeatId | None = Field(default=None, title="who shot")
    lag_us: int | None = Field(
        default=None, gt=-(2**63), lt=2**63, title="hit after pull, µs", examples=["4100"]
    )
    peak: int | None = Field(default=None, ge=0, title="strength of hit", examples=["900"])


class DryPull(_OfGun, kind="dry_pull", called="pull that hit nothing"):
    """A pull without a hit (PF-R3), with the reason."""

    reason: str = ""


class Knock(_OfGun, kind="knock", called="hit without a pull"):
    """A hit without a pull (PF-R3), with the reason."""

    reason: str = ""
    peak: int | None = Field(default=None, ge=0, title="strength of hit", examples=["900"])


class Promote(Fact, kind="promote", called="pull or hit that was a shot after all"):
    """The dry pull or the knock recorded as `entry` was a shot (PF-R3)."""

    entry: EntryId = Field(ge=1, title="which one")


class Target(_OfShot, kind="target", called="who was hit"):
    """Names the target of the oldest shot that is not named yet (PF-12)."""

    seat: SeatId = Field(title="target")


class Shooter(_OfShot, kind="shooter", called="who shot"):
    """Names the shooter of the oldest shot that is not named yet (PF-10)."""

    seat: SeatId = Field(title="shooter")


class Illegal(_OfShot, kind="illegal", called="shot was illegal", asks="illegal shot"):
    """The current shot was fired without a match (PF-11)."""


class Legal(_OfShot, kind="legal", called="shot was legal", asks="legal shot"):
    """The current shot was legal after all (PF-10)."""


class Match(_OfShot, kind="match", called="who had a match"):
    """Says who held a match when the current shot was fired (PF-10, PF-14)."""

    basis: Basis = Field(title="who had a match")


class ShieldHand(
    _OfShot,
    kind="shield_hand",
    called="Shield was discarded from hand",
    asks="discard a Shield from hand",
):
    """The player eliminated by the last shot discards a Shield from hand and stays in (PF-12)."""


class ShieldInPlay(Fact, kind="shield_in_play", called="Shield is in play, or no longer"):
    """A seat now has a Shield in play, or no longer has one (PF-6); a `reason` overrides PF-R6."""

    seat: SeatId
    present: bool = Field(default=True, title="has a Shield")
    reason: str = ""


class StalemateDraw(
    Fact, kind="stalemate_draw", called="everybody drew together", asks="everybody draws together"
):
    """On three, everyone still in drew one card (PF-16), or only `seats` if the players agree on fewer (PF-R8)."""

    seats: tuple[SeatId, ...] = ()


class Reshuffle(Fact, kind="reshuffle", called="new pile was shuffled", asks="shuffle a new pile"):
    """A new pile (PF-R1) of `cards` cards, None if nobody counted them; a `reason` overrides PF-R1."""

    cards: int | None = Field(default=None, ge=0, le=106, title="cards in it", examples=["40"])
    reason: str = ""


class TieBreak(_OfShot, kind="tie_break", called="which of two shots came first"):
    """The players order the last two shots (PF-R2); with `both`, each counts as if the other had not been
    fired."""

    order: Order = Field(title="which counts")


class RoundEnd(Fact, kind="round_end", called="round ended", asks="end the round"):
    """The players end the round: `seat` takes the Bullet card, or nobody does (PF-R5)."""

    seat: SeatId | None = Field(default=None, title="takes the Bullet")
    reason: str = ""
