"""Reports with no clock set, with a clock set meanwhile, and of the night with 25 hours."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from zoneinfo import ZoneInfo

from companion.journal.entries import Draft, Layer
from companion.reports.bgstats import play
from companion.reports.page import format_html
from companion.reports.record import Record, read_record
from companion.reports.sheet import format_sheet
from tests.reports.support import Player
from tests.reports.test_page import Page

BERLIN = ZoneInfo("Europe/Berlin")
NEVER_SET = ("1970-01-01T00:00:05+00:00",)


def played(path: Path, *walls: str) -> Record:
    """Return a whole game, the time of day taking each of `walls` in turn and staying at the last."""
    left = list(walls)

    def wall() -> str:
        return left.pop(0) if len(left) > 1 else left[0]

    player = Player(path, wall=wall)
    for number in range(6):
        player.win("anna" if number % 2 else "bo", 10_000_000 * number)
    player.win("bo", 90_000_000)
    player.close()
    return read_record(path)


def page(record: Record) -> str:
    return Page(format_html(record, BERLIN)).all_words


def test_a_report_marks_the_second_of_two_equal_hours(tmp_path: Path) -> None:
    record = played(
        tmp_path / "s.sqlite", *["2026-10-25T00:20:00+00:00"] * 4, "2026-10-25T01:20:00+00:00"
    )
    assert "2026-10-25 02:20 to 02:20 (2nd) (UTC+0200)" in page(record)
    assert "as of 2026-10-25 02:20:00 (2nd), entry" in format_sheet(record, BERLIN)
    assert "02:20:00 (2nd)" in page(record)
    assert "one hour came twice that night: (2nd) is in the second" in page(record)
    assert play(record)["durationMin"] == 60


def test_a_report_of_a_clock_that_was_never_set_names_no_date(tmp_path: Path) -> None:
    record = played(tmp_path / "s.sqlite", *NEVER_SET)
    assert "1970" not in page(record) + format_sheet(record, BERLIN)
    assert "date unknown (the computer's clock was not set)" in page(record)
    assert "as of date unknown, entry" in format_sheet(record, BERLIN)
    assert "playDate" not in play(record)


def test_a_clock_that_was_set_in_mid_game_makes_no_game_of_years(tmp_path: Path) -> None:
    record = played(
        tmp_path / "s.sqlite",
        *NEVER_SET * 9,
        "2026-11-28T20:00:00+00:00",
        "2026-11-28T20:07:00+00:00",
    )
    assert "2026-11-28 21:00 to 21:07 (UTC+0100)" in page(record)
    fields = play(record)
    assert (fields["playDate"], fields["durationMin"]) == ("2026-11-28 20:07:00", 7)


def test_no_duration_is_negative_where_the_clock_was_set_back(tmp_path: Path) -> None:
    back = "2026-11-28T20:00:00+00:00", "2026-11-28T20:30:00+00:00", "2026-11-28T20:10:00+00:00"
    record = played(tmp_path / "s.sqlite", *back)
    assert play(record)["durationMin"] == 20


def test_an_interval_in_which_the_clock_was_set_back_is_told_as_such(tmp_path: Path) -> None:
    walls = iter(
        ["2026-11-28T20:00:00+00:00", "2026-11-28T20:30:00+00:00", "2026-11-28T20:10:00+00:00"]
    )
    clock: Callable[[], str] = lambda: next(walls)  # noqa: E731
    player = Player(tmp_path / "s.sqlite", wall=clock)
    player.append(Draft(Layer.EVIDENCE, "boot", {"previous": 1, "boot": 2}, "board"))
    player.append(Draft(Layer.EVIDENCE, "boot", {"previous": 2, "boot": 3}, "board"))
    player.close()
    interval = (
        "21:30:00 to 21:10:00 (the computer's clock was set back meanwhile): the board lost power"
    )
    assert interval in page(read_record(tmp_path / "s.sqlite"))
