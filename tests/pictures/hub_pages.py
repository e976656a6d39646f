"""Draws the pictures of the hub's pages: `python -m tests.pictures.hub_pages [FOLDER]`.

Tables of the hub's demo play from a seed, as fast as they can, until some games are over. A real
browser shows the pages.
"""

from __future__ import annotations

import random
import sys
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.hub.database import Database
from companion.hub.demo import simulated
from tests.hub.parts import RunningHub, running
from tests.pictures.make import HERE
from tests.web.browser import Browser, Chromium

SEED = 18
TABLES = 3
APART_S = 0.5  # between two moves, by the hub's clock
MOVES = 700  # until each table has ended a game or two
PLAYERS = "Ann, Bo, Cy, Di, Ed, Flo, Gil, Hal, Ida, Jo, Kit, Liv"
PAGES = (
    ("hall", "/hall?look=dark", (1280, 900)),
    ("seating", "/seating", (390, 700)),
    ("standings", "/", (390, 700)),
)
"""Name of each picture, the hub's page, and the browser's size in CSS pixels; the whole page is drawn."""


def draw(folder: Path) -> None:
    """Write the pictures."""
    with (
        TemporaryDirectory() as data,
        closing(Database(f"sqlite:///{Path(data) / 'hub.sqlite'}")) as database,
        running(database) as hub,
        closing(Chromium(Path(data) / "profile")) as chromium,
    ):
        organiser = hub.organiser()
        organiser.post("/organiser/rounds", players=PLAYERS, rounds="0")
        _play(hub, database)
        for name, path, size in PAGES:
            with chromium.page() as page:
                _open(page, hub.address + path, size)
                page.picture(folder / f"{name}.png")


def _play(hub: RunningHub, database: Database) -> None:
    chance = random.Random(SEED)
    tables = simulated(database, hub.address, TABLES, chance, hub.clock)
    for _ in range(MOVES):
        hub.clock += APART_S  # the hub limits what it takes by its own clock
        chance.choice(tables).move()


def _open(page: Browser, address: str, size: tuple[int, int]) -> None:
    wide, high = size
    page.light(True)
    metrics = {"width": wide, "height": high, "deviceScaleFactor": 1, "mobile": wide < high}
    page.call("Emulation.setDeviceMetricsOverride", **metrics)
    page.open(address)
    page.call("Emulation.setScrollbarsHidden", hidden=True)
    page.wait_for(f"location.href === {address!r} && document.readyState === 'complete'")


def main(arguments: list[str]) -> int:
    """Write the pictures; return the exit code."""
    draw(Path(next(iter(arguments), HERE)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
