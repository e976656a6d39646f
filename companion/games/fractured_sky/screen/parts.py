"""The parts of the main page: the map with the players beside it, and what is said of the tray and of the AIs."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from textual import events
from textual.app import ComposeResult
from textual.content import Content
from textual.message import Message

from companion.dashboard.game_screen import ScreenPart
from companion.dashboard.screens.page import key_for_more, keys_of
from companion.dashboard.tables import drawn_line
from companion.dashboard.widgets.labels import box_rows
from companion.dashboard.widgets.lines import NoticeLine
from companion.dashboard.widgets.static import Static
from companion.games.fractured_sky.rules.keys import PREFIX
from companion.games.fractured_sky.rules.picture import chart
from companion.games.fractured_sky.rules.signs import LEGEND
from companion.games.fractured_sky.rules.view import FracturedSkyView
from companion.games.fractured_sky.screen.moves import LABEL_CELLS, side_rows
from companion.games.fractured_sky.screen.players import are_in_words, player_rows
from companion.games.fractured_sky.screen.pointing import answer_with, beside
from companion.rules.charts import Spot, at_cell, drawn, plan
from companion.session.views import TableView

PLAYERS_CELLS = 28
WIDE_PLAYERS_CELLS = 38
LEAST_ROWS = 11
"""Rows of the map at 24 rows of the screen; below, the log keeps two."""
TALL = 32
"""Rows of a screen from which on there is room for margins, as in the style sheet."""
BELOW = 14
"""Rows that everything else on the page needs at least."""


class MapView(Static):
    """The map with its cursor; a click on a region answers with it."""

    class Clicked(Message):
        """Somebody pointed at something on the map."""

        def __init__(self, name: str) -> None:
            super().__init__()
            self.place = name

    def __init__(self) -> None:
        super().__init__(id="sky-map")
        self._spots: Mapping[str, Spot] = {}
        self.cursor = ""
        """The region under the cursor; nothing until an arrow key moves it."""

    def step(self, regions: Collection[str], way: str) -> None:
        """Move the cursor to the nearest of `regions` that way."""
        self.cursor = beside({name: spot for name, spot in self._spots.items() if name in regions}, self.cursor, way)

    def draw(self, game: FracturedSkyView, width: int, height: int) -> bool:
        """Draw the map in so many cells; return whether there is room for words, so that no sign is left to explain."""
        picture = chart(game, self.cursor)
        planned = plan(picture, width, height)
        self._spots = planned.spots
        self.update(Content("\n").join(map(drawn_line, drawn(picture, planned, width, height))))
        return planned.in_words

    def on_click(self, event: events.Click) -> None:
        """Tell what was pointed at."""
        name = at_cell(self._spots, event.x, event.y)
        if name:
            self.post_message(self.Clicked(name))


class MapPart(ScreenPart):
    """The map, the players, and the signs of the map where there is room to say them."""

    DEFAULT_CSS = """
    MapPart { layout: horizontal; padding: 0 1; }
    MapPart #sky-map { width: 1fr; height: 100%; text-wrap: nowrap; }
    MapPart #sky-players { width: auto; height: 100%; margin: 0 0 0 1; text-wrap: nowrap; }
    """

    def __init__(self) -> None:
        super().__init__(id="top")

    def compose(self) -> ComposeResult:
        yield MapView()
        yield Static(id="sky-players")

    def draw(self, view: TableView) -> None:
        game: FracturedSkyView = replace(view.game, keys=keys_of(self.app))
        width = self.size.width
        if not width:
            return
        cramped = self.screen.has_class("-cramped")
        height = (
            self.size.height if cramped else max(LEAST_ROWS, self.app.size.height - BELOW - self.app.size.height // 4)
        )
        beside = WIDE_PLAYERS_CELLS if self.app.size.width >= 110 else PLAYERS_CELLS
        short = self.app.size.height < TALL
        self.styles.height = "1fr" if cramped else height
        self.styles.margin = (0 if short else 1, 0, 0, 0)
        in_words = self.query_one(MapView).draw(game, width - beside - 1, height)
        rows = player_rows(game, beside, height)
        if not (in_words and are_in_words(game, beside, height)):
            rows += [Content("")] * (height - len(rows) > len(LEGEND))
            rows += [Content.assemble((line, "$quiet")) for line in LEGEND]
        self.query_one("#sky-players", Static).update(Content("\n").join(row.pad_right(0) for row in rows))
        self.query_one("#sky-players", Static).styles.width = beside

    def on_map_view_clicked(self, event: MapView.Clicked) -> None:
        """Answer with what was pointed at, as its key does."""
        event.stop()
        self._answer(event.place)

    def perform(self, action_id: str) -> None:
        """Move the cursor, or answer with the region under it."""
        what, _, way = action_id.removeprefix(PREFIX).partition(".")
        if self.shown is not None and what == "move":
            self.query_one(MapView).step(self.shown.game.table.board.ids, way)
            self.fill()
        elif what == "here":
            self._answer(self.query_one(MapView).cursor)

    def _answer(self, place: str) -> None:
        """Answer with a region or a platform; say what is awaited where none is asked for."""
        if self.shown is None:
            return
        game: FracturedSkyView = replace(self.shown.game, keys=keys_of(self.app))
        number = answer_with(game, place)
        if number is not None:
            self.call_later(self.app.run_action, f"app.perform('{PREFIX}answer.{number}')")
        elif place:
            text = "That place answers nothing now. Answer what is asked first."
            self.screen.query_one(NoticeLine).refuse(text, self.shown)
        else:
            self.screen.query_one(NoticeLine).refuse(
                "The cursor is nowhere yet. Press an arrow key to show it.", self.shown
            )


class FracturedSkySide(ScreenPart, Static):
    """The tray, and the AI's move with how it was decided."""

    def __init__(self) -> None:
        super().__init__(id="side")

    def draw(self, view: TableView) -> None:
        width = self.content_size.width
        if width:
            self.styles.margin = (0, 0, 0 if self.app.size.height < TALL else 1, 0)
            game = replace(view.game, keys=keys_of(self.app))
            rows = [*side_rows(game, width), *box_rows(view, LABEL_CELLS, width, key_for_more(self.app))]
            self.update(Content("\n").join(rows))
