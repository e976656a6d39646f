"""Panic Fire as the rest of the program uses it: `GAME`."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.panic_fire.rules import controls, facts as f, fold, keys, people, result, text
from companion.games.panic_fire.rules.continuing import CONTINUATION
from companion.games.panic_fire.rules.model import Pull, State
from companion.games.panic_fire.rules.options import HOUSE_RULES, NUMBERS
from companion.games.panic_fire.rules.standings import (
    bullets,
    champion,
    current_outcome,
    result as game_result,
)
from companion.games.panic_fire.rules.view import glance, view
from companion.rules.common import Pause, Unpause
from companion.rules.facts import Fact
from companion.rules.game import Fix, Game, Step
from companion.rules.gestures import GestureSettings


def candidates(state: State) -> Iterator[Fact]:
    """Yield facts that the rules may allow now.

    The players' own rulings (`override`, `round_end` outside PF-R5, `score_set`, people who join, leave or
    move) are always possible, so they are left out.
    """
    yield from (f.Fire(), f.Shot(), f.DryPull(), f.Knock(), f.Illegal(), f.Legal())
    yield from (f.ShieldHand(), f.StalemateDraw(), f.Reshuffle(), Pause(), Unpause())
    yield from (f.Match(basis=basis) for basis in ("shooter", "target", "both", "unknown"))
    yield from (f.TieBreak(order=order) for order in ("as_stamped", "swapped", "both"))
    for seat in state.setup.seats:
        yield from (f.Draw(seat=seat.id), f.Target(seat=seat.id), f.Shooter(seat=seat.id))
        yield from (f.ShieldInPlay(seat=seat.id, present=present) for present in (True, False))
    if state.current is not None:
        pulls = [
            item
            for item in state.current.happenings
            if isinstance(item, Pull) and item.cause != "shot"
        ]
        yield from (f.Promote(entry=pull.entry) for pull in pulls)
        if current_outcome(state).status == "table":
            yield from (f.RoundEnd(seat=seat) for seat in (None, *state.current.players))


GAME: Game[State] = Game(
    id="panic-fire",
    title="Panic Fire",
    rules_version=fold.RULES_VERSION,
    older_versions=fold.OLDER_VERSIONS,
    seat_counts=people.SEAT_COUNTS,
    house_rules=HOUSE_RULES,
    numbers=NUMBERS,
    facts=fold.FACTS,
    fixes=(
        Fix("missed draw", ("draw",)),
        Fix("missed shot", ("promote", "shot"), about=("dry_pull", "knock")),
        Fix("wrong target", ("target",), amends=True),
        Fix("wrong shooter", ("shooter",), amends=True),
        Fix("Shield forgotten", ("shield_hand", "shield_in_play")),
        Fix("round ended", ("round_end",)),
        Fix("match not said", ("match",)),
    ),
    steps=(
        Step("fire", "fire!", ("fire",)),
        Step("draws", "draws", ("draw",)),
        Step("shots", "shots", ("shot", "dry_pull", "knock")),
        Step("names", "target and shooter", ("target", "shooter")),
    ),
    start=fold.start,
    apply=fold.apply,
    candidates=candidates,
    # there are no secrets
    sentence=lambda before, after, fact, _viewer: text.describe(before, after, fact),
    awaiting=text.awaiting,
    checklist=text.checklist,
    # a gun that has no hit sensor shoots with every pull (PF-R3)
    settings=lambda setup: GestureSettings(
        hit_sensor=setup.options.get("hit_sensor", "yes") != "no"
    ),
    hold_means=controls.hold_means,
    interpret=controls.interpret,
    actions=keys.actions,
    act=controls.act,
    about=fold.about,
    view=lambda state, _viewer: view(state),
    glance=glance,
    over=lambda state: champion(state) is not None,
    standings=bullets,
    result=game_result,
    summary=result.summary,
    report=result.report,
    continuation=CONTINUATION,
)
