"""The page that opens by itself when a game is over; every key of the table still works, undo among them, and what
would change the game is asked about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from textual.app import ComposeResult
from textual.binding import Binding, BindingsMap
from textual.content import Content

from companion.dashboard.registry import AT_THE_END, BACK, BG_STATS, PHONES, QUIT, REMATCH
from companion.dashboard.screens.big import HEIGHT, can_draw, drawn, largest, width
from companion.dashboard.textual.private_textual import bind_keys
from companion.dashboard.themes import seat_style
from companion.dashboard.widgets.page import AROUND, MARGIN, TextPage, keys_of, run_in_background
from companion.dashboard.widgets.plots import SEVERAL, score_plot
from companion.dashboard.widgets.static import GAP, Static, key_line
from companion.display.panels import SeatLine, panels_of
from companion.rules.actions import Action, remapped
from companion.rules.ending import ScoresAfter, TimesAtEnd, places_of
from companion.rules.outcome import Ending
from companion.rules.registry import GAMES
from companion.session.key_meanings import UNDO
from companion.session.score_history import ScoreHistory
from companion.session.views import TableView

BESIDE = 72  # columns from which the chart stands beside the table
NAME = 20  # cells that a name takes at most
FEW_ROWS = 14  # rows below which there are no large letters


@dataclass(frozen=True, slots=True)
class GameOver:
    """A game that is over: the players with their scores, what the scores count, who left, and how these came about for
    a game that does not say it round by round."""

    ending: Ending
    players: tuple[SeatLine, ...]
    unit: str
    left: frozenset[str] = frozenset()
    history: ScoreHistory = ()


def game_over_rows(over: GameOver, answer: str, columns: int, rows: int) -> list[Content]:
    """Return the winner's name as large as it fits, what happened and what decided it, the `answer` to the last key,
    then the final table and the chart, or all times of a timed game."""
    ending = over.ending
    answers = [line for each in answer.splitlines() for line in Content(each).wrap(columns)]
    said = Content.assemble((ending.headline, "bold"))
    told = [
        *said.wrap(columns),
        *(Content(ending.decided).wrap(columns) if ending.decided else ()),
        *answers,
    ]
    letters = _letters(over, columns, rows - len(told))
    top = [*letters, *told, Content("")]
    return [*top, *_below(over, columns, rows - len(top))]


def _letters(over: GameOver, columns: int, rows: int) -> list[Content]:
    """The names of the winners, side by side; nothing where these cannot be drawn, or have no room."""
    winners = [player for player in over.players if player.id in over.ending.winners]
    names = [player.name.upper() for player in winners] or ["NO WINNER"]
    text = " + ".join(names)
    if rows < FEW_ROWS or not can_draw(text):
        return []
    across, down = largest([text], columns, max(HEIGHT, rows // 4))
    if width(text, across) > columns:
        return []
    styles = [seat_style(player.color) for player in winners] or ["$quiet"]
    parts = [
        [(row, style) for row in drawn(name, across, down)]
        for name, style in zip(names, styles, strict=True)
    ]
    plus = drawn(" + ", across, down)
    gaps = [Content.assemble((row, "$quiet")) for row in plus]
    return [
        *(gap.join(map(Content.assemble, row)) for gap, *row in zip(gaps, *parts, strict=True)),
        Content(""),
    ]


def _below(over: GameOver, columns: int, rows: int) -> list[Content]:
    if columns < BESIDE:
        table = [*_table(over, columns), *_revealed(over)]
        beside = (
            _chart(over, columns, 8)
            if over.ending.times is None
            else _each_time(over, over.ending.times, columns)
        )
        return [*table, Content(""), *beside]
    table = [*_table(over, columns * 3 // 5), *_revealed(over)]
    across = max(row.cell_length for row in table)
    room = columns - across - len(GAP)
    if over.ending.times is None:
        chart = _chart(over, room, max(4, min(12, rows - 3)))
    else:
        chart = _each_time(over, over.ending.times, room)
    blank = Content(" " * across)
    pairs = zip_longest(
        (row.pad_right(across - row.cell_length) for row in table), chart, fillvalue=None
    )
    return [Content(GAP).join((left or blank, right or Content(""))) for left, right in pairs]


def _table(over: GameOver, columns: int) -> list[Content]:
    """The players by their scores, those who share a place with one number and nobody in a place where nobody has won,
    with what each round brought them where there is room."""
    ranked = _ranked(over)
    gains = _gains(over.ending.after, [player.id for player, _ in ranked])
    times = over.ending.times
    heads = (over.unit, *(name for name, _ in over.ending.after)) if times is None else times.heads
    grid = [("", *heads, "")]
    for player, place in ranked:
        word = (
            "winner"
            if player.id in over.ending.winners
            else "left"
            if player.id in over.left
            else ""
        )
        cells = (player.score, *gains[player.id]) if times is None else times.rows[player.id]
        grid.append((f"{place}." if over.ending.winners else "", *cells, word))
    called = (
        Content.assemble((f"{player.glyph} {player.name}", seat_style(player.color)))
        for player, _ in ranked
    )
    names = [Content(""), *(name.truncate(NAME, ellipsis=True) for name in called)]
    table = _aligned(grid, names)
    return (
        table
        if table[0].cell_length <= columns
        else _aligned([(*row[:2], row[-1]) for row in grid], names)
    )


def _revealed(over: GameOver) -> list[Content]:
    """What the end brought to light, by the players' glyphs: `▲ Nest red 20, Tree blue 12`."""
    rows = [
        Content.assemble(
            (f"{player.glyph} ", seat_style(player.color)), over.ending.revealed[player.id]
        )
        for player, _ in _ranked(over)
        if player.id in over.ending.revealed
    ]
    return [Content(""), *rows] if rows else []


def _each_time(over: GameOver, times: TimesAtEnd, columns: int) -> list[Content]:
    """All times of each player in order, by the players' glyphs: `▲ 0.231, 0.219, false start`."""
    rows = [Content.assemble(("all times, seconds", "$quiet"))]
    for player, _ in _ranked(over):
        glyph = Content.assemble((f"{player.glyph} ", seat_style(player.color)))
        wrapped = Content(times.all_times[player.id]).wrap(columns - glyph.cell_length)
        first, *later = wrapped or [Content("")]
        rows += [glyph + first, *(Content(" " * glyph.cell_length) + line for line in later)]
    return rows


def _ranked(over: GameOver) -> list[tuple[SeatLine, int]]:
    """The players with their places, who left last. Scores say nothing where nobody has won."""
    by_id = {player.id: player for player in over.players}
    scores = {player.id: _score(player) if over.ending.winners else None for player in over.players}
    places = places_of(
        over.ending.winners, scores, lowest_wins=over.ending.lowest_wins, last=over.left
    )
    return [(by_id[player], place) for player, place in places.items()]


def _score(player: SeatLine) -> int | None:
    return int(player.score) if player.score.lstrip("-").isdecimal() else None


def _gains(after: ScoresAfter, players: Sequence[str]) -> dict[str, list[str]]:
    """What each round brought each player; a dot for nothing."""
    rows: dict[str, list[str]] = {player: [] for player in players}
    before: Mapping[str, int] = {}
    for _, scores in after:
        for player, row in rows.items():
            gain = scores.get(player, 0) - before.get(player, 0)
            row.append(f"{gain:+d}" if gain else ".")
        before = scores
    return rows


def _aligned(grid: Sequence[tuple[str, ...]], names: Sequence[Content]) -> list[Content]:
    """The rows of a table: place, name, score in bold, the other cells, all to the right but the name and the word."""
    widths = [max(map(len, column)) for column in zip(*grid, strict=True)]
    name = max(each.cell_length for each in names)
    rows = []
    for each, (place, score, *gains, word) in zip(names, grid, strict=True):
        more = "".join(f"  {gain:>{cells}}" for gain, cells in zip(gains, widths[2:], strict=False))
        padded = each.pad_right(name - each.cell_length)
        style = "bold" if each.cell_length else "$quiet"
        last = f"  {word:<{widths[-1]}}" if widths[-1] else ""
        shown = (
            (f"{place:>{widths[0]}} ", "$quiet"),
            padded,
            (f"  {score:>{widths[1]}}", style),
            (more, "$quiet"),
            last,
        )
        rows.append(Content.assemble(*shown))
    return rows


def _chart(over: GameOver, columns: int, rows: int) -> list[Content]:
    """The scores round by round, or fact by fact for a game that does not say them so. The table tells the glyphs."""
    if len(over.ending.after) > 1:
        plot = score_plot(over.ending.after, over.players, columns, "round", rows, named=True)
    else:
        by_fact = tuple((str(step.number), step.scores) for step in over.history)
        plot = score_plot(by_fact, over.players, columns, height=rows)
    plot = plot[:-1]
    several = any(SEVERAL in row.plain for row in plot)
    return [*plot, Content.assemble((f"{SEVERAL} several", "$quiet"))] if several else plot


HELD_S = 1.0  # seconds for which the keys of a page that opens by itself do nothing: they were meant for the game
JUST_OVER = "The game is only just over, so that key did nothing. Press it again."
BUSY = "The key before is still being answered. Press it again."


class GameOverPage(TextPage):
    """Who won and why, the final table, the chart, and what can be done now, but for keys before `held_until_s`."""

    CLOSE = ""
    QUESTIONS_ONLY = True

    def __init__(self, held_until_s: float) -> None:
        super().__init__()
        self._held_until_s = held_until_s
        self._answer = ""
        self._asked = False
        self._history: ScoreHistory = ()

    def compose(self) -> ComposeResult:
        """Lay out the page; its own keys go before those of the app."""
        own = remapped(AT_THE_END, keys_of(self.app))
        keys = (
            Binding(key, f"app.perform({each.id!r})", each.label, show=False)
            for each in own
            for key in each.keys
        )
        bind_keys(self, BindingsMap(keys))
        yield from super().compose()

    def on_mount(self) -> None:
        """Show how the scores came about once that is read, for a game that does not say it."""
        ending = self.now().ending
        if ending is not None and ending.times is None and len(ending.after) < 2:
            run_in_background(self, self.at.table.inspection.score_history, self._take_history)

    def _take_history(self, history: ScoreHistory) -> None:
        self._history = history
        self.show_now()

    def show_body(self, view: TableView) -> None:
        if view.ending is None:
            return
        super().show_body(view)
        where = "ended early" if view.abandoned else "the game is over"
        self.query_one("#where", Static).update(
            Content(f"{self.at.game_screen.title(view)}   {where}")
        )
        self.query_one("#close", Static).update(key_line(self._keys(view)))

    def _keys(self, view: TableView) -> list[Action]:
        """What a key does something for now: the page's own, undo, the way back and the way out."""
        offered = [
            each for each in remapped(AT_THE_END, keys_of(self.app)) if self._offered(each.id, view)
        ]
        known = {action.id: action for action in getattr(self.app, "actions", ())}
        ways = [(UNDO.id, "undo")] if view.undo else []
        ways += [(BACK.id, "table"), (QUIT.id, "leave")]
        return [
            *offered,
            *(replace(known[each], label=label) for each, label in ways if each in known),
        ]

    def _offered(self, action_id: str, view: TableView) -> bool:
        if action_id == PHONES.id:
            return self.at.app.phones is not None
        if action_id not in self.at.app.offers or view.ending is None:
            return False
        info = GAMES.get(view.setup.game)
        if action_id == REMATCH.id:
            return info is not None and len(view.setup.seats) - len(view.left) in info.seats
        return action_id != BG_STATS.id or not view.ending.abandoned

    def text(self, view: TableView) -> Content:
        if view.ending is None:
            return Content("")
        size, unit = self.app.size, panels_of(view.setup.game).unit
        over = GameOver(view.ending, view.players, unit, view.left, self._history)
        columns, rows = max(20, size.width - MARGIN), size.height - AROUND
        return Content("\n").join(game_over_rows(over, self._answer, columns, rows))

    def do(self, action_id: str) -> None:
        if not self._offered(action_id, self.now()):
            return
        if self._asked:
            self.at.refuse(BUSY)
        elif self.at.clock() < self._held_until_s:
            self.at.refuse(JUST_OVER)
        elif action_id == PHONES.id:
            self.at.pages.open_phones()
        elif action_id == REMATCH.id:
            self.at.leave(self.at.app.offers[action_id])
        else:
            self._asked = True
            run_in_background(
                self,
                self.at.app.offers[action_id],
                self._take_answer,
                lambda: self._take_answer(""),
            )

    def _take_answer(self, answer: str) -> None:
        self._asked, self._answer = False, answer
        self.show_now()
