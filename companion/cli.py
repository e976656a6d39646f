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
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from pkgutil import resolve_name
from types import FrameType

from companion import __version__
from companion.board.parsers import add_board
from companion.commands.usage import CommandParser, run_reporting_errors, whole
from companion.config.parsers import Subparsers, add_looks, game_id, positive, whole_number
from companion.exits import Exit
from companion.hub.command import add_hub
from companion.journal.collector import collector_frozen
from companion.reports import FORMATS
from companion.rules.registry import EXAMPLE
from companion.serve.command import add_serve
from companion.session.terminal import cleaned_output, write_nowhere

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_LAST = "a session's name or file (default: the one played last)"


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
    commands = top.add_subparsers(metavar="[COMMAND]")
    commands.add_parser("play", fill=_add_play, help="play a session at the table")
    commands.add_parser("games", fill=_add_games, help="the games there are; a file that states one of your own")
    commands.add_parser("checklist", fill=_add_checklist, help="what to lay out on the table before a game begins")
    commands.add_parser("resume", fill=_add_resume, help="go on with the last unfinished session, or the one named")
    commands.add_parser("rematch", fill=_add_rematch, help="play again with the same players and house rules")
    commands.add_parser("watch", fill=_add_watch, help="look on at a session that another companion plays")
    commands.add_parser("serve", fill=add_serve, help="a page for phones and tablets at the table, to look at")
    tables = "many tables: a hub that keeps and shows them, and how a table joins one"
    commands.add_parser("hub", fill=add_hub, help=tables)
    commands.add_parser("demo", fill=_add_demo, help="watch a whole game on the virtual board")
    tour = commands.add_parser("tour", help="six steps on the virtual board: what is what; nothing is kept")
    tour.set_defaults(run="companion.commands.starting:tour")
    add_looks(tour, plain=argparse.SUPPRESS)  # it is a screen, and says so
    hands = "press the virtual board's buttons by typing, beside `play --port virtual`"
    commands.add_parser("hands", help=hands).set_defaults(run="companion.commands.hands:command")
    virtual = commands.add_parser("virtual", help="say whether a virtual board was left running, or end it")
    virtual.set_defaults(run="companion.board.virtual:run")
    virtual.add_argument("what", nargs="?", choices=["end"], help="end it, with what it keeps")
    commands.add_parser("score", fill=_add_score, help="add up a transcript and print the score; no board needed")
    commands.add_parser(
        "simulate", fill=_add_simulate, help="many games at once, without a screen, and who won how often"
    )
    commands.add_parser(
        "components", fill=_add_components, help="what is known of a game's box; correct it from your copy"
    )
    replay = commands.add_parser("replay", help="play a capture again, and say whether it comes to the same")
    replay.set_defaults(run="companion.session.replay:run")
    replay.add_argument("file", type=Path, metavar="FILE", help="a file that --capture wrote")
    report = commands.add_parser("report", help="one zip, without names, for somebody who looks into a fault")
    report.set_defaults(run="companion.commands.bundle:run")
    report.add_argument("session", nargs="?", metavar="SESSION", help=_LAST)
    _add_out(report, "in this folder")
    report.add_argument("--capture", type=Path, metavar="FILE", help="the session's capture, put in without names")
    _add_records(commands)
    settings = "the settings: what is in force and why, where the file lies, its keys"
    commands.add_parser("config", fill=_add_config, help=settings)
    commands.add_parser("board", fill=add_board, help="put the firmware on a board; test what is wired to it")
    doctor = commands.add_parser("doctor", help="look at everything a table needs, and say how to mend what is wrong")
    doctor.set_defaults(run="companion.doctor.run:command")
    doctor.add_argument("--json", action="store_true", help="print JSON")
    doctor.add_argument("--port", metavar="PATH|URL", help="only this port (default: every USB port)")
    _add_help(commands)
    return top


def _add_help(commands: Subparsers) -> None:
    about = commands.add_parser("help", help="this help, or that of a command")
    about.set_defaults(run=_help)
    about.add_argument("about", nargs="*", metavar="COMMAND", help="for example: sessions rename")
    completion = commands.add_parser("completion", help="the script by which your shell completes commands")
    completion.set_defaults(run=_completion)
    what = "bash, zsh or tcsh; games and sessions print the names that its script offers"
    shells = ("bash", "zsh", "tcsh", "games", "sessions")
    completion.add_argument("what", metavar="SHELL", choices=shells, help=what)


def _add_games(games: argparse.ArgumentParser) -> None:
    what = games.add_subparsers(metavar="WHAT", required=True)
    listing = what.add_parser("list", help="every game that can be played, your own files among them")
    listing.add_argument("--json", action="store_true", help="print JSON")
    making = what.add_parser("new", help="write the file of a game of your own, from a few answers")
    making.add_argument("--like", metavar="EXAMPLE", help="a copy of hearts, darts-501 or beat-the-clock instead")
    _add_out(making, "where it is offered")
    check = what.add_parser("check", help="say what is wrong with such a file, and play its examples")
    check.add_argument("file", type=Path, metavar="FILE", help="the file")
    schema = what.add_parser("schema", help="a JSON Schema of such files, for editors")
    for command, does in ((listing, "show"), (making, "new"), (check, "check"), (schema, "schema")):
        command.set_defaults(run=f"companion.commands.games:{does}")


def _add_play(play: argparse.ArgumentParser) -> None:
    play.set_defaults(run="companion.commands.starting:play")
    the_game = f"the game on the table, for example {EXAMPLE}, or the file of one (default: the start screens ask)"
    play.add_argument("game", nargs="?", metavar="GAME", type=game_id, help=the_game)
    _add_seats(play)
    _add_port(play)
    add_looks(play)


def _add_seats(command: argparse.ArgumentParser) -> None:
    command.add_argument("--seats", metavar="A,B,...", help="names, clockwise (default: the setting, or colors)")
    _add_option(command)


def _add_option(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--option", action="append", default=[], metavar="RULING=CHOICE", help="a house rule; may be given repeatedly"
    )


def _add_checklist(checklist: argparse.ArgumentParser) -> None:
    checklist.set_defaults(run="companion.commands.playing:checklist")
    checklist.add_argument("game", metavar="GAME", type=game_id, help=f"the game, for example {EXAMPLE}")
    _add_seats(checklist)


def _add_resume(resume: argparse.ArgumentParser) -> None:
    resume.set_defaults(run="companion.commands.starting:resume")
    resume.add_argument(
        "file", nargs="?", metavar="SESSION", help="a session's name or file (default: the last unfinished session)"
    )
    _add_port(resume)
    add_looks(resume)


def _add_rematch(rematch: argparse.ArgumentParser) -> None:
    rematch.set_defaults(run="companion.commands.playing:again")
    rematch.add_argument("session", nargs="?", metavar="SESSION", help=_LAST)
    _add_anyway(rematch)
    _add_port(rematch)
    add_looks(rematch)


def _add_watch(watch: argparse.ArgumentParser) -> None:
    watch.set_defaults(run="companion.commands.playing:look_on")
    watch.add_argument("session", nargs="?", metavar="SESSION", help=_LAST)
    watch.add_argument("--big", action="store_true", help="for a projector: names, scores and turns in large letters")
    _add_anyway(watch)
    add_looks(watch)


def _add_port(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--port",
        type=_port,
        metavar="auto|PATH|URL|virtual|none",
        help="where the board is: found by itself, a port, a pyserial URL, the virtual board, or none (default: the "
        "setting `port`, or auto)",
    )
    _add_capture(command)


def _add_capture(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--capture",
        type=Path,
        metavar="FILE",
        help="write every byte of the wire, every key and every shuffle to a new FILE, for `replay`",
    )


def _add_demo(demo: argparse.ArgumentParser) -> None:
    demo.set_defaults(run="companion.demo.run:command")
    which = "which game (default: %(default)s)"
    demo.add_argument("--game", metavar="GAME", type=game_id, default=EXAMPLE, help=which)
    demo.add_argument("--seed", type=int, default=1, metavar="N", help="another seed, another game (default: 1)")
    demo.add_argument(
        "--speed",
        type=positive("speed", "a number above 0, for example 4"),
        default=1.0,
        metavar="X",
        help="shortens the pauses between gestures, not the gestures (default: 1, the pace of people)",
    )
    demo.add_argument(
        "--board",
        choices=("virtual", "pico"),
        default="virtual",
        help="pico: MicroPython's own image on an emulated Raspberry Pi Pico, in its own slow time (default: virtual)",
    )
    plain = "print one line per ruling, and the result (without a terminal: always)"
    demo.add_argument("--plain", action="store_true", help=plain)
    _add_capture(demo)


def _add_score(score: argparse.ArgumentParser) -> None:
    score.set_defaults(run="companion.commands.score:run")
    transcript = "a transcript: JSON lines, first the setup, then a fact a line"
    score.add_argument("file", type=Path, metavar="FILE", help=transcript)
    score.add_argument("--json", action="store_true", help="print the result as JSON")


def _add_simulate(simulate: argparse.ArgumentParser) -> None:
    simulate.set_defaults(run="companion.demo.simulating:command")
    simulate.add_argument("game", metavar="GAME", type=game_id, help=f"the game, for example {EXAMPLE}")
    count = whole_number(1, 999_999_999, example=2)
    simulate.add_argument("--games", type=count, default=100, metavar="N", help="how many (default: 100)")
    simulate.add_argument("--players", type=count, metavar="N", help="people at the table, beside any AIs")
    _add_option(simulate)
    simulate.add_argument("--seed", type=int, default=1, metavar="N", help="the same seed, the same games (default: 1)")
    simulate.add_argument("--json", action="store_true", help="print JSON, and the time it took to the error stream")


def _add_records(commands: Subparsers) -> None:
    """The commands about sessions beside play."""
    commands.add_parser("sessions", fill=_add_sessions, help="list, rename, archive or delete sessions")
    commands.add_parser("journal", fill=_add_journal, help="check or repair the record of a session")
    export = commands.add_parser("export", help="write a session as JSON, CSV, transcript, report or BG Stats play")
    export.set_defaults(run="companion.commands.reports:run_export")
    export.add_argument("session", nargs="?", metavar="SESSION", help=_LAST)
    export.add_argument("--format", choices=FORMATS, default="html", help="default: html, a report in one file")
    export.add_argument("--evidence", action="store_true", help="put what the board said into jsonl too")
    export.add_argument(
        "--stored", action="store_true", help="the entries as stored, hidden ones too, where the game is not installed"
    )
    _add_out(export)
    _add_anyway(export)
    feed = commands.add_parser("feed", help="what happens in a session as JSON lines, for other programs; no secrets")
    feed.set_defaults(run="companion.commands.reports:run_feed")
    feed.add_argument("session", nargs="?", metavar="SESSION", help=_LAST)
    feed.add_argument("--follow", action="store_true", help="go on with what comes, until the session has ended")
    feed.add_argument("--after", type=int, default=0, metavar="NUMBER", help="only events with a higher number")
    feed.add_argument("--schema", action="store_true", help="print the JSON Schema of an event instead")
    _add_anyway(feed)
    bring = commands.add_parser("import", help="make a session of a jsonl export or a transcript")
    bring.set_defaults(run="companion.commands.reports:bring_in")
    bring.add_argument("file", type=Path, metavar="FILE", help="the export or transcript")
    _add_out(bring, "among your sessions")
    stats = commands.add_parser(
        "stats", help="who won how often, streaks, best shots and draws a minute over all sessions"
    )
    stats.set_defaults(run="companion.commands.reports:stats")
    stats.add_argument("--json", action="store_true", help="print JSON")
    stats.add_argument("--plot", action="store_true", help="draw who had won how many games, game by game")
    tests = "leave out what is called a test, or was played on the virtual board or with a made-up box"
    stats.add_argument("--no-tests", action="store_true", help=tests)
    _add_anyway(stats)
    sheet = commands.add_parser("sheet", help="one page of text, to go on with pen and paper")
    sheet.set_defaults(run="companion.commands.reports:sheet")
    sheet.add_argument("session", nargs="?", metavar="SESSION", help=_LAST)
    _add_out(sheet)
    _add_anyway(sheet)


def _add_anyway(command: argparse.ArgumentParser) -> None:
    """Let a command go on with a record that lacks what was saved once."""
    command.add_argument("--anyway", action="store_true", help="go on, although part of what was saved is missing")


def _add_out(command: argparse.ArgumentParser, default: str = "print it; `> FILE` replaces a file") -> None:
    to = f"write to a new FILE (default: {default})"
    command.add_argument("-o", "--out", type=Path, metavar="FILE", help=to)


def _add_sessions(sessions: argparse.ArgumentParser) -> None:
    sessions.set_defaults(run="companion.commands.sessions:show")
    sessions.add_argument("--json", action="store_true", help="print the list as JSON")
    _add_anyway(sessions)
    what = sessions.add_subparsers(metavar="[WHAT]")
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
    leaf.set_defaults(run=f"companion.commands.sessions:{word}")
    leaf.add_argument("session", metavar="SESSION", help="a session's name, the beginning of one, or its file")
    return leaf


def _add_yes(command: argparse.ArgumentParser) -> None:
    command.add_argument("--yes", action="store_true", help="do not ask")


def _add_components(components: argparse.ArgumentParser) -> None:
    what = components.add_subparsers(metavar="WHAT", required=True)
    listing = what.add_parser("list", help="every fact with its status and source, and what is still open")
    check = what.add_parser("check", help="say which rows of your file are wrong, and why")
    change = what.add_parser("edit", help="open your file in $VISUAL or $EDITOR, then check it")
    drawing = what.add_parser("map", help="enter the map of the board on the screen, and write it into your file")
    guided = what.add_parser("enter", help="enter the open facts from your copy: one question at a time, a key each")
    handed = what.add_parser("export", help="write your facts to a file for another owner")
    taken = what.add_parser("import", help="take the facts of another owner; yours stay unless you say otherwise")
    does = {listing: "show", check: "check", change: "edit", drawing: "draw", guided: "by_question", handed: "export"}
    for command, run in (does | {taken: "take_over"}).items():
        command.set_defaults(run=f"companion.commands.components:{run}")
        the_game = "a game with a map" if command is drawing else f"the game, for example {EXAMPLE}"
        command.add_argument("game", metavar="GAME", type=game_id, help=the_game)
    drawing.add_argument("--side", choices=("eight", "ten"), default="eight", help="which side of the board")
    for command in (drawing, guided):
        command.add_argument("--source", default="my copy", metavar="TEXT", help="where you know it (default: my copy)")
    add_looks(guided, plain="ask line by line instead of on a screen")
    listing.add_argument("--json", action="store_true", help="print JSON")
    handed.add_argument("file", type=Path, metavar="FILE", help="the new file that is handed over")
    taken.add_argument("file", type=Path, metavar="FILE", help="the file that another owner handed over")
    taken.add_argument("--theirs", action="store_true", help="where a fact differs from yours, take theirs")
    check.add_argument(
        "file", nargs="?", type=Path, metavar="FILE", help="another file (default: yours, in the data folder)"
    )


def _add_config(config: argparse.ArgumentParser) -> None:
    what = config.add_subparsers(metavar="WHAT", required=True)
    show = what.add_parser("show", help="every setting with its value and where that comes from")
    show.add_argument("--port", help="as if it were given to `play`")
    add_looks(show, plain="as if it were given to `play`")
    path = what.add_parser("path", help="where the settings file lies")
    validate = what.add_parser("validate", help="say what is wrong with a settings file, and on which line")
    validate.add_argument("file", nargs="?", type=Path, metavar="FILE", help="another file (default: yours)")
    init = what.add_parser("init", help="write a settings file in which everything is still left as it is")
    keys = what.add_parser("keys", help="the keys of each game, as you have them, as a table")
    keys.add_argument("game", metavar="GAME", nargs="?", type=game_id, help="only this game")
    keys.add_argument("--page", action="store_true", help="the page of all keys as delivered instead")
    for command, does in ((show, "show"), (path, "path"), (validate, "validate"), (init, "init"), (keys, "keys")):
        command.set_defaults(run=f"companion.commands.config:{does}")


def _port(text: str) -> str:
    if not text.strip():
        raise argparse.ArgumentTypeError("no port is named: give auto, a port, a URL, virtual or none")
    return text


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; return its exit code."""
    atexit.register(gc.freeze)  # all goes with the process: looking for circles in it would take a tenth of a short run
    _open_what_is_closed()
    _end_cleanly_on_signals()
    with cleaned_output():
        return _exit_code_of(argv)


def _end_cleanly_on_signals() -> None:
    """Have SIGTERM and a terminal that goes away (SIGHUP) end the program from within, so that the session's file is
    closed and the terminal is as it was. What `nohup` ignores stays ignored; a second signal ends it at once."""
    for number in (signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
        with suppress(ValueError):  # not in the main thread: whoever runs this one has handlers of its own
            if signal.getsignal(number) is signal.SIG_DFL:
                signal.signal(number, _end)


def _end(number: int, _frame: FrameType | None) -> None:
    signal.signal(number, signal.SIG_DFL)
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
        if isinstance(error, OSError) and error.errno in _NO_ROOM and error.filename is None:
            return _full(error)
        return _failed(error)


def _run(args: argparse.Namespace) -> int | None:
    """Do a command, which is imported only now; `run` names it, as `module:function`, or is what does it."""
    with collector_frozen():
        run = resolve_name(args.run) if isinstance(args.run, str) else args.run
    code: int | None = run(args)
    return code


def _failed(error: Exception) -> Exit:
    """No person reads a traceback: it goes to a file, and one sentence to the error stream."""
    from companion.dashboard.ending import crash_sentence
    from companion.journal.sessions import sessions_dir

    print(crash_sentence(error, None, sessions_dir().parent / "crash.txt", "The companion"), file=sys.stderr)
    return Exit.SOFTWARE


def _full(error: OSError) -> Exit:
    """What is printed goes to a disk without room: no fault of the program."""
    print(f"The output cannot be written: {error.strerror}. Send it elsewhere; your game is safe.", file=sys.stderr)
    write_nowhere(sys.stdout)
    return Exit.CANNOT_CREATE


def _open_what_is_closed() -> None:
    """A stream that came closed reads nothing and writes nowhere; else its number would fall to a session's file."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123  as long as the process


def _help(args: argparse.Namespace) -> None:
    _parser().parse_args([*args.about, "--help"])  # which ends the program


def _completion(args: argparse.Namespace) -> None:
    from companion.commands import completion

    completion.run(args.what, parser(), sys.stdout)
