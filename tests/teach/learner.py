"""A learner who does what the lesson says, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from companion.rules.game import Game
from companion.session.opening import begin, resume
from companion.session.table import Table
from companion.session.views import LessonView
from companion.teach.course import Course
from companion.teach.finding import Taught, lesson_named
from companion.teach.lesson import PAGE
from companion.teach.script import Item, seeded
from tests.session.parts import BOOT, MS, Board, hello, settle

STEP_US = 2_000_000
"""Time that passes between two looks at the clock: nobody acts at the same time as another."""


class Learner:
    """Somebody at the table of a lesson, who presses the keys that the lesson names."""

    def __init__(self, table: Table, course: Course) -> None:
        self.table, self.course = table, course
        # A boot of its own for each run: a resumed table meets a board that was switched on again.
        self._board = Board(BOOT + len(table.look(lambda record: record.entries)))
        self._us = 0

    @property
    def lesson(self) -> LessonView:
        """The step that the table shows."""
        shown = self.table.view().lesson
        assert shown is not None
        return shown

    @property
    def refusal(self) -> str:
        """The refusal that the table shows; empty if it shows none."""
        notice = self.table.view().notice
        return notice.text if notice is not None and notice.refused else ""

    def press(self, action_id: str) -> None:
        """Press a key, and wait for what the lesson does then."""
        self.table.do(action_id)
        self.course.wait()

    def do_it(self) -> None:
        """Do what the step asks for: with its key, or as its form would enter it."""
        item, lesson = self.course.next, self.lesson
        assert item is not None
        if item.is_by_board:
            self._press_on_board(item)
        elif item.session == PAGE:
            self.table.note_seen(item.page)
        elif lesson.keys and any(lesson.keys[0] == action.id for action in self.table.actions):
            self.table.do(lesson.keys[0])
        else:
            self.table.enter(item.kind, item.body or {})
        self.course.wait()

    def _press_on_board(self, item: Item) -> None:
        """Do it with the hands, as the sentences of the lesson `board` say: tap, hold, or shoot."""
        board, table = self._board, self.table
        if not board.seq:
            table.board.on_identified(hello(), board.boot_id)
            table.board.store([board.armed()])
        self._us += 10_000 * MS
        seats = [seat.id for seat in table.view().setup.seats]
        zone = f"zone-{seats.index((item.body or {}).get('seat', seats[0])) + 1}"
        match item.kind:
            case "shot":
                felt = [board.press("trigger", self._us), board.hit(self._us + 4 * MS)]
                felt.append(board.release("trigger", self._us + 100 * MS))
            case "dry_pull":
                felt = [board.press("trigger", self._us)]
                felt.append(board.release("trigger", self._us + 100 * MS))
            case "knock":
                felt = [board.hit(self._us)]
            case kind:
                held_ms = 100 if kind == "draw" else 1_000
                felt = [board.press(zone, self._us)]
                felt.append(board.release(zone, self._us + held_ms * MS))
        table.board.store(felt)
        settle(table, self._us + 5_000 * MS, board.boot_id)

    def do_all(self, most: int = 500) -> None:
        """Do what each step asks for, to the end of the lesson."""
        for _ in range(most):
            if self.lesson.is_over:
                return
            before = len(self.course.done)
            self.do_it()
            assert len(self.course.done) > before, (self.lesson, self.refusal)
        raise AssertionError(f"not at the end after {most} deeds: {self.lesson}")


@contextmanager
def learning(
    name: str,
    path: Path,
    seats: Sequence[str] | None = None,
    *,
    together: bool = False,
    pages: bool = True,
) -> Iterator[Learner]:
    """Open the lesson `name` at a table whose clock runs with each look; continue it if `path` exists."""
    taught = lesson_named(name)
    with _at(_opened(taught, path, seats)) as table:
        yield Learner(table, Course(taught.lesson, table, together=together, pages=pages))


def _opened(taught: Taught, path: Path, seats: Sequence[str] | None) -> Table:
    ticks = count(STEP_US, STEP_US)
    orders = seeded(taught.lesson.seed)

    def make(game: Game[Any], *args: Any, host_us: object, **options: Any) -> Table:
        clock = ticks.__next__
        return Table(game.shuffled_by(orders), *args, host_us=clock, guard_us=0, **options)

    if path.exists():
        return resume(path, make)
    lesson = taught.lesson
    return begin(taught.game, seats or lesson.seats, lesson.options, path, components={}, make=make)


@contextmanager
def _at(table: Table) -> Iterator[Table]:
    try:
        yield table
    finally:
        table.close()
