"""The table as plain lines: for pipes, for `--plain`, and without a terminal."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from threading import Event, Lock, Thread
from typing import Protocol, TextIO

from companion.display.panels import Outcome, panels_of
from companion.display.tables import plain_lines
from companion.rules.actions import Action, key_name
from companion.rules.clauses import without_clauses
from companion.rules.columns import clean, hung
from companion.session.game_watch import GameStopped, aborted_as_stopped
from companion.session.lesson_words import explanation, request, step_name
from companion.session.views import LIVE, LessonView, LineKind, LinkView, LogLine, TableView
from companion.system.signals import join_if_started

COLUMNS = 80
"""The width of a table in plain lines."""

UNTIMED = " " * len("HH:MM:SS ")
"""Replaces the time of a log line in lines that are not entries of the record."""


class WatchedTable(Protocol):
    """A table whose view can be shown."""

    def view(self) -> TableView:
        """Return the current immutable view."""

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call `callback` from any thread when the view changed, except for the link's timings;
        return a function that ends that."""


class LinePrinter:
    """Prints each line of a table's log once, in order, and again (`now: ...`) if its text changed;
    the outcome of a part of the game once, after the line that ended it or when it becomes known;
    and a line whenever the state of the link or of saving changes.

    `run` prints, never the table's threads, so that a slow pipe delays nobody. Use it as a context
    manager.
    """

    def __init__(
        self, table: WatchedTable, out: TextIO, actions: Callable[[], Iterable[Action]] = tuple
    ) -> None:
        """`actions` returns those that a lesson may name by the keys that are typed for them."""
        self._table = table
        self._out = out
        self._actions = actions
        self._printed: dict[int, LogLine] = {}
        self._outcomes: tuple[Outcome, ...] = ()
        self._printed_tables: set[tuple[str, ...]] = set()  # tables of outcomes that were printed
        self._before: TableView | None = None
        self._lesson: LessonView | None = None  # the step printed last
        self._writing = Lock()
        self._woken = Event()
        self._stopped = False
        self._unsubscribe = table.subscribe(self._woken.set)

    def __enter__(self) -> LinePrinter:
        return self

    def __exit__(self, *_: object) -> None:
        self._unsubscribe()

    def run(self) -> bool:
        """Print until `stop` is called, including everything known by then (True), or until the
        reader is gone (False).

        A failing stream ends the run without an error; `finish` raises its `OSError` in the
        caller's thread.
        """
        try:
            while True:
                self._woken.clear()
                stopped = self._stopped
                self._print_or_report()
                if stopped:
                    return True
                self._woken.wait()
        except OSError:
            return False

    def stop(self) -> None:
        """Make `run` return after it printed everything; may be called from any thread."""
        self._stopped = True
        self._woken.set()

    def _print_or_report(self) -> None:
        try:
            with aborted_as_stopped():
                self.print_new()
        except GameStopped as stopped:
            self.say(f"{UNTIMED}? {stopped} It was stopped, so some lines are missing.")

    def print_new(self) -> TableView:
        """Print what changed since the last call; return the view it was read from."""
        view, before = self._table.view(), self._before
        self._before = view
        if before is None or view.game is not before.game:
            self._outcomes = panels_of(view.setup.game).outcomes(view.game)
        if before is None or view.log is not before.log:
            for line in view.log:
                self._line(line)
        for outcome in self._outcomes:
            if outcome.on_table:
                self._print_outcome(outcome)
        for text in _news_beside_log(view, before):
            self.say(f"{UNTIMED}{text}")
        lesson = view.lesson
        if lesson is not None and not lesson.moving and lesson != self._lesson:
            self._lesson = lesson
            self._print_lesson(view, lesson)
        return view

    def _print_lesson(self, view: TableView, lesson: LessonView) -> None:
        keys = {action.id: key_name(action.keys[0]) for action in self._actions() if action.keys}
        is_live = view.link.state == LIVE
        asked = request(lesson, lambda action: keys.get(action, ""), "Type", board=is_live)
        if lesson.typed and not any(action in keys for action in lesson.keys):
            asked += f" Type: {lesson.typed}"
        for text in (lesson.note, f"{step_name(lesson)}: {asked}", explanation(lesson)):
            if text:
                self.say(f"{UNTIMED}> {text}")

    def finish(self) -> None:
        """Print what is new, then the game's tables and the result; raise `OSError` if the stream
        fails (a closed pipe)."""
        view = self.print_new()
        tables = (table for table in panels_of(view.setup.game).tables(view.game) if not table.long)
        for line in (*plain_lines(tables, COLUMNS), *map(without_clauses, view.summary())):
            self.say(line)

    def _line(self, line: LogLine) -> None:
        before = self._printed.get(line.n)
        self._printed[line.n] = line
        if before is not None and not _news(line, before):
            return
        self.say(f"{line.time} {line.kind.mark} {without_clauses(_line_text(line, before))}")
        for outcome in self._outcomes:
            if outcome.entry == line.n:
                self._print_outcome(outcome)

    def _print_outcome(self, outcome: Outcome) -> None:
        """Print the tables of an outcome that were not printed yet."""
        for table in (*outcome.tables, *outcome.then):
            lines = tuple(plain_lines((table,), COLUMNS))
            if lines not in self._printed_tables:
                self._printed_tables.add(lines)
                for line in lines:
                    self.say(line)

    def say(self, text: str) -> None:
        """Print a line; raise `OSError` if the stream fails (a closed pipe)."""
        encoding = self._out.encoding or "utf-8"
        with self._writing:
            for row in self._rows(clean(text)):
                self._out.write(row.encode(encoding, "replace").decode(encoding) + "\n")
            self._out.flush()

    def _rows(self, text: str) -> list[str]:
        """Return the line wrapped at its words if a terminal shows it that is narrower."""
        if not self._out.isatty():
            return [text]
        columns = shutil.get_terminal_size().columns
        is_of_log = text[: len(UNTIMED)].endswith(" ") and columns > 2 * len(UNTIMED)
        return hung(text, columns, f"{UNTIMED}  " if is_of_log else "")


@contextmanager
def printing(
    table: WatchedTable,
    out: TextIO,
    gone: Callable[[], None],
    actions: Callable[[], Iterable[Action]] = tuple,
) -> Iterator[LinePrinter]:
    """Print what happens at the table in a separate thread during the block; call `gone` there if
    the reader is gone. `actions`: see `LinePrinter`."""

    def run() -> None:
        if not printer.run():
            gone()

    with LinePrinter(table, out, actions) as printer:
        thread = Thread(target=run, name="lines")
        try:
            thread.start()  # inside `try`: a signal may raise at any moment
            yield printer
        finally:
            printer.stop()
            join_if_started(thread)


def _news_beside_log(view: TableView, before: TableView | None) -> Iterator[str]:
    """Yield what a view shows beside its log that the one before (None for the first) did not."""
    # A table that was started without a board does not mention it.
    if _is_link_news(view.link, None if before is None else before.link):
        yield f"{LineKind.BOARD.mark} {view.link.state}: {view.link.sentence}"
    if view.saved.ok is not (before is None or before.saved.ok):
        yield f"{LineKind.RECORD.mark} {': '.join(filter(None, (view.saved.text, view.saved.problem)))}"
    if view.notice is not None and (before is None or view.notice != before.notice):
        mark = "?" if view.notice.refused else " "
        yield f"{mark} {view.notice.text}"
    asked = view.proposal
    asked_before = None if before is None else before.proposal
    # More seconds left than before: the proposal was asked again.
    if asked is not None and (
        asked_before is None
        or asked_before.text != asked.text
        or asked_before.left_s < asked.left_s
    ):
        instructions = (
            f"type enter to record it, esc to discard it; discarded in {asked.left_s:.0f} s"
        )
        if asked.waiting:
            instructions += f", {asked.waiting} more wait"
        yield f"? {asked.text} - {instructions}"
    if view.question is not None and (before is None or view.question != before.question):
        yield f"? {view.question} - type enter to agree, esc not to"
    if view.ending is not None and (before is None or view.ending != before.ending):
        yield f"** {view.ending.headline}. {view.ending.decided}".rstrip()


def _is_link_news(link: LinkView, before: LinkView | None) -> bool:
    if before is None:
        return not link.healthy
    return _state(link) != _state(before)


def _state(link: LinkView) -> str:
    """Return the state of the link without the seconds that it counts."""
    return link.state.rstrip("0123456789 s") if link.state.startswith("silent") else link.state


def _news(line: LogLine, before: LogLine) -> bool:
    """Return whether a changed line is printed again. A line taken back or brought back is not: the
    control entry for that has its own line."""
    return line != before and (
        line.kind is LineKind.BROKEN or (line.kind is before.kind and line.text != before.text)
    )


def _line_text(line: LogLine, before: LogLine | None) -> str:
    if line.kind is LineKind.VOIDED:
        return f"undone: {line.text}"
    return line.text if before is None else f"now: {line.text}"
