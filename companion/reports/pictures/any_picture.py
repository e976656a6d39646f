"""The drawing of any declared picture."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from companion.display.pictures import Chart, Race, Stacks
from companion.display.tables import Drawing
from companion.reports.markup import Markup
from companion.reports.pictures.maps import draw_chart
from companion.reports.pictures.races import draw_race
from companion.reports.pictures.stacks import draw_stacks
from companion.reports.pictures.towers import draw_tower


def draw_picture(picture: Drawing) -> Markup:
    """Return a picture as SVG, without its title."""
    if isinstance(picture, Stacks):
        return draw_stacks(picture)
    if isinstance(picture, Chart):
        return draw_chart(picture)
    if isinstance(picture, Race):
        return draw_race(picture)
    return draw_tower(picture)


@cache
def picture_style() -> str:
    """Return the CSS of the drawings, for the style of a page that has some."""
    return files(__package__).joinpath("pictures.css").read_text(encoding="utf-8")
