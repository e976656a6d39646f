"""A seat and a zone as cards, where the screen has room for them."""

from __future__ import annotations

from collections.abc import Mapping

from textual.content import Content

from companion.games.skyfire.panels import IDLE, since_deal
from companion.games.skyfire.rules.text import cards, points
from companion.games.skyfire.rules.view import CardView, SeatView, SkyFireView, ZoneView
from companion.games.skyfire.screen.keys import SkyFireKeys
from companion.games.skyfire.screen.words import STATUS, earned, held, named, scores, verdict
from companion.rules.columns import plural
from companion.rules.game import SeatId

_TIME = 10


def seat_card(seat: SeatView, keys: SkyFireKeys, place: int, width: int) -> Content:
    """Return the lines of a seat's card, `width` cells wide."""
    weight = "bold" if seat.status in ("on turn", "winner") else ""
    status = STATUS[seat.status]
    name = named(seat, bold=True).truncate(width - len(status) - 1, ellipsis=True, pad=True)
    won = f"won {plural(seat.won, 'round')}"
    lines = (
        Content.assemble(name, " ", (status, weight)),
        Content(", ".join(filter(None, (held(seat), "begins" if seat.begins else "")))),
        Content.assemble((points(seat.score), "bold"), f"  {earned(seat)}"),
        Content.assemble((won, "$quiet")),
        Content.assemble((keys.of("inout", place), "bold $primary"), " in/out"),
    )
    return Content("\n").join(line.stylize_before("$quiet") if seat.status in IDLE else line for line in lines)


def zone_card(game: SkyFireView, zone: ZoneView, keys: SkyFireKeys, width: int, height: int) -> Content:
    """Return the lines of a zone's card: each card by who placed it and when, the newest always there."""
    by_id = {seat.id: seat for seat in game.seats}
    said, place, launch = verdict(game, zone), keys.of("place", zone.number), keys.of("launch", zone.number)
    head = Content.assemble((f"Zone {zone.number}", "bold"), f"  {cards(len(zone.cards))}")
    head = head.truncate(max(4, width - said.cell_length - 1), ellipsis=True, pad=True)
    shows = ("by the table's word ", "$warning") if zone.word else ("shows ", "$quiet")
    faces = [Content.assemble(shows, ", ".join(zone.faces))] if zone.faces else []
    footer = Content.assemble((place, "bold $primary"), " place  ", (launch, "bold $primary"), " launch")
    lines = [_placed(game, by_id, number, card, width) for number, card in enumerate(zone.cards, start=1)]
    room = height - 3 - len(faces)
    if len(lines) > room:
        lines = [Content.assemble((f"{len(lines) - room + 1} more before", "$quiet")), *lines[-(room - 1) :]]
    lines += [Content("")] * (room - len(lines))
    rows = [Content.assemble(head, " ", said), Content(f"a right launch {scores(zone)}"), *lines, *faces, footer]
    return Content("\n").join(row.truncate(width, ellipsis=True) for row in rows)


def _placed(game: SkyFireView, by_id: Mapping[SeatId, SeatView], number: int, card: CardView, width: int) -> Content:
    back = f"  {card.back}" if card.back else ""
    name = named(by_id[card.seat]).truncate(max(6, width - 3 - _TIME - len(back)), ellipsis=True, pad=True)
    return Content.assemble(f"{number:>2} ", name, (f"{since_deal(game, card.at):>{_TIME}}", "$quiet"), back)
