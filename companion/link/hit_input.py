"""The board's test of its hit sensor's analog pin with the chip's pulls, judged and put into words. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from firmware_protocol.messages import HIT_OPEN, HIT_PIEZO, HIT_UNTESTED, Stats

FULL = 4095
SUPPLY_V = 3.3
# RP2040 data sheet: a pull of 50 to 80 kohm.
LEAST_PULL_KOHM, PULL_KOHM, MOST_PULL_KOHM = 50, 65, 80
# The circuit has 100 kohm across the piezo, or 47 where the pin rests too high (hardware_docs/limits.md), and 6 in
# series.
LEAST_KOHM, MOST_KOHM = 40, 150
TIED_BELOW = 100
"""With the pull-up on, a lower reading means less than 2 kohm to ground."""
DRIVEN_FROM = 1000
"""With the pull-down on, a higher reading means that something drives the pin."""
SLOW_US = 120
"""A pin that takes this long to charge has the capacitance of a piezo disc on it."""
AGAIN = "then plug the board in again."


@dataclass(frozen=True, slots=True)
class HitInput:
    """The test's result from STATS: see *Hit sensor* in PROTOCOL.md. `up` and `down` are readings of 4095."""

    found: int
    up: int
    down: int
    charge_us: int

    @classmethod
    def of(cls, stats: Stats | None) -> Self | None:
        """Return the result in a board's STATS; None if it did not test, or has not yet."""
        if stats is None or stats.hit_found == HIT_UNTESTED:
            return None
        return cls(stats.hit_found, stats.hit_up, stats.hit_down, stats.hit_charge_us)

    @property
    def is_open(self) -> bool:
        """True if nothing holds the pin: the board does not read it then."""
        return self.found == HIT_OPEN

    @property
    def has_piezo(self) -> bool:
        """True if a piezo with a resistor across it is connected."""
        return self.found == HIT_PIEZO

    @property
    def fault(self) -> str:
        """Sentence on a wiring fault and its remedy; empty if the wiring may be right or nothing is connected."""
        if self.is_open:
            if self.charge_us < SLOW_US:
                return ""
            return f"The piezo has no resistor beside it, so it is not read. Solder 100 kohm across it, {AGAIN}"
        if self.down >= DRIVEN_FROM:
            volts = self.down * SUPPLY_V / FULL
            return f"Something drives the hit sensor's analog pin to {volts:.1f} V. Measure what is wired to it."
        if self.up < TIED_BELOW:
            return "The hit sensor's analog pin is tied to ground, so no hit can be read. Look for a short."
        if self._kohm(MOST_PULL_KOHM) < LEAST_KOHM or self._kohm(LEAST_PULL_KOHM) > MOST_KOHM:
            resistance = f"some {self._kohm(PULL_KOHM)} kohm instead of 100"
            return f"The hit sensor's analog pin has {resistance} to ground. Change the resistor, {AGAIN}"
        return ""

    @property
    def summary(self) -> str:
        """What is connected, in a few words."""
        if self.is_open:
            return "a piezo without its resistor" if self.fault else "nothing at its analog pin"
        if self.fault:
            return "wrong wiring at its analog pin"
        return "a piezo and its resistor" if self.has_piezo else "its resistor and no piezo"

    @property
    def readings(self) -> str:
        """The measured values, for comparing boards."""
        ms = self.charge_us / 1000
        return f"the hit sensor's pin read {self.up} pulled up and {self.down} pulled down, and rose in {ms:.2f} ms"

    @property
    def sentence(self) -> str:
        """Sentence on the result; without a piezo, with its meaning and the remedy."""
        if self.fault:
            return self.fault
        if self.is_open:
            reason = "nothing holds the hit sensor's analog pin, so it is not read"
            return f"No piezo is connected: {reason}. Connect the piezo and its 100 kohm, {AGAIN}"
        if self.has_piezo:
            return "A piezo and its resistor are at the hit sensor's analog pin."
        action = "Plug the gun in, or look for a broken lead"
        return f"The hit sensor's resistor is there, but no piezo. {action}; {AGAIN}"

    def _kohm(self, pull_kohm: int) -> int:
        """Return the resistor's value to two digits, for a pull of `pull_kohm`."""
        # The pull and the resistor divide the supply: up / FULL = resistor / (resistor + pull).
        kohm = pull_kohm * self.up // max(1, FULL - self.up)
        return round(kohm, 2 - len(str(kohm)))
