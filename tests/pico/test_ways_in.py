"""A trigger that is closed at power-up, with a companion there and without: the game goes on, and a person gets in."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.link.words import FIRMWARE_ENDED
from firmware_protocol.board import main
from firmware_protocol.messages import PRESSED, RESET_WATCHDOG, Maintenance, encode
from tests.pico.conftest import Powered, installed
from tests.pico.emulator.emulated import MS, Chip, EmulatedPico
from tests.pico.emulator.parts import Parts
from tests.pico.figures import blink, presses, survives
from tests.pico.lockstep import Lockstep

CTRL_C = b"\x03"
BOOTED_US = 1_500_000
MAIN = "firmware_protocol/board/main.py"
APP = "firmware_protocol/board/app.py"
HANGING = "import time\nwhile True:\n    time.sleep_ms(100)\n"


def trigger_held(pico: EmulatedPico) -> EmulatedPico:
    """Hold the trigger closed from now on, as a hand or a pinched wire does."""
    pico.level_at(pico.ns, "trigger", 1)
    return pico


def typed(pico: EmulatedPico, keys: bytes) -> bytes:
    """Type at a serial terminal; return what it then shows."""
    pico.order("open")
    pico.run(100_000, keys)
    return b"".join(packet.data for packet in pico.run(300_000, b"\r\nprint(6 * 7)\r\n"))


def lets_a_person_in(pico: EmulatedPico) -> bool:
    """Return true if Ctrl-C gives the prompt."""
    return b"\r\n42\r\n>>> " in typed(pico, CTRL_C)


def answers(host: Lockstep, within_us: int) -> bool:
    """Return true if the firmware sends this host a HELLO in time."""
    return host.until(lambda: host.session.hello is not None, within_us)


def refusal_of(host: Lockstep) -> str | None:
    """Return why this host refuses the board; None if it accepts it."""
    host.until(lambda: host.session.refusal is not None, 4_000_000)
    return host.session.refusal


def is_bitten(pico: EmulatedPico) -> bool:
    """Wait for the watchdog to reset the board; return true if it did."""
    return pico.until(lambda: any(entry == "bitten" for _, entry in pico.log), 8_000_000, 10_000)


def plays(host: Lockstep) -> bool:
    """Return true if the board answers this host, accepts all that it sends, and reports one press after the other."""
    if not answers(host, 8_000_000):
        return False
    host.session.arm()
    return host.until(lambda: host.session.armed, 3_000_000) and len(presses(host, 20, 20)) == 20


def test_a_trigger_that_is_closed_at_power_up_ends_no_game(powered: Powered) -> None:
    for answer_us in (0, 300, 5_000):
        pico = trigger_held(powered(seed=answer_us + 1))
        host = Lockstep(pico, answer_us)
        assert plays(host), (answer_us, host.ms, pico.log)
        assert [entry for _, entry in pico.log] == ["boot power"]
        pico.end()


def test_the_trigger_works_once_it_is_let_go_of(powered: Powered) -> None:
    pico = trigger_held(powered())
    host = Lockstep(pico)
    assert plays(host)
    pico.level_at(pico.ns + 50 * MS, "trigger", 0)
    pico.press(pico.ns + 200 * MS, "trigger", 30)
    assert host.until(
        lambda: len([event for _, event in host.events if event.channel == 0]) == 3, 1_000_000
    )
    assert [event.flags & PRESSED for _, event in host.events if event.channel == 0] == [
        0,
        PRESSED,
        0,
    ]


def test_a_person_gets_in_by_the_held_trigger_where_no_companion_has_spoken(
    powered: Powered,
) -> None:
    pico = trigger_held(powered())
    pico.run(BOOTED_US)
    assert lets_a_person_in(pico)


def test_a_person_gets_in_who_types_other_things_first(powered: Powered) -> None:
    pico = trigger_held(powered())
    pico.run(BOOTED_US)
    assert b"42" not in typed(pico, b"hello?\r\n\0\0what is this\0")
    assert lets_a_person_in(pico)


def test_without_the_held_trigger_ctrl_c_is_data_and_the_game_goes_on(powered: Powered) -> None:
    pico = powered()
    pico.run(BOOTED_US)
    assert not lets_a_person_in(pico)
    assert survives(pico, Lockstep(pico))


def test_a_pinched_wire_ends_no_game_however_often_the_power_blinks(powered: Powered) -> None:
    pico = trigger_held(powered())
    host = Lockstep(pico)
    for ms in (1, 40, 300):
        assert plays(host), (ms, pico.log)
        blink(pico, ms)
        host.reopen()
    assert plays(host)
    assert {entry for _, entry in pico.log} == {"boot power"}


def test_a_person_gets_in_after_a_game_by_plugging_in_again(powered: Powered) -> None:
    pico = trigger_held(powered())
    host = Lockstep(pico)
    assert plays(host)
    pico.order("close")
    assert not lets_a_person_in(pico), "a companion has spoken since the start"
    blink(pico, 500)
    pico.run(BOOTED_US)
    assert lets_a_person_in(pico)


def test_maintenance_gives_the_prompt_back_though_the_trigger_is_closed(powered: Powered) -> None:
    pico = trigger_held(powered())
    host = Lockstep(pico)
    assert plays(host)
    pico.run(0, encode(Maintenance(), host.session.boot_id))
    pico.run(200_000)
    assert lets_a_person_in(pico)


@pytest.fixture
def older(parts: Parts, tmp_path: Path) -> Path:
    """A flash with a firmware that leaves the door open, as up to 0.2.2."""
    path = Path(main.__file__)
    shuts = "        kbd_intr(NEVER)\n"
    source = path.read_text()
    assert source.count(shuts) == 1
    return installed(parts, tmp_path / "flash", {MAIN: source.replace(shuts, "        pass\n")})


def test_the_end_of_an_older_firmware_is_seen_at_once_and_its_prompt_is_known_again(
    parts: Parts, older: Path
) -> None:
    for turn in range(4):
        with EmulatedPico(parts, Chip(flash=str(older), seed=turn + 1)) as pico:
            pico.run(turn * 1_370)
            trigger_held(pico)
            host = Lockstep(pico, answer_us=turn * 300)
            host.session.arm()
            assert refusal_of(host) == FIRMWARE_ENDED
            pico.order("close")
            pico.run(1_000_000)

            asking = Lockstep(pico)
            answers(asking, 3_500_000)
            assert asking.session.hello is not None or asking.session.at_prompt, turn


@pytest.fixture
def hung(parts: Parts, tmp_path: Path) -> Path:
    """A flash with a firmware that hangs as soon as it starts."""
    return installed(parts, tmp_path / "flash", {APP: HANGING})


def test_a_firmware_that_hangs_lets_a_person_in_before_and_after_the_watchdog(
    parts: Parts, hung: Path
) -> None:
    for after_bite in (False, True):
        with EmulatedPico(parts, Chip(flash=str(hung), miss_cycles=0)) as pico:
            trigger_held(pico)
            pico.run(BOOTED_US)
            if after_bite:
                assert is_bitten(pico)
                pico.run(BOOTED_US)
            assert lets_a_person_in(pico), (after_bite, pico.log)


def test_after_the_watchdog_a_companion_is_heard_and_gives_the_prompt_back(
    parts: Parts, hung: Path
) -> None:
    with EmulatedPico(parts, Chip(flash=str(hung), miss_cycles=0)) as pico:
        trigger_held(pico)
        host = Lockstep(pico)
        assert is_bitten(pico)
        host.reopen()
        assert host.connect()
        assert host.session.hello is not None
        assert host.session.hello.reset_reason == RESET_WATCHDOG
        host.spend(500_000)
        assert len(host.boots) == 1
        pico.run(0, encode(Maintenance(), host.session.boot_id))
        pico.run(200_000)
        assert lets_a_person_in(pico)
