"""Where odds are shown, publicly and to a seat, and that no screen waits for them."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.dashboard.app import Dashboard
from companion.games.skyfire.panels import WORKING
from companion.games.skyfire.rules import known, layouts
from companion.games.skyfire.rules.known import TOO_MANY, work_out
from companion.games.skyfire.rules.layouts import Unseen
from companion.games.skyfire.rules.odds import Chances, chances
from companion.session.table import Table
from companion.web.lookers import TableLooker
from tests.dashboard import settling
from tests.dashboard.fakes import ManualClock
from tests.dashboard.screen import until
from tests.games.skyfire.playing import published_deck
from tests.games.skyfire.screen.parts import skyfire_table

SIZES = ((80, 24), (160, 50))
PUBLIC = "Odds by what everybody can see"


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with skyfire_table(tmp_path / "evening.sqlite", box=published_deck()) as opened:
        opened.do("skyfire.deal")
        opened.enter("target", {"card": "ryg"})
        for zone in (1, 1, 2, 1):
            opened.do(f"skyfire.place.{zone}")
        yield opened


@pytest.mark.parametrize("size", SIZES)
async def test_the_table_shows_each_zones_odds_and_how_to_add_missing_backs(
    table: Table, size: tuple[int, int]
) -> None:
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=size) as pilot:
        text = await until(pilot, app, "12.3 %", "enter 4 card backs (key a)", "87.7 %")
        assert "0 %" in text
        (misfire,) = (row for row in text.split("\n") if row.lstrip().startswith("Misfire"))
        assert "87.7 %" in misfire
        assert "without cards: " in misfire
        assert re.search("3 (points for Bo|for ▲B)", misfire)
        await pilot.press("v")
        await until(
            pilot,
            app,
            PUBLIC,
            "Zone 1   12.3 % 27/220",
            "No zone  87.7 % 193/220",
            "Backs    4 not entered",
        )


@pytest.mark.parametrize("size", SIZES)
async def test_who_wants_no_odds_sees_none(table: Table, size: tuple[int, int]) -> None:
    app = Dashboard(table, clock=ManualClock(), odds=False)
    async with app.run_test(size=size) as pilot:
        text = await until(pilot, app, "Zone 1", "without cards: ", "3 points for Bo")
        assert "%" not in text
        assert "card backs" not in text
        await pilot.press("v")
        assert PUBLIC not in await until(pilot, app, "This round")


def page(table: Table, viewer: str, *, odds: bool = True) -> str:
    looker = TableLooker(table, odds=odds)
    looker.close()
    return "".join(looker.showing.blocks[viewer].values())


def test_a_seats_phone_shows_the_odds_of_everybody_and_its_own(table: Table) -> None:
    table.enter("hand_noted", {"seat": "bo", "cards": ["rb", "by", "br"]})
    for viewer in ("table", "ada"):
        assert PUBLIC in page(table, viewer)
        assert "27/220" in page(table, viewer)
        assert "Your odds" not in page(table, "table")
    bos = page(table, "bo")
    own = work_out(table.seat_view("bo").own.odds)[0].probability
    assert own is not None
    assert "Your odds" in bos
    assert f"{own.numerator}/{own.denominator}" in bos
    assert "27/220" in bos


def test_without_odds_a_seats_phone_shows_its_own_alone(table: Table) -> None:
    table.enter("hand_noted", {"seat": "bo", "cards": ["rb", "by", "br"]})
    assert "%" not in page(table, "table", odds=False)
    assert PUBLIC not in page(table, "bo", odds=False)
    assert "Your odds" in page(table, "bo", odds=False)


@contextmanager
def counting(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Allow odds to be counted only from now on; a screen that waits for them is as complete as it can be."""
    monkeypatch.setattr(settling, "LONGEST_S", 0.02)
    monkeypatch.setattr(settling, "LEAST_TURNS", 20)
    allowed = threading.Event()

    def wait(unseen: Unseen) -> Chances:
        assert allowed.wait(60)
        return chances(unseen)

    monkeypatch.setattr(known, "_worked_out", {})
    monkeypatch.setattr(known, "chances", wait)
    try:
        yield allowed
    finally:
        allowed.set()


async def test_no_key_waits_for_odds(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    with counting(monkeypatch) as allowed:
        app = Dashboard(table, clock=ManualClock())
        async with app.run_test(size=(80, 24)) as pilot:
            await until(pilot, app, "Zone 1", " ... ")
            await pilot.press("2")
            text = await until(pilot, app, "places a card in zone 2, now 2 cards")
            assert "%" not in text
            await pilot.press("v")
            await until(pilot, app, PUBLIC, f"Zone 1 {WORKING}")
            await pilot.press("escape")
            allowed.set()
            await until(pilot, app, "12.3 %", "Zone 2   2 ")


async def test_behind_the_curtain_no_key_waits_for_odds_either(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    with counting(monkeypatch) as allowed:
        app = Dashboard(table, clock=ManualClock())
        async with app.run_test(size=(100, 40)) as pilot:
            await pilot.press("j", "1", "enter")
            await until(pilot, app, "not noted yet", f"Zone 1 {WORKING}")
            await pilot.press(*"rb,by", "enter")
            await until(pilot, app, "Your hand  red of red-blue", "Your odds", WORKING)
            allowed.set()
            await until(pilot, app, "12.3 % 27/220", "Your odds")


def test_pages_and_the_table_do_not_wait_for_odds(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    with counting(monkeypatch) as allowed:
        looker = TableLooker(table)
        looker.close()
        assert WORKING in looker.showing.blocks["table"]["game"]
        table.do("skyfire.place.2")
        assert len(table.view().game.zones[1].cards) == 2
        allowed.set()
        assert looker._worker is not None
        looker._worker.join(60)
        assert looker.news
        assert looker.look()
        assert "27/220" in looker.showing.blocks["table"]["game"]
        assert WORKING not in looker.showing.blocks["table"]["game"]


def test_a_deck_that_cannot_be_counted_in_time_has_no_number_and_says_why(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(known, "_worked_out", {})
    monkeypatch.setattr(layouts, "MOST_STEPS", 3)
    chances.cache_clear()
    asked = table.view().game.odds
    assert {one.reason for one in work_out(asked)} == {TOO_MANY}
    chances.cache_clear()
