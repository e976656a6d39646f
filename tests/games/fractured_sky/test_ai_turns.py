"""FS-31 to FS-42: an AI's turns, from the card turned up to the turn slot, and the table's word on all of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.rules.components import Box, example
from tests.games.fractured_sky.playing import (
    BLACK,
    FORWARDS,
    ORANGE,
    TOKENS,
    A,
    B,
    C,
    G,
    H,
    Record,
    all_placed,
    begun,
    virtual,
)

# -- virtual cards


def test_fs33_each_round_the_cards_and_tokens_are_shuffled_first() -> None:
    record = begun("ada", ai_cards="virtual")
    assert record.phase == "shuffle"
    record.refuses("airship", "FS-33", seat="ada", region=A)
    assert "unused tokens: 0/4, 1/5, 1/6" in record.do(
        "shuffle", ai=BLACK, cards=FORWARDS, tokens=TOKENS
    )
    record.refuses("shuffle", "FS-33", ai=BLACK, cards=FORWARDS, tokens=TOKENS)


@pytest.mark.parametrize(
    ("clause", "cards", "tokens"),
    [
        ("FS-34", [1, 2, 3], TOKENS),
        ("FS-34", [1, *FORWARDS[:-1]], TOKENS),
        ("FS-33", FORWARDS, [1, 1, 2, 3, 4, 5]),
    ],
)
def test_fs33_a_shuffle_holds_every_card_and_token_once(
    clause: str, cards: list[int], tokens: list[int]
) -> None:
    record = begun("ada", ai_cards="virtual")
    record.refuses("shuffle", clause, ai=BLACK, cards=cards, tokens=tokens)


def test_fs33_the_tokens_that_sit_out_are_public_and_the_order_of_the_others_is_not() -> None:
    record = virtual(tokens=[6, 2, 4, 5, 1, 3])
    black = next(player for player in record.view().players if player.id == BLACK)
    assert black.sitting_out == ("1/5", "2/6", "3/8")
    other = virtual(tokens=[4, 2, 6, 3, 1, 5])
    assert record.view() == other.view()


def test_the_order_of_a_deck_is_in_no_view() -> None:
    first, second = virtual(cards=FORWARDS), virtual(cards=[1, *FORWARDS[:0:-1]])
    assert first.view() == second.view()
    assert first.view("ada") == second.view("ada")


def test_fs34_an_ai_turns_up_its_top_card_and_the_move_waits_for_the_table() -> None:
    record = virtual()
    record.do("skimmer", seat="ada", region=A)
    sentence = record.do("ai_turn", ai=BLACK)
    assert sentence == "AI black: Airship to Amber Atoll (it shows the most Starfalls) (FS-37)"
    assert not record.now.ships
    assert record.view().move is not None
    assert record.view().move.decision.target == A  # type: ignore[union-attr]
    assert record.do("ai_done") == "AI black: Airship to Amber Atoll, done (FS-37)"
    assert [ship.player for ship in record.now.ships] == [BLACK]
    assert record.mover == ORANGE


def test_fs34_what_cannot_be_done_is_skipped_and_said() -> None:
    record = virtual(cards=[10, 9, 1, *range(2, 9)])
    record.do("adjust", counter="unused", value=7, reason="counted")
    record.do("scout", seat="ada", card=1)
    record.do("ai_turn", ai=BLACK)
    assert (
        record.do("ai_done") == "AI black: scouts Hidden card 1, done (FS-40)"
    )  # one resource taken
    assert [turn.carried_out for turn in record.now.turned] == [True]
    record.do("ai_turn", ai=ORANGE)  # cards 10 and 9 of orange scout too, and there is one card
    record.do("ai_done")
    record.do("reveal", card=1, region=H)
    record.do("skimmer", seat="ada", region=A)
    record.do("ai_turn", ai=BLACK)
    record.do("ai_done")
    sentence = record.do("ai_turn", ai=ORANGE)
    assert "AI orange: Airship to " in sentence
    assert sentence.endswith("; scout not possible")
    assert [turn.carried_out for turn in record.now.turned] == [True, True, True, False]


def test_fs34_a_card_that_the_table_cannot_do_is_not_turned_up_a_second_time() -> None:
    record = begun("ada")
    record.do("airship", seat="ada", region=A)
    record.do("ai_turn", ai=BLACK, card="scout")
    sentence = record.do("ai_cannot", reason="it is under a cup")
    assert (
        sentence
        == "AI black: Scout not possible (it is under a cup); its next card follows (FS-34)"
    )


def test_three_keys_are_enough_for_a_turn_of_an_ai() -> None:
    record = virtual()
    record.do("skimmer", seat="ada", region=A)
    record.press("next", "next")
    assert record.mover == ORANGE


def emptied(ai_deck_empty: str) -> Record:
    record = virtual(ai_deck_empty=ai_deck_empty)
    empty = replace(record.now.decks[BLACK], cards=())
    now = replace(record.now, decks={**record.now.decks, BLACK: empty}, last="ada")
    record.state = replace(record.state, current=now)
    return record


def test_fs34_a_deck_that_ran_out_is_shuffled_again() -> None:
    record = emptied("reshuffle")
    assert record.phase == "shuffle"
    record.refuses("shuffle", "FS-33", ai=BLACK, cards=FORWARDS, tokens=TOKENS)
    assert "shuffled again" in record.do("shuffle", ai=BLACK, cards=FORWARDS)
    assert record.now.decks[BLACK].tokens == tuple(TOKENS)
    record.do("ai_turn", ai=BLACK)
    assert record.phase == "ai"


def test_fs34_or_the_ai_places_an_airship() -> None:
    record = emptied("place_airship")
    record.do("ai_turn", ai=BLACK)
    assert (record.move.ai, record.move.card.kind) == (BLACK, "airship")


# -- physical cards


def test_physical_cards_are_named_by_the_table() -> None:
    record = begun("ada")
    record.refuses("ai_turn", "FS-7", ai=BLACK, card="airship")
    record.do("skimmer", seat="ada", region=A)
    record.refuses("ai_turn", "FS-U7", ai=BLACK)
    assert record.ai_card("skimmer", "N").target == A


def test_fs34_a_named_card_that_cannot_be_done_asks_for_the_next() -> None:
    record = begun("ada")
    record.do("skimmer", seat="ada", region=A)
    for _ in range(2):
        record.ai_card("skimmer", "N")
    record.do("turn", player=BLACK, reason="for the test")
    assert "its next card follows" in record.do("ai_turn", ai=BLACK, card="skimmer", stars=["N"])
    assert record.mover == BLACK


def test_fs35_the_compass_of_a_skipped_card_counts() -> None:
    record = begun("ada", box=None)
    record.showing(amber_atoll=0)
    record.do("skimmer", seat="ada", region=A)
    for _ in range(2):
        record.ai_card("skimmer", "N")
    record.do("turn", player=BLACK, reason="for the test")
    record.do("ai_turn", ai=BLACK, card="skimmer", stars=["W"])
    record.do("ai_turn", ai=BLACK, card="airship", stars=["E"])
    assert (record.move.target, record.move.reasons[-1].text.rpartition(": ")[2]) == (
        A,
        "furthest west",
    )


# -- the table's word


def test_a_move_the_table_cannot_make_goes_to_the_next_candidate() -> None:
    record = virtual()
    record.showing(brass_basin=1)
    record.do("skimmer", seat="ada", region=A)
    record.do("ai_turn", ai=BLACK)
    first = record.move.target
    sentence = record.do("ai_cannot", reason="the map is torn there")
    assert record.move.target in {A, B} - {first}
    assert sentence.startswith(
        "AI black: Airship not possible (the map is torn there); AI black: Airship to "
    )


def test_a_card_without_a_candidate_left_goes_to_the_next_card() -> None:
    record = virtual(cards=[9, *range(1, 9), 10])
    record.do("skimmer", seat="ada", region=A)
    record.do("ai_turn", ai=BLACK)
    skimmer = record.move
    record.do("ai_cannot", reason="the Skimmer is lost")
    assert (skimmer.card.kind, record.move.card.kind) == ("skimmer", "airship")
    assert not record.now.turned[0].carried_out


def test_fst4_a_move_can_be_overruled_with_a_reason_and_the_ai_carries_on() -> None:
    record = virtual()
    record.do("skimmer", seat="ada", region=A)
    record.do("ai_turn", ai=BLACK)
    record.refuses("ai_choose", "FS-36", target=H)
    record.do("ai_choose", target=H, reason="we placed it there by mistake")
    assert record.view().move.by_hand == "we placed it there by mistake"  # type: ignore[union-attr]
    record.do("ai_done")
    assert record.now.ships[0].region == H
    record.do("ai_turn", ai=ORANGE)


def test_fs36_a_tie_that_the_compass_leaves_is_the_tables() -> None:
    record = begun("ada", compass_geometry="table")
    record.showing(brass_basin=1)
    record.do("skimmer", seat="ada", region=A)
    move = record.ai_card("airship", "SE", done=False)
    assert move.ask == (A, B)
    record.refuses("ai_done", "FS-36")
    record.refuses("ai_cannot", "FS-36", reason="no")
    record.press("answer.2", "next")
    assert record.now.ships[0].region == B


def test_fst4_counts_can_be_set_by_hand() -> None:
    record = begun("ada", difficulty="hard")
    record.do("adjust", counter="starfalls", of=BLACK, value=4, reason="recounted")
    record.do("adjust", counter="market_card", of=BLACK, value=2, reason="recounted")
    assert (record.held(BLACK), record.state.market_cards[BLACK]) == (4, 2)
    record.refuses("adjust", "FS-31", counter="starfalls", of="ada", value=4, reason="recounted")
    record.refuses("adjust", "FS-U8", counter="region", of="atlantis", value=4, reason="recounted")


def test_fst4_a_slot_can_be_set_by_hand() -> None:
    record = begun("ada")
    record.place("ada", A, B, C, slot=1)
    record.do("adjust", counter="slot", of="ada", value=2, reason="the cube stood there")
    assert record.now.slots == {2: "ada"}
    record.refuses("adjust", "FS-10", counter="slot", of=BLACK, value=1, reason="no")


def test_fst4_a_piece_can_be_taken_off() -> None:
    record = begun("ada")
    record.do("build", seat="ada", building="fortress", platform="1")
    record.do("remove", player="ada", piece="fortress", place="1", reason="not paid for")
    assert record.state.buildings == ()
    record.refuses("remove", "FS-12", player="ada", piece="fortress", place="1", reason="again")


def test_fsu4_a_waiting_move_is_decided_anew_when_the_map_becomes_known() -> None:
    box = example("fractured-sky")
    bare = Box(tuple(row for row in box.rows if not row.table.startswith("platform_")))
    record = begun("ada", box=bare)
    record.do("skimmer", seat="ada", region=A)
    record.ai_card("fortress", "N", done=False)
    record.refuses("ai_choose", "FS-U4", target="p1", reason="")
    record.do("map_platform", platform="p1", regions=[A, B], places=2)
    assert record.move.ask == ("p1",)
    record.do("ai_choose", target="p1")
    record.do("ai_done")
    assert record.state.buildings[0].platform == "p1"


# -- FS-41: Starfalls revealed by the second resource


def test_fs41_the_second_resource_reveals_the_card_at_once() -> None:
    record = begun("ada")
    record.do("scout", seat="ada", card=1, resource="gold")
    assert record.phase == "turn"
    record.ai_card("scout", "N")
    assert record.phase == "early"
    record.refuses("ai_turn", "FS-41", ai=ORANGE, card="airship")
    record.do("reveal", card=1, region=G)
    assert record.state.starfalls[G] == 1
    assert record.table.hidden == (G,)


def test_fs41_who_takes_nothing_does_not_count() -> None:
    record = begun("ada")
    record.do("scout", seat="ada", card=1)
    record.ai_card("scout", "N")
    assert record.phase == "turn"


def test_fs41_without_an_ai_no_card_is_revealed_early() -> None:
    record = begun("ada bo cleo")
    for seat in ("ada", "bo", "cleo"):
        record.do("scout", seat=seat, card=1, resource="gold")
    assert record.phase == "turn"


def test_fs41_what_is_revealed_shows_for_the_next_airship() -> None:
    record = begun("ada")
    record.do("scout", seat="ada", card=1, resource="gold")
    record.ai_card("scout", "N")
    record.do("reveal", card=1, region=A)
    assert (
        record.ai_card("airship", "E", ai=ORANGE).reasons[-1].text == "it shows the most Starfalls"
    )


# -- FS-42: turn slots


def test_fs42_an_ai_takes_slot_one_else_three_else_two() -> None:
    record = begun("ada")
    all_placed(BLACK, record)
    all_placed(ORANGE, record)
    assert record.now.slots == {1: BLACK, 3: ORANGE}
    first = begun("ada")
    first.place("ada", A, B, C, slot=1)
    all_placed(BLACK, first)
    all_placed(ORANGE, first)
    assert first.now.slots == {1: "ada", 3: BLACK, 2: ORANGE}


def test_fs42_fs45_the_gold_of_slot_three_goes_onto_its_market_card_and_may_trade() -> None:
    record = begun("ada", difficulty="medium")
    record.do("adjust", counter="market_card", of=ORANGE, value=3, reason="for the test")
    all_placed(BLACK, record)
    all_placed(ORANGE, record)
    assert (record.state.market_cards[ORANGE], record.held(ORANGE)) == (0, 1)
    assert (
        "takes turn slot 3, 1 Gold and is done (FS-42); its Market card shows 0, 1 Starfall"
        in record.sentences[-1]
    )


def test_fsu4_while_no_platform_is_known_the_table_names_one_without_a_reason() -> None:
    bare = Box(
        tuple(row for row in example("fractured-sky").rows if not row.table.startswith("platform_"))
    )
    record = begun("ada", box=bare)
    record.do("skimmer", seat="ada", region=A)
    move = record.ai_card("fortress", "N", done=False)
    assert (move.target, move.ask) == (None, ())
    assert "AI black: Fortress on a platform that the table finds (" in record.sentences[-1]
    record.do("ai_cannot", reason="no platform has a place left")
    assert record.mover == BLACK
