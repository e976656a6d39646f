"""What a game has happen by itself when its clock has run for so long: a signal, the end of a turn, a countdown."""

from __future__ import annotations

from dataclasses import dataclass

from companion.rules.game import Moment


@dataclass(frozen=True, slots=True)
class Due:
    """What comes by itself: `act` is the id of what is then done, as `Game.act` takes it; it needs no key.

    It comes once the game's clock has run `us` microseconds since `since`, pauses left out; where no clock can tell
    (`since` is None) since the table first saw that it is due. What began in another run of the companion goes on from
    the last moment that is known of it. What it comes to is
    stamped at that instant. With `lamp` the board's lamp is lit then, and the fact has the stamp of its light; where
    there is no lamp the table's screen is the signal: `unlit` is done, or `act` where that is empty, at the time it is.
    Where it only goes on with what somebody began, `of` is the entry of that: an undo takes both back at once.
    """

    act: str
    us: int
    since: Moment | None = None
    lamp: bool = False
    unlit: str = ""
    of: int | None = None
