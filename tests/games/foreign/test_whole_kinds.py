"""A kind of fact is one class: a game gets it without a change to any of its functions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from typing_extensions import override

from companion.rules.actions import Action
from companion.rules.facts import TABLE, Fact, Refused, SeatId, Setup
from companion.rules.game import Fix, Game
from companion.rules.registry import open_game
from companion.rules.ruled import RuledFact, add_facts
from companion.rules.seats import seats_from_names
from companion.session.opening import begin
from tests.games.random_play import steps

pytestmark = pytest.mark.usefixtures("sample_game")
BACK = "pebbles.back"
SETUP = Setup("pebbles", 1, seats_from_names(["Anna", "Bo"]))


class PutBack(RuledFact, kind="put_back", called="pebbles are put back", secret=True):
    """Whoever took last puts it all back, once, and only they see how many; an invented example."""

    seat: SeatId

    fixes = (Fix("taken back", ("put_back",)),)

    @override
    def apply(self, state: Any, entry: int) -> Any:
        if not state.takes or state.takes[-1][0] != self.seat:
            raise Refused("PB-9", f"{state.name(self.seat)} took nothing last", "who did")
        if state.bowl == 0:
            raise Refused("PB-9", "the bowl is empty", do="Begin a new game.")
        return replace(state, takes=state.takes[:-1])

    @override
    def sentence(self, before: Any, after: Any, viewer: SeatId) -> str:
        number = f" {before.takes[-1][1]}" if viewer == self.seat else ""
        return f"{before.name(self.seat)} puts back{number}"

    @override
    def reveals(self, before: Any) -> str | None:
        return "that a guess was too early, to everybody" if before.guesses else None

    @classmethod
    @override
    def candidates(cls, state: Any) -> Iterator[Fact]:
        if len(state.takes) == 1:
            yield PutBack(seat=state.takes[-1][0])

    @classmethod
    @override
    def actions(cls, setup: Setup) -> tuple[Action, ...]:
        return (Action(BACK, ("b",), "put back", "Put the last pebbles back.", "your turn"),)

    @classmethod
    @override
    def act(cls, state: Any, action_id: str) -> Fact:
        if not state.takes:
            raise Refused("PB-9", "nothing was taken", do="Take a pebble first.")
        return PutBack(seat=state.takes[-1][0])


@pytest.fixture
def game() -> Game[Any]:
    return add_facts(open_game("pebbles"), PutBack)


def test_the_game_has_the_kind_its_key_and_its_place_in_the_forms(game: Game[Any]) -> None:
    pebbles = open_game("pebbles")
    assert game.facts.keys() - pebbles.facts.keys() == {"put_back"}
    assert [action.id for action in game.actions(SETUP)][-1] == BACK
    assert game.fixes[-1].label == "taken back"


def test_its_rules_are_those_of_the_class_and_the_others_stay(game: Game[Any]) -> None:
    state = game.start(SETUP)
    with pytest.raises(Refused, match="PB-9"):
        game.pressed(state, BACK)
    took = game.advance(state, game.pressed(state, "pebbles.take.2"), 2)  # type: ignore[arg-type]
    back = game.pressed(took, BACK)
    assert isinstance(back, PutBack)
    after = game.advance(took, back, 3)
    assert (took.bowl, after.bowl) == (10, 12)
    assert game.sentence(took, after, back, TABLE) == "Anna puts back"
    assert game.sentence(took, after, back, "anna") == "Anna puts back 2"
    guessed = replace(took, guesses={"bo": "anna"})
    assert (game.reveals(took, back), game.reveals(guessed, back)) == (
        None,
        "that a guess was too early, to everybody",
    )
    assert back in game.legal(took)
    assert game.parse("put_back", {"seat": "anna"}) == back
    with pytest.raises(Refused, match="PB-1"):
        game.advance(took, game.parse("take", {"seat": "bo", "count": 9}), 3)


def test_random_play_uses_it_and_comes_to_the_same_state_twice(game: Game[Any]) -> None:
    games = [list(steps(game, SETUP, Random(seed))) for seed in range(5)]
    assert any(isinstance(fact, PutBack) for played in games for _, fact, _, _ in played)
    for played in games:
        state = game.start(SETUP)
        for _, fact, entry, _ in played:
            state = game.advance(state, fact, entry)
        assert state == played[-1][3]


def test_a_session_records_takes_back_and_reads_it(
    game: Game[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("table_pebbles.rules.GAME", game)
    with closing(begin("pebbles", ["Anna", "Bo"], {}, tmp_path / "a.sqlite")) as table:
        table.enter("take", {"seat": "anna", "count": 3})
        table.enter("put_back", {"seat": "anna"})
        assert table.view().game["bowl"] == 12
        assert "puts back" in table.view().log[-1].text
        table.do("table.undo")
        assert table.view().game["bowl"] == 9
