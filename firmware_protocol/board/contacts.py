"""Eager debounce of one contact: the press goes out with its first edge, the release once it is stable."""

from firmware_protocol.board.clock import NO_TICKS, TICKS_MASK, Clock, ticks_diff
from firmware_protocol.messages import GLITCH, PRESSED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware_protocol.board.settings import Settings

# The contact is open and quiet; pressed and ignored for the lock time; held; open, but not yet stable.
IDLE = 0
LOCKED = 1
HELD = 2
LEAVING = 3


class Contact:
    """One debounced channel; `emit(channel, flags, t_us, bounces, peak)` takes what it reports.

    Works on the edges' own stamps, so its result does not depend on when the main loop comes round.
    """

    def __init__(
        self,
        channel: int,
        clock: Clock,
        settings: "Settings",
        emit: "Callable[[int, int, int, int, int], object]",
    ) -> None:
        self.channel = channel
        self._clock = clock
        self._settings = settings
        self._emit = emit
        self.restart(0)

    def restart(self, pressed: int) -> None:
        """Start from the level `pressed`, without reporting it."""
        self._raw = pressed
        self._state = HELD if self._raw else IDLE
        self._press_us = self._clock.now_us()
        self._since = self._left = self._last = self._clock.ticks()
        self._doubt = NO_TICKS
        self._bounces = 0
        self._late = 0

    @property
    def pressed(self) -> bool:
        """Whether a press was reported and its release was not."""
        return self._state != IDLE

    @property
    def busy(self) -> bool:
        """Whether `step` may have something to report before the next edge."""
        return self._state == LOCKED or self._state == LEAVING  # noqa: PLR1714 - a tuple costs more on the chip

    def due(self) -> int:
        """Return the ticks at which `step` may have something to report while it is busy."""
        return ((self._since if self._state == LOCKED else self._last) + self._settings.lock_us) & TICKS_MASK

    def edge(self, ticks: int, pressed: int, late: int) -> None:
        """Take in an edge; `late` is the flag of one that was found after its own was lost."""
        self._settle(ticks)
        if self._state == IDLE:
            if pressed:
                self._press(ticks, late)
        elif self._state == HELD:
            self._open(ticks, pressed, late)
        else:
            self._bounce(ticks, pressed, late)
        self._raw = pressed

    def step(self, now: int) -> None:
        """Report what is due; every edge before `now` has been handed over."""
        if self._state != IDLE:
            self._settle(now)

    def unsettled_ticks(self) -> int:
        """Return the earliest stamp a report still to come may carry, or `NO_TICKS`."""
        return self._doubt

    def _press(self, ticks: int, late: int) -> None:
        self._state = LOCKED
        self._since = self._last = self._left = ticks
        self._press_us = self._clock.extend(ticks)
        self._doubt = NO_TICKS
        self._bounces = 0
        self._late = 0
        self._emit(self.channel, PRESSED | late, self._press_us, 0, 0)

    def _open(self, ticks: int, pressed: int, late: int) -> None:
        if pressed:
            return
        self._state = LEAVING
        self._left = self._last = self._doubt = ticks
        self._late = late

    def _bounce(self, ticks: int, pressed: int, late: int) -> None:
        self._bounces += 1
        self._last = ticks
        if self._state == LOCKED and not pressed:
            self._left = ticks
            self._late = late
            if self._doubt == NO_TICKS:
                self._doubt = ticks

    def _settle(self, now: int) -> None:
        lock_us = self._settings.lock_us
        if self._state == LOCKED and ticks_diff(now, self._since) >= lock_us:
            self._state = HELD if self._raw else LEAVING
            if self._raw:
                self._doubt = NO_TICKS
            else:
                self._bounces -= 1
        if self._state == LEAVING and ticks_diff(now, self._last) >= lock_us:
            if self._raw:
                self._state = HELD
                self._bounces += 1
            else:
                self._release()
            self._doubt = NO_TICKS

    def _release(self) -> None:
        self._state = IDLE
        t_us = self._clock.extend(self._left)
        flags = self._late
        if t_us - self._press_us <= self._settings.glitch_us:
            flags |= GLITCH
        self._emit(self.channel, flags, t_us, min(self._bounces, 0xFFFF), 0)
