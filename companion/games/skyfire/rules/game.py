"""SkyFire as the rest of the program uses it: `GAME`."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.skyfire.rules import controls, facts as f, fold, keys, result, text
from companion.games.skyfire.rules.continuing import CONTINUATION
from companion.games.skyfire.rules.deck import RULES_VERSION
from companion.games.skyfire.rules.flow import still_open
from companion.games.skyfire.rules.model import SEAT_COUNTS, State
from companion.games.skyfire.rules.options import HOUSE_RULES
from companion.games.skyfire.rules.standings import (
    open_targets,
    result as game_result,
    scores,
    winners,
)
from companion.games.skyfire.rules.view import glance, view
from companion.rules.common import Pause, Unpause
from companion.rules.facts import Fact
from companion.rules.game import Fix, Game, Step
from companion.rules.gestures import GestureSettings


def candidates(state: State) -> Iterator[Fact]:
    """Yield facts that the rules may allow now.

    Left out is what is always possible: the players' rulings, people who join or leave, private notes, and cards
    entered after they were seen.
    """
    yield from (f.Deal(), f.Misfire(), f.Satisfied(satisfied=True), f.Satisfied(satisfied=False))
    yield from (f.Direction(clockwise=not state.clockwise), Pause(), Unpause())
    current = still_open(state)
    if current is None:
        return
    for zone in range(1, len(current.zones) + 1):
        yield from (f.Place(zone=zone), f.Launch(zone=zone))
    yield from (f.First(seat=seat) for seat in current.players if seat != current.first)
    if current.target is None:
        yield from (
            f.Target(card=face.name) for face in open_targets(state) if face.name and face.symbols
        )


_ALL = "the cards of all zones, to everybody"


def _reveals(state: State, fact: Fact) -> str | None:
    """Return which cards `fact` showed, such as `the cards of zone 2, to everybody`, or None.

    `state` is the one before the fact. An answer reveals nothing: the cards lay open since the launch or the
    misfire, so a mistyped answer can simply be changed.
    """
    current = state.current
    match fact:
        case f.Launch(zone=zone) if current is not None and zone <= len(current.zones):
            cards = current.zone(zone)
            return _of(zone) if cards.turned < len(cards.cards) else None
        case f.Misfire() if current is not None:
            return _ALL if any(zone.turned < len(zone.cards) for zone in current.zones) else None
        case f.Revealed(zone=zone):
            return _of(zone)
        case f.HandShown(seat=seat) if seat in {known.id for known in state.setup.seats}:
            return f"the hand of {state.name(seat)}, to everybody"
    return None


def _of(zone: int) -> str:
    return f"the cards of zone {zone}, to everybody"


GAME: Game[State] = Game(
    id="skyfire",
    title="SkyFire",
    rules_version=RULES_VERSION,
    older_versions=fold.OLDER_VERSIONS,
    seat_counts=SEAT_COUNTS,
    house_rules=HOUSE_RULES,
    facts=fold.FACTS,
    fixes=(
        Fix("missed card", ("place",)),
        Fix("wrong zone for a card", ("place",), amends=True),
        Fix("missed launch or misfire", ("launch", "misfire")),
        Fix("wrong zone launched", ("launch",), amends=True),
        Fix("target met or not", ("satisfied",), amends=True),
        Fix("player in or out, or wrong turn", ("turn", "override")),
        Fix("wrong target", ("target",), amends=True),
        Fix("round ended", ("round_end",)),
    ),
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
    reveals=_reveals,
    awaiting=text.awaiting,
    checklist=text.checklist,
    settings=lambda _: GestureSettings(hit_sensor=False, gun=False),  # the trigger is a button
    hold_means=controls.hold_means,
    interpret=controls.interpret,
    actions=keys.actions,
    act=controls.act,
    view=view,
    glance=glance,
    over=lambda state: bool(winners(state)),
    standings=scores,
    result=game_result,
    summary=result.summary,
    report=result.report,
    continuation=CONTINUATION,
)
