"""Panic Fire's screen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from textual.content import Content

from companion.dashboard.game_screen import GameScreen, ScreenPart
from companion.display.tables import Shown
from companion.games.panic_fire.panels import tables
from companion.games.panic_fire.rules.keys import PREFIX
from companion.games.panic_fire.rules.view import PanicFireView
from companion.games.panic_fire.screen.ended import shot_rows
from companion.games.panic_fire.screen.gun import GunPart
from companion.games.panic_fire.screen.seats import SeatsPart
from companion.rules.actions import Action
from companion.rules.facts import Moment
from companion.session.views import TableView


class PanicFireScreen(GameScreen):
    """Seats above, the gun and the piles beside the log."""

    counts_from: ClassVar[frozenset[str]] = frozenset({"fire"})
    steps: ClassVar[Mapping[str, frozenset[str]]] = {
        "target": frozenset({"shot"}),
        "shooter": frozenset({"target"}),
    }
    built_title: ClassVar[str] = "Shots"
    spare_in_footer: ClassVar[frozenset[str]] = frozenset({f"{PREFIX}stalemate"})
    signs: ClassVar[tuple[tuple[str, str], ...]] = (
        (".", "Among who eliminated whom: nobody yet. In the line of the last round: time."),
        ("dry pull", "The trigger was pulled, but nothing was hit: no shot."),
        ("knock", "Something hit the sensor without a pull: no shot."),
        ("| X #", "In the line of the last round: a draw, a shot, several at once."),
    )

    def latest(self, game: PanicFireView) -> Moment | None:
        """Return the moment of the last draw, shot, or pause of the round on the clock of *fire!*, or None."""
        if game.fire is None:
            return None
        moments = [seat.last_draw for seat in game.seats]
        if game.last_shot is not None:
            moments.append(game.last_shot.at)
        for pause in game.pauses:
            moments += pause
        known = [at for at in moments if at is not None and at.clock == game.fire.clock]
        return max(known, key=lambda at: at.us, default=None)

    def top(self, actions: tuple[Action, ...]) -> ScreenPart:
        return SeatsPart(actions)

    def side(self) -> ScreenPart:
        return GunPart()

    def tables(self, view: TableView) -> tuple[Shown, ...]:
        """Return the game's tables, with what the board's lamp adds."""
        return tables(view.game, view.lit)

    def built(self, view: TableView, columns: int, _rows: int) -> Content | None:
        rows = shot_rows(view.game, columns)
        return Content("\n").join(rows) if rows else None

    def shows_key(self, action: Action) -> bool:
        """Return True for the keys of a seat, such as `panic-fire.draw.2`, which are shown in its column."""
        return action.id.startswith(PREFIX) and action.id.rsplit(".", 1)[-1].isdigit()
