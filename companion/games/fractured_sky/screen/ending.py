"""The end of a round on a page: what it brought, then powers with their parts, ranks and rewards region by region."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import ClassVar

from textual.content import Content

from companion.dashboard.screens.page import MARGIN, TextPage
from companion.dashboard.screens.page import keys_of as app_keys
from companion.dashboard.tables import table_rows
from companion.games.fractured_sky.rules.model import RegionResult, Resolution
from companion.games.fractured_sky.rules.picture import keys_of
from companion.games.fractured_sky.rules.view import FracturedSkyView
from companion.games.fractured_sky.screen.forms import titled
from companion.rules.columns import plural
from companion.rules.tables import PanelTable
from companion.session.views import TableView


class ResolutionPage(TextPage):
    """The round's end as it is computed; before that, the last one."""

    TITLE: ClassVar[str] = "End of the round"

    def text(self, view: TableView) -> Content:
        tables = resolution_tables(replace(view.game, keys=app_keys(self.app)))
        return Content("\n").join(table_rows(tables, max(20, self.app.size.width - MARGIN)))


def resolution_tables(game: FracturedSkyView) -> list[PanelTable]:
    """Return the round's end, or that of the round before, or when there will be one."""
    if game.resolution is not None:
        return _resolved(game, f"Round {game.round} of {game.rounds}", game.resolution)
    if game.past:
        last = game.past[-1]
        return _resolved(game, f"Round {last.number} of {game.rounds}, which is over", last.result)
    first = "The first ends once all are done and the powers are entered."
    return [_lines(titled(game, "No round is over yet"), [first])]


def _resolved(game: FracturedSkyView, title: str, result: Resolution) -> list[PanelTable]:
    gains = ", ".join(f"{game.player(player).name} +{gain}" for player, gain in result.gains.items() if gain)
    said = [f"Starfalls gained: {gains or 'none'}"]
    if game.winner is not None:
        first = game.player(game.winner)
        said.append(f"{first.name} wins with {plural(first.starfalls, 'Starfall')}")
    if game.resolution is not None and game.objective is not None:
        said.append(f"Objective: {', '.join(game.player(player).name for player in game.objective) or 'nobody'}")
    said += [step.text for step in result.steps]
    return [_lines(titled(game, title), said), *(_region(game, region) for region in result.regions)]


def _region(game: FracturedSkyView, region: RegionResult) -> PanelTable:
    ranked = [(game.player(one.player), one.power) for one in region.standings if one.tier != "out"]
    ranks = "   ".join(f"{at}. {one.glyph} {one.name} {power}" for at, (one, power) in enumerate(ranked, start=1))
    many = plural(region.starfalls, "Starfall") if region.starfalls else "no Starfalls"
    head = f"{keys_of(game).get(region.region, '')} {game.table.board.name(region.region)}"
    return _lines(head, [many, *([ranks] if ranks else []), *(step.text for step in region.steps)])


def _lines(title: str, lines: Iterable[str]) -> PanelTable:
    return PanelTable(title, (), tuple((line,) for line in lines))
