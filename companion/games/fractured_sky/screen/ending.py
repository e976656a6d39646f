"""The end of a round on a page: powers with their parts, ranks, rewards, region by region from left to right."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from textual.content import Content

from companion.dashboard.screens.page import MARGIN, TextPage
from companion.dashboard.screens.page import keys_of as app_keys
from companion.games.fractured_sky.rules.model import RegionResult, Resolution
from companion.games.fractured_sky.rules.picture import keys_of
from companion.games.fractured_sky.rules.view import FracturedSkyView
from companion.games.fractured_sky.screen.marks import EXAMPLE
from companion.rules.columns import plural
from companion.session.views import TableView

INDENT = "      "


class ResolutionPage(TextPage):
    """The round's end as it is computed; before that, the last one."""

    TITLE_TEXT: ClassVar[str] = "End of the round"

    def text(self, view: TableView) -> Content:
        width = max(20, self.app.size.width - MARGIN)
        rows = resolution_rows(replace(view.game, keys=app_keys(self.app)))
        return Content("\n").join(line for row in rows for line in _wrapped(row, width))


def _wrapped(row: Content, width: int) -> list[Content]:
    """The lines of a row, those after the first further in."""
    first, *rest = row.wrap(width)
    more = Content("").join(rest).wrap(width - len(INDENT)) if rest else []
    return [first, *(Content.assemble(INDENT, line) for line in more)]


def resolution_rows(game: FracturedSkyView) -> list[Content]:
    """Return the round's end, or that of the round before, or when there will be one."""
    rows = [Content.assemble((EXAMPLE, "bold"))] if game.example else []
    if game.resolution is not None:
        return [*rows, *_resolved(game, f"Round {game.round} of {game.rounds}", game.resolution)]
    if game.past:
        last = game.past[-1]
        return [*rows, *_resolved(game, f"Round {last.number} of {game.rounds}, which is over", last.result)]
    first = "The first ends once all are done and the powers are entered."
    return [*rows, Content("No round is over yet."), Content(first)]


def _resolved(game: FracturedSkyView, title: str, result: Resolution) -> list[Content]:
    rows = [Content.assemble((title, "bold"))]
    if game.resolution is not None and game.objective is not None:
        won = ", ".join(game.player(player).name for player in game.objective)
        rows.append(Content(f"Objective: {won or 'nobody'}"))
    rows += [Content(f"  {step.text}") for step in result.steps]
    for region in result.regions:
        rows += [Content(""), *_region(game, region)]
    gains = ", ".join(f"{game.player(player).name} +{gain}" for player, gain in result.gains.items() if gain)
    rows += [Content(""), Content.assemble(("Starfalls gained: ", "bold"), gains or "none")]
    if game.winner is not None:
        first = game.player(game.winner)
        won = f"{first.name} wins with {plural(first.starfalls, 'Starfall')}"
        rows.append(Content.assemble((won, "bold $success")))
    return rows


def _region(game: FracturedSkyView, region: RegionResult) -> list[Content]:
    board = game.table.board
    key = keys_of(game).get(region.region, "")
    many = plural(region.starfalls, "Starfall") if region.starfalls else "no Starfalls"
    head = Content.assemble((f"{key} {board.name(region.region)}", "bold"), f": {many}")
    ranked = [(game.player(one.player), one.power) for one in region.standings if one.tier != "out"]
    ranks = "   ".join(f"{at}. {one.glyph} {one.name} {power}" for at, (one, power) in enumerate(ranked, start=1))
    rows = [head, Content.assemble("  ", (ranks, "bold"))] if ranks else [head]
    return [*rows, *(Content(f"  {step.text}") for step in region.steps)]
