"""What a game contributes to the dashboard: header text, two parts of the main screen, statistics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Self, cast

from textual.app import ComposeResult
from textual.content import Content
from textual.screen import Screen
from textual.widget import Widget

from companion.dashboard.registry import first_key
from companion.dashboard.source import TableLike
from companion.dashboard.themes import seat_style
from companion.dashboard.widgets.cards import (
    CardRow,
    Keys,
    PlayerText,
    has_room_for_cards,
    key_texts,
)
from companion.dashboard.widgets.page import is_roomy, keys_of
from companion.dashboard.widgets.seats import columns
from companion.dashboard.widgets.static import Static
from companion.dashboard.widgets.tables import table_rows
from companion.display.panels import SeatLine, panels_of, title_of
from companion.display.tables import Shown
from companion.rules.actions import OWN_KEYS, Action, KeyMap, with_keys
from companion.rules.columns import width as cells_of
from companion.rules.facts import Moment
from companion.rules.game import beside_scores
from companion.rules.registry import part_of
from companion.session.game_watch import GameStopped, aborted_as_stopped
from companion.session.views import TableView

if TYPE_CHECKING:
    from companion.dashboard.table_app import TableApp


MANY_ROWS = 1_000  # more than any part needs: before the first layout there is no limit
LEAVING = "-leaving"  # the class of a part that is being replaced


_NOTHING = object()  # no view; None is one, that of a game without panels


class ScreenPart(Widget):
    """A part of the main screen that shows a view."""

    shown: TableView | None = None
    """The latest view."""
    _hung_on: object = _NOTHING  # the game's view that it hung on; it is not drawn again

    def placed(self, place: str) -> Self:
        """Return this part with the id that the style sheet places it by, unless it has one of its
        own."""
        if self.id is None:
            self.id = place
        return self

    def perform(self, action_id: str) -> None:
        """Do one of the game screen's `actions` if it is this part's; ignore others."""

    def enter(self, kind: str, body: Mapping[str, Any]) -> None:
        """Record a fact that was entered on this part."""
        cast("TableApp", self.app).at_table.enter(kind, body)

    def on_mount(self) -> None:
        """Redraw when the theme changes: some styles depend on its colors."""
        self.app.theme_changed_signal.subscribe(self, lambda _: self.fill())

    def on_resize(self) -> None:
        self.fill()

    def show(self, view: TableView) -> None:
        """Show `view`; called on every change, in the screen's thread."""
        self.shown = view
        self.fill()

    def fill(self) -> None:
        """Draw the latest view in the present size; not while closing, when children go first."""
        if not self.is_mounted or not self.app.is_running or self.has_class(LEAVING):
            return
        if self.shown is None or self.shown.game is self._hung_on:
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
        """Draw the view; repeated for a new size or theme."""
        raise NotImplementedError

    def works(self, action: Action) -> bool:
        """Return whether the action's keys would be accepted now."""
        screen = cast("TableApp", self.app).at_table.game_screen
        return self.shown is not None and screen.works(action, self.shown)

    @property
    def rows_left(self) -> int:
        """Rows that the part above the log may take so that some log remains.

        Before the first layout this is more than any part needs.
        """
        rows: int = getattr(self.screen, "top_rows", MANY_ROWS)
        return rows

    @property
    def roomy(self) -> bool:
        return is_roomy(self.screen)


PlayerActions = Mapping[int, tuple[tuple[Action, str], ...]]
"""The actions of one player alone, each with what it does, by the player's place from 1."""
_BAR = "  │ "
"""Between what is known of a player and the player's keys, in a row."""
_GAP = "  "
"""Between two keys."""


class SeatScores(ScreenPart):
    """The seats with their scores, for a game that brings no screen of its own.

    A card each where there is room, else a row each; side by side where they are too many for rows of their own.
    `own` are the actions whose keys are shown with their players.
    """

    def __init__(self, own: PlayerActions | None = None) -> None:
        super().__init__()
        self._own = own or {}

    def compose(self) -> ComposeResult:
        yield Static(id="score-rows")
        yield CardRow(id="score-cards")

    def on_resize(self) -> None:
        """Redraw for the new size once the cards have theirs."""
        self.call_after_refresh(self.fill)

    def draw(self, view: TableView) -> None:
        rows, cards = self.query_one("#score-rows", Static), self.query_one(CardRow)
        lines, width = view.players, self.content_size.width
        if all(line.turn for line in lines):  # of everybody it says nothing
            lines = tuple(replace(line, turn=False) for line in lines)
        with_cards = self.roomy and has_room_for_cards(len(lines), width, self.rows_left)
        rows.display, cards.display = not with_cards, with_cards
        places = {seat.id: place for place, seat in enumerate(view.setup.by_column, start=1)}
        keys = [self._keys(places.get(line.id, 0)) for line in lines]
        if with_cards:
            unit = panels_of(view.setup.game).unit
            texts = [PlayerText.of(line, unit, own) for line, own in zip(lines, keys, strict=True)]
            cards.show(texts, self.rows_left)
        else:
            rows.update(self._rows(lines, keys, width))

    def _keys(self, place: int) -> Keys:
        return tuple(
            (first_key(action) if self.works(action) else "", does)
            for action, does in self._own.get(place, ())
        )

    def _rows(self, lines: Sequence[SeatLine], keys: Sequence[Keys], width: int) -> Content:
        if len(lines) > self.rows_left and width:
            return columns(lines, width, self.rows_left)
        name_cells = max((cells_of(line.name) for line in lines), default=0)
        score_cells = max((len(line.score) for line in lines), default=0)
        rows = [_seat_line(line, name_cells, score_cells) for line in lines]
        return Content("\n").join(_beside_keys(rows, keys, width, self.rows_left))


def _beside_keys(
    rows: Sequence[Content], keys: Sequence[Keys], width: int, most: int
) -> Sequence[Content]:
    """Return the rows with each player's keys at the right; below the player if that is too wide.

    Without room for twice as many rows, the ends of the rows make room for the keys.
    """
    if not any(keys):
        return rows
    pressed = []
    for own in keys:
        bar = _BAR if any(key for key, _ in own) else " " * len(_BAR)
        pressed.append(Content.assemble((bar, "$quiet"), Content(_GAP).join(key_texts(own))))
    cells = max(row.cell_length for row in rows)
    room = width - max(text.cell_length for text in pressed)
    if cells > room and 2 * len(rows) <= most:
        return [Content("\n").join(lines) for lines in zip(rows, pressed, strict=True)]
    least = min(cells, room)
    return [
        row.truncate(least, ellipsis=True, pad=True) + text
        for row, text in zip(rows, pressed, strict=True)
    ]


def _seat_line(line: SeatLine, name_cells: int, score_cells: int) -> Content:
    padding = " " * (name_cells - cells_of(line.name))
    name = (f"{line.glyph} {line.name}{padding}", seat_style(line.color))
    score = (f"  {line.score:>{score_cells}}", "bold")
    notes = [note for note in ("turn" if line.turn else "", line.note, *line.words) if note]
    if not notes:
        return Content.assemble(name, score)
    return Content.assemble(name, score, (f"  {', '.join(notes)}", "$quiet"))


class Summary(ScreenPart, Static):
    """How the game stands, in its own plain lines; the scores stand beside the names, and where it is in the header.

    Where there is room for panels, its tables too. It is absent if there is nothing to say.
    """

    def draw(self, view: TableView) -> None:
        rows = [Content(with_keys(line, keys_of(self.app))) for line in self.lines(view)]
        # a part that is absent has no width: it gets one as soon as it has something to say
        width = self.content_size.width or self.screen.size.width // 3
        if self.roomy and width:
            rows += [Content("")] if rows else []
            most = (self.content_size.height or MANY_ROWS) - len(rows)
            rows += self.more(view, width, max(1, most))
        self.display = bool(rows)
        self.update(Content("\n").join(rows))

    def lines(self, view: TableView) -> list[str]:
        """Return the lines that every screen has, with markers for keys."""
        where = panels_of(view.setup.game).stands(view.game, abandoned=view.abandoned)
        summary = beside_scores(view.summary(), view.setup, view.standings)
        return [line for line in summary if line != where]

    def more(self, view: TableView, width: int, _most: int) -> list[Content]:
        """Return what comes below where there is room for panels, in about `_most` rows if it is to
        be seen whole."""
        return list(table_rows(panels_of(view.setup.game).tables(view.game), width))


class GameScreen:
    """The default screen of a game: what its rules show to the whole table.

    It contains nothing that one seat alone may know. A game's own screen overrides parts of it.
    """

    counts_from: ClassVar[frozenset[str]] = frozenset()
    """The kinds of facts from which times are counted, such as *fire!* of a round."""
    steps: ClassVar[Mapping[str, frozenset[str]]] = {}
    """Kind of fact -> the kinds of facts before it whose lines its own line makes superfluous: once
    it is said who shot whom, nobody needs to read that the gun fired. The page of the log has all."""
    since: ClassVar[str] = "since fire!"
    """What the header's clock counts from, in words."""
    side_title: ClassVar[str] = "Overview"
    """The title of the panel that `side` has where there is room for panels."""
    aside_title: ClassVar[str] = "Overview"
    """The title of the panel that `aside` has there."""
    stacked: ClassVar[bool] = False
    """Whether `side` is above the log, in full width, on a wide screen, too."""
    dense: ClassVar[bool] = False
    """Whether a short screen has no empty lines around the prompt and above the log, to show more
    log."""

    signs: ClassVar[tuple[tuple[str, str], ...]] = ()
    """The signs on its screens with their meanings, for the page of keys."""

    built_title: ClassVar[str] = "The game"
    """The title of the panel that `built` has on the page of a finished game."""

    has_counters: ClassVar[bool] = False
    """Whether a player's words are counters, such as `points taken 13`. The big page shows the last
    of them in large letters."""

    shown_only: ClassVar[frozenset[str]] = frozenset()
    """The ids of those `actions` that only show something."""

    in_footer: ClassVar[frozenset[str]] = frozenset()
    """The ids of actions of the dashboard that the footer of this game shows, too."""

    spare_in_footer: ClassVar[frozenset[str]] = frozenset()
    """The ids of actions that the footer omits if it would need a second row for them."""

    enters: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """The ids of those `actions` that open a form, with the kinds of facts that it enters: in plain
    lines these facts are typed."""

    only_on_screen: ClassVar[Mapping[str, str]] = {}
    """The ids of those `actions` that plain lines cannot have, or prefixes of such ids, with why."""

    keys: KeyMap = OWN_KEYS
    """Action id -> keys assigned by a person; set by the app that shows this screen."""

    def title(self, view: TableView) -> str:
        """Return the name of the game, for the header."""
        return title_of(view.setup.game, view.game)

    def where(self, view: TableView) -> str:
        """Return the state of the game in a few words, for the header."""
        return panels_of(view.setup.game).stands(view.game, abandoned=view.abandoned)

    def latest(self, _game: Any) -> Moment | None:
        """Return the last known moment of the game, for a lower bound of a resumed round's time."""
        return None

    def alike(self, line: str) -> str:
        """Return the part of a line of the log that makes it equal to the one before it: the running
        log shows equal lines as one, with their number and the text of the newest."""
        return line

    def top(self, _actions: tuple[Action, ...]) -> ScreenPart:
        """Return the part above the prompt."""
        return SeatScores()

    def side(self) -> ScreenPart:
        """Return the part beside the log, or above it on a narrow screen."""
        return Summary()

    def aside(self) -> ScreenPart | None:
        """Return a part right above the log, beside `side`; None for a game without one."""
        return None

    def tables(self, view: TableView) -> tuple[Shown, ...]:
        """Return what the page of statistics shows; without tables, the game's plain lines."""
        return panels_of(view.setup.game).tables_or(view.game, view.summary)

    def built(self, _view: TableView, _columns: int, _rows: int) -> Content | None:
        """Return what was built or done in a finished game, for a panel of its last page.

        It is at most `columns` wide; if it has more than `rows` rows, the page scrolls. None: there
        is nothing to show, or no room for it. An ended game may still have secrets, if it was ended
        early: the panel is for everybody.
        """
        return None

    def signal(self, view: TableView) -> str:
        """Return what the big page shows above the players in place of the clock, such as `GO`."""
        return panels_of(view.setup.game).signal(view.game)

    def actions(self) -> tuple[Action, ...]:
        """Return the screens' own actions: each opens a form, or is done by a part of the page."""
        return ()

    def form(self, _action_id: str, _table: TableLike) -> Screen[None] | None:
        """Return the form that one of `actions` opens, None if a part of the main page does it.

        Raises `Refused` if the action is not possible now.
        """
        return None

    def lines(self, _action_id: str, _view: TableView, _columns: int) -> Iterable[str]:
        """Return what one of `shown_only` shows, in plain lines."""
        return ()

    def shows_key(self, _action: Action) -> bool:
        """Return whether the main page shows the action's key elsewhere, so that the footer can
        omit it."""
        return False

    def means(self, _action: Action, _game: Any) -> bool:
        """Return whether one of `actions` can mean anything now; the footer omits others."""
        return True

    def works(self, action: Action, view: TableView) -> bool:
        """Return whether the keys of an action would be accepted now.

        A game that was ended early accepts nothing, whatever it still seems to wait for, except
        those `actions` that only show something.
        """
        own = {of_game.id for of_game in self.actions()}
        if view.abandoned and action.id in own and action.id not in self.shown_only:
            return False
        return self.means(action, view.game) and view.works(action.id)


def game_screen_of(game: str) -> GameScreen:
    """Return the screen of the game with the id `game`."""
    game_screen: GameScreen = (part_of(game, "screen") or GameScreen)()
    return game_screen
