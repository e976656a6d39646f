"""Pages of roles show nothing that one seat alone may know, in any game: two tables that differ in nothing else are
drawn the same to the byte."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from companion.journal.entries import KEYBOARD
from companion.journal.journal import Journal
from companion.rules.facts import Fact, Refused
from companion.rules.game import Game
from companion.rules.header import header
from companion.rules.registry import GAMES, open_game
from companion.session.intake import fact_draft
from companion.session.roles import Role
from companion.session.table import Table
from companion.web.lookers import TableLooker
from tests.games.hints import hints_of, setup_of
from tests.games.test_every_game import played, secret_pairs
from tests.session.parts import WALL

WITH_SECRETS = [game for game in sorted(GAMES) if hints_of(game).secret]
SEATS = 3


@contextmanager
def at_table(game_id: str, facts: Sequence[Fact], path: Path) -> Iterator[Table]:
    """Yield a table with these facts."""
    setup = setup_of(game_id, SEATS)
    journal = Journal.create(path, header(setup, "evening"), wall=lambda: WALL)
    journal.append(*(fact_draft(fact, KEYBOARD, ()) for fact in facts))
    table = Table(open_game(game_id), journal, setup, host_us=lambda: 10**9, guard_us=0)
    try:
        yield table
    finally:
        table.close()


def drawn(game_id: str, facts: Sequence[Fact], path: Path) -> dict[Role, dict[str, str]]:
    """Return what the page of each role shows of a table with these facts."""
    with at_table(game_id, facts, path) as table:
        looker = TableLooker(table, odds=False, roles=lambda: frozenset(Role))
        looker.close()
        return {role: dict(looker.showing.blocks[role]) for role in Role}


def played_on(
    game: Game[Any], one: Any, other: Any, facts: Sequence[Fact], entry: int
) -> list[Fact]:
    """Return those of the facts that can come next in both states."""
    both = []
    for fact in facts:
        with suppress(Refused):
            one, other = game.apply(one, fact, entry), game.apply(other, fact, entry)
            both.append(fact)
            entry += 1
    return both


@pytest.mark.parametrize("game_id", WITH_SECRETS)
def test_pages_of_roles_are_the_same_whatever_one_seat_alone_knows(
    game_id: str, tmp_path: Path
) -> None:
    game, rng, compared, later = open_game(game_id), random.Random(7), 0, 0
    moves = played(game_id, SEATS, seed=13, most=90)
    for place in sorted(rng.sample(range(len(moves)), min(30, len(moves)))):
        before, _, entry, _ = moves[place]
        facts = [fact for _, fact, _, _ in moves[:place]]
        next_facts = [fact for _, fact, _, _ in moves[place : place + 4]]
        for _, one, other in list(secret_pairs(game, before))[:1]:
            after = game.apply(before, one, entry), game.apply(before, other, entry)
            then = played_on(game, *after, next_facts, entry + 1)
            for count in {0, len(then)}:
                both = []
                for name, secret in (("one", one), ("other", other)):
                    path = tmp_path / f"{place}-{name}-{count}.sqlite"
                    both.append(drawn(game_id, [*facts, secret, *then[:count]], path))
                assert both[0] == both[1]
            compared, later = compared + 1, later + len(then)
        if compared == 6:
            break
    assert compared
    assert later
