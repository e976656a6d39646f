"""Seats that note on their phones, in real browsers of the size of a phone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from companion.journal.entries import Layer
from companion.session.key_meanings import UNDO
from companion.session.opening import resume
from companion.session.table import Table
from companion.web.addresses import LOCALHOST
from companion.web.at_play import TablePages
from tests.games.skyfire.screen.parts import skyfire_table
from tests.web.browser import Browser, Chromium

SEATS = ("ada", "bo", "cleo", "dan")
HANDS = (
    "Comet, Ember, Wave, Poppy",
    "Ruby, Lagoon, Fern, Reed",
    "Comet, Ruby, Wave, Fern",
    "Ember, Poppy, Reed, Lagoon",
)
SAID = "document.getElementById('sent').textContent"
LOST = "document.getElementById('lost')"


@pytest.fixture(scope="module")
def four(chromium: Chromium) -> Iterator[list[Browser]]:
    with ExitStack() as stack:
        yield [stack.enter_context(chromium.page()) for _ in SEATS]


def opened(page: Browser, address: str, wide: int = 390, high: int = 844) -> None:
    page.leave()
    page.size(wide, high)
    page.open(address)
    page.wait_for(f"document.getElementById('hand-cards') !== null && {LOST}.hidden")


def typed(page: Browser, cards: str, field: str = "hand-cards") -> None:
    """Type into a field and press Enter."""
    page.js(f"document.getElementById({field!r}).focus()")
    page.call("Input.insertText", text=cards)
    for kind in ("keyDown", "keyUp"):
        page.call(
            "Input.dispatchKeyEvent",
            type=kind,
            key="Enter",
            code="Enter",
            windowsVirtualKeyCode=13,
            text="\r",
        )


def cut(page: Browser, off: bool) -> None:
    """Cut the network of a phone, or restore it."""
    page.call(
        "Network.emulateNetworkConditions",
        offline=off,
        latency=0,
        downloadThroughput=-1,
        uploadThroughput=-1,
    )


def noted(table: Table) -> Counter[str]:
    """Return how many notes each seat has in the record."""
    entries = [entry for entry in table._journal.entries if entry.layer is Layer.FACT]
    return Counter(entry.body["seat"] for entry in entries if entry.kind.endswith("_noted"))


def test_four_seats_note_at_once_and_neither_a_cut_network_nor_a_restart_loses_or_doubles_a_note(
    four: list[Browser], tmp_path: Path
) -> None:
    with (
        skyfire_table(tmp_path / "evening.sqlite", 4) as table,
        closing(TablePages(table, LOCALHOST)) as pages,
    ):
        table.do("skyfire.deal")
        for page, seat in zip(four, SEATS, strict=True):
            opened(page, pages.address_of(seat))
        for page, hand in zip(four, HANDS, strict=True):
            typed(page, hand)
        for page, hand in zip(four, HANDS, strict=True):
            page.wait_for(f"{SAID} === 'Saved.'")
            page.wait_for(
                f"document.getElementById('own').innerText.includes({hand.split(',')[0]!r})"
            )
            page.wait_for("document.getElementById('hand-cards').value === ''")
        assert noted(table) == Counter(SEATS)
        table.do("skyfire.place.1")
        four[0].wait_for("document.getElementById('zone-1-card') !== null")
        for page in four:
            cut(page, True)
        for page in four:
            page.wait_for(f"!{LOST}.hidden")  # offline is said at once
        typed(four[0], "Comet", "zone-1-card")
        typed(four[1], HANDS[2])
        for page in four[:2]:
            page.wait_for(f"{SAID} === 'Offline. 1 message is waiting on this phone.'")
        assert noted(table) == Counter(SEATS)
    again = resume(tmp_path / "evening.sqlite", Table)
    with closing(again), closing(TablePages(again, LOCALHOST)):
        for page in four:
            cut(page, False)
        for page in four[:2]:
            page.wait_for(f"{SAID} === 'Saved.'")
        for page in four:
            page.wait_for(f"{LOST}.hidden")
        assert noted(again) == Counter([*SEATS, "ada", "bo"])
        four[0].wait_for("/Comet.* in zone 1/.test(document.getElementById('own').innerText)")


def test_a_seat_takes_its_last_note_back_and_what_is_half_typed_outlives_the_news(
    four: list[Browser], tmp_path: Path
) -> None:
    page = four[0]
    with (
        skyfire_table(tmp_path / "evening.sqlite", 3) as table,
        closing(TablePages(table, LOCALHOST)) as pages,
    ):
        table.do("skyfire.deal")
        opened(page, pages.address_of("ada"))
        page.wait_for("document.getElementById('turn').innerText === 'It is your turn.'")
        typed(page, HANDS[0])
        page.wait_for(f"{SAID} === 'Saved.'")
        page.wait_for("document.querySelector('form[data-back]') !== null")
        page.js("document.getElementById('hand-cards').focus()")
        page.call("Input.insertText", text="half a h")
        table.do("skyfire.place.1")
        page.wait_for("document.getElementById('zone-1-card') !== null")
        assert page.js("document.getElementById('hand-cards').value") == "half a h"
        assert page.js("document.activeElement.id") == "hand-cards"
        page.js("document.querySelector('form[data-line=hand] button').focus()")
        table.do(UNDO.id)
        page.wait_for("document.getElementById('zone-1-card') === null")
        assert page.js("document.activeElement.closest('form').dataset.line") == "hand"
        page.js("document.querySelector('form[data-back] button').click()")
        page.wait_for("document.querySelector('form[data-back]') === null")
        assert table.seat_view("ada").own is None or table.seat_view("ada").own.hand is None
        typed(page, ", Ember", "hand-cards")
        page.wait_for(f"!['', 'Sending.', 'Saved.'].includes({SAID})")
        assert page.js("document.getElementById('hand-cards').value") == "half a h, Ember"
        assert [error for error in page.errors if "status of 422" not in error] == []


def test_two_phones_on_one_seat_both_note_and_see_each_others_notes_and_both_go_when_its_code_does(
    four: list[Browser], tmp_path: Path
) -> None:
    one, other, bo = four[:3]
    with (
        skyfire_table(tmp_path / "evening.sqlite", 3) as table,
        closing(TablePages(table, LOCALHOST)) as pages,
    ):
        table.do("skyfire.deal")
        for page in (one, other):
            opened(page, pages.address_of("ada"))
        opened(bo, pages.address_of("bo"))
        typed(one, HANDS[0])
        other.wait_for("document.getElementById('own').innerText.includes('Poppy')")
        typed(other, HANDS[1])
        one.wait_for("document.getElementById('own').innerText.includes('Lagoon')")
        assert not bo.js("/noted/.test(document.getElementById('log').innerText)")
        assert not bo.js("/Poppy|Lagoon/.test(document.body.innerText)")
        assert noted(table) == Counter(["ada", "ada"])
        pages.renew("ada")
        for page in (one, other):
            page.wait_for(f"{LOST}.textContent.includes('not valid any more')")
        typed(one, HANDS[2])
        one.wait_for(f"{SAID}.includes('not valid any more')")
        assert bo.js(f"{LOST}.hidden")
        assert noted(table) == Counter(["ada", "ada"])


def test_news_that_say_what_stands_there_already_leave_the_controls_alone(
    four: list[Browser], tmp_path: Path
) -> None:
    page = four[0]
    with (
        skyfire_table(tmp_path / "evening.sqlite", 3) as table,
        closing(TablePages(table, LOCALHOST)) as pages,
    ):
        table.do("skyfire.deal")
        opened(page, pages.address_of("ada"))
        page.wait_for("document.getElementById('turn').innerText === 'It is your turn.'")
        page.js("document.getElementById('hand-cards').seen = true")
        # A page that lost its connection asks for all of it again.
        cut(page, True)
        page.wait_for(f"!{LOST}.hidden")
        cut(page, False)
        page.wait_for(f"{LOST}.hidden")
        assert page.js("document.getElementById('hand-cards').seen") is True


@pytest.mark.parametrize("wide", [320, 390])
def test_every_control_fits_has_a_name_and_is_reached_by_the_keyboard(
    four: list[Browser], tmp_path: Path, wide: int
) -> None:
    page = four[0]
    with (
        skyfire_table(tmp_path / "evening.sqlite", 3) as table,
        closing(TablePages(table, LOCALHOST)) as pages,
    ):
        table.do("skyfire.deal")
        table.do("skyfire.place.1")
        opened(page, pages.address_of("ada"), wide)
        page.wait_for("document.getElementById('zone-1-card') !== null")
        controls = (
            "[...document.querySelectorAll('button, input, select, summary')]"
            ".filter((each) => each.checkVisibility())"
        )
        assert page.js("document.documentElement.scrollWidth <= innerWidth")
        assert page.js(
            f"{controls}.every((each) => each.getBoundingClientRect().right <= innerWidth)"
        )
        buttons = f"{controls}.filter((each) => each.tagName !== 'SUMMARY')"
        assert (
            page.js(f"Math.min(...{buttons}.map((each) => each.getBoundingClientRect().height))")
            >= 44
        )
        for place in range(page.js(f"{buttons}.length")):
            control = page.call("Runtime.evaluate", expression=f"{buttons}[{place}]")["result"][
                "objectId"
            ]
            (node,) = page.call(
                "Accessibility.getPartialAXTree", objectId=control, fetchRelatives=False
            )["nodes"]
            assert node["role"]["value"] in ("button", "textbox", "combobox")
            assert node["name"]["value"]
        assert page.js(f"{controls}.every((each) => each.tabIndex === 0)")
        assert page.errors == []
