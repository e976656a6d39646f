"""A record to correct, made by hand: draws, a dry pull, a ruling taken back and a broken one."""

from __future__ import annotations

from typing import Any

from companion.rules.facts import Moment
from companion.rules.gestures import GestureSettings
from companion.session.marshal_view import EvidenceLine, MarshalView, RulingLine
from companion.session.views import Level
from tests.dashboard.fakes import FakeTable
from tests.games.panic_fire.screen.views import BOARD, FIRE, panic_fire_table

DRY = "dry pull: the hit at +12.0 ms had peak 212, below threshold (PF-R3)"
SENSELESS_WHY = "there is no shot to name"
SENSELESS = f"PF-10: {SENSELESS_WHY}; expected a shot"


def moment(ms: int) -> Moment:
    return Moment(us=FIRE.us + ms * 1000, pm=25, clock=BOARD)


def draw(place: int) -> tuple[EvidenceLine, RulingLine, EvidenceLine]:
    """Return press, ruling and release of a draw, half a second after the previous; the first are
    entries 4 to 6."""
    n, ms = 4 + 3 * place, 500 * (place + 1)
    press = EvidenceLine(n, "zone-2 pressed", moment(ms), (n + 1,))
    ruling = RulingLine(
        n + 1, "draw", {"seat": "blue"}, f"Blue draws, number {place + 1}", moment(ms), (n,), True
    )
    return press, ruling, EvidenceLine(n + 2, "zone-2 released, 3 bounces", moment(ms + 80), ())


def record(draws: int = 3, *more: RulingLine) -> MarshalView:
    """Return fire!, then `draws` draws, then `more` rulings."""
    fire = RulingLine(3, "fire", {}, "fire! round 2 of 6 begins", FIRE, (2,), True)
    taps = [draw(place) for place in range(draws)]
    evidence = [
        EvidenceLine(2, "zone-1 pressed", FIRE, (3,)),
        *(entry for tap in taps for entry in (tap[0], tap[2])),
    ]
    return MarshalView(
        tuple(evidence),
        (fire, *(tap[1] for tap in taps), *more),
        GestureSettings(),
        {"draws": Level.PROPOSED},
    )


def troubled() -> MarshalView:
    """Return three draws, a dry pull with its two pieces of evidence, a ruling taken back, and a
    broken one."""
    plain = record(3)
    pull = EvidenceLine(20, "trigger pressed", moment(30_000), (22,))
    hit = EvidenceLine(21, "hit, peak 212, below threshold", moment(30_012), (22,))
    dry = RulingLine(22, "dry_pull", {}, DRY, moment(30_000), (20, 21), True)
    gone = RulingLine(
        23,
        "override",
        {"seat": "red", "status": "out"},
        "the table eliminates Red",
        None,
        (),
        False,
        None,
        "red",
        "she woke",
    )
    senseless = RulingLine(
        24, "shooter", {"seat": "red"}, "Red shot Blue", None, (), True, SENSELESS
    )
    rulings = (*plain.rulings, dry, gone, senseless)
    return MarshalView((*plain.evidence, pull, hit), rulings, plain.settings, plain.levels)


def marshal_table(marshalled: MarshalView, **changes: Any) -> FakeTable:
    table = panic_fire_table(**changes)
    table.marshalled = marshalled
    return table
