"""`companion play`, `resume`, `rematch`, `watch` and `checklist`: a session, its board, and a screen or plain lines."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion import terminal
from companion.board.calibrated import as_calibrated
from companion.box.owner_box import for_session
from companion.commands.after_game import AfterGame, ended_just_now, offer_report, wants_rematch
from companion.commands.config import rules_for
from companion.commands.outlets import PhonesOfTable, start_outlets
from companion.commands.place import how_to_bring_back, is_elsewhere, with_place
from companion.commands.play_options import PlayOptions, wanted_options
from companion.commands.usage import answer
from companion.config.parsers import options
from companion.dashboard.preferences import in_force
from companion.errors import CommandError, ErrorKind
from companion.exits import Exit, code_of
from companion.journal import sessions
from companion.journal.entries import Control, is_control
from companion.journal.errors import JournalError, NotSaved, NotWritten
from companion.journal.folder import crash_path, sessions_dir, typed_name
from companion.journal.store import Step
from companion.link.settings import FIELDS
from companion.program import PROGRAM
from companion.rules.columns import clean, count_range, plural
from companion.rules.facts import Refused, Setup
from companion.rules.header import is_without_board
from companion.rules.names import split_names
from companion.rules.registry import open_game, part_of
from companion.rules.seats import seats_from_names, unnamed
from companion.session.finding import session_to_follow
from companion.session.game_watch import HANGS_S, GameStopped, hang_reported, stopped_after
from companion.session.opening import begin, resume
from companion.session.table import Table
from companion.session.views import SLOW_DISK_S, TableView, not_saved_lines

if TYPE_CHECKING:
    from companion.dashboard.source import Offers

Opener = Callable[[], Table]  # opens a session's table; raises `CommandError`

NO_BOARD_AGAIN = f"Played without a board, as before. {PROGRAM} resume --port auto looks for one."


def begin_as_said(args: argparse.Namespace, play_options: PlayOptions) -> Table:
    """Begin the session of the command line; raise as `begin_playing` does."""
    seats = seat_names(args.game, args.seats, play_options.wanted.seats)
    chosen = rules_for(play_options.wanted, args.game, options(args.option))
    return begin_playing(args.game, seats, chosen, play_options)


def begin_playing(
    game: str,
    seats: Sequence[str],
    chosen: Mapping[str, str],
    play_options: PlayOptions,
    components: Mapping[str, Any] | None = None,
) -> Table:
    """Begin a session; raise as `begin` does. For a game whose screen cannot be shown, raise `GameUnusable` first, so
    that no empty session is left."""
    if play_options.on_screen:
        # raises before `begin` makes a file
        part_of(game, "screen")
    make, without, folder = play_options.maker, play_options.without_board, play_options.folder
    return as_calibrated(
        begin(
            game,
            seats,
            chosen,
            components=components,
            make=make,
            without_board=without,
            folder=folder,
        )
    )


def again(args: argparse.Namespace) -> int:
    """`rematch`: play again with the same players and house rules."""
    path = session_to_follow(args.session)
    play_options = with_place(play_options_for(path, wanted_options(args)))
    return play(lambda: rematch(path, play_options, anyway=args.anyway), play_options)


def look_on(args: argparse.Namespace) -> int:
    """`watch`: show a session that another companion plays."""
    play_options = wanted_options(args)
    from companion.commands.watching import watch

    look, plain = play_options.wanted.look, play_options.plain
    return watch(
        session_to_follow(args.session),
        sys.stdout,
        look,
        plain=plain,
        anyway=args.anyway,
        big=args.big,
    )


def go_on(path: Path, play_options: PlayOptions) -> int:
    """Resume a session at its board, or offer to watch it if another companion has it open."""
    try:
        return play(lambda: resume_at(path, play_options), play_options_for(path, play_options))
    except CommandError as problem:
        # only a busy session can be watched instead
        on_page = play_options.page is not None
        if problem.kind is not ErrorKind.BUSY or on_page or not terminal.can_ask():
            raise
        print(problem)
        if answer("Watch it from here? [Y/n] ") == "n":
            return Exit.BUSY
        from companion.commands.watching import watch

        return watch(path, sys.stdout, play_options.wanted.look, plain=play_options.plain)


def play_options_for(path: Path, play_options: PlayOptions) -> PlayOptions:
    """Return the options to resume a session. Unless a port was named now: without a board if it was played without
    one, else at its virtual board, or at any board that may be plugged in later."""
    if play_options.port_said or play_options.wanted.port != "auto":
        return play_options
    try:
        hello = sessions.last_of_kind(path, "hello")
        opening = sessions.last_of_kind(path, Control.RESUMED) or sessions.head_of(path).first
        # a board that came after the session was opened without one counts
        if is_without_board(opening.body) and (hello is None or hello.n < opening.n):
            return replace(play_options, port="none", port_said=True)
    except JournalError:
        return play_options  # opening it says what is wrong
    if hello is None:
        return play_options
    from companion.board.virtual import identity

    if int(hello.body["uid"], 16) == identity():
        return replace(play_options, port="virtual")
    # a port that the start screens found may be another board's; the search looks for this session's own
    return replace(play_options, port="auto")


def resume_at(path: Path, play_options: PlayOptions, progress: Step | None = None) -> Table:
    """Resume a session where it was played, see `play_options_for`; raise `CommandError`."""
    resolved = play_options_for(path, play_options)
    table = resume(path, play_options.maker, progress, without_board=resolved.without_board)
    if resolved.without_board and not play_options.without_board:
        table.tell(NO_BOARD_AGAIN)
    return table


def play(open_table: Opener, play_options: PlayOptions) -> int:
    """Open a table, its board first, and play until the players leave; close both in any case. After a game, offer a
    report and a rematch."""
    # a loop and not recursion: an evening may have many rematches
    following: Opener | None = open_table
    while following is not None:
        with (
            board_at(play_options.board_at) as place,
            ExitStack() as ending,
            closed_after(opened(following)) as table,
        ):
            after = AfterGame(table.path, unsaved=partial(table.unsaved, SLOW_DISK_S))
            start_outlets(table, play_options.wanted, ending)
            code = play_at(table, place, play_options, after.offers(), say_goodbye)
        following = afterwards(after, table.path, play_options)
    return code


def opened(open_table: Opener) -> Table:
    """Open a table while a person waits; a game by others that hangs in the record is reported."""
    with hang_reported():
        return open_table()


@contextmanager
def closed_after(table: Table) -> Iterator[Table]:
    """Close the table after the block. If a signal or a lost terminal ends the block, nobody has left the game: the
    board gets no STANDBY and goes on recording what the players do. Entries that could not be saved are printed."""
    clean = True
    try:
        yield table
    # raised by the handlers of SIGTERM and SIGHUP
    except SystemExit:
        clean = False
        raise
    finally:
        try:
            with stopped_after(HANGS_S):
                table.close(clean)
        except NotSaved:
            print_lost(table)
            raise


def print_lost(table: Table) -> None:
    """Print the lines of the log that are on no disk, so that somebody can write them down."""
    lines = not_saved_lines(table.view(), table.unsaved())
    if lines:
        print("Not saved:", *(f"  {clean(line)}" for line in lines), sep="\n", file=sys.stderr)


def at_board(stack: ExitStack, play_options: PlayOptions, open_table: Opener) -> Table:
    """Open a table and let it look for its board; `stack` closes both. Raise as `open_table` does."""
    place = stack.enter_context(board_at(play_options.board_at))
    ending = stack.enter_context(ExitStack())
    table = stack.enter_context(closed_after(open_table()))
    start_outlets(table, play_options.wanted, ending)
    if place is not None:
        table.board.connect(place)
    return table


def afterwards(after: AfterGame, path: Path, play_options: PlayOptions) -> Opener | None:
    """Copy the session that was left, and return what follows: a rematch, or None. In plain lines a person at a
    terminal is asked; the dashboard has asked already."""
    _keep_copy(path)
    if is_elsewhere(path):
        print(how_to_bring_back(path))
    if play_options.plain and not after.again and terminal.can_ask() and ended_just_now(path):
        offer_report(path, input, print, Path.cwd())
        after.again = wants_rematch(input)
    if not after.again:
        return None
    return partial(rematch, path, replace(play_options, capture=None))


def play_at(
    table: Table,
    place: str | None,
    play_options: PlayOptions,
    offers: Offers,
    goodbye: Callable[[Table], None],
) -> int:
    """Show the table, with its board at `place`, until the players leave; return the exit code. `goodbye`
    is called once the screen is gone; plain lines end with the result instead."""
    if play_options.page is not None:
        from companion.commands.first_page import unread_output

        code = play_options.page.play(table, place, offers)
        with unread_output():
            goodbye(table)
        return code
    if play_options.plain:
        from companion.commands.typed import play_plain

        with closing(PhonesOfTable(lambda: table, play_options.wanted)) as served:
            return play_plain(
                table,
                sys.stdin,
                sys.stdout,
                port=place,
                keys=play_options.wanted.keys,
                offers=offers,
                phones=served,
            )
    from companion.dashboard.app import run_dashboard

    if place is not None:
        table.board.connect(place)
    crash_file, wanted = crash_path(), play_options.wanted
    with closing(PhonesOfTable(lambda: table, wanted)) as phones:
        failure = run_dashboard(
            table,
            crash_file=crash_file,
            offers=offers,
            phones=phones,
            number_s=play_options.number_s,
            **wanted.look,
        )
    goodbye(table)
    return code_of(failure)


def _keep_copy(path: Path) -> None:
    """Save a verified copy beside the session. The session itself is fine without one."""
    from companion.journal.copy import keep_copy

    try:
        keep_copy(path)
    except NotWritten as problem:  # its sentence already names what was not written
        print(problem, file=sys.stderr)
    except JournalError as problem:
        print(f"No copy of the session was kept: {problem}", file=sys.stderr)


def say_goodbye(table: Table) -> None:
    """Print the result, and how to resume, once the screen is gone."""
    try:
        with stopped_after(HANGS_S):
            view = table.view()
            print("\n".join(map(clean, view.summary())))
    except GameStopped as stopped:
        print(f"{stopped} The session is kept. Continue it:  {PROGRAM} resume")
        return
    state = "over" if view.ended else "kept"
    print(f"The session is {state} ({_saved_words(view)}).", end="")
    if view.ended:
        print()
        return
    name = f" {typed_name(table.path)}"
    with suppress(JournalError):
        if table.path.parent == sessions_dir() and sessions.is_played(table.path):
            name = ""  # `companion resume` finds it without its name
    print(f" Continue it:  {PROGRAM} resume{name}")


def _saved_words(view: TableView) -> str:
    """Return how much of the record is on the disk, for whoever has left its screen."""
    if not view.saved.ok:
        return view.saved.text
    return f"{plural(view.saved.entries, 'entry', 'entries')} {view.saved.text}"


@contextmanager
def board_at(port: str) -> Iterator[str | None]:
    """Yield where the link looks for the board, None for no board; a virtual board runs inside the block."""
    if port == "virtual":
        from companion.board.virtual import running

        with running() as board:
            yield board.url
    else:
        yield None if port == "none" else port


def seat_names(game: str, names: str | None, usual: Sequence[str]) -> list[str]:
    """Return the names given, those of the settings, or colors for the fewest that can play the game."""
    counts = open_game(game).seat_counts
    if names is None:
        return list(usual or unnamed(counts.start))
    if not names.strip():
        sentence = f"--seats names nobody: give {count_range(counts, 'name')}, for example --seats anna,ben,carl"
        raise CommandError(sentence, ErrorKind.USAGE)
    return split_names(names)


def rematch(path: Path, play_options: PlayOptions, *, anyway: bool = False) -> Table:
    """Begin a session with the players at the end of the session at `path`, under its house rules; raise
    `CommandError`."""
    from companion.reports.record import read_record

    record = read_record(path, anyway=anyway)
    names = [seat.name for seat in record.game.common(record.state).playing]
    game, options = record.setup.game, record.setup.options
    make, without, folder = play_options.maker, play_options.without_board, play_options.folder
    digest = record.entries[0].digest.hex()
    table = begin(
        game, names, options, rematch_of=digest, make=make, without_board=without, folder=folder
    )
    for entry in reversed(record.entries):
        if is_control(entry, Control.BOARD):
            settings = {name: entry.body[name] for name in FIELDS if name in entry.body}
            table.set_board(settings, why="as in the game before")
            break
    return table


def checklist(args: argparse.Namespace) -> None:
    """`checklist`: print what to lay out, for these seats, house rules and the box in use."""
    game, wanted = open_game(args.game), in_force(args, [args.game])
    box, notice = for_session(args.game)
    chosen = rules_for(wanted, args.game, options(args.option))
    try:
        seats = seats_from_names(seat_names(args.game, args.seats, wanted.seats))
        steps = tuple(
            game.checklist(game.start(Setup(args.game, game.rules_version, seats, chosen, box)))
        )
    except Refused as refusal:
        raise CommandError(refusal.spoken()) from refusal
    if notice is not None:
        print(notice, file=sys.stderr)
    print(f"{game.title}, set up for {len(seats)}")
    for step in steps or ("This game has no checklist: its rules say how it is set up.",):
        print(f"[ ] {step}")
