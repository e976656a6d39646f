"""What reports show of SkyFire."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.games.skyfire.rules.model import State
from companion.games.skyfire.rules.result import EXAMPLE
from companion.games.skyfire.rules.standings import ended, result, winners
from companion.games.skyfire.rules.view import SkyFireView, ZoneView
from companion.reports.games import Figures, GameReport, Scores, Sheet
from companion.reports.record import Record
from companion.rules.columns import row
from companion.rules.game import TABLE, SeatId


class SkyFireReport(GameReport):
    """Rounds, launches and misfires of SkyFire."""

    def winners(self, state: State) -> tuple[SeatId, ...]:
        """Return who won (SF-18); a victory may be shared."""
        return winners(state)

    def scores(self, state: State) -> Scores:
        """Return the points after each round that is over, then with those that the table set by hand (SF-T4)."""
        return Scores.of("points", state.setup.seats, result(state).after)

    def figures(self, record: Record) -> Mapping[SeatId, Figures]:
        """Return the rounds each seat won, a wrong misfire of somebody else among them, and the games."""
        state: State = record.state
        results = [played.result for played in ended(state) if played.result is not None]
        return {
            seat.id: Figures(
                rounds_won=sum(seat.id in result.winners for result in results),
                games_won=int(seat.id in winners(state)),
            )
            for seat in state.setup.seats
        }

    def is_ruling(self, kind: str) -> bool:
        """Return whether it is more than a card placed, or noted."""
        return kind not in ("place", "backs", "hand_noted", "place_noted")

    def sheet(self, record: Record) -> Sheet:
        """Return the round, the seats, the zones and what is awaited; nothing that a seat noted for itself."""
        view: SkyFireView = record.game.view(record.state, TABLE)
        return Sheet((*_seats(view), "", *_zones(view), "", f"awaited: {view.awaiting}"))


_SEATS = (16, 8, 12, 6)
_ZONES = (6, 7, 9, 40)


def _seats(view: SkyFireView) -> Iterator[str]:
    if view.example:
        yield EXAMPLE
    begins = next((seat.name for seat in view.seats if seat.begins), "?")
    yield f"{view.round_name}, target: {view.target.text}; {begins} begins"
    if not view.clockwise:
        yield "turns go counter-clockwise"
    if view.result:
        yield view.result
    yield ""
    yield row(("seat", "points", "status", "hand"), _SEATS)
    for seat in view.seats:
        yield row((seat.name, str(seat.score), seat.status, str(seat.hand)), _SEATS)


def _zones(view: SkyFireView) -> Iterator[str]:
    initials = {seat.id: seat.initial for seat in view.seats}
    yield row(("zone", "cards", "a launch", "placed by"), _ZONES)
    for zone in view.zones:
        placed = " ".join(initials[card.seat] for card in zone.cards) or "-"
        yield row((str(zone.number), str(len(zone.cards)), str(zone.points), placed), _ZONES)
        yield from _turned(zone)
    yield f"a right misfire scores {view.misfire_points}, a wrong one {view.wrong_misfire_points} for each opponent"


def _turned(zone: ZoneView) -> Iterator[str]:
    if zone.turned:
        word = f" (by the table's word: {zone.word})" if zone.word else ""
        shown = f", {', '.join(zone.faces)}{word}" if zone.faces else ""
        yield f"       turned up: {zone.turned}{shown}{', closed' if zone.closed else ''}"
