"""State of a game of Panic Fire: rounds as ordered happenings, and what was judged from them. All immutable."""

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
    """What the gun did, recorded as entry `entry`, and what the players said about it.

    `fired` is True if it counts as a shot. `accident` is a dry pull that the house rules treat as an illegal
    shot, which has no target. `shield_hand` is the seat that discarded a Shield from hand. `named` are the
    entries that depend on the names given; removing the names retracts them. `ruled` is True once the players
    chose `order`. `first` is the entry of its first version, if it was changed.
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
    first: int | None = None

    @property
    def number(self) -> int:
        """The number by which rulings name it: the entry of its first version."""
        return self.entry if self.first is None else self.first

    @property
    def complete(self) -> bool:
        """True if everybody is named who must be."""
        return self.shooter is not None and (self.accident or self.target is not None)


@dataclass(frozen=True, slots=True)
class Stalemate:
    """Everyone, or `seats`, drew a card together, the last of `taken` in the round so far.

    From here on hands may exceed four (PF-16).
    """

    seats: tuple[SeatId, ...]
    taken: int


@dataclass(frozen=True, slots=True)
class PileCount:
    """A new pile of `cards` cards, None if nobody counted them.

    It was made when `taken` cards had been taken in the round and the shots `settled` (entry numbers) had had
    their effect.
    """

    cards: int | None
    taken: int
    settled: frozenset[int]


Happening = Pull | ShieldInPlay | Override | SeatLeaves | Stalemate | PileCount


@dataclass(frozen=True, slots=True)
class ShotVerdict:
    """The rules' verdict on a pull: who is eliminated, and by which clause.

    `before` are the seats that were in when it was fired. `new_set` is the least and most cards that `laid_by`
    laid as a new set (PF-14). `replaced` is 1 if a card was drawn for a Shield from hand (PF-R6).
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
    """A judged round: who is in, whose Shield is in play, and a verdict on each pull.

    `spent` are the seats that lost a Shield and may lay no other. `laid` is the least and most cards laid
    without a tap since `pile`.
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
    """A seat's draws in a round, and the moment of the last one."""

    draws: int = 0
    last: Moment | None = None


@dataclass(frozen=True, slots=True)
class Round:
    """One round, judged by `rules_version` of the rules.

    `pile` is the least and most cards in the piles at its start, None if unknown. `tied` are the seats whose
    tie it decides if it is a sudden death (PF-18). `taken` counts the cards drawn by tap or in a stalemate.
    `calm` is the longest interval so far without a draw or a pull, and `latest` the last moment. `gap` is True
    if the clock changed somewhere or a moment is missing. `pauses` are those since the round began; the last
    has no end while the clock is `paused` (PF-T5).
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
        """Return a seat's tally, an empty one if it sits this round out."""
        return next((tally for player, tally in self.tallies if player == seat), Tally())


@dataclass(frozen=True, slots=True)
class State(GameState):
    """A game: the people, the past rounds, and `current`, the round that is open or was played last.

    `kept` are the past rounds that count among the six; nothing can change them any more.
    """

    options: Options
    past: tuple[Round, ...] = ()
    kept: tuple[Round, ...] = ()
    current: Round | None = None

    @property
    def rounds(self) -> tuple[Round, ...]:
        """All rounds in order, replayed ones included."""
        return self.past if self.current is None else (*self.past, self.current)
