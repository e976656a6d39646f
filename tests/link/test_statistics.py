"""The link once a second: a minute in memory, and a file that never grows too large."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.link.statistics import ENVIRONMENT, EVERY_NS, KEPT, LinkLog, Statistics, line, log_of_environment
from companion.link.status import LinkState, LinkStatus

LIVE = LinkStatus(LinkState.LIVE, "live", "/dev/board", uid=0xAB, rtt_us=120, bad_frames=3, skipped_bytes=40)


def test_one_state_a_second_is_kept_for_a_minute() -> None:
    statistics = Statistics()
    for tick in range(4 * (KEPT + 20)):
        statistics.look(LinkStatus(LinkState.LIVE, "", rtt_us=tick), tick * EVERY_NS // 4)
    kept = [status.rtt_us for status in statistics.history]
    assert len(kept) == KEPT
    assert kept[-1] == 4 * (KEPT + 19)
    assert kept == list(range(4 * 20, 4 * (KEPT + 20), 4))


def test_a_line_has_the_counts_and_the_board_but_no_sentence() -> None:
    told = json.loads(line(LIVE))
    assert (told["state"], told["uid"], told["skipped_bytes"]) == ("live", "00000000000000ab", 40)
    assert "sentence" not in told


def test_a_full_log_becomes_the_older_one_and_both_stay_bounded(tmp_path: Path) -> None:
    log = LinkLog(tmp_path / "link.jsonl", limit=100)
    for number in range(50):
        log.write(f"line {number:05}")
    files = sorted(tmp_path.iterdir())
    assert [file.name for file in files] == ["link.jsonl", "link.jsonl.1"]
    assert all(file.stat().st_size <= 100 for file in files)
    assert files[0].read_text().endswith("line 00049\n")


def test_a_log_that_cannot_be_written_is_given_up_with_a_sentence(tmp_path: Path) -> None:
    log = LinkLog(tmp_path / "missing" / "link.jsonl")
    Statistics(log).look(LIVE, 0)
    assert log.problem is not None
    assert "cannot be written" in log.problem
    log.write("and nothing more is tried")
    assert not (tmp_path / "missing").exists()


def test_the_log_is_only_there_when_it_is_asked_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv(ENVIRONMENT, raising=False)
    assert log_of_environment() is None
    monkeypatch.setenv(ENVIRONMENT, str(tmp_path / "log"))
    log = log_of_environment()
    assert log is not None
    assert log.path == tmp_path / "log"
