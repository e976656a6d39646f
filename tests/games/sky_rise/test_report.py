"""Reports of Sky Rise: points by level, the tower drawn, the sheet; no goal before it is turned up."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from companion.reports.games import changed_rules, report_of, scores_of, winners_of
from companion.reports.importing import parse_export
from companion.reports.page import format_html
from companion.reports.record import Record, record_of
from companion.reports.sheet import format_sheet
from companion.rules.columns import width

FOLDER = Path(__file__).parents[2] / "fixtures" / "sky-rise"
RECORDED = sorted(FOLDER.glob("*.jsonl"))
WALL = "2026-01-31T20:00:00.000+00:00"


def recorded(path: Path, lines: int | None = None) -> Record:
    text = "\n".join(path.read_text(encoding="utf-8").split("\n")[:lines])
    return record_of(parse_export(text, path.name, WALL), path.stem)


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_the_page_draws_the_tower_and_the_points_and_loads_nothing(path: Path) -> None:
    record = recorded(path)
    page = format_html(record)
    assert page.count("The tower<") == 1
    assert "Placement points, pyramid by pyramid" in page
    assert "<script" not in page
    assert not {"eliminated", "fastest shot"} & set(re.findall("<th[^>]*>([^<]*)</th>", page))
    assert re.search(r"Not listed: [^.]*card \(\d+\)", page)
    report = report_of(record)
    for picture in report.pictures(record):
        ElementTree.fromstring(picture.svg)


def test_the_points_after_each_level_end_in_the_totals() -> None:
    record = recorded(FOLDER / "two-players.jsonl")
    names, after = zip(*scores_of(record), strict=True)
    assert names == ("1", "2", "3", "roof", "goals")
    assert after[-1] == record.game.standings(record.state)
    assert tuple(after[0].values()) < tuple(after[3].values())


def test_the_winners_of_a_photo_finish_are_who_the_table_said() -> None:
    record = recorded(FOLDER / "four-players-photo-finish.jsonl")
    assert winners_of(record) == ("bo",)


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_the_sheet_fits_a_page(path: Path) -> None:
    lines = format_sheet(recorded(path)).splitlines()
    assert len(lines) <= 60
    assert max(width(line) for line in lines) <= 80


def test_an_unfinished_game_shows_that_goals_are_noted_but_not_which() -> None:
    path = FOLDER / "three-players-by-buttons.jsonl"
    record = recorded(path, lines=40)
    noted = record.state.goals
    assert noted
    assert not record.state.revealed
    page, sheet = format_html(record), format_sheet(record)
    assert "noted goals (SR-3)" in page or "noted" in sheet
    for goals in noted:
        for text in (page, sheet):
            assert f"Nest {goals.nest}" not in text
            assert f"Tree {goals.tree}" not in text


def test_a_game_that_has_just_begun_has_a_picture_of_its_floor_and_none_of_its_points() -> None:
    page = format_html(recorded(FOLDER / "two-players.jsonl", lines=2))
    assert "level 1 (large) from above: no cards; no pyramids" in page
    assert "Placement points, pyramid by pyramid" not in page


def test_only_house_rules_that_differ_are_listed() -> None:
    record = recorded(FOLDER / "five-players-come-and-go.jsonl")
    names = [rule.name for rule, _ in changed_rules(record.game, record.setup)]
    assert names == ["single_with_two_wilds", "antenna_place", "column_wild_only", "tie"]
