"""Questions about the rules and reasons of log lines in a browser: over the page with scripts, as pages without."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.rules.facts import TABLE
from companion.session.roles import Role
from tests.web.axe import findings
from tests.web.browser import Browser, Chromium
from tests.web.role_clicks import LOST, opened, press, served, up_to_date

SHEET = "document.getElementById('rules-sheet')"
SHOWN = f"{SHEET}.open && {SHEET}.innerText"
ASK = (
    "(() => { const form = document.querySelector('#ask-rules form'); form.closest('details').open = true;"
    " form.q.value = WORDS; form.requestSubmit(); })()"
)
WHY = "[...document.querySelectorAll('#log a.why')].find((one) => one.innerText.includes('Anna draws')).click()"


@pytest.fixture(scope="module")
def phone(chromium: Chromium) -> Iterator[Browser]:
    with chromium.page() as page:
        yield page


def asked(phone: Browser, words: str) -> str:
    """Ask on the page, and return what is shown over it."""
    phone.js(ASK.replace("WORDS", repr(words)))
    return str(phone.wait_for(SHOWN))


def test_a_question_is_answered_over_the_page_of_a_role_which_stays_connected(
    phone: Browser, tmp_path: Path
) -> None:
    with served(tmp_path) as (table, pages):
        opened(phone, pages)
        here = phone.js("location.href")
        assert "A Shield in play is spent on the shot" in asked(phone, "sheild hand")
        phone.js(f"{SHEET}.querySelector('input').value = 'who wins'")
        phone.js(f"{SHEET}.querySelector('form').requestSubmit()")
        phone.wait_for(f"{SHEET}.innerText.includes('Bullet')")
        table.do("panic-fire.fire")
        up_to_date(phone, table)
        phone.size(390, 400)  # the answer is longer
        assert phone.js(f"{SHEET}.scrollHeight > {SHEET}.clientHeight")
        assert phone.js(f"{SHEET}.lastElementChild.getBoundingClientRect().bottom < innerHeight")
        press(phone, "Close", "#rules-sheet")
        assert not phone.js(f"{SHEET}.open")
        assert phone.js("location.href") == here
        assert not table.view().refusals
        assert phone.errors == []


def test_a_line_of_the_log_opens_its_reason_over_the_page_of_a_role(
    phone: Browser, tmp_path: Path
) -> None:
    with served(tmp_path) as (table, pages):
        opened(phone, pages)
        for action in ("fire", "draw.1"):
            table.do(f"panic-fire.{action}")
        up_to_date(phone, table)
        phone.js(WHY)
        shown = str(phone.wait_for(SHOWN))
        assert shown.startswith("Why?")
        assert "Anna draws." in shown
        assert "is followed by one draw" in shown
        assert phone.js(f"getComputedStyle({SHEET}.querySelector('.back')).display") == "none"
        assert phone.errors == []


@pytest.mark.parametrize("wide", [320, 390, 1920])
def test_no_answer_is_wider_than_its_screen(wide: int, phone: Browser, tmp_path: Path) -> None:
    with served(tmp_path) as (_, pages):
        opened(phone, pages, Role.REFEREE, wide=wide)
        asked(phone, "use a shield from my hand")
        assert phone.js("document.documentElement.scrollWidth") == wide
        assert phone.js(f"{SHEET}.scrollWidth <= {SHEET}.clientWidth")


def test_without_scripts_a_question_and_a_line_are_pages_that_lead_back(
    phone: Browser, tmp_path: Path
) -> None:
    with served(tmp_path) as (table, pages):
        for action in ("fire", "draw.1"):
            table.do(f"panic-fire.{action}")
        phone.leave()
        address = pages.address_of(TABLE)
        try:
            phone.call("Emulation.setScriptExecutionDisabled", value=True)
            phone.open(address)
            phone.wait_for("document.querySelector('#log a.why') !== null")
            phone.js(ASK.replace("WORDS", "'sheild hand'"))
            phone.wait_for(
                "document.querySelector('main.about-rules')?.innerText.includes('spent on the shot')"
            )
            phone.js("document.querySelector('.back a').click()")
            phone.wait_for("document.querySelector('#log a.why') !== null")
            phone.js(WHY)
            phone.wait_for(
                "document.querySelector('main.about-rules')?.innerText.includes('Anna draws.')"
            )
        finally:
            phone.call("Emulation.setScriptExecutionDisabled", value=False)
        assert phone.errors == []


def test_axe_finds_nothing_wrong_with_an_answer_over_a_page_or_on_its_own(
    phone: Browser, tmp_path: Path
) -> None:
    with served(tmp_path) as (table, pages):
        opened(phone, pages)
        table.do("panic-fire.fire")
        up_to_date(phone, table)
        asked(phone, "use a shield from my hand")
        assert findings(phone) == []
        for path in ("ask?q=shield", "why?line=2"):
            phone.open(f"{pages.address_of(TABLE)}{path}")
            phone.wait_for("document.querySelector('main.about-rules') !== null")
            assert findings(phone) == []


def test_when_no_answer_comes_the_page_says_so(phone: Browser, tmp_path: Path) -> None:
    with served(tmp_path) as (_, pages):
        opened(phone, pages)
        phone.js("window.fetch = async () => { throw new TypeError('no network'); }")
        assert "No answer came." in asked(phone, "who wins")
        assert phone.js(f"{LOST}.hidden")
