"""The board's accessories beside buttons and gun. Pure.

The lamp: the moment it was lit is the true zero of a reaction to *fire!*. The plug of the gun's
cable: a contact that is closed while plugged in; its changes are evidence for people, not gestures.
A trigger that is already closed when the board is armed: nobody pulled it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from companion.journal.entries import Entry, Layer
from companion.rules.facts import Moment
from companion.session.clocks import clock_name
from firmware_protocol.messages import ARMED, PRESSED, Event, State

if TYPE_CHECKING:
    from companion.link.evidence import Evidence

CUE = "cue"
LAMP = 0  # an output of the board, by its number in CUE
LAMP_MS = 500
# The firmware switches the lamp and then reads the clock: about 40 us, plus a possible interrupt.
LAMP_ERROR_US = 100


class Lamp:
    """When the lamp was last lit, to within `LAMP_ERROR_US` or the error the board publishes,
    whichever is larger. Reads a record."""

    def __init__(self) -> None:
        self.lit: Moment | None = None
        self.entry = 0
        """The entry that records it; 0 for none."""
        self._errors_us: dict[int, int] = {}

    def read(self, entries: Iterable[Entry]) -> list[Moment]:
        """Read the next entries of the record; return each moment at which the lamp was lit."""
        lit: list[Moment] = []
        for entry in entries:
            if entry.layer is not Layer.EVIDENCE:
                continue
            if entry.kind == "hello":
                self._errors_us[entry.body["boot"]] = entry.body["stamp_error_us"]
            elif entry.kind == CUE and entry.body["output"] == LAMP and entry.t_us is not None:
                boot_id, self.entry = entry.body["boot"], entry.n
                pm_us = max(self._errors_us.get(boot_id, 0), LAMP_ERROR_US)
                self.lit = Moment(us=entry.t_us, pm=pm_us, clock=clock_name(boot_id))
                lit.append(self.lit)
        return lit


PLUG = "plug"
GUN_IN = "The gun is plugged in."
GUN_OUT = "The gun is unplugged: no pull and no hit reach the board."


def gun_news(evidence: Evidence, channels: Mapping[int, str], *, muted: bool = False) -> str | None:
    """Return a sentence about the plug if a message reports a change of it; None if it does not, or
    if the channel is `muted`."""
    message, number = evidence.message, _number_of(PLUG, channels)
    if number is None or muted:
        return None
    if isinstance(message, Event) and message.channel == number:
        return GUN_IN if message.flags & PRESSED else GUN_OUT
    if isinstance(message, State) and message.flags & ARMED and not message.levels >> number & 1:
        return GUN_OUT
    return None


TRIGGER = "trigger"
TRIGGER_CLOSED = (
    "The trigger is closed: let go of it. "
    "If nobody holds it, look for a pinched wire; no pull counts until it opens."
)
TRIGGER_OPEN = "The trigger is open again."


def trigger_news(evidence: Evidence, channels: Mapping[int, str], shown: str) -> str | None:
    """Return a sentence if a message reports that the trigger was closed when the board was armed,
    or has opened since; else None. `shown` is the text on the screen."""
    message, number = evidence.message, _number_of(TRIGGER, channels)
    if number is None:
        return None
    if isinstance(message, State) and message.flags & ARMED and message.levels >> number & 1:
        return TRIGGER_CLOSED
    if isinstance(message, Event) and message.channel == number:
        is_opened = not message.flags & PRESSED
        if is_opened and shown == TRIGGER_CLOSED:
            return TRIGGER_OPEN
    return None


def _number_of(name: str, channels: Mapping[int, str]) -> int | None:
    for number, channel in channels.items():
        if channel == name:
            return number
    return None
