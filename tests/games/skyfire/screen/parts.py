"""SkyFire tables on disk with a stopped clock, so that two of them can be compared character by character."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from companion.journal.journal import Journal
from companion.rules.facts import Setup
from companion.rules.header import header
from companion.rules.registry import open_game
from companion.rules.seats import seats_from_names
from companion.session.table import Table
from tests.games.skyfire.playing import example_deck, unknown_deck

NAMES = ("Ada", "Bo", "Cleo", "Dan", "Eve")


@contextmanager
def skyfire_table(
    path: Path,
    seats: int = 3,
    *,
    made_up: bool = True,
    box: Mapping[str, Any] | None = None,
    **options: str,
) -> Iterator[Table]:
    """Open a table with the example deck, with a box without known faces, or with this `box`."""
    game = open_game("skyfire")
    if box is None:
        box = example_deck() if made_up else unknown_deck()
    setup = Setup("skyfire", game.rules_version, seats_from_names(NAMES[:seats]), options, box)
    journal = Journal.create(
        path, header(setup, path.stem), wall=lambda: "2024-05-01T20:15:00+00:00"
    )
    table = Table(game, journal, setup, host_us=lambda: 5_000_000)
    try:
        yield table
    finally:
        table.close()
