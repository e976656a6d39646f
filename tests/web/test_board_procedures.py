"""Selftest and calibration of a real board from a page, in the middle of a game."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.board import runs
from companion.board.calibrated import read_settings
from companion.board.lending import board_in_play
from companion.board.procedures import examine
from companion.board.runs import RUNS_ALREADY, STEP_IS_OVER
from companion.board.selftest import Grade
from companion.demo.capture import captured
from companion.demo.replay import replay
from companion.journal.entries import Control, Layer, is_control
from companion.link.settings import FIELDS
from companion.rules.gestures import GestureSettings
from companion.session.board_side import NOT_LIVE
from companion.session.board_tests import IN_TEST
from companion.session.opening import begin
from companion.session.roles import Role
from companion.session.table import Table
from firmware_protocol.virtual.client import VirtualBoard
from tests.end_to_end.parts import (
    SEATS,
    at_table,
    draws,
    facts,
    live,
    needs_vm,
    press_key,
    presses,
    record,
    wait_for,
)
from tests.web.board_at_work import PACE, BoardWorker, board_pages, require_sound, until, worked
from tests.web.browser import Browser, Chromium

pytestmark = [pytest.mark.waits, pytest.mark.vm, needs_vm]


@pytest.fixture
def board() -> Iterator[VirtualBoard]:
    with VirtualBoard.spawn() as board:
        yield board


def test_a_sound_board_passes_and_no_press_becomes_a_fact(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, board: VirtualBoard
) -> None:
    with board_pages(tmp_path, monkeypatch, board) as (table, pages):
        press_key(table, "panic-fire.fire")
        before = table.view().game
        device = BoardWorker(pages)
        device.open()
        assert device.ask("board.selftest") == (200, "It begins. Do what this page asks.")
        wait_for(table, lambda view: bool(view.testing), "the test")
        assert table.view().testing == "The board is being tested (tablet). Presses do not count."
        result = device.answer_all(lambda asked: worked(board, asked))
        require_sound(result)
        wait_for(table, lambda view: not view.testing, "the end of the test")
        device.close()
        assert table.view().game == before
        # from now on, presses count again
        board.press("zone-1", hold_ms=80)
        wait_for(table, lambda view: view.game != before, "the draw")
    entries = record(tmp_path / "evening.sqlite")
    assert len(facts(entries, "draw")) == 1
    begins = [entry.body["begins"] for entry in entries if is_control(entry, Control.TEST)]
    assert begins == [True, False]
    unread = [entry for entry in entries if is_control(entry, Control.IGNORED)]
    assert len(unread) >= 12
    assert all(IN_TEST in entry.body["reason"] for entry in unread), unread


def test_a_broken_wire_is_found_and_a_step_can_be_skipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, board: VirtualBoard
) -> None:
    with board_pages(tmp_path, monkeypatch, board) as (table, pages):
        device = BoardWorker(pages)
        device.open()
        device.ask("board.selftest")

        def person(asked: str) -> None:
            if asked.startswith("Press zone-3 "):
                assert device.skip() == (200, "Skipped.")
                assert device.ask("board.skip.1") == (422, STEP_IS_OVER)
            elif asked.startswith("Press zone-2 "):  # its lead is on another input
                board.press("zone-7", hold_ms=30)
                until(lambda: _edges_of(table, "zone-7") == 2, "the press of the other wire")
                device.skip()
            else:
                worked(board, asked)

        result = device.answer_all(person)
        device.close()
    assert "The board has 1 fault. Look below." in result
    assert "is silent, and zone-7 answers for it: swapped leads." in result
    assert "is quiet at rest; it was skipped." in result


def _edges_of(table: Table, channel: str) -> int:
    """Return how many edges of a channel are recorded."""
    entries = table.look(lambda record: tuple(record.entries))
    edges = [entry for entry in entries if entry.kind == "event"]
    return sum(entry.body["channel"] == channel for entry in edges)


def test_a_calibration_is_kept_for_this_game_and_new_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, board: VirtualBoard
) -> None:
    with board_pages(tmp_path, monkeypatch, board) as (table, pages):
        device = BoardWorker(pages)
        device.open()
        assert device.ask("board.store")[0] == 422
        device.ask("board.calibrate")
        wait_for(table, lambda view: "calibrated" in view.testing, "the calibration")
        result = device.answer_all(lambda asked: worked(board, asked))
        assert "Look at the settings, then keep them." in result
        assert read_settings() == ({}, "")
        status, said = device.ask("board.store")
        assert (status, said) == (200, "This game and new ones have these settings from now on.")
        device.close()
        settings, trouble = read_settings()
        assert (trouble, 800 < settings["hit_threshold"] < 2400) == ("", True)
        wait_for(table, lambda view: view.board == settings, "the settings of the session")
        until(lambda: _configured(table) == settings, "the board to have them")
    entries = record(tmp_path / "evening.sqlite")
    (stored,) = [entry for entry in entries if is_control(entry, Control.BOARD)]
    assert stored.body["why"] == "calibrated"
    assert not [entry for entry in entries if entry.layer is Layer.FACT]


def _configured(table: Table) -> dict[str, int]:
    """Return the settings that the board said it has."""
    entries = table.look(lambda record: tuple(record.entries))
    told = [entry.body for entry in entries if entry.kind == "config"]
    return {name: told[-1][name] for name in FIELDS if name in told[-1]}


def test_only_roles_of_the_board_run_it_one_at_a_time_and_anybody_of_them_stops_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, board: VirtualBoard
) -> None:
    with board_pages(tmp_path, monkeypatch, board) as (table, pages):
        referee = BoardWorker(pages, Role.REFEREE, "phone")
        assert referee.ask("board.selftest") == (
            422,
            "A page for the referee cannot do this. Use a page for the table.",
        )
        first, second = BoardWorker(pages), BoardWorker(pages, Role.TABLE, "desk")
        first.open()
        until(lambda: "board.selftest" in second.get(), "the button that begins it")
        first.ask("board.selftest")
        wait_for(table, lambda view: bool(view.testing), "the test")
        assert second.ask("board.calibrate") == (422, RUNS_ALREADY)
        assert referee.ask("board.stop")[0] == 422
        assert "board.stop" not in referee.get()
        until(lambda: "board.stop" in second.get(), "the button")
        assert "board.selftest" not in second.get()
        assert second.ask("board.stop") == (200, "Stopped.")
        assert not table.view().testing
        assert second.ask("board.stop")[0] == 422
        until(lambda: "Stopped. Nothing was changed." in first.get(), "the result")
        first.close()


def test_a_closed_page_ends_its_test_and_presses_count_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, board: VirtualBoard
) -> None:
    monkeypatch.setattr(runs, "CLOSED_S", 0.3)
    with board_pages(tmp_path, monkeypatch, board) as (table, pages):
        press_key(table, "panic-fire.fire")
        device = BoardWorker(pages)
        device.open()
        device.ask("board.selftest")
        wait_for(table, lambda view: bool(view.testing), "the test")
        device.close()
        wait_for(table, lambda view: not view.testing, "the end of the test")
        until(lambda: runs.PAGE_CLOSED in device.get(), "the reason on the page")
        board.press("zone-1", hold_ms=80)
        wait_for(table, lambda view: draws(view, 0) == 1, "the draw")
    assert not [thread for thread in threading.enumerate() if thread.name == "board of a page"]


def test_a_pulled_cable_ends_the_test_and_what_follows_is_of_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, board: VirtualBoard
) -> None:
    with board_pages(tmp_path, monkeypatch, board) as (table, pages):
        press_key(table, "panic-fire.fire")
        device = BoardWorker(pages)
        device.open()
        device.ask("board.selftest")
        wait_for(table, lambda view: bool(view.testing), "the test")
        board.press("zone-2", hold_ms=80)
        board.unplug()
        wait_for(table, lambda view: not view.testing, "the end of the test")
        until(lambda: "The board is lost" in device.get(), "the reason on the page")
        assert device.ask("board.selftest") == (422, NOT_LIVE)
        board.plug()
        wait_for(table, live, "the board again")
        board.press("zone-1", hold_ms=80)
        wait_for(table, lambda view: draws(view, 0) == 1, "the draw")
        device.close()
    entries = record(tmp_path / "evening.sqlite")
    (draw,) = facts(entries, "draw")
    assert entries[draw.causes[0] - 1].body["channel"] == "zone-1"
    assert presses(entries, "zone-2")  # recorded as evidence


def test_a_program_that_dies_in_a_test_leaves_no_press_of_it_to_the_resumed_game(
    tmp_path: Path, board: VirtualBoard
) -> None:
    path = tmp_path / "evening.sqlite"
    with at_table(path, board) as table:
        press_key(table, "panic-fire.fire")
        table.board.begin_test("selftest", "tablet").close()
        board.press("zone-1", hold_ms=80)
        table.close(clean=False)
    board.press("zone-2", hold_ms=80)  # nobody knows what for
    with at_table(path, board) as table:
        assert not table.view().testing
        board.press("zone-3", hold_ms=80)
        wait_for(table, lambda view: draws(view, 2) == 1, "the draw")
        assert [draws(table.view(), seat) for seat in range(3)] == [0, 0, 1]
        reread = table.inspection.reread(GestureSettings())
        assert not reread.changes


def test_a_wire_that_was_muted_before_the_test_is_a_fault(
    tmp_path: Path, board: VirtualBoard
) -> None:
    with at_table(tmp_path / "evening.sqlite", board) as table:
        board.play([(50 * number, "zone-9", 1 - number % 2) for number in range(3000)])
        wait_for(table, lambda view: bool(view.link.muted), "the muted wire")
        with board_in_play(table, "selftest", "", lambda _sentence: None, PACE) as listener:
            results = {verdict.wire: verdict for verdict in examine(listener, press=False)}
    assert results["zone-9"].sentence.startswith("was muted: ")
    assert results["zone-8"].grade is Grade.UNTRIED


def test_a_captured_game_with_a_test_replays_into_what_it_was(
    tmp_path: Path, board: VirtualBoard
) -> None:
    capture = tmp_path / "game.capture"
    table = begin("panic-fire", SEATS, {}, tmp_path / "game.sqlite", make=captured(capture))
    with closing(table):
        table.board.connect(board.url)
        wait_for(table, live, "the board")
        press_key(table, "panic-fire.fire")
        with board_in_play(table, "selftest", "", lambda _sentence: None, PACE) as listener:
            board.shot(peak=2400)
            assert len(listener.until(lambda events: len(events) >= 3)) >= 3
        board.press("zone-2", hold_ms=80)
        wait_for(table, lambda view: draws(view, 1) == 1, "the draw")
    replayed = replay(capture)
    assert replayed.expected is not None
    assert replayed.result == replayed.expected


def test_in_a_browser_the_page_asks_step_by_step_and_leaving_it_ends_the_test(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, board: VirtualBoard, chromium: Chromium
) -> None:
    monkeypatch.setattr(runs, "CLOSED_S", 0.3)
    with (
        board_pages(tmp_path, monkeypatch, board) as (table, pages),
        chromium.page() as phone,
        chromium.page() as wall,
    ):
        phone.size(390, 844)
        phone.open(pages.address_of_role(pages.give_out(Role.BOARD, "tablet")))
        wall.open(pages.address_of())
        _click(phone, "board.calibrate")
        phone.wait_for(_HEADLINE, lambda words: words == "Shot 1 of 3: fire as in play.")
        wall.wait_for("document.body.innerText.includes('The board is being calibrated (tablet).')")
        _click(phone, "board.skip")
        phone.wait_for(_HEADLINE, lambda words: words == "Shot 2 of 3: fire as in play.")
        board.shot(peak=2400)
        phone.wait_for("document.querySelector('#board').innerText.includes('peak 2400')")
        assert phone.js("document.documentElement.scrollWidth") <= 390
        phone.open("about:blank")
        wall.wait_for("!document.body.innerText.includes('The board is being calibrated')")
        assert not table.view().testing
        assert not phone.errors + wall.errors


_HEADLINE = "document.querySelector('#board .awaiting')?.innerText"


def _click(page: Browser, wish: str) -> None:
    """Press a button, once a person can see that it has changed."""
    button = f"document.querySelector('[data-wish*=\"{wish}\"]')"
    page.wait_for(f"!!{button}")
    page.js("new Promise((go) => setTimeout(go, 320))")
    page.js(f"{button}.click()")
