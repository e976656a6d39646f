"""The commands about sessions beside play: list, rename, archive, export, import, statistics, check, repair."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.reports import FORMATS

if TYPE_CHECKING:
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]

_SESSION = "a session's name, the beginning of one, or its file"
LAST = "a session's name or file (default: the one played last)"


def add_parsers(commands: Subparsers) -> None:
    """Add the commands to the command line."""
    _add_sessions(commands.add_parser("sessions", help="list, rename, archive or delete sessions"))
    _add_journal(commands.add_parser("journal", help="check or repair the record of a session"))
    export = commands.add_parser("export", help="write a session as JSON, CSV, transcript, report or BG Stats play")
    export.set_defaults(run=_export)
    export.add_argument("session", nargs="?", metavar="SESSION", help=LAST)
    export.add_argument("--format", choices=FORMATS, default="html", help="default: html, a report in one file")
    export.add_argument("--evidence", action="store_true", help="put what the board said into jsonl too")
    export.add_argument(
        "--stored", action="store_true", help="the entries as stored, hidden ones too, where the game is not installed"
    )
    _add_out(export)
    add_anyway(export)
    bring = commands.add_parser("import", help="make a session of a jsonl export or a transcript")
    bring.set_defaults(run=_import)
    bring.add_argument("file", type=Path, help="the file")
    _add_out(bring)
    stats = commands.add_parser(
        "stats", help="who won how often, streaks, best shots and draws a minute over all sessions"
    )
    stats.set_defaults(run=_stats)
    stats.add_argument("--json", action="store_true", help="print JSON")
    stats.add_argument("--plot", action="store_true", help="draw who had won how many games, game by game")
    tests = "leave out what is called a test, or was played on the virtual board or with a made-up box"
    stats.add_argument("--no-tests", action="store_true", help=tests)
    add_anyway(stats)
    sheet = commands.add_parser("sheet", help="one page of text to go on by hand")
    sheet.set_defaults(run=_sheet)
    sheet.add_argument("session", nargs="?", metavar="SESSION", help=LAST)
    _add_out(sheet)
    add_anyway(sheet)


def add_anyway(command: argparse.ArgumentParser) -> None:
    """Let a command go on with a record that lacks what was saved once."""
    command.add_argument("--anyway", action="store_true", help="go on with a record that lacks what was saved once")


def _add_out(command: argparse.ArgumentParser) -> None:
    command.add_argument("-o", "--out", type=Path, metavar="FILE", help="write to FILE")


def _add_sessions(sessions: argparse.ArgumentParser) -> None:
    sessions.set_defaults(run=_keep)
    sessions.add_argument("--json", action="store_true", help="print the list as JSON")
    add_anyway(sessions)
    what = sessions.add_subparsers(dest="what", metavar="WHAT")
    rename = what.add_parser("rename", help="give a session another name")
    for command in (rename, *(what.add_parser(word, help=text) for word, text in _MOVES.items())):
        command.add_argument("session", metavar="SESSION", help=_SESSION)
    rename.add_argument("name", metavar="NAME", help="its new name")
    _add_yes(what.add_parser("delete", help="delete a session for good"))


_MOVES = {
    "archive": "put a session aside: it is kept, but not offered any more",
    "unarchive": "bring a session back from the archive",
}


def _add_journal(journal: argparse.ArgumentParser) -> None:
    journal.set_defaults(run=_keep)
    what = journal.add_subparsers(dest="what", metavar="WHAT", required=True)
    what.add_parser("check", help="say what is right and wrong with a record").add_argument(
        "session", metavar="SESSION", help=_SESSION
    )
    _add_yes(what.add_parser("repair", help="save what can be read of a damaged record into a new file"))


def _add_yes(command: argparse.ArgumentParser) -> None:
    command.add_argument("session", metavar="SESSION", help=_SESSION)
    command.add_argument("--yes", action="store_true", help="do not ask")


def _export(args: argparse.Namespace) -> int:
    from companion.commands import reports

    wanted = {"evidence": args.evidence, "anyway": args.anyway, "stored": args.stored}
    return reports.run_export(args.session, args.format, args.out, **wanted)


def _import(args: argparse.Namespace) -> int:
    from companion.commands import reports

    return reports.run_import(args.file, args.out)


def _stats(args: argparse.Namespace) -> int:
    from companion.commands import reports

    return reports.run_stats(as_json=args.json, anyway=args.anyway, trials=not args.no_tests, plot=args.plot)


def _sheet(args: argparse.Namespace) -> int:
    from companion.commands import reports

    return reports.run_sheet(args.session, args.out, anyway=args.anyway)


def _keep(args: argparse.Namespace) -> int:
    from companion.commands import sessions

    streams: dict[str, Any] = {"out": sys.stdout, "err": sys.stderr}
    match args.what:
        case None:
            return sessions.show(as_json=args.json, anyway=args.anyway, **streams)
        case "rename":
            return sessions.rename(args.session, args.name, **streams)
        case "archive":
            return sessions.archive(args.session, **streams)
        case "unarchive":
            return sessions.unarchive(args.session, **streams)
        case "check":
            return sessions.check(args.session, **streams)
        case "delete":
            return sessions.delete(args.session, yes=args.yes, ask=input, **streams)
    return sessions.repair(args.session, yes=args.yes, ask=input, **streams)
