"""What is due is recorded without anybody's action: at its time by the clock that can tell, by the
lamp's own light, and not while the table pauses, answers a question, or has undone it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.demo.capture import captured, result_of
from companion.demo.replay import replay
from companion.games.panic_fire.rules.facts import Fire
from companion.journal.entries import CLOCK, Entry
from companion.journal.journal import Journal
from companion.link.events import CueGiven
from companion.rules.facts import Moment, Refused
from companion.rules.game import Due, Game
from companion.rules.registry import open_game
from companion.session.accessories import LAMP_ERROR_US
from companion.session.clock_side import LAMP_ANSWERS_US, SCREEN_ERROR_US
from companion.session.opening import begin
from companion.session.table import Table
from tests.session.parts import BOOT, GAME, first_entry, hello, journal_of, setup

WAIT_US = 3_000_000


class Clock:
    """The host's clock, set by a test."""

    us = 10_000_000

    def __call__(self) -> int:
        return self.us


class Lamp(Table):
    """A table whose board has a lamp while it is `there`; notes when it was lit."""

    there = True
    lit_us: int | None = None

    def cue(self, _output: int, _ms: int) -> bool:
        self.lit_us = clock_of(self).us if self.there else None
        return self.there


def clock_of(table: Table) -> Clock:
    clock = table._host_us
    assert isinstance(clock, Clock)
    return clock


def game(*, lamp: bool, since: Moment | None = None, us: int = WAIT_US) -> Game[Any]:
    """Panic Fire with an automatic *fire!*."""

    def due(state: Any) -> Due | None:
        return Due("by-itself", us, since, lamp) if state.current is None else None

    def act(state: Any, action_id: str) -> Any:
        return Fire() if action_id == "by-itself" else GAME.act(state, action_id)

    return replace(GAME, due=due, act=act)


def table_of(played: Game[Any], kind: type[Table] = Table) -> Table:
    return kind(played, journal_of([first_entry()]), setup(), host_us=Clock())


def fires(table: Table) -> list[tuple[Entry, Moment]]:
    entries = [entry for entry in table._journal.entries if entry.kind == "fire"]
    return [(entry, Moment.model_validate(entry.body["at"])) for entry in entries]


def later(table: Table, us: int) -> None:
    clock_of(table).us += us
    table.tick()


@pytest.fixture
def table() -> Iterator[Table]:
    made = table_of(game(lamp=False))
    yield made
    made.close()


@pytest.fixture
def drills() -> Iterator[Table]:
    rules = open_game("drills").shuffled_by(lambda count: range(1, count + 1))
    made = Table(
        rules, journal_of([first_entry()]), replace(setup(), game="drills"), host_us=Clock()
    )
    yield made
    made.close()


@pytest.fixture
def lamp() -> Iterator[Lamp]:
    made = table_of(game(lamp=True), Lamp)
    assert isinstance(made, Lamp)
    made.board.cue = made.cue  # type: ignore[method-assign, assignment]
    made.board.on_identified(hello(), BOOT)
    yield made
    made.close()


def test_it_comes_at_its_instant_however_late_anybody_looks(table: Table) -> None:
    assert table.next_look_s() == WAIT_US / 1e6
    later(table, WAIT_US - 1)
    assert not fires(table)
    assert table.next_look_s() == 1e-6
    later(table, 700_000)
    ((entry, at),) = fires(table)
    assert (entry.actor, at.us) == (CLOCK, 10_000_000 + WAIT_US)
    assert [ruling.by_itself for ruling in table.inspection.marshal().rulings] == [True]
    assert table.next_look_s() is None


def test_it_counts_from_the_moment_that_the_game_names(table: Table) -> None:
    begun = Moment(us=9_000_000, clock="host-1")
    table.game = game(lamp=False, since=begun)
    table._record.game = table.game
    later(table, WAIT_US - 1_000_000)
    assert [at.us for _, at in fires(table)] == [9_000_000 + WAIT_US]


def test_of_another_run_of_the_companion_it_counts_anew(table: Table) -> None:
    table._record.game = table.game = game(lamp=False, since=Moment(us=5, clock="host-0"))
    table.tick()
    later(table, WAIT_US - 1)
    assert not fires(table)
    later(table, 1)
    assert len(fires(table)) == 1


def test_it_stands_still_while_the_table_pauses(table: Table) -> None:
    table.tick()
    later(table, 1_000_000)
    table.do("table.pause")
    later(table, 60_000_000)
    assert not fires(table)
    assert table.next_look_s() is None
    table.do("table.pause")
    later(table, WAIT_US - 1_000_001)
    assert not fires(table)
    later(table, 1)
    assert len(fires(table)) == 1


def test_taken_back_it_does_not_come_again_by_itself_but_by_redo(table: Table) -> None:
    table.tick()
    later(table, WAIT_US)
    later(table, 1_000_000)
    table.do("table.undo")
    later(table, 60_000_000)
    assert len(fires(table)) == 1
    assert table.view().game.phase == "ready"
    table.do("table.redo")
    assert table.view().game.phase == "open"


@pytest.mark.parametrize("shown_us", [0, 5_000_000], ids=["before the signal", "behind it"])
def test_what_goes_on_with_something_by_itself_is_taken_back_and_brought_back_with_it(
    drills: Table, shown_us: int
) -> None:
    before = drills.view().awaiting
    drills.do("drills.begin")
    later(drills, 1)
    later(drills, shown_us)
    begun = drills.view()
    assert begun.undo == "red is ready"
    drills.do("table.undo")
    later(drills, 60_000_000)
    assert (drills.view().awaiting, drills.view().undo) == (before, None)
    drills.do("table.redo")
    assert (drills.view().awaiting, drills.view().undo) == (begun.awaiting, begun.undo)
    drills.do("table.undo")
    drills.do("drills.begin")
    later(drills, 1)
    assert drills.view().redo is None
    later(drills, 1)
    assert drills.view().game.phase == "wait", "the delay runs anew"


def test_taken_back_it_does_not_come_again_when_more_is_taken_back_before_it(table: Table) -> None:
    table.tick()
    table.do("table.pause")
    table.do("table.pause")
    later(table, WAIT_US)
    later(table, 1_000_000)
    for _ in range(3):  # it, and both ends of the pause
        table.do("table.undo")
        later(table, 60_000_000)
    assert (len(fires(table)), table.view().undo) == (1, None)
    for _ in range(3):
        table.do("table.redo")
    assert table.view().game.phase == "open"


def test_where_undo_stopped_what_goes_on_the_prompt_says_so(drills: Table) -> None:
    drills.do("drills.begin")
    later(drills, 1)
    waits = drills.view().awaiting
    for _ in range(2):
        drills.do("table.pause")
    later(drills, 5_000_000)
    assert drills.view().game.phase == "fire"
    drills.do("table.undo")
    assert drills.view().awaiting.startswith("Paused:")
    drills.do("table.undo")
    assert drills.view().awaiting == "Undo stopped the clock. Press u to undo more, y to redo."
    drills.do("table.redo")
    drills.do("table.pause")
    assert drills.view().awaiting == waits, "the pause ends anew, and so the signal comes"


@pytest.mark.parametrize("stop", ["abandon", "pause"])
def test_a_signal_whose_time_came_before_an_undo_does_not_surprise_anybody(
    drills: Table, stop: str
) -> None:
    drills.do("drills.begin")
    later(drills, 1)
    drills.enter(stop, {})
    later(drills, 60_000_000)
    drills.do("table.undo")
    if stop == "abandon":
        later(drills, 1_000_000)
        drills.do("table.agree")
    look_s = drills.next_look_s()
    later(drills, 1_999_999)
    assert (look_s, drills.view().game.phase) == (2.0, "wait"), "the delay runs anew"
    later(drills, 1)
    assert drills.view().game.phase == "fire"


@pytest.mark.parametrize("where", ["apply", "act"])
def test_what_the_rules_refuse_is_said_once(table: Table, where: str) -> None:
    def refuse(*_: Any) -> Any:
        raise Refused("PF-5", "nobody may fire", do="Wait.")

    changed: Any = {where: refuse}
    table._record.game = table.game = replace(game(lamp=False), **changed)
    later(table, WAIT_US)
    later(table, WAIT_US)
    notice = table.view().notice
    assert notice is not None
    assert (notice.number, notice.text) == (1, "Nobody may fire. Wait.")
    assert table.next_look_s() is None


def test_the_lamp_is_lit_and_its_own_stamp_is_the_moment(lamp: Lamp) -> None:
    lamp.tick()
    later(lamp, WAIT_US)
    assert lamp.lit_us == 10_000_000 + WAIT_US
    assert not fires(lamp)
    lamp.board.on_cue(CueGiven(1, 777, 0), BOOT)
    lamp.board.on_cue(CueGiven(1, 777, 0), BOOT)
    ((entry, at),) = fires(lamp)
    assert (at.us, at.pm, at.clock) == (
        777,
        max(hello().stamp_error_us, LAMP_ERROR_US),
        f"board-{BOOT:04x}",
    )
    assert [lamp._journal.entries[n - 1].kind for n in entry.causes] == ["cue"]


def test_where_no_lamp_answers_the_screen_is_the_signal(lamp: Lamp) -> None:
    lamp.tick()
    later(lamp, WAIT_US)
    later(lamp, LAMP_ANSWERS_US - 1)
    assert not fires(lamp)
    later(lamp, 1)
    assert [at.us for _, at in fires(lamp)] == [10_000_000 + WAIT_US + LAMP_ANSWERS_US]


def test_without_a_lamp_the_screen_is_the_signal_at_once(lamp: Lamp) -> None:
    lamp.there = False
    lamp.tick()
    later(lamp, WAIT_US + 5)
    assert [(at.us, at.pm) for _, at in fires(lamp)] == [(10_000_000 + WAIT_US + 5, 0)]


def test_a_screen_beside_a_live_board_says_by_how_much_it_may_be_late(lamp: Lamp) -> None:
    lamp.there = False
    lamp.board.now = lambda: Moment(us=clock_of(lamp).us - 9_000_000, pm=40, clock="board-0051")  # type: ignore[method-assign]
    lamp._record.game = lamp.game = game(lamp=True, since=Moment(us=1_000_000, clock="board-0051"))
    later(lamp, WAIT_US)
    assert [at for _, at in fires(lamp)] == [
        Moment(us=1_000_000 + WAIT_US, pm=40 + SCREEN_ERROR_US, clock="board-0051")
    ]


def test_a_capture_replays_what_came_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    due = game(lamp=False)
    monkeypatch.setattr("companion.session.opening.open_game", lambda _: due)
    monkeypatch.setattr(
        "companion.demo.replay.game_of",
        lambda head: (due, replace(setup(), options=head["options"])),
    )
    clock, capture = Clock(), tmp_path / "game.capture"
    table = begin(
        "panic-fire",
        ("red", "blue", "green"),
        {},
        tmp_path / "game.sqlite",
        make=captured(capture),
        clock_us=clock,
    )
    table.tick()
    later(table, WAIT_US)
    journal: Journal = table._journal
    table.close()
    assert [entry.kind for entry in journal.entries].count("fire") == 1
    replayed = replay(capture)
    assert replayed.result == replayed.expected == result_of(journal.entries)
