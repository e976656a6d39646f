"""Bridges on a map in cells can be followed by eye from the platform to each region."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from companion.display.routes import EAST, NORTH, SOUTH, WEST, Block, Cell, Routes
from tests.thorough import examples

WIDE, HIGH, TEXT = 100, 30, 12
LEADS = {
    "─": {EAST, WEST},
    "│": {NORTH, SOUTH},
    "╭": {SOUTH, EAST},
    "╮": {SOUTH, WEST},
    "╰": {NORTH, EAST},
    "╯": {NORTH, WEST},
    "├": {NORTH, SOUTH, EAST},
    "┤": {NORTH, SOUTH, WEST},
    "┬": {SOUTH, EAST, WEST},
    "┴": {NORTH, EAST, WEST},
    "┼": {NORTH, SOUTH, EAST, WEST},
}
STEPS = {NORTH: (0, -1), EAST: (1, 0), SOUTH: (0, 1), WEST: (-1, 0)}


def block(x: int, y: int, rows: int = 2, wide: int = TEXT) -> Block:
    texts = tuple((y + row, x, x + wide - 3 * row) for row in range(rows))
    return Block(texts, y, (x, y, wide, 4))


def texts_of(blocks: dict[str, Block]) -> dict[Cell, str]:
    return {
        (x, y): name
        for name, each in blocks.items()
        for y, start, end in each.rows
        for x in range(start, end)
    }


def picture(blocks: dict[str, Block], routes: Routes, wide: int = 40, high: int = 8) -> list[str]:
    cells = dict.fromkeys(texts_of(blocks), "x") | dict(routes.signs())
    rows = []
    for y in range(high):
        rows.append("".join(cells.get((x, y), " ") for x in range(wide)).rstrip())
    return rows


def test_a_bridge_goes_along_rows_and_columns_with_round_corners() -> None:
    blocks = {"p": block(0, 0, 1, 5), "a": block(12, 3, 1, 5)}
    routes = Routes(40, 4, blocks)
    assert routes.add([("p", "a")]) == []
    assert picture(blocks, routes, high=4) == ["xxxxx", "    │", "    │", "    ╰───────xxxxx"]


def test_two_texts_that_almost_touch_have_a_line_between_them() -> None:
    blocks = {"p": block(0, 0, 1, 5), "a": block(6, 0, 1, 5)}
    routes = Routes(20, 1, blocks)
    assert routes.add([("p", "a")]) == []
    assert picture(blocks, routes, high=1) == ["xxxxx─xxxxx"]


def test_bridges_of_two_platforms_cross_straight_and_the_upright_one_goes_on() -> None:
    blocks = {
        "west": block(0, 4, 1, 5),
        "east": block(35, 4, 1, 5),
        "north": block(18, 0, 1, 5),
        "south": block(18, 8, 1, 5),
    }
    routes = Routes(40, 9, blocks)
    assert routes.add([("west", "east"), ("north", "south")]) == []
    row = picture(blocks, routes, high=9)[4]
    assert set(row.strip("x")) == {*"─│"}
    assert "─│─" in row


def test_without_a_way_a_bridge_is_left_to_the_caller() -> None:
    wall = Block(tuple((row, 10, 11) for row in range(4)), 0, (10, 0, 1, 4))
    routes = Routes(21, 4, {"p": block(0, 0, 1, 5), "wall": wall, "a": block(15, 0, 1, 5)})
    assert routes.add([("p", "a")]) == [("p", "a")]
    assert list(routes.signs()) == []


@pytest.mark.parametrize("seed", range(examples(8, 300)))
def test_every_line_leads_from_sign_to_sign_into_a_text_of_its_bridge(seed: int) -> None:
    rng = Random(seed)
    blocks: dict[str, Block] = {}
    for place in range(15):
        x, y = place % 5 * 20 + rng.randint(1, 6), place // 5 * 10 + rng.randint(1, 4)
        blocks[f"{place}"] = block(x, y, rng.randint(1, 3))
    names = list(blocks)
    platforms, regions = names[::2], names[1::2]
    bridges = [(each, region) for each in platforms for region in rng.sample(regions, 2)]
    routes = Routes(WIDE, HIGH, blocks)
    without = routes.add(bridges)
    assert len(without) <= 1
    texts, signs = texts_of(blocks), dict(routes.signs())
    assert not set(signs) & set(texts), "nothing is drawn over a text"
    for bridge in bridges:
        if bridge in without:
            continue
        path = list(routes.path(bridge))
        touched = {
            texts.get((x + right, y + down))
            for x, y in (path[0], path[-1])
            for right, down in STEPS.values()
        }
        assert touched >= set(bridge)
        for (x, y), (right, down) in pairwise(path):
            assert abs(x - right) + abs(y - down) == 1
    for (x, y), sign in signs.items():
        for way in LEADS[sign]:
            right, down = STEPS[way]
            ahead = (x + right, y + down)
            back = (way + 2) % 4
            assert ahead in texts or back in LEADS[signs[ahead]] or _crossed(signs, ahead, way)


def _crossed(signs: dict[Cell, str], cell: Cell, way: int) -> bool:
    """Return whether a level line goes on behind an upright one."""
    right, down = STEPS[way]
    return signs[cell] == "│" and down == 0 and (cell[0] + right, cell[1]) in signs
