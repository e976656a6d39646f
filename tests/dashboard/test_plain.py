"""The table as lines: each ruling once, in order, flushed, and the result at the end."""

from __future__ import annotations

import io
from threading import Thread

import pytest

from companion.plain import LinePrinter
from companion.views import LineKind, Notice
from tests.dashboard.fakes import FakeTable, line


def lines(out: io.StringIO) -> list[str]:
    return out.getvalue().splitlines()


def test_each_line_is_printed_once_with_time_sign_and_text() -> None:
    table, out = FakeTable(), io.StringIO()
    with LinePrinter(table, out) as printer:
        printer.print_new()
        table.publish(log=(*table.current.log, line(2, "Red draws"), line(3, "no hit", LineKind.IGNORED)))
        printer.print_new()
        printer.print_new()
    assert lines(out) == ["20:15:01 # The session begins.", "20:15:02 · Red draws", "20:15:03 - no hit"]


def test_lines_that_left_the_views_log_are_not_printed_again() -> None:
    table, out = FakeTable(), io.StringIO()
    with LinePrinter(table, out) as printer:
        for n in range(1, 40):
            table.publish(log=tuple(line(m, f"draw {m}") for m in range(max(1, n - 4), n + 1)))
            printer.print_new()
    assert [text.split()[-1] for text in lines(out)] == [str(n) for n in range(1, 40)]


def test_an_undo_is_told_once_by_the_records_own_line() -> None:
    table, out = FakeTable(), io.StringIO()
    with LinePrinter(table, out) as printer:
        table.publish(log=(line(2, "Red draws"),))
        printer.print_new()
        undone = line(3, "taken back: Red draws", LineKind.RECORD)
        table.publish(log=(line(2, "Red draws", LineKind.VOIDED), undone))
        printer.print_new()
    assert lines(out) == ["20:15:02 · Red draws", "20:15:03 # taken back: Red draws"]


def test_a_ruling_that_came_to_mean_something_else_is_told_again() -> None:
    table, out = FakeTable(), io.StringIO()
    with LinePrinter(table, out) as printer:
        table.publish(log=(line(2, "Blue shot Red: Red is out"), line(3, "Red draws")))
        printer.print_new()
        broken = line(3, "Red draws - PF-13: Red is out", LineKind.BROKEN)
        table.publish(log=(line(2, "Blue shot Red: blocked"), broken))
        printer.print_new()
    assert lines(out)[2:] == ["20:15:02 · now: Blue shot Red: blocked", "20:15:03 ! now: Red draws - PF-13: Red is out"]


def test_a_resumed_session_says_what_was_taken_back_before() -> None:
    table, out = FakeTable(), io.StringIO()
    table.publish(log=(line(2, "Red draws", LineKind.VOIDED),))
    with LinePrinter(table, out) as printer:
        printer.print_new()
    assert lines(out) == ["20:15:02 x taken back: Red draws"]


def test_each_notice_is_printed_once() -> None:
    table, out = FakeTable(), io.StringIO()
    with LinePrinter(table, out) as printer:
        printer.print_new()
        for number in (1, 1, 2):
            table.publish(notice=Notice(number, f"notice {number}", refused=True))
            printer.print_new()
    assert [text.split("? ")[1] for text in lines(out)[1:]] == ["notice 1", "notice 2"]


def test_run_prints_what_other_threads_publish_until_the_session_ends_and_then_the_result() -> None:
    table, out = FakeTable(), io.StringIO()

    def play() -> None:
        for n in range(2, 500):
            table.publish(log=(*table.current.log, line(n, f"draw {n}")))
        table.publish(ended=True)

    with LinePrinter(table, out) as printer:
        player = Thread(target=play)
        player.start()
        printer.run()
        printer.finish(("Red: 4 Bullet cards", "champion: Red"))
        player.join()
    assert [text.split()[-1] for text in lines(out)[1:-2]] == [str(n) for n in range(2, 500)]
    assert lines(out)[-2:] == ["Red: 4 Bullet cards", "champion: Red"]
    assert table.subscribers == []


def test_stop_ends_run_after_what_stands_was_printed() -> None:
    table, out = FakeTable(), io.StringIO()
    with LinePrinter(table, out) as printer:
        runner = Thread(target=printer.run)
        runner.start()
        printer.stop()
        runner.join(10)
        assert not runner.is_alive()
    assert lines(out) == ["20:15:01 # The session begins."]


def test_a_stream_that_cannot_write_every_sign_gets_what_it_can_write() -> None:
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding="ascii", newline="")
    with LinePrinter(FakeTable(), out) as printer:
        printer.finish(("● Red: µs",))
    assert raw.getvalue().decode().splitlines()[-1] == "? Red: ?s"
    out.close()


def test_every_line_is_flushed() -> None:
    class Counting(io.StringIO):
        flushed = 0

        def flush(self) -> None:
            self.flushed += 1

    out = Counting()
    with LinePrinter(FakeTable(), out) as printer:
        printer.finish(("one", "two"))
    assert out.flushed == 3


def test_a_reader_who_leaves_ends_the_run_and_finish_says_so() -> None:
    class Closed(io.StringIO):
        def flush(self) -> None:
            raise BrokenPipeError

    with LinePrinter(FakeTable(), Closed()) as printer:
        printer.run()
        with pytest.raises(BrokenPipeError):
            printer.finish(("one",))
