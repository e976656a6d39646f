"""Signals that end the program while a screen is shown, whatever it is doing."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from types import FrameType

import pytest
from textual.app import ComposeResult

from companion.dashboard.textual.key_queue import KeyQueue
from companion.dashboard.widgets.static import Static
from companion.system.signals import ENDING

if sys.platform == "win32":
    pytest.skip("Windows ends a process that is sent a signal", allow_module_level=True)


def program_ends(number: int, _frame: FrameType | None) -> None:
    raise SystemExit(128 + number)


@pytest.fixture(autouse=True)
def handlers() -> Iterator[None]:
    before = {number: signal.signal(number, program_ends) for number in ENDING}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


class Struck(Static):
    """A part of a screen that a signal meets in the middle of a message."""

    number = signal.SIGTERM
    went_on = False

    def on_mount(self) -> None:
        signal.raise_signal(self.number)
        self.went_on = True


class Shown(KeyQueue[None]):
    def __init__(self) -> None:
        super().__init__()
        self.struck = Struck("x")

    def compose(self) -> ComposeResult:
        yield self.struck


@pytest.mark.parametrize("number", ENDING)
def test_a_signal_lets_a_message_come_to_its_end_and_then_ends_the_program(
    number: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Struck, "number", number)
    app = Shown()
    with pytest.raises(SystemExit) as ended:
        app.run(headless=True)
    assert ended.value.code == 128 + number
    assert not app.is_running
    assert app.struck.went_on
    assert signal.getsignal(number) is signal.SIG_DFL  # a second one ends it at once


def test_what_is_ignored_stays_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    monkeypatch.setattr(Struck, "number", signal.SIGHUP)

    class Left(Shown):
        def on_ready(self) -> None:
            self.exit()

    app = Left()
    app.run(headless=True)
    assert app.struck.went_on
    assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    assert signal.getsignal(signal.SIGTERM) is program_ends
