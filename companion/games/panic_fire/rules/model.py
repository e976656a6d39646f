"""The state of a game of Panic Fire: rounds as ordered records, and what was read from them. All immutable."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from companion.games.panic_fire.rules.facts import Basis, Order, Override, RoundEnd, ShieldInPlay
from companion.rules.common import GameState, SeatLeaves
from companion.rules.facts import Moment, SeatId
from companion.rules.house_rules import Options
from companion.rules.pauses import Pauses, Span

ROUNDS = 6  # PF-17
BULLETS = 6  # PF-1, one for each round
PLAY_DECK = 106  # PF-1
DEALT = 8  # PF-2: four for the set, four for the hand
SET = 4  # PF-2
NEW_SET = 4  # PF-14

Cause = Literal["shot", "dry_pull", "knock"]
Result = Literal["open", "eliminated", "backfired", "blocked", "saved", "void"]


@dataclass(frozen=True, slots=True)
class Pull:
    """What the gun did, as entry `entry`, and what the table said about it.

    `fired` says whether it counts as a shot; `accident` is a dry pull that the house rules treat as an illegal shot, so
    nobody is its target. `shield_hand` is who discarded a Shield from hand so as not to be eliminated. `named` are the
    entries that rest on who was named: a mend takes them back. `ruled` says that the table gave its word on `order`.
    """

    entry: int
    at: Moment | None
    cause: Cause
    fired: bool
    accident: bool = False
    lag_us: int | None = None
    peak: int | None = None
    reason: str = ""
    target: SeatId | None = None
    shooter: SeatId | None = None
    illegal: bool = False
    basis: Basis = "unknown"
    shield_hand: SeatId | None = None
    order: Order = "as_stamped"
    ruled: bool = False
    named: tuple[int, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether everybody is named who has to be."""
        return self.shooter is not None and (self.accident or self.target is not None)


@dataclass(frozen=True, slots=True)
class Stalemate:
    """Everyone (or `seats`) drew a card on the count of three, the last of `taken` in the round so far; from here on
    hands may exceed four (PF-16)."""

    seats: tuple[SeatId, ...]
    taken: int


@dataclass(frozen=True, slots=True)
class PileCount:
    """A new pile of `cards` cards (None: nobody counted), when `taken` cards had been taken in the round so far and the
    shots recorded as `settled` had had their consequences."""

    cards: int | None
    taken: int
    settled: frozenset[int]


Happening = Pull | ShieldInPlay | Override | SeatLeaves | Stalemate | PileCount


@dataclass(frozen=True, slots=True)
class ShotVerdict:
    """What the rules make of a pull: who is eliminated, by which clause.

    `before` are the seats that were in when it was fired; `new_set` is how many cards `laid_by` laid as a new set, at
    least and at most (PF-14); `replaced` is the card drawn for a Shield from hand (PF-R6).
    """

    result: Result
    clause: str
    before: frozenset[SeatId]
    eliminated: SeatId | None = None
    new_set: tuple[int, int] = (0, 0)
    laid_by: SeatId | None = None
    replaced: int = 0


@dataclass(frozen=True, slots=True)
class Reading:
    """What follows from a round's happenings: who is in, whose Shield is in play, a verdict for each pull.

    `spent` are the seats that lost a Shield and may lay no other; `laid` counts the cards laid without a tap (least,
    most) since the last `pile` count.
    """

    alive: frozenset[SeatId]
    shields: frozenset[SeatId]
    spent: frozenset[SeatId]
    stalemate: bool
    verdicts: tuple[tuple[Pull, ShotVerdict], ...]
    laid: tuple[int, int]
    pile: PileCount | None


@dataclass(frozen=True, slots=True)
class Tally:
    """A seat's draws in a round and the moment of the last one."""

    draws: int = 0
    last: Moment | None = None


@dataclass(frozen=True, slots=True)
class Round:
    """A round, played by `rules_version` of the rules: its records in order and what was read from them.

    `pile` is the cards in the piles at its start, least and most (None: unknown); `tied` are those whose tie it decides
    if it is a sudden death (PF-18); `taken` the cards drawn by tap or in a stalemate; `calm` the longest interval
    without a draw or a pull so far, `latest` the last moment, and `gap` says that somewhere the clock changed or a
    moment is missing. `pauses` are those since its beginning, the last one without an end while the clock is `paused`
    (PF-T5).
    """

    number: int
    rules_version: int
    sudden_death: bool
    players: tuple[SeatId, ...]
    dealer: SeatId
    fire: Moment | None
    pile: tuple[int, int] | None
    tallies: tuple[tuple[SeatId, Tally], ...]
    reading: Reading
    happenings: tuple[Happening, ...] = ()
    taken: int = 0
    latest: Moment | None = None
    calm: Span | None = None
    gap: bool = False
    end: RoundEnd | None = None
    tied: tuple[SeatId, ...] = ()
    pauses: Pauses = ()
    paused: bool = False

    def tally(self, seat: SeatId) -> Tally:
        """The tally of a seat; an empty one for a seat that sits this round out."""
        return next((tally for player, tally in self.tallies if player == seat), Tally())


@dataclass(frozen=True, slots=True)
class State(GameState):
    """A game: the people, the rounds before, and the round that is open or was played last.

    `kept` are those of the rounds before that count among the six: nothing changes them any more.
    """

    options: Options
    past: tuple[Round, ...] = ()
    kept: tuple[Round, ...] = ()
    current: Round | None = None

    @property
    def rounds(self) -> tuple[Round, ...]:
        """All rounds in order, replayed ones included."""
        return self.past if self.current is None else (*self.past, self.current)
