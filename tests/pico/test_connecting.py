"""The companion connects to the chip at any moment and answers as quickly or slowly as it likes: nothing is killed."""

from __future__ import annotations

from firmware_protocol.messages import RESET_POWER
from firmware_protocol.virtual.pico.emulated import EmulatedPico
from tests.pico.conftest import Powered
from tests.pico.lockstep import Lockstep

RESETS = ("bitten", "reset")


def resets(pico: EmulatedPico) -> list[str]:
    return [what for _, what in pico.log if what in RESETS]


def connected(pico: EmulatedPico, answer_us: int) -> Lockstep:
    """Connect, and see that the firmware that answered is alive after its watchdog would have bitten."""
    host = Lockstep(pico, answer_us)
    assert host.connect(), (host.ms, pico.log)
    assert host.session.hello is not None
    return host


def test_a_port_that_is_open_while_the_board_starts_kills_nothing(powered: Powered) -> None:
    for turn in range(4):
        pico = powered(seed=turn + 1)
        host = connected(pico, answer_us=turn * 10_000)
        assert host.session.hello is not None
        assert host.session.hello.reset_reason == RESET_POWER
        assert resets(pico) == []
        pico.end()


def test_a_port_opened_at_any_moment_of_a_running_board_kills_nothing(powered: Powered) -> None:
    pico = powered()
    host = connected(pico, 0)
    for turn in range(6):
        pico.order("close")
        host.pico.run(100_000 + turn * 43_210)
        host.answer_us = turn * 6_000
        host.reopen()
        assert host.connect()
        assert host.session.counters.bad_frames == 0, "stale bytes are no worn cable"
    assert resets(pico) == []
    assert host.boots == []
