"""A state as text is the same state again, for every game; any other text is refused."""

from __future__ import annotations

import json
import random
import sys
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from itertools import islice
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings, strategies as st

from companion.rules.facts import Moment, SeatId
from companion.rules.game import Game
from companion.rules.registry import GAMES, open_game
from companion.rules.seats import seats_from_names
from companion.rules.state_text import NoText, state_of, text_of
from tests.games.hints import EVERY, setup_of
from tests.games.random_play import steps
from tests.thorough import examples

pytestmark = pytest.mark.usefixtures("sample_game", "own_games")
OURS = "companion.rules"


def looks(game: Game[Any], state: Any) -> list[Any]:
    """What anybody can see of a state."""
    viewers: list[SeatId] = ["table", *(seat.id for seat in game.common(state).setup.seats)]
    said = [game.awaiting(state), game.standings(state), game.summary(state), game.legal(state)]
    return [*said, *(game.view(state, viewer) for viewer in viewers)]


@pytest.mark.parametrize("game_id", EVERY)
@settings(max_examples=examples(3, 30))
@given(count=st.integers(1, 5), seed=st.integers(0, 2**32))
def test_a_state_read_from_its_text_is_the_same_and_goes_on_the_same(
    game_id: str, count: int, seed: int
) -> None:
    game, package = open_game(game_id), GAMES[game_id].package
    for before, fact, entry, after in islice(
        steps(game, setup_of(game_id, count), random.Random(seed)), 0, 120, 7
    ):
        again = state_of(text_of(before, package), package)
        assert again == before
        # sets have no order
        assert repr(again) == repr(before) or looks(game, again) == looks(game, before)
        assert game.apply(again, fact, entry) == after
        assert looks(game, again) == looks(game, before)


def test_what_was_one_thing_is_one_thing_again() -> None:
    seat = seats_from_names(["Ada"])[0]
    first, second, other = state_of(text_of((seat, seat, "seat"), OURS), OURS)
    assert first is second
    assert (first, other) == (seat, "seat")


def test_a_moment_keeps_what_was_said_of_it() -> None:
    moment = Moment(us=5, clock="host-1")
    again = state_of(text_of(moment, OURS), OURS)
    assert again == moment
    assert again.model_dump(exclude_unset=True) == {"us": 5, "clock": "host-1"}


class Phase(Enum):
    """What a game of somebody else may keep."""

    DRAW = "draw"


class Place(NamedTuple):
    """The same."""

    row: int
    phase: Phase


def test_an_enum_and_a_named_tuple_are_of_their_class_again() -> None:
    (place,) = state_of(text_of((Place(3, Phase.DRAW),), __name__), __name__)
    assert type(place) is Place
    assert place == Place(3, Phase.DRAW)
    assert place.phase is Phase.DRAW


@dataclass(frozen=True)
class Elsewhere:
    """A class of no game."""

    number: int


@pytest.mark.parametrize(
    "value", [Elsewhere(1), (Elsewhere(1),), open, lambda: 1, object(), b"bytes", 1j]
)
def test_a_value_of_another_program_has_no_text(value: object) -> None:
    with pytest.raises(NoText):
        text_of(value, OURS)


def test_a_value_nested_without_end_has_no_text() -> None:
    value: tuple[Any, ...] = ()
    for _ in range(sys.getrecursionlimit()):
        value = (value,)
    with pytest.raises(NoText):
        text_of(value, OURS)


BAD: list[list[Any]] = [
    ["dataclass", "os:path", 1],
    ["dataclass", "subprocess:Popen", "ls"],
    ["dataclass", "tests.games.test_state_text:Elsewhere", 1],
    ["dataclass", "companion.rules.game:BaseModel", 1],
    ["dataclass", "companion.rules.game:json.JSONEncoder"],
    ["dataclass", "companion.rules.game:Seat", "one", "field"],
    ["dataclass", "companion.rules.game:body_of"],
    ["dataclass", "companion.rules_of_another:Seat"],
    ["model", "companion.rules.game:Seat", [], ["us", 1]],
    ["enum", "companion.rules.game:Seat", "id"],
    ["named", "companion.rules.game:Seat", 1],
    ["tuple", [1]],
    ["dict", [[0], 1]],
    ["range", "a"],
    ["print", "companion.rules.game:Seat"],
    [],
]


@pytest.mark.parametrize("node", BAD)
def test_a_text_names_no_class_of_another_program_and_nothing_that_is_none(node: list[Any]) -> None:
    with pytest.raises(NoText):
        state_of(json.dumps([[node], [0]]), OURS)


@settings(max_examples=examples(200, 2_000))
@given(data=st.data())
def test_a_damaged_text_is_refused_or_read_and_nothing_else_happens(data: st.DataObject) -> None:
    text = text_of((seats_from_names(["Ada", "Bo"]), frozenset({1, 2}), {"a": range(3)}), OURS)
    at = data.draw(st.integers(0, len(text) - 1))
    damaged = text[:at] + data.draw(st.text(max_size=3)) + text[at + data.draw(st.integers(0, 3)) :]
    with suppress(NoText):
        state_of(damaged, OURS)
