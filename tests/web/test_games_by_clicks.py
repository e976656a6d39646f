"""Six games, each played to its end on the table's page in a real browser, by clicks alone: the same game as typed.

Where times decide, it is the same game as tapped without a browser."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.rules import registry
from companion.session.roles import Role
from companion.web import at_play, tap_post
from companion.web.addresses import LOCALHOST
from companion.web.at_play import TablePages
from tests.games.own.test_grid import FOUR
from tests.session.tap_scripts import (
    GAP_US,
    StepClock,
    open_table,
    played,
    script_of,
    transcript,
    way_of,
)
from tests.web.browser import HEARD, Chromium
from tests.web.clicking import begin_clicking, clicked

SCRIPTS = (
    ("panic-fire", ("Ann", "Bo"), 1),
    ("skyfire", ("Ann", "Bo", "Cleo"), 2),
    ("sky-rise", ("Ann", "Bo"), 2),
    ("fractured-sky", ("Ann", "Bo", "Cleo"), 1),
    ("drills", ("Ann", "Bo"), 2),
    ("hearts", FOUR, 1),
)


@pytest.fixture(autouse=True)
def _no_more_games_after() -> Iterator[None]:
    """Forget the games of a file that a test registers."""
    yield
    vars(registry.GAMES)["learned"].clear()


@pytest.mark.parametrize(("game", "names", "seed"), SCRIPTS)
def test_a_game_is_played_to_its_end_by_clicks_alone(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    chromium: Chromium,
    game: str,
    names: tuple[str, ...],
    seed: int,
) -> None:
    monkeypatch.setattr(at_play, "PORT", 0)
    monkeypatch.setattr(tap_post, "MOST_A_SECOND", 1000)  # faster than people
    do = way_of(game)
    script = script_of(game, names, seed, tmp_path, do)
    expected = played(script, tmp_path / "expected.sqlite", do)
    clock, ways = StepClock(), Counter[str]()
    with (
        closing(open_table(game, names, tmp_path / "clicked.sqlite", clock)) as table,
        closing(TablePages(table, LOCALHOST)) as pages,
        chromium.page() as page,
    ):
        page.size(820, 1180)
        page.open(pages.address_of_role(pages.give_out(Role.TABLE, "a tablet")))
        page.wait_for(HEARD)
        begin_clicking(page)
        for wish in script.wishes:
            clock.us += GAP_US
            table.tick()
            ways[clicked(page, table, clock, wish)] += 1
        assert table.view().ended
        assert transcript(table) == expected
        assert not page.errors
        assert set(ways) <= {"button", "form", "sheet", "something else"}, ways
