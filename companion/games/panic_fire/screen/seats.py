"""The seats: a card each on a large screen, a row each on a small one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content

from companion.dashboard.game_screen import ScreenPart
from companion.dashboard.registry import first_key
from companion.dashboard.themes import edge, seat_style
from companion.dashboard.widgets.static import Static
from companion.games.panic_fire.rules.keys import PREFIX
from companion.games.panic_fire.rules.view import PanicFireView, SeatView
from companion.rules.actions import Action
from companion.rules.columns import width as cells_of
from companion.rules.pauses import between
from companion.rules.spans import since
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
COLUMNS = (("state", 11), ("Shield", 8), ("Bullets", 9), ("draws", 7), ("last draw", 11))
KEY_COLUMNS = (("draw", 6), ("name", 6), ("Shield", 7))
"""Three of a seat's four keys; the fourth, the override, is only on the help page."""
_FIXED = sum(width for _, width in COLUMNS + KEY_COLUMNS)
LEAST_ROW = _FIXED + 12
"""Cells of the narrowest row that still tells seats apart; a narrower screen cuts it off on the right."""
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
    """Return the seat's last draw as time since *fire!*: `-` without a draw, `?` if unknown."""
    if seat.draws == 0:
        return "-"
    after = between(game.fire, seat.last_draw, game.pauses, game.paused)
    return "?" if after is None else since(after.us, after.pm)


def heading(width: int, columns: int = len(COLUMNS)) -> Content:
    """Return the column heads, with those of the keys on the right."""
    names = "".join(f"{name:<{cells}}" for name, cells in COLUMNS[:columns])
    keys = "".join(f"{label:<{cells}}" for label, cells in KEY_COLUMNS)
    return Content.assemble(
        (f"{'':<{width - _fixed(columns)}}{names}", "$quiet"), (keys, "$primary")
    )


def _fixed(columns: int) -> int:
    return _FIXED - sum(cells for _, cells in COLUMNS[columns:])


def row(line: SeatText, width: int, columns: int = len(COLUMNS)) -> Content:
    """Return the seat in one row of `width` cells with the first `columns` of `COLUMNS`."""
    seat = line.seat
    cells = (
        STATUS[seat.status],
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
    name = _name(line, width - _fixed(columns) - 1)
    return Content.assemble(name, " ", (texts, weight), (keys, "bold $primary"))


def card_rows(line: SeatText, width: int) -> Content:
    """Return the lines of the seat's card, `width` cells wide."""
    seat, idle = line.seat, line.seat.status in IDLE
    status = STATUS[seat.status]
    weight = "$quiet" if idle or seat.status == "in" else "bold $success"
    shield = ""
    if not idle:
        shield = "Shield in play" if seat.shield else "no Shield"
    by_hand = f"  {seat.by_hand:+d} by hand" if seat.by_hand else ""
    victims = _whom(str(seat.kills), line.victims, width - 11)
    out_by = Content("")
    if line.shooters and len(line.shooters) + 7 <= width:
        out_by = Content.assemble(("out by ", "$quiet"), line.shooters)
    rows: tuple[Content, ...] = (
        Content.assemble(_name(line, width - len(status) - 1), " ", (status, weight)),
        Content(shield),
        Content.assemble(("Bullets ", "$quiet"), (str(seat.bullets), "bold"), (by_hand, "$quiet")),
        Content.assemble(("eliminated ", "$quiet"), victims),
        Content.assemble(("draws   ", "$quiet"), _draws(seat, width - 8)),
        Content.assemble(("drew    ", "$quiet"), _after_fire(line.last, width - 8)),
        out_by,
        Content.assemble(_key(line, "draw"), "  ", _key(line, "name")),
        _key(line, "Shield"),
    )
    if idle:
        rows = tuple(content.stylize_before("$quiet") for content in rows)
    return Content("\n").join(rows)


def _after_fire(last: str, width: int) -> str:
    """Return the time of the last draw, with what it counts from if that fits in `width`."""
    if last == "-":
        return "not yet"
    if last == "?":
        return "unknown"
    time = f"{last.removeprefix('+')} s"
    text = f"{time} after fire!"
    return text if len(text) <= width else time


def _key(line: SeatText, label: str) -> Content:
    return Content.assemble((line.keys[label], "bold $primary"), f" {label}")


def _name(line: SeatText, width: int) -> Content:
    """Return glyph, initial and name, with a mark for the dealer if there is room.

    If only the name fits, the initial is left out: the name begins with it.
    """
    seat = line.seat
    mark = " deals" if line.deals and len(seat.name) + 10 <= width else ""
    initial = f"{seat.initial} " if cells_of(seat.name) + 4 <= width else ""
    style = "$quiet" if seat.status in IDLE else f"bold {seat_style(seat.color)}"
    name = Content.assemble((f"{seat.glyph} {initial}{seat.name}", style), (mark, "$quiet"))
    return name.truncate(width, ellipsis=True, pad=True)


def _draws(seat: SeatView, width: int) -> str:
    """Return the round's draws, then their rate and the game's draws as far as they fit in `width`."""
    parts = []
    if seat.draws and seat.draws_per_min is not None:
        parts.append(f"  {seat.draws_per_min:.0f} a minute")
    if seat.draws_total > seat.draws:
        parts.append(f"  {seat.draws_total} in the game")
    text = str(seat.draws)
    for part in parts:
        if len(text + part) <= width:
            text += part
    return text


def _whom(count: str, names: str, width: int) -> str:
    """Return the count, with the names if they fit in `width`."""
    text = f"{count}  {names}"
    return text if names and len(text) <= width else count


class SeatsPart(ScreenPart):
    """All seats, in their order around the table."""

    def __init__(self, actions: tuple[Action, ...]) -> None:
        super().__init__()
        self._keys = {action.id: first_key(action) for action in actions}

    def compose(self) -> ComposeResult:
        """Lay out both forms; the style sheet shows the one that fits."""
        yield Static(id="seat-rows")
        with Horizontal(classes="cards"):
            for _ in [key for key in self._keys if key.startswith(f"{PREFIX}draw.")]:
                yield Static(classes="seat-card")

    def on_resize(self) -> None:
        """Redraw for the new size once the cards have theirs."""
        self.call_after_refresh(self.fill)

    def draw(self, view: TableView) -> None:
        if not self.children:  # on the way out they go before their part
            return
        game: PanicFireView = view.game
        lines = [self._line(game, place, seat) for place, seat in enumerate(game.seats, start=1)]
        width = max(LEAST_ROW, self.size.width - 2)
        longest = max(cells_of(seat.name) for seat in game.seats)
        # a name is more wanted than the last of them
        columns = len(COLUMNS) - (longest + _SIGNS > width - _FIXED)
        rows = [heading(width, columns), *(row(line, width, columns) for line in lines)]
        self.query_one("#seat-rows", Static).update(Content("\n").join(rows))
        # Somebody who joined has no card yet: the screen lays out new ones as soon as it knows the keys.
        for card, line in zip(self.query(".seat-card").results(Static), lines, strict=False):
            edge(card, "$quiet" if line.seat.status in IDLE else seat_style(line.seat.color))
            if width := card.content_size.width:
                card.update(card_rows(line, width))

    def _line(self, game: PanicFireView, place: int, seat: SeatView) -> SeatText:
        hits, hit_by = game.kill_matrix[place - 1], [row[place - 1] for row in game.kill_matrix]
        keys = {
            label: self._keys.get(f"{PREFIX}{label.lower()}.{place}", "")
            for label, _ in KEY_COLUMNS
        }
        victims, shooters = _counted(game, hits), _counted(game, hit_by)
        return SeatText(
            seat, last_draw(seat, game), seat.id == game.dealer, keys, victims, shooters
        )


def _counted(game: PanicFireView, counts: Sequence[int]) -> str:
    """Return names with counts, a count of 1 left out: `Red, Blue 2`."""
    names = []
    for seat, count in zip(game.seats, counts, strict=True):
        if count == 1:
            names.append(seat.name)
        elif count:
            names.append(f"{seat.name} {count}")
    return ", ".join(names)
