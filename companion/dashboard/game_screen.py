"""What a game brings to the dashboard: the words of the header, two parts of the main screen and its statistics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self, cast

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Digits

from companion.dashboard.source import TableLike
from companion.dashboard.themes import seat_style
from companion.dashboard.widgets.page import is_roomy, keys_of
from companion.dashboard.widgets.seats import columns
from companion.dashboard.widgets.static import Static
from companion.dashboard.widgets.tables import table_rows
from companion.display.panels import SeatLine, panels_of
from companion.display.tables import Shown
from companion.rules.actions import OWN_KEYS, Action, KeyMap, with_keys
from companion.rules.columns import width as cells_of
from companion.rules.facts import Moment
from companion.rules.game import beside_scores
from companion.rules.registry import GAMES, part_of
from companion.session.game_watch import GameStopped, aborted_as_stopped
from companion.session.views import TableView

if TYPE_CHECKING:
    from companion.dashboard.table_app import TableApp


MANY_ROWS = 1_000
LEAVING = "-leaving"  # marks a part whose place another one takes


_NOTHING = object()  # no view, while None is one: that of a game without panels


class ScreenPart(Widget):
    """A part of the main screen that can show a view."""

    shown: TableView | None = None
    """The view that it was given last."""
    _hung_on: object = _NOTHING  # the game's own view that it did not come back with, and is not asked to draw again

    def placed(self, place: str) -> Self:
        """Return this part with the id by which the style sheet knows its place, unless it has one of its own."""
        if self.id is None:
            self.id = place
        return self

    def perform(self, action_id: str) -> None:
        """Do one of the game screen's `actions` that is this part's; leave those that are not."""

    def enter(self, kind: str, body: Mapping[str, Any]) -> None:
        """Give the table a fact that was entered on this part."""
        cast("TableApp", self.app).at_table.enter(kind, body)

    def on_mount(self) -> None:
        """Follow a change of the theme: some styles are set in its colors."""
        self.app.theme_changed_signal.subscribe(self, lambda _: self.fill())

    def on_resize(self) -> None:
        self.fill()

    def show(self, view: TableView) -> None:
        """Show `view`; called on every change, in the thread of the screen."""
        self.shown = view
        self.fill()

    def fill(self) -> None:
        """Show the last view, if there is one, in the size that there is; nothing on the way out: what it is made of
        goes first."""
        if (
            self.shown is None
            or not self.is_mounted
            or not self.app.is_running
            or self.has_class(LEAVING)
        ):
            return
        if self.shown.game is self._hung_on:
            return
        try:
            with aborted_as_stopped():
                self.draw(self.shown)
        except GameStopped as stopped:
            self._hung_on = self.shown.game
            cast("TableApp", self.app).at_table.refuse(
                f"{stopped} It was stopped: its part of the screen is old."
            )

    def draw(self, view: TableView) -> None:
        """Put the view on the screen; done anew in a new size, and in the colors of a new theme."""
        raise NotImplementedError

    @property
    def rows_left(self) -> int:
        """Rows that the part above the log may take and leave some of that; more than any part needs before the screen
        has been laid out once."""
        rows: int = getattr(self.screen, "top_rows", MANY_ROWS)
        return rows

    @property
    def roomy(self) -> bool:
        return is_roomy(self.screen)


LEAST_CARD = 18
"""Cells of the narrowest card that has room for a large score and a name."""
CARD_ROWS = 7
"""Rows of a card: its border, a large score, and two rows of what else is known."""
DIGITS = frozenset("0123456789+-")
"""What a score is made of where it is drawn in large digits."""


class SeatScores(ScreenPart):
    """The seats with their scores, for a game that brings no screen of its own.

    A card each where there is room, else a row each; side by side where they are too many for rows of their own.
    """

    def compose(self) -> ComposeResult:
        yield Static(id="score-rows")
        yield Horizontal(id="score-cards")

    def draw(self, view: TableView) -> None:
        rows, cards = self.query_one("#score-rows", Static), self.query_one("#score-cards")
        lines, width = view.players, self.content_size.width
        with_cards = self._has_room_for_cards(len(lines), width)
        rows.display, cards.display = not with_cards, with_cards
        if with_cards:
            self._draw_cards(cards, lines)
        else:
            rows.update(self._rows(lines, width))

    def _has_room_for_cards(self, players: int, width: int) -> bool:
        if not self.roomy or not players:
            return False
        return width // players >= LEAST_CARD and self.rows_left >= CARD_ROWS

    def _rows(self, lines: Sequence[SeatLine], width: int) -> Content:
        if len(lines) > self.rows_left and width:
            return columns(lines, width, self.rows_left)
        name_cells = max((cells_of(line.name) for line in lines), default=0)
        score_cells = max((len(line.score) for line in lines), default=0)
        return Content("\n").join(_seat_line(line, name_cells, score_cells) for line in lines)

    def _draw_cards(self, place: Widget, lines: Sequence[SeatLine]) -> None:
        cards = list(place.query(PlayerCard))
        for _ in lines[len(cards) :]:
            card = PlayerCard()
            place.mount(card)
            cards.append(card)
        for card in cards[len(lines) :]:
            card.remove()
        for card, line in zip(cards, lines, strict=False):
            card.show_line(line)


class PlayerCard(Vertical):
    """One player: the name in the border, the score in large digits, what else is known below it."""

    def __init__(self) -> None:
        super().__init__(classes="player-card")
        self._line: SeatLine | None = None

    def compose(self) -> ComposeResult:
        yield Digits(classes="score")
        yield Static(classes="words")

    def on_mount(self) -> None:
        if self._line is not None:
            self.show_line(self._line)

    def show_line(self, line: SeatLine) -> None:
        """Show a player now, or once the card is in its place."""
        self._line = line
        if not self.children:
            return
        style = "$quiet" if line.idle else seat_style(line.color)
        ink = self.app.theme_variables.get(style.removeprefix("$"), style)
        self.styles.border = ("heavy" if line.turn else "round", ink)
        self.border_title = f"{line.glyph} {line.name}"
        self.border_subtitle = "turn" if line.turn else line.note
        digits, words = self.query_one(Digits), self.query_one(".words", Static)
        is_number = bool(line.score) and set(line.score) <= DIGITS
        digits.display = is_number
        if is_number:
            digits.update(line.score)
        rows = [*([] if is_number else [line.score]), ", ".join(line.words)]
        said = "\n".join(filter(None, rows))
        words.update(Content.styled(said, "$quiet" if line.idle else ""))


def _seat_line(line: SeatLine, name_cells: int, score_cells: int) -> Content:
    words = ", ".join(filter(None, ("turn" if line.turn else "", line.note, *line.words)))
    name = (
        f"{line.glyph} {line.name}{' ' * (name_cells - cells_of(line.name))}",
        seat_style(line.color),
    )
    return Content.assemble(
        name, (f"  {line.score:>{score_cells}}", "bold"), (f"  {words}" if words else "", "$quiet")
    )


class Summary(ScreenPart, Static):
    """How the game stands, in its own plain lines; the scores stand beside the names, and where it is in the header.

    Where there is room for panels, its tables too.
    """

    def draw(self, view: TableView) -> None:
        panels = panels_of(view.setup.game)
        where = panels.stands(view.game, abandoned=view.abandoned)
        rows = []
        for line in beside_scores(view.summary(), view.setup, view.standings):
            if line != where:
                rows.append(Content(with_keys(line, keys_of(self.app))))
        width = self.content_size.width
        if self.roomy and width:
            rows += [Content("")] if rows else []
            rows += table_rows(panels.tables(view.game), width)
        self.update(Content("\n").join(rows))


class GameScreen:
    """The screen of a game that brings none: what its rules say of it to the whole table, and nothing that one seat
    alone may know. A game's own screen overrides what it can say better."""

    counts_from: ClassVar[frozenset[str]] = frozenset()
    """The kinds of facts from which times are counted on, such as *fire!* of a round."""
    since: ClassVar[str] = "since fire!"
    """What the header's clock counts from, in words."""
    side_title: ClassVar[str] = "How it stands"
    """The title of the panel that `side` has where there is room for panels."""
    stacked: ClassVar[bool] = False
    """Whether `side` stands above the log on a wide screen too, and so has all of its width."""
    dense: ClassVar[bool] = False
    """Whether a short screen has no empty lines around what is awaited and above the log: more of the log is seen."""

    signs: ClassVar[tuple[tuple[str, str], ...]] = ()
    """What its screens say with signs instead of words, each with what it stands for, for the page of keys."""

    shown_only: ClassVar[frozenset[str]] = frozenset()
    """The ids of those of `actions` that change nothing: they show something."""

    keys: KeyMap = OWN_KEYS
    """Action id -> the keys that a person gave it; put in by the app that shows this screen."""

    def title(self, view: TableView) -> str:
        """Return the name of the game, for the header."""
        info = GAMES.get(view.setup.game)
        return view.setup.game if info is None else info.title

    def where(self, view: TableView) -> str:
        """Return where the game stands in a few words, for the header."""
        return panels_of(view.setup.game).stands(view.game, abandoned=view.abandoned)

    def latest(self, _game: Any) -> Moment | None:
        """Return the last known moment of the game; it tells the clock how far a resumed round is at least."""
        return None

    def top(self, _actions: tuple[Action, ...]) -> ScreenPart:
        """Return the part above the line that says what is awaited."""
        return SeatScores()

    def side(self) -> ScreenPart:
        """Return the part beside the log (below it on a narrow screen, above the log)."""
        return Summary()

    def tables(self, view: TableView) -> tuple[Shown, ...]:
        """Return what the page of statistics shows; of a game without tables, how it stands in plain lines."""
        return panels_of(view.setup.game).tables_or(view.game, view.summary)

    def actions(self) -> tuple[Action, ...]:
        """Return what the game's screens add to the keyboard: each opens a form, or is done by a part of the page."""
        return ()

    def form(self, _action_id: str, _table: TableLike) -> Screen[None] | None:
        """Return the form that one of `actions` opens; None: a part of the main page does it. Raise `Refused` when it
        means nothing now."""
        return None

    def shows_key(self, _action: Action) -> bool:
        """Return whether the main page shows the action's key elsewhere, so that the footer need not."""
        return False

    def means(self, _action: Action, _game: Any) -> bool:
        """Return whether one of `actions` can mean something as the game stands; the footer leaves others out."""
        return True

    def works(self, action: Action, view: TableView) -> bool:
        """Return whether the keys of an action would not be refused now. A game that was ended early takes nothing any
        more, whatever it still seems to wait for: then those of `actions` are left that only show something."""
        own = any(action.id == each.id for each in self.actions())
        if own and view.abandoned and action.id not in self.shown_only:
            return False
        return self.means(action, view.game) and view.works(action.id)


def game_screen_of(game: str) -> GameScreen:
    """Return the screen of the game with the id `game`."""
    game_screen: GameScreen = (part_of(game, "screen") or GameScreen)()
    return game_screen
