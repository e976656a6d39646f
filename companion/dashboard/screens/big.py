"""The big page: the table in letters readable from two meters away, as large as they fit."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from textual.app import ComposeResult
from textual.content import Content

from companion.dashboard.registry import BACK, key_of
from companion.dashboard.themes import seat_style
from companion.dashboard.widgets.elapsed import Elapsed, SecondTimer
from companion.dashboard.widgets.letters import (
    BLOCK as BLOCK,
    HEIGHT as HEIGHT,
    can_draw as can_draw,
    drawn as drawn,
    width as width,
)
from companion.dashboard.widgets.page import TextPage
from companion.dashboard.widgets.seats import and_more, shown_and_more
from companion.dashboard.widgets.static import Fitted, Static
from companion.display.panels import SeatLine, panels_of
from companion.rules.columns import wrap
from companion.rules.spans import clock_time
from companion.session.views import TableView

SIZES = ((12, 6), (10, 5), (8, 4), (6, 3), (4, 2), (2, 1), (1, 1))
"""Cells and rows of a dot: about square, except for the narrow smallest one."""
NAME_SIZES = ((4, 2), (2, 1))
"""The dots of names, so that scores are the largest."""
GAP = 2  # cells between two seats
OUT = "OUT"
TURN = "TURN"
WINNER = "winner"
LEAST = 5  # minimum cells of a column
MOST_BESIDE = 6
"""Players side by side; more form two lines."""


@dataclass(frozen=True, slots=True)
class _Player:
    """A player's line, and the counter in large letters, such as `points taken` and `13`."""

    line: SeatLine
    counter: tuple[str, str] = ("", "")

    def words(self, *, counter_drawn: bool) -> list[str]:
        """Return what else counts now, without the counter if it is drawn."""
        if not counter_drawn:
            return [*self.line.words]
        return [word for word in self.line.words if word != " ".join(self.counter)]


COUNTER = re.compile(r"(.*\D) (-?\d+)")


def _with_counter(line: SeatLine) -> _Player:
    """Return the player with the last of their words that is a counter."""
    for word in reversed(line.words):
        found = COUNTER.fullmatch(word)
        if found is not None and not line.note:
            return _Player(line, (found[1], found[2]))
    return _Player(line)


def big_rows(
    players: Sequence[SeatLine],
    unit: str,
    above: str,
    columns: int,
    rows: int,
    *,
    counters: bool = False,
) -> list[Content]:
    """Return the text `above`, such as a clock (`0:41`), and the players side by side.

    Each player has a bar on their turn, the name, the score with its `unit`, and as far as there is
    room what else counts now. Everything is as large as it fits. The text above becomes a line if
    large letters would leave no room for large scores. With `counters`, the last of each player's
    words is in large letters, too. Of very many players those who play are shown.
    """
    last: list[Content] = []
    if len(players) > 2 * MOST_BESIDE:
        ranked = sorted(players, key=lambda line: (not line.turn, line.idle))
        players, more = shown_and_more(ranked, 2 * MOST_BESIDE)
        last = [Content.styled(and_more(more), "$quiet")]
    drawn_players = [_with_counter(line) if counters else _Player(line) for line in players]
    head = _above(above, columns, rows)
    seats, large = _seats(drawn_players, unit, columns, rows - len(head) - len(last))
    if not large and above:
        head = [Content.styled(above, "bold"), Content("")]
        seats, _ = _seats(drawn_players, unit, columns, rows - len(head) - len(last))
    return [*head, *seats, *last]


def _above(text: str, columns: int, rows: int) -> list[Content]:
    """Return the text in at most two fifths of the height."""
    if not text:
        return []
    across, down = largest([text], columns, max(HEIGHT, rows * 2 // 5))
    lines = [Content.styled(row, "$foreground") for row in drawn(text, across, down)]
    return [*lines, Content("")]


def largest(texts: Sequence[str], columns: int, rows: int) -> tuple[int, int]:
    """Return the largest dot with which every text fits, the smallest if none does."""
    widest = max(width(text, 1) for text in texts)
    for across, down in SIZES:
        if widest * across <= columns and HEIGHT * down <= rows:
            return across, down
    return SIZES[-1]


Dot = tuple[int, int]  # the cells and rows of a letter's dot
_NO_ROOM: Dot = (0, 0)  # a line of text in place of letters; smaller than every size
_Dots = tuple[Dot, Dot, Dot]
"""The dots of names, of the main text, and of the text below it; `_NO_ROOM` is a line of text."""


def _seats(
    players: Sequence[_Player], unit: str, columns: int, rows: int
) -> tuple[list[Content], bool]:
    """Return the players, and whether their scores are in large letters."""
    if not players:
        return [], True
    beside = _in_lines(players)
    cells = max(LEAST, (columns + GAP) // len(beside[0]) - GAP)
    names = [player.line.name.upper() for player in players]
    scores = [player.line.score for player in players if can_draw(player.line.score)]
    # The best choice that fits; without any, the last one: all text.
    for main, small, with_names in _CHOICES:
        of_main = _largest(scores, cells, main)
        of_below = min(small, max(_next_smaller(of_main), NAME_SIZES[-1]))
        of_name = _largest(names, cells, of_below) if with_names else _NO_ROOM
        dots = of_name, of_main, of_below
        blocks = [_blocks(line, cells, dots, unit) for line in beside]
        spare = rows - sum(len(line[0]) for line in blocks)
        if spare >= 0:
            break
    rows_of_text = []
    for line, block in zip(beside, blocks, strict=True):
        rows_of_text += [Content(" " * GAP).join(parts) for parts in zip(*block, strict=True)]
        room = max(0, spare) // len(beside)
        words = _words(line, cells, room, counter_drawn=dots[-1] > _NO_ROOM)
        rows_of_text += [Content(" " * GAP).join(parts) for parts in words]
    return rows_of_text, main != _NO_ROOM


def _next_smaller(dot: Dot) -> Dot:
    """Return the next smaller dot for letters, `_NO_ROOM` below the smallest."""
    return next((size for size in (*NAME_SIZES, _NO_ROOM) if size < dot), _NO_ROOM)


def _in_lines(players: Sequence[_Player]) -> list[Sequence[_Player]]:
    """Return the players in one line, or if they are too many in two, the first taking the odd one."""
    if len(players) <= MOST_BESIDE:
        return [players]
    half = (len(players) + 1) // 2
    return [players[:half], players[half:]]


_CHOICES = [(_NO_ROOM, _NO_ROOM, False)]
for _small in (*NAME_SIZES, _NO_ROOM):
    _CHOICES += [(main, _small, True) for main in SIZES if _small < main]
    _CHOICES += [(main, _small, False) for main in SIZES if _NO_ROOM < _small < main]
_CHOICES.sort(key=lambda choice: (choice[1] != _NO_ROOM, choice[2], choice), reverse=True)
"""Dots of the main text and of the rest, and whether names have them, too; best first: scores as
large as possible while the rest is legible, at least that below the scores."""


def _blocks(players: Sequence[_Player], cells: int, dots: _Dots, unit: str) -> list[list[Content]]:
    """Return the players in blocks of equal height."""
    parts = [_parts(player, cells, *dots, unit) for player in players]
    heights = [max(len(rows) for rows, _ in part) for part in zip(*parts, strict=True)]
    blocks = []
    for seat in parts:
        block: list[Content] = []
        for (rows, style), height in zip(seat, heights, strict=True):
            padded = [*rows, *[""] * (height - len(rows))]
            block += [Content.styled(row, style).truncate(cells, pad=True) for row in padded]
        blocks.append(block)
    return blocks


def _parts(
    player: _Player, cells: int, of_name: Dot, of_main: Dot, of_below: Dot, unit: str
) -> list[tuple[Sequence[str], str]]:
    """Return the parts of a player with their styles, from top to bottom.

    They are a bar on their turn, the name, the score with its unit, and the state or a counter. A
    player who takes no part has the state in the largest letters and the score below; if the word
    is too long for them, OUT replaces it and the word is a line of text.
    """
    seat = player.line
    color = "$quiet" if seat.idle else seat_style(seat.color)
    bar = BLOCK * cells if seat.turn else ""
    name: list[str] = []
    head = f"{seat.glyph} {seat.name}"
    if of_name > SIZES[-1]:  # the smallest letters are no larger than a line of text
        name = [*_drawn(seat.name.upper(), cells, of_name), ""]
        head = seat.glyph
    lines = [*wrap(head, cells)]
    if seat.turn and len(lines[-1]) + GAP + len(TURN) <= cells:
        lines[-1] += " " * GAP + TURN
    elif seat.turn:
        lines.append(TURN)
    is_large = of_below > _NO_ROOM
    main, texts, below, label = _drawn(seat.score, cells, of_main), [unit], "", ""
    if seat.idle and seat.note:
        state = seat.note.upper()
        if _largest([state], cells, of_main) < _largest([OUT], cells, of_main):
            state = OUT
            texts += wrap(seat.note, cells)
        gap = [""] if is_large else []
        main = [*_drawn(state, cells, of_main), *gap, *_drawn(seat.score, cells, of_below)]
    elif seat.note:
        below = seat.note.upper()
    elif is_large:
        label, below = player.counter
    return [
        ([bar], color),
        (lines, f"bold {color}"),
        (name, color),
        (main, "bold $quiet" if seat.idle else "bold $foreground"),
        (texts, "$quiet"),
        ([""] if below and is_large else [], ""),
        (_drawn(below, cells, of_below) if below else [], "bold $foreground"),
        (wrap(label, cells) if label else [], "$quiet"),
    ]


def _words(
    players: Sequence[_Player], cells: int, rows: int, *, counter_drawn: bool
) -> list[list[Content]]:
    """Return rows with what else counts now for each player, as far as they suffice."""
    columns = []
    for player in players:
        words = player.words(counter_drawn=counter_drawn)
        while words and len(wrap(", ".join(words), cells)) > rows:
            words.pop()
        columns.append(wrap(", ".join(words), cells) if words else [])
    lines = []
    for parts in zip_longest(*columns, fillvalue=""):
        lines.append([Content(part).truncate(cells, pad=True) for part in parts])
    return lines


def _drawn(text: str, cells: int, most: Dot) -> list[str]:
    """Return the text in the largest letters that fit, at most `most`; as lines of text if none
    fit."""
    size = _largest([text], cells, most)
    if not text or size == _NO_ROOM:
        return wrap(text, cells)
    return drawn(text, *size)


def _largest(texts: Sequence[str], cells: int, most: Dot) -> Dot:
    """Return the largest dot, at most `most`, with which every text fits."""
    if not all(map(can_draw, texts)):
        return _NO_ROOM
    widest = max((width(text, 1) for text in texts), default=0)
    for size in SIZES:
        if size <= most and widest * size[0] <= cells:
            return size
    return _NO_ROOM


def _players(view: TableView) -> list[SeatLine]:
    """Return the players; once a game has ended who won, not who was out of its last round."""
    ending = view.ending
    if ending is None or ending.abandoned:
        return [*view.players]
    players = []
    for line in view.players:
        left = line.id in view.left
        note = line.note if left else ""
        if line.id in ending.winners:
            note = WINNER
        players.append(replace(line, turn=False, idle=left, note=note))
    return players


class BigPage(TextPage):
    """Clock or signal, scores and whose turn it is. Every key of the game works as on the main page."""

    CLOSE = f"{key_of(BACK)} back to the table"
    AUTO_FOCUS = ""
    LIKE_TABLE = True

    def __init__(self, elapsed: Elapsed) -> None:
        """`elapsed` is shared with the main page, so that both show the same time."""
        super().__init__()
        self._elapsed = elapsed
        self._seconds = SecondTimer(self, elapsed, self.show_now)

    def body(self) -> ComposeResult:
        yield Fitted(self.show_now, id="text")

    def show_body(self, view: TableView) -> None:
        own = self.at.game_screen
        parts = [part for part in (own.title(view), own.where(view)) if part]
        self.query_one("#where", Static).update(Content("   ".join(parts)))
        super().show_body(view)
        self._seconds.start()

    def text(self, view: TableView) -> Content:
        columns, rows = self.query_one("#text", Static).content_size
        if not columns or not rows:
            return Content("")
        unit = panels_of(view.setup.game).unit
        above = self.at.game_screen.signal(view)
        if not above or not can_draw(above):
            seconds = self._elapsed.seconds()
            above = "" if seconds is None else clock_time(seconds)
        drawn_rows = big_rows(
            _players(view), unit, above, columns, rows, counters=self.at.game_screen.has_counters
        )
        return Content("\n").join(drawn_rows[:rows])
