"""State of a game of SkyFire: rounds, zones, visible cards, and private notes. All immutable."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import Literal

from companion.games.skyfire.rules.deck import DEALT, NO_WHITE, Deck, Face
from companion.rules.common import GameState
from companion.rules.facts import Moment, SeatId
from companion.rules.house_rules import Options

ROUNDS = 5  # SF-18
WRONG_MISFIRE = 3  # SF-17
SEAT_COUNTS = range(3, 6)  # SF-2, SF-3, SF-4

Slot = tuple[int, int]  # a zone, from 1, and the place of a card in it, from 0


@dataclass(frozen=True, slots=True)
class Move:
    """A move recorded as entry `entry`; `zone` is None for a misfire, `back` is that of a placed card if entered."""

    what: Literal["place", "launch", "misfire"]
    seat: SeatId
    zone: int | None
    entry: int
    at: Moment | None
    back: str | None = None


@dataclass(frozen=True, slots=True)
class Zone:
    """A launch zone with the moves that placed its `cards`.

    The first `turned` cards have been turned up together. `faces` are those of them that were entered, in no
    order; `word` is the reason if the players entered faces that cannot be. `failed` are the seats that launched
    it wrongly, the last one with `failed_with` cards in it.
    """

    cards: tuple[Move, ...] = ()
    turned: int = 0
    faces: tuple[Face, ...] = ()
    word: str = ""
    failed: tuple[SeatId, ...] = ()
    failed_with: int = 0

    @property
    def backs_missing(self) -> int:
        """The number of its cards of which neither the back nor the card itself was entered."""
        turned = self.cards[: len(self.faces)]
        known = max(
            sum(card.back is not None for card in turned),
            sum(face.name is not None for face in self.faces),
        )
        return len(turned) - known + sum(card.back is None for card in self.cards[len(turned) :])


@dataclass(frozen=True, slots=True)
class Result:
    """How a round ended, by `clause`: each of `winners` scores `points`. `seat` launched `zone`, or declared the
    misfire."""

    how: Literal["launch", "misfire", "wrong_misfire", "nobody", "table"]
    clause: str
    winners: tuple[SeatId, ...] = ()
    points: int = 0
    seat: SeatId | None = None
    zone: int | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """Cards of a seat that lie in `slots` in an unknown order."""

    cards: tuple[Face, ...]
    slots: tuple[Slot, ...]


@dataclass(frozen=True, slots=True)
class Note:
    """A seat's private note: `groups` are the cards it put in known slots.

    `hand` are the cards noted as held; they are still in its hand or in the slots `since`, which it filled
    afterwards.
    """

    hand: tuple[Face, ...] | None = None
    since: tuple[Slot, ...] = ()
    groups: tuple[Group, ...] = ()


@dataclass(frozen=True, slots=True)
class Round:
    """A round: its players in seat order, whose `turn` it is (None once it is over), and the zones.

    `question` is the launch or misfire that waits for an answer. `out` are the eliminated in order, including
    those who left. `left_over` counts the cards beside the play area; `left_over_backs` are their backs as far as
    entered. `shown` are hands laid open. `notes` are secret.
    """

    number: int
    players: tuple[SeatId, ...]
    first: SeatId
    turn: SeatId | None
    zones: tuple[Zone, ...]
    target: Face | None
    left_over: int
    begun: Moment | None = None
    out: tuple[SeatId, ...] = ()
    question: Move | None = None
    result: Result | None = None
    moves: tuple[Move, ...] = ()
    left_over_backs: tuple[str | None, ...] = ()
    shown: tuple[tuple[SeatId, tuple[Face, ...]], ...] = ()
    notes: tuple[tuple[SeatId, Note], ...] = ()

    @property
    def alive(self) -> tuple[SeatId, ...]:
        """The players who are not eliminated, in order."""
        return tuple(seat for seat in self.players if seat not in self.out)

    def hand(self, seat: SeatId) -> int:
        """Return the number of cards the seat holds; 0 if it does not play this round."""
        placed = sum(move.seat == seat and move.what == "place" for move in self.moves)
        return DEALT - placed if seat in self.players else 0

    def note(self, seat: SeatId) -> Note | None:
        """Return the seat's private note, or None."""
        return dict(self.notes).get(seat)

    def zone(self, number: int) -> Zone:
        """Return the zone of that number, from 1."""
        return self.zones[number - 1]

    @property
    def backs_missing(self) -> int:
        """The number of cards with visible backs not entered, left-over cards included, unless their faces tell
        the back."""
        left_over = self.left_over - sum(back is not None for back in self.left_over_backs)
        return left_over + sum(zone.backs_missing for zone in self.zones)

    @property
    def in_sight(self) -> tuple[Face, ...]:
        """The faces that everybody has seen and somebody entered."""
        return tuple(
            chain(*(zone.faces for zone in self.zones), *(faces for _, faces in self.shown))
        )


@dataclass(frozen=True, slots=True)
class State(GameState):
    """A game: the people, the past rounds, and the round that is open or was played last.

    `decks` are the cards in play with three players and with more; `removed` the targets taken out openly.
    """

    options: Options
    decks: tuple[Deck, Deck]
    past: tuple[Round, ...] = ()
    current: Round | None = None
    removed: tuple[Face, ...] = ()
    clockwise: bool = True

    @property
    def rounds(self) -> tuple[Round, ...]:
        """All rounds in order."""
        return self.past if self.current is None else (*self.past, self.current)

    @property
    def deck(self) -> Deck:
        """The cards in play in the current round, or in the first one."""
        return self.deck_with(
            len(self.current.players if self.current is not None else self.common.playing)
        )

    def deck_with(self, players: int) -> Deck:
        """Return the cards in play with that many players (SF-2, SF-3, SF-4)."""
        return self.decks[0] if players == NO_WHITE else self.decks[1]
