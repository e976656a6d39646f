"""The command line. Nothing heavy is imported before a subcommand needs it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from companion import __version__
from companion.exits import Exit


def parser() -> argparse.ArgumentParser:
    """The whole command line."""
    top = argparse.ArgumentParser(
        prog="companion",
        description="A companion beside the real cards, boards and gun. Alone, it offers the last unfinished session.",
        epilog="Exit codes: 0 done, 2 wrong usage, 65 bad data, 66 no such file, 69 no virtual board, 70 fault of the "
        "program, 73 session file cannot be made, 74 last entries not saved, 75 session is open elsewhere, 130 Ctrl-C.",
    )
    top.add_argument("--version", action="version", version=f"companion {__version__}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND")
    _add_play(commands.add_parser("play", help="play a session at the table"))
    _add_resume(commands.add_parser("resume", help="go on with the last unfinished session, or the one named"))
    _add_demo(commands.add_parser("demo", help="watch a whole game on the virtual board"))
    commands.add_parser("hands", help="work the virtual board's buttons by typed lines, beside `play --port virtual`")
    _add_score(commands.add_parser("score", help="fold a transcript and print the score; no device needed"))
    return top


def _add_play(play: argparse.ArgumentParser) -> None:
    play.add_argument("game", choices=["panic-fire"], help="the game on the table")
    play.add_argument("--seats", default="red,blue", metavar="A,B,...", help="names, clockwise (default: red,blue)")
    _add_port(play)
    play.add_argument(
        "--option", action="append", default=[], metavar="RULING=CHOICE", help="a house rule; may be given repeatedly"
    )
    play.add_argument("--plain", action="store_true", help="one line per ruling instead of the dashboard")


def _add_resume(resume: argparse.ArgumentParser) -> None:
    resume.add_argument("file", nargs="?", help="a session file (default: the last unfinished session)")
    _add_port(resume)
    resume.add_argument("--plain", action="store_true", help="one line per ruling instead of the dashboard")


def _add_port(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--port",
        default="auto",
        metavar="auto|PATH|URL|virtual|none",
        help="where the board is: found by itself, a port, a pyserial URL, the virtual board, or none (default: auto)",
    )


def _add_demo(demo: argparse.ArgumentParser) -> None:
    demo.add_argument("--seed", type=int, default=1, help="another seed, another game (default: 1)")
    demo.add_argument("--speed", type=float, default=1.0, help="shortens the pauses between gestures, not the gestures")
    demo.add_argument("--plain", action="store_true", help="one line per ruling and the result; so without a terminal")


def _add_score(score: argparse.ArgumentParser) -> None:
    score.add_argument("file", help="a transcript: JSON lines, first the setup, then a fact a line")
    score.add_argument("--json", action="store_true", help="print the result as JSON")


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; return its exit code."""
    args = parser().parse_args(argv)
    try:
        return _run(args)
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
    except BrokenPipeError:  # the reader of a pipe went away: nobody is left to tell
        sys.stderr.close()
        return Exit.DONE


def _run(args: argparse.Namespace) -> int:
    if args.command == "score":
        from companion.score import run

        return run(args.file, as_json=args.json, out=sys.stdout, err=sys.stderr)
    if args.command == "demo":
        from companion.demo import run_demo

        return run_demo(seed=args.seed, speed=args.speed, plain=args.plain or not sys.stdout.isatty())
    if args.command == "hands":
        from companion.hands import run as run_hands

        return run_hands(sys.stdin, sys.stdout)
    from companion import playing

    return playing.run(args)
