"""A verdict for each wire, from what was observed first with all hands off, then with one wire worked at a time.
Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from companion.link.hit_input import HitInput
from companion.link.status import Counters
from companion.rules.columns import plural
from companion.session.muted import Muting
from firmware_protocol.channels import kind_of
from firmware_protocol.messages import (
    BELOW_THRESHOLD,
    GLITCH,
    LATE,
    PRESSED,
    ROLE_HIT,
    Channel,
    Event,
    Hello,
    Stats,
)

# The worst ordinary switch that J. Ganssle measured makes some 20 edges in 6.2 ms; a release counts the edges of both
# ends of the press.
MANY_BOUNCES = 40
WORN_BOUNCES = 60
# Wires that touch follow each other within a lead's time constant (hardware_docs/limits.md), far below this.
TOGETHER_US = 1_000
# The Pico's crystal is within 30 ppm (its data sheet); the computer's may be as far off, and more when warm.
CLOCK_PPM = 200


class Grade(StrEnum):
    """The condition of a wire."""

    GOOD = "good"
    WORN = "worn"
    FAULT = "fault"
    UNTRIED = "untried"


@dataclass(frozen=True, slots=True)
class WireVerdict:
    """A wire (or `clock`, `link`, `board`), its grade, and the reason in one sentence."""

    wire: str
    grade: Grade
    sentence: str


@dataclass(frozen=True, slots=True)
class WireEvents:
    """Everything observed in a test.

    `closed` are the channels closed at rest, `quiet` the edges while nobody touched anything, and `worked` those while
    a channel was asked for, by its name. `clock_ppm` is the board's clock's rate and `clock_error_ppm` its error.
    `stats` are the board's own last figures; `noise` is what the hit sensor read at rest, of 4095. `muted` are the
    channels that the board muted for noise, each with the first time. `was_asked`: wires were asked for, one by one.
    """

    hello: Hello
    closed: frozenset[str]
    quiet: Sequence[Event]
    worked: Mapping[str, Sequence[Event]]
    counters: Counters = field(default_factory=Counters)
    clock_ppm: float | None = None
    clock_error_ppm: float = 0.0
    stats: Stats | None = None
    noise: int | None = None
    muted: Mapping[str, Muting] = field(default_factory=dict)
    was_asked: bool = False


def verdicts(observed: WireEvents) -> list[WireVerdict]:
    """Return a verdict per wire in the order of the board's channels, then for the clock, the link and the board."""
    wires = [next(_wire(observed, channel)) for channel in observed.hello.channels]
    return [*wires, _clock(observed), _link(observed), _board(observed)]


def _wire(observed: WireEvents, channel: Channel) -> Iterator[WireVerdict]:
    """Yield every reason against a wire, the worst first, then that there is none; the caller takes the first."""
    name = channel.name
    if name in observed.muted:
        yield _fault(
            name,
            f"was {observed.muted[name].what}: a loose or broken lead, a motor beside it, or a worn contact.",
        )
    if kind_of(channel).status:
        yield _status(observed, channel)
    yield from _at_rest(observed, channel)
    hit_input: HitInput | None = None
    if channel.role == ROLE_HIT:
        hit_input = HitInput.of(observed.stats)
    if hit_input is not None and hit_input.fault:
        yield _fault(name, hit_input.fault)
    if name not in observed.worked:
        sentence = "is quiet at rest"
        if hit_input is not None:
            sentence += f", with {hit_input.summary}"
        state = "skipped" if observed.was_asked else "not tried (--press)"
        yield WireVerdict(name, Grade.UNTRIED, f"{sentence}; it was {state}.")
        return
    events = [event for event in observed.worked[name] if event.channel == channel.id]
    others = [event for event in observed.worked[name] if event.channel != channel.id]
    if not events and hit_input is not None:
        yield _silent_hit(name, hit_input)
        return
    if not events:
        yield _silent(observed, name, others)
        return
    if channel.role == ROLE_HIT:
        yield from _hit(name, events)
    else:
        yield from _contact(name, events)
        yield from _mixed(observed, name, events, others)
    yield WireVerdict(name, Grade.GOOD, "answers alone, and is quiet at rest.")


def _fault(wire: str, why: str) -> WireVerdict:
    return WireVerdict(wire, Grade.FAULT, why)


def _at_rest(observed: WireEvents, channel: Channel) -> Iterator[WireVerdict]:
    name = channel.name
    noise = [
        event for event in observed.quiet if event.channel == channel.id and event.flags & PRESSED
    ]
    if name in observed.closed:
        yield _fault(
            name, "is closed while nobody touches it: a short, or the wrong level in pins.json."
        )
    elif noise and channel.role == ROLE_HIT:
        strongest = max(event.peak for event in noise)
        yield _fault(
            name,
            f"{len(noise)} candidates at rest, up to {strongest}: open input, or resting too high.",
        )
    elif noise:
        yield _fault(
            name,
            f"{plural(len(noise), 'press', 'presses')} that nobody made: a disturbed or a loose lead.",
        )


def _status(observed: WireEvents, channel: Channel) -> WireVerdict:
    kind = kind_of(channel)
    if channel.name in observed.closed:
        return WireVerdict(channel.name, Grade.GOOD, kind.closed_at_rest)
    return _fault(channel.name, kind.open_at_rest)


def _silent(observed: WireEvents, name: str, others: Sequence[Event]) -> WireVerdict:
    pressed = {event.channel for event in others if event.flags & PRESSED}
    answering = sorted(channel.name for channel in observed.hello.channels if channel.id in pressed)
    if answering:
        return _fault(name, f"is silent, and {', '.join(answering)} answers for it: swapped leads.")
    return _fault(name, "is silent: a broken lead, or not plugged in.")


def _silent_hit(name: str, hit_input: HitInput) -> WireVerdict:
    if hit_input.has_piezo:
        return _fault(
            name, "is silent, though a piezo is there: swap the disc's two wires, and knock again."
        )
    return _fault(name, f"is silent. {hit_input.sentence}")


def _contact(name: str, events: Sequence[Event]) -> Iterator[WireVerdict]:
    presses = [event for event in events if event.flags & PRESSED]
    releases = [event for event in events if not event.flags & PRESSED]
    if presses and not releases:
        yield _fault(name, "stays closed after it was let go: it sticks.")
    if any(event.flags & GLITCH for event in releases):
        yield _fault(name, "pulses shorter than a finger's: a disturbed lead or a loose joint.")
    if len(presses) > 1:
        yield _fault(
            name, f"one press came as {len(presses)}: it opens for longer than the lock time."
        )
    if any(event.flags & LATE for event in events):
        yield _fault(
            name, "the board read it too late, and its edge was lost: its stamp may be late."
        )
    bounces = max((event.bounces for event in releases), default=0)
    if bounces >= WORN_BOUNCES:
        yield _fault(name, f"bounces {bounces} times: worn; change the switch.")
    elif bounces >= MANY_BOUNCES:
        yield WireVerdict(name, Grade.WORN, f"bounces {bounces} times: it wears; watch it.")


def _mixed(
    observed: WireEvents, name: str, events: Sequence[Event], others: Sequence[Event]
) -> Iterator[WireVerdict]:
    opened = {
        channel.id: channel.name
        for channel in observed.hello.channels
        if channel.role != ROLE_HIT and channel.name not in observed.closed
    }
    for other in others:
        if other.channel not in opened or not other.flags & PRESSED:
            continue
        together = any(abs(other.t_us - event.t_us) <= TOGETHER_US for event in events)
        brief = any(event.channel == other.channel and event.flags & GLITCH for event in others)
        if brief:
            why = "crosstalk between the leads"
        elif together:
            why = "the leads touch"
        else:
            why = "or somebody pressed it too"
        yield _fault(name, f"{opened[other.channel]} answers with it: {why}.")


def _hit(name: str, events: Sequence[Event]) -> Iterator[WireVerdict]:
    peak = max(event.peak for event in events)
    if peak == 0 and any(event.flags & BELOW_THRESHOLD for event in events):
        yield _fault(
            name, "pulses without strength: the piezo does not reach its analog pin, or AGND."
        )
    elif all(event.flags & BELOW_THRESHOLD for event in events):
        yield WireVerdict(
            name,
            Grade.WORN,
            f"a knock reads {peak} of 4095, below the threshold: calibrate the board.",
        )


def _clock(observed: WireEvents) -> WireVerdict:
    if observed.counters.clock_faults:
        return _fault(
            "clock", f"its counter jumped {plural(observed.counters.clock_faults, 'time')}."
        )
    if observed.clock_ppm is None:
        return WireVerdict("clock", Grade.UNTRIED, "too short a test to tell its rate.")
    rate = f"its rate is {observed.clock_ppm:+.0f} ppm off the computer's, +-{observed.clock_error_ppm:.0f}"
    if abs(observed.clock_ppm) - observed.clock_error_ppm > CLOCK_PPM:
        return _fault("clock", f"{rate}: more than two crystals explain.")
    if observed.clock_error_ppm > CLOCK_PPM:
        return WireVerdict(
            "clock", Grade.UNTRIED, f"{rate}: too short a test, or too busy a computer, to tell."
        )
    return WireVerdict("clock", Grade.GOOD, f"{rate}.")


def _link(observed: WireEvents) -> WireVerdict:
    if observed.counters.gap_events:
        return _fault(
            "link", f"A full ring refused {plural(observed.counters.gap_events, 'event')}."
        )
    bad_frames = observed.counters.bad_frames
    if observed.stats is not None:
        bad_frames += observed.stats.bad_frames
    if bad_frames or observed.counters.duplicates:
        damage = f"{bad_frames} frames damaged, {observed.counters.duplicates} sent again: cable, hub or plug."
        return WireVerdict("link", Grade.WORN, damage)
    return WireVerdict("link", Grade.GOOD, "every frame came, once.")


def _board(observed: WireEvents) -> WireVerdict:
    stats, noise = observed.stats, observed.noise
    if stats is None:
        return WireVerdict("board", Grade.UNTRIED, "told nothing of itself yet.")
    parts = [
        f"longest turn {stats.longest_turn_us / 1000:.1f} ms",
        f"at most {stats.ring_high_water} of {observed.hello.ring_size} places of the ring used",
    ]
    if stats.free_bytes:
        parts.append(f"{stats.free_bytes // 1024} kB of memory free")
    hit_input = HitInput.of(stats)
    if hit_input is not None:
        parts.append(hit_input.readings)
    if noise is not None:
        parts.append(f"the hit sensor at rest up to {noise} of 4095")
    return WireVerdict("board", Grade.GOOD, f"{', '.join(parts)}.")
