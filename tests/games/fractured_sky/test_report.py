"""Reports of a game of Fractured Sky."""

from __future__ import annotations

import csv
import io
import json
import random
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from companion.errors import CommandError
from companion.games.fractured_sky.report import FracturedSkyReport
from companion.games.fractured_sky.rules.facts import Deal
from companion.games.fractured_sky.rules.public import is_ai
from companion.games.fractured_sky.rules.standing import winner
from companion.games.fractured_sky.simulation import SimulatedMove, moves, setup_for
from companion.reports import bgstats
from companion.reports.documents import format_csv, format_json
from companion.reports.games import changed_rules, report_of, scores_of, winners_of
from companion.reports.importing import parse_export
from companion.reports.page import format_html
from companion.reports.record import Record, published, record_of
from companion.reports.sheet import COLUMNS, LINES, format_sheet
from companion.rules.columns import width
from companion.rules.facts import Fact, Setup
from tests.games.transcripts import format_transcript

FIXTURES = Path(__file__).parents[2] / "fixtures" / "fractured-sky"
BEGUN = "2026-01-31T20:00:00.000+00:00"
NAMES = ("four-seats", "two-seats-and-an-ai")


def recorded(name: str) -> Record:
    return record_of(
        parse_export((FIXTURES / f"{name}.jsonl").read_text(encoding="utf-8"), name, BEGUN), name
    )


@cache
def played(seed: int, difficulty: str = "easy") -> tuple[Setup, tuple[SimulatedMove, ...]]:
    """A solo game of virtual decks."""
    setup = setup_for(("greedy",), {"difficulty": difficulty})
    return setup, tuple(moves(setup, random.Random(seed)))


def simulated(seed: int, facts: int | None = None) -> Record:
    """Such a game, or its first `facts`."""
    setup, game = played(seed)
    transcript = format_transcript(setup, [move.fact for move in game[:facts]])
    return record_of(parse_export(transcript, "game", BEGUN), "game")


def won_by(ai: bool) -> Record:
    """A solo game that an AI won, or the player."""
    for seed in range(30):
        if is_ai(winner(played(seed)[1][-1].after) or "") == ai:
            return simulated(seed)
    pytest.fail("no such game among thirty")


@pytest.mark.parametrize("name", NAMES)
def test_fs30_the_scores_after_each_round_grow_to_the_standings(name: str) -> None:
    record = recorded(name)
    names, after = zip(*scores_of(record), strict=True)
    assert names[:5] == ("1", "2", "3", "4", "5")
    assert record.game.standings(record.state).items() <= after[-1].items()
    assert all(before[seat] <= now[seat] for before, now in pairwise(after[:5]) for seat in before)


def test_fs30_the_seat_that_won_is_said_everywhere() -> None:
    record = won_by(ai=False)
    assert isinstance(report_of(record), FracturedSkyReport)
    assert winners_of(record) == ("greedy",)
    assert report_of(record).figures(record)["greedy"].games_won == 1
    assert "Fractured Sky: greedy wins with" in format_html(record)
    assert bgstats.play(record)["players"][0]["winner"] is True


def test_fs30_a_game_that_an_ai_won_is_over_without_a_seat_that_won() -> None:
    record = won_by(ai=True)
    report = report_of(record)
    assert winners_of(record) == ()
    assert report.figures(record)["greedy"].games_won == 0
    page = format_html(record)
    assert "not over" not in page
    assert "wins with" in page
    assert [player["winner"] for player in bgstats.play(record)["players"]] == [False]


def test_a_game_that_is_not_over_has_no_play_and_says_so() -> None:
    record = simulated(1, 60)
    with pytest.raises(CommandError, match="no result yet"):
        bgstats.play(record)
    assert "Fractured Sky: not over" in format_html(record)


def test_rounds_are_won_by_whoever_gained_most_in_them() -> None:
    record = recorded("four-seats")
    best = [max(played.gains.values(), default=0) for played in record.state.past]
    figures = report_of(record).figures(record)
    for seat, own in figures.items():
        gained = [played.gains.get(seat, 0) for played in record.state.past]
        assert own.rounds_won == sum(
            gain == most > 0 for gain, most in zip(gained, best, strict=True)
        )
    assert sum(own.rounds_won for own in figures.values())


def test_house_rules_that_differ_are_named_with_their_clause() -> None:
    rules = changed_rules(simulated(1).game, setup_for(("greedy",), {"difficulty": "hard"}))
    assert [(rule.clause, rule.name, chosen) for rule, chosen in rules] == [
        ("FS-U8", "map", "example"),
        ("FS-3", "starfalls", "virtual"),
        ("FS-32", "difficulty", "hard"),
    ]


@pytest.mark.parametrize("facts", [0, 1, 20, 45, 100, None])
def test_the_sheet_fits_its_page_whenever_it_is_made(facts: int | None) -> None:
    lines = format_sheet(published(simulated(2, facts))).splitlines()
    assert len(lines) <= LINES
    assert max(map(width, lines)) <= COLUMNS


def test_the_sheet_says_what_is_needed_to_go_on_by_hand() -> None:
    record = published(simulated(2, 40))
    text = format_sheet(record)
    for expected in (
        "turn order  ",
        "Amber Atoll",
        "unused Hidden cards  ",
        "Hidden card 1        face down",
        "awaited:",
    ):
        assert expected in text, expected


def test_fs46_no_sheet_and_no_export_of_a_running_game_has_a_card_that_was_dealt() -> None:
    """Regions are named for what is public; but the order of the deck and the looks at it are not."""
    setup, game = played(2)
    texts = []
    for swap in (False, True):
        facts = [move.fact for move in game[:20]]
        if swap:  # the last cards of the pile, which nobody has drawn, change places
            facts = [swapped(fact) for fact in facts]
        record = published(
            record_of(parse_export(format_transcript(setup, facts), "g", BEGUN), "g")
        )
        assert record.withheld
        texts.append(
            [format_sheet(record), format_html(record), format_json(record), format_csv(record)]
        )
    assert texts[0] == texts[1]


def swapped(fact: Fact) -> Fact:
    if not isinstance(fact, Deal):
        return fact
    return fact.model_copy(update={"cards": (*fact.cards[:-2], fact.cards[-1], fact.cards[-2])})


def test_the_deal_is_no_row_of_a_running_game_and_one_of_a_game_that_is_over() -> None:
    for facts, there in ((40, False), (None, True)):
        record = published(simulated(2, facts))
        rows = list(csv.DictReader(io.StringIO(format_csv(record))))
        assert any(row["kind"] == "deal" for row in rows) == there
        assert any(row["kind"] == "withheld" for row in rows) != there
        kinds = {fact["kind"] for fact in json.loads(format_json(record))["facts"]}
        assert ("deal" in kinds) == there


def test_shuffles_and_notes_are_no_rulings() -> None:
    report = FracturedSkyReport()
    assert report.no_rulings >= {"saw", "deal", "shuffle", "ai_turn"}
    assert report.no_rulings.isdisjoint(("airship", "ai_done", "reveal", "round_end", "adjust"))
