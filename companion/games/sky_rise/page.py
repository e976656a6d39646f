"""Sky Rise on the page: the tower as a drawing, the colors' totals, and a seat's own goals for that seat alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.games.sky_rise.page_tower import legend, tower
from companion.games.sky_rise.rules.view import ColorView, ContenderView, OwnView, SkyRiseView
from companion.reports.markup import Markup, element, text
from companion.serve.game_page import GamePage, items, paragraph, rows, titled
from companion.session.views import TableView


class SkyRisePage(GamePage):
    """The tower, the colors and the Tower Showdown."""

    def game(self, view: TableView) -> Iterable[Markup]:
        """Return the tower, what its letters mean, the totals of the colors, and the Tower Showdown."""
        game: SkyRiseView = view.game
        yield titled("The tower", tower(game.levels), paragraph(legend(game.colors), "soft"))
        yield titled("Colors", rows((_color(color) for color in game.colors), "cells", _COLORS))
        if game.showdown is not None:
            names = {seat.id: seat.name for seat in game.seats}
            lines = [f"{names.get(one.seat, one.seat)}: {_time(one)}" for one in game.showdown.contenders]
            close = ", ".join(names.get(seat, seat) for seat in game.showdown.close)
            tie = paragraph(f"Too close to tell who was first: {close}." if close else "", "alarm")
            yield titled("Tower Showdown", items(lines), tie)

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


_COLORS = ("color", "total", "left of it: large, medium, small")


def _color(color: ColorView) -> tuple[Markup, ...]:
    name = element("b", text(f"{color.letter} {color.name} {color.sign}"))
    return (name, text(str(color.total)), text(", ".join(map(str, color.stock))))


def _time(contender: ContenderView) -> str:
    if not contender.done:
        return "still building"
    span = contender.span
    if span is None:
        return "done, at a time nobody can know"
    return f"{span.us / 1_000_000:.4f} s ± {span.pm / 1000:.3g} ms"
