"""The time of day as people read it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, strategies as st

from companion.journal.wall_clock import (
    UNKNOWN,
    date_text,
    instant_of,
    is_set,
    local_time,
    time_text,
)
from companion.session.clocks import time_of_day

BERLIN, LORD_HOWE = "Europe/Berlin", "Australia/Lord_Howe"
FIRST, SECOND = "2026-10-25T00:30:05+00:00", "2026-10-25T01:30:05+00:00"


@contextmanager
def machine_in(zone: str) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", zone)
        time.tzset()
        yield
    time.tzset()


@pytest.mark.parametrize("named", [None, ZoneInfo(BERLIN)])
def test_the_second_of_two_equal_hours_is_marked(named: ZoneInfo | None) -> None:
    first, second = instant_of(FIRST), instant_of(SECOND)
    with machine_in(BERLIN):
        assert (time_text(first, named), time_text(second, named)) == ("02:30", "02:30 (2nd)")
        assert time_text(second, named, seconds=True) == "02:30:05 (2nd)"
        assert date_text(second, named) == "2026-10-25 02:30 (2nd)"
        assert time_text(second + timedelta(minutes=30), named) == "03:00"
        assert time_of_day(second.timestamp()) == "02:30 (2nd)"


@pytest.mark.parametrize("zone", [BERLIN, LORD_HOWE, "America/St_Johns", "Asia/Kolkata"])
def test_this_machines_zone_says_what_the_same_zone_by_its_name_says(zone: str) -> None:
    @given(st.datetimes(datetime(2024, 1, 1), datetime(2030, 1, 1)))
    def every_time(at: datetime) -> None:
        instant = at.replace(tzinfo=UTC)
        assert date_text(instant) == date_text(instant, ZoneInfo(zone))
        assert local_time(instant).utcoffset() == local_time(instant, ZoneInfo(zone)).utcoffset()

    hours = [
        datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=30 * at) for at in range(48 * 365)
    ]
    with machine_in(zone):
        every_time()
        assert [at for at in hours if time_text(at) != time_text(at, ZoneInfo(zone))] == []


@given(st.integers(0, 3 * 3600), st.sampled_from([BERLIN, LORD_HOWE]))
def test_two_seconds_of_one_night_are_never_shown_alike(second: int, named: str) -> None:
    begun = (
        datetime(2026, 10, 24, 23, tzinfo=UTC)
        if named == BERLIN
        else datetime(2026, 4, 4, 14, tzinfo=UTC)
    )
    instant = begun + timedelta(seconds=second)
    texts = [
        time_text(instant + timedelta(minutes=m), ZoneInfo(named), seconds=True)
        for m in (0, 30, 60, 90)
    ]
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize(
    "wall", ["1970-01-01T00:00:00+00:00", "2000-01-01T12:00:00+02:00", "1980-01-01T00:00:00Z"]
)
def test_of_a_clock_that_was_never_set_no_date_is_shown(wall: str) -> None:
    assert not is_set(instant_of(wall))
    assert date_text(instant_of(wall)) == UNKNOWN


def test_any_time_that_a_record_can_hold_is_shown() -> None:
    for wall in ("0002-01-01T00:00:00-14:00", "9998-12-31T23:59:59+14:00"):
        assert time_text(instant_of(wall))
