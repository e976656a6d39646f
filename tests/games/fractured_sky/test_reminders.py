"""Reminders of work by hand: at the setup, before a round and at its end."""

from __future__ import annotations

import pytest

from companion.games.fractured_sky.rules.game import GAME
from companion.games.fractured_sky.rules.reminders import clearing, reminders
from companion.games.fractured_sky.screen.words import by_hand_now
from companion.rules.components import as_json, packaged
from companion.rules.facts import Setup
from companion.rules.seats import seats_from_names
from tests.games.fractured_sky.playing import (
    A,
    B,
    C,
    D,
    H,
    Record,
    all_placed,
    begun,
    placed,
    three,
)


def checklist(seats: str, **options: str) -> list[str]:
    return list(GAME.checklist(Record(seats, None, **options).state))


@pytest.mark.parametrize(
    ("options", "sides"),
    [
        ({}, "AI black sits to your left, AI orange to your right."),
        ({"ai_color": "orange"}, "AI orange sits to your left, AI black to your right."),
        (
            {"ai_color": "orange", "ai_order": "black_first"},
            "AI orange sits to your left, AI black to your right.",
        ),
    ],
)
def test_fs31_the_setup_says_which_ai_sits_on_which_side(
    options: dict[str, str], sides: str
) -> None:
    record = Record("ada", None, **options)
    assert sides in GAME.checklist(record.state)
    as_seated = record.state.options["ai_order"] == "as_seated"
    assert not as_seated or sides.startswith(record.state.name(record.state.ais[0])), (
        "the one to the left plays first"
    )


def test_fs31_one_ai_has_no_side() -> None:
    assert not [line for line in checklist("ada bo") if " sits to " in line]


def test_fs1_the_advice_for_a_first_game_is_part_of_the_setup() -> None:
    assert "Your first game? Take 2 Gold and 2 Wood as the 4 resources." in checklist("ada bo cleo")
    assert (
        "Your first game? Take 2 Gold and 2 Wood as the 4 resources, and play against easy AIs."
        in checklist("ada")
    )


def test_fs1_the_setup_says_that_nobody_counts_the_resources_but_the_players() -> None:
    counts = "The companion does not count your resources: pay and take them on the table."
    assert counts in checklist("ada")


def now(record: Record) -> list[str]:
    return [f"{verb} {rest}" for verb, rest in reminders(record.view())]


def test_fs4_who_covers_gold_on_a_slot_of_the_first_row_is_told() -> None:
    record = Record("ada bo cleo")
    assert not now(record)
    sentence = record.do("first", seat="bo")
    assert "Take the Gold of your turn slot: ada 1" in now(record)
    assert sentence == "bo takes turn slot 1; then cleo, ada; ada gets 1 Gold for slot 3 (FS-4)"
    record.do("public", region=A)
    assert not [line for line in now(record) if "Gold" in line]


def test_fs4_gold_that_nobody_knows_is_taken_as_the_slot_shows_it() -> None:
    seats = seats_from_names(["Ada", "Bo", "Cleo"])
    state = GAME.start(
        Setup("fractured-sky", GAME.rules_version, seats, {}, as_json(packaged("fractured-sky")))
    )
    after = GAME.apply(state, GAME.parse("first", {"seat": "ada"}), 2)
    lines = [" ".join(reminder) for reminder in reminders(GAME.view(after, "table"))]
    assert "Take the Gold that your turn slot shows, if any: Ada, Bo" in lines
    assert "Take the Gold of your turn slot: Cleo 1" in lines


@pytest.mark.parametrize(
    ("difficulty", "sentence"),
    [("easy", ""), ("medium", "Take the Gold of your turn slot: AI orange 1 onto its Market card")],
)
def test_fs31_slot_gold_of_an_ai_goes_onto_its_market_card_if_it_has_one(
    difficulty: str, sentence: str
) -> None:
    record = Record("ada", difficulty=difficulty)
    record.do("first", seat="ada")
    assert [line for line in now(record) if "Gold" in line] == ([sentence] if sentence else [])


def test_fs6_before_each_round_the_starfall_decks_are_shuffled_and_its_hidden_cards_laid_out() -> (
    None
):
    record = three()
    first = Record("ada bo cleo")
    first.do("first", seat="ada")
    assert now(first)[1:] == [
        "Shuffle all Public cards, and all Hidden cards, each deck by itself",
        "Lay out 1 Hidden card face down on the tray",
        "Turn up one Public card, and put a Starfall on its region",
    ]
    ended(record)
    assert now(record) == [
        "Shuffle all Public cards, and all Hidden cards, Explore draws too, each deck by itself",
        "Lay out 2 Hidden cards face down on the tray",
        "Turn up one Public card, and put a Starfall on its region",
    ]
    assert len(record.now.hidden) == 2


def ended(record: Record) -> None:
    placed(record, {"ada": (A, B, C), "bo": (A, B, C), "cleo": (A, B, D)}, hidden=(H,))
    for seat in ("ada", "bo", "cleo"):
        record.do("powers", player=seat, chips=[1, 2, 3])
    record.do("objective")
    record.do("round_end")


@pytest.mark.parametrize("ruling", ["coming_round", "finished_round"])
@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_fs29_as_many_hidden_cards_are_named_as_the_next_round_has(
    ruling: str, number: int
) -> None:
    record = three(hidden_count=ruling)
    count = number + 1 if ruling == "coming_round" else number
    (lay,) = (rest for verb, rest in clearing(record.view(), number) if verb == "Lay out")
    assert lay.startswith(f"{count} Hidden card")


def test_fs29_after_a_round_it_is_said_what_comes_off_the_board_and_what_stays() -> None:
    rows = clearing(three().view(), 1)
    assert rows[:2] == (
        ("Take back", "Airships, Power chips, Skimmers and scouting markers"),
        ("Leave", "Fortresses, Markets, markers on Objectives, and Starfalls that nobody took"),
    )
    assert clearing(three().view(), 5) == (), "the game is over"


def test_fst8_decks_that_the_companion_deals_are_not_shuffled_by_hand() -> None:
    record = Record("ada bo cleo", starfalls="virtual")
    record.do("first", seat="ada")
    assert not [line for line in now(record) if "Shuffle" in line or "Lay out" in line]
    assert [line for line in now(record) if line.startswith("Put a Starfall")]


def test_fs33_the_ais_cards_and_tokens_are_shuffled_by_hand_where_they_lie_on_the_table() -> None:
    record = Record("ada", ai_cards="physical")
    record.do("first", seat="ada")
    assert now(record)[-2:] == [
        "Shuffle all action cards of AI black and AI orange, each deck by itself",
        "Shuffle the 6 tokens of each AI face down, and turn 3 up: these sit out this round",
    ]
    assert clearing(record.view(), 1)[-1][1].startswith("the 6 tokens")
    virtual = Record("ada")
    virtual.do("first", seat="ada")
    assert not [line for line in now(virtual) if "tokens" in line]


def test_fs33_tokens_that_sit_out_may_be_entered_until_the_ai_turns_up_a_card() -> None:
    record = begun("ada")
    black, orange = (
        f"Enter AI {color}'s 3 unused tokens, if you like" for color in ("black", "orange")
    )
    assert now(record) == [black, orange]
    assert by_hand_now(record.view()).endswith("if you like. Press o.")
    record.do("ai_sits_out", ai="@black", tokens=["0/4", "1/5", "2/6"])
    assert now(record) == [orange]
    record.ai_card("airship", "E", ai="@orange")
    assert now(record) == []
    assert by_hand_now(record.view()) == ""


FLIP = "Flip the leftmost Objective"


def test_fs19_the_leftmost_objective_is_flipped_when_all_are_done() -> None:
    record = three()
    placed(record, {"ada": (A, B, C), "bo": (A, B, C), "cleo": (A, B, D)}, hidden=())
    assert record.sentences[-1].endswith(
        "and is done (FS-10); the leftmost Objective is flipped (FS-19)"
    )
    assert now(record) == [FLIP]
    assert GAME.awaiting(record.state).startswith("Turn up Hidden card 1: which region?")
    record.do("reveal", card=1, region=H)
    assert now(record) == []
    for seat in ("ada", "bo", "cleo"):
        record.do("powers", player=seat, chips=[1, 2, 3])
    assert GAME.awaiting(record.state).startswith("Who meets the Objective?")


def test_fs22_an_objective_that_is_scored_at_once_is_flipped_then() -> None:
    record = three(objective_scored="at_flip")
    placed(record, {"ada": (A, B, C), "bo": (A, B, C), "cleo": (A, B, D)}, hidden=())
    assert GAME.awaiting(record.state).startswith(f"{FLIP}: who meets it?")
    record.do("objective", players=["ada"])
    assert FLIP not in GAME.awaiting(record.state)


def test_fs22_with_an_ai_it_is_flipped_after_the_powers() -> None:
    record = begun("ada bo")
    record.place("ada", A, B, C, slot=1)
    record.place("bo", A, B, C, slot=2)
    for _ in range(3):
        record.ai_card("airship", "E")
    assert FLIP not in GAME.awaiting(record.state)
    record.do("reveal", card=1, region=H)
    for player in ("ada", "bo"):
        record.do("powers", player=player, chips=[0, 0, 1])
    assert record.do("powers", player="@black", chips=[0, 0, 1]).endswith(
        "the leftmost Objective is flipped (FS-22)"
    )
    assert GAME.awaiting(record.state).startswith(f"{FLIP}: who meets it?")


def test_fs5_a_player_alone_flips_nothing() -> None:
    record = begun("ada")
    for ai in ("@black", "@orange"):
        all_placed(ai, record)
    record.place("ada", A, B, C)
    assert "Objective" not in record.do("slot", seat="ada", slot=2)


def test_fs31_which_ai_sits_on_which_side_is_told_before_the_first_turn() -> None:
    assert now(Record("ada", ai_color="orange")) == [
        "Seat AI orange to your left, AI black to your right"
    ]
    assert now(Record("ada bo")) == []
