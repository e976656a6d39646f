"""Seats and zones as rows with key columns on a small screen, as cards on a large one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from textual.content import Content

from companion.dashboard.registry import first_key
from companion.dashboard.themes import seat_style
from companion.dashboard.widgets.cards import PlayerText, key_rows, key_texts
from companion.dashboard.widgets.labels import packed
from companion.dashboard.widgets.seats import and_more, shown_and_more
from companion.dashboard.widgets.tables import drawn_line
from companion.display.pictures import Stack
from companion.display.stacks import stack_lines
from companion.games.skyfire.panels import IDLE, after_deal, stack
from companion.games.skyfire.rules.keys import CARDS_FORM, PREFIX
from companion.games.skyfire.rules.known import NO_ZONE
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
_ZONE = {
    False: (("cards", 7), ("placed by", 0), ("after deal", 12), ("scores", 8)),
    True: (("cards", 6), ("placed by", 0), ("odds", 7), ("after deal", 11), ("scores", 7)),
}
"""Heads and cells of what is known of a zone, without odds and with them; *placed by* takes the rest. *after deal*
is when the last card came."""
_ZONE_KEYS = (("place", 7), ("launch", 6))
_BAR = "│ "
"""Between what is known of a zone and its keys."""
MARKS = 10
"""Cells reserved for who placed a zone's newest cards, however long the verdict is."""
_LONG_NOTES = 40
"""Cells of the narrowest panel of a zone in which each time says what it counts from."""
BUSY = 4
"""With more seats than this, a small screen has no row to spare."""


class SkyFireKeys:
    """The keys of the columns."""

    def __init__(self, actions: Iterable[Action]) -> None:
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
    zones = [zone_row(game, zone, keys, width) for zone in game.zones]
    head = zone_head(game, keys, width)
    return Content("\n").join(
        [
            *seats,
            *gap,
            target_row(game, keys, width),
            head,
            *zones,
            misfire_row(game, keys, width),
        ]
    )


def target_row(game: SkyFireView, keys: SkyFireKeys, width: int) -> Content:
    """Return the target of the round, and on the right that backs can be entered."""
    aim = Content.assemble((f"{'Target':<{LABEL}}", "$quiet"), (words.target(game), "bold"))
    missing = words.missing_backs(game, keys.cards, width - aim.cell_length - 2)
    if missing:
        space = " " * (width - aim.cell_length - len(missing))
        aim = Content.assemble(aim, space, (missing, "$quiet"))
    return aim.truncate(width, ellipsis=True)


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
    whole = words.named(seat, bold=bool(weight))
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


def _sizes(game: SkyFireView, keys: SkyFireKeys, width: int) -> dict[str, int]:
    """Return the cells of each column of the zones, by its head."""
    columns = dict(_ZONE[bool(words.chance_of(game, NO_ZONE))])
    columns["placed by"] = width - LABEL - sum(columns.values()) - len(_BAR)
    columns["placed by"] -= sum(cells for _, cells in _key_columns(keys))
    return columns


def _key_columns(keys: SkyFireKeys) -> tuple[tuple[str, int], ...]:
    """Return the columns of keys: those of which a key works now."""
    return tuple((action, cells) for action, cells in _ZONE_KEYS if keys.count(action))


def zone_head(game: SkyFireView, keys: SkyFireKeys, width: int) -> Content:
    """Return the column heads of the zones: what is known of them, and their keys on the right."""
    heads = "".join(f"{head:<{cells}}" for head, cells in _sizes(game, keys, width).items())
    columns = _key_columns(keys)
    named = "".join(f"{head:<{cells}}" for head, cells in columns)
    bar = _BAR if columns else ""
    return Content.assemble((f"{'':<{LABEL}}{heads}{bar}", "$quiet"), (named, "$primary"))


def zone_row(game: SkyFireView, zone: ZoneView, keys: SkyFireKeys, width: int) -> Content:
    """Return one zone as a row: who placed its cards, its odds, when the last card came, what a right launch scores.

    Of a zone that is judged, the cards turned up take the place of all this, with what it scores beside them.
    """
    sizes, columns = _sizes(game, keys, width), _key_columns(keys)
    label = (f"{f'Zone {zone.number}':<{LABEL}}", "$quiet")
    count = f"{len(zone.cards):<{sizes['cards']}}"
    if zone.asked and zone.faces:
        return Content.assemble(label, count, _judged(zone, width - LABEL - len(count)))
    room = sizes["placed by"]
    verdict = words.verdict(game, zone)
    if verdict.cell_length > room - MARKS:
        verdict = words.verdict(game, zone, short=True)
    remark = Content.assemble("  ", verdict) if verdict.cell_length else Content()
    cards = Content.assemble(words.placed(zone, game.seats, room - remark.cell_length - 1), remark)
    odds = ""
    if "odds" in sizes:
        odds = f"{words.chance_of_zone(game, zone):<{sizes['odds']}}"
    pressed = ""
    for action, cells in columns:
        pressed += f"{keys.of(action, zone.number):<{cells}}"
    return Content.assemble(
        label,
        count,
        cards.truncate(room, ellipsis=True, pad=True),
        odds,
        (f"{_last_placed(game, zone):<{sizes['after deal']}}", "$quiet"),
        f"{len(zone.cards):<{sizes['scores']}}",
        (_BAR if columns else "", "$quiet"),
        (pressed, "bold $primary"),
    )


def _judged(zone: ZoneView, room: int) -> Content:
    """Return the cards turned up and what the zone scores; the cards without names, and then alone, if there is too
    little room."""
    scores = f"  {words.scores(zone)}"
    beside = room - len(scores)
    for short in (False, True):
        shown = words.faces(zone, short=short)
        if shown.cell_length <= beside:
            return Content.assemble(shown.truncate(beside, pad=True), scores)
    return shown.truncate(room, ellipsis=True)


def _last_placed(game: SkyFireView, zone: ZoneView) -> str:
    """Return when the zone's last card came, in whole seconds; empty for an empty zone."""
    if not zone.cards:
        return ""
    whole, _, _ = after_deal(game, zone.cards[-1].at).partition(".")
    return f"{whole.removesuffix(' s')} s"


def misfire_row(game: SkyFireView, keys: SkyFireKeys, width: int) -> Content:
    """Return what a misfire scores, and its key if it works."""
    label, pressed, room = ("Misfire".ljust(LABEL), "$quiet"), keys.of(MISFIRE), width - LABEL
    if not pressed:
        return Content.assemble(label, words.misfire(game, room).truncate(room, ellipsis=True))
    (key,) = key_texts(((pressed, MISFIRE),))
    room -= key.cell_length + len(_BAR) + 1
    text = words.misfire(game, room).truncate(room, ellipsis=True, pad=True)
    return Content.assemble(label, text, " ", (_BAR, "$quiet"), key)


def seat_text(seat: SeatView) -> PlayerText:
    """Return the texts of a seat's card."""
    return PlayerText(
        seat.glyph, seat.name, seat.color, str(seat.score),
        "point" if seat.score == 1 else "points",
        "turn" if seat.status == "on turn" else words.STATUS[seat.status],
        tuple(_facts(seat)),
        turn=seat.status == "on turn",
        idle=seat.status in IDLE,
    )  # fmt: skip


def _facts(seat: SeatView) -> Iterator[str]:
    yield words.held(seat)
    if seat.begins:
        yield "starts"
    if seat.earned:
        yield f"{words.earned(seat)} in this round"
    if seat.won:
        yield f"won {plural(seat.won, 'round')}"


def zone_rows(
    game: SkyFireView,
    zone: ZoneView,
    keys: SkyFireKeys,
    width: int,
    height: int,
    *,
    all_packed: bool = False,
) -> Content:
    """Return the rows of a zone's panel: what it scores, its stack with who placed each card and when, its keys.

    With `all_packed`, cards share rows even if there is one for each. The cards of a zone that is judged come before
    who placed them.
    """
    scores = f"a right launch {words.scores(zone)}"
    if len(scores) > width:
        scores = words.scores(zone)
    if likely := words.chance_of_zone(game, zone):
        scores = f"odds {likely}, {words.scores(zone)}"
    pressed = tuple((keys.of(action, zone.number), action) for action in ("place", "launch"))
    works = any(key for key, _ in pressed)
    most = height - len(("scores",)) - works
    faces = _face_rows(zone, width, most)
    room = most - len(faces)
    if zone.asked:
        rows = [Content(scores), *faces, *_card_rows(game, zone, width, room, all_packed)]
    else:
        rows = [Content(scores), *_card_rows(game, zone, width, room, all_packed)]
        rows += [Content("")] * (height - works - len(rows) - len(faces)) + faces
    rows = [row.truncate(width, ellipsis=True) for row in rows]
    if works:
        rows += [Content("")] * (height - 1 - len(rows))
        row, *more = key_rows(pressed, width)
        if more:  # without the label that says what they are
            row = Content("  ").join(key_texts(pressed))
        rows.append(row.truncate(width, ellipsis=True, pad=True).stylize("on $panel"))
    return Content("\n").join(rows)


def _face_rows(zone: ZoneView, width: int, most: int) -> list[Content]:
    """Return the cards turned up: of a zone that is judged all in at most `most` rows, without names if need be; else
    in one."""
    if not zone.faces:
        return []
    if not zone.asked:
        return [words.faces(zone)]
    rows = list(words.faces(zone).wrap(width))
    return rows if len(rows) <= most else list(words.faces(zone, short=True).wrap(width))[:most]


def shares_rows(zone: ZoneView, width: int, height: int) -> bool:
    """Return True if a zone's panel of that size has too few rows for one for each card."""
    room = height - len(("scores", "keys")) - bool(zone.faces)
    return len(zone.cards) > room - (width < _LONG_NOTES)


def _card_rows(
    game: SkyFireView, zone: ZoneView, width: int, room: int, all_packed: bool
) -> list[Content]:
    """Return who placed the zone's cards, the newest on top, and when, as a row or more each if they fit."""
    if not zone.cards or room < 1:
        return []
    long, count = width >= _LONG_NOTES, len(zone.cards)
    if all_packed or count > room - (not long):
        return _packed_rows(game, zone, width, room)
    if long:
        return _stack_rows(stack(game, zone, " after the deal"), width, room)
    caption = Content.styled(f"{'after the deal':>{width}}", "$quiet")
    return [caption, *_stack_rows(stack(game, zone), width, room - 1)]


def _packed_rows(game: SkyFireView, zone: ZoneView, width: int, room: int) -> list[Content]:
    """Return all cards in as few rows as possible, with names if they fit, and when the last card came."""
    seats = {seat.id: seat for seat in game.seats}
    numbered = list(enumerate((seats[card.seat] for card in zone.cards), start=1))[::-1]
    for named in (True, False):
        parts = []
        for place, seat in numbered:
            who = f"{seat.glyph} {seat.name}" if named else f"{seat.glyph}{seat.initial}"
            parts.append(Content.assemble(f"{place} ", (who, seat_style(seat.color))))
        rows = list(packed(parts, width, "  ").split("\n"))
        if len(rows) <= room:
            break
    if len(rows) < room:
        last = f"last {_last_placed(game, zone)} after the deal"
        if len(last) > width:
            last = last.replace(" the ", " ")
        rows.append(Content.styled(last, "$quiet"))
    return rows[:room]


def _stack_rows(lying: Stack, width: int, room: int) -> list[Content]:
    """Return a row for each card with the newest on top, and their edges if all of them fit."""
    count = len(lying.cards)
    if 2 * count + 1 <= room:
        return [*map(drawn_line, stack_lines(lying, width, room))]
    rows = []
    for place in range(count, 0, -1):
        card = lying.cards[place - 1]
        who = Content.assemble(f"{place:>2} ", (card.who, seat_style(card.ink)))
        who = who.truncate(width - len(card.note) - 1, ellipsis=True, pad=True)
        rows.append(Content.assemble(who, " ", (card.note, "$quiet")))
    return rows


def rows_of_zone(zone: ZoneView, width: int) -> int:
    """Return the rows that a zone's panel needs to show every card, its border not included."""
    cards = 2 * len(zone.cards) + 1 if zone.cards else 0
    caption = bool(zone.cards) and width < _LONG_NOTES
    return len(("scores", "keys")) + cards + caption + bool(zone.faces)
