"""A trigger that is closed at power-up, at a MicroPython VM's own prompt: the companion's sentences, and the ways to
the prompt."""

from __future__ import annotations

import os
import select
import sys
import time
import tty
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.board.asking import AskingPace
from companion.board.firmware import Firmware, firmware
from companion.board.procedures import open_board
from companion.doctor.checks import Severity
from companion.doctor.ports import _board_findings, ask
from companion.errors import CommandError
from companion.link.status import LinkState
from companion.link.words import AT_PROMPT, FIRMWARE_ENDED
from firmware_protocol.board.pins import DEFAULT_PINS
from firmware_protocol.virtual.runtime import find_micropython

pytestmark = [
    pytest.mark.vm,
    pytest.mark.waits,
    pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals exist on Unix only"),
    pytest.mark.skipif(find_micropython() is None, reason="there is no MicroPython VM"),
]

if sys.platform != "win32":
    from companion.link.supervisor import Link
    from tests.board.chip import Chip, put
    from tests.link.threaded.listening import Notebook

MAIN = "firmware_protocol/board/main.py"
SHUTS = b"        kbd_intr(NEVER)\n"
TRIGGER = DEFAULT_PINS["trigger"]["pin"]
SOON_S = 15.0
Plugged = Callable[..., "Chip"]


def before() -> Firmware:
    """The firmware with the prompt left open, as up to 0.2.2."""
    files = dict(firmware().files)
    assert files[MAIN].count(SHUTS) == 1
    files[MAIN] = files[MAIN].replace(SHUTS, b"        pass\n")
    return Firmware(files)


@pytest.fixture
def plugged(tmp_path: Path) -> Iterator[Plugged]:
    """Plug a board in with a firmware, with or without the trigger held."""
    chips: list[Chip] = []

    def plug(new: Firmware | None, *, held: bool = True) -> Chip:
        flash = tmp_path / f"flash{len(chips)}"
        flash.mkdir()
        if new is not None:
            put(new, flash)
        chips.append(Chip(flash, TRIGGER if held else None).__enter__())
        return chips[-1]

    yield plug
    for chip in chips:
        chip.__exit__(None, None, None)


def typed(chip: Chip, keys: bytes, wanted: bytes, within_s: float) -> bytes:
    """Type at a serial terminal, again each half second; return its output up to the wanted text."""
    terminal = os.open(chip.port, os.O_RDWR | os.O_NOCTTY)
    try:
        tty.setraw(terminal)
        shown = b""
        until = time.monotonic() + within_s
        while wanted not in shown and time.monotonic() < until:
            os.write(terminal, keys)
            if select.select([terminal], [], [], 0.5)[0]:
                shown += os.read(terminal, 10_000)
        return shown
    finally:
        os.close(terminal)


def test_a_person_at_a_terminal_gets_in_by_the_held_trigger(plugged: Plugged) -> None:
    keys = b"\x03\r\nprint(6 * 7)\r\n"
    assert b"\r\n42\n" in typed(plugged(firmware()), keys, b"\r\n42\n", SOON_S)
    assert b"\r\n42\n" not in typed(plugged(firmware(), held=False), keys, b"\r\n42\n", 3)


@pytest.mark.parametrize("held", [True, False])
def test_a_board_is_armed_whether_its_trigger_is_held_or_not(plugged: Plugged, held: bool) -> None:
    chip = plugged(firmware(), held=held)
    with open_board(chip.port, print, discard=True, pace=AskingPace(order_s=SOON_S)) as table:
        table.arm()
    assert chip.boots == 1


# What the host says there is typed into the prompt.
STARTS_ANEW = pytest.mark.xfail(
    strict=False,
    reason="a Ctrl-D in what is typed into the prompt starts the firmware anew before the prompt is seen",
)


@STARTS_ANEW
def test_selftest_says_to_let_go_of_the_trigger_where_an_older_firmware_ends(
    plugged: Plugged,
) -> None:
    chip = plugged(before())
    with open_board(chip.port, print, discard=True, pace=AskingPace(order_s=SOON_S)) as table:
        table.conversation.session.arm()
        with pytest.raises(CommandError) as why:
            table.events(SOON_S)
    assert str(why.value) == FIRMWARE_ENDED


@STARTS_ANEW
def test_the_table_says_to_let_go_of_the_trigger_where_an_older_firmware_ends(
    plugged: Plugged,
) -> None:
    chip = plugged(before())
    notebook = Notebook()
    link = Link(chip.port, notebook, armed=True)
    with closing(link):
        link.start()
        refused = notebook.wait_for(LinkState.REFUSED)
    assert refused.sentence.endswith(FIRMWARE_ENDED)


def test_at_a_prompt_doctor_and_selftest_say_first_to_let_go_of_the_trigger_and_then_to_install(
    plugged: Plugged,
) -> None:
    chip = plugged(None)
    (finding,) = _board_findings(chip.port, 0x2E8A, ask(chip.port))
    assert finding.level is Severity.FAILURE
    assert finding.mend.startswith(
        "Let go of the trigger, then plug the board in again. If the prompt is still there:"
    )
    with pytest.raises(CommandError) as why, open_board(chip.port, print, discard=True):
        pass
    assert str(why.value) == AT_PROMPT
