"""Questions and answers on a phone reveal nothing that only another seat may know, in any game, and record nothing but
a note of its own seat."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from companion.display.panels import NoteLine, is_note_of, panels_of
from companion.rules.facts import Refused, SeatId
from companion.rules.game import Game
from companion.rules.registry import GAMES, open_game
from companion.web.note_post import SAVED
from companion.web.seat_forms import note_block
from tests.games.hints import hints_of
from tests.games.test_every_game import played, secret_pairs

WITH_NOTES = [game for game in sorted(GAMES) if hints_of(game).secret]
TYPED = (
    "",
    "red",
    "blue+red",
    "Comet",
    "Comet, Ember",
    "Comet, Ember, Wave, Poppy",
    "nonsense",
    "com,com,com,com",
)


def tries(line: NoteLine) -> Iterator[dict[str, str]]:
    """Return entries for a line, valid and invalid."""
    of_each = [[value for value, _ in field.choices[:3]] or TYPED for field in line.fields]
    for words in product(*of_each):
        yield dict(zip((field.name for field in line.fields), words, strict=True))


def reply(
    game: Game[Any], state: Any, line: NoteLine, answers: dict[str, str], seat: SeatId
) -> str:
    """Return the server's answer to a note."""
    try:
        fact = game.parse(line.kind, line.body(answers), game.common(state).setup)
        assert is_note_of(fact, seat)
        game.advance(state, fact, 10**6)
    except Refused as refusal:
        return refusal.spoken()
    return SAVED


def answered(game: Game[Any], state: Any, seat: SeatId) -> list[str]:
    """Return everything that a seat's phone can be told about notes in this state, beginning with its form."""
    lines = panels_of(game.id).notes(game.view(state, seat), seat)
    said = [reply(game, state, line, answers, seat) for line in lines for answers in tries(line)]
    return [str(note_block(lines, None)), *said]


@pytest.mark.parametrize("game_id", WITH_NOTES)
def test_a_seats_form_and_every_reply_are_the_same_whatever_another_seat_alone_knows(
    game_id: str,
) -> None:
    game, rng, asked, saved = open_game(game_id), random.Random(5), 0, 0
    for before, _, entry, _ in played(game_id, 3, seed=13, most=90)[::4]:
        pairs = list(secret_pairs(game, before))
        for owner, fact, other in rng.sample(pairs, min(2, len(pairs))):
            one, two = game.apply(before, fact, entry), game.apply(before, other, entry)
            for seat in game.common(one).setup.seats:
                if seat.id != owner:
                    said = answered(game, one, seat.id)
                    assert said == answered(game, two, seat.id)
                    asked, saved = asked + len(said) - 1, saved + said.count(SAVED)
    assert asked > 50
    assert saved


@pytest.mark.parametrize("game_id", sorted(GAMES))
def test_a_game_asks_for_nothing_but_notes(game_id: str) -> None:
    game, asked = open_game(game_id), set()
    for _, _, _, state in played(game_id, game.seat_counts[-1], seed=3, most=120)[::9]:
        for seat in game.common(state).setup.seats:
            lines = panels_of(game_id).notes(game.view(state, seat.id), seat.id)
            assert len({line.id for line in lines}) == len(lines)
            for line in lines:
                assert game.facts[line.kind].secret
                asked.add(line.kind)
    assert asked == set(hints_of(game_id).secret) - {"goals_dealt", "shuffle", "deal"}
