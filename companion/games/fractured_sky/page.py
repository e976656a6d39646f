"""Fractured Sky on the page: the regions in words, the end of a round; what a seat can
deduce for that seat alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from companion.games.fractured_sky.rules.explained import Resolution
from companion.games.fractured_sky.rules.view import FracturedSkyView
from companion.reports.markup import Markup, element, text
from companion.serve.game_page import GamePage, items, paragraph, titled
from companion.session.views import TableView


class FracturedSkyPage(GamePage):
    """Regions, platforms, turn slots."""

    def game(self, view: TableView) -> Iterable[Markup]:
        """Return the tables, and the end of the round step by step."""
        yield from super().game(view)
        if view.game.resolution is not None:
            yield _steps(view.game, view.game.resolution)

    def own(self, secrets: FracturedSkyView) -> Sequence[Markup]:
        """Return what the seat saw of the Hidden cards, and what follows from it."""
        saw = [
            f"{'Hidden card' if sight.where == 'hidden' else 'Explore card'} {sight.number}: "
            f"{secrets.table.board.name(sight.region)}"
            for sight in secrets.sights
        ]
        found = secrets.deduction
        parts = [titled("What you saw", items(saw))] if saw else []
        if found is None:
            return parts
        if not found.layouts:
            return (*parts, paragraph("No layout fits what was noted: something of it is wrong.", "alarm"))
        chances = (f"{secrets.table.board.name(one.region)}: {_share(one.hidden)}" for one in found.regions)
        reasons = items(f"{reason.text} ({reason.clause})" for reason in found.reasons)
        return (*parts, titled("A Hidden Starfall this round", items(chances)), titled("Why", reasons))


def _share(chance: Fraction) -> str:
    return f"{chance} ({float(chance):.0%})" if chance.denominator > 1 else "sure" if chance else "no"


def _steps(game: FracturedSkyView, resolution: Resolution) -> Markup:
    steps = items(
        f"{game.table.board.name(region.region)}: {step.text} ({step.clause})"
        for region in resolution.regions
        for step in region.steps
    )
    summary = element("summary", text("The round's end, step by step"))
    return element("details", summary, steps, id="steps")
