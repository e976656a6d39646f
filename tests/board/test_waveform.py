"""The drawing of the samples around a hit."""

from __future__ import annotations

from random import Random

from companion.board.monitor import COLUMNS, COUNTS, ROWS, noise_before, wave_lines
from companion.board.procedures import monitor, open_board
from firmware_protocol.messages import Wave
from firmware_protocol.virtual.client import VirtualBoard
from firmware_protocol.virtual.physics import delayed, knock


def test_a_rise_and_a_decay_are_drawn_with_the_stamp_below_them() -> None:
    points = bytes([0, 0, 0, 60, 120, 90, 60, 30, 0, 0])
    *rows, below = wave_lines(Wave(t_us=1_000_060, first_us=1_000_000, step_us=20, points=points))
    assert len(rows) == ROWS
    assert rows[0] == "    █"
    assert rows[-1] == "   █████"
    assert below == "   ^ 1.000060, a column is 20 us, the highest 1920"


def test_a_long_wave_fits_the_screen_and_keeps_its_crest() -> None:
    lines = wave_lines(Wave(1_000, 0, 40, bytes([*[10] * 100, 255, *[10] * 99])))
    assert max(map(len, lines)) <= COLUMNS + 6
    assert "highest 4080" in lines[-1]


def test_no_hit_yet_is_no_drawing_and_no_noise() -> None:
    assert wave_lines(Wave(0, 0, 20)) == ()
    assert noise_before(Wave(0, 0, 20)) is None


def test_what_is_read_before_the_hit_is_the_noise_and_not_its_rise() -> None:
    points = bytes([1, 3, 2, 9, 200, 150])
    assert (
        noise_before(Wave(t_us=1_000_080, first_us=1_000_000, step_us=20, points=points))
        == 3 * COUNTS
    )


def test_silence_is_a_flat_line() -> None:
    assert wave_lines(Wave(100, 0, 20, bytes(10)))[:-1] == ("",) * ROWS


def test_monitor_draws_each_knock_beside_its_line() -> None:
    lines: list[str] = []
    with (
        VirtualBoard.spawn(runtime="cpython") as board,
        open_board(board.url, lines.append, discard=True) as table,
    ):
        board.play(delayed(knock(1800, Random(1)), 400_000))
        monitor(table, 1.5)
    line = next(number for number, text in enumerate(lines) if " hit " in text)
    drawn = next(number for number, text in enumerate(lines) if "a column is" in text)
    assert line < drawn
    assert "the highest 1792" in lines[drawn]
    assert any("█" in text for text in lines[drawn - ROWS : drawn])
