"""What the page shows of each game, over whole games played at random."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from companion.reports.markup import Markup
from companion.rules.game import TABLE
from companion.rules.registry import GAMES, open_game
from companion.serve.blocks import own_block, table_blocks
from companion.serve.faces import Face, face_of
from companion.session.views import SavedView, TableView
from companion.session.watching import WATCHING
from tests.games.fractured_sky.playing import Record as FracturedSkyRecord
from tests.games.hints import HINTS
from tests.games.sky_rise.playing import Record as SkyRiseRecord
from tests.games.test_every_game import played, secret_pairs


def view_of(game: Any, state: Any) -> TableView:
    common = game.common(state)
    return TableView(
        "evening", common.setup, game.view(state, TABLE), game.awaiting(state), (), WATCHING,
        SavedView("2 entries read", ok=True), None, None, None, game.over(state), common.left, common.paused,
    )  # fmt: skip


def page_of(game: Any, state: Any) -> dict[str, Markup]:
    return table_blocks(view_of(game, state), face_of(game.id), game.title, game.standings(state), (), closed=False)


@pytest.mark.parametrize("game_id", sorted(GAMES))
def test_every_state_of_a_game_has_a_page_without_a_style_of_its_own(game_id: str) -> None:
    game = open_game(game_id)
    for _, _, _, state in played(game_id, game.seat_counts[-1], seed=7, most=200)[::7]:
        page = "".join(page_of(game, state).values())
        for seat in game.common(state).setup.seats:
            assert f"<b>{seat.name}</b>" in page
            page += own_block(face_of(game_id), seat, game.view(state, seat.id))["own"]
        assert not re.search(r"<[^>]* style=|<script|\bNone\b|<[^>]* (src|href)=", page)


@pytest.mark.parametrize("game_id", sorted(game for game, hints in HINTS.items() if hints.secret))
def test_a_secret_changes_no_page_but_its_seats(game_id: str) -> None:
    game, rng, tried = open_game(game_id), random.Random(3), 0
    for before, _, entry, _ in played(game_id, 3 if 3 in game.seat_counts else 2, seed=11, most=80)[::5]:
        pairs = list(secret_pairs(game, before))
        for owner, fact, other in rng.sample(pairs, min(2, len(pairs))):
            one, two = game.apply(before, fact, entry), game.apply(before, other, entry)
            assert page_of(game, one) == page_of(game, two)
            for seat in game.common(one).setup.seats:
                own, also = (own_block(face_of(game_id), seat, game.view(state, seat.id)) for state in (one, two))
                assert (own == also) == (seat.id != owner)
            tried += 1
    assert tried


def test_a_game_that_brings_no_face_is_told_by_its_seats_and_scores() -> None:
    game = open_game("panic-fire")
    state = played("panic-fire", 3, seed=1, most=30)[-1][3]
    page = table_blocks(view_of(game, state), Face(), game.title, game.standings(state), (), closed=True)
    assert type(face_of("chess")) is Face
    assert all(f"<b>{seat.name}</b>" in page["seats"] for seat in game.common(state).setup.seats)
    assert "The session has ended." in page["state"]


def test_the_tower_is_drawn_and_said_in_words() -> None:
    record = SkyRiseRecord(2)
    record.floor()
    page = page_of(open_game("sky-rise"), record.state)["game"]
    words = re.search(r"<title>(.*?)</title>", page)
    assert words is not None
    assert words[1].startswith("The tower from the ground up. level 1")
    assert page.count("<polygon") == len(record.state.plan.grid.cells) == 6


def test_a_seat_reads_its_goals_on_its_own_page() -> None:
    record = SkyRiseRecord(2)
    record.do("goal_noted", seat="ada", nest="red", tree="blue")
    game = open_game("sky-rise")
    seat = record.setup.seats[0]
    own = own_block(face_of("sky-rise"), seat, game.view(record.state, seat.id))["own"]
    assert re.search(r"Your Nest</h2><p[^>]*>red: 0 points now", own)
    assert re.search(r"Your Tree</h2><p[^>]*>blue: 0 points now", own)


def test_regions_name_what_stands_in_them() -> None:
    record = FracturedSkyRecord("ada bo")
    record.do("first", seat="ada")
    region = record.state.board.ids[0]
    record.do("public", region=region)
    page = page_of(open_game("fractured-sky"), record.state)["game"]
    assert f"<b>{record.state.board.name(region)}</b>" in page
    assert "1 Starfall (the Public one among them)" in page
    assert "An example map, made up." in page
