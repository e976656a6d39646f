"""While a game is paused, its pages offer only what works in a pause, and say so."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.rules import registry
from companion.session.roles import Role
from companion.session.table import Table
from tests.games.own.files import TEXTS
from tests.games.own.test_grid import grids, values
from tests.web.browser import Browser, Chromium
from tests.web.role_clicks import SAID, labeled, opened, press, served, submit, up_to_date
from tests.web.test_role_browser import SHEET, settled

HEAD = "document.getElementById('head').innerText"
NOTE = "document.getElementById('note').innerText"
AFTER_PAUSE = "What belongs to play is offered again after “Go on”."
WAITS = "The game is paused: this can be entered once it goes on."
ENTER = "document.querySelector('#sheet button[type=submit]')"
FIELDS = "document.querySelectorAll('.own-number input').length"
KINDS = (
    "[...document.querySelectorAll('#sheet .kinds option')]"
    ".filter((one) => one.value && !one.hidden && !one.disabled).map((one) => one.value)"
)


@pytest.fixture(autouse=True)
def _no_more_games_after() -> Iterator[None]:
    """Forget the games of a file that a test registers."""
    yield
    vars(registry.GAMES)["learned"].clear()


@pytest.fixture(scope="module")
def phone(chromium: Chromium) -> Iterator[Browser]:
    with chromium.page() as page:
        yield page


def pause(phone: Browser, table: Table) -> None:
    """Pause the game, or let it go on, from elsewhere."""
    table.do("table.pause")
    up_to_date(phone, table)
    settled(phone)


def choose(phone: Browser, kind: str) -> None:
    """Choose what happened in the form for anything."""
    phone.js(
        "(() => { const which = document.querySelector('#sheet .kinds');"
        f" which.value = {kind!r}; which.dispatchEvent(new Event('change', {{ bubbles: true }})); }})()"
    )


def test_a_form_that_is_open_as_the_game_is_paused_keeps_its_answers_and_waits(
    phone: Browser, tmp_path: Path
) -> None:
    with served(tmp_path) as (table, pages):
        opened(phone, pages)
        table.do("panic-fire.fire")
        up_to_date(phone, table)
        settled(phone)
        press(phone, "Enter something else")
        assert "draw" in phone.js(KINDS)
        choose(phone, "draw")
        phone.js("document.querySelector('#sheet [name=seat][value=bo]').click()")
        pause(phone, table)
        assert phone.js(f"{ENTER}.disabled")
        assert WAITS in phone.js(f"document.querySelector({SHEET!r}).innerText")
        pause(phone, table)
        assert not phone.js(f"{ENTER}.disabled")
        assert WAITS not in phone.js(f"document.querySelector({SHEET!r}).innerText")
        press(phone, "Enter", SHEET)
        phone.wait_for("!document.getElementById('sheet').open")
        assert table.view().log[-1].text.startswith("Bo draws")


def test_in_a_pause_a_form_offers_what_works_and_corrections_everything(
    phone: Browser, tmp_path: Path
) -> None:
    with served(tmp_path) as (table, pages):
        opened(phone, pages)
        table.do("panic-fire.fire")
        pause(phone, table)
        assert AFTER_PAUSE in phone.js(HEAD)
        press(phone, "Enter something else")
        offered = phone.js(KINDS)
        assert not {"draw", "shot", "fire"} & set(offered)
        assert {"override", "score_set", "seat_leaves"} <= set(offered)
        choose(phone, "override")
        assert not phone.js(f"{ENTER}.disabled")
        press(phone, "Cancel", SHEET)
        # a missed one belongs to before the pause
        phone.js("document.getElementById('fix-mistakes').open = true")
        press(phone, "Add a missed one")
        assert "draw" in phone.js(KINDS)
        press(phone, "Cancel", SHEET)
        pause(phone, table)
        assert AFTER_PAUSE not in phone.js(HEAD)


def test_numbers_that_a_pause_refuses_have_no_fields_until_the_game_goes_on(
    phone: Browser, tmp_path: Path
) -> None:
    game = registry.learn(TEXTS["hearts"]).id
    with served(tmp_path, game, ("Anna", "Bo", "Cleo", "Dmitri")) as (table, pages):
        opened(phone, pages, Role.SCORES)
        up_to_date(phone, table)
        assert phone.js(FIELDS) == 4
        pause(phone, table)
        assert phone.js(FIELDS) == 0
        assert not phone.js("document.querySelector('#grid [data-wish]') !== null")
        assert "Paused: the clock is stopped." in phone.js(HEAD)
        assert "New numbers can be typed once the game goes on." in phone.js(HEAD)
        assert AFTER_PAUSE not in phone.js(HEAD), "this page has no such button"
        pause(phone, table)
        assert phone.js(FIELDS) == 4


def test_a_number_that_was_recorded_is_corrected_in_a_pause(phone: Browser, tmp_path: Path) -> None:
    game = registry.learn(TEXTS["hearts"]).id
    with served(tmp_path, game, ("Anna", "Bo", "Cleo", "Dmitri")) as (table, pages):
        opened(phone, pages, Role.TABLE)
        up_to_date(phone, table)
        phone.js("document.querySelector('.own-number input').value = '5'")
        submit(phone, "document.querySelector('.own-number')")
        phone.wait_for(SAID, lambda words: words not in ("", "Sending."))
        up_to_date(phone, table)
        assert values(grids(table)[0])[0][0] == 5
        pause(phone, table)
        phone.js("document.getElementById('grid-0-all').open = true")
        phone.js(f"{labeled('5', '#grid-0-all')}.click()")
        assert not phone.js(f"{ENTER}.disabled")
        phone.js("document.querySelector('#sheet input').value = '6'")
        press(phone, "Enter", SHEET)
        phone.wait_for("!document.getElementById('sheet').open")
        assert values(grids(table)[0])[0][0] == 6


def test_a_players_phone_says_that_it_waits_for_the_end_of_a_pause(
    phone: Browser, tmp_path: Path
) -> None:
    game = registry.learn(TEXTS["hearts"]).id
    with served(tmp_path, game, ("Anna", "Bo", "Cleo", "Dmitri")) as (table, pages):
        table.allow_entries(True)
        phone.size(390, 844)
        phone.open(pages.address_of("bo"))
        phone.wait_for(f"{FIELDS} > 0")
        table.do("table.pause")
        phone.wait_for(f"{FIELDS} === 0")
        assert "The game is paused: enter it once it goes on." in phone.js(NOTE)
        table.do("table.pause")
        phone.wait_for(f"{FIELDS} > 0")
        assert "paused" not in phone.js(NOTE)
