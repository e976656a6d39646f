"""The five settings computed from measured hits and presses, each with its reason, and what they would accept. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.board.selftest import WORN_BOUNCES
from companion.link.settings import DEFAULTS
from companion.rules.columns import plural
from firmware_protocol.board.settings import RANGES
from firmware_protocol.messages import GLITCH, PRESSED, UNREAD, Config, Event

LIMITS = {name: (low, high) for name, low, high in RANGES}
# The longest bounce that J. Ganssle measured on ordinary switches is 6.2 ms with some 20 edges: 310 us an edge. A
# release counts the bounces of both ends of its press.
BOUNCE_US = 310
NOISE_MARGIN = 1.5
_REMEDY = "look at the sensor's place and wires (hardware_docs/troubleshooting.md)."


@dataclass(frozen=True, slots=True)
class CalibrationSamples:
    """The edges of each step: hit candidates while held still, of each shot and of each knock; and the contacts'
    edges."""

    still: Sequence[Event]
    shots: Sequence[Sequence[Event]]
    knocks: Sequence[Sequence[Event]]
    contacts: Sequence[Event]


@dataclass(frozen=True, slots=True)
class CalibratedSetting:
    """One setting for the board and the reason for its value."""

    name: str
    value: int
    reason: str


@dataclass(frozen=True, slots=True)
class ProposedSettings:
    """The settings in CONFIG's order.

    `warnings` are about what no setting can fix; `outcome` is what the settings would have made of the shots, the
    knocks and the quiet.
    """

    settings: tuple[CalibratedSetting, ...]
    warnings: tuple[str, ...]
    outcome: tuple[str, ...]

    @property
    def config(self) -> Config:
        """The settings as the message to the board."""
        return Config(**{setting.name: setting.value for setting in self.settings})

    @property
    def sentences(self) -> tuple[str, ...]:
        """The warnings and the outcome."""
        return (*self.warnings, *(f"It would have counted {line}." for line in self.outcome))


def propose(samples: CalibrationSamples) -> ProposedSettings:
    """Return the settings to propose."""
    threshold, warnings = _threshold(samples)
    lock, worn = _lock(samples.contacts)
    scan_why = "the default: a piezo peaks within its first milliseconds"
    scan = CalibratedSetting("hit_scan_us", DEFAULTS.hit_scan_us, scan_why)
    settings = (
        lock,
        _glitch(samples.contacts),
        threshold,
        scan,
        _mask(samples.shots, threshold.value),
    )
    config = ProposedSettings(settings, (), ()).config
    return ProposedSettings(settings, (*warnings, *worn), _outcome(samples, config))


def _clamped(name: str, value: float) -> int:
    low, high = LIMITS[name]
    return max(low, min(high, round(value)))


def _peak(candidates: Sequence[Event]) -> int:
    return max((event.peak for event in candidates), default=0)


def _threshold(samples: CalibrationSamples) -> tuple[CalibratedSetting, list[str]]:
    noise = _peak(samples.still)
    shots = [_peak(shot) for shot in samples.shots if _is_read(shot)]
    knock = max([_peak(knock) for knock in samples.knocks], default=0)
    name = "hit_threshold"
    if not any(shots):
        why, remedy = _no_peak(samples.shots, shots)
        default = CalibratedSetting(name, DEFAULTS.hit_threshold, f"the default, for {why}")
        return default, [f"{why.capitalize()}: {remedy}"]
    weakest = min(shots)
    floor = noise * NOISE_MARGIN
    warnings = []
    if floor >= weakest:
        warnings.append(
            f"The noise ({noise}) is as strong as the weakest shot ({weakest}): {_REMEDY}"
        )
    if knock < weakest:
        value = (knock + weakest) / 2
        why = f"midway between the strongest knock ({knock}) and the weakest shot ({weakest})"
    else:
        value, why = (
            weakest / 2,
            f"half the weakest shot ({weakest}); knocks are as strong ({knock})",
        )
        warnings.append(
            "Knocks are as strong as shots: no fault, only trigger and hit together make a shot."
        )
    if value < floor:
        value, why = floor, f"{NOISE_MARGIN} times the noise ({noise})"
    return CalibratedSetting(name, _clamped(name, value), why), warnings


def _is_read(shot: Sequence[Event]) -> bool:
    return bool(shot) and not any(event.flags & UNREAD for event in shot)


def _no_peak(shots: Sequence[Sequence[Event]], peaks: Sequence[int]) -> tuple[str, str]:
    """Return why no shot has a peak, and what to do."""
    if peaks:
        return "no shot had a strength (a vibration module: its screw is the threshold)", _REMEDY
    if any(shots):
        return "the board was too busy to read a shot", "calibrate again."
    return "no shot was felt", _REMEDY


def _mask(shots: Sequence[Sequence[Event]], threshold: int) -> CalibratedSetting:
    name = "hit_mask_us"
    longest = 0
    for shot in shots:
        times = [event.t_us for event in shot if event.peak >= threshold]
        if times:
            longest = max(longest, max(times) - min(times))
    value = _clamped(name, max(DEFAULTS.hit_mask_us, longest * 1.5))
    if longest == 0:
        why = "each shot came as one candidate" if any(shots) else "no shot was felt"
        return CalibratedSetting(name, value, f"the default: {why}")
    why = f"the body rings {longest / 1000:.1f} ms, and half as much again"
    if longest * 1.5 > LIMITS[name][1]:
        why += ", as long as it may be"
    return CalibratedSetting(name, value, why)


def _lock(contacts: Sequence[Event]) -> tuple[CalibratedSetting, list[str]]:
    name = "lock_us"
    bounces = max((event.bounces for event in contacts if not event.flags & PRESSED), default=0)
    # A worn contact is to be changed: its bounces must not lengthen the lock time of all others.
    counted = min(bounces, WORN_BOUNCES)
    value = _clamped(name, max(DEFAULTS.lock_us, counted * BOUNCE_US))
    if value == DEFAULTS.lock_us:
        why = f"the default; at most {plural(bounces, 'bounce')}"
    else:
        why = f"twice the {counted * BOUNCE_US / 2000:.1f} ms that half of {counted} bounces take"
    worn = []
    if bounces >= WORN_BOUNCES:
        worn.append(f"A contact bounced {bounces} times: change it.")
    return CalibratedSetting(name, value, why), worn


def _glitch(contacts: Sequence[Event]) -> CalibratedSetting:
    name = "glitch_us"
    shortest = min(_press_lengths(contacts), default=None)
    if shortest is None or shortest > 2 * DEFAULTS.glitch_us:
        return CalibratedSetting(name, DEFAULTS.glitch_us, "the default: no press was near it")
    return CalibratedSetting(
        name, _clamped(name, shortest / 2), f"half the shortest press ({shortest} us)"
    )


def _press_lengths(contacts: Sequence[Event]) -> list[int]:
    down: dict[int, int] = {}
    lengths = []
    for event in contacts:
        if event.flags & PRESSED:
            down[event.channel] = event.t_us
        elif event.channel in down and not event.flags & GLITCH:
            lengths.append(event.t_us - down.pop(event.channel))
    return lengths


def accepted(candidates: Sequence[Event], config: Config) -> int:
    """Return how many hits the board would have reported as full hits, neither weak nor masked."""
    count, until_us = 0, 0
    for event in sorted(candidates, key=lambda event: event.t_us):
        # A peak that nobody read is taken for a hit, as the firmware does.
        is_strong = bool(event.flags & UNREAD) or event.peak >= config.hit_threshold
        if is_strong and event.t_us >= until_us:
            count += 1
            until_us = event.t_us + config.hit_mask_us
    return count


def _outcome(samples: CalibrationSamples, config: Config) -> tuple[str, ...]:
    shots = [accepted(shot, config) for shot in samples.shots]
    knocks = [accepted(knock, config) for knock in samples.knocks]
    as_one = f"{shots.count(1)} of {len(shots)} shots as one hit"
    several = sum(count > 1 for count in shots)
    if several:
        as_one += f", {several} as several"
    return (
        as_one,
        f"{sum(count > 0 for count in knocks)} of {len(knocks)} knocks as a hit",
        f"{plural(accepted(samples.still, config), 'hit')} while held still",
    )
