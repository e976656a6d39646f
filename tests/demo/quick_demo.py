"""A demo without board, disk and waiting: the real players at a real table, in a time that passes at once."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random
from typing import Any

from companion.demo.run import Performance, Waiting, scripted_players_of
from companion.journal.entries import Control, Draft, Layer
from companion.journal.record import FIRST_DIGEST, seal
from companion.link.events import CueGiven
from companion.link.evidence import Evidence
from companion.link.status import LinkState, LinkStatus
from companion.rules.facts import Setup
from companion.rules.header import header
from companion.rules.registry import open_game
from companion.rules.seats import seats_from_names
from companion.session.opening import with_chance
from companion.session.table import Table
from companion.session.views import TableView
from firmware_protocol.messages import (
    ARMED,
    BELOW_THRESHOLD,
    PRESSED,
    ROLE_HIT,
    ROLE_TRIGGER,
    ROLE_ZONE,
    Channel,
    Event,
    Hello,
    State,
)
from firmware_protocol.virtual import physics
from firmware_protocol.virtual.client import VirtualBoard
from tests.session.parts import BOOT, UID, WALL, MemoryJournal, journal_of

ZONES = 10
CHANNELS = (physics.TRIGGER, physics.HIT, *(f"zone-{place}" for place in range(1, ZONES + 1)))
STAMP_ERROR_US = 100
HIT_THRESHOLD = 300
SETTLES_US = 10_000
"""How long after an edge the board can say that nothing else is stamped before it."""
LOOK_US = 50_000
"""How often somebody who waits looks at the screen."""


class Clock:
    """The time of such a demo, in microseconds; it passes only when somebody rests or waits, and wakes the board."""

    def __init__(self) -> None:
        self.us = 1_000_000
        self.wake: Callable[[int], None] = lambda _: None

    def __call__(self) -> int:
        return self.us

    def pass_by(self, us: int) -> None:
        self.us += us
        self.wake(self.us)


class Board(VirtualBoard):
    """The virtual board's hands on contacts that neither bounce nor cross a wire: each edge comes when it is due."""

    def __init__(self, clock: Clock, seed: int) -> None:
        self._random = Random(seed)
        self._clock = clock
        self._due: list[tuple[int, int, int, int]] = []
        self._seq = 1
        self.table: Table | None = None
        self._cues: list[CueGiven] = []
        self._cued = 0

    def begin(self, table: Table) -> None:
        """Report to the table that the board is identified and armed."""
        self.table, self._clock.wake = table, self._tell
        table.board.cue = self._cue  # type: ignore[method-assign]
        gun = (Channel(0, ROLE_TRIGGER, 0, 0), Channel(1, ROLE_HIT, 0, 0))
        zones = (Channel(place + 1, ROLE_ZONE, place, 0) for place in range(1, ZONES + 1))
        table.board.on_identified(
            Hello(
                1, 0, UID, 0, 0, 0, 1024, 1, 1, STAMP_ERROR_US, "1.0", "quick demo", (*gun, *zones)
            ),
            BOOT,
        )
        table.board.store([Evidence(UID, BOOT, 1, State(ARMED, 0, self._clock.us), read_ns=0)])
        table.board.on_status(LinkStatus(LinkState.LIVE, "The board is there.", armed=True))

    def play(self, edges: Iterable[physics.Edge]) -> int:
        edges, now_us = list(edges), self._clock.us
        for channel in dict.fromkeys(name for _, name, _ in edges if name in CHANNELS):
            closed = [dt for dt, name, level in edges if name == channel and level]
            opened = [dt for dt, name, level in edges if name == channel and not level]
            peak = max((level for _, name, level in edges if name == physics.HIT_ADC), default=0)
            place = CHANNELS.index(channel)
            if channel == physics.HIT:
                weak = BELOW_THRESHOLD if peak < HIT_THRESHOLD else 0
                heapq.heappush(self._due, (now_us + closed[0], place, PRESSED | weak, peak))
            else:
                heapq.heappush(self._due, (now_us + closed[0], place, PRESSED, 0))
                heapq.heappush(self._due, (now_us + opened[-1], place, 0, 0))
        return now_us

    def _cue(self, output: int, ms: int) -> bool:  # noqa: ARG002  called by these names
        self._cues.append(CueGiven(len(self._cues) + 1, self._clock.us, output))
        return True

    def _tell(self, us: int) -> None:
        assert self.table is not None
        while self._cued < len(self._cues):
            self._cued += 1
            self.table.board.on_cue(self._cues[self._cued - 1], BOOT)
        while self._due and self._due[0][0] <= us:
            at_us, place, flags, peak = heapq.heappop(self._due)
            self._seq += 1
            self.table.board.store(
                [Evidence(UID, BOOT, self._seq, Event(place, flags, at_us, 0, peak), read_ns=0)]
            )
        self.table.board.on_watermark(BOOT, us - SETTLES_US)
        self.table.tick()


class InstantWaiting(Waiting):
    """Waiting that advances the clock instead."""

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self._clock = clock

    def rest(self, seconds: float) -> None:
        self._clock.pass_by(round(seconds * 1e6))

    def sees(self, condition: Callable[[], bool], seconds: float) -> bool:
        until_us = self._clock.us + round(seconds * 1e6)
        while not condition():
            if self._clock.us >= until_us:
                return False
            self._clock.pass_by(LOOK_US)
        return True


class CachedViewTable(Table):
    """A table that rebuilds its view only after a change, as a screen does: the players look far more often."""

    def __init__(self, *parts: Any, **more: Any) -> None:
        super().__init__(*parts, **more)
        self._news, self._painted = 1, 0
        self.subscribe(self._hear)

    def _hear(self) -> None:
        self._news += 1

    def view(self) -> TableView:
        if self._painted != self._news:
            self._painted = self._news
            self._shown = super().view()
        return self._shown


@dataclass(frozen=True, slots=True)
class PlayedDemo:
    """The result of such a demo: its table, and the sentences on everything that was refused or not counted."""

    table: Table
    refused: tuple[str, ...]


NOISE = ("dry pull: ", "knock: ")
"""How the log calls what players do to the gun on purpose."""


def play_at_once(game_id: str, seed: int, speed: float = 4.0) -> PlayedDemo:
    """Play a demo to its end; raise `Stuck` where the real one would."""
    players, clock, chance = scripted_players_of(game_id), Clock(), Random(seed)
    game = with_chance(open_game(game_id), chance)
    setup = Setup(
        game_id,
        game.rules_version,
        seats_from_names(players.seats),
        players.options,
        dict(players.components()),
    )
    first = seal(
        Draft(Layer.CONTROL, Control.SESSION, header(setup, "quick demo")),
        1,
        WALL,
        FIRST_DIGEST,
        bytes(16),
    )[0]
    journal = journal_of([first], MemoryJournal)
    table = CachedViewTable(game, journal, setup, host_us=clock)
    board = Board(clock, seed)
    board.begin(table)
    Performance(players(board, table, Random(seed)), speed, InstantWaiting(clock)).run()
    ignored = [entry.body["reason"] for entry in journal.entries if entry.kind == Control.IGNORED]
    refused = (
        *(refusal.text for refusal in table.view().refusals),
        *(sentence for sentence in ignored if not sentence.startswith(NOISE)),
    )
    return PlayedDemo(table, refused)
