"""What is chosen on the pages before a game, and what those who wait are told."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import cast

import pytest

from companion.commands import in_browser
from companion.commands.in_browser import NOT_OPENED, Choosing
from companion.commands.play_options import PlayOptions
from companion.session.table import Table
from companion.web.before_server import BeforeServer

TIMEOUT_S = 30.0


@pytest.mark.parametrize("fault", [RuntimeError, KeyboardInterrupt, SystemExit])
def test_whoever_waits_for_a_table_is_answered_when_opening_it_fails(
    fault: Callable[[], BaseException],
) -> None:
    choosing = Choosing(cast("PlayOptions", None), "", can_quit=True)

    def open_table() -> Table:
        raise fault()

    answers: list[str] = []
    waiting = threading.Thread(
        target=lambda: answers.append(choosing._open(open_table, cast("PlayOptions", None))),
        daemon=True,
    )
    waiting.start()
    with pytest.raises(BaseException) as raised:  # noqa: PT011  a signal is one of them
        in_browser._chosen(choosing, cast("BeforeServer", None))
    assert isinstance(raised.value, type(fault()))
    waiting.join(TIMEOUT_S)
    assert answers == [NOT_OPENED]
