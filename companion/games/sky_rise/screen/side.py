"""The part above the log: the level's groups, the columns, and on a large screen the whole tower."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.content import Content

from companion.dashboard.game_screen import ScreenPart
from companion.dashboard.widgets.labels import box_rows, labelled, packed
from companion.dashboard.widgets.page import key_for_more
from companion.dashboard.widgets.static import GAP, Static
from companion.dashboard.widgets.tables import drawn_line
from companion.display.towers import SCALES, tower_lines
from companion.games.sky_rise.rules.picture import tower
from companion.games.sky_rise.rules.scoring import COLUMN_POINTS
from companion.games.sky_rise.rules.view import ColorView, SkyRiseView
from companion.games.sky_rise.screen.grid import chip
from companion.games.sky_rise.screen.part import scale_of
from companion.session.views import TableView

_LABEL = 5
TALLEST = 58
"""Rows of a screen with room for the floors side by side as well as the large tower."""
_MOST_ROWS = 2
"""Rows of groups or columns on a small screen; the statistics page has all of them."""


class SkyRiseSide(ScreenPart):
    """Groups and columns as text; on a large screen also all levels side by side above them."""

    DEFAULT_CSS = """
    SkyRiseSide { layout: vertical; }
    SkyRiseSide #levels { height: auto; margin: 0 0 1 0; text-wrap: nowrap; text-overflow: ellipsis; }
    SkyRiseSide #words { height: auto; }
    """

    def compose(self) -> ComposeResult:
        yield Static(id="levels")
        yield Static(id="words")

    def draw(self, view: TableView) -> None:
        game: SkyRiseView = view.game
        width, large = self.content_size.width, self.roomy
        if not width:
            return
        floors = self.query_one("#levels", Static)
        floors.display = large and (
            scale_of(self.app.size) is SCALES[0] or self.app.size.height >= TALLEST
        )
        # From the ground up, side by side where they fit, below each other where they do not.
        lines = tower_lines(tower(game), width, sides=False) if floors.display else []
        floors.update(Content("\n").join(map(drawn_line, lines)))
        most, key = None if large else _MOST_ROWS, key_for_more(self.app)
        words = [*group_rows(game, width, most, key), *column_rows(game, width, most, key)]
        words += box_rows(view, _LABEL, width, key)
        self.query_one("#words", Static).update(Content("\n").join(words))


def group_rows(game: SkyRiseView, width: int, most: int | None, key: str) -> list[Content]:
    """Return the groups of the level in play (SR-10): color, corners, the wild pyramids after a plus, points."""
    level = game.levels[-1]
    if level.size is None or not any(corner.pieces for corner in level.corners):
        return []
    colors = {color.name: color for color in game.colors}
    parts = [_scored(colors[group.color], group.corners, group.points) for group in level.groups]
    return _wrapped(f"groups of {level.name}", parts, width, most, key)


def _scored(color: ColorView, corners: str, points: int) -> Content:
    return Content.assemble(
        chip(color.letter, color.name, color.ink), f" {corners} = ", (str(points), "bold")
    )


def column_rows(game: SkyRiseView, width: int, most: int | None, key: str) -> list[Content]:
    """Return the columns (SR-15) and their points by color; empty without any."""
    standing = [color for color in game.colors if color.columns]
    parts = [
        _scored(color, " ".join(color.columns), COLUMN_POINTS * len(color.columns))
        for color in standing
    ]
    return _wrapped("columns", parts, width, most, key) if parts else []


def _wrapped(
    label: str, parts: list[Content], width: int, most: int | None, key: str
) -> list[Content]:
    """Return a label and undivided parts, in lines; `key` shows what does not fit in `most` of them."""
    cells = len(label) + len(GAP)
    if not parts:
        parts = [Content("none")]
    # Leave parts out from the end until the rest fits: their widths differ, so nothing shorter will do.
    for count in range(len(parts), 0, -1):
        left_out = len(parts) - count
        texts = parts[:count]
        if left_out:
            texts.append(Content.assemble((f"+{left_out}: {key}", "$quiet")))
        rows = packed(texts, width - cells, GAP).split()
        if most is None or len(rows) <= most:
            break
    return labelled(label, rows, cells, width)
