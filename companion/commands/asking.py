"""`companion ask`: what the rules of a game say about a question."""

from __future__ import annotations

import argparse
import shutil

from companion.ask.answers import AtTable, answer_lines, answers
from companion.commands.config import rules_for
from companion.config.parsers import options
from companion.config.reading import preferences
from companion.errors import CommandError, ErrorKind
from companion.program import PROGRAM
from companion.rules.columns import in_shell, wrap
from companion.rules.facts import Refused
from companion.session.finding import session_to_follow
from companion.session.watching import Watcher


def ask(args: argparse.Namespace) -> None:
    """`ask`: print what the rules say, with the house rules of a session or those that a new one would have."""
    question = " ".join(args.question)
    try:
        answered = answers(args.game, question, _table(args))
    except Refused as refusal:  # a house rule that there is not
        raise CommandError(refusal.spoken(), ErrorKind.USAGE) from refusal
    columns = shutil.get_terminal_size().columns
    for line in answer_lines(answered):
        for row in wrap(line, columns):
            print(row)


def _table(args: argparse.Namespace) -> AtTable:
    """Return the table of the session named, else one that would begin now; raise `CommandError`."""
    if args.session is None:
        return AtTable(rules_for(preferences({}), args.game, options(args.option)))
    if args.option:
        raise CommandError("A session has its house rules: leave out --option.", ErrorKind.USAGE)
    view = Watcher(session_to_follow(args.session), anyway=True).view()
    if view.setup.game != args.game:
        named = f"{PROGRAM} ask {in_shell(view.setup.game)} ..."
        why = f"{view.session} is a session of another game: {named}"
        raise CommandError(why, ErrorKind.USAGE)
    return AtTable.of(view)
