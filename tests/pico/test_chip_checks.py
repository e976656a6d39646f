"""The chip tries itself out on the emulated RP2040: a sound one passes every check, and each fault fails its own."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from companion.board import install_session
from companion.board.chip_checks import verdicts
from companion.board.chip_checks.firmware_checks import PRESSES_HZ, FirmwareBench, delay_ms
from companion.board.chip_checks.prompt_checks import Lengths, checks_at_prompt, with_wire
from companion.board.chip_checks.scripts import script
from companion.board.chip_checks.trial import REASONS, ChipTrial, report_files, run_trial
from companion.board.chip_checks.verdicts import Finding, Verdict
from companion.board.firmware import compiled_for, firmware
from companion.board.install_session import InstallSession
from companion.errors import CommandError, ErrorKind
from companion.link.conversation import Conversation
from firmware_protocol.board import FIRMWARE
from firmware_protocol.messages import PRESSED, RESET_WATCHDOG, Maintenance, encode
from firmware_protocol.virtual.runtime import VirtualBoardError
from tests.pico.conftest import Powered
from tests.pico.emulator.board import PicoBoard
from tests.pico.emulator.emulated import Chip, EmulatedPico
from tests.pico.emulator.parts import Parts
from tests.pico.emulator.prompt import RUN, Prompt
from tests.pico.flashing import PICO_MPY
from tests.pico.lockstep import Lockstep

SHORT = Lengths(
    writes=8, toggles=5, adc_ms=400, pings_s=1.0, opened=5, presses=10, shots_s=60.0, night_s=2.0
)
STAMPS = ("stamps idle", "stamps with USB traffic", "stamps in a collection")
CONTACTS = {
    f"contact {name}" for name in ("trigger", *(f"zone-{number}" for number in range(1, 11)))
}
# A pty keeps no emulated time: the host asks at the computer's pace, a chip of a third of its speed answers at its own.
BY_THE_WALL = {"PING", "pin to host"}
SOLDERED, NO_PULL_UP, TEN_NF = (4700, 1.0), (0, 1.0), (4700, 10.0)


@cache
def folder() -> str:
    """Return the folder of this checkout's firmware on a Pico."""
    return compiled_for(firmware(), PICO_MPY, pytest.fail).folder


@pytest.fixture(scope="module")
def bare(parts: Parts, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A flash with the firmware's files, and nothing that starts them."""
    compiled = compiled_for(firmware(), PICO_MPY, pytest.fail)
    with EmulatedPico(parts, Chip(miss_cycles=0)) as pico:
        prompt = Prompt(pico)
        prompt.put({f"{compiled.folder}/{name}": data for name, data in compiled.files.items()})
        return prompt.save(tmp_path_factory.mktemp("bare") / "flash")


class LockstepPrompt:
    """`Remote.ask`, in emulated time."""

    def __init__(self, pico: EmulatedPico) -> None:
        self._prompt = Prompt(pico)

    def ask(self, script: str) -> Any:
        try:
            return json.loads(self._prompt.run(script).strip().splitlines()[-1])
        except VirtualBoardError as problem:
            raise CommandError(str(problem)) from problem


def tried(parts: Parts, flash: Path, **chip: Any) -> dict[str, Finding]:
    """Return the results of the chip's checks of itself at its prompt, by name."""
    with EmulatedPico(parts, Chip(flash=str(flash), **chip)) as pico:
        return {
            finding.check: finding
            for finding in checks_at_prompt(LockstepPrompt(pico), folder(), SHORT, {})
        }


def failed(by_check: Mapping[str, Finding]) -> set[str]:
    return {check for check, finding in by_check.items() if finding.verdict is Verdict.FAIL}


def test_a_sound_chip_passes_every_check_at_its_prompt(parts: Parts, bare: Path) -> None:
    findings = tried(parts, bare, soldered={4: SOLDERED})
    assert {finding.verdict for finding in findings.values()} == {Verdict.PASS}, failed(findings)
    assert findings["contact zone-1"].figure.startswith("has a pull-up of its own: 3 us")
    assert findings["contact zone-2"].figure.startswith("bare")
    assert findings["ADC rate"].figure.startswith("50000.0 samples/s")
    assert {*STAMPS, *CONTACTS, "four pins by one write", "pad override"} <= set(findings)


def test_a_chip_at_200_mhz_passes_every_check_at_its_prompt(parts: Parts, bare: Path) -> None:
    with EmulatedPico(parts, Chip(flash=str(bare), miss_cycles=0)) as pico:
        prompt = LockstepPrompt(pico)
        identity: dict[str, Any] = {}
        assert prompt.ask("import machine\nmachine.freq(200000000)\nprint(machine.freq())") == 200e6
        findings = {
            finding.check: finding
            for finding in checks_at_prompt(prompt, folder(), SHORT, identity)
        }
    assert identity["hz"] == 200_000_000
    assert {finding.verdict for finding in findings.values()} == {Verdict.PASS}, failed(findings)


def test_by_the_chips_own_clock_a_round_trip_takes_some_milliseconds(powered: Powered) -> None:
    host = Lockstep(powered())
    assert host.connect()
    assert host.arm()
    # ARM collects garbage.
    host.spend(300_000)
    trips = set()
    end_ns = host.pico.ns + 1_000_000_000
    while host.pico.ns < end_ns:
        host.turn()
        trips.add(host.session.clock.rtt_us)
    assert len(trips) >= 5
    assert max(trip or 0 for trip in trips) <= 5_000


def test_stamps_that_are_5_us_off_a_slow_pad_and_contacts_without_pull_ups_are_found(
    parts: Parts, bare: Path
) -> None:
    faults = {"stamp_us": [40, 5], "slow_ns": {1: 3000}}
    findings = tried(parts, bare, faults=faults, soldered={5: NO_PULL_UP, 6: TEN_NF})
    assert failed(findings) == {
        *STAMPS,
        "four pins by one write",
        "contact zone-2",
        "contact zone-3",
    }
    assert findings["contact zone-2"].figure == "slow by the chip's own pull-up: 35 us"
    assert "solder 4.7 kohm" in findings["contact zone-2"].advice
    assert findings["contact zone-3"].figure.startswith("slow by its own pull-up")


def test_a_deaf_override_and_an_adc_with_a_wrong_rate_and_noise_are_found(
    parts: Parts, bare: Path
) -> None:
    findings = tried(parts, bare, faults={"deaf_override": True, "adc_ppm": 200, "adc_noise": 200})
    assert {check for check in failed(findings) if not check.startswith("noise")} == {
        "pad override",
        "ADC rate",
    }
    assert len([check for check in failed(findings) if check.startswith("noise")]) == 4


def test_an_adc_that_is_bent_is_found_with_a_wire(parts: Parts, bare: Path) -> None:
    for bend, verdict in ((0, Verdict.PASS), (80, Verdict.FAIL)):
        chip = Chip(flash=str(bare), miss_cycles=0, faults={"filtered": [27, 28, bend]})
        with EmulatedPico(parts, chip) as pico:
            finding = with_wire(LockstepPrompt(pico), folder())
        assert finding.verdict is verdict, finding


def test_a_pin_that_something_holds_is_never_driven(parts: Parts, bare: Path) -> None:
    wired = (0, 1, 15, 17, 18, 20, 21, 22, 27, 28)
    with EmulatedPico(parts, Chip(flash=str(bare))) as pico:
        for pin in wired:
            pico.order("pin", pin=pin, level=pin & 1)
        findings = {
            finding.check: finding
            for finding in checks_at_prompt(LockstepPrompt(pico), folder(), SHORT, {})
        }
        driven = {pin for _, pin, _ in pico.driven}
        spans = pico.order("spans")["spans"]
    assert findings["stamps idle"].figure.endswith("at GP19")
    assert findings["four pins by one write"].verdict is Verdict.NOT_ASKED
    assert driven == {2, *range(4, 14), 19, 23}
    assert not failed(findings)
    assert 12_000 <= max(spans[str(pin)] for pin in (2, *range(4, 14))) <= 20_000


@pytest.fixture
def busy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for a chip that is slower than the wall as long as it takes."""
    monkeypatch.setattr(install_session, "BACK_S", 240.0)


def test_the_whole_command_passes_on_a_sound_board_and_starts_the_firmware_again(
    parts: Parts, flash: Path, tmp_path: Path, busy: None
) -> None:
    files = report_files(tmp_path / "chip")
    lines: list[str] = []
    as_json: list[str] = []

    def say(sentence: str) -> None:
        lines.append(sentence)
        if sentence.startswith("Fire"):
            for number in range(verdicts.SHOTS):
                board.shot(1800, at_ms=200 + 400 * number)

    with PicoBoard(parts, Chip(flash=str(flash)), tmp_path / "port", 1) as board:
        bench = InstallSession(board.url, io.StringIO(), lister=lambda: [], hello_s=15.0)
        asked = FirmwareBench(board.url, say, SHORT, clock_ns=board.clock_ns, starts_s=30.0)
        trial = ChipTrial(bench, asked, SHORT, extras=("gun", "night"))
        code = run_trial(trial, say, files, as_json.append)
        with closing(Conversation(bench.port, clock_ns=board.clock_ns)) as conversation:
            hello = conversation.hello(15.0)
    findings = {finding["check"]: finding for finding in json.loads(files[1].read_text())["checks"]}
    wrong = {check for check, finding in findings.items() if finding["verdict"] == "fail"}
    assert wrong <= BY_THE_WALL, lines
    assert code is (ErrorKind.UNAVAILABLE if wrong else None)
    assert hello is not None, lines
    assert findings["reason after a bite of the watchdog"]["figure"] == "watchdog"
    assert findings["reason after a restart"]["figure"] == "request"
    assert findings["pin to host"]["verdict"] != "not asked"
    assert findings["turns"]["verdict"] == "pass", findings["turns"]
    assert findings["ten shots"]["verdict"] == "pass", findings["ten shots"]
    assert findings["piezo"]["figure"].startswith("median peak 1")
    assert findings["counters over a night"]["figure"] == "0.0 h: 0 lost, 0 damaged, 0 restarts"
    assert findings["ppm over temperature"]["verdict"] == "never tried"
    assert findings["ADC linearity"]["verdict"] == "not asked"
    page, report = (file.read_text() for file in files)
    assert as_json == [report.rstrip()]
    assert str(tmp_path) not in page + report
    # The row for the page of confirmed boards has a figure in each column that the board can fill.
    cells = page.rstrip().splitlines()[-1].strip("| ").split(" | ")
    assert cells[2] == "Raspberry Pi Pico with RP2040, B0 or B1"
    assert cells[4] == FIRMWARE
    assert cells[9].endswith(" ms")


def test_where_pins_json_cannot_be_read_no_pin_is_driven(
    parts: Parts, bare: Path, tmp_path: Path
) -> None:
    with EmulatedPico(parts, Chip(flash=str(bare))) as pico:
        prompt = Prompt(pico)
        prompt.put({"pins.json": b'{"zone-1": {"pin": 99}}'})
        spoiled = prompt.save(tmp_path / "flash")
    with EmulatedPico(parts, Chip(flash=str(spoiled), miss_cycles=0)) as pico:
        findings = {
            finding.check: finding
            for finding in checks_at_prompt(LockstepPrompt(pico), folder(), SHORT, {})
        }
        assert {pin for _, pin, _ in pico.driven} == set()
    assert {*STAMPS, "four pins by one write", "pad override", "contacts"} <= failed(findings)
    assert "a Pico has GP0 to GP28" in findings["contacts"].problem
    assert findings["contacts"].figure == "could not be run (ValueError)"


def test_presses_that_the_board_makes_itself_reach_a_near_host_in_time_and_a_far_one_late(
    parts: Parts, bare: Path
) -> None:
    for in_us, verdict in ((30, Verdict.PASS), (30_000, Verdict.FAIL)):
        with EmulatedPico(parts, Chip(flash=str(bare), in_us=in_us)) as pico:
            Prompt(pico)
            pico.run(500_000, script(folder(), f"press_alone({PRESSES_HZ})").encode() + RUN)
            host = Lockstep(pico)
            assert host.connect()
            assert host.arm()
            host.events.clear()
            host.spend(1_000_000)
            offset = host.session.clock.offset_at(pico.ns)
            assert offset is not None
            pressed = [(read_ns, event) for read_ns, event in host.events if event.flags & PRESSED]
            delays = [delay_ms(event, read_ns, offset) for read_ns, event in pressed]
        assert len(delays) >= 12
        assert verdicts.to_host(delays, len(delays)).verdict is verdict, delays


def test_a_slow_port_and_crosstalk_are_found(parts: Parts, flash: Path, tmp_path: Path) -> None:
    chip = Chip(flash=str(flash), out_us=15_000, faults={"coupled": [[14, 4]]})
    with PicoBoard(parts, chip, tmp_path / "port", 1) as board:
        asked = FirmwareBench(board.url, lambda _line: None, SHORT, clock_ns=board.clock_ns)
        findings = {finding.check: finding for finding in asked.answers()}
    assert failed(findings) == {"PING", "crosstalk of the lamp"}
    assert findings["crosstalk of the lamp"].figure == "2 presses of zone-1"


def test_a_watchdog_that_always_gives_one_reason_is_found(powered: Powered) -> None:
    pico = powered(faults={"one_reason": 2})
    host = Lockstep(pico)
    assert host.connect()
    pico.run(0, encode(Maintenance(), host.session.boot_id))
    pico.run(300_000)
    Prompt(pico).run(script(folder(), "starve()"))
    assert pico.until(lambda: "bitten" in [entry for _, entry in pico.log], 8_000_000, 10_000)
    host.reopen()
    assert host.connect()
    assert host.session.hello is not None
    finding = verdicts.reset_reason(
        host.session.hello.reset_reason, RESET_WATCHDOG, "a bite", REASONS
    )
    assert finding.verdict is Verdict.FAIL
    assert finding.figure == "request"
