"""Parsing of the command line, with mistakes explained in one sentence, and helpers that several commands share."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from companion.config.parsers import Takes
from companion.errors import CommandError, ErrorKind, reading, writing
from companion.exits import Exit, code_of
from companion.journal.disk import LARGEST_TEXT, new_file, read_regular
from companion.program import PROGRAM
from companion.rules.columns import clean, did_you_mean, either, in_shell
from companion.terminal import data_stream
from firmware_protocol.virtual.runtime import VirtualBoardError

if TYPE_CHECKING:
    SubParsersAction = argparse._SubParsersAction[argparse.ArgumentParser]
else:
    SubParsersAction = argparse._SubParsersAction


class CommandParser(argparse.ArgumentParser):
    """A parser that suggests the nearest command, choice or option for an unknown one. Wrong usage is one sentence on
    the error stream and `Exit.USAGE`. The arguments it `takes` are added on first use: a program that starts needs
    those of one command, not of fifty."""

    def __init__(self, *, takes: Sequence[Takes] = (), **settings: Any) -> None:
        # An abbreviated option would break on the day that another one begins like it.
        super().__init__(allow_abbrev=False, **settings)
        self._waiting = takes
        # replaces `int` in every option by a reader whose message people understand
        self.register("type", int, _whole_number)
        self.register("action", "parsers", _Commands)

    def fill(self) -> None:
        """Add the arguments, if that has not been done."""
        waiting, self._waiting = self._waiting, ()
        for add in waiting:
            add(self)

    def format_help(self) -> str:
        """Return the text of `--help`."""
        self.fill()
        return super().format_help()

    # argparse declares overloads with the same meaning
    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: Any = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Return what the arguments mean. Unknown ones are refused here, where the command's options are known."""
        self.fill()
        # First, or the value of an unknown option would be refused as whatever else the command takes.
        self._require_options(sys.argv[1:] if args is None else args)
        parsed, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self._refuse(unknown[0])
        return parsed, unknown

    def _require_options(self, args: Sequence[str]) -> None:
        """Refuse an option that this command does not have. What follows a command below it is that one's own."""
        for arg in args:
            if arg == "--" or (self._subparsers is not None and not arg.startswith("-")):
                return
            word = arg.partition("=")[0]
            if word.startswith("--") and word not in self._option_string_actions:
                self._refuse(arg)

    def _refuse(self, arg: str) -> NoReturn:
        word = arg.partition("=")[0]
        near = did_you_mean(word, self._option_string_actions) if word.startswith("-") else ""
        self.error(_with_hint(f"{word!r} means nothing here", near))

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Refuse an unknown choice; argparse calls this for subcommands too."""
        if action.choices is None or value in action.choices:
            return
        known = [str(choice) for choice in action.choices]
        near = did_you_mean(str(value), known)
        if isinstance(action, argparse._SubParsersAction):
            raise argparse.ArgumentError(None, _with_hint(f"there is no command {value!r}", near))
        # a positional argument has no name that anybody typed
        named = action if action.option_strings else None
        hint = near or f"type {either(known)}"
        raise argparse.ArgumentError(named, f"{value!r} means nothing here: {hint}")

    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:
        if arg_string in ("", "-") and action.type is Path:
            leave = ""
            if action.option_strings and not action.required:
                leave = ", or leave this out"
            raise argparse.ArgumentError(action, f"{arg_string!r} is no file here: name one{leave}")
        return super()._get_value(action, arg_string)

    def _print_message(self, message: str, file: Any = None) -> None:
        """Write a message; argparse itself would ignore an output that cannot be written."""
        (file or sys.stderr).write(message)

    def error(self, message: str) -> NoReturn:
        """Print the mistake and where help is; exit with `Exit.USAGE`."""
        mistake = message.removeprefix("argument ").replace(
            "the following arguments are required:", "it also needs"
        )
        mistake = mistake.replace("expected one argument", "its value is missing")
        sentence = f"{self.prog}: {mistake}"
        end = "" if sentence.endswith(("?", ".")) else "."
        program, _, command = self.prog.partition(" ")
        more = f"{program} help {command}".rstrip()
        # cleaned, because it quotes what was typed
        print(clean(f"{sentence}{end} More: {more}"), file=sys.stderr)
        raise SystemExit(Exit.USAGE)


def _with_hint(sentence: str, hint: str) -> str:
    return f"{sentence}: {hint}" if hint else sentence


class _Commands(SubParsersAction):
    """Subcommands whose own help begins with their line in the list of commands."""

    def add_parser(self, name: str, **settings: Any) -> argparse.ArgumentParser:
        """Return the parser of a command."""
        summary = settings["help"]
        return super().add_parser(
            name, description=f"{summary[0].upper()}{summary[1:]}.", **settings
        )


def _whole_number(text: str) -> int:
    """Read an integer; argparse's message would speak of an invalid "int value"."""
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number") from None


def whole(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    """Return a parser after adding all its arguments, and those of the commands below it."""
    if isinstance(parser, CommandParser):
        parser.fill()
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                whole(command)
    return parser


Ask = Callable[[str], str]
"""Asks a person a question and returns the typed line; raises `EOFError` at the end of the input."""


def answer(
    question: str,
    answers: Sequence[str] = ("", "y", "n"),
    ask: Ask = lambda question: input(question),
) -> str:
    """Ask until one of `answers` is typed, empty for Enter alone, and return it; `n` at the end of the input."""
    while True:
        try:
            typed = ask(question).strip().lower()
        except EOFError:
            print()
            return "n"
        typed = {"yes": "y", "no": "n"}.get(typed, typed)
        if typed in answers:
            return typed
        print(f"Answer {' or '.join(filter(None, answers))}.")


def read_text(path: Path, what: str) -> str:
    """Return the text of a file that anybody may have made; raise `CommandError`, which says to name `what`."""
    with reading(path, f"; name {what}."):
        data = read_regular(path, LARGEST_TEXT)
    # a session's own file is the likeliest mistake here
    if data.startswith(b"SQLite format 3\0"):
        raise CommandError(
            f"{path} is no text; if it is a session, continue it: {PROGRAM} resume {in_shell(str(path))}"
        )
    try:
        return data.decode("utf-8-sig")  # some editors begin a file with a byte order mark
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        why = (
            f"{path}, line {line}: FORMAT: this is no UTF-8 text; expected one JSON object a line."
        )
        raise CommandError(why) from error


def print_or_write(text: str, out: Path | None, *, private: bool = False) -> None:
    """Write text to a new file as UTF-8, or to standard output; raise `CommandError`. `private`: see `new_file`."""
    if out is None:
        data_stream().write(text)
        return
    with writing(out, "; name another file."), new_file(out, private=private) as file:
        file.write(text.encode("utf-8", errors="replace"))


class LeftAlone(CommandError):
    """The person who was asked wants nothing done; it ends as a success."""


def run_reporting_errors(command: Callable[[], ErrorKind | int | None]) -> int:
    """Run a command, which returns an exit code, the kind of an error, or None; print an error in one sentence, and
    return the exit code."""
    try:
        return code_of(command())
    except VirtualBoardError as problem:
        return _print_error(f"The virtual board cannot be started: {problem}", Exit.UNAVAILABLE)
    except LeftAlone as answer:
        return _print_error(str(answer), Exit.DONE)
    except CommandError as problem:
        return _print_error(str(problem), code_of(problem.kind))


def _print_error(why: str, code: int) -> int:
    print("\n".join(map(clean, why.split("\n"))), file=sys.stderr)
    return code
