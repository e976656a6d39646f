"""Races in cells: each lane within the width, with its player's sign and color."""

from __future__ import annotations

import pytest

from companion.display.cells import plain, widest
from companion.display.races import FULL, race_lines
from companion.display.tables import drawn_lines, plain_lines
from tests.reports.pictures.samples import a_race


@pytest.mark.parametrize("columns", [20, 40, 80, 200])
def test_a_race_stays_in_its_room_and_each_lane_has_its_end(columns: int) -> None:
    race = a_race("Ada")
    lines = [*race_lines(race, columns)]
    assert widest(lines) <= columns
    for lane, line in zip(race.lanes, lines, strict=True):
        assert plain(line).endswith(lane.end)
        assert {run.pen.ink for run in line} - {""} == {lane.player.color}
    counts = [plain(line).count(FULL) for line in lines]
    assert counts[0] == 0 < counts[1] < counts[2]


def test_of_two_lanes_of_a_player_the_first_has_the_name() -> None:
    first, second, other = map(plain, drawn_lines(a_race("Ada"), 80))
    assert first.startswith("● Ada")
    assert second.startswith("       ")
    assert other.startswith("▲ Bo")


def test_a_race_among_the_tables_of_a_game_is_drawn_in_plain_lines() -> None:
    assert [*plain_lines([a_race("Ada")], 60)][1] == "To 9"
