"""What the chip's PIO, ADC and DMA make of pins and piezo: stamps, simultaneous edges, knocks, and any wiring."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random

import pytest

import firmware_protocol
from companion.board.firmware import firmware
from firmware_protocol.board.pins import parse_pins
from firmware_protocol.board.words import EDGE_ERROR_US, SAMPLE_US
from firmware_protocol.messages import BELOW_THRESHOLD, PRESSED, Event
from firmware_protocol.virtual.physics import HIT_ADC, ring
from tests.pico.conftest import Powered, installed
from tests.pico.emulator.emulated import MS, US, Chip, EmulatedPico
from tests.pico.emulator.parts import Parts
from tests.pico.emulator.prompt import Prompt
from tests.pico.lockstep import Lockstep

CONTACTS = ("trigger", *(f"zone-{number}" for number in range(1, 11)))
KNOCKS = 100
SHOWN = 30
TIMER_WRAP_US = 1 << 32
TICKS_WRAP_US = 1 << 30
INPUTS = "firmware_protocol/board/inputs.py"


def armed(pico: EmulatedPico) -> Lockstep:
    host = Lockstep(pico)
    assert host.connect()
    assert host.arm()
    host.spend(50_000)
    host.events.clear()
    return host


def errors_us(
    host: Lockstep, instants_ns: dict[tuple[int, int], list[int]], counter_us: int = 0
) -> list[float]:
    """Return how far each event's stamp is off its instant; `instants_ns` by channel and 1 for a press."""
    stamps = []
    for (channel, pressed), times in instants_ns.items():
        events = sorted(
            event.t_us
            for _, event in host.events
            if (event.channel, event.flags & PRESSED) == (channel, pressed)
        )
        assert len(events) == len(times), (channel, pressed)
        stamps += [
            event - counter_us - at_ns / 1000 for event, at_ns in zip(events, times, strict=True)
        ]
    return stamps


def presses(
    host: Lockstep, count: int, random: Random, apart_ms: tuple[int, int]
) -> dict[tuple[int, int], list[int]]:
    """Schedule presses of 12 ms on all contacts and wait them out."""
    pico = host.pico
    at_ns = pico.ns + 20 * MS
    instants: dict[tuple[int, int], list[int]] = {}
    for _ in range(count):
        channel = random.randrange(len(CONTACTS))
        at_ns += random.randrange(apart_ms[0] * MS, apart_ms[1] * MS)
        pico.press(at_ns, CONTACTS[channel], 12)
        identity = channel if channel == 0 else channel + 1
        instants.setdefault((identity, 1), []).append(at_ns)
        instants.setdefault((identity, 0), []).append(at_ns + 12 * MS)
    while pico.ns < at_ns + 80 * MS:
        host.turn()
    return instants


def test_a_press_and_its_release_are_stamped_within_the_published_error(powered: Powered) -> None:
    host = armed(powered())
    hello = host.session.hello
    assert hello is not None
    assert hello.error_us(0) == EDGE_ERROR_US
    assert max(map(abs, errors_us(host, presses(host, 40, Random(1), (25, 40))))) <= EDGE_ERROR_US


def test_eleven_contacts_in_one_microsecond_share_one_stamp(powered: Powered) -> None:
    host = armed(powered())
    for _ in range(5):
        host.events.clear()
        at_ns = host.pico.ns + 20 * MS + 333
        for name in CONTACTS:
            host.pico.press(at_ns, name, 15)
        host.spend(80_000)
        stamps = {event.t_us for _, event in host.events if event.flags & PRESSED}
        assert len([event for _, event in host.events if event.flags & PRESSED]) == len(CONTACTS)
        assert len(stamps) == 1
        assert abs(stamps.pop() - at_ns / 1000) <= EDGE_ERROR_US


def test_neither_usb_traffic_nor_a_busy_loop_moves_a_stamp(powered: Powered) -> None:
    host = armed(powered())
    random = Random(2)
    instants: dict[tuple[int, int], list[int]] = {}
    at_ns = host.pico.ns + 20 * MS
    # A bouncing contact keeps the loop busy while the others are measured.
    for bounce in range(200):
        host.pico.level_at(at_ns + bounce * MS, "zone-10", bounce % 2)
    for channel in (0, 2, 3, 4):
        press_ns = at_ns + random.randrange(10 * MS, 40 * MS)
        host.pico.press(press_ns, CONTACTS[0 if channel == 0 else channel - 1], 100)
        instants[channel, 1], instants[channel, 0] = [press_ns], [press_ns + 100 * MS]
    while host.pico.ns < at_ns + 400 * MS:
        host.turn(500)
    assert max(map(abs, errors_us(host, instants))) <= EDGE_ERROR_US
    assert host.overruns == []


@pytest.mark.parametrize("wrap_us", [TICKS_WRAP_US, TIMER_WRAP_US], ids=["ticks", "timer"])
def test_stamps_go_on_over_the_wrap_of_the_counter(powered: Powered, wrap_us: int) -> None:
    counter_us = wrap_us - 3_000_000
    host = armed(powered(counter_us=counter_us))
    # The ticks begin anew with each wrap before the boot.
    since_us = counter_us % TICKS_WRAP_US
    instants = presses(host, 80, Random(3), (25, 40))
    assert host.pico.ns > 3_000 * MS
    assert max(map(abs, errors_us(host, instants, since_us))) <= EDGE_ERROR_US


def test_every_knock_is_read_with_its_onset_and_its_peak(powered: Powered) -> None:
    host = armed(powered())
    random = Random(4)
    at_ns = host.pico.ns + 20 * MS
    knocks = []
    for _ in range(KNOCKS):
        at_ns += random.randrange(40 * MS, 60 * MS)
        knocks.append(
            (at_ns, random.randrange(320, 4000), random.choice([100, 200, 300, 500, 1000]))
        )
        host.pico.knock(*knocks[-1])
    while host.pico.ns < at_ns + 80 * MS:
        host.turn()
    hits = [event for _, event in host.events if event.channel == 1 and is_first(event)]
    assert len(hits) == KNOCKS
    for (knock_ns, peak, _), hit in zip(knocks, hits, strict=True):
        assert abs(hit.t_us - knock_ns / 1000) <= SAMPLE_US
        assert 0.95 <= hit.peak / peak <= 1.05


def test_hits_that_ring_and_are_shown_are_all_read_however_many_there_were_before(
    powered: Powered,
) -> None:
    host = armed(powered())
    random = Random(5)
    waves = host.waves
    for count in range(1, SHOWN + 1):
        at_ns = host.pico.ns + 2 * MS
        for dt_us, name, level in ring(2000, random):
            if name == HIT_ADC:
                host.pico.reading_at(at_ns + dt_us * US, level)
            else:
                host.pico.level_at(at_ns + dt_us * US, name, level)
        host.spend(80_000)
        host.session.show()
        assert host.until(lambda: len(waves) == count, 500_000)  # noqa: B023 - asked now
    assert host.overruns == []
    assert [event.peak for _, event in host.events if is_first(event)] == SHOWN * [2000]
    assert [max(wave.points) for wave in waves] == SHOWN * [2000 >> 4]


def is_first(event: Event) -> bool:
    return event.flags & ~BELOW_THRESHOLD == PRESSED


Wired = Callable[[str], EmulatedPico]


@pytest.fixture
def wired(parts: Parts, tmp_path: Path) -> Iterator[Wired]:
    """Make Picos with a pins.json of their own."""
    with ExitStack() as stack:

        def make(pins_json: str) -> EmulatedPico:
            recorded = installed(parts, tmp_path / "wired.flash", pins_json=pins_json)
            return stack.enter_context(
                EmulatedPico(parts, Chip(flash=str(recorded)), parse_pins(pins_json))
            )

        yield make


def test_the_wiring_pages_example_and_the_plug_work_on_any_pins(wired: Wired) -> None:
    rows = {
        "trigger": {"pin": 20, "active": 0},
        "hit": {"pin": 21, "active": 1, "adc": 27},
        "zone-1": {"pin": 28, "active": 1},
        "plug": {"pin": 1, "active": 0},
        "buzzer": None,
    }
    pico = wired(json.dumps(rows))
    host = armed(pico)
    at_ns = pico.ns + 20 * MS
    for name in ("trigger", "hit", "zone-1", "zone-2", "plug"):
        pico.press(at_ns, name, 20)
    # What is no input may do what it likes.
    pico.edges(
        (at_ns + step * 1000, gpio, step % 2)
        for step in range(0, 20_000, 3)
        for gpio in (3, 15, 22, 24)
    )
    host.spend(100_000)
    pressed = {event.channel: event.t_us for _, event in host.events if event.flags & PRESSED}
    assert set(pressed) == {0, 1, 2, 3, 12}
    assert max(abs(t_us - at_ns / 1000) for t_us in pressed.values()) <= EDGE_ERROR_US
    assert host.overruns == []


PULLED = "machine.Pin.PULL_DOWN if channel.active_level else machine.Pin.PULL_UP"


@pytest.mark.parametrize(("forgotten", "name"), [("PULL_UP", "trigger"), ("PULL_DOWN", "hit")])
def test_a_firmware_that_forgets_a_pull_takes_no_release(
    parts: Parts, tmp_path: Path, forgotten: str, name: str
) -> None:
    """No outer part holds these inputs: this fails where the emulator rests them by itself."""
    source = firmware().files[INPUTS].decode()
    assert PULLED in source
    flash = installed(
        parts,
        tmp_path / "flash",
        {INPUTS: source.replace(PULLED, PULLED.replace(f"machine.Pin.{forgotten}", "None"))},
    )
    with EmulatedPico(parts, Chip(flash=str(flash))) as pico:
        host = armed(pico)
        at_ns = pico.ns + 20 * MS
        for number in range(3):
            pico.press(at_ns + number * 100 * MS, name, 20)
        host.spend(400_000)
    presses = [event for _, event in host.events if event.flags & PRESSED]
    assert len(presses) < 3


def test_a_map_without_a_hit_sensor_samples_nothing(wired: Wired) -> None:
    host = armed(wired('{"hit": null}'))
    host.pico.knock(host.pico.ns + 5 * MS, 3000)
    host.pico.press(host.pico.ns + 10 * MS, "zone-10", 20)
    host.spend(60_000)
    assert {event.channel for _, event in host.events} == {11}


def test_hardware_that_is_taken_is_said_in_words_and_what_stops_can_start_again(
    parts: Parts,
) -> None:
    with _prompt(parts) as prompt:
        answer = prompt.run("""
import gc, rp2, time
from firmware_protocol.board.chip import Chip
from firmware_protocol.board.words import EdgeReader, SampleReader
taken = [rp2.DMA() for _ in range(11)]
chip = Chip()
chip.edges(1 << 2)
print(chip.fault)
chip.stop()
for one in taken:
    one.close()
for _ in range(3):
    chip = Chip()
    edges, samples = EdgeReader(chip.edges(1 << 2)), SampleReader(chip.samples(26))
    gc.collect()
    samples.look()
    print(repr(chip.fault), abs(time.ticks_diff(samples.ticks, time.ticks_us())) < 2000)
    chip.stop()
""")
    first, *others = answer.splitlines()
    assert first.startswith("no input works: PIO 0 or two DMA channels are taken")
    assert others == ["'' True"] * 3


def test_a_clock_that_is_too_slow_and_an_image_without_dma_are_said_in_words(parts: Parts) -> None:
    """What the machine answers is its own; only the wish for more than the chip's clock gives is ours."""
    with _prompt(parts) as prompt:
        slow, without = prompt.run("""
import machine, rp2
from firmware_protocol.board import chip
wanted, chip.PIO_HZ = chip.PIO_HZ, 2 * machine.freq()
slow = chip.Chip()
slow.edges(1 << 2)
print(slow.fault)
chip.PIO_HZ = wanted
slow.stop()
del rp2.DMA
without = chip.Chip()
without.edges(1 << 2)
print(without.fault)
""").splitlines()
    assert slow.startswith("no input works: 125 MHz is too slow")
    assert slow.endswith("take machine.freq out of /boot.py")
    assert without.startswith("no input works: this MicroPython has no rp2.DMA")


@contextmanager
def _prompt(parts: Parts) -> Iterator[Prompt]:
    """A Pico whose flash has what the inputs need, at its prompt."""
    inputs = ("clock", "quick", "native", "words", "registers", "chip")
    names = ("__init__", "board/__init__", *(f"board/{name}" for name in inputs))
    source = Path(firmware_protocol.__file__).parent
    files = {f"firmware_protocol/{name}.py": (source / f"{name}.py").read_bytes() for name in names}
    files["firmware_protocol/frames.py"] = (source / "frames.py").read_bytes()
    with EmulatedPico(parts, Chip(miss_cycles=0)) as pico:
        prompt = Prompt(pico)
        prompt.put(files)
        yield prompt
