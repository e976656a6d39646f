"""Two house rules at once, or a house rule and a second condition."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.panic_fire.rules import fold as rules
from tests.games.panic_fire.playing import Record, begun

FOUR = "red blue green yellow"
DEALT = 106 - 4 * 8


def of_version(version: int, seats: str, **options: str) -> Record:
    """Return a session begun by that version of the rules."""
    record = Record(seats, **options)
    record.setup = replace(record.setup, rules_version=version)
    record.state = rules.start(record.setup)
    return record


def both_count(
    *shots: tuple[str, str, str],
    shield: str = "",
    version: int = rules.RULES_VERSION,
    **options: str,
) -> Record:
    """Enter two shots of one instant with shooter, target and match each; both count by ruling. `shield` has a
    Shield in play."""
    record = of_version(version, FOUR, shot_disputes="table", **options)
    record.do("fire")
    if shield:
        record.do("shield_in_play", seat=shield)
    for _ in shots:
        record.do("shot")
    for shooter, target, basis in shots:
        record.do("match", basis=basis)
        record.do("target", seat=target)
        record.do("shooter", seat=shooter)
    record.do("tie_break", order="both")
    return record


def test_pf14_both_shooters_of_a_tie_who_are_still_in_lay_a_new_set() -> None:
    record = both_count(("red", "blue", "shooter"), ("green", "yellow", "shooter"))
    assert record.alive == {"red", "green"}
    assert record.cards == (DEALT - 8, DEALT - 8)


def test_pf13_the_first_shooter_of_a_tie_who_is_shot_in_it_lays_no_new_set() -> None:
    record = both_count(("red", "blue", "both"), ("green", "red", "both"))
    assert record.alive == {"green", "yellow"}
    assert record.cards == (DEALT - 4, DEALT - 4)


def test_pf13_the_second_shooter_of_a_tie_who_is_shot_in_it_lays_no_new_set() -> None:
    record = both_count(("red", "blue", "both"), ("blue", "green", "both"))
    assert record.alive == {"red", "yellow"}
    assert record.cards == (DEALT - 4, DEALT - 4)


def test_pf_r7_a_cleared_match_is_laid_anew_though_its_shooter_is_out_at_that_instant() -> None:
    record = both_count(
        ("red", "blue", "target"),
        ("green", "red", "target"),
        shield="blue",
        blocked_match="cleared",
    )
    assert record.alive == {"blue", "green", "yellow"}
    assert record.cards == (DEALT - 4, DEALT - 4)


def test_pf_r7_who_is_out_at_that_instant_lays_no_set_for_a_cleared_match() -> None:
    record = both_count(
        ("red", "blue", "target"),
        ("green", "blue", "target"),
        shield="blue",
        blocked_match="cleared",
    )
    assert record.alive == {"red", "green", "yellow"}
    assert record.cards == (DEALT, DEALT)


@pytest.mark.parametrize(
    ("second", "gone"), [(("green", "red", "target"), 0), (("green", "blue", "target"), 4)]
)
def test_pf_r7_in_a_session_of_version_2_the_first_shooter_decides_that(
    second: tuple[str, str, str], gone: int
) -> None:
    record = both_count(
        ("red", "blue", "target"), second, shield="blue", version=2, blocked_match="cleared"
    )
    assert record.cards == (DEALT - gone, DEALT - gone)


def test_pf_r6_a_shield_from_hand_is_replaced_though_its_shooter_is_out_at_that_instant() -> None:
    record = begun(FOUR, shot_disputes="table", shield_discard_draws="yes")
    for _ in range(2):
        record.do("shot")
    record.do("match", basis="target")
    record.do("target", seat="blue")
    record.do("shooter", seat="red")
    record.do("shield_hand")
    record.do("match", basis="target")
    record.do("target", seat="red")
    record.do("shooter", seat="green")
    record.do("tie_break", order="both")
    assert record.alive == {"blue", "green", "yellow"}
    assert record.cards == (DEALT - 1, DEALT - 1)


@pytest.mark.parametrize(("draws", "gone"), [("no", 0), ("yes", 1)])
def test_pf_r7_the_shield_from_hand_of_an_illegal_shooter_is_replaced_or_not(
    draws: str, gone: int
) -> None:
    record = begun(FOUR, illegal_shot_shield="saves", shield_discard_draws=draws)
    record.shoot("red", "blue")
    record.do("illegal")
    record.do("shield_hand")
    assert record.alive == {"red", "blue", "green", "yellow"}
    assert record.cards == (DEALT - gone, DEALT - gone)


@pytest.mark.parametrize("draws", ["no", "yes"])
def test_pf_r7_the_shield_in_play_of_an_illegal_shooter_is_never_replaced(draws: str) -> None:
    record = begun(FOUR, illegal_shot_shield="saves", shield_discard_draws=draws)
    record.do("shield_in_play", seat="red")
    record.shoot("red", "blue")
    record.do("illegal")
    assert record.cards == (DEALT, DEALT)


@pytest.mark.parametrize(
    ("exhausted", "draws", "most"),
    [
        ("reshuffle", "no", 106 - 3 * 8 + 1),
        ("reshuffle", "yes", 106 - 3 * 8),
        ("play_on", "no", 106 - 3 * 4),
        ("play_on", "yes", 106 - 3 * 4),
    ],
)
def test_pf_r1_a_spent_shield_counts_in_a_new_pile_only_where_hands_have_to_be_full(
    exhausted: str, draws: str, most: int
) -> None:
    record = begun(pile_exhausted=exhausted, shield_discard_draws=draws)
    record.shoot("red", "blue")
    record.do("shield_hand")
    record.refuses("reshuffle", "PF-R1", cards=most + 1, reason="said at the table")
    record.do("reshuffle", cards=most, reason="said at the table")


def test_pf_r1_the_spent_shield_of_who_is_out_is_no_more_of_a_new_pile() -> None:
    record = begun(FOUR)
    record.shoot("red", "blue")
    record.do("shield_hand")
    record.shoot("red", "blue")
    record.refuses("reshuffle", "PF-R1", cards=106 - 3 * 8 + 1)
    record.do("reshuffle", cards=106 - 3 * 8)


@pytest.mark.parametrize(
    ("version", "rule", "champion"),
    [(3, "tied_only", None), (3, "all", None), (2, "tied_only", None), (2, "all", "red")],
)
def test_pf18_a_sudden_death_decides_no_other_tie_whoever_played_it(
    version: int, rule: str, champion: str | None
) -> None:
    record = of_version(version, "red blue green", sudden_death_players=rule)
    for winner in ("red", "blue", "red", "blue", "red", "blue", "red"):
        record.win(winner)
    assert record.champion == "red"
    record.do("score_set", seat="blue", score=0, reason="wrong")
    record.do("score_set", seat="green", score=3, reason="they were green's")
    assert record.champion == champion


def test_pf18_a_sudden_death_decides_a_tie_that_somebody_left_meanwhile() -> None:
    record = Record()
    for winner in ("red", "blue", "green") * 2:
        record.win(winner)
    record.do("fire")
    record.do("seat_leaves", seat="green")
    assert record.champion is None
    record.shoot("red", "blue")
    assert record.champion == "red"
