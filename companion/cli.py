"""The command line. Nothing heavy is imported before a subcommand needs it."""

from __future__ import annotations

import argparse
import atexit
import errno
import functools
import gc
import os
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from functools import partial
from pkgutil import resolve_name
from types import FrameType

from companion import __version__
from companion.board.parsers import add_board
from companion.commands.usage import CommandParser, run_reporting_errors, whole
from companion.config import parsers
from companion.config.parsers import (
    ANYWAY,
    JSON,
    OPTION,
    SEATS,
    SESSION,
    Adder,
    add_looks,
    argument,
    command,
    file,
    game_id,
    out,
    out_or_printed,
)
from companion.config.server_options import MISSING, add_serve
from companion.errors import ErrorKind, needs_extra, set_exit_codes
from companion.exits import Exit, code_of
from companion.hub.command import add_hub
from companion.journal.collector import collector_frozen
from companion.reports import FORMATS
from companion.session.game_watch import stopped_after
from companion.terminal import cleaned_output, end_unread, write_nowhere

_EXTRAS = {
    "companion.hub.run": ("hub", "The hub needs libraries that are not installed."),
    "companion.web.run": ("serve", MISSING),
}
"""Which extra the libraries of a command are in, and what is said where they are not installed."""
_NOBODY_WAITS = (
    "companion.commands.bundle",
    "companion.commands.components",
    "companion.commands.games",
    "companion.commands.reports",
    "companion.commands.score",
    "companion.commands.sessions",
    "companion.demo.replay",
)
"""The commands that ask a game something and no person: a game by others that hangs is stopped after some seconds."""
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def _port(text: str) -> str:
    if not text.strip():
        raise argparse.ArgumentTypeError(
            "no port is named: give auto, a port, a URL, virtual or none"
        )
    return text


EXAMPLE = "panic-fire"
"""What `example_game` returns, for help that does not wait until the games of this computer are found."""
_GAME = argument("game", metavar="GAME", type=game_id, help=f"the game, for example {EXAMPLE}")
_PORT = argument(
    "--port",
    type=_port,
    metavar="auto|PATH|URL|virtual|none",
    help="where the board is: found by itself, a port, a pyserial URL, the virtual board, or none (default: the "
    "setting `port`, or auto)",
)
_CAPTURE = file(
    "--capture",
    "write every byte of the wire, every key and every shuffle to a new FILE, for `replay`",
)
_PRINTED = out_or_printed()


def parser() -> argparse.ArgumentParser:
    """The whole command line."""
    return whole(_parser())


@functools.cache
def _parser() -> argparse.ArgumentParser:
    top: argparse.ArgumentParser = CommandParser(
        prog="companion",
        description="A companion beside the real cards, boards and gun. Alone, it asks what to play.",
        epilog="Exit codes: 0 done, 2 usage, 65 bad data, 66 no such file, 69 no board, editor, page or usable game, "
        "or a failure found, 70 fault of the program, 73 file or output cannot be written, 74 last entries not saved, "
        "75 session is open elsewhere, 130 Ctrl-C.",
    )
    top.set_defaults(run="companion.commands.starting:run")
    top.add_argument("--version", action="version", version=f"companion {__version__}")
    add_looks(top)
    add = partial(command, top.add_subparsers(metavar="[COMMAND]"))
    _add_playing(add)
    _add_trying(add)
    _add_records(add)
    add(
        "config",
        "",
        "the settings: what is in force and why, where the file lies, its keys",
        _add_config,
    )
    add("board", "", "put the firmware on a board; test what is wired to it", add_board)
    port = argument("--port", metavar="PATH|URL", help="only this port (default: every USB port)")
    does = "look at everything a table needs, and say how to mend what is wrong"
    add("doctor", "doctor.run:command", does, JSON, port)
    about = argument("about", nargs="*", metavar="COMMAND", help="for example: sessions rename")
    add("help", "cli:help_of", "this help, or that of a command", about)
    what = "bash, zsh or tcsh; games and sessions print the names that its script offers"
    shell = argument(
        "what", metavar="SHELL", choices=("bash", "zsh", "tcsh", "games", "sessions"), help=what
    )
    add("completion", "cli:complete", "the script by which your shell completes commands", shell)
    return top


def _add_playing(add: Adder) -> None:
    the_game = f"the game on the table, for example {EXAMPLE}, or the file of one (default: the start screens ask)"
    game = argument("game", nargs="?", metavar="GAME", type=game_id, help=the_game)
    session = (game, SEATS, OPTION, _PORT, _CAPTURE, add_looks)
    add("play", "commands.starting:play", "play a session at the table", *session)
    add("games", "", "the games there are; a file that states one of your own", _add_games)
    before = "what to lay out on the table before a game begins"
    add("checklist", "commands.playing:checklist", before, _GAME, SEATS, OPTION)
    unfinished = "a session's name or file (default: the last unfinished session)"
    file = argument("file", nargs="?", metavar="SESSION", help=unfinished)
    does = "go on with the last unfinished session, or the one named"
    add("resume", "commands.starting:resume", does, file, _PORT, _CAPTURE, add_looks)
    does = "play again with the same players and house rules"
    add("rematch", "commands.playing:again", does, SESSION, ANYWAY, _PORT, _CAPTURE, add_looks)
    big = argument(
        "--big",
        action="store_true",
        help="for a projector: names, scores and turns in large letters",
    )
    does = "look on at a session that another companion plays"
    add("watch", "commands.playing:look_on", does, SESSION, big, ANYWAY, add_looks)
    add(
        "serve",
        "web.run:serve",
        "a page for phones and tablets at the table, to look at",
        add_serve,
    )
    add(
        "hub",
        "hub.run:run_hub",
        "many tables: a hub that keeps and shows them, and how a table joins one",
        add_hub,
    )


def _add_trying(add: Adder) -> None:
    add("demo", "demo.run:command", "watch a whole game on the virtual board", _add_demo)
    screen = partial(add_looks, plain=argparse.SUPPRESS)  # it is a screen, and says so
    add(
        "tour",
        "commands.starting:tour",
        "six steps on the virtual board: what is what; nothing is kept",
        screen,
    )
    add(
        "hands",
        "commands.virtual_board:command",
        "press the virtual board's buttons by typing, beside `play --port virtual`",
    )
    end = argument("what", nargs="?", choices=["end"], help="end it, with what it keeps")
    add(
        "virtual",
        "board.virtual:run",
        "say whether a virtual board was left running, or end it",
        end,
    )
    transcript = file("file", "a transcript: JSON lines, first the setup, then a fact a line")
    result = argument("--json", action="store_true", help="print the result as JSON")
    does = "add up a transcript and print the score; no board needed"
    add("score", "commands.score:run", does, transcript, result)
    does = "many games at once, without a screen, and who won how often"
    add("simulate", "demo.simulating:command", does, _GAME, _add_simulate)
    add(
        "components",
        "",
        "what is known of a game's box; correct it from your copy",
        _add_components,
    )
    captured = file("file", "a file that --capture wrote")
    add(
        "replay",
        "demo.replay:run",
        "play a capture again, and say whether it comes to the same",
        captured,
    )
    captured = file("--capture", "the session's capture, put in without names")
    does = "one zip, without names, for somebody who looks into a fault"
    add("report", "commands.bundle:run", does, SESSION, out("in this folder"), captured)


def _add_records(add: Adder) -> None:
    add(
        "sessions",
        "commands.sessions:show",
        "list, rename, archive or delete sessions",
        _add_sessions,
    )
    add("journal", "", "check or repair the record of a session", _add_journal)
    form = argument("--format", choices=FORMATS, help="default: html, a report in one file")
    excel = argument(
        "--excel", action="store_true", help="write csv as Excel reads it: semicolons and a BOM"
    )
    evidence = argument(
        "--evidence", action="store_true", help="put what the board said into jsonl too"
    )
    stored = "the entries as stored, hidden ones too, where the game is not installed"
    stored_ones = argument("--stored", action="store_true", help=stored)
    does = "write a session as JSON, CSV, transcript, report or BG Stats play"
    add(
        "export",
        "commands.reports:run_export",
        does,
        SESSION,
        form,
        excel,
        evidence,
        stored_ones,
        _PRINTED,
        ANYWAY,
    )
    follow = argument(
        "--follow", action="store_true", help="go on with what comes, until the session has ended"
    )
    after = argument(
        "--after", type=int, default=0, metavar="NUMBER", help="only events with a higher number"
    )
    schema = argument(
        "--schema", action="store_true", help="print the JSON Schema of an event instead"
    )
    does = "what happens in a session as JSON lines, for other programs; no secrets"
    add("feed", "commands.reports:run_feed", does, SESSION, follow, after, schema, ANYWAY)
    does, export = (
        "make a session of a jsonl export or a transcript",
        file("file", "the export or transcript"),
    )
    add("import", "commands.reports:bring_in", does, export, out("among your sessions"))
    does = "who won how often, streaks, best shots and draws a minute over all sessions"
    plot = argument(
        "--plot", action="store_true", help="draw who had won how many games, game by game"
    )
    tests = (
        "leave out what is called a test, or was played on the virtual board or with a made-up box"
    )
    no_tests = argument("--no-tests", action="store_true", help=tests)
    add("stats", "commands.reports:stats", does, JSON, plot, no_tests, ANYWAY)
    does = "one page of text, to go on with pen and paper"
    add("sheet", "commands.reports:sheet", does, SESSION, _PRINTED, ANYWAY)
    which = argument(
        "game",
        metavar="GAME|board",
        type=lambda word: word if word == "board" else game_id(word),
        help="a game, for its keys, or board, for the board's buttons in all games",
    )
    paper = argument("--paper", choices=("a4", "letter"), default="a4", help="for this paper")
    does = "a card to print: what each key of a game does, or each button of the board"
    add("keycard", "commands.key_cards:keycard", does, which, paper, _PRINTED)


def _add_games(games: argparse.ArgumentParser) -> None:
    add = partial(command, games.add_subparsers(metavar="WHAT", required=True))
    add(
        "list",
        "commands.games:show",
        "every game that can be played, your own files among them",
        JSON,
    )
    like = argument(
        "--like", metavar="EXAMPLE", help="copy an example instead; games list shows them"
    )
    does = "write the file of a game of your own, from a few answers"
    add("new", "commands.games:new", does, like, out("where it is offered"))
    does = "say what is wrong with such a file, and play its examples"
    add("check", "commands.games:check", does, file("file", "the file"))
    add("schema", "commands.games:schema", "a JSON Schema of such files, for editors", _PRINTED)


def _add_demo(demo: argparse.ArgumentParser) -> None:
    which = "which game (default: %(default)s)"
    demo.add_argument("--game", metavar="GAME", type=game_id, default=EXAMPLE, help=which)
    demo.add_argument(
        "--seed", type=int, default=1, metavar="N", help="another seed, another game (default: 1)"
    )
    speed = parsers.positive("speed", "a number above 0, for example 4")
    pace = "shortens the pauses between gestures, not the gestures (default: 1, the pace of people)"
    demo.add_argument("--speed", type=speed, default=1.0, metavar="X", help=pace)
    plain = "print one line per ruling, and the result (without a terminal: always)"
    demo.add_argument("--plain", action="store_true", help=plain)
    _CAPTURE(demo)


def _add_simulate(simulate: argparse.ArgumentParser) -> None:
    count = parsers.whole_number(1, 999_999_999, example=2)
    simulate.add_argument(
        "--games", type=count, default=100, metavar="N", help="how many (default: 100)"
    )
    simulate.add_argument(
        "--players", type=count, metavar="N", help="people at the table, beside any AIs"
    )
    OPTION(simulate)
    simulate.add_argument(
        "--seed",
        type=int,
        default=1,
        metavar="N",
        help="the same seed, the same games (default: 1)",
    )
    simulate.add_argument(
        "--json", action="store_true", help="print JSON, and the time it took to the error stream"
    )


_ONE = argument(
    "session", metavar="SESSION", help="a session's name, the beginning of one, or its file"
)
_YES = argument("--yes", action="store_true", help="do not ask")


def _add_sessions(sessions: argparse.ArgumentParser) -> None:
    sessions.add_argument("--json", action="store_true", help="print the list as JSON")
    ANYWAY(sessions)
    add = partial(command, sessions.add_subparsers(metavar="[WHAT]"))
    name = argument("name", metavar="NAME", help="its new name")
    add("rename", "commands.sessions:rename", "give a session another name", _ONE, name)
    add(
        "archive",
        "commands.sessions:archive",
        "put a session aside: it is kept, but not offered any more",
        _ONE,
    )
    add("unarchive", "commands.sessions:unarchive", "bring a session back from the archive", _ONE)
    add("choose", "commands.two_ends:choose", "say which of two ends of one game counts", _ONE)
    add(
        "unchoose",
        "commands.two_ends:unchoose",
        "take back which of two ends of one game counts",
        _ONE,
    )
    add("delete", "commands.sessions:delete", "delete a session for good", _ONE, _YES)


def _add_journal(journal: argparse.ArgumentParser) -> None:
    add = partial(command, journal.add_subparsers(metavar="WHAT", required=True))
    add("check", "commands.sessions:check", "say what is right and wrong with a record", _ONE)
    add(
        "repair",
        "commands.sessions:repair",
        "save what can be read of a damaged record into a new file",
        _ONE,
        _YES,
    )


def _add_components(components: argparse.ArgumentParser) -> None:
    add = partial(command, components.add_subparsers(metavar="WHAT", required=True))
    does = "every fact with its status and source, and what is still open"
    add("list", "commands.components:show", does, _GAME, JSON)
    other = file("file", "another file (default: yours, in the data folder)", nargs="?")
    add(
        "check",
        "commands.components:check",
        "say which rows of your file are wrong, and why",
        _GAME,
        other,
    )
    add(
        "edit",
        "commands.components:edit",
        "open your file in $VISUAL or $EDITOR, then check it",
        _GAME,
    )
    with_map = argument("game", metavar="GAME", type=game_id, help="a game with a map")
    side = argument(
        "--side", choices=("eight", "ten"), default="eight", help="which side of the board"
    )
    source = argument(
        "--source", default="my copy", metavar="TEXT", help="where you know it (default: my copy)"
    )
    does = "enter the map of the board on the screen, and write it into your file"
    add("map", "commands.components:draw", does, with_map, side, source)
    looks = partial(add_looks, plain="ask line by line instead of on a screen")
    does = "enter the open facts from your copy: one question at a time, a key each"
    add("enter", "commands.components:by_question", does, _GAME, source, looks)
    published = argument(
        "--published", action="store_true", help="take what is published wherever yours differs"
    )
    mine = argument("--mine", action="store_true", help="keep yours wherever it differs")
    does = "compare your file with the packaged one, row by row, and decide what to keep"
    add("compare", "commands.components:compare", does, _GAME, published, mine)
    does, new = (
        "write your facts to a file for another owner",
        file("file", "the new file that is handed over"),
    )
    add("export", "commands.components:export", does, _GAME, new)
    handed = file("file", "the file that another owner handed over")
    theirs = argument(
        "--theirs", action="store_true", help="where a fact differs from yours, take theirs"
    )
    does = "take the facts of another owner; yours stay unless you say otherwise"
    add("import", "commands.components:take_over", does, _GAME, handed, theirs)


def _add_config(config: argparse.ArgumentParser) -> None:
    add = partial(command, config.add_subparsers(metavar="WHAT", required=True))
    given = "as if it were given to `play`"
    port, looks = argument("--port", help=given), partial(add_looks, plain=given)
    add(
        "show",
        "commands.config:show",
        "every setting with its value and where that comes from",
        port,
        looks,
    )
    add("path", "commands.config:path", "where the settings file lies")
    other = file("file", "another file (default: yours)", nargs="?")
    add(
        "validate",
        "commands.config:validate",
        "say what is wrong with a settings file, and on which line",
        other,
    )
    add(
        "init",
        "commands.config:init",
        "write a settings file in which everything is still left as it is",
    )
    only = argument("game", metavar="GAME", nargs="?", type=game_id, help="only this game")
    page = argument("--page", action="store_true", help="the page of all keys as delivered instead")
    add(
        "keys",
        "commands.config:keys",
        "the keys of each game, as you have them, as a table",
        only,
        page,
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; return its exit code."""
    # all goes with the process: looking for circles in it would take a tenth of a short run
    atexit.register(gc.freeze)
    set_exit_codes(code_of)
    _open_what_is_closed()
    _end_cleanly_on_signals()
    with cleaned_output():
        return _exit_code_of(argv)


def _end_cleanly_on_signals() -> None:
    """Have SIGTERM and a terminal that goes away (SIGHUP) end the program from within, so that the session's file is
    closed and the terminal is as it was. What `nohup` ignores stays ignored; a second signal ends it at once."""
    for number in (signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
        # not in the main thread: whoever runs this one has handlers of its own
        with suppress(ValueError):
            if signal.getsignal(number) is signal.SIG_DFL:
                signal.signal(number, _end)


def _end(number: int, _frame: FrameType | None) -> None:
    signal.signal(number, signal.SIG_DFL)
    end_unread()
    raise SystemExit(128 + number)


def _exit_code_of(argv: Sequence[str] | None) -> int:
    try:
        try:
            return run_reporting_errors(lambda: _run(_parser().parse_args(argv)))
        finally:
            sys.stdout.flush()  # at its own end the interpreter could only say that it ignores what fails
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
    except BrokenPipeError:  # the reader of a pipe went away: nobody is left to tell
        write_nowhere(sys.stdout)
        return Exit.DONE
    except Exception as error:
        if isinstance(error, OSError) and error.filename is None:
            if error.errno in _NO_ROOM:
                return _full(error)
            # the terminal that shows the output is gone, as after SIGHUP
            if error.errno == errno.EIO:
                write_nowhere(sys.stdout)
                return Exit.HUNG_UP
        return _failed(error)


def _run(args: argparse.Namespace) -> ErrorKind | int | None:
    """Do a command, which is imported only now; `run` names it, as `module:function`."""
    module = args.run.partition(":")[0]
    with collector_frozen(), needs_extra(*_EXTRAS.get(module, ("", ""))):
        run: Callable[[argparse.Namespace], ErrorKind | int | None] = resolve_name(args.run)
    with stopped_after() if module in _NOBODY_WAITS else nullcontext():
        return run(args)


def _failed(error: Exception) -> Exit:
    """No person reads a traceback: it goes to a file, and one sentence to the error stream."""
    from companion.dashboard.ending import crash_sentence
    from companion.journal.folder import sessions_dir

    print(
        crash_sentence(error, None, sessions_dir().parent / "crash.txt", "The companion"),
        file=sys.stderr,
    )
    return Exit.SOFTWARE


def _full(error: OSError) -> Exit:
    """What is printed goes to a disk without room: no fault of the program."""
    print(
        f"The output cannot be written: {error.strerror}. Send it elsewhere; your game is safe.",
        file=sys.stderr,
    )
    write_nowhere(sys.stdout)
    return Exit.CANNOT_CREATE


def _open_what_is_closed() -> None:
    """A stream that came closed reads nothing and writes nowhere; else its number would fall to a session's file."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123  as long as the process


def help_of(args: argparse.Namespace) -> None:
    """`help`: print it, which ends the program."""
    _parser().parse_args([*args.about, "--help"])


def complete(args: argparse.Namespace) -> None:
    """`completion`: print the script for a shell."""
    from companion.commands import completion

    completion.run(args.what, parser(), sys.stdout)
