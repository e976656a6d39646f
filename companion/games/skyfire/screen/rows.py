"""Seats and zones as rows with key columns on a small screen, as cards on a large one."""

from __future__ import annotations

from textual.content import Content

from companion.dashboard.registry import first_key
from companion.dashboard.widgets.seats import and_more, shown_and_more
from companion.dashboard.widgets.tables import drawn_line
from companion.display.stacks import stack_lines
from companion.games.skyfire.panels import IDLE, since_deal, stack
from companion.games.skyfire.rules.keys import CARDS_FORM, PREFIX
from companion.games.skyfire.rules.view import SeatView, SkyFireView, ZoneView
from companion.games.skyfire.screen import words
from companion.rules.actions import Action
from companion.rules.columns import plural, width as cells_of

MISFIRE = "misfire"
SHOWN = ("place", "launch", MISFIRE)
"""Actions of the zone columns, and of the row below them."""
LEAST = 78
"""Cells of the narrowest row; a narrower screen cuts it off on the right."""
LABEL = 9
_SEAT = (("state", 12), ("hand", 10), ("points", 11), ("earned", 5), ("begins", 8))
_LAUNCH = 8
_ZONE = {False: (10, 0, 8, 11, 9), True: (9, 7, 7, 10, 8)}
"""Cells of a zone's count, odds, time, score and place key, without odds and with them."""
MARKS = 10
"""Cells reserved for who placed a zone's newest cards, however long the verdict is."""
BUSY = 4
"""With more seats than this, a small screen has no row to spare."""


class SkyFireKeys:
    """The keys of the columns."""

    def __init__(self, actions: tuple[Action, ...]) -> None:
        self._keys = {action.id: first_key(action) for action in actions}

    def of(self, name: str, place: int | None = None) -> str:
        """Return the key of the action `name`, for the zone at `place` (from 1)."""
        return self._keys.get(PREFIX + (name if place is None else f"{name}.{place}"), "")

    @property
    def cards(self) -> str:
        """The key of the form for visible cards."""
        return self._keys.get(CARDS_FORM, "")

    def count(self, name: str) -> int:
        """Return how many zones have a key for the action `name`."""
        return sum(action.startswith(f"{PREFIX}{name}.") for action in self._keys)


def rows(game: SkyFireView, keys: SkyFireKeys, width: int, most: int) -> Content:
    """Return seats, target, zones and misfire in `width` cells and at most `most` rows."""
    shown, more = shown_and_more(
        ranked(game), max(1, most - len(game.zones) - len(("gap", "target", "misfire")))
    )
    seats = [seat_row(seat, width) for seat in shown]
    if more:
        seats.append(Content.assemble((and_more(more), "$quiet")))
    gap = [Content("")] if len(game.seats) <= BUSY else []
    aim = Content.assemble((f"{'Target':<{LABEL}}", "$quiet"), (words.target(game), "bold"))
    missing = words.missing_backs(game, keys.cards)
    if missing and aim.cell_length + len(missing) + 2 <= width:
        aim = Content.assemble(
            aim, " " * (width - aim.cell_length - len(missing)), (missing, "$quiet")
        )
    zones = [zone_row(game, zone, keys, width) for zone in game.zones]
    return Content("\n").join(
        [*seats, *gap, aim.truncate(width, ellipsis=True), *zones, misfire_row(game, keys, width)]
    )


def ranked(game: SkyFireView) -> list[SeatView]:
    """Return the seats in order, those who left after all others."""
    return sorted(game.seats, key=lambda seat: seat.status == "left")


def seat_row(seat: SeatView, width: int) -> Content:
    """Return one seat as a row."""
    room = width - sum(cells for _, cells in _SEAT)
    weight = "bold" if seat.status in ("on turn", "winner") else ""
    hand = _SEAT[1][1]
    tight = cells_of(seat.name) + 3 > room
    if tight:  # the hand's column has a cell to spare
        room, hand = room + 1, hand - 1
    whole = words.named(seat, bold=bool(weight), initial=not tight)
    name = whole.truncate(room - 1, ellipsis=True, pad=True)
    cells = (
        words.held(seat),
        plural(seat.score, "point"),
        words.earned(seat),
        "starts" if seat.begins else "",
    )
    sizes = (hand, *(cells for _, cells in _SEAT[2:]))
    texts = "".join(f"{text:<{size}}" for text, size in zip(cells, sizes, strict=True))
    status = f"{words.STATUS[seat.status]:<{_SEAT[0][1]}}"
    row = Content.assemble(name, " ", (status, weight), texts)
    if seat.status in IDLE:
        row = row.stylize_before("$quiet")
    return row


def zone_row(game: SkyFireView, zone: ZoneView, keys: SkyFireKeys, width: int) -> Content:
    """Return one zone as a row: who placed its cards, its odds, when the last card came, what a right launch scores."""
    likely = words.chance_of(game, zone.number)
    count, odds, when, scores, place = _ZONE[bool(likely)]
    room = width - LABEL - count - odds - when - scores - place - _LAUNCH
    verdict = words.verdict(game, zone)
    if verdict.cell_length > room - MARKS:
        verdict = words.verdict(game, zone, short=True)
    remark = Content.assemble("  ", verdict) if verdict.cell_length else Content()
    cards = Content.assemble(words.placed(zone, game.seats, room - remark.cell_length - 1), remark)
    held = plural(len(zone.cards), "card")
    return Content.assemble(
        (f"Zone {zone.number}".ljust(LABEL), "$quiet"),
        f"{held:<{count}}",
        cards.truncate(room, ellipsis=True, pad=True),
        f"{likely:<{odds}}",
        (f"{_last_placed(game, zone):<{when}}", "$quiet"),
        f"{words.scores(zone):<{scores}}",
        _key(keys.of("place", zone.number), "place", place),
        _key(keys.of("launch", zone.number), "launch", _LAUNCH),
    )


def _last_placed(game: SkyFireView, zone: ZoneView) -> str:
    """Return when the zone's last card came, in whole seconds; empty for an empty zone."""
    if not zone.cards:
        return ""
    whole, _, _ = since_deal(game, zone.cards[-1].at).partition(".")
    return f"{whole} s"


def misfire_row(game: SkyFireView, keys: SkyFireKeys, width: int) -> Content:
    """Return what a misfire scores, and its key."""
    room = width - LABEL - _LAUNCH - 1
    text = words.misfire(game, room).truncate(room, ellipsis=True, pad=True)
    return Content.assemble(
        ("Misfire".ljust(LABEL), "$quiet"), text, _key(keys.of(MISFIRE), "misfire", _LAUNCH + 1)
    )


def _key(key: str, does: str, cells: int) -> Content:
    return Content.assemble((key, "bold $primary"), f" {does}".ljust(cells - len(key)))


def seat_card(seat: SeatView, width: int) -> Content:
    """Return the lines of a seat's card, `width` cells wide."""
    weight = "bold" if seat.status in ("on turn", "winner") else ""
    status = words.STATUS[seat.status]
    name = words.named(seat, bold=True).truncate(width - len(status) - 1, ellipsis=True, pad=True)
    hand = words.held(seat)
    if seat.begins:
        hand += ", starts"
    lines = [
        Content.assemble(name, " ", (status, weight)),
        Content(hand),
        Content.assemble((plural(seat.score, "point"), "bold"), f"  {words.earned(seat)}"),
        Content.assemble((f"won {plural(seat.won, 'round')}", "$quiet")),
    ]
    if seat.status in IDLE:
        lines = [line.stylize_before("$quiet") for line in lines]
    return Content("\n").join(lines)


def zone_card(
    game: SkyFireView, zone: ZoneView, keys: SkyFireKeys, width: int, height: int
) -> Content:
    """Return the lines of a zone's card: its stack with who placed each card and when, the newest on top."""
    verdict = words.verdict(game, zone)
    head = Content.assemble((f"Zone {zone.number}", "bold"), f"  {plural(len(zone.cards), 'card')}")
    head = head.truncate(max(4, width - verdict.cell_length - 1), ellipsis=True, pad=True)
    faces = []
    if zone.faces:
        shows = ("by the table's word ", "$warning") if zone.word else ("shows ", "$quiet")
        faces.append(Content.assemble(shows, ", ".join(map(str, zone.faces))))
    place, launch = keys.of("place", zone.number), keys.of("launch", zone.number)
    footer = Content.assemble(
        (place, "bold $primary"), " place  ", (launch, "bold $primary"), " launch"
    )
    room = height - 3 - len(faces)
    lines = [*map(drawn_line, stack_lines(stack(game, zone), width, room))]
    lines += [Content("")] * (room - len(lines))
    likely = words.chance_of(game, zone.number)
    odds = f"{likely}, " if likely else ""
    scores = f"{odds}a right launch {words.scores(zone)}"
    if len(scores) > width:
        scores = f"{odds}{words.scores(zone)}"
    rows = [Content.assemble(head, " ", verdict), Content(scores), *lines, *faces, footer]
    return Content("\n").join(row.truncate(width, ellipsis=True) for row in rows)
