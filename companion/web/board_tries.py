"""What a page of a role can try on the board at once: its lamp and its buzzer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from companion.session.accessories import LAMP, LAMP_MS
from companion.session.corrections import NotDone
from companion.session.game_watch import GameStopped, aborted_as_stopped
from companion.session.sound import BUZZER, SoundSignal

if TYPE_CHECKING:
    from companion.session.table import Table

TRIES: Mapping[str, tuple[int, int, str]] = {
    "board.lamp": (LAMP, LAMP_MS, "The lamp is lit for half a second."),
    "board.buzzer": (
        BUZZER,
        SoundSignal.FIRE.value,
        "The buzzer sounds for less than half a second.",
    ),
}
"""What a page asks for -> the output, for how many milliseconds it is on, and what the page says."""
NO_BOARD = "No connected board can do this. Look at the page of the board."
SIGNAL_NEXT = "The lamp gives the signal next. Try it after that."


def tried(table: Table, wish: str) -> str:
    """Switch on what a page asks for; return what it says, or raise `NotDone`."""
    output, ms, said = TRIES[wish]
    if output == LAMP and _lamp_is_next(table):
        raise NotDone(SIGNAL_NEXT)
    if not table.cue(output, ms):
        raise NotDone(NO_BOARD)
    return said


def _lamp_is_next(table: Table) -> bool:
    """Return whether somebody waits for the lamp as a signal: a tap gives none in a drill."""
    try:
        with aborted_as_stopped():
            due = table.look(lambda record: record.game.due(record.state))
    except GameStopped as stopped:
        raise NotDone(str(stopped)) from stopped
    return due is not None and due.lamp
