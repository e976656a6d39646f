"""A lesson at a table that counts nowhere: begun or continued, and given until the learner leaves."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.board.calibrated import as_calibrated
from companion.commands.play_options import PlayOptions
from companion.commands.playing import Opener, board_at, closed_after, opened, play_at
from companion.errors import CommandError, ErrorKind
from companion.journal.folder import lessons_dir
from companion.program import PROGRAM
from companion.rules.columns import in_shell
from companion.rules.game import Game
from companion.rules.lesson_field import lesson_in
from companion.session.lesson_words import step_name
from companion.session.opening import begin, resume
from companion.teach.course import Course
from companion.teach.finding import Taught
from companion.teach.left import last_lesson
from companion.teach.lesson import LessonFault
from companion.teach.script import seeded
from companion.terminal import tell

if TYPE_CHECKING:
    from companion.session.opening import TableMaker
    from companion.session.table import Table


def open_lesson(
    taught: Taught,
    play_options: PlayOptions,
    *,
    seats: Sequence[str] | None = None,
    anew: bool = False,
    together: bool = False,
) -> Table:
    """Return the table of a lesson; raise `CommandError`.

    A lesson that was left continues there. It begins anew if it was done, if `anew` or `seats` are given, and if it was
    begun alone and is now wanted `together`.
    """
    path = None if anew or seats is not None else last_lesson(taught.name, together=together)
    if path is not None:
        table = _continued(path, taught, play_options)
        if not _is_done(table):
            return table
        table.close()
    return _begun(taught, play_options, seats or taught.lesson.seats, together=together)


def give_at(
    open_table: Opener, taught: Taught, play_options: PlayOptions, *, menu_follows: bool = False
) -> int:
    """Open the table of a lesson, its board first, and give the lesson there until the learner leaves; close both in
    any case. Return the exit code, or raise `CommandError`.

    If the start screens follow (`menu_follows`), no command is printed: it would be read after the next game.
    """
    with (
        board_at(play_options.board_at) as place,
        closed_after(opened(open_table)) as table,
    ):
        # Nothing is offered after a lesson: no report, no rematch.
        goodbye = partial(say_goodbye, taught, asks=not play_options.plain)
        if menu_follows:
            return play_at(table, place, play_options, {}, lambda _table: None)
        code = play_at(table, place, play_options, {}, goodbye)
        if play_options.plain:
            goodbye(table)
    return code


def _begun(
    taught: Taught, play_options: PlayOptions, seats: Sequence[str], *, together: bool
) -> Table:
    lesson = taught.lesson
    table = begin(
        taught.game,
        seats,
        lesson.options,
        lesson={"name": taught.name, "together": together},
        components={},
        make=_maker(taught, play_options),
        without_board=play_options.without_board,
        folder=lessons_dir(),
    )
    return as_calibrated(_taught_at(table, taught, play_options, together=together))


def _continued(path: Path, taught: Taught, play_options: PlayOptions) -> Table:
    make = _maker(taught, play_options)
    table = resume(path, make, without_board=play_options.without_board)
    said = lesson_in(table.look(lambda record: record.entries[0].body))
    return _taught_at(table, taught, play_options, together=said.get("together") is True)


def _maker(taught: Taught, play_options: PlayOptions) -> TableMaker:
    """Return a function that makes the table of a lesson, where every shuffle has one result."""
    make, orders = play_options.maker, seeded(taught.lesson.seed)

    def seeded_table(game: Game[Any], *args: Any, **options: Any) -> Table:
        return make(game.shuffled_by(orders), *args, **options)

    return seeded_table


def _taught_at(table: Table, taught: Taught, play_options: PlayOptions, *, together: bool) -> Table:
    """Return the table with the lesson at it; close it and raise `CommandError` if the lesson does not fit."""
    try:
        # a page in the browser cannot open the pages of the dashboard
        pages = play_options.page is None
        Course(taught.lesson, table, together=together, pages=pages)
    except LessonFault as fault:
        table.close()
        raise CommandError(f"This lesson cannot be used. {fault}.", ErrorKind.DATA) from fault
    return table


def _is_done(table: Table) -> bool:
    lesson = table.view().lesson
    return lesson is not None and lesson.is_over


def say_goodbye(taught: Taught, table: Table, *, asks: bool) -> None:
    """Print how to continue, once the screen is gone: with a command that asks who plays, if screens can."""
    lesson = table.view().lesson
    if lesson is None or lesson.is_over:
        game = "" if asks else f" {in_shell(taught.typed_game)}"
        tell(f"That was the lesson {taught.lesson.title}. Play:  {PROGRAM} play{game}")
    else:
        tell(f"{step_name(lesson)} is next. Continue:  {PROGRAM} teach {in_shell(taught.name)}")
