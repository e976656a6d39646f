"""Immutable states: replacing their parts, and caching what is read from them."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import pytest

from companion.rules.once import MAX_CACHED, once
from companion.rules.registry import GAMES
from companion.rules.replacing import replace

COMPANION = Path(__file__).resolve().parents[2] / "companion"
COUNTS_STEPS = {"Evaluation", "Work"}
"""Classes that are no part of a state: they count the steps of an evaluation."""


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand with a number that is never negative."""

    seat: str
    cards: tuple[str, ...] = ()
    number: int = 0

    def __post_init__(self) -> None:
        if self.number < 0:
            raise ValueError("a negative number")


HAND = Hand("ada", ("Comet",), 3)


def test_a_replaced_part_is_as_dataclasses_replace_it() -> None:
    assert (
        replace(HAND, number=4) == dataclasses.replace(HAND, number=4) == Hand("ada", ("Comet",), 4)
    )
    assert replace(HAND, seat="bo", cards=()) == Hand("bo", (), 3)
    assert replace(HAND) == HAND
    assert Hand("ada", ("Comet",), 3) == HAND


def test_what_a_class_refuses_is_refused_where_it_is_replaced_too() -> None:
    with pytest.raises(ValueError, match="a negative number"):
        replace(HAND, number=-1)


def test_what_is_read_once_is_read_anew_for_an_equal_but_other_thing() -> None:
    asked: list[Hand] = []

    @once
    def read(hand: Hand) -> int:
        asked.append(hand)
        return hand.number

    other = replace(HAND)
    assert [read(HAND), read(HAND), read(other), read(HAND)] == [3] * 4
    assert list(map(id, asked)) == [id(HAND), id(other)]


def test_what_is_read_once_of_several_things_is_kept_until_there_are_many() -> None:
    asked: list[tuple[str, Hand]] = []

    @once
    def read(word: str, hand: Hand) -> str:
        asked.append((word, hand))
        return f"{word} {hand.number}"

    hands = [Hand("ada", (), number) for number in range(MAX_CACHED + 1)]
    first, second = hands[:2]
    assert [read("has", hand) for hand in (first, second, first, second)] == [
        "has 0",
        "has 1",
        "has 0",
        "has 1",
    ]
    assert asked == [("has", first), ("has", second)]
    assert [read("had", second), read("has", replace(second)), read("has", second)] == [
        "had 1",
        "has 1",
        "has 1",
    ]
    assert len(asked) == 4
    for _ in range(2):
        assert [read("has", hand) for hand in hands] == [
            f"has {number}" for number in range(MAX_CACHED + 1)
        ]
    assert len(asked) > 2 * MAX_CACHED


@pytest.mark.parametrize("game_id", [*GAMES, "own"])
def test_every_part_of_a_games_state_is_frozen_and_has_slots(game_id: str) -> None:
    package = f"companion.games.{game_id.replace('-', '_')}.rules"
    count = 0
    for path in sorted((COMPANION.parent / Path(*package.split("."))).glob("*.py")):
        module = import_module(f"{package}.{path.stem}")
        for name, part in vars(module).items():
            if (
                dataclasses.is_dataclass(part)
                and part.__module__ == module.__name__
                and name not in COUNTS_STEPS
            ):
                assert getattr(part, "__dataclass_params__").frozen, name  # noqa: B009 - mypy does not know it
                assert "__slots__" in vars(part), name
                count += 1
    assert count > 1
