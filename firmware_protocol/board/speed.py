"""Runs the chip at a faster clock, and never again if that ended badly. Imported only if wanted.

A file on the board records fast starts: it exists from before the change of speed until the board has run for
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
# A brown-out and a pulled plug look alike to the chip, so one start that was cut short proves nothing. A reset by the
# watchdog does: no person causes it.
CUT_SHORT = 2


def speed_up(machine: "Clocked", mhz: int, reset_reason: int, mark: str = MARK) -> str:
    """Set the chip's clock; return a sentence with the reason if it stays as it was."""
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
        # A restart that a person requested did not end badly.
        begun = int(found or 0) + (reset_reason != RESET_REQUEST)
        _write(mark, str(begun))
        machine.freq(mhz * 1_000_000)
    except (OSError, ValueError) as error:
        return f"not at {mhz} MHz: {error}"
    return ""


def lasted(mark: str = MARK) -> None:
    """Note that a fast start went well, or was ended by a person."""
    try:
        if _read(mark) != GIVEN_UP:
            os.remove(mark)
    except OSError:
        pass  # no such file; or the flash cannot be written, and the next start counts one too many


def _read(mark: str) -> str:
    try:
        with open(mark) as file:
            return file.read()
    except OSError:
        return ""


def _write(mark: str, text: str) -> None:
    with open(mark, "w") as file:
        file.write(text)
