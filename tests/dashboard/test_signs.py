"""Every sign on a screen that is not a word is told on the page of keys."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

from companion.dashboard.app import Dashboard
from companion.dashboard.filters import ascii_sign
from companion.dashboard.game_screen import game_screen_of
from companion.dashboard.screens.help import SIGNS, help_text
from companion.session.plain import MARKS
from tests.dashboard.fakes import ACTIONS, ManualClock
from tests.dashboard.recorded import recorded
from tests.dashboard.screen import screen_text
from tests.dashboard.test_snapshots import GAMES, Game

SIZES = ((80, 24), (160, 50), (200, 60))
PLAYED = (
    *GAMES,
    Game("skyfire", "a-tie-broken", 20),
    Game("sky-rise", "two-players", 60),
    Game("fractured-sky", "virtual-decks", 45),
    Game("drills", "reaction-with-a-false-start", 5),
    Game("drills", "plates-with-a-tie", 8),
)
PAGES = {
    "table": (),
    "big": ("f8",),
    "statistics": ("v",),
    "log": ("l",),
    "fix mistakes": ("c",),
    "why": ("ctrl+r",),
    "people": ("f6",),
    "board": ("b",),
}
WRITING = frozenset(".,:;()'\"?!/-%&_")
"""What any sentence has, and what joins the words of a name."""


@pytest.mark.parametrize("game", PLAYED, ids=lambda game: f"{game.id}-{game.name}")
async def test_every_sign_on_every_screen_is_told_on_the_page_of_keys(game: Game, tmp_path: Path) -> None:
    rows = (*game_screen_of(game.id).signs, *SIGNS)
    told = {*"".join(key for key, _ in rows), *MARKS.values()}
    untold: dict[str, set[str]] = {}
    with recorded(game.id, game.name, game.facts, tmp_path) as table:
        app = Dashboard(table, clock=ManualClock())
        async with app.run_test(size=SIZES[0]) as pilot:
            for page, keys in PAGES.items():
                for key in keys:
                    await pilot.press(key)
                    await app.workers.wait_for_complete()
                for size in SIZES:
                    await pilot.resize_terminal(*size)
                    await pilot.pause()
                    await pilot.pause()
                    assert app.crash is None
                    untold.setdefault(page, set()).update(_signs(screen_text(app)) - told)
                while len(app.screen_stack) > 1:
                    await pilot.press("escape")
                    await pilot.pause()
    assert {page: signs for page, signs in untold.items() if signs} == {}


def _signs(text: str) -> set[str]:
    return {sign for sign in text if not sign.isalnum() and not sign.isspace()} - WRITING


@pytest.mark.parametrize("game", sorted({game.id for game in PLAYED}))
@pytest.mark.parametrize("width", [80, 160])
def test_the_page_of_keys_says_what_each_sign_of_a_game_means(game: str, width: int) -> None:
    signs = game_screen_of(game).signs
    text = " ".join(help_text(ACTIONS, (), width, signs).plain.split())
    assert [each for each in (*signs, *SIGNS) if " ".join(each) not in text] == []


@pytest.mark.parametrize("game", sorted({game.id for game in PLAYED}))
def test_two_signs_of_a_game_are_told_apart_in_ascii(game: str) -> None:
    marks = [
        {ascii_sign(sign) for sign in key if not sign.isalnum() and ascii_sign(sign) not in " +"}
        for key, _ in game_screen_of(game).signs
    ]
    assert [one & other for one, other in combinations(marks, 2) if one & other] == []
