"""A round over wires that are not perfect, and a session with faults on purpose: every press is accounted for, and a
capture of it all gives the same result again."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import pytest

from companion.demo.capture import captured, result_of
from companion.demo.replay import replay
from companion.demo.run import run_demo
from companion.demo.steps import DemoStep, zone
from companion.errors import ErrorKind
from companion.games.panic_fire.players import PanicFirePlayers
from companion.journal.store import read_entries
from companion.session.opening import begin, resume
from companion.session.table import Table
from companion.session.views import TableView
from firmware_protocol.messages import Gap
from firmware_protocol.virtual.faults import FaultRates
from tests.demo.fault_script import FOREIGN, Fault, FaultKind, heal
from tests.demo.faulty import recorded_board, rough, settled, verdict
from tests.demo.presses import RecordedBoard
from tests.end_to_end.parts import SEATS, draws, facts, live, record, wait_for

pytestmark = [
    pytest.mark.waits,
    pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals exist on Unix only"),
]

TRANSPORTS = {
    "perfect": FaultRates(),
    "one byte at a time": FaultRates(one_byte=True),
    "20 % lossy": FaultRates(drop=0.2),
    "slow": FaultRates(delay=1.0, delay_ms=60.0),
}
RING = 16
# Every press begins so much later: the finger before is off by then.
LATER_MS = 150


@contextmanager
def captured_table(folder: Path, board: RecordedBoard) -> Iterator[Table]:
    session, capture = folder / "session.sqlite", folder / "session.capture"
    make = captured(capture)
    table = (
        resume(session, make)
        if session.exists()
        else begin("panic-fire", SEATS, {}, session, make=make)
    )
    try:
        table.board.connect(board.url)
        wait_for(table, live, "a live link to an armed board")
        yield table
    finally:
        table.close()


@pytest.fixture
def board(tmp_path: Path) -> Iterator[RecordedBoard]:
    with RecordedBoard.spawn("cpython", seed=3, path=tmp_path / "port", ring_size=RING) as started:
        yield started


def game(view: Any) -> Any:
    return view.game


def hold(table: Table, board: RecordedBoard, channel: str, seen: Any, wanted: str) -> None:
    board.press(channel, 700, at_ms=LATER_MS)
    wait_for(table, seen, wanted)


def play_a_round(table: Table, board: RecordedBoard) -> None:
    """Play a round: Fire!, four draws, and two shots that leave Red alone."""
    hold(table, board, "zone-1", lambda view: game(view).phase == "open", "an open round")
    for number in range(4):
        board.press(f"zone-{number % 3 + 1}", 80, at_ms=LATER_MS)
        wait_for(table, lambda view: sum(draws(view, seat) for seat in range(3)) > number, "a draw")  # noqa: B023
    for target in (2, 3):
        board.shot(lag_ms=5, at_ms=LATER_MS)
        wait_for(table, lambda view: bool(game(view).open_shots), "an open shot")
        hold(
            table,
            board,
            f"zone-{target}",
            lambda view: game(view).open_shots[0].target is not None,
            "a target",
        )
        hold(table, board, "zone-1", lambda view: not game(view).open_shots, "a shooter")
    wait_for(table, lambda view: game(view).phase != "open", "the end of the round")


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_round_is_the_same_over_every_wire(
    transport: str, board: RecordedBoard, tmp_path: Path
) -> None:
    rates = TRANSPORTS[transport]
    board.faults(rates, rates, seed=5)
    with captured_table(tmp_path, board) as table:
        play_a_round(table, board)
        board.faults()
        account = settled(table, board)
        link = wait_for(table, live, "a live link to an armed board").link

    entries = record(tmp_path / "session.sqlite")
    assert account.good, account.sentence()
    assert len(account.recorded) == len(board.made)
    assert (len(facts(entries, "draw")), len(facts(entries, "shot"))) == (4, 2)
    assert dict(link.details)["gaps"] == "0, 0 events lost"
    assert replay(tmp_path / "session.capture").result == result_of(entries)


def test_a_session_with_every_kind_of_loss_accounts_for_each_press_and_replays(
    board: RecordedBoard, tmp_path: Path
) -> None:
    with captured_table(tmp_path, board) as table:
        hold(table, board, "zone-1", lambda view: game(view).phase == "open", "an open round")
        board.overflow(2 * RING, every_ms=20)
        board.print_text(FOREIGN)
        wait_for(
            table, lambda view: any("could not keep" in line.text for line in view.log), "a gap"
        )
        board.press("zone-1", 60, at_ms=LATER_MS)
        board.press("zone-2", 60, at_ms=LATER_MS)
        wait_for(table, lambda view: draws(view, 0) == draws(view, 1) == 1, "two draws")
        restarting: list[Callable[[], int]] = [
            partial(board.reset, same_numbers=True),
            board.reset,
            board.power_cycle,
        ]
        for number, again in enumerate(restarting, 1):
            before = restarts(table.view())
            board.press("zone-9", 40, at_ms=5000)  # nobody will see this one
            again()
            wait_for(table, lambda view: restarts(view) > before, "the unknown interval")  # noqa: B023
            wait_for(table, live, "a live link to an armed board")
            board.press("zone-3", 60, at_ms=LATER_MS)
            wait_for(table, lambda view: draws(view, 2) == number, "a draw after it")  # noqa: B023
        board.unplug()
        board.press("zone-1", 60, at_ms=LATER_MS)
        board.disturb_clock(ppm=60, step_ms=700)
        board.plug()
        heal(board)
        account = settled(table, board)
        table.do("panic-fire.shield.1")
        table.take_back(facts(tuple(read_entries(table.path)), "draw")[0].n, "miscounted", "blue")

    entries = record(tmp_path / "session.sqlite")
    assert account.good, account.sentence()
    assert (len(account.unknown), len(account.in_gaps) > 0) == (3, True)
    replayed = replay(tmp_path / "session.capture")
    assert replayed.result == replayed.expected == result_of(entries)


def restarts(view: TableView) -> int:
    return sum("lost power or restarted" in line.text for line in view.log)


def forget_gaps(table: Table) -> None:
    """Drop the board's reports of events that it could not store: the fault that a demo must not hide."""
    store = table.board.store
    table.board.store = lambda evidence: store(  # type: ignore[method-assign]
        [item for item in evidence if not isinstance(item.message, Gap)]
    )


def test_a_demo_that_really_loses_a_press_says_which_and_fails(
    board: RecordedBoard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.demo.faulty.SETTLE_S", 0.5)
    table = begin("panic-fire", SEATS, {}, tmp_path / "session.sqlite")
    forget_gaps(table)
    out = io.StringIO()
    try:
        table.board.connect(board.url)
        wait_for(table, live, "a live link to an armed board")
        presses = [(number * 20_000, f"zone-{number % 3 + 1}") for number in range(3 * RING)]
        board.silence(1.2)
        board.play(
            [edge for at, zone in presses for edge in ((at, zone, 1), (at + 9_000, zone, 0))]
        )
        wait_for(table, lambda view: _gaps(view) > 0, "a gap")
        code = verdict(table, board, out)
    finally:
        table.close()
    assert code is ErrorKind.SOFTWARE
    assert "LOST; this must not happen." in out.getvalue()
    assert "zone-1 at " in out.getvalue()


def _gaps(view: TableView) -> int:
    return int(dict(view.link.details)["gaps"].split(",")[0]) if view.link.details else 0


class InAHurry(PanicFirePlayers):
    """Two people who open a round and take one card each."""

    seats: ClassVar[tuple[str, ...]] = ("Red", "Blue")

    def steps(self) -> Iterator[DemoStep]:
        yield self.hold(zone(0), lambda view: view.phase == "open", "the round is open")
        yield self._draw(0, 60)
        yield self._draw(1, 60)


def test_players_whose_board_loses_power_do_again_what_was_lost(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("companion.demo.run.scripted_players_of", lambda _: InAHurry)
    monkeypatch.setattr(
        "tests.demo.faulty.script", lambda *_: iter([Fault(0.0, FaultKind.POWER, 0.5)])
    )
    play = rough("power", 1, sys.stdout)
    ending = run_demo("panic-fire", seed=1, speed=1000, plain=True, board=recorded_board, play=play)
    assert ending is None
    out, error = capsys.readouterr()
    assert error == ""
    assert ("· Red draws" in out, "· Blue draws" in out) == (True, True)
    assert "Faults: the board is without power." in out
    assert "nothing was lost." in out
