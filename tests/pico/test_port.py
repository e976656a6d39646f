"""The emulated Pico behind a port that programs open."""

from __future__ import annotations

import os
import tty
from pathlib import Path

import pytest

from tests.pico.emulator.__main__ import obey
from tests.pico.emulator.emulated import EmulatedPico
from tests.pico.emulator.parts import Parts
from tests.pico.emulator.port import PicoPort

TURNS = 2000


def test_the_port_is_there_once_the_chip_is_and_its_prompt_answers_through_it(
    parts: Parts, tmp_path: Path
) -> None:
    path = tmp_path / "port"
    with EmulatedPico(parts) as pico:
        port = PicoPort(pico, path, clock_ns=lambda: pico.ns)
        assert not path.exists()
        while not path.exists():
            port.turn()
        host = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        tty.setraw(host)
        os.write(host, b"print(6 * 7)\r\n")
        answer = b""
        for _ in range(TURNS):
            port.turn()
            try:
                answer += os.read(host, 1000)
            except BlockingIOError:
                continue
            if b"42\r\n" in answer:
                break
        assert b"42\r\n" in answer
        pico.order("power", on=False)
        pico.order("power", on=True)
        port.turn()
        assert not path.exists()
        os.close(host)
        port.unplug()


def test_lines_work_the_pins(parts: Parts) -> None:
    with EmulatedPico(parts) as pico:
        assert all(obey(pico, line) for line in ("", "press zone-1 80", "shot 1800", "knock 900"))
        assert not obey(pico, "quit")
        with pytest.raises(ValueError, match="say press NAME MS"):
            obey(pico, "jump")
        with pytest.raises(ValueError, match="no channel zone-99"):
            obey(pico, "press zone-99 80")
