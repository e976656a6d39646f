"""Games played to the end by what a page of the table offers: scripts of wishes, the same for the same seed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from random import Random

from companion.journal.entries import Layer
from companion.rules import registry
from companion.rules.common import COMMON_FACTS
from companion.rules.facts import Refused, by_kind, secret_kinds
from companion.session.opening import begin
from companion.session.roles import Role
from companion.session.table import Table
from companion.session.tap_meanings import content_of
from companion.session.taps import Device, EnterFact, Step, Tap, Wish
from tests.games.own.files import TEXTS

MOST_STEPS = 3_000
GAP_US = 2_000_000
"""The time between two steps, longer than any error of a moment."""
OF_ALL_GAMES = frozenset(by_kind(*COMMON_FACTS))
BEGIN_AGAIN = frozenset({"restart", "assign", "refused", "retraction"})
"""What is left out, because a game in which it is as likely as a move does not come to its end."""
TIMED = frozenset({"panic-fire", "drills"})
"""Games in which times decide. A tap decides nothing by its time, so tapped they are not the same game as typed."""
_TABLET = Device("tablet", "a tablet", Role.TABLE)
_EXACTNESS = re.compile(r" ±[0-9.]+ s")


@dataclass(frozen=True)
class Script:
    """A game and its seats, and what is done, one after the other."""

    game: str
    names: Sequence[str]
    wishes: Sequence[Wish]


class StepClock:
    """A monotonic clock that moves only when it is told to."""

    def __init__(self) -> None:
        self.us = 10_000_000

    def __call__(self) -> int:
        return self.us


Way = Callable[[Table, StepClock, Wish], object]
"""Does what a wish asks for, at the laptop or on a page."""


def script_of(game: str, names: Sequence[str], seed: int, folder: Path, do: Way) -> Script:
    """Return a script that plays `game` to its end if `do` does each step."""
    wishes: list[Wish] = []
    clock, chance, used = StepClock(), Random(seed), Counter[str]()
    with closing(open_table(game, names, folder / f"{game}-{seed}.sqlite", clock)) as table:
        while not table.view().ended:
            assert len(wishes) < MOST_STEPS, f"{game} did not end"
            clock.us += GAP_US
            table.tick()
            offered = offers(table)
            kinds = sorted(offered.keys() - BEGIN_AGAIN) or sorted(offered)
            kind = chance.choices(kinds, [1 / (1 + used[each]) ** 2 for each in kinds])[0]
            used[kind] += 1
            wish = chance.choice(offered[kind])
            wishes.append(wish)
            do(table, clock, wish)
    return Script(game, names, wishes)


def open_table(game: str, names: Sequence[str], path: Path, clock: StepClock) -> Table:
    """Return a new table of a game, which may be an example of an own one, without a board."""
    if game in TEXTS:
        game = registry.learn(TEXTS[game]).id
    return begin(game, names, {}, path, clock_us=clock, chance=Random(1))


def offers(table: Table) -> dict[str, list[Wish]]:
    """Return what a page of the table offers now, by the kind of fact that it makes."""
    found: dict[str, list[Wish]] = {}
    view = table.view()
    for action in table.actions:
        if not action.id.startswith("table.") and view.works(action.id):
            found.setdefault(_kind_of(table, action.id), []).append(Step(action.id))
    for kind, facts in _legal(table).items():
        found.setdefault(kind, facts)
    return found


def _kind_of(table: Table, action: str) -> str:
    try:
        made = table.look(lambda record: record.still_game.pressed(record.state, action))
    except Refused:
        return "refused"
    return getattr(made, "kind", "retraction")


def _legal(table: Table) -> dict[str, list[Wish]]:
    secret = secret_kinds(table.game.facts)
    found: dict[str, list[Wish]] = {}
    for fact in table.legal():
        if fact.kind not in secret and fact.kind not in OF_ALL_GAMES:
            found.setdefault(fact.kind, []).append(EnterFact(*content_of(fact)))
    return found


def way_of(game: str) -> Way:
    """Return the way to play a game that comes to the same as clicks on a page."""
    return tap_in if game in TIMED else type_in


def tap_in(table: Table, clock: StepClock, wish: Wish) -> None:
    """Tap on a page what a wish asks for."""
    tap_id = f"tap-{clock.us:012}"
    table.tap(_TABLET, Tap(tap_id, table.view().newest, wish, clock.us - 100_000))


def type_in(table: Table, _clock: StepClock, wish: Wish) -> None:
    """Do at the laptop what a wish asks for."""
    match wish:
        case Step(action=action):
            table.do(action)
        case EnterFact(kind=kind, body=body):
            table.enter(kind, body)


def transcript(table: Table) -> list[str]:
    """Return the sentences of what counts, in order. How exact a time is depends on the hand: nobody
    knows when a page was tapped as well as when a key was pressed."""
    return table.look(
        lambda record: [
            _EXACTNESS.sub("", record.text(entry.n))
            for entry in record.entries
            if entry.layer is Layer.FACT and record.stands(entry.n)
        ]
    )


def played(script: Script, path: Path, do: Way) -> list[str]:
    """Return the transcript of a script of which `do` does each step."""
    clock = StepClock()
    with closing(open_table(script.game, script.names, path, clock)) as table:
        for wish in script.wishes:
            clock.us += GAP_US
            table.tick()
            do(table, clock, wish)
        assert table.view().ended
        return transcript(table)
