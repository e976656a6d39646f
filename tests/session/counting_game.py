"""A small game of its own, with something to hide, to show and to break: words under cards, marks, and counts.

- `mark` writes a number down; `drop` takes a number away, and needs one (CG-1).
- `hide` puts a seat's word under its card (CG-2); `show` turns the card over: everybody sees it (CG-3).
- `count` is what a tap of a zone does; not while the clock stands still.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from companion.journal.entries import Layer
from companion.journal.journal import Journal
from companion.rules.actions import Action
from companion.rules.common import COMMON_FACTS, Common, apply_common, describe_common
from companion.rules.facts import Fact, Moment, Refused, SeatId, Setup, by_kind
from companion.rules.game import Game, Retraction, Step
from companion.rules.gestures import Gesture, GestureKind
from companion.rules.pauses import GO_ON_FIRST
from companion.rules.seats import seats_from_names
from companion.session.table import Table
from firmware_protocol.messages import Channel, Hello
from tests.session.parts import BOOT, UID, WALL

SEATS = ("Ada", "Bo", "Cy")


class Mark(Fact, kind="mark"):
    i: int


class Drop(Fact, kind="drop"):
    i: int


class Hide(Fact, kind="hide"):
    seat: SeatId
    word: str


class Show(Fact, kind="show"):
    seat: SeatId


class Count(Fact, kind="count"):
    seat: SeatId


OWN = (Mark, Drop, Hide, Show, Count)


@dataclass(frozen=True)
class State:
    common: Common
    marks: tuple[int, ...] = ()
    last_mark: int = 0
    hidden: tuple[tuple[SeatId, str], ...] = ()
    shown: tuple[SeatId, ...] = ()
    counts: tuple[SeatId, ...] = ()


def apply(state: State, fact: Fact, entry: int) -> State:
    match fact:
        case Mark(i=i):
            return replace(state, marks=(*state.marks, i), last_mark=entry)
        case Drop(i=i) if i in state.marks:
            place = state.marks.index(i)
            return replace(state, marks=state.marks[:place] + state.marks[place + 1 :])
        case Drop(i=i):
            raise Refused("CG-1", f"there is no {i}", "a number that is written down")
        case Hide(seat=seat, word=word) if seat not in dict(state.hidden):
            return replace(state, hidden=(*state.hidden, (seat, word)))
        case Hide(seat=seat):
            raise Refused("CG-2", f"{seat} hides a word already", "another seat")
        case Show(seat=seat) if seat in dict(state.hidden):
            return replace(state, shown=(*state.shown, seat))
        case Show(seat=seat):
            raise Refused("CG-3", f"{seat} has hidden nothing", "a hidden word first")
        case Count() if state.common.paused:
            raise Refused("PAUSE", "the clock stands still", "the game to go on", GO_ON_FIRST)
        case Count(seat=seat):
            return replace(state, counts=(*state.counts, seat))
    return replace(state, common=apply_common(state.common, fact, standings(state)))


def sentence(before: State, _after: State, fact: Fact, viewer: SeatId) -> str:
    match fact:
        case Mark(i=i):
            return f"{i} is written down"
        case Drop(i=i):
            return f"{i} is taken away"
        case Hide(seat=seat, word=word):
            return f"{seat} hides {word if viewer == seat else 'a word'}"
        case Show(seat=seat):
            return f"{seat} shows {dict(before.hidden).get(seat, 'nothing')}"
        case Count(seat=seat):
            return f"{seat} counts"
    return describe_common(before.common, fact)


def interpret(state: State, gesture: Gesture) -> Fact:
    seat = _seat(state, gesture.channel)
    if seat is None or gesture.kind not in (GestureKind.TAP, GestureKind.HOLD):
        raise Refused("CG-4", f"nobody needs a {gesture.kind}", "a tap or a hold of a zone")
    at = Moment(us=gesture.t_us, pm=gesture.pm_us, clock=gesture.clock)
    return Count(seat=seat, at=at) if gesture.kind is GestureKind.TAP else Show(seat=seat, at=at)


def _seat(state: State, channel: str) -> SeatId | None:
    zones = {
        f"zone-{place}": seat.id for place, seat in enumerate(state.common.setup.seats, start=1)
    }
    return zones.get(channel)


def actions(setup: Setup) -> tuple[Action, ...]:
    counts = tuple(
        Action(
            f"counting.count.{place}",
            (str(place),),
            f"{seat.initial} counts",
            f"{seat.name} counts.",
            "counting",
        )
        for place, seat in enumerate(setup.seats, start=1)
    )
    return (
        *counts,
        Action(
            "counting.total", ("enter",), "total", "Write down how often was counted.", "counting"
        ),
        Action(
            "counting.wipe", ("w",), "wipe", "Take back what was written down last.", "counting"
        ),
    )


def act(state: State, action_id: str) -> Fact | Retraction:
    word, _, number = action_id.removeprefix("counting.").partition(".")
    if word == "count":
        return Count(seat=state.common.setup.seats[int(number) - 1].id)
    if word == "total":
        return Mark(i=len(state.counts))
    if word == "wipe" and state.last_mark:
        return Retraction((state.last_mark,), "wiped")
    raise Refused("KEY", f"{action_id} means nothing", "another key")


def view(state: State, viewer: SeatId) -> Any:
    own = dict(state.hidden).get(viewer)
    return {"marks": state.marks, "shown": state.shown, "counts": state.counts, "hidden": own}


def standings(state: State) -> Mapping[SeatId, int]:
    return {
        seat.id: state.counts.count(seat.id) + state.common.added(seat.id)
        for seat in state.common.setup.seats
    }


COUNTING: Game[State] = Game(
    id="counting",
    title="Counting",
    rules_version=1,
    seat_counts=range(1, 10),
    facts=by_kind(*OWN, *COMMON_FACTS),
    steps=(Step("counts", "counts", ("count",)), Step("shows", "cards", ("show",))),
    start=lambda setup: State(Common(setup)),
    apply=apply,
    sentence=sentence,
    reveals=lambda _, fact: (
        f"the word of {fact.seat}, to everybody" if isinstance(fact, Show) else None
    ),
    awaiting=lambda _: "anything",
    hold_means=lambda state, channel: _seat(state, channel) in dict(state.hidden),
    interpret=interpret,
    actions=actions,
    act=act,
    view=view,
    over=lambda _: False,
    standings=standings,
    summary=lambda state: (f"{len(state.marks)} numbers",),
    report=lambda state: {"marks": list(state.marks)},
)


class Clock:
    """A host clock in microseconds that moves only when a test sets it."""

    def __init__(self, now: int = 1_000_000) -> None:
        self.now = now

    def __call__(self) -> int:
        return self.now

    def pass_ms(self, ms: int) -> None:
        self.now += ms * 1000


def small_setup() -> Setup:
    return Setup("counting", 1, seats_from_names(SEATS))


def small_header() -> dict[str, Any]:
    seats = [asdict(seat) for seat in small_setup().seats]
    return {"name": "evening", "game": "counting", "rules": 1, "seats": seats, "options": {}}


def small_table(journal: Journal, clock: Clock) -> Table:
    return Table(COUNTING, journal, small_setup(), host_us=clock)


@contextmanager
def at_small_table(folder: Path, channels: Sequence[Channel]) -> Iterator[Table]:
    """Yield a table with a journal in `folder`, and a board that has sent HELLO with these
    channels."""
    with Journal.create(
        folder / "counting.sqlite", small_header(), wall=lambda: WALL, retry_s=0.001
    ) as journal:
        table = small_table(journal, Clock())
        table.board.on_identified(
            Hello(1, 0, UID, 0, 0, 0, 512, 1, 1, 100, "1.0", "bench", tuple(channels)), BOOT
        )
        yield table


def notice(table: Table) -> str:
    """Return the text of the last notice, a refusal or not; empty for none."""
    last = table.view().notice
    return "" if last is None else last.text


def notice_of(table: Table) -> str:
    """Return the last notice; a refusal begins with `? `."""
    notice = table.view().notice
    if notice is None:
        return ""
    return f"? {notice.text}" if notice.refused else notice.text


def marks(table: Table) -> tuple[int, ...]:
    """Return the numbers that are written down."""
    written: tuple[int, ...] = table.view().game["marks"]
    return written


def last_fact(journal: Journal) -> int:
    """Return the number of the last fact."""
    return max(entry.n for entry in journal.entries if entry.layer is Layer.FACT)


def write(table: Table, *numbers: int) -> None:
    """Enter marks."""
    for number in numbers:
        table.enter("mark", {"i": number})
