"""PF-10 to PF-15: naming, legality, Shields, the new set, dry pulls and knocks, mending."""

from __future__ import annotations

import pytest

from companion.games.panic_fire.rules.standings import open_pulls
from companion.rules.facts import Refused
from companion.rules.game import Retraction
from tests.games.panic_fire.playing import GAME, Record, at, begun


def mend(record: Record) -> None:
    answer = GAME.pressed(record.state, "panic-fire.mend")
    assert isinstance(answer, Retraction)
    record.void(*answer.entries)


def test_pf10_a_named_shot_is_taken_for_legal() -> None:
    record = begun()
    record.shoot("red", "blue")
    assert record.alive == {"red", "green"}
    assert record.view.last_shot is not None
    assert record.view.last_shot.verdict == "red shot blue: blue is out"


def test_pf10_a_shot_waits_for_target_and_shooter() -> None:
    record = begun()
    record.do("shot")
    phases: list[str] = [record.view.phase]
    record.do("target", seat="blue")
    assert record.alive == {"red", "blue", "green"}
    record.do("shooter", seat="red")
    assert [*phases, record.view.phase] == ["shot", "open"]


def test_pf10_the_shooter_may_be_named_first() -> None:
    record = begun()
    record.do("shot")
    record.do("shooter", seat="red")
    record.do("target", seat="blue")
    assert record.alive == {"red", "green"}


@pytest.mark.parametrize(("first", "second"), [("target", "shooter"), ("shooter", "target")])
def test_pf10_nobody_shoots_himself(first: str, second: str) -> None:
    record = begun()
    record.do("shot")
    record.do(first, seat="red")
    record.refuses(second, "PF-10", seat="red")


@pytest.mark.parametrize("kind", ["target", "shooter"])
def test_pf10_naming_twice_is_refused_with_what_is_missing(kind: str) -> None:
    record = begun()
    record.do("shot")
    record.do(kind, seat="red")
    do = record.refuses(kind, "PF-10", seat="blue").do
    assert do == {"target": "Name the shooter.", "shooter": "Name the target."}[kind]


@pytest.mark.parametrize("kind", ["target", "shooter"])
def test_pf10_naming_needs_a_shot(kind: str) -> None:
    begun().refuses(kind, "PF-10", seat="red")


def test_pf10_waiting_shots_are_named_oldest_first() -> None:
    record = begun()
    first, second = record.do("shot"), record.do("shot")
    assert [shot.entry for shot in open_pulls(record.state)] == [first, second]
    record.do("target", seat="blue")
    record.do("shooter", seat="red")
    assert [shot.entry for shot in open_pulls(record.state)] == [second]
    record.do("target", seat="red")
    record.do("shooter", seat="green")
    assert record.alive == {"green"}


def test_pf11_an_illegal_shot_eliminates_the_shooter_and_spares_the_target() -> None:
    record = begun()
    record.shoot("red", "blue")
    record.do("illegal")
    assert record.alive == {"blue", "green"}
    assert record.round.reading.verdicts[-1][1].clause == "PF-11"


def test_pf11_a_waiting_shot_can_be_illegal_before_it_is_named() -> None:
    record = begun()
    record.do("shot")
    record.do("illegal")
    record.do("target", seat="blue")
    record.do("shooter", seat="red")
    assert record.alive == {"blue", "green"}


def test_pf10_legal_takes_illegal_back() -> None:
    record = begun()
    record.shoot("red", "blue")
    record.do("illegal")
    record.refuses("illegal", "PF-11")
    record.do("legal")
    assert record.alive == {"red", "green"}
    record.refuses("legal", "PF-10")


def test_pf11_an_illegal_shot_scores_no_elimination_for_the_shooter() -> None:
    record = begun()
    record.shoot("red", "blue")
    record.do("illegal")
    assert record.view.kill_matrix == ((0, 0, 0),) * 3


def test_pf12_a_shield_in_play_is_spent_and_the_target_stays() -> None:
    record = begun()
    record.do("shield_in_play", seat="blue")
    record.shoot("red", "blue")
    assert record.alive == {"red", "blue", "green"}
    assert not record.view.seats[1].shield
    record.shoot("red", "blue")
    assert record.alive == {"red", "green"}


def test_pf12_a_shield_that_was_laid_after_the_shot_does_not_help() -> None:
    record = begun()
    record.do("shot")
    record.do("shield_in_play", seat="blue")
    record.do("target", seat="blue")
    record.do("shooter", seat="red")
    assert record.alive == {"red", "green"}


def test_pf12_an_illegal_shot_spends_no_shield() -> None:
    record = begun()
    record.do("shield_in_play", seat="blue")
    record.shoot("red", "blue")
    record.do("illegal")
    assert record.view.seats[1].shield


def test_pf12_a_shield_from_hand_saves_the_target() -> None:
    record = begun()
    record.shoot("red", "blue")
    record.do("shield_hand")
    assert record.alive == {"red", "blue", "green"}
    assert record.view.kill_matrix[0][1] == 0


def test_pf12_a_shield_from_hand_needs_a_named_shot() -> None:
    record = begun()
    record.refuses("shield_hand", "PF-12")
    record.do("shot")
    record.refuses("shield_hand", "PF-12")


def test_pf12_a_target_saved_already_spends_no_second_shield() -> None:
    record = begun()
    record.do("shield_in_play", seat="blue")
    record.shoot("red", "blue")
    record.refuses("shield_hand", "PF-12")


@pytest.mark.parametrize(
    ("kind", "seat"), [("draw", "blue"), ("target", "blue"), ("shooter", "blue")]
)
def test_pf13_who_is_out_neither_draws_nor_is_named(kind: str, seat: str) -> None:
    record = begun()
    record.shoot("red", "blue")
    record.do("shot")
    record.refuses(kind, "PF-13", seat=seat)


@pytest.mark.parametrize(
    ("basis", "cards"),
    [("unknown", (78, 82)), ("shooter", (78, 78)), ("both", (78, 78)), ("target", (82, 82))],
)
def test_pf14_the_new_set_takes_four_cards_when_the_shooter_held_a_match(
    basis: str, cards: tuple[int, int]
) -> None:
    record = begun()
    record.shoot("red", "blue")
    if basis != "unknown":
        record.do("match", basis=basis)
    assert record.cards == cards


def test_pf14_two_unknown_matches_widen_the_range() -> None:
    record = begun("a b c d")
    record.shoot("a", "b")
    record.shoot("a", "c")
    assert record.view.cards_text == "66-74"


def test_pf14_no_new_set_when_a_shield_blocked() -> None:
    record = begun()
    record.do("shield_in_play", seat="blue")
    record.shoot("red", "blue")
    record.do("match", basis="shooter")
    assert record.cards == (82, 82)


def test_pf14_no_new_set_when_a_shield_from_hand_saved() -> None:
    record = begun()
    record.shoot("red", "blue")
    record.do("match", basis="shooter")
    record.do("shield_hand")
    assert record.cards == (82, 82)


def test_pf14_no_new_set_when_the_shot_ends_the_round() -> None:
    record = begun("red blue")
    record.shoot("red", "blue")
    record.do("match", basis="shooter")
    assert record.cards == (90, 90)


def test_pf14_no_new_set_after_an_illegal_shot() -> None:
    record = begun()
    record.shoot("red", "blue")
    record.do("illegal")
    assert record.cards == (82, 82)


def test_pf14_the_same_answer_twice_is_refused() -> None:
    record = begun()
    record.shoot("red", "blue")
    record.refuses("match", "PF-14", basis="unknown")


def test_pf15_a_knock_is_kept_with_its_reason_and_has_no_consequence() -> None:
    record = begun()
    record.do("knock", reason="hit without a pull")
    assert (record.view.phase, record.view.last_shot) == ("open", None)
    assert len(record.round.happenings) == 1


@pytest.mark.parametrize("kind", ["dry_pull", "knock"])
def test_pf_r3_a_silent_pull_becomes_a_shot_by_one_key_at_its_own_moment(kind: str) -> None:
    record = begun()
    entry = record.do(kind, when=at(5_000))
    record.press("promote")
    (shot,) = open_pulls(record.state)
    assert (shot.entry, shot.at, shot.cause) == (entry, at(5_000), kind)


def test_pf_r3_a_promoted_pull_stands_where_it_was_fired() -> None:
    record = begun()
    pull = record.do("dry_pull")
    record.shoot("blue", "red")
    record.do("promote", entry=pull)
    record.do("target", seat="blue")
    record.do("shooter", seat="red")
    assert record.alive == {"red", "green"}, "blue was out before he shot red"


def test_pf_r3_only_dry_pulls_and_knocks_are_promoted_and_once() -> None:
    record = begun()
    shot, pull = record.do("shot"), record.do("dry_pull")
    record.refuses("promote", "PF-R3", entry=shot)
    record.refuses("promote", "PF-R3", entry=99)
    record.do("promote", entry=pull)
    record.refuses("promote", "PF-R3", entry=pull)


def test_mending_opens_the_last_shot_again() -> None:
    record = begun()
    record.shoot("red", "blue")
    mend(record)
    assert record.alive == {"red", "blue", "green"}
    assert record.view.phase == "shot"


def test_mending_reopens_a_round_that_the_wrong_name_had_ended() -> None:
    record = begun("red blue")
    record.shoot("red", "blue")
    assert record.outcome.winner == "red"
    mend(record)
    assert record.outcome.status == "open"
    record.do("target", seat="red")
    record.do("shooter", seat="blue")
    assert record.outcome.winner == "blue"


def test_mending_takes_back_the_names_and_the_shield_of_who_was_named_and_keeps_the_rest() -> None:
    record = begun()
    record.do("draw", seat="green")
    record.shoot("red", "blue")
    record.do("match", basis="shooter")
    record.do("shield_hand")
    record.do("draw", seat="red")
    mend(record)
    (shot,) = record.view.open_shots
    assert (shot.target, shot.shooter) == (None, None)
    assert [seat.draws for seat in record.view.seats] == [1, 0, 1]
    record.do("target", seat="green")
    record.do("shooter", seat="red")
    assert record.alive == {"red", "blue"}, "the Shield was said of blue"
    assert record.cards == (76, 76), "that the shooter held the match was said of whoever shot"


def test_mending_a_half_named_shot_takes_its_target_back() -> None:
    record = begun()
    record.do("shot")
    record.do("target", seat="blue")
    mend(record)
    assert record.view.open_shots[0].target is None


def test_mending_without_a_named_shot_is_refused() -> None:
    with pytest.raises(Refused, match="PF-10"):
        GAME.pressed(begun().state, "panic-fire.mend")


def test_while_a_shot_waits_for_names_no_key_changes_the_shot_before_it() -> None:
    record = begun("a b c d")
    record.shoot("a", "b")
    record.do("shot")
    for action, reason in (("mend", "no names yet"), ("hand", "whom the shot that waits has hit")):
        with pytest.raises(Refused, match=reason):
            GAME.pressed(record.state, f"panic-fire.{action}")
    record.press("illegal")
    record.press("match")
    first, waiting = (pull for pull, _ in record.round.reading.verdicts)
    assert (first.illegal, first.basis) == (False, "unknown")
    assert (waiting.illegal, waiting.basis) == (True, "shooter")
    record.do("target", seat="c")
    mend(record)
    assert record.alive == {"a", "c", "d"}
    assert record.view.open_shots[0].target is None


def test_a_shield_from_hand_can_still_be_added_to_an_earlier_shot_while_another_waits() -> None:
    record = begun("a b c d")
    record.shoot("a", "b")
    record.do("shot")
    record.do("shield_hand")
    assert "b" in record.alive


def test_pf_r3_a_shot_that_hit_nobody_is_taken_off_by_the_key_that_the_prompt_names() -> None:
    record = begun("a b c")
    record.shoot("a", "b")
    record.do("shot")
    record.do("draw", seat="c")
    assert record.awaiting.endswith(" Nobody: X.")
    answer = GAME.pressed(record.state, "panic-fire.miss")
    assert isinstance(answer, Retraction)
    assert answer.reason == "nobody was hit: the shot does not count (PF-R3)"
    record.void(*answer.entries)
    assert record.view.open_shots == ()
    assert record.alive == {"a", "c"}


@pytest.mark.parametrize("said", ["illegal", "match"])
def test_pf_r3_what_was_said_of_a_shot_that_hit_nobody_is_not_left_to_another_shot(
    said: str,
) -> None:
    record = begun("a b c")
    record.shoot("a", "b")
    record.do("shot")
    record.press(said)
    with pytest.raises(Refused, match="more was said about that shot"):
        GAME.pressed(record.state, "panic-fire.miss")


def test_pf_r3_where_a_pull_that_hits_nobody_is_illegal_no_key_makes_it_nothing() -> None:
    record = begun("a b c", accidental_discharge="illegal")
    record.do("shot")
    assert "Nobody" not in record.awaiting
    with pytest.raises(Refused, match="illegal at this table"):
        GAME.pressed(record.state, "panic-fire.miss")


def test_pf14_a_shield_from_hand_takes_back_the_new_cards_that_were_told_before_it() -> None:
    record = begun("a b c")
    record.shoot("a", "b")
    assert "a lays four new cards" in record.say(record.fact("match", basis="shooter"))
    said = record.say(record.fact("shield_hand"))
    assert said == (
        "a shot b: b discarded a Shield from hand and stays (PF-12); a lays no new cards (PF-14)"
    )


def test_pf14_a_shield_from_hand_speaks_of_no_cards_where_none_were_told() -> None:
    record = begun("a b c")
    record.shoot("a", "b")
    assert record.say(record.fact("shield_hand")).endswith("and stays (PF-12)")


def test_pf10_a_shot_that_is_added_with_its_names_takes_none_from_the_shots_after_it() -> None:
    record = begun("a b c")
    said = record.say(record.fact("shot", target="b", shooter="a"))
    record.shoot("a", "c")
    assert record.outcome.winner == "a"
    assert GAME.summary(record.state)[-2] != "  one shot has no shooter or target (PF-10)"
    assert said == "a shot b: b is out (PF-12)"


@pytest.mark.parametrize(
    ("names", "clause"),
    [
        ({"target": "a", "shooter": "a"}, "PF-10"),
        ({"target": "b", "shooter": "a"}, "PF-13"),
        ({"target": "nobody"}, "PF-2"),
    ],
)
def test_pf13_a_shot_cannot_be_added_with_names_that_cannot_be_given(
    names: dict[str, str], clause: str
) -> None:
    record = begun("a b c d")
    record.shoot("a", "b")
    record.refuses("shot", clause, **names)


def test_pf10_names_that_came_with_the_shot_are_changed_where_mistakes_are() -> None:
    record = begun("a b c d")
    record.do("shot", target="b", shooter="a")
    with pytest.raises(Refused, match="added with its names"):
        GAME.pressed(record.state, "panic-fire.mend")


def test_a_shot_still_waiting_when_the_round_ends_waits_no_more() -> None:
    record = begun("red blue")
    record.do("shot")
    record.do("shot")
    record.do("target", seat="blue")
    record.do("shooter", seat="red")
    assert record.view.open_shots == ()
    record.refuses("target", "PF-17", seat="red")
    record.do("fire")
    assert record.round.number == 2


def test_the_table_puts_a_seat_out_and_back_in_with_its_reason() -> None:
    record = begun()
    record.do("override", seat="blue", status="out", reason="left the table")
    assert record.alive == {"red", "green"}
    record.refuses("override", "PF-13", seat="blue", status="out")
    record.do("override", seat="blue", status="in")
    assert record.alive == {"red", "blue", "green"}


def test_pf11_the_illegal_flag_after_naming_speaks_of_the_shot_that_ended_the_round() -> None:
    record = begun("red blue")
    record.do("shot")
    record.do("shot")
    record.do("target", seat="blue")
    record.do("shooter", seat="red")
    record.press("illegal")
    assert record.outcome.winner == "blue", (
        "not of the second shot, which nobody has to name any more"
    )


def test_pf_r3_a_promoted_pull_that_was_named_last_is_the_one_that_is_mended() -> None:
    record = begun("a b c d")
    pull = record.do("dry_pull")
    record.shoot("a", "b")
    record.do("promote", entry=pull)
    record.do("target", seat="c")
    record.do("shooter", seat="d")
    mend(record)
    assert record.alive == {"a", "c", "d"}
    assert [shot.entry for shot in open_pulls(record.state)] == [pull]


def test_pf10_a_shot_nobody_had_to_name_is_not_said_to_wait() -> None:
    record = begun("red blue")
    record.do("shot")
    record.do("shot")
    record.do("target", seat="blue")
    record.do("shooter", seat="red")
    assert (
        GAME.summary(record.state)[-2]
        == "  one shot needs no shooter or target: the round was over (PF-10)"
    )


def test_mending_is_refused_while_the_tables_word_ends_the_round() -> None:
    record = begun()
    record.shoot("red", "blue")
    record.do("round_end")
    with pytest.raises(Refused, match="PF-R5: the round is over"):
        GAME.pressed(record.state, "panic-fire.mend")


@pytest.mark.parametrize(
    ("seats", "basis", "said"),
    [
        (
            "red blue green",
            "shooter",
            "the shooter held the match: red lays four new cards; do not enter them (PF-14)",
        ),
        ("red blue green", "target", "the target held the match: no new set (PF-14)"),
        (
            "red blue",
            "both",
            "both held a match: no new set, for the shot ended the round (PF-14, inferred)",
        ),
    ],
)
def test_pf14_the_log_says_what_the_match_means_for_the_cards(
    seats: str, basis: str, said: str
) -> None:
    record = begun(seats)
    record.shoot("red", "blue")
    assert GAME.describe(record.state, GAME.parse("match", {"basis": basis})) == said


def test_pf14_what_is_inferred_of_the_last_shot_is_shown_as_such() -> None:
    record = begun("red blue")
    assert not any("inferred" in note for note in record.view.notes)
    record.shoot("red", "blue")
    assert "no new set after the shot that ended the round (PF-14, inferred)" in record.view.notes


@pytest.mark.parametrize(("kind", "word"), [("dry_pull", "dry pull"), ("knock", "knock")])
def test_pf_r3_the_log_says_what_was_a_shot_after_all(kind: str, word: str) -> None:
    record = begun()
    entry = record.do(kind)
    sentence = GAME.describe(record.state, GAME.parse("promote", {"entry": entry}))
    assert sentence == f"the {word} was a shot after all (PF-R3)"
