"""`companion sessions choose` and `unchoose`: which of two endings of a game counts; and the question before one of
them is resumed."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from companion import terminal
from companion.commands.usage import LeftAlone, answer
from companion.errors import CommandError, ErrorKind
from companion.journal import ends
from companion.journal.ends import Standing
from companion.journal.folder import typed_name
from companion.program import PROGRAM
from companion.rules.columns import clean
from companion.session import two_ends
from companion.session.clocks import wall
from companion.session.finding import find, listed


def choose(args: argparse.Namespace) -> None:
    """`companion sessions choose SESSION`: make this ending of its game count and the others not; raise
    `CommandError`."""
    path = find(args.session)
    end = two_ends.end_of(path)
    if end is None:
        raise CommandError(
            f"{path.name} is the only file of its game: there is nothing to choose.",
            ErrorKind.USAGE,
        )
    others = ends.choose(end.path, listed(), wall)
    if not others:
        reason = two_ends.in_words(end)
        if not reason:
            reason = f"{path.name} counts already: no other file of its game went its own way."
        raise CommandError(reason, ErrorKind.USAGE)
    aside = " and ".join(other.name for other in others)
    print(f"{path.name} counts from now on; {aside} is kept and does not.")
    print(f"Undo that: {PROGRAM} sessions unchoose {typed_name(path)}")


def unchoose(args: argparse.Namespace) -> None:
    """`companion sessions unchoose SESSION`: undo the choice between the endings of its game; raise `CommandError`."""
    path = find(args.session)
    if not ends.take_choice_back(path):
        raise CommandError(
            f"No end of the game in {path.name} was chosen: nothing was undone.",
            ErrorKind.USAGE,
        )
    print(f"The choice is undone: {_now(path)}")


def _now(path: Path) -> str:
    end = two_ends.end_of(path)
    sentence = "" if end is None else two_ends.in_words(end)
    return sentence or f"{path.name} counts."


def tell_end(path: Path) -> None:
    """Print a session's standing among the files of its game, if it has others, to the error stream."""
    end = two_ends.end_of(path)
    if end is not None and (sentence := two_ends.in_words(end)):
        print(clean(sentence), file=sys.stderr)


def require_counted(path: Path) -> None:
    """Raise `CommandError` for a session that does not count because it is one of two endings of its game."""
    end = two_ends.end_of(path)
    if end is not None and end.standing in (Standing.UNDECIDED, Standing.ASIDE):
        raise CommandError(
            f"No play was made: {two_ends.in_words(end)} Or add --anyway.", ErrorKind.DATA
        )


def require_agreed(path: Path) -> None:
    """Ask before one of two endings of a game, or an older copy, is resumed. If nobody can answer, print what it is;
    refuse an older copy, because resuming it makes a second ending. Raise `CommandError`."""
    end = two_ends.end_of(path)
    question = "" if end is None else two_ends.question_before(end)
    if end is None or not question:
        return
    sentence = clean(two_ends.in_words(end))
    if terminal.can_ask():
        print(sentence)
        if answer(question) != "y":
            raise LeftAlone(f"{path.name} is as it was.")
    elif end.standing is Standing.COPY:
        raise CommandError(
            f"{sentence} Continuing the older one would make two ends of one game.",
            ErrorKind.DATA,
        )
    else:
        print(sentence, file=sys.stderr)
