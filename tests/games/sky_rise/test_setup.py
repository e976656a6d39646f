"""SR-1 to SR-4: pyramids, colors, suits, decks, hands, the Start token; and the house rules as options."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from companion.games.sky_rise.rules import box, fold as rules
from companion.games.sky_rise.rules.facts import Assign, Card
from companion.games.sky_rise.rules.options import HOUSE_RULES
from companion.games.sky_rise.rules.setting import given, share, stock, stock_of
from companion.rules.components import (
    Box,
    BoxError,
    as_json,
    check_box,
    overlay,
    packaged,
    read_box,
)
from companion.rules.facts import Refused, Setup
from companion.rules.forms import fields_of
from companion.rules.house_rules import read_options
from companion.rules.seats import seats_from_names
from tests.games.sky_rise.playing import GAME, Record, setup


@pytest.mark.parametrize(("players", "colors"), [(2, 4), (3, 4), (4, 5), (5, 5)])
def test_sr1_four_colors_with_two_or_three_players_five_with_four_or_five(
    players: int, colors: int
) -> None:
    assert len(Record(players).state.plan.colors) == colors


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_sr1_the_stock_holds_three_of_each_color_and_size(players: int) -> None:
    state = Record(players).state
    for size in ("large", "medium", "small"):
        assert {stock(state, color, size) for color in state.plan.colors} == {3}


@pytest.mark.parametrize(
    ("players", "shares"), [(2, [4, 5]), (3, [3, 3, 3]), (4, [2, 2, 2, 3]), (5, [1, 2, 2, 2, 2])]
)
def test_sr1_nine_opaque_pyramids_are_shared_the_rest_from_the_last_player_backwards(
    players: int, shares: list[int]
) -> None:
    state = Record(players).state
    assert [share(state, seat) for seat in state.playing] == shares
    assert sum(shares) == 9


def test_sr1_the_last_player_is_right_of_whoever_starts() -> None:
    record = Record(2)
    record.do("start_token", seat="bo")
    assert [share(record.state, seat) for seat in ("ada", "bo")] == [5, 4]


@pytest.mark.parametrize("players", [4, 5])
def test_sr1_four_or_five_players_are_one_translucent_pyramid_short_on_each_level(
    players: int,
) -> None:
    state = Record(players).state
    assert stock_of(state, "large") == 15
    assert len(state.plan.grid.places) == 16


@pytest.mark.parametrize("players", [2, 3])
def test_sr1_two_or_three_players_can_fill_a_level_without_an_opaque_pyramid(players: int) -> None:
    state = Record(players).state
    assert stock_of(state, "large") == len(state.plan.grid.places) == 12


def test_sr1_by_trio_the_sizes_follow_from_the_share() -> None:
    state = Record(3, opaque_sizes="by_trio").state
    assert [given(state, seat) for seat in state.playing] == [(1, 1, 1)] * 3
    state = Record(5, opaque_sizes="by_trio").state
    assert [given(state, seat) for seat in state.playing] == [
        (1, 0, 0),
        (0, 1, 1),
        (1, 1, 0),
        (1, 0, 1),
        (0, 1, 1),
    ]


def test_sr1_entered_by_table_the_sizes_are_open_until_somebody_says() -> None:
    record = Record(2)
    assert record.seat("ada").opaque_sizes == (None, None, None)
    assert any("sizes of opaque pyramids" in note for note in record.view.notes)
    record.do("opaque", seat="ada", large=2, medium=1, small=1)
    assert record.seat("ada").opaque_sizes == (2, 1, 1)


def test_sr1_the_first_prompt_leads_to_the_key_for_the_sizes_and_a_note_stays() -> None:
    record = Record(3)
    leads = " (?: more; p: enter who has which opaque pyramids, if you like)."
    assert record.awaiting.endswith(leads)
    record.do("opaque", seat="ada", large=1, medium=1, small=1)
    assert record.awaiting.endswith(leads)
    record.do("card", place="a1", suit="hearts")
    assert "?" not in record.awaiting
    assert any("sizes of opaque pyramids" in note for note in record.view.notes)


def test_sr1_once_all_sizes_are_entered_the_prompt_does_not_ask_for_them() -> None:
    record = Record(3)
    for seat in ("ada", "bo", "cleo"):
        record.do("opaque", seat=seat, large=1, medium=1, small=1)
    assert record.awaiting.endswith(" (?: more).")


def test_sr1_a_share_of_another_number_needs_the_tables_word() -> None:
    record = Record(2)
    assert "4 in all" in record.refuses("opaque", "SR-1", seat="ada", large=2, medium=2, small=1).do
    record.do("opaque", seat="ada", large=2, medium=2, small=1, reason="as we dealt them")
    assert record.seat("ada").opaque == 5


def test_sr1_there_are_three_opaque_pyramids_of_a_size() -> None:
    record = Record(2)
    record.do("opaque", seat="ada", large=3, medium=1, small=0)
    record.refuses("opaque", "SR-1", seat="bo", large=1, medium=1, small=3)


@pytest.mark.parametrize(("players", "colors"), [(3, "5"), (4, "4")])
def test_sr1_a_stated_number_of_colors_has_to_go_with_the_players(
    players: int, colors: str
) -> None:
    with pytest.raises(Refused, match=r"SR-1: .* do not go together"):
        rules.start(setup(players, colors=colors))


def test_sr1_a_stated_number_of_colors_that_goes_with_the_players_is_fine() -> None:
    assert len(rules.start(setup(5, colors="5")).plan.colors) == 5


@pytest.mark.parametrize(
    ("players", "suits", "cards"), [(2, 4, 48), (3, 4, 48), (4, 5, 45), (5, 5, 45)]
)
def test_sr2_an_ordinary_deck_has_48_cards_or_45_with_royals(
    players: int, suits: int, cards: int
) -> None:
    plan = Record(players).state.plan
    assert (len(plan.suits), plan.deck) == (suits, cards)
    assert ("royals" in dict(plan.suits)) == (players > 3)


@pytest.mark.parametrize(("players", "cards"), [(2, 48), (3, 48), (4, 60), (5, 60)])
def test_sr2_a_five_suit_deck_loses_a_suit_with_two_or_three_players(
    players: int, cards: int
) -> None:
    plan = Record(players, deck="five_suit").state.plan
    assert plan.deck == cards
    assert ("fifth" in dict(plan.suits)) == (players > 3)


@pytest.mark.parametrize(
    ("players", "options", "suit", "why"),
    [
        (
            2,
            {},
            "royals",
            "with 2 players J, Q and K belong to their suits, and royals are out of play",
        ),
        (5, {}, "fifth", "an ordinary deck has no fifth suit"),
        (3, {"deck": "five_suit"}, "fifth", "the fifth suit is out of play with 3 players"),
        (3, {"deck": "five_suit"}, "royals", "a five-suit deck has no royals"),
    ],
)
def test_sr2_a_suit_that_is_out_of_play_is_called_that(
    players: int, options: Any, suit: str, why: str
) -> None:
    record = Record(players, **options)
    assert record.refuses("card", "SR-2", place="a1", suit=suit).reason == why
    if suit != "fifth" or not options:
        assert record.refuses("assign", "SR-2", suit=suit, color="red").reason == why


def test_sr1_a_color_that_is_out_of_play_is_called_that() -> None:
    record = Record(3)
    why = "purple is out of play with 3 players"
    assert why in record.refuses("goal_noted", "SR-3", seat="ada", nest="purple", tree="red").reason
    record.floor()
    assert record.refuses("pyramid", "SR-1", place="a1", color="purple").reason == why


@pytest.mark.parametrize(("suit", "rank"), [("royals", "5"), ("hearts", "K"), ("hearts", "5")])
def test_no_refusal_names_a_suit_twice(suit: str, rank: str) -> None:
    record = Record(5)
    if (suit, rank) == ("hearts", "5"):
        record.do("card", place="c3", suit=suit, rank=rank)
    expected = record.refuses("card", "SR-2", place="a1", suit=suit, rank=rank).expected
    assert expected.count(suit) <= 1, expected


def test_sr2_the_suit_that_is_removed_is_the_tables_choice() -> None:
    record = Record(2, deck="five_suit")
    record.do("assign", suit="fifth", color="red")
    assert dict(record.state.plan.suits)["fifth"] == "red"
    assert "hearts" not in dict(record.state.plan.suits)


def test_sr2_a_sentence_calls_the_fifth_suit_so() -> None:
    record = Record(2, deck="five_suit")
    assert record.do("assign", suit="fifth", color="red") == "the fifth suit belongs to red (SR-2)"
    assert (
        record.do("card", place="a1", suit="fifth")
        == "ada lays a card of the fifth suit at a1 (SR-5)"
    )


def test_sr2_each_suit_has_one_color_and_assigning_swaps_two() -> None:
    record = Record(2)
    assert dict(record.state.plan.suits) == {
        "hearts": "red",
        "spades": "yellow",
        "diamonds": "green",
        "clubs": "blue",
    }
    record.do("assign", suit="hearts", color="blue")
    assert dict(record.state.plan.suits) == {
        "hearts": "blue",
        "spades": "yellow",
        "diamonds": "green",
        "clubs": "red",
    }


def test_sr2_a_color_that_was_left_out_takes_the_place_of_another() -> None:
    record = Record(2)
    record.do("assign", suit="hearts", color="orange")
    assert record.state.plan.colors == ("orange", "yellow", "green", "blue")


def test_sr2_suits_are_assigned_before_the_first_card() -> None:
    record = Record(2)
    record.do("card", place="a1", suit="hearts")
    record.refuses("assign", "SR-2", suit="hearts", color="blue")


def test_sr2_royals_are_no_suit_with_four_colors() -> None:
    Record(2).refuses("assign", "SR-2", suit="royals", color="red")
    Record(2).refuses("card", "SR-2", place="a1", suit="royals")


def test_sr2_a_pair_that_stands_already_is_refused() -> None:
    Record(2).refuses("assign", "SR-2", suit="hearts", color="red")
    Record(2).refuses("assign", "SR-1", suit="hearts", color="pink")


@pytest.mark.parametrize(("rank", "suit"), [("J", "hearts"), ("10", "royals")])
def test_sr2_jacks_queens_and_kings_are_royals_with_five_colors(rank: str, suit: str) -> None:
    Record(4).refuses("card", "SR-2", place="a1", suit=suit, rank=rank)


def test_sr2_kings_belong_to_their_suits_with_four_colors() -> None:
    record = Record(3)
    record.do("card", place="a1", suit="hearts", rank="K")
    record.refuses("card", "SR-2", place="b1", suit="hearts", rank="K")


def test_sr2_four_kings_are_royals_and_no_fifth() -> None:
    record = Record(4)
    for cell in ("a1", "b1", "c1", "a2"):
        record.do("card", place=cell, suit="royals", rank="K")
    record.refuses("card", "SR-2", place="b2", suit="royals", rank="K")


def test_sr2_there_are_nine_cards_of_a_suit_with_five_colors() -> None:
    record = Record(4)
    record.floor("hhh hhh hhh")
    record.pyramids("RYGB RYGB RYGB PPP#")
    record.refuses("card", "SR-2", place="a1", suit="hearts")


@pytest.mark.parametrize(("players", "pile"), [(2, 42), (3, 39), (4, 33), (5, 30)])
def test_sr3_everybody_has_three_cards_and_the_rest_is_the_pile(players: int, pile: int) -> None:
    record = Record(players)
    assert record.view.pile == pile
    assert [seat.hand for seat in record.view.seats] == [3] * players


def test_sr4_the_first_seat_starts_unless_the_table_says_who() -> None:
    record = Record(3)
    assert record.view.due == "ada"
    record.do("start_token", seat="cleo")
    assert record.view.due == "cleo"
    assert [seat.start_token for seat in record.view.seats] == [False, False, True]


def test_sr4_the_start_token_of_the_first_round_is_given_before_the_first_card() -> None:
    record = Record(3)
    record.refuses("start_token", "SR-4", seat="ada")
    record.do("card", place="a1", suit="hearts")
    record.refuses("start_token", "SR-4", seat="bo")
    record.refuses("start_token", "SR-4", seat="ada")


def test_sr4_the_start_token_goes_left_after_each_round_and_begins_each_floor() -> None:
    record = Record(3)
    starters = []
    for _ in range(3):
        starters.append(record.view.due)
        record.build("RYGB GBRY RYGB")
    starters.append(record.view.due)
    assert starters == ["ada", "bo", "cleo", "ada"]


@pytest.mark.parametrize("players", [1, 6])
def test_sr1_two_to_five_seats(players: int) -> None:
    seats = seats_from_names([f"seat {n}" for n in range(players)])
    with pytest.raises(Refused, match=r"SR-1: .* 2 to 5 players"):
        rules.start(Setup("sky-rise", 2, seats))


def test_another_version_of_the_rules_is_refused() -> None:
    with pytest.raises(Refused, match=r"version 99 of the rules.*version 3"):
        rules.start(Setup("sky-rise", 99, seats_from_names(["a", "b"])))


def test_every_house_rule_has_its_first_alternative_as_default() -> None:
    assert dict(read_options({}, HOUSE_RULES).chosen) == {
        rule.name: rule.alternatives[0] for rule in HOUSE_RULES
    }
    assert GAME.house_rules == HOUSE_RULES


@pytest.mark.parametrize("rule", HOUSE_RULES, ids=lambda rule: rule.name)
def test_an_alternative_nobody_knows_is_refused_with_its_clause(rule: object) -> None:
    name, clause = getattr(rule, "name", ""), getattr(rule, "clause", "")
    with pytest.raises(Refused) as caught:
        read_options({name: "perhaps"}, HOUSE_RULES)
    assert caught.value.clause == clause


def test_every_clause_that_the_code_cites_stands_in_the_rules() -> None:
    folder = Path(rules.__file__).parent.parent
    stated = set(re.findall(r"SR-T?\d+", (folder / "RULES.md").read_text(encoding="utf-8")))
    cited = {
        clause
        for source in folder.rglob("*.py")
        for clause in re.findall(r"SR-T?\d+", source.read_text("utf-8"))
    }
    assert cited <= stated
    assert {f"SR-{n}" for n in range(1, 18)} | {f"SR-T{n}" for n in range(1, 8)} <= stated


def test_every_house_rule_and_each_of_its_alternatives_stands_in_the_rules() -> None:
    text = (Path(rules.__file__).parent.parent / "RULES.md").read_text(encoding="utf-8")
    missing = [
        word
        for rule in HOUSE_RULES
        for word in (rule.name, *rule.alternatives)
        if f"`{word}`" not in text
    ]
    assert missing == []


def test_every_kind_of_fact_of_the_game_stands_in_the_rules() -> None:
    text = (Path(rules.__file__).parent.parent / "RULES.md").read_text(encoding="utf-8")
    elsewhere = ("seat_changes", "seats_swap")  # described once for all games
    missing = [kind for kind in GAME.facts if kind not in elsewhere and f"`{kind}`" not in text]
    assert missing == []


# -- the component file


def test_the_packaged_box_is_right_and_says_what_is_open() -> None:
    assert box.check(packaged("sky-rise")) == ()
    assert any("sign of the fifth suit" in line for line in box.costs(packaged("sky-rise")))


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ('[[count]]\nname = "opaque Trios"\nvalue = 4', "3: the stock is counted with it"),
        ('[[count]]\nname = "cards of a suit in a five-suit deck"\nvalue = 7', "8 or more"),
        ('[[color]]\nname = "red"\nletter = "Y"\nink = "#ff0000"', "another character"),
        ('[[color]]\nname = "red"\nletter = "Re"\nink = "#ff0000"', "one character"),
        ('[[color]]\nname = "red"\nletter = "#"\nink = "#ff0000"', "another character"),
        ('[[color]]\nname = "red"\nletter = "R"\nink = "crimson"', "six hexadecimal digits"),
        ('[[color]]\nname = "red"\nletter = "R"\nink = "#ff000g"', "six hexadecimal digits"),
        ('[[color]]\nname = "red"\nletter = "R"\nink = "#ff00000"', "six hexadecimal digits"),
        ('[[color]]\nname = "red"\nletter = "R"\nink = "?ff0000"', "six hexadecimal digits"),
        ('[[suit]]\nname = "fifth"\nsign = "♥"', "another character"),
    ],
)
def test_a_row_of_the_box_that_is_wrong_is_named(row: str, why: str) -> None:
    own = read_box(f'{row}\nstatus = "confirmed"\nsource = "my own"', "own.toml", box.TABLES)
    problems = box.check(overlay(packaged("sky-rise"), own))
    assert any(why in problem.expected for problem in problems)


def test_a_color_nobody_knows_is_no_row_of_the_box() -> None:
    with pytest.raises(BoxError, match="no row of that name"):
        read_box('[[color]]\nname = "beige"\nletter = "E"\nink = "#aaaaaa"\nstatus = "confirmed"\nsource = "x"', "own",
                 box.TABLES)  # fmt: skip


def test_sr2_the_pile_of_a_five_suit_deck_is_unknown_where_nobody_counted_it() -> None:
    row = '[[count]]\nname = "cards of a suit in a five-suit deck"\nstatus = "unknown"\nsource = "not counted"'
    own = overlay(packaged("sky-rise"), read_box(row, "own.toml", box.TABLES))
    seats = seats_from_names(["a", "b"])
    state = rules.start(Setup("sky-rise", 2, seats, {"deck": "five_suit"}, as_json(own)))
    after = rules.apply(state, GAME.parse("card", {"place": "a1", "suit": "hearts"}), 2)
    assert (after.pile, after.hand("a")) == (None, 3)
    assert any("draw pile" in note for note in GAME.view(after, "table").notes)


def test_the_letters_and_signs_of_a_view_come_from_the_box() -> None:
    row = '[[color]]\nname = "red"\nletter = "Z"\nink = "#ff0000"\nstatus = "confirmed"\nsource = "mine"'
    own = overlay(packaged("sky-rise"), read_box(row, "own.toml", box.TABLES))
    state = rules.start(Setup("sky-rise", 2, seats_from_names(["a", "b"]), {}, as_json(own)))
    assert (
        GAME.view(state, "table").colors[0].letter,
        GAME.view(state, "table").colors[0].ink,
    ) == ("Z", "#ff0000")


@pytest.mark.parametrize(
    ("own", "said"),
    [
        (
            '[[count]]\nname = "opaque Trios"\nvalue = 4\n',
            ("count", "opaque Trios", "the value is 4", "3: the stock is counted with it", "SR-1"),
        ),
        (
            '[[count]]\nname = "cards of a suit in a five-suit deck"\nvalue = 7\n',
            (
                "count", "cards of a suit in a five-suit deck",
                "five suits of 7 cards are too few for three floors and a roof of nine", "8 or more", "SR-2",
            ),
        ),
        (
            '[[color]]\nname = "red"\nletter = "#"\nink = "#D55E00"\n',
            ("color", "red", "the letter # stands for the opaque pyramids too", "another character", ""),
        ),
        (
            '[[color]]\nname = "red"\nletter = "RR"\nink = "#D55E00"\n',
            ("color", "red", "the letter is 'RR'", "one character", ""),
        ),
        (
            '[[color]]\nname = "red"\nletter = "R"\nink = "D55E00"\n',
            ("color", "red", "the ink is 'D55E00'", "# and six hexadecimal digits", ""),
        ),
        (
            '[[suit]]\nname = "hearts"\nsign = "5"\n',
            ("suit", "hearts", "the sign 5 stands for a suit without a sign too", "another character", ""),
        ),
    ],
)  # fmt: skip
def test_a_wrong_row_of_the_box_is_named_with_what_is_expected(
    own: str, said: tuple[str, ...]
) -> None:
    row = own + 'status = "confirmed"\nsource = "ours"\n'
    (problem,) = box.check(overlay(packaged("sky-rise"), read_box(row, "own.toml", box.TABLES)))
    assert (problem.table, problem.name, problem.why, problem.expected, problem.clause) == said


def test_what_an_unknown_row_costs_is_said_in_full() -> None:
    assert box.costs(packaged("sky-rise")) == (
        "sign of the fifth suit unknown: a five-suit deck shows it as 5 (SR-2)",
    )
    own = '[[count]]\nname = "cards of a suit in a five-suit deck"\nstatus = "unknown"\nsource = "none"\n'
    assert box.costs(overlay(packaged("sky-rise"), read_box(own, "own.toml", box.TABLES)))[0] == (
        "cards of a five-suit deck unknown: the draw pile is shown as ? with such a deck (SR-2)"
    )


@pytest.mark.parametrize(("colors", "clauses"), [(3, ["SR-1"]), (4, [])])
def test_sr1_a_box_has_four_colors_at_least(colors: int, clauses: list[str]) -> None:
    rows = [one for one in packaged("sky-rise").rows if one.table != "color"]
    rows += packaged("sky-rise").table("color")[:colors]
    assert [problem.clause for problem in check_box("sky-rise", Box(tuple(rows)))] == clauses


@pytest.mark.parametrize(
    ("seats", "deck", "suits"),
    [
        (3, "ordinary", ["hearts", "spades", "diamonds", "clubs"]),
        (5, "ordinary", ["hearts", "spades", "diamonds", "clubs", "royals"]),
        (3, "five_suit", ["hearts", "spades", "diamonds", "clubs", "fifth"]),
    ],
)
def test_forms_offer_the_suits_of_the_deck(seats: int, deck: str, suits: list[str]) -> None:
    begun = setup(seats, deck=deck)
    for fact in (Card, Assign):
        (field,) = [field for field in fields_of(fact, begun) if field.name == "suit"]
        assert [value for value, _ in field.choices] == suits
