"""A player proposes on a phone, in a real browser of that size, while the network goes and comes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.session.opening import begin
from companion.session.table import Table
from companion.web import at_play
from companion.web.addresses import LOCALHOST
from companion.web.at_play import TablePages
from tests.web.browser import Browser, Chromium
from tests.web.test_note_browser import LOST, SAID, cut
from tests.web.test_proposals import NAMES, Clock, accept

HIT = "document.querySelector('form[data-propose=hit] button')"
NOTE = "document.getElementById('note').innerText"


@pytest.fixture(scope="module")
def phone(chromium: Chromium) -> Iterator[Browser]:
    with chromium.page() as page:
        yield page


def asked(table: Table) -> str:
    proposal = table.view().proposal
    return "" if proposal is None else proposal.text


@pytest.mark.parametrize("wide", [390, 320])
def test_i_was_hit_is_one_large_button_and_asked_once_however_the_network_is(
    phone: Browser, tmp_path: Path, wide: int, monkeypatch: pytest.MonkeyPatch
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
        phone.leave()
        phone.size(wide, 844)
        phone.open(pages.address_of("ben"))
        phone.wait_for("document.querySelector('form[data-propose=draw]') !== null")
        assert phone.js(f"{HIT} === null")
        table.do("panic-fire.shot")
        phone.wait_for(f"{HIT} !== null")
        assert phone.js("document.documentElement.scrollWidth <= innerWidth")
        assert phone.js(f"{HIT}.getBoundingClientRect().height") >= 64
        assert phone.js(f"{HIT}.getBoundingClientRect().bottom < innerHeight"), (
            "it is seen without moving the page"
        )
        cut(phone, True)
        phone.wait_for(f"!{LOST}.hidden")
        phone.js(f"{HIT}.click()")
        phone.js(f"{HIT}.click()")
        phone.wait_for(f"{SAID} === 'Offline. 1 message is waiting on this phone.'")
        assert asked(table) == ""
        cut(phone, False)
        phone.wait_for(f"{SAID} === 'The table is asked.'")
        phone.wait_for(f"{NOTE}.includes('Wait until the table')")
        assert asked(table).startswith("Ben's phone: ")
        assert table.view().proposal.waiting == 0  # type: ignore[union-attr]
        accept(table)
        phone.wait_for(f"{NOTE}.includes('The table recorded it')")
        phone.wait_for(f"{HIT} === null")
        assert table.view().game.open_shots[0].target == "ben"
        assert [error for error in phone.errors if "ERR_INTERNET_DISCONNECTED" not in error] == []


def test_a_refusal_on_a_phone_is_in_words_for_it_and_goes_once_the_table_has_gone_on(
    phone: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
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
        phone.leave()
        phone.size(390, 844)
        phone.open(pages.address_of("ben"))
        draw = "document.querySelector('form[data-propose=draw] button')"
        phone.wait_for(f"{draw} !== null")
        cut(phone, True)
        phone.wait_for(f"!{LOST}.hidden")
        phone.tap(draw)
        phone.wait_for(f"{SAID} === 'Offline. 1 message is waiting on this phone.'")
        table.do("table.pause")
        cut(phone, False)
        phone.wait_for(f"{SAID} === 'The game is paused. Continue first.'")
        table.do("table.pause")
        phone.wait_for(f"{SAID} === ''")
        phone.wait_for(f"{draw} !== null")
