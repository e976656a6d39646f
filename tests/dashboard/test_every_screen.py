"""Visits every screen once: its signs are on the page of keys, and it shows no clause.

Only the log and the reasons show clauses.
"""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

from companion.config.schema import Preferences
from companion.dashboard.app import Dashboard
from companion.dashboard.game_screen import game_screen_of
from companion.dashboard.screens.help import SIGNS, help_text
from companion.dashboard.textual.filters import ascii_sign
from companion.session.views import LineKind
from tests.dashboard.before_a_game import before_a_game
from tests.dashboard.every_screen import ENDED, HELP, PLAYED, SIZES, FileGame, Game
from tests.dashboard.fakes import ACTIONS, ManualClock
from tests.dashboard.screen import screen_text
from tests.dashboard.test_plain_words import CLAUSE

WRITING = frozenset(".,:;()'\"?!/-%&_")
"""What any sentence has, and what joins the words of a name."""
ALL_OF_IT = (200, 120)
FRAMES = frozenset("╭╮╰╯─│┏┓┗┛━┃╺╸┻┳┫┣╋")
"""Lines around a panel, and those that a large digit is drawn with."""
WITH_CLAUSES = ("log", "correct", "missed", "why")
"""Pages that have lines of the log, or say why."""


@pytest.mark.parametrize("game", [*PLAYED, *ENDED], ids=str)
async def test_every_sign_on_every_screen_is_told_and_no_clause_stands_there(
    game: Game | FileGame, tmp_path: Path
) -> None:
    untold: dict[str, set[str]] = {}
    with game.at_table(tmp_path) as table:
        rows = (*game_screen_of(game.id).signs, *SIGNS)
        explained = {*"".join(key for key, _ in rows), *(kind.mark for kind in LineKind)}
        app, now = Dashboard(table, clock=ManualClock()), SIZES[0]
        async with app.run_test(size=now) as pilot:
            for page, keys in {**game.pages, **HELP}.items():
                for key in keys:
                    await pilot.press(key)
                    await app.workers.wait_for_complete()
                sizes = (
                    (SIZES[0], ALL_OF_IT) if page in ("table", "big", "ending") else (ALL_OF_IT,)
                )
                for size in sorted(sizes, key=now.__ne__):  # the one it has first
                    if size != now:
                        await pilot.resize_terminal(*size)
                    now = size
                    await pilot.pause()
                    await pilot.pause()
                    assert app.crash is None
                    text = screen_text(app)
                    if page != "help":
                        untold.setdefault(page, set()).update(_signs(text) - explained - FRAMES)
                    if page not in WITH_CLAUSES:
                        untold.setdefault(page, set()).update(CLAUSE.findall(text))
                while len(app.screen_stack) > 1:
                    await pilot.press("escape")
                    await pilot.pause()
    assert {page: signs for page, signs in untold.items() if signs} == {}


def _signs(text: str) -> set[str]:
    return {sign for sign in text if not sign.isalnum() and not sign.isspace()} - WRITING


@pytest.mark.parametrize("game", sorted({game.id for game in PLAYED if isinstance(game, Game)}))
@pytest.mark.parametrize("width", [80, 160])
def test_the_page_of_keys_says_what_each_sign_of_a_game_means(game: str, width: int) -> None:
    signs = game_screen_of(game).signs
    text = " ".join(help_text(ACTIONS, (), width, signs).plain.split())
    assert [entry for entry in (*signs, *SIGNS) if " ".join(entry) not in text] == []


@pytest.mark.parametrize("game", sorted({game.id for game in PLAYED if isinstance(game, Game)}))
def test_two_signs_of_a_game_are_told_apart_in_ascii(game: str) -> None:
    marks = [
        {ascii_sign(sign) for sign in key if not sign.isalnum() and ascii_sign(sign) not in " +"}
        for key, _ in game_screen_of(game).signs
    ]
    assert [first & second for first, second in combinations(marks, 2) if first & second] == []


WITHOUT_A_PAGE_OF_KEYS = {
    ">": "what is chosen, where you type",
    "●▲": "the players' signs, beside their names",
    "[]": "a step of a checklist to tick off; on the map a platform, told below it",
    "─│╭╮╰╯├┤┬┴+": "on the map a bridge and the cursor, named below it",
}


@pytest.mark.parametrize("name", before_a_game(Preferences()))
async def test_the_screens_before_a_game_have_words_and_hardly_a_sign(name: str) -> None:
    made, keys = before_a_game(Preferences())[name]
    app = made()
    async with app.run_test(size=SIZES[0]) as pilot:
        await pilot.press(*keys)
        await pilot.pause()
        text = screen_text(app)
        assert text.strip()
        assert _signs(text) - {*"".join(WITHOUT_A_PAGE_OF_KEYS)} == set()
