"""Fractured Sky as a `Game`: the rules, keys and sentences put together."""

from __future__ import annotations

from contextlib import AbstractContextManager

from companion.games.fractured_sky.rules import controls, fold, result, text
from companion.games.fractured_sky.rules.awaiting import awaiting, checklist
from companion.games.fractured_sky.rules.controls import candidates
from companion.games.fractured_sky.rules.model import State
from companion.games.fractured_sky.rules.options import HOUSE_RULES
from companion.games.fractured_sky.rules.standing import result as game_result, standings
from companion.games.fractured_sky.rules.view import glance, view
from companion.rules.asked import question_repeated
from companion.rules.continuing import Continuation
from companion.rules.facts import Fact
from companion.rules.game import Fix, Game, Orders, Step
from companion.rules.gestures import Gesture, GestureSettings


def _question_repeated(state: State) -> AbstractContextManager[None]:
    """Put the question that is open into a refusal that asks to answer it first."""
    players = (*state.players, *(seat.id for seat in state.setup.seats))
    return question_repeated(lambda: awaiting(state), lambda: map(state.name, players))


def _apply(state: State, fact: Fact, n: int = 0) -> State:
    with _question_repeated(state):
        return fold.apply(state, fact, n)


def _game(orders: Orders | None = None) -> Game[State]:
    """Return the game; `orders` shuffles cards and tokens."""

    def act(state: State, action_id: str) -> Fact:
        with _question_repeated(state):
            return controls.act(state, action_id, orders)

    def interpret(state: State, gesture: Gesture) -> Fact:
        with _question_repeated(state):
            return controls.interpret(state, gesture, orders)

    return Game(
        id="fractured-sky",
        title="Fractured Sky",
        rules_version=fold.RULES_VERSION,
        seat_counts=fold.SEAT_COUNTS,
        house_rules=HOUSE_RULES,
        facts=fold.FACTS,
        fixes=(
            Fix("missed Airship", ("airship",)),
            Fix("Airship in the wrong region", ("airship",), amends=True),
            Fix("missed building or Skimmer", ("build", "skimmer")),
            Fix("missed scouting", ("scout", "take")),
            Fix("wrong powers", ("powers",), amends=True),
            Fix("wrong count", ("adjust",)),
            Fix("wrong player's turn", ("turn",)),
        ),
        steps=(
            Step("regions", "regions by button", ("public", "airship", "reveal")),
            Step("answers", "answers by button", ("first", "slot", "objective", "ai_choose")),
            Step("ai", "AI turns", ("deal", "shuffle", "ai_turn", "ai_done")),
            Step("rounds", "round ends", ("round_end",)),
        ),
        start=fold.start,
        apply=_apply,
        candidates=candidates,
        sentence=text.describe,
        reveals=text.reveals,
        follows=text.follows,
        awaiting=awaiting,
        checklist=checklist,
        # the trigger is a button, for nothing is shot at
        settings=lambda _: GestureSettings(gun=False),
        hold_means=controls.hold_means,
        interpret=interpret,
        actions=controls.actions,
        act=act,
        with_orders=_game,
        orders=orders,
        view=view,
        glance=glance,
        over=lambda state: state.finished,
        standings=standings,
        result=game_result,
        summary=lambda state: tuple(result.summary(state)),
        report=result.report,
        continuation=Continuation(
            whole=False,
            unseated=("AI black", "AI orange"),
            lost="The companion cannot go on with the board: its pieces, chips, Hidden cards and notes, and the AIs' "
            "cards are lost. The scores go on; set them by hand at the end, and a judge sets the places at the hub.",
        ),
    )


GAME = _game()
