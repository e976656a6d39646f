"""Sky Rise on the page: the tower as a drawing, and a seat's own goals for that seat alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.games.sky_rise.page_tower import legend, tower
from companion.games.sky_rise.panels import tables
from companion.games.sky_rise.rules.view import OwnView, SkyRiseView
from companion.reports.markup import Markup
from companion.rules.tables import Table
from companion.serve.game_page import GamePage, paragraph, section, titled
from companion.session.views import TableView


class SkyRisePage(GamePage):
    """The tower and its tables; a seat's own goals."""

    def game(self, view: TableView) -> Iterable[Markup]:
        """Return the tower, what its letters mean, and the tables."""
        game: SkyRiseView = view.game
        yield titled("The tower", tower(game.levels), paragraph(legend(game.colors), "soft"))
        yield from (section(shown) for shown in tables(game) if isinstance(shown, Table))

    def own(self, secrets: SkyRiseView) -> Sequence[Markup]:
        """Return the seat's goals and what they would score now."""
        own: OwnView | None = secrets.own
        if own is None:
            return ()
        building = f", and {own.nest_building} on the level in building" if own.nest_building else ""
        where = f" at {', '.join(own.columns)}" if own.columns else ""
        return (
            titled("Your Nest", paragraph(f"{own.nest}: {own.nest_points} points now{building}")),
            titled("Your Tree", paragraph(f"{own.tree}: {own.column_points} points now{where}")),
        )
