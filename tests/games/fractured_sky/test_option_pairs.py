"""Every pair of option values in random rounds, each fact compared with a second implementation of the clauses."""

from __future__ import annotations

import ast
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from companion.games.fractured_sky.rules import standing
from companion.games.fractured_sky.rules.ai import decide
from companion.games.fractured_sky.rules.board import Card
from companion.games.fractured_sky.rules.game import GAME
from companion.games.fractured_sky.rules.model import Deck, State
from companion.games.fractured_sky.rules.public import Built, Flight, PublicMark, Ship, TurnedCard
from companion.games.fractured_sky.rules.resolution import resolve
from companion.games.fractured_sky.rules.turns import new_round
from companion.rules.facts import Refused, Setup
from companion.rules.seats import seats_from_names
from tests.games import pairwise
from tests.games.fractured_sky import second_ai
from tests.games.fractured_sky.playing import EXAMPLE
from tests.games.fractured_sky.random_evening import Entry, RandomEvening, random_box
from tests.games.fractured_sky.second_opinion import BreaksRule, SecondOpinion
from tests.games.named import named_values
from tests.thorough import examples

PARTS = 4
NAMES = ["ada", "bo", "cleo", "dan", "eve"]
AI_OPTIONS = {
    "ai_cards", "ai_order", "ai_color", "difficulty", "ai_market_card", "ai_market_number", "ai_buildings",
    "ai_high_tokens", "ai_deck_empty", "several_large_stars", "compass_after_skip", "compass_card_owner",
    "compass_geometry", "near_starfalls", "building_advantage", "advantage_count", "advantage_buildings",
    "scout_compass_no_east_west", "early_reveal_scoutable", "ai_high_token_by", "ai_high_token_tie",
    "ai_none_eligible", "market_trade_rest",
}  # fmt: skip
"""Options that mean something only with an AI."""
TABLES = examples(6, 30)
"""So many tables are laid out at random for each row, beside the round that is played."""


def values(*, ais: bool) -> dict[str, tuple[str, ...]]:
    """The values to try of each option, with AIs in the game or without."""
    every = pairwise.choices(GAME.house_rules, (), {})
    return {option: choices for option, choices in every.items() if ais or option not in AI_OPTIONS}


@cache
def rows(*, ais: bool) -> list[pairwise.Row]:
    """Rows of all options."""
    rows = pairwise.covering_rows(values(ais=ais), pairwise.TIMES * examples(1, 10), seed=1)
    return [{rule.name: rule.default for rule in GAME.house_rules} | dict(row) for row in rows]


@cache
def games() -> list[tuple[int, pairwise.Row, int]]:
    """A number, the options, and how many people play, of each game."""
    with_ais = [(row, 1 + number % 2) for number, row in enumerate(rows(ais=True))]
    without = [(row, 3 + number % 2) for number, row in enumerate(rows(ais=False))]
    return [(number, row, seats) for number, (row, seats) in enumerate([*with_ais, *without])]


def played(part: int, *, ais: bool = False) -> Iterator[Compared]:
    """Yield the games of a part, or those of it with an AI."""
    for number, row, seats in games():
        if number % PARTS == part and (seats < 3 or not ais):
            yield Compared(row, number, seats)


class Compared:
    """A round by the rules and by the second opinion, which have to agree after each fact."""

    def __init__(self, row: pairwise.Row, number: int, people: int) -> None:
        rng = random.Random(number)
        seats = NAMES[:people]
        box = EXAMPLE if row["map"] == "example" else random_box(EXAMPLE, rng)
        self.second = SecondOpinion(seats, row, box)
        self.evening = RandomEvening(self.second, rng)
        self.begun: State = GAME.start(
            Setup(GAME.id, GAME.rules_version, seats_from_names(seats), row, box)
        )
        self.state = self.begun
        self.entries: list[Entry] = []

    def lay_out(self) -> None:
        """Make the state of the table that the second opinion has."""
        second = self.second
        state = replace(
            self.begun,
            held=dict(second.held),
            starfalls=dict(second.starfalls),
            market_cards=dict(second.market_card),
            buildings=tuple(Built(*piece) for piece in second.buildings),  # type: ignore[arg-type]
        )
        now = new_round(state, second.number, tuple(second.order))
        now = replace(
            now,
            public=second.public,
            hidden=tuple(second.tray),
            ships=tuple(Ship(*ship) for ship in second.ships),
            flights=tuple(Flight(*flight) for flight in second.skimmers),
            marks=tuple(PublicMark(player, card, taken=True) for player, card, _ in second.marks),
            turned=tuple(TurnedCard(ai, as_card(card), done) for ai, card, done in second.turned),
            slots=dict(second.slots),
            powers={player: tuple(chips) for player, chips in second.chips.items()},
            objective=None if second.objective is None else tuple(second.objective),
            decks={ai: self.deck(ai) for ai in second.ais},
        )
        self.state = replace(state, current=now)

    def deck(self, ai: str) -> Deck:
        placed = self.second.tokens[ai]
        out = [number for number in range(1, 7) if number not in placed] if placed else []
        return Deck(tokens=(*out[:3], *placed), lots=tuple(self.second.lots[ai]))

    def play(self) -> None:
        self.evening.lay_out()
        self.lay_out()
        for entry in self.evening.entries():
            self.entries.append(entry)
            self.enter(*entry)
            self.compare()

    def enter(self, kind: str, body: dict[str, Any]) -> None:
        by_clauses = by_rules = ""
        try:
            self.second.enter(kind, body)
        except BreaksRule as refusal:
            by_clauses = str(refusal)
        try:
            self.state = GAME.apply(self.state, GAME.parse(kind, body), len(self.entries))
        except Refused as refusal:
            by_rules = str(refusal)
        assert bool(by_clauses) == bool(by_rules), (by_clauses, by_rules, self.entries[-5:])

    def compare(self) -> None:
        """What is awaited and of whom, what lies where, what an AI is about to do."""
        state, second = self.state, self.second
        awaited = standing.phase(state)
        assert awaited == second.awaits(), self.entries[-4:]
        assert list(state.ais) == second.ais
        assert {player: standing.starfalls_of(state, player) for player in state.players} == {
            player: second.held[player] for player in second.players
        }
        assert +Counter(state.starfalls) == +Counter(second.starfalls)
        assert [
            (piece.player, piece.building, piece.platform) for piece in state.buildings
        ] == second.buildings
        assert {ai: state.market_cards.get(ai, 0) for ai in state.ais} == second.market_card
        now = state.now
        assert list(now.order) == second.order or second.over
        assert (standing.to_move(state) or "") == second.mover()
        assert (list(now.hidden), now.unused, list(now.draws)) == (
            second.tray,
            second.unused,
            second.draws,
        )
        assert dict(now.slots) == second.slots
        assert [(ship.player, ship.region) for ship in now.ships] == second.ships
        assert [(flight.player, flight.region) for flight in now.flights] == second.skimmers
        assert [(turn.ai, turn.card.kind, turn.carried_out) for turn in now.turned] == [
            (ai, card.kind, done) for ai, card, done in second.turned
        ]
        move = second.waiting
        if now.pending is not None and move is not None:
            decision = now.pending.decision
            assert (decision.card.kind, decision.target) == (move.card.kind, move.target), (
                self.entries[-4:]
            )
            assert sorted(decision.ask) == sorted(move.ask)
            assert (decision.compass is None) == (move.asks is None)
        if awaited in ("powers", "objective", "resolve") and None not in now.hidden:
            for player in state.players:
                assert _listed(standing.powers_of(state, player)) == second.powers(player), (
                    player,
                    self.entries,
                )
        if awaited == "resolve":
            self.compare_resolution()
        if awaited == "over":
            assert standing.winner(state) == second.winner()

    def compare_resolution(self) -> None:
        """The regions with powers, ranks and Market yields, and what all of it comes to."""
        ours, second = resolve(self.state), self.second.resolved()
        for result in ours.regions:
            shares = [
                (share.player, share.power, share.tier, share.markets) for share in result.standings
            ]
            assert shares == second["regions"].pop(result.region)
        assert not any(second["regions"].values())
        assert dict(ours.gains) == second["gains"]
        assert dict(ours.left) == second["stay"]
        assert {ai: ours.market_cards.get(ai, 0) for ai in self.state.ais} == second["cards"]


def as_card(card: second_ai.Card) -> Card:
    """The card as the rules have it."""
    return Card(card.kind, tuple(card.stars), tuple(card.large), card.more)  # type: ignore[arg-type]


def _listed(powers: tuple[int, ...] | None) -> list[int] | None:
    return None if powers is None else list(powers)


@pytest.mark.parametrize("part", range(PARTS))
def test_random_rounds_come_to_what_the_clauses_say_with_each_pair_of_option_values(
    part: int,
) -> None:
    for game in played(part):
        game.play()


@pytest.mark.parametrize("part", range(PARTS))
def test_ais_decide_as_the_clauses_say_on_random_tables(part: int) -> None:
    for game in played(part, ais=True):
        for _ in range(TABLES):
            game.second.clear()
            game.evening.lay_out()
            game.evening.scatter((0, 1, 2))
            game.lay_out()
            table = standing.table_of(game.state)
            for ai in game.second.ais:
                card = game.evening.card()
                ours, move = decide(table, ai, as_card(card)), game.second.move(ai, card)
                assert bool(ours.impossible) != move.possible
                assert (ours.target, sorted(ours.ask)) == (move.target, sorted(move.ask)), (
                    card,
                    vars(game.second),
                )


@pytest.mark.parametrize("part", range(PARTS))
def test_random_tables_resolve_as_the_clauses_say(part: int) -> None:
    for game in played(part):
        for _ in range(TABLES):
            game.second.clear()
            game.evening.lay_out()
            game.evening.scatter((1, 2, 3))
            game.evening.end_round()
            game.lay_out()
            game.compare_resolution()


def test_each_pair_of_values_of_two_options_is_played_in_at_least_twenty_random_games() -> None:
    assert pairwise.rarest(values(ais=True), rows(ais=True)) >= pairwise.TIMES
    assert pairwise.rarest(values(ais=False), rows(ais=False)) >= pairwise.TIMES


def test_the_pairs_are_of_all_options_and_values_that_the_rules_name() -> None:
    assert named_values("fractured-sky") == {
        option: set(choices) for option, choices in values(ais=True).items()
    }
    assert set(values(ais=False)) == set(values(ais=True)) - AI_OPTIONS


@pytest.mark.parametrize("name", ["second_opinion", "second_ai"])
def test_the_second_opinion_shares_no_code_with_the_rules(name: str) -> None:
    tree = ast.parse((Path(__file__).parent / f"{name}.py").read_text())
    imported = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    imported += [
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
    ]
    assert not [module for module in imported if module.startswith("companion")]
