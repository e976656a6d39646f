"""Screens before a table: the start screens of `companion` alone, and, for a long record or a
new game, a page until `companion resume` or `companion play` has opened the table.

The first screen is painted before a game, a table or a link is imported; these load while somebody reads it.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion import terminal
from companion.commands.browser_option import options_of
from companion.commands.past_sessions import past
from companion.commands.place import with_place
from companion.commands.play_options import PlayOptions, wanted_options
from companion.commands.sessions import is_written, title_of
from companion.commands.two_ends import require_agreed
from companion.commands.usage import answer
from companion.config.own_games import kept_games, names
from companion.config.schema import Preferences
from companion.config.values import file_named
from companion.dashboard.reading import Outline, SessionReading
from companion.errors import CommandError, ErrorKind
from companion.exits import Exit, code_of
from companion.journal.collector import collect_again, collector_frozen
from companion.journal.ends import without_superseded
from companion.journal.errors import JournalError
from companion.journal.folder import crash_path, sessions_dir, typed_name
from companion.journal.order import PlayedLast, played_last
from companion.journal.sessions import SessionInfo, head_of, list_sessions, unfinished
from companion.journal.store import Step
from companion.journal.wall_clock import begun_text, instant_of
from companion.outbound.hub_ticket import ticket_path
from companion.program import PROGRAM
from companion.rules.columns import in_shell, plural
from companion.rules.lesson_field import lesson_in
from companion.rules.names import split_names
from companion.rules.registry import GAMES, example_game, learn_of, problems
from companion.session.finding import (
    nothing_to_go_on_with,
    session_to_go_on_with,
    tell_unread,
    unread,
)
from companion.session.game_watch import HANGS_S, stopped_after

if TYPE_CHECKING:
    from companion.dashboard.start.choices import Choice, LookOn, NewGame, Resume
    from companion.link.finder import BoardSearch
    from companion.session.table import Table
    from companion.session.views import Unsaved


def run(args: argparse.Namespace) -> int:
    """`companion` alone: ask what to play, and play it; return the exit code."""
    # makes the user's own games known; `games list` reports those that are faulty
    for _ in kept_games():
        pass
    play_options = wanted_options(args)
    if not play_options.plain:
        return _go_through(play_options)
    return offer_last(play_options, ask=terminal.can_ask())


def offer_last(play_options: PlayOptions, *, ask: bool) -> int:
    """Offer the last unfinished session in plain lines, or say how to begin; `ask` if somebody can answer."""
    infos = list_sessions(sessions_dir())
    tell_unread(infos)
    candidates = played_last(unfinished(without_superseded(infos)), infos)
    if not candidates.infos:
        terminal.tell(
            f"{nothing_to_go_on_with(infos)}. Start one:\n  {PROGRAM} play {example_game()} --seats red,blue,green"
        )
        terminal.tell(f"or watch one on the virtual board:\n  {PROGRAM} demo")
        return Exit.DONE
    if candidates.doubt:
        return _offer_choice(candidates)
    last = candidates.infos[0]
    if last.lacking:
        print(last.lacking, file=sys.stderr)
    terminal.tell(f"The last unfinished session: {_described(last)}.")
    if not ask:
        terminal.tell(f"Continue it:  {PROGRAM} resume")
        return Exit.DATA if last.lacking else Exit.DONE
    if answer("Continue it? [Y/n] ") != "n":
        return go_on(last.path, play_options)
    terminal.tell(f"It is kept. Continue it later:  {PROGRAM} resume")
    terminal.tell(f"Start another one:\n  {PROGRAM} play {example_game()} --seats red,blue,green")
    return Exit.DONE


def _offer_choice(candidates: PlayedLast) -> int:
    """Print each session that may be the last one, with the command that resumes it."""
    terminal.tell(f"{candidates.doubt} Continue the one you mean:")
    for info in candidates.infos:
        terminal.tell(f"  {PROGRAM} resume {typed_name(info.path)}\n      {_described(info)}")
    return Exit.DONE


def _described(info: SessionInfo) -> str:
    begun = begun_text(instant_of(info.started_wall))
    return f"{title_of(info)}, {begun}, {plural(info.entries, 'entry', 'entries')}"


def play(args: argparse.Namespace) -> int:
    """`play`. Without a game, the start screens ask for it, if somebody can answer and no other option of the session
    is given."""
    if args.game is not None:
        return new(args)
    if args.browser:
        from companion.commands.in_browser import choose_and_play

        with options_of(args) as play_options:
            return choose_and_play(play_options)
    specified = args.seats is not None or args.option or args.capture is not None
    if not specified and terminal.shows_screens() and not getattr(args, "plain", False):
        return run(args)
    if not GAMES:
        raise CommandError(" ".join(map(str, problems())), ErrorKind.UNAVAILABLE)
    known = ", ".join(names())
    raise CommandError(
        f"Name the game: {PROGRAM} play GAME. The games are: {known}.", ErrorKind.USAGE
    )


def ask(wanted: Preferences, **begun: Any) -> tuple[Choice | None, BoardSearch | None, float]:
    """Show the start screens until something is chosen; return the choice, what the search for a board has found, and
    when a number chose it (-inf: another key). Raise `CommandError`, or what the screens failed with. `begun` has
    arguments of `StartApp` about the last time."""
    with collector_frozen():  # until everything is prepared
        from companion.dashboard.start.app import StartApp
        from companion.dashboard.start.choices import Search

        # started first: it looks for a board while the list of sessions is read
        search = Search()
        infos = list_sessions(sessions_dir())
        app = StartApp(
            past(without_superseded(infos)),
            wanted,
            search,
            unread=unread(infos),
            prepare=_prepare,
            **begun,
        )
        try:
            choice = app.run()
        finally:
            # read before stopping: a stopped search finds nothing
            board = search.found
            search.stop()
    return choice, board, app.number_s


def _prepare() -> None:
    for module in (
        "companion.dashboard.start.new_game",
        "companion.commands.playing",
        "companion.dashboard.app",
    ):
        import_module(module)
    collect_again()


def _go_through(play_options: PlayOptions) -> int:
    """Ask, and play what was chosen; ask again after a lesson, or with the reason if something could not begin."""
    begun: dict[str, Any] = {}
    while True:
        choice, board, number_s = ask(play_options.wanted, **begun)
        if choice is None:
            return Exit.DONE
        play_options = replace(play_options, number_s=number_s)
        from companion.dashboard.start.choices import EnterBox, InBrowser, Learn, NewGame
        from firmware_protocol.virtual.runtime import VirtualBoardError

        game, notice = choice.game if isinstance(choice, EnterBox) else choice, ""
        try:
            if isinstance(choice, EnterBox):
                game = _box_entered(choice.game, play_options)
            elif isinstance(choice, Learn):
                notice = _why_it_ended(_learn(choice.name, play_options, board))
            elif isinstance(choice, InBrowser):
                return _in_browser(play_options)
            else:
                return _play(choice, play_options, board)
        except (CommandError, VirtualBoardError) as problem:
            notice = str(problem)
        begun = {
            "learned": isinstance(choice, Learn),
            "game": game if isinstance(game, NewGame) else None,
            "notice": notice,
        }


def _box_entered(game: NewGame, play_options: PlayOptions) -> NewGame:
    """Enter the facts of the owner's copy; return the game, set to be played with them."""
    from companion.commands.components import SOURCE, enter
    from companion.dashboard.start.plan import boxes_of

    enter(game.game, SOURCE, play_options.wanted)
    game.box = boxes_of(game.game)[0].value
    return game


def _in_browser(play_options: PlayOptions) -> int:
    """Choose and play on a page in this computer's browser."""
    from companion.commands.in_browser import choose_and_play, with_page

    with with_page(play_options, None, opens=True) as with_one:
        return choose_and_play(with_one)


def _why_it_ended(code: int) -> str:
    """Return what the first screen says of a lesson that ended with this exit code; "" if the learner left it.

    The sentence that the lesson's screen printed is below the first screen.
    """
    match code:
        case Exit.SOFTWARE:
            details = crash_path()
            return f"The lesson stopped by a fault of the program. It is kept: choose learn. Details: {details}"
        case Exit.UNAVAILABLE:
            return (
                "The lesson was stopped because its game did not answer. It is kept: choose learn."
            )
    return ""


def _learn(name: str, play_options: PlayOptions, board: BoardSearch | None) -> int:
    """Give a lesson until the learner leaves; return its exit code."""
    from companion.commands.teaching import give
    from companion.dashboard.start.choices import AUTO, port_of
    from companion.teach.finding import lesson_named
    from companion.teach.lesson import BOARD

    port = play_options.port
    if port == AUTO and name != BOARD:  # that one asks to plug one in
        port = port_of(None, board)
    return give(lesson_named(name), replace(play_options, port=port), menu_follows=True)


def _play(
    choice: LookOn | NewGame | Resume, play_options: PlayOptions, board: BoardSearch | None
) -> int:
    from companion.commands.playing import begin_playing, play
    from companion.commands.watching import watch
    from companion.dashboard.start.choices import AUTO, NONE, LookOn, Resume, port_of
    from companion.dashboard.start.plan import components_of, options_of

    if isinstance(choice, LookOn):
        return watch(choice.path, sys.stdout, play_options.wanted.look, plain=False)
    port = port_of(choice.port, board)
    if choice.port is None and port != NONE:
        port = AUTO  # its board may be plugged in at another port, or a spare one take its place
    at_port = replace(play_options, port=port)
    if isinstance(choice, Resume):
        return go_on(choice.path, at_port)
    # A game that begins without a board resumes without one, also if the search had found none.
    named = at_port.port == "none" or choice.port not in (None, play_options.wanted.port)
    at_port = with_place(replace(at_port, port_said=named))
    chosen, components = options_of(choice), components_of(choice)
    return play(
        lambda: begin_playing(choice.game, choice.seats, chosen, at_port, components), at_port
    )


LONG = 1_000
"""Entries from which a record is read behind a screen; a shorter one is read before the screen could be."""
Opened = Callable[["ExitStack", Step], "Table"]  # opens a session's table, which the stack closes
LEFT = (
    f"The session is kept: it was closed before its table was ready. Continue it:  {PROGRAM} resume"
)


def resume(args: argparse.Namespace) -> int:
    """`resume`; return the exit code."""
    with options_of(args) as play_options:
        code = go_on(session_to_go_on_with(args.file), play_options)
        return _next_game(code, play_options)


def new(args: argparse.Namespace) -> int:
    """`play GAME`; return the exit code. Plain lines, and options that may be refused, need no screen before the
    table."""
    with options_of(args) as wanted:
        play_options = with_place(wanted)
        on_screen = play_options.on_screen and not (args.option or args.capture)
        if not on_screen or not _all_can_sit(args, play_options.wanted):
            from companion.commands.playing import begin_as_said, play

            code = play(lambda: begin_as_said(args, play_options), play_options)
            return _next_game(code, play_options)
        return _on_screen(
            Outline(GAMES[args.game].title), play_options, partial(_begin_new, args, play_options)
        )


def _next_game(code: int, play_options: PlayOptions) -> int:
    """Let people choose another game if the page of the one that was left asked for that."""
    if play_options.page is None or not play_options.page.goes_on:
        return code
    from companion.commands.in_browser import choose_and_play

    return choose_and_play(play_options)


def _all_can_sit(args: argparse.Namespace, wanted: Preferences) -> bool:
    names = wanted.seats if args.seats is None else split_names(args.seats)
    if not names:
        return True
    fits = len(names) in GAMES[args.game].seats
    return fits and all(names) and len({*names}) == len(names)


def go_on(path: Path, play_options: PlayOptions) -> int:
    """Resume a session that a person at a terminal chose; return the exit code, or raise `CommandError`. A second copy
    is first copied to this laptop; if a hub has more than this file, the table decides which to continue."""
    _refuse_lesson(path)
    # before anything reads the file, so that all that follows uses the copy on this laptop
    path = _at_home(path, play_options.wanted)
    require_agreed(path)
    if ticket_path().exists():
        from companion.commands.continuing import offer

        code = offer(path, play_options)
        if code is not None:
            return code
    outline = outline_of(path) if play_options.on_screen else None
    if outline is None:
        from companion.commands.playing import go_on as go_on_at_once

        return go_on_at_once(path, play_options)
    return _on_screen(outline, play_options, partial(_open, path, play_options))


def _refuse_lesson(path: Path) -> None:
    """Raise `CommandError` for a lesson: continued as a game it would be reported to hubs and hooks."""
    with suppress(JournalError):
        lesson = lesson_in(head_of(path).first.body)
        if lesson:
            again = f"{PROGRAM} teach {in_shell(str(lesson.get('name')))}"
            raise CommandError(f"{path} is a lesson. Continue it:  {again}", ErrorKind.USAGE)


def _at_home(path: Path, wanted: Preferences) -> Path:
    """Return the file to play. A session in the folder for second copies is copied to this laptop, so that the folder
    stays a second one. Raise `CommandError`."""
    folder = file_named(wanted.second_copy) if wanted.second_copy else None
    if folder is None or not (path.exists() and folder.is_dir() and folder.samefile(path.parent)):
        return path
    from companion.journal.copy import bring_home

    home = bring_home(path, sessions_dir())
    print(f"The second copy was brought to this laptop: {home.stem}.")
    return home


def outline_of(path: Path) -> Outline | None:
    """Return the outline of a long session that seems to be all right. None for any other, which is opened without a
    screen and so reports its problem."""
    try:
        first, entries = head_of(path)
        learn_of(first.body.get("components"))
        title = GAMES[first.body["game"]].title
        seats = []
        for seat in first.body["seats"]:
            seats.append((f"{seat['glyph']} {seat['name']}", seat["color"]))
    except (JournalError, KeyError, TypeError, ValueError):
        return None
    if entries < LONG or not os.access(path, os.W_OK) or is_written(path):
        return None
    return Outline(title, tuple(seats), entries)


def _on_screen(outline: Outline, play_options: PlayOptions, opened: Opened) -> int:
    """Show the outline, then the table, until the players leave; then go on as `play` does."""
    with collector_frozen(), ExitStack() as stack:  # until the table is on the screen
        from companion.commands.after_game import AfterGame
        from companion.commands.outlets import PhonesOfTable
        from companion.dashboard.app import run_dashboard

        wanted = play_options.wanted
        reading = SessionReading(outline, lambda progress: opened(stack, progress))
        after = AfterGame(
            lambda: _table_of(reading).path,
            unsaved=partial(_unsaved, reading),
        )
        phones = PhonesOfTable(partial(_table_of, reading), wanted)
        try:
            crash_file = crash_path()
            failure = run_dashboard(
                reading=reading,
                crash_file=crash_file,
                offers=after.offers(),
                phones=phones,
                number_s=play_options.number_s,
                **wanted.look,
            )
        finally:
            phones.close()
            with stopped_after(HANGS_S):
                reading.stop()  # before the stack closes what it opened
        table = reading.end()
        if table is None:
            print(LEFT)
            return code_of(failure)
        from companion.commands.playing import afterwards, play, play_options_for, say_goodbye

        say_goodbye(table)
    play_options = play_options_for(table.path, play_options)
    following = afterwards(after, table.path, play_options)
    return code_of(failure) if following is None else play(following, play_options)


def _unsaved(reading: SessionReading[Table]) -> Unsaved:
    from companion.session.views import SLOW_DISK_S

    return _table_of(reading).unsaved(SLOW_DISK_S)


def _table_of(reading: SessionReading[Table]) -> Table:
    assert reading.table is not None, "nobody comes to the end of a game before its table is there"
    return reading.table


def _open(path: Path, play_options: PlayOptions, stack: ExitStack, progress: Step) -> Table:
    """Import what a table needs, and open the session; `stack` closes it."""
    import_module("companion.dashboard.at_table")
    from companion.commands.playing import at_board, play_options_for, resume_at

    return at_board(
        stack, play_options_for(path, play_options), lambda: resume_at(path, play_options, progress)
    )


def _begin_new(
    args: argparse.Namespace, play_options: PlayOptions, stack: ExitStack, _: Step
) -> Table:
    """Import what a table needs, and begin the session; `stack` closes it."""
    import_module("companion.dashboard.at_table")
    from companion.commands.playing import at_board, begin_as_said

    return at_board(stack, play_options, lambda: begin_as_said(args, play_options))
