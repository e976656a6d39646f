"""`companion hub demo`: a hub with many tables that play by themselves. Nothing is saved."""

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
APART_S: Final = 0.8  # seconds between moves of one table
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
    """A table whose players make any legal move; after a game it begins another."""

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
        self._moves = self._play(game, setup)
        self._batches = HubBatches(
            self._entries, lambda: len(self._entries), FeedReading(game, setup, self._entries)
        )
        self._client = HubClient(self._ticket, self._entries[0].digest)

    def _add(self, draft: Draft) -> None:
        digest = FIRST_DIGEST
        if self._entries:
            digest = self._entries[-1].digest
        self._entries.append(seal(draft, len(self._entries) + 1, wall(), digest, new_salt())[0])

    def _play(self, game: Any, setup: Setup) -> Iterator[None]:
        state, played = game.start(setup), Counter[str]()
        while not game.over(state) and played.total() < MOST_MOVES:
            legal = game.legal(state)
            if not legal:
                return
            fact = random_move(legal, played, self._chance)
            state = game.apply(state, fact, played.total() + 1)
            self._add(Draft(Layer.FACT, fact.kind, body_of(fact)))
            yield

    def move(self) -> None:
        """Make a move and send it; raise `UndeliveredError` or `HubRefused`."""
        if next(self._moves, self) is self:  # the game is over
            self._begin()
        while (batch := self._batches.next()) is not None:
            self._batches.stored(batch, self._client.send(batch))


def simulated(
    database: Database, address: str, count: int, chance: random.Random, now: float
) -> list[SimulatedTable]:
    """Return `count` tables that have joined the hub at `address`."""
    names = []
    for repeat in range(1 + count // 4):
        suffix = f" {repeat + 1}" if repeat else ""
        names += [f"{name}{suffix}" for name in _FIRST]
    pods = next_round(names[: 4 * count], History(), chance).pods[:count]
    tables = []
    for number, pod in enumerate(pods, start=1):
        with database.writing() as connection:
            code, _ = new_code(connection, number, now)
            _, token = join(connection, code, laptop_mark(), now)
        # joined in the database itself: the hub does not serve yet
        tables.append(SimulatedTable(Ticket(address, "Demo", number, token), pod, chance))
    return tables


def play_in_background(
    tables: list[SimulatedTable], chance: random.Random, ending: ExitStack
) -> None:
    """Make tables play in a thread until `ending` ends."""
    ended = threading.Event()

    def run() -> None:
        while not ended.wait(APART_S / len(tables)):
            try:
                chance.choice(tables).move()
            except (UndeliveredError, HubRefused):
                ended.wait(1.0)  # the hub is not up yet, or is gone

    thread = threading.Thread(target=run, name="simulated tables", daemon=True)
    thread.start()
    ending.callback(thread.join)
    ending.callback(ended.set)
