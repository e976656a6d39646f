"""`companion hub demo`: a hub full of tables that play by themselves, to look at. Nothing of it is kept."""

from __future__ import annotations

import random
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any, Final

from companion.demo.steps import random_move
from companion.feed.feed import FeedReading
from companion.hub.database import Database
from companion.hub.joining import join, new_code
from companion.hub.seating import History, next_round
from companion.journal.entries import Control, Draft, Entry, Layer
from companion.journal.record import FIRST_DIGEST, new_salt, seal
from companion.outbound.exchange import UndeliveredError
from companion.outbound.hub_batches import HubBatches, HubRefused
from companion.outbound.hub_client import HubClient
from companion.outbound.hub_ticket import Ticket, laptop_mark
from companion.rules.components import pinned
from companion.rules.facts import Setup, body_of
from companion.rules.header import header
from companion.rules.registry import GAMES, open_game
from companion.rules.seats import seats_from_names
from companion.session.clocks import wall
from companion.session.opening import with_chance

MOST_MOVES: Final = 600
APART_S: Final = 0.8  # seconds between two moves of one table
_FIRST: Final = (
    "Ann",
    "Bo",
    "Cy",
    "Di",
    "Ed",
    "Flo",
    "Gil",
    "Hal",
    "Ida",
    "Jo",
    "Kit",
    "Liv",
    "Max",
    "Nat",
    "Oz",
)


class SimulatedTable:
    """A table whose people make any moves that the rules allow, move by move; at the end of a game it has another."""

    def __init__(self, ticket: Ticket, players: tuple[str, ...], chance: random.Random) -> None:
        self._ticket, self._players, self._chance = ticket, players, chance
        self._begin()

    def _begin(self) -> None:
        games = [game for game in map(open_game, GAMES) if len(self._players) in game.seat_counts]
        game = with_chance(self._chance.choice(games), self._chance)
        setup = pinned(Setup(game.id, game.rules_version, seats_from_names(self._players)))
        self._entries: list[Entry] = []
        self._add(
            Draft(Layer.CONTROL, Control.SESSION, header(setup, f"table {self._ticket.table}"))
        )
        self._moves = self._played(game, setup)
        self._batches = HubBatches(
            self._entries, lambda: len(self._entries), FeedReading(game, setup, self._entries)
        )
        self._client = HubClient(self._ticket, self._entries[0].digest)

    def _add(self, draft: Draft) -> None:
        before = self._entries[-1].digest if self._entries else FIRST_DIGEST
        self._entries.append(seal(draft, len(self._entries) + 1, wall(), before, new_salt())[0])

    def _played(self, game: Any, setup: Setup) -> Iterator[None]:
        state, played = game.start(setup), Counter[str]()
        while not game.over(state) and played.total() < MOST_MOVES and (legal := game.legal(state)):
            fact = random_move(legal, played, self._chance)
            state = game.apply(state, fact, played.total() + 1)
            self._add(Draft(Layer.FACT, fact.kind, body_of(fact)))
            yield

    def move(self) -> None:
        """Make a move and send it; raise `UndeliveredError` or `HubRefused`."""
        if next(self._moves, self) is self:
            self._begin()
        while (batch := self._batches.next()) is not None:
            self._batches.stored(batch, self._client.send(batch))


def simulated(
    database: Database, address: str, count: int, chance: random.Random, now: float
) -> list[SimulatedTable]:
    """Return so many tables that have joined the hub at `address`."""
    names = [
        name if turn == 0 else f"{name} {turn + 1}"
        for turn in range(1 + count // 4)
        for name in _FIRST
    ]
    tables = []
    for number, pod in enumerate(
        next_round(names[: 4 * count], History(), chance).pods[:count], start=1
    ):
        with database.writing() as connection:
            code, _ = new_code(connection, number, now)
            _, token = join(connection, code, laptop_mark(), now)
        tables.append(SimulatedTable(Ticket(address, "Demo", number, token), pod, chance))
    return tables


def play_behind(tables: list[SimulatedTable], chance: random.Random, ending: ExitStack) -> None:
    """Have tables play in a thread of their own until `ending` ends."""
    ended = threading.Event()

    def run() -> None:
        while not ended.wait(APART_S / len(tables)):
            try:
                chance.choice(tables).move()
            except (UndeliveredError, HubRefused):
                ended.wait(1.0)  # the hub is not there yet, or not any more

    thread = threading.Thread(target=run, name="simulated tables", daemon=True)
    thread.start()
    ending.callback(thread.join)
    ending.callback(ended.set)
