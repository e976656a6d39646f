"""Procedures of a page in the background: what is refused while one runs, and once the board is needed elsewhere."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from companion.board.lending import runs_at_port
from companion.board.procedures import Say, SelftestBoard
from companion.board.runs import NEEDED_ELSEWHERE, RUNS_ALREADY, BoardRuns
from companion.board.shown import ShownProcedure
from companion.board.touch import KEPT, FreePort
from companion.errors import CommandError
from companion.link.settings import DEFAULTS
from companion.session.board_pages import BoardPage
from companion.session.corrections import NotDone
from firmware_protocol.messages import Config
from firmware_protocol.virtual.client import VirtualBoard
from tests.end_to_end.parts import cut_off, needs_vm

WAIT_S = 10.0


def wanted() -> bool:
    return True


def stored(_config: Config) -> str:
    return "kept"


class Ports:
    """Opens a board that is not there, once the test lets it."""

    def __init__(self) -> None:
        self.may_answer = threading.Event()
        self.opened = 0

    @contextmanager
    def open(self, _part: BoardPage, _who: str, _say: Say) -> Iterator[SelftestBoard]:
        self.opened += 1
        assert self.may_answer.wait(WAIT_S)
        raise CommandError("No board is there.")
        yield


def test_once_the_board_is_needed_elsewhere_nothing_begins() -> None:
    ports = Ports()
    ports.may_answer.set()
    runs = BoardRuns(ports.open, stored)
    runs.close()
    for ask in (lambda: runs.begin(BoardPage.SELFTEST, "tablet", wanted), runs.store):
        with pytest.raises(NotDone, match=NEEDED_ELSEWHERE):
            ask()
    assert not ports.opened


def test_a_close_waits_until_the_board_is_free() -> None:
    ports = Ports()
    runs = BoardRuns(ports.open, stored)
    runs.begin(BoardPage.CALIBRATE, "tablet", wanted)
    closing = threading.Thread(target=runs.close)
    closing.start()
    assert runs.is_running
    ports.may_answer.set()
    closing.join(WAIT_S)
    assert not closing.is_alive()
    assert not runs.is_running


def test_a_result_cannot_be_closed_while_there_is_none() -> None:
    ports = Ports()
    runs = BoardRuns(ports.open, stored)
    runs.begin(BoardPage.SELFTEST, "tablet", wanted)
    with pytest.raises(NotDone, match=RUNS_ALREADY):
        runs.put_away()
    assert runs.view is not None
    ports.may_answer.set()
    runs.close()
    runs.put_away()
    assert runs.view is None


def test_a_second_tap_on_skip_skips_no_other_step() -> None:
    shown = ShownProcedure(BoardPage.SELFTEST, lambda: None)
    assert shown.step == 0
    shown.change(asked=("Hands off.", "Pull the trigger."), came=("",))
    shown.skip(1)
    assert [shown.take_skip(), shown.take_skip()] == [True, False]
    shown.skip(1)
    shown.change(came=("quiet", ""))
    assert not shown.take_skip()
    shown.skip(shown.step)
    assert shown.take_skip()


@needs_vm
@pytest.mark.vm
def test_a_single_event_of_a_game_keeps_a_test_away_too(tmp_path: Path) -> None:
    with VirtualBoard.spawn() as board, closing(FreePort(board.url)) as port:
        cut_off(board, tmp_path)
        board.press("zone-1", hold_ms=600_000)
        assert board.unsaved() == 1
        runs = runs_at_port(port, stored)
        with pytest.raises(CommandError, match=KEPT):
            runs._store(DEFAULTS)
        assert board.unsaved() == 1


@needs_vm
@pytest.mark.vm
def test_a_board_that_keeps_events_of_a_game_gets_neither_a_test_nor_settings(
    tmp_path: Path,
) -> None:
    with VirtualBoard.spawn() as board, closing(FreePort(board.url)) as port:
        cut_off(board, tmp_path)
        board.press("zone-1", hold_ms=60)
        board.press("zone-2", hold_ms=60)
        kept = board.unsaved()
        runs = runs_at_port(port, stored)
        runs.begin(BoardPage.SELFTEST, "", wanted)
        assert runs._run is not None
        assert runs._run._is_over.wait(WAIT_S)
        assert runs.view is not None
        assert runs.view.lost == KEPT
        with pytest.raises(CommandError, match=KEPT):
            runs._store(DEFAULTS)
        assert board.unsaved() == kept > 1
