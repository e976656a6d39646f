"""The setup checklist of each of our games, for every number of players and every house rule."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from companion.games.sky_rise.rules.model import OPAQUE_PYRAMIDS
from companion.rules.components import as_json as box_json, example
from companion.rules.facts import Refused, Setup
from companion.rules.registry import GAMES, open_game
from companion.rules.seats import seats_from_names, unnamed

NAME = "Maximiliane-Theodora"  # as long as names get
CODE = re.compile(r"\b[A-Z]{2}-[A-Z]?\d")
OURS = ("panic-fire", "skyfire", "sky-rise", "fractured-sky")


def state_of(game_id: str, players: int, box: dict[str, Any] | None = None, **options: str) -> Any:
    names = [NAME, *unnamed(players)[1:]]
    rules = open_game(game_id)
    return rules.start(
        Setup(game_id, rules.rules_version, seats_from_names(names), options, box or {})
    )


def steps(
    game_id: str, players: int, box: dict[str, Any] | None = None, **options: str
) -> tuple[str, ...]:
    return tuple(open_game(game_id).checklist(state_of(game_id, players, box, **options)))


def setups(game_id: str) -> Iterator[tuple[int, dict[str, str], dict[str, Any]]]:
    """Yield every number of players, with every choice of every house rule, and with the made-up box."""
    game = open_game(game_id)
    for players in game.seat_counts:
        yield players, {}, box_json(example(game_id))
        for rule in game.house_rules:
            yield from ((players, {rule.name: choice}, {}) for choice in rule.alternatives)


@pytest.mark.parametrize("game_id", OURS)
def test_each_step_is_a_plain_sentence_without_codes_whatever_the_setup(game_id: str) -> None:
    text = 0
    for players, options, box in setups(game_id):
        try:
            lines = steps(game_id, players, box, **options)
        except Refused:
            continue
        text += 1
        assert len(lines) == len(set(lines)) > 4
        for line in lines:
            assert line[0].isupper(), line
            assert line.endswith("."), line
            assert not CODE.search(line), line
            assert "_" not in line, line
            assert len(line) <= 160, line
    assert text >= len(open_game(game_id).seat_counts)


def has(lines: tuple[str, ...], *wanted: str) -> bool:
    return all(any(words in line for line in lines) for words in wanted)


@pytest.mark.parametrize(("players", "removed", "pile"), [(2, 0, 90), (3, 4, 78), (5, 1, 65)])
def test_panic_fire_counts_what_is_left_for_the_piles(
    players: int, removed: int, pile: int
) -> None:
    lines = steps("panic-fire", players, removed_shields=str(removed))
    assert has(lines, "6 Bullet cards", "Deal 8", f"the {pile} cards", f"{NAME} deals")
    assert has(lines, "Shield") == bool(removed)


@pytest.mark.parametrize(
    ("players", "zones", "fireworks", "left"), [(3, 2, 12, 0), (4, 3, 20, 4), (5, 4, 20, 0)]
)
def test_skyfire_takes_white_out_for_three_and_marks_a_zone_less_than_players(
    players: int, zones: int, fireworks: int, left: int
) -> None:
    lines = steps("skyfire", players)
    assert has(
        lines, f"Lay {zones} of the", f"Shuffle the {fireworks} fireworks", "4 targets", "finale"
    )
    assert has(lines, "white") == (players == 3)
    assert has(lines, "left over") == bool(left)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_sky_rise_shares_out_all_opaque_pyramids_and_makes_royals_for_four_and_five(
    players: int,
) -> None:
    lines = steps("sky-rise", players)
    (shares,) = (line.partition(": ")[2] for line in lines if "opaque" in line)
    assert sum(int(word.rstrip(".").split()[-1]) for word in shares.split(",")) == OPAQUE_PYRAMIDS
    assert has(lines, "royals", "Joker", "45 cards", "draw pile") == (players > 3)
    assert has(lines, "48 cards") == (players <= 3)
    assert has(lines, f"draw pile of {state_of('sky-rise', players).pile} cards")


def test_a_five_suit_deck_has_neither_royals_nor_a_joker_and_loses_a_suit_with_few_players() -> (
    None
):
    few, many = (steps("sky-rise", players, deck="five_suit") for players in (3, 4))
    assert not has(few, "Joker")
    assert not has(many, "Joker")
    assert has(few, "the aces and the fifth suit out")
    assert has(many, "the aces out of the five-suit deck")


@pytest.mark.parametrize(
    ("players", "board", "ais"),
    [(1, "8 regions and 3", 2), (2, "8 regions and 3", 1), (4, "10 regions and 5", 0)],
)
def test_fractured_sky_sets_the_side_the_trays_and_the_ais_up(
    players: int, board: str, ais: int
) -> None:
    lines = steps("fractured-sky", players, difficulty="hard")
    assert has(lines, board, "28 Starfall tokens", "turn slots")
    assert has(lines, "Frosty Fjord and Wayward Wood out") == (players < 4)
    assert has(lines, "5 face down in a row on the tray") == (players > 1)
    assert (
        sum(
            "gets 4 Fortresses, 4 Markets, 2 Skimmers and its Market card" in line for line in lines
        )
        == ais
    )


def test_what_the_companion_deals_stays_in_the_box() -> None:
    assert has(
        steps("fractured-sky", 2, starfalls="virtual"), "Both Starfall decks stay in the box"
    )
    assert has(steps("fractured-sky", 2, map="example"), "companion turns up the AIs' action cards")
    assert has(steps("fractured-sky", 2), "Shuffle each AI's action cards"), (
        "nobody knows the cards of a real box"
    )


@pytest.mark.usefixtures("sample_game")
def test_a_game_of_others_needs_no_checklist() -> None:
    assert open_game("pebbles").checklist(state_of("pebbles", 2)) == ()
    assert set(OURS) < set(GAMES)
