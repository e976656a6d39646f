"""Reports of the board beside presses and shots. Pure.

The lamp: the moment it was lit is the true zero of a reaction to *fire!*. Status contacts, such as
the plug of the gun's cable: news for people, not gestures. A trigger that is already closed when
the board is armed: nobody pulled it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING

from companion.journal.entries import Entry, Layer
from companion.rules.facts import Moment
from companion.session.clocks import clock_name
from firmware_protocol.channels import kind_named
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


def status_news(
    evidence: Evidence, channels: Mapping[int, str], muted: Collection[str] = ()
) -> tuple[str, bool] | None:
    """Return a sentence about a status contact (the gun's plug) if a message reports a change of
    it, and whether it is a problem; None if there is nothing new, or the channel is `muted`."""
    message = evidence.message
    for number, name in channels.items():
        kind = kind_named(name)
        if kind is None or not kind.status or name in muted:
            continue
        if isinstance(message, Event) and message.channel == number:
            is_closed = bool(message.flags & PRESSED)
            return (kind.closed, False) if is_closed else (kind.open, True)
        if isinstance(message, State):
            is_closed = bool(message.levels >> number & 1)
            if message.flags & ARMED and not is_closed:
                return kind.open, True
    return None


TRIGGER = "trigger"
TRIGGER_CLOSED = (
    "Let go of the trigger. If nobody holds it, check its wire: no pull counts until it opens."
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
