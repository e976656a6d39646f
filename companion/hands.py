"""`companion hands`: the buttons, the gun and the cable of the virtual board, worked by typed lines."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TextIO

from companion.exits import Exit
from companion.virtual import find
from firmware_protocol.virtual.client import VirtualBoard
from firmware_protocol.virtual.runtime import VirtualBoardError

TAP_MS = 80
HOLD_MS = 700  # longer than the hold time of 600 ms

HELP = (
    "tap N, hold N: press zone button N; shot: pull the trigger and be hit; dry: pull without a hit; "
    "knock: bump the gun; brush: bump it lightly; unplug, plug: the cable; power: take the board's power and give it "
    "back; quit"
)

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


def run(lines: TextIO, out: TextIO) -> Exit:
    """Do what each line says until `quit` or the end of the input; return the exit code."""
    board = find()
    if board is None:
        print("No virtual board is running; start one: companion play panic-fire --port virtual", file=sys.stderr)
        return Exit.UNAVAILABLE
    print(HELP, file=out, flush=True)
    try:
        for line in lines:
            word = line.strip()
            if word == "quit":
                break
            answer = _do(board, word)
            if answer:
                print(answer, file=out, flush=True)
    finally:
        board.close()
    return Exit.DONE


def _do(board: VirtualBoard, line: str) -> str:
    word, _, number = line.partition(" ")
    try:
        if word in _PRESSES:
            board.press(f"zone-{number.strip()}", _PRESSES[word])
        elif word in _WORDS:
            _WORDS[word](board)
        elif word:
            return f"? {line}: not understood. {HELP}"
    except VirtualBoardError as problem:
        return str(problem)
    return ""
