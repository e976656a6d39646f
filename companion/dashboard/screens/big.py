"""The big page: the table in letters readable from two meters away, as large as they fit."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.content import Content

from companion.dashboard.registry import BACK, BIG, key_of
from companion.dashboard.themes import seat_style
from companion.dashboard.widgets.elapsed import Elapsed, SecondTimer
from companion.dashboard.widgets.page import TextPage
from companion.dashboard.widgets.seats import and_more, shown_and_more
from companion.dashboard.widgets.static import Fitted, Static
from companion.display.panels import SeatLine, panels_of
from companion.rules.columns import wrap
from companion.rules.spans import clock_time
from companion.session.views import TableView

HEIGHT = 5  # the height of a letter in dots
BLOCK = "█"

_DOTS = {
    "0": "### #.# #.# #.# ###",
    "1": ".#. ##. .#. .#. ###",
    "2": "### ..# ### #.. ###",
    "3": "### ..# .## ..# ###",
    "4": "#.# #.# ### ..# ..#",
    "5": "### #.. ### ..# ###",
    "6": "### #.. ### #.# ###",
    "7": "### ..# ..# .#. .#.",
    "8": "### #.# ### #.# ###",
    "9": "### #.# ### ..# ###",
    "A": ".#. #.# ### #.# #.#",
    "B": "##. #.# ##. #.# ##.",
    "C": "### #.. #.. #.. ###",
    "D": "##. #.# #.# #.# ##.",
    "E": "### #.. ##. #.. ###",
    "F": "### #.. ##. #.. #..",
    "G": "### #.. #.# #.# ###",
    "H": "#.# #.# ### #.# #.#",
    "I": "### .#. .#. .#. ###",
    "J": "..# ..# ..# #.# ###",
    "K": "#.# #.# ##. #.# #.#",
    "L": "#.. #.. #.. #.. ###",
    "M": "#...# ##.## #.#.# #...# #...#",
    "N": "#..# ##.# #.## #..# #..#",
    "O": "### #.# #.# #.# ###",
    "P": "### #.# ### #.. #..",
    "Q": "### #.# #.# ### ..#",
    "R": "##. #.# ##. #.# #.#",
    "S": ".## #.. .#. ..# ##.",
    "T": "### .#. .#. .#. .#.",
    "U": "#.# #.# #.# #.# ###",
    "V": "#.# #.# #.# .#. .#.",
    "W": "#...# #...# #.#.# ##.## #...#",
    "X": "#.# #.# .#. #.# #.#",
    "Y": "#.# #.# .#. .#. .#.",
    "Z": "### ..# .#. #.. ###",
    ":": ". # . # .",
    "+": "... .#. ### .#. ...",
    "-": "... ... ### ... ...",
    "?": "### ..# .#. ... .#.",
    ".": ". . . . #",
    " ": ". . . . .",
}


def can_draw(text: str) -> bool:
    """Return whether every character has a form here."""
    return all(char in _DOTS for char in text)


def width(text: str, across: int) -> int:
    """Return the cells that `text` takes with dots of `across` cells."""
    return across * (sum(len(_DOTS[char].split()[0]) for char in text) + max(0, len(text) - 1))


def drawn(text: str, across: int, down: int) -> list[str]:
    """Return `text` as rows of equal width; a dot is `across` cells wide and `down` rows high."""
    forms = [_DOTS[char].split() for char in text]
    dots = {"#": BLOCK * across, ".": " " * across}
    rows = []
    for place in range(HEIGHT):
        row = ".".join(form[place] for form in forms)
        rows += ["".join(dots[dot] for dot in row)] * down
    return rows


SIZES = ((8, 4), (6, 3), (4, 2), (2, 1), (1, 1))
"""Cells and rows of a dot: about square, except for the narrow smallest one."""
GAP = 2  # cells between two seats
OUT = "OUT"
LEAST = 5  # minimum cells of a column
MOST_BESIDE = 6
"""Players side by side; more form two lines."""


def big_rows(
    players: Sequence[SeatLine], unit: str, clock: str, columns: int, rows: int
) -> list[Content]:
    """Return the clock (`0:41`, "" while none runs), the players side by side, and the scores'
    `unit`.

    Everything is as large as it fits. The clock becomes a line of text if large digits would leave
    no room for large scores. Of very many players those who play are shown.
    """
    if len(players) > 2 * MOST_BESIDE:
        ranked = sorted(players, key=lambda line: (not line.turn, line.idle))
        players, more = shown_and_more(ranked, 2 * MOST_BESIDE)
        unit = f"{unit}   {and_more(more)}"
    above = _clock(clock, columns, rows)
    seats, large = _seats(players, unit, columns, rows - len(above))
    if not large and clock:
        above = [Content.styled(clock, "bold"), Content("")]
        seats, _ = _seats(players, unit, columns, rows - len(above))
    return [*above, *seats]


def _clock(clock: str, columns: int, rows: int) -> list[Content]:
    """Return the clock in at most a third of the height."""
    if not clock:
        return []
    across, down = largest([clock], columns, max(HEIGHT, rows // 3))
    lines = [Content.styled(row, "$foreground") for row in drawn(clock, across, down)]
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
    players: Sequence[SeatLine], unit: str, columns: int, rows: int
) -> tuple[list[Content], bool]:
    """Return the players, and whether their scores are in large letters."""
    if not players:
        return [], True
    beside = in_lines(players)
    cells = max(LEAST, (columns + GAP) // len(beside[0]) - GAP)
    names = [player.name.upper() for player in players]
    scores = [player.score for player in players if can_draw(player.score)]
    # The best choice that fits; without any, the last one: all text.
    for main, small in _CHOICES:
        dots = _largest(names, cells, small), _largest(scores, cells, main), small
        blocks = [_blocks(line, cells, dots) for line in beside]
        if sum(len(line[0]) for line in blocks) < rows:
            break
    rows_of_text = []
    for line in blocks:
        rows_of_text += [Content(" " * GAP).join(parts) for parts in zip(*line, strict=True)]
    return [*rows_of_text, Content.styled(unit, "$quiet")], main != _NO_ROOM


def in_lines(players: Sequence[SeatLine]) -> list[Sequence[SeatLine]]:
    """Return the players in one line, or if they are too many in two, the first taking the odd one."""
    if len(players) <= MOST_BESIDE:
        return [players]
    half = (len(players) + 1) // 2
    return [players[:half], players[half:]]


_CHOICES = [(_NO_ROOM, _NO_ROOM)]
for _small in (SIZES[2], SIZES[3], _NO_ROOM):
    _CHOICES += [(main, _small) for main in SIZES if _small < main]
_CHOICES.sort(key=lambda choice: (choice[1] != _NO_ROOM, choice), reverse=True)
"""Dots of the main text and of the rest, best first: scores as large as possible with legible
names."""


def _blocks(players: Sequence[SeatLine], cells: int, dots: _Dots) -> list[list[Content]]:
    """Return the players in blocks of equal height."""
    parts = [_parts(player, cells, *dots) for player in players]
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
    seat: SeatLine, cells: int, of_name: Dot, of_main: Dot, of_below: Dot
) -> list[tuple[Sequence[str], str]]:
    """Return the parts of a seat with their styles, from top to bottom.

    They are a bar on its turn, the name, the score, and its state. A seat that takes no part has
    its state in the largest letters and the score below; if the word is too long for them, OUT
    replaces it and the word is a line of text.
    """
    color = "$quiet" if seat.idle else seat_style(seat.color)
    bar = BLOCK * cells if seat.turn else ""
    lines = [*wrap(f"{seat.glyph} {seat.name}", cells)]
    name: list[str] = []
    if of_name > SIZES[-1]:  # the smallest letters are no larger than the line of text
        name = [*_drawn(seat.name.upper(), cells, of_name), ""]
    state = "TURN" if seat.turn and not seat.note else seat.note.upper()
    main, below = seat.score, state
    if seat.idle and state:
        main, below = state, seat.score
        if _largest([state], cells, of_main) < _largest([OUT], cells, of_main):
            main = OUT
            if state != OUT:
                lines += wrap(seat.note, cells)
    gap = [] if of_below == _NO_ROOM else [""]
    return [
        ([bar], color),
        (lines, f"bold {color}"),
        (name, color),
        (_drawn(main, cells, of_main), "bold $foreground"),
        (gap, ""),
        (_drawn(below, cells, of_below), "bold $quiet" if seat.idle else "bold $foreground"),
    ]


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


class BigPage(TextPage):
    """Clock, scores and whose turn it is. Every key of the game works as on the main page."""

    CLOSE = f"{key_of(BACK)} back to the table   {key_of(BIG)} big or small"
    AUTO_FOCUS = ""

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
        unit, seconds = panels_of(view.setup.game).unit, self._elapsed.seconds()
        clock = "" if seconds is None else clock_time(seconds)
        return Content("\n").join(big_rows(view.players, unit, clock, columns, rows)[:rows])
