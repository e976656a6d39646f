"""The play for BG Stats."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from companion.errors import CommandError
from companion.reports.bgstats import link, play, play_id
from companion.reports.importing import parse_export
from companion.reports.qr import qr_svg
from companion.reports.record import Record, read_record, record_of
from companion.reports.transcripts import format_export
from tests.reports.support import START, Player, fixture
from tests.scanning import of_svg, scanned


def finished(path: Path) -> Record:
    player = Player(path)
    for number in range(6):
        player.win("anna" if number % 2 else "bo", 10_000_000 * number)
    player.win("bo", 90_000_000)
    player.close()
    return read_record(path)


def test_a_play_has_the_fields_that_bg_stats_reads(tmp_path: Path) -> None:
    fields = play(finished(tmp_path / "s.sqlite"))
    assert re.fullmatch(r"2026-01-31 20:\d\d:\d\d", fields["playDate"])
    assert (fields["sourceName"], len(fields["sourcePlayId"]), fields["durationMin"]) == (
        "table-companion",
        16,
        1,
    )
    assert fields["game"]["name"] == "Panic Fire"
    assert fields["players"] == [
        {"name": "Anna", "sourcePlayerId": "anna", "score": 3, "winner": False},
        {"name": "Bo", "sourcePlayerId": "bo", "score": 3, "winner": True},
        {"name": "Cleo", "sourcePlayerId": "cleo", "score": 0, "winner": False},
    ]


def test_the_link_carries_the_play_and_nothing_else(tmp_path: Path) -> None:
    record = finished(tmp_path / "s.sqlite")
    parts = urlsplit(link(record))
    assert (parts.scheme, parts.netloc, parts.path) == (
        "https",
        "app.bgstatsapp.com",
        "/createPlay.html",
    )
    assert json.loads(parse_qs(parts.query, strict_parsing=True)["data"][0]) == play(record)


def test_a_game_without_a_result_is_no_play(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="has no result yet"):
        play(record_of(fixture("six-rounds")[:-3], "six"))
    player = Player(tmp_path / "late.sqlite")
    player.do("abandon", reason="the last train")
    player.close()
    with pytest.raises(
        CommandError, match="late was ended early: nobody has won, and there is no play"
    ):
        play(read_record(tmp_path / "late.sqlite"))


def test_a_session_and_its_import_are_one_play(tmp_path: Path) -> None:
    record = finished(tmp_path / "s.sqlite")
    again = record_of(parse_export(format_export(record.entries), "s", START), "copy")
    assert play_id(again) == play_id(record) != play_id(record_of(fixture("six-rounds"), "six"))


def test_a_play_that_took_no_time_has_no_length() -> None:
    assert "durationMin" not in play(record_of(fixture("six-rounds"), "six"))


def test_the_qr_code_is_a_square_on_white_ground() -> None:
    svg = qr_svg(link(record_of(fixture("six-rounds"), "six")))
    box = re.search(r'viewBox="0 0 (\d+) (\d+)"', svg)
    assert box is not None
    assert box[1] == box[2]
    assert 'fill="#fff"' in svg
    assert scanned(of_svg(svg)) == link(record_of(fixture("six-rounds"), "six"))


def test_a_text_that_no_qr_code_holds_is_one_sentence() -> None:
    with pytest.raises(CommandError, match="too long for a QR code"):
        qr_svg("a" * 5000)
