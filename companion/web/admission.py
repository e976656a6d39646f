"""Who is let in without a code: the page on the device of somebody who touches the box.

A touch cannot say which device it is for. So it lets in a device only while no other one waits: of
two, somebody in the network could be the other.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable
from enum import Enum

AWAY_S = 5.0
"""Seconds after which a device that did not ask again has stopped waiting; its page asks every two."""
TOUCH_S = 5.0
"""Seconds for which a touch lets somebody in: the page asks again within two."""
AFTER_POWER_ON_S = 120.0
"""Seconds after the board's power-on in which no touch is needed."""
MOST_WAITING = 60
BY_CODE = ""
"""Stands for the device of somebody who had the code; no device has this name."""


class Entrance(Enum):
    """What a waiting device is told."""

    OPEN = "open"
    """It is let in."""
    WAITING = "waiting"
    """A touch of the box lets it in."""
    SEVERAL = "several"
    """Several devices wait, so none is let in."""
    TAKEN = "taken"
    """Somebody was let in before: ask that person for the code."""
    NO_BOARD = "no board"
    """No board can be touched: the code is in the program's log."""


class Admission:
    """Devices that wait for a touch of the box. Any thread may use it.

    `let_in` is called when a device is let in, before it learns the code; `clock` is monotonic, in seconds.
    """

    def __init__(
        self,
        let_in: Callable[[], object] = lambda: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._clock, self._on_let_in = clock, let_in
        self._lock = threading.Lock()
        self._waiting: dict[str, float] = {}  # device -> when it asked last
        self._let_in: str | None = None
        self._let_in_s = 0.0
        self._touched_s: float | None = None
        self._power_on_s: float | None = None
        self._has_board = False

    @property
    def is_taken(self) -> bool:
        """Whether somebody was let in, or has the code, so that a touch opens nothing."""
        with self._lock:
            return self._let_in is not None

    def new_device(self) -> str:
        """Return a name for a device that begins to wait."""
        return secrets.token_urlsafe(12)

    def board_found(self, since_power_on_s: float) -> None:
        """Note that a board can be touched, and how long ago its power came on. If it was known already and its power
        came on again since a device was let in, another one may be."""
        with self._lock:
            power_on_s = self._clock() - since_power_on_s
            known_s = self._power_on_s
            # The first board that is found takes nothing from somebody who has the code: it may have got its power
            # together with this computer. The two clocks drift apart by far less than the seconds of a board's start.
            if known_s is not None and power_on_s > max(known_s + 1, self._let_in_s):
                self._let_in = None
            self._power_on_s, self._has_board = power_on_s, True

    def board_lost(self) -> None:
        """Note that no board can be touched."""
        with self._lock:
            self._has_board = False

    def opened_by_code(self) -> None:
        """Note that somebody has the code: from now on it is the only way in."""
        with self._lock:
            if self._let_in is None:
                self._let_in, self._let_in_s = BY_CODE, self._clock()

    def touched(self) -> None:
        """Note that two zone buttons were held together."""
        with self._lock:
            self._touched_s = self._clock()

    def ask(self, device: str) -> Entrance:
        """Return what a device is told that asks now, and let it in if that is possible."""
        with self._lock:
            now_s = self._clock()
            if device == self._let_in:
                return Entrance.OPEN
            if not self._has_board:
                return Entrance.NO_BOARD
            if self._let_in is not None:
                return Entrance.TAKEN
            self._waiting = {
                other: asked_s
                for other, asked_s in self._waiting.items()
                if now_s - asked_s < AWAY_S
            }
            if len(self._waiting) < MOST_WAITING or device in self._waiting:
                is_new = device not in self._waiting
                self._waiting[device] = now_s
                # who asks for the first time was not there when the box was touched
                if is_new and not self._just_powered_on(now_s):
                    return self._told()
            if len(self._waiting) > 1:
                return Entrance.SEVERAL
            if self._just_powered_on(now_s) or self._is_touched(now_s):
                self._let_in, self._let_in_s, self._touched_s = device, now_s, None
                self._on_let_in()
                return Entrance.OPEN
            return Entrance.WAITING

    def _told(self) -> Entrance:
        return Entrance.SEVERAL if len(self._waiting) > 1 else Entrance.WAITING

    def _just_powered_on(self, now_s: float) -> bool:
        return self._power_on_s is not None and now_s - self._power_on_s < AFTER_POWER_ON_S

    def _is_touched(self, now_s: float) -> bool:
        return self._touched_s is not None and now_s - self._touched_s < TOUCH_S
