"""A firmware that hangs or fails on the chip, and what a companion and a person can do about it."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_protocol.board import app
from firmware_protocol.messages import (
    CAN_MAINTENANCE,
    ECHOES_WHO,
    RESET_EXCEPTION,
    RESET_WATCHDOG,
    Maintenance,
    encode,
)
from tests.pico.conftest import installed
from tests.pico.emulator.emulated import MS, Chip, EmulatedPico
from tests.pico.emulator.parts import Parts
from tests.pico.figures import connected
from tests.pico.lockstep import Lockstep

APP = "firmware_protocol/board/app.py"
HANGING = "import time\nwhile True:\n    time.sleep_ms(100)\n"
FAILING = """
from firmware_protocol.board.sound_app import App as SoundApp

class App(SoundApp):
    def _cue(self, cue):
        raise RuntimeError("on purpose")
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "flash"


def test_a_firmware_that_hangs_at_each_start_gives_its_prompt_back(
    parts: Parts, file: Path
) -> None:
    installed(parts, file, {APP: HANGING})
    with EmulatedPico(parts, Chip(flash=str(file), miss_cycles=0)) as pico:
        host = Lockstep(pico)
        assert not host.until(lambda: host.session.hello is not None, 4_900_000)
        assert pico.until(
            lambda: any(entry == "bitten" for _, entry in pico.log), 3_000_000, 10_000
        )
        host.reopen()
        assert host.until(lambda: host.session.hello is not None, 4_000_000)
        hello = host.session.hello
        assert hello is not None
        assert (hello.reset_reason, hello.capabilities) == (
            RESET_WATCHDOG,
            CAN_MAINTENANCE | ECHOES_WHO,
        )
        pico.run(0, encode(Maintenance(), host.session.boot_id))
        pico.run(100_000)
        answer = b"".join(packet.data for packet in pico.run(200_000, b"print(6 * 7)\r\n"))
    assert b"42\r\n" in answer


def test_a_restart_by_exception_is_noticed_within_a_second_and_says_why(
    parts: Parts, file: Path
) -> None:
    sound = Path(app.__file__).read_text()
    installed(parts, file, {APP: FAILING, "firmware_protocol/board/sound_app.py": sound})
    with EmulatedPico(parts, Chip(flash=str(file))) as pico:
        host = connected(pico)
        boot_id, failed_ns = host.session.boot_id, pico.ns
        assert host.session.cue(0, 10) is not None
        assert host.until(lambda: host.boots[-1][1] != boot_id, 2_000_000)
        assert host.boots[-1][0] - failed_ns < 1_000 * MS
        assert host.session.boot_id != boot_id
        assert host.session.hello is not None
        assert host.session.hello.reset_reason == RESET_EXCEPTION
        assert host.until(lambda: host.session.armed and bool(host.logs), 3_000_000)
        assert [text for _, text in host.logs] == ["restarted after RuntimeError: on purpose"]
        assert [entry for _, entry in pico.log] == ["boot power"]
