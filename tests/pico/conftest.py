"""The lane of the chip: MicroPython's real image with our firmware on it, on an emulated RP2040."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path

import pytest

from companion.board.firmware import Firmware, firmware
from firmware_protocol.virtual.runtime import VirtualBoardError
from tests.pico.emulator.emulated import Chip, EmulatedPico
from tests.pico.emulator.parts import Parts, find_parts
from tests.pico.flashing import flashed

Powered = Callable[..., EmulatedPico]


CHIP_S = 900
"""A second of the chip takes many of ours, more of them where other tests run beside."""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give the tests here more time until they count as hanging."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.timeout(CHIP_S))


@pytest.fixture(scope="session")
def parts() -> Parts:
    try:
        return find_parts()
    except VirtualBoardError as missing:
        pytest.skip(str(missing))


@pytest.fixture(scope="session")
def flash(parts: Parts, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A flash with this checkout's firmware, as `companion board install` leaves it. It takes ten seconds: one worker
    makes it for all, and nobody writes to it."""
    base = tmp_path_factory.getbasetemp()
    path = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "installed.flash"
    with path.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.exists():
            installed(parts, path.with_suffix(".new")).replace(path)
    return path


@pytest.fixture
def powered(parts: Parts, flash: Path) -> Iterator[Powered]:
    """Make Picos that have just got power."""
    with ExitStack() as stack:
        yield lambda **chip: stack.enter_context(
            EmulatedPico(parts, Chip(flash=str(flash), **chip))
        )


def installed(
    parts: Parts, path: Path, changed: Mapping[str, str] | None = None, pins_json: str | None = None
) -> Path:
    """Put the firmware onto an empty Pico, with the source of some files `changed` and with a map of pins, and keep its
    flash at `path`."""
    plain = firmware()
    sources = {name: text.encode() for name, text in (changed or {}).items()}
    wiring = {} if pins_json is None else {"pins.json": pins_json.encode()}
    return flashed(parts, path, Firmware({**plain.files, **sources}), pytest.fail, wiring)
