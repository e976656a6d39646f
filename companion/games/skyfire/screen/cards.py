"""A seat and a zone as cards, where the screen has room for them."""

from __future__ import annotations

from textual.content import Content

from companion.dashboard.tables import drawn_line
from companion.games.skyfire.panels import IDLE, stack
from companion.games.skyfire.rules.text import cards, points
from companion.games.skyfire.rules.view import SeatView, SkyFireView, ZoneView
from companion.games.skyfire.screen.keys import SkyFireKeys
from companion.games.skyfire.screen.words import STATUS, earned, held, named, scores, verdict
from companion.rules.columns import plural
from companion.rules.stacks import stack_lines


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
    """Return the lines of a zone's card: its stack, each card by who placed it and when, the newest on top."""
    said, place, launch = verdict(game, zone), keys.of("place", zone.number), keys.of("launch", zone.number)
    head = Content.assemble((f"Zone {zone.number}", "bold"), f"  {cards(len(zone.cards))}")
    head = head.truncate(max(4, width - said.cell_length - 1), ellipsis=True, pad=True)
    shows = ("by the table's word ", "$warning") if zone.word else ("shows ", "$quiet")
    faces = [Content.assemble(shows, ", ".join(zone.faces))] if zone.faces else []
    footer = Content.assemble((place, "bold $primary"), " place  ", (launch, "bold $primary"), " launch")
    room = height - 3 - len(faces)
    lines = [*map(drawn_line, stack_lines(stack(game, zone), width, room))]
    lines += [Content("")] * (room - len(lines))
    rows = [Content.assemble(head, " ", said), Content(f"a right launch {scores(zone)}"), *lines, *faces, footer]
    return Content("\n").join(row.truncate(width, ellipsis=True) for row in rows)
