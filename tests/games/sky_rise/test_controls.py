"""SR-T6: buttons and keys end turns, entries follow in order, and each prompt says what answers it."""

from __future__ import annotations

import re

import pytest

from companion.games.sky_rise.rules import facts as f, fold as rules
from companion.games.sky_rise.rules.controls import KIND_IDS, OPAQUE_ID, SIZE_IDS
from companion.games.sky_rise.rules.ending import goals_missing
from companion.games.sky_rise.rules.game import GAME as SKY_RISE
from companion.rules.actions import by_key, with_keys
from companion.rules.facts import Fact, Refused
from companion.rules.gestures import Gesture, GestureKind
from tests.games.footer import footer_now
from tests.games.gestures import Ignored, meant
from tests.games.sky_rise.playing import GAME, QUIET, Record, at, played, setup
from tests.games.sky_rise.test_ending import built

SCREENS_OWN = {"sky-rise.pieces", OPAQUE_ID, *KIND_IDS, *SIZE_IDS.values()}
"""What a prompt names and only a screen has a key for."""
TAKEN = {
    "u",
    "y",
    "z",
    "question_mark",
    "l",
    "v",
    "b",
    "x",
    "c",
    "j",
    "escape",
    "up",
    "down",
    "left",
    "right",
}


def tap(zone: int, us: int = 1000) -> Gesture:
    return Gesture(GestureKind.TAP, f"zone-{zone}", us, "board-1", 25, (9,))


def tapped(record: Record, zone: int, us: int = 1000) -> None:
    fact = meant(GAME, record.state, tap(zone, us))
    assert isinstance(fact, Fact), fact
    record.state = rules.apply(record.state, fact, 99)


def test_sr_t6_a_button_ends_the_turn_and_the_entry_follows() -> None:
    record = Record(3)
    tapped(record, 1)
    assert (record.view.turn, record.view.due, record.view.to_enter) == ("bo", "ada", ("ada",))
    record.do("card", place="a1", suit="hearts")
    assert (record.view.turn, record.view.due, record.view.to_enter) == ("bo", "bo", ())
    assert record.level.cards[0].seat == "ada"


def test_sr_t6_the_button_stamps_the_end_of_the_turn() -> None:
    assert meant(GAME, Record(2).state, tap(1, us=123_456)) == f.TurnOver(
        seat="ada", at=at(123_456, pm=25)
    )


def test_sr_t6_entries_belong_to_the_oldest_turn_that_waits() -> None:
    record = Record(3)
    for zone in (1, 2, 3, 1):
        tapped(record, zone)
    assert record.view.to_enter == ("ada", "bo", "cleo", "ada")
    assert [seat.to_enter for seat in record.view.seats] == [2, 1, 1]
    for cell in ("a1", "b1", "c1", "a2"):
        record.do("card", place=cell, suit="hearts")
    assert [card.seat for card in record.level.cards] == ["ada", "bo", "cleo", "ada"]
    assert record.view.due == "bo"


def test_sr_t6_the_button_of_a_turn_that_was_entered_before_means_nothing() -> None:
    record = Record(3)
    record.do("card", place="a1", suit="hearts")
    answer = meant(GAME, record.state, tap(1))
    assert answer == Ignored("it is bo's turn, not ada's", "SR-T6")


def test_sr_t6_no_more_turns_wait_than_there_are_places() -> None:
    record = Record(2)
    for zone in (1, 2, 1, 2, 1, 2):
        tapped(record, zone)
    assert isinstance(meant(GAME, record.state, tap(1)), Ignored)
    record.floor()
    assert record.view.phase == "pyramids"
    tapped(record, 1)


def test_sr_t6_on_the_roof_a_button_closes_the_one_chance() -> None:
    record = built(2, "RYGB GBRY RYG#", QUIET, QUIET)
    record.roof()
    tapped(record, 2)
    assert (record.view.turn, record.view.to_enter) == ("ada", ("bo",))
    tapped(record, 1)
    assert isinstance(meant(GAME, record.state, tap(2)), Ignored)
    record.do("pass")
    record.do("pyramid", place="a1", color="blue", size="large")
    assert record.view.phase == "goals"


def test_sr_t6_a_turn_that_waits_and_can_have_no_pyramid_was_a_pass() -> None:
    record = Record(4)
    for seat, sizes in {
        "ada": (0, 2, 0),
        "bo": (0, 0, 2),
        "cleo": (1, 1, 0),
        "dan": (2, 0, 1),
    }.items():
        record.do("opaque", seat=seat, large=sizes[0], medium=sizes[1], small=sizes[2])
    record.floor()
    record.pyramids("RRRY YYGG GBBB PP..")
    assert record.view.due == "dan"
    # Ada cannot place once Dan took the last one from the stock, and says so with her button
    for zone in 4, 1:
        tapped(record, zone)
    record.do("pyramid", place="c4", color="purple")
    assert record.view.to_enter == ()
    assert record.view.due == "cleo"


def test_sr_t6_somebody_elses_entry_leaves_the_waiting_turns_alone() -> None:
    record = Record(3)
    tapped(record, 1)
    record.do("card", place="a1", suit="hearts", seat="cleo", reason="out of turn")
    assert record.view.to_enter == ("ada",)


def test_sr_t6_the_floor_may_be_filled_by_others_and_waiting_turns_lapse() -> None:
    record = Record(2)
    tapped(record, 1)
    for cell in ("a1", "b1", "c1", "a2", "b2", "c2"):
        record.do("card", place=cell, suit="hearts", seat="bo", reason="in a hurry")
    assert (record.view.phase, record.view.to_enter) == ("pyramids", ())


def test_sr_t6_there_is_no_turn_to_end_once_the_tower_is_built() -> None:
    record = built()
    record.roof()
    record.pass_roof()
    assert meant(GAME, record.state, tap(1)) == Ignored("no turn runs, the tower is built", "SR-T6")


def test_sr4_a_hold_gives_the_start_token_before_the_first_card_only() -> None:
    record = Record(3)
    assert GAME.hold_means(record.state, "zone-2")
    fact = meant(GAME, record.state, Gesture(GestureKind.HOLD, "zone-2", 5, "board-1", 25, (9,)))
    assert fact == f.StartToken(seat="bo", at=at(5, pm=25))
    record.do("card", place="a1", suit="hearts")
    assert not GAME.hold_means(record.state, "zone-2")


@pytest.mark.parametrize("channel", ["trigger", "zone-4", "zone-9"])
def test_a_channel_that_is_nobodys_button_is_ignored_with_the_reason(channel: str) -> None:
    record = Record(3)
    answer = meant(GAME, record.state, Gesture(GestureKind.TAP, channel, 5, "board-1", 25, (9,)))
    assert isinstance(answer, Ignored)
    assert channel in answer.reason
    assert not GAME.hold_means(record.state, channel)


def test_there_is_no_gun() -> None:
    assert not GAME.settings(setup()).gun


def test_the_keys_do_what_the_buttons_do_and_no_key_is_taken_twice() -> None:
    record = Record(5)
    keys = by_key(GAME.actions(record.setup))
    assert not TAKEN & set(keys)
    assert all(len(action.label) <= 12 for action in keys.values())
    record.press("zone.1")
    assert record.view.to_enter == ("ada",)


def test_the_key_of_a_name_gives_the_start_token() -> None:
    record = Record(3)
    record.press("name.3")
    assert record.view.due == "cleo"


def test_a_key_that_means_nothing_now_is_refused_with_its_clause() -> None:
    record = Record(2)
    for action, clause in (
        ("pass", "SR-7"),
        ("reveal", "SR-14"),
        ("go", "SR-14"),
        ("dance", "KEY"),
        ("dance.1", "KEY"),
    ):
        with pytest.raises(Refused) as caught:
            GAME.pressed(record.state, f"sky-rise.{action}")
        assert caught.value.clause == clause


def test_the_key_for_passing_and_for_the_goals() -> None:
    record = built()
    record.roof()
    record.press("pass")
    record.press("pass")
    record.goals("red blue", "blue red")
    record.press("reveal")
    assert GAME.over(record.state)


def test_what_is_awaited_names_a_seat_and_what_answers_at_every_step_of_a_game() -> None:
    answers = ("lay a card", "place a", "Enter", "Press", "press", "Note goals")
    for players in (2, 5):
        for after in played(players, seed=players):
            text = with_keys(GAME.awaiting(after))
            assert GAME.over(after) or any(word in text for word in answers), text


@pytest.mark.parametrize("players", [2, 3, 5])
def test_every_key_that_is_asked_for_or_stands_in_the_footer_means_something_now(
    players: int,
) -> None:
    ids = re.compile(r"\{(sky-rise\.[a-z.0-9]+)\|")
    for after in played(players, seed=players):
        asked = set(ids.findall(GAME.awaiting(after))) - SCREENS_OWN
        if not after.revealed and after.level.stage == "done" and goals_missing(after):
            asked -= {"sky-rise.reveal"}  # asked for once all are noted, as the sentence says
        for action in asked | footer_now(SKY_RISE, after):
            try:
                SKY_RISE.shuffled_by(lambda size: tuple(range(1, size + 1))).pressed(after, action)
            except Refused as why:
                # it is there to show that two goals clash
                if (action, why.clause) != ("sky-rise.reveal", "SR-3"):
                    raise


def test_the_footer_offers_no_end_of_a_turn_for_a_card_that_is_entered_ends_it() -> None:
    record = Record(3)
    assert footer_now(SKY_RISE, record.state) == frozenset()
    assert record.awaiting.startswith("ada, lay a card: arrows, then its suit's key a s d f")
    record.do("card", place="a1", suit="hearts")
    assert "(2: enter it later)." in record.awaiting


def test_once_a_turn_is_over_what_is_asked_for_names_whose_card_is_missing_and_whose_turn_it_is() -> (
    None
):
    record = Record(3)
    tapped(record, 1)
    assert (record.view.due, record.view.turn) == ("ada", "bo")
    assert record.awaiting.startswith(
        "Enter ada's card: arrows, then its suit's key a s d f (2: bo's turn is over)."
    )
    record.do("card", place="a1", suit="hearts")
    assert record.awaiting.startswith("bo, lay a card:")
    assert "(2: enter it later)." in record.awaiting


def test_the_footer_offers_a_pass_where_one_is_allowed_and_no_key_during_a_pause() -> None:
    record = built()
    record.roof()
    assert footer_now(SKY_RISE, record.state) == {"sky-rise.pass"}
    record.do("pause")
    assert footer_now(SKY_RISE, record.state) == frozenset()
    record.do("unpause")
    record.pass_roof()
    assert footer_now(SKY_RISE, record.state) == frozenset()
    record.goals("red blue", "blue red")
    assert footer_now(SKY_RISE, record.state) == {"sky-rise.reveal"}


def test_sr_t6_no_turn_runs_while_those_that_wait_take_all_the_room() -> None:
    record = Record(2)
    for zone in (1, 2, 1, 2, 1, 2):
        tapped(record, zone)
    assert (record.view.turn, footer_now(SKY_RISE, record.state)) == (None, frozenset())
    assert "6 cards to enter." in record.awaiting
    answer = meant(GAME, record.state, tap(1))
    assert answer == Ignored(
        "all cells are taken by turns whose cards are not entered yet", "SR-T6"
    )


def test_sr13_once_all_had_their_turn_on_the_roof_none_is_asked_to_end() -> None:
    record = built(2, "RYGB GBRY RYG#", QUIET, QUIET)
    record.roof()
    tapped(record, 2)
    tapped(record, 1)
    assert (record.view.turn, record.view.due) == (None, "bo")
    assert record.awaiting.startswith("Enter bo's antenna")
    assert "ends the turn" not in record.awaiting
    assert not [seat for seat in record.view.seats if seat.on_turn]
    assert meant(GAME, record.state, tap(2)) == Ignored(
        "everybody has had a turn on the roof", "SR-T6"
    )


def test_a_whole_game_can_be_played_by_typed_lines() -> None:
    from companion.rules.typed_facts import from_words

    record = Record(2)
    cells, corners = record.state.plan.grid.cells, record.state.plan.grid.places
    lines = []
    for _ in range(3):
        lines += [
            f"card {cell} {suit}"
            for cell, suit in zip(cells, ("h", "sp", "d", "clubs", "h", "d"), strict=True)
        ]
        lines += [
            f"pyramid {corner} {color}"
            for corner, color in zip(corners, ("red", "yel", "gr", "blue") * 3, strict=True)
        ]
    lines += [
        f"card {cell} {suit}"
        for cell, suit in zip(cells, ("h", "sp", "d", "clubs", "h", "d"), strict=True)
    ]
    lines += [
        "pass",
        "pyramid a1 opaque small",
        "goal_noted ada red blue",
        "goal_noted bo blue red",
        "reveal",
    ]
    for line in lines:
        kind, body = from_words(GAME, record.state.setup, line)
        record.do(kind, **body)
    assert GAME.over(record.state)
    assert GAME.summary(record.state)[-1].endswith("(SR-17)")
