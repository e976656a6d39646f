"""`companion` alone at a terminal, and `companion tour`: the start screens, and what was chosen on them.

The first screen is painted before a game, a table or a link is imported; these come while somebody reads it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from dataclasses import dataclass, replace
from importlib import import_module
from typing import TYPE_CHECKING

from companion.commands.session_list import is_written, local, unread
from companion.config.own_games import kept_games
from companion.config.schema import Preferences
from companion.dashboard.preferences import in_force
from companion.exits import CommandError, Exit
from companion.journal.collector import collect_again, collector_frozen
from companion.journal.sessions import SessionInfo, list_sessions, sessions_dir
from companion.rules.columns import clean
from companion.rules.registry import GAMES, problems
from companion.session import terminal

if TYPE_CHECKING:
    from companion.commands.playing import PlayOptions
    from companion.dashboard.start.app import Begun
    from companion.dashboard.start.choices import Choice, LookOn, NewGame, Past, Resume
    from companion.link.finder import BoardSearch


def run(args: argparse.Namespace) -> int:
    """`companion` alone: ask what to play, and play it; return the exit code."""
    if not terminal.shows_screens():
        from companion.commands.playing import offer

        return offer(args)
    for _ in kept_games():  # each is offered from now on; `games list` says of the others what is wrong with them
        pass
    wanted = in_force(args, sorted(GAMES))
    first = None if wanted.plain else ask(wanted)
    if first is not None and first.choice is None:
        return Exit.DONE
    from companion.commands.playing import PlayOptions, offer_last

    play_options = PlayOptions(wanted.port, wanted.plain, wanted)
    return offer_last(play_options, ask=True) if first is None else _go_through(first, play_options)


def play(args: argparse.Namespace) -> int:
    """`play`. Where no game is named, the start screens ask for it, if somebody can answer and nothing else was said of
    it."""
    if args.game is not None:
        from companion.commands.resuming import new

        return new(args)
    said = args.seats is not None or args.option or args.capture is not None
    if not said and terminal.shows_screens() and not getattr(args, "plain", False):
        return run(args)
    if not GAMES:
        raise CommandError(" ".join(map(str, problems())), Exit.UNAVAILABLE)
    raise CommandError(f"Name the game: companion play GAME. The games are: {', '.join(GAMES)}.", Exit.USAGE)


def tour(args: argparse.Namespace) -> int:
    """Take the tour; return the exit code."""
    from companion.commands.playing import PlayOptions

    wanted = in_force(args, sorted(GAMES))
    return _tour(PlayOptions(wanted.port, wanted.plain, wanted))


@dataclass(frozen=True, slots=True)
class Answer:
    """What was chosen on the start screens, and what the search for a board had found by then."""

    choice: Choice | None
    found: BoardSearch | None


def ask(wanted: Preferences, *, toured: bool = False, begun: Begun | None = None) -> Answer:
    """Show the start screens until something is chosen; raise `CommandError`, or what the screens failed with."""
    with collector_frozen():  # until all is prepared
        from companion.dashboard.start.app import StartApp
        from companion.dashboard.start.search import Search

        search = Search()
        infos = list_sessions(sessions_dir())
        app = StartApp(past(infos), wanted, search, toured=toured, begun=begun, unread=unread(infos), prepare=_prepare)
        choice = app.run()
    found = search.found  # a search that is ended early finds nothing, and nothing follows from that
    search.stop()
    if app.failure is not None:
        raise app.failure
    return Answer(choice, found)


def _prepare() -> None:
    for module in ("companion.dashboard.start.ready", "companion.commands.playing", "companion.dashboard.app"):
        import_module(module)
    collect_again()


def _go_through(answer: Answer, play_options: PlayOptions) -> int:
    """Play what was chosen; ask again after the tour, and with the reason where something could not begin."""
    from companion.dashboard.start.app import Begun
    from companion.dashboard.start.choices import EnterBox, Tour
    from firmware_protocol.virtual.runtime import VirtualBoardError

    while answer.choice is not None:
        toured, begun = isinstance(answer.choice, Tour), None
        try:
            if isinstance(answer.choice, EnterBox):
                begun = Begun(_box_entered(answer.choice.game, play_options), "")
            elif isinstance(answer.choice, Tour):
                _tour(play_options)
            else:
                return _play(answer.choice, play_options, answer.found)
        except (CommandError, VirtualBoardError) as problem:
            begun = Begun(_game_of(answer.choice), str(problem))
        answer = ask(play_options.wanted, toured=toured, begun=begun)
    return Exit.DONE


def _game_of(choice: Choice) -> NewGame | None:
    """The game that was being put together."""
    from companion.dashboard.start.choices import EnterBox, NewGame

    if isinstance(choice, EnterBox):
        return choice.game
    return choice if isinstance(choice, NewGame) else None


def _box_entered(game: NewGame, play_options: PlayOptions) -> NewGame:
    """Enter what the owner's copy says; return the game, to be played with it."""
    from companion.commands.box_entry import SOURCE, enter
    from companion.dashboard.start.plan import boxes_of

    enter(game.game, SOURCE, play_options.wanted)
    game.box = boxes_of(game.game)[0].word
    return game


def _tour(play_options: PlayOptions) -> int:
    from companion.commands.touring import take_tour

    return take_tour(play_options.look)


def _play(choice: LookOn | NewGame | Resume, play_options: PlayOptions, found: BoardSearch | None) -> int:
    from companion.commands.playing import begin_playing, maker, play
    from companion.commands.resuming import go_on
    from companion.commands.watching import watch
    from companion.dashboard.start.choices import LookOn, Resume, port_of
    from companion.dashboard.start.plan import components_of, options_of

    if isinstance(choice, LookOn):
        return watch(choice.path, sys.stdout, play_options.look, plain=False)
    make = maker(None, play_options)
    at_port = replace(play_options, port=port_of(choice.port, found))
    if isinstance(choice, Resume):
        return go_on(choice.path, at_port, make)
    at_port = replace(at_port, port_said=choice.port not in (None, play_options.wanted.port))
    chosen, components = options_of(choice), components_of(choice)
    return play(lambda: begin_playing(choice.game, choice.seats, chosen, at_port, make, components), at_port)


def past(infos: Iterable[SessionInfo]) -> tuple[Past, ...]:
    """Return those of the sessions that can be read, the one played last first, those in which nothing was ruled behind
    the others."""
    readable = [info for info in infos if info.problem is None]
    return tuple(_past(info) for info in sorted(readable, key=lambda info: (info.ruled, info.last_wall), reverse=True))


def _past(info: SessionInfo) -> Past:
    from companion.dashboard.start.choices import Past

    card = GAMES.get(info.game)
    seats = tuple(map(clean, info.seats))
    title = clean(info.game) if card is None else card.title
    elsewhere = not info.ended and is_written(info.path)
    return Past(
        info.path,
        info.game,
        title,
        seats,
        local(info.started_wall),
        info.entries,
        info.ended,
        elsewhere,
        info.ruled,
        bool(info.lacking),
    )
