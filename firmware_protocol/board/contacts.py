"""Eager debounce of one contact: a press is reported at its first edge, a release once it is stable."""

from firmware_protocol.board.clock import NO_TICKS, TICKS_HALF, TICKS_MASK, Clock, const, ticks_diff
from firmware_protocol.messages import GLITCH, PRESSED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware_protocol.board.settings import Settings

# Longer than the 10 ms between two edges of mains hum, shorter than that of a finger tapping twenty times a second.
REST_US = const(15_000)

IDLE = 0  # open and quiet
LOCKED = 1  # pressed, edges ignored for the lock time
HELD = 2  # pressed for longer
LEAVING = 3  # open, but not stable yet


class Contact:
    """One debounced channel; `emit(channel, flags, ticks, bounces, peak)` takes its reports.

    It works on the edges' own stamps, so the result does not depend on when the main loop comes round. While `busy`,
    `step` may have something to report at the ticks `due`, before the next edge; `doubt` is the earliest stamp that a
    pending report may carry, or `NO_TICKS`. `bounces` counts the edges since the press that were nothing else; since
    `moved` no two of them were `REST_US` apart.
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
        self._since = self._left = self._last = self.moved = self.due = self._clock.ticks()
        self.doubt = NO_TICKS
        self.busy = False
        # Held past its lock time: such a press is no glitch, however short the settings in force make it look.
        self._held = True
        self.bounces = 0
        self._late = 0

    def mute(self) -> None:
        """Forget a press under way: the level is unknown from now on, and no release will be reported."""
        self.restart(0)

    def hear(self, pressed: int) -> None:
        """Continue from the level `pressed`, without reporting it."""
        self.restart(pressed)

    def pressed(self) -> bool:
        """Return whether a press was reported and its release was not."""
        return self._state != IDLE

    def edge(self, ticks: int, pressed: int, late: int) -> None:
        """Take an edge; `late` is the flag of one that was found after its own edge was lost."""
        if self.busy:
            self._settle(ticks)
        state = self._state
        if state == IDLE:
            if pressed:
                self._press(ticks, late)
        elif state != HELD:
            self._bounce(ticks, pressed, late)
        elif not pressed:
            self._state = LEAVING
            self.busy = True
            self._left = self._last = self.moved = self.doubt = ticks
            self._held = True
            self._late = late
        self._raw = pressed
        if self._state == LOCKED or self._state == LEAVING:  # noqa: PLR1714 - a tuple costs more on the chip
            self._look_ahead()

    def step(self, now: int) -> None:
        """Report what is due; every edge before `now` has been taken."""
        if self.busy:
            self._settle(now)
            if self.busy:
                self._look_ahead()

    def _look_ahead(self) -> None:
        since = self._since if self._state == LOCKED else self._last
        self.due = (since + self._settings.lock_us) & TICKS_MASK

    def _press(self, ticks: int, late: int) -> None:
        self._state = LOCKED
        self.busy = True
        self._since = self._last = self._left = self.moved = ticks
        self.doubt = NO_TICKS
        self._held = False
        self.bounces = 0
        self._late = 0
        self._emit(self.channel, PRESSED | late, ticks, 0, 0)

    def _bounce(self, ticks: int, pressed: int, late: int) -> None:
        self.bounces += 1
        if (ticks - self._last) & TICKS_MASK >= REST_US:
            self.moved = ticks
        self._last = ticks
        if self._state == LOCKED and not pressed:
            self._left = ticks
            self._late = late
            if self.doubt == NO_TICKS:
                self.doubt = ticks

    def _settle(self, now: int) -> None:
        # `ticks_diff` written out: at a busy table this runs most often, and a call costs more than the subtraction.
        lock_us = self._settings.lock_us
        if self._state == LOCKED and lock_us <= (now - self._since) & TICKS_MASK < TICKS_HALF:
            if self._raw:
                self._hold()
                return
            self._state = LEAVING
            self.bounces -= 1
        if self._state == LEAVING and lock_us <= (now - self._last) & TICKS_MASK < TICKS_HALF:
            if self._raw:
                self._hold()
                self.bounces += 1
            else:
                self._release()

    def _hold(self) -> None:
        self._state = HELD
        self.busy = False
        self.doubt = NO_TICKS

    def _release(self) -> None:
        self._state = IDLE
        self.busy = False
        self.doubt = NO_TICKS
        flags = self._late
        if not self._held and ticks_diff(self._left, self._since) <= self._settings.glitch_us:
            flags |= GLITCH
        self._emit(self.channel, flags, self._left, min(self.bounces, 0xFFFF), 0)
