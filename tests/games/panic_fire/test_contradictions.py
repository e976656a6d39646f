"""Contradicting statements about a shot, and shots after the end of a round."""

from __future__ import annotations

from typing import Any

import pytest

from companion.rules.clauses import without_clauses
from companion.rules.game import Retraction
from tests.games.panic_fire.playing import GAME, Record, begun

HELD = "; but red is said to have held a match, which makes a shot legal (PF-10)"


def says(record: Record, kind: str, **body: Any) -> str:
    fact = GAME.parse(kind, body)
    text = GAME.describe(record.state, fact)
    record.enter(fact)
    return text


def verdict(record: Record) -> str:
    assert record.view.last_shot is not None
    return record.view.last_shot.verdict


def test_pf10_a_match_said_first_speaks_against_an_illegal_shot_on_its_line() -> None:
    record = begun()
    record.shoot("red", "blue")
    record.do("match", basis="shooter")
    assert says(record, "illegal") == f"red shot blue: illegal, red is out (PF-11){HELD}"
    assert verdict(record).endswith(without_clauses(HELD))


def test_pf10_a_match_said_afterwards_speaks_against_it_too() -> None:
    record = begun()
    record.shoot("red", "blue")
    record.do("illegal")
    assert says(record, "match", basis="shooter").endswith(HELD)
    assert verdict(record).endswith(without_clauses(HELD))
    assert HELD in "".join(GAME.summary(record.state))


@pytest.mark.parametrize(
    ("basis", "who"),
    [("shooter", "the shooter is"), ("target", "the target is"), ("both", "both are")],
)
@pytest.mark.parametrize("order", [("illegal", "match"), ("match", "illegal")])
def test_pf10_it_is_said_of_a_shot_that_waits_too(
    basis: str, who: str, order: tuple[str, str]
) -> None:
    record = begun()
    record.do("shot")
    bodies: dict[str, dict[str, Any]] = {"match": {"basis": basis}, "illegal": {}}
    assert "but" not in says(record, order[0], **bodies[order[0]])
    assert f"; but {who} said to have held a match" in says(record, order[1], **bodies[order[1]])


@pytest.mark.parametrize("mend", [("legal", {}), ("match", {"basis": "unknown"})])
def test_pf10_what_takes_one_of_the_two_back_ends_the_contradiction(
    mend: tuple[str, dict[str, Any]],
) -> None:
    record = begun()
    record.shoot("red", "blue")
    record.do("match", basis="shooter")
    record.do("illegal")
    record.do(mend[0], **mend[1])
    assert "but" not in verdict(record)


def test_pf12_a_shield_said_of_the_target_does_not_save_who_shot_illegally() -> None:
    record = begun(illegal_shot_shield="saves")
    record.shoot("red", "blue")
    record.do("shield_hand")
    assert record.alive == {"red", "blue", "green"}
    text = says(record, "illegal")
    assert record.alive == {"blue", "green"}, "blue's Shield is not red's"
    assert text.endswith("; but blue is said to have discarded a Shield from hand (PF-12)")


def test_pf12_a_shield_said_of_who_shot_illegally_does_not_save_the_target_once_the_shot_is_legal() -> (
    None
):
    record = begun(illegal_shot_shield="saves")
    record.shoot("red", "blue")
    record.do("illegal")
    record.do("shield_hand")
    record.do("legal")
    assert record.alive == {"red", "green"}
    assert verdict(record).endswith("; but red is said to have discarded a Shield from hand")


def test_nothing_is_said_against_a_shot_that_contradicts_nothing() -> None:
    record = begun()
    record.shoot("red", "blue")
    record.do("match", basis="both")
    record.do("shield_hand")
    assert verdict(record) == "red shot blue: blue discarded a Shield from hand and stays"


# -- n


def mend(record: Record) -> Retraction:
    answer = GAME.pressed(record.state, "panic-fire.mend")
    assert isinstance(answer, Retraction)
    record.void(*answer.entries)
    return answer


def test_pf10_the_mend_takes_names_back_and_not_whose_match_it_was() -> None:
    record = begun()
    record.shoot("red", "blue")
    record.do("match", basis="shooter")
    answer = mend(record)
    assert answer.reason == "names cleared. Who was hit? (PF-10)"
    record.do("target", seat="blue")
    record.do("shooter", seat="green")
    assert record.cards == (78, 78), "green held the match, and laid a new set"


def test_pf10_the_mend_keeps_that_a_shot_was_illegal() -> None:
    record = begun()
    record.shoot("red", "blue")
    record.do("illegal")
    mend(record)
    record.do("target", seat="red")
    record.do("shooter", seat="blue")
    assert record.alive == {"red", "green"}


def test_pf10_the_mend_says_when_a_shield_goes_with_the_names() -> None:
    record = begun()
    record.shoot("red", "blue")
    record.do("shield_hand")
    assert "with the Shield from hand" in mend(record).reason


# -- promoted pulls and the end of the round


def test_pf_r3_a_pull_before_the_shot_that_ended_the_round_is_named_and_can_change_its_end() -> (
    None
):
    record = begun()
    record.shoot("red", "blue")
    pull = record.do("dry_pull")
    record.shoot("red", "green")
    assert record.outcome.winner == "red"
    record.do("promote", entry=pull)
    assert (record.view.phase, record.bullets["red"]) == ("shot", 0)
    assert (
        record.refuses("fire", "PF-R2").reason
        == "a shot that can change who survived still needs names"
    )
    record.do("target", seat="red")
    record.do("shooter", seat="green")
    assert record.outcome.winner == "green"
    assert verdict(record) == "red shot green: the round was over"


def test_pf_r3_a_pull_after_the_shot_that_ended_the_round_is_refused_with_what_to_undo() -> None:
    record = begun("red blue")
    record.do("shot")
    pull = record.do("knock")
    record.do("target", seat="blue")
    record.do("shooter", seat="red")
    refusal = record.refuses("promote", "PF-17", entry=pull)
    assert (refusal.reason, refusal.do) == (
        "the round was over before that pull",
        "Take the shot that ended it back first.",
    )


def test_pf_r3_a_pull_of_a_round_that_the_table_ended_is_refused_with_what_to_undo() -> None:
    record = begun()
    pull = record.do("dry_pull")
    record.do("round_end", seat="red")
    assert record.refuses("promote", "PF-R5", entry=pull).do == "Take that back first."


def test_pf_r3_an_accident_that_ended_the_round_may_still_have_been_a_shot() -> None:
    record = begun("red blue", accidental_discharge="illegal")
    pull = record.do("dry_pull")
    record.do("shooter", seat="red")
    assert record.outcome.winner == "blue"
    record.do("promote", entry=pull)
    record.do("target", seat="blue")
    assert record.outcome.winner == "red"


def test_pf17_a_shot_that_waits_while_the_table_puts_the_others_out_keeps_nobody_waiting() -> None:
    record = begun("red blue")
    record.do("shot")
    record.do("override", seat="blue", status="out")
    assert record.outcome.winner == "red"
