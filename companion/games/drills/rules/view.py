"""What everybody at the table may see of a drill. The delay is not in it before the signal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from companion.games.drills.rules.model import State, String
from companion.games.drills.rules.text import FALSE_START, NAMES, ended, praise
from companion.games.drills.rules.timing import after_signal, points, result, results, splits, trend
from companion.rules.comparing import Trend
from companion.rules.game import Moment, Seat, SeatId
from companion.rules.pauses import Pauses, Span

Phase = Literal["ready", "wait", "fire", "over"]


@dataclass(frozen=True, slots=True)
class PlayerView(Seat):
    """One player: the score, how many strings are behind, and what the times say."""

    score: int
    strings: int
    false_starts: int
    trend: Trend | None
    times: tuple[Span, ...]
    up: bool
    left: bool


ALL = "all"  # whose a string at the plates is


@dataclass(frozen=True, slots=True)
class StringView:
    """One string: whose, what it came to (at the plates for who was first; None: it does not count, or nobody can
    know), its times from the signal, the splits, what gave the signal, and how it ended in words."""

    number: int
    name: str
    result: Span | None
    times: tuple[tuple[str, Span | None], ...]
    splits: tuple[Span | None, ...]
    by: str
    ended: str
    praise: str

    def says(self, what: str) -> str:
        """Return what is said of it behind whose it is, where neither names the players anyhow."""
        return what if self.name == ALL or what.startswith(FALSE_START) else f"{self.name}: {what}"


@dataclass(frozen=True, slots=True)
class DrillsView:
    """A session of drills. `wanted` is how many strings each player has, 0 for as many as they like; `signal` is when
    the open string's signal was given; `last` is the newest string that has begun."""

    phase: Phase
    title: str
    wanted: int
    players: tuple[PlayerView, ...]
    strings: tuple[StringView, ...]
    signal: Moment | None
    pauses: Pauses

    @property
    def last(self) -> StringView | None:
        """The newest string."""
        return self.strings[-1] if self.strings else None


def view(state: State) -> DrillsView:
    """Return what everybody may see."""
    current = state.current
    return DrillsView(
        phase=("fire" if current.by else "wait") if current is not None else "over" if state.over else "ready",
        title=NAMES[state.drill],
        wanted=state.options.numbers["strings"],
        players=tuple(_player(state, seat.id) for seat in state.setup.seats),
        strings=tuple(_strings(state)),
        signal=None if current is None else current.signal,
        pauses=state.common.pauses,
    )


def _player(state: State, seat_id: SeatId) -> PlayerView:
    seat, current = state.seat(seat_id), state.current
    up = current.up if current is not None else state.still_to_come[:1] if state.drill != "plates" else ()
    times = results(state, seat_id)
    return PlayerView(
        *seat.look,
        score=points(state, seat_id) + state.common.added(seat_id),
        strings=state.counted(seat_id),
        false_starts=sum(string.early == seat_id for string in state.strings),
        trend=trend(state, seat_id), times=times, up=seat_id in up, left=seat_id in state.common.left,
    )  # fmt: skip


def _strings(state: State) -> Iterator[StringView]:
    so_far: dict[SeatId, list[Span]] = {}  # what each player's strings came to: each is praised as it ended
    for number, string in enumerate(state.strings, start=1):
        for seat in string.players:
            if (span := result(state, string, seat)) is not None:
                so_far.setdefault(seat, []).append(span)
        yield _string(state, number, string, praise(state, string, so_far.get(string.seat, ())))


def _string(state: State, number: int, string: String, praised: str) -> StringView:
    shots = ((f"shot {place}", at) for place, at in enumerate(string.shots, start=1))
    done = [(state.name(seat), at) for seat, at in string.plates] or list(shots)
    spans = [span for seat in string.players if (span := result(state, string, seat)) is not None]
    return StringView(
        number, ALL if state.drill == "plates" else state.name(string.seat),
        result=min(spans, key=lambda span: span.us, default=None),
        times=tuple((what, after_signal(state, string, at)) for what, at in done),
        splits=splits(state, string), by=string.by, ended=ended(state, string), praise=praised,
    )  # fmt: skip
