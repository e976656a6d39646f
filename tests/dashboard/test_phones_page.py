"""The page with the table's addresses for phones."""

from __future__ import annotations

import re
import sys
from contextlib import closing
from pathlib import Path

import pytest

from companion.commands.outlets import PhonesOfTable
from companion.config.schema import Preferences
from companion.dashboard.app import Dashboard
from companion.dashboard.screens.game_over import HELD_S
from companion.dashboard.widgets.page import Scroll
from companion.rules.facts import TABLE
from companion.session.opening import begin, resume
from companion.session.table import Table
from companion.web import at_play
from companion.web.interfaces import OwnAddress
from tests.dashboard.fakes import ManualClock
from tests.dashboard.screen import screen_text, until
from tests.games.skyfire.screen.parts import skyfire_table
from tests.scanning import of_terminal, scanned


@pytest.fixture(autouse=True)
def here_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Serve on this computer only, on ports that no other test uses."""
    monkeypatch.setattr(at_play, "own_addresses", tuple)
    monkeypatch.setattr(at_play, "PORT", 0)


def pages_of(phones: PhonesOfTable) -> at_play.TablePages:
    """The pages that are served."""
    assert phones.pages is not None
    return phones.pages


def scanned_from(text: str) -> str:
    """Return what a scanner reads from the code on a screen."""
    rows = text.splitlines()
    edges = [(row, match) for row, line in enumerate(rows) if (match := re.search("█{30,}", line))]
    (first, corner), last = edges[0], edges[-1][0]
    lines = [
        row[corner.start() : corner.end()].ljust(corner.end() - corner.start())
        for row in rows[first : last + 1]
    ]
    return scanned(of_terminal(lines, ink_is_light=True))


async def test_p_lets_players_propose_and_ends_it_where_the_game_has_something_to_propose(
    tmp_path: Path,
) -> None:
    table = begin(
        "panic-fire", ("Anna", "Ben", "Cleo", "Dan", "Eve"), {}, tmp_path / "evening.sqlite"
    )
    with closing(table), closing(PhonesOfTable(lambda: table)) as phones:
        app = Dashboard(table, clock=ManualClock(), phones=phones)
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press("ctrl+o")
            await until(pilot, app, "Press p to let")
            await pilot.press("p")
            await until(pilot, app, "stop that.")
            assert table.view().phones_propose is True
            await pilot.press("p")
            await until(pilot, app, "Press p to let")
            assert table.view().phones_propose is False
            await pilot.press("n")
            await until(pilot, app, "New address")
            assert app.screen.query_one(Scroll).max_scroll_y == 0, "all of it stands on one screen"


async def test_e_lets_players_enter_their_own_numbers_and_draws_and_ends_it(tmp_path: Path) -> None:
    table = begin(
        "panic-fire", ("Anna", "Ben", "Cleo", "Dan", "Eve"), {}, tmp_path / "evening.sqlite"
    )
    with closing(table), closing(PhonesOfTable(lambda: table)) as phones:
        app = Dashboard(table, clock=ManualClock(), phones=phones)
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press("ctrl+o")
            await until(pilot, app, "Press e to let players enter their", "own numbers and draws.")
            await pilot.press("e")
            await until(pilot, app, "Players can enter their own", "to stop")
            assert table.view().phones_enter is True
            await pilot.press("e")
            await until(pilot, app, "Press e to let")
            assert table.view().phones_enter is False
            assert app.screen.query_one(Scroll).max_scroll_y == 0, "all of it stands on one screen"


async def test_a_game_in_which_players_enter_nothing_offers_no_key_for_it(tmp_path: Path) -> None:
    with (
        skyfire_table(tmp_path / "evening.sqlite") as table,
        closing(PhonesOfTable(lambda: table, Preferences(phones_enter=True))) as phones,
    ):
        app = Dashboard(table, clock=ManualClock(), phones=phones)
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press("ctrl+o")
            assert "enter their" not in await until(pilot, app, "Everybody's page")
            await pilot.press("e")
            assert table.view().phones_enter is None


def test_the_settings_allow_it_until_the_session_has_said_so_itself(tmp_path: Path) -> None:
    path, wanted = tmp_path / "evening.sqlite", Preferences(phones_enter=True)
    with closing(begin("panic-fire", ("Anna", "Ben"), {}, path)) as table:
        for preferences, allowed in ((Preferences(), False), (wanted, True)):
            with closing(PhonesOfTable(lambda: table, preferences)) as phones:
                assert phones.open() == ""
                assert table.view().phones_enter is allowed
        table.allow_entries(False)
    with (
        closing(resume(path, Table)) as table,
        closing(PhonesOfTable(lambda: table, wanted)) as phones,
    ):
        assert phones.open() == ""
        assert table.view().phones_enter is False


@pytest.mark.parametrize("size", [(80, 24), (160, 50)], ids=lambda size: f"{size[0]}x{size[1]}")
async def test_a_key_shows_the_code_of_everybodys_page_a_number_a_seats_and_n_gives_a_new_one(
    tmp_path: Path, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(at_play, "own_addresses", lambda: (WLAN,))
    with (
        skyfire_table(tmp_path / "evening.sqlite") as table,
        closing(PhonesOfTable(lambda: table)) as phones,
    ):
        table.do("skyfire.deal")
        app = Dashboard(table, clock=ManualClock(), phones=phones)
        async with app.run_test(size=size) as pilot:
            await pilot.press("ctrl+o")
            text = await until(pilot, app, "Everybody's page", "2 Bo", "Not encrypted")
            assert scanned_from(text) == pages_of(phones).address_of(TABLE)
            await pilot.press("2")
            text = await until(pilot, app, "Only Bo scans this code.")
            before = pages_of(phones).address_of("bo")
            assert scanned_from(text) == before
            await pilot.press("n")
            text = await until(pilot, app, "New address")
            assert scanned_from(text) == pages_of(phones).address_of("bo") != before
            assert app.screen.query_one(Scroll).max_scroll_y == 0, "all of it stands on one screen"
            await pilot.press("escape")
            await pilot.pause()
            assert "alone" not in screen_text(app)


def served_once(path: Path, seats: int) -> str:
    """Serve the pages of a game for a moment; return the address of its last seat's."""
    with skyfire_table(path, seats) as table, closing(PhonesOfTable(lambda: table)) as phones:
        assert phones.open() == ""
        pages = pages_of(phones)
        return pages.address_of(pages.seats[-1].id)


async def test_an_address_of_this_computer_only_is_no_code_to_scan(tmp_path: Path) -> None:
    with (
        skyfire_table(tmp_path / "evening.sqlite") as table,
        closing(PhonesOfTable(lambda: table)) as phones,
    ):
        app = Dashboard(table, clock=ManualClock(), phones=phones)
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press("ctrl+o")
            text = await until(pilot, app, "Everybody's page", "No network", "Join one")
            assert "█" * 30 not in text
            await pilot.press("1")
            text = await until(pilot, app, "Only Ada opens this address.")
            assert "█" * 30 not in text


async def test_a_name_that_came_back_is_asked_about_before_its_code_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(at_play, "own_addresses", lambda: (WLAN,))
    address = served_once(tmp_path / "one.sqlite", 4)
    served_once(tmp_path / "two.sqlite", 3)
    with (
        skyfire_table(tmp_path / "three.sqlite", 4) as table,
        closing(PhonesOfTable(lambda: table)) as phones,
    ):
        app = Dashboard(table, clock=ManualClock(), phones=phones)
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press("ctrl+o")
            text = await until(pilot, app, "Is this the same Dan as earlier?")
            assert "█" * 30 not in text
            await pilot.press("y")
            text = await until(pilot, app, "Only Dan scans this code.")
            assert scanned_from(text) == address
            await pilot.press("1", "y")
            await until(pilot, app, "Only Ada scans this code.")


async def test_a_session_that_had_pages_has_them_again_when_it_is_resumed(tmp_path: Path) -> None:
    with (
        skyfire_table(tmp_path / "evening.sqlite") as table,
        closing(PhonesOfTable(lambda: table)) as phones,
    ):
        assert phones.open_again() == ""
        assert phones.pages is None  # nobody wanted any
        assert phones.open() == ""
        address = pages_of(phones).address_of("ada")
    with (
        closing(resume(tmp_path / "evening.sqlite", Table)) as table,
        closing(PhonesOfTable(lambda: table)) as phones,
    ):
        app = Dashboard(table, clock=ManualClock(), phones=phones)
        async with app.run_test() as pilot:
            await app.workers.wait_for_complete()
            await pilot.pause()
            assert pages_of(phones).address_of("ada") == address


async def test_a_dashboard_without_pages_says_so(tmp_path: Path) -> None:
    with skyfire_table(tmp_path / "evening.sqlite") as table:
        app = Dashboard(table, clock=ManualClock())
        async with app.run_test(size=(100, 30)) as pilot:
            await pilot.press("ctrl+o")
            await until(pilot, app, "no pages for phones")


async def test_without_the_web_library_the_page_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("at_play", "run", "connections"):
        monkeypatch.delitem(sys.modules, f"companion.web.{module}", raising=False)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    with (
        skyfire_table(tmp_path / "evening.sqlite") as table,
        closing(PhonesOfTable(lambda: table)) as phones,
    ):
        app = Dashboard(table, clock=ManualClock(), phones=phones)
        async with app.run_test(size=(100, 30)) as pilot:
            await pilot.press("ctrl+o")
            await until(pilot, app, "web library that is not installed")


async def test_the_last_page_opens_the_same_pages_and_in_ascii_the_address_stands_without_its_code(
    tmp_path: Path,
) -> None:
    with (
        skyfire_table(tmp_path / "evening.sqlite") as table,
        closing(PhonesOfTable(lambda: table)) as phones,
    ):
        table.enter("abandon", {"reason": "the bus"})
        clock = ManualClock()
        app = Dashboard(table, clock=clock, phones=phones, ascii=True)
        async with app.run_test(size=(100, 40)) as pilot:
            await until(pilot, app, "p phones", "Esc table")
            clock.now += HELD_S
            await pilot.press("p")
            text = await until(pilot, app, "Everybody's page")
            assert pages_of(phones).address_of(TABLE) in text
            assert "####" not in text


WLAN, VPN, OTHER = (
    OwnAddress("192.168.1.20", "wlan0"),
    OwnAddress("10.8.0.6", "tun0"),
    OwnAddress("192.168.43.5", "wlan0"),
)


@pytest.mark.parametrize("size", [(80, 24), (160, 50)], ids=lambda size: f"{size[0]}x{size[1]}")
async def test_a_leads_to_the_next_address_and_all_of_them_and_a_whole_table_fit_on_the_screen(
    tmp_path: Path, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(at_play, "own_addresses", lambda: (WLAN, VPN))
    seats = ("Anna", "Ben", "Cleo", "Dan", "Eve")
    with (
        closing(begin("panic-fire", seats, {}, tmp_path / "evening.sqlite")) as table,
        closing(PhonesOfTable(lambda: table)) as phones,
    ):
        app = Dashboard(table, clock=ManualClock(), phones=phones)
        async with app.run_test(size=size) as pilot:
            await pilot.press("ctrl+o")
            text = await until(pilot, app, "10.8.0.6", "5 Eve", "Not encrypted")
            first = scanned_from(text)
            assert first.startswith("http://192.168.1.20:")
            await pilot.press("a")
            text = await until(pilot, app, "(wlan0)")
            assert scanned_from(text) == first.replace("192.168.1.20", "10.8.0.6")
            await pilot.press("a")
            assert scanned_from(await until(pilot, app, "(tun0)")) == first
            assert app.screen.query_one(Scroll).max_scroll_y == 0, "all of it stands on one screen"


async def test_when_the_address_changes_the_table_is_told_to_scan_again_and_the_secret_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(at_play, "own_addresses", lambda: (WLAN,))
    with (
        skyfire_table(tmp_path / "evening.sqlite") as table,
        closing(PhonesOfTable(lambda: table)) as phones,
    ):
        app = Dashboard(table, clock=ManualClock(), phones=phones)
        async with app.run_test() as pilot:
            await pilot.press("ctrl+o")
            first = scanned_from(await until(pilot, app, "Everybody's page"))
            pages_of(phones)._moved((OTHER,))
            text = await until(pilot, app, "http://192.168.43.5")
            assert scanned_from(text) == first.replace("192.168.1.20", "192.168.43.5")
            await pilot.press("escape")
            await until(pilot, app, "address has changed: scan")
            pages_of(phones)._moved(())
            await pilot.press("ctrl+o")
            await until(pilot, app, "No network")
