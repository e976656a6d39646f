"""What a seat of Fractured Sky saw is on no screen except behind its own curtain: random games,
painted and compared."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from textual.app import App
from textual.pilot import Pilot

from companion.dashboard.app import Dashboard
from companion.dashboard.at_table import KEYS_IGNORED_S
from companion.dashboard.screens.curtain import PEEK_S, Curtain
from companion.rules.facts import body_of
from tests.dashboard.fakes import ManualClock
from tests.dashboard.screen import screen_text
from tests.games.fractured_sky.playing import A, B, C, D, E, F, G, H
from tests.games.fractured_sky.test_secrecy import OWNER, World, prepared, setup_with, two
from tests.games.test_every_game import secret_pairs
from tests.thorough import THOROUGH, examples

MORE = (
    ("escape", "c"),
    ("f2",),
    ("escape", "f3"),
    ("8",),
    ("escape", "x"),
    ("escape", "escape", "f8"),
    ("escape", "r"),
    ("escape", "o"),
)
"""Looked at in a thorough run: the tests of all games open most of these in any run."""
PAGES = (
    (),
    ("l",),
    ("enter",),
    ("escape", "escape", "v"),
    *(MORE if THOROUGH else ()),
    ("escape", "j", "2", "enter"),
)


async def shown_to_others(world: World) -> list[str]:
    """Return everything that a table shows to more than the one seat, page by page, then the texts for the terminal."""
    app = Dashboard(world.table, clock=ManualClock())
    async with app.run_test(size=(100, 30)) as pilot:
        pages = [await page(pilot, app, *keys) for keys in PAGES]
        view = world.table.view()
        texts = (
            app.title,
            app.sub_title,
            view.session,
            view.undo,
            view.redo,
            view.notice,
            view.awaiting,
        )
    return [*pages, repr(texts)]


async def page(pilot: Pilot[None], app: App[None], *keys: str) -> str:
    for key in keys:
        await pilot.press(key)
        await app.workers.wait_for_complete()
        await pilot.pause()
    return screen_text(app)


def noted(rng: random.Random, left: World, right: World) -> int:
    """A random game in both worlds, in which a seat notes one thing here and another there; how often it did."""
    for world in (left, right):
        prepared(world)
    notes = 0
    for _ in range(15):
        pairs = [pair for pair in secret_pairs(left.game, left.state) if pair[0] == OWNER]
        if pairs:
            _, first, second = rng.choice(pairs)
            left.enter(first)
            right.enter(second)
            notes += 1
        fact = rng.choice([fact for fact in left.game.legal(left.state) if fact.kind != "saw"])
        for world in (left, right):
            world.table.enter(fact.kind, body_of(fact))
    return notes


def dealt(rng: random.Random, left: World, right: World) -> int:
    """The same tray in both worlds and another pile, of which the seat draws a card; then the same random turns."""
    regions = [A, B, C, D, E, F, G, H]
    rng.shuffle(regions)
    for world, cards in (
        (left, regions),
        (right, [*regions[:1], regions[7], *regions[2:7], regions[1]]),
    ):
        world.table.enter("first", {"seat": OWNER})
        world.table.enter("deal", {"cards": cards})
        world.table.enter("public", {"region": A})
        world.table.enter("airship", {"seat": OWNER, "region": B})
    for _ in range(6):
        options = [
            fact
            for fact in left.game.legal(left.state)
            if fact.kind in ("airship", "skimmer", "build")
        ]
        fact = rng.choice(options)
        for world in (left, right):
            world.enter(fact)
    return len(left.table.seat_view(OWNER).sights)


@pytest.mark.parametrize("seed", range(examples(1, 10)))
@pytest.mark.parametrize(
    ("starfalls", "play"), [("physical", noted), ("virtual", dealt)][: examples(1, 2)]
)
async def test_fs46_two_tables_that_differ_in_what_a_seat_saw_paint_the_same_for_everybody_else(
    starfalls: str, play: Callable[[random.Random, World, World], int], seed: int
) -> None:
    with two(setup_with(starfalls=starfalls)) as (left, right):
        assert play(random.Random(seed), left, right)
        assert (
            left.table.seat_view(OWNER).sights != right.table.seat_view(OWNER).sights
            or starfalls == "physical"
        )
        first, second = await shown_to_others(left), await shown_to_others(right)
        for page_of_one, page_of_other in zip(first, second, strict=True):
            assert page_of_one == page_of_other
        assert len({*first}) > len(PAGES) - 3  # the pages were opened


async def test_what_a_seat_is_refused_behind_its_curtain_is_told_nowhere_else() -> None:
    with two(setup_with(starfalls="physical")) as (world, _):
        prepared(world)
        world.table.enter("saw", {"seat": OWNER, "where": "hidden", "number": 9, "region": A})
        notice = world.table.view().notice
        assert notice is not None
        assert (notice.refused, notice.secret, world.table.view().refusals) == (True, True, ())
        app = Dashboard(world.table, clock=ManualClock())
        async with app.run_test(size=(100, 30)) as pilot:
            for keys in ((), ("ctrl+r",), ("escape", "l"), ("escape", "c")):
                assert notice.text[:20] not in await page(pilot, app, *keys)


async def test_a_digit_that_is_typed_as_the_curtain_falls_places_no_airship() -> None:
    with two(setup_with(starfalls="physical")) as (world, _):
        prepared(world)
        clock = ManualClock()
        app = Dashboard(world.table, clock=clock)
        async with app.run_test(size=(100, 30)) as pilot:
            await page(pilot, app, "j", "1", "enter")
            assert isinstance(app.screen, Curtain)
            entries = len(world.journal.entries)
            clock.now += PEEK_S
            app.screen.tick()
            await pilot.pause()
            assert "he secrets are hidden again" in await page(pilot, app, "3")
            assert len(world.journal.entries) == entries
            clock.now += KEYS_IGNORED_S
            await page(pilot, app, "3")
        assert len(world.journal.entries) == entries + 1
