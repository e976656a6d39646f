"""The state of a game of Fractured Sky and the result of a round. Immutable: each fact makes a new state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from companion.games.fractured_sky.rules.ai import Decision, Reason
from companion.games.fractured_sky.rules.board import Board, RegionId
from companion.games.fractured_sky.rules.facts import Ai, Saw
from companion.games.fractured_sky.rules.public import (
    Built,
    Flight,
    PlayerId,
    PublicMark,
    Ship,
    TurnedCard,
    color_of,
    is_ai,
)
from companion.rules.common import GameState
from companion.rules.facts import SeatId
from companion.rules.house_rules import Options

Tier = Literal["starfalls", "both", "one", "nothing", "out"]


@dataclass(frozen=True, slots=True)
class RegionShare:
    """One player in one region: the parts of the power, the rank reached, what it gives.

    `chip` is the sum of the numbers under the Airships, None without one; `penalty` is what FS-11
    takes off; `markets` counts the extra resources of FS-14. `tied` means that turn slots decided
    (FS-26); `slot` is the one just taken. For an AI with a Market card, `card` is what it shows
    after these Markets, and `traded` the Starfalls bought with it (FS-45).
    """

    player: PlayerId
    chip: int | None
    penalty: int
    fortresses: int
    skimmers: int
    power: int
    tier: Tier
    markets: int
    tied: bool = False
    starfalls: int = 0
    slot: int | None = None
    card: int | None = None
    traded: int = 0


@dataclass(frozen=True, slots=True)
class RegionResult:
    """A resolved region: the players, strongest first, the Starfalls that stay, and each step as a sentence."""

    region: RegionId
    starfalls: int
    standings: tuple[RegionShare, ...]
    left: int
    steps: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class Resolution:
    """The result of a round.

    `regions` go from left to right. `gains` are the Starfalls each player gained, those of the
    Objective and of trades included; `left` stay on the board; `market_cards` are the AIs' cards
    afterwards.
    """

    regions: tuple[RegionResult, ...]
    gains: Mapping[PlayerId, int]
    left: Mapping[RegionId, int]
    market_cards: Mapping[PlayerId, int]
    steps: tuple[Reason, ...]


ROUNDS = 5  # FS-30
PIECES = 5  # FS-2: Fortresses, Markets and Skimmers of a seat, of each kind
LIMIT = 10  # FS-11: chips of more than this in all count less

Phase = Literal[
    "first",
    "public",
    "shuffle",
    "slot",
    "early",
    "ai",
    "turn",
    "hidden",
    "powers",
    "objective",
    "resolve",
    "over",
]


@dataclass(frozen=True, slots=True)
class Deck:
    """An AI's cards and tokens in this round, as 1-based numbers in the lists of `Board.decks` and `Board.tokens`.

    `cards` are still face down, the top one first. `tokens` are all six as shuffled; the first
    three sit out. `lots` ranks the tokens where a tie is drawn (FS-43). With physical cards all of
    these are empty, and `sitting_out` has the values of the tokens that lie face up.
    """

    cards: tuple[int, ...] = ()
    tokens: tuple[int, ...] = ()
    lots: tuple[int, ...] = ()
    shuffled: bool = False
    sitting_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PendingMove:
    """An AI's move that waits for the table to make it.

    `decision` is in force; `ruled` is what the rules came to, which differs where the table chose
    another place. `excluded` are places the table could not serve; `by_hand` is the table's reason
    for overruling the move.
    """

    decision: Decision
    ruled: Decision
    excluded: frozenset[str] = frozenset()
    by_hand: str = ""


@dataclass(frozen=True, slots=True)
class Round:
    """One round.

    `order` is the current row of turn slots, `slots` maps slots of the next row to who took them.
    `hidden` has the region of each Hidden card on the tray, None while face down; `unused` counts
    the cards in the unused pile (FS-6). `dealt` has all Hidden cards, the tray's first, if the
    companion dealt them (FS-T8), else it is empty. `looking` is the number of the Hidden card that
    the last action scouted, `called` the player whose turn the table called (FS-T3), `last` who
    acted last.
    """

    number: int
    order: tuple[PlayerId, ...]
    public: RegionId | None = None
    hidden: tuple[RegionId | None, ...] = ()
    unused: int = 0
    draws: tuple[PlayerId, ...] = ()
    ships: tuple[Ship, ...] = ()
    flights: tuple[Flight, ...] = ()
    marks: tuple[PublicMark, ...] = ()
    slots: Mapping[int, PlayerId] = field(default_factory=dict)
    last: PlayerId | None = None
    called: PlayerId | None = None
    powers: Mapping[PlayerId, tuple[int, ...]] = field(default_factory=dict)
    objective: tuple[PlayerId, ...] | None = None
    decks: Mapping[PlayerId, Deck] = field(default_factory=dict)
    turned: tuple[TurnedCard, ...] = ()
    pending: PendingMove | None = None
    sights: tuple[Saw, ...] = ()
    dealt: tuple[RegionId, ...] = ()
    looking: int | None = None

    def ships_of(self, player: PlayerId) -> tuple[Ship, ...]:
        """Return a player's Airships in the order in which they were placed."""
        return tuple(ship for ship in self.ships if ship.player == player)

    def slot_of(self, player: PlayerId) -> int | None:
        """Return the turn slot of the next row that a player took, or None."""
        return next((slot for slot, owner in self.slots.items() if owner == player), None)


@dataclass(frozen=True, slots=True)
class Played:
    """A round that is over.

    `gains` are the Starfalls gained when it ended, `held` what everybody has then, the Starfalls
    that AIs traded for during the round included (FS-45). `entry` is the journal entry that ended
    it.
    """

    number: int
    public: RegionId | None
    gains: Mapping[PlayerId, int]
    next_order: tuple[PlayerId, ...]
    result: Resolution
    held: Mapping[PlayerId, int]
    entry: int = 0


@dataclass(frozen=True, slots=True)
class State(GameState):
    """The state of a game.

    `starfalls` counts the tokens on each region, `held` those of each player without what the table
    added by hand, `market_cards` the resources on each AI's. `watched` lists who peeked at which
    Objective. `clearing` is true right after a round ended, while people take its pieces off the
    board.
    """

    options: Options
    board: Board
    ais: tuple[Ai, ...] = ()
    held: Mapping[PlayerId, int] = field(default_factory=dict)
    starfalls: Mapping[RegionId, int] = field(default_factory=dict)
    buildings: tuple[Built, ...] = ()
    market_cards: Mapping[PlayerId, int] = field(default_factory=dict)
    watched: tuple[tuple[SeatId, int], ...] = ()
    current: Round | None = None
    past: tuple[Played, ...] = ()
    clearing: bool = False
    finished: bool = False

    @property
    def players(self) -> tuple[PlayerId, ...]:
        """Everybody who plays: the seats that have not left, then the AIs."""
        return (*self.playing, *self.ais)

    @property
    def now(self) -> Round:
        """The running round; before the first one, an empty round 1."""
        return self.current or Round(1, self.players)

    @property
    def round(self) -> int:
        """The number of the round, 1 to 5."""
        return self.now.number

    @property
    def has_objectives(self) -> bool:
        """Return whether Objectives are used: not in the solo game (FS-5)."""
        return len(self.ais) < 2

    def name(self, player: PlayerId) -> str:
        """Return a player's name; an AI is called by its color."""
        if is_ai(player):
            return f"AI {color_of(player)}"
        return GameState.name(self, player)
