"""The top part: the level in play with a cursor, and the seats beside it.

Once the goals are up, the points and the Tower Showdown take its place.
"""

from __future__ import annotations

from dataclasses import replace

from textual import events, geometry, on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content

from companion.dashboard.game_screen import ScreenPart
from companion.dashboard.registry import first_key
from companion.dashboard.themes import seat_style
from companion.dashboard.widgets.static import Clickable, Fitted, Static
from companion.dashboard.widgets.tables import drawn_line, table_rows
from companion.display.pictures import Floor
from companion.display.towers import SCALES, Scale, nearest, plan, plan_size, side
from companion.games.sky_rise.panels import points
from companion.games.sky_rise.rules.controls import PREFIX as GAME
from companion.games.sky_rise.rules.facts import Piece, Size
from companion.games.sky_rise.rules.model import OPAQUE
from companion.games.sky_rise.rules.picture import tower
from companion.games.sky_rise.rules.text import seconds
from companion.games.sky_rise.rules.view import ContenderView, SeatView, SkyRiseView
from companion.games.sky_rise.screen import choices
from companion.games.sky_rise.screen.grid import MOVES, PREFIX, SIZE_KEYS, GridCursor
from companion.rules.actions import Action
from companion.rules.columns import listed, width as cells_of
from companion.session.views import TableView

ROOM = ((58, 195), (46, 150))
"""Rows and columns a screen needs for the largest scale of the tower, and for the one below it."""


def scale_of(size: geometry.Size) -> Scale:
    """Return the largest scale of the tower for which a screen has room."""
    fitting = (scale for (rows, columns), scale in zip(ROOM, reversed(SCALES[1:]), strict=True)
               if size.height >= rows and size.width >= columns)  # fmt: skip
    return next(fitting, SCALES[0])


class TowerPart(ScreenPart):
    """The grid, what can be entered at its cursor, and the seats."""

    DEFAULT_CSS = """
    TowerPart { height: auto; layout: vertical; padding: 0 1; }
    TowerPart #building, TowerPart #words, TowerPart #beside { height: auto; }
    TowerPart #building Static { height: auto; text-wrap: nowrap; text-overflow: ellipsis; }
    TowerPart #grid { margin: 0 1 0 0; }
    TowerPart #tower { margin: 1 0 0 0; }
    TowerPart #choices { width: 29; margin: 0 1 0 0; }
    TowerPart #seats, TowerPart #beside { width: 1fr; }
    TowerPart #here { height: 1; text-wrap: nowrap; text-overflow: ellipsis; }
    TowerPart #result { height: auto; text-wrap: nowrap; text-overflow: ellipsis; }
    """

    def __init__(self, actions: tuple[Action, ...]) -> None:
        super().__init__()
        self.cursor = GridCursor()
        self._actions = actions
        self._keys = {
            action.id: first_key(action) for action in actions if action.id.startswith(PREFIX)
        }
        self._phase = ""
        self._game: SkyRiseView | None = None
        self._floor: Floor | None = None
        self._picked: Piece | None = None
        self._picked_size: Size | None = None

    def compose(self) -> ComposeResult:
        with Horizontal(id="building"):
            yield Static(id="grid")
            with Vertical(id="beside"):
                with Horizontal(id="words"):
                    yield Clickable(id="choices")
                    yield Fitted(self._fit_seats, id="seats")
                yield Static(id="tower")
        yield Static(id="here")
        yield Static(id="result")

    # -- what it shows

    def show(self, view: TableView) -> None:
        """Show the level in play of a view; a choice made in another phase is forgotten."""
        game: SkyRiseView = view.game
        if game.phase != self._phase:
            self._phase, self._picked, self._picked_size = game.phase, None, None
        self.cursor.take(game)
        super().show(view)

    def draw(self, view: TableView) -> None:
        game: SkyRiseView = view.game
        if view.abandoned:
            game = replace(game, seats=tuple(replace(seat, on_turn=False) for seat in game.seats))
        self.query_one("#building").display = self.query_one("#here").display = not game.revealed
        self.query_one("#result").display = game.revealed
        if game.revealed:
            rows = [
                *table_rows([points(game)], self.app.size.width - 2),
                *([Content("")] if game.showdown else []),
            ]
            self._put("#result", [*rows, *showdown_rows(game, self._actions)])
            return
        whole, scale = tower(game), scale_of(self.app.size)
        self._floor = whole.floors[-1]
        self.query_one("#grid").styles.width = plan_size(self._floor, scale)[0]
        self._put("#grid", [*map(drawn_line, plan(self._floor, scale, self.cursor.marked))])
        self.query_one("#choices").styles.width = choices.WIDTH[self.roomy]
        large = scale is not SCALES[0]
        self.query_one("#tower").display = large
        self._put("#tower", [*map(drawn_line, side(whole, scale))] if large else [])
        self._put(
            "#choices",
            choices.choice_rows(
                game, self.cursor, self._keys, self._picked, self._picked_size, wide=self.roomy
            ),
        )
        self._game = game
        self._fit_seats()
        here = choices.here_line(game, self.cursor, self._picked, self._picked_size)
        self._put("#here", [choices.with_legend(here, self.app.size.width - 8, wide=self.roomy)])

    def _fit_seats(self) -> None:
        """Draw the seats in the room left beside the grid."""
        width = self.query_one("#seats").content_size.width
        if self._game is not None and width:
            self._put("#seats", seat_rows(self._game, width))

    def _put(self, selector: str, rows: list[Content]) -> None:
        self.query_one(selector, Static).update(Content("\n").join(rows))

    # -- what the keys and the mouse do

    def perform(self, action_id: str) -> None:
        """Move the cursor, or enter a card or a pyramid at it."""
        if self.shown is None or not action_id.startswith(PREFIX):
            return
        verb, _, argument = action_id.removeprefix(PREFIX).partition(".")
        if verb == "move":
            x, y = MOVES[argument]
            self.cursor.go(self.cursor.x + x, self.cursor.y + y)
            self.fill()
        elif verb == "kind":
            self._kind(self.shown.game, int(argument))
        elif verb == "opaque":
            self._pyramid(OPAQUE)
        else:
            self._sized(next(size for size in SIZE_KEYS if size == argument))

    @on(events.Click, "#grid")
    def point(self, event: events.Click) -> None:
        """Move the cursor to where the grid was clicked."""
        event.stop()
        if self._floor is not None:
            spot = (event.x, event.y)
            self.cursor.go(
                *nearest(self._floor, scale_of(self.app.size), spot, field=self.cursor.on == "cell")
            )
            self.fill()

    def _kind(self, game: SkyRiseView, place: int) -> None:
        """Enter a card of a suit, or a pyramid of its color."""
        color = game.colors[place]
        if self.cursor.on == "cell":
            self.enter("card", {"place": self.cursor.place, "suit": color.suit})
        else:
            self._pyramid(color.name)

    def _pyramid(self, color: Piece) -> None:
        """Enter a pyramid; for an antenna, first wait for its size."""
        if self._phase == "antennas" and self._picked_size is None:
            self._picked = color
            self.fill()
            return
        size = {} if self._picked_size is None else {"size": self._picked_size}
        self._picked = self._picked_size = None
        self.fill()
        self.enter("pyramid", {"place": self.cursor.place, "color": color, **size})

    def _sized(self, size: Size) -> None:
        """Choose the size of an antenna; on a level all pyramids have one size, so the keys do nothing."""
        if self._phase != "antennas":
            return
        self._picked_size = size
        if self._picked is None:
            self.fill()
        else:
            self._pyramid(self._picked)


Styled = tuple[str, str]
"""A text and its style."""

ROOM_FOR_REMARKS = 70
ROOM_FOR_WORDS = 41
"""Cells that have room for remarks beside the numbers, and for words as column heads."""
_NUMBERS = {
    False: " pts hand LMS",
    True: f"{'points':>7}{'hand':>5}{'large':>7}{'med':>5}{'small':>7}",
}


def seat_rows(game: SkyRiseView, width: int) -> list[Content]:
    """Return a row for each seat: points, cards in hand, own opaque pyramids by size, the turn, and remarks."""
    wide, words = width >= ROOM_FOR_REMARKS, width >= ROOM_FOR_WORDS
    head = _NUMBERS[words]
    cells = 18 if wide else max(6, width - len(head) - 2)
    rows = [Content.assemble((f"{'':<{cells + 2}}{head}", "$quiet"))]
    for seat in game.seats:
        numbers = _numbers(seat, words=words)
        if wide:
            rows.append(_seat(seat, cells, numbers, _remarks(seat)))
        elif cells_of(seat.name) + 2 > cells:
            rows += _tall(seat, cells, numbers, width)
        else:
            rows.append(_seat(seat, cells, numbers))
    return [*rows, *map(Content, _said(game, wide=wide))]


def _tall(seat: SeatView, cells: int, numbers: Styled, width: int) -> list[Content]:
    """Return a row for the name, and one below for the turn and the numbers."""
    turn = ">" if seat.on_turn else ""
    waiting = f"+{seat.to_enter}" if seat.to_enter else ""
    below = (f"{turn:<2}{waiting:<{cells}}", "bold $accent")
    return [named(seat, width), Content.assemble(below, numbers)]


def _numbers(seat: SeatView, *, words: bool) -> Styled:
    """Return the numbers and their style."""
    points = seat.score.placed + seat.score.by_hand
    sizes = choices.by_size(seat.opaque_sizes, wide=words)
    return f"{points:>{7 if words else 4}}{seat.hand:>5}{sizes}", "$quiet" if seat.left else "bold"


def _seat(seat: SeatView, cells: int, numbers: Styled, remarks: str = "") -> Content:
    mark = ">" if seat.on_turn else ""
    waiting = f" +{seat.to_enter}" if seat.to_enter else ""
    # Without room for both, the count takes the place of the sign of whose turn it is.
    if waiting and not seat.on_turn and cells_of(seat.name) + len(waiting) + 2 > cells:
        mark, waiting = waiting.strip(), ""
    return Content.assemble(
        (f"{mark:<2}", "bold $accent"),
        named(seat, cells - len(waiting)),
        (waiting, "bold $accent"),
        numbers,
        (f"  {remarks}" if remarks else "", "$quiet"),
    )


def named(seat: SeatView, cells: int) -> Content:
    """Return glyph and name in `cells` cells."""
    style = "$quiet" if seat.left else f"bold {seat_style(seat.color)}"
    return Content.assemble((f"{seat.glyph} {seat.name}", style)).truncate(
        cells, ellipsis=True, pad=True
    )


def _remarks(seat: SeatView) -> str:
    remarks = []
    if seat.left:
        remarks.append("left")
    if seat.start_token:
        remarks.append("Start token")
    if seat.goals_noted:
        remarks.append("goals noted")
    if seat.to_enter:
        remarks.append(f"{seat.to_enter} to enter")
    if seat.score.by_hand:
        remarks.append(f"{seat.score.by_hand:+d} by hand")
    return ", ".join(remarks)


def _said(game: SkyRiseView, *, wide: bool) -> list[str]:
    """Return the draw pile; on a narrow screen also who has the Start token, noted goals, or left."""
    pile = "?" if game.pile is None else str(game.pile)
    if wide:
        return [f"draw pile {pile}"]
    start = " ".join(seat.initial for seat in game.seats if seat.start_token)
    noted = " ".join(seat.initial for seat in game.seats if seat.goals_noted)
    left = " ".join(seat.initial for seat in game.seats if seat.left)
    lines = [f"draw pile {pile}  Start {start}"]
    if noted:
        lines.append(f"goals noted {noted}")
    if left:
        lines.append(f"left {left}")
    return lines


def showdown_rows(game: SkyRiseView, actions: tuple[Action, ...]) -> list[Content]:
    """Return a row for each contender with button, key and time, and a line for a photo finish."""
    showdown = game.showdown
    if showdown is None:
        return []
    seats = {seat.id: seat for seat in game.seats}
    rows = [Content.assemble(("Tower Showdown", "bold"))]
    rows += [
        _contender(contender, seats[contender.seat], showdown.close, game, actions)
        for contender in showdown.contenders
    ]
    if showdown.close:
        names = listed(seats[seat].name for seat in showdown.close)
        text = f"! photo finish: {names} are too close to tell"
        rows.append(Content.assemble((text, "bold $warning")))
    return rows


def _contender(
    contender: ContenderView,
    seat: SeatView,
    close: tuple[str, ...],
    game: SkyRiseView,
    actions: tuple[Action, ...],
) -> Content:
    running = game.showdown is not None and game.showdown.running
    button = ""
    if contender.done:
        status = seconds(contender.span) if contender.span else "done, time unknown"
        style = "bold"
    else:
        status, style = "building" if running else "not done", "$quiet"
        if running:
            keys = {action.id: first_key(action) for action in actions}
            button = f"button {seat.zone}, key {keys.get(f'{GAME}zone.{seat.zone}', '')}"
    mark = ""
    if seat.id in close:
        mark = "photo finish"
    elif seat.id in game.winners:
        mark = "first"
    return Content.assemble(
        "  ",
        named(seat, 16),
        (f" {status:<26}", style),
        (button, "bold $primary"),
        (mark, "bold $success"),
    )
