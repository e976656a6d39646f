"""The table's page of a drill: whose time it is, what each string came to, and the keys beside players."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.dashboard.recorded import recorded
from tests.dashboard.screen import shown

SIZES = ((80, 24), (110, 32), (160, 50))


@pytest.mark.parametrize("size", SIZES)
async def test_players_who_take_turns_have_no_key_beside_them_and_the_prompt_has_one(
    size: tuple[int, int], tmp_path: Path
) -> None:
    with recorded("drills", "reaction-with-a-false-start", 5, tmp_path) as table:
        text = await shown(table, size)
    assert "> Bo, press Enter to start." in text
    assert "1 starts" not in text


@pytest.mark.parametrize("size", SIZES)
async def test_the_large_time_is_below_the_name_of_its_player(
    size: tuple[int, int], tmp_path: Path
) -> None:
    with recorded("drills", "reaction-with-a-false-start", 5, tmp_path) as table:
        rows = (await shown(table, size)).split("\n")
    name = next(place for place, row in enumerate(rows) if "Ada: 0.231 s" in row)
    digits = next(
        place for place, row in enumerate(rows) if place > name and row.count("██████") > 2
    )
    assert digits - name <= 2


async def test_where_there_is_room_every_string_is_listed_with_why_it_does_not_count(
    tmp_path: Path,
) -> None:
    with recorded("drills", "reaction-with-a-false-start", 9, tmp_path) as table:
        text = await shown(table, (160, 50))
    assert "All strings" in text
    assert "2  Bo   -                stopped, does not count" in text


async def test_the_plates_say_by_how_much_the_first_won_where_the_times_read_alike(
    tmp_path: Path,
) -> None:
    with recorded("drills", "plates-with-a-tie", 11, tmp_path) as table:
        text = await shown(table, (160, 50))
    assert "Bo was first by 9 µs" in text
    assert "a tie: Ada and Bo, 3 µs apart" in text
