"""The hit sensor's analog pin as STATS describes it, in words: what is connected, and the remedy for a fault."""

from __future__ import annotations

import pytest

from companion.link.hit_input import DRIVEN_FROM, SLOW_US, TIED_BELOW, HitInput
from firmware_protocol.board import hit
from firmware_protocol.messages import HIT_OPEN, HIT_PIEZO, HIT_RESISTOR, Stats

PULLED_BY_65_KOHM = 2482
"""What 100 kohm read of 4095 beside it."""


def hit_input(
    summary: int, up: int = PULLED_BY_65_KOHM, down: int = 0, charge_us: int = 40
) -> HitInput:
    result = HitInput.of(Stats(0, 0, 0, 0, 0, 0, summary, up, down, charge_us))
    assert result is not None
    return result


@pytest.mark.parametrize(
    ("hit", "summary", "sentence"),
    [
        (
            hit_input(HIT_OPEN, 4095, charge_us=20),
            "nothing at its analog pin",
            "No piezo is connected: nothing holds",
        ),
        (
            hit_input(HIT_OPEN, 4095, charge_us=1100),
            "a piezo without its resistor",
            "The piezo has no resistor beside it",
        ),
        (
            hit_input(HIT_RESISTOR),
            "its resistor and no piezo",
            "resistor is there, but no piezo. Plug the gun in",
        ),
        (
            hit_input(HIT_RESISTOR, 40),
            "wrong wiring at its analog pin",
            "pin is tied to ground, so no hit can be read.",
        ),
        (
            hit_input(HIT_RESISTOR, 4000, 3000),
            "wrong wiring at its analog pin",
            "Something drives the hit sensor's analog",
        ),
        (
            hit_input(HIT_RESISTOR, 546),
            "wrong wiring at its analog pin",
            "has some 10 kohm instead of 100 to ground.",
        ),
        (
            hit_input(HIT_PIEZO, charge_us=760),
            "a piezo and its resistor",
            "A piezo and its resistor are at",
        ),
        (
            hit_input(HIT_PIEZO, 3845, charge_us=760),
            "wrong wiring at its analog pin",
            "has some 1000 kohm instead of 100",
        ),
    ],
)
def test_what_was_found_is_said_with_what_to_do(hit: HitInput, summary: str, sentence: str) -> None:
    assert hit.summary == summary
    assert sentence in hit.sentence


@pytest.mark.parametrize("pull_kohm", [50, 65, 80])
@pytest.mark.parametrize("kohm", [0.95 * 47, 0.95 * 100, 105 + 6])
def test_a_right_resistor_is_no_fault_whatever_the_chips_pull(pull_kohm: int, kohm: float) -> None:
    assert hit_input(HIT_PIEZO, round(4095 * kohm / (kohm + pull_kohm)), charge_us=760).fault == ""


@pytest.mark.parametrize("pull_kohm", [50, 65, 80])
@pytest.mark.parametrize("kohm", [10, 1000])
def test_a_wrong_resistor_is_a_fault_whatever_the_chips_pull(pull_kohm: int, kohm: float) -> None:
    assert (
        "kohm instead of 100"
        in hit_input(HIT_PIEZO, round(4095 * kohm / (kohm + pull_kohm)), charge_us=760).fault
    )


def test_every_reading_can_be_said() -> None:
    for summary in (HIT_OPEN, HIT_RESISTOR, HIT_PIEZO):
        for up in range(4096):
            hit = hit_input(summary, up)
            assert hit.summary
            assert hit.sentence.endswith(".")


def test_a_board_that_has_not_tested_it_says_nothing_of_it() -> None:
    assert HitInput.of(None) is None
    assert HitInput.of(Stats(0, 0, 0, 0, 0, 98_304)) is None


def test_the_words_draw_the_line_where_the_board_draws_it() -> None:
    assert (SLOW_US, DRIVEN_FROM, TIED_BELOW) == (hit._PIEZO_US, hit._OPEN_DOWN, hit._LEAST_RISE)
