"""Reports of SkyFire."""

from __future__ import annotations

import re
from datetime import UTC
from pathlib import Path

import pytest

from companion.reports.games import changed_rules, report_of, scores_of, winners_of
from companion.reports.importing import parse_export
from companion.reports.page import format_html
from companion.reports.record import Record, record_of
from companion.reports.sheet import format_sheet

FIXTURES = Path(__file__).parents[2] / "fixtures" / "skyfire"
BEGUN = "2026-01-31T20:00:00.000+00:00"


def recorded(name: str) -> Record:
    return record_of(
        parse_export((FIXTURES / f"{name}.jsonl").read_text(encoding="utf-8"), name, BEGUN), name
    )


def test_the_scores_after_each_round_grow_to_the_standings() -> None:
    record = recorded("misfires-by-hand")
    scores = scores_of(record)
    assert [name for name, _ in scores] == ["1", "2", "3", "4", "5"]
    assert scores[-1][1] == record.game.standings(record.state)
    assert tuple(scores[-1][1].values()) == (3, 6, 10)


@pytest.mark.parametrize(
    ("name", "winners"),
    [("misfires-by-hand", ("cleo",)), ("a-tie-broken", ("bo",)), ("people-come-and-go", ("cleo",))],
)
def test_sf18_who_won_is_said(name: str, winners: tuple[str, ...]) -> None:
    record = recorded(name)
    assert winners_of(record) == winners


def test_the_figures_count_rounds_and_games_won() -> None:
    record = recorded("a-tie-broken")
    figures = report_of(record).figures(record)
    assert {seat: (own.rounds_won, own.games_won) for seat, own in figures.items()} == {
        "ada": (3, 0), "bo": (3, 1), "cleo": (2, 0), "dan": (1, 0),
    }  # fmt: skip


def test_the_page_credits_the_designer_and_names_the_licence() -> None:
    assert "Design: Michael Purcell, CC BY-SA 4.0." in format_html(recorded("a-tie-broken"), UTC)


def test_house_rules_that_differ_are_named_with_their_clause() -> None:
    record = recorded("a-tie-broken")
    rules = changed_rules(record.game, record.setup)
    assert [(rule.clause, rule.name, chosen, rule.default) for rule, chosen in rules] == [
        ("SF-18", "tie", "extra_round", "shared")
    ]


def test_the_sheet_says_how_to_go_on_by_hand_and_nothing_secret() -> None:
    record = recorded("a-tie-broken")
    sheet = format_sheet(record, UTC)
    for text in (
        r"deck        example deck: these cards are made up",
        r"last round  extra round 7, for the finale",
        r"target      finale for four or five \(blue",
    ):
        assert re.search(f"^{text}", sheet, re.MULTILINE)
    assert "\nBo wins with 13 points. The game is over.\n" in sheet
    assert "): tie = extra_round (SF-18)\n" in sheet


def test_the_sentences_of_a_report_name_no_card_that_a_seat_noted_for_itself() -> None:
    record = recorded("a-tie-broken")
    notes = [
        line.text
        for line in record.facts
        if line.fact is not None and line.fact.kind.endswith("_noted")
    ]
    assert len(notes) > 7
    assert all(text.endswith("eyes only") for text in notes)


def test_places_and_notes_are_no_rulings() -> None:
    report = report_of(recorded("a-tie-broken"))
    assert report.no_rulings >= {"place", "hand_noted"}
    assert report.no_rulings.isdisjoint(("launch", "misfire", "satisfied"))
