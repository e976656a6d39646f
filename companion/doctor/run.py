"""`companion doctor [--json] [--port PORT]`: all checks, in the order in which things usually fail."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from companion.board.calibrated import read_settings
from companion.config.own_games import kept_games
from companion.doctor import checks, ports as port_checks
from companion.doctor.checks import Finding, Severity, failure, outlet_findings
from companion.doctor.surroundings import Surroundings, versions
from companion.errors import ErrorKind
from companion.journal import check as checking
from companion.journal.errors import JournalError
from companion.journal.folder import sessions_dir
from companion.journal.sessions import SessionInfo, list_sessions
from companion.program import PROGRAM
from companion.rules.columns import in_shell, json_text
from companion.rules.registry import GAMES, problems
from companion.terminal import data_stream


def check_session(path: Path) -> list[str]:
    """Return what is wrong with a session's record.

    Facts are not parsed: an unknown game is no damage.
    """
    checked = checking.check(path, lambda _header: lambda _entry: None)
    return [check.sentence for check in checked if not check.right]


def findings(
    here: Surroundings, port: str | None = None, ask_board: port_checks.Ask = port_checks.ask
) -> Iterator[Finding]:
    """Run every check."""
    folder = sessions_dir()
    infos: tuple[SessionInfo, ...] | None = None
    try:
        infos = list_sessions(folder)
    except JournalError as problem:
        yield failure(
            "sessions",
            str(problem),
            "Give it back its rights, or name another folder in COMPANION_DATA.",
        )
    yield from checks.terminal(here)
    yield from checks.program(here, versions())
    yield from checks.games(GAMES.values(), problems())
    for own_game in kept_games():
        if own_game.fault:
            yield failure(
                "games", own_game.fault, f"{PROGRAM} games check {in_shell(str(own_game.path))}"
            )
    yield from port_checks.hogs(here)
    yield from port_checks.ports(here, port, ask_board)
    yield from port_checks.virtual()
    yield from checks.calibrated(read_settings())
    if infos is not None:
        yield from checks.sessions(infos, check_session)
        yield from checks.two_ends(infos)
    yield from outlet_findings(infos or ())
    yield from checks.can_be_written(here, folder)
    yield from checks.disk(here, folder)
    yield from checks.clock(here, infos or ())


def command(args: argparse.Namespace) -> ErrorKind | None:
    """Run `companion doctor`: print the findings; return `UNAVAILABLE` for a failure, but not for a warning."""
    rows: list[Finding] = []
    for finding in findings(Surroundings(), args.port):
        rows.append(finding)
        if not args.json:
            print(finding, flush=True)
    levels = {finding.level for finding in rows}
    worst = [level for level in Severity if level in levels][-1]  # declared from best to worst
    if args.json:
        print(
            json_text({"verdict": worst.value, "findings": list(map(asdict, rows))}, indent=2),
            file=data_stream(),
        )
    if worst is Severity.FAILURE:
        return ErrorKind.UNAVAILABLE
    return None
