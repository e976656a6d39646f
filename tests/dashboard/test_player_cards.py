"""Cards of players, and what the panel beside the log adds to them: rounds, charts, bars."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from textual.content import Content

from companion.dashboard.widgets.bars import player_bar_rows
from companion.dashboard.widgets.cards import PlayerText, card_rows, key_rows
from companion.dashboard.widgets.letters import drawn
from companion.dashboard.widgets.rounds import TITLE, round_rows
from companion.display.pictures import Lane
from companion.rules.facts import Seat
from companion.rules.seats import seats_from_names
from tests.dashboard.recorded import recorded
from tests.dashboard.screen import shown

ANN, BEN = seats_from_names(("Ann", "Ben"))
TEXT = PlayerText(
    "●", "Ann", "#ff0000", "12", "points", facts=("3 cards", "starts"), keys=(("1", "draw"),)
)
AFTER = (("1", {"ann": 4, "ben": 0}), ("2", {"ann": 4, "ben": 7}), ("3", {"ann": 9, "ben": 6}))


def plain(rows: Sequence[Content]) -> list[str]:
    return [row.plain for row in rows]


def cells(rows: Sequence[Content]) -> list[list[str]]:
    return [row.split() for row in plain(rows)]


# -- cards


def test_a_key_that_would_be_refused_now_leaves_its_place_blank() -> None:
    keys = (("1", "draw"), ("", "name"), ("a", "Shield"))
    (row,) = plain(key_rows(keys, 40))
    (whole,) = plain(key_rows((("1", "draw"), ("q", "name"), ("a", "Shield")), 40))
    assert row == whole.replace("q name", "      "), "the other keys do not move"


def test_a_tall_screen_has_the_score_in_block_letters_and_a_narrow_card_has_none() -> None:
    assert list(card_rows(TEXT, 40, 20, tall=True).block) == drawn("12", 2, 1)
    assert not card_rows(TEXT, 40, 20).block
    assert not card_rows(TEXT, 24, 20, tall=True).block, "its texts need the room"


def test_a_score_that_is_no_number_is_a_text_on_a_tall_screen_too() -> None:
    rows = card_rows(replace(TEXT, score="secret"), 40, 20, tall=True)
    assert not rows.block
    assert "secret points" in plain(rows.below)


@pytest.mark.parametrize("size", [(80, 24), (110, 32), (160, 50)])
async def test_a_player_has_the_keys_that_name_somebody_only_while_a_shot_waits(
    size: tuple[int, int], tmp_path: Path
) -> None:
    with recorded("panic-fire", "six-rounds", 60, tmp_path) as table:
        before = await shown(table, size)
        table.do("panic-fire.shot")
        after = await shown(table, size)
    named = ["1     q     a"] if size == (80, 24) else ["q name", "w name", "e name"]
    for keys in named:
        assert keys not in before
        assert keys in after


# -- rounds


def test_the_rounds_have_what_each_added_and_the_scores() -> None:
    rows = cells(round_rows(AFTER, "round", (ANN, BEN), 40, 8))
    assert rows == [
        TITLE.split(),
        ["●", "Ann", "▲", "Ben"],
        ["round", "1", "+4", "+0"],
        ["round", "2", "+0", "+7"],
        ["round", "3", "+5", "-1"],
        ["in", "all", "9", "6"],
    ]


def test_few_rows_keep_the_last_rounds_and_sum_up_those_before() -> None:
    rows = cells(round_rows(AFTER, "round", (ANN, BEN), 40, 5))
    assert rows[2:-1] == [["before", "+4", "+7"], ["round", "3", "+5", "-1"]]
    assert rows[-1] == ["in", "all", "9", "6"]


def test_a_chart_comes_only_with_room_for_it_and_scores_that_differ() -> None:
    high = plain(round_rows(AFTER, "round", (ANN, BEN), 60, 20))
    assert "Scores" in high
    for most in range(6, 24):
        assert len(round_rows(AFTER, "round", (ANN, BEN), 60, most)) <= most
    assert "Scores" not in plain(round_rows(AFTER, "round", (ANN, BEN), 60, 9))
    flat = tuple((name, {"ann": 1, "ben": 0}) for name, _ in AFTER)
    assert "Scores" not in plain(round_rows(flat, "round", (ANN, BEN), 60, 20))


def test_rounds_count_from_the_first_scores() -> None:
    rows = cells(
        round_rows(
            (("leg 1", {"ann": 441, "ben": 480}),), "", (ANN, BEN), 40, 9, {"ann": 501, "ben": 501}
        )
    )
    assert ["leg", "1", "-60", "-21"] in rows


def test_no_round_and_no_room_have_no_rows() -> None:
    assert round_rows((), "round", (ANN, BEN), 40, 20) == []
    many = tuple(Seat(f"s{n}", f"Name {n}", "#ffffff", "●", "N") for n in range(12))
    after = (("1", dict.fromkeys((seat.id for seat in many), 0)),)
    assert round_rows(after, "round", many, 40, 20) == []


# -- bars


def test_a_bar_is_as_long_as_its_part_and_something_is_never_nothing() -> None:
    bars = (
        Lane(ANN, 1.0, "9 of 9"),
        Lane(BEN, 0.001, "0 of 9"),
        Lane(BEN, 0.0, "0 of 9"),
    )
    rows = plain(player_bar_rows("The way", bars, 40))
    full, least, none = (row.count("█") for row in rows[1:])
    assert full > least == 1
    assert none == 0
    assert all(len(row) == 40 for row in rows[1:])
    assert "Ben" in rows[2]
    assert "Ben" not in rows[3], "named once"


def test_bars_without_room_are_left_out() -> None:
    assert player_bar_rows("The way", (Lane(ANN, 1.0, "9 of 9"),), 20) == []
    long = replace(ANN, name="Ann of the Long Street")
    (_, row) = plain(player_bar_rows("The way", (Lane(long, 1.0, "9 of 9"),), 30))
    assert row.count("█") == 8, "the name gives way"
    assert row.startswith("● Ann of th…  ")


@pytest.mark.parametrize("size", [(110, 40), (160, 50)])
async def test_a_drill_has_its_times_as_bars_of_one_scale(
    size: tuple[int, int], tmp_path: Path
) -> None:
    with recorded("drills", "plates-with-a-tie", None, tmp_path) as table:
        text = await shown(table, size, "escape")
    bars = [
        row.split("│")[1]
        for row in text.split("\n")
        if "│" in row and row.split("│")[1].endswith(" s ")
    ]
    lengths = {row.split()[-2]: row.count("█") for row in bars}
    assert lengths["0.310"] > lengths["0.250"] > lengths["0.180"] > 0


@pytest.mark.parametrize("size", [(80, 24), (110, 32), (160, 50)])
async def test_whose_turn_it_is_says_nothing_where_it_is_everybodys(
    size: tuple[int, int], tmp_path: Path
) -> None:
    with recorded("drills", "plates-with-a-tie", 8, tmp_path) as table:
        assert all(player.turn for player in table.view().players)
        assert not re.search(r"\bturn\b", await shown(table, size))
    with recorded("drills", "reaction-with-a-false-start", 5, tmp_path / "other") as table:
        assert len(re.findall(r"\bturn\b", await shown(table, size))) == 1
