"""The board's settings as a part of the session: recorded, sent, refused, and shown in reasons."""

from __future__ import annotations

from binascii import crc32
from pathlib import Path
from typing import Any

import pytest

from companion.commands.play_options import PlayOptions
from companion.commands.playing import rematch
from companion.demo.capture import captured, result_of
from companion.demo.replay import replay
from companion.journal.entries import Entry
from companion.journal.journal import Journal
from companion.journal.store import read_entries
from companion.link.events import Configured
from companion.link.settings import DEFAULTS, config_of, fields_of
from companion.session.log import of_board
from companion.session.opening import begin
from companion.session.table import Table
from tests.session.parts import BOOT, MS, Board, fire, hello, of_kind, resumed, settle, texts

OURS = config_of({"hit_threshold": 700})
CRC, DEFAULT_CRC = crc32(OURS.body()), crc32(DEFAULTS.body())


def test_a_session_begins_with_the_boards_own_defaults(table: Table) -> None:
    assert table.view().board == fields_of(DEFAULTS)


def test_settings_of_the_board_are_recorded_with_who_and_why_and_outlive_the_run(
    journal: Journal, table: Table
) -> None:
    table.set_board({"hit_threshold": 700}, why="a new gun", who="blue")
    assert table.view().board["hit_threshold"] == 700
    settings_text = "threshold 700, scan 5 ms, mask 30 ms, lock 8 ms, glitch 0.3 ms"
    assert f"set on the board by blue: {settings_text} - a new gun" in texts(table.view())
    assert resumed(journal).view().board == fields_of(OURS)


def test_settings_that_no_board_takes_are_refused_with_their_range(
    journal: Journal, table: Table
) -> None:
    table.set_board({"hit_scan_us": 50_000})
    notice = table.view().notice
    assert notice is not None
    assert notice.refused
    assert notice.text == "hit_scan_us must be 1000 to 10000, not 50000."
    assert not of_kind(journal, "board")


def test_what_the_board_has_is_recorded_when_it_is_news_and_shown_when_it_is_not_the_sessions(
    journal: Journal, table: Table
) -> None:
    table.board.on_identified(hello(), BOOT)
    for _ in range(2):
        table.board.on_configured(
            Configured(BOOT, DEFAULT_CRC, DEFAULTS, of_session=True, told=False)
        )
    assert len(of_kind(journal, "config")) == 1
    assert not [line for line in texts(table.view()) if "settings" in line]
    table.board.on_configured(Configured(BOOT, 5, None, of_session=False, told=False))
    assert (
        texts(table.view())[-1] == "the board has other settings than the session and is being set"
    )
    table.board.on_configured(Configured(BOOT, CRC, OURS, of_session=True, told=True))
    assert texts(table.view())[-1].startswith(
        "the board has the session's settings: threshold 700, scan 5 ms"
    )


def test_a_rejected_hit_is_listed_with_its_peak_and_the_threshold_it_met(
    journal: Journal, table: Table
) -> None:
    board = Board()
    table.board.on_identified(hello(), BOOT)
    table.board.on_configured(Configured(BOOT, DEFAULT_CRC, DEFAULTS, of_session=True, told=False))
    fire(table)
    table.board.store([board.armed(), board.hit(1_000 * MS, peak=212, weak=True)])
    settle(table, 1_500 * MS)
    table.board.on_configured(Configured(BOOT, CRC, OURS, of_session=True, told=True))
    table.board.store(
        [board.hit(2_000 * MS, peak=500, weak=True), board.press("trigger", 3_000 * MS)]
    )
    settle(table, 5_000 * MS)
    log_lines = texts(table.view())
    assert "knock: peak 212 below threshold 300, no trigger pull" in log_lines
    assert "knock: peak 500 below threshold 700, no trigger pull" in log_lines
    assert log_lines[-1] == "dry pull: no hit within 30 ms"
    evidence_lines = [line.text for line in table.inspection.marshal().evidence]
    assert "hit, peak 212, below threshold 300" in evidence_lines
    assert "hit, peak 500, below threshold 700" in evidence_lines
    assert any("the session's settings: threshold" in text for text in evidence_lines)


def test_of_a_record_that_leaves_settings_out_those_are_said_that_are_there() -> None:
    assert of_board({"hit_scan_us": 5_000, "hit_threshold": 700}) == "threshold 700, scan 5 ms"
    assert of_board({"hit_threshold": "much"}) == "unknown"


def test_a_capture_has_what_was_set_by_hand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, capture = tmp_path / "game.sqlite", tmp_path / "game.capture"
    table = begin("panic-fire", ("Anna", "Ben"), {}, session, make=captured(capture))
    table.set_board({"hit_threshold": 700}, why="a new gun")
    table.close()
    replayed: list[Entry] = []

    def noted(entries: tuple[Entry, ...]) -> dict[str, Any]:
        replayed.extend(entries)
        return result_of(entries)

    monkeypatch.setattr("companion.demo.capture.result_of", noted)
    assert replay(capture).result == result_of(read_entries(session))
    assert [entry.body["hit_threshold"] for entry in replayed if entry.kind == "board"] == [700]


def test_a_rematch_has_the_settings_of_the_game_before(
    tmp_path: Path, own_data_folder: Path
) -> None:
    path = tmp_path / "game.sqlite"
    for before in (None, {"hit_threshold": 700}):
        path = path.with_stem(f"game-{before is not None}")
        table = begin("panic-fire", ("Anna", "Ben"), {}, path)
        if before is not None:
            table.set_board(before)
        table.close()
        following = rematch(path, PlayOptions())
        try:
            assert following.view().board == fields_of(config_of(before or {}))
        finally:
            following.close()
