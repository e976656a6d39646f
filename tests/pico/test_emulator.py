"""The emulated chip itself, before any firmware of ours runs on it."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_protocol.virtual.runtime import VirtualBoardError
from tests.pico.emulator.emulated import MS, Chip, EmulatedPico
from tests.pico.emulator.parts import Parts, find_parts
from tests.pico.emulator.prompt import Prompt

TIMER_WRAP_US = 1 << 32


def test_the_real_image_boots_and_its_prompt_answers(parts: Parts) -> None:
    with EmulatedPico(parts) as pico:
        answer = Prompt(pico).run("import sys; print(sys.platform, 6 * 7)")
    assert answer == "rp2 42\r\n"


def test_what_is_written_on_its_flash_outlives_the_power(parts: Parts) -> None:
    with EmulatedPico(parts) as pico:
        Prompt(pico).put({"some/where/name.txt": b"x" * 5000 + b"\x03\x04"})
        pico.order("power", on=False)
        pico.run(1000)
        pico.order("power", on=True)
        answer = Prompt(pico).run(
            "data = open('some/where/name.txt', 'rb').read(); print(len(data), data[-2:])"
        )
    assert answer == "5002 b'\\x03\\x04'\r\n"


def test_an_edge_comes_at_its_instant_and_a_knock_has_its_peak(parts: Parts) -> None:
    with EmulatedPico(parts, Chip(miss_cycles=0)) as pico:
        prompt = Prompt(pico)
        ask = """
from machine import ADC, Pin
print(Pin(2, Pin.IN, Pin.PULL_UP).value(), ADC(26).read_u16() >> 4)
"""
        assert prompt.run(ask) == "1 0\r\n"
        pico.level_at(pico.ns + 5 * MS, "trigger", 1)
        pico.knock(pico.ns + 5 * MS, peak=2000, rise_us=1, decay_us=1_000_000_000)
        assert prompt.run("import time; time.sleep_ms(6)" + ask) == "0 2000\r\n"


def test_a_pin_follows_what_drives_it_then_the_chips_output_then_its_pulls(parts: Parts) -> None:
    with EmulatedPico(parts) as pico:
        prompt = Prompt(pico)
        answer = prompt.run("""
from machine import ADC, Pin
for pull in (Pin.PULL_UP, Pin.PULL_DOWN):
    print(Pin(20, Pin.IN, pull).value(), Pin(20, Pin.IN, None).value())
print([Pin(20, Pin.OUT, value=value).value() for value in (1, 0)])
print([Pin(27, Pin.OUT, value=value).value() and ADC(27).read_u16() >> 4 for value in (1, 0)])
""")
        assert answer.split("\r\n") == ["1 1", "0 0", "[1, 0]", "[4095, 0]", ""]
        asked = "print(Pin(20, Pin.IN, Pin.PULL_UP).value())"
        pico.edges([(pico.ns, 20, 0)])
        assert prompt.run(asked) == "0\r\n"
        pico.edges([(pico.ns, 20, None)])
        assert prompt.run(asked) == "1\r\n"


def test_what_is_sent_in_any_part_of_a_frame_reaches_the_computer(parts: Parts) -> None:
    # TinyUSB measures a frame from the last start of one that it saw, and 0 is what it has before the first.
    with EmulatedPico(parts, Chip(counter_us=TIMER_WRAP_US - 2_000_000)) as pico:
        answer = Prompt(pico).run("""
import machine, time
while machine.mem32[0x40054028] >> 31:
    pass
for line in range(100):
    print(line, end=" ")
    time.sleep_us(50)
""")
    assert answer.split() == [str(line) for line in range(100)]


def test_the_same_seed_gives_the_same_run(parts: Parts) -> None:
    answer = []
    for _ in range(2):
        with EmulatedPico(parts, Chip(seed=7)) as pico:
            answer.append(
                Prompt(pico).run("import os, time; print(os.urandom(8), time.ticks_us())")
            )
    assert answer[0] == answer[1]


@pytest.mark.parametrize(
    ("environment", "sentence"),
    [
        ({}, "let COMPANION_PICO_UF2 name the .uf2 file"),
        ({"COMPANION_PICO_UF2": "/nowhere"}, "there is no such file"),
    ],
)
def test_a_missing_part_is_one_sentence_that_says_what_to_do(
    environment: dict[str, str], sentence: str
) -> None:
    with pytest.raises(VirtualBoardError, match=sentence):
        find_parts(environment)


def test_a_missing_emulator_says_where_it_is_looked_for(tmp_path: Path) -> None:
    image = tmp_path / "image.uf2"
    image.touch()
    with pytest.raises(VirtualBoardError, match=r"npm install --prefix .* rp2040js@"):
        find_parts({"COMPANION_PICO_UF2": str(image), "COMPANION_RP2040JS": str(tmp_path)})
