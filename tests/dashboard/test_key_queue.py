"""Keys typed in one go: each is handled by the screen that the previous one opened."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.screen import ModalScreen
from textual.widgets import Input

from companion.dashboard.app import Dashboard
from companion.dashboard.screens.table import TableScreen
from companion.dashboard.textual import key_queue as in_turn
from companion.dashboard.textual.key_queue import KeyQueue
from companion.session.opening import begin
from companion.session.table import Table
from companion.session.views import Level
from tests.dashboard.correcting import marshal_table, moment, record
from tests.dashboard.fakes import FakeTable, ManualClock
from tests.dashboard.screen import screen_text, until

DRAW = {"seat": "red", "at": moment(1000).model_dump()}


def burst(app: App[Any], *keys: str) -> None:
    """Type keys faster than the screen handles them."""
    for key in keys:
        app.post_message(events.Key(key, key if len(key) == 1 else " " if key == "space" else None))


def words(text: str) -> list[str]:
    return ["space" if sign == " " else sign for sign in text]


@pytest.mark.parametrize(
    ("keys", "put"),
    [
        (["f2", "right", "tab", *"hands", "enter"], ("amend", 11, {"seat": "green"}, "hands", "")),
        (
            ["up", "f3", "1", "r", *["tab"] * 4, *"+1.000", "enter"],
            ("insert", "draw", DRAW, 8, "", ""),
        ),
        (["f6", "tab", *"y", "enter"], ("enter", "seat_leaves", {"seat": "yellow"}, "", "")),
        (["f5", "down", "right", "enter"], ("level", "draws", Level.MANUAL)),
        (
            ["x", *words("two at once"), "tab", "right", "enter"],
            ("take_back", 11, "two at once", "red"),
        ),
        (["up", "x", *"why", "enter"], ("take_back", 8, "why", "")),
        (
            ["f6", "escape", "f6", "tab", *"g", "enter"],
            ("enter", "seat_leaves", {"seat": "green"}, "", ""),
        ),
    ],
)
async def test_a_whole_form_is_typed_in_one_go(keys: list[str], put: tuple[Any, ...]) -> None:
    table = marshal_table(record(3))
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("c")
        await until(pilot, app, "Board reports")
        burst(app, *keys)
        await until_put(pilot, app, table)
        await pilot.pause()
        assert len(app.screen_stack) == 2, "the form is gone"
    assert table.done == [], "no key went to the table"
    assert table.put == [put]


async def until_put(pilot: Any, app: App[None], table: FakeTable) -> None:
    for _ in range(200):
        await pilot.pause()
        await app.workers.wait_for_complete()
        if table.put:
            return
    raise AssertionError(screen_text(app))


async def test_a_page_a_form_and_the_palette_are_opened_and_used_in_one_go() -> None:
    table = marshal_table(record(3))
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test(size=(100, 30)) as pilot:
        burst(app, "l", "home", "l", "ctrl+p", *"people", "enter")
        await until(pilot, app, "somebody leaves")
    assert table.done == []


@pytest.fixture
def sky(tmp_path: Path) -> Iterator[Table]:
    options = {"map": "example", "difficulty": "medium", "ai_cards": "physical"}
    with closing(
        begin(
            "fractured-sky",
            ["Ada"],
            options,
            tmp_path / "sky.sqlite",
            components={},
            chance=Random(4),
        )
    ) as table:
        yield table


async def test_a_seats_move_and_an_ais_card_are_typed_in_one_go(sky: Table) -> None:
    app = Dashboard(sky)
    async with app.run_test(size=(100, 30)) as pilot:
        burst(app, "1", "1", "i", "2", "s")
        await until(pilot, app, "AI black: scouts Hidden card 1")
    game = sky.view().game
    assert [flight.region for flight in game.table.flights] == [game.table.board.ids[1]]


class Slow(ModalScreen[None]):
    """A screen that takes a while to lay out its field."""

    BINDINGS = [Binding("f1", "send")]  # noqa: RUF012  textual's own declaration

    def compose(self) -> ComposeResult:
        yield Input()

    async def on_mount(self) -> None:
        await self.app.gate.wait()  # type: ignore[attr-defined]

    def action_send(self) -> None:
        self.app.heard.append(self.query_one(Input).value)  # type: ignore[attr-defined]
        self.dismiss()


class Small(KeyQueue[None]):
    BINDINGS = [Binding("o", "open"), Binding("x", "lose"), Binding("a,b,f1", "wrong")]  # noqa: RUF012

    def __init__(self) -> None:
        super().__init__()
        self.gate = asyncio.Event()
        self.heard: list[str] = []

    def action_open(self) -> None:
        self.push_screen(Slow())

    def action_wrong(self) -> None:
        self.heard.append("wrong")

    def action_lose(self) -> None:
        self.opening()  # and nobody ever says that it is open


async def test_keys_wait_however_long_a_screen_takes_within_reason() -> None:
    app = Small()
    async with app.run_test() as pilot:
        burst(app, "o", "a", "b")
        await asyncio.sleep(0)
        app.gate.set()
        await pilot.pause()
        burst(app, "a", "f1", "a")
        await pilot.pause()
    assert app.heard == ["aba", "wrong"]


async def test_a_key_on_its_way_when_the_app_began_to_hang_does_nothing_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = FakeTable()
    app = Dashboard(table, clock=ManualClock())
    async with app.run_test() as pilot:
        with monkeypatch.context() as hanging:
            hanging.setattr(
                TableScreen, "on_key", lambda _screen, _key: app.set_hanging(True), raising=False
            )
            await pilot.press("f")
        app.set_hanging(False)
        await pilot.pause()
        assert table.done == []
        await pilot.press("f")
        assert table.done == ["fire"]


async def test_what_never_says_that_it_is_open_holds_up_no_key_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(in_turn, "KEY_TIMEOUT_S", 0.01)
    app = Small()
    async with app.run_test() as pilot:
        burst(app, "x", "a", "b")
        for _ in range(200):
            await pilot.pause(0.01)
            if len(app.heard) == 2:
                break
    assert app.heard == ["wrong", "wrong"]
