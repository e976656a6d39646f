"""What the page shows of each game, over whole games played at random."""

from __future__ import annotations

import random
import re

import pytest

from companion.display.panels import Panels, panels_of
from companion.display.pictures import Chart, Race, Stacks, Tower
from companion.display.tables import PanelTable
from companion.reports.markup import text
from companion.reports.pictures.any_picture import draw_picture
from companion.rules.registry import open_game
from companion.web.blocks import own_block, table_blocks
from tests.dashboard.test_plain_words import CLAUSE
from tests.games.hints import EVERY, may_hide, setup_of
from tests.games.test_every_game import played, secret_pairs
from tests.reports.pictures.samples import ODD, a_race, a_tower, some_stacks
from tests.web.game_pages import page_of, view_of

pytestmark = pytest.mark.usefixtures("sample_game", "looping_game", "own_games")

PICTURES: dict[str, set[type]] = {
    "fractured-sky": {Chart},
    "panic-fire": {Race},
    "sky-rise": {Tower},
    "skyfire": {Stacks},
}
"""The pictures that each of our games declares; drills have a race once somebody has a time."""


@pytest.mark.parametrize("game_id", EVERY)
def test_every_state_of_a_game_has_a_page_without_a_style_of_its_own(game_id: str) -> None:
    game = open_game(game_id)
    for _, _, _, state in played(game_id, game.seat_counts[-1], seed=7, most=200)[::7]:
        page = "".join(page_of(game, state).values())
        for seat in game.common(state).setup.seats:
            assert f"<b>{seat.name}</b>" in page
            page += own_block(panels_of(game_id), seat, game.view(state, seat.id))["own"]
        assert not re.search(r"<[^>]* style=|<script|\bNone\b|<[^>]* (src|href)=", page)
        assert not re.search(r">1</span> <span[^>]*>[^<]*s<", page)  # 1 points
        assert not CLAUSE.search(page)


@pytest.mark.parametrize("game_id", EVERY)
def test_each_picture_that_a_game_declares_is_a_drawing_on_its_page(game_id: str) -> None:
    game, panels, kinds = open_game(game_id), panels_of(game_id), set[type]()
    for _, _, _, state in played(game_id, game.seat_counts[-1], seed=7, most=120)[::11]:
        page = page_of(game, state)["game"]
        shown = (
            *panels.races(view_of(game, state).game),
            *panels.tables(view_of(game, state).game),
        )
        for picture in shown:
            if isinstance(picture, PanelTable) or not picture.rows:
                continue
            kinds.add(type(picture))
            assert f'role="region" aria-label="{text(picture.title)}"' in page
            assert draw_picture(picture) in page
    assert kinds >= PICTURES.get(game_id, set())


@pytest.mark.parametrize("game_id", ["pebbles", "whirl"])
def test_a_game_from_elsewhere_gets_drawings_of_the_pictures_it_declares(
    game_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    declared = Panels(
        "stones", tables=lambda _game: (a_tower(), some_stacks()), races=lambda _game: (a_race(),)
    )
    monkeypatch.setattr("companion.web.blocks.panels_of", lambda _game: declared)
    game = open_game(game_id)
    page = page_of(game, game.start(setup_of(game_id, 2)))["game"]
    assert page.count('role="region"') == 3
    assert ODD not in page


@pytest.mark.parametrize("game_id", [game for game in EVERY if may_hide(game)])
def test_a_secret_changes_no_page_but_its_seats(game_id: str) -> None:
    game, rng, tried = open_game(game_id), random.Random(3), 0
    for before, _, entry, _ in played(game_id, 3 if 3 in game.seat_counts else 2, seed=11, most=80)[
        ::5
    ]:
        pairs = list(secret_pairs(game, before))
        for owner, fact, other in rng.sample(pairs, min(2, len(pairs))):
            one, two = game.apply(before, fact, entry), game.apply(before, other, entry)
            assert page_of(game, one) == page_of(game, two)
            hides = panels_of(game_id).own(game.view(one, owner), owner) is not None
            for seat in game.common(one).setup.seats:
                own, also = (
                    own_block(panels_of(game_id), seat, game.view(state, seat.id))
                    for state in (one, two)
                )
                assert (own == also) == (seat.id != owner or not hides)
            tried += 1
    assert tried


def test_a_page_is_told_by_seats_and_scores_whatever_the_game() -> None:
    game = open_game("panic-fire")
    state = played("panic-fire", 3, seed=1, most=30)[-1][3]
    page = table_blocks(view_of(game, state), game.title, (), closed=True)
    assert all(f"<b>{seat.name}</b>" in page["seats"] for seat in game.common(state).setup.seats)
    assert "The session has ended." in page["state"]
