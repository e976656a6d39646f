"""The hit sensor by its parts in the netlist: bandwidth, peak, delay, clamp, and a comparator that lets go again."""

from __future__ import annotations

from itertools import pairwise
from math import exp, hypot, sin, tau

import pytest

from firmware_protocol.board.words import SAMPLE_US
from hardware_docs.bodies import ohms
from hardware_docs.circuit import ANALOG_GROUND, SUPPLY, Circuit, circuit, drawn_pins
from hardware_docs.drawings import FOLDER

MADE = circuit(drawn_pins())
PAGE = (FOLDER.parent / "pins.md").read_text(encoding="utf-8")
SUPPLY_V = 3.3
# BAT85 and BAT54S at 10 mA (Philips, Formosa); LM393 at 25 C (ST): largest input current, out of the input.
DROP_V = 0.40
INPUT_NA = 250
CONVERTER_OHMS = 100_000
DISC_NF = 16


def value(name: str) -> int:
    return ohms(MADE.parts[name].value)


def between(netlist: Circuit, value: str, other: str) -> str:
    """Return the resistor between two nets."""
    nets = {
        frozenset(netlist.net_of[pin] for pin in netlist.net_of if pin.part == name): name
        for name in netlist.parts
        if name.startswith("R")
    }
    return nets[frozenset((value, other))]


FILTER_US = (value("R42") + value("R43")) * 1e-9 * 1e6


def knock(frequency_hz: float, decay_us: float, step_us: float, turns: float = 3) -> list[float]:
    """A struck disc's voltage: a ringing that decays, scaled to a peak of one."""
    count = int(turns * 1e6 / frequency_hz / step_us)
    wave = [
        exp(-at * step_us / decay_us) * sin(tau * frequency_hz * at * step_us / 1e6)
        for at in range(count)
    ]
    highest = max(wave)
    return [value / highest for value in wave]


def filtered(wave: list[float], step_us: float) -> list[float]:
    """The voltage behind the series resistors and the 1 nF."""
    output, level = [], 0.0
    for value in wave:
        level += (value - level) * (1 - exp(-step_us / FILTER_US))
        output.append(level)
    return output


def test_the_filter_passes_28_khz() -> None:
    assert pytest.approx(5.7) == FILTER_US
    assert 1e3 / (tau * FILTER_US) == pytest.approx(27.9, abs=0.1)
    assert "28 kHz" in PAGE


@pytest.mark.parametrize("frequency_hz", [200, 500, 1000, 1500, 2000, 2500])
def test_the_filter_takes_less_than_half_a_percent_of_a_peak(frequency_hz: float) -> None:
    wave = knock(frequency_hz, 3000, 0.5)
    assert 0.995 <= max(filtered(wave, 0.5)) <= 1.0


@pytest.mark.parametrize(
    ("frequency_hz", "least"), [(200, 0.99), (1000, 0.99), (1500, 0.99), (2500, 0.98), (4600, 0.94)]
)
def test_the_peak_that_is_sampled_is_as_high_as_the_page_says_wherever_the_samples_fall(
    frequency_hz: float, least: float
) -> None:
    output = filtered(knock(frequency_hz, 3000, 0.5), 0.5)
    step = int(SAMPLE_US / 0.5)
    assert min(max(output[first::step]) for first in range(step)) >= least
    assert f"| {frequency_hz} Hz | {least:.2f} |" in PAGE


def test_a_free_disc_that_rings_at_its_own_4_6_khz_passes_the_filter() -> None:
    assert 0.98 <= max(filtered(knock(4600, 3000, 0.5), 0.5)) <= 1.0
    assert 1 / hypot(1, tau * 4600 * FILTER_US / 1e6) == pytest.approx(0.9867, abs=1e-4)


def test_the_filter_delays_an_onset_by_less_than_a_third_of_a_sample() -> None:
    wave = knock(1000, 3000, 0.1)
    output = filtered(wave, 0.1)

    def crossing(values: list[float], level: float) -> float:
        return next(
            0.1 * at for at, (value, other) in enumerate(pairwise(values)) if value < level <= other
        )

    assert 0 <= crossing(output, 0.2) - crossing(wave, 0.2) <= FILTER_US < SAMPLE_US / 3


def test_what_the_clamp_lets_through_drives_next_to_nothing_into_the_pin() -> None:
    """P stops at 3.7 V; the pin's own diode begins at 3.6 V, and 1 kohm is between."""
    clamp = SUPPLY_V + DROP_V
    assert (50 - clamp) / value("R42") == pytest.approx(0.010, abs=0.0005)
    assert clamp == pytest.approx(3.7)
    assert (clamp - (SUPPLY_V + 0.3)) / value(between(MADE, "P", "hit-adc")) <= 0.00011


def test_the_resistor_before_the_converter_costs_one_percent_at_most() -> None:
    before = CONVERTER_OHMS / (CONVERTER_OHMS + value("R42"))
    now = CONVERTER_OHMS / (CONVERTER_OHMS + value("R42") + value("R43"))
    assert before - now <= 0.01


def test_the_disc_is_emptied_while_the_mask_lasts() -> None:
    assert exp(-5000 / (value("R41") * DISC_NF * 1e-3)) < 0.1


def plus_input(at_p: float, output: float, source_ohms: float) -> float:
    """The comparator's plus input: P through its source and 22 kohm, and the output through 10 Mohm."""
    inner = source_ohms + value(between(MADE, "P", "hit-plus"))
    outer = value(between(MADE, "hit-plus", "hit"))
    if output > 0:
        # An open collector: the feedback comes through its pull-up.
        outer += value("R65")
    return (at_p * outer + output * inner) / (inner + outer)


def test_the_comparator_has_a_threshold_of_0_14_volts_and_hysteresis() -> None:
    upper, lower = (
        value(between(MADE, SUPPLY, "threshold")),
        value(between(MADE, "threshold", ANALOG_GROUND)),
    )
    threshold = SUPPLY_V * lower / (upper + lower)
    assert threshold == pytest.approx(0.143, abs=0.001)
    struck = value("R42")
    falls_at = next(
        level / 1000
        for level in range(300, 0, -1)
        if plus_input(level / 1000, SUPPLY_V, struck) < threshold
    )
    rises_at = next(
        level / 1000 for level in range(300) if plus_input(level / 1000, 0, struck) > threshold
    )
    assert 0.007 <= rises_at - falls_at <= 0.012


def test_the_comparator_lets_go_when_the_disc_rests() -> None:
    """The feedback reaches P as well: at rest only 105 kohm hold it down, and they must win."""
    threshold = SUPPLY_V * value("R64") / (value("R63") + value("R64"))
    rest_ohms = value("R41") + value("R42")
    lifted = plus_input(0, SUPPLY_V, rest_ohms) + INPUT_NA * 1e-9 * (rest_ohms + value("R61"))
    assert lifted < threshold * 0.6
