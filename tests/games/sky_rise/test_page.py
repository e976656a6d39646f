"""The phone page: the tower, and the viewer's own goals."""

from __future__ import annotations

import re

from companion.display.panels import panels_of
from companion.rules.registry import open_game
from companion.web.blocks import own_block
from tests.games.sky_rise.playing import Record
from tests.web.game_pages import page_of


def test_the_tower_is_drawn_and_said_in_words() -> None:
    record = Record(2)
    record.floor()
    page = page_of(open_game("sky-rise"), record.state)["game"]
    words = re.search(r'role="img" aria-label="(.*?)"', page)
    assert words is not None
    assert words[1].startswith("level 1 (large) from above: a1 hearts, b1 spades")
    assert page.count('class="suit"') == len(record.state.plan.grid.cells) == 6


def test_a_seat_reads_its_goals_on_its_own_page() -> None:
    record = Record(2)
    record.do("goal_noted", seat="ada", nest="red", tree="blue")
    game = open_game("sky-rise")
    seat = record.setup.seats[0]
    own = own_block(panels_of("sky-rise"), seat, game.view(record.state, seat.id))["own"]
    assert re.search(r">red<.*?>your Nest<", own)
    assert re.search(r">blue<.*?>your Tree<", own)
