"""The state of a game of Fractured Sky, and how a round's end is told. All immutable; every step gives a new one."""

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
    """A player in a region: the power's parts, the rank it takes, what that gives.

    `chip` is the number under the Airships, None without one; `penalty` what FS-11 takes off; `markets` the extra
    resources of FS-14; `tied` says that the turn slots decided (FS-26), and `slot` is the one just taken. Of an AI with
    a Market card, `card` is what that shows after them and `traded` the Starfalls they bought (FS-45).
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
    """A region as it resolves: the players strongest first, the Starfalls that stay, and the steps in words."""

    region: RegionId
    starfalls: int
    standings: tuple[RegionShare, ...]
    left: int
    steps: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class Resolution:
    """A round's end: the regions from left to right, Starfalls gained by each player (Objective and trades included),
    what stays on the board, and what is on each Market card then."""

    regions: tuple[RegionResult, ...]
    gains: Mapping[PlayerId, int]
    left: Mapping[RegionId, int]
    market_cards: Mapping[PlayerId, int]
    steps: tuple[Reason, ...]


ROUNDS = 5
PIECES = 5  # FS-2: of each kind, for a human
LIMIT = 10  # FS-11

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
    """An AI's cards and tokens of this round, as numbers of the board's lists: `cards` are still face down, the top
    one first; `tokens` are all six as shuffled, the first three sitting out; empty with physical cards, where
    `sitting_out` has the values of those that the table sees."""

    cards: tuple[int, ...] = ()
    tokens: tuple[int, ...] = ()
    lots: tuple[int, ...] = ()
    shuffled: bool = False
    sitting_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PendingMove:
    """An AI's move that waits for the table: the decision in force, the one that the rules came to (another where the
    table said which of several it is), the places the table cannot serve, and the table's reason where it overruled the
    move."""

    decision: Decision
    ruled: Decision
    excluded: frozenset[str] = frozenset()
    by_hand: str = ""


@dataclass(frozen=True, slots=True)
class Round:
    """A round. `order` is the row of turn slots in force, `slots` who took which of the next row; `hidden` the region
    of each Hidden card on the tray, None while it is face down; `unused` the cards in the unused pile (FS-6). `dealt`
    are all Hidden cards, the tray's first, as the companion dealt them (FS-T8); empty where only the table knows.
    `looking` is the card that the last action looked at."""

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
        """A player's Airships, in the order in which they were placed."""
        return tuple(ship for ship in self.ships if ship.player == player)

    def slot_of(self, player: PlayerId) -> int | None:
        """The turn slot of the next row that a player took."""
        return next((slot for slot, owner in self.slots.items() if owner == player), None)


@dataclass(frozen=True, slots=True)
class Played:
    """A round that is over: who gained how many Starfalls at its end, the next row it led to, and what all had then,
    AIs with what they traded for meanwhile (FS-45). `entry` is the entry of the record that ended it."""

    number: int
    public: RegionId | None
    gains: Mapping[PlayerId, int]
    next_order: tuple[PlayerId, ...]
    result: Resolution
    held: Mapping[PlayerId, int]
    entry: int = 0


@dataclass(frozen=True, slots=True)
class State(GameState):
    """The game. `starfalls` are the tokens on regions, `held` those of each player, `market_cards` the resources on
    each AI's; `watched` lists who peeked at which Objective; `clearing` says that the newest fact ended a round, whose
    pieces people still take off the board."""

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
        """Everybody who plays: seats that have not left, then the AIs."""
        return (*self.playing, *self.ais)

    @property
    def now(self) -> Round:
        """The round that runs; before the first one in which nothing has happened."""
        return self.current or Round(1, self.players)

    @property
    def round(self) -> int:
        """The number of the round, 1 to 5."""
        return self.now.number

    @property
    def has_objectives(self) -> bool:
        """Whether Objectives are used: not in the solo game (FS-5)."""
        return len(self.ais) < 2

    def name(self, player: PlayerId) -> str:
        """What a player is called."""
        if is_ai(player):
            return f"AI {color_of(player)}"
        return GameState.name(self, player)
