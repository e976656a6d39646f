"""What the host knows about each kind of input that a board can have: one row a kind.

The board itself needs no more than an input's role, name and pin (`messages`, `board/pins`). All the rest that the
companion says or asks about an input is here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from firmware_protocol.messages import ROLE_HIT, ROLE_PLUG, ROLE_TRIGGER, ROLE_ZONE, Channel


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelKind:
    """One kind of input.

    `called` is what people call it, with `{}` for a number. A `sensor` reports peaks and has no release; any other
    input is a contact. A `status` contact is closed while all is well: nobody presses it and it causes no gesture;
    `closed` and `open` are the sentences for the table then. `once` asks for a test of it, with `{}` for its name;
    `calibrated` says whether a calibration asks for presses of it by itself.
    """

    role: int
    called: str
    once: str = ""
    sensor: bool = False
    status: bool = False
    calibrated: bool = False
    closed: str = ""
    open: str = ""
    closed_at_rest: str = ""
    open_at_rest: str = ""

    @property
    def name(self) -> str:
        """Its name on the wire and in the record, without the number."""
        return Channel(0, self.role, 1, 0).name.removesuffix("-1")


KINDS = (
    ChannelKind(role=ROLE_TRIGGER, called="the trigger", once="Pull the trigger once and let go."),
    ChannelKind(role=ROLE_HIT, called="the hit sensor", once="Knock on the gun once.", sensor=True),
    ChannelKind(
        role=ROLE_ZONE, called="zone {}", once="Press {} once and let go.", calibrated=True
    ),
    ChannelKind(
        role=ROLE_PLUG,
        called="the contact of the gun's plug",
        status=True,
        closed="The gun is plugged in.",
        open="The gun is unplugged: no pull and no hit reach the board.",
        closed_at_rest="the gun is plugged in.",
        open_at_rest="is open: the gun is not plugged in, or the bridge in its plug is broken.",
    ),
)
OTHER = ChannelKind(role=0, called="channel {}", once="Press {} once and let go.", calibrated=True)
"""An input of a newer board, about which nothing is known."""
_BY_ROLE: Mapping[int, ChannelKind] = {kind.role: kind for kind in KINDS}
_BY_NAME: Mapping[str, ChannelKind] = {kind.name: kind for kind in KINDS}


def kind_of(channel: Channel) -> ChannelKind:
    """Return the kind of an input by its role."""
    return _BY_ROLE.get(channel.role, OTHER)


def kind_named(name: str) -> ChannelKind | None:
    """Return the kind of an input by its name (`trigger`, `zone-3`); None if no board has such an input."""
    word, _, number = name.partition("-")
    kind = _BY_NAME.get(word)
    if kind is None or ("{}" in kind.called) is not bool(number):
        return None
    if number and not (number.isascii() and number.isdigit() and len(number) <= 2):
        return None
    return kind if number[:1] != "0" else None


def called(name: str) -> str:
    """Return what people call the input of that name: `the trigger`, `zone 3`.

    In an unknown name each hyphen becomes a space.
    """
    kind = kind_named(name)
    if kind is None:
        return name.replace("-", " ")
    return kind.called.format(name.partition("-")[2])
