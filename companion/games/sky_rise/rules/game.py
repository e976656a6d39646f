"""Sky Rise as the rest of the program uses it: `GAME`. Design: M. Weberg (Looney Pyramids)."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from companion.games.sky_rise.rules import controls, facts as f, fold, result, text
from companion.games.sky_rise.rules.model import State
from companion.games.sky_rise.rules.options import HOUSE_RULES, NUMBERS
from companion.games.sky_rise.rules.standings import over, result as game_result, totals
from companion.games.sky_rise.rules.view import glance, view
from companion.rules.asked import question_repeated
from companion.rules.continuing import Continuation
from companion.rules.facts import Fact
from companion.rules.game import Fix, Game, Step
from companion.rules.gestures import GestureSettings


def _reveals(_before: State, fact: Fact) -> str | None:
    if isinstance(fact, f.GoalsDealt):
        return "each Nest and Tree, to the seat that has it"
    return "the Nest and Tree cards of all, to everybody" if isinstance(fact, f.Reveal) else None


def _apply(state: State, fact: Fact, entry: int) -> State:
    """Return the state after `fact`; a refusal of what comes too early repeats the open question."""
    names = [seat.name for seat in state.setup.seats]
    with question_repeated(lambda: text.awaiting(state), lambda: names):
        return fold.apply(state, fact, entry)


GAME: Game[State] = Game(
    id="sky-rise",
    title="Sky Rise",
    rules_version=fold.RULES_VERSION,
    older_versions=fold.OLDER_VERSIONS,
    seat_counts=fold.SEAT_COUNTS,
    house_rules=HOUSE_RULES,
    numbers=NUMBERS,
    facts=fold.FACTS,
    fixes=(
        Fix("missed card", ("card",)),
        Fix("wrong card", ("card",), amends=True),
        Fix("missed pyramid", ("pyramid",)),
        Fix("wrong pyramid", ("pyramid",), amends=True),
        Fix("missed pass", ("pass",)),
        Fix("wrong player's turn", ("turn",)),
        Fix("wrong opaque pyramids", ("opaque",), amends=True),
    ),
    steps=(
        Step("start", "Start token", ("start_token",)),
        Step("turns", "ends of turns", ("turn_over",)),
        Step("showdown", "Tower Showdown", ("showdown", "showdown_stop", "showdown_ruling")),
    ),
    start=fold.start,
    apply=_apply,
    candidates=controls.candidates,
    sentence=text.describe,
    reveals=_reveals,
    awaiting=text.awaiting,
    checklist=text.checklist,
    settings=lambda _: GestureSettings(gun=False),
    hold_means=controls.hold_means,
    interpret=controls.interpret,
    actions=controls.actions,
    act=controls.act,
    # they deal the goals (SR-T9)
    with_orders=lambda orders: replace(
        GAME, act=partial(controls.act, orders=orders), orders=orders
    ),
    view=view,
    glance=glance,
    over=over,
    standings=totals,
    result=game_result,
    summary=lambda state: tuple(result.summary(state)),
    report=result.report,
    continuation=Continuation(
        whole=False,
        lost="The companion cannot go on with the tower: who laid which card and pyramid, the goals and the turn are "
        "lost. The scores go on; set them by hand at the end, and a judge sets the places at the hub.",
    ),
)
