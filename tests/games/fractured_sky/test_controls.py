"""Keys, zone buttons and the trigger: what each means in each state."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import pytest

from companion.games.fractured_sky.rules.controls import answer_keys, platform_numbers
from companion.games.fractured_sky.rules.facts import Airship, Public, RoundEnd
from companion.games.fractured_sky.rules.game import GAME
from companion.rules.actions import by_key, with_keys
from companion.rules.facts import Fact, Refused
from companion.rules.gestures import Gesture, GestureKind
from tests.games.fractured_sky.playing import A, B, C, H, Record, a_map, begun, placed, three
from tests.games.gestures import Ignored, meant

# The table and the dashboard have these; a game keeps away from them.
TAKEN = {"u", "y", "z", "question_mark", "l", "v", "b", "x", "c", "j", "escape"}


def gesture(channel: str, kind: GestureKind = GestureKind.TAP) -> Gesture:
    return Gesture(kind, channel, 1_000, "board-1", 25, (7,))


def taps(record: Record, channel: str, kind: GestureKind = GestureKind.TAP) -> Fact | Ignored:
    return meant(record.game, record.state, gesture(channel, kind))


def test_no_key_is_taken_twice_or_by_the_table() -> None:
    record = Record("ada")
    keys = by_key(record.game.actions(record.setup))
    assert not keys.keys() & TAKEN
    assert all(len(action.label) <= 12 for action in keys.values())


def test_the_trigger_is_a_button_for_nothing_is_shot_at() -> None:
    record = Record("ada")
    assert not record.game.settings(record.setup).gun


def test_a_zone_button_answers_which_region() -> None:
    record = Record("ada bo cleo")
    record.press("answer.1")
    fact = taps(record, "zone-3")
    assert isinstance(fact, Public)
    assert fact.region == C
    assert fact.at is not None
    assert fact.at.us == 1_000
    record.enter(fact)
    airship = taps(record, "zone-2")
    assert isinstance(airship, Airship)
    assert (airship.seat, airship.region) == ("ada", B)


def test_a_zone_without_a_region_is_ignored_with_its_clause() -> None:
    answer = taps(three(), "zone-9")
    assert isinstance(answer, Ignored)
    assert answer.clause == "FS-U8"


def test_the_trigger_turns_up_an_ais_card_and_says_the_move_is_made() -> None:
    record = begun("ada", ai_cards="virtual")
    record.game = GAME.shuffled_by(lambda size: range(1, size + 1))
    for kind in ("shuffle", "shuffle"):
        fact = taps(record, "trigger")
        assert isinstance(fact, Fact)
        assert fact.kind == kind
        record.enter(fact)
    record.do("skimmer", seat="ada", region=A)
    for kind in ("ai_turn", "ai_done"):
        fact = taps(record, "trigger")
        assert isinstance(fact, Fact)
        assert fact.kind == kind
        record.enter(fact)


def test_a_held_trigger_ends_the_round_when_it_is_resolved() -> None:
    record = three()
    assert not record.game.hold_means(record.state, "trigger")
    placed(record, dict.fromkeys(("ada", "bo", "cleo"), (A, B, C)))
    for seat in ("ada", "bo", "cleo"):
        record.do("powers", player=seat, chips=[1, 0, 0])
    record.do("objective")
    assert record.game.hold_means(record.state, "trigger")
    assert isinstance(taps(record, "trigger", GestureKind.HOLD), RoundEnd)


def test_during_a_pause_no_hand_counts() -> None:
    record = three()
    record.do("pause")
    answer = taps(record, "zone-1")
    assert isinstance(answer, Ignored)
    assert answer.clause == "PAUSE"


def test_what_is_drawn_outside_stands_in_the_fact() -> None:
    drawn: list[int] = []

    def orders(size: int) -> Sequence[int]:
        drawn.append(size)
        return range(size, 0, -1)

    record = begun("ada", ai_cards="virtual")
    record.game = GAME.shuffled_by(orders)
    record.press("next")
    assert drawn == [10, 6, 6]
    assert record.facts[-1].model_dump()["cards"] == tuple(range(10, 0, -1))


def test_without_anybody_who_shuffles_the_cards_are_entered() -> None:
    record = begun("ada", ai_cards="virtual")
    with pytest.raises(Refused, match="nobody shuffles"):
        record.press("next")


@pytest.mark.parametrize("action", ["next", "end", "cannot"])
def test_a_key_that_means_nothing_now_says_what_is_awaited(action: str) -> None:
    with pytest.raises(Refused, match="expected"):
        three().press(action)


def test_a_region_on_an_ais_turn_is_refused_by_whose_turn_it_is() -> None:
    record = begun("ada")
    record.do("airship", seat="ada", region=A)
    with pytest.raises(Refused) as caught:
        record.press("answer.2")
    assert with_keys(caught.value.spoken(["AI black"])) == (
        "It is AI black's turn. Which card does AI black turn up?"
    )


def test_numbers_answer_slots_reveals_and_objectives() -> None:
    record = three()
    for seat in ("ada", "bo", "cleo"):
        record.place(seat, A, B, C)
        record.press("answer.1" if seat == "cleo" else "answer.2" if seat == "bo" else "answer.3")
    record.press("answer.8")
    assert record.now.hidden == (H,)
    for seat in ("ada", "bo", "cleo"):
        record.do("powers", player=seat, chips=[1, 0, 0])
    record.press("answer.2")
    assert record.now.objective == ("bo",)


@pytest.mark.parametrize(
    "seats", ["ada", "ada bo", "ada bo cleo", "ada bo cleo dmi", "ada bo cleo dmi eve"]
)
def test_each_phase_says_what_is_awaited(seats: str) -> None:
    record = Record(seats)
    keys = ", ".join(f"{at} {seat}" for at, seat in enumerate(seats.split(), start=1))
    assert with_keys(record.game.awaiting(record.state)).startswith(
        f"Who takes turn slot 1? Press {keys}."
    )
    record.press("answer.1")
    assert "Which region has the Public Starfall?" in record.game.awaiting(record.state)


def test_fs5_the_solo_game_offers_no_peek() -> None:
    solo, pair = begun("ada"), begun("ada bo")
    solo_prompt = with_keys(solo.game.awaiting(solo.state))
    assert (
        solo_prompt == "ada, place an Airship in a region: 1 to 8. Or build (f m i) or scout (s)."
    )
    pair_prompt = with_keys(pair.game.awaiting(pair.state))
    assert pair_prompt == (
        "ada, place an Airship in a region: 1 to 8. Or build (f m i), scout (s) or peek (t)."
    )


@pytest.mark.parametrize(
    ("places", "words"),
    [
        (range(1, 9), "1 to 8"),
        (range(2, 11), "2 to 9, 0"),
        ([3], "3"),
        ([4, 5], "4 to 5"),
        ([1, 2, 3, 5, 7, 8], "1-3, 5, 7-8"),
        ([1, 9, 10], "1, 9-0"),
        ([9, 10], "9-0"),
    ],
)
def test_the_keys_of_several_answers_are_named_in_runs(places: Sequence[int], words: str) -> None:
    assert with_keys(answer_keys(places)) == words


# -- FS-36: a tie is answered by the numbers of the map


def tied(card: str, **regions: int) -> Record:
    """Black's move by that card waits for the table; without the map's geometry all that is equal is tied."""
    record = begun("ada", compass_geometry="table")
    record.showing(amber_atoll=0, **regions)
    record.do("skimmer", seat="ada", region=A)
    record.ai_card(card, done=False)
    return record


def pressed(record: Record) -> list[str]:
    """The keys that the prompt names."""
    return re.split("[.,]", with_keys(record.game.awaiting(record.state)).partition("Press ")[2])[
        0
    ].split()


def test_a_region_of_a_tie_is_answered_by_its_number_on_the_map() -> None:
    record = tied("airship", copper_crag=1, hollow_heath=1)
    assert (record.move.ask, pressed(record)) == ((C, H), ["3", "8"])
    with pytest.raises(Refused) as caught:
        record.press("answer.1")
    expected = "FS-36: number 1 is not one of those to choose from. Press 3 or 8."
    assert with_keys(str(caught.value)) == expected
    record.press("answer.8")
    assert record.move.target == H
    with pytest.raises(Refused) as caught:
        record.press("answer.3")
    assert with_keys(caught.value.spoken()) == (
        "No number is asked for. Place AI black's Airship in Hollow Heath."
    )


def test_a_platform_of_a_tie_is_answered_by_the_number_on_the_map() -> None:
    record = tied("fortress")
    assert (
        pressed(record)
        == list(record.move.ask)
        != [str(at + 1) for at in range(len(record.move.ask))]
    )
    record.press(f"answer.{record.move.ask[-1]}")
    assert record.move.target == tied("fortress").move.ask[-1]


def test_a_hidden_card_is_answered_by_its_number_on_the_tray() -> None:
    record = begun("ada")
    record.state = replace(record.state, current=replace(record.now, hidden=(C, None, None, None)))
    record.do("skimmer", seat="ada", region=A)
    record.ai_card("scout", done=False)
    assert (record.move.ask, pressed(record)) == (("2", "4"), ["2", "4"])
    record.press("answer.4")
    assert record.move.target == "4"


def test_platforms_that_are_not_called_by_a_number_take_those_left_over() -> None:
    regions, names = (
        {"Torrential Tropics": (1, 1), "X Land": (3, 1)},
        ("north", "2", "south", "10", "11"),
    )
    record = Record("ada", a_map(regions, dict.fromkeys(names, (tuple(regions), 2))))
    assert platform_numbers(record.state.board) == {
        "north": 1,
        "2": 2,
        "south": 3,
        "10": 10,
        "11": 4,
    }


def test_players_are_named_beside_the_keys_that_answer_with_them() -> None:
    record = three()
    placed(record, {"cleo": (A, B, C), "ada": (A, B, C), "bo": (A, B, C)})
    for seat in ("ada", "bo", "cleo"):
        record.do("powers", player=seat, chips=[1, 0, 0])
    prompt = with_keys(record.game.awaiting(record.state))
    assert prompt.startswith("Who meets the Objective? Press 1 ada, 2 bo, 3 cleo, or 0 nobody.")
    record.press("answer.3")
    assert record.now.objective == ("cleo",)
