"""What a level adds, the columns, and the earlier levels of the tower beside the log."""

from __future__ import annotations

from collections.abc import Iterator

from textual.app import ComposeResult
from textual.content import Content

from companion.dashboard.game_screen import ScreenPart
from companion.dashboard.widgets.labels import box_rows, labelled, packed
from companion.dashboard.widgets.page import key_for_more
from companion.dashboard.widgets.static import GAP, Static
from companion.dashboard.widgets.tables import drawn_line
from companion.display.cells import Line, widest
from companion.display.towers import DENSE, SCALES, floors_beside
from companion.games.sky_rise.rules.picture import tower
from companion.games.sky_rise.rules.scoring import COLUMN_POINTS, Group
from companion.games.sky_rise.rules.view import ColorView, SkyRiseView
from companion.games.sky_rise.screen.grid import chip
from companion.session.views import TableView

_LABEL = 5
_SMALL_SCREEN = 24
"""Rows of the smallest screen; each further one has room for a row of groups and columns."""
_FEW_SEATS = 3
SMALL_MARGINS = 2
"""Cells of a small screen's margins."""
FRAME = 4
"""Cells that a panel's border and padding take."""
OUTER = 11
"""Cells that a panel's border and padding and the margins of the screen take."""
LEAST_LOG, WIDE_LOG = 40, 80
"""Cells of the log with room for a player, a piece and a place in a row, and for most lines in a row each."""
SIZES = (
    (SCALES[1], WIDE_LOG, True),
    (SCALES[0], LEAST_LOG, True),
    (DENSE, LEAST_LOG, True),
    (DENSE, LEAST_LOG, False),
)
"""Sizes of the earlier levels, the largest first: scale, cells that the log keeps, and whether columns have letters."""


class SkyRiseSide(ScreenPart):
    """Beside the log, the earlier levels; on a small screen, above it, groups and columns as text."""

    DEFAULT_CSS = """
    SkyRiseSide { layout: vertical; }
    SkyRiseSide Static { height: auto; }
    SkyRiseSide #levels { text-wrap: nowrap; text-overflow: ellipsis; }
    """

    def compose(self) -> ComposeResult:
        yield Static(id="levels")
        yield Static(id="words")

    def draw(self, view: TableView) -> None:
        game: SkyRiseView = view.game
        floors, words = self.query_one("#levels", Static), self.query_one("#words", Static)
        floors.display = self.roomy
        width = self.app.size.width - SMALL_MARGINS
        if not self.roomy:
            rows = small_rows(game, width, self._most(len(game.seats)), key_for_more(self.app))
            rows += box_rows(view, _LABEL, width, key_for_more(self.app))
            self.display = bool(rows)
            self.styles.width = "100%"
            words.update(Content("\n").join(rows))
            return
        drawn = self._levels(game)
        box = box_rows(view, 0, self.app.size.width // 3, key_for_more(self.app))
        self.display = bool(drawn or box)
        self.border_title = "The tower" if game.revealed else "Earlier levels"
        if not drawn:
            self.border_title = "Your box"
        wide = max(widest(drawn), *(row.cell_length for row in box), 0)
        self.styles.width = wide + FRAME
        floors.update(Content("\n").join(map(drawn_line, drawn)))
        words.update(Content("\n").join(box))

    def _most(self, seats: int) -> int:
        """Return how many rows groups and columns may take each, so that the log has some."""
        more = self.app.size.height - _SMALL_SCREEN
        return max(0, more + (2 if seats <= _FEW_SEATS else 0))

    def _levels(self, game: SkyRiseView) -> list[Line]:
        """Return the levels that the grid does not show, as large as fits beside the log.

        Once the grid is gone, these are all levels; where they do not fit, the page of the tower has them.
        """
        whole = tower(game)
        floors = whole.floors if game.revealed else whole.floors[:-1]
        if not floors:
            return []
        rows = self.content_size.height or self.app.size.height
        for scale, log, letters in SIZES:
            columns = self.app.size.width - OUTER - log
            lines = [*floors_beside(floors, scale, columns, letters=letters)]
            if len(lines) <= rows and widest(lines) <= columns:
                return lines
        return []


# -- in a panel: a color with its points, the corners below


def added_rows(game: SkyRiseView, width: int) -> list[Content]:
    """Return what each group of the level adds to its color (SR-10), and each color's columns (SR-15).

    The roof has no groups, so only the columns are shown.
    """
    level = game.levels[-1]
    groups = [*_groups(game, width)]
    columns = [*_columns(game, width)]
    if level.size is None:
        words = "None yet. One color at the same corner on three levels is a column."
        return columns or [*Content.styled(words, "$quiet").wrap(width)]
    if not groups:
        words = "Nothing yet. Two or more of one color side by side are a group."
        groups = [*Content.styled(words, "$quiet").wrap(width)]
    if columns:
        title = Content.assemble(
            ("Columns so far", "bold"), (f", {COLUMN_POINTS} a column", "$quiet")
        )
        columns = [Content(""), *title.wrap(width), *columns]
    return [*groups, *columns]


def _groups(game: SkyRiseView, width: int) -> Iterator[Content]:
    colors = {color.name: color for color in game.colors}
    for group in game.levels[-1].groups:
        corners, points = _corners_of(group), f"+{group.points}"
        yield from _entry(colors[group.color], corners, points, width)


def _corners_of(group: Group) -> str:
    opaque = f" opaque {' '.join(group.opaque)}" if group.opaque else ""
    return f"{' '.join(group.own)}{opaque}"


def _columns(game: SkyRiseView, width: int) -> Iterator[Content]:
    for color in game.colors:
        if color.columns:
            points = str(COLUMN_POINTS * len(color.columns))
            yield from _entry(color, " ".join(color.columns), points, width)


def _entry(color: ColorView, corners: str, points: str, width: int) -> Iterator[Content]:
    """Yield a color with its points, and the corners in the same row if they fit."""
    piece = chip(color.letter, color.name, color.ink)
    head = Content.assemble(piece, f" {color.name} ")
    score = Content.styled(points, "bold")
    room = width - head.cell_length - score.cell_length - 1
    if len(corners) <= room:
        yield Content.assemble(head, f"{corners:<{room}} ", score)
        return
    space = " " * (width - head.cell_length - score.cell_length)
    yield Content.assemble(head, space, score)
    for row in Content(corners).wrap(max(1, width - 3)):
        yield Content("   ") + row


# -- on a small screen: rows of text


def small_rows(game: SkyRiseView, width: int, most: int, key: str) -> list[Content]:
    """Return the groups of the level in play and the columns, in at most `most` rows each."""
    if most < 1:
        return []
    return [*group_rows(game, width, most, key), *column_rows(game, width, most, key)]


def group_rows(game: SkyRiseView, width: int, most: int, key: str) -> list[Content]:
    """Return what the groups of the level add (SR-10): color, corners, the opaque pyramids, points."""
    level = game.levels[-1]
    if level.size is None or not any(corner.pieces for corner in level.corners):
        return []
    colors = {color.name: color for color in game.colors}
    parts = [
        _scored(colors[group.color], _corners_of(group), group.points) for group in level.groups
    ]
    label = "this level adds" if parts else "groups of this level"
    return _wrapped(label, parts, width, most, key)


def _scored(color: ColorView, corners: str, points: int) -> Content:
    return Content.assemble(
        chip(color.letter, color.name, color.ink), f" {corners}: ", (str(points), "bold")
    )


def column_rows(game: SkyRiseView, width: int, most: int, key: str) -> list[Content]:
    """Return the columns (SR-15) and their points by color; empty without any."""
    standing = [color for color in game.colors if color.columns]
    parts = [
        _scored(color, " ".join(color.columns), COLUMN_POINTS * len(color.columns))
        for color in standing
    ]
    return _wrapped("columns so far", parts, width, most, key) if parts else []


def _wrapped(label: str, parts: list[Content], width: int, most: int, key: str) -> list[Content]:
    """Return a label and undivided parts, in lines; `key` shows what does not fit in `most` of them."""
    cells = len(label) + len(GAP)
    if not parts:
        parts = [Content("none yet")]
    # Leave parts out from the end until the rest fits: their widths differ, so nothing shorter will do.
    for count in range(len(parts), 0, -1):
        left_out = len(parts) - count
        texts = parts[:count]
        if left_out:
            texts.append(Content.assemble((f"{left_out} more: {key}", "$quiet")))
        rows = packed(texts, width - cells, GAP).split()
        if len(rows) <= most:
            break
    return labelled(label, rows, cells, width)
