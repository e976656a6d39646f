"""Fractured Sky on the page: what a seat can deduce, for that seat alone."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from companion.games.fractured_sky.rules.deduction import percent
from companion.games.fractured_sky.rules.view import FracturedSkyView
from companion.reports.markup import Markup, paragraph
from companion.serve.game_page import GamePage, items, titled


class FracturedSkyPage(GamePage):
    """The tables of the game, and what a seat saw."""

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
        reasons = items(reason.text for reason in found.reasons)
        return (*parts, titled("A Hidden Starfall this round", items(chances)), titled("Why", reasons))


def _share(chance: Fraction) -> str:
    return f"{chance} ({percent(chance)})" if chance.denominator > 1 else "sure" if chance else "no"
