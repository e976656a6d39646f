"""What a player can note for itself in a game of one's own: what its secret counters stand at (OG-3)."""

from __future__ import annotations

from functools import partial
from typing import Any

from companion.games.own.rules.view import SecretView, SheetView
from companion.rules.game import Refused, SeatId
from companion.rules.panels import Answers, NoteField, NoteLine

_VALUE = "value"


def note_lines(game: SheetView, seat: SeatId) -> tuple[NoteLine, ...]:
    """Return a line for each secret counter."""
    return tuple(_line(secret, seat) for secret in game.secrets)


def _line(secret: SecretView, seat: SeatId) -> NoteLine:
    least = "" if secret.least is None else f" from {secret.least}"
    most = "" if secret.most is None else f" to {secret.most}"
    takes = f"a whole number{least}{most}"
    field = NoteField(_VALUE, secret.title)
    return NoteLine(secret.name, secret.title, "note", takes, (field,), partial(_body, secret.name, takes, seat))


def _body(counter: str, takes: str, seat: SeatId, answers: Answers) -> dict[str, Any]:
    word = answers[_VALUE].strip()
    if not word.removeprefix("-").isdecimal() or len(word) > 7:
        raise Refused("OG-3", f"{word} is none", takes, f"Enter {takes}.")
    return {"seat": seat, "counter": counter, "value": int(word)}
