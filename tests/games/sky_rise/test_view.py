"""The views: everything public, a seat's own goals in its own view alone (SR-3, SR-T7), and the tower's picture."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest

from companion.games.sky_rise.panels import own
from companion.games.sky_rise.rules import facts as f, fold as rules
from companion.games.sky_rise.rules.facts import GoalNoted
from companion.games.sky_rise.rules.scoring import stacks
from companion.rules.facts import TABLE
from tests.games.sky_rise.playing import GAME, Record, played
from tests.games.sky_rise.test_ending import built, finished
from tests.thorough import examples


def test_sr3_a_seat_sees_its_own_goals_and_what_they_would_score_now() -> None:
    record = Record(2)
    record.do("goal_noted", seat="ada", nest="blue", tree="red")
    record.build("RRYY GGBB RYGB")
    noted = GAME.view(record.state, "ada").own
    assert noted == GoalNoted(seat="ada", nest="blue", tree="red")
    assert scored(record) == [("red", "4", "0", "your Tree"), ("blue", "6", "0", "your Nest")]
    assert GAME.view(record.state, "bo").own is None
    assert record.view.own is None


def test_sr3_a_seat_sees_what_its_nest_would_add_on_the_level_that_is_built() -> None:
    record = Record(2)
    record.do("goal_noted", seat="ada", nest="red", tree="red")
    record.floor()
    record.pyramids("RR.. .... ....")
    assert scored(record) == [("red", "0, 4 on this level", "0", "your Nest and your Tree")]


def scored(record: Record) -> list[tuple[object, ...]]:
    """Return what Ada's own goals would score now, as on her curtain and her phone."""
    (table,) = own(GAME.view(record.state, "ada"), "ada")
    return [row for row in table.rows if row[-1]]


def test_sr3_nobody_elses_view_and_no_sentence_tells_a_goal() -> None:
    record = built()
    before = record.state
    one = rules.apply(before, f.GoalNoted(seat="ada", nest="red", tree="blue"), 90)
    other = rules.apply(before, f.GoalNoted(seat="ada", nest="green", tree="yellow"), 90)
    for viewer in (TABLE, "bo"):
        assert GAME.view(one, viewer) == GAME.view(other, viewer)
    assert GAME.view(one, "ada") != GAME.view(other, "ada")
    for ask in (GAME.awaiting, GAME.summary, GAME.report, GAME.standings):
        assert ask(one) == ask(other)


def test_sr3_the_log_tells_the_table_that_goals_were_noted_and_the_seat_which() -> None:
    record = Record(2)
    fact = f.GoalNoted(seat="ada", nest="red", tree="blue")
    assert GAME.describe(record.state, fact) == "ada noted goals (SR-3)"
    assert GAME.describe(record.state, fact, "bo") == "ada noted goals (SR-3)"
    assert GAME.describe(record.state, fact, "ada") == "ada noted goals: Nest red, Tree blue (SR-3)"


def test_sr3_a_note_that_is_not_possible_any_more_tells_nobody_else_its_colors() -> None:
    record = Record(2)
    fact = f.GoalNoted(seat="ada", nest="purple", tree="blue")
    for viewer in (TABLE, "bo"):
        text = GAME.describe(record.state, fact, viewer)
        assert "purple" not in text
        assert "SR-3" in text
    assert "purple" in GAME.describe(record.state, fact, "ada")


def test_sr_t7_a_note_is_never_refused_for_what_another_noted() -> None:
    record = Record(2)
    record.do("goal_noted", seat="ada", nest="red", tree="blue")
    for nest in ("red", "yellow", "green", "blue"):
        for tree in ("red", "yellow", "green", "blue"):
            record.do("goal_noted", seat="bo", nest=nest, tree=tree)
    assert (
        record.do("goal_noted", seat="bo", nest="red", tree="red") == "bo noted other goals (SR-3)"
    )


@pytest.mark.parametrize("seed", range(examples(1, 10)))
def test_sr_t7_no_other_view_changes_with_a_seats_goals_in_random_play(seed: int) -> None:
    rng = random.Random(seed)
    for state in played(4, seed)[5::6]:
        if state.revealed or not state.goals:
            continue
        secret = rng.choice(state.goals)
        nest, tree = rng.choices(state.plan.colors, k=2)
        changed = replace(
            state,
            goals=tuple(
                GoalNoted(seat=one.seat, nest=nest, tree=tree) if one is secret else one
                for one in state.goals
            ),
        )
        for viewer in (TABLE, *(seat for seat in state.playing if seat != secret.seat)):
            assert GAME.view(changed, viewer) == GAME.view(state, viewer)


def test_sr14_revealed_goals_are_everybodys() -> None:
    record = finished()
    record.goals("red blue", "blue red")
    assert record.seat("ada").nest is None
    assert record.seat("ada").goals_noted
    record.do("reveal")
    assert (record.seat("ada").nest, record.seat("ada").tree) == ("red", "blue")
    assert GAME.view(record.state, "bo").seats == record.view.seats


def test_the_report_hides_goals_until_they_are_revealed_and_is_plain_json() -> None:
    record = finished()
    record.goals("red blue", "blue red")
    report = GAME.report(record.state)
    assert report["seats"]["ada"]["nest"] is None
    record.do("reveal")
    report = json.loads(json.dumps(GAME.report(record.state)))
    assert report["seats"]["ada"]["nest"] == "red"
    assert report["totals"] == record.points


def test_the_view_names_each_piece_with_who_placed_it_and_its_points() -> None:
    record = Record(2)
    record.floor("hsd chs")
    record.do("pyramid", place="b2", color="red")
    piece = next(corner for corner in record.view.levels[0].corners if corner.place == "b2").pieces[
        0
    ]
    assert (piece.seat, piece.points, piece.cards, piece.letter, piece.size) == (
        "ada",
        2,
        ("a1", "b2"),
        "R",
        "large",
    )


def test_the_view_counts_the_stock() -> None:
    record = Record(2)
    record.floor()
    record.pyramids("RRR. .... ....")
    assert [color.stock for color in record.view.colors] == [
        (0, 3, 3),
        (3, 3, 3),
        (3, 3, 3),
        (3, 3, 3),
    ]


def test_the_view_shows_what_stands_at_each_corner_from_the_ground_up() -> None:
    record = built(2, "RYGB RYGB RYGB", "RYGB RYGB RYGB")
    assert stacks(record.state)["a1"] == ("red", "red", None)
    assert not [color.name for color in record.view.colors if color.columns]


def test_the_summary_lists_points_by_source_groups_and_the_tower() -> None:
    record = finished(2, "RRYY GGBB RYGB", "RRYY GGBB RYGB", "RRYY GGBB RYGB")
    record.goals("red yellow", "blue green")
    record.do("reveal")
    lines = "\n".join(GAME.summary(record.state))
    assert "Nest blue 18" in lines
    assert "level 1: blue c2, d2, d3: 6 (SR-10)" in lines
    assert "level 3 (small)" in lines
