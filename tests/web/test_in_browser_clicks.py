"""A game chosen, played and left by clicks alone, in a real browser and a program of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.exits import Exit
from companion.journal.folder import sessions_dir
from companion.web.devices_forms import code_page
from tests.web.axe import findings
from tests.web.browser import HEARD, Browser, Chromium
from tests.web.table_page import is_record_closed, table_page

AT_TABLE = f"document.querySelector('main.role.table') !== null && {HEARD}"
GAME = ("play", "panic-fire", "--seats", "Ann,Ben", "--port", "none", "--browser")
pytestmark = [
    pytest.mark.waits,
    pytest.mark.usefixtures("own_port"),
]


def _click(page: Browser, words: str) -> None:
    """Click the link or button with these words, once it is there."""
    found = (
        "[...document.querySelectorAll('a, button')]"
        f".find((each) => each.textContent.trim().startsWith({words!r}))"
    )
    page.wait_for(f"{found} !== undefined")
    page.js(f"{found}.click()")


def _type(page: Browser, name: str, value: str) -> None:
    field = f"document.querySelector('[name=\"{name}\"]')"
    page.wait_for(f"{field} !== null")
    page.js(f"{field}.value = {value!r}")


def _quit(page: Browser) -> None:
    """Leave the game, and say yes."""
    _click(page, "Quit")
    page.wait_for("document.querySelector('dialog[open] button') !== null")
    page.js("document.querySelector('dialog[open] button').click()")


def test_a_game_is_started_left_and_ended_by_clicks(chromium: Chromium) -> None:
    with table_page("play", "--browser", "--port", "none") as program, chromium.page() as page:
        page.size(390, 844)
        page.open(program.address)
        _click(page, "Panic Fire")
        _type(page, "seat-1", "Ann")
        _type(page, "seat-2", "Ben")
        _click(page, "Start")
        page.wait_for(AT_TABLE)
        _click(page, "Fire!")
        page.wait_for("document.body.textContent.includes('round 1 of 6')")
        _click(page, "Other devices, another game")
        _click(page, "Another game")
        page.wait_for("document.querySelector('h1').textContent === 'What do you want to play?'")
        _click(page, "Continue Panic Fire: Ann, Ben")
        page.wait_for(AT_TABLE)
        _quit(page)
        assert program.ended() == Exit.DONE
        said = "document.getElementById('said').textContent"
        page.wait_for(f"{said} === 'The game is kept. You can close this page.'")
        assert page.js("document.getElementById('lost').hidden"), "it waits for nothing any more"
        shown = "[...document.querySelectorAll('main *, button')].some((each) => each.offsetParent)"
        assert not page.js(shown), "the page that has ended offers no button"
        assert page.js(f"{said.removesuffix('.textContent')}.getBoundingClientRect().top") >= 0
        # the stream of a game that was left, and the program's end
        expected = ("503", "ERR_CONNECTION", "ERR_INCOMPLETE")
        assert not [error for error in page.errors if not any(map(error.__contains__, expected))]
    assert is_record_closed()


def test_the_browser_goes_back_from_what_to_lay_out_without_sending_a_form_again(
    chromium: Chromium,
) -> None:
    with table_page("play", "--browser", "--port", "none") as program, chromium.page() as page:
        page.size(390, 844)
        page.open(program.address)
        _click(page, "Sky Rise")
        _type(page, "seat-1", "Ann")
        _type(page, "seat-2", "Ben")
        _click(page, "What to lay out")
        page.wait_for("location.search.includes('do=look')")
        assert page.js("document.querySelector('[name=seat-2]').value") == "Ben"
        _click(page, "Enter facts from your copy")
        page.wait_for("!document.body.innerText.includes('What to lay out')")
        page.js("history.back()")
        page.wait_for("document.querySelector('[name=seat-2]')?.value === 'Ben'")
        _click(page, "Start")
        page.wait_for(AT_TABLE)
        assert not page.errors, page.errors


def test_the_browser_goes_back_to_a_part_of_a_box_without_sending_a_form_again(
    chromium: Chromium,
) -> None:
    with table_page("play", "--browser", "--port", "none") as program, chromium.page() as page:
        page.size(390, 844)
        page.open(program.address + "box/fractured-sky/count")
        field = "document.querySelector('#row-0 input:not([type=hidden])')"
        page.js(f"{field}.value = '7'")
        page.js("document.querySelector('#row-0 button[value=save]').click()")
        page.wait_for("document.body.innerText.includes('Kept.')")
        assert page.js("location.hash") == "#row-0", "it stays at the same row"
        _click(page, "All parts of the box")
        page.wait_for("document.body.innerText.includes('Each answer is kept at once.')")
        page.js("history.back()")
        page.wait_for(f"{field}?.value === '7'")
        assert not page.errors, page.errors


def test_a_refused_game_keeps_what_was_typed_when_the_browser_comes_back_to_it(
    chromium: Chromium,
) -> None:
    with table_page("play", "--browser", "--port", "none") as program, chromium.page() as page:
        page.size(390, 844)
        page.open(program.address + "new/panic-fire")
        _type(page, "seat-1", "Ann")
        _type(page, "seat-2", "ann")
        _click(page, "Start")
        page.wait_for("document.querySelector('[role=alert]') !== null")
        _click(page, "Back to the start")
        page.wait_for("document.body.innerText.includes('What do you want to play?')")
        page.js("history.back()")
        page.wait_for("document.querySelector('[name=seat-2]')?.value === 'ann'")
        _type(page, "seat-2", "Ben")
        _click(page, "Start")
        page.wait_for("document.querySelector('main.role.table') !== null")


def test_statistics_and_reports_lead_back(chromium: Chromium) -> None:
    with table_page(*GAME) as program, chromium.page() as page:
        program.end_early()
        page.size(390, 844)
        page.open(program.address + "report")
        _click(page, "Back to the table")
        page.wait_for(AT_TABLE)
        assert program.ask("next")[0] == 200
        page.wait_for("document.querySelector('h1').textContent === 'What do you want to play?'")
        (session,) = sessions_dir().glob("*.sqlite")
        for path in ("statistics", f"report/{session.stem}"):
            page.open(program.address + path)
            page.wait_for(f"location.href.endsWith({path!r})")
            _click(page, "Back to the start")
            page.wait_for(
                "document.querySelector('h1').textContent === 'What do you want to play?'"
            )


def test_an_open_page_of_a_game_shows_the_choice_once_it_is_left(chromium: Chromium) -> None:
    with table_page(*GAME) as program, chromium.page() as page:
        page.open(program.address)
        page.wait_for(AT_TABLE)
        assert program.ask("next")[0] == 200
        page.wait_for("document.querySelector('h1').textContent === 'What do you want to play?'")
        (session,) = sessions_dir().glob("*.sqlite")
        assert session.stem in page.js("document.body.innerHTML")


PATHS = (
    "", "new/panic-fire", "new/fractured-sky", "box/fractured-sky", "box/fractured-sky/card_black",
    "box/panic-fire/match_number", "statistics",
)  # fmt: skip


@pytest.mark.parametrize("path", PATHS)
def test_axe_finds_nothing_wrong_with_the_pages_before_a_game(
    chromium: Chromium, path: str
) -> None:
    with table_page("play", "--browser", "--port", "none") as program, chromium.page() as page:
        page.size(390, 844)
        page.open(program.address + path)
        page.wait_for("document.readyState === 'complete' && location.href !== 'about:blank'")
        page.js("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
        assert findings(page) == []


def test_axe_finds_nothing_wrong_with_the_page_of_devices(chromium: Chromium) -> None:
    with table_page(*GAME) as program, chromium.page() as page:
        program.submit("devices", {"do": "give", "role": "referee", "name": "Bo's tablet"})
        page.open(program.address + "devices")
        page.wait_for("document.querySelector('[value=show-role]') !== null")
        assert findings(page) == []
        page.js("document.querySelector('[value=show-role]').click()")
        page.wait_for("document.body.innerText.includes('No phone can open these pages')")
        assert findings(page) == []


def test_axe_finds_nothing_wrong_with_a_page_with_a_code_to_scan(
    chromium: Chromium, tmp_path: Path
) -> None:
    file = tmp_path / "code.html"
    file.write_text(code_page("Ann", "http://192.168.1.20:8765/x/", "Only Ann scans it."), "utf-8")
    with chromium.page() as page:
        page.open(file.as_uri())
        page.wait_for("document.querySelector('.qr svg') !== null")
        assert findings(page) == []


def test_no_page_before_a_game_is_wider_than_its_screen(chromium: Chromium, tmp_path: Path) -> None:
    with table_page("play", "--browser", "--port", "none") as program, chromium.page() as page:
        for width in (320, 390, 1280, 1920):
            page.size(width, 800)
            for path in PATHS:
                page.open(program.address + path)
                page.wait_for(
                    "document.readyState === 'complete' && location.href !== 'about:blank'"
                )
                page.js(
                    "document.querySelectorAll('details').forEach((each) => { each.open = true; })"
                )
                assert page.js("document.documentElement.scrollWidth") <= width, (width, path)
        assert not page.errors, page.errors


def test_a_page_that_quits_a_game_of_a_host_comes_back_to_the_choice(chromium: Chromium) -> None:
    with (
        table_page("host", "--board", "none", "--address", "127.0.0.1", "--port", "0") as program,
        chromium.page() as page,
    ):
        page.open(program.address)
        _click(page, "Panic Fire")
        _type(page, "seat-1", "Ann")
        _type(page, "seat-2", "Ben")
        _click(page, "Start")
        page.wait_for(AT_TABLE)
        _quit(page)
        page.wait_for("document.querySelector('h1')?.textContent === 'What do you want to play?'")
