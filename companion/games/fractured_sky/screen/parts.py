"""The parts of the main page: the players, the overview or the map, and what is said beside it."""

from __future__ import annotations

from dataclasses import replace

from textual import events, on
from textual.app import ComposeResult
from textual.content import Content

from companion.dashboard.game_screen import ScreenPart
from companion.dashboard.widgets.cards import EDGES, LEAST_CARD, CardRow
from companion.dashboard.widgets.labels import box_rows, labelled
from companion.dashboard.widgets.lines import NoticeLine
from companion.dashboard.widgets.page import key_for_more, keys_of as app_keys
from companion.dashboard.widgets.seats import and_more, shown_and_more
from companion.dashboard.widgets.static import Static
from companion.dashboard.widgets.tables import drawn_line
from companion.display.charts import ChartPlan, at_cell, drawn, plan, roomy
from companion.display.pictures import Chart
from companion.games.fractured_sky.rules.controls import PREFIX
from companion.games.fractured_sky.rules.picture import chart
from companion.games.fractured_sky.rules.view import FracturedSkyView
from companion.games.fractured_sky.screen.cursor import (
    WAYS,
    MapCursor,
    answer_with,
    beside,
    cells_beside,
)
from companion.games.fractured_sky.screen.words import (
    built,
    by_hand_now,
    explored,
    in_turn_order,
    move_lines,
    next_slots,
    overview_rows,
    place_text,
    player_rows,
    player_text,
    tray,
    with_owners,
)
from companion.rules.actions import with_keys
from companion.session.views import TableView

BEFORE_A_ROUND = ("first", "public")
"""Phases in which the tray is laid out; nothing on it is worth a row yet."""
LABEL_CELLS = 8
PLAYERS_CELLS = 27
LEAST_ROWS = 11
"""Rows for the overview on a screen of 24 rows, which leaves two to the log."""
BELOW = 13
"""Rows that everything else on the page needs at least."""
CARD_ROWS = 7
"""Rows of a player's card."""
MOST_ROWS, AROUND_WORDS = 7, 17
"""Rows of the words without panels, at least, and rows of everything else on the page: the log needs two."""
MOST_OF_BLOCKS = (3, 2, 2, 0)
"""Where they have too few rows, those for the region, the tray, what is built, and who explored."""
TIGHT_ROWS = 11
"""Rows of the words beside the map on a screen without free rows."""
AROUND_MAP, AIRY, AIR = 16, 40, 5
"""Rows of a screen around its map; rows from which there are free ones around cards and prompt, and how many."""
MAP, NO_MAP = "The map", "Regions and platforms: no map is entered"
"""Titles of the panel, where places are known and where not."""
MAP_EDGES = 6
"""Cells of the map's border, and of the margins of the page."""


def game_now(part: ScreenPart, view: TableView) -> FracturedSkyView:
    """Return the game with the app's keys; an abandoned game still has a turn, but nobody takes it."""
    turn = None if view.abandoned else view.game.to_move
    game: FracturedSkyView = replace(view.game, keys=app_keys(part.app), to_move=turn)
    return game


class MapAnswers(ScreenPart):
    """A part of which a place can be pointed at, by the cursor or the mouse."""

    def __init__(self, cursor: MapCursor) -> None:
        super().__init__()
        self._cursor = cursor

    @property
    def in_charge(self) -> bool:
        """Whether the arrow keys are for this part in the present size."""
        raise NotImplementedError

    def next_place(self, game: FracturedSkyView, way: str) -> str:
        """Return the region where an arrow key leads."""
        raise NotImplementedError

    def perform(self, action_id: str) -> None:
        """Move the cursor, or answer with the region under it."""
        verb, _, way = action_id.removeprefix(PREFIX).partition(".")
        if self.shown is None or not self.in_charge:
            return
        if verb == "move":
            game: FracturedSkyView = self.shown.game
            self._cursor.go(self.next_place(game, way), game)
            for part in self.screen.query(ScreenPart):
                part.fill()
        elif verb == "here":
            self.answer(self._cursor.region)

    def answer(self, place: str) -> None:
        """Answer with a region or platform, or say what is awaited if none is asked for."""
        if self.shown is None:
            return
        game: FracturedSkyView = replace(self.shown.game, keys=app_keys(self.app))
        number = answer_with(game, place)
        if number is not None:
            # through the key's action, so that a refusal is shown like one of a key
            self.call_later(self.app.run_action, f"app.perform('{PREFIX}answer.{number}')")
            return
        if not place and self._asks_region(game):
            text = "You have not chosen a region yet. Press an arrow key, then Enter."
        elif self.shown.ended:
            text = "That place answers nothing now. To play on take the end back."
        else:
            asked = with_keys(self.shown.awaiting, app_keys(self.app))
            what = "That place answers nothing now" if place else "No region is asked for"
            text = f"{what}. {asked}"
        self.screen.query_one(NoticeLine).say(text, self.shown, refused=True)

    def _asks_region(self, game: FracturedSkyView) -> bool:
        """Return whether a region or platform is an answer now."""
        assert self.shown is not None
        if game.move is not None:
            return True
        if game.phase != "turn" and game.table.options["starfalls"] == "virtual":
            return False  # the companion turns the cards up
        numbers = (answer_with(game, region) for region in game.table.board.ids)
        return any(
            self.shown.works(f"{PREFIX}answer.{number}") for number in numbers if number is not None
        )


class PlayersPart(MapAnswers):
    """The players: cards where there is room for panels, else rows, beside an overview of the regions."""

    DEFAULT_CSS = """
    PlayersPart { layout: horizontal; padding: 0 1; }
    PlayersPart #sky-overview { width: 1fr; height: 100%; text-wrap: nowrap; }
    PlayersPart #sky-players { height: 100%; margin: 0 0 0 1; text-wrap: nowrap; }
    PlayersPart CardRow { width: 1fr; }
    """

    def compose(self) -> ComposeResult:
        yield Static(id="sky-overview")
        yield Static(id="sky-players")
        yield CardRow()

    def on_resize(self) -> None:
        """Redraw for the new size once the cards have theirs."""
        self.call_after_refresh(self.fill)

    @property
    def in_charge(self) -> bool:
        return not self.roomy

    def draw(self, view: TableView) -> None:
        if not self.size.width:
            return
        game, rows = game_now(self, view), self.app.size.height
        cards = self.query_one(CardRow)
        cards.display = self.roomy
        self.styles.margin = 0
        for static in self.query(Static).results(Static):
            if static.parent is self:
                static.display = not self.roomy
        if self.roomy:
            self.styles.margin = (rows >= AIRY, 0, 0, 0)
            self.styles.height = "auto"
            width = self.content_size.width
            players, more = shown_and_more(in_turn_order(game), width // LEAST_CARD)
            texts = [player_text(game, player) for player in players]
            cards.show(texts, CARD_ROWS, and_more(more) if more else "")
            return
        if self.screen.has_class("-cramped"):
            height = self.size.height
            self.styles.height = "1fr"
        else:
            height = min(_rows_of_overview(game), max(LEAST_ROWS, rows - BELOW))
            self.styles.height = height
        self._draw_overview(game, height)

    def _draw_overview(self, game: FracturedSkyView, height: int) -> None:
        width = self.size.width
        shown, pointed = self._cursor.shown(game)
        regions = overview_rows(game, width - PLAYERS_CELLS - 1, shown, pointed=pointed)
        self.query_one("#sky-overview", Static).update(Content("\n").join(regions))
        players = self.query_one("#sky-players", Static)
        rows = player_rows(game, PLAYERS_CELLS, height)
        players.update(Content("\n").join(row.pad_right(0) for row in rows))
        players.styles.width = PLAYERS_CELLS

    def next_place(self, game: FracturedSkyView, way: str) -> str:
        ids = game.table.board.ids
        start = self._cursor.start(game)
        if start not in ids:
            return ids[0] if ids else ""
        place = ids.index(start) + sum(WAYS[way])
        return ids[max(0, min(place, len(ids) - 1))]

    @on(events.Click, "#sky-overview")
    def answer_row(self, event: events.Click) -> None:
        """Answer with the region whose row was clicked, as its key does."""
        event.stop()
        if self.shown is None:
            return
        ids = self.shown.game.table.board.ids
        if 1 <= event.y <= len(ids):  # the first row has the heads
            self.answer(ids[event.y - 1])


def _rows_of_overview(game: FracturedSkyView) -> int:
    """Return the rows of the overview with its heads, or of the players with the next turn row."""
    return max(1 + len(game.table.board.ids), 2 * len(game.players) + 1)


class MapPart(MapAnswers):
    """The map in its panel, shown where there is room for panels."""

    DEFAULT_CSS = """
    MapPart #sky-map { width: 100%; height: 100%; text-wrap: nowrap; }
    """

    def __init__(self, cursor: MapCursor) -> None:
        super().__init__(cursor)
        self._charted: tuple[FracturedSkyView, tuple[str, bool], Chart] | None = None
        self._drawn: tuple[Chart, int, int] | None = None
        self._planned = ChartPlan({}, in_words=False)

    def compose(self) -> ComposeResult:
        yield Static(id="sky-map")

    @property
    def in_charge(self) -> bool:
        return self.roomy

    def draw(self, view: TableView) -> None:
        self.display = self.roomy
        self.screen.set_class(self.roomy and self.app.size.height < AIRY, "-tight")
        if not self.roomy:
            return
        columns, rows = self.app.size
        below = self.parent
        if below is not None:
            below.styles.grid_columns = f"1fr {cells_beside(columns)}"
        game = game_now(self, view)
        self.border_title = MAP if game.table.board.places_known else NO_MAP
        self.border_subtitle = next_slots(game)
        # of the screen, not of the panel: a notice that takes a row must not move the map
        width = columns - cells_beside(columns) - MAP_EDGES
        height = rows - AROUND_MAP
        if rows >= AIRY:
            height -= AIR
        # a chart takes a while, and most updates of the page leave it as it is
        shown = self._cursor.shown(game)
        if self._charted is None or self._charted[:2] != (game, shown):
            self._charted = game, shown, chart(game, shown[0], pointed=shown[1])
        self._draw_map(self._charted[2], width, height)

    def _draw_map(self, picture: Chart, width: int, height: int) -> None:
        if (picture, width, height) != self._drawn:
            self._drawn, self._planned = (picture, width, height), plan(picture, width, height)
            lines = map(drawn_line, drawn(picture, self._planned, width, height))
            self.query_one("#sky-map", Static).update(Content("\n").join(lines))

    def next_place(self, game: FracturedSkyView, way: str) -> str:
        regions, start = game.table.board.ids, self._cursor.start(game)
        spots = {name: spot for name, spot in self._planned.spots.items() if name in regions}
        return beside(spots, start, way)

    @on(events.Click, "#sky-map")
    def answer_place(self, event: events.Click) -> None:
        """Answer with the place that was clicked, as its key does."""
        event.stop()
        if place := at_cell(self._planned.spots, event.x, event.y):
            self.answer(place)


def ended_map(game: FracturedSkyView, columns: int, rows: int) -> Content | None:
    """Return the map of a finished game in `columns` cells; its regions as a table where a map would be of signs.

    None where even the table has no room.
    """
    picture = chart(replace(game, move=None))
    planned = plan(picture, columns, rows)
    if not (planned.in_words or planned.brief):
        planned, rows = roomy(picture, columns)
    if not (planned.in_words or planned.brief):
        table = overview_rows(game, columns, "")
        is_cut = any(row.cell_length > columns or "…" in row.plain for row in table)
        return None if is_cut else Content("\n").join(table)
    return Content("\n").join(map(drawn_line, drawn(picture, planned, columns, rows)))


def fitted(blocks: list[list[Content]], most: int, width: int) -> list[list[Content]]:
    """Return the blocks whole if they have `most` rows together, else each shortened to what it is worth."""
    if sum(map(len, blocks)) <= most:
        return blocks
    least = zip(blocks, MOST_OF_BLOCKS, strict=False)
    return [shortened(block, rows, width) for block, rows in least]


def shortened(rows: list[Content], most: int, width: int) -> list[Content]:
    """Return at most `most` rows; the last one ends in a mark if some are left out."""
    if len(rows) <= most or not most:
        return rows[:most]
    last = rows[most - 1].rstrip().truncate(width - 2, ellipsis=False)
    return [*rows[: most - 1], Content.assemble(last, (" …", "$quiet"))]


class WordsPart(ScreenPart, Static):
    """What to do by hand, the region under the cursor, the tray, and the AI's move or who explored and built what."""

    def __init__(self, cursor: MapCursor) -> None:
        super().__init__()
        self._cursor = cursor

    def draw(self, view: TableView) -> None:
        width = self.content_size.width
        if not width:
            return
        game = game_now(self, view)
        rows: list[Content] = []
        todo = by_hand_now(game)
        if todo:
            rows += labelled("By hand", [todo], LABEL_CELLS, width)
        blocks = [self._place(game, width)]
        if game.phase not in BEFORE_A_ROUND:
            blocks += self._round(game, width)
        if not self.roomy and game.move is None:
            blocks = fitted(blocks, max(MOST_ROWS, self.app.size.height - AROUND_WORDS), width)
        rows += [row for block in blocks for row in block]
        rows += box_rows(view, LABEL_CELLS, width, key_for_more(self.app))
        self.styles.max_height = None
        if self.roomy:
            rows_of_app = self.app.size.height
            most = TIGHT_ROWS if rows_of_app < AIRY else rows_of_app // 3
            self.styles.max_height = most
            rows = shortened(rows, most - EDGES, width)
        self.update(Content("\n").join(rows))

    @property
    def _in_rows(self) -> bool:
        """Whether each thing has a row of its own."""
        return self.roomy and self.app.size.height >= AIRY

    def _place(self, game: FracturedSkyView, width: int) -> list[Content]:
        """Return the region under the cursor, or the place that the prompt is about, in words."""
        text = place_text(game, self._cursor.described(game))
        if text is None:
            return []
        head = Content.styled(text.head, "bold $accent")
        if self._in_rows:
            entries = (row for entry in text.entries for row in entry.wrap(width))
            return [head, *entries, Content("")]
        return list((head + ": " + Content("; ").join(text.entries)).wrap(width))

    def _round(self, game: FracturedSkyView, width: int) -> list[list[Content]]:
        """Return the tray, and the AI's move and its reasons or what is built and who drew Explore cards."""
        cards = [with_owners(game, card) for card in tray(game)]
        if not self.roomy:
            on_tray = labelled("Tray", [Content("   ").join(cards)], LABEL_CELLS, width)
            if game.move is not None:
                moves = labelled("AI", move_lines(game, game.move), LABEL_CELLS, width)
                return [on_tray, moves]
            pieces, draws = with_owners(game, built(game)), with_owners(game, explored(game))
            buildings = labelled("Built", [pieces], LABEL_CELLS, width) if pieces else []
            return [on_tray, buildings, labelled("Explore", [draws], LABEL_CELLS, width)]
        rows = []
        if game.move is not None:
            rows += labelled("", move_lines(game, game.move), 0, width)
        if not self._in_rows:
            on_tray_too = Content.assemble(("Tray: ", "$quiet"), Content("; ").join(cards))
            return [[*rows, *labelled("", [on_tray_too], 0, width)]]
        draws = with_owners(game, f"Explore: {explored(game)}")
        return [[*rows, *labelled("", [*cards, draws], 0, width)]]
