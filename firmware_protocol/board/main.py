"""The board's entry: runs the firmware under a watchdog and starts it again after an exception.

Copied to the chip as `/main.py`; there MicroPython runs it after boot.
"""

import gc
import os
import sys

from firmware_protocol.board.app import RING_SIZE, App
from firmware_protocol.board.clock import Clock
from firmware_protocol.board.keyboard import KeyboardGuard
from firmware_protocol.board.pins import PinMap, load_pins
from firmware_protocol.messages import RESET_EXCEPTION, RESET_POWER, RESET_WATCHDOG

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware_protocol.board.hardware import KeyboardInterrupts, Machine, Ticks, Wire

WATCHDOG_MS = 5000
BOARD_NAME_LENGTH = 40
# The RP2040's port stops a timer that nobody refers to at the next garbage collection.
KEPT: "list[object]" = []


def random_boot_id() -> int:
    """Return a boot id: u16, never 0."""
    return int.from_bytes(os.urandom(2), "big") or 1


def run(
    machine: "Machine",
    ticks_us: "Ticks",
    wire: "Wire",
    pins: PinMap,
    kbd_intr: "KeyboardInterrupts",
    next_boot_id: "Callable[[], int]" = random_boot_id,
    reset_reason: int = RESET_POWER,
    board: str = "",
    note: str = "",
    ring_size: int = RING_SIZE,
) -> None:
    """Run until MAINTENANCE or, while the keyboard may interrupt, Ctrl-C; the watchdog goes on wanting to be fed.

    After an exception the firmware starts over with a new boot id, reset reason EXCEPTION and the text as a LOG. The
    watchdog is fed by whole turns of the main loop only, so a firmware that fails at once is reset by it.
    """
    clock = Clock(ticks_us)
    keyboard = KeyboardGuard(kbd_intr)
    watchdog = machine.WDT(timeout=WATCHDOG_MS)
    while True:
        try:
            app = App(machine, clock, wire, pins, next_boot_id(), reset_reason, keyboard, board, ring_size)
            if note:
                app.note(note)
            try:
                while not app.maintenance:
                    app.step()
                    watchdog.feed()
            finally:
                app.close()
            keyboard.release()
            return
        except KeyboardInterrupt:
            if note:
                # A firmware that fails at its start has had no host to tell.
                print(note)
            raise
        except Exception as error:
            reset_reason = RESET_EXCEPTION
            note = f"restarted after {type(error).__name__}: {error}"
            gc.collect()


def start() -> None:
    """Run on the chip; returns to the REPL on MAINTENANCE or Ctrl-C, with the watchdog kept quiet."""
    import time

    import machine  # type: ignore[import-not-found]
    import micropython  # type: ignore[import-not-found]

    from firmware_protocol.board.wire import StdioWire

    micropython.alloc_emergency_exception_buf(100)
    pins, note = load_pins("/pins.json")
    wire = StdioWire(sys.stdin.buffer, sys.stdout.buffer)
    reason = RESET_WATCHDOG if machine.reset_cause() == machine.WDT_RESET else RESET_POWER
    name = sys.implementation._machine[:BOARD_NAME_LENGTH]
    try:
        ticks_us: Ticks = time.ticks_us  # type: ignore
        run(machine, ticks_us, wire, pins, micropython.kbd_intr, random_boot_id, reason, name, note)
    except KeyboardInterrupt:
        micropython.kbd_intr(3)
    # The RP2040's watchdog cannot be switched off; a timer feeds it while a person works.
    watchdog = machine.WDT(timeout=WATCHDOG_MS)
    KEPT.append(machine.Timer(-1, period=1000, callback=lambda _timer: watchdog.feed()))


if __name__ == "__main__":
    start()
