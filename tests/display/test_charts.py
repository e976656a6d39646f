"""The layout of maps: nothing overlaps, west stays left and north stays up."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations, permutations

import pytest
from hypothesis import given, strategies as st

from companion.display.cells import Canvas, plain
from companion.display.charts import Spot, Thing, arranged, bands, in_a_grid

PLACE = st.tuples(st.integers(0, 30), st.integers(0, 20))


def things_at(places: list[tuple[int, int]], wanted: int = 14, least: int = 9) -> list[Thing]:
    return [
        Thing(str(at), Fraction(x), Fraction(y), wanted, least) for at, (x, y) in enumerate(places)
    ]


def overlap(first: Spot, second: Spot) -> bool:
    beside = first.x + first.width <= second.x or second.x + second.width <= first.x
    above = first.y + first.height <= second.y or second.y + second.height <= first.y
    return not beside and not above


def no_two_overlap(spots: Mapping[str, Spot], width: int, height: int) -> bool:
    inside = all(
        spot.x >= 0 and spot.x + spot.width <= width and 0 <= spot.y <= height - spot.height
        for spot in spots.values()
    )
    return inside and not any(
        overlap(first, second) for first, second in combinations(spots.values(), 2)
    )


@given(st.lists(PLACE, min_size=1, max_size=14, unique=True))
def test_no_thing_stands_over_another_while_all_of_them_fit(places: list[tuple[int, int]]) -> None:
    assert no_two_overlap(arranged(bands(things_at(places), 80, 12), 80, 12), 80, 12)


@given(st.lists(PLACE, min_size=2, max_size=14, unique=True))
def test_of_two_things_in_a_row_the_western_stands_to_the_left(
    places: list[tuple[int, int]],
) -> None:
    things = things_at(places)
    spots = arranged(bands(things, 80, 12), 80, 12)
    for first, second in permutations(things, 2):
        if spots[first.id].y == spots[second.id].y and first.x < second.x:
            assert spots[first.id].x < spots[second.id].x


@given(st.lists(PLACE, min_size=2, max_size=14, unique=True))
def test_nothing_stands_below_a_thing_that_lies_south_of_it(places: list[tuple[int, int]]) -> None:
    things = things_at(places)
    spots = arranged(bands(things, 80, 12), 80, 12)
    for first, second in permutations(things, 2):
        if first.y < second.y:
            assert spots[first.id].y <= spots[second.id].y


@pytest.mark.parametrize(("columns", "rows"), [(49, 11), (119, 24), (159, 31)])
@pytest.mark.parametrize("count", [1, 4, 8, 10, 17])
def test_things_without_places_stand_in_a_grid_in_the_order_in_which_they_are_named(
    count: int, columns: int, rows: int
) -> None:
    ids = [str(place) for place in range(count)]
    places = in_a_grid(ids, columns, rows, 14)
    assert sorted(places, key=lambda name: (places[name][1], places[name][0])) == ids
    across, down = (1 + max(place[way] for place in places.values()) for way in (0, 1))
    assert (across - 1) * 15 + 14 <= columns
    assert 2 * down <= max(rows, 2) or across == 1 or (across + 1) * 15 > columns
    if count >= 8 and columns > 100:
        assert across > 2
        assert down > 1


def test_a_line_leaves_what_stands_in_its_way() -> None:
    canvas = Canvas(5, 1)
    canvas.put(2, 0, "x")
    canvas.line((0, 0), (4, 0))
    assert plain(canvas.rows()[0]) == "──x──"


def test_a_line_is_drawn_in_strokes_of_its_slope() -> None:
    canvas = Canvas(7, 3)
    canvas.line((0, 0), (6, 2))
    assert [plain(row) for row in canvas.rows()] == ["─╲", "  ──╲", "     ──"]
    upright = Canvas(1, 3)
    upright.line((0, 2), (0, 0))
    assert [plain(row) for row in upright.rows()] == ["│", "│", "│"]


def test_a_level_line_joins_two_texts_that_almost_touch() -> None:
    canvas = Canvas(7, 1)
    for x, text in ((0, "a b"), (4, "c d")):
        canvas.put(x, 0, text)
        canvas.keep_clear(x - 1, 0, len(text) + 2, 1)
    canvas.line((0, 0), (6, 0))
    assert plain(canvas.rows()[0]) == "a b─c d"
