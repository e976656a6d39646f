"""What a game shows to the whole table, declared once; the dashboard, the pages for phones and the big page draw it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from companion.rules.actions import with_keys
from companion.rules.game import Moment, SeatId, Setup
from companion.rules.note_forms import NoteForm
from companion.rules.pauses import Pauses
from companion.rules.phone_proposals import PhoneProposals
from companion.rules.registry import part_of
from companion.rules.tables import Shown, Table


@dataclass(frozen=True, slots=True)
class SeatLine:
    """A player and the score. `turn`: it is their turn; `idle`: they take no part now; `out`: they were eliminated
    from the round; `note`: what they are, in a word or two, such as `out`; `words`: what else is told of them where
    there is room."""

    id: str
    name: str
    color: str
    glyph: str
    initial: str
    score: str
    turn: bool = False
    idle: bool = False
    out: bool = False
    note: str = ""
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Panels:
    """What a game shows. Each function takes the game's own view for the table, and nothing else.

    `unit` is what the scores count, `where` where the game stands in a few words, `seats` the players in their order,
    those among them who have no seat; None: the seats with their standings. `tables` is how the game stands and what
    was counted, pictures among it, the most wanted first. `notes` is what a seat can note for itself alone: its curtain
    and its phone ask for nothing else. `proposals` is what a seat can propose to the table from its phone, None where
    the game has no such thing. `clock` is the moment from which the clock of the round counts, and the pauses since;
    None while no clock runs.
    """

    unit: str = "points"
    where: Callable[[Any], str] = lambda _game: ""
    seats: Callable[[Any], tuple[SeatLine, ...]] | None = None
    tables: Callable[[Any], tuple[Shown, ...]] = lambda _game: ()
    notes: NoteForm = lambda _game, _seat: ()
    proposals: PhoneProposals | None = None
    clock: Callable[[Any], tuple[Moment, Pauses] | None] = lambda _game: None

    def lines(
        self, game: Any, setup: Setup, standings: Mapping[SeatId, int], left: frozenset[SeatId]
    ) -> tuple[SeatLine, ...]:
        """Return the players; `game` is the view for the table, `left` the seats that have left."""
        if self.seats is not None:
            return self.seats(game)
        return tuple(
            SeatLine(
                seat.id, seat.name, seat.color, seat.glyph, seat.initial, str(standings.get(seat.id, "-")),
                idle=seat.id in left, note="left the game" if seat.id in left else "",
            )
            for seat in setup.seats
        )  # fmt: skip

    def tables_or(self, game: Any, summary: Callable[[], tuple[str, ...]]) -> tuple[Shown, ...]:
        """Return the tables; of a game that declares none, its summary as one."""
        return self.tables(game) or (Table("", (), tuple((with_keys(line),) for line in summary())),)


def panels_of(game_id: str) -> Panels:
    """Return the panels of the game with that id; of a game that declares none, those of any game."""
    panels: Panels = part_of(game_id, "panels") or Panels()
    return panels
