"""Messages from a seat's own phone: recorded once, for that seat alone, and not a step of the
table."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from companion.journal.entries import Layer
from companion.journal.journal import Journal
from companion.rules.facts import Refused, body_of
from companion.rules.header import header
from companion.rules.registry import open_game
from companion.session.opening import resume
from companion.session.projection import SessionProjection
from companion.session.seat_notes import SeatNote
from companion.session.table import Table
from tests.games.hints import setup_of
from tests.games.skyfire.screen.parts import skyfire_table
from tests.games.test_every_game import played

HAND = SeatNote("one", "hand", {"cards": "com,em,wa,pop"})


def dealt(table: Table) -> Table:
    table.do("skyfire.deal")
    return table


def facts(table: Table) -> list[str]:
    return [entry.kind for entry in table._journal.entries if entry.layer is Layer.FACT]


def hand(table: Table, seat: str = "ada") -> tuple[str, ...] | None:
    own = table.seat_view(seat).own
    return None if own is None else own.hand


def test_a_note_is_recorded_once_however_often_it_is_sent(tmp_path: Path) -> None:
    with skyfire_table(tmp_path / "evening.sqlite") as table:
        numbers = {dealt(table).note("ada", HAND) for _ in range(1)} | {
            table.note("ada", HAND) for _ in range(3)
        }
        assert len(numbers) == 1
        assert facts(table) == ["deal", "hand_noted"]
        assert len(hand(table) or ()) == 4
        with pytest.raises(Refused, match="another note"):
            table.note("ada", SeatNote("one", "hand", {"cards": "wa,em,com,pop"}))
        table.note("bo", HAND)  # ids are each seat's own
        assert facts(table) == ["deal", "hand_noted", "hand_noted"]


def test_the_tables_undo_passes_a_seats_note_by_and_the_seat_takes_back_only_its_own(
    tmp_path: Path,
) -> None:
    with skyfire_table(tmp_path / "evening.sqlite") as table:
        noted = dealt(table).note("ada", HAND)
        table.do("table.undo")
        assert "deal" in (table.view().redo or "")
        table.do("table.redo")
        table.do("skyfire.place.1")
        undone = table.view().undo
        placed = table.note("bo", SeatNote("two", "hand", {"cards": "wave,lag,fern,reed"}))
        assert table.view().undo == undone
        for stranger, n in (
            ("bo", noted),
            ("ada", placed),
            ("ada", 2),
            ("ada", 1),
            ("ada", 10**9),
            ("ada", -1),
        ):
            with pytest.raises(Refused, match="not one of your notes"):
                table.note(stranger, SeatNote(f"back {n}", back=n))
        table.do("table.undo")
        back = table.note("ada", SeatNote("three", back=noted))
        assert table.note("ada", SeatNote("three", back=noted)) == back
        assert hand(table) is None
        assert len(hand(table, "bo") or ()) == 4
        assert table.view().redo == undone  # nor does it end what could be brought back
        with pytest.raises(Refused, match="not one of your notes"):
            table.note("ada", SeatNote("four", back=noted))


@pytest.mark.parametrize(
    "note",
    [
        SeatNote("x", "deal"), SeatNote("x", "", {"seat": "bo"}), SeatNote("x", "zone-1", {"card": "com"}),
        SeatNote("x", "hand", {"cards": "com", "seat": "bo"}), SeatNote("x", "hand", {}),
        SeatNote("x", "hand", {"cards": "com,com,com,com,com"}), SeatNote("x", "hand", {"kind": "deal"}),
    ],
)  # fmt: skip
def test_a_seat_can_send_nothing_but_what_its_form_asks(tmp_path: Path, note: SeatNote) -> None:
    with skyfire_table(tmp_path / "evening.sqlite") as table:
        before = table.view().notice
        with pytest.raises(Refused):
            dealt(table).note("ada", note)
        assert facts(table) == ["deal"]
        assert table.view().notice == before


def test_a_note_is_answered_again_after_a_restart_and_another_one_with_its_id_is_refused(
    tmp_path: Path,
) -> None:
    with skyfire_table(tmp_path / "evening.sqlite") as table:
        noted = dealt(table).note("ada", HAND)
        table.wait(noted, 5)
    again = resume(tmp_path / "evening.sqlite", Table)
    try:
        assert again.note("ada", HAND) == noted
        with pytest.raises(Refused, match="another note"):
            again.note("ada", SeatNote("one", "hand", {"cards": "wave"}))
    finally:
        again.close()


def test_once_the_game_is_over_no_note_is_made_or_taken_back(tmp_path: Path) -> None:
    with skyfire_table(tmp_path / "evening.sqlite") as table:
        noted = dealt(table).note("ada", HAND)
        table.enter("abandon", {"reason": "it is late"})
        for late in (
            SeatNote("two", back=noted),
            SeatNote("three", "hand", {"cards": "com,em,wa,pop"}),
        ):
            with pytest.raises(Refused):
                table.note("ada", late)
        assert table.note("ada", HAND) == noted  # which it was all the time


def test_goals_that_all_have_seen_are_not_taken_back_from_a_phone(tmp_path: Path) -> None:
    setup, play = setup_of("sky-rise", 2), played("sky-rise", 2, seed=3, most=400)
    reveal_place = next(
        place for place, (_, fact, _, _) in enumerate(play) if fact.kind == "reveal"
    )
    journal = Journal.create(
        tmp_path / "a.sqlite", header(setup, "a"), wall=lambda: "2024-05-01T20:15:00+00:00"
    )
    with closing(Table(open_game("sky-rise"), journal, setup, host_us=lambda: 0)) as table:
        for _, fact, _, _ in play[: reveal_place + 1]:
            table.enter(fact.kind, body_of(fact))
        notes = [
            entry
            for entry in journal.entries
            if entry.kind == "goal_noted" and table.look(_stands(entry.n))
        ]
        assert {entry.body["seat"] for entry in notes} == {seat.id for seat in setup.seats}
        for note in notes:
            with pytest.raises(Refused, match="seen this note"):
                table.note(note.body["seat"], SeatNote(f"back {note.n}", back=note.n))


def _stands(n: int) -> Callable[[SessionProjection], bool]:
    return lambda record: record.stands(n)
