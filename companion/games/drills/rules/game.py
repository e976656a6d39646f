"""The drills as the rest of the program uses them: `GAME`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from companion.games.drills.rules import controls, facts as f, fold, keys, result, text
from companion.games.drills.rules.model import State
from companion.games.drills.rules.options import HOUSE_RULES, NUMBERS
from companion.games.drills.rules.timing import standings
from companion.games.drills.rules.view import glance, view
from companion.rules.continuing import Continuation
from companion.rules.facts import Fact
from companion.rules.game import Fix, Game, Step
from companion.rules.gestures import GestureSettings


def candidates(state: State) -> Iterator[Fact]:
    """Yield the facts of a string, in the order in which they happen."""
    string = state.current
    if string is None:
        yield f.DryPull()
        yield from (f.Ready(seat=seat) for seat in state.still_to_come)
        return
    yield f.Stop()
    if string.delay_ms is None:
        yield f.Delay(ms=state.options.numbers["least_delay_ms"])
    elif not string.by:
        yield f.Signal(by="lamp")
    yield f.Shot()
    yield from (f.Plate(seat=seat) for seat in string.players)


GAME: Game[State] = Game(
    id="drills",
    title="Drills",
    rules_version=fold.RULES_VERSION,
    older_versions=fold.OLDER_VERSIONS,
    seat_counts=fold.SEAT_COUNTS,
    house_rules=HOUSE_RULES,
    numbers=NUMBERS,
    facts=f.FACTS,
    fixes=(
        Fix("missed shot", ("shot",)),
        Fix("wrong player", ("ready",), amends=True),
        Fix("missed stop", ("stop",)),
    ),
    steps=(
        Step("begin", "string begins", ("ready",)),
        Step("shots", "shots", ("shot", "dry_pull", "plate")),
    ),
    start=fold.start,
    apply=fold.apply,
    candidates=candidates,
    # there are no secrets
    sentence=lambda before, after, fact, _viewer: text.sentence(before, after, fact),
    awaiting=text.awaiting,
    checklist=text.checklist,
    # a gun that has no hit sensor shoots with every pull (DR-5)
    settings=lambda setup: GestureSettings(
        hit_sensor=setup.options.get("hit_sensor", "yes") != "no"
    ),
    hold_means=controls.hold_means,
    interpret=controls.interpret,
    actions=keys.actions,
    act=controls.act,
    due=controls.due,
    # they draw the delays (DR-3)
    with_orders=lambda orders: replace(
        GAME, act=partial(controls.act, orders=orders), orders=orders
    ),
    view=lambda state, _viewer: view(state),
    glance=glance,
    over=lambda state: state.over,
    standings=standings,
    result=result.result,
    summary=result.summary,
    report=result.report,
    continuation=Continuation(
        whole=False,
        lost="The companion cannot go on with the times: those of the strings before are lost, and they decide. Shoot "
        "the drill again from its first string.",
    ),
)
