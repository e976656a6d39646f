"""States that never change: how parts of them are replaced, and how what is read off them is kept."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import pytest

from companion.rules.once import once, once_for_each
from companion.rules.replacing import replace


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
    assert replace(HAND, number=4) == dataclasses.replace(HAND, number=4) == Hand("ada", ("Comet",), 4)
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
    assert list(map(id, asked)) == [id(HAND), id(other), id(HAND)]


def test_what_is_read_once_for_each_of_some_things_is_read_anew_for_one_that_was_not_among_the_last() -> None:
    asked: list[tuple[str, Hand]] = []

    @once_for_each(2)
    def read(word: str, hand: Hand) -> str:
        asked.append((word, hand))
        return f"{word} {hand.number}"

    one, two, three = (Hand("ada", (), number) for number in (1, 2, 3))
    assert [read("has", each) for each in (one, two, one, two)] == ["has 1", "has 2", "has 1", "has 2"]
    assert asked == [("has", one), ("has", two)]
    assert read("had", two) == "had 2"  # the other word: now `one` is not among the last two
    assert read("has", two) == "has 2"
    assert len(asked) == 3
    assert [read("has", three), read("has", one)] == ["has 3", "has 1"]
    assert len(asked) == 5
