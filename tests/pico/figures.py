"""What is measured on the emulated chip, for the tests with few runs and for the benchmark with many."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from firmware_protocol.messages import MASKED, PRESSED, Event
from tests.pico.emulator.emulated import MS, US, EmulatedPico
from tests.pico.lockstep import Lockstep

ZONES = tuple(f"zone-{number}" for number in range(1, 11))
CONTACTS = ("trigger", *ZONES)
# Channel numbers.
HIT = 1
FIRST_ZONE = 2
# The first of a noise is not told from a contact that bounces.
UNTOLD_MS = 20
SPACING_MS = 48
QUIET_ZONE = "zone-5"


@dataclass(frozen=True, slots=True)
class Turns:
    """The durations of the main loop's turns, without the time asleep, in ms."""

    mean_ms: float
    worst_ms: float


@dataclass(frozen=True, slots=True)
class BesideNoise:
    """What became of presses and knocks beside a noisy wire: one delay (ms) and one error (us) for each press read."""

    delays_ms: list[float]
    errors_us: list[float]
    hits: int
    survived: bool


def channel_of(name: str) -> int:
    """Return the number of a contact's channel."""
    return 0 if name == "trigger" else FIRST_ZONE - 1 + int(name.rpartition("-")[2])


def connected(pico: EmulatedPico, answer_us: int = 0) -> Lockstep:
    """Return a host that has armed the board."""
    host = Lockstep(pico, answer_us)
    assert host.connect(), f"not connected after {host.ms:.0f} ms: {pico.log}"
    assert host.arm(), f"not armed after {host.ms:.0f} ms: {pico.log}"
    return host


def started_ms(pico: EmulatedPico) -> float:
    """Connect from power on; return when the first WHO was answered."""
    host = Lockstep(pico)
    assert host.until(lambda: host.session.hello is not None)
    return host.ms


def blink(pico: EmulatedPico, ms: int) -> None:
    """Cut the power for so long."""
    pico.order("power", on=False)
    pico.run(ms * 1000)
    pico.order("power", on=True)


def survives(pico: EmulatedPico, host: Lockstep) -> bool:
    """Return true if the firmware accepts everything that this host sends, 0x03 included, and keeps running."""
    if not host.until(lambda: host.session.hello is not None, 8_000_000):
        return False
    host.session.arm()
    return host.until(lambda: host.session.armed, 2_000_000) and all(
        entry.startswith("boot") for _, entry in pico.log
    )


def presses(host: Lockstep, per_s: int, count: int) -> list[float]:
    """Press contacts in turn; return for each press how many ms it took to the host."""
    base_ns = host.pico.ns + 10 * MS
    at = [base_ns + number * 1_000 * MS // per_s for number in range(count)]
    for number, at_ns in enumerate(at):
        host.pico.press(at_ns, ZONES[number % len(ZONES)], 12)
    return [
        (read_ns - at_ns) / MS
        for at_ns, (read_ns, _) in zip(at, _pressed(host, count), strict=True)
    ]


def stamp_errors(host: Lockstep, instants: Sequence[tuple[int, Sequence[str]]]) -> list[float]:
    """Press the named contacts at each instant (ns); return the error of each stamp in us."""
    expected: list[tuple[int, int]] = []
    for at_ns, names in instants:
        for name in names:
            host.pico.press(at_ns, name, 12)
            expected.append((at_ns, channel_of(name)))
    presses_read = _pressed(host, len(expected))
    stamps = {(event.channel, round(event.t_us / 10_000)): event.t_us for _, event in presses_read}
    return [stamps[channel, round(at_ns / 10 / MS)] - at_ns / US for at_ns, channel in expected]


def drained(host: Lockstep, edges: int = 500) -> float:
    """Let so many edges happen within a second; return the events a second until the host has the last."""
    before, begun_ns = len(host.events), host.pico.ns + 10 * MS
    for number in range(edges // 2):
        host.pico.press(begun_ns + number * 2_000 * MS // edges, ZONES[number % len(ZONES)], 20)
    assert host.until(lambda: len(host.events) - before >= edges, 20_000_000), (
        len(host.events) - before
    )
    return edges / ((host.events[-1][0] - begun_ns) / (1_000 * MS))


def turns(host: Lockstep, us: int) -> Turns:
    """Let time pass; return what the turns of the main loop took meanwhile."""
    return turns_during(host, lambda: host.spend(us))


def turns_during(host: Lockstep, act: Callable[[], object]) -> Turns:
    """Return what the turns of the main loop took while the host did something."""
    host.pico.order("turns")
    act()
    answer = host.pico.order("turns")
    return Turns(answer["busyNs"] / answer["count"] / MS, answer["worstNs"] / MS)


def knocks(
    host: Lockstep, count: int, peak: Callable[[int], int], rise_us: Callable[[int], int]
) -> list[float]:
    """Knock so often, 60 ms apart; return for each knock that was read its peak as a part of the true one."""
    base_ns = host.pico.ns + 10 * MS
    before = len(host.events)
    true: list[tuple[int, int]] = []
    for number in range(count):
        at_ns = base_ns + number * 60 * MS
        host.pico.knock(at_ns, peak(number), rise_us(number))
        host.pico.level_at(at_ns + 50 * US, "hit", 1)
        host.pico.level_at(at_ns + 2 * MS, "hit", 0)
        true.append((at_ns, peak(number)))
    host.spend((count * 60 + 100) * 1000)
    read = [
        event
        for _, event in host.events[before:]
        if event.channel == HIT and not event.flags & MASKED
    ]
    parts = []
    for at_ns, value in true:
        near = [event.peak for event in read if abs(event.t_us - at_ns / US) < 2_000]
        if near:
            parts.append(near[0] / value)
    return parts


def _pressed(host: Lockstep, count: int) -> list[tuple[int, Event]]:
    """Wait for so many presses of contacts."""
    before = len(host.events)

    def presses_read() -> list[tuple[int, Event]]:
        return [
            row for row in host.events[before:] if row[1].flags & PRESSED and row[1].channel != HIT
        ]

    assert host.until(lambda: len(presses_read()) >= count, 60_000_000), (
        f"{len(presses_read())} of {count}"
    )
    return sorted(presses_read(), key=lambda row: row[1].t_us)


def beside_noise(host: Lockstep, noisy: Sequence[str], hz: int, count: int) -> BesideNoise:
    """Press a contact and knock so many times beside wires with noise, which begins `UNTOLD_MS` earlier."""
    begun_ns = host.pico.ns + 5 * MS
    first_ns = begun_ns + UNTOLD_MS * MS
    ended_ns = first_ns + (count + 2) * SPACING_MS * MS
    for name in noisy:
        host.pico.noise(name, hz, begun_ns, ended_ns)
    at = [first_ns + number * SPACING_MS * MS for number in range(count)]
    for at_ns in at:
        host.pico.press(at_ns, QUIET_ZONE, 12)
        host.pico.knock(at_ns + 20 * MS, 2000)
    before = len(host.events)
    host.spend((ended_ns - host.pico.ns) // 1000)
    news = host.events[before:]
    pressed = [
        (read_ns, event)
        for read_ns, event in news
        if event.channel == channel_of(QUIET_ZONE) and event.flags & PRESSED
    ]
    read = list(zip(at, pressed, strict=False))
    hits = [
        event
        for _, event in news
        if event.channel == HIT and event.peak > 1500 and event.t_us * US > first_ns
    ]
    return BesideNoise(
        delays_ms=[(read_ns - at_ns) / MS for at_ns, (read_ns, _) in read],
        errors_us=[event.t_us - at_ns / US for at_ns, (_, event) in read],
        hits=len(hits),
        survived=all(entry.startswith("boot power") for _, entry in host.pico.log),
    )
