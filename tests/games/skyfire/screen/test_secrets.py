"""A private note of SkyFire is on no screen but behind the seat's own curtain."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Input

from companion.dashboard.app import Dashboard
from companion.games.skyfire.panels import LOOSE, own
from companion.games.skyfire.rules.known import chance, work_out
from companion.session.table import Table
from tests.dashboard.fakes import ManualClock
from tests.dashboard.screen import screen_text, until
from tests.games.skyfire.playing import GAME, Record, example_deck
from tests.games.skyfire.screen.parts import skyfire_table

HAND = ("Comet", "Ember", "Poppy", "Ruby")
SIZE = (100, 30)


async def test_a_note_is_in_no_list_of_rulings_and_nobody_else_can_amend_it(tmp_path: Path) -> None:
    with skyfire_table(tmp_path / "evening.sqlite") as table:
        table.do("skyfire.deal")
        table.do("skyfire.target")
        table.enter("hand_noted", {"seat": "ada", "cards": list(HAND)})
        app = Dashboard(table, clock=ManualClock())
        async with app.run_test(size=SIZE) as pilot:
            await pilot.press("c", "f2")
            text = await until(pilot, app, "Change: the target is")
            await pilot.press("escape")
    assert "note" not in text
    assert [card for card in HAND if card in text] == []


async def test_behind_the_curtain_a_seat_takes_its_last_note_back_and_the_table_undoes_its_own_step(
    tmp_path: Path,
) -> None:
    with skyfire_table(tmp_path / "evening.sqlite") as table:
        table.do("skyfire.deal")
        table.do("skyfire.place.1")
        app = Dashboard(table, clock=ManualClock())
        async with app.run_test(size=SIZE) as pilot:
            await pilot.press("j", "1", "enter")
            await until(pilot, app, "not noted yet")
            await pilot.press(*"com,em,wa", "enter")
            await until(
                pilot, app, "Your hand  Comet (red), Ember (red+red), Wave (blue)", "^z undo note"
            )
            assert table.view().undo == "Ada places a card in zone 1, now 1 card"
            await pilot.press("ctrl+z")
            await until(pilot, app, "not noted yet")
            await pilot.press("ctrl+z")
            await until(pilot, app, "! You have no note to undo.")
            table.do("table.undo")
            assert table.view().game.zones[0].cards == ()


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
            text = await until(
                pilot, app, "Your hand   Comet (red), Ember (red+red), Wave (blue)", "Zone 1", "%"
            )
            assert _exact(table, "ada", 1) in text
            await pilot.press("down", *"pop", "enter")
            text = await until(pilot, app, "You placed  Poppy (blue+red) in zone 1")
            assert _exact(table, "ada", 1) in text
            assert all(not line.value for line in app.screen.query(Input))
            await pilot.press("escape")
            await pilot.pause()
            assert "Poppy" not in screen_text(app)
            assert _exact(table, "ada", 1) not in screen_text(app)


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
        found = work_out(table.seat_view("ada").own.odds)[-1]
        assert found.probability is not None
        app = Dashboard(table, clock=ManualClock())
        async with app.run_test(size=size) as pilot:
            await pilot.press("j", "1", "enter")
            text = await until(
                pilot, app, f"No zone {chance(found.probability)}", LOOSE, "your hand now"
            )
            assert "Zone 2" in text
            await pilot.press("escape")
            await pilot.pause()
            assert LOOSE not in screen_text(app)


def _exact(table: Table, seat: str, zone: int) -> str:
    own = table.seat_view(seat).own
    assert own is not None
    probability = work_out(own.odds)[zone - 1].probability
    assert probability is not None
    return (
        f"{probability.numerator}/{probability.denominator}"
        if 0 < probability < 1
        else f"{probability * 100} %"
    )


async def test_a_note_that_is_refused_stays_in_its_line_and_is_told_behind_the_curtain_only(
    tmp_path: Path,
) -> None:
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
    record.do("hand_noted", seat="ada", cards=HAND)
    record.place(1, 2)
    secrets = GAME.view(record.state, "ada")
    assert "(SF-8)" in repr(secrets)
    assert "the symbols of the target are not entered" in repr(own(secrets, "ada"))
    assert "(SF-" not in repr(own(secrets, "ada"))


@pytest.mark.parametrize("size", [(60, 15), (80, 24), (160, 50)], ids=str)
async def test_each_line_of_the_private_page_says_what_it_takes_however_many_there_are(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    with skyfire_table(tmp_path / "evening.sqlite") as table:
        table.do("skyfire.deal")
        table.do("skyfire.target")
        for zone in "12312":
            table.do(f"skyfire.place.{zone}")
        app = Dashboard(table, clock=ManualClock())
        async with app.run_test(size=size) as pilot:
            await pilot.press("j", "1", "enter")
            await until(pilot, app, "> your hand now", "2 cards, commas between", "Enter notes it")
            await pilot.press("tab")
            await until(pilot, app, "> yours in zone 1", "which of your cards", "Enter notes it")
