"""A chip at 200 MHz: faster, as exact, and slow again for good where such a start ended badly."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from firmware_protocol.board.speed import MARK
from tests.pico.conftest import installed
from tests.pico.emulator.emulated import MS, Chip, EmulatedPico
from tests.pico.emulator.parts import Parts
from tests.pico.figures import CONTACTS, blink, connected, presses, stamp_errors, turns
from tests.pico.lockstep import Lockstep


@pytest.fixture
def fast(parts: Parts, tmp_path: Path) -> Iterator[EmulatedPico]:
    flash = installed(parts, tmp_path / "fast.flash", pins_json='{"chip": {"mhz": 200}}')
    with EmulatedPico(parts, Chip(flash=str(flash))) as pico:
        yield pico


def test_at_200_mhz_the_chip_is_faster_and_its_stamps_are_as_exact(fast: EmulatedPico) -> None:
    host = Lockstep(fast)
    assert host.until(lambda: host.session.hello is not None)
    # The flash is written first, which is one more thing to do.
    assert host.ms <= 700
    assert host.connect()
    assert host.arm()
    host.spend(200_000)
    assert turns(host, 300_000).mean_ms <= 0.35
    assert statistics.quantiles(presses(host, per_s=50, count=50), n=20)[18] <= 4
    chance = Random(1)
    begun_ns = fast.ns
    instants = [
        (begun_ns + n * 30 * MS + chance.randrange(MS), [chance.choice(CONTACTS)])
        for n in range(1, 21)
    ]
    assert max(map(abs, stamp_errors(host, instants))) <= 2


def test_a_start_at_200_mhz_that_is_cut_short_twice_is_the_last(fast: EmulatedPico) -> None:
    for _ in range(2):
        assert connected(fast).logs == []
        blink(fast, 500)
    host = connected(fast)
    host.spend(300_000)
    assert [text for _, text in host.logs] == [
        f"not at 200 MHz: a start at that speed ended within 10 s; remove {MARK} from the board to try again"
    ]
    assert turns(host, 300_000).mean_ms > 0.4
