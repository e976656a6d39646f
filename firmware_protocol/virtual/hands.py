"""Actions of hands at a simulated board: contacts that bounce, a piezo that rings."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random

from firmware_protocol.virtual import physics
from firmware_protocol.virtual.physics import Edge
from firmware_protocol.virtual.runtime import VirtualBoardError


@dataclass(frozen=True)
class Played:
    """Edges that a board has taken.

    `base_us` is the board's time from which their dts count; `start` is on which start of the board that was, counted
    from 1, with its boot id.
    """

    base_us: int
    boot_id: int
    start: int


class Hands(ABC):
    """Hands at a simulated board.

    `url` is its port, `runtime` the interpreter of its firmware, and `clock_ns` the monotonic clock for a companion
    that plays on it. Presses, shots and knocks return the true device time in us of their first edge. They are played
    at once and do not wait for the edges to pass; `at_ms` delays them. Every failure raises `VirtualBoardError`.
    """

    url: str
    runtime: str
    clock_ns: Callable[[], int]
    _random: Random

    @abstractmethod
    def hand_over(self, edges: Iterable[Edge]) -> Played:
        """Pass raw edges `(dt_us, channel, level)` to the board."""

    def play(self, edges: Iterable[Edge]) -> int:
        """Play raw edges `(dt_us, channel, level)`; return the device time in us from which the dts count."""
        return self.hand_over(edges).base_us

    def press(self, channel: str, hold_ms: float = 80, at_ms: float = 0) -> int:
        """Press and release a contact (`trigger`, `zone-1` ... `zone-10`) with bounce."""
        if channel not in physics.CONTACTS:
            raise VirtualBoardError(
                f"There is no contact {channel!r}; there are {', '.join(physics.CONTACTS)}."
            )
        return self._play_from(physics.press(channel, in_us(hold_ms), self._random), channel, at_ms)

    def dry_pull(self, hold_ms: float = 120, at_ms: float = 0) -> int:
        """Pull the trigger without a hit."""
        return self._play_from(
            physics.dry_pull(in_us(hold_ms), self._random), physics.TRIGGER, at_ms
        )

    def shot(
        self, peak: int = 1800, lag_ms: float = 8, hold_ms: float = 120, at_ms: float = 0
    ) -> tuple[int, int]:
        """Pull the trigger and strike the piezo `lag_ms` later (before it if negative); return both times."""
        edges = physics.delayed(
            physics.shot(peak, in_us(lag_ms), in_us(hold_ms), self._random), in_us(at_ms)
        )
        trigger_us = physics.first_us(edges, physics.TRIGGER)
        hit_us = physics.first_us(edges, physics.HIT)
        base_us = self.play(edges)
        return base_us + trigger_us, base_us + hit_us

    def knock(self, peak: int | None = 900, at_ms: float = 0) -> int:
        """Strike the piezo alone; with `peak` None, at random below the hit threshold."""
        if peak is None:
            return self._play_from(physics.weak_knock(self._random), physics.HIT, at_ms)
        return self._play_from(physics.knock(peak, self._random), physics.HIT, at_ms)

    def _play_from(self, edges: list[Edge], channel: str, at_ms: float) -> int:
        edges = physics.delayed(edges, in_us(at_ms))
        first_us = physics.first_us(edges, channel)
        return self.play(edges) + first_us


def in_us(ms: float) -> int:
    """Return milliseconds as whole microseconds."""
    return round(ms * 1000)
