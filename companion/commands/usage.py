"""A command line that says in one sentence what is wrong with it, and which word was probably meant."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from companion.exits import Exit
from companion.rules.columns import clean
from companion.rules.nearest import did_you_mean


class CommandParser(argparse.ArgumentParser):
    """A parser that suggests the nearest command, choice or option for one that it does not know. Wrong usage is one
    sentence on the error stream and `Exit.USAGE`."""

    def parse_known_args(  # type: ignore[override]  # argparse says it in overloads that come to the same
        self, args: Sequence[str] | None = None, namespace: Any = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Return what the words mean. A word that is unknown is refused here, where the command's options are known."""
        found, unknown = super().parse_known_args(args, namespace)
        if unknown:
            word = unknown[0].partition("=")[0]
            near = did_you_mean(word, self._option_string_actions) if word.startswith("-") else ""
            self.error(f"{word!r} means nothing here{near and f': {near}'}")
        return found, unknown

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """argparse calls this for everything that has choices, its subcommands too."""
        if action.choices is None or value in action.choices:
            return
        known = [str(choice) for choice in action.choices]
        near = did_you_mean(str(value), known)
        if isinstance(action, argparse._SubParsersAction):
            raise argparse.ArgumentError(None, f"there is no command {value!r}{near and f': {near}'}")
        raise argparse.ArgumentError(action, f"{value!r} is none of {', '.join(known)}{near and f': {near}'}")

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and where help is; end with `Exit.USAGE`."""
        wrong = f"{self.prog}: {message.removeprefix('argument ')}"
        end = "" if wrong.endswith(("?", ".")) else "."
        more = "companion help" + self.prog.removeprefix("companion")
        print(clean(f"{wrong}{end} More: {more}"), file=sys.stderr)
        raise SystemExit(Exit.USAGE)
