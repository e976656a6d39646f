"""The JSON document and the table for spreadsheets."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from companion.journal.entries import Control, Draft, Layer
from companion.journal.fold import void_draft
from companion.reports.documents import COLUMNS, format_csv, format_json, safe_cell
from companion.reports.record import Record, read_record, record_of
from companion.rules.columns import json_text
from tests.reports.support import Player, fixture


def mended(path: Path) -> Record:
    """Return a round in which a shot is taken back, so that the names after it make no sense."""
    player = Player(path)
    player.do("fire", 1_000_000)
    player.do("draw", 1_500_000, seat="bo")
    shot = player.do("shot", 2_000_000)
    player.do("target", 2_100_000, seat="bo")
    player.do("draw", 7, clock="host-1", actor="keyboard", seat="cleo")
    player.append(void_draft(shot.n, "it was a knock"))
    player.close()
    return read_record(path)


def rows(record: Record) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(format_csv(record))))


def test_the_document_counts_what_was_not_counted_by_its_reason(tmp_path: Path) -> None:
    player = Player(tmp_path / "s.sqlite")
    for _ in range(2):
        player.append(Draft(Layer.CONTROL, Control.IGNORED, {"reason": "nobody sits at zone-5"}))
    player.close()
    document = json.loads(format_json(read_record(tmp_path / "s.sqlite")))
    assert document["evidence"]["ignored"] == {"nobody sits at zone-5": 2}


def test_the_table_has_a_row_for_each_fact_with_what_became_of_it(tmp_path: Path) -> None:
    fire, draw, shot, target, by_key = rows(mended(tmp_path / "s.sqlite"))
    assert tuple(fire) == COLUMNS
    assert (fire["entry"], fire["kind"], fire["text"]) == ("2", "fire", "fire! round 1 of 6 starts")
    assert (draw["device_us"], draw["pm_us"], draw["actor"], draw["seat"]) == (
        "1500000",
        "25",
        "board",
        "Bo",
    )
    assert (shot["taken_back"], shot["broken_clause"]) == ("it was a knock", "")
    assert (target["taken_back"], target["broken_clause"]) == ("", "PF-10")
    assert (by_key["device_us"], by_key["actor"]) == ("", "keyboard")


@pytest.mark.parametrize(
    "start", ["=", "+", "-", "@", "\t", "\r", "\n", "  =", "＝", "＋", "－", "＠"]
)
def test_no_cell_begins_like_a_formula(start: str) -> None:
    assert safe_cell(f"{start}cmd|' /C calc'!A0") == f"'{start}cmd|' /C calc'!A0"


@given(st.text(alphabet=st.characters(codec=None)))
def test_any_text_reads_back_from_its_cell(text: str) -> None:
    out = io.StringIO()
    csv.writer(out).writerow([safe_cell(text), "next"])
    (row,) = csv.reader(io.StringIO(out.getvalue(), newline=""))
    assert row[1] == "next"
    assert row[0].removeprefix("'") == text.replace("\x00", "").encode(
        errors="replace"
    ).decode().removeprefix("'")
    row[0].encode()


def test_the_document_has_setup_standings_rounds_and_facts(tmp_path: Path) -> None:
    document = json.loads(format_json(mended(tmp_path / "s.sqlite")))
    assert document["setup"]["seats"][1]["name"] == "Bo"
    assert document["standings"] == {"anna": 0, "bo": 0, "cleo": 0}
    assert (document["over"], len(document["rounds"])) == (False, 1)
    fire, _, shot, target, _ = document["facts"]
    assert fire["at"] == {"us": 1_000_000, "pm": 25, "clock": "board-5f3a"}
    assert shot["taken_back"] == {
        "entry": 7,
        "reason": "it was a knock",
        "who": "",
        "actor": "companion",
    }
    assert target["broken"]["clause"] == "PF-10"


def test_the_document_agrees_with_the_game(tmp_path: Path) -> None:
    record = record_of(fixture("six-rounds"), "six")
    document = json.loads(format_json(record))
    assert document["rounds"] == record.game.report(record.state)["rounds"]
    assert document["standings"] == {"red": 3, "blue": 1, "green": 2}


def test_a_lone_surrogate_does_not_stop_an_export() -> None:
    assert json_text({"name": "Zoë"}) == '{"name":"Zoë"}'
    assert json.loads(json_text({"name": "\ud800"}).encode()) == {"name": "\ud800"}
