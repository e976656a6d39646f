"""The screen as text, so that tests compare what a person reads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.segment import Segment
from textual.app import App


def screen_text(app: App[Any]) -> str:
    """Return what is on the screen now, one line of text per row, without trailing blanks."""
    return "\n".join("".join(segment.text for segment in row).rstrip() for row in screen_rows(app))


def screen_rows(app: App[Any]) -> Iterator[list[Segment]]:
    """Yield the segments of each row, filters of the app (such as the one for NO_COLOR) applied."""
    for strip in app.screen._compositor.render_strips():
        for each in app._filters:
            strip = strip.apply_filter(each, app.screen.background_colors[1])
        yield list(strip)
