"""The verbs in a running round: the time of a replacement, pauses, seats that come and go, the end."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.games.own.rules.facts import Bust, ClockStarts, TurnEnds
from companion.journal.entries import Layer
from companion.journal.journal import Journal
from companion.rules.registry import GAMES, open_game
from companion.session.board_side import CLOSED
from companion.session.table import Table
from tests.session.counting_game import Clock, notice_of, write
from tests.session.parts import BOOT, MS, Board, facts, hello, settle, tap

# -- the time of what replaces an undone fact


def test_what_replaces_the_undone_fact_takes_its_time(
    table: Table, journal: Journal, clock: Clock
) -> None:
    table.do("counting.count.1")
    clock.pass_ms(1_500)
    table.do("table.undo")
    clock.pass_ms(1_000)
    table.do("counting.count.2")
    first, second = facts(journal)
    assert second.body["at"] == first.body["at"]
    assert notice_of(table) == "Entered: it counts in place of what was undone, as of 2.5 s ago."
    clock.pass_ms(1_000)
    table.do("counting.count.2")
    assert facts(journal)[-1].body["at"]["us"] == clock.now


def test_the_same_fact_entered_again_after_an_undo_is_of_now(
    table: Table, journal: Journal, clock: Clock
) -> None:
    table.do("counting.count.1")
    clock.pass_ms(1_500)
    table.do("table.undo")
    clock.pass_ms(1_000)
    table.do("counting.count.1")
    assert facts(journal)[-1].body["at"]["us"] == clock.now
    assert "in place of" not in notice_of(table)


@pytest.mark.parametrize(("after_ms", "is_replaced"), [(5_000, True), (5_001, False)])
def test_what_is_entered_long_after_an_undone_fact_is_of_now(
    table: Table, journal: Journal, clock: Clock, after_ms: int, is_replaced: bool
) -> None:
    table.do("counting.count.1")
    table.do("table.undo")
    clock.pass_ms(after_ms)
    table.do("counting.count.2")
    first, second = facts(journal)
    assert second.body["at"]["us"] == (first.body["at"]["us"] if is_replaced else clock.now)


def test_another_kind_of_fact_after_an_undo_is_of_now(
    table: Table, journal: Journal, clock: Clock
) -> None:
    table.do("counting.count.1")
    table.do("table.undo")
    clock.pass_ms(1_000)
    table.do("counting.total")
    assert facts(journal)[-1].body["at"]["us"] == clock.now


def test_what_starts_or_stops_a_clock_is_of_now_after_an_undo(
    table: Table, journal: Journal, clock: Clock
) -> None:
    table.do("table.pause")
    table.do("table.undo")
    clock.pass_ms(60_000)
    table.do("table.pause")
    assert facts(journal)[-1].body["at"]["us"] == clock.now
    kinds = {
        game: {kind for kind, fact in open_game(game).facts.items() if fact.sets_clock}
        for game in GAMES
    }
    every = {"pause", "unpause"}
    assert {game: kinds_found - every for game, kinds_found in kinds.items() if kinds_found != every} == {
        "panic-fire": {"fire"}, "skyfire": {"deal"}, "sky-rise": {"showdown"},
    }  # fmt: skip
    assert all(fact.sets_clock for fact in (ClockStarts, TurnEnds, Bust))


def test_the_time_of_an_undone_fact_of_another_clock_is_taken_without_an_interval(
    table: Table, journal: Journal, clock: Clock
) -> None:
    board = Board()
    table.board.on_identified(hello(), BOOT)
    table.board.store([board.armed(0), *tap(board, "zone-1", 5 * MS)])
    settle(table)
    clock.pass_ms(1_000)
    table.do("table.undo")
    table.do("counting.count.2")
    assert facts(journal)[-1].t_us == 5 * MS
    assert notice_of(table) == "Entered: it counts in place of what was undone."


# -- pause, seats, the end


def test_the_pause_key_stops_the_clock_and_lets_it_run_on(table: Table, journal: Journal) -> None:
    table.do("table.pause")
    assert table.view().paused
    table.do("counting.count.1")
    assert notice_of(table) == "? The clock stands still. Press z to continue first."
    table.do("table.pause")
    assert not table.view().paused
    assert [(fact.kind, fact.t_us is not None) for fact in facts(journal)] == [
        ("pause", True),
        ("unpause", True),
    ]


def test_keys_and_seats_follow_who_joins_and_who_leaves(table: Table) -> None:
    before = table.actions
    assert table.actions is before
    table.enter("seat_joins", {"name": "Di"})
    assert [action.id for action in table.actions if action.group == "counting"][
        3
    ] == "counting.count.4"
    table.do("counting.count.4")
    table.enter("seat_leaves", {"seat": "ada"})
    view = table.view()
    assert [seat.id for seat in view.setup.seats] == ["ada", "bo", "cy", "di"]
    assert view.left == frozenset({"ada"})
    assert view.game["counts"] == ("di",)


def test_only_the_seats_own_view_has_its_secret(table: Table) -> None:
    table.enter("hide", {"seat": "ada", "word": "rosebud"})
    assert table.seat_view("ada")["hidden"] == "rosebud"
    assert table.seat_view("bo")["hidden"] is None
    assert "rosebud" not in str(table.view())


def test_after_the_close_every_verb_is_refused(table: Table, journal: Journal) -> None:
    write(table, 1)
    table.close()
    count = len(journal.entries)
    verbs: list[Callable[[], None]] = [
        lambda: table.enter("mark", {"i": 2}),
        lambda: table.amend(2, {"i": 2}),
        lambda: table.insert("mark", {"i": 2}, after=0),
        lambda: table.take_back(2),
        lambda: table.set_level("counts", "manual"),
        lambda: table.do("table.undo"),
    ]
    for verb in verbs:
        table.tell("nothing was done yet")
        verb()
        assert notice_of(table) == f"? {CLOSED}"
    table.tick()
    assert len(journal.entries) == count
    assert all(entry.layer is not Layer.CONTROL for entry in journal.entries[1:])
