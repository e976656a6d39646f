"""`--browser`: the program without a screen, in processes of its own."""

from __future__ import annotations

import signal
import sys

import pytest

from companion.exits import Exit
from tests.web.table_page import is_record_closed, table_page

pytestmark = pytest.mark.waits
GAME = ("play", "panic-fire", "--seats", "Ann,Ben", "--port", "none", "--browser")


def test_the_first_line_has_the_game_and_the_address_of_its_page() -> None:
    with table_page(*GAME) as program:
        assert program.address.startswith("http://127.0.0.1:")
        assert program.lines[0].startswith("Panic Fire in your browser: ")
        assert "Panic Fire" in program.get()
        assert program.signal(signal.SIGINT) == Exit.INTERRUPTED


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has neither")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_with_a_closed_record(number: signal.Signals) -> None:
    with table_page(*GAME) as program:
        assert program.address
        assert program.signal(number) == 128 + number
    assert is_record_closed()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGHUP")
def test_after_its_first_line_it_needs_no_terminal() -> None:
    with table_page(*GAME, closed=True) as program:
        assert program.address
        program.process.send_signal(signal.SIGHUP)
        assert "Panic Fire" in program.get()
        assert program.ask("quit")[0] == 200
        assert program.ended() == Exit.DONE
    assert is_record_closed()


@pytest.mark.parametrize("option", ["--lan", "--no-open"])
def test_an_option_of_the_page_without_a_page_is_refused(option: str) -> None:
    with table_page("play", "panic-fire", option) as program:
        assert program.ended() == Exit.USAGE
        assert "are for --browser" in program.lines[0]
