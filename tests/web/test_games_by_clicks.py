"""Six games, each played to its end on the table's page in a real browser, by clicks alone: the same game as typed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.rules import registry
from companion.session.roles import Role
from companion.session.table import Table
from companion.session.taps import Wish
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
    type_in,
)
from tests.web.browser import Browser, Chromium
from tests.web.clicking import begin_clicking, click

SCRIPTS = (
    ("panic-fire", ("Ann", "Bo"), 1),
    ("skyfire", ("Ann", "Bo", "Cleo"), 2),
    ("sky-rise", ("Ann", "Bo"), 2),
    ("fractured-sky", ("Ann", "Bo", "Cleo"), 1),
    ("drills", ("Ann", "Bo"), 2),
    ("hearts", FOUR, 1),
)
NEWEST = "Number(document.querySelector('[data-seen]')?.dataset.seen ?? 0)"
SAID = "document.getElementById('said').innerText"


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
    script = script_of(game, names, seed, tmp_path)
    typed = played(script, tmp_path / "typed.sqlite", lambda table, _, wish: type_in(table, wish))
    clock, ways = StepClock(), Counter[str]()
    with (
        closing(open_table(game, names, tmp_path / "clicked.sqlite", clock)) as table,
        closing(TablePages(table, LOCALHOST)) as pages,
        chromium.page() as page,
    ):
        page.size(820, 1180)
        page.open(pages.address_of_role(pages.give_out(Role.TABLE, "a tablet")))
        page.wait_for(f"{NEWEST} > 0 && document.getElementById('lost').hidden")
        begin_clicking(page)
        for wish in script.wishes:
            clock.us += GAP_US
            table.tick()
            ways[_clicked(page, table, clock, wish)] += 1
        assert table.view().ended
        assert transcript(table) == typed
        assert not page.errors
        assert set(ways) <= {"button", "form", "sheet", "something else"}, ways


def _clicked(page: Browser, table: Table, clock: StepClock, wish: Wish) -> str:
    """Do what a wish asks for on the page; return which way it was found."""
    newest = table.view().newest
    page.wait_for(f"{NEWEST} === {newest}")
    heard(page, clock)
    way = click(page, table, wish)
    page.wait_for(f"{NEWEST} > {newest} || !['', 'Sending.'].includes({SAID})")
    assert table.view().newest > newest, (wish, way, page.js(SAID))
    return way


def heard(page: Browser, clock: StepClock) -> None:
    """Let the page hear what time it is: the table's clock stands still in between."""
    page.js(f"document.dispatchEvent(new CustomEvent('heard', {{ detail: {clock.us - 100_000} }}))")
