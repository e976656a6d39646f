"""The page that gives roles to devices, and revokes them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.commands.outlets import PhonesOfTable
from companion.dashboard import registry as own
from companion.dashboard.app import Dashboard
from companion.dashboard.screens.roles import GIVEN_AWAY
from companion.dashboard.typed_pages import TypedPages
from companion.dashboard.widgets.page import Scroll
from companion.reports.markup import Markup
from companion.rules.actions import key_name
from companion.session.corrections import NotDone
from companion.session.opening import begin
from companion.session.roles import Role
from companion.session.table import Table
from companion.web import at_play, showing
from tests.dashboard.fakes import ManualClock
from tests.dashboard.screen import until
from tests.dashboard.test_phones_page import WLAN, pages_of, scanned_from


@pytest.fixture(autouse=True)
def on_a_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Serve at an address of a network, on ports that no other test uses; draw no pages of roles."""
    monkeypatch.setattr(at_play, "own_addresses", lambda: (WLAN,))
    monkeypatch.setattr(at_play, "PORT", 0)

    def drawn(*_: Any) -> dict[str, Markup]:
        return {"do": Markup("")}

    monkeypatch.setattr(showing, "role_blocks", drawn)


@pytest.fixture
def at(tmp_path: Path) -> Iterator[tuple[Table, PhonesOfTable]]:
    table = begin("panic-fire", ("Anna", "Ben", "Cleo"), {}, tmp_path / "evening.sqlite")
    with closing(table), closing(PhonesOfTable(lambda: table)) as phones:
        yield table, phones


@pytest.mark.parametrize("size", [(80, 24), (160, 50)], ids=lambda size: f"{size[0]}x{size[1]}")
async def test_a_device_is_given_a_role_and_its_code_is_shown_to_scan(
    at: tuple[Table, PhonesOfTable], size: tuple[int, int]
) -> None:
    table, phones = at
    app = Dashboard(table, clock=ManualClock(), phones=phones)
    async with app.run_test(size=size) as pilot:
        await pilot.press("ctrl+o")
        await until(pilot, app, "Everybody's page", "r roles")
        await pilot.press("r")
        await until(pilot, app, "Press n to give a device a role.", "take a page over")
        await pilot.press("n")
        await until(pilot, app, "Choose a role and name the device, then press Enter.")
        await pilot.press("r", "tab", *"Bo's tablet")
        text = await until(pilot, app, "Bo's tablet")
        await pilot.press("enter")
        text = await until(pilot, app, "Bo's tablet scans this code.", "1 referee: Bo's tablet")
        (given,) = pages_of(phones).roles_given()
        assert (given.role, given.name) == (Role.REFEREE, "Bo's tablet")
        assert scanned_from(text) == pages_of(phones).address_of_role(given.code)
        assert not given.speaks_for_table
        await pilot.press("escape")
        await until(pilot, app, "Everybody's page")


async def test_the_form_says_what_each_role_is_for(at: tuple[Table, PhonesOfTable]) -> None:
    table, phones = at
    app = Dashboard(table, clock=ManualClock(), phones=phones)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("ctrl+o")
        await until(pilot, app, "Everybody's page")
        await pilot.press("r", "n")
        await until(pilot, app, Role.TABLE.job)
        await pilot.press("s")
        await until(pilot, app, Role.SCORES.job)


async def test_eight_roles_fit_on_a_small_screen_and_a_ninth_is_refused_in_the_form(
    at: tuple[Table, PhonesOfTable],
) -> None:
    table, phones = at
    assert phones.open() == ""
    for number in range(8):
        pages_of(phones).give_out(Role.REFEREE, f"the old tablet of the neighbor, {number}")
    app = Dashboard(table, clock=ManualClock(), phones=phones)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("ctrl+o")
        await until(pilot, app, "Everybody's page")
        await pilot.press("r", "8")
        text = await until(pilot, app, "8 referee:", "scans this code.", "could take a page over")
        assert scanned_from(text).endswith(f"/{pages_of(phones).roles_given()[7].code}/")
        assert app.screen.query_one(Scroll).max_scroll_y == 0, "all of it stands on one screen"
        await pilot.press("n", "enter")
        await until(pilot, app, "At most 8 devices have a role.")


async def test_x_revokes_all_roles_at_the_second_press(at: tuple[Table, PhonesOfTable]) -> None:
    table, phones = at
    assert phones.open() == ""
    pages_of(phones).give_out(Role.WALL, "the big screen")
    app = Dashboard(table, clock=ManualClock(), phones=phones)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("ctrl+o")
        await until(pilot, app, "Everybody's page")
        await pilot.press("r", "x")
        await until(pilot, app, "Press x again to revoke all roles.")
        assert len(pages_of(phones).roles_given()) == 1
        await pilot.press("x")
        text = await until(pilot, app, "All roles are revoked.")
        assert "the big screen" not in text
        assert pages_of(phones).roles_given() == ()


async def test_refused_taps_are_counted_on_the_page(
    at: tuple[Table, PhonesOfTable], monkeypatch: pytest.MonkeyPatch
) -> None:
    table, phones = at
    assert phones.open() == ""
    refused = {"not for that role": 5, "too many a second": 2}
    monkeypatch.setattr(at_play.TablePages, "refused_taps", lambda _: refused)
    app = Dashboard(table, clock=ManualClock(), phones=phones)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("ctrl+o")
        await until(pilot, app, "Everybody's page")
        await pilot.press("r")
        await until(pilot, app, "7 taps refused, most of them not for that role.")


async def test_a_page_of_the_table_begins_the_next_game_once_this_one_is_over(
    at: tuple[Table, PhonesOfTable],
) -> None:
    table, phones = at
    again: list[str] = []

    def rematch() -> str:
        again.append("again")
        return ""

    app = Dashboard(table, clock=ManualClock(), phones=phones, offers={own.REMATCH.id: rematch})
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("ctrl+o")
        await until(pilot, app, "Everybody's page")
        ask = pages_of(phones)._do_session
        for wish in ("rematch", "quit", "report"):
            with pytest.raises(NotDone):
                await asyncio.to_thread(ask, wish)
        table.enter("abandon", {"reason": ""})
        assert await asyncio.to_thread(ask, "rematch") == "The next game begins."
        await pilot.pause()
    assert again == ["again"]


def test_plain_lines_give_roles_out_list_them_and_revoke_all(
    at: tuple[Table, PhonesOfTable],
) -> None:
    table, phones = at
    said: list[str] = []
    pages = TypedPages(table, table.game, said.append, phones=phones)
    key = key_name(own.PHONES_PAGE.keys[0])
    assert pages.do(f"{key} roles referee Bo's tablet")
    (given,) = pages_of(phones).roles_given()
    assert said == [f"  {pages_of(phones).address_of_role(given.code)}", GIVEN_AWAY]
    assert (given.role, given.name) == (Role.REFEREE, "Bo's tablet")
    said.clear()
    assert pages.do(f"{key} roles")
    assert said[0] == "  referee: Bo's tablet"
    said.clear()
    assert pages.do(f"{key} roles umpire")
    assert "umpire is no role" in said[0]
    assert pages.do(f"{key} roles revoke all")
    assert pages_of(phones).roles_given() == ()


def test_a_player_called_roles_still_has_a_page(tmp_path: Path) -> None:
    said: list[str] = []
    with (
        closing(begin("panic-fire", ("Roles", "Ben"), {}, tmp_path / "e.sqlite")) as table,
        closing(PhonesOfTable(lambda: table)) as phones,
    ):
        pages = TypedPages(table, table.game, said.append, phones=phones)
        assert pages.do(f"{key_name(own.PHONES_PAGE.keys[0])} roles")
        seat = pages_of(phones).seats[0].id
        assert said == [f"  {pages_of(phones).address_of(seat)}"]
