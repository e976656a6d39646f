"""A reader of a record sees what the table that plays it shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import cycle
from pathlib import Path
from threading import Lock
from typing import Any

import pytest

from companion.games.sky_rise.rules.game import GAME as SKY_RISE
from companion.games.skyfire.rules.game import GAME
from companion.journal.entries import Control, Draft, Entry, Layer
from companion.journal.follow import Follower
from companion.journal.journal import Journal
from companion.rules.facts import TABLE, Refused, Setup
from companion.rules.game import Game
from companion.rules.header import header
from companion.rules.seats import seats_from_names
from companion.session.inspection import Inspection
from companion.session.log import KEPT
from companion.session.projection import SessionProjection
from companion.session.status_views import NO_BOARD
from companion.session.views import LineKind, SavedView, TableView
from tests.session.counting_game import (
    COUNTING,
    Clock,
    last_fact,
    small_header,
    small_setup,
    small_table,
)
from tests.session.parts import DEADLINE_S, RESUMED

SAVED = SavedView("watched", ok=True)
BACKWARDS = (
    "2025-10-26T00:59:59+00:00",
    "2025-10-26T00:10:00+00:00",
    "2024-12-31T23:59:59+00:00",
    "2031-01-01T00:00:00+00:00",
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "counting.sqlite"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    """Return a journal on a host whose clock is set back and forward between entries."""
    jumping = cycle(BACKWARDS)
    with Journal.create(path, small_header(), wall=lambda: next(jumping), retry_s=0.001) as opened:
        yield opened


def in_common(view: TableView) -> tuple[object, ...]:
    """Return the fields that a watcher and a table share."""
    return (
        view.session,
        view.setup,
        view.game,
        view.log,
        view.undo,
        view.redo,
        view.left,
        view.paused,
        view.ended,
    )


def test_a_watcher_sees_entry_by_entry_what_the_table_shows(journal: Journal, path: Path) -> None:
    clock = Clock()
    table, follower = small_table(journal, clock), Follower(path)
    watched = SessionProjection(COUNTING, small_setup(), follower.entries)
    verbs: tuple[Callable[[], None], ...] = (
        lambda: table.enter("mark", {"i": 1}, why="so", who="ada"),
        lambda: table.enter("drop", {"i": 1}),
        lambda: table.enter("seat_joins", {"name": "Di"}),
        lambda: table.enter("seat_changes", {"seat": "ada", "name": "Ava"}),
        lambda: table.amend(2, {"i": 2}, who="di"),
        lambda: table.insert("mark", {"i": 1}, after=0),
        lambda: table.do("table.undo"),
        lambda: table.take_back(2),
        lambda: table.do("table.pause"),
        lambda: table.set_level("counts", "proposed"),
        lambda: table.enter("hide", {"seat": "ada", "word": "w"}),
        lambda: table.enter("show", {"seat": "ada"}),
        lambda: table.do("table.undo"),
        lambda: table.do("table.agree"),
        lambda: table.do("table.redo"),
        lambda: table.accept(table.inspection.reread(table.inspection.marshal().settings)),
    )
    for verb in verbs:
        clock.pass_ms(1_000)
        verb()
        journal.wait(len(journal.entries), DEADLINE_S)
        watched.extend(follower.poll())
        assert in_common(watched.view(NO_BOARD, SAVED)) == in_common(table.view())
        whole = SessionProjection(COUNTING, small_setup(), tuple(follower.entries))
        assert in_common(whole.view(NO_BOARD, SAVED)) == in_common(table.view())
    assert watched.levels["counts"] == "proposed"


def test_a_wall_clock_that_goes_back_changes_neither_the_fold_nor_the_order_of_the_log(
    journal: Journal,
) -> None:
    table = small_table(journal, Clock())
    for number in range(4):
        table.enter("mark", {"i": number})
    table.amend(last_fact(journal), {"i": 9})
    assert [entry.wall for entry in journal.entries[:4]] == list(BACKWARDS)
    view = table.view()
    assert view.game["marks"] == (0, 1, 2, 9)
    assert [line.n for line in view.log] == sorted(line.n for line in view.log)
    assert len({line.time for line in view.log}) == len(BACKWARDS)
    again = SessionProjection(COUNTING, small_setup(), tuple(journal.entries))
    assert in_common(again.view(NO_BOARD, SAVED)) == in_common(view)


def test_a_long_record_reads_the_same_at_once_and_piece_by_piece(journal: Journal) -> None:
    drafts = (Draft(Layer.FACT, "mark", {"i": number}) for number in range(KEPT + 60))
    journal.append(*drafts)
    journal.append(Draft(Layer.CONTROL, Control.VOID, {"entry": 3, "reason": "wrong"}))
    at_once = SessionProjection(COUNTING, small_setup(), tuple(journal.entries))
    read: list[Entry] = []
    by_piece = SessionProjection(COUNTING, small_setup(), read)
    for entry in journal.entries:
        read.append(entry)
        by_piece.extend((entry,))
    assert in_common(at_once.view(NO_BOARD, SAVED)) == in_common(by_piece.view(NO_BOARD, SAVED))
    assert at_once.state.marks[:2] == (0, 2)
    for number in (2, 3, 40, KEPT + 60):
        assert at_once.text(number) == by_piece.text(number)


def test_the_name_given_last_counts_and_a_session_taken_up_again_is_not_closed(
    journal: Journal,
) -> None:
    projection = SessionProjection(COUNTING, small_setup(), journal.entries)
    assert (projection.name, projection.closed) == ("evening", False)
    projection.extend(
        journal.append(Draft(Layer.CONTROL, Control.RENAMED, {"name": "Friday"})).added
    )
    projection.extend(journal.append(Draft(Layer.CONTROL, Control.ENDED)).added)
    assert (projection.name, projection.closed) == ("Friday", True)
    projection.extend(journal.append(RESUMED).added)
    assert not projection.closed


def test_there_is_no_entry_before_the_first_and_behind_the_last(journal: Journal) -> None:
    projection = SessionProjection(COUNTING, small_setup(), tuple(journal.entries))
    assert [projection.entry(n) is None for n in (-1, 0, 1, 2)] == [True, True, False, True]


def noted(folder: Path, game: Game[Any], kind: str, body: Mapping[str, Any]) -> SessionProjection:
    """Return a record with a note that makes no sense."""
    setup = Setup(game.id, game.rules_version, seats_from_names(["Ada", "Ben", "Cy"]))
    with Journal.create(
        folder / "s.sqlite", header(setup, "s"), wall=lambda: BACKWARDS[0]
    ) as opened:
        opened.append(Draft(Layer.FACT, kind, body))
        return SessionProjection(game, setup, opened.entries)


def test_why_a_seats_secret_makes_no_sense_any_more_is_told_to_nobody(tmp_path: Path) -> None:
    record = noted(
        tmp_path, SKY_RISE, "goal_noted", {"seat": "ada", "nest": "orange", "tree": "purple"}
    )
    (line,) = (line for line in record.view(NO_BOARD, SAVED).log if line.kind is LineKind.BROKEN)
    (ruling,) = Inspection(record, Lock()).marshal().rulings
    assert "orange" not in f"{line} {ruling}"
    assert "makes no sense" in line.text
    assert ruling.problem == "what is hidden makes no sense here"


def test_a_private_note_is_in_no_list_even_where_it_makes_no_sense(tmp_path: Path) -> None:
    record = noted(tmp_path, GAME, "hand_noted", {"seat": "ada", "cards": ["red+red+blue"]})
    assert record.problems
    assert [line.n for line in record.view(NO_BOARD, SAVED).log] == [1]
    assert Inspection(record, Lock()).marshal().rulings == ()
    assert record.number(2) == 1


def test_no_seat_can_pass_for_the_whole_table() -> None:
    ada, ben = seats_from_names(["Ada", "Ben"])
    with pytest.raises(Refused, match="stands for the whole table"):
        Setup("panic-fire", 2, (ada, replace(ben, id=TABLE)))
