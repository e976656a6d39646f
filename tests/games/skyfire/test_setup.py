"""The box, the seats and the deal: SF-1 to SF-7."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.skyfire.rules import fold as rules
from companion.games.skyfire.rules.deck import deck_for
from companion.rules.components import packaged
from companion.rules.facts import Refused, Setup
from companion.rules.seats import seats_from_names
from tests.games.skyfire.playing import (
    FIVE,
    FOUR,
    GAME,
    THREE,
    Record,
    begun,
    example_box,
    example_deck,
    published_deck,
    setup,
)


@pytest.mark.parametrize(("seats", "zones"), [(THREE, 2), (FOUR, 3), (FIVE, 4)])
def test_sf5_there_is_one_launch_zone_less_than_players(seats: str, zones: int) -> None:
    assert len(begun(seats).round.zones) == zones


@pytest.mark.parametrize("count", [1, 2, 6, 10])
def test_sf5_three_to_five_play(count: int) -> None:
    seats = seats_from_names([f"p{number}" for number in range(count)])
    with pytest.raises(Refused, match=r"SF-5.*needs 3 to 5 players"):
        rules.start(Setup("skyfire", GAME.rules_version, seats))


@pytest.mark.parametrize(("seats", "left_over"), [(THREE, 0), (FOUR, 4), (FIVE, 0)])
def test_sf7_four_cards_each_and_four_left_over_with_four_players_only(
    seats: str, left_over: int
) -> None:
    record = begun(seats, example_deck())
    assert [seat.hand for seat in record.view.seats] == [4] * len(seats.split())
    assert record.view.left_over == left_over


@pytest.mark.parametrize(("seats", "left_over"), [(THREE, 0), (FOUR, 4), (FIVE, 0)])
def test_sf7_unknown_faces_leave_the_count_of_cards_as_the_rules_have_it(
    seats: str, left_over: int
) -> None:
    assert begun(seats).view.left_over == left_over


OWN_GAMES = {"status": "confirmed", "source": "a copy"}
RED: dict[str, Any] = {"symbols": ["red"], "back": "rocket"}


@pytest.mark.parametrize(
    ("white", "plain", "unknown", "in_play"),
    [
        (8, 12, 0, 12),
        (0, 0, 20, 12),
        (3, 5, 12, 12),
        (9, 11, 0, 11),
        (4, 13, 3, 13),
        (12, 3, 5, 8),
        (0, 20, 0, 20),
    ],
)
def test_sf2_known_faces_go_over_the_inferred_count_of_three_players(
    white: int, plain: int, unknown: int, in_play: int
) -> None:
    rows: list[dict[str, Any]] = [{"symbols": ["white"]}] * white + [RED] * plain + [{}] * unknown
    stated = {"status": "example", "source": "made up"}
    deck = begun(
        THREE, {"fireworks": [{"name": f"card {n}", **row, **stated} for n, row in enumerate(rows)]}
    ).state.deck
    assert deck.cards == in_play


def test_sf1_the_packaged_file_counts_20_fireworks_10_targets_2_finales() -> None:
    box = packaged("skyfire")
    assert [len(box.table(table)) for table in ("fireworks", "target", "finale")] == [20, 10, 2]


def test_sf2_three_players_take_out_every_white_card() -> None:
    deck = deck_for(example_box(), 3)
    assert (deck.cards, len(deck.targets)) == (12, 4)
    assert not any(card.white for card in (*deck.fireworks, *deck.targets))
    assert deck.finale is not None
    assert deck.finale.name == "finale for three"


@pytest.mark.parametrize("players", [4, 5])
def test_sf3_sf4_more_players_keep_all_fireworks_and_the_other_finale(players: int) -> None:
    deck = deck_for(example_box(), players)
    assert (deck.cards, len(deck.targets)) == (20, 10)
    assert deck.finale is not None
    assert deck.finale.name == "finale for four or five"


def test_sf2_a_card_with_a_white_back_leaves_with_three_players() -> None:
    deck = deck_for(packaged("skyfire"), 3)
    assert (deck.cards, len(deck.targets)) == (12, 4)
    assert sum(card in deck.out for card in deck_for(packaged("skyfire"), 4).fireworks) == 8
    assert not any(
        "white" in f"{card.symbols} {card.back}" for card in (*deck.fireworks, *deck.targets)
    )
    assert begun(THREE, {}).view.left_over == 0
    assert begun(THREE, {}).state.deck.complete


def test_sf2_where_nobody_knows_the_backs_twelve_cards_are_in_play_and_none_is_left_over() -> None:
    faces = packaged("skyfire").table("fireworks")
    rows = [
        {"name": row.name, "symbols": list(row.fields["symbols"]), **OWN_GAMES} for row in faces
    ]
    record = begun(THREE, {"fireworks": rows})
    assert (record.state.deck.cards, record.view.left_over) == (12, 0)
    assert len(record.state.deck.fireworks) == 16, "those with a white face are out"
    assert not record.state.deck.complete


def test_sf2_by_version_2_of_the_rules_the_face_alone_decides() -> None:
    assert deck_for(packaged("skyfire"), 3, version=2).cards == 16


def test_sf2_white_is_a_word_of_the_symbols_name() -> None:
    deck = [card.symbols for card in deck_for(example_box(), 4).fireworks if card.white]
    assert all("white" in (symbols or ()) for symbols in deck)
    assert len(deck) == 8


def test_a_record_of_other_rules_is_refused() -> None:
    with pytest.raises(Refused, match="version 99 of the rules of SkyFire"):
        rules.start(Setup("skyfire", 99, seats_from_names(THREE.split())))


def test_two_seats_of_one_name_are_refused() -> None:
    seats = seats_from_names(["ada", "bo", "cleo"])
    with pytest.raises(Refused, match="SEATS"):
        rules.start(Setup("skyfire", GAME.rules_version, (*seats[:2], seats[0])))


def test_an_unknown_option_is_refused_with_the_one_that_is_near() -> None:
    with pytest.raises(Refused, match=r"no option 'tea'; expected tie"):
        rules.start(setup(tea="green"))


def test_each_ruling_has_two_alternatives_and_all_are_named() -> None:
    names = {rule.name for rule in GAME.house_rules}
    assert names == {
        "removed_targets", "satisfies", "tie", "failed_launch_cards", "lone_survivor", "first_player",
        "eliminated_hand", "wrong_misfire_winners", "empty_launch", "failed_zone", "direction",
    }  # fmt: skip
    assert all(len(rule.alternatives) == 2 for rule in GAME.house_rules)


def test_sf7_nothing_is_placed_before_the_deal() -> None:
    record = Record()
    for kind, body in (
        ("place", {"zone": 1}),
        ("launch", {"zone": 1}),
        ("misfire", {}),
        ("first", {"seat": "bo"}),
    ):
        record.refuses(kind, "SF-7", **body)


def test_sf9_no_second_deal_while_a_round_is_open() -> None:
    begun().refuses("deal", "SF-9")


def checklist(seats: str, components: Any, **options: str) -> list[str]:
    return list(GAME.checklist(Record(seats, components, **options).state))


def test_sf2_the_checklist_for_three_names_every_card_that_is_taken_out() -> None:
    lines = checklist(THREE, published_deck())
    assert lines[:4] == [
        "Take out the 8 fireworks cards with white on the back: "
        "red-white, yellow-white, green-white, blue-white, 2 of each.",
        "Take out the 6 targets that show white: red-yellow-white, red-green-white, red-blue-white, "
        "yellow-green-white, yellow-blue-white, green-blue-white.",
        "Take out the finale for four or five players.",
        "Lay 2 of the targets you took out face down, well apart: they mark the launch zones.",
    ]
    assert "Shuffle the 12 fireworks and deal 4 face down to each player." in lines
    assert not any("left over" in line for line in lines)


@pytest.mark.parametrize(("seats", "zones", "left_over"), [(FOUR, 3, True), (FIVE, 4, False)])
def test_sf3_sf4_the_checklist_for_more_takes_six_targets_and_the_other_finale(
    seats: str, zones: int, left_over: bool
) -> None:
    lines = checklist(seats, published_deck())
    assert (
        lines[0] == "Take out 6 of the targets, without looking, and the finale for three players."
    )
    assert lines[1].startswith(f"Lay {zones} of these 6 targets face down")
    assert (
        "Lay the finale for four or five face up in the middle: everybody knows the target of round 5."
        in lines
    )
    assert "Shuffle the 20 fireworks and deal 4 face down to each player." in lines
    assert ("Lay the 4 cards left over beside the play area, backs up." in lines) == left_over
    assert not any("white" in line for line in lines)


def test_sf2_an_odd_deck_is_taken_out_by_the_names_of_its_cards() -> None:
    lines = checklist(THREE, example_deck())
    assert lines[0].startswith("Take out the 8 fireworks cards that show white: Frost, Swan, ")
    assert (
        "Take out every fireworks card and every target that shows white, also on its back."
        in checklist(THREE, None)
    )


def test_sf5_after_a_round_the_used_target_leaves_the_stack_until_none_is_left() -> None:
    record = Record(THREE, published_deck())
    assert "used target" not in record.awaiting
    for _ in range(4):
        record.win("ada")
        assert record.awaiting.startswith("Remove the used target, shuffle, deal 4 each. ")


def test_sf8_an_unknown_target_is_asked_for_until_somebody_enters_it() -> None:
    record = begun(THREE, published_deck())
    assert record.awaiting == "Which target is on top? Press a."
    record.do("target", card="ryg")
    assert "target" not in record.awaiting


def test_sf8_nobody_is_asked_for_the_finale_that_everybody_sees() -> None:
    record = Record(THREE, published_deck())
    for _ in range(4):
        record.win("ada")
    record.do("deal")
    assert "Which target" not in record.awaiting


@pytest.mark.parametrize(
    ("seats", "zone", "named", "said"),
    [
        (FOUR, 1, 2, "zone 1 has 1 card, and 2 backs are named. Name at most 1 back."),
        (FOUR, 2, 1, "zone 2 is empty. Place a card there first."),
        (FOUR, 0, 5, "4 cards are left over, and 5 backs are named. Name at most 4 backs."),
        (FIVE, 0, 1, "no card is left over with 5 players. Name the backs of a zone."),
    ],
)
def test_more_backs_than_cards_are_refused_with_how_many_there_are(
    seats: str, zone: int, named: int, said: str
) -> None:
    record = begun(seats, published_deck())
    record.do("place", zone=1)
    with pytest.raises(Refused) as refused:
        record.do("backs", zone=zone, backs=["?"] * named)
    assert str(refused.value) == f"SF-6: {said}"


def test_sf2_a_white_target_is_refused_without_asking_for_a_reason_that_no_target_takes() -> None:
    record = begun(THREE, published_deck())
    with pytest.raises(
        Refused, match=r"^SF-2: 'rgw' is out of play with 3 players\. Name a card without white\.$"
    ):
        record.do("target", card="rgw")
