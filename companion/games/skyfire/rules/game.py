"""SkyFire as the table sees it."""

from __future__ import annotations

from companion.games.skyfire.rules import fold, hands, keys, result, text
from companion.games.skyfire.rules.checklist import checklist
from companion.games.skyfire.rules.facts import FACTS
from companion.games.skyfire.rules.legal import candidates
from companion.games.skyfire.rules.model import SEAT_COUNTS, State
from companion.games.skyfire.rules.options import HOUSE_RULES
from companion.games.skyfire.rules.revelations import reveals
from companion.games.skyfire.rules.standings import result as game_result
from companion.games.skyfire.rules.standings import scores, winners
from companion.games.skyfire.rules.view import view
from companion.rules.game import Game, Step
from companion.rules.gestures import GestureSettings

GAME: Game[State] = Game(
    id="skyfire",
    title="SkyFire",
    rules_version=fold.RULES_VERSION,
    seat_counts=SEAT_COUNTS,
    house_rules=HOUSE_RULES,
    facts=FACTS,
    steps=(
        Step("deal", "the deal", ("deal",)),
        Step("places", "cards placed", ("place",)),
        Step("launches", "launches", ("launch",)),
        Step("misfires", "misfires", ("misfire",)),
    ),
    start=fold.start,
    apply=fold.apply,
    candidates=candidates,
    sentence=text.describe,
    reveals=reveals,
    awaiting=text.awaiting,
    checklist=checklist,
    settings=lambda _: GestureSettings(hit_sensor=False, gun=False),  # the trigger is a button
    hold_means=hands.hold_means,
    interpret=hands.interpret,
    actions=keys.actions,
    act=hands.act,
    view=view,
    over=lambda state: bool(winners(state)),
    standings=scores,
    result=game_result,
    summary=result.summary,
    report=result.report,
)
