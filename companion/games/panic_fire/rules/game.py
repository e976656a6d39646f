"""Panic Fire as the table sees it."""

from __future__ import annotations

from companion.games.panic_fire.rules import fold, hands, keys, people, result, text
from companion.games.panic_fire.rules.checklist import checklist
from companion.games.panic_fire.rules.facts import FACTS
from companion.games.panic_fire.rules.legal import candidates
from companion.games.panic_fire.rules.model import State
from companion.games.panic_fire.rules.options import HOUSE_RULES, NUMBERS
from companion.games.panic_fire.rules.standings import bullets, champion
from companion.games.panic_fire.rules.standings import result as game_result
from companion.games.panic_fire.rules.view import view
from companion.rules.game import Fix, Game, Step
from companion.rules.gestures import GestureSettings

GAME: Game[State] = Game(
    id="panic-fire",
    title="Panic Fire",
    rules_version=fold.RULES_VERSION,
    seat_counts=people.SEAT_COUNTS,
    house_rules=HOUSE_RULES,
    numbers=NUMBERS,
    facts=FACTS,
    fixes=(
        Fix("missed draw", ("draw",)),
        Fix("missed shot", ("promote", "shot"), about=("dry_pull", "knock")),
        Fix("wrong target", ("target",), amends=True),
        Fix("wrong shooter", ("shooter",), amends=True),
        Fix("Shield forgotten", ("shield_hand", "shield_in_play")),
        Fix("round ended", ("round_end",)),
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
    sentence=lambda before, after, fact, _viewer: text.describe(before, after, fact),  # there are no secrets
    awaiting=text.awaiting,
    checklist=checklist,
    # a gun that has no hit sensor shoots with every pull (PF-R3)
    settings=lambda setup: GestureSettings(hit_sensor=setup.options.get("hit_sensor", "yes") != "no"),
    hold_means=hands.hold_means,
    interpret=hands.interpret,
    actions=keys.actions,
    act=hands.act,
    view=lambda state, _viewer: view(state),
    over=lambda state: champion(state) is not None,
    standings=bullets,
    result=game_result,
    summary=result.summary,
    report=result.report,
)
