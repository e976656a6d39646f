"""The link's status once a second: a minute in memory, and a file that never grows too large."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from companion.link.status import (
    ENVIRONMENT,
    EVERY_NS,
    SECONDS_KEPT,
    Counters,
    LinkLog,
    LinkState,
    LinkStatus,
    Minute,
    Statistics,
    line,
    log_of_environment,
)

LIVE = LinkStatus(
    LinkState.LIVE,
    "live",
    "/dev/board",
    uid=0xAB,
    rtt_us=120,
    counters=Counters(bad_frames=3, skipped_bytes=40),
)


def test_a_state_tells_of_the_minute_before_it_and_of_no_more() -> None:
    statistics = Statistics()
    for second in range(SECONDS_KEPT + 20):
        state = LinkState.LOST if second % 10 == 0 else LinkState.LIVE
        counters = Counters(
            bad_frames=2 * second, duplicates=second, gap_events=5 if second > 70 else 0
        )
        status = LinkStatus(state, "", rtt_us=900 - second, counters=counters)
        for quarter in range(4):
            status_now = statistics.look(status, second * EVERY_NS + quarter * EVERY_NS // 4)
    assert status_now.last_minute == Minute(
        2 * (SECONDS_KEPT - 1), SECONDS_KEPT - 1, 5, 900 - 20, None, 6
    )
    assert replace(status_now, last_minute=None) == status


def test_a_minute_begins_with_the_first_second() -> None:
    statistics = Statistics()
    assert statistics.look(LIVE, 0).last_minute == Minute(0, 0, 0, 120, None, 0)


def test_a_line_comes_each_second_though_nobody_looks_on_time(tmp_path: Path) -> None:
    log = LinkLog(tmp_path / "link.jsonl")
    statistics = Statistics(log)
    for look in range(100):
        statistics.look(LIVE, look * 3 * EVERY_NS // 10)
    assert len((tmp_path / "link.jsonl").read_text().splitlines()) == 30


def test_a_line_has_the_counts_and_the_board_but_no_sentence() -> None:
    status_now = json.loads(line(LIVE))
    assert (status_now["state"], status_now["uid"], status_now["skipped_bytes"]) == (
        "live",
        "00000000000000ab",
        40,
    )
    assert "sentence" not in status_now


def test_a_full_log_becomes_the_older_one_and_both_stay_bounded(tmp_path: Path) -> None:
    log = LinkLog(tmp_path / "link.jsonl", limit=100)
    for number in range(50):
        log.write(f"line {number:05}")
    files = sorted(tmp_path.iterdir())
    assert [file.name for file in files] == ["link.jsonl", "link.jsonl.1"]
    assert all(file.stat().st_size <= 100 for file in files)
    assert files[0].read_text().endswith("line 00049\n")


def test_a_log_that_cannot_be_written_is_given_up(tmp_path: Path) -> None:
    log = LinkLog(tmp_path / "missing" / "link.jsonl")
    Statistics(log).look(LIVE, 0)
    (tmp_path / "missing").mkdir()
    log.write("and nothing more is tried")
    assert list((tmp_path / "missing").iterdir()) == []


def test_the_log_is_only_there_when_it_is_asked_for(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv(ENVIRONMENT, raising=False)
    assert log_of_environment() is None
    monkeypatch.setenv(ENVIRONMENT, str(tmp_path / "log"))
    log = log_of_environment()
    assert log is not None
    assert log.path == tmp_path / "log"
