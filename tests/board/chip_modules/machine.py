"""`machine` of a chip that is a MicroPython VM on a pseudo-terminal: nothing is wired to its pins."""
# ruff: noqa: ARG002  the firmware calls it as it calls the real one

import os
import sys

WDT_RESET = 3
mem32 = {0x40058008: 2}  # `reset` goes through the watchdog, which did not bite


class Pin:
    IN = 0
    OUT = 1
    PULL_UP = 1
    PULL_DOWN = 2

    def __init__(self, id: int, mode: int = 0, pull: "int | None" = None) -> None:  # noqa: A002
        is_held = os.getenv("HELD_PIN") == str(id)
        self._level = 1 if pull == Pin.PULL_UP and not is_held else 0

    def value(self, level: int = -1) -> int:
        if level >= 0:
            self._level = level
        return self._level


class WDT:
    def __init__(self, timeout: int) -> None:
        self.timeout = timeout

    def feed(self) -> None:
        return None


class Timer:
    def __init__(self, number: int, period: int, callback: object) -> None:
        self.period = period


def unique_id() -> bytes:
    return b"ON A PTY"


def reset_cause() -> int:
    return WDT_RESET


def reset() -> None:
    sys.exit()
