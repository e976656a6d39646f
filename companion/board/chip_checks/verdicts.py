"""A verdict on each figure that a board measured of itself. Pure: numbers in, findings out."""

from __future__ import annotations

import builtins
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from math import sqrt
from statistics import linear_regression, mean
from typing import Any

from companion.program import PROGRAM
from companion.rules.columns import plural
from firmware_protocol.board.words import EDGE_ERROR_US, REACH, SAMPLE_US

Numbers = Mapping[str, Any]
_ERROR = re.compile(r"^([A-Z][A-Za-z]+)(?::|$)", re.MULTILINE)


class Verdict(StrEnum):
    """The result of a check. `NEVER_TRIED` marks a figure whose check nothing here can make fail."""

    PASS = "pass"
    FAIL = "fail"
    NOT_ASKED = "not asked"
    NEVER_TRIED = "never tried"


@dataclass(frozen=True, slots=True)
class Finding:
    """One check: its verdict, the measured figure, the bound it was compared with, and advice.

    `histogram` counts each value, if that tells more. `problem` is for the person at the screen alone: it may name a
    port or a folder, so no report contains it.
    """

    check: str
    verdict: Verdict
    figure: str
    bound: str = ""
    advice: str = ""
    histogram: Mapping[str, int] = field(default_factory=dict)
    problem: str = ""


# The ADC and the timer run from the same crystal: its error cancels, and only a wrong count is left.
ADC_PPM = 20
# The firmware begins to look at half the threshold: this is that half for the lowest threshold in use.
NOISE_COUNTS = 150
# The chip's pull-up with half a metre of lead takes 3 us, 4.7 kohm with 1 nF and 5 m of lead 7 us (limits.md); the
# chip's pull-up with 1 nF takes 35 us.
RISE_US = 15
# After a longer turn the samples of a hit are overwritten before they are read.
TURN_US = REACH * SAMPLE_US
FREE_BYTES = 16_384
PING_US = 10_000
TO_HOST_MS = 20.0
# The RP2040's ADC jumps by up to 9 of 4095 at four places (data sheet, erratum E11).
LINEAR_COUNTS = 30
SHOTS = 10
SATURATED = 4000
WARM_C = (-20, 85)
# SYSINFO's CHIP_ID, part and manufacturer, without the four bits of the revision.
PARTS = {0x0002927: "RP2040", 0x0004927: "RP2350"}
STEPPINGS = {(0x0002927, 1): "B0 or B1", (0x0002927, 2): "B2", (0x0004927, 2): "A2"}
KEEP_REPORT = "Keep the report, and please send it in."
MEANWHILE = {"idle": "idle", "usb": "with USB traffic", "collection": "in a collection"}
FEWEST_EDGES = 100
NO_FREE_PIN = "no free pin follows both pulls"


def not_asked(check: str, why: str) -> Finding:
    """Return the finding of a check that was not run, with the reason."""
    return Finding(check, Verdict.NOT_ASKED, why)


def not_run(check: str, problem: Exception) -> Finding:
    """Return the finding of a check that failed before it had a figure.

    Of the problem, the figure contains only the name of a Python error.
    """
    figure = "could not be run"
    for name in _ERROR.findall(str(problem)):
        if _is_error(name):
            figure = f"could not be run ({name})"  # the last: a traceback ends with its error
    return Finding(check, Verdict.FAIL, figure, "", KEEP_REPORT, problem=str(problem))


def _is_error(name: str) -> bool:
    attribute = getattr(builtins, name, None)
    return isinstance(attribute, type) and issubclass(attribute, BaseException)


def _judged(check: str, good: bool, figure: str, bound: str, advice: str, **more: Any) -> Finding:
    if good:
        return Finding(check, Verdict.PASS, figure, bound, **more)
    return Finding(check, Verdict.FAIL, figure, bound, advice, **more)


def stamps(mode: str, figures: Numbers) -> Finding:
    """Judge the times of a PWM's edges: their distances must be those in the PWM's registers."""
    check = f"stamps {MEANWHILE[mode]}"
    if not figures["free"]:
        return not_asked(check, NO_FREE_PIN)
    bound = f"at most {EDGE_ERROR_US} us in {FEWEST_EDGES} edges or more"
    if figures["fault"] or len(figures["times"]) < FEWEST_EDGES:
        figure = plural(len(figures["times"]), "edge")
        advice = f"PIO or DMA does not write the ring. {KEEP_REPORT}"
        return Finding(check, Verdict.FAIL, figure, bound, advice, problem=figures["fault"])
    errors = stamp_errors(figures)
    least = min(errors)
    shifts = [error - least for error in errors]
    histogram = Counter(f"{int(error * 4) / 4:.2f} us" for error in shifts)
    figure = f"{max(shifts):.2f} us off at most in {len(shifts)} edges at GP{figures['gpio']}"
    advice = (
        f"The board's stamps are worse than they claim: use no tie-break by time. {KEEP_REPORT}"
    )
    return _judged(
        check,
        max(shifts) <= EDGE_ERROR_US,
        figure,
        bound,
        advice,
        histogram=dict(sorted(histogram.items())),
    )


def stamp_errors(figures: Numbers) -> list[float]:
    """Return how far each time is off the PWM's, in us, all with the same unknown offset."""
    divider, compare, top = figures["pwm"]
    count_us = divider / 16 / figures["hz"] * 1e6
    period, high = (top + 1) * count_us, compare * count_us
    between = (0.0, high if figures["rises"] else period - high)
    errors = []
    for number, at in enumerate(figures["times"]):
        expected = number // 2 * period + between[number % 2]
        errors.append(at - expected)
    return errors


def together(figures: Numbers) -> Finding:
    """Judge the records of writes to four pins at once: one each, with all four, stamped during the write."""
    check = "four pins by one write"
    if len(figures["free"]) < 4:
        return not_asked(
            check, f"only {plural(len(figures['free']), 'free pin')} follow both pulls"
        )
    writes, records, mask = figures["writes"], figures["records"], figures["mask"]
    whole = []
    before = 0
    for levels, at in records:
        if levels ^ before == mask:
            whole.append(at)
        before = levels
    in_time = 0
    for start, end in writes:
        in_time += any(start <= at <= end + EDGE_ERROR_US for at in whole)
    good = len(records) == len(whole) == in_time == len(writes)
    figure = f"{len(writes)} writes: {plural(len(records), 'record')}, {len(whole)} with all four, {in_time} in time"
    bound = f"one record each, at most {EDGE_ERROR_US} us late"
    advice = (
        f"Contacts that close in one instant may get different stamps on this chip. {KEEP_REPORT}"
    )
    return _judged(check, good, figure, bound, advice)


def override(figures: Numbers) -> Finding:
    """Judge whether a muted pin is silent, its activity still seen, and heard again once unmuted."""
    check = "pad override"
    if not figures["free"]:
        return not_asked(check, NO_FREE_PIN)
    wrong = []
    if figures["muted"]:
        wrong.append(f"{plural(figures['muted'], 'record')} while muted")
    if figures["still"] or not figures["stirred"]:
        wrong.append("its latch does not tell quiet from noise")
    if not figures["pad"]:
        wrong.append("its pad is not seen")
    if figures["heard"] != [1]:
        wrong.append(f"{plural(len(figures['heard']), 'record')} when heard again")
    figure = ", ".join(wrong) or "silent while muted, seen to stir, heard again"
    bound = "no record while muted, one when heard again"
    return _judged(
        check,
        not wrong,
        figure,
        bound,
        f"A noisy wire may not be muted on this chip. {KEEP_REPORT}",
    )


def adc_rate(figures: Numbers) -> Finding:
    """Judge the ADC's rate by the timer: both run from the same crystal."""
    check = "ADC rate"
    bound = f"{1e6 / SAMPLE_US:.0f} samples/s, +-{ADC_PPM} ppm"
    if figures["fault"] or not figures["us"]:
        return Finding(
            check, Verdict.FAIL, "no samples", bound, KEEP_REPORT, problem=figures["fault"]
        )
    rate = figures["samples"] / figures["us"] * 1e6
    ppm = (rate * SAMPLE_US / 1e6 - 1) * 1e6
    # Each end is uncertain by a microsecond: a step of the timer, and the transfer of one sample.
    error = 2 / figures["us"] * 1e6
    figure = f"{rate:.1f} samples/s, {ppm:+.0f} ppm +-{error:.0f}, over {figures['us'] / 1e6:.1f} s"
    advice = f"The time of a hit is computed from this rate. {KEEP_REPORT}"
    return _judged(check, abs(ppm) <= ADC_PPM + error, figure, bound, advice)


def noise(condition: str, figures: Numbers) -> Finding:
    """Judge the samples of the hit sensor at rest."""
    mean = figures["mean"]
    above, below = figures["most"] - mean, mean - figures["least"]
    spread = sqrt(figures["squares"] / figures["count"])
    figure = f"rests at {mean} of 4095, up to {above} above and {below} below, {spread:.1f} rms"
    bound = f"at most {NOISE_COUNTS}"
    advice = "Connect the gun, or 100 kohm from GP26 to AGND; another cable or hub; then raise the threshold."
    return _judged(f"noise {condition}", figures["most"] <= NOISE_COUNTS, figure, bound, advice)


def contact(name: str, figures: Sequence[int] | None) -> Finding:
    """Judge how a contact returns to rest: with the chip's pull, and with its own resistor alone."""
    check, bound = f"contact {name}", f"at rest within {RISE_US} us"
    if figures is None:
        return not_asked(check, "it is closed: let go of it, or look for a short")
    pulled, alone = figures
    if 0 <= alone <= RISE_US and pulled >= 0:
        return Finding(check, Verdict.PASS, f"has a pull-up of its own: {alone} us", bound)
    if alone >= 0:
        advice = "Its pull-up is too large, or its lead too long: 4.7 kohm, 5 m at most."
        return Finding(check, Verdict.FAIL, f"slow by its own pull-up: {alone} us", bound, advice)
    if 0 <= pulled <= RISE_US:
        return Finding(check, Verdict.PASS, f"bare, by the chip's own pull-up: {pulled} us", bound)
    figure = "does not come back"
    if pulled >= 0:
        figure = f"slow by the chip's own pull-up: {pulled} us"
    advice = "A capacitor without its pull-up: solder 4.7 kohm to 3.3 V. Without parts: shorten the lead."
    return Finding(check, Verdict.FAIL, figure, bound, advice)


def crosstalk(output: str, events: Sequence[str]) -> Finding:
    """Judge the presses that came while an output was switched."""
    check, bound = f"crosstalk of the {output}", "no press"
    figure = plural(len(events), "press", "presses")
    if events:
        figure += f" of {', '.join(sorted(set(events)))}"
    advice = (
        f"Lay the lead of the {output} apart from the others; 1 nF at the contact; its own ground."
    )
    return _judged(check, not events, figure, bound, advice)


def longest_turn(us: int | None) -> Finding:
    """Judge the longest turn that the firmware counted."""
    if us is None:
        return not_asked("longest turn", "the firmware did not say in time")
    advice = f"The firmware was held up: another cable or hub. {KEEP_REPORT}"
    return _judged(
        "longest turn",
        us <= TURN_US,
        f"{us / 1000:.1f} ms",
        f"at most {TURN_US // 1000} ms",
        advice,
    )


def turns(figures: Numbers) -> Finding:
    """Judge the turns that a firmware counted while a pin was pressed, those with a garbage collection separately."""
    step_ms, counts = figures["step_us"] / 1000, figures["counts"]
    total = sum(counts)
    if not total:
        return not_asked("turns", "the firmware counted none")
    number, longest_collecting = figures["collections"]
    longest = max(figures["longest"], longest_collecting)
    p50, p99 = _percentile_step(counts, 50) * step_ms, _percentile_step(counts, 99) * step_ms
    figure = (
        f"p50 {p50:.2f}, p99 {p99:.2f}, "
        f"longest {figures['longest'] / 1000:.1f} ms in {plural(total, 'turn')}; "
        f"{plural(number, 'collection')}, longest {longest_collecting / 1000:.1f} ms"
    )
    histogram = {f"{at * step_ms:05.2f} ms": count for at, count in enumerate(counts) if count}
    return _judged(
        "turns",
        longest <= TURN_US,
        figure,
        f"at most {TURN_US // 1000} ms",
        f"The firmware was held up: another cable or hub. {KEEP_REPORT}",
        histogram=histogram,
    )


def memory(free: int | None) -> Finding:
    """Judge the memory that the firmware has for events and hits."""
    if not free:
        return not_asked("memory", "the firmware did not say")
    advice = "Remove files of your own from the board, then plug it in again."
    return _judged(
        "memory",
        free >= FREE_BYTES,
        f"{free // 1024} kB free",
        f"at least {FREE_BYTES // 1024} kB",
        advice,
    )


def pings(rtts_us: Sequence[int], hubs: int | None) -> Finding:
    """Judge the round trips of PING; `hubs` is the number between computer and board, None if unknown."""
    if not rtts_us:
        return not_asked("PING", "the firmware answered none")
    ordered = sorted(rtts_us)
    p50, p95 = _percentile(ordered, 50), _percentile(ordered, 95)
    figure = f"p50 {p50}, p95 {p95}, most {ordered[-1]} us in {plural(len(ordered), 'round trip')}"
    if hubs is not None:
        figure += f", behind {plural(hubs, 'hub')}"
    histogram = Counter(f"{us // 250 * 250:05d} us" for us in ordered)
    advice = "Another port, without a hub; no other program at this port."
    bound = f"p95 at most {PING_US} us"
    good = p95 <= PING_US
    return _judged("PING", good, figure, bound, advice, histogram=dict(sorted(histogram.items())))


def to_host(delays_ms: Sequence[float], presses: int) -> Finding:
    """Judge the longest delays from the pin to this program, of presses that the board made itself."""
    check = "pin to host"
    if not presses:
        return not_asked(check, NO_FREE_PIN)
    bound = f"all {presses}, p99 at most {TO_HOST_MS:.0f} ms"
    if len(delays_ms) < presses:
        return Finding(
            check, Verdict.FAIL, f"{len(delays_ms)} of {presses} came", bound, KEEP_REPORT
        )
    ordered = sorted(delays_ms)
    p50, p99 = _percentile(ordered, 50), _percentile(ordered, 99)
    figure = f"p50 {p50:.1f}, p99 {p99:.1f} ms in {plural(len(ordered), 'press', 'presses')}"
    histogram = Counter(f"{int(ms):02d} ms" for ms in ordered)
    good = p99 <= TO_HOST_MS
    advice = "Another port, without a hub; end programs that keep this computer busy."
    return _judged(check, good, figure, bound, advice, histogram=dict(sorted(histogram.items())))


def reset_reason(
    reported: int | None, wanted: int, cause: str, names: Mapping[int, str]
) -> Finding:
    """Judge the reason that the firmware gives for its start."""
    check = f"reason after {cause}"
    if reported is None:
        return not_asked(check, "the firmware did not start again")
    figure = names.get(reported, str(reported))
    advice = f"The watchdog's reason is read wrongly on this chip. {KEEP_REPORT}"
    return _judged(check, reported == wanted, figure, names[wanted], advice)


def port(opened: int, times: int, restarts: int) -> Finding:
    """Judge how often the board answered at a port that was opened and closed."""
    figure = f"answered {opened} of {times} times, {plural(restarts, 'restart')}"
    advice = "The board must not restart when its port is opened: another cable; end other programs at this port."
    good = opened == times and not restarts
    return _judged(
        "port opened and closed", good, figure, f"{times} of {times}, no restart", advice
    )


def linearity(figures: Sequence[Sequence[int]] | None) -> Finding:
    """Judge the ADC's readings of a PWM through 10 kohm and 100 nF, by the line that fits best."""
    check, bound = "ADC linearity", f"at most {LINEAR_COUNTS} of 4095 off the line"
    if figures is None:
        return not_asked(check, "GP27 and GP28 must be free in pins.json")
    duties = [duty / 16 for duty, _ in figures]
    read = [value / 16 for _, value in figures]
    mean_duty, mean_read = mean(duties), mean(read)
    # Least squares: the line through both means with this slope.
    slope = linear_regression(duties, read).slope
    deviation = 0.0
    for duty, value in zip(duties, read, strict=True):
        deviation = max(deviation, abs(value - mean_read - slope * (duty - mean_duty)))
    good = deviation <= LINEAR_COUNTS and 0.9 <= slope <= 1.1
    advice = "10 kohm from GP27 to GP28, 100 nF from GP28 to AGND; then the peaks of shots are not to be compared."
    return _judged(check, good, f"{deviation:.0f} of 4095 off, slope {slope:.3f}", bound, advice)


def shots(peaks: Sequence[int], waves: int) -> Iterator[Finding]:
    """Judge real shots: each needs a peak below the top and a wave; and yield what they say of the piezo."""
    if not peaks:
        advice = "GP26 and AGND: the disc, its lead, its plug."
        yield Finding("piezo", Verdict.FAIL, "no shot was seen", f"{SHOTS} shots", advice)
        yield not_asked("ten shots", "no shot was seen")
        return
    ordered = sorted(peaks)
    middle = f"median peak {ordered[len(ordered) // 2]} of 4095"
    advice = "Swap the disc's two wires, shoot again, and keep the larger peak."
    yield Finding("piezo", Verdict.NEVER_TRIED, middle, "", advice)
    saturated = sum(peak >= SATURATED for peak in peaks)
    figure = f"{len(peaks)} seen, peaks {ordered[0]} to {ordered[-1]}, {saturated} at the top, {waves} waves kept"
    good = len(peaks) >= SHOTS and not saturated and waves >= len(peaks)
    advice = f"At the top: 47 kohm in place of 100 kohm. Not seen, or no wave: {PROGRAM} board calibrate."
    yield _judged(
        "ten shots",
        good,
        figure,
        f"{SHOTS}, none at {SATURATED} or more, each with its wave",
        advice,
    )


def night(
    hours: float,
    lost: int,
    damaged: int,
    restarts: int,
    rate: tuple[float, float] | None,
    is_gone: bool = False,
) -> Iterator[Finding]:
    """Judge the counters of a long run, which may end with the loss of its port.

    Crystal and USB suspend have figures, but nothing to judge them by.
    """
    gone = ", then the port was gone" if is_gone else ""
    figure = f"{hours:.1f} h: {lost} lost, {damaged} damaged, {plural(restarts, 'restart')}{gone}"
    advice = f"Another cable, port or hub; then once more. {KEEP_REPORT}"
    good = not (lost or damaged or restarts or is_gone)
    yield _judged("counters over a night", good, figure, "none of each", advice)
    ppm = "too short to tell"
    if rate is not None:
        ppm = f"{rate[0]:+.1f} ppm +-{rate[1]:.1f} off the computer's clock"
    yield Finding(
        "ppm over temperature",
        Verdict.NEVER_TRIED,
        ppm,
        "",
        "Warm the board, run it again, compare.",
    )
    advice = "Let the computer sleep once meanwhile: no restart may be counted."
    figure = f"{plural(restarts, 'restart')}{gone}"
    yield Finding("USB suspend", Verdict.NEVER_TRIED, figure, "", advice)


def chip(figures: Numbers) -> Iterator[Finding]:
    """Yield the chip's identity and temperature."""
    known = PARTS.get(_part(figures))
    name = f"{known or 'unknown part'} {stepping(figures)}"
    figure = f"{name}, ROM {int(figures['rom'])}, {figures['disk_bytes'] // 1024} kB of files"
    blank = figures["uid"] in ("", "0" * 16, "f" * 16)
    yield _judged(
        "chip",
        known is not None,
        figure,
        "RP2040 or RP2350",
        f"A chip that nobody knows. {KEEP_REPORT}",
    )
    figure = "none" if blank else "has one of its own"
    yield _judged(
        "chip's number",
        not blank,
        figure,
        "not blank",
        "Another board: the table tells boards apart by it.",
    )
    warm = degrees(figures["adc4"])
    least, most = WARM_C
    advice = f"The chip's own thermometer or its reference is off. {KEEP_REPORT}"
    yield _judged(
        "temperature", least <= warm <= most, f"{warm:.0f} C", f"{least} to {most} C", advice
    )


def degrees(adc4: int) -> float:
    """Return the temperature in Celsius from 16 bits of ADC 4 (RP2040 data sheet 4.9.5)."""
    return 27 - (adc4 * 3.3 / 65535 - 0.706) / 0.001721


def stepping(figures: Numbers) -> str:
    """Return the chip's stepping, or the number of its revision if that has no name here."""
    revision = int(figures["chip_id"], 16) >> 28
    return STEPPINGS.get((_part(figures), revision), f"revision {revision}")


def _part(figures: Numbers) -> int:
    return int(figures["chip_id"], 16) & 0x0FFFFFFF


def _percentile_step(counts: Sequence[int], percent: int) -> int:
    """Return the step of a histogram, counted from 1, at whose end `percent` of all counts are reached."""
    threshold, passed = sum(counts) * percent / 100, 0
    for step, count in enumerate(counts, 1):
        passed += count
        if passed >= threshold:
            return step
    return len(counts)


def _percentile(ordered: Sequence[Any], percent: int) -> Any:
    return ordered[min(len(ordered) - 1, len(ordered) * percent // 100)]
