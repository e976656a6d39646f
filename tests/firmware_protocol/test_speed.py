"""A chip that is to run faster: what ended badly within ten seconds is not tried again."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_protocol.board.speed import lasted, speed_up
from firmware_protocol.messages import RESET_POWER, RESET_REQUEST, RESET_WATCHDOG


class Chip:
    """A chip whose clock can be set."""

    def __init__(self) -> None:
        self.hz = 125_000_000

    def freq(self, hz: int) -> None:
        if hz > 270_000_000:
            raise ValueError("invalid freq")
        self.hz = hz


def start(mark: Path, reason: int = RESET_POWER) -> tuple[int, str]:
    """Start once; return the clock in MHz, and what the board says."""
    chip = Chip()
    sentence = speed_up(chip, 200, reason, str(mark))
    return chip.hz // 1_000_000, sentence


@pytest.fixture
def mark(tmp_path: Path) -> Path:
    return tmp_path / "speed.txt"


def test_a_start_that_lasts_leaves_nothing_behind(mark: Path) -> None:
    for _ in range(5):
        assert start(mark) == (200, "")
        assert mark.exists()
        lasted(str(mark))
        assert not mark.exists()


def test_what_the_watchdog_ended_within_ten_seconds_is_never_tried_again(mark: Path) -> None:
    assert start(mark) == (200, "")
    for reason in (RESET_WATCHDOG, RESET_POWER, RESET_POWER):
        mhz, sentence = start(mark, reason)
        assert mhz == 125
        assert "ended within 10 s" in sentence
        assert str(mark) in sentence
        lasted(str(mark))


def test_a_plug_that_is_pulled_once_is_no_brown_out_and_twice_in_a_row_is_one(mark: Path) -> None:
    assert start(mark) == (200, "")
    assert start(mark) == (200, "")
    lasted(str(mark))
    assert [start(mark)[0] for _ in range(4)] == [200, 200, 125, 125]


def test_a_reset_that_a_person_asked_for_does_not_count(mark: Path) -> None:
    for _ in range(5):
        assert start(mark, RESET_REQUEST) == (200, "")


@pytest.mark.parametrize("torn", ["x", "-1", "given", "\N{SUPERSCRIPT TWO}"])
def test_a_mark_that_cannot_be_read_counts_as_a_bad_end(mark: Path, torn: str) -> None:
    mark.write_text(torn)
    assert start(mark)[0] == 125


def test_a_flash_that_takes_no_mark_leaves_the_clock_alone(tmp_path: Path) -> None:
    mhz, sentence = start(tmp_path / "missing" / "speed.txt")
    assert mhz == 125
    assert sentence.startswith("not at 200 MHz: ")


def test_a_clock_that_the_chip_cannot_have_is_said(mark: Path) -> None:
    chip = Chip()
    assert speed_up(chip, 300, RESET_POWER, str(mark)) == "not at 300 MHz: invalid freq"
    assert chip.hz == 125_000_000
