"""The commands about sessions beside play: list, rename, archive, export, import, statistics, check, repair."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from companion.reports import FORMATS

if TYPE_CHECKING:
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]

_SESSIONS = "companion.commands.sessions"
_SESSION = "a session's name, the beginning of one, or its file"
LAST = "a session's name or file (default: the one played last)"


def add_parsers(commands: Subparsers) -> None:
    """Add the commands to the command line."""
    commands.add_parser("sessions", fill=_add_sessions, help="list, rename, archive or delete sessions")
    commands.add_parser("journal", fill=_add_journal, help="check or repair the record of a session")
    export = commands.add_parser("export", help="write a session as JSON, CSV, transcript, report or BG Stats play")
    export.set_defaults(run="companion.commands.reports:run_export")
    export.add_argument("session", nargs="?", metavar="SESSION", help=LAST)
    export.add_argument("--format", choices=FORMATS, default="html", help="default: html, a report in one file")
    export.add_argument("--evidence", action="store_true", help="put what the board said into jsonl too")
    export.add_argument(
        "--stored", action="store_true", help="the entries as stored, hidden ones too, where the game is not installed"
    )
    _add_out(export)
    add_anyway(export)
    feed = commands.add_parser("feed", help="what happens in a session as JSON lines, for other programs; no secrets")
    feed.set_defaults(run="companion.commands.feed:run")
    feed.add_argument("session", nargs="?", metavar="SESSION", help=LAST)
    feed.add_argument("--follow", action="store_true", help="go on with what comes, until the session has ended")
    feed.add_argument("--after", type=int, default=0, metavar="NUMBER", help="only events with a higher number")
    feed.add_argument("--schema", action="store_true", help="print the JSON Schema of an event instead")
    add_anyway(feed)
    bring = commands.add_parser("import", help="make a session of a jsonl export or a transcript")
    bring.set_defaults(run="companion.commands.reports:bring_in")
    bring.add_argument("file", type=Path, help="the file")
    _add_out(bring)
    stats = commands.add_parser(
        "stats", help="who won how often, streaks, best shots and draws a minute over all sessions"
    )
    stats.set_defaults(run="companion.commands.reports:stats")
    stats.add_argument("--json", action="store_true", help="print JSON")
    stats.add_argument("--plot", action="store_true", help="draw who had won how many games, game by game")
    tests = "leave out what is called a test, or was played on the virtual board or with a made-up box"
    stats.add_argument("--no-tests", action="store_true", help=tests)
    add_anyway(stats)
    sheet = commands.add_parser("sheet", help="one page of text, to go on with pen and paper")
    sheet.set_defaults(run="companion.commands.reports:sheet")
    sheet.add_argument("session", nargs="?", metavar="SESSION", help=LAST)
    _add_out(sheet)
    add_anyway(sheet)


def add_anyway(command: argparse.ArgumentParser) -> None:
    """Let a command go on with a record that lacks what was saved once."""
    command.add_argument("--anyway", action="store_true", help="go on, although part of what was saved is missing")


def _add_out(command: argparse.ArgumentParser) -> None:
    command.add_argument("-o", "--out", type=Path, metavar="FILE", help="write to FILE")


def _add_sessions(sessions: argparse.ArgumentParser) -> None:
    sessions.set_defaults(run=f"{_SESSIONS}:show")
    sessions.add_argument("--json", action="store_true", help="print the list as JSON")
    add_anyway(sessions)
    what = sessions.add_subparsers(metavar="WHAT")
    _leaf(what, "rename", "give a session another name").add_argument("name", metavar="NAME", help="its new name")
    _leaf(what, "archive", "put a session aside: it is kept, but not offered any more")
    _leaf(what, "unarchive", "bring a session back from the archive")
    _add_yes(_leaf(what, "delete", "delete a session for good"))


def _add_journal(journal: argparse.ArgumentParser) -> None:
    what = journal.add_subparsers(metavar="WHAT", required=True)
    _leaf(what, "check", "say what is right and wrong with a record")
    _add_yes(_leaf(what, "repair", "save what can be read of a damaged record into a new file"))


def _leaf(what: Subparsers, word: str, about: str) -> argparse.ArgumentParser:
    """A command about one session, done by the function of its name."""
    leaf = what.add_parser(word, help=about)
    leaf.set_defaults(run=f"{_SESSIONS}:{word}")
    leaf.add_argument("session", metavar="SESSION", help=_SESSION)
    return leaf


def _add_yes(command: argparse.ArgumentParser) -> None:
    command.add_argument("--yes", action="store_true", help="do not ask")
