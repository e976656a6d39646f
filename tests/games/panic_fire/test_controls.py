"""Facts from gestures and keys, and the prompts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.games.panic_fire.rules.keys import FIRE_FIRST, SHOT_FIRST
from companion.rules.actions import by_key
from companion.rules.facts import Fact, Refused
from companion.rules.game import Retraction
from companion.rules.gestures import Gesture, GestureKind
from tests.games.gestures import Ignored, meant as what
from tests.games.panic_fire.playing import GAME, Record, at, begun, setup

RESERVED = {
    "u", "y", "x", "l", "v", "z", "b", "c", "j", "question_mark", "tab", "escape", "up", "down", "left", "right",
    "ctrl+q", "ctrl+c", "ctrl+p",
}  # fmt: skip


def gesture(kind: GestureKind, channel: str = "zone-1", **more: Any) -> Gesture:
    return replace(Gesture(kind, channel, 7_000, "board-1", 25, (4,)), **more)


def meant(
    record: Record, kind: GestureKind, channel: str = "zone-1", **more: Any
) -> Fact | Ignored:
    return what(GAME, record.state, gesture(kind, channel, **more))


def ignored(record: Record, kind: GestureKind, channel: str = "zone-1") -> Ignored:
    answer = meant(record, kind, channel)
    assert isinstance(answer, Ignored)
    return answer


def entered(record: Record, kind: GestureKind, channel: str) -> str:
    answer = meant(record, kind, channel)
    assert isinstance(answer, Fact), answer
    record.enter(answer)
    return answer.kind


def test_a_tap_is_a_draw_of_the_seat_at_that_zone() -> None:
    answer = meant(begun(), GestureKind.TAP, "zone-2")
    assert answer == GAME.parse(
        "draw", {"seat": "blue", "at": {"us": 7_000, "pm": 25, "clock": "board-1"}}
    )


def test_a_hold_is_fire_then_target_then_shooter_then_fire_again() -> None:
    record = Record("red blue")
    kinds = [
        entered(record, GestureKind.HOLD, "zone-2"),
        entered(record, GestureKind.SHOT, "trigger"),
    ]
    kinds += [entered(record, GestureKind.HOLD, zone) for zone in ("zone-2", "zone-1", "zone-1")]
    assert kinds == ["fire", "shot", "target", "shooter", "fire"]
    assert record.bullets == {"red": 1, "blue": 0}


def test_fire_by_hold_counts_from_the_press() -> None:
    answer = meant(Record(), GestureKind.HOLD)
    assert isinstance(answer, Fact)
    assert answer.at == at(7_000, pm=25)


def test_a_shot_carries_lag_and_peak() -> None:
    answer = meant(begun(), GestureKind.SHOT, "trigger", lag_us=-800, peak=512)
    assert isinstance(answer, Fact)
    assert answer.model_dump(include={"kind", "lag_us", "peak"}) == {
        "kind": "shot",
        "lag_us": -800,
        "peak": 512,
    }


@pytest.mark.parametrize(
    ("kind", "fact"), [(GestureKind.DRY_PULL, "dry_pull"), (GestureKind.KNOCK, "knock")]
)
def test_dry_pulls_and_knocks_keep_their_reason(kind: GestureKind, fact: str) -> None:
    answer = meant(begun(), kind, "trigger", reason="no hit within 30 ms")
    assert isinstance(answer, Fact)
    assert (answer.kind, getattr(answer, "reason", "")) == (fact, "no hit within 30 ms")


def test_pf_r3_without_a_hit_sensor_each_pull_is_a_shot() -> None:
    answer = meant(begun(hit_sensor="no"), GestureKind.DRY_PULL, "trigger")
    assert isinstance(answer, Fact)
    assert answer.kind == "shot"


@pytest.mark.parametrize(
    ("kind", "channel", "clause"),
    [
        (GestureKind.TAP, "zone-1", "PF-5"),
        (GestureKind.SHOT, "trigger", "PF-5"),
        (GestureKind.TAP, "zone-4", "PF-2"),
        (GestureKind.HOLD, "zone-9", "PF-2"),
    ],
)
def test_before_fire_everything_else_is_ignored_with_its_clause(
    kind: GestureKind, channel: str, clause: str
) -> None:
    assert ignored(Record(), kind, channel).clause == clause


def test_a_hold_with_nothing_to_name_is_ignored() -> None:
    assert ignored(begun(), GestureKind.HOLD).reason == "no shot needs a name"


def test_pf13_taps_of_who_is_out_are_ignored() -> None:
    record = begun()
    record.shoot("red", "blue")
    assert ignored(record, GestureKind.TAP, "zone-2").clause == "PF-13"


def test_a_hold_means_something_before_fire_and_while_a_shot_waits() -> None:
    record = Record()
    assert GAME.hold_means(record.state, "zone-3")
    assert not GAME.hold_means(record.state, "zone-4")
    assert not GAME.hold_means(record.state, "trigger")
    record.do("fire")
    assert not GAME.hold_means(record.state, "zone-3")
    record.do("shot")
    assert GAME.hold_means(record.state, "zone-3")


def test_without_an_open_round_what_needs_a_shot_asks_for_fire_first() -> None:
    over = begun("red blue")
    over.press("table.2")
    for record in (Record("red blue"), over):
        for action in ("name.1", "promote", "mend", "illegal", "match", "hand"):
            with pytest.raises(Refused) as caught:
                GAME.pressed(record.state, f"panic-fire.{action}")
            assert caught.value.do == FIRE_FIRST, action


def test_a_shield_from_hand_before_any_shot_asks_for_a_shot() -> None:
    assert (
        begun().refuses("shield_hand", "PF-12").spoken()
        == f"Nobody was shot at in this round. {SHOT_FIRST}"
    )


@pytest.mark.parametrize("names", ["a b", "a b c", "a b c d", "a b c d e"])
def test_no_key_is_bound_twice_and_none_is_the_tables(names: str) -> None:
    keys = by_key(GAME.actions(setup(names)))
    assert not keys.keys() & RESERVED


@pytest.mark.parametrize(
    ("action", "told"),
    [
        ("table.2", "the table eliminates blue (PF-13)"),
        (
            "nobody",
            "the table ends the round; nobody takes the Bullet card, the round is played again (PF-R5)",
        ),
    ],
)
def test_what_the_table_decides_by_a_key_is_not_said_to_be_said_at_the_table(
    action: str, told: str
) -> None:
    state = begun("red blue green").state
    fact = GAME.act(state, f"panic-fire.{action}")
    assert isinstance(fact, Fact)
    assert GAME.describe(state, fact) == told


def test_labels_fit_the_footer() -> None:
    actions = GAME.actions(setup("Maximiliane Bartholomew Quentin"))
    assert all(len(action.label) <= 12 for action in actions)
    assert all(action.id.startswith("panic-fire.") for action in actions)


def test_every_action_gives_a_fact_or_a_refusal_in_every_phase() -> None:
    shot, over = begun(), begun("red blue")
    shot.do("shot")
    over.shoot("red", "blue")
    clauses: set[str] = set()
    facts: set[type] = set()
    for record in (Record(), begun(), shot, over):
        for action in GAME.actions(record.setup):
            try:
                answer = GAME.pressed(record.state, action.id)
            except Refused as refusal:
                clauses.add(refusal.clause)
            else:
                facts.add(type(answer))
    assert len(facts) > 8
    assert all(clause.startswith("PF-") for clause in clauses)


def test_a_whole_round_from_the_keyboard_alone() -> None:
    record = Record("red blue green")
    for action in (
        "fire",
        "draw.1",
        "shield.2",
        "shot",
        "name.2",
        "name.1",
        "shot",
        "name.2",
        "name.1",
    ):
        record.press(action)
    assert record.alive == {"red", "green"}
    for action in (
        "hand",
        "shot",
        "name.2",
        "name.3",
        "match",
        "shot",
        "name.3",
        "name.1",
        "illegal",
    ):
        record.press(action)
    assert record.outcome.winner == "green"


def test_the_illegal_key_toggles() -> None:
    record = begun()
    record.shoot("red", "blue")
    record.press("illegal")
    assert record.alive == {"blue", "green"}
    record.press("illegal")
    assert record.alive == {"red", "green"}


def test_a_shot_after_the_end_of_the_round_needs_no_names_and_can_be_deleted() -> None:
    record = begun("ann ben")
    record.press("shot", "shot", "name.2", "name.1")
    assert record.outcome.winner == "ann"
    assert "1 later shot needs no names." in record.awaiting
    last = record.view.last_shot
    assert last is not None
    assert last.verdict == "one shot needs no shooter or target: the round was over"
    refused = record.refuses("target", "PF-17", seat="ann")
    assert refused.spoken().startswith("The round is over, so that shot needs no names. On ")
    deleted = GAME.pressed(record.state, "panic-fire.miss")
    assert isinstance(deleted, Retraction)
    record.void(*deleted.entries)
    assert "later shot" not in record.awaiting
    assert record.outcome.winner == "ann"


def test_the_match_key_goes_round() -> None:
    record = begun()
    record.shoot("red", "blue")
    cards = []
    for _ in range(4):
        record.press("match")
        cards.append(record.view.cards_text)
    assert cards == ["78", "82", "78", "78-82"]


def test_the_table_key_puts_a_seat_out_and_in_again() -> None:
    record = begun()
    record.press("table.2")
    assert record.alive == {"red", "green"}
    record.press("table.2")
    assert record.alive == {"red", "blue", "green"}


def test_the_order_key_goes_round_a_tie() -> None:
    record = begun(shot_disputes="table")
    record.shoot("red", "blue")
    record.shoot("green", "red")
    for order in ("as_stamped", "swapped", "both", "as_stamped"):
        record.press("order")
        assert record.round.reading.verdicts[-1][0].order == order


def test_where_nobody_survived_a_name_key_gives_the_bullet() -> None:
    record = begun("red blue", no_survivor="table")
    record.shoot("red", "blue")
    record.press("table.1")
    assert "Who takes the Bullet card? Press q red, w blue. Nobody: N." in record.awaiting
    record.press("name.2")
    assert record.bullets == {"red": 0, "blue": 1}


def test_an_action_of_another_game_is_refused() -> None:
    with pytest.raises(Refused, match="KEY"):
        GAME.pressed(begun().state, "panic-fire.dance")


def test_what_is_awaited_names_the_key_and_the_tap() -> None:
    record = Record()
    texts = [record.awaiting]
    record.do("fire")
    texts.append(record.awaiting)
    record.do("shot")
    texts.append(record.awaiting)
    record.do("target", seat="blue")
    texts.append(record.awaiting)
    assert texts == [
        'On "fire!" press Enter. Round 1 of 6.',
        "To draw, press 1 red, 2 blue, 3 green. For a shot, press Space.",
        "Who was hit? Press q red, w blue, e green. Nobody: X.",
        "blue was hit. Who shot? Press q red, e green.",
    ]


def test_the_log_says_what_a_name_brought_about() -> None:
    record = begun("red blue")
    record.do("shot")
    record.do("target", seat="blue")
    sentence = GAME.describe(record.state, GAME.parse("shooter", {"seat": "red"}))
    assert sentence == "red shot blue: blue is out (PF-12); red takes a Bullet card (PF-17)"
