"""Strings of a drill on the emulated chip, the reaction of each scripted: what the companion made of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

from companion.games.drills.rules.game import GAME
from companion.games.drills.rules.options import NUMBERS
from companion.journal.entries import Control, Draft, Layer
from companion.journal.record import FIRST_DIGEST, seal
from companion.link.dispatcher import EventDispatcher, LinkMemory
from companion.link.events import SessionEvent
from companion.rules.facts import Moment, Setup
from companion.rules.header import header
from companion.rules.seats import seats_from_names
from companion.session.clocks import clock_name
from companion.session.opening import with_chance
from companion.session.table import Table
from tests.pico.emulator.emulated import MS, EmulatedPico
from tests.pico.lockstep import Lockstep
from tests.session.parts import WALL, MemoryJournal, journal_of

LAMP_PIN = "lamp"
FLOOR_MS = next(number.default for number in NUMBERS if number.name == "floor_ms")
OPTIONS = {"strings": "0", "least_delay_ms": "600", "most_delay_ms": "750"}


@dataclass
class StringTotals:
    """The outcome of the strings: the error of each reported reaction in us, false starts that were missed, false
    starts that were wrongly reported, and strings with any other outcome."""

    errors_us: list[float] = field(default_factory=list)
    false_starts: int = 0
    missed: int = 0
    invented: int = 0
    other: list[str] = field(default_factory=list)


class DrillTable(Lockstep):
    """A table at which one person does a drill, with the emulated Pico as its board."""

    def __init__(self, pico: EmulatedPico, seed: int) -> None:
        setup = Setup(GAME.id, GAME.rules_version, seats_from_names(["Ann"]), OPTIONS)
        first = seal(
            Draft(Layer.CONTROL, Control.SESSION, header(setup, "drill")),
            1,
            WALL,
            FIRST_DIGEST,
            bytes(16),
        )[0]
        game = with_chance(GAME, Random(seed))
        self.table = Table(
            game,
            journal_of([first], MemoryJournal),
            setup,
            host_us=lambda: pico.ns // 1000,
            guard_us=0,
        )
        super().__init__(pico)
        board: Any = self.table.board
        board.cue, board.now = self._cue, self._now
        self._dispatcher = EventDispatcher(
            self.session, LinkMemory(board, clock_ns=lambda: self.pico.ns)
        )

    def _cue(self, output: int, ms: int) -> bool:
        return self.session.cue(output, ms) is not None

    def _now(self) -> Moment | None:
        clock = self.session.clock
        now = clock.device_at(self.pico.ns)
        return (
            None if now is None else Moment(us=now[0], pm=now[1], clock=clock_name(clock.boot_id))
        )

    def _take(self, happened: list[SessionEvent], at_ns: int) -> None:  # noqa: ARG002  the dispatcher asks the clock
        self._dispatcher.handle(happened)
        self._dispatcher.store()
        self.table.tick()

    @property
    def _string(self) -> Any:
        return self.table._record.state.current

    def string(self, chance: Random, totals: StringTotals) -> None:
        """Do one string: stand ready, and fire at the lamp, too early, or before it."""
        kind = chance.choices(("fire", "before", "floor"), (6, 2, 2))[0]
        self.table.do("drills.begin")
        assert self.until(lambda: self._delay_ms() is not None, 1_000_000)
        lit = len(self.pico.driven)
        if kind == "before":
            wait_ms = self._delay_ms() or 0
            self._fire(self.pico.ns + round((wait_ms - chance.uniform(5, wait_ms - 20)) * MS))
        else:
            assert self.until(lambda: self._lamp_since(lit) is not None, 2_000_000)
            after_ms = (
                chance.uniform(10, FLOOR_MS - 1)
                if kind == "floor"
                else chance.uniform(FLOOR_MS + 1, 600)
            )
            fired_ns = (self._lamp_since(lit) or 0) + round(after_ms * MS)
            self._fire(fired_ns)
        assert self.until(lambda: self._string is None, 3_000_000), self.table.view().log[-3:]
        last = self.table.view().game.last
        early = last.ended.startswith("false start")
        totals.false_starts += kind != "fire"
        totals.missed += kind != "fire" and not early
        totals.invented += kind == "fire" and early
        if kind == "fire" and last.result is not None:
            totals.errors_us.append(
                last.result.us - (fired_ns - (self._lamp_since(lit) or 0)) / 1000
            )
        elif kind == "fire" and not early:
            totals.other.append(last.ended)
        self.spend(chance.randrange(150_000, 250_000))

    def _fire(self, at_ns: int) -> None:
        self.pico.press(at_ns, "trigger", 60)
        self.pico.knock(at_ns + 4 * MS, 2000)

    def _delay_ms(self) -> int | None:
        return None if self._string is None else self._string.delay_ms

    def _lamp_since(self, place: int) -> int | None:
        pin = self.pico.pins.pin(LAMP_PIN)
        return next(
            (ns for ns, driven, level in self.pico.driven[place:] if driven == pin and level), None
        )


def do_strings(pico: EmulatedPico, count: int, seed: int = 1) -> StringTotals:
    """Do so many strings, and return what came of them."""
    host, chance, totals = DrillTable(pico, seed), Random(seed), StringTotals()
    assert host.connect()
    assert host.arm()
    host.spend(300_000)
    for _ in range(count):
        host.string(chance, totals)
    host.table.close()
    return totals
