"""View of a session of drills, the same for everybody. The delay is not in it before the signal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from companion.games.drills.rules.model import State, String
from companion.games.drills.rules.text import FALSE_START, NAMES, ended, praise
from companion.games.drills.rules.timing import (
    after_signal,
    measured_result,
    results,
    splits,
    standings,
    trend,
)
from companion.rules.comparing import Trend
from companion.rules.facts import Moment, Seat, SeatId
from companion.rules.pauses import Pauses, Span
from companion.rules.replacing import fields_of

Phase = Literal["ready", "wait", "fire", "over"]


@dataclass(frozen=True, slots=True)
class PlayerGlance(Seat):
    """A player and the score."""

    score: int
    up: bool
    left: bool


@dataclass(frozen=True, slots=True)
class PlayerView(PlayerGlance):
    """A player in full: the number of strings shot, and the statistics of their times."""

    strings: int
    false_starts: int
    trend: Trend | None
    times: tuple[Span, ...]


ALL = "all"  # whose a string at the plates is


@dataclass(frozen=True, slots=True)
class StringView:
    """One string, with its times from the signal, the splits, what gave the signal, and how it ended in words.

    `result` is that of the fastest at the plates, None if it does not count, is unknown or not measured.
    """

    number: int
    name: str
    result: Span | None
    times: tuple[tuple[str, Span | None], ...]
    splits: tuple[Span | None, ...]
    by: str
    ended: str
    praise: str

    def says(self, text: str) -> str:
        """Return the text after the player's name, which is left out if the text already names the players."""
        return text if self.name == ALL or text.startswith(FALSE_START) else f"{self.name}: {text}"


@dataclass(frozen=True, slots=True)
class Glance:
    """The status of a session of drills.

    `number` is that of the newest string, 0 before the first; `signal` is when the open string's signal was
    given.
    """

    phase: Phase
    title: str
    number: int
    players: tuple[PlayerGlance, ...]
    signal: Moment | None
    pauses: Pauses


@dataclass(frozen=True, slots=True)
class DrillsView(Glance):
    """A session of drills.

    `wanted` is the number of strings for each player, 0 for no limit; `last` is the newest string that has begun.
    """

    players: tuple[PlayerView, ...]
    wanted: int
    strings: tuple[StringView, ...]

    @property
    def last(self) -> StringView | None:
        """The newest string, or None."""
        return self.strings[-1] if self.strings else None


def glance(state: State) -> Glance:
    """Return the status of the session."""
    up, scores = _up(state), standings(state)
    return Glance(
        phase=_phase(state),
        title=NAMES[state.drill],
        number=len(state.strings),
        players=tuple(_glance_at(state, seat, up, scores) for seat in state.setup.seats),
        signal=_signal(state),
        pauses=state.common.pauses,
    )


def view(state: State) -> DrillsView:
    """Return the view of the session."""
    up, scores = _up(state), standings(state)
    return DrillsView(
        phase=_phase(state),
        title=NAMES[state.drill],
        number=len(state.strings),
        wanted=state.options.numbers["strings"],
        players=tuple(_player(state, seat, up, scores) for seat in state.setup.seats),
        strings=tuple(_strings(state)),
        signal=_signal(state),
        pauses=state.common.pauses,
    )


def _phase(state: State) -> Phase:
    current = state.current
    if current is not None:
        return "fire" if current.by else "wait"
    return "over" if state.over else "ready"


def _signal(state: State) -> Moment | None:
    return None if state.current is None else state.current.signal


def _up(state: State) -> tuple[SeatId, ...]:
    """Return the seats that act now, or next."""
    if state.current is not None:
        return state.current.up
    return state.still_to_come[:1] if state.drill != "plates" else ()


def _player(
    state: State, seat: Seat, up: tuple[SeatId, ...], scores: Mapping[SeatId, int]
) -> PlayerView:
    return PlayerView(
        **fields_of(_glance_at(state, seat, up, scores)),
        strings=state.counted(seat.id),
        false_starts=sum(string.early == seat.id for string in state.strings),
        trend=trend(state, seat.id),
        times=results(state, seat.id),
    )


def _glance_at(
    state: State, seat: Seat, up: tuple[SeatId, ...], scores: Mapping[SeatId, int]
) -> PlayerGlance:
    return PlayerGlance(*seat.look, scores[seat.id], seat.id in up, seat.id in state.common.left)


def _strings(state: State) -> Iterator[StringView]:
    so_far: dict[
        SeatId, list[Span]
    ] = {}  # what each player's strings came to: each is praised as it ended
    for number, string in enumerate(state.strings, start=1):
        for seat in string.players:
            if (span := measured_result(state, string, seat)) is not None:
                so_far.setdefault(seat, []).append(span)
        yield _string(state, number, string, praise(state, string, so_far.get(string.seat, ())))


def _string(state: State, number: int, string: String, praised: str) -> StringView:
    shots = ((f"shot {place}", at) for place, at in enumerate(string.shots, start=1))
    moments = [(state.name(seat), at) for seat, at in string.plates] or list(shots)
    spans = [measured_result(state, string, seat) for seat in string.players]
    return StringView(
        number, ALL if state.drill == "plates" else state.name(string.seat),
        result=min(filter(None, spans), key=lambda span: span.us, default=None),
        times=tuple((label, after_signal(state, string, at)) for label, at in moments),
        splits=splits(state, string), by=string.by, ended=ended(state, string), praise=praised,
    )  # fmt: skip
