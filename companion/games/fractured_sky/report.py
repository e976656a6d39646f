"""What reports show of Fractured Sky."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.games.fractured_sky.rules.model import ROUNDS, State
from companion.games.fractured_sky.rules.public import is_ai
from companion.games.fractured_sky.rules.standings import result, winner
from companion.games.fractured_sky.rules.view import FracturedSkyView, PlayerView
from companion.reports.games import Figures, GameReport, Scores, Sheet
from companion.reports.record import Record
from companion.rules.actions import with_keys
from companion.rules.columns import row
from companion.rules.game import TABLE, SeatId

_STEPS = frozenset({"shuffle", "ai_turn", "saw", "deal"})


class FracturedSkyReport(GameReport):
    """Starfalls by round; an AI that wins leaves no seat the winner."""

    def winners(self, state: State) -> tuple[SeatId, ...]:
        """Return the seat that won (FS-30); nobody where an AI did."""
        first = winner(state)
        return () if first is None or is_ai(first) else (first,)

    def scores(self, state: State) -> Scores:
        """Return each seat's Starfalls after each round, then with those that the table set by hand."""
        return Scores.of("Starfalls", state.setup.seats, result(state).after)

    def figures(self, record: Record) -> Mapping[SeatId, Figures]:
        """Return the rounds in which each seat gained most Starfalls, alone or with others, and the games."""
        state: State = record.state
        best = [max(played.gains.values(), default=0) for played in state.past]
        return {
            seat.id: Figures(
                rounds_won=sum(
                    bool(most) and played.gains.get(seat.id, 0) == most
                    for played, most in zip(state.past, best, strict=True)
                ),
                games_won=int(seat.id in self.winners(state)),
            )
            for seat in state.setup.seats
        }

    def is_ruling(self, kind: str) -> bool:
        """Return whether it is more than a shuffle, a card turned up or a note; what an AI did is a fact of its own."""
        return kind not in _STEPS

    def sheet(self, record: Record) -> Sheet:
        """Return the players, the regions, the platforms and what is awaited; nothing that a seat saw for itself."""
        view: FracturedSkyView = record.game.view(record.state, TABLE)
        lines = (*_head(view), "", *_players(view), "", *_regions(view), "", *_buildings(view), *_hidden(view))
        return Sheet((*lines, f"awaited: {with_keys(view.awaiting)}"))


_PLAYERS = (14, 9, 8, 9, 8, 8, 6, 9)
_REGIONS = (22, 10, 45)


def _head(view: FracturedSkyView) -> Iterator[str]:
    if view.example:
        yield "example map: regions, platforms and decks are invented"
    names = {player.id: player.name for player in view.players}
    yield f"round {view.round} of {ROUNDS}; turn order: {', '.join(names[player] for player in view.order)}"
    if view.winner is not None:
        yield f"winner: {names[view.winner]}"
    for slot in view.slots:
        if slot.player is not None:
            yield f"next round's slot {slot.number}: {names[slot.player]}"


def _players(view: FracturedSkyView) -> Iterator[str]:
    yield row(("player", "Starfalls", "Airships", "Fortr.", "Markets", "Skimm.", "drew", "Market c."), _PLAYERS)
    for player in view.players:
        card = "" if player.market_card is None else f"{player.market_card} of {player.market_number or '?'}"
        left = (player.airships, player.fortresses, player.markets, player.skimmers, player.draws)
        yield row((_name(player), str(player.starfalls), *map(str, left), card), _PLAYERS)
    yield "Airships to Skimmers: those left to place; drew: Explore cards of the round"


def _name(player: PlayerView) -> str:
    return f"{player.name} (left)" if player.left else player.name


def _regions(view: FracturedSkyView) -> Iterator[str]:
    table, initials = view.table, {player.id: player.initial for player in view.players}
    yield row(("region", "Starfalls", "Airships (* explores) and Skimmers (s)"), _REGIONS)
    for region in table.board.left_to_right:
        ships = [f"{initials[one.player]}{'*' if one.explore else ''}" for one in table.ships if one.region == region]
        flown = [f"{initials[one.player]}s" for one in table.flights if one.region == region]
        stars = str(table.starfalls.get(region, 0) or "-")
        yield row((table.board.name(region), stars, " ".join((*ships, *flown)) or "-"), _REGIONS)


def _buildings(view: FracturedSkyView) -> Iterator[str]:
    names = {player.id: player.name for player in view.players}
    for platform in view.table.board.platforms:
        built = [f"{one.building.capitalize()} of {names[one.player]}" for one in view.table.built_on(platform.id)]
        if built:
            yield f"platform {platform.id}: {', '.join(built)}"


def _hidden(view: FracturedSkyView) -> Iterator[str]:
    names = {player.id: player.name for player in view.players}
    for card, region in enumerate(view.table.hidden, start=1):
        marks = [
            f"{names[mark.player]} ({mark.resource or ('a resource' if mark.taken else 'nothing')})"
            for mark in view.table.marks
            if mark.card == card
        ]
        shown = "face down" if region is None else view.table.board.name(region)
        scouted = f"; scouted by {', '.join(marks)}" if marks else ""
        yield f"Hidden card {card}: {shown}{scouted}"
    if view.table.hidden:
        yield f"unused Hidden cards: {view.unused}"
