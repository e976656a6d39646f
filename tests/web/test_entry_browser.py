"""A player types a number, or says that they drew, on a phone: in a real browser of that size, while the network goes
and comes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from companion.rules import registry
from companion.session.opening import begin, resume
from companion.session.table import Table
from companion.web import at_play
from companion.web.addresses import LOCALHOST
from companion.web.at_play import TablePages
from tests.games.fractured_sky.screen.test_screen import opened as begun, round_one
from tests.games.own.files import TEXTS
from tests.games.own.test_grid import PARTY, enter, grids, values
from tests.web.axe import findings
from tests.web.browser import Browser, Chromium
from tests.web.test_note_browser import LOST, SAID, cut, typed
from tests.web.test_proposals import NAMES, Clock

FIELD = "document.querySelector('form.own-number input')"
FORM = "document.querySelector('form.own-number')"
DREW = "document.querySelector('form[data-enter] button.large')"
NOTE = "document.getElementById('note').innerText"
WAITS = "Offline. 1 message is waiting on this phone."


@pytest.fixture(autouse=True)
def _no_more_games_after() -> Iterator[None]:
    """Forget the games of a file that a test registers."""
    yield
    vars(registry.GAMES)["learned"].clear()


@pytest.fixture(scope="module")
def phone(chromium: Chromium) -> Iterator[Browser]:
    with chromium.page() as page:
        yield page


@contextmanager
def served(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    text: str = PARTY,
    names: tuple[str, ...] = NAMES,
) -> Iterator[tuple[Table, TablePages]]:
    monkeypatch.setattr(at_play, "PORT", 0)
    path = folder / "evening.sqlite"
    game = registry.learn(text).id if text else "panic-fire"
    with (
        closing(begin(game, names, {}, path, clock_us=Clock())) as table,
        closing(TablePages(table, LOCALHOST)) as pages,
    ):
        yield table, pages


def opened(phone: Browser, address: str, wide: int = 390) -> None:
    phone.leave()
    phone.size(wide, 844)
    phone.open(address)
    phone.wait_for(f"{LOST}?.hidden && !document.getElementById('note').hidden")


def field_id(phone: Browser) -> str:
    phone.wait_for(f"{FIELD} !== null")
    return str(phone.js(f"{FIELD}.id"))


def scores(table: Table) -> list[list[int | None]]:
    return values(grids(table)[0])


def unexpected(phone: Browser) -> list[str]:
    expected = ("ERR_INTERNET_DISCONNECTED", "status of 422")
    return [error for error in phone.errors if not any(one in error for one in expected)]


@pytest.mark.parametrize("wide", [390, 320])
def test_a_number_typed_without_a_network_waits_on_the_phone_and_is_recorded_once(
    phone: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wide: int
) -> None:
    with served(tmp_path, monkeypatch) as (table, pages):
        opened(phone, pages.address_of("ben"), wide)
        assert phone.js(f"{FORM} === null"), "nothing before the table allows it"
        table.allow_entries(True)
        field = field_id(phone)
        assert phone.js("document.documentElement.scrollWidth <= innerWidth")
        cut(phone, True)
        phone.wait_for(f"!{LOST}.hidden")
        typed(phone, "-17", field)
        phone.js(f"{FORM}.querySelector('button').click()")
        phone.wait_for(f"{SAID} === {WAITS!r}")
        assert scores(table) == [[None, None, None]]
        cut(phone, False)
        phone.wait_for(f"{SAID} === 'Saved.'")
        phone.wait_for(f"{NOTE}.includes('now -17')")
        phone.wait_for(f"{FIELD}.value === ''")
        assert scores(table) == [[None, -17, None]]
        notice = table.view().notice
        assert notice is not None
        assert notice.text == "Ben typed -17 for round 1 on their phone."
        typed(phone, "18", field)
        phone.wait_for(f"{NOTE}.includes('now 18')")
        table.do("table.undo")
        phone.wait_for(f"{NOTE}.includes('now -17')")
        assert unexpected(phone) == []


def test_what_is_half_typed_stays_while_the_table_goes_on_and_ends_with_its_round(
    phone: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served(tmp_path, monkeypatch) as (table, pages):
        table.allow_entries(True)
        opened(phone, pages.address_of("ben"))
        field = field_id(phone)
        phone.js(f"{FIELD}.focus()")
        phone.call("Input.insertText", text="1")
        enter(table, grids(table)[0], 0, 1, 12)
        phone.wait_for(f"{NOTE}.includes('now 12')")
        assert phone.js("[document.activeElement.id, document.activeElement.value]") == [field, "1"]
        table.enter("round_ends", {})
        phone.wait_for(f"{NOTE}.includes('round 2')")
        assert phone.js(f"{FIELD}.value") == ""
        assert unexpected(phone) == []


def test_a_number_that_waited_past_its_round_is_refused_on_the_phone(
    phone: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served(tmp_path, monkeypatch) as (table, pages):
        table.allow_entries(True)
        opened(phone, pages.address_of("ben"))
        field = field_id(phone)
        cut(phone, True)
        phone.wait_for(f"!{LOST}.hidden")
        typed(phone, "17", field)
        phone.wait_for(f"{SAID} === {WAITS!r}")
        table.enter("round_ends", {})
        cut(phone, False)
        phone.wait_for(f"{SAID}.startsWith('What this page showed has changed')")
        assert scores(table) == [[0, 0, 0], [None, None, None]]


def test_a_refusal_stays_in_view_when_what_was_sent_after_it_is_saved(
    phone: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served(tmp_path, monkeypatch, TEXTS["yahtzee"]) as (table, pages):
        table.allow_entries(True)
        opened(phone, pages.address_of("anna"))
        field_id(phone)
        ones, twos = phone.js(
            "[...document.querySelectorAll('form.own-number input')].slice(0, 2).map((each) => each.id)"
        )
        cut(phone, True)
        phone.wait_for(f"!{LOST}.hidden")
        typed(phone, "77", ones)
        typed(phone, "4", twos)
        phone.wait_for(f"{SAID} === 'Offline. 2 messages are waiting on this phone.'")
        cut(phone, False)
        phone.wait_for(f"{SAID}.endsWith(' Saved.')")
        assert "77" in phone.js(SAID)
        assert phone.js("document.getElementById('sent').classList.contains('alarm')")


def test_a_number_that_waited_over_a_restart_is_recorded_once(
    phone: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served(tmp_path, monkeypatch) as (table, pages):
        table.allow_entries(True)
        opened(phone, pages.address_of("ben"))
        field = field_id(phone)
        cut(phone, True)
        phone.wait_for(f"!{LOST}.hidden")
        typed(phone, "17", field)
        phone.wait_for(f"{SAID} === {WAITS!r}")
    again = resume(tmp_path / "evening.sqlite", Table)
    with closing(again), closing(TablePages(again, LOCALHOST)):
        cut(phone, False)
        phone.wait_for(f"{SAID} === 'Saved.'")
        assert scores(again) == [[None, 17, None]]


def test_what_has_no_answer_for_a_minute_is_not_sent_and_the_phone_says_so(
    phone: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served(tmp_path, monkeypatch) as (table, pages):
        table.allow_entries(True)
        opened(phone, pages.address_of("ben"))
        field = field_id(phone)
        cut(phone, True)
        phone.wait_for(f"!{LOST}.hidden")
        typed(phone, "17", field)
        phone.wait_for(f"{SAID} === {WAITS!r}")
        phone.js("Date.now = ((now) => () => now() + 61000)(Date.now)")
        phone.wait_for(
            f"{SAID} === 'No answer for a minute. Look if it is shown here; if not, send it again.'"
        )
        cut(phone, False)
        assert scores(table) == [[None, None, None]]


def test_i_drew_a_card_is_one_large_button_that_counts_at_once(
    phone: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served(tmp_path, monkeypatch, "") as (table, pages):
        table.allow_entries(True)
        table.do("panic-fire.fire")
        opened(phone, pages.address_of("ben"))
        phone.wait_for(f"{DREW} !== null")
        assert phone.js(f"{DREW}.innerText") == "I drew a card"
        assert phone.js(f"{DREW}.getBoundingClientRect().height") >= 64
        cut(phone, True)
        phone.wait_for(f"!{LOST}.hidden")
        phone.js(f"{DREW}.click()")
        phone.wait_for(f"{SAID} === {WAITS!r}")
        said = phone.js(f"({DREW}.click(), {SAID})")
        assert said == "Already sending. Once it is saved, you can press again."
        cut(phone, False)
        phone.wait_for(f"{SAID} === 'Saved.'")
        assert table.view().game.seats[1].draws == 1
        phone.wait_for("document.getElementById('seats').innerText.includes('1 draw')")
        phone.js(f"{DREW}.click()")
        phone.wait_for("document.getElementById('seats').innerText.includes('2 draws')")
        assert table.view().game.seats[1].draws == 2
        assert unexpected(phone) == []


def test_a_draw_that_was_said_aloud_meanwhile_is_not_counted_again(
    phone: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served(tmp_path, monkeypatch, "") as (table, pages):
        table.allow_entries(True)
        table.do("panic-fire.fire")
        opened(phone, pages.address_of("ben"))
        phone.wait_for(f"{DREW} !== null")
        cut(phone, True)
        phone.wait_for(f"!{LOST}.hidden")
        phone.js(f"{DREW}.click()")
        phone.wait_for(f"{SAID} === {WAITS!r}")
        table.enter("draw", {"seat": "ben"})
        cut(phone, False)
        phone.wait_for(f"{SAID}.startsWith('I drew a card: that was already entered.')")
        assert table.view().game.seats[1].draws == 1
        assert unexpected(phone) == []


@pytest.mark.parametrize("wide", [320, 390])
def test_each_field_of_a_score_sheet_has_a_name_and_fits(
    phone: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wide: int
) -> None:
    with served(tmp_path, monkeypatch, TEXTS["yahtzee"]) as (table, pages):
        table.allow_entries(True)
        opened(phone, pages.address_of("anna"), wide)
        field_id(phone)
        controls = "[...document.querySelectorAll('form.own-number input, form.own-number button')]"
        count = phone.js(f"{controls}.length")
        assert count > 20
        assert phone.js("document.documentElement.scrollWidth <= innerWidth")
        assert (
            phone.js(f"Math.min(...{controls}.map((each) => each.getBoundingClientRect().height))")
            >= 44
        )
        names = set()
        for place in range(count):
            control = phone.call("Runtime.evaluate", expression=f"{controls}[{place}]")["result"]
            (node,) = phone.call(
                "Accessibility.getPartialAXTree", objectId=control["objectId"], fetchRelatives=False
            )["nodes"]
            assert node["role"]["value"] in ("button", "spinbutton")
            names.add(node["name"]["value"])
        assert len(names) == count, "each is told from the others by its name"


@pytest.mark.parametrize("game", ["yahtzee", "hearts", ""])
def test_axe_finds_nothing_wrong_with_the_fields_also_in_large_text(
    phone: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    names = ("Anna", "Ben", "Carl", "Dora") if game == "hearts" else NAMES
    with served(tmp_path, monkeypatch, TEXTS.get(game, ""), names) as (table, pages):
        table.allow_entries(True)
        if not game:
            table.do("panic-fire.fire")
        opened(phone, pages.address_of("anna"), 320)
        phone.wait_for("document.querySelector('form[data-enter]') !== null")
        assert findings(phone) == []
        phone.js("document.getElementById('big').click()")
        assert phone.js("document.documentElement.scrollWidth <= innerWidth")
        phone.js("document.getElementById('big').click()")


def test_powers_are_typed_region_by_region_and_sent_together(
    phone: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(at_play, "PORT", 0)
    with (
        closing(begun(tmp_path, map="example", difficulty="medium")) as table,
        closing(TablePages(table, LOCALHOST)) as pages,
    ):
        table.allow_entries(True)
        round_one(table)
        opened(phone, pages.address_of("ada"))
        phone.wait_for("document.querySelectorAll('fieldset input').length === 3")
        assert findings(phone) == []
        for place, power in enumerate((6, 3, 2)):
            phone.js(f"document.querySelectorAll('fieldset input')[{place}].focus()")
            phone.call("Input.insertText", text=str(power))
            if place == 0:
                phone.js("document.querySelector('form:has(fieldset)').requestSubmit()")
                phone.wait_for(f"{SAID} === 'Enter it first.'")
        phone.js("document.querySelector('form:has(fieldset) button').click()")
        phone.wait_for(f"{SAID} === 'Saved.'")
        phone.wait_for(f"{NOTE}.includes('Amber Atoll (now 6)')")
        phone.wait_for("document.querySelector('fieldset input').value === ''")
        assert unexpected(phone) == []
