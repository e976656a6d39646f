"""The player of an earlier card or pyramid is changed: turns that nobody named move with it, and people are told so."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from companion.session.opening import begin
from companion.session.table import Table
from tests.games.sky_rise.screen.parts import do, floor

PLACED = (("b1", "red"), ("a1", "yellow"), ("c1", "green"), ("d1", "blue"))


@pytest.fixture
def table() -> Iterator[Table]:
    """Open a table with four pyramids: of Mia, Jonas, Lena and Mia again."""
    opened = begin("sky-rise", ("Mia", "Jonas", "Lena"), {})
    floor(opened)
    for place, color in PLACED:
        do(opened, "pyramid", place=place, color=color)
    yield opened
    opened.close()


def entry_of(table: Table, place: str) -> int:
    return next(line.n for line in table.view().log if f"pyramid at {place}" in line.text)


def owners(table: Table) -> dict[str, str]:
    names = {seat.id: seat.name for seat in table.view().setup.seats}
    return {
        corner.place: names[piece.seat]
        for corner in table.view().game.levels[0].corners
        for piece in corner.pieces
    }


def notice(table: Table) -> str:
    said = table.view().notice
    assert said is not None
    return said.text


def test_a_changed_player_is_told_with_how_many_later_pyramids_belong_to_others_now(
    table: Table,
) -> None:
    body = {"place": "b1", "color": "red", "seat": "jonas", "reason": "Jonas began"}
    table.amend(entry_of(table, "b1"), body)
    assert owners(table) == {"b1": "Jonas", "a1": "Lena", "c1": "Mia", "d1": "Jonas"}
    assert notice(table).endswith("; 3 later entries now belong to another player: see the log.")


def test_an_undo_of_that_change_is_told_with_them_too(table: Table) -> None:
    body = {"place": "b1", "color": "red", "seat": "jonas", "reason": "Jonas began"}
    table.amend(entry_of(table, "b1"), body)
    table.do("table.undo")
    assert owners(table) == {"b1": "Mia", "a1": "Jonas", "c1": "Lena", "d1": "Mia"}
    assert notice(table).endswith("; 3 later entries now belong to another player: see the log.")


def test_a_changed_color_hands_nothing_to_anybody_else(table: Table) -> None:
    table.amend(entry_of(table, "b1"), {"place": "b1", "color": "blue"})
    assert "belong" not in notice(table)


def test_a_deleted_pyramid_hands_the_later_ones_on(table: Table) -> None:
    table.take_back(entry_of(table, "c1"))
    assert owners(table)["d1"] == "Lena"
    assert notice(table).endswith("; 1 later entry now belongs to another player: see the log.")


def test_a_refused_change_of_the_player_says_what_to_change_instead(table: Table) -> None:
    table.amend(entry_of(table, "b1"), {"place": "b1", "color": "red", "seat": "jonas"})
    assert notice(table) == (
        "It is Mia's turn, not Jonas's. Two entries crossed? Change their corners and colors. "
        "Otherwise give a reason."
    )


def test_a_pyramid_of_the_wrong_player_now_is_told_whom_to_wait_for(table: Table) -> None:
    do_refused = {"place": "a2", "color": "red", "seat": "lena"}
    table.enter("pyramid", do_refused)
    assert notice(table) == "It is Jonas's turn, not Lena's. Wait for Jonas, or give a reason."
