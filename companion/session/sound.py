"""The sounds of a table: which signal a change of its view gives, and how bell, buzzer and lamp
give it. Pure except for the two functions it is given."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from companion.rules.facts import Moment
from companion.session.accessories import LAMP, LAMP_MS
from companion.session.views import TableView

BUZZER = 1  # an output of the board, by its number in CUE (PROTOCOL.md)


class SoundSignal(Enum):
    """The signals for somebody who is not looking; the value is how many milliseconds the buzzer
    sounds."""

    FIRE = 400  # the game's clock started
    REFUSED = 60
    ASKED = 120  # a question or proposal waits for an answer
    ALARM = 800  # something is wrong with the link, a wire or the record
    OVER = 1000


def signals(
    before: TableView, now: TableView, started: tuple[Moment | None, Moment | None]
) -> tuple[SoundSignal, ...]:
    """Return the signals for the change between two views; `started` is when the game's clock
    started in each of them."""
    is_new_notice = now.notice is not None and (
        before.notice is None or before.notice.number != now.notice.number
    )
    is_question_new = now.question is not None and before.question is None
    is_proposal_new = now.proposal is not None and before.proposal is None
    was_well = before.link.well and before.saved.ok
    is_well = now.link.well and now.saved.ok
    happened = {
        SoundSignal.FIRE: started[1] is not None and started[1] != started[0],
        SoundSignal.REFUSED: is_new_notice and now.notice is not None and now.notice.refused,
        SoundSignal.ASKED: is_question_new or is_proposal_new,
        SoundSignal.ALARM: was_well and not is_well,
        SoundSignal.OVER: now.ended and not before.ended,
    }
    return tuple(signal for signal, has_happened in happened.items() if has_happened)


class Sound:
    """Gives signals while it is `on`. `bell` rings the terminal's bell; `cue` switches an output of
    the board on for some milliseconds and returns whether a connected board can do that."""

    def __init__(
        self, bell: Callable[[], None], cue: Callable[[int, int], bool], *, on: bool = False
    ) -> None:
        self._bell = bell
        self._cue = cue
        self.on = on

    def give(self, signal: SoundSignal) -> None:
        """Sound the board's buzzer, or the bell without one; *fire!* also lights the lamp, so that
        the board stamps it."""
        if not self.on:
            return
        if signal is SoundSignal.FIRE:
            self._cue(LAMP, LAMP_MS)
        if not self._cue(BUZZER, signal.value):
            self._bell()
