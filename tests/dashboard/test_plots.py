"""Scores plotted in characters: bars side by side where they fit, else a lane for each player."""

from __future__ import annotations

import pytest

from companion.dashboard.widgets.plots import score_plot
from companion.rules.ending import ScoresAfter
from companion.rules.facts import Seat
from companion.rules.seats import GLYPHS, PALETTE
from tests.dashboard.fakes import SEATS

RED, BLUE, GREEN = (seat.id for seat in SEATS[:3])
THREE: ScoresAfter = (
    ("1", {RED: 2}),
    ("2", {RED: 2, BLUE: 2, GREEN: 2}),
    ("roof", {RED: 2, BLUE: 4, GREEN: 8}),
)


def seated(count: int) -> tuple[Seat, ...]:
    """Return players, some with a glyph and color of an earlier one."""
    looks = zip(PALETTE.values(), GLYPHS, strict=False)
    seats = [
        Seat(f"p{place}", f"Player {place}", color, glyph, "P")
        for place, (color, glyph) in enumerate(looks)
    ]
    return tuple((seats * 2)[:count])


def rounds(count: int, seats: tuple[Seat, ...]) -> ScoresAfter:
    """Return rounds in which all players have the same score."""
    return tuple((str(n), {seat.id: n for seat in seats}) for n in range(1, count + 1))


def test_the_axes_have_the_unit_both_ends_and_the_name_of_each_round() -> None:
    rows = [row.plain for row in score_plot(THREE, SEATS[:3], 60, "level", unit="Starfalls")]
    assert rows[0] == "Starfalls"
    ticks = [row.split("|")[0].strip() for row in rows if "|" in row]
    assert [tick for tick in ticks if tick] == ["8", "0"]
    assert rows[-2].split() == ["level", "1", "2", "roof"]
    assert rows[-1] == "◆ Red  ● Blue  ▲ Green"


def test_players_with_the_same_score_have_bars_side_by_side_of_the_same_height() -> None:
    rows = [row.plain for row in score_plot(THREE, SEATS[:3], 60)]
    glyphs = rows[-3]
    assert glyphs.split() == ["◆", "●", "▲"] * 3
    second = [at for at, sign in enumerate(glyphs) if sign in "◆●▲"][3:6]
    heights = [sum(row[at] in "▁▂▃▄▅▆▇█" for row in rows[1:-3]) for at in second]
    assert heights[0] > 0
    assert len(set(heights)) == 1
    numbers = next(row for row in rows if row[second[0] : second[2] + 1].split() == ["2"] * 3)
    assert "█" not in numbers[second[0] : second[2]], "each number is above its bar"


def test_each_bar_has_its_owners_color() -> None:
    rows = score_plot(THREE, SEATS[:3], 60)
    styles = {
        str(span.style) for span in rows[-4].spans if "█" in rows[-4].plain[span.start : span.end]
    }
    assert len(styles) == 3


@pytest.mark.parametrize("seats", [1, 2, 6, 9, 12])
@pytest.mark.parametrize("steps", [1, 2, 7, 20, 60, 300])
@pytest.mark.parametrize("width", [24, 40, 76, 104, 154])
def test_a_plot_stays_in_its_room(seats: int, steps: int, width: int) -> None:
    players = seated(seats)
    rows = score_plot(rounds(steps, players), players, width, height=8, legend=False)
    assert all(row.cell_length <= width for row in rows)
    assert len(rows) <= max(10, seats + 2)


def test_players_of_a_long_game_have_a_lane_each_on_one_scale() -> None:
    players = seated(3)
    scores = tuple(
        (str(n), {players[0].id: n, players[1].id: n // 2, players[2].id: -n})
        for n in range(1, 101)
    )
    rows = [row.plain for row in score_plot(scores, players, 76, "entry", unit="points", height=12)]
    assert rows[0] == "points, each line from -100 to 100"
    lanes = [row for row in rows if "Player" in row]
    assert [row.split()[-1] for row in lanes] == ["100", "50", "-100"]
    assert "█" in lanes[0]
    assert lanes[2].split()[-2].endswith("▁"), "the lowest is at the bottom of the scale"
    assert rows[-1].split() == ["entry", "1", "100"]


def test_a_score_below_zero_hangs_below_the_others_and_zero_has_no_bar() -> None:
    scores = (("1", {RED: -4, BLUE: 4, GREEN: 0}),)
    rows = [row.plain for row in score_plot(scores, SEATS[:3], 40)]
    red, blue, green = (rows[-3].index(glyph) for glyph in "◆●▲")
    bars = {at: [n for n, row in enumerate(rows) if row[at : at + 1] == "█"] for at in (red, blue)}
    assert min(bars[red]) > max(bars[blue])
    assert not any(row[green : green + 1] in tuple("▁▂▃▄▅▆▇█▀") for row in rows)


def test_there_is_no_plot_of_nothing_nor_in_no_room() -> None:
    assert score_plot((), SEATS[:1], 60) == []
    assert score_plot(THREE, SEATS[:3], 20) == []
