"""A board dies in the middle of a round, and another one takes its place: two real firmwares, ports and one record."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.cli import main
from companion.demo.capture import captured
from companion.demo.replay import replay
from companion.journal.entries import Control, Entry, is_control
from companion.rules.gestures import GestureSettings
from companion.rules.header import game_of
from companion.session.intake import BEFORE_TAKING_OVER, REPLACED, Marks
from companion.session.key_meanings import AGREE, DISAGREE, REDO, UNDO
from companion.session.opening import begin, resume
from companion.session.rereading import reread
from companion.session.spare_board import short
from companion.session.table import Table
from companion.session.views import TableView
from firmware_protocol.virtual.client import VirtualBoard
from tests.end_to_end.parts import (
    SEATS,
    draws,
    facts,
    live,
    needs_vm,
    press_key,
    presses,
    record,
    wait_for,
)
from tests.reports.support import run_export, run_import

pytestmark = [pytest.mark.vm, pytest.mark.waits, needs_vm]

OLD, NEW = 0xCAFE01, 0xBEEF02


@contextmanager
def board(port: Path, uid: int, seed: int = 3) -> Iterator[VirtualBoard]:
    with VirtualBoard.spawn("micropython", seed=seed, uid=uid, path=port) as spawned:
        yield spawned


def kill(dying: VirtualBoard) -> None:
    """Kill a board without a goodbye, as a broken one ends."""
    process, firmware = dying._process, dying.status()["board_pid"]
    assert process is not None
    os.kill(process.pid, signal.SIGKILL)
    # it does not always notice that its cable's other end is gone
    os.kill(firmware, signal.SIGKILL)
    # As the system takes the port of an unplugged board away: else it names the pty of whoever opens one next.
    Path(dying.url).unlink()
    process.wait(10)


@contextmanager
def table_at(path: Path, port: Path | str, **options: object) -> Iterator[Table]:
    """Yield a session in `path`, begun or resumed, that looks for its board and asks about another one at once."""
    made = captured(path.with_suffix(".capture")) if not path.exists() else Table
    table = resume(path) if path.exists() else begin("panic-fire", SEATS, {}, path, make=made)
    table.board.options |= {"ask_after_ns": 0, **options}
    table.board.connect(str(port))
    try:
        yield table
    finally:
        table.close()


def asked(view: TableView) -> bool:
    return view.question is not None


def fire(table: Table, pressed: VirtualBoard) -> None:
    pressed.press("zone-3", hold_ms=700)
    wait_for(table, lambda view: view.game.phase == "open", "an open round")


def takes_over(entries: tuple[Entry, ...]) -> Entry:
    """Return the entry with which the other board begins its epoch."""
    (found,) = [entry for entry in entries if entry.kind == "boot"]
    return found


def test_another_board_continues_the_round_after_a_yes_in_an_epoch_of_its_own(
    tmp_path: Path,
) -> None:
    port, path = tmp_path / "port", tmp_path / "s.sqlite"
    with table_at(path, port) as table:
        with board(port, OLD) as old:
            wait_for(table, live, "a live link")
            fire(table, old)
            old.press("zone-1", hold_ms=30)
            wait_for(table, lambda view: draws(view, 0) == 1, "the draw")
            kill(old)
            wait_for(table, lambda view: view.link.state == "lost - retrying", "the lost link")
        with board(port, NEW) as new:
            new.press("zone-1", hold_ms=30)
            view = wait_for(table, asked, "the question")
            assert view.question is not None
            assert view.question.startswith(
                "Continue with this board? Presses still on the old one are lost."
            )
            assert short(NEW) in view.question
            assert draws(view, 0) == 1
            press_key(table, AGREE.id)
            wait_for(table, live, "a live link to the other board")
            new.press("zone-1", hold_ms=30)
            wait_for(table, lambda view: draws(view, 0) == 2, "the draw on the other board")
            assert not asked(table.view())
    entries = record(path)
    boot = takes_over(entries)
    assert (boot.body["uid"], boot.body["in_place_of"]) == (f"{NEW:016x}", f"{OLD:016x}")
    assert 0 < boot.body["away_pm_us"] < boot.body["away_us"]
    answer = next(entry for entry in entries if entry.kind == "note" and "agreed" in entry.body)
    assert answer.body["agreed"]
    assert answer.n < boot.n
    clocks = [entry.body["at"]["clock"] for entry in facts(entries, "draw")]
    assert len(clocks) == len(set(clocks)) == 2
    # What was pressed on the spare before it took over is kept, and never counts.
    unread = [entry for entry in entries if is_control(entry, Control.IGNORED)]
    assert [entry.body["reason"] for entry in unread] == [f"zone-1: {BEFORE_TAKING_OVER}"]
    assert len(presses(entries, "zone-1")) == 3


def two_boards(tmp_path: Path) -> Path:
    """Return a session that was played with both boards, each with a draw."""
    port, path = tmp_path / "port", tmp_path / "s.sqlite"
    with table_at(path, port) as table:
        with board(port, OLD) as old:
            wait_for(table, live, "a live link")
            fire(table, old)
            old.press("zone-1", hold_ms=30)
            wait_for(table, lambda view: draws(view, 0) == 1, "the draw")
            kill(old)
        with board(port, NEW) as new:
            wait_for(table, asked, "the question")
            press_key(table, AGREE.id)
            wait_for(table, live, "the other board")
            new.press("zone-1", hold_ms=30)
            wait_for(table, lambda view: draws(view, 0) == 2, "the draw on the other board")
            press_key(table, UNDO.id)
            press_key(table, UNDO.id)
            press_key(table, REDO.id)
            wait_for(table, lambda view: draws(view, 0) == 1, "one draw")
    return path


def test_undo_check_export_import_and_the_report_know_of_two_boards(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, out = two_boards(tmp_path), tmp_path / "out.jsonl"
    assert main(["journal", "check", str(path)]) == 0
    assert replay(path.with_suffix(".capture")).same
    assert run_export(str(path), "jsonl", out, "--evidence") == 0
    assert run_import(out, tmp_path / "copy.sqlite") == 0
    entries, copied = record(path), record(tmp_path / "copy.sqlite")
    assert [entry.body for entry in copied if entry.kind == "boot"] == [takes_over(entries).body]
    assert Marks(copied).last == Marks(entries).last
    for each in (entries, copied):
        reread_now = reread(*game_of(each[0].body), each, GestureSettings())
        assert reread_now.changes == ()
    capsys.readouterr()
    assert run_export(str(path), "html", tmp_path / "report.html") == 0
    report = (tmp_path / "report.html").read_text()
    assert "another board took over" in report
    assert f"the table agreed to continue with board {short(NEW)}" in report
    with (
        table_at(tmp_path / "copy.sqlite", tmp_path / "port") as table,
        board(tmp_path / "port", NEW),
    ):
        wait_for(table, live, "the imported session's own board, without a question")


def test_after_a_no_the_session_waits_for_its_own_board_and_does_not_ask_again(
    tmp_path: Path,
) -> None:
    port, path = tmp_path / "port", tmp_path / "s.sqlite"
    with table_at(path, port) as table:
        with board(port, OLD) as old:
            wait_for(table, live, "a live link")
            fire(table, old)
            kill(old)
        with board(port, NEW):
            wait_for(table, asked, "the question")
            press_key(table, DISAGREE.id)
            view = wait_for(
                table, lambda view: view.link.state == "another board", "the other board refused"
            )
            assert not asked(view)
            assert view.notice is not None
            assert f"waits for board {short(OLD)}" in view.notice.text
    entries = record(path)
    assert not [entry for entry in entries if entry.kind == "boot"]
    (answer,) = [entry for entry in entries if entry.kind == "note" and "agreed" in entry.body]
    assert answer.body["agreed"] is False


def test_a_resumed_session_and_auto_ask_just_so(tmp_path: Path) -> None:
    path, ports = tmp_path / "s.sqlite", [tmp_path / "a", tmp_path / "b"]

    def lister() -> list[str]:
        return [str(port) for port in ports if port.exists()]

    with board(ports[0], OLD) as old, table_at(path, "auto", lister=lister) as table:
        wait_for(table, live, "a live link")
        fire(table, old)
    with board(ports[1], NEW) as new, table_at(path, "auto", lister=lister) as table:
        wait_for(table, asked, "the question")
        press_key(table, AGREE.id)
        wait_for(table, live, "a live link to the other board")
        new.press("zone-2", hold_ms=30)
        wait_for(table, lambda view: draws(view, 1) == 1, "the draw on the other board")
    # two runs of the companion have no common clock
    assert "away_us" not in takes_over(record(path)).body
    with board(ports[1], NEW) as new, table_at(path, "auto", lister=lister) as table:
        wait_for(table, live, "a live link to the same board, without a question")
        new.press("zone-2", hold_ms=30)
        wait_for(table, lambda view: draws(view, 1) == 2, "the next draw")


def test_an_old_board_that_comes_back_is_continued_with_in_the_same_way(tmp_path: Path) -> None:
    first, second, path = tmp_path / "a", tmp_path / "b", tmp_path / "s.sqlite"

    def lister() -> list[str]:
        return [str(port) for port in (first, second) if port.exists()]

    with (
        board(first, OLD) as old,
        board(second, NEW) as new,
        table_at(path, "auto", lister=lister) as table,
    ):
        wait_for(table, live, "a live link")
        old_first = not presses(tuple(table.look(lambda record: record.entries)), "zone-3")
        assert old_first
        fire(table, old)
        old.press("zone-1", hold_ms=30)
        wait_for(table, lambda view: draws(view, 0) == 1, "the first draw")
        old.unplug()
        wait_for(table, asked, "the question about the spare")
        press_key(table, AGREE.id)
        wait_for(table, live, "the spare")
        new.press("zone-1", hold_ms=30)
        wait_for(table, lambda view: draws(view, 0) == 2, "the second draw")
        old.press("zone-1", hold_ms=30)  # nobody hears it: one board at a time
        old.plug()
        new.unplug()
        view = wait_for(table, asked, "the question about the old board")
        assert view.question is not None
        assert "again?" in view.question
        press_key(table, AGREE.id)
        wait_for(table, live, "the old board")
        old.press("zone-1", hold_ms=30)
        wait_for(table, lambda view: draws(view, 0) == 3, "the third draw")
    entries = record(path)
    assert len(presses(entries, "zone-1")) == 4
    assert len(facts(entries, "draw")) == 3
    (unread,) = [entry for entry in entries if is_control(entry, Control.IGNORED)]
    assert unread.body["reason"] == f"zone-1: {BEFORE_TAKING_OVER}"
    assert len({entry.body["boot"] for entry in entries if entry.kind == "hello"}) == 3


def test_a_press_that_the_old_board_left_undecided_is_named_so(tmp_path: Path) -> None:
    port, path = tmp_path / "port", tmp_path / "s.sqlite"
    with table_at(path, port) as table:
        with board(port, OLD) as old:
            wait_for(table, live, "a live link")
            old.press("zone-3", hold_ms=60_000)  # could become a hold
            wait_for(
                table,
                lambda _: bool(presses(table.look(lambda record: tuple(record.entries)), "zone-3")),
                "it",
            )
            kill(old)
        with board(port, NEW):
            wait_for(table, asked, "the question")
            press_key(table, AGREE.id)
            view = wait_for(
                table,
                lambda view: any(REPLACED in line.text for line in view.log),
                "the press named",
            )
    assert view.game.phase != "open"
