"""`companion hands`: operate the buttons, gun and cable of the virtual board by typed lines."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import TextIO

from companion.board.virtual import find
from companion.exits import Exit
from companion.program import PROGRAM
from companion.rules.registry import example_game
from firmware_protocol.virtual.client import VirtualBoard
from firmware_protocol.virtual.runtime import VirtualBoardError

TAP_MS = 80
HOLD_MS = 700  # longer than the board's hold time of 600 ms

HELP = """\
Type one of these and Enter:
  tap N, hold N   press zone button N
  shot            pull the trigger and be hit
  dry             pull the trigger without a hit
  hold trigger    pull it and keep it pulled
  knock, brush    bump the gun, or bump it lightly
  unplug, plug    the cable
  power           take the board's power and give it back
  ?               help
  quit            leave; the board goes on"""

TRIGGER = "trigger"
TROUBLE = "! "

_WORDS: dict[str, Callable[[VirtualBoard], object]] = {
    "shot": VirtualBoard.shot,
    "dry": VirtualBoard.dry_pull,
    "knock": VirtualBoard.knock,
    "brush": lambda board: board.knock(None),
    "unplug": VirtualBoard.unplug,
    "plug": VirtualBoard.plug,
    "power": VirtualBoard.power_cycle,
}
_PRESSES = {"tap": TAP_MS, "hold": HOLD_MS}


def command(_args: argparse.Namespace) -> Exit:
    """`companion hands` with standard input and output."""
    return run(sys.stdin, sys.stdout)


def run(lines: TextIO, out: TextIO) -> Exit:
    """Obey each line until `quit` or the end of the input; return the exit code."""
    board = find()
    if board is None:
        print(
            f"No virtual board is running; start one: {PROGRAM} play {example_game()} --port virtual",
            file=sys.stderr,
        )
        return Exit.UNAVAILABLE
    print(HELP, file=out, flush=True)
    with board:
        for line in lines:
            word = " ".join(line.split())
            if word in ("quit", "exit"):
                break
            answer = _do(board, word)
            if answer:
                print(answer, file=out, flush=True)
            # one command may fail on a board that still runs
            if answer.startswith(TROUBLE) and not _runs(board):
                print(
                    "The virtual board has ended; there is nothing left to press.",
                    file=sys.stderr,
                )
                return Exit.UNAVAILABLE
    return Exit.DONE


def _runs(board: VirtualBoard) -> bool:
    try:
        board.status()
    except VirtualBoardError:
        return False
    return True


def _do(board: VirtualBoard, line: str) -> str:
    word, _, number = line.partition(" ")
    try:
        if word in _PRESSES:
            if not number.isdecimal() and number != TRIGGER:
                return f"? {line}: which zone? For example: {word} 1"
            board.press(number if number == TRIGGER else f"zone-{number}", _PRESSES[word])
        elif line in _WORDS:
            _WORDS[line](board)
        elif line in ("?", "help"):
            return HELP
        elif line:
            return f"? {line}: not understood; type ? for help"
    except VirtualBoardError as problem:
        return f"{TROUBLE}{problem}"
    return f"  {line}: done" if line else ""
