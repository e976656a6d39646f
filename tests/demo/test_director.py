"""Playing the faults of a demo, and offering them on a screen."""

from __future__ import annotations

import threading
from typing import Any, cast

from firmware_protocol.virtual.runtime import VirtualBoardError
from tests.dashboard.fakes import FakeTable
from tests.demo.director import Director, menu, script
from tests.demo.fault_script import PROFILES, SMALL_RING, Fault, FaultKind
from tests.demo.faulty import TableWithFaults

DEADLINE_S = 10.0


class Board:
    """Records what was done to it; refuses without power."""

    def __init__(self, *, power: bool = True) -> None:
        self.power = power
        self.done: list[str] = []
        self.changed = threading.Condition()

    def __getattr__(self, name: str) -> Any:
        def do(*_args: Any, **_named: Any) -> None:
            with self.changed:
                self.done.append(name)
                self.changed.notify_all()
            if not self.power:
                raise VirtualBoardError("no power")

        return do

    def wait_for(self, name: str) -> None:
        with self.changed:
            assert self.changed.wait_for(lambda: name in self.done, DEADLINE_S)


def test_a_script_is_played_and_what_is_on_is_put_right_at_the_end() -> None:
    board = Board()
    director = Director(cast(Any, board), iter([Fault(0.0, FaultKind.UNPLUG, 60.0)]), 1)
    director.start()
    board.wait_for("unplug")
    director.stop()
    assert board.done[:2] == ["unplug", "plug"]
    assert director.played == {FaultKind.UNPLUG: 1}
    assert "the cable is out" in director.sentence()


def test_what_is_wanted_is_played_at_once_and_a_board_without_power_refuses_quietly() -> None:
    for power in (True, False):
        board = Board(power=power)
        director = Director(cast(Any, board), script(None, 1), 1)
        director.start()
        director.want(FaultKind.RESET)
        board.wait_for("reset")
        director.stop()
        assert director.played.total() == int(power)
    assert director.sentence() == "No faults."


def test_every_fault_is_offered_without_a_key_beside_the_tables_own_actions() -> None:
    table, director = FakeTable(), Director(cast(Any, Board()), script(None, 1), 1)
    offered = TableWithFaults(cast(Any, table), director)
    own = len(table.actions)
    assert offered.actions[:own] == table.actions
    assert {action.id for action in offered.actions[own:]} == {
        action.id for action, _ in menu(director)
    }
    assert len(offered.actions) == own + len(FaultKind)
    assert all(not action.keys and len(action.label) <= 12 for action in offered.actions[own:])
    assert offered.view() == table.view()


def test_the_ring_of_a_rough_board_can_be_overflowed() -> None:
    assert 2 * PROFILES["rough"].spreads[FaultKind.OVERFLOW].amount[0] > SMALL_RING
