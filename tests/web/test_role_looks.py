"""Pages of roles as people see them: nothing that axe finds serious, nothing wider than a phone, no page too heavy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from companion.reports.markup import Markup
from companion.rules.clauses import without_clauses
from companion.rules.facts import TABLE
from companion.rules.registry import open_game
from companion.session import key_meanings
from companion.session.roles import Role
from companion.web.assets import asset
from companion.web.document import session_page
from companion.web.role_blocks import role_blocks
from companion.web.role_page import SCRIPTS, role_page, style
from tests.games.test_every_game import played
from tests.web.axe import findings
from tests.web.browser import Browser, Chromium
from tests.web.game_pages import page_of, view_of
from tests.web.role_clicks import LOST, opened, press, served, up_to_date
from tests.web.test_role_blocks import drawn, offers_of

pytestmark = pytest.mark.usefixtures("sample_game", "own_games")

GAMES = [
    "bidding-e6e84cf0",
    "drills",
    "fractured-sky",
    "hearts-24954841",
    "panic-fire",
    "pebbles",
    "sky-rise",
    "skyfire",
    "yahtzee-58dd4b9a",
]
NARROW, MOST_KB, MOST_PAGE_KB = (320, 390), 60, 150


@pytest.fixture(scope="module")
def page(chromium: Chromium) -> Iterator[Browser]:
    with chromium.page() as each:
        yield each


def drawn_page(game_id: str, role: Role, *, most: int = 60) -> str:
    """A page in the middle of a game."""
    game = open_game(game_id)
    state = played(game_id, min(5, game.seat_counts[-1]), seed=7, most=most)[-1][3]
    blocks = {name: Markup(block) for name, block in drawn(game, state, role).items()}
    return role_page(game.title, role, "Bo's tablet", blocks)[0]


def shown(page: Browser, folder: Path, text: str) -> None:
    file = folder / "page.html"
    file.write_text(text)
    page.open(f"file://{file}")
    page.wait_for(
        "document.readyState === 'complete' && document.querySelector('main.role') !== null"
    )
    page.js(f"{LOST}.remove()")


@pytest.mark.parametrize("game_id", GAMES)
def test_axe_finds_nothing_serious_on_a_page_of_any_role(
    game_id: str, page: Browser, tmp_path: Path
) -> None:
    page.size(390, 8000)  # so high that the bar at its foot covers no button
    for role in Role:
        shown(page, tmp_path, drawn_page(game_id, role))
        page.js("for (const each of document.querySelectorAll('details')) each.open = true")
        assert findings(page) == [], role


def test_axe_finds_nothing_serious_in_a_form_over_the_page(page: Browser, tmp_path: Path) -> None:
    with served(tmp_path) as (table, pages):
        opened(page, pages)
        table.do("panic-fire.fire")
        up_to_date(page, table)
        page.js("new Promise((go) => setTimeout(go, 320))")
        press(page, "Enter something else")
        page.js(
            "(() => { const which = document.querySelector('#sheet select'); which.value = 'shield_in_play';"
            " which.dispatchEvent(new Event('change', { bubbles: true })); })()"
        )
        page.js("document.querySelector('#sheet details').open = true")
        assert findings(page) == []


@pytest.mark.parametrize("game_id", GAMES)
def test_no_page_of_a_role_is_wider_than_a_phone(
    game_id: str, page: Browser, tmp_path: Path
) -> None:
    for role in Role:
        text = drawn_page(game_id, role)
        for wide in NARROW:
            page.size(wide, 844)
            shown(page, tmp_path, text)
            page.js("for (const each of document.querySelectorAll('details')) each.open = true")
            assert page.js("document.documentElement.scrollWidth") == wide, role


@pytest.mark.parametrize("game_id", ["fractured-sky", "panic-fire", "hearts-24954841"])
def test_buttons_are_big_enough_for_a_finger(game_id: str, page: Browser, tmp_path: Path) -> None:
    page.size(390, 844)
    shown(page, tmp_path, drawn_page(game_id, Role.TABLE))
    small = page.js(
        "[...document.querySelectorAll('main button, .chip')].filter((one) => one.offsetParent)"
        ".filter((one) => Math.min(one.offsetWidth, one.offsetHeight) < 44).map((one) => one.innerText)"
    )
    assert small == []


def bar_page(game_id: str, *, redo: bool) -> str:
    """A page whose undo, and if asked for redo, names the longest thing that was said in a game."""
    game = open_game(game_id)
    said, state = "", None
    for before, fact, _, after in played(game_id, min(5, game.seat_counts[-1]), seed=7, most=60):
        said = max(said, without_clauses(game.sentence(before, after, fact, TABLE)), key=len)
        state = after
    label = f"the deletion of: {said}"
    view = replace(
        view_of(game, state),
        undo=label,
        undo_entry=7,
        redo=label if redo else None,
        redo_entry=8 if redo else None,
        paused=False,
    )
    object.__setattr__(view, "works", lambda action: action == key_meanings.PAUSE.id)
    blocks = role_blocks(view, (), Role.TABLE, page_of(game, state), offers_of(game, state))
    return role_page(game.title, Role.TABLE, "Bo's tablet", blocks)[0]


BAR = """
[...document.querySelectorAll('.bar button')].map((each) => {
  const box = each.getBoundingClientRect(), words = each.querySelector('b').getBoundingClientRect();
  return [each.innerText.split(':')[0], box.width >= 44 && box.height >= 44, words.width > 30 && words.height > 14,
    box.left >= 0 && box.right <= innerWidth && box.bottom <= innerHeight && words.right <= box.right];
})
"""


@pytest.mark.parametrize("redo", [False, True])
@pytest.mark.parametrize("game_id", GAMES)
def test_undo_redo_and_pause_fit_beside_each_other_and_say_what_they_are(
    game_id: str, redo: bool, page: Browser, tmp_path: Path
) -> None:
    text = bar_page(game_id, redo=redo)
    labels = ["Undo", "Redo", "Pause"] if redo else ["Undo", "Pause"]
    for wide in (*NARROW, 1280):
        for letters in ("", "big"):
            page.size(wide, 844)
            shown(page, tmp_path, text)
            page.js(f"document.documentElement.className = {letters!r}")
            assert page.js("[innerWidth, document.documentElement.scrollWidth]") == [wide, wide]
            assert page.js(BAR) == [[label, True, True, True] for label in labels], wide
            if not letters:
                tops = page.js(
                    "[...document.querySelectorAll('.bar button')].map((each) => each.offsetTop)"
                )
                assert len(set(tops)) == 1
                assert page.js("document.querySelector('.bar').offsetHeight") < 90


def test_scripts_and_styles_of_a_page_take_at_most_60_kb() -> None:
    role = len(style()) + sum(len(asset("companion.web", name)) for name in SCRIPTS)
    everybody = len(session_page("", {"note": Markup("")}))  # nothing but scripts and styles
    assert max(role, everybody) <= MOST_KB * 1000


def test_the_page_with_the_largest_map_takes_at_most_150_kb() -> None:
    game = open_game("fractured-sky")
    for count in game.seat_counts:
        for seed in (3, 7):
            *_, (_, _, _, state) = played("fractured-sky", count, seed=seed, most=200)
            blocks = {name: Markup(block) for name, block in drawn(game, state, Role.TABLE).items()}
            assert (
                len(role_page(game.title, Role.TABLE, "", blocks)[0].encode())
                <= MOST_PAGE_KB * 1000
            )
            assert (
                len(session_page(game.title, page_of(game, state)).encode()) <= MOST_PAGE_KB * 1000
            )
