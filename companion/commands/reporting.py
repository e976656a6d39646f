"""Why a command cannot be done: one sentence to the error stream, and the exit code that goes with it."""

from __future__ import annotations

import sys
from collections.abc import Callable

from companion.exits import CommandError, Exit
from companion.journal.errors import JournalError, exit_for
from companion.rules.columns import clean
from firmware_protocol.virtual.runtime import VirtualBoardError


def run_reporting_errors(command: Callable[[], int]) -> int:
    """Run a command; tell in one sentence why it cannot be done, and return the exit code."""
    try:
        return command()
    except VirtualBoardError as problem:
        return _told(f"The virtual board cannot be started: {problem}", Exit.UNAVAILABLE)
    except CommandError as problem:
        return _told(str(problem), problem.exit_code)
    except JournalError as problem:
        return _told(str(problem), exit_for(problem))


def _told(why: str, code: Exit) -> Exit:
    print("\n".join(map(clean, why.split("\n"))), file=sys.stderr)
    return code
