"""House rules: defaults first, and nothing that is no alternative."""

from __future__ import annotations

import pytest

from companion.rules.facts import Refused
from companion.rules.house_rules import HouseRule, Number, read_options
from companion.rules.registry import open_game

RULES = (
    HouseRule("dealer", "X-1", ("left", "right", "nobody")),
    HouseRule("wild", "X-2", ("no", "yes")),
)
NUMBERS = (Number("error_us", "X-3", 100, 5000, "microseconds"),)


def test_what_is_not_given_has_its_default() -> None:
    options = read_options({}, RULES, NUMBERS)
    assert (options["dealer"], options["wild"], options.numbers) == (
        "left",
        "no",
        {"error_us": 100},
    )


def test_what_is_given_stands() -> None:
    options = read_options({"wild": "yes", "error_us": "0"}, RULES, NUMBERS)
    assert (options["dealer"], options["wild"], options.numbers) == ("left", "yes", {"error_us": 0})


def test_a_game_may_have_no_numbers() -> None:
    assert read_options({"dealer": "right"}, RULES).numbers == {}


def test_an_option_that_does_not_exist_is_refused_with_those_that_do() -> None:
    with pytest.raises(Refused) as caught:
        read_options({"moon": "full"}, RULES, NUMBERS)
    assert (
        str(caught.value)
        == "OPTION: there is no option 'moon'; expected one of dealer, wild, error_us"
    )


def test_an_option_that_is_mistyped_is_refused_with_the_one_that_was_meant() -> None:
    with pytest.raises(Refused) as caught:
        read_options({"deeler": "left"}, RULES, NUMBERS)
    assert str(caught.value) == "OPTION: there is no option 'deeler'; expected dealer"


def test_an_alternative_that_does_not_exist_is_refused_with_those_that_do() -> None:
    with pytest.raises(Refused) as caught:
        read_options({"dealer": "up"}, RULES, NUMBERS)
    assert (
        str(caught.value)
        == "X-1: there is no choice 'up' for dealer; expected left or right or nobody"
    )


@pytest.mark.parametrize(
    "text", ["", "-1", "5001", "1.5", "0x10", "²", "1" * 10, "a hundred", " 1"]
)
def test_a_number_out_of_range_is_refused_with_its_range(text: str) -> None:
    with pytest.raises(Refused) as caught:
        read_options({"error_us": text}, RULES, NUMBERS)
    assert (
        str(caught.value)
        == f"X-3: {text!r} is out of range for error_us; expected a whole number from 0 to 5000"
    )


@pytest.mark.parametrize(("text", "number"), [("0", 0), ("5000", 5000), ("000000007", 7)])
def test_a_number_may_be_as_large_as_its_most_and_have_nine_digits(text: str, number: int) -> None:
    assert read_options({"error_us": text}, RULES, NUMBERS).numbers == {"error_us": number}


def test_the_open_questions_of_fractured_sky_are_asked_in_words() -> None:
    rules = open_game("fractured-sky").house_rules
    for rule in rules:
        assert len(rule.choices) == len(rule.alternatives)
        for text in (rule.called, *map(rule.worded, rule.alternatives)):
            assert text
            assert "_" not in text
    assert len({rule.called for rule in rules}) == len(rules)
    skimmer = next(rule for rule in rules if rule.name == "zero_airship_plus_skimmer")
    assert f"{skimmer.called} {skimmer.worded('counts_1')}" == "A 0 Airship with a Skimmer counts 1"
