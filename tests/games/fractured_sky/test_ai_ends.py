"""FS-32 and FS-43 to FS-45: an AI at the end of a round: its tokens, its rank, its Market card."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.fractured_sky.rules.ai import turn_tokens
from companion.games.fractured_sky.rules.board import Token
from companion.games.fractured_sky.rules.model import State
from companion.games.fractured_sky.rules.options import buildings_of_each
from companion.games.fractured_sky.rules.resolution import trade
from companion.games.fractured_sky.rules.standing import powers_of, tokens_of
from companion.rules.components import Box, example
from tests.games.fractured_sky.playing import (
    BLACK,
    ORANGE,
    A,
    B,
    C,
    D,
    H,
    Record,
    all_placed,
    begun,
    virtual,
)

# -- FS-43: tokens

VALUES = (Token(0, 4), Token(1, 5), Token(1, 6), Token(2, 6), Token(2, 7), Token(3, 8))


def powers(
    record: Record,
    starfalls: dict[str, int],
    tokens: tuple[int, int, int],
    lots: tuple[int, ...] = (),
) -> list[int] | None:
    table = replace(record.table, starfalls=starfalls)
    turned = turn_tokens(table, list(zip((A, B, C), tokens, strict=True)), VALUES, lots)
    return None if turned is None else [token.power for token in turned]


def test_fs43_the_highest_token_in_a_starfall_region_is_turned_high() -> None:
    record = begun("ada")
    assert powers(record, {A: 1, C: 2}, (1, 6, 5)) == [0, 3, 7]


def test_fs43_three_airships_in_no_starfall_region_are_all_low() -> None:
    assert powers(begun("ada"), {H: 1}, (1, 6, 5)) == [0, 3, 2]
    assert powers(begun("ada", ai_none_eligible="best_high"), {H: 1}, (1, 6, 5)) == [0, 8, 2]


def test_fs43_hard_turns_the_two_highest_and_one_where_only_one_stands() -> None:
    record = begun("ada", difficulty="hard")
    assert powers(record, {A: 1, B: 1, C: 1}, (1, 6, 5)) == [0, 8, 7]
    assert powers(record, {A: 1}, (1, 6, 5)) == [4, 3, 2]


def test_fs43_printed_power_is_the_high_value_or_the_low_one() -> None:
    assert powers(begun("ada"), {A: 1, B: 1}, (3, 4, 6)) == [6, 2, 3]  # 6 and 6: leftmost
    assert powers(begun("ada", ai_high_token_by="low_value"), {A: 1, B: 1}, (3, 4, 6)) == [1, 6, 3]


def test_fs43_a_tie_may_be_drawn_by_lot() -> None:
    record = begun("ada", ai_high_token_tie="random")
    assert powers(record, {A: 1, B: 1}, (3, 4, 6), lots=(4, 3, 1, 2, 5, 6)) == [1, 6, 3]
    assert powers(record, {A: 1, B: 1}, (3, 4, 6)) is None


def test_fs43_the_limit_of_ten_is_not_for_ais() -> None:
    record = finished(begun("ada"), (8, 3, 4))
    assert record.standing(A, BLACK).penalty == 0
    assert record.standing(A, BLACK).power == 8


def test_fs43_virtual_tokens_are_turned_without_a_word() -> None:
    record = virtual(cards=[1, 2, 3, *range(4, 11)], tokens=[1, 2, 3, 6, 5, 4])
    record.place("ada", A, B, C, slot=1)
    while record.phase == "turn":
        record.press("next", "next")
    record.do("reveal", card=1, region=H)
    placed = tokens_of(record.state, BLACK)
    assert placed is not None
    assert record.state.now.decks[BLACK].tokens[3:] == (6, 5, 4)
    assert [token.high for token in placed].count(True) == 1
    assert record.phase == "powers"
    assert [player.id for player in record.view().players if player.powers is None] == ["ada"]


def test_fs43_physical_tokens_are_named_by_the_table() -> None:
    record = begun("ada")
    record.place("ada", A, B, C, slot=1)
    all_placed(BLACK, record)
    all_placed(ORANGE, record)
    record.do("reveal", card=1, region=H)
    record.refuses("ai_tokens", "FS-33", ai=BLACK, tokens=["3/8", "3/8", "0/4"])
    record.refuses("ai_tokens", "FS-33", ai=BLACK, tokens=["9/9", "3/8", "0/4"])
    record.refuses("ai_tokens", "FS-33", ai=BLACK, tokens=["3/8", "0/4"])
    assert record.do("ai_tokens", ai=BLACK, tokens=["3/8", "0/4", "1/5"]) == (
        "AI black's tokens are 3/8, 0/4, 1/5 (FS-43)"
    )
    assert powers_of(record.state, BLACK) == (8, 0, 1)
    record.do("powers", player=ORANGE, chips=[3, 4, 5])
    assert powers_of(record.state, ORANGE) == (3, 4, 5)


# -- FS-44, FS-45: ranks and Market cards


def finished(
    record: Record, black: tuple[int, int, int], ada: tuple[int, int, int] = (5, 0, 1)
) -> Record:
    """Ada in A, B and C on slot 1; black in A first; both AIs' powers as the table says."""
    record.place("ada", A, B, C, slot=1)
    all_placed(BLACK, record)
    all_placed(ORANGE, record)
    record.do("reveal", card=1, region=H)
    record.do("powers", player=BLACK, chips=list(black))
    record.do("powers", player=ORANGE, chips=[0, 0, 0])
    record.do("powers", player="ada", chips=list(ada))
    return record


def test_fs44_an_ai_takes_starfalls_only_yet_occupies_its_rank() -> None:
    record = begun("ada bo")
    record.place("ada", A, B, C, slot=1)
    record.place("bo", A, B, D, slot=2)
    all_placed(BLACK, record)
    record.do("reveal", card=1, region=H)
    for player, chips in (("ada", [5, 0, 1]), ("bo", [1, 0, 0]), (BLACK, [3, 0, 0])):
        record.do("powers", player=player, chips=chips)
    record.do("objective")
    assert [(share.player, share.tier) for share in record.region(A).standings] == [
        ("ada", "starfalls"),
        (BLACK, "both"),
        ("bo", "one"),
    ]
    assert "AI black ranks but takes nothing" in [step.text for step in record.region(A).steps]
    assert "bo takes Gold or Wood" in [step.text for step in record.region(A).steps]


def test_fs44_an_ai_that_is_strongest_takes_the_starfalls() -> None:
    record = finished(begun("ada"), (8, 0, 0))
    assert record.resolution.gains[BLACK] == 1


def test_fs45_a_market_card_trades_at_its_number_and_begins_again() -> None:
    state: State = begun("ada", difficulty="medium").state
    assert trade(state, 0, 3) == (3, 0)
    assert trade(state, 3, 1) == (0, 1)


@pytest.mark.parametrize(
    ("ruling", "held", "gained", "after"),
    [
        ("lost", 3, 6, (0, 1)),
        ("kept", 3, 6, (1, 2)),
        ("lost", 3, 2, (0, 1)),
        ("kept", 3, 2, (1, 1)),
        ("lost", 1, 2, (3, 0)),
    ],
)
def test_fs45_what_a_yield_brings_above_the_number(
    ruling: str, held: int, gained: int, after: tuple[int, int]
) -> None:
    state = begun("ada", difficulty="medium", market_trade_rest=ruling).state
    assert trade(state, held, gained) == after


def test_fs45_hard_trades_by_another_number_than_medium() -> None:
    assert trade(begun("ada", difficulty="hard").state, 0, 3)[1] == 1
    mixed = begun("ada", difficulty="hard", ai_market_number="medium").state
    assert trade(mixed, 0, 3) == (3, 0)


def test_fs45_markets_of_an_ai_add_to_its_card_when_regions_resolve() -> None:
    record = begun("ada", difficulty="medium")
    record.ai_card("market", "NW")
    platform = record.state.buildings[0].platform
    finished(record, (8, 1, 1))
    record.do("adjust", counter="market_card", of=BLACK, value=3, reason="for the test")
    bridged = set(
        next(known for known in record.state.board.platforms if known.id == platform).regions
    )
    yields = len(bridged & {ship.region for ship in record.now.ships_of(BLACK)})
    assert yields > 0
    assert record.resolution.gains[BLACK] == record.standing(A, BLACK).starfalls + 1
    assert record.resolution.market_cards[BLACK] == yields - 1  # one each, region by region


def test_fs32_an_easy_ais_yields_are_lost() -> None:
    record = begun("ada", difficulty="easy")
    record.ai_card("market", "NW")
    finished(record, (8, 1, 1))
    lost = [
        step
        for region in record.resolution.regions
        for step in region.steps
        if step.clause == "FS-32"
    ]
    assert lost
    assert "1 resource of its Markets is lost" in lost[0].text


def test_fs45_an_unknown_number_leaves_the_trade_to_the_table() -> None:
    box = example("fractured-sky")
    record = begun(
        "ada",
        box=Box(tuple(row for row in box.rows if row.table != "market_card")),
        difficulty="hard",
    )
    assert trade(record.state, 2, 9) == (11, 0)


@pytest.mark.parametrize(
    ("options", "buildings", "card"),
    [
        ({"difficulty": "easy"}, 2, None),
        ({"difficulty": "medium"}, 3, 0),
        ({"difficulty": "hard"}, 4, 0),
        ({"difficulty": "easy", "ai_buildings": "4"}, 4, None),
        ({"difficulty": "easy", "ai_market_card": "yes"}, 2, 0),
        ({"difficulty": "hard", "ai_market_card": "no"}, 4, None),
    ],
)
def test_fs32_the_parts_of_a_difficulty_mix_freely(
    options: dict[str, str], buildings: int, card: int | None
) -> None:
    record = Record("ada", **options)  # type: ignore[arg-type]
    record.do("first", seat="ada")
    ai = next(player for player in record.view().players if player.id == BLACK)
    assert (buildings_of_each(record.state.options), ai.market_card) == (buildings, card)
