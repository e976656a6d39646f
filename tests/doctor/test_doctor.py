"""The doctor on simulated systems: each line is ok, a warning or a failure, with its remedy."""

from __future__ import annotations

import argparse
import errno
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from companion.board.virtual import InPlayError
from companion.cli import main
from companion.doctor import checks, run
from companion.doctor.checks import Finding, Severity
from companion.doctor.ports import NoisyBoard, ask, hogs, ports, virtual
from companion.doctor.surroundings import Surroundings, versions
from companion.errors import CommandError
from companion.exits import code_of
from companion.journal.features import Feature, accept
from companion.journal.sessions import SessionInfo
from companion.link.usb_ports import UsbPort
from companion.rules.order import Place
from companion.session.muted import Muting
from firmware_protocol.board import FIRMWARE
from firmware_protocol.board.settings import Settings
from firmware_protocol.messages import PROTOCOL_MINOR, Hello
from firmware_protocol.virtual.client import VirtualBoard
from tests.journal.odd_disk import Lacks, can_mount, odd_disk

PICO = UsbPort("/dev/ttyACM0", 0x2E8A, 0x0005, "E66", "Board in FS mode")
ARDUINO = UsbPort("/dev/ttyUSB0", 0x1A86, 0x7523, "", "USB Serial")
NOW = datetime(2026, 5, 1, 20, 0, tzinfo=UTC)


@pytest.fixture
def here(tmp_path: Path) -> Surroundings:
    return Surroundings(
        env={"TERM": "xterm-256color"},
        size=lambda: (120, 40),
        streams=lambda: (True, "utf-8"),
        python=(3, 12, 1),
        platform="linux",
        root=tmp_path,
        ports=lambda: [PICO],
        may_open=lambda _device: True,
        free=lambda _folder: 10**10,
        wall=lambda: NOW,
        monotonic_resolution_s=1e-9,
    )


def hello(firmware: str = "", crc: int = Settings().crc, reset_reason: int = 0) -> Hello:
    return Hello(
        1, PROTOCOL_MINOR, 0xAB, reset_reason, 7, crc, 512, 5, 9, 100, firmware or FIRMWARE, "Pico"
    )


def nobody(_port: str) -> str:
    return ""


def levels(findings: Iterator[Finding]) -> list[Severity]:
    return [finding.level for finding in findings]


def process(root: Path, pid: int, name: str, opened: str = "") -> None:
    (root / "proc" / str(pid) / "fd").mkdir(parents=True)
    (root / "proc" / str(pid) / "comm").write_text(f"{name}\n")
    if opened:
        (root / "proc" / str(pid) / "fd" / "3").symlink_to(opened)


def test_a_good_terminal_is_ok_and_a_small_dumb_or_foreign_one_is_a_warning(
    here: Surroundings,
) -> None:
    assert levels(checks.terminal(here)) == [Severity.OK]
    assert levels(checks.terminal(replace(here, size=lambda: (80, 20)))) == [Severity.WARNING]
    assert levels(checks.terminal(replace(here, env={"TERM": "dumb"}))) == [Severity.WARNING]
    assert levels(checks.terminal(replace(here, streams=lambda: (True, "latin-1")))) == [
        Severity.OK,
        Severity.WARNING,
    ]


def test_an_old_python_or_a_missing_package_is_a_failure_with_the_command(
    here: Surroundings,
) -> None:
    assert levels(checks.program(here, {"pyserial": "3.5"})) == [Severity.OK, Severity.OK]
    assert levels(checks.program(replace(here, python=(3, 10, 0)), {})) == [
        Severity.FAILURE,
        Severity.OK,
    ]
    finding = list(checks.program(here, {"pyserial": "3.5", "mpremote": None}))[-1]
    assert (finding.level, finding.mend) == (Severity.FAILURE, "pip install mpremote")


def test_the_packages_looked_at_are_those_the_program_requires() -> None:
    packages = versions()
    assert {"table-companion", "pyserial", "textual"} <= set(packages)
    assert "pytest" not in packages


def test_a_port_that_does_not_exist_is_no_matter_of_rights(
    here: Surroundings, tmp_path: Path
) -> None:
    (finding,) = ports(
        replace(here, may_open=lambda _device: False), str(tmp_path / "ttyACM7"), nobody
    )
    assert (finding.level, finding.mend) == (
        Severity.FAILURE,
        "Plug the board in, or name another port.",
    )
    assert finding.sentence.endswith("ttyACM7 does not exist.")


def test_a_port_that_may_not_be_opened_gives_the_group_and_a_rule_to_paste(
    here: Surroundings,
) -> None:
    (finding,) = ports(replace(here, may_open=lambda _device: False), None, nobody)
    assert finding.level is Severity.FAILURE
    assert "sudo usermod -aG dialout $USER" in finding.mend
    assert 'ATTRS{idVendor}=="2e8a"' in finding.mend
    assert "udevadm control --reload" in finding.mend


@pytest.mark.skipif(sys.platform == "win32", reason="there is no /proc")
def test_who_holds_a_port_is_named(here: Surroundings) -> None:
    process(here.root, 4711, "minicom", PICO.device)
    process(here.root, 4712, "bash", "/dev/tty1")
    (finding,) = ports(here, None, nobody)
    assert (
        finding.sentence
        == "/dev/ttyACM0 (2e8a:0005 Board in FS mode): held by minicom (process 4711)."
    )
    assert finding.level is Severity.WARNING


def test_a_pico_without_the_firmware_is_told_how_to_get_it(here: Surroundings) -> None:
    findings = list(ports(here, None, nobody))
    assert [finding.level for finding in findings] == [Severity.OK, Severity.FAILURE]
    assert findings[-1].mend == "companion board install --port /dev/ttyACM0"


def test_another_device_that_answers_nothing_is_no_failure(here: Surroundings) -> None:
    assert levels(ports(replace(here, ports=lambda: [ARDUINO]), None, nobody)) == [
        Severity.OK,
        Severity.OK,
    ]


def test_a_board_says_who_it_is_and_how_it_is_set(here: Surroundings) -> None:
    findings = list(ports(here, None, lambda _port: hello()))
    assert [finding.level for finding in findings] == [Severity.OK] * 3
    assert "keeps 4 of 512 events" in findings[-1].sentence
    findings = list(ports(here, None, lambda _port: hello("0.0.9", crc=1, reset_reason=2)))
    assert [finding.level for finding in findings] == [
        Severity.OK,
        Severity.OK,
        Severity.WARNING,
        Severity.WARNING,
        Severity.OK,
    ]
    assert findings[2].mend == "companion board update --port /dev/ttyACM0"
    assert "set (CRC 00000001)" in findings[-1].sentence


def test_no_port_is_a_warning_and_a_boot_loader_a_failure(here: Surroundings) -> None:
    none = replace(here, ports=list)
    assert levels(ports(none, None, nobody)) == [Severity.WARNING]
    device = here.root / "sys/bus/usb/devices/1-2"
    device.mkdir(parents=True)
    (device / "idVendor").write_text("2e8a\n")
    (device / "idProduct").write_text("0003\n")
    (finding,) = ports(none, None, nobody)
    assert finding.level is Severity.FAILURE
    assert ".uf2" in finding.mend


def test_a_system_that_does_not_list_its_ports_is_told_of(here: Surroundings) -> None:
    def hanging() -> list[UsbPort]:
        raise CommandError("The system does not list its serial ports.")

    assert levels(ports(replace(here, ports=hanging), None, nobody))[0] is Severity.FAILURE
    assert levels(hogs(replace(here, ports=hanging))) == [Severity.OK]


def test_modemmanager_is_a_warning_until_a_rule_keeps_it_away(here: Surroundings) -> None:
    process(here.root, 800, "ModemManager")
    (finding,) = hogs(here)
    assert finding.level is Severity.WARNING
    assert 'ENV{ID_MM_DEVICE_IGNORE}="1"' in finding.mend
    rules = here.root / "etc/udev/rules.d"
    rules.mkdir(parents=True)
    (rules / "60-table.rules").write_text('ATTRS{idVendor}=="2e8a", ENV{ID_MM_DEVICE_IGNORE}="1"\n')
    assert levels(hogs(here)) == [Severity.OK]


def test_brltty_matters_only_for_the_chips_it_takes(here: Surroundings) -> None:
    process(here.root, 801, "brltty")
    assert levels(hogs(here)) == [Severity.OK]
    assert levels(hogs(replace(here, ports=lambda: [ARDUINO]))) == [Severity.WARNING]


def test_a_full_disk_is_a_failure_and_a_tight_one_a_warning(
    here: Surroundings, tmp_path: Path
) -> None:
    folder = tmp_path / "not" / "yet" / "there"
    by_free = {10**10: Severity.OK, 10**8: Severity.WARNING, 10**6: Severity.FAILURE}
    for free, level in by_free.items():
        assert levels(
            checks.disk(replace(here, free={folder.parents[2]: free}.__getitem__), folder)
        ) == [level]


def test_a_disk_that_lacks_what_a_session_needs_is_a_failure_each_with_its_own_sentence(
    here: Surroundings, tmp_path: Path
) -> None:
    folder = tmp_path / "sessions"
    assert list(checks.can_be_written(replace(here, missing=lambda _folder: ()), folder)) == []
    every = list(
        checks.can_be_written(replace(here, missing=lambda _folder: tuple(Feature)), folder)
    )
    assert [finding.level for finding in every] == [
        Severity.FAILURE,
        Severity.FAILURE,
        Severity.WARNING,
    ]
    for finding, feature in zip(every, Feature, strict=True):
        assert finding.sentence.startswith(f"{folder} is on a disk without {feature}: ")
        assert "COMPANION_DATA" in finding.mend
    assert "`companion play` asks once." in every[-1].mend
    accept(folder)
    agreed = list(
        checks.can_be_written(replace(here, missing=lambda _folder: (Feature.PERMISSIONS,)), folder)
    )
    assert agreed[0].mend.startswith("Somebody agreed to that.")


@pytest.mark.parametrize(
    ("code", "words"), [(errno.EROFS, "the disk is write-protected"), (errno.ENOSPC, "is full")]
)
def test_a_disk_that_takes_no_file_is_a_failure_with_the_reason(
    here: Surroundings, tmp_path: Path, code: int, words: str
) -> None:
    def refuse(_folder: Path) -> tuple[Feature, ...]:
        raise OSError(code, "no")

    (finding,) = checks.can_be_written(replace(here, missing=refuse), tmp_path)
    assert finding.level is Severity.FAILURE
    assert words in finding.sentence


@pytest.mark.skipif(not can_mount(), reason="to mount a disk takes Linux, /dev/fuse and root")
@pytest.mark.parametrize("lacks", [Lacks.LOCKS, Lacks.MEMORY, Lacks.MODES])
def test_the_doctor_tries_a_real_disk_and_leaves_nothing_there(
    lacks: Lacks,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with odd_disk(tmp_path, lacks) as disk:
        monkeypatch.setenv("COMPANION_DATA", str(disk / "data"))
        code = main(["doctor"])
        assert list(disk.iterdir()) == []
    assert "is on a disk without" in capsys.readouterr().out
    assert code == 69 or lacks is Lacks.MODES


def test_a_time_of_day_before_the_last_session_is_a_warning(here: Surroundings) -> None:
    def written(wall: str) -> tuple[SessionInfo, ...]:
        return (SessionInfo(Path("one.sqlite"), "one", last_wall=wall),)

    assert levels(checks.clock(here, written("2026-04-30T20:00:00Z"))) == [Severity.OK]
    assert levels(checks.clock(here, written("2026-05-02T20:00:00Z"))) == [Severity.WARNING]
    assert levels(checks.clock(replace(here, monotonic_resolution_s=0.016), ())) == [
        Severity.OK,
        Severity.WARNING,
    ]


def test_a_clock_that_was_never_set_is_a_warning_and_one_that_was_wrong_once_asks_for_nothing(
    here: Surroundings,
) -> None:
    never_set = replace(here, wall=lambda: datetime(1970, 1, 1, tzinfo=UTC))
    (finding,) = checks.clock(never_set, ())
    assert (finding.level, "was never set" in finding.sentence) == (Severity.WARNING, True)
    ahead = SessionInfo(
        Path("a.sqlite"), "a", last_wall="2099-05-02T20:00:00Z", places=(Place(1, "f"),)
    )
    right = SessionInfo(
        Path("b.sqlite"), "b", last_wall="2026-04-30T20:00:00Z", places=(Place(2, "f"),)
    )
    (finding,) = checks.clock(here, (right, ahead))
    assert finding.sentence.endswith("1 session was written while the clock was ahead of that.")
    assert "nothing to do" in finding.mend
    assert "timedatectl" in next(checks.clock(here, (ahead,))).mend


def test_a_damaged_session_is_a_failure_that_names_the_command(here: Surroundings) -> None:
    torn = "/s/torn.sqlite is damaged."
    infos = [SessionInfo(Path(f"{name}.sqlite"), name) for name in ("good", "bad")]
    infos.append(SessionInfo(Path("/s/torn.sqlite"), "torn", problem=torn))
    wrong = {"bad.sqlite": ["The chain breaks at 7."]}
    findings = list(checks.sessions(tuple(infos), lambda path: wrong.get(path.name, [])))
    assert [finding.level for finding in findings] == [Severity.FAILURE] * 2
    assert [finding.sentence for finding in findings] == [
        "bad.sqlite: The chain breaks at 7.",
        torn,
    ]
    assert [finding.mend for finding in findings] == [
        f"companion journal check {name}.sqlite" for name in ("bad", "/s/torn")
    ]
    assert levels(checks.sessions((), lambda _path: [])) == [Severity.OK]


def test_sessions_in_a_folder_that_cannot_be_read_are_not_called_whole(
    here: Surroundings, own_data_folder: Path
) -> None:
    own_data_folder.mkdir(parents=True, exist_ok=True)
    (own_data_folder / "sessions").write_text("a file in its place")
    findings = [
        finding for finding in run.findings(here, None, nobody) if finding.topic == "sessions"
    ]
    assert [finding.level for finding in findings] == [Severity.FAILURE]
    assert "a file stands where a folder is needed" in findings[0].sentence


def test_the_command_asks_a_real_board_and_prints_json(capsys: pytest.CaptureFixture[str]) -> None:
    with VirtualBoard.spawn(runtime="cpython") as board:
        code = main(["doctor", "--json", "--port", board.url])
        report = json.loads(capsys.readouterr().out)
        assert board.status()["starts"] == 1
    assert {finding["topic"] for finding in report["findings"]} >= {
        "terminal",
        "packages",
        "ports",
        "board",
        "disk",
        "clock",
    }
    assert f"board {board.uid:016x}" in " ".join(
        finding["sentence"] for finding in report["findings"]
    )
    assert code == (69 if report["verdict"] == "failure" else 0)


def test_a_wire_that_a_real_board_has_muted_is_named_and_the_board_keeps_the_word_of_it() -> None:
    hum = [(500 * number, "zone-3", 1 - number % 2) for number in range(3000)]  # for 1.5 s
    with VirtualBoard.spawn(runtime="cpython") as board:
        answer = None
        for _ in range(5):  # on a busy computer it may be quiet again before it is asked
            ends_us = board.play(hum) + 1_500_000
            # A wire is muted a quarter of a second after it became restless.
            while not isinstance(answer, NoisyBoard) and board.play([]) < ends_us:
                answer = ask(board.url)
            if isinstance(answer, NoisyBoard):
                break
        unsaved = board.unsaved()
    assert isinstance(answer, NoisyBoard)
    assert [muting.channel for muting in answer.muted] == ["zone-3"]
    assert unsaved > 0


def test_a_muted_wire_is_a_warning_with_what_to_do(here: Surroundings) -> None:
    noisy = NoisyBoard(hello(), (Muting("zone-3", True, 900, 0, 50_000),))
    findings = list(ports(here, None, lambda _port: noisy))
    assert (findings[-1].level, findings[-1].topic) == (Severity.WARNING, "wire")
    assert "zone 3 is muted: 900 edges in 50 ms." in findings[-1].sentence
    assert findings[-1].mend.startswith("Check its wire;")


def only(finding: Finding) -> Callable[[Surroundings, str | None], Iterator[Finding]]:
    return lambda _here, _port: iter([finding])


def test_a_failure_is_the_exit_code_and_a_warning_is_not(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for level, code in ((Severity.OK, 0), (Severity.WARNING, 0), (Severity.FAILURE, 69)):
        finding = Finding(
            "disk",
            "One sentence.",
            "a mend\nof two lines" if level is not Severity.OK else "",
            level=level,
        )
        monkeypatch.setattr(run, "findings", only(finding))
        found_worst = run.command(argparse.Namespace(json=False, port=None))
        assert code_of(found_worst) == code
        assert capsys.readouterr().out.startswith(f"{level.value:8} disk      One sentence.\n")


def test_settings_that_were_calibrated_are_named_and_a_file_that_cannot_be_used_is_a_warning(
    here: Surroundings,
) -> None:
    assert levels(checks.calibrated(({}, ""))) == [Severity.OK]
    (finding,) = checks.calibrated(({"hit_threshold": 900}, ""))
    assert (finding.level, "hit_threshold 900" in finding.sentence) == (Severity.OK, True)
    assert levels(checks.calibrated(({}, "The board has its default settings."))) == [
        Severity.WARNING
    ]


def test_a_virtual_board_that_was_left_behind_is_told_with_what_it_keeps() -> None:
    def in_play() -> int:
        raise InPlayError

    assert levels(virtual(lambda: None)) == []
    assert levels(virtual(lambda: 0)) == [Severity.OK]
    assert levels(virtual(in_play)) == [Severity.OK]
    (finding,) = virtual(lambda: 3)
    assert finding.level is Severity.WARNING
    assert "keeps 3 events that no session has" in finding.sentence
    assert "companion virtual end" in finding.mend
