"""Fractured Sky on the page: the regions in words, the end of a round; what a seat can
deduce for that seat alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from companion.games.fractured_sky.rules.board import Platform, Region
from companion.games.fractured_sky.rules.explained import Resolution
from companion.games.fractured_sky.rules.view import FracturedSkyView, SlotView
from companion.reports.markup import Markup, element, text
from companion.rules.columns import plural
from companion.serve.game_page import GamePage, items, paragraph, rows, titled
from companion.session.views import TableView

_EXAMPLE = "An example map, made up."


class FracturedSkyPage(GamePage):
    """Regions, platforms, turn slots."""

    def game(self, view: TableView) -> Iterable[Markup]:
        """Return the move that waits, the regions and platforms, and the end of the round."""
        game: FracturedSkyView = view.game
        yield paragraph(_EXAMPLE if game.example else "", "soft")
        if game.move is not None:
            by_hand = f"by hand: {game.move.by_hand}" if game.move.by_hand else ""
            yield titled("An AI moves", paragraph(game.move.sentence, "awaiting"), paragraph(by_hand, "soft"))
        if game.resolution is not None:
            yield _resolution(game, game.resolution)
        yield titled("Regions", rows((_region(game, region) for region in game.table.board.regions), "cells"))
        places = [_platform(game, platform) for platform in game.table.board.platforms]
        yield titled("Platforms", rows(places, "cells") if places else Markup(""))
        yield titled("Next row of turn slots", items(_slot(game, slot) for slot in game.slots))

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


def _called(game: FracturedSkyView, player: str) -> str:
    return next((f"{one.glyph}{one.initial} {one.name}" for one in game.players if one.id == player), player)


def _region(game: FracturedSkyView, region: Region) -> tuple[Markup, ...]:
    table = game.table
    public = " (the Public one among them)" if table.public == region.id else ""
    count = table.starfalls.get(region.id, 0)
    said = [f"{plural(count, 'Starfall')}{public}"] if count else []
    ships = [ship for ship in table.ships if ship.region == region.id]
    said += [f"Airship of {_called(game, ship.player)}{', explored' if ship.explore else ''}" for ship in ships]
    flown = [flight for flight in table.flights if flight.region == region.id]
    said += [f"Skimmer of {_called(game, flight.player)}" for flight in flown]
    return (element("b", text(region.name)), text(", ".join(region.resources) or "?"), text("; ".join(said) or "-"))


def _platform(game: FracturedSkyView, platform: Platform) -> tuple[Markup, ...]:
    regions = ", ".join(map(game.table.board.name, platform.regions))
    built = [f"{one.building} of {_called(game, one.player)}" for one in game.table.built_on(platform.id)]
    return (element("b", text(platform.id)), text(regions), text("; ".join(built) or "-"))


def _slot(game: FracturedSkyView, slot: SlotView) -> str:
    gold = "?" if slot.gold is None else slot.gold
    return f"{slot.number}: {_called(game, slot.player) if slot.player is not None else f'free, {gold} Gold'}"


def _resolution(game: FracturedSkyView, resolution: Resolution) -> Markup:
    gained = [
        (text(_called(game, player)), element("b", text(f"+{gain}"))) for player, gain in resolution.gains.items()
    ]
    steps = items(
        f"{game.table.board.name(region.region)}: {step.text} ({step.clause})"
        for region in resolution.regions
        for step in region.steps
    )
    how = element("details", element("summary", text("Step by step")), steps, id="steps")
    return titled("The round's end", rows(gained, "cells"), how)
