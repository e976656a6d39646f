"""The plug of the gun's cable: a contact of the board, closed while it is in. Evidence for people, no gesture."""

from __future__ import annotations

from collections.abc import Mapping

from companion.link.evidence import Evidence
from firmware_protocol.messages import ARMED, PRESSED, Event, State

PLUG = "plug"
GUN_IN = "The gun is plugged in."
GUN_OUT = "The gun is unplugged: no pull and no hit reach the board."


def gun_news(evidence: Evidence, channels: Mapping[int, str]) -> str | None:
    """What a message says of the plug, where the board has such a channel; None when it says nothing new."""
    message, number = evidence.message, next((number for number, name in channels.items() if name == PLUG), None)
    if number is None:
        return None
    if isinstance(message, Event) and message.channel == number:
        return GUN_IN if message.flags & PRESSED else GUN_OUT
    if isinstance(message, State) and message.flags & ARMED and not message.levels >> number & 1:
        return GUN_OUT
    return None
