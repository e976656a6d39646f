"""Runs the chip faster than MicroPython does, and stays slow for good where that ended badly. Loaded only where wanted.

A file on the board says how a fast start began: it is there from before the change of speed until the board has run for
`LASTS_MS`, and each start that finds it counts one more.
"""

import os

from firmware_protocol.messages import RESET_REQUEST, RESET_WATCHDOG

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware_protocol.board.hardware import Clocked

MARK = "/speed.txt"
LASTS_MS = 10_000
GIVEN_UP = "given up"
# A brown-out and a plug that was pulled look alike to the chip, so one start that was cut short is not enough. What the
# watchdog ended, nobody did.
CUT_SHORT = 2


def speed_up(machine: "Clocked", mhz: int, reset_reason: int, mark: str = MARK) -> str:
    """Set the chip's clock; return a sentence where it stays as it was, with the reason."""
    try:
        found = _read(mark)
        if found and (
            reset_reason == RESET_WATCHDOG or not found.isdigit() or int(found) >= CUT_SHORT
        ):
            found = GIVEN_UP
            _write(mark, found)
        if found == GIVEN_UP:
            return (
                f"not at {mhz} MHz: a start at that speed ended within 10 s; "
                f"remove {mark} from the board to try again"
            )
        # What a person asked for did not end badly.
        begun = int(found or 0) + (reset_reason != RESET_REQUEST)
        _write(mark, str(begun))
        machine.freq(mhz * 1_000_000)
    except (OSError, ValueError) as error:
        return f"not at {mhz} MHz: {error}"
    return ""


def lasted(mark: str = MARK) -> None:
    """Note that a fast start went well, or ended as a person wanted."""
    try:
        if _read(mark) != GIVEN_UP:
            os.remove(mark)
    except OSError:
        pass  # it is gone, or the flash is full and the next start counts one too many


def _read(mark: str) -> str:
    try:
        with open(mark) as file:
            return file.read()
    except OSError:
        return ""


def _write(mark: str, text: str) -> None:
    with open(mark, "w") as file:
        file.write(text)
