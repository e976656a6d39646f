"""Facts from gestures and keys, and the prompts."""

from __future__ import annotations

import pytest

from companion.rules.actions import by_key, with_keys
from companion.rules.facts import Fact, Refused
from companion.rules.gestures import Gesture, GestureKind
from tests.games.gestures import Ignored, meant as what
from tests.games.skyfire.playing import (
    FIVE,
    FOUR,
    GAME,
    THREE,
    Record,
    at,
    begun,
    example_deck,
    setup,
)

RESERVED = {
    "u", "y", "z", "x", "l", "v", "b", "c", "j", "question_mark", "tab", "escape", "up", "down", "left", "right",
    "pageup", "pagedown", "home", "end", "ctrl+q", "ctrl+c", "ctrl+p", "ctrl+t",
}  # fmt: skip
TAP, HOLD = GestureKind.TAP, GestureKind.HOLD


def meant(record: Record, kind: GestureKind, channel: str = "zone-1") -> Fact | Ignored:
    return what(GAME, record.state, Gesture(kind, channel, 7_000, "board-1", 25, (4,)))


def entered(record: Record, kind: GestureKind, channel: str) -> Fact:
    answer = meant(record, kind, channel)
    assert isinstance(answer, Fact), answer
    record.enter(answer)
    return answer


def ignored(record: Record, kind: GestureKind, channel: str) -> Ignored:
    answer = meant(record, kind, channel)
    assert isinstance(answer, Ignored)
    return answer


def test_sf10_a_tap_places_the_card_of_the_seat_on_turn() -> None:
    record = begun()
    answer = entered(record, TAP, "zone-2")
    assert answer == GAME.parse(
        "place", {"zone": 2, "at": {"us": 7_000, "pm": 25, "clock": "board-1"}}
    )
    assert record.view.zones[1].cards[0].seat == "ada"
    assert record.view.zones[1].cards[0].at == at(7_000, pm=25)


def test_sf11_a_hold_launches_the_zone() -> None:
    record = begun()
    assert entered(record, HOLD, "zone-1").kind == "launch"


def test_sf12_a_held_trigger_declares_a_misfire() -> None:
    record = begun()
    record.play_out()
    assert entered(record, HOLD, "trigger").kind == "misfire"


def test_sf12_a_held_trigger_with_cards_in_hand_says_why_it_is_none() -> None:
    answer = ignored(begun(), HOLD, "trigger")
    assert (answer.clause, answer.reason) == ("SF-12", "ada holds 4 cards")


def test_sf12_a_tapped_trigger_is_no_misfire() -> None:
    record = begun()
    record.play_out()
    assert "held, it declares a misfire" in ignored(record, TAP, "trigger").reason


def test_a_held_trigger_that_means_nothing_now_is_told_why_and_not_that_it_was_tapped() -> None:
    record = Record()
    assert ignored(record, TAP, "trigger").reason == "no round is open"
    record.do("deal")
    record.place(1)
    record.do("launch", zone=1)
    assert ignored(record, TAP, "trigger").reason == "does zone 1 meet the target?"
    record.do("pause")
    assert ignored(record, TAP, "trigger").clause == "PAUSE"


@pytest.mark.parametrize("kind", [TAP, HOLD])
def test_sf5_a_zone_beyond_the_launch_zones_is_ignored_with_the_reason(kind: GestureKind) -> None:
    answer = ignored(begun(), kind, "zone-3")
    assert (answer.clause, answer.reason) == ("SF-5", "zone-3 is no launch zone, there are 2")


@pytest.mark.parametrize("kind", [GestureKind.SHOT, GestureKind.DRY_PULL, GestureKind.KNOCK])
def test_nobody_shoots_in_skyfire(kind: GestureKind) -> None:
    assert ignored(begun(), kind, "trigger").clause == "SF-12"


def test_the_trigger_is_read_as_a_button() -> None:
    assert not GAME.settings(setup()).gun


def test_sf7_between_rounds_a_hold_deals_and_a_tap_is_ignored() -> None:
    record = Record()
    assert ignored(record, TAP, "zone-1").clause == "SF-7"
    assert entered(record, HOLD, "zone-2").kind == "deal"


def test_a_whole_round_by_the_board_and_one_key() -> None:
    record = Record()
    for kind, channel in ((HOLD, "zone-1"), (TAP, "zone-1"), (TAP, "zone-1"), (HOLD, "zone-1")):
        entered(record, kind, channel)
    record.press("satisfied")
    assert record.scores == {"ada": 0, "bo": 0, "cleo": 2}


def test_a_hold_means_a_launch_a_misfire_or_the_deal_and_nothing_while_a_question_waits() -> None:
    record = Record()
    assert GAME.hold_means(record.state, "zone-2")
    assert not GAME.hold_means(record.state, "trigger")
    record.do("deal")
    assert GAME.hold_means(record.state, "trigger")
    assert not GAME.hold_means(record.state, "zone-3")
    record.place(1)
    record.do("launch", zone=1)
    assert not GAME.hold_means(record.state, "zone-1")
    assert ignored(record, TAP, "zone-1").clause == "SF-11"


def test_a_hold_means_nothing_in_a_pause_and_after_the_game() -> None:
    record = begun()
    record.do("pause")
    assert not GAME.hold_means(record.state, "zone-1")
    record.do("unpause")
    record.do("round_end")
    for _ in range(4):
        record.win("ada")
    assert not GAME.hold_means(record.state, "zone-1")


@pytest.mark.parametrize("names", [THREE, FOUR, FIVE, FIVE + " finn gil"])
def test_no_key_is_bound_twice_and_none_is_the_tables(names: str) -> None:
    keys = by_key(GAME.actions(setup(names)))
    assert not keys.keys() & RESERVED


def test_labels_fit_the_footer() -> None:
    actions = GAME.actions(setup("Maximiliane Bartholomew Quentin Ulrike Xavier"))
    assert all(len(action.label) <= 12 for action in actions)
    assert all(action.id.startswith("skyfire.") for action in actions)


def test_the_keys_play_a_whole_game() -> None:
    record = Record()
    for _ in range(5):
        record.press("deal", "place.1", "place.2", "place.1", "launch.1", "satisfied")
    assert GAME.over(record.state)
    assert record.scores == {"ada": 4, "bo": 4, "cleo": 2}


def test_a_misfire_by_keys() -> None:
    record = begun()
    record.play_out()
    record.press("misfire", "unsatisfied")
    assert record.result.how == "misfire"


def test_sf_r3_a_key_lets_the_next_seat_begin() -> None:
    record = begun()
    record.press("first", "first")
    assert record.round.turn == "cleo"
    record.press("first")
    assert record.round.turn == "ada"


def test_sf8_a_key_goes_through_the_targets_known_by_name() -> None:
    record = begun(THREE, example_deck())
    seen = []
    for _ in range(5):
        record.press("target")
        seen.append(record.view.target.name)
    assert seen == ["Sunset", "Harbor", "Meadow", "Garden", "Sunset"]


def test_sf8_the_key_changes_no_target_once_a_turn_was_taken_for_it() -> None:
    record = begun(THREE, example_deck())
    record.place(1)
    record.press("target")
    named = record.view.target.text
    assert named != "unknown", "after a turn, too, it names a target that nobody entered"
    with pytest.raises(Refused) as refused:
        record.press("target")
    assert with_keys(refused.value.spoken(), typed=False) == (
        f"This round is played for {named} already. Press a to correct the target."
    )
    record.do("target", card="red")
    assert record.view.target.text == "red", "a correction"


def test_sf6_without_known_targets_the_key_says_what_to_do() -> None:
    with pytest.raises(Refused, match="SF-6: no target is known by its symbols"):
        begun().press("target")


def test_sf_t5_a_key_passes_the_turn_on() -> None:
    record = begun()
    record.press("turn")
    assert record.round.turn == "bo"


@pytest.mark.parametrize(
    ("action", "told"),
    [
        ("nobody", "the table ends the round: no points (SF-T5)"),
        ("turn", "the table says that it is bo's turn (SF-T5)"),
    ],
)
def test_what_the_table_decides_by_a_key_is_not_said_to_be_said_at_the_table(
    action: str, told: str
) -> None:
    state = begun().state
    fact = GAME.act(state, f"skyfire.{action}")
    assert isinstance(fact, Fact)
    assert GAME.describe(state, fact) == told


def test_every_action_gives_a_fact_or_a_refusal_in_every_phase() -> None:
    asked, over, played_out = begun(), begun(), begun()
    asked.place(1)
    asked.do("launch", zone=1)
    over.do("round_end")
    played_out.play_out()
    facts: set[type] = set()
    clauses: set[str] = set()
    for record in (Record(), begun(direction="table"), asked, over, played_out):
        for action in GAME.actions(record.setup):
            try:
                facts.add(type(GAME.pressed(record.state, action.id)))
            except Refused as refusal:
                clauses.add(refusal.clause)
    assert len(facts) == 9, "all but the target, of which none is known"
    assert all(clauses)


def test_what_is_awaited_always_names_the_key_that_answers() -> None:
    record = Record(FOUR)
    assert record.awaiting == "Shuffle, deal 4 each. Press Enter. Round 1 of 5. ada starts."
    record.do("deal")
    assert record.awaiting == "Which target is on top? Press a."
    record.do("target", card="red")
    assert record.awaiting == (
        "ada, place a card in a zone: 1 2 3. To launch a zone, press q w e. f: someone else starts."
    )
    record.play_out()
    assert record.awaiting == "ada, launch a zone: press q w e. For a misfire, press m."
    record.do("launch", zone=2)
    assert (
        record.awaiting
        == "Does zone 2 meet the target? Press s for yes, n for no. ada launched it."
    )
    record.do("satisfied", satisfied=False)
    record.do("misfire")
    assert record.awaiting == (
        "Does any zone meet the target? Press s for yes, n for no. bo declared a misfire."
    )
    record.do("satisfied", satisfied=False)
    assert "Round 2 of 5" in record.awaiting


def test_a_refusal_names_the_key_to_press_next() -> None:
    def told(record: Record, action: str, *, typed: bool = False) -> str:
        with pytest.raises(Refused) as refused:
            GAME.pressed(record.state, f"skyfire.{action}")
        return with_keys(refused.value.spoken(), typed=typed)

    assert (
        told(Record(), "place.1")
        == "No round is open. Deal four cards to each player, then press Enter."
    )
    assert told(begun(), "target").endswith("Press a to enter the target.")
    assert told(begun(), "target", typed=True).endswith(
        "Type target and its symbols to enter the target."
    )
    record = begun()
    record.place(1)
    assert told(record, "first") == "The round has begun. To pass the turn, press t."
    record = Record()
    record.do("pause")
    assert told(record, "first").endswith("Press z to continue first.")
    record.do("unpause")
    for _ in range(5):
        record.win("ada")
    assert told(record, "place.1") == "The game is over. Start a new game, or undo to play on."


def test_nobody_is_on_turn_in_a_game_that_was_ended_early() -> None:
    record = begun()
    assert [seat.status for seat in record.view.seats] == ["on turn", "in", "in"]
    record.do("abandon")
    assert {seat.status for seat in record.view.seats} == {"in"}
