"""SR-10 to SR-12: horizontal groups and the opaque pyramids they use, worked by hand."""

from __future__ import annotations

import pytest

from tests.games.sky_rise.playing import QUIET, Record, groups_of, scores


def test_sr10_two_neighbors_of_one_color_are_four_points() -> None:
    assert scores("RR.. .... ....", "red") == [4]
    assert scores("R... R... ....", "red") == [4]


def test_sr10_one_pyramid_alone_is_no_group() -> None:
    assert scores("R.R. .... R.R.", "red") == []


def test_sr10_neighbors_are_never_diagonal() -> None:
    assert scores("R... .R.. ..R.", "red") == []


def test_sr10_the_end_of_a_row_is_no_neighbor_of_the_next_rows_beginning() -> None:
    assert scores("...R R... ....", "red") == []


@pytest.mark.parametrize(
    ("rows", "points"),
    [
        ("RRR. .... ....", [6]),
        ("RR.. RR.. ....", [8]),
        ("RRRR R..R RRRR", [20]),
        ("RR.. ...R ...R", [4, 4]),
    ],
)
def test_sr10_each_group_scores_two_for_each_of_its_pyramids(rows: str, points: list[int]) -> None:
    assert scores(rows, "red") == points


def test_sr10_each_color_is_scored_by_itself() -> None:
    assert scores("RRBB .... ....", "red") == [4]
    assert scores("RRBB .... ....", "blue") == [4]
    assert scores("RRBB .... ....", "green") == []


def test_sr11_one_of_the_color_and_one_opaque_are_two_and_no_group() -> None:
    assert scores("R#.. .... ....", "red") == []


def test_sr11_two_of_the_color_and_one_opaque_beside_them_are_three() -> None:
    assert scores("RR#. .... ....", "red") == [6]


def test_sr11_an_opaque_pyramid_joins_what_it_stands_between() -> None:
    assert scores("R#R. .... ....", "red") == [6]
    assert scores("RR#R .... ....", "red") == [8]
    assert scores(".R.. R#R. .R..", "red") == [10]


def test_sr11_a_group_names_the_opaque_pyramids_it_uses() -> None:
    (group,) = groups_of("RR#. .... ....", "red")
    assert (group.own, group.opaque, group.points) == (("a1", "b1"), ("c1",), 6)


def test_sr11_one_opaque_pyramid_serves_several_colors() -> None:
    rows = "RR#BB... ...."
    assert scores("RR#B ..B. ....", "red") == [6]
    assert scores("RR#B ..B. ....", "blue") == [6]
    assert len(rows.replace(" ", "")) == 12


def test_sr11_an_opaque_pyramid_counts_once_in_a_color_however_many_of_it_are_around() -> None:
    assert scores("RRR. R#R. RRR.", "red") == [18]


def test_sr11_opaque_pyramids_chain_through_each_other() -> None:
    assert scores("R##R .... ....", "red") == [8]
    assert scores("RR## .... ....", "red") == [8]


def test_sr11_adjacent_only_breaks_the_chain() -> None:
    assert scores("R##R .... ....", "red", wild_chain="adjacent_only") == []
    assert scores("RR## .... ....", "red", wild_chain="adjacent_only") == [6]


def test_sr11_adjacent_only_still_joins_through_one_opaque_pyramid() -> None:
    assert scores("R#R. .... ....", "red", wild_chain="adjacent_only") == [6]


def test_sr11_adjacent_only_lets_two_opaque_pyramids_serve_the_same_one() -> None:
    assert scores("#R#. .... ....", "red", wild_chain="adjacent_only") == [6]
    assert scores("R#.. ##.. ....", "red", wild_chain="adjacent_only") == [6]


def test_sr11_adjacent_only_two_opaque_neighbors_of_two_pyramids_join_nothing_across() -> None:
    assert scores("RR## .... ....", "red", wild_chain="adjacent_only") == [6]
    assert scores("RR## ...R ...R", "red", wild_chain="adjacent_only") == [6, 6]
    assert scores("RR## ...R ...R", "red") == [12]


def test_sr12_opaque_pyramids_alone_are_no_group() -> None:
    assert scores("###. .... ....", "red") == []


def test_sr12_one_of_the_color_with_two_opaque_ones_is_a_group_of_three() -> None:
    assert scores("#R#. .... ....", "red") == [6]
    assert scores("R##. .... ....", "red") == [6]
    assert scores("R... ##.. ....", "red") == [6]


def test_sr12_single_with_two_wilds_no_asks_for_two_of_the_color() -> None:
    assert scores("#R#. .... ....", "red", single_with_two_wilds="no") == []
    assert scores("#R#R .... ....", "red", single_with_two_wilds="no") == [8]
    assert scores("RR.. .... ....", "red", single_with_two_wilds="no") == [4]


def test_sr12_wild_only_makes_three_opaque_ones_a_group_of_each_color_they_do_not_touch() -> None:
    assert scores("###. .... ...R", "red", wild_only="yes") == [6]
    assert scores("###. .... ....", "blue", wild_only="yes") == [6]
    assert scores("##.. .... ....", "red", wild_only="yes") == []
    assert scores("###R .... ....", "red", wild_only="yes") == [8]


def test_sr12_wild_only_has_nothing_to_say_where_opaque_ones_do_not_chain() -> None:
    assert scores("###. .... ....", "red", wild_only="yes", wild_chain="adjacent_only") == []


def test_sr12_wild_only_and_no_single_still_refuse_one_of_the_color() -> None:
    assert scores("R### .... ....", "red", wild_only="yes", single_with_two_wilds="no") == []


def test_sr10_the_large_grid_has_four_rows() -> None:
    assert scores("R... R... R... R...", "red") == [8]


def test_sr10_the_totals_are_open_and_count_complete_levels() -> None:
    record = Record(2)
    record.floor()
    record.pyramids("RRYY GGBB RYG.")
    assert [color.total for color in record.view.colors] == [0, 0, 0, 0]
    assert dict(record.view.levels[0].scores) == {"red": 4, "yellow": 4, "green": 4, "blue": 4}
    record.do("pyramid", place="d3", color="blue")
    assert [color.total for color in record.view.colors] == [4, 4, 4, 6]


def test_sr10_totals_add_up_over_the_levels() -> None:
    record = Record(2)
    record.build("RRYY GGBB RYGB", "RRYY GGBB RYGB", QUIET)
    assert {color.name: color.total for color in record.view.colors} == {
        "red": 8,
        "yellow": 8,
        "green": 8,
        "blue": 12,
    }


def test_sr11_a_level_shows_its_groups_while_it_is_built() -> None:
    record = Record(2)
    record.floor()
    record.pyramids("RR#B ..B. ....")
    found = {
        (group.color, group.own, group.opaque, group.points)
        for group in record.view.levels[0].groups
    }
    assert found == {("red", ("a1", "b1"), ("c1",), 6), ("blue", ("d1", "c2"), ("c1",), 6)}
