"""The launch zones as stacks: drawings agree with the table over random play, on every page."""

from __future__ import annotations

import random
from itertools import islice
from xml.etree import ElementTree

import pytest

from companion.display.cells import plain, widest
from companion.display.pictures import Lying, Stack, Stacks
from companion.display.stacks import stack_lines, stacks_lines
from companion.games.skyfire.panels import stack, tables
from companion.reports.tables import shown_html
from companion.rules.facts import TABLE
from companion.rules.registry import open_game
from tests.games.hints import setup_of
from tests.games.random_play import steps


@pytest.mark.parametrize("seats", [3, 6])
def test_over_random_play_each_card_lies_in_its_stack_under_the_name_of_who_placed_it(
    seats: int,
) -> None:
    game = open_game("skyfire")
    setup = setup_of("skyfire", seats)
    for *_, state in islice(steps(game, setup, random.Random(seats)), 0, 300, 11):
        view = game.view(state, TABLE)
        shown = next(table for table in tables(view) if isinstance(table, Stacks))
        names = {seat.id: seat.name for seat in view.seats}
        assert len(shown.stacks) == len(view.zones)
        for table, zone in zip(shown.stacks, view.zones, strict=True):
            assert [card.who.split(" ", 1)[1] for card in table.cards] == [
                names[card.seat] for card in zone.cards
            ]
            lines = stack_lines(stack(view, zone), 40, 2 * len(zone.cards) + 1)
            faces = [plain(line) for line in lines if "│" in plain(line)]
            assert [face.split()[1] for face in faces] == [
                str(n) for n in range(len(zone.cards), 0, -1)
            ] or not faces
        if not shown.rows:
            continue  # before the deal
        drawings = ElementTree.fromstring(shown_html(shown)).iter("svg")
        for drawing, zone in zip(drawings, view.zones, strict=True):
            cards = [part for part in drawing.iter("rect") if part.get("class") == "back"]
            assert len(cards) == len(zone.cards)
        for columns in (74, 154, 194):
            assert widest(stacks_lines(shown, columns)) <= columns


@pytest.mark.parametrize("rows", range(12))
@pytest.mark.parametrize("columns", [0, 9, 24, 48])
def test_a_stack_stays_in_its_room_and_the_newest_card_is_there(columns: int, rows: int) -> None:
    lines = stack_lines(
        Stack("", "", tuple(Lying(f"P{n}", "", "") for n in range(1, 8))), columns, rows
    )
    assert len(lines) <= rows
    assert widest(lines) <= columns
    if lines:
        assert " 7 P7" in plain(lines[1])
        cards = [line for line in map(plain, lines) if " P" in line]
        assert len(cards) == 7 or f"{7 - len(cards)} more below" in plain(lines[-2])


def test_a_name_of_twenty_letters_is_whole_on_a_wide_screen() -> None:
    one = Stack("Zone 1", "", (Lying("● E Emilia van der Laan1", "#d55e00", "+15.804"),))
    assert any("Emilia van der Laan1" in plain(line) for line in stack_lines(one, 45, 9))
