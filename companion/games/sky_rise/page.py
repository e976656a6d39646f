"""Sky Rise on the page: a seat's own goals for that seat alone."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.sky_rise.rules.view import OwnView, SkyRiseView
from companion.reports.markup import Markup, paragraph
from companion.rules.columns import plural
from companion.serve.game_page import GamePage, titled


class SkyRisePage(GamePage):
    """The tables of the game, and a seat's own goals."""

    def own(self, secrets: SkyRiseView) -> Sequence[Markup]:
        """Return the seat's goals and what they would score now."""
        own: OwnView | None = secrets.own
        if own is None:
            return ()
        building = f", and {own.nest_building} on the level in building" if own.nest_building else ""
        where = f" at {', '.join(own.columns)}" if own.columns else ""
        return (
            titled("Your Nest", paragraph(f"{own.nest}: {plural(own.nest_points, 'point')} now{building}")),
            titled("Your Tree", paragraph(f"{own.tree}: {plural(own.column_points, 'point')} now{where}")),
        )
