"""What the board tells beside presses and shots. Pure.

Its lamp: when it was lit is the true zero of a reaction to *fire!*. Its status contacts, such as the plug of the gun's
cable: news for people, and no gesture. A trigger that is closed when the board is armed: nobody pulled it.
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
# The interpreter switches it and then reads the clock: some 40 us, and an interrupt may come between.
LAMP_ERROR_US = 100


class Lamp:
    """When the lamp was lit last, give or take `LAMP_ERROR_US` or what the board publishes; it reads a record."""

    def __init__(self) -> None:
        self.lit: Moment | None = None
        self.entry = 0
        """The entry that says so; 0 while none does."""
        self._errors_us: dict[int, int] = {}

    def read(self, entries: Iterable[Entry]) -> list[Moment]:
        """Take in the next entries of the record; return each moment at which the lamp was lit."""
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
    """Return what a message says of a status contact (the gun's plug), and whether that is trouble.

    None if it says nothing new. A contact among the `muted` channels says nothing.
    """
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
    "The trigger is closed: let go of it. "
    "If nobody holds it, look for a pinched wire; no pull counts until it opens."
)
TRIGGER_OPEN = "The trigger is open again."


def trigger_news(evidence: Evidence, channels: Mapping[int, str], shown: str) -> str | None:
    """What a message says of a trigger that was closed when the board was armed, while `shown` stands on the screen;
    None when it says nothing new."""
    message, number = (
        evidence.message,
        next((number for number, name in channels.items() if name == TRIGGER), None),
    )
    if number is None:
        return None
    if isinstance(message, State) and message.flags & ARMED and message.levels >> number & 1:
        return TRIGGER_CLOSED
    is_opened = (
        isinstance(message, Event) and message.channel == number and not message.flags & PRESSED
    )
    return TRIGGER_OPEN if is_opened and shown == TRIGGER_CLOSED else None
