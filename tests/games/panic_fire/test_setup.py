"""PF-1 to PF-4, and the house rules as options."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.games.panic_fire.rules import fold as rules
from companion.games.panic_fire.rules.box import costs, notice
from companion.games.panic_fire.rules.options import HOUSE_RULES
from companion.rules.components import packaged
from companion.rules.facts import Refused, Setup
from companion.rules.house_rules import read_options
from companion.rules.seats import seats_from_names
from tests.games.panic_fire.playing import GAME, begun, setup


@pytest.mark.parametrize(
    ("seats", "left"), [("a b", 90), ("a b c", 82), ("a b c d", 74), ("a b c d e", 66)]
)
def test_pf2_the_piles_start_with_106_less_8_for_each_player(seats: str, left: int) -> None:
    assert begun(seats).cards == (left, left)


def test_pf1_removed_shields_shrink_the_piles() -> None:
    assert begun(removed_shields="7").cards == (75, 75)


@pytest.mark.parametrize("number", ["107", "-1", "many", "", "1.5", "99"])
def test_pf1_removed_shields_must_leave_enough_to_deal(number: str) -> None:
    with pytest.raises(Refused, match="PF-1:"):
        rules.start(setup(removed_shields=number))


def test_pf2_one_seat_is_too_few() -> None:
    with pytest.raises(Refused, match=r"PF-2: 1 seat was named. Panic Fire needs 2 to 5 players"):
        rules.start(setup("red"))


def test_pf2_six_seats_are_too_many() -> None:
    with pytest.raises(Refused, match=r"PF-2: 6 seats were named. Panic Fire needs 2 to 5 players"):
        rules.start(setup("a b c d e f"))


def test_two_seats_of_one_name_are_refused() -> None:
    with pytest.raises(Refused, match=r"SEATS: two seats are called 'red'"):
        seats_from_names(["Red", "blue", "red"])


def test_a_seat_without_a_name_is_refused() -> None:
    with pytest.raises(Refused, match="no name"):
        seats_from_names(["red", "  "])


def test_a_name_that_would_move_the_cursor_is_refused() -> None:
    with pytest.raises(Refused, match="invisible"):
        seats_from_names(["red", "blue\x1b[2J"])


def test_seats_differ_in_id_color_glyph_and_initial() -> None:
    seats = seats_from_names(["Anna", "Ann", "An-na", "An na", "?"])
    for word in ("id", "color", "glyph", "initial"):
        assert len({getattr(seat, word) for seat in seats}) == 5, word


def test_a_seat_named_like_a_color_wears_it() -> None:
    blue, anna, red = seats_from_names(["blue", "Anna", "red"])
    assert (blue.color, red.color) == ("#56B4E9", "#D55E00")
    assert anna.color not in (blue.color, red.color)


def test_pf4_the_three_known_match_numbers_are_those_of_the_rules() -> None:
    known = {
        one.name: one.value
        for one in packaged("panic-fire").table("match_number")
        if one.status == "confirmed"
    }
    assert known == {"The Nun": 3, "The Alien": 4, "Great Grandma": 1}


def test_pf4_while_some_match_numbers_are_unknown_the_table_decides_and_is_told_so() -> None:
    assert notice(setup()) == "Card details are missing: you decide if a shot is legal."


def test_pf4_the_characters_without_a_match_number_are_named_and_no_others() -> None:
    text = costs(packaged("panic-fire"))[0]
    assert text.startswith(
        "match numbers unknown: The Cowboy, The Viking, The Zombie, The Gangster, any others;"
    )


@pytest.mark.parametrize(("option", "sensor"), [("yes", True), ("no", False)])
def test_pf_r3_a_gun_without_a_sensor_shoots_with_each_pull(option: str, sensor: bool) -> None:
    assert GAME.settings(setup(hit_sensor=option)).hit_sensor is sensor


def test_pf1_the_number_of_shields_is_unknown_and_said_to_be() -> None:
    assert any("number of Shields unknown" in note for note in begun().view.notes)


def test_every_house_rule_has_its_first_alternative_as_default() -> None:
    assert dict(read_options({}, HOUSE_RULES).chosen) == {
        rule.name: rule.alternatives[0] for rule in HOUSE_RULES
    }


@pytest.mark.parametrize("rule", HOUSE_RULES, ids=lambda rule: rule.name)
def test_an_alternative_nobody_knows_is_refused_with_its_clause(rule: object) -> None:
    name, clause = getattr(rule, "name", ""), getattr(rule, "clause", "")
    with pytest.raises(Refused) as caught:
        read_options({name: "perhaps"}, HOUSE_RULES)
    assert caught.value.clause == clause


def test_an_option_nobody_knows_is_refused() -> None:
    with pytest.raises(Refused, match="no option 'colour'"):
        read_options({"colour": "red"}, HOUSE_RULES)


def test_another_version_of_the_rules_is_refused() -> None:
    with pytest.raises(Refused, match=r"version 99 of the rules.*version 3"):
        rules.start(Setup("panic-fire", 99, seats_from_names(["a", "b"])))


def test_every_clause_of_the_refusals_and_options_stands_in_the_rules() -> None:
    folder = Path(rules.__file__).parent.parent
    stated = re.findall(r"PF-R?\d+", (folder / "RULES.md").read_text(encoding="utf-8"))
    cited = {
        clause
        for source in folder.rglob("*.py")
        for clause in re.findall(r"PF-R?\d+", source.read_text("utf-8"))
    }
    assert cited <= set(stated)
    assert {f"PF-{n}" for n in range(1, 19)} | {f"PF-R{n}" for n in range(1, 9)} <= set(stated)


def test_every_house_rule_and_each_of_its_alternatives_stands_in_the_rules() -> None:
    text = (Path(rules.__file__).parent.parent / "RULES.md").read_text(encoding="utf-8")
    missing = [
        word
        for rule in HOUSE_RULES
        for word in (rule.name, *rule.alternatives)
        if f"`{word}`" not in text
    ]
    assert missing == []
