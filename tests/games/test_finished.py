"""In no game does a key, a form or a phone change a game that is over without a question, which every key can undo."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from io import StringIO

import pytest

from companion.commands.typed import obey
from companion.display.panels import panels_of
from companion.journal.entries import Control, Layer
from companion.rules.facts import Refused, body_of
from companion.rules.registry import open_game
from companion.session.plain import LinePrinter
from companion.session.seat_notes import SeatNote
from companion.session.table import Table
from tests.games.finished import finished
from tests.games.hints import EVERY, hints_of

pytestmark = pytest.mark.usefixtures("sample_game", "own_games")
every_game = pytest.mark.parametrize("game_id", EVERY)
ASKS = "Change the finished game? "


def facts(table: Table) -> list[int]:
    """Return the facts that count."""
    record = table._record
    return [n for n in record.timeline.order.facts if record.stands(n)]


def result(table: Table) -> tuple[object, ...]:
    view = table.view()
    return view.ending, view.standings, view.summary(), view.game


def answers_no(table: Table) -> None:
    question = table.view().question
    if question is not None:
        assert question.startswith(ASKS)
        assert question.rstrip(".").count(". ") >= 1, "what changes, and what becomes of the game"
        table.do("table.disagree")


@every_game
@pytest.mark.parametrize("seed", range(2))
def test_no_key_changes_a_finished_game_without_the_question(game_id: str, seed: int) -> None:
    with finished(game_id, seed) as table:
        before = facts(table), result(table)
        asked = set()
        for action in table.actions:
            table.do(action.id)
            if table.view().question is not None:
                asked.add(action.id)
            answers_no(table)
            assert (facts(table), result(table)) == before, action.id
        assert "table.undo" in asked


@every_game
def test_no_fact_that_the_rules_still_allow_is_entered_without_the_question(game_id: str) -> None:
    with finished(game_id) as table:
        before = facts(table), result(table)
        legal = [*table.legal(), *hints_of(game_id).noted(table._record.state)]
        for fact in legal:
            table.enter(fact.kind, body_of(fact))
            answers_no(table)
            assert (facts(table), result(table)) == before, fact
        seat, last = table.view().setup.seats[0].id, facts(table)[-1]
        score = {"seat": seat, "score": 1, "reason": "late"}
        changes: tuple[Callable[[], object], ...] = (
            partial(table.take_back, last),
            partial(table.insert, "score_set", score, after=1),
            partial(table.enter, "score_set", score),
            partial(table.enter, "seat_leaves", {"seat": seat}),
        )
        for change in changes:
            change()
            answers_no(table)
            assert (facts(table), result(table)) == before


@every_game
def test_what_a_phone_says_changes_no_finished_game_without_the_question(game_id: str) -> None:
    with finished(game_id) as table:
        table.take_proposals(True)
        before, panels = facts(table), panels_of(game_id)
        for seat in table.view().setup.seats:
            for line in panels.notes(table.seat_view(seat.id), seat.id):
                with pytest.raises(Refused, match="the game is over"):
                    table.note(seat.id, SeatNote(f"{seat.id} notes {line.id}", line.id))
            offered = panels.proposals(table.view().game, seat.id) if panels.proposals else ()
            for proposal in offered:
                table.note(seat.id, SeatNote(f"{seat.id} says {proposal.id}", propose=proposal.id))
                table.do("table.accept")
                assert (table.view().question or "").startswith(ASKS)
                table.do("table.disagree")
                table.do("table.dismiss")
        assert facts(table) == before


@every_game
def test_no_key_in_plain_mode_changes_a_finished_game_without_the_question(game_id: str) -> None:
    out = StringIO()
    with finished(game_id, typed=True) as table, LinePrinter(table, out) as printer:
        printer.print_new()
        before = facts(table), result(table)
        for action in table.actions:
            for key in action.keys:
                obey(key, table, printer)
                if table.view().question is not None:
                    printer.print_new()
                    assert (
                        f"? {table.view().question} - type enter to agree, esc not to"
                        in out.getvalue()
                    )
                    obey("esc", table, printer)
                assert (facts(table), result(table)) == before, key
        obey("u", table, printer)
        obey("enter", table, printer)
        assert facts(table) != before[0]


@every_game
def test_the_yes_undoes_the_end_and_stands_in_the_record(game_id: str) -> None:
    with finished(game_id) as table:
        table.do("table.undo")
        table.do("table.agree")
        assert not table.view().ended
        entries = table._journal.entries
        texts = [
            entry
            for entry in entries
            if entry.kind == Control.CONSENT and entry.body.get("finished")
        ]
        assert [entry.body["agreed"] for entry in texts] == [True]
        assert entries[texts[0].body["entry"] - 1].kind == Control.VOID
        assert not any(entry.layer is Layer.FACT for entry in entries[texts[0].n :])


def test_every_game_has_a_last_fact_that_ends_it() -> None:
    for game_id in EVERY:
        with finished(game_id) as table:
            end = table._record.end
            assert end is not None
            assert end.kind in open_game(game_id).facts
