"""Where things of the map stand on a screen: none over another, left stays left and north stays north."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.fractured_sky.screen.canvas import Canvas
from companion.games.fractured_sky.screen.layout import ROWS, Spot, Thing, arranged, in_reading_order
from companion.games.fractured_sky.screen.maps import picture
from tests.games.fractured_sky.playing import begun, virtual

PLACE = st.tuples(st.integers(0, 30), st.integers(0, 20))


def things_at(places: list[tuple[int, int]], wanted: int = 14, least: int = 9) -> list[Thing]:
    return [Thing(str(at), Fraction(x), Fraction(y), wanted, least) for at, (x, y) in enumerate(places)]


def overlap(one: Spot, other: Spot) -> bool:
    beside = one.x + one.width <= other.x or other.x + other.width <= one.x
    return not beside and abs(one.y - other.y) < ROWS


def no_two_overlap(spots: dict[str, Spot], width: int, height: int) -> bool:
    inside = all(
        spot.x >= 0 and spot.x + spot.width <= width and 0 <= spot.y <= height - ROWS for spot in spots.values()
    )
    names = sorted(spots)
    return inside and not any(overlap(spots[one], spots[other]) for one in names for other in names if one < other)


@given(st.lists(PLACE, min_size=1, max_size=14, unique=True))
def test_no_thing_stands_over_another_while_all_of_them_fit(places: list[tuple[int, int]]) -> None:
    assert no_two_overlap(arranged(things_at(places), 80, 12), 80, 12)


@given(st.lists(PLACE, min_size=2, max_size=14, unique=True))
def test_of_two_things_in_a_row_the_western_stands_to_the_left(places: list[tuple[int, int]]) -> None:
    things = things_at(places)
    spots = arranged(things, 80, 12)
    for one in things:
        for other in things:
            if spots[one.id].y == spots[other.id].y and one.x < other.x:
                assert spots[one.id].x < spots[other.id].x


@given(st.lists(PLACE, min_size=2, max_size=14, unique=True))
def test_nothing_stands_below_a_thing_that_lies_south_of_it(places: list[tuple[int, int]]) -> None:
    things = things_at(places)
    spots = arranged(things, 80, 12)
    for one in things:
        for other in things:
            if one.y < other.y:
                assert spots[one.id].y <= spots[other.id].y


def test_things_without_places_stand_in_the_order_in_which_they_are_named() -> None:
    places = in_reading_order(["a", "b", "c"], 40, 16)
    assert sorted(places, key=lambda name: (places[name][1], places[name][0])) == ["a", "b", "c"]
    assert places["c"] == (Fraction(0), Fraction(1))


@pytest.mark.parametrize(("width", "height"), [(48, 11), (78, 18), (119, 24)])
@pytest.mark.parametrize("seats", ["ada", "ada bo cleo dan eve"])
def test_every_part_of_the_example_map_has_room(seats: str, width: int, height: int) -> None:
    game = begun(seats).view()
    rows, spots = picture(game, width, height)
    assert len(rows) == height
    assert no_two_overlap(spots, width, height)
    assert len(spots) == len(game.table.board.regions) + len(game.table.board.platforms)
    assert all(row.cell_length <= width for row in rows)


def test_bridges_are_drawn_where_there_is_room_and_never_through_what_is_written() -> None:
    game = virtual().view()
    small, _ = picture(game, 48, 11)
    large, spots = picture(game, 119, 24)
    assert "·" not in "".join(row.plain for row in small)
    assert "·" in "".join(row.plain for row in large)
    for spot in spots.values():
        assert "·" not in large[spot.y].plain[spot.x : spot.x + spot.width]


def test_a_line_leaves_what_stands_in_its_way() -> None:
    canvas = Canvas(5, 1)
    canvas.put(2, 0, "x")
    canvas.line((0, 0), (4, 0))
    assert canvas.rows()[0].plain == "··x··"
