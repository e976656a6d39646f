"""The page that opens by itself when a game is over.

Undo works here, and whatever shows something; what changes the game is done at the table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from textual.app import ComposeResult
from textual.binding import Binding, BindingsMap
from textual.containers import Horizontal
from textual.content import Content

from companion.dashboard.registry import (
    AT_THE_END,
    BACK,
    BG_STATS,
    HELP,
    PHONES,
    QUIT,
    REMATCH,
)
from companion.dashboard.screens.big import HEIGHT, can_draw, drawn, largest, width
from companion.dashboard.textual.private_textual import bind_keys
from companion.dashboard.themes import seat_style
from companion.dashboard.widgets.labels import packed
from companion.dashboard.widgets.page import (
    AROUND,
    MARGIN,
    STEPS,
    Scroll,
    TextPage,
    is_roomy,
    keys_of,
    run_in_background,
)
from companion.dashboard.widgets.plots import CHANGE, changes_of, score_plot
from companion.dashboard.widgets.static import GAP, Static, keys_with_labels
from companion.display.panels import SeatLine, panels_of
from companion.rules.actions import Action, remapped
from companion.rules.ending import ScoresAfter, TimesAtEnd, places_of
from companion.rules.outcome import Ending
from companion.rules.registry import GAMES
from companion.session.key_meanings import UNDO
from companion.session.score_history import ScoreHistory
from companion.session.views import TableView

LEAST_CHART = 32  # minimum columns of a chart beside the table
NAME = 20  # maximum cells of a name
FEW_ROWS = 14  # rows below which there are no large letters
PANEL_COLUMNS, PANEL_ROWS = 4, 2  # cells that a panel's border and padding take
LEAST_BESIDE = 40  # minimum columns of what was built, beside the scores
LEAST_CHART_ROWS, MOST_CHART_ROWS = 6, 14  # rows of a chart, without those below its axis
SCROLLS = "arrow and page keys scroll"
BELOW_AXIS = 2  # rows of a chart for the players' glyphs and the names of the rounds


@dataclass(frozen=True, slots=True)
class GameOver:
    """A finished game: its ending, the players with scores, the scores' unit, and who left.

    `history` is how the scores arose, for a game that does not report them round by round.
    """

    ending: Ending
    players: tuple[SeatLine, ...]
    unit: str
    left: frozenset[str] = frozenset()
    history: ScoreHistory = ()

    @property
    def by_round(self) -> bool:
        """Whether the game reports the scores of more than one round."""
        return len(self.ending.after) > 1


def game_over_rows(over: GameOver, answer: str, columns: int, rows: int) -> list[Content]:
    """Return everything in one column of text, for a screen without room for panels.

    The winner comes first, then what happened and the `answer` to the last key, then the final
    table, and where there is room a chart, or all times of a timed game.
    """
    top = winner_rows(over, answer, columns, rows)
    return [*top, Content(""), *_below(over, columns, rows - len(top) - 1)]


def winner_rows(over: GameOver, answer: str, columns: int, rows: int) -> list[Content]:
    """Return the winner's name as large as it fits, what happened, and the answer to the last key."""
    text = [*Content.styled(over.ending.headline, "bold").wrap(columns)]
    if over.ending.decided:
        text += Content(over.ending.decided).wrap(columns)
    for sentence in answer.splitlines():
        text += Content(sentence).wrap(columns)
    return [*_letters(over, columns, rows - len(text)), *text]


def score_rows(over: GameOver, columns: int) -> list[Content]:
    """Return the final table, and what the end revealed of the players."""
    return [*_table(over, columns), *_revealed(over)]


def _letters(over: GameOver, columns: int, rows: int) -> list[Content]:
    """Return the winners' names side by side; empty if they cannot be drawn or do not fit."""
    winners = [player for player in over.players if player.id in over.ending.winners]
    names = [player.name.upper() for player in winners] or ["NO WINNER"]
    text = " + ".join(names)
    if rows < FEW_ROWS or not can_draw(text):  # a name may have letters without a form
        return []
    across, down = largest([text], columns, max(HEIGHT, rows // 4))
    if width(text, across) > columns:
        return []
    styles = [seat_style(player.color) for player in winners] or ["$quiet"]
    rows_of_text = [Content() for _ in range(HEIGHT * down)]
    for place, (name, style) in enumerate(zip(names, styles, strict=True)):
        if place:
            rows_of_text = _appended(rows_of_text, drawn(" + ", across, down), "$quiet")
        rows_of_text = _appended(rows_of_text, drawn(name, across, down), style)
    return [*rows_of_text, Content("")]


def _appended(rows: list[Content], letters: list[str], style: str) -> list[Content]:
    pairs = zip(rows, letters, strict=True)
    return [row + Content.styled(letter_row, style) for row, letter_row in pairs]


def _below(over: GameOver, columns: int, rows: int) -> list[Content]:
    """Return the final table, and the chart beside or below it if there is room."""
    table = score_rows(over, columns)
    across = max(row.cell_length for row in table)
    beside = columns - across - len(GAP)
    if over.ending.times is None and beside < LEAST_CHART:
        chart = _chart(over, columns, rows - len(table) - 1)
        return [*table, Content(""), *chart] if chart else table
    chart = _chart_or_times(over, beside, max(len(table), rows))
    if beside < LEAST_CHART:
        return [*table, Content(""), *_chart_or_times(over, columns, rows)]
    lines = []
    for left, right in zip_longest(table, chart, fillvalue=Content("")):
        padded = left.pad_right(across - left.cell_length)
        lines.append(Content(GAP).join((padded, right)))
    return lines


def _chart_or_times(over: GameOver, columns: int, rows: int) -> list[Content]:
    if over.ending.times is None:
        return _chart(over, columns, rows)
    return _each_time(over, over.ending.times, columns)


def _table(over: GameOver, columns: int) -> list[Content]:
    """Return the players by score, with what each round brought them as far as that fits.

    Shared places have one number; without a winner nobody has a place.
    """
    table: list[Content] = []
    for heads, cells in _heads_and_cells(over):
        table = _ranked_table(over, heads, cells)
        if table[0].cell_length <= columns:
            break
    return table


Cells = Mapping[str, tuple[str, ...]]
"""The cells of each player in a table, by id."""


def _heads_and_cells(over: GameOver) -> Iterator[tuple[tuple[str, ...], Cells]]:
    """Yield the table's columns, widest first: more and more rounds in the middle are one column,
    last there are only the scores."""
    times = over.ending.times
    if times is not None:
        scored = {player.id: player.score for player in over.players}
        for count in (len(times.heads), 1):
            cells = {player: (scored[player], *row[:count]) for player, row in times.rows.items()}
            yield (over.unit, *times.heads[:count]), cells
        return
    # What a single round added is the score, or nothing that it tells: a score may begin at 501.
    after = over.ending.after if over.by_round else ()
    for count in (1, *range(2, len(after) - 1)):
        shown = _merged(after, count)
        gains = _gains(shown, [player.id for player in over.players])
        heads = (over.unit, *(name for name, _ in shown))
        yield heads, {player.id: (player.score, *gains[player.id]) for player in over.players}
    yield (over.unit,), {player.id: (player.score,) for player in over.players}


def _merged(after: ScoresAfter, count: int) -> ScoresAfter:
    """Return the rounds with so many in the middle as one, called such as `4 to 17`."""
    if count < 2:
        return after
    first = (len(after) - count + 1) // 2
    last = first + count - 1
    merged = (f"{after[first][0]} to {after[last][0]}", after[last][1])
    return (*after[:first], merged, *after[last + 1 :])


def _ranked_table(over: GameOver, heads: Sequence[str], cells: Cells) -> list[Content]:
    grid = [("", *heads, "")]
    names = [Content("")]
    for player, place in _ranked(over):
        word = ""
        if player.id in over.ending.winners:
            word = "winner"
        elif player.id in over.left:
            word = "left"
        number = f"{place}." if over.ending.winners else ""
        grid.append((number, *cells[player.id], word))
        name = Content.styled(f"{player.glyph} {player.name}", seat_style(player.color))
        names.append(name.truncate(NAME, ellipsis=True))
    return _aligned(grid, names)


def _revealed(over: GameOver) -> list[Content]:
    """Return what the end revealed, by the players' glyphs: `▲ Nest red 20, Tree blue 12`."""
    rows = []
    for player, _ in _ranked(over):
        if player.id in over.ending.revealed:
            glyph = (f"{player.glyph} ", seat_style(player.color))
            rows.append(Content.assemble(glyph, over.ending.revealed[player.id]))
    return [Content(""), *rows] if rows else []


def _each_time(over: GameOver, times: TimesAtEnd, columns: int) -> list[Content]:
    """Return all times of each player in order: `▲ 0.231, 0.219, false start`."""
    rows = [Content.assemble(("all times, seconds", "$quiet"))]
    for player, _ in _ranked(over):
        glyph = Content.assemble((f"{player.glyph} ", seat_style(player.color)))
        wrapped = Content(times.all_times[player.id]).wrap(columns - glyph.cell_length)
        first, *later = wrapped or [Content("")]
        rows += [glyph + first, *(Content(" " * glyph.cell_length) + line for line in later)]
    return rows


def _ranked(over: GameOver) -> list[tuple[SeatLine, int]]:
    """Return the players with their places, those who left last; without a winner scores do not
    rank."""
    by_id = {player.id: player for player in over.players}
    scores: dict[str, int | None] = dict.fromkeys(by_id)
    if over.ending.winners:
        for player in over.players:
            if player.score.lstrip("-").isdecimal():
                scores[player.id] = int(player.score)
    places = places_of(
        over.ending.winners, scores, lowest_wins=over.ending.lowest_wins, last=over.left
    )
    return [(by_id[seat], place) for seat, place in places.items()]


def _gains(after: ScoresAfter, players: Sequence[str]) -> dict[str, list[str]]:
    """Return what each round brought each player; a dot for nothing."""
    rows: dict[str, list[str]] = {player: [] for player in players}
    before: Mapping[str, int] = {}
    for _, scores in after:
        for player, row in rows.items():
            gain = scores.get(player, 0) - before.get(player, 0)
            row.append(f"{gain:+d}" if gain else ".")
        before = scores
    return rows


def _aligned(grid: Sequence[tuple[str, ...]], names: Sequence[Content]) -> list[Content]:
    """Return the rows of a table: place, name, score in bold, other cells, word.

    Names and words are aligned to the left, the rest to the right.
    """
    widths = [max(map(len, column)) for column in zip(*grid, strict=True)]
    name = max(named.cell_length for named in names)
    rows = []
    for named, (place, score, *gains, word) in zip(names, grid, strict=True):
        more = "".join(f"  {gain:>{cells}}" for gain, cells in zip(gains, widths[2:], strict=False))
        padded = named.pad_right(name - named.cell_length)
        style = "bold" if named.cell_length else "$quiet"
        last = f"  {word:<{widths[-1]}}" if widths[-1] else ""
        parts = (
            (f"{place:>{widths[0]}} ", "$quiet"),
            padded,
            (f"  {score:>{widths[1]}}", style),
            (more, "$quiet"),
            last,
        )
        rows.append(Content.assemble(*parts))
    return rows


def _chart(over: GameOver, columns: int, rows: int) -> list[Content]:
    """Return the scores by round, or after each change for a game that does not report rounds.

    Nothing if it needs more rows. It has no legend: the table shows the glyphs.
    """
    step, scores = over.ending.round, over.ending.after
    if not over.by_round:
        step, scores = CHANGE, changes_of(over.history)
    height = min(MOST_CHART_ROWS, rows - BELOW_AXIS)
    if height < LEAST_CHART_ROWS:
        return []
    plot = score_plot(scores, over.players, columns, step, height, over.unit, legend=False)
    return plot if len(plot) <= rows else []


def can_play_again(view: TableView) -> bool:
    """Return whether those who are still here are as many as the game takes."""
    info = GAMES.get(view.setup.game)
    return info is not None and len(view.setup.seats) - len(view.left) in info.seats


# Seconds for which the keys of a page that opens by itself do nothing: they were meant for the game.
HELD_S = 1.0
JUST_OVER = "The game has only just ended. Press the key again."
BUSY = "Still working on the last key. Press this one again later."


class GameOverPage(TextPage):
    """Who won and why, the final table, the chart, and what can be done now.

    Keys pressed before `held_until_s` do nothing.
    """

    CLOSE = ""
    QUESTIONS_ONLY = True
    TAKES = STEPS

    def __init__(self, held_until_s: float) -> None:
        super().__init__()
        self._held_until_s = held_until_s
        self._answer = ""
        self._asked = False
        self._history: ScoreHistory = ()

    def compose(self) -> ComposeResult:
        """Lay out the page; its own keys take precedence over the app's."""
        bindings = []
        for action in remapped(AT_THE_END, keys_of(self.app)):
            perform = f"app.perform({action.id!r})"
            bindings += [Binding(key, perform, action.label, show=False) for key in action.keys]
        bind_keys(self, BindingsMap(bindings))
        yield from super().compose()

    def body(self) -> ComposeResult:
        """Lay out one column of text, and the panels that take over where there is room."""
        with Scroll():
            yield Static(id="text")
            with Horizontal(id="end-panels"):
                yield Static(id="end-scores", classes="panel")
                yield Static(id="end-beside", classes="panel")
            yield Static(id="end-chart", classes="panel")
            yield Static(id="end-below", classes="panel")

    def on_mount(self) -> None:
        """Read how the scores arose, for a game that does not report it."""
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
        longer = self._show_panels(view)
        keys = keys_with_labels(self._keys(view))
        if longer:
            keys.append(Content.styled(SCROLLS, "$quiet"))
        self.query_one("#close", Static).update(packed(keys, self._columns, "  "))

    def _keys(self, view: TableView) -> list[Action]:
        """Return the keys that do something now: the page's own, the game's, and everybody's."""
        own = remapped(AT_THE_END, keys_of(self.app))
        keys = [action for action in own if self._offered(action.id, view)]
        keys += self._pictures(view)
        labels = {UNDO.id: "undo", BACK.id: "table", HELP.id: "keys", QUIT.id: "quit"}
        if not view.undo:
            del labels[UNDO.id]
        known = {action.id: action for action in getattr(self.app, "actions", ())}
        for action_id, label in labels.items():
            if action_id in known:
                keys.append(replace(known[action_id], label=label))
        return keys

    def _pictures(self, view: TableView) -> list[Action]:
        """Return the game's keys that only show something and are named in its footer."""
        shown_only = self.at.game_screen.shown_only
        return [
            action
            for action in getattr(self.app, "actions", ())
            if action.id in shown_only
            and action.keys
            and action.footer
            and self.at.game_screen.works(action, view)
        ]

    def _offered(self, action_id: str, view: TableView) -> bool:
        if action_id == PHONES.id:
            return self.at.app.phones is not None
        if action_id not in self.at.app.offers or view.ending is None:
            return False
        if action_id == REMATCH.id:
            return can_play_again(view)
        return action_id != BG_STATS.id or not view.ending.abandoned

    def text(self, view: TableView) -> Content:
        """Return the winner and what happened; without room for panels, everything."""
        over = self._over(view)
        if over is None:
            return Content("")
        rows_of = winner_rows if is_roomy(self) else game_over_rows
        return Content("\n").join(rows_of(over, self._answer, self._columns, self._rows))

    def _over(self, view: TableView) -> GameOver | None:
        if view.ending is None:
            return None
        unit = panels_of(view.setup.game).unit
        return GameOver(view.ending, view.players, unit, view.left, self._history)

    @property
    def _columns(self) -> int:
        return max(20, self.app.size.width - MARGIN)

    @property
    def _rows(self) -> int:
        return self.app.size.height - AROUND

    def _show_panels(self, view: TableView) -> bool:
        """Show the scores, beside them what was built, and the chart; what is too wide comes last.

        Returns whether the page is longer than the screen.
        """
        over = self._over(view)
        with_panels = over is not None and is_roomy(self)
        for name in ("#end-panels", "#end-beside", "#end-chart", "#end-below"):
            self.query_one(name).display = False
        if over is None or not with_panels:
            return False
        self.query_one("#end-panels").display = True
        columns = self._columns - PANEL_COLUMNS
        top = len(winner_rows(over, self._answer, self._columns, self._rows)) + 1
        rows = self._rows - top
        charted = over.ending.times is None
        chart_rows = LEAST_CHART_ROWS + BELOW_AXIS + PANEL_ROWS if charted else 0

        screen, name = self.at.game_screen, "#end-beside"
        scores = score_rows(over, self._columns * 3 // 5 - PANEL_COLUMNS)
        across = max(row.cell_length for row in scores) + PANEL_COLUMNS + 1
        built = None
        if columns - across >= LEAST_BESIDE:
            built = screen.built(view, columns - across, rows - chart_rows - PANEL_ROWS)
        if built is None:
            scores, name = score_rows(over, columns), "#end-below"
            built = screen.built(view, columns, rows - PANEL_ROWS)
        beside = built is not None and name == "#end-beside"
        built_rows = 0 if built is None else len(built.split("\n", allow_blank=True))
        first = max(len(scores), built_rows) if beside else len(scores)
        title = "Scores"
        if charted and over.by_round:
            title = f"Scores, and what each {over.ending.round} added"
        self._show_panel("#end-scores", title, scores, first)
        self.query_one("#end-scores").set_class(beside, "-narrow")
        taken = first + PANEL_ROWS
        if built is not None:
            self._show_panel(name, screen.built_title, [built], first if beside else built_rows)
            taken += 0 if beside else built_rows + PANEL_ROWS

        title, chart = "Times", []
        if charted:
            least = LEAST_CHART_ROWS + BELOW_AXIS
            title = f"Scores after each {over.ending.round if over.by_round else CHANGE}"
            chart = _chart(over, columns, max(least, rows - first - 2 * PANEL_ROWS))
        elif built is None:
            chart = _chart_or_times(over, columns, rows)
        if chart:
            self._show_panel("#end-chart", title, chart, len(chart))
            taken += len(chart) + PANEL_ROWS
        return taken > rows

    def _show_panel(self, name: str, title: str, text: Sequence[Content], rows: int) -> None:
        panel = self.query_one(name, Static)
        panel.display = True
        panel.border_title = title
        panel.styles.height = rows + PANEL_ROWS
        panel.update(Content("\n").join(text))

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
