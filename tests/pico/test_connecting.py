"""The companion connects to the chip at any moment and answers as quickly or slowly as it likes: nothing is killed."""

from __future__ import annotations

from firmware_protocol.messages import RESET_POWER
from tests.pico.conftest import Powered
from tests.pico.figures import survives
from tests.pico.lockstep import Lockstep


def test_a_port_that_is_open_while_the_board_starts_kills_nothing(powered: Powered) -> None:
    for turn in range(4):
        pico = powered(seed=turn + 1)
        host = Lockstep(pico, answer_us=turn * 10_000)
        assert survives(pico, host), (host.ms, pico.log)
        assert host.session.hello is not None
        assert host.session.hello.reset_reason == RESET_POWER
        pico.end()


def test_a_port_opened_at_any_moment_of_a_running_board_kills_nothing(powered: Powered) -> None:
    pico = powered()
    host = Lockstep(pico)
    assert survives(pico, host)
    for turn in range(16):
        pico.order("close")
        pico.run(7_000 + turn * 13_210)
        host.answer_us = turn * 2_000
        host.reopen()
        assert survives(pico, host), (turn, host.ms, pico.log)
        assert host.session.counters.bad_frames == 0, "stale bytes are no worn cable"
    assert len({boot_id for _, boot_id in host.boots}) == 1
