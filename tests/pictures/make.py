"""Draw the README's picture of the dashboard: `python -m tests.pictures.make [FILE.svg] [COLUMNS ROWS] [light]`.

The app runs without a terminal over a view made by hand; `picture` takes any other table.
"""

from __future__ import annotations

import asyncio
import re
import sys
from pathlib import Path

from companion.dashboard.app import Dashboard
from companion.dashboard.source import TableLike
from companion.dashboard.themes import DARK, LIGHT
from tests.dashboard.fakes import FakeTable, ManualClock
from tests.dashboard.panic_fire import FIRE, game_view, panic_fire_table, playing

HERE = Path(__file__).parent
SIZE = (120, 36)


def picture(table: TableLike, *, size: tuple[int, int] = SIZE, theme: str = DARK, keys: tuple[str, ...] = ()) -> str:
    """Return an SVG of the dashboard over `table`, after pressing `keys`; it loads nothing from anywhere."""
    return asyncio.run(_drawn(table, size, theme, keys))


async def _drawn(table: TableLike, size: tuple[int, int], theme: str, keys: tuple[str, ...]) -> str:
    app = Dashboard(table, clock=ManualClock(), theme=theme)
    async with app.run_test(size=size) as pilot:
        await pilot.press(*keys)
        await pilot.pause()
        return without_fonts(app.export_screenshot(title="Table companion"))


def without_fonts(svg: str) -> str:
    """Return the SVG without the web fonts it would load; any fixed-width font of the reader's will do."""
    svg = svg.replace("<text ", '<text xml:space="preserve" ')
    svg = re.sub(r"@font-face\s*\{.*?\}\s*", "", svg, flags=re.DOTALL)
    return re.sub(r"font-family:\s*Fira Code,\s*monospace", "font-family: ui-monospace, Consolas, monospace", svg)


def example() -> FakeTable:
    """Return a table in the middle of a round that the dashboard saw begin."""
    table = panic_fire_table()
    table.current = playing(game=game_view(fire=FIRE))
    return table


def main(arguments: list[str]) -> int:
    """Write the picture; return the exit code."""
    theme = LIGHT if "light" in arguments else DARK
    rest = [each for each in arguments if each != "light"]
    path = Path(rest[0]) if rest else HERE / "dashboard.svg"
    size = (int(rest[1]), int(rest[2])) if len(rest) == 3 else SIZE
    path.write_text(picture(example(), size=size, theme=theme), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
