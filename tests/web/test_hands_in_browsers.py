"""Two tables' pages in real browsers and the laptop's keys, used at the same moments: nothing is done twice, nothing is
lost, and both pages show the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from companion.journal.entries import Control
from companion.rules import registry
from companion.session.roles import Role
from companion.session.table import Table
from companion.web import at_play, tap_post
from companion.web.addresses import LOCALHOST
from companion.web.at_play import TablePages
from tests.session.tap_scripts import StepClock, open_table
from tests.thorough import examples
from tests.web.browser import HEARD, Browser, Chromium
from tests.web.clicking import NEWEST

GAMES = ("hearts", "panic-fire", "skyfire", "fractured-sky")
NAMES = ("Ann", "Bo", "Cleo", "Dora")
WATCHED = """
(() => {
  const now = performance.now.bind(performance);
  performance.now = () => now() * 10000;
  const ask = window.fetch;
  window.outcomes = [];
  window.pending = 0;
  window.fetch = async (...asked) => {
    pending++;
    try {
      const answer = await ask(...asked);
      outcomes.push((await answer.clone().json()).outcome);
      return answer;
    } finally { pending--; }
  };
})()
"""
"""Counts what the page is answered; and for the page time passes fast, so that no button is too fresh to be tapped."""
CLICK = """
(() => {
  const buttons = [...document.querySelectorAll("main button[data-wish], #undo button[data-wish], #said button")];
  const shown = buttons.filter((each) => each.offsetParent && !each.dataset.wish?.includes('"session"'));
  if (document.getElementById("sheet").open) document.getElementById("sheet").close();
  shown[Math.floor(%r * shown.length)]?.click();
})()
"""
TEXT = """
(() => {
  for (const clock of document.querySelectorAll("[data-zero]")) clock.remove();
  return document.querySelector("main").innerText;
})()
"""
"""What a page shows beside its running clock."""
NOT_LOADED = "Failed to load resource"
"""How a browser logs a refusal, which is no error of the page."""


@pytest.fixture(autouse=True)
def _no_more_games_after() -> Iterator[None]:
    """Forget the games of a file that a test registers."""
    yield
    vars(registry.GAMES)["learned"].clear()


@pytest.fixture(scope="module")
def two(chromium: Chromium) -> Iterator[tuple[Browser, Browser]]:
    with chromium.page() as one, chromium.page() as other:
        yield one, other


@pytest.mark.parametrize("seed", range(examples(4, 20)))
def test_two_pages_and_the_keys_at_the_same_moments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, two: tuple[Browser, Browser], seed: int
) -> None:
    monkeypatch.setattr(at_play, "PORT", 0)
    monkeypatch.setattr(tap_post, "MOST_A_SECOND", 1000)
    game = GAMES[seed % len(GAMES)]
    clock, chance = StepClock(), Random(seed)
    with (
        closing(
            open_table(game, NAMES if game == "hearts" else NAMES[:3], tmp_path / "s.sqlite", clock)
        ) as table,
        closing(TablePages(table, LOCALHOST)) as pages,
    ):
        for page in two:
            page.size(820, 1180)
            page.open(pages.address_of_role(pages.give_out(Role.TABLE, "a tablet")))
            page.wait_for(HEARD)
            page.js(WATCHED)
        for _ in range(30):
            clock.us += chance.choice((50_000, 400_000, 3_000_000))
            for page in chance.sample(two, 2):
                page.js(CLICK % chance.random())
            if chance.random() < 0.3:
                type_one(table, chance)
            if chance.random() < 0.5:  # the others look first
                settle(two, table)
        settle(two, table)
        done = sum(page.js("outcomes.filter((each) => each === 'done').length") for page in two)
        assert done
        assert taps(table) == done
        texts = [page.js(TEXT).replace("a tablet 2", "a tablet") for page in two]
        assert texts[0] == texts[1]
        errors = [error for page in two for error in page.errors if NOT_LOADED not in error]
        assert not errors


def type_one(table: Table, chance: Random) -> None:
    view = table.view()
    working = [action.id for action in table.actions if view.works(action.id)]
    if working:
        table.do(chance.choice(working))


def settle(pages: Sequence[Browser], table: Table) -> None:
    """Wait until pages have all their answers and show the newest entry."""
    for page in pages:
        page.wait_for("pending === 0")
    for page in pages:
        page.wait_for(f"{NEWEST} === {table.view().newest}")


def taps(table: Table) -> int:
    """Return how many taps are in the record, without proposals that were accepted too late."""
    return table.look(lambda record: sum(entry.kind == Control.TAPPED for entry in record.entries))
