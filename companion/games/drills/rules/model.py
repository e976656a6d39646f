"""State of a session of drills: strings in order, each with its signal and shots. All immutable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from companion.rules.common import GameState
from companion.rules.facts import Moment, SeatId
from companion.rules.house_rules import Options
from companion.rules.incremental import Incremental

End = Literal["", "done", "false_start", "stopped", "unsure"]
"""How a string ended: not yet, complete, too early, stopped, or unsure whether a shot came before the signal."""
By = Literal["", "lamp", "screen"]
LEAST_AT_PLATES = 2


@dataclass(frozen=True, slots=True)
class String:
    """What one player shoots, or all at the plates, from standing ready to the end.

    `seat` stood ready. `delay` is when the delay was drawn. `by` is what gave the signal, empty before it.
    `shots` are the moments of the shots and `plates` those of the presses, None if nobody stamped one. `early` is
    the seat that started too early.
    """

    seat: SeatId
    entry: int
    ready: Moment | None
    delay: Moment | None = None
    delay_ms: int | None = None
    signal: Moment | None = None
    by: By = ""
    shots: tuple[Moment | None, ...] = ()
    plates: tuple[tuple[SeatId, Moment | None], ...] = ()
    players: tuple[SeatId, ...] = ()
    end: End = ""
    early: SeatId | None = None

    @property
    def up(self) -> tuple[SeatId, ...]:
        """The seats that still have something to do; at the plates each has one press."""
        done = {seat for seat, _ in self.plates}
        return tuple(seat for seat in self.players if seat not in done)


def _with(_about: object, counted: Mapping[SeatId, int], string: String) -> Mapping[SeatId, int]:
    """Return the number of strings that count for each player, with `string` added."""
    if string.end not in ("done", "false_start"):
        return counted
    return {**counted, **{seat: counted.get(seat, 0) + 1 for seat in set(string.players)}}


_counted: Incremental[None, String, Mapping[SeatId, int]] = Incremental({}, _with)


@dataclass(frozen=True, slots=True)
class State(GameState):
    """The strings so far, the open one last; `dry` is the last dry pull since then if a second one may follow."""

    options: Options
    strings: tuple[String, ...] = ()
    dry: Moment | None = None

    @property
    def drill(self) -> str:
        """The drill chosen (DR-1)."""
        return self.options["drill"]

    @property
    def current(self) -> String | None:
        """The open string, or None."""
        return self.strings[-1] if self.strings and not self.strings[-1].end else None

    @property
    def wanted(self) -> int:
        """The number of shots in a string (DR-1)."""
        return self.options.numbers["shots"] if self.drill in ("splits", "string") else 1

    def counted(self, seat: SeatId) -> int:
        """Return the number of strings that count for that player so far (DR-2)."""
        return _counted(None, self.strings).get(seat, 0)

    @property
    def still_to_come(self) -> tuple[SeatId, ...]:
        """The players with strings left, those with fewest first, then in seat order (DR-2)."""
        most = self.options.numbers["strings"]
        counted = _counted(None, self.strings)
        waiting = [seat for seat in self.playing if not most or counted.get(seat, 0) < most]
        return tuple(sorted(waiting, key=lambda seat: counted.get(seat, 0)))

    @property
    def too_few(self) -> bool:
        """True if too few players are left for another string at the plates (DR-6)."""
        return (
            self.drill == "plates"
            and len(self.playing) < LEAST_AT_PLATES
            and self.setup.rules_version > 1
        )

    @property
    def over(self) -> bool:
        """True if everybody still there has shot all strings."""
        return self.current is None and not self.still_to_come

    @property
    def over_because(self) -> str:
        """Why the session is over, once it is."""
        return "everybody has had all strings" if self.playing else "everybody has left"
