"""The table as plain lines: each ruling once, in order, flushed, and the result at the end."""

from __future__ import annotations

import io
from threading import Event, Thread

import pytest

from companion.session.plain import LinePrinter, printing
from companion.session.views import LineKind, LinkView, Notice, SavedView
from tests.dashboard.fakes import FakeTable, line, table_view


def lines(out: io.StringIO) -> list[str]:
    return out.getvalue().splitlines()


def test_each_line_is_printed_once_with_time_sign_and_text() -> None:
    table, out = FakeTable(), io.StringIO()
    with LinePrinter(table, out) as printer:
        printer.print_new()
        table.publish(
            log=(*table.current.log, line(2, "Red draws"), line(3, "no hit", LineKind.IGNORED))
        )
        printer.print_new()
        printer.print_new()
    assert lines(out) == [
        "20:15:01 # The session starts.",
        "20:15:02 · Red draws",
        "20:15:03 - no hit",
    ]


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
        undone = line(3, "undone: Red draws", LineKind.RECORD)
        table.publish(log=(line(2, "Red draws", LineKind.VOIDED), undone))
        printer.print_new()
    assert lines(out) == ["20:15:02 · Red draws", "20:15:03 # undone: Red draws"]


def test_a_ruling_that_came_to_mean_something_else_is_told_again() -> None:
    table, out = FakeTable(), io.StringIO()
    with LinePrinter(table, out) as printer:
        table.publish(log=(line(2, "Blue shot Red: Red is out"), line(3, "Red draws")))
        printer.print_new()
        broken = line(3, "Red draws - PF-13: Red is out", LineKind.BROKEN)
        table.publish(log=(line(2, "Blue shot Red: blocked"), broken))
        printer.print_new()
    assert lines(out)[2:] == [
        "20:15:02 · now: Blue shot Red: blocked",
        "20:15:03 ! now: Red draws - PF-13: Red is out",
    ]


def test_a_resumed_session_says_what_was_taken_back_before() -> None:
    table, out = FakeTable(), io.StringIO()
    table.publish(log=(line(2, "Red draws", LineKind.VOIDED),))
    with LinePrinter(table, out) as printer:
        printer.print_new()
    assert lines(out) == ["20:15:02 x undone: Red draws"]


def test_each_notice_is_printed_once() -> None:
    table, out = FakeTable(), io.StringIO()
    with LinePrinter(table, out) as printer:
        printer.print_new()
        for number in (1, 1, 2):
            table.publish(notice=Notice(number, f"notice {number}", refused=True))
            printer.print_new()
    assert [text.split("? ")[1] for text in lines(out)[1:]] == ["notice 1", "notice 2"]


def test_what_other_threads_publish_is_printed_and_then_the_result() -> None:
    table, out = FakeTable(), io.StringIO()

    def play() -> None:
        for n in range(2, 500):
            table.publish(log=(*table.current.log, line(n, f"draw {n}")))
        table.publish(ended=True)

    with printing(table, out, gone=lambda: None) as printer:
        player = Thread(target=play)
        player.start()
        player.join()
    table.publish(summary=lambda: ("Red: 4 Bullet cards", "champion: Red"))
    printer.finish()
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
    assert lines(out) == ["20:15:01 # The session starts."]


def test_a_stream_that_cannot_write_every_sign_gets_what_it_can_write() -> None:
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding="ascii", newline="")
    with LinePrinter(FakeTable(table_view(summary=lambda: ("● Red: µs",))), out) as printer:
        printer.finish()
    assert raw.getvalue().decode().splitlines()[-1] == "? Red: ?s"
    out.close()


def test_every_line_is_flushed() -> None:
    class Counting(io.StringIO):
        flushed = 0

        def flush(self) -> None:
            self.flushed += 1

    out = Counting()
    with LinePrinter(FakeTable(table_view(summary=lambda: ("one", "two"))), out) as printer:
        printer.finish()
    assert out.flushed == 3


def test_a_reader_who_leaves_ends_the_run_is_told_and_finish_says_so() -> None:
    class Closed(io.StringIO):
        def flush(self) -> None:
            raise BrokenPipeError

    gone = Event()
    with printing(
        FakeTable(table_view(summary=lambda: ("one",))), Closed(), gone=gone.set
    ) as printer:
        assert gone.wait(10)
    with pytest.raises(BrokenPipeError):
        printer.finish()


def test_a_correction_after_the_end_of_the_game_is_still_printed() -> None:
    table, out = FakeTable(table_view(ended=True)), io.StringIO()
    with printing(table, out, gone=lambda: None):
        table.publish(
            log=(*table.current.log, line(2, "undone: Blue is champion", LineKind.RECORD))
        )
    assert lines(out)[-1] == "20:15:02 # undone: Blue is champion"


def test_each_state_of_the_link_is_printed_once_with_the_boards_sign_and_its_sentence() -> None:
    table, out = FakeTable(), io.StringIO()
    lost = LinkView("lost", "The port is lost: plug it in again.", healthy=False)
    with LinePrinter(table, out) as printer:
        printer.print_new()
        for link in (lost, lost, LinkView("live", "The board is live.", healthy=True)):
            table.publish(link=link)
            printer.print_new()
    assert [text.strip() for text in lines(out)[1:]] == [
        "= lost: The port is lost: plug it in again.",
        "= live: The board is live.",
    ]


def test_a_link_that_is_unwell_from_the_beginning_is_told() -> None:
    table, out = (
        FakeTable(table_view(link=LinkView("busy", "Held by another program.", healthy=False))),
        io.StringIO(),
    )
    with LinePrinter(table, out) as printer:
        printer.print_new()
    assert lines(out)[-1].strip() == "= busy: Held by another program."


def test_a_record_that_is_not_saved_is_told_once_and_again_when_it_is() -> None:
    table, out = FakeTable(), io.StringIO()
    with LinePrinter(table, out) as printer:
        printer.print_new()
        for saved in (
            SavedView("saved", ok=True, entries=2),
            SavedView("NOT SAVED, 1 waiting", ok=False, problem="The disk is full."),
            SavedView("NOT SAVED, 2 waiting", ok=False, problem="The disk is full."),
            SavedView("saved", ok=True, entries=4),
        ):
            table.publish(saved=saved)
            printer.print_new()
    assert [text.strip() for text in lines(out)[1:]] == [
        "# NOT SAVED, 1 waiting: The disk is full.",
        "# saved",
    ]
