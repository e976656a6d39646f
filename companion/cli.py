"""Define the command line. Nothing heavy is imported before a subcommand needs it."""

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
from pathlib import Path
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
from companion.config.server_options import MISSING, add_browser, add_host, add_serve
from companion.errors import ErrorKind, needs_extra, set_exit_codes
from companion.exits import Exit, code_of
from companion.hub.command import add_hub
from companion.journal.collector import collector_frozen
from companion.program import PROGRAM
from companion.reports import FORMATS
from companion.session.game_watch import stopped_after
from companion.system.children import run_child
from companion.system.signals import ENDING, hidden_end
from companion.terminal import cleaned_output, end_unread, write_nowhere
from firmware_protocol.virtual.children import CHILD

_EXTRAS = {
    "companion.hub.run": ("hub", "The hub needs libraries that are not installed."),
    "companion.web.run": ("serve", MISSING),
}
"""Maps a command's module to the extra with its libraries and the sentence printed if they are missing."""
_NOBODY_WAITS = (
    "companion.commands.bundle",
    "companion.commands.components",
    "companion.commands.games",
    "companion.commands.reports",
    "companion.commands.score",
    "companion.commands.sessions",
    "companion.demo.replay",
)
"""Commands that run a game's code without anybody at the keyboard: code that hangs is stopped after some seconds."""
_SHELLS = ("bash", "zsh", "tcsh", "fish", "powershell")
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def _port(text: str) -> str:
    if not text.strip():
        raise argparse.ArgumentTypeError(
            "no port is named: give auto, a port, a URL, virtual or none"
        )
    if text.strip().isdecimal():
        raise argparse.ArgumentTypeError(
            f"{text.strip()} is no board: give auto, a port such as /dev/ttyACM0 or COM3, a URL, virtual or none. "
            "A page takes another port by itself if its usual one is taken"
        )
    return text


EXAMPLE = "panic-fire"
"""The id `example_game` returns, written out here because finding the installed games would slow down `--help`."""
_GAME = argument("game", metavar="GAME", type=game_id, help=f"the game, for example {EXAMPLE}")
_PORT = argument(
    "--port",
    type=_port,
    metavar="auto|PATH|URL|virtual|none",
    help="where the board is, not a page: found by itself, a port, a pyserial URL, the virtual board, or none "
    "(default: the setting `port`, or auto)",
)
_BOARD = argument(
    "--board",
    dest="port",
    type=_port,
    metavar="auto|PATH|URL|virtual|none",
    help="where the board is (default: the setting `port`, or auto)",
)
_CAPTURE = file(
    "--capture",
    "record every byte on the wire, every key and every shuffle in a new FILE, for `replay`",
)
_PRINTED = out_or_printed()


def parser() -> argparse.ArgumentParser:
    """Return the parser with the arguments of every subcommand added."""
    return whole(_parser())


@functools.cache
def _parser() -> argparse.ArgumentParser:
    top: argparse.ArgumentParser = CommandParser(
        prog=PROGRAM,
        description="Keeps score and records beside real cards, boards and gun. Alone, it asks what to play.",
        epilog="Exit codes: 0 done, 2 usage, 65 bad data, 66 no such file, 69 no board, editor, page or usable game, "
        "or a check failed, 70 bug in the program, 73 cannot write a file or the output, 74 last entries not saved, "
        "75 session is open elsewhere, 130 Ctrl-C.",
    )
    top.set_defaults(run="companion.commands.starting:run")
    top.add_argument("--version", action="version", version=f"{top.prog} {__version__}")
    add_looks(top)
    add = partial(command, top.add_subparsers(metavar="[COMMAND]"))
    _add_playing(add)
    _add_trying(add)
    _add_records(add)
    add(
        "config",
        "",
        "show the settings and where each comes from; create or check the settings file",
        _add_config,
    )
    add("board", "", "install the firmware on a board; test its wiring", add_board)
    port = argument("--port", metavar="PATH|URL", help="only this port (default: every USB port)")
    does = "check everything a table needs, and how to fix what is wrong"
    add("doctor", "doctor.run:command", does, JSON, port)
    texts = argument("--texts", action="store_true", help="print the texts of the licenses")
    does = "list the libraries that the program uses, with their licenses"
    add("licenses", "commands.licenses:show", does, JSON, texts)
    about = argument("about", nargs="*", metavar="COMMAND", help="for example: sessions rename")
    add("help", "cli:help_of", "show this help, or a command's", about)
    names = f"{', '.join(_SHELLS)}; games and sessions print the names that its script offers"
    shell = argument("what", metavar="SHELL", choices=(*_SHELLS, "games", "sessions"), help=names)
    add("completion", "cli:complete", "print a script that completes commands in your shell", shell)
    does = "write manual pages, completions and a menu entry for Linux"
    add("system-files", "cli:system_files", does, _add_system_files)
    return top


def _add_playing(add: Adder) -> None:
    the_game = f"the game to play, for example {EXAMPLE}, or the file of one (default: the start screens ask)"
    game = argument("game", nargs="?", metavar="GAME", type=game_id, help=the_game)
    session = (game, SEATS, OPTION, _PORT, _CAPTURE, add_looks, add_browser)
    add("play", "commands.starting:play", "play a session at the table", *session)
    add("games", "", "list the games; write or check the file of your own", _add_games)
    does = "list what to lay out on the table before a game"
    add("checklist", "commands.playing:checklist", does, _GAME, SEATS, OPTION)
    words = "in your own words, for example: who may shoot"
    question = argument("question", nargs="+", metavar="QUESTION", help=words)
    at = argument("--session", metavar="SESSION", help="answer for the table of this session")
    does = "answer a question about a game's rules"
    add("ask", "commands.asking:ask", does, _GAME, question, OPTION, at)
    unfinished = "a session's name or file (default: the last unfinished session)"
    file = argument("file", nargs="?", metavar="SESSION", help=unfinished)
    does = "continue the last unfinished session, or the one named"
    add("resume", "commands.starting:resume", does, file, _PORT, _CAPTURE, add_looks, add_browser)
    does = "play again with the same players and house rules"
    add("rematch", "commands.playing:again", does, SESSION, ANYWAY, _PORT, _CAPTURE, add_looks)
    big = argument(
        "--big",
        action="store_true",
        help="for a projector: names, scores and turns in large letters",
    )
    does = "watch a session that another companion plays"
    add("watch", "commands.playing:look_on", does, SESSION, big, ANYWAY, add_looks)
    add(
        "serve",
        "web.run:serve",
        "serve a page for phones and tablets at the table",
        add_serve,
    )
    add(
        "host",
        "commands.hosting:host",
        "run games on pages, on a computer without a screen",
        _BOARD,
        add_host,
    )
    add(
        "hub",
        "hub.run:run_hub",
        "run a hub for many tables, or join one",
        add_hub,
    )


def _add_trying(add: Adder) -> None:
    add("demo", "demo.run:command", "watch a whole game on the virtual board", _add_demo)
    taught = "program (the companion itself), board, or a game; without one, list the lessons"
    lesson = argument("lesson", nargs="?", metavar="LESSON", type=parsers.lesson_name, help=taught)
    anew = argument("--anew", action="store_true", help="start again instead of continuing")
    everybody = "the people at the table also make the moves that the lesson makes otherwise"
    together = argument("--together", action="store_true", help=everybody)
    how = (SEATS, anew, together, _PORT, add_looks, add_browser)
    does = "learn a game, the program or the board while you play; nothing counts"
    add("teach", "commands.teaching:teach", does, lesson, *how)
    does = "learn the program: another name for `teach program`"
    add("tour", "commands.teaching:tour", does, anew, _PORT, add_looks, add_browser)
    add(
        "hands",
        "commands.virtual_board:command",
        "press the virtual board's buttons by typing, next to `play --port virtual`",
    )
    end = argument("what", nargs="?", choices=["end"], help="end it and delete its data")
    add(
        "virtual",
        "board.virtual:run",
        "check if a virtual board is still running, or end it",
        end,
    )
    transcript = file("file", "a transcript: JSON lines, the setup first, then one fact a line")
    result = argument("--json", action="store_true", help="print the result as JSON")
    does = "compute and print the score of a transcript; no board needed"
    add("score", "commands.score:run", does, transcript, result)
    does = "play many games without a screen and count who wins"
    add("simulate", "demo.simulating:command", does, _GAME, _add_simulate)
    add(
        "components",
        "",
        "show the card facts for a game; fill in yours",
        _add_components,
    )
    captured = file("file", "a file that --capture wrote")
    add(
        "replay",
        "demo.replay:run",
        "replay a capture and check that the result is the same",
        captured,
    )
    captured = file("--capture", "the session's capture, added without names")
    does = "pack a session into a zip without names, for a bug report"
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
        "--evidence", action="store_true", help="include the board's messages in jsonl"
    )
    stored = "export the stored entries, hidden ones too, if the game is not installed"
    stored_ones = argument("--stored", action="store_true", help=stored)
    does = "export a session as JSON, CSV, transcript, report or BG Stats play"
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
        "--follow", action="store_true", help="keep printing new events until the session has ended"
    )
    after = argument(
        "--after", type=int, default=0, metavar="NUMBER", help="only events with a higher number"
    )
    schema = argument(
        "--schema", action="store_true", help="print the JSON Schema of an event instead"
    )
    does = "print a session's events as JSON lines, for other programs; no secrets"
    add("feed", "commands.reports:run_feed", does, SESSION, follow, after, schema, ANYWAY)
    does, export = (
        "create a session from a jsonl export or a transcript",
        file("file", "the export or transcript"),
    )
    add("import", "commands.reports:bring_in", does, export, out("among your sessions"))
    does = "show wins, streaks and each game's own figures over all sessions"
    plot = argument(
        "--plot", action="store_true", help="plot the games each player has won, game by game"
    )
    tests = "skip sessions called a test, or played on the virtual board or with a made-up box"
    no_tests = argument("--no-tests", action="store_true", help=tests)
    html = argument("--html", action="store_true", help="print a page for a browser")
    add("stats", "commands.reports:stats", does, JSON, plot, html, no_tests, ANYWAY)
    does = "print a session on one page, to continue with pen and paper"
    add("sheet", "commands.reports:sheet", does, SESSION, _PRINTED, ANYWAY)
    which = argument(
        "game",
        metavar="GAME|board",
        type=lambda word: word if word == "board" else game_id(word),
        help="a game, for its keys, or board, for the board's buttons in all games",
    )
    paper = argument("--paper", choices=("a4", "letter"), default="a4", help="for this paper")
    does = "print a card of a game's keys, or of the board's buttons"
    add("keycard", "commands.key_cards:keycard", does, which, paper, _PRINTED)


def _add_games(games: argparse.ArgumentParser) -> None:
    add = partial(command, games.add_subparsers(metavar="WHAT", required=True))
    add(
        "list",
        "commands.games:show",
        "list every game you can play, your own included",
        JSON,
    )
    like = argument(
        "--like", metavar="EXAMPLE", help="copy an example instead; `games list` shows them"
    )
    does = "write the file of your own game from a few answers"
    add("new", "commands.games:new", does, like, out("where it is offered"))
    does = "check the file of your own game, and play its examples"
    add("check", "commands.games:check", does, file("file", "the file"))
    add(
        "schema",
        "commands.games:schema",
        "print the JSON Schema of such files, for editors",
        _PRINTED,
    )


def _add_demo(demo: argparse.ArgumentParser) -> None:
    which = "which game (default: %(default)s)"
    demo.add_argument("--game", metavar="GAME", type=game_id, default=EXAMPLE, help=which)
    demo.add_argument(
        "--seed",
        type=int,
        default=1,
        metavar="N",
        help="a different seed plays a different game (default: 1)",
    )
    speed = parsers.positive("speed", "a number above 0, for example 4")
    pace = "shortens the pauses between gestures, not the gestures (default: 1, as people play)"
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
        "--players", type=count, metavar="N", help="people at the table, not counting AIs"
    )
    OPTION(simulate)
    simulate.add_argument(
        "--seed",
        type=int,
        default=1,
        metavar="N",
        help="the same seed plays the same games (default: 1)",
    )
    simulate.add_argument(
        "--json", action="store_true", help="print JSON, and the time taken to the error stream"
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
    add("rename", "commands.sessions:rename", "rename a session", _ONE, name)
    add(
        "archive",
        "commands.sessions:archive",
        "archive a session: it is kept, but no longer offered",
        _ONE,
    )
    add("unarchive", "commands.sessions:unarchive", "restore a session from the archive", _ONE)
    add("choose", "commands.two_ends:choose", "choose which of two endings of a game counts", _ONE)
    add(
        "unchoose",
        "commands.two_ends:unchoose",
        "undo the choice between two endings of a game",
        _ONE,
    )
    add("delete", "commands.sessions:delete", "delete a session permanently", _ONE, _YES)


def _add_journal(journal: argparse.ArgumentParser) -> None:
    add = partial(command, journal.add_subparsers(metavar="WHAT", required=True))
    add("check", "commands.sessions:check", "check a record for damage", _ONE)
    add(
        "repair",
        "commands.sessions:repair",
        "save the readable part of a damaged record to a new file",
        _ONE,
        _YES,
    )


def _add_components(components: argparse.ArgumentParser) -> None:
    add = partial(command, components.add_subparsers(metavar="WHAT", required=True))
    does = "list every fact with its status and source, and what is still open"
    add("list", "commands.components:show", does, _GAME, JSON)
    other = file("file", "another file (default: yours, in the data folder)", nargs="?")
    add(
        "check",
        "commands.components:check",
        "check your file, row by row",
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
        "--source",
        default="my copy",
        metavar="TEXT",
        help="where you know it from (default: my copy)",
    )
    does = "enter the board's map on the screen and write it into your file"
    add("map", "commands.components:draw", does, with_map, side, source)
    looks = partial(add_looks, plain="ask line by line instead of on a screen")
    does = "enter the open facts from your copy: tables with a row for each card or token"
    add("enter", "commands.components:by_question", does, _GAME, source, looks)
    published = argument(
        "--published", action="store_true", help="take the published value wherever yours differs"
    )
    mine = argument("--mine", action="store_true", help="keep yours wherever it differs")
    does = "compare your file with the packaged one, row by row, and choose which to keep"
    add("compare", "commands.components:compare", does, _GAME, published, mine)
    does, new = (
        "write your facts to a file for another owner",
        file("file", "the new file to hand over"),
    )
    add("export", "commands.components:export", does, _GAME, new)
    handed = file("file", "the file another owner gave you")
    theirs = argument(
        "--theirs", action="store_true", help="where a fact differs from yours, take theirs"
    )
    does = "take another owner's facts; yours stay unless you choose otherwise"
    add("import", "commands.components:take_over", does, _GAME, handed, theirs)


def _add_config(config: argparse.ArgumentParser) -> None:
    add = partial(command, config.add_subparsers(metavar="WHAT", required=True))
    given = "as if given to `play`"
    port, looks = argument("--port", help=given), partial(add_looks, plain=given)
    add(
        "show",
        "commands.config:show",
        "show every setting with its value and origin",
        port,
        looks,
    )
    add("path", "commands.config:path", "print where the settings file is")
    other = file("file", "another file (default: yours)", nargs="?")
    add(
        "validate",
        "commands.config:validate",
        "check a settings file, with the line of each mistake",
        other,
    )
    add(
        "init",
        "commands.config:init",
        "write a settings file with every default, commented out",
    )
    only = argument("game", metavar="GAME", nargs="?", type=game_id, help="only this game")
    page = argument(
        "--page", action="store_true", help="print the page of all default keys instead"
    )
    add(
        "keys",
        "commands.config:keys",
        "print each game's keys, with your changes, as a table",
        only,
        page,
    )


def _add_system_files(system_files: argparse.ArgumentParser) -> None:
    folder = "for example /usr/local (default: ~/.local, for you alone)"
    system_files.add_argument("folder", nargs="?", type=Path, metavar="DIR", help=folder)
    either = system_files.add_mutually_exclusive_group()
    either.add_argument("--remove", action="store_true", help="delete these files instead")
    rule = "print the udev rule by which you may open the board's port"
    either.add_argument("--udev", action="store_true", help=rule)


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; return its exit code."""
    words = sys.argv[1:] if argv is None else argv
    if words and words[0] == CHILD:
        return run_reporting_errors(lambda: run_child(words[1:]))
    # the process ends anyway: a last garbage collection would take a tenth of a short run
    atexit.register(gc.freeze)
    set_exit_codes(code_of)
    _open_what_is_closed()
    _end_cleanly_on_signals()
    with cleaned_output():
        return _exit_code_of(argv)


def _end_cleanly_on_signals() -> None:
    """End the program from within on SIGTERM and SIGHUP (the terminal is gone), which closes the session's file and
    restores the terminal. What `nohup` ignores stays ignored; a second signal ends the program at once."""
    for number in ENDING:
        # not the main thread: whoever runs this one has handlers of its own
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
            sys.stdout.flush()  # left to its exit, the interpreter could only print that it ignores the error
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
    except BrokenPipeError:  # the reader of the pipe is gone: nobody is left to tell
        write_nowhere(sys.stdout)
        return Exit.DONE
    except Exception as error:
        match hidden_end(error):
            case KeyboardInterrupt():
                return Exit.INTERRUPTED
            case SystemExit() as ended:
                raise ended from None
        if isinstance(error, OSError) and error.filename is None:
            if error.errno in _NO_ROOM:
                return _full(error)
            # the terminal that shows the output is gone, as after SIGHUP
            if error.errno == errno.EIO:
                write_nowhere(sys.stdout)
                return Exit.HUNG_UP
        return _failed(error)


def _run(args: argparse.Namespace) -> ErrorKind | int | None:
    """Import the function that `args.run` names as `module:function`, and run it."""
    module = args.run.partition(":")[0]
    with collector_frozen(), needs_extra(*_EXTRAS.get(module, ("", ""))):
        run: Callable[[argparse.Namespace], ErrorKind | int | None] = resolve_name(args.run)
    with stopped_after() if module in _NOBODY_WAITS else nullcontext():
        return run(args)


def _failed(error: Exception) -> Exit:
    """Write the traceback to a file and print one sentence for people."""
    from companion.dashboard.ending import crash_sentence
    from companion.journal.folder import crash_path

    print(
        crash_sentence(error, None, crash_path(), "The companion"),
        file=sys.stderr,
    )
    return Exit.SOFTWARE


def _full(error: OSError) -> Exit:
    """Report that the disk behind standard output is full, which is no fault of the program."""
    print(
        f"The output cannot be written: {error.strerror}. Send it elsewhere; your game is safe.",
        file=sys.stderr,
    )
    write_nowhere(sys.stdout)
    return Exit.CANNOT_CREATE


def _open_what_is_closed() -> None:
    """Open a stream that was passed closed on the null device; else the next file opened, a session's, would get its
    number and receive what is printed."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123  as long as the process


def help_of(args: argparse.Namespace) -> None:
    """Print the help of a command; argparse then ends the program."""
    _parser().parse_args([*args.about, "--help"])


def complete(args: argparse.Namespace) -> None:
    """Print the completion script of a shell."""
    from companion.commands import completion

    completion.run(args.what, parser(), sys.stdout)


def system_files(args: argparse.Namespace) -> None:
    """Write the files that a Linux system has of an installed program."""
    from companion.commands import system_files as files_of_system

    files_of_system.run(args, parser())
