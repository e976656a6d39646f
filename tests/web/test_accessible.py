"""The pages of a table for people who cannot see them, see little, or have only a keyboard, in a real browser."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.rules.facts import TABLE
from companion.session.key_meanings import UNDO
from companion.session.opening import begin, resume
from companion.session.table import Table
from companion.web import at_play
from companion.web.addresses import LOCALHOST
from companion.web.at_play import TablePages
from companion.web.document import ALONE, sentence_page
from tests.games.skyfire.screen.parts import skyfire_table
from tests.web.axe import findings
from tests.web.browser import Browser, Chromium
from tests.web.test_proposals import NAMES, Clock, accept

SESSIONS = Path(__file__).parent.parent / "fixtures" / "sessions"
RECORDED = (
    "beat-the-clock-rules-4",
    "darts-501-rules-4",
    "drills-rules-3",
    "fractured-sky-rules-2",
    "hearts-rules-4",
    "panic-fire-rules-3",
    "partners-rules-4",
    "sky-rise-rules-3",
    "skyfire-rules-3",
    "wizard-rules-4",
    "yahtzee-rules-4",
)
HEARD = "[...document.querySelectorAll('#heard p')].map((line) => line.textContent)"


@pytest.fixture(scope="module")
def page(chromium: Chromium) -> Iterator[Browser]:
    with chromium.page() as opened:
        opened.size(390, 844)
        yield opened


def opened(page: Browser, address: str) -> None:
    page.size(390, 844)
    page.open(address)
    page.wait_for("document.querySelector('#state h1') && document.getElementById('lost').hidden")


@pytest.mark.parametrize("name", RECORDED)
def test_axe_finds_nothing_wrong_with_the_pages_of_a_game_in_light_or_dark(
    page: Browser, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(at_play, "PORT", 0)
    for file in SESSIONS.glob(f"{name}.sqlite*"):
        shutil.copy(file, tmp_path)
    with (
        closing(resume(tmp_path / f"{name}.sqlite", Table)) as table,
        closing(TablePages(table, LOCALHOST)) as pages,
    ):
        for viewer in (TABLE, pages.seats[0].id):
            opened(page, pages.address_of(viewer))
            assert findings(page) == []


def test_axe_finds_nothing_wrong_with_the_forms_of_a_seat(page: Browser, tmp_path: Path) -> None:
    with (
        skyfire_table(tmp_path / "evening.sqlite", 4) as table,
        closing(TablePages(table, LOCALHOST)) as pages,
    ):
        table.do("skyfire.deal")
        table.do("skyfire.place.1")
        opened(page, pages.address_of("ada"))
        page.wait_for("!document.getElementById('note').hidden")
        assert findings(page) == []


def test_axe_finds_nothing_wrong_with_the_other_pages_of_a_table(
    page: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(at_play, "PORT", 0)
    with (
        closing(begin("panic-fire", NAMES, {}, tmp_path / "evening.sqlite")) as table,
        closing(TablePages(table, LOCALHOST)) as pages,
    ):
        table.do("panic-fire.fire")
        for name, shown in (("overlay", "#players li"), ("caller", "#names input"), ("qr", "p")):
            page.open(f"{pages.address_of()}{name}")
            page.wait_for(f"document.querySelector({shown!r}) !== null")
            assert findings(page) == [], name
    file = tmp_path / "sentence.html"
    file.write_text(sentence_page(ALONE), "utf-8")
    page.open(file.as_uri())
    page.wait_for("document.querySelector('.awaiting') !== null")
    assert findings(page) == []


def test_screen_readers_are_told_each_new_line_and_score_once(
    page: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(at_play, "PORT", 0)
    with (
        closing(begin("panic-fire", NAMES, {}, tmp_path / "evening.sqlite")) as table,
        closing(TablePages(table, LOCALHOST)) as pages,
    ):
        opened(page, pages.address_of())
        assert page.js("document.getElementById('heard').getAttribute('role')") == "log"
        assert page.js(HEARD) == []
        lines = []
        for action in ("fire", "draw.1", "draw.1"):
            table.do(f"panic-fire.{action}")
            lines.append(table.view().log[-1].text)
            page.wait_for(HEARD, lambda heard: len(heard) == len(lines))
        assert page.js(HEARD) == lines
        table.do(UNDO.id)
        page.wait_for(HEARD, lambda heard: len(heard) == len(lines) + 1)
        assert page.js(HEARD)[-1] == table.view().log[-1].text
        table.enter("score_set", {"seat": "anna", "score": 2, "reason": "lost"})
        heard = page.wait_for(HEARD, lambda heard: "Anna: 2 Bullet cards" in heard)
        assert heard[-2:] == [table.view().log[-1].text, "Anna: 2 Bullet cards"]


def test_the_answer_to_a_proposal_changes_in_a_live_region_that_stays(
    page: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(at_play, "PORT", 0)
    with (
        closing(
            begin("panic-fire", NAMES, {}, tmp_path / "evening.sqlite", clock_us=Clock())
        ) as table,
        closing(TablePages(table, LOCALHOST)) as pages,
    ):
        table.take_proposals(True)
        table.do("panic-fire.fire")
        opened(page, pages.address_of("ben"))
        page.wait_for("document.querySelector('form[data-propose=draw]') !== null")
        page.js("window.answer = document.querySelector('.answer')")
        assert page.js("[answer.getAttribute('role'), answer.textContent]") == ["status", ""]
        page.js("document.querySelector('form[data-propose=draw] button').click()")
        page.wait_for("answer.textContent.startsWith('Wait until the table')")
        accept(table)
        page.wait_for("answer.textContent === 'The table recorded it.'")
        assert page.js("answer.isConnected")


@pytest.mark.parametrize("wide", [320, 1280])
def test_nothing_is_cut_off_with_text_of_twice_the_size(
    page: Browser, tmp_path: Path, wide: int
) -> None:
    with (
        skyfire_table(tmp_path / "evening.sqlite", 4) as table,
        closing(TablePages(table, LOCALHOST)) as pages,
    ):
        table.do("skyfire.deal")
        opened(page, pages.address_of("ada"))
        page.size(wide, 844)
        page.js("document.documentElement.style.fontSize = '200%'")
        assert page.js("document.documentElement.scrollWidth") == wide


def tab(page: Browser) -> None:
    for kind in ("keyDown", "keyUp"):
        page.call(
            "Input.dispatchKeyEvent", type=kind, key="Tab", code="Tab", windowsVirtualKeyCode=9
        )


# The control that has the focus: its number among all, and the width of the line around it.
FOCUSED = """
(() => {
  const all = [...document.querySelectorAll("a, button, input, select, summary, [tabindex='0']")]
    .filter((each) => each.checkVisibility());
  const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
  return [all.indexOf(document.activeElement), all.length, outlineStyle === "none" ? 0 : parseFloat(outlineWidth)];
})()
"""


def test_the_tab_key_reaches_every_control_in_its_order_with_a_line_around_it(
    page: Browser, tmp_path: Path
) -> None:
    with (
        skyfire_table(tmp_path / "evening.sqlite", 4) as table,
        closing(TablePages(table, LOCALHOST)) as pages,
    ):
        table.do("skyfire.deal")
        table.do("skyfire.place.1")
        opened(page, pages.address_of("ada"))
        page.wait_for("document.getElementById('zone-1-card') !== null")
        page.call("Page.bringToFront")
        tab(page)
        _, count, _ = page.js(FOCUSED)
        assert count > 5
        for place in range(count):
            assert page.js(FOCUSED) == [place, count, 3]
            tab(page)
