"""The words of `companion board`; importing this loads nothing."""

from __future__ import annotations

import argparse
from pathlib import Path

from companion.config.parsers import positive

PORT = "auto"


def add_board(board: argparse.ArgumentParser) -> None:
    """Add what `companion board` can do."""
    what = board.add_subparsers(metavar="WHAT", required=True)
    install = what.add_parser("install", help="put the firmware on a board that has MicroPython")
    install.add_argument("--replace", action="store_true", help="keep a main.py of another program as main.old.py")
    install.add_argument(
        "--uf2",
        type=Path,
        metavar="FILE",
        help="first copy MicroPython for RPI_PICO onto BOOTSEL's drive (nobody has tried this on a real board yet)",
    )
    update = what.add_parser("update", help="put the firmware of this companion in the place of the one on the board")
    uninstall = what.add_parser("uninstall", help="take the firmware off the board; MicroPython and pins.json stay")
    maintenance = what.add_parser("maintenance", help="end the firmware until the next reset: the prompt is yours")
    monitor = what.add_parser("monitor", help="every channel live: level, bounces, peak, stamp")
    monitor.add_argument(
        "--seconds",
        type=positive("time", "seconds, for example 10"),
        metavar="S",
        help="each event as a line, for so long (default: until Ctrl-C)",
    )
    selftest = what.add_parser("selftest", help="a verdict per wire: stuck, mixed up, worn; clock rate; lost frames")
    selftest.add_argument("--press", action="store_true", help="ask for each wire to be worked once (the screen does)")
    selftest.add_argument("--wire", action="append", default=[], metavar="NAME", help="only this one (repeatable)")
    selftest.add_argument("--json", action="store_true", help="print JSON")
    calibrate = what.add_parser("calibrate", help="threshold, mask and lock time from your shots, knocks and presses")
    calibrate.add_argument(
        "--store", action="store_true", help="send them to the board, and keep them for your games (on the screen: w)"
    )
    inputs = what.add_parser("inputs", help="what can work the zones: keyboard, numeric pad, buttons, none")
    inputs.add_argument("profile", nargs="?", metavar="NAME", help="print its keys, as the settings file takes them")
    inputs.set_defaults(run="companion.board.commands:inputs")
    for command, page in ((monitor, "monitor"), (selftest, "selftest"), (calibrate, "calibrate")):
        command.set_defaults(run="companion.board.commands:look", page=page)
        command.add_argument("--plain", action="store_true", help="lines instead of the screen, as into a pipe")
        command.add_argument("--discard", action="store_true", help="throw away what the board keeps for a session")
        _add_port(command, "auto|PATH|URL|virtual", "where the board is (default: the one USB board there is)")
    leaves = {"install": install, "update": update, "uninstall": uninstall, "maintenance": maintenance}
    for does, command in leaves.items():
        command.set_defaults(run="companion.board.commands:at_prompt", does=does)
        _add_port(command, "auto|PATH", "where the board is (default: the one USB board there is)")


def _add_port(command: argparse.ArgumentParser, form: str, meaning: str) -> None:
    command.add_argument("--port", default=PORT, metavar=form, help=meaning)
