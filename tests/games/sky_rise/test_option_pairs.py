"""Every pair of option values in random games, each fact checked against a second implementation of the clauses."""

from __future__ import annotations

import ast
import random
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from companion.games.sky_rise.rules import turns
from companion.games.sky_rise.rules.facts import Color
from companion.games.sky_rise.rules.game import GAME
from companion.games.sky_rise.rules.model import State
from companion.games.sky_rise.rules.standings import contenders, winners
from companion.rules.facts import Moment, Refused, Setup
from companion.rules.registry import info_of
from companion.rules.seats import seats_from_names
from tests.games import pairwise
from tests.games.named import named_values
from tests.games.sky_rise.playing import NAMES
from tests.games.sky_rise.random_table import Entry, RandomTable
from tests.games.sky_rise.second_opinion import BreaksRule, SecondOpinion
from tests.thorough import examples

PARTS = 4
BOX = tomllib.loads(info_of("sky-rise").text("components.toml"))
COLORS: list[Color] = [row["name"] for row in BOX["color"]]
FIVE_SUIT = next(
    row["value"] for row in BOX["count"] if row["name"] == "cards of a suit in a five-suit deck"
)
HOUSE_RULES = {rule.name for rule in GAME.house_rules}
FOUR_COLORS, FIVE_COLORS = ("2", "3"), ("4", "5")
"""Numbers of players."""


def values() -> dict[str, tuple[str, ...]]:
    """Return the values to try for each option."""
    return pairwise.choices(GAME.house_rules, GAME.numbers, {"stamp_error_us": ("0", "4")})


@cache
def rows() -> list[pairwise.Row]:
    return pairwise.covering_rows(values(), pairwise.TIMES * examples(1, 10), seed=1)


def players_of(row: pairwise.Row, rng: random.Random) -> int:
    """Return the number of players: as many as fit the colors."""
    return int(
        rng.choice(
            {"4": FOUR_COLORS, "5": FIVE_COLORS}.get(row["colors"], FOUR_COLORS + FIVE_COLORS)
        )
    )


class Compared:
    """A game by the rules and by the second opinion, which must agree after each fact."""

    def __init__(self, row: pairwise.Row, number: int) -> None:
        rng = random.Random(number)
        seats = NAMES.split()[: players_of(row, rng)]
        version = 2 if number % 6 == 0 else GAME.rules_version
        self.second = SecondOpinion(seats, row, COLORS, FIVE_SUIT, 0 if version == 2 else 100_000)
        self.table = RandomTable(self.second, rng)
        self.state: State = GAME.start(Setup(GAME.id, version, seats_from_names(seats), row))
        self.entries: list[Entry] = []

    def play(self) -> None:
        for entry in self.table.entries():
            self.entries.append(entry)
            self.enter(*entry)
            self.compare()
        self.compare_points()

    def enter(self, kind: str, body: dict[str, Any], at: dict[str, Any] | None) -> None:
        moment = None if at is None else Moment(**at)
        fact = GAME.parse(kind, body).model_copy(update={"at": moment})
        built = len(self.second.levels)
        by_clauses = by_rules = ""
        try:
            self.second.enter(kind, body, at)
        except BreaksRule as refusal:
            by_clauses = str(refusal)
        try:
            self.state = GAME.apply(self.state, fact, len(self.entries))
        except Refused as refusal:
            by_rules = str(refusal)
        assert bool(by_clauses) == bool(by_rules), (by_clauses, by_rules, self.entries[-5:])
        if len(self.second.levels) > built or self.second.revealed:
            self.compare_points()

    def compare(self) -> None:
        """Compare whose turn it is, what passed automatically, and what lies where."""
        state, second = self.state, self.second
        level = state.level
        ours = (
            level.number,
            level.starter,
            level.stage.replace("done", "built"),
            turns.due(state),
            level.turn,
        )
        assert ours == (
            second.level.number,
            second.level.starter,
            second.stage,
            second.due,
            second.mover,
        )
        lists = (list(level.closed), list(level.tried), list(level.skipped))
        assert lists == (second.waiting, second.tried, second.passed)
        assert (dict(state.hands), state.pile) == (second.hands, second.pile)
        assert turns.room(state) == second.room() or level.stage == "done"
        assert {goals.seat: (goals.nest, goals.tree) for goals in state.goals} == second.goals
        assert list(contenders(state)) == second.contenders()
        assert list(winners(state)) == second.winners()

    def compare_points(self) -> None:
        """Compare all points, with their sources."""
        second, report = self.second, GAME.report(self.state)
        assert report["totals"] == {seat: second.points(seat) for seat in second.seats}
        assert report["colors"] == {
            color: second.color_total(color) for color in second.color_of.values()
        }
        assert {one: own["opaque_left"] for one, own in report["seats"].items()} == {
            seat: second.wild_left(seat) for seat in second.seats
        }
        for told, level in zip(report["rounds"], second.levels, strict=True):
            assert told["points"] == {seat: second.placement(level, seat) for seat in second.seats}
            for color in second.colors:
                groups = [one["points"] for one in told["groups"] if one["color"] == color]
                assert sorted(groups) == ([] if level.roof else second.groups(level, color))
        if second.begun:
            assert {one["seat"]: one["us"] for one in report["showdown"]} == second.times()
        if second.revealed:
            stand = {
                seat: own["columns"]
                for seat, own in report["seats"].items()
                if own["columns"] is not None
            }
            assert {seat: len(found) for seat, found in stand.items()} == {
                seat: second.columns(second.goals[seat][1]) for seat in stand
            }


@pytest.mark.parametrize("part", range(PARTS))
def test_random_games_come_to_what_the_clauses_say_with_each_pair_of_option_values(
    part: int,
) -> None:
    for number, row in enumerate(rows()):
        if number % PARTS == part:
            Compared(row, number).play()


def test_each_pair_of_values_of_two_options_is_played_in_at_least_twenty_random_games() -> None:
    assert pairwise.rarest(values(), rows()) >= pairwise.TIMES


def test_the_pairs_are_of_all_options_and_values_that_the_rules_name() -> None:
    assert named_values("sky-rise") == {
        option: set(each) for option, each in values().items() if option in HOUSE_RULES
    }
    assert set(values()) == {*HOUSE_RULES, "stamp_error_us"}


@pytest.mark.parametrize("name", ["second_opinion", "second_points"])
def test_the_second_opinion_shares_no_code_with_the_rules(name: str) -> None:
    tree = ast.parse((Path(__file__).parent / f"{name}.py").read_text())
    imported = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    imported += [
        one.name for node in ast.walk(tree) if isinstance(node, ast.Import) for one in node.names
    ]
    assert not [module for module in imported if module.startswith("companion")]
