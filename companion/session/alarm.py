"""When what a game has due comes about, by whichever clock can tell. Pure but for the clocks it is handed."""

from __future__ import annotations

from collections.abc import Callable

from companion.rules.game import Due, Moment
from companion.rules.pauses import Pauses, between

# What the board stamped before the instant may still be on its way when the instant has come.
GRACE_US = 100_000
# A lamp that is there answers within a few milliseconds.
LAMP_ANSWERS_US = 500_000
# From the companion's word to the light of a screen and the eye on it; about what a key press is off.
SCREEN_ERROR_US = 100_000


class Alarm:
    """Knows how long what is due has still to wait. `host` is the moment by the host's clock, `board` the one by the
    board's, None while no board is live; `latest` is the last moment that is known of a clock. What is counted by a
    clock that is gone, that of an earlier run, goes on from there."""

    def __init__(
        self,
        host: Callable[[], Moment],
        board: Callable[[], Moment | None],
        latest: Callable[[str], Moment | None],
    ) -> None:
        self._host = host
        self._board = board
        self._latest = latest
        self._seen: tuple[Due, Moment, int] | None = None
        self._seen_us = 0
        self._lit: tuple[Due, int] | None = None

    def left_us(self, due: Due, pauses: Pauses) -> int:
        """Return in how many microseconds something is to be done about `due`, 0 or less for now. Asked while the
        game's clock runs."""
        if self._lit is not None and self._lit[0] == due:
            return self._lit[1] + LAMP_ANSWERS_US - self._host().us
        now, run_us = self._run(due, pauses)
        return due.us - run_us + (0 if due.lamp or now.clock == self._host().clock else GRACE_US)

    def light(self, due: Due) -> None:
        """Note that the lamp was told to light for what is due: its stamp is waited for."""
        self._lit = due, self._host().us

    def waits_for_lamp(self, due: Due | None) -> bool:
        """Return whether the lamp was told to light for `due`."""
        return due is not None and self._lit is not None and self._lit[0] == due

    def at(self, due: Due, pauses: Pauses) -> Moment:
        """Return the moment of what comes about without a lamp: its own instant, or now for a signal on the screen."""
        now, run_us = self._run(due, pauses)
        if not due.lamp:
            return now.model_copy(update={"us": now.us - max(0, run_us - due.us)})
        by_keys = now.clock == self._host().clock  # a moment of the host's clock is read as that of a key
        return now if by_keys else now.model_copy(update={"pm": now.pm + SCREEN_ERROR_US})

    def _run(self, due: Due, pauses: Pauses) -> tuple[Moment, int]:
        """What time it is by the clock that can tell of `due`, and how long that has run for it."""
        host = self._host()
        now = host if due.since is not None and due.since.clock == host.clock else self._board() or host
        run = between(due.since, now, pauses)
        if run is not None:
            return now, run.us
        now = self._board() or host
        if self._seen is None or self._seen[0] != due:
            self._seen = due, now, self._behind_us(due, pauses)
        elif self._seen[1].clock != now.clock:  # a board came, or went: nobody knows how long it took
            self._seen = due, now, self._seen_us
        # A pause by another clock was over before, or its hands were of no use to this one.
        own = tuple(each for each in pauses if all(at is None or at.clock == now.clock for at in each))
        seen = between(self._seen[1], now, own)
        self._seen_us = self._seen[2] + (0 if seen is None else seen.us)
        return now, self._seen_us

    def _behind_us(self, due: Due, pauses: Pauses) -> int:
        """How long it had run when its clock was heard of last."""
        latest = None if due.since is None else self._latest(due.since.clock)
        run = between(due.since, latest, pauses)
        return 0 if run is None else max(0, run.us)
