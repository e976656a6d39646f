"""Draws the pictures of the dashboard: `python -m tests.pictures.make [FOLDER] [light]`.

The app runs without a terminal over a session played on the virtual board, and over the beginnings
of recorded games. *Fix mistakes* is drawn in the smallest size and in a comfortable one. With
`every`, each screen is drawn in three sizes instead, as SVG and as text, to compare before and
after a change; with `ascii` as well, as terminals with ASCII only show it.
"""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from textual.app import App

from companion.config.schema import Preferences
from companion.dashboard.app import Dashboard
from companion.dashboard.registry import BG_STATS, REMATCH, REPORT
from companion.dashboard.source import TableLike
from companion.dashboard.themes import DARK, LIGHT
from companion.session.table import Table
from firmware_protocol.virtual.client import VirtualBoard
from tests.dashboard.before_a_game import before_a_game
from tests.dashboard.every_screen import ENDED, HELP, PLAYED, SIZES, Keys
from tests.dashboard.fakes import ManualClock
from tests.dashboard.recorded import recorded
from tests.dashboard.screen import screen_text
from tests.end_to_end.parts import at_table, draws, wait_for

HERE = Path(__file__).parent
SIZE = (120, 36)
SEATS = ("Anna", "Ben", "Carl", "Dora")
SEED = 4
HOLD_MS = 700
TO_THE_SHOT = ("c", "up")  # the marshal screen, its cursor on the last shot
MIDST = (
    ("skyfire", "a-tie-broken", 20),
    ("sky-rise", "two-players", 40),
    ("fractured-sky", "virtual-decks", 45),
)
"""Of each other game a recorded one, and how many of its facts were entered."""


def picture(
    table: TableLike, *, size: tuple[int, int] = SIZE, theme: str = DARK, keys: Keys = ()
) -> str:
    """Return an SVG of the dashboard over `table` after pressing `keys`; it loads nothing."""
    return asyncio.run(
        _drawn(partial(Dashboard, table, clock=ManualClock(), theme=theme), size, keys)
    )[0]


async def _drawn(
    made: Callable[[], App[Any]], size: tuple[int, int], keys: Keys
) -> tuple[str, str]:
    """Return the picture, and its text."""
    app = made()
    async with app.run_test(size=size) as pilot:
        for key in keys:
            await pilot.press(key)
            await app.workers.wait_for_complete()
            await pilot.pause()
        await pilot.pause()
        text = screen_text(app)
        assert text.strip(), f"nothing is on the screen after {keys}"
        return without_fonts(app.export_screenshot(title="Table companion")), text


def without_fonts(svg: str) -> str:
    """Return the SVG without the web fonts it would load; any fixed-width font will do."""
    svg = svg.replace("<text ", '<text xml:space="preserve" ')
    svg = re.sub(r"@font-face\s*\{.*?\}\s*", "", svg, flags=re.DOTALL)
    return re.sub(
        r"font-family:\s*Fira Code,\s*monospace",
        "font-family: ui-monospace, Consolas, monospace",
        svg,
    )


@contextmanager
def session() -> Iterator[Table]:
    """Return a session on the virtual board in mid-round: one player is out, and a shot has no
    shooter yet."""
    with (
        TemporaryDirectory() as folder,
        VirtualBoard.spawn(seed=SEED, path=Path(folder) / "port") as board,
        at_table(Path(folder) / "session.sqlite", board, SEATS) as table,
    ):
        _play(table, board)
        yield table


def _play(table: Table, board: VirtualBoard) -> None:
    board.press("zone-4", HOLD_MS)
    wait_for(table, lambda view: view.game.phase == "open", "an open round")
    for turn, seat in enumerate((0, 1, 2, 0, 1, 0)):
        before = draws(table.view(), seat)
        board.press(f"zone-{seat + 1}", 60, at_ms=150 + 35 * turn)
        wait_for(table, lambda view, seat=seat, n=before: draws(view, seat) > n, "a draw")  # type: ignore[misc]
    table.do("panic-fire.shield.3")
    board.knock(900)
    wait_for(table, lambda view: "knock" in view.log[-1].text, "the knock")
    _shoot(table, board, 1.5)
    board.press("zone-2", HOLD_MS, at_ms=50)
    wait_for(table, lambda view: view.game.open_shots[0].target is not None, "the target")
    board.press("zone-1", HOLD_MS, at_ms=50)
    wait_for(table, lambda view: not view.game.open_shots, "the verdict")
    board.press("zone-3", 60, at_ms=100)
    wait_for(table, lambda view: draws(view, 2) == 2, "a draw")
    board.dry_pull()
    wait_for(table, lambda view: "dry pull" in view.log[-1].text, "the dry pull")
    _shoot(table, board, 6.2)
    board.press("zone-3", HOLD_MS, at_ms=50)
    wait_for(table, lambda view: view.game.open_shots[0].target is not None, "the target")


def _shoot(table: Table, board: VirtualBoard, lag_ms: float) -> None:
    board.shot(peak=1640, lag_ms=lag_ms, at_ms=200)
    wait_for(table, lambda view: bool(view.game.open_shots), "an open shot")


def put_right(table: Table) -> None:
    """Take back a draw made by a sleeve that touched the zone."""
    draw = next(
        line for line in reversed(table.inspection.marshal().rulings) if line.kind == "draw"
    )
    table.take_back(draw.n, "a sleeve", "carl")
    wait_for(table, lambda view: view.log[-1].text.startswith("deleted"), "the correction")


EVERY = "every"
ASCII = "ascii"


def draw_every(folder: Path, theme: str, *, ascii_only: bool = False) -> None:
    """Write each screen in three sizes: `GAME-SCREEN-COLUMNSxROWS.svg`, and `.txt` with its text.

    The screens are each game's pages in its middle and at its end, the start screens with their
    checklists, the owner's box and its map.
    """
    folder.mkdir(parents=True, exist_ok=True)
    preferences = Preferences(theme="light" if theme == LIGHT else "dark", ascii=ascii_only)
    for game in (*PLAYED, *ENDED):
        with TemporaryDirectory() as data, game.at_table(Path(data)) as table:
            dashboard = partial(
                Dashboard,
                table,
                clock=ManualClock(),
                theme=theme,
                ascii=ascii_only,
                offers={action.id: lambda: "" for action in (REMATCH, REPORT, BG_STATS)},
            )
            for page, keys in (game.pages if game in ENDED else {**game.pages, **HELP}).items():
                _write(folder, f"{game}-{page}", dashboard, keys)
    for name, (made, keys) in before_a_game(preferences).items():
        _write(folder, name, made, keys)


def _write(folder: Path, name: str, made: Callable[[], App[Any]], keys: Keys) -> None:
    for columns, rows in SIZES:
        drawn, text = asyncio.run(_drawn(made, (columns, rows), keys))
        path = folder / f"{name}-{columns}x{rows}"
        path.with_suffix(".svg").write_text(drawn, encoding="utf-8")
        path.with_suffix(".txt").write_text(f"{text}\n", encoding="utf-8")


def main(arguments: list[str]) -> int:
    """Write the pictures; return the exit code."""
    theme = LIGHT if "light" in arguments else DARK
    folder = Path(
        next((argument for argument in arguments if argument not in ("light", EVERY, ASCII)), HERE)
    )
    if EVERY in arguments:
        draw_every(folder, theme, ascii_only=ASCII in arguments)
        return 0
    with session() as table:
        (folder / "dashboard.svg").write_text(picture(table, theme=theme), encoding="utf-8")
        (folder / "big.svg").write_text(picture(table, theme=theme, keys=("f8",)), encoding="utf-8")
        put_right(table)
        for columns, rows in ((80, 24), (160, 50)):
            drawn = picture(table, size=(columns, rows), theme=theme, keys=TO_THE_SHOT)
            (folder / f"marshal-{columns}x{rows}.svg").write_text(drawn, encoding="utf-8")
    for game_id, name, facts in MIDST:
        with TemporaryDirectory() as data, recorded(game_id, name, facts, Path(data)) as entered:
            (folder / f"{game_id}.svg").write_text(picture(entered, theme=theme), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
