"""What the body of an entry must hold for those who read its kind; kinds not named here may hold anything."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from companion.journal.entries import Control, Layer

_NEEDED: Mapping[Layer, Mapping[str, Mapping[str, type]]] = {
    Layer.EVIDENCE: {
        "event": {"boot": int, "seq": int, "channel": str, "flags": int, "bounces": int, "peak": int},
        "state": {"boot": int, "seq": int, "flags": int, "levels": int},
        "overrun": {"boot": int, "seq": int, "source": str, "count": int, "first_us": int},
        "gap": {"boot": int, "seq": int, "first_seq": int, "count": int, "first_us": int},
        "hello": {"uid": str, "boot": int, "board": str, "firmware": str, "reset": str, "stamp_error_us": int},
        "note": {"text": str},
        "boot": {"previous": int, "boot": int},
        "config": {"boot": int, "crc": int, "of_session": bool, "told": bool},
    },
    Layer.FACT: {},
    Layer.CONTROL: {
        Control.VOID: {"entry": int},
        Control.RENAMED: {"name": str},
        Control.LOST: {"from": int, "to": int, "why": str},
        Control.IGNORED: {"reason": str},
        Control.READ_AS: {"entry": int, "can_hold": bool},
        Control.REMARK: {"entries": list, "why": str, "who": str},
        Control.CONSENT: {"entry": int, "agreed": bool},
        Control.BOARD: {"hit_threshold": int, "hit_scan_us": int, "hit_mask_us": int, "lock_us": int, "glitch_us": int},
        Control.SETTINGS: {"hold_us": int, "window_us": int},
    },
}
_ENTRIES = "entries"  # the one list: of numbers


class Misfit(NamedTuple):
    """A field of a body, and what it must hold."""

    field: str
    wanted: str


def misfit(layer: Layer, kind: str, body: Mapping[str, Any]) -> Misfit | None:
    """Return the first field that is not what a body of this kind must hold, None where all fit."""
    needed = _NEEDED[layer].get(kind)
    if needed is not None:
        for field, wanted in needed.items():
            if type(body.get(field)) is not wanted:
                return Misfit(field, f"{field} of type {wanted.__name__}")
        if _ENTRIES in needed and not all(type(one) is int for one in body[_ENTRIES]):
            return Misfit(_ENTRIES, "a list of entries")
    return None
