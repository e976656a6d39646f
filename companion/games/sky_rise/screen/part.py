"""The top part: the players, and the level in play with a cursor and what can be entered at it.

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
from companion.dashboard.widgets.cards import CardRow
from companion.dashboard.widgets.page import key_for_more
from companion.dashboard.widgets.static import Clickable, Fitted, Static
from companion.dashboard.widgets.tables import drawn_line, table_rows
from companion.display.pictures import Floor
from companion.display.towers import SCALES, Scale, nearest, plan, plan_size, side, side_size
from companion.games.sky_rise.panels import points
from companion.games.sky_rise.rules.controls import GRID
from companion.games.sky_rise.rules.facts import Piece, Size
from companion.games.sky_rise.rules.model import OPAQUE, SIZES
from companion.games.sky_rise.rules.picture import tower
from companion.games.sky_rise.rules.scoring import COLUMN_POINTS, GROUP_POINTS
from companion.games.sky_rise.rules.view import SkyRiseView
from companion.games.sky_rise.screen import choices
from companion.games.sky_rise.screen.grid import MOVES, GridCursor
from companion.games.sky_rise.screen.seats import card_texts, group_legend, pile_words, seat_rows
from companion.games.sky_rise.screen.showdown import showdown_rows
from companion.games.sky_rise.screen.side import FRAME, OUTER, SMALL_MARGINS, added_rows
from companion.rules.actions import Action
from companion.session.views import TableView

ROOM = ((58, 195), (46, 150))
"""Rows and columns a screen needs for the largest scale of the tower, and for the one below it."""
ROOMY_ROWS = 40
"""Rows from which the prompt and the keys have empty lines around them, and cards more texts."""
LEAST_ADDED = 21
"""Cells of the panel of what the level adds, with room for a color and its points."""
MOST_MORE_ROWS = 4
"""Rows that the panel of what the level adds may add to the panels beside it, on a screen of `ROOMY_ROWS`."""
MANY_PLAYERS = 5
"""From so many players on, the log needs the row of captions on a screen of fewer rows."""
BORDER = 2
"""Rows that a panel's border takes."""
MOST_CARD_ROWS = {True: 7, False: 9}
"""Rows of the players' cards, on a screen of fewer than `ROOMY_ROWS` and on others."""


def scale_of(size: geometry.Size) -> Scale:
    """Return the largest scale of the tower for which a screen has room."""
    fitting = (scale for (rows, columns), scale in zip(ROOM, reversed(SCALES[1:]), strict=True)
               if size.height >= rows and size.width >= columns)  # fmt: skip
    return next(fitting, SCALES[0])


class TowerPart(ScreenPart):
    """The players, the grid, and what can be entered at its cursor.

    From 110 x 32 on these are panels; the players are cards, and one panel says what the level adds.
    """

    DEFAULT_CSS = """
    TowerPart { height: auto; layout: vertical; padding: 0 1; }
    TowerPart Static { height: auto; }
    TowerPart #building { height: auto; }
    TowerPart #grid { margin: 0 1 0 0; text-wrap: nowrap; }
    TowerPart #pieces { height: auto; }
    TowerPart #here, TowerPart #choices, TowerPart #seats, TowerPart #result, TowerPart #adds {
      text-wrap: nowrap; text-overflow: ellipsis; }
    TowerPart #here { height: 1; }
    TowerPart #cut { display: none; }
    TowerPart #adds { width: 1fr; display: none; }
    """

    def __init__(self, actions: tuple[Action, ...]) -> None:
        super().__init__()
        self.cursor = GridCursor()
        self._actions = actions
        self._keys = {
            action.id: first_key(action) for action in actions if action.id.startswith(GRID)
        }
        self._phase = ""
        self._game: SkyRiseView | None = None
        self._floor: Floor | None = None
        self._picked: Piece | None = None
        self._picked_size: Size | None = None

    def compose(self) -> ComposeResult:
        yield CardRow()
        with Horizontal(id="building"):
            yield Static(id="grid", classes="framed")
            with Vertical(id="pieces", classes="framed"):
                yield Static(id="here")
                yield Clickable(id="choices")
            yield Static(id="cut", classes="framed")
            yield Fitted(self._fit_adds, id="adds")
        yield Static(id="seats")
        yield Static(id="result", classes="framed")

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
        self._game = game
        self.screen.set_class(self.app.size.height < ROOMY_ROWS, "-few-rows")
        building, result = self.query_one("#building"), self.query_one("#result")
        building.display, result.display = not game.revealed, game.revealed
        self._draw_seats(view, game)
        if game.revealed:
            self._draw_result(game)
        else:
            rows = max(self._draw_grid(game), self._draw_pieces(game))
            if self.roomy and self.app.size.height >= ROOMY_ROWS:
                added = len(added_rows(game, LEAST_ADDED - FRAME))
                rows = max(rows, min(added, rows + MOST_MORE_ROWS))
            building.styles.height = rows + (BORDER if self.roomy else 0)
            self._draw_cut(game, rows)
            self._fit_adds()

    def _draw_seats(self, view: TableView, game: SkyRiseView) -> None:
        cards, rows = self.query_one(CardRow), self.query_one("#seats")
        cards.display, rows.display = self.roomy, not self.roomy and not game.revealed
        if not self.roomy:
            self._put("#seats", seat_rows(game, self.app.size.width - SMALL_MARGINS))
            return
        tight = self.app.size.height < ROOMY_ROWS
        most = MOST_CARD_ROWS[tight]
        cells = cards.cells(len(game.seats))
        cards.show(card_texts(game, cells, ended=view.ended), most)

    def _draw_grid(self, game: SkyRiseView) -> int:
        """Draw the level in play; return its rows."""
        scale = scale_of(self.app.size)
        self._floor = tower(game).floors[-1]
        grid = self.query_one("#grid", Static)
        columns, rows = plan_size(self._floor, scale)
        grid.styles.width = columns + (FRAME if self.roomy else 0)
        grid.border_title = game.levels[-1].title
        grid.border_subtitle = group_legend(game)
        self._put("#grid", [*map(drawn_line, plan(self._floor, scale, self.cursor.marked))])
        return rows

    def _draw_pieces(self, game: SkyRiseView) -> int:
        """Draw what can be entered, below what is at the cursor; return its rows."""
        framed, panel = self.roomy, self.query_one("#pieces")
        width = choices.columns_of(game, framed=framed).width
        panel.styles.width = width + (FRAME if framed else 0)
        panel.border_title = "Points, and pyramids left"
        panel.border_subtitle = pile_words(game)
        roomy_rows = self.app.size.height >= ROOMY_ROWS or len(game.seats) < MANY_PLAYERS
        rows = choices.choice_rows(
            game, self.cursor, self._keys, self._picked, self._picked_size,
            framed=framed, captions=framed and roomy_rows,
        )  # fmt: skip
        self._put("#choices", rows)
        here = choices.here_line(game, self.cursor, self._picked, self._picked_size, width)
        self._put("#here", [here])
        return 1 + len(rows)

    def _draw_cut(self, game: SkyRiseView, rows: int) -> None:
        """Draw the cursor's row of crossings from the side in at most `rows`, if what the level adds keeps its room."""
        panel, whole = self.query_one("#cut", Static), tower(game)
        taken = self.query_one("#grid").styles.width, self.query_one("#pieces").styles.width
        room = self.app.size.width - OUTER - LEAST_ADDED - 1
        for part in taken:
            room -= 0 if part is None else int(part.value) + 1
        panel.display = False
        for scale in reversed(SCALES[1:]):
            wide, high = side_size(whole, scale, [self.cursor.y])
            if self.roomy and high <= rows and wide <= room:
                panel.display = True
                panel.styles.width = wide + FRAME
                panel.border_title = "From the side"
                self._put("#cut", [*map(drawn_line, side(whole, scale, [self.cursor.y]))])
                break

    def _draw_result(self, game: SkyRiseView) -> None:
        result = self.query_one("#result")
        result.border_title = "Points"
        width = self.app.size.width - (OUTER if self.roomy else SMALL_MARGINS)
        rows = [*table_rows([points(game)], width), *([Content("")] if game.showdown else [])]
        if self.roomy:
            rows = rows[1:]  # the panel has the title
        self._put("#result", [*rows, *showdown_rows(game, self._actions)])

    def _fit_adds(self) -> None:
        """Fill the panel of groups and columns in the room left beside the grid."""
        panel, game = self.query_one("#adds", Static), self._game
        panel.display = self.roomy
        width, height = panel.content_size
        if game is None or not self.roomy or not width:
            return
        on_roof = game.levels[-1].size is None
        panel.border_title = "Columns" if on_roof else "This level adds"
        panel.border_subtitle = _worth(width, on_roof=on_roof)
        rows = added_rows(game, width)
        if len(rows) > height > 0:
            panel.border_subtitle = f"{key_for_more(self.app)}: more"
        self._put("#adds", rows[: height or None])

    def _put(self, selector: str, rows: list[Content]) -> None:
        self.query_one(selector, Static).update(Content("\n").join(rows))

    # -- what the keys and the mouse do

    def perform(self, action_id: str) -> None:
        """Move the cursor, or enter a card or a pyramid at it."""
        if self.shown is None or not action_id.startswith(GRID):
            return
        verb, _, argument = action_id.removeprefix(GRID).partition(".")
        if verb == "move":
            x, y = MOVES[argument]
            self.cursor.go(self.cursor.x + x, self.cursor.y + y)
            self.fill()
        elif verb == "kind":
            self._kind(self.shown.game, int(argument))
        elif verb == "opaque":
            self._pyramid(OPAQUE)
        else:
            self._sized(next(size for size in SIZES if size == argument))

    @on(events.Click, "#grid")
    def point(self, event: events.Click) -> None:
        """Move the cursor to where the grid was clicked, not on the border around it."""
        event.stop()
        spot = event.get_content_offset(self.query_one("#grid"))
        if self._floor is None or spot is None:
            return
        on_field = self.cursor.on == "cell"
        self.cursor.go(*nearest(self._floor, scale_of(self.app.size), spot, field=on_field))
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


def _worth(width: int, *, on_roof: bool) -> str:
    """Return what scores how much on the level: a column on the roof (SR-15), below it a pyramid of a group (SR-10).

    A panel below the roof lists columns too, whose points it gives beside their title.
    """
    if on_roof:
        return f"{COLUMN_POINTS} a column"
    words = f"{GROUP_POINTS} a pyramid in a group"
    return words if len(words) <= width else f"{GROUP_POINTS} a pyramid"
