"""The arguments of `companion board`; importing this module loads nothing else."""

from __future__ import annotations

import argparse
from functools import partial

from companion.config.parsers import JSON, argument, command, file, positive

PORT = "auto"


_AT = "where the board is (default: the one USB board there is)"
_PLAIN = argument(
    "--plain", action="store_true", help="lines instead of the screen, as into a pipe"
)
_DISCARD = argument(
    "--discard", action="store_true", help="throw away what the board keeps for a session"
)
_LOOK_PORT = argument("--port", default=PORT, metavar="auto|PATH|URL|virtual", help=_AT)
_PORT = argument("--port", default=PORT, metavar="auto|PATH", help=_AT)


def add_board(board: argparse.ArgumentParser) -> None:
    """Add the subcommands of `companion board`."""
    add = partial(command, board.add_subparsers(metavar="WHAT", required=True))
    replace = argument(
        "--replace", action="store_true", help="keep a main.py of another program as main.old.py"
    )
    uf2 = file(
        "--uf2",
        "first copy MicroPython for RPI_PICO onto BOOTSEL's drive (nobody has tried this on a real board yet)",
    )
    at_prompt, look = "board.commands:run_at_prompt", "board.commands:look"
    add(
        "install",
        at_prompt,
        "put the firmware on a board that has MicroPython",
        replace,
        uf2,
        _PORT,
    )
    add(
        "update",
        at_prompt,
        "put the firmware of this companion in the place of the one on the board",
        _PORT,
    )
    add(
        "uninstall",
        at_prompt,
        "take the firmware off the board; MicroPython and pins.json stay",
        _PORT,
    )
    add(
        "maintenance",
        at_prompt,
        "end the firmware until the next reset: the prompt is yours",
        _PORT,
    )
    seconds = argument(
        "--seconds",
        type=positive("time", "seconds, for example 10"),
        metavar="S",
        help="each event as a line, for so long (default: until Ctrl-C)",
    )
    looks = (_PLAIN, _DISCARD, _LOOK_PORT)
    add("monitor", look, "every channel live: level, bounces, peak, stamp", seconds, *looks)
    press = argument(
        "--press", action="store_true", help="ask for each wire to be worked once (the screen does)"
    )
    wire = argument(
        "--wire", action="append", default=[], metavar="NAME", help="only this one (repeatable)"
    )
    does = "a verdict per wire: stuck, mixed up, worn; clock rate; lost frames"
    chip = argument(
        "--chip",
        action="store_true",
        help="the chip tries itself out, without a wire: about a minute",
    )
    report = file("--report", "with --chip: write FILE.md and FILE.json, without names or folders")
    extras = argument(
        "--with",
        dest="extras",
        default="",
        metavar="wire,gun,night",
        help="with --chip: these, too",
    )
    yes = argument("--yes", action="store_true", help="with --chip: do not ask")
    add("selftest", look, does, press, wire, chip, report, extras, yes, JSON, *looks)
    store = argument(
        "--store",
        action="store_true",
        help="send them to the board, and keep them for your games (on the screen: w)",
    )
    does = "threshold, mask and lock time from your shots, knocks and presses"
    add("calibrate", look, does, store, *looks)
    profile = argument(
        "profile", nargs="?", metavar="NAME", help="print its keys, as the settings file takes them"
    )
    add(
        "inputs",
        "board.inputs:show",
        "what can work the zones: keyboard, numeric pad, buttons, none",
        profile,
    )
