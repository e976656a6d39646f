"""A seat's curtain: its secrets are on the screen while it looks, and never elsewhere."""

from __future__ import annotations

from typing import Any

import pytest
from textual import events
from textual.app import App
from textual.pilot import Pilot
from textual.widgets import Input

from companion.dashboard import pages
from companion.dashboard.app import Dashboard
from companion.dashboard.at_table import KEYS_IGNORED_S
from companion.dashboard.screens import curtain
from companion.dashboard.screens.curtain import PEEK_S, Curtain
from companion.display.panels import NoteField, NoteLine, Panels
from companion.display.tables import PanelTable
from companion.rules.facts import SeatId, Setup
from companion.rules.seats import GLYPHS, seats_from_names
from companion.session.key_meanings import AGREE, DISAGREE
from tests.dashboard.fakes import FakeTable, ManualClock, table_view
from tests.dashboard.screen import screen_text, until

SECRETS = {"red": "seven of hearts", "blue": "queen of spades", "green": "two of clubs"}


NOTE = NoteLine("note", "a card", "note", "a card", (NoteField("text", "a card"),), dict)


def own(secrets: Any, seat: SeatId) -> tuple[PanelTable, ...]:
    return (PanelTable("", (), ((f"{seat.capitalize()} holds the {secrets}",),)),)


HANDS = Panels(own=own, notes=lambda _secrets, _seat: (NOTE,))
"""A hand of cards, and a line to note one in."""


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def app(clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> Dashboard:
    for module in (curtain, pages):
        monkeypatch.setattr(module, "panels_of", lambda _: HANDS)
    table = FakeTable(secrets=dict(SECRETS))
    return Dashboard(table, clock=clock)


def table_of(app: Dashboard) -> FakeTable:
    table = app.at_table.table
    assert isinstance(table, FakeTable)
    return table


def shows_secrets(app: App[None]) -> bool:
    return any(secret in screen_text(app) for secret in SECRETS.values())


async def opened(pilot: Pilot[None], app: Dashboard) -> Curtain:
    await pilot.press("j", "2")
    await until(pilot, app, "> 2 ● Blue   only Blue looks: Enter opens")
    assert not shows_secrets(app)
    await pilot.press("enter")
    await until(pilot, app, "Blue holds the queen of spades")
    assert isinstance(app.screen, Curtain)
    return app.screen


async def test_of_several_nobody_is_chosen_beforehand_so_that_enter_alone_opens_nothing(
    app: Dashboard,
) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("j")
        text = await until(pilot, app, "Who looks? Press your number, then Enter.")
        assert ": Enter opens" not in text
        await pilot.press("enter")
        await until(pilot, app, "! Press your number first.")
        assert not shows_secrets(app)
        await pilot.press("up", "enter")
        await until(pilot, app, "Green holds the two of clubs")


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
async def test_one_seat_sees_its_own_secrets_and_nobody_elses(
    app: Dashboard, size: tuple[int, int]
) -> None:
    async with app.run_test(size=size) as pilot:
        await opened(pilot, app)
        text = screen_text(app)
    assert "only Blue looks" in text
    assert "seven of hearts" not in text
    assert "two of clubs" not in text


async def test_an_unattended_curtain_falls_ten_seconds_after_the_last_key(
    app: Dashboard, clock: ManualClock
) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        curtain = await opened(pilot, app)
        assert PEEK_S == 10
        clock.now += PEEK_S - 0.5
        await pilot.press("f9")
        clock.now += PEEK_S - 0.5
        curtain.tick()
        await pilot.pause()
        assert shows_secrets(app)
        clock.now += 0.5
        curtain.tick()
        await until(pilot, app, "> Waiting for fire!")
        assert not shows_secrets(app)
        assert not isinstance(app.screen, Curtain)


async def test_a_sign_that_only_looks_like_a_number_opens_no_curtain(app: Dashboard) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("j")
        app.post_message(events.Key("superscript_two", "²"))
        await pilot.press("2")
        await until(pilot, app, "> 2 ● Blue")
    assert app.crash is None


async def test_a_number_that_no_player_has_is_answered(app: Dashboard) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("j", "9")
        await until(pilot, app, "! No player has the number 9. Press one shown.")
        await pilot.press("2")
        assert "No player has" not in await until(pilot, app, "> 2 ● Blue")


async def test_each_of_twelve_players_has_a_key_of_the_curtain(
    clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (curtain, pages):
        monkeypatch.setattr(module, "panels_of", lambda _: HANDS)
    names = [f"Name{n}" for n in range(1, 13)]
    view = table_view(setup=Setup("names-only", 1, seats_from_names(names)))
    app = Dashboard(FakeTable(view), clock=clock)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("j")
        for place, key in enumerate("1234567890qw"):
            await pilot.press(key)
            await until(pilot, app, f"> {key} {GLYPHS[place]} {names[place]}")


async def test_esc_hides_at_once(app: Dashboard) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot, app)
        await pilot.press("escape")
        await pilot.pause()
        assert not shows_secrets(app)
        assert len(app.screen_stack) == 1


async def test_who_types_keeps_the_curtain_open(app: Dashboard, clock: ManualClock) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        curtain = await opened(pilot, app)
        curtain.query_one(Input).focus()
        for letter in "ace":
            clock.now += PEEK_S - 0.5
            curtain.tick()
            await pilot.press(letter)
        assert shows_secrets(app)
        await pilot.press("enter")
        await pilot.pause()
        clock.now += PEEK_S
        curtain.tick()
        await pilot.pause()
        assert not shows_secrets(app)
    assert table_of(app).put == [("enter", "note", {"text": "ace"}, "", "")]


async def test_a_note_that_is_left_half_typed_is_hidden_too(
    app: Dashboard, clock: ManualClock
) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        curtain = await opened(pilot, app)
        curtain.query_one(Input).focus()
        await pilot.press(*"ac")
        clock.now += PEEK_S
        curtain.tick()
        await pilot.pause()
        assert not shows_secrets(app)
    assert table_of(app).put == []


@pytest.mark.parametrize("by_itself", [True, False], ids=["by itself", "by Esc"])
async def test_for_a_second_after_secrets_were_hidden_keys_do_nothing_and_say_so(
    app: Dashboard, clock: ManualClock, by_itself: bool
) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        curtain = await opened(pilot, app)
        clock.now += PEEK_S if by_itself else 0
        curtain.tick()
        await pilot.press(*([] if by_itself else ["escape"]))
        await pilot.pause()
        assert not isinstance(app.screen, Curtain)
        clock.now += KEYS_IGNORED_S - 0.01
        await pilot.press("f", "2", "enter", "l")
        await until(pilot, app, "! The secrets are hidden again")
        assert table_of(app).done == []
        clock.now += 0.01
        await pilot.press("f")
        await pilot.pause()
    assert len(table_of(app).done) == 1


async def test_where_no_secret_was_opened_the_next_key_acts_at_once(app: Dashboard) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("j", "escape", "f")
        await pilot.pause()
    assert len(table_of(app).done) == 1


async def test_keys_that_were_typed_in_one_go_with_the_one_that_hides_are_no_moves(
    app: Dashboard,
) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot, app)
        for key in ("escape", *"ffff"):
            app.post_message(events.Key(key, key if len(key) == 1 else None))
        await pilot.pause()
        await pilot.pause()
        assert not isinstance(app.screen, Curtain)
    assert table_of(app).done == []


async def test_a_refusal_behind_the_curtain_is_told_there_only(app: Dashboard) -> None:
    table_of(app).refuses = "you do not hold the ace; expected the queen of spades (SF-3)"
    async with app.run_test(size=(80, 24)) as pilot:
        curtain = await opened(pilot, app)
        curtain.query_one(Input).focus()
        await pilot.press(*"ace", "enter")
        await until(pilot, app, "! you do not hold the ace")
        await pilot.press("escape")
        await pilot.pause()
        assert "do not hold" not in screen_text(app)
        table_of(app).publish()
        await pilot.pause()
        assert "do not hold" not in screen_text(app)
        assert not shows_secrets(app)


async def test_a_change_of_the_game_is_shown_behind_the_open_curtain(app: Dashboard) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot, app)
        table_of(app).secrets["blue"] = "king of spades"
        table_of(app).publish(awaiting="Blue plays a card.")
        await until(pilot, app, "Blue holds the king of spades")
        assert "At the table: Blue plays a card." in screen_text(app)


async def test_a_question_of_the_table_is_not_answered_behind_the_curtain_and_says_so(
    app: Dashboard,
) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot, app)
        table_of(app).publish(
            question="Take that back?", overrides={"enter": AGREE.id, "escape": DISAGREE.id}
        )
        await until(pilot, app, "? Take that back? - close this first")
        await pilot.press("escape")
        await until(pilot, app, "? Take that back? - Enter yes, Esc no")


async def test_who_has_left_does_not_look(app: Dashboard) -> None:
    table_of(app).current = table_view(left=frozenset({"blue"}))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("j", "down", "down")
        await until(pilot, app, "> 2 ▲ Green   only Green looks: Enter opens")
        assert "Blue" not in screen_text(app)


async def test_no_key_of_the_game_acts_behind_the_curtain(app: Dashboard) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot, app)
        await pilot.press("f", "u")
    assert table_of(app).done == []


async def test_a_screen_with_nothing_for_one_seat_alone_says_so() -> None:
    app = Dashboard(FakeTable(), clock=ManualClock())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("j")
        await until(pilot, app, "! This game has no private notes")
