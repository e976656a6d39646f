"""The view, the sentences and the box's costs."""

from __future__ import annotations

from itertools import combinations, permutations
from typing import Any

import pytest

from companion.games.skyfire.panels import after_deal, stack
from companion.games.skyfire.rules.box import check, costs
from companion.rules.components import (
    Box,
    ComponentRow,
    as_json,
    check_box,
    doubts,
    from_json,
    overlay,
    packaged,
)
from tests.games.skyfire.playing import (
    FOUR,
    GAME,
    THREE,
    Record,
    at,
    begun,
    example_box,
    example_deck,
)


def test_the_zones_show_who_placed_what_when() -> None:
    record = begun()
    record.do("place", when=at(5_000), zone=2)
    record.do("place", when=at(9_000), zone=2)
    assert [(card.seat, card.at, card.entry) for card in record.view.zones[1].cards] == [
        ("ada", at(5_000), 3),
        ("bo", at(9_000), 4),
    ]


def test_a_pause_is_in_no_time_since_the_deal() -> None:
    record = Record()
    record.do("deal", when=at(1_000_000))
    record.do("pause", when=at(2_000_000))
    record.do("unpause", when=at(62_000_000))
    record.do("place", when=at(63_500_000), zone=1)
    assert after_deal(record.view, at(63_500_000)) == "2.5 s"
    assert after_deal(record.view, None) == "?"


def test_sf15_sf16_sf17_each_launch_and_a_misfire_say_what_they_would_score() -> None:
    record = begun(FOUR)
    record.place(1, 1, 1, 2)
    view = record.view
    assert [stack(view, zone).note.rpartition(" ")[2] for zone in view.zones] == ["3", "1", "0"]
    assert view.misfire_points == 3
    assert view.misfire_others == ("bo", "cleo", "dan")


def test_sf6_backs_in_sight_are_shown_with_their_cards() -> None:
    record = begun(FOUR)
    record.place(1, 1)
    record.do("backs", zone=1, backs=["?", "Golden  Star"])
    record.do("backs", zone=0, backs=["moon"])
    assert [card.back for card in record.view.zones[0].cards] == [None, "golden star"]
    assert record.view.left_over_backs == ("moon", None, None, None)


def test_sf6_more_backs_than_cards_are_refused() -> None:
    record = begun(FOUR)
    record.place(1)
    record.refuses("backs", "SF-6", zone=1, backs=["moon", "moon"])
    record.refuses("backs", "SF-5", zone=4, backs=[])
    begun(THREE, example_deck()).refuses("backs", "SF-6", zone=0, backs=["moon"])


@pytest.mark.parametrize(
    ("moves", "phase"),
    [
        ((), "ready"),
        (("deal",), "open"),
        (("deal", "place.1", "launch.1"), "question"),
        (("deal", "nobody"), "over"),
    ],
)
def test_the_phase_says_where_the_game_stands(moves: tuple[str, ...], phase: str) -> None:
    record = Record()
    record.press(*moves)
    assert record.view.phase == phase


def test_a_finished_game_says_so() -> None:
    record = Record()
    for _ in range(5):
        record.win("ada", 2)
    view = record.view
    assert (view.phase, record.winners, view.seats[0].status) == ("finished", ("ada",), "winner")
    assert record.awaiting == "ada wins with 10 points. The game is over."


def test_the_tables_word_that_somebody_is_eliminated_is_said_once() -> None:
    record = Record(FOUR, example_deck())
    record.says("deal")
    assert record.says("override", seat="bo", status="out") == "the table eliminates bo (SF-T5)"
    assert record.says("override", seat="bo", status="in", reason="miscounted") == (
        "the table takes bo back in, miscounted (SF-T5)"
    )


def test_the_sentences_say_what_happened_and_what_followed() -> None:
    record = Record(FOUR, example_deck())
    texts = [
        record.says("deal"),
        record.says("target", card="garden"),
        record.says("place", zone=1),
        record.says("launch", zone=1),
        record.says("revealed", zone=1, cards=["Comet"]),
        record.says("launch", zone=1),
        record.says("round_end", seats=["dan"], points=2, reason="supper"),
    ]
    assert texts == [
        "round 1 of 5: 4 cards each dealt, ada starts (SF-7)",
        "the target is Garden (blue+green+red) (SF-8)",
        "ada places a card in zone 1, now 1 card",
        "bo launches zone 1, its 1 card turned up (SF-11)",
        "zone 1 shows Comet (red) (SF-11); bo is eliminated from the round",
        "cleo launches zone 1, its 1 card turned up (SF-11); cleo is eliminated from the round",
        "the table ends the round, supper: 2 points for dan (SF-T5)",
    ]


def test_the_sentences_of_misfires_and_the_end() -> None:
    record = Record()
    for _ in range(4):
        record.win("ada")
    text = record.says("deal")
    assert text == "round 5 of 5, the finale: 4 cards each dealt, bo starts (SF-7)"
    record.play_out()
    text = record.says("misfire")
    assert text == "bo declares a misfire: all zones are turned up (SF-12)"
    assert record.says("satisfied", satisfied=True) == (
        "a zone meets the target, bo's misfire is wrong: "
        "3 points each for ada and cleo (SF-17); ada wins with 7 points (SF-18)"
    )


def test_a_fact_that_makes_no_sense_is_described_by_its_refusal() -> None:
    record = Record()
    fact = begun().entries[2]
    record.enter(fact)
    assert GAME.describe(record.state, fact).startswith("deal: SF-9: round 1 is not over")


# -- the box


def test_the_packaged_file_states_every_card_confirmed_with_its_license_and_fits_the_rules() -> (
    None
):
    box = packaged("skyfire")
    assert check_box("skyfire", box) == doubts("skyfire", box) == ()
    cards = [row for row in box.rows if row.table != "count"]
    assert {row.status for row in box.rows} == {"confirmed"}
    assert all(
        "CC BY-SA 4.0" in row.source and "michaelpatrickpurcell" in row.source for row in cards
    )


def test_sf6_the_fireworks_are_the_ordered_pairs_of_five_colors_and_the_targets_all_triples() -> (
    None
):
    colors = ("red", "yellow", "green", "blue", "white")
    box = packaged("skyfire")
    faces = [
        (row.fields["symbols"], set(row.fields["back"].split())) for row in box.table("fireworks")
    ]
    assert sorted((face, *(back - {face})) for (face,), back in faces) == sorted(
        permutations(colors, 2)
    )
    assert sorted(row.fields["symbols"] for row in box.table("target")) == sorted(
        combinations(colors, 3)
    )
    assert [row.fields["symbols"] for row in box.table("finale")] == [colors[:4], colors]


def test_sf6_the_file_of_older_sessions_states_no_face() -> None:
    box = packaged("skyfire", 2)
    assert all("symbols" not in row.fields and "back" not in row.fields for row in box.rows)
    assert len(box.open_rows) == 30
    assert packaged("skyfire", 3) == packaged("skyfire")


def test_the_example_deck_fits_the_rules_and_is_called_one() -> None:
    box = example_box()
    assert check_box("skyfire", box) == ()
    made_up = [row for row in box.rows if row.table != "count"]
    assert {row.status for row in made_up} == {"example"}
    view = begun(FOUR, as_json(box)).view
    assert view.example
    assert view.notes[0].startswith("32 of 41 facts about the box are missing")
    assert view.notes[1].startswith("example deck")
    assert GAME.summary(begun(FOUR, as_json(box)).state)[0].startswith("example deck")


def test_sf6_unknown_symbols_say_what_they_cost() -> None:
    assert [line[:40] for line in costs(packaged("skyfire", 2))] == [
        "symbols unknown, 20 fireworks cards: you",
        "symbols unknown, 12 targets and finales:",
    ]
    assert not begun().view.example


def test_unknown_backs_say_that_odds_leave_them_out() -> None:
    rows = tuple(
        strip(row, "back") if row.table == "fireworks" else row for row in example_box().rows
    )
    assert any("backs unknown" in line for line in costs(Box(rows)))


def strip(row: ComponentRow, name: str) -> ComponentRow:
    return ComponentRow(
        row.table,
        row.name,
        {key: value for key, value in row.fields.items() if key != name},
        row.status,
        row.source,
    )


def with_rows(*rows: dict[str, Any]) -> Box:
    tables: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        stated = {"status": "confirmed", "source": "a copy"} | row
        tables.setdefault(stated.pop("table"), []).append(stated)
    return overlay(example_box(), from_json(tables))


@pytest.mark.parametrize(
    ("row", "clause", "why"),
    [
        ({"table": "count", "name": "fireworks cards", "value": 21}, "SF-1", "the value is 21"),
        (
            {"table": "count", "name": "target cards in the stack", "value": 5},
            "SF-3",
            "the value is 5",
        ),
        (
            {"table": "count", "name": "cards dealt to each player", "value": 5},
            "SF-7",
            "4 x 5 dealt and 4 left over",
        ),
        (
            {"table": "fireworks", "name": "Extra", "symbols": ["red"]},
            "SF-1",
            "21 fireworks cards are listed",
        ),
        (
            {
                "table": "fireworks",
                "name": "fireworks card 1",
                "symbols": ["red"],
                "back": "white moon",
            },
            "SF-2",
            "11 fireworks cards show no",
        ),
        (
            {"table": "target", "name": "target card 1", "symbols": ["white"]},
            "SF-2",
            "3 target cards show no white",
        ),
        (
            {"table": "fireworks", "name": "fireworks card 1", "symbols": ["red"], "copies": 2},
            "SF-1",
            "21 fireworks",
        ),
        (
            {"table": "finale", "name": "finale for three", "players": [3, 4]},
            "SF-1",
            "2 finales are for 4 players",
        ),
        (
            {"table": "finale", "name": "finale for three", "players": [4]},
            "SF-1",
            "0 finales are for 3 players",
        ),
        (
            {
                "table": "finale",
                "name": "finale for three",
                "players": [3],
                "symbols": ["white star"],
            },
            "SF-2",
            "shows white",
        ),
        (
            {"table": "target", "name": "target card 1", "symbols": ["red+blue"]},
            "SF-6",
            "has a + or a comma",
        ),
        (
            {
                "table": "fireworks",
                "name": "fireworks card 1",
                "called": "ember",
                "symbols": ["red"],
            },
            "SF-6",
            "two cards are called so",
        ),
    ],
)
def test_a_box_that_contradicts_the_rules_says_which_row_and_why(
    row: dict[str, Any], clause: str, why: str
) -> None:
    problems = check(with_rows(row))
    assert any(problem.clause == clause and why in problem.why for problem in problems), problems


def test_sf2_where_the_cards_contradict_the_counts_the_game_goes_by_the_cards_and_says_so() -> None:
    box = with_rows(
        {"table": "fireworks", "name": "fireworks card 13", "symbols": ["red"], "back": "moon"}
    )
    record = begun(THREE, as_json(box))
    assert record.view.left_over == 1, "13 without white, 12 dealt"
    assert any(
        "13 fireworks cards show no white; the game goes by the cards (SF-2)" in n
        for n in record.view.notes
    )


def test_sf2_that_twelve_and_four_stay_is_said_where_the_cards_do_not_tell() -> None:
    assert any("12 fireworks and 4 targets stay (SF-2)" in note for note in begun().view.notes)
    assert begun(THREE, {}).view.notes == ()
    assert not any("stay" in note for note in begun(FOUR).view.notes)
