"""Why a command cannot be done: one sentence to the error stream, and the exit code that goes with it."""

from __future__ import annotations

import sys
from collections.abc import Callable

from companion.exits import CommandError, Exit
from companion.journal.errors import JournalError, NotSaved, exit_for
from companion.rules.columns import clean
from firmware_protocol.virtual.runtime import VirtualBoardError


def run_reporting_errors(command: Callable[[], int]) -> int:
    """Run a command; tell in one sentence why it cannot be done, and return the exit code."""
    try:
        return command()
    except VirtualBoardError as problem:
        print(f"The virtual board cannot be started: {problem}", file=sys.stderr)
        return Exit.UNAVAILABLE
    except CommandError as problem:
        print(clean(str(problem)), file=sys.stderr)
        return problem.exit_code
    except NotSaved as problem:
        print(f"The last entries could not be saved: {problem}", file=sys.stderr)
        return Exit.NOT_SAVED
    except JournalError as problem:
        print(clean(str(problem)), file=sys.stderr)
        return exit_for(problem)
