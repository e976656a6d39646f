"""What is asked when the people leave a game that is over: once about a report, and each time about another game."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from companion.commands.reporting import run_reporting_errors
from companion.exits import Exit
from companion.journal.entries import Control, is_control
from companion.journal.errors import JournalError
from companion.journal.store import read_entries

Ask = Callable[[str], str]
"""Puts a question to a person and returns the line typed; raises `EOFError` at the end of the input."""

FORMATS = {"h": ("html", ".html"), "b": ("bgstats", ".bgstats.json"), "j": ("jsonl", ".jsonl"), "c": ("csv", ".csv")}
QUESTION = (
    "The game is over. Write a report?\n"
    "  h  one page (HTML)   b  a play for BG Stats   c  CSV   j  the whole record   Enter  none\n> "
)


def ended_just_now(path: Path) -> bool:
    """Return whether the session at `path` has come to its end, and for the first time."""
    try:
        entries = read_entries(path)
    except JournalError:
        return False
    return [entry.n for entry in entries if is_control(entry, Control.ENDED)] == [len(entries)]


def offer_report(path: Path, ask: Ask, say: Callable[[str], object], folder: Path) -> None:
    """Ask which report to write and write it into `folder`, under a name that is free."""
    wanted = _answer(ask, QUESTION, (*FORMATS, "", "n"))
    if wanted in ("", "n"):
        say(f"Later:  companion export {path.stem}")
        return
    from companion.commands.reports import export_to

    name, suffix = FORMATS[wanted]
    out = free(folder / f"{path.stem}{suffix}")
    if run_reporting_errors(lambda: export_to(str(path), name, out)) == Exit.DONE:
        say(f"The report is {out}")


def wants_rematch(ask: Ask) -> bool:
    """Ask whether to play again with the same players and house rules."""
    return _answer(ask, "Play again, with the same players and house rules? [y/N] ", ("", "y", "n")) == "y"


def _answer(ask: Ask, question: str, answers: tuple[str, ...]) -> str:
    while True:
        try:
            answer = ask(question).strip().lower()[:1]
        except EOFError:
            return ""
        if answer in answers:
            return answer


def free(path: Path) -> Path:
    """Return the path, or one like it with a number, that no file has."""
    free, count = path, 1
    while free.exists():
        count += 1
        free = path.with_name(f"{path.name.removesuffix(''.join(path.suffixes))}-{count}{''.join(path.suffixes)}")
    return free
