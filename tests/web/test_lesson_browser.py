"""A lesson in a real browser: a learner who only reads the page and taps what it names comes to its end."""

from __future__ import annotations

import pytest

from companion.exits import Exit
from companion.journal.folder import lessons_dir, sessions_dir
from companion.journal.sessions import list_sessions
from tests.web.browser import Browser, Chromium
from tests.web.role_clicks import press
from tests.web.table_page import table_page

LESSON = ("teach", "panic-fire", "--browser", "--port", "none")
READ = "document.querySelector('.lesson').innerText"
ASKED = "document.querySelector('main').innerText"
# What the page calls the button, and whose it is; without a name, the answer with the most words of the request.
TAP = """(() => {
    const asked = document.querySelector('.lesson').innerText;
    const named = asked.match(/Tap “([^”]+)”(?: of (\\w+))?/);
    const buttons = [...document.querySelectorAll('main button[data-wish]')];
    let found;
    if (named) {
        found = buttons.find((each) => each.innerText.trim().startsWith(named[1])
            && (!named[2] || each.closest('.seat').innerText.includes(named[2])));
    } else {
        const words = new Set(asked.split('\\n')[0].toLowerCase().match(/\\w+/g));
        const shared = (each) => each.innerText.toLowerCase().match(/\\w+/g).filter((word) => words.has(word)).length;
        found = [...document.querySelectorAll('.choice button')].sort((one, other) => shared(other) - shared(one))[0];
    }
    if (!found) return '';
    found.click();
    return found.innerText;
})()"""
REFUSED = "document.querySelector('#said.alarm:not([hidden])') !== null"
OPEN_LESSONS = """(() => {
    const lessons = document.querySelector('form[action=learn]')?.closest('details');
    if (lessons) lessons.open = true;
    return Boolean(lessons);
})()"""
HEADING = "document.querySelector('h1')?.textContent"
CHOICE = "What do you want to play?"
DRAWS = "[...document.querySelectorAll('.seat button')].find((each) => each.innerText === 'Draws').click()"
# Time passes fast for the page: a button that has just changed takes no tap for 300 ms.
HURRY = "(() => { const now = performance.now.bind(performance); performance.now = () => now() * 10000; })()"
pytestmark = [
    pytest.mark.waits,
    pytest.mark.usefixtures("own_port"),
]


def _opened(page: Browser, address: str) -> None:
    page.size(390, 844)
    page.open(address)
    page.wait_for("document.querySelector('.lesson') !== null")
    page.js(HURRY)


def _leave(page: Browser, button: str) -> None:
    """Leave a lesson; where the page says so, as after many taps or on a slow disk, tap again."""
    is_left = f"{HEADING} === {CHOICE!r}"
    while not page.js(is_left):
        page.js("document.getElementById('said').hidden = true")
        press(page, button)
        page.wait_for(f"{is_left} || {REFUSED}")


def _learn(page: Browser, button: str) -> None:
    """Begin or continue a lesson from the page before a game."""
    page.wait_for(OPEN_LESSONS)
    press(page, button)
    page.wait_for("document.querySelector('.lesson') !== null")
    page.js(HURRY)


def _tap(page: Browser, button: str = TAP) -> None:
    """Tap until the page has another lesson text: it takes no tap before it is connected, and says so."""
    before = page.js(READ)
    while page.js(READ) == before:
        page.js("document.getElementById('said').hidden = true")
        page.wait_for(button, lambda found: found != "")  # while the others move, there is none
        page.wait_for(f"{READ} !== {before!r} || {REFUSED}")


def test_a_learner_who_taps_what_the_page_names_comes_to_the_end(chromium: Chromium) -> None:
    with table_page(*LESSON) as program, chromium.page() as page:
        _opened(page, program.address)
        assert "step 1 of 15" in page.js(READ)
        while "Panic Fire, done: That was the lesson." not in page.js(READ):
            assert "not measured" not in page.js(ASKED)
            _tap(page)
        _leave(page, "Choose a game")
        page.js("document.querySelector('form[action=quit] button').click()")
        assert program.ended() == Exit.DONE
    assert list_sessions(sessions_dir()) == ()


def test_a_lesson_is_among_the_pages_before_a_game_and_is_left_and_continued_there(
    chromium: Chromium,
) -> None:
    with table_page("play", "--browser", "--port", "none") as program, chromium.page() as page:
        page.size(390, 844)
        page.open(program.address)
        _learn(page, "Learn Panic Fire")
        assert "step 1 of 15" in page.js(READ)
        _tap(page)
        _leave(page, "Leave the lesson")
        page.wait_for("document.querySelector('form[action=learn]')?.closest('details').open")
        _learn(page, "Continue to learn Panic Fire, step 2 of 15")
        assert "step 2 of 15" in page.js(READ)
        _leave(page, "Leave the lesson")
        _learn(page, "Learn Panic Fire again from its first step")
        assert "step 1 of 15" in page.js(READ)
        assert program.ask("rematch") == (422, "The game is not over yet.")
        status, words = program.ask("next")
        assert (status, words.partition(".")[0]) == (200, "You can continue the lesson later")
        page.wait_for(OPEN_LESSONS)
        page.js("document.querySelector('form[action=quit] button').click()")
        assert program.ended() == Exit.DONE
    assert list_sessions(sessions_dir()) == ()


def test_a_wrong_tap_is_answered_and_taken_back_and_the_lesson_continues(
    chromium: Chromium,
) -> None:
    with table_page(*LESSON) as program, chromium.page() as page:
        _opened(page, program.address)
        _tap(page)
        _tap(page, DRAWS)
        assert "That was undone." in page.js(READ)
        assert "step 2 of 15" in page.js(READ)
    with table_page(*LESSON) as program, chromium.page() as page:
        _opened(page, program.address)
        assert "step 2 of 15" in page.js(READ)
    assert len(list_sessions(lessons_dir())) == 1
