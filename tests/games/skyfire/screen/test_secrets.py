"""What a seat notes in SkyFire is on no screen but behind its own curtain."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from textual.app import App
from textual.pilot import Pilot
from textual.widgets import Input

from companion.dashboard.app import Dashboard
from companion.games.skyfire.panels import LOOSE, own
from companion.games.skyfire.rules.known import chance
from companion.session.table import Table
from tests.dashboard.fakes import ManualClock
from tests.dashboard.screen import screen_text, until
from tests.games.skyfire.playing import GAME, Record, example_deck
from tests.games.skyfire.screen.parts import skyfire_table

ONE = ("Comet", "Ember", "Poppy", "Ruby")
OTHER = ("Wave", "Lagoon", "Fern", "Reed")
SIZE = (100, 30)


async def pages(path: Path, hand: Sequence[str]) -> list[str]:
    """Everything that a table shows to more than the one seat that noted its hand, page by page."""
    path.unlink(missing_ok=True)
    with skyfire_table(path) as table:
        table.do("skyfire.deal")
        table.do("skyfire.target")
        table.enter("hand_noted", {"seat": "ada", "cards": list(hand)})
        table.do("skyfire.place.1")
        table.enter("place_noted", {"seat": "ada", "zone": 1, "card": hand[0]})
        app = Dashboard(table, clock=ManualClock())
        async with app.run_test(size=SIZE) as pilot:
            await until(pilot, app, "Ada noted a placed card, for Ada's eyes only", "saved, 6")
            found = [await _page(pilot, app, *keys) for keys in PAGES]
            view = table.view()
            told = (
                app.title,
                app.sub_title,
                view.log,
                view.undo,
                view.notice,
                view.awaiting,
                table.inspection.marshal(),
            )
            return [*found, repr(told), repr(view.game)]


PAGES = (
    (),
    ("l",),
    ("escape", "v"),
    ("escape", "c"),
    ("f2",),
    ("up", "f2"),
    ("escape", "f3"),
    ("9",),
    ("escape", "x"),
    ("escape", "escape", "b"),
    ("escape", "j", "2", "enter"),
)


async def _page(pilot: Pilot[None], app: App[None], *keys: str) -> str:
    await pilot.press(*keys)
    await app.workers.wait_for_complete()
    await pilot.pause()
    return screen_text(app)


async def test_two_tables_that_differ_in_a_seats_notes_show_the_same_to_everybody_else(tmp_path: Path) -> None:
    one = await pages(tmp_path / "evening.sqlite", ONE)
    other = await pages(tmp_path / "evening.sqlite", OTHER)
    assert one == other
    *shown, _game = one  # the game's view names every card of the component file
    assert [card for card in (*ONE, *OTHER) for page in shown if card in page] == []
    assert "changed by whoever made them: j opens them" in " ".join(one[4].split())
    assert "only Bo looks" in one[10]


async def test_behind_its_curtain_a_seat_notes_its_hand_and_sees_exact_odds(tmp_path: Path) -> None:
    with skyfire_table(tmp_path / "evening.sqlite") as table:
        table.do("skyfire.deal")
        table.do("skyfire.target")
        for zone in (1, 1, 2):
            table.do(f"skyfire.place.{zone}")
        app = Dashboard(table, clock=ManualClock())
        async with app.run_test(size=SIZE) as pilot:
            await pilot.press("j", "1", "enter")
            await until(pilot, app, "not noted yet")
            await pilot.press(*"com,em,wa")
            await until(pilot, app, "3: Comet, Ember, Wave")
            await pilot.press("enter")
            text = await until(pilot, app, "Your hand   Comet (red), Ember (red+red), Wave (blue)", "Zone 1", "%")
            assert _exact(table, "ada", 1) in text
            await pilot.press("down", *"pop", "enter")
            text = await until(pilot, app, "You placed  Poppy (blue+red) in zone 1")
            assert _exact(table, "ada", 1) in text
            assert all(not line.value for line in app.screen.query(Input))
            await pilot.press("escape")
            await pilot.pause()
            assert "Poppy" not in screen_text(app)
            assert "%" not in screen_text(app)


@pytest.mark.parametrize("size", [(80, 24), (160, 50)], ids=lambda size: f"{size[0]}x{size[1]}")
async def test_who_has_no_cards_left_sees_behind_the_curtain_how_likely_a_misfire_is_right(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    with skyfire_table(tmp_path / "evening.sqlite") as table:
        table.do("skyfire.deal")
        table.do("skyfire.target")
        table.enter("hand_noted", {"seat": "ada", "cards": ["Comet", "Wave", "Fern", "Ember"]})
        for zone in "121212121212":
            table.do(f"skyfire.place.{zone}")
        found = table.seat_view("ada").own.none
        app = Dashboard(table, clock=ManualClock())
        async with app.run_test(size=size) as pilot:
            await pilot.press("j", "1", "enter")
            text = await until(pilot, app, f"No zone {chance(found.probability)}", LOOSE, "your hand now")
            assert "Zone 2" in text
            await pilot.press("escape")
            await pilot.pause()
            assert "No zone" not in screen_text(app)


def _exact(table: Table, seat: str, zone: int) -> str:
    own = table.seat_view(seat).own
    assert own is not None
    probability = own.odds[zone - 1].probability
    assert probability is not None
    return f"{probability.numerator}/{probability.denominator}" if 0 < probability < 1 else f"{probability * 100} %"


async def test_a_note_that_is_refused_stays_in_its_line_and_is_told_behind_the_curtain_only(tmp_path: Path) -> None:
    with skyfire_table(tmp_path / "evening.sqlite") as table:
        table.do("skyfire.deal")
        app = Dashboard(table, clock=ManualClock())
        async with app.run_test(size=SIZE) as pilot:
            await pilot.press("j", "1", "enter")
            await until(pilot, app, "not noted yet")
            await pilot.press(*"com,em", "enter")
            await until(pilot, app, "! Ada holds 4, the note says 2", "com,em")
            await pilot.press("escape")
            await pilot.pause()
            assert "the note says" not in screen_text(app)


async def test_a_missed_ruling_that_is_inserted_is_never_a_secret_one(tmp_path: Path) -> None:
    with skyfire_table(tmp_path / "evening.sqlite") as table:
        app = Dashboard(table, clock=ManualClock())
        async with app.run_test(size=SIZE) as pilot:
            await pilot.press("f3", "9")
            seen = set()
            while (text := screen_text(app)) not in seen:
                seen.add(text)
                await pilot.press("right")
                await pilot.pause()
    assert any("eliminated player's hand" in text for text in seen)
    assert not any("private note" in text for text in seen)


def test_why_nobody_can_know_the_odds_is_said_without_its_clause() -> None:
    record = Record(components=example_deck())
    record.do("deal")
    record.do("hand_noted", seat="ada", cards=ONE)
    record.place(1, 2)
    secrets = GAME.view(record.state, "ada")
    assert "(SF-8)" in repr(secrets)
    assert "unknown: the symbols" in repr(own(secrets, "ada"))
    assert "(SF-" not in repr(own(secrets, "ada"))
