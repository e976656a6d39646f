"""The board's entry point: runs the firmware under a watchdog and restarts it after an exception.

Copied to the chip as `/main.py`; MicroPython runs that after boot.
"""

if __name__ == "__main__":
    # Before anything else: from here on byte 0x03 is data.
    import micropython  # type: ignore[import-not-found]

    micropython.kbd_intr(-1)

import gc
import os
import sys

from firmware_protocol.board import FIRMWARE
from firmware_protocol.board.clock import Clock
from firmware_protocol.board.pins import PinMap, load_pins
from firmware_protocol.board.ring import RING_SIZE
from firmware_protocol.messages import RESET_EXCEPTION, RESET_POWER, RESET_REQUEST, RESET_WATCHDOG

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from firmware_protocol.board.hardware import (
        KeyboardInterrupts,
        Machine,
        Watchdog,
        Wire,
        WiredMachine,
    )
    from firmware_protocol.board.primitives import Ticks

WATCHDOG_MS = 5000
BOARD_NAME_LENGTH = 40
NEVER = -1
CTRL_C = 3
# REASON (RP2040 data sheet 4.7.6, RP2350 data sheet 12.9): the watchdog's timer ran out.
REASON_TIMER = 1
# References to timers: the RP2040's port stops a timer without one at the next garbage collection.
KEPT: "list[object]" = []


def random_boot_id() -> int:
    """Return a boot id: u16, never 0."""
    return int.from_bytes(os.urandom(2), "big") or 1


def run(
    machine: "WiredMachine",
    ticks_us: "Ticks",
    wire: "Wire",
    pins: PinMap,
    kbd_intr: "KeyboardInterrupts",
    next_boot_id: "Callable[[], int]" = random_boot_id,
    reset_reason: int = RESET_POWER,
    board: str = "",
    note: str = "",
    ring_size: int = RING_SIZE,
    chip: "Callable[[int | None], WiredMachine] | None" = None,
) -> None:
    """Run until MAINTENANCE, or until Ctrl-C if the trigger was held at the start and no host has talked since.

    The watchdog must still be fed afterwards. After an exception the firmware starts over with a new boot id, reset
    reason EXCEPTION and the text as a LOG. Only whole turns of the main loop feed the watchdog, so a firmware that
    fails at once is reset by it. `chip` returns the machine with the inputs' hardware for the hit sensor's ADC pin,
    which keeps running over such a restart and stops at the end; without it `machine` has that hardware.
    """
    clock = Clock(ticks_us)
    watchdog = machine.WDT(timeout=WATCHDOG_MS)
    kbd_intr(CTRL_C if trigger_held(machine, pins) else NEVER)

    def host_came() -> None:
        # A host that was answered sends byte 0x03; its first frame, a WHO, does not contain it.
        kbd_intr(NEVER)

    boot_id = next_boot_id()
    armed = False
    if reset_reason == RESET_WATCHDOG:
        armed = wait_for_arm(
            machine, clock, wire, pins, boot_id, board, watchdog, ring_size, host_came
        )
        if not armed:
            kbd_intr(CTRL_C)
            return
    # The hardware first: it collects samples while the rest is loaded.
    wired = chip(pins.adc("hit") if "hit" in pins else None) if chip else machine
    try:
        from firmware_protocol.board.app import App

        app: App | None = None
        while True:
            try:
                app = App(
                    wired,
                    clock,
                    wire,
                    pins,
                    boot_id,
                    reset_reason,
                    board,
                    ring_size,
                    armed,
                    host_came,
                )
                if note:
                    app.note(note)
                try:
                    while not app.maintenance:
                        app.step()
                        watchdog.feed()
                finally:
                    app.close()
                kbd_intr(CTRL_C)
                return
            except KeyboardInterrupt:
                if note:
                    # A firmware that failed at its start had no host to send the note to.
                    print(note)
                raise
            except Exception as error:
                reset_reason = RESET_EXCEPTION
                note = f"restarted after {type(error).__name__}: {error}"
                boot_id = next_boot_id()
                armed = False
                # Freed before the next is created: the ring is the largest block, and there may be no second one.
                app = None
                gc.collect()
    finally:
        wired.stop()


def trigger_held(machine: "Machine", pins: PinMap) -> bool:
    """Return whether a person holds the trigger: they want the prompt, whatever the firmware does later."""
    if "trigger" not in pins:
        return False
    active = pins.active_level("trigger")
    pull = machine.Pin.PULL_DOWN if active else machine.Pin.PULL_UP
    return machine.Pin(pins.pin("trigger"), machine.Pin.IN, pull).value() == active


def wait_for_arm(
    machine: "Machine",
    clock: Clock,
    wire: "Wire",
    pins: PinMap,
    boot_id: int,
    board: str,
    watchdog: "Watchdog",
    ring_size: int,
    host_came: "Callable[[], object]",
) -> bool:
    """Run the link alone; return False if MAINTENANCE came instead of ARM."""
    from firmware_protocol.board.waiting import Waiting, waiting_hello

    uid = int.from_bytes(machine.unique_id(), "big")
    waiting = Waiting(
        wire, clock, boot_id, waiting_hello(uid, FIRMWARE, board, pins, ring_size), host_came
    )
    while not waiting.over:
        waiting.step()
        watchdog.feed()
    return waiting.armed


def chip(adc: "int | None") -> "WiredMachine":
    """Return the chip with its PIO, ADC and DMA; importing that takes a while."""
    from firmware_protocol.board.chip import Chip

    return Chip(adc)


def start() -> None:
    """Run on the chip; return to the REPL on MAINTENANCE or Ctrl-C, with the watchdog kept quiet."""
    import time

    import machine  # type: ignore[import-not-found]
    import micropython

    from firmware_protocol.board.wire import StdioWire

    micropython.alloc_emergency_exception_buf(100)
    pins, note = load_pins("/pins.json")
    wire = StdioWire(sys.stdin.buffer, sys.stdout.buffer)
    name = sys.implementation._machine[:BOARD_NAME_LENGTH]
    reset_reason = why_started(machine)
    # A `pins.json` that was refused asks for no clock, so no sentence about it is lost.
    if pins.mhz:
        note = run_fast(machine, pins.mhz, reset_reason)
    try:
        ticks_us: Ticks = time.ticks_us  # type: ignore
        bare: Any = machine
        run(
            bare,
            ticks_us,
            wire,
            pins,
            micropython.kbd_intr,
            random_boot_id,
            reset_reason,
            name,
            note,
            chip=chip,
        )
    except KeyboardInterrupt:
        micropython.kbd_intr(CTRL_C)
    if pins.mhz:
        from firmware_protocol.board.speed import lasted

        lasted()
    # The RP2040's watchdog cannot be switched off; a timer feeds it while a person works.
    watchdog = machine.WDT(timeout=WATCHDOG_MS)
    KEPT.append(machine.Timer(-1, period=1000, callback=lambda _timer: watchdog.feed()))


def run_fast(machine: "Any", mhz: int, reset_reason: int) -> str:
    """Set the chip's clock and watch whether it lasts; return a sentence if it stays as it was."""
    from firmware_protocol.board.speed import LASTS_MS, lasted, speed_up

    note = speed_up(machine, mhz, reset_reason)
    if not note:
        once = machine.Timer.ONE_SHOT
        KEPT.append(machine.Timer(-1, mode=once, period=LASTS_MS, callback=lambda _timer: lasted()))
    return note


def why_started(machine: "Machine") -> int:
    """Return the reset reason for HELLO.

    `machine.reset` goes through the watchdog too; its register tells them apart.
    """
    if machine.reset_cause() != machine.WDT_RESET:
        return RESET_POWER
    # Imported only here: most starts do not need it before the inputs.
    from firmware_protocol.board.registers import registers

    bitten = machine.mem32[registers().watchdog_reason] & REASON_TIMER
    return RESET_WATCHDOG if bitten else RESET_REQUEST


if __name__ == "__main__":
    start()
