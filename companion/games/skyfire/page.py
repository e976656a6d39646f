"""SkyFire on the page: the target, the launch zones, and a seat's own notes for that seat alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.games.skyfire.rules.known import Odds
from companion.games.skyfire.rules.text import cards, points
from companion.games.skyfire.rules.view import OwnView, SkyFireView, ZoneView
from companion.reports.markup import Markup, element, join, text
from companion.serve.game_page import GamePage, items, paragraph, seat_mark, titled
from companion.session.views import TableView


class SkyFirePage(GamePage):
    """Zones and the target."""

    def game(self, view: TableView) -> Iterable[Markup]:
        """Return target, zones and what a misfire scores."""
        game: SkyFireView = view.game
        example = "An example deck, made up." if game.example else ""
        if game.phase != "ready":
            yield titled("Target", paragraph(game.target.text, "figure"), paragraph(example, "soft"))
        yield paragraph(game.result, "awaiting")
        yield element("div", *(_zone(game, zone) for zone in game.zones), class_="zones")
        if game.phase in ("open", "question"):
            yield titled("Misfire", paragraph(_misfire(game)))
        yield titled("Rounds played", items(f"{one.name}: {one.result}" for one in game.history))

    def own(self, secrets: SkyFireView) -> Sequence[Markup]:
        """Return the seat's hand, what it placed, the odds of each zone, and those of a misfire."""
        own: OwnView | None = secrets.own
        if own is None:
            return ()
        hand = "You have not noted your hand." if own.hand is None else ", ".join(own.hand) or "no cards"
        placed = (f"zone {', '.join(map(str, zones))}: {', '.join(faces)}" for zones, faces in own.placed)
        return (
            titled("Your hand, as you noted it", paragraph(hand)),
            titled("What you placed", items(placed)),
            titled("How likely each zone satisfies the target", items(map(_odds, own.odds))),
            *([titled("How likely no zone does: a misfire", paragraph(_share(own.none)))] if own.none else []),
        )


def _zone(game: SkyFireView, zone: ZoneView) -> Markup:
    marks = {seat.id: seat_mark(seat) for seat in game.seats}
    laid = [marks[card.seat] for card in zone.cards if card.seat in marks]
    placed = element("p", *(join((mark, text(" "))) for mark in laid)) if laid else paragraph("empty", "soft")
    word = f" (by the table's word: {zone.word})" if zone.word else ""
    faces = paragraph(f"turned up: {', '.join(zone.faces)}{word}" if zone.faces else "")
    title = element("h3", text(f"Zone {zone.number}"))
    return element(
        "section", title, placed, faces, paragraph(_verdict(game, zone), "words"),
        paragraph(f"{cards(len(zone.cards))}, a launch scores {zone.points}", "soft"), class_="zone",
    )  # fmt: skip


def _verdict(game: SkyFireView, zone: ZoneView) -> str:
    """What is known of the zone: asked about, closed, satisfying, failed."""
    if game.phase == "question" and game.asked in (zone.number, None) and zone.cards:
        return "turned up: does it satisfy the target?"
    if zone.closed:
        return "closed"
    if zone.satisfies and zone.cards:
        return "satisfies the target"
    failed = ", ".join(seat.name for seat in game.seats if seat.id in zone.failed)
    if failed:
        return f"failed: {failed}"
    return "does not satisfy the target" if zone.satisfies is False and zone.cards else ""


def _misfire(game: SkyFireView) -> str:
    right = f"A right one scores {points(game.misfire_points)}"
    others = ", ".join(seat.name for seat in game.seats if seat.id in game.misfire_others)
    if not others:
        return f"{right}; a wrong one scores nobody."
    return f"{right}; a wrong one {points(game.wrong_misfire_points)} for: {others}."


def _odds(odds: Odds) -> str:
    return f"zone {odds.zone}: {_share(odds)}"


def _share(odds: Odds) -> str:
    if odds.probability is None:
        return f"nobody can know: {odds.reason}"
    return f"{float(odds.probability):.1%}{f' ({odds.reason})' if odds.reason else ''}"
