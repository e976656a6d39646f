"""The seats: a card each on a large screen, a row each on a small one."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from textual.app import ComposeResult
from textual.content import Content

from companion.dashboard.game_screen import ScreenPart
from companion.dashboard.registry import first_key
from companion.dashboard.themes import seat_style
from companion.dashboard.widgets.cards import CardRow, PlayerText, has_room_for_cards
from companion.dashboard.widgets.static import Static
from companion.games.panic_fire.rules.keys import PREFIX
from companion.games.panic_fire.rules.view import PanicFireView, SeatView
from companion.rules.actions import Action
from companion.rules.columns import plural, width as cells_of
from companion.rules.pauses import between
from companion.rules.spans import seconds
from companion.session.views import TableView

STATUS = {
    "in": "in",
    "out": "OUT",
    "winner": "WINS",
    "champion": "CHAMPION",
    "left": "LEFT",
    "next": "next round",
}
IDLE = ("out", "left", "next")
"""Statuses of seats that are not playing now, drawn in quiet colors."""
COLUMNS = (("state", 11), ("Shield", 7), ("Bullets", 8), ("draws", 6), ("after fire!", 12))
ABOVE_LAST = "last draw"
"""The first row of the last column's head."""
KEY_COLUMNS = (("draw", 6), ("name", 6), ("Shield", 7))
"""Three of a seat's four keys; the fourth, the override, is only on the help page."""
KEY_LABELS = tuple(label for label, _ in KEY_COLUMNS)
BAR = "│ "
"""Between what is known of a seat and its keys."""
_FIXED = sum(width for _, width in COLUMNS + KEY_COLUMNS) + len(BAR)
LEAST_ROW = _FIXED + 12
"""Cells of the narrowest row that still tells seats apart; a narrower screen cuts it off on the right."""
LEAST_CELLS = 20
"""Cells of the narrowest card on which the texts of a seat are not broken everywhere."""
BUSY = 4
"""With more seats than this, a small screen has no row to spare."""
_SIGNS = 3  # glyph and space before a name, a space behind it


@dataclass(frozen=True, slots=True)
class SeatText:
    """Texts of one seat: its last draw of the round, whether it deals, its keys, and who eliminated whom in the
    game."""

    seat: SeatView
    last: str
    deals: bool
    keys: Mapping[str, str]
    victims: str = ""
    shooters: str = ""


def last_draw(seat: SeatView, game: PanicFireView) -> str:
    """Return when the seat last drew, from *fire!* on: `-` without a draw, `?` if unknown."""
    if seat.draws == 0:
        return "-"
    after = between(game.fire, seat.last_draw, game.pauses, game.paused)
    return "?" if after is None else seconds(max(0, after.us), after.pm)


def heading(
    width: int,
    columns: int = len(COLUMNS),
    *,
    rows: int = 2,
    labels: Collection[str] = KEY_LABELS,
) -> Content:
    """Return the column heads in one row or two: what is known of a seat, its keys on the right.

    A column of keys keeps its place, but has a head only while it is among `labels`.
    """
    names = "".join(f"{name:<{cells}}" for name, cells in COLUMNS[:columns])
    keys = "".join(f"{label if label in labels else '':<{cells}}" for label, cells in KEY_COLUMNS)
    indent = width - _fixed(columns)
    head = Content.assemble((f"{'':<{indent}}{names}{BAR}", "$quiet"), (keys, "$primary"))
    if rows == 1:
        return head
    above = ""
    if columns == len(COLUMNS):
        above = f"{ABOVE_LAST:<{COLUMNS[-1][1]}}"
    first = Content.assemble(
        (f"{above:>{indent + len(names)}}{BAR}", "$quiet"), ("keys", "$primary")
    )
    return Content("\n").join([first, head])


def _fixed(columns: int) -> int:
    return _FIXED - sum(cells for _, cells in COLUMNS[columns:])


def row(line: SeatText, width: int, columns: int = len(COLUMNS)) -> Content:
    """Return the seat in one row of `width` cells with the first `columns` of `COLUMNS`."""
    seat = line.seat
    cells = (
        _state(line, COLUMNS[0][1]),
        "Shield" if seat.shield else "-",
        str(seat.bullets),
        str(seat.draws),
        line.last,
    )
    texts = ""
    for text, (_, size) in zip(cells, COLUMNS[:columns], strict=False):
        texts += f"{text:<{size}}"
    keys = "".join(f"{line.keys[label]:<{size}}" for label, size in KEY_COLUMNS)
    weight = "bold"
    if seat.status == "in":
        weight = "$foreground"
    elif seat.status in IDLE:
        weight = "$quiet"
    style = "$quiet" if seat.status in IDLE else f"bold {seat_style(seat.color)}"
    name = Content.assemble((f"{seat.glyph} {seat.name}", style))
    name = name.truncate(width - _fixed(columns) - 1, ellipsis=True, pad=True)
    return Content.assemble(name, " ", (texts, weight), (BAR, "$quiet"), (keys, "bold $primary"))


def card_text(line: SeatText) -> PlayerText:
    """Return the texts of the seat's card."""
    seat = line.seat
    return PlayerText(
        seat.glyph, seat.name, seat.color, str(seat.bullets),
        "Bullet card" if seat.bullets == 1 else "Bullet cards",
        f"{STATUS[seat.status]}, deals" if line.deals else STATUS[seat.status],
        tuple(_facts(line)),
        tuple((line.keys[label], label) for label, _ in KEY_COLUMNS),
        idle=seat.status in IDLE,
    )  # fmt: skip


def _facts(line: SeatText) -> Iterator[str]:
    seat = line.seat
    if seat.status not in IDLE and seat.shield:
        yield "Shield in play"
    yield f"{plural(seat.draws, 'draw')} this round"
    if seat.draws_total > seat.draws:
        yield f"{plural(seat.draws_total, 'draw')} in all"
    if seat.draws:
        yield _after_fire(line.last)
    if seat.draws and seat.draws_per_min is not None:
        yield f"{seat.draws_per_min:.0f} draws a minute"
    if line.victims:
        yield f"eliminated: {line.victims}"
    if line.shooters:
        yield f"eliminated by: {line.shooters}"
    if seat.by_hand:
        yield f"{seat.by_hand:+d} by hand"


def _after_fire(last: str) -> str:
    return "last drew at an unknown time" if last == "?" else f"drew {last} after fire!"


def _state(line: SeatText, width: int) -> str:
    """Return the status, and whether the seat deals, which no name leaves too little room for here."""
    status = STATUS[line.seat.status]
    if not line.deals:
        return status
    texts = f"{status}, deals", f"{status} deals", status
    return next(text for text in texts if len(text) < width)


class SeatsPart(ScreenPart):
    """All seats, in their order around the table."""

    def __init__(self, actions: tuple[Action, ...]) -> None:
        super().__init__()
        self._own = {action.id: action for action in actions}

    def compose(self) -> ComposeResult:
        yield Static(id="seat-rows")
        yield CardRow()

    def on_resize(self) -> None:
        """Redraw for the new size once the cards have theirs."""
        self.call_after_refresh(self.fill)

    def draw(self, view: TableView) -> None:
        if not self.children:  # on the way out they go before their part
            return
        game: PanicFireView = view.game
        lines = [self._line(game, place, seat) for place, seat in enumerate(game.seats, start=1)]
        rows, cards = self.query_one("#seat-rows", Static), self.query_one(CardRow)
        width = self.content_size.width
        with_cards = self.roomy and has_room_for_cards(
            len(lines), width, self.rows_left, LEAST_CELLS
        )
        rows.display, cards.display = not with_cards, with_cards
        if with_cards:
            cards.show([card_text(line) for line in lines], self.rows_left)
        else:
            rows.update(_rows(lines, max(LEAST_ROW, width)))

    def _line(self, game: PanicFireView, place: int, seat: SeatView) -> SeatText:
        hits, hit_by = game.kill_matrix[place - 1], [row[place - 1] for row in game.kill_matrix]
        keys = {label: self._key(f"{PREFIX}{label.lower()}.{place}") for label, _ in KEY_COLUMNS}
        victims, shooters = _counted(game, hits), _counted(game, hit_by)
        return SeatText(
            seat, last_draw(seat, game), seat.id == game.dealer, keys, victims, shooters
        )

    def _key(self, action_id: str) -> str:
        """Return the key of an action, "" if it would be refused now."""
        action = self._own.get(action_id)
        return first_key(action) if action is not None and self.works(action) else ""


def _counted(game: PanicFireView, counts: Sequence[int]) -> str:
    """Return names with counts, a count of 1 left out: `Red, Blue 2`."""
    names = []
    for seat, count in zip(game.seats, counts, strict=True):
        if count == 1:
            names.append(seat.name)
        elif count:
            names.append(f"{seat.name} {count}")
    return ", ".join(names)


def _rows(lines: Sequence[SeatText], width: int) -> Content:
    """Return the heads and the seats in rows of `width` cells."""
    longest = max(cells_of(line.seat.name) for line in lines)
    # a name is more wanted than the last of them
    columns = len(COLUMNS) - (longest + _SIGNS > width - _FIXED)
    labels = {label for line in lines for label, key in line.keys.items() if key}
    head = heading(width, columns, rows=1 if len(lines) > BUSY else 2, labels=labels)
    return Content("\n").join([head, *(row(line, width, columns) for line in lines)])
