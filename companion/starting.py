"""`companion` alone at a terminal, and `companion tour`: the start screens, and what was chosen on them."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from companion.columns import clean
from companion.config_commands import in_force
from companion.exits import CommandError, Exit
from companion.games import GAMES
from companion.games.catalog import BY_GAME
from companion.journal.sessions import SessionInfo, list_sessions, sessions_dir
from companion.opening import begin
from companion.playing import Way, cannot_read, go_on, maker, offer_last, play, told
from companion.session_list import is_written, local
from companion.watching import watch
from firmware_protocol.virtual.runtime import VirtualBoardError

if TYPE_CHECKING:
    from companion.dashboard.start.plan import LookOn, NewGame, Past, Resume
    from companion.link.finder import Found


def run(args: argparse.Namespace) -> int:
    """Ask what to play, and play it, or take the tour; return the exit code."""
    return told(lambda: _tour(args) if args.command == "tour" else _start(args))


def _tour(args: argparse.Namespace) -> int:
    from companion.touring import take_tour

    return take_tour(Way(wanted=in_force(args, ["panic-fire"])).look)


def _start(args: argparse.Namespace) -> int:
    wanted = in_force(args, sorted(GAMES))
    way = Way(wanted.port, wanted.plain, wanted)
    if wanted.plain:
        return offer_last(way, ask=True)
    from companion.dashboard.start.app import Begun, StartApp
    from companion.dashboard.start.plan import NewGame, Tour
    from companion.dashboard.start.search import Search

    toured, begun = False, None
    while True:
        search = Search()
        app = StartApp(past(), wanted, search, toured=toured, begun=begun)
        choice = app.run()
        found = search.found  # a search that is ended early finds nothing, and nothing follows from that
        search.stop()
        if app.failure is not None:
            raise app.failure
        if choice is None:
            return Exit.DONE
        try:
            if not isinstance(choice, Tour):
                return _play(choice, way, found)
            _tour(args)
            toured, begun = True, None
        except (CommandError, VirtualBoardError) as problem:
            begun = Begun(choice if isinstance(choice, NewGame) else None, str(problem))


def _play(choice: LookOn | NewGame | Resume, way: Way, found: Found | None) -> int:
    from companion.dashboard.start.plan import LookOn, NewGame, port_of

    if isinstance(choice, LookOn):
        return watch(choice.path, sys.stdout, way.look, plain=False)
    make = maker(None, way.wanted.keys)
    at_port = replace(way, port=port_of(choice.port, found))
    if isinstance(choice, NewGame):
        game, box = choice, choice.components
        return play(lambda: begin(game.game, game.seats, game.options, components=box, make=make), at_port)
    return go_on(choice.path, at_port, make)


def past() -> tuple[Past, ...]:
    """Return the sessions that can be read, the one played last first; raise `CommandError`."""
    folder = sessions_dir()
    try:
        readable = [info for info in list_sessions(folder) if info.problem is None]
    except OSError as problem:
        raise cannot_read(folder, problem) from problem
    return tuple(_past(info) for info in sorted(readable, key=lambda info: info.last_wall, reverse=True))


def _past(info: SessionInfo) -> Past:
    from companion.dashboard.start.plan import Past

    card = BY_GAME.get(info.game)
    title = clean(info.game) if card is None else card.title
    elsewhere = not info.ended and is_written(info.path)
    return Past(info.path, info.game, title, info.seats, local(info.started_wall), info.entries, info.ended, elsewhere)
