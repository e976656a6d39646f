"""A check that no play can satisfy is told of as such, and no other check is."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from companion import cli
from companion.exits import Exit
from companion.games.own import possible
from companion.games.own.rules.expressions import (
    Expression,
    Names,
    NotAnExpression,
    NoValue,
    Value,
    ValueSource,
    evaluated,
    read_expression,
)
from companion.games.own.rules.reading import rules_of
from tests.games.own.files import TEXTS
from tests.thorough import examples

HEARTS = TEXTS["hearts"]
WHOLE = "no play can satisfy this; expected a check that can hold"


def of_hearts(check: str, seats: str = "[4, 4]") -> list[str]:
    text = HEARTS.replace('when = "sum(taken) == 26"', f'when = "{check}"').replace("[4, 4]", seats)
    return [
        why for where, why in possible.impossible(rules_of(text)) if where == ("checks", "HE-1")
    ]


@pytest.mark.parametrize(
    "check",
    [
        *(
            "0",
            "sum(taken) == 105",
            "sum(taken) < 0",
            "max(taken) > 26",
            "min(taken) == -1",
            "count(taken) == 5",
        ),
        *("round < 1", "players > 4", "moon == 2", "sum(taken) == 26 and 0", "0 or not 1"),
        *(
            "min(taken) > 26 or max(taken) > 30",
            "1 if sum(taken) > 104 else 0",
            "sum(taken) // 200 == 1",
            "-1 > 0",
        ),
        *(
            "max(points) > 26",
            "max(total(taken)) < 0",
            "sum(taken) % 3 == 4",
            "max(taken * taken) == 677",
            "1/2 > 3/4",
        ),
    ],
)
def test_a_check_that_can_never_hold_is_told_of(check: str) -> None:
    assert of_hearts(check) == [WHOLE]


@pytest.mark.parametrize(
    "check",
    [
        *(
            "1",
            "sum(taken) == 26",
            "sum(taken) == 104",
            "max(taken) == 26",
            "count(taken) == 4",
            "round > 30",
        ),
        *(
            "moon",
            "players == 1",
            "-1",
            "sum(taken) / 8 == 13",
            "max(total(taken)) > 1000",
            "1 / sum(taken) > 0",
        ),
    ],
)
def test_a_check_that_can_hold_is_not(check: str) -> None:
    assert of_hearts(check) == []


def test_a_check_that_can_never_hold_with_some_number_of_players_is_told_of_with_that_number() -> (
    None
):
    assert of_hearts("sum(taken) == 60", "[2, 4]") == [f"with 2 players, {WHOLE}"]


@pytest.mark.parametrize(
    ("check", "expected"),
    [
        *(
            ("max(rank(taken)) > 4", True),
            ("min(rank(taken)) < 0", True),
            ("max(rank(taken)) == 4", False),
        ),
        *(("max(team(taken)) > 104", True), ("max(team(taken)) == 52", False)),
        *(
            ("count(used(taken)) > 4", True),
            ("count(used(taken)) == 4", False),
            ("max(used(taken)) == 2", True),
        ),
    ],
)
def test_what_functions_of_format_2_can_come_to_is_known(check: str, expected: bool) -> None:
    text = HEARTS.replace("format = 1", "format = 2").replace(
        'when = "sum(taken) == 26"', f'when = "{check}"'
    )
    paths = [where for where, _ in possible.impossible(rules_of(text))]
    assert (("checks", "HE-1") in paths) is expected


def test_games_check_names_the_check_and_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(HEARTS.replace('when = "sum(taken) == 26"', 'when = "sum(taken) == 126"'))
    assert cli.main(["games", "check", str(path)]) == Exit.DATA
    line = path.read_text().splitlines().index("[checks.HE-1]") + 1
    assert f"{path}, line {line}: checks.HE-1: {WHOLE}\n" in capsys.readouterr().err


class Table(ValueSource):
    """Three players with some numbers, and some rounds that are over."""

    def __init__(self, rng: random.Random) -> None:
        self._taken = {seat: rng.randint(0, 26) for seat in "xyz"}
        self._kept = {
            seat: [rng.randint(0, 26) for _ in range(rng.randint(0, 3))] for seat in "xyz"
        }
        self._moon = rng.randint(0, 1)

    def value(self, name: str, seat: str) -> Value | Expression:
        return {
            "round": 1 + len(self._kept["x"]),
            "players": 3,
            "moon": self._moon,
            "taken": self._taken.get(seat, 0),
        }[name]

    def seats(self) -> Sequence[str]:
        return tuple(self._taken)

    def team(self, seat: str) -> Sequence[str]:
        return (seat,)

    def used(self, name: str, seat: str) -> bool:
        return bool(name and seat)

    def rounds(self, name: str, seat: str) -> Sequence[Value]:
        assert name == "taken"
        return self._kept[seat]


def made_up(rng: random.Random, depth: int, *, seat: bool) -> str:
    """Return an expression at random, of a player or of the table."""
    if depth == 0:
        own = (
            ["taken", "total(taken)", "best(taken)", "worst(taken)", "last(taken)"] if seat else []
        )
        return rng.choice(["1", "0", "26", "-3", "1/2", "round", "players", "moon", *own])

    def part(*, of_seat: bool = seat) -> str:
        return made_up(rng, depth - 1, seat=of_seat)

    kind = rng.randrange(6)
    if kind == 0:
        return f"{rng.choice(['sum', 'max', 'min', 'count'])}({part(of_seat=True)})"
    if kind == 1:
        return f"({part()} if {part()} else {part()})"
    if kind == 2:
        return f"({rng.choice(['-', 'not '])}{part()})"
    signs = ["+", "-", "*", "/", "//", "%", "<", "<=", "==", "!=", ">", ">=", "and", "or"]
    return f"({part()} {rng.choice(signs)} {part()})"


def test_no_play_has_a_value_that_was_said_to_be_impossible() -> None:
    rng, own = random.Random(3), rules_of(HEARTS.replace("[4, 4]", "[3, 3]"))
    names = Names(
        frozenset({"round", "players", "moon"}), frozenset({"taken"}), frozenset({"taken"})
    )
    worked_out = 0
    for _ in range(examples(1500, 50_000)):
        try:
            expression = read_expression(made_up(rng, 3, seat=False), names, for_seat=False)
        except NotAnExpression:
            continue
        low, high = possible.span_of(expression, own, 3)
        for _ in range(3):
            try:
                value = evaluated(expression, Table(rng))
            except NoValue:
                continue
            worked_out += 1
            assert low <= value <= high
    assert worked_out > 1000
