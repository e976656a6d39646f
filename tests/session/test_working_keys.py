"""A view says whether a key works now; pressing it does just that."""

from __future__ import annotations

import itertools
import random
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest

from companion.journal.entries import Control, Draft, Layer
from companion.journal.record import FIRST_DIGEST, seal
from companion.rules.common import Pause
from companion.rules.components import as_json, example
from companion.rules.facts import Refused, Setup
from companion.rules.game import Game
from companion.rules.header import header
from companion.rules.registry import open_game
from companion.rules.seats import seats_from_names
from companion.session.interpreter import Proposed
from companion.session.key_meanings import (
    ACCEPT,
    AGREE,
    DISAGREE,
    PAUSE,
    UNDO,
    HungKeys,
    key_context,
    pause_kind,
    working,
)
from companion.session.table import Table
from tests.games.hints import hints_of
from tests.session.parts import BOOT, MS, WALL, Board, MemoryJournal, hello, journal_of, settle, tap
from tests.thorough import examples

NAMES = ("ada", "bo", "cy", "dee", "eve")
STEPS = 120


def setup_of(game: Game[Any], rng: random.Random) -> Setup:
    """Draw seats and house rules that fit together."""
    for _ in range(100):
        options = {rule.name: rng.choice(rule.alternatives) for rule in game.house_rules}
        seats = seats_from_names(
            NAMES[: rng.choice([count for count in game.seat_counts if count <= len(NAMES)])]
        )
        box = as_json(example(game.id)) if hints_of(game.id).owns_a_box else {}
        setup = Setup(game.id, game.rules_version, seats, options, box)
        with suppress(Refused):
            game.start(setup)
            return setup
    raise AssertionError("no house rules go together")


def table_of(game_id: str, rng: random.Random) -> Table:
    """Return a table whose clock advances a second at each reading."""
    game = open_game(game_id).shuffled_by(
        lambda count: tuple(rng.sample(range(1, count + 1), count))
    )
    setup = setup_of(game, rng)
    entry = seal(
        Draft(Layer.CONTROL, Control.SESSION, header(setup, "evening")),
        1,
        WALL,
        FIRST_DIGEST,
        bytes(16),
    )[0]
    ticks = itertools.count(step=1_000_000)
    return Table(game, journal_of([entry], MemoryJournal), setup, host_us=lambda: next(ticks))


@pytest.mark.parametrize("game_id", ["panic-fire", "skyfire", "sky-rise", "fractured-sky"])
def test_a_key_works_exactly_when_the_table_does_not_refuse_it(game_id: str) -> None:
    worked = refused = 0
    for seed in range(examples(4, 60)):
        rng = random.Random(seed)
        table = table_of(game_id, rng)
        for _ in range(STEPS):
            view = table.view()
            if rng.random() < 0.4 and (legal := table.legal()):
                fact = rng.choice(legal)
                table.enter(fact.kind, fact.model_dump(mode="json", exclude={"kind", "at"}))
                continue
            if view.question is not None:
                table.do(rng.choice((AGREE.id, DISAGREE.id)))
                continue
            action = rng.choice(table.actions)
            works, before = view.works(action.id), len(view.refusals) and view.refusals[-1].number
            table.do(action.id)
            after = table.view()
            answered = bool(after.refusals) and after.refusals[-1].number != before
            # what asks the table first is done once it agrees
            was_refused = answered and after.question is None
            if was_refused and action.id == "sky-rise.reveal":
                continue  # that two goals clash (SR-3) is told by the answer, not by the key
            assert works is not was_refused, (game_id, action.id, view.awaiting, after.notice)
            worked, refused = worked + works, refused + was_refused
        table.close()
    assert min(worked, refused) > 20, (worked, refused)


def test_a_game_that_was_ended_early_takes_no_key_but_undo() -> None:
    table = table_of("panic-fire", random.Random(1))
    for key in ("fire", "shot", "name.1"):
        table.do(f"panic-fire.{key}")
    table.enter("abandon", {})
    assert {action.id for action in table.actions if table.view().works(action.id)} == {UNDO.id}
    for key in ("panic-fire.draw.1", "panic-fire.mend", "panic-fire.fire", PAUSE.id):
        table.do(key)
        notice, refusal = table.view().notice, table.view().refusals[-1]
        assert notice is not None
        assert notice.text == "The table has ended the game early. Undo that to play on."
        assert refusal.awaiting == "The table ended the game early."
    table.close()


def drill() -> Table:
    rules = open_game("drills")
    begun = Setup("drills", rules.rules_version, seats_from_names(("ada",)), {"strings": "1"})
    entry = seal(
        Draft(Layer.CONTROL, Control.SESSION, header(begun, "evening")),
        1,
        WALL,
        FIRST_DIGEST,
        bytes(16),
    )[0]
    return Table(
        rules, journal_of([entry], MemoryJournal), begun, host_us=itertools.count().__next__
    )


def test_a_game_that_was_ended_early_answers_what_a_hand_does_at_the_board_so() -> None:
    table, board = drill(), Board()
    table.enter("abandon", {})
    table.board.on_identified(hello(), BOOT)
    table.board.store([board.armed(0), *tap(board, "zone-1", 5 * MS), board.hit(500 * MS)])
    settle(table)
    expected = "not counted: the table has ended the game early (ENDED)"
    assert [line.text for line in table.view().log[-2:]] == [expected, expected]
    table.close()


def test_while_something_is_proposed_the_other_keys_of_an_action_work_as_they_do_without() -> None:
    table, waiting = drill(), Proposed(Pause(), (1,), "a pause")
    for begins in (True, False):  # by Enter or 0, of which Enter answers the proposal
        works = table.look(
            lambda record: working(
                record, table.actions, key_context(record, waiting), HungKeys(), print
            )
        )
        assert (works("drills.begin"), works(ACCEPT.id)) == (begins, True)
        table.do("drills.begin")
    table.close()


def test_a_game_that_is_over_takes_no_pause_but_goes_on_from_one() -> None:
    table = drill()
    for key in ("drills.begin", "drills.shot"):  # before the signal: a false start, and so the end
        assert table.view().works(PAUSE.id)
        table.do(key)
    table.do(PAUSE.id)
    view, state = table.view(), table.look(lambda record: record.state)
    assert (view.ended, view.paused, view.works(PAUSE.id)) == (True, False, False)
    assert view.notice is not None
    assert view.notice.text == "The game is over. Start a new game, or undo to play on."
    assert (
        pause_kind(table.game, replace(state, common=replace(state.common, paused=True)))
        == "unpause"
    )
    table.close()
