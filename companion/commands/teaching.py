"""`teach`: what can be learned, and a lesson."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial

from companion.commands.browser_option import options_of
from companion.commands.lessons import give_at, open_lesson
from companion.commands.play_options import PlayOptions
from companion.exits import Exit
from companion.program import PROGRAM
from companion.rules.columns import fit, in_shell, plural, width
from companion.rules.names import split_names
from companion.teach.finding import Taught, lesson_named
from companion.teach.left import lessons_as_left
from companion.teach.lesson import OF_PROGRAM
from companion.terminal import tell


def tour(args: argparse.Namespace) -> int:
    """`tour`: the lesson about the program; return the exit code, or raise `CommandError`."""
    args.lesson, args.seats, args.together = OF_PROGRAM, None, False
    return teach(args)


def teach(args: argparse.Namespace) -> int:
    """`teach`: begin a lesson, or continue it, or list all; return the exit code, or raise `CommandError`."""
    if args.lesson is None:
        _list_lessons()
        return Exit.DONE
    taught = lesson_named(args.lesson)
    with options_of(args) as play_options:
        code = give(
            taught,
            play_options,
            seats=None if args.seats is None else split_names(args.seats),
            anew=args.anew,
            together=args.together,
        )
        if play_options.page is None or not play_options.page.goes_on:
            return code
        from companion.commands.in_browser import choose_and_play

        return choose_and_play(play_options)


def _list_lessons() -> None:
    """Print what can be learned, each with the command that begins or continues it."""
    print("Choose a lesson and type its line:")
    every = lessons_as_left()
    rows = [(f"{PROGRAM} teach {in_shell(taught.name)}", taught) for taught in every]
    columns = max((width(typed) for typed, _ in rows), default=0)
    for typed, taught in rows:
        lesson = taught.lesson
        length = f"{taught.left}, continue" if taught.left else plural(lesson.minutes, "minute")
        tell(f"  {fit(typed, columns)}  {lesson.title}, {length}")
    if any(taught.left for taught in every):
        print("To start one again from its first step, add --anew.")


def give(
    taught: Taught,
    play_options: PlayOptions,
    *,
    seats: Sequence[str] | None = None,
    anew: bool = False,
    together: bool = False,
    menu_follows: bool = False,
) -> int:
    """Give a lesson until the learner leaves; return the exit code, or raise `CommandError`. `seats`, `anew`,
    `together`: see `open_lesson`; `menu_follows`: see `give_at`."""

    open_table = partial(
        open_lesson, taught, play_options, seats=seats, anew=anew, together=together
    )
    return give_at(open_table, taught, play_options, menu_follows=menu_follows)
