"""A name of 20 letters is shown in full on every game's main page in the smallest window."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.dashboard.app import Dashboard
from companion.rules.registry import info_of
from companion.session.opening import begin
from tests.dashboard.fakes import ManualClock
from tests.dashboard.screen import screen_text

NAMES = (
    "Bartholomew-Maximus-",
    "Wilhelmina-Augustina",
    "Maria-Magdalena-Rose",
    "Christophorus-Julian",
    "Theodora-Wilhelmina",
)
SEATS = [
    (game, count)
    for game in ("panic-fire", "skyfire", "sky-rise", "fractured-sky", "drills")
    for count in sorted({info_of(game).seats[0], info_of(game).seats[-1]})
]


@pytest.mark.parametrize(("game", "count"), SEATS, ids=str)
async def test_a_name_of_twenty_letters_is_whole_in_the_smallest_window(
    game: str, count: int, tmp_path: Path
) -> None:
    table = begin(game, [f"{name:x<20}" for name in NAMES[:count]], {}, tmp_path / "long.sqlite")
    try:
        app = Dashboard(table, clock=ManualClock())
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            text = " ".join(screen_text(app).split())
            missing = [seat.name for seat in table.view().setup.seats if seat.name not in text]
            assert missing == [], screen_text(app)
    finally:
        table.close()
