"""Groups and columns by brute force, over thousands of random towers."""

from __future__ import annotations

import random
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from companion.games.sky_rise.rules.facts import Color, Piece
from companion.games.sky_rise.rules.model import OPAQUE, SIZES, Grid, Placed, TowerLevel
from companion.games.sky_rise.rules.options import HOUSE_RULES
from companion.games.sky_rise.rules.scoring import column, groups, is_column
from companion.rules.house_rules import read_options
from tests.games.sky_rise.playing import GAME
from tests.games.sky_rise.second_points import (
    Level,
    Pyramid,
    Spot,
    group_points,
    is_column as is_column_by_windows,
    placement_points,
    spot,
)
from tests.games.transcripts import folded
from tests.thorough import examples

RECORDED = sorted((Path(__file__).parents[2] / "fixtures" / "sky-rise").glob("*.jsonl"))
COLORS: tuple[Color, ...] = ("red", "yellow", "green", "blue", "purple")
TOWERS = examples(3_000, 10_000)


def random_level(rng: random.Random, grid: Grid) -> dict[Spot, Piece]:
    """Return a level with some corners free and more opaque pyramids than a game has, so that they touch."""
    colors = COLORS[: rng.choice([2, 3, 4, 5])]
    wild = rng.choice([0.05, 0.2, 0.4])
    full = rng.choice([0.6, 1.0])
    found: dict[Spot, Piece] = {}
    for x, y in product(range(grid.columns + 1), range(grid.rows + 1)):
        if rng.random() < full:
            found[x, y] = OPAQUE if rng.random() < wild else rng.choice(colors)
    return found


def as_pyramids(level: dict[Spot, Piece]) -> tuple[Placed, ...]:
    return tuple(
        Placed(2, f"{'abcd'[x]}{y + 1}", piece, "large", "ada") for (x, y), piece in level.items()
    )


@pytest.mark.parametrize("seed", range(4))
def test_sr10_to_sr12_groups_score_as_the_definition_says_over_random_towers(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(TOWERS // 4):
        grid = rng.choice([Grid(3, 2), Grid(3, 3)])
        chosen = {
            "wild_chain": rng.choice(["yes", "adjacent_only"]),
            "wild_only": rng.choice(["no", "yes"]),
            "single_with_two_wilds": rng.choice(["yes", "no"]),
        }
        level, color = random_level(rng, grid), rng.choice(COLORS)
        found = groups(grid, as_pyramids(level), color, read_options(chosen, HOUSE_RULES))
        assert sorted(group.points for group in found) == group_points(level, color, chosen), (
            level,
            color,
            chosen,
        )
        corners = [place for group in found for place in (*group.own, *group.opaque)]
        assert len(corners) == len(set(corners)), "each pyramid is in one group of a color at most"


def test_sr15_columns_are_what_every_window_of_three_or_more_says_over_random_towers() -> None:
    rng = random.Random(15)
    for _ in range(TOWERS):
        pieces: list[Piece | None] = [
            rng.choice(
                [None, OPAQUE, "red", "red", "blue"]
                if rng.random() < 0.2
                else [OPAQUE, "red", "red", "blue"]
            )
            for _ in range(3)
        ]
        antennas: list[Piece] = [
            rng.choice([OPAQUE, "red", "blue"]) for _ in range(rng.choice([0, 0, 1, 2, 4]))
        ]
        chosen = {
            "column_wild_only": rng.choice(["no", "yes"]),
            "antenna_in_column": rng.choice(["yes", "no"]),
            "antenna_place": "free",
        }
        levels = [
            TowerLevel(
                number,
                "ada",
                "ada",
                pyramids=() if piece is None else (Placed(2, "b2", piece, size, "ada"),),
            )
            for number, (piece, size) in enumerate(zip(pieces, SIZES, strict=True), start=1)
        ]
        levels.append(
            TowerLevel(
                4,
                "ada",
                "ada",
                pyramids=tuple(Placed(2, "b2", one, "small", "ada") for one in antennas),
            )
        )
        stack = pieces + (list(antennas) if chosen["antenna_in_column"] == "yes" else [])
        options = read_options(chosen, HOUSE_RULES)
        assert column(levels, "b2", options) == tuple(stack)
        for color in ("red", "blue"):
            expected = is_column_by_windows(stack, color, chosen)
            assert is_column(column(levels, "b2", options), color, options) == expected, (
                stack,
                color,
                chosen,
            )


def test_sr8_and_sr9_a_corner_touches_the_cells_around_it_in_both_grids() -> None:
    for grid in (Grid(3, 2), Grid(3, 3)):
        for place in grid.places:
            x, y = "abcd".index(place[0]), int(place[1]) - 1
            around = {
                f"{'abcd'[cx]}{cy + 1}"
                for cx, cy in product(range(grid.columns), range(grid.rows))
                if x - 1 <= cx <= x and y - 1 <= cy <= y
            }
            assert set(grid.touching(place)) == around
            assert 1 <= len(around) <= 4


def tree_columns(rounds: list[dict[str, Any]], tree: str, chosen: dict[str, str]) -> int:
    found = 0
    for place in {piece["place"] for piece in rounds[0]["pyramids"]}:
        stack: list[Piece | None] = []
        for level in rounds:
            here = [piece["color"] for piece in level["pyramids"] if piece["place"] == place]
            stack += here or [None]
        found += is_column_by_windows(stack, tree, chosen)
    return found


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_a_recorded_game_has_the_same_points_when_its_cards_and_pyramids_are_scored_again(
    path: Path,
) -> None:
    record = folded(path)
    state = record.state
    report = GAME.report(state)
    chosen = {
        "wild_chain": "yes",
        "wild_only": "no",
        "single_with_two_wilds": "yes",
        "column_wild_only": "no",
    }
    chosen |= dict(record.setup.options)
    rounds = report["rounds"]
    totals: dict[str, int] = dict.fromkeys(report["colors"], 0)
    placed: dict[str, int] = dict.fromkeys(report["seats"], 0)
    for level in rounds:
        lies = Level(level["number"], level["starter"])
        lies.cards = {spot(cell): (suit, None, "") for cell, suit in level["cards"].items()}
        for piece in level["pyramids"]:
            pyramid = Pyramid(spot(piece["place"]), piece["color"], piece["size"], piece["seat"])
            placed[piece["seat"]] += placement_points(lies, pyramid, dict(state.plan.suits))
        if level["size"] is not None:
            pieces = {spot(piece["place"]): piece["color"] for piece in level["pyramids"]}
            for color in totals:
                totals[color] += sum(group_points(pieces, color, chosen))
    assert report["colors"] == totals
    for seat, own in report["seats"].items():
        expected = (
            placed[seat] + totals[own["nest"]] + 6 * tree_columns(rounds, own["tree"], chosen)
        )
        expected += 2 * own["opaque_left"] + own["by_hand"]
        assert report["totals"][seat] == expected
