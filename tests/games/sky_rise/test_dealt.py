"""SR-T9: the companion deals the goals; each seat sees only its own."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.sky_rise.rules.game import GAME as SKY_RISE
from companion.rules.facts import TABLE, Refused, secret_kinds
from tests.games.footer import footer_now
from tests.games.sky_rise.playing import GAME, QUIET, Record
from tests.games.sky_rise.test_ending import finished

DEAL: dict[str, Any] = {
    "nests": ["blue", "red", "green", "yellow"],
    "trees": ["red", "green", "blue", "yellow"],
}


def dealt(players: int = 3) -> Record:
    record = Record(players)
    record.do("goals_dealt", **DEAL)
    return record


def goals(record: Record) -> dict[str, tuple[str, str]]:
    return {one.seat: (one.nest, one.tree) for one in record.state.goals}


def test_sr_t9_the_key_deals_what_was_shuffled_and_the_fact_says_it() -> None:
    drawn = iter([(4, 1, 3, 2), (1, 3, 4, 2)])
    game = SKY_RISE.shuffled_by(lambda _: next(drawn))
    assert game.pressed(Record(3).state, "sky-rise.deal") == GAME.parse("goals_dealt", DEAL)


def test_sr_t9_where_nobody_shuffles_goals_are_noted() -> None:
    with pytest.raises(Refused, match=r"SR-T9: nobody shuffles here\. Note each player's goals"):
        GAME.pressed(Record(3).state, "sky-rise.deal")


def test_sr_t9_each_seat_in_order_has_the_next_of_both() -> None:
    assert goals(dealt()) == {
        "ada": ("blue", "red"),
        "bo": ("red", "green"),
        "cleo": ("green", "blue"),
    }


def test_sr_t9_a_seat_sees_its_own_goals_and_nobody_any_other() -> None:
    one, other = dealt(), Record(3)
    other.do(
        "goals_dealt",
        nests=["blue", "green", "yellow", "red"],
        trees=["red", "blue", "yellow", "green"],
    )
    assert "goals_dealt" in secret_kinds(GAME.facts)
    own = GAME.view(one.state, "ada").own
    assert own is not None
    assert (own.nest, own.tree) == ("blue", "red")
    for viewer in (TABLE, "ada"):  # Ada's own are the same in both deals
        assert GAME.view(one.state, viewer) == GAME.view(other.state, viewer)
    for public in (GAME.awaiting, GAME.summary, GAME.report, GAME.standings):
        assert public(one.state) == public(other.state)
    assert GAME.view(one.state, "bo") != GAME.view(other.state, "bo")


def test_sr_t9_no_sentence_says_what_was_dealt() -> None:
    record, fact = Record(3), GAME.parse("goals_dealt", DEAL)
    texts = {GAME.describe(record.state, fact, viewer) for viewer in (TABLE, "ada", "bo", "cleo")}
    assert texts == {"everybody has a Nest and a Tree; yours are in your private notes (SR-T9)"}
    record.do("goals_dealt", **DEAL)
    assert GAME.describe(record.state, fact) == "goals dealt: not possible (SR-T9)"
    assert GAME.reveals(record.state, fact) == "each Nest and Tree, to the seat that has it"


def test_sr_t9_dealt_goals_are_not_noted_over_nor_noted_ones_dealt_over() -> None:
    record = dealt()
    record.refuses("goal_noted", "SR-T9", seat="ada", nest="red", tree="red")
    assert record.refuses("goals_dealt", "SR-T9", **DEAL).reason == "goals are dealt already"
    record = Record(3)
    record.do("goal_noted", seat="ada", nest="red", tree="red")
    assert record.refuses("goals_dealt", "SR-T9", **DEAL).reason == "goals are noted already"


@pytest.mark.parametrize(
    "colors", [["red"], ["red", "red", "green", "blue"], ["red", "green", "blue", "purple"]]
)
def test_sr3_there_is_one_of_each_for_every_color_in_play(colors: list[str]) -> None:
    Record(3).refuses("goals_dealt", "SR-3", nests=DEAL["nests"], trees=colors)
    Record(3).refuses("goals_dealt", "SR-3", nests=colors, trees=DEAL["trees"])


def test_sr_t2_who_joins_has_the_next_and_who_comes_back_the_same() -> None:
    record = dealt()
    record.do("card", place="a1", suit="hearts")
    record.do("seat_leaves", seat="bo")
    record.do("seat_joins", name="Zoe")
    record.do("seat_joins", name="bo")
    assert goals(record)["zoe"] == ("yellow", "yellow")
    assert goals(record)["bo"] == ("red", "green")
    assert record.state.undealt == ()


def test_sr_t2_who_joins_when_all_are_dealt_notes_goals() -> None:
    record = dealt()
    record.do("card", place="a1", suit="hearts")
    record.do("seat_joins", name="Yves")
    record.do("seat_leaves", seat="bo")
    record.do("seat_joins", name="Zoe")
    assert "zoe" not in goals(record)
    record.do("goal_noted", seat="zoe", nest="red", tree="green")
    assert goals(record)["zoe"] == ("red", "green")


@pytest.mark.parametrize("how", ["dealt", "noted"])
def test_sr3_goals_are_void_where_other_colors_come_into_play(how: str) -> None:
    record = dealt() if how == "dealt" else Record(3)
    if how == "noted":
        record.do("goal_noted", seat="ada", nest="red", tree="blue")
    record.do("assign", suit="hearts", color="yellow")  # the same colors with other suits
    assert record.state.goals
    record.do("assign", suit="hearts", color="purple")
    assert (record.state.goals, record.state.undealt, record.view.dealt) == ((), None, False)


def test_sr_t2_who_joins_before_the_first_card_may_bring_a_fifth_color_and_a_new_deal() -> None:
    record = dealt()
    record.do("seat_joins", name="Zoe")
    assert record.state.goals == ()
    record = dealt(2)
    record.do("seat_joins", name="Zoe")
    assert goals(record)["zoe"] == ("green", "blue")


def test_sr14_dealt_goals_are_turned_up_like_noted_ones() -> None:
    record = finished(3, QUIET, QUIET, QUIET)
    record.do("goals_dealt", **DEAL)
    assert "sky-rise.reveal" in footer_now(SKY_RISE, record.state)
    assert "bo Nest red, Tree green" in record.do("reveal")
    record.refuses("goals_dealt", "SR-14" if not GAME.over(record.state) else "SR-17", **DEAL)


def test_sr3_as_many_trees_are_dealt_as_nests() -> None:
    record = Record(3)
    colors = DEAL["nests"]
    text = record.refuses("goals_dealt", "SR-3", nests=colors, trees=colors[:3])
    assert (
        str(text)
        == "SR-3: these are not the Nest and Tree cards. Name one of each for every color in play."
    )
