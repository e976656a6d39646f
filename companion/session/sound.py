"""What is worth a sound: which signal a change of the table gives, and how bell, buzzer and lamp give it. Pure but for
the two functions it is handed."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from companion.rules.facts import Moment
from companion.session.accessories import LAMP, LAMP_MS
from companion.session.views import TableView

BUZZER = 1  # an output of the board, by its number in CUE


class SoundSignal(Enum):
    """What somebody who looks elsewhere should hear, and for how many milliseconds the buzzer sounds for it."""

    FIRE = 400  # the game's clock has begun to run
    REFUSED = 60
    ASKED = 120  # something waits for a yes or a no
    ALARM = 800  # the link, a wire or the record is not well
    OVER = 1000


def signals(
    before: TableView, now: TableView, started: tuple[Moment | None, Moment | None]
) -> tuple[SoundSignal, ...]:
    """Return what happened between two views; `started` is from when the game's clock ran in each of them."""
    new = now.notice is not None and (
        before.notice is None or before.notice.number != now.notice.number
    )
    asked = (now.question is not None and before.question is None) or (
        now.proposal is not None and before.proposal is None
    )
    was_well_and_is = (before.link.well and before.saved.ok, now.link.well and now.saved.ok)
    happened_by_signal = {
        SoundSignal.FIRE: started[1] is not None and started[1] != started[0],
        SoundSignal.REFUSED: new and now.notice is not None and now.notice.refused,
        SoundSignal.ASKED: asked,
        SoundSignal.ALARM: was_well_and_is == (True, False),
        SoundSignal.OVER: now.ended and not before.ended,
    }
    return tuple(signal for signal, happened in happened_by_signal.items() if happened)


class Sound:
    """Gives signals while it is `on`. `bell` rings the terminal's bell; `cue` switches an output of the board on for so
    many milliseconds and returns whether there is a board that can."""

    def __init__(
        self, bell: Callable[[], None], cue: Callable[[int, int], bool], *, on: bool = False
    ) -> None:
        self._bell = bell
        self._cue = cue
        self.on = on

    def give(self, signal: SoundSignal) -> None:
        """Sound the board's buzzer, else the bell; *fire!* lights the lamp too, whose stamp the board answers."""
        if not self.on:
            return
        if signal is SoundSignal.FIRE:
            self._cue(LAMP, LAMP_MS)
        if not self._cue(BUZZER, signal.value):
            self._bell()
