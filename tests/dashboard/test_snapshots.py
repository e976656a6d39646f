"""Every main screen of each game as text in three sizes, compared with a stored snapshot.

After an intended change, write the snapshots anew and review their difference:

    SNAPSHOTS=write python -m pytest tests/dashboard/test_snapshots.py
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.pilot import Pilot

from companion.dashboard.app import Dashboard
from companion.dashboard.themes import DARK, LIGHT
from tests.dashboard.every_screen import Game
from tests.dashboard.fakes import ManualClock
from tests.dashboard.recorded import in_utc, recorded
from tests.dashboard.screen import screen_rows, screen_text

SNAPSHOTS = Path(__file__).parent / "snapshots"
SIZES = ((80, 24), (120, 40), (160, 50))
WRITE = os.environ.get("SNAPSHOTS") == "write"


PANIC_FIRE = Game("panic-fire", "six-rounds", 60)
GAMES = (
    PANIC_FIRE,
    Game("skyfire", "misfires-by-hand", 30),
    Game("sky-rise", "two-players", 30),
    Game("fractured-sky", "two-seats-and-an-ai", 60),
)
OF_EACH_GAME = {
    "table": (),
    "statistics": ("v",),
    "log": ("l",),
    "correct": ("c",),
    "why": ("ctrl+r",),
    "big": ("f8",),
}
OF_ALL = {
    "help": ("question_mark",),
    "board": ("b",),
    "people": ("f6",),
    "line": ("l", "up", "up", "enter"),
}


@pytest.fixture(autouse=True)
def greenwich(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with in_utc(monkeypatch):
        yield


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
async def test_every_screen_of_a_game_looks_as_it_did(game: Game, tmp_path: Path) -> None:
    screens = OF_EACH_GAME | (OF_ALL if game is PANIC_FIRE else {})
    with recorded(game.id, game.name, game.facts, tmp_path) as table:
        app = Dashboard(table, clock=ManualClock())
        async with app.run_test(size=SIZES[0]) as pilot:
            changed = [
                name
                for name, keys in screens.items()
                if not await _same(pilot, app, game, name, keys)
            ]
    assert not changed, "look at the difference; when it is meant, run with SNAPSHOTS=write"


async def _same(
    pilot: Pilot[None], app: Dashboard, game: Game, name: str, keys: tuple[str, ...]
) -> bool:
    """Open a screen, compare it with its snapshot in every size, and go back to the table."""
    await _press(pilot, app, *keys)
    screens = []
    for columns, rows in SIZES:
        await pilot.resize_terminal(columns, rows)
        await _settle(pilot, app)
        text = screen_text(app)
        assert max(map(len, text.split("\n"))) <= columns
        screens.append(f"{name}, {columns} x {rows}\n{'-' * columns}\n{text}\n{'-' * columns}\n")
    if name == "table":
        app.theme = LIGHT
        await _settle(pilot, app)
        assert screen_text(app) == text, "the light theme says the same"
        app.theme = DARK
    while len(app.screen_stack) > 1:
        await _press(pilot, app, "escape")
    return matches(f"{game.id}-{name}.txt", "\n".join(screens))


async def _press(pilot: Pilot[None], app: Dashboard, *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
        await _settle(pilot, app)


async def _settle(pilot: Pilot[None], app: Dashboard) -> None:
    await pilot.pause()
    await app.workers.wait_for_complete()
    await pilot.pause()
    assert app.crash is None


@pytest.mark.parametrize("theme", [DARK, LIGHT])
async def test_the_seats_have_their_colors_in_both_themes(theme: str, tmp_path: Path) -> None:
    with recorded(PANIC_FIRE.id, PANIC_FIRE.name, PANIC_FIRE.facts, tmp_path) as table:
        app = Dashboard(table, clock=ManualClock(), theme=theme)
        async with app.run_test(size=SIZES[0]) as pilot:
            await _settle(pilot, app)
            assert matches(f"styles-{theme}.txt", "\n".join(styles(app)) + "\n")


def styles(app: Dashboard) -> Iterator[str]:
    """Return each row of the screen as runs of one style: the style, then its text."""
    for number, row in enumerate(screen_rows(app)):
        runs = [
            (str(segment.style), segment.text.strip()) for segment in row if segment.text.strip()
        ]
        yield from (f"{number:>2}  {style:<32} {text}" for style, text in runs)


def matches(name: str, text: str) -> bool:
    """Return whether the snapshot is unchanged; if not, write the new one beside it as `name.new`."""
    path, new = SNAPSHOTS / name, SNAPSHOTS / f"{name}.new"
    if WRITE:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    if path.is_file() and path.read_text(encoding="utf-8") == text:
        new.unlink(missing_ok=True)
        return True
    new.write_text(text, encoding="utf-8")
    return False
