"""The tour: a table on a virtual board, in a temporary folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from functools import partial
from typing import Any

from companion.demo.run import virtual
from companion.demo.steps import HOLD_MS
from companion.exits import code_of
from companion.paths import temporary_folder
from companion.rules.actions import OWN_KEYS, Action
from companion.rules.registry import example_game, info_of
from companion.rules.seats import PALETTE
from companion.session.opening import begin
from companion.session.table import Table
from firmware_protocol.virtual.runtime import VirtualBoardError

BUTTON = Action(
    "tour.button",
    ("B",),
    "button",
    "Hold the first button of the virtual board, as a finger would.",
    "tour",
    True,
)


class TourTable:
    """A table with one more action: `hold` holds a button of its board. Everything else is the table's own."""

    def __init__(self, table: Table, hold: Callable[[], object]) -> None:
        self._table, self._hold = table, hold

    @property
    def actions(self) -> tuple[Action, ...]:
        """The table's actions, and the button."""
        return (*self._table.actions, BUTTON)

    def do(self, action_id: str) -> None:
        """Do an action."""
        if action_id != BUTTON.id:
            self._table.do(action_id)
            return
        try:
            self._hold()
        except VirtualBoardError as problem:
            self._table.tell(f"The virtual board does not answer: {problem}")

    def __getattr__(self, name: str) -> Any:
        return getattr(self._table, name)


def take_tour(look: Mapping[str, Any]) -> int:
    """Show the tour until it is left; return the exit code. Raise `VirtualBoardError` or `CommandError`."""
    from companion.dashboard.start.tour import TourDashboard

    with ExitStack() as stack:
        folder = stack.enter_context(temporary_folder("The tour"))
        # a fixed seed: the tour's screens speak of what happens
        board = stack.enter_context(virtual(folder, seed=0))
        make = partial(Table, keys=look.get("keys", OWN_KEYS))
        game = example_game()
        info = info_of(game)
        table = begin(game, list(PALETTE)[:3], {}, folder / "tour.sqlite", components={}, make=make)
        stack.callback(table.close)
        table.board.connect(board.url)
        stages = info.part(info.tour) if info.tour else ()
        app = TourDashboard(
            TourTable(table, partial(board.press, "zone-1", HOLD_MS)), stages, **look
        )
        with suppress(KeyboardInterrupt):
            app.run()
        return code_of(app.ended_by)
