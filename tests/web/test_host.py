"""`companion host`: a computer without a screen, in processes of their own."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
import urllib.request
from contextlib import closing

import pytest

from companion.board.calibrated import read_settings
from companion.board.virtual import find
from companion.exits import Exit
from companion.journal.folder import sessions_dir
from firmware_protocol.virtual.client import VirtualBoard
from tests.end_to_end.parts import needs_vm
from tests.web.board_at_work import answer_all, require_sound, worked
from tests.web.table_page import TIMEOUT_S, TablePage, is_record_closed, table_page

pytestmark = pytest.mark.waits


def _host(board: str, *more: str) -> tuple[str, ...]:
    return ("host", "--address", "127.0.0.1", "--port", "0", "--board", board, *more)


def test_without_a_board_the_address_with_its_code_is_printed() -> None:
    with table_page(*_host("none")) as program:
        assert "What do you want to play?" in program.get()
        # without the code, nobody is let in
        with urllib.request.urlopen(program.origin, timeout=TIMEOUT_S) as answer:
            assert "This page needs a code" in answer.read().decode()
        assert program.signal(signal.SIGTERM) == 128 + signal.SIGTERM


@needs_vm
@pytest.mark.vm
def test_the_first_device_after_power_on_plays_and_the_second_needs_the_code() -> None:
    with table_page(*_host("virtual")) as program:
        program.line("hold two zone buttons")
        # the board was switched on a moment ago, so no touch is needed
        with urllib.request.urlopen(program.origin, timeout=TIMEOUT_S) as answer:
            address = answer.url
            assert "What do you want to play?" in answer.read().decode()
        assert re.fullmatch(rf"{program.origin}[\w-]{{22}}/", address)
        with urllib.request.urlopen(program.origin, timeout=TIMEOUT_S) as answer:
            assert "Another device was let in" in answer.read().decode()
        program.found_at(address)
        fields = {"seat-1": "Ann", "seat-2": "Ben", "do": "start"}
        assert "Panic Fire" in program.submit("new/panic-fire", fields)
        # the table has the board that was watched for a touch
        board = find()
        assert board is not None
        with closing(board):
            program.wait_until(lambda: "the board is armed" in program.get())
            board.press("zone-1", hold_ms=700)
            program.wait_until(lambda: "fire! round 1 of 6 starts" in program.get())
        assert program.ask("quit")[0] == 200
        program.wait_until(lambda: "What do you want to play?" in program.get())
        assert is_record_closed()
        (session,) = sessions_dir().glob("*.sqlite")
        assert "Ann" in program.submit("resume", {"session": session.stem})
        assert program.signal(signal.SIGTERM) == 128 + signal.SIGTERM
    assert is_record_closed()


@needs_vm
@pytest.mark.vm
def test_the_board_is_tested_and_calibrated_before_a_game_which_then_has_it() -> None:
    with table_page(*_host("virtual")) as program, closing(_at_home(program)) as board:
        assert "Test and calibrate the board" in program.get()
        page = program.submit("board", {"do": "board.selftest"})
        assert 'http-equiv="refresh"' in page
        result = answer_all(lambda: program.get("board"), lambda asked: worked(board, asked))
        require_sound(result)
        assert 'http-equiv="refresh"' not in result
        program.submit("board", {"do": "board.calibrate"})
        result = answer_all(lambda: program.get("board"), lambda asked: worked(board, asked))
        assert "Look at the settings, then keep them." in result
        assert read_settings() == ({}, "")
        said = program.submit("board", {"do": "board.store"})
        assert "New sessions begin with them." in said
        settings, _ = read_settings()
        assert 800 < settings["hit_threshold"] < 2400
        # a game that begins in the middle of a test has the board
        program.submit("board", {"do": "board.selftest"})
        program.wait_until(lambda: "step 1 of" in program.get("board"))
        fields = {"seat-1": "Ann", "seat-2": "Ben", "do": "start"}
        assert "Panic Fire" in program.submit("new/panic-fire", fields)
        program.wait_until(lambda: "the board is armed" in program.get())
        code = program.signal(signal.SIGTERM)
        assert code == 128 + signal.SIGTERM, "".join(program.lines)


@needs_vm
@pytest.mark.vm
def test_a_host_with_a_virtual_board_offers_it_once_and_plays_with_it_when_it_is_chosen() -> None:
    with table_page(*_host("virtual")) as program, closing(_at_home(program)) as board:
        form = program.get("new/panic-fire")
        options = re.findall(r'<option value="([^"]*)"( selected="")?>([^<]*)</option>', form)
        ports = {
            value: label for value, _, label in options if value in ("auto", "virtual", "none")
        }
        assert ports["virtual"] == "the virtual board"
        assert not [value for value, _, _ in options if "://" in value or value.startswith("/")]
        fields = {"seat-1": "Ann", "seat-2": "Ben", "port": "virtual", "do": "start"}
        assert "Panic Fire" in program.submit("new/panic-fire", fields)
        program.wait_until(lambda: "the board is armed" in program.get())
        board.press("zone-1", hold_ms=700)
        program.wait_until(lambda: "fire! round 1 of 6 starts" in program.get())
        page = program.get().casefold()
        assert "laptop" not in page
        assert program.signal(signal.SIGTERM) == 128 + signal.SIGTERM


def _at_home(program: TablePage) -> VirtualBoard:
    """Open the page of a host whose virtual board was switched on a moment ago; return the board."""
    program.line("hold two zone buttons")
    with urllib.request.urlopen(program.origin, timeout=TIMEOUT_S) as answer:
        program.found_at(answer.url)
    board = find()
    assert board is not None
    return board


def _code_of_the_host() -> subprocess.CompletedProcess[str]:
    """Ask for the code on the computer itself, as another process."""
    words = [sys.executable, "-m", "companion", "host", "--code"]
    return subprocess.run(words, capture_output=True, text=True, timeout=TIMEOUT_S, check=False)


def test_a_page_that_is_lost_in_a_game_is_found_by_a_command_on_the_computer() -> None:
    none = _code_of_the_host()
    assert (none.returncode, none.stdout) == (Exit.UNAVAILABLE, "")
    assert "No code is kept before" in none.stderr
    with table_page("host", "--board", "none", "--port", "0") as program:
        fields = {"seat-1": "Ann", "seat-2": "Ben", "do": "start"}
        assert "Panic Fire" in program.submit("new/panic-fire", fields)
        program.wait_until(lambda: bool(program.place))
        found = _code_of_the_host()
        assert found.returncode == Exit.DONE, found.stderr
        assert found.stdout.splitlines()[0] == program.address
        assert program.signal(signal.SIGTERM) == 128 + signal.SIGTERM
    over = _code_of_the_host()
    assert (over.returncode, over.stdout) == (Exit.UNAVAILABLE, "")
    assert "No host answers. Start it:  " in over.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGHUP")
def test_a_host_needs_no_terminal() -> None:
    with table_page("host", "--board", "none", "--address", "127.0.0.1", "--port", "0") as program:
        assert program.address
        program.process.send_signal(signal.SIGHUP)
        assert "Panic Fire" in program.get()
        assert program.signal(signal.SIGTERM) == 128 + signal.SIGTERM


def test_a_port_that_is_taken_is_one_sentence() -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as door:
        port = str(door.getsockname()[1])
        with table_page("host", "--address", "127.0.0.1", "--port", port) as program:
            assert program.ended() == Exit.UNAVAILABLE
            assert len(program.lines) == 1, program.lines
            assert f"Port {port}" in program.lines[0]


def test_an_address_of_another_computer_is_one_sentence() -> None:
    with table_page("host", "--address", "192.0.2.1", "--port", "0") as program:
        assert program.ended() == Exit.UNAVAILABLE
        assert len(program.lines) == 1, program.lines
