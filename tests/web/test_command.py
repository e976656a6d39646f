"""`companion serve` as a person starts and ends it."""

from __future__ import annotations

import io
import os
import select
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from companion.config.server_options import MISSING
from companion.errors import CommandError, how_to_install
from companion.exits import Exit, code_of
from companion.reports.qr import qr_lines, qr_svg
from companion.web import addresses
from companion.web.addresses import LOCALHOST, lan_addresses, listening
from companion.web.codes import Codes
from companion.web.interfaces import Origins, OwnAddress
from companion.web.run import AddressPrinter, asked_seat
from tests.games.panic_fire.playing import setup
from tests.scanning import of_svg, of_terminal, scanned
from tests.web.served import TIMEOUT_S, played, press, served

WLAN = OwnAddress("192.168.1.20", "wlan0")
ORIGINS = Origins("http", 8765, (WLAN,), WLAN)


def run(
    *arguments: str, code: str = "from companion.cli import main; sys.exit(main())"
) -> tuple[int, str]:
    """Run a command that ends by itself; return its exit code and its output."""
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; {code}", "serve", *arguments],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=TIMEOUT_S, check=False,
    )  # fmt: skip
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1, done.stderr
    return done.returncode, done.stderr


def read(address: str) -> str:
    with urllib.request.urlopen(address, timeout=TIMEOUT_S) as answer:
        return str(answer.read().decode())


def test_a_session_in_play_is_served_live_and_ctrl_c_ends_it_at_once(tmp_path: Path) -> None:
    with played(tmp_path) as table, served(str(table.path), "--port", "0") as program:
        address = program.address()
        with urllib.request.urlopen(f"{address}events", timeout=TIMEOUT_S) as stream:
            while b"event: blocks" not in stream.readline():
                pass
            press(table, "fire")
            while b"fire! round 1" not in stream.readline():
                pass
            begun = time.monotonic()
            assert program.interrupt() == Exit.DONE
            assert time.monotonic() - begun < 5, "a page that is open holds up the end"
    assert program.lines[-1] == "No more pages are served. Your game is safe."
    assert not any("Traceback" in line for line in program.lines)


def test_each_seats_address_is_printed_on_demand_and_is_another_one_in_each_run(
    tmp_path: Path,
) -> None:
    found = []
    with played(tmp_path) as table:
        for _ in range(2):
            with served(str(table.path), "--port", "0", "--seat-codes") as program:
                found += [
                    program.address(),
                    program.address("For red alone:"),
                    program.address("For blue alone:"),
                ]
                assert "For <span" in read(found[-1])
        with served(str(table.path), "--port", "0") as program:
            program.address()
            program.interrupt()
    assert len({address.rsplit("/", 2)[1] for address in found}) == 6
    assert not any("alone" in line for line in program.lines)


def test_a_port_in_use_is_said_in_a_sentence(tmp_path: Path) -> None:
    with played(tmp_path) as table, listening(LOCALHOST, 0) as door:
        port = door.getsockname()[1]
        code, text = run(str(table.path), "--port", str(port))
    assert code == Exit.UNAVAILABLE
    assert (
        text
        == f"Port {port} of 127.0.0.1 cannot be opened (Address already in use): name another with --port.\n"
    )


def test_a_port_that_may_not_be_opened_is_said_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def forbidden(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(socket.socket, "bind", forbidden)
    with pytest.raises(CommandError, match="Port 80 may not be opened by you") as refused:
        listening(LOCALHOST, 80)
    assert code_of(refused.value.kind) == Exit.UNAVAILABLE


def test_an_address_of_another_computer_is_not_said_to_be_a_port_that_is_taken() -> None:
    with pytest.raises(
        CommandError, match=r"^203\.0\.113\.9 is no address of this computer: type --lan alone"
    ):
        listening("203.0.113.9", 0)  # for documentation (RFC 5737)


def test_without_a_session_there_is_nothing_to_serve() -> None:
    code, text = run()
    assert code == Exit.NO_INPUT
    assert "no session" in text


def test_what_is_no_session_is_not_served(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("milk, eggs")
    code, text = run(str(tmp_path / "notes.txt"))
    assert code == Exit.DATA
    assert "notes.txt" in text


def test_without_the_web_library_one_sentence_says_what_to_install(tmp_path: Path) -> None:
    with played(tmp_path) as table:
        code, text = run(
            str(table.path),
            code="sys.modules['uvicorn'] = None; from companion.cli import main; sys.exit(main())",
        )
    assert (code, text) == (Exit.UNAVAILABLE, f"{MISSING} {how_to_install('serve')}\n")


@pytest.mark.parametrize("port", ["x", "-1", "65536", "80.5"])
def test_what_is_no_port_is_wrong_usage(port: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "companion", "serve", f"--port={port}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == Exit.USAGE
    assert "does not fit here: give a whole number from 0 to 65535" in done.stderr


def test_on_the_local_network_means_at_its_addresses_or_at_the_one_that_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(addresses, "own_addresses", lambda: (WLAN,))
    assert lan_addresses() == (WLAN,)
    assert lan_addresses("10.0.0.7") == (OwnAddress("10.0.0.7"),)
    monkeypatch.setattr(addresses, "own_addresses", tuple)
    with pytest.raises(CommandError, match="on no network"):
        lan_addresses()
    for named, words, code in (
        ("127.0.0.1", "No phone can reach", Exit.UNAVAILABLE),
        ("0.0.0.0", "No phone can reach", Exit.UNAVAILABLE),
        ("2001:db8::1", "No phone|whole internet", Exit.UNAVAILABLE),
        ("8.8.8.8", "of the whole internet", Exit.UNAVAILABLE),
        ("attic", "is no address", Exit.USAGE),
    ):
        with pytest.raises(CommandError, match=words) as refused:
            lan_addresses(named)
        assert code_of(refused.value.kind) == code


def test_the_code_to_scan_fits_on_eighty_columns_and_a_screen() -> None:
    address = f"http://255.255.255.255:65535/{Codes().of('table')}/"
    lines = qr_lines(address)
    assert len(lines) <= 19
    assert {len(line) for line in lines} == {len(lines[0])}
    assert len(lines[0]) <= 80


ADDRESS = f"http://192.168.100.200:65535/{'k3' * 8}/"


def test_the_code_in_the_terminal_reads_as_the_address_whatever_the_terminals_colors_are() -> None:
    plain = qr_lines(ADDRESS)
    assert scanned(of_terminal(plain, ink_is_light=True)) == ADDRESS  # on a dark terminal
    # on a light one
    assert scanned(of_terminal(plain, ink_is_light=False), inverted=True) == ADDRESS


def test_the_code_on_the_page_reads_as_the_address() -> None:
    assert scanned(of_svg(qr_svg(ADDRESS))) == ADDRESS


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("columns", "rows", "room"), [(80, 24, True), (37, 20, True), (36, 24, False), (80, 19, False)]
)
def test_a_terminal_without_room_for_the_code_has_the_address_instead(
    columns: int, rows: int, room: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "get_terminal_size", lambda _: os.terminal_size((columns, rows)))
    out = Terminal()
    monkeypatch.setattr(out, "fileno", lambda: 1)
    AddressPrinter(out, ORIGINS, Codes(), scan=True).welcome("evening", "Panic Fire")
    text = out.getvalue()
    assert ("▀" in text) == room
    assert (f"has {columns} columns and {rows} rows; the code to scan takes 37 and 20" in text) == (
        not room
    )
    assert "http://192.168.1.20:8765/" in text


def test_only_a_terminal_and_only_on_the_network_gets_a_code_to_scan(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    for out, scan in ((Terminal(), True), (Terminal(), False), (io.StringIO(), True)):
        AddressPrinter(out, ORIGINS, Codes(), scan=scan).welcome("evening", "Panic Fire")
        assert ("▀" in out.getvalue()) == ("\x1b" in out.getvalue()) == (scan and out.isatty())
        assert "http://192.168.1.20:8765/" in out.getvalue()
        assert ("scan" in out.getvalue()) == scan
        assert ("for this computer only; with --lan for phones and tablets" in out.getvalue()) == (
            not scan
        )


def test_a_seat_is_asked_for_by_number_or_name() -> None:
    seats = setup("red blue").seats
    assert asked_seat(" 2\n", seats) == asked_seat("Blue\n", seats) == seats[1]
    assert asked_seat("\n", seats) is None
    assert asked_seat("3", seats) is None


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="this system has no pseudo-terminals")
def test_at_a_terminal_a_seats_code_is_shown_when_asked_for_and_hidden_again(
    tmp_path: Path,
) -> None:
    with played(tmp_path) as table:
        ours, theirs = os.openpty()
        program = subprocess.Popen(
            [sys.executable, "-m", "companion", "serve", str(table.path), "--port", "0", "--seat-codes"],
            stdin=theirs, stdout=theirs, stderr=theirs,
        )  # fmt: skip
        os.close(theirs)
        try:
            text = until(ours, "again hides it.")
            assert "alone" not in text
            os.write(ours, b"2\n")
            text = until(ours, "For blue alone:")
            until(ours, "/\r\n")
            os.write(ours, b"\n")
            assert "\x1b[2J" in until(ours, "again hides it.")
            # Ctrl-C does not reach a process without a controlling terminal
            os.write(ours, b"\x03")
            program.send_signal(2)
            assert program.wait(TIMEOUT_S) == Exit.DONE
        finally:
            program.kill()
            program.wait()
            os.close(ours)


def until(terminal: int, words: str) -> str:
    """Return the terminal's output up to these words."""
    sentence = ""
    while words not in sentence:
        ready, _, _ = select.select([terminal], [], [], TIMEOUT_S)
        assert ready, f"waited for {words!r} behind {sentence!r}"
        sentence += os.read(terminal, 1).decode("latin-1")
    return sentence


def test_the_command_line_and_the_pages_load_neither_library_before_they_need_it() -> None:
    for code, watched in (
        ("import companion.cli", ("uvicorn", "segno", "companion.commands.watching")),
        (
            "import companion.web.run",
            ("textual", "serial", "companion.session.table", "companion.dashboard"),
        ),
    ):
        script = f"import sys; {code}; print([name for name in {watched!r} if name in sys.modules])"
        done = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, check=True
        )
        assert done.stdout.strip() == "[]"


def test_an_answer_is_not_held_back_until_its_first_part_is_acknowledged() -> None:
    with listening(LOCALHOST, 0) as door:
        # asyncio sets TCP_NODELAY only where the protocol is named
        assert door.proto == socket.IPPROTO_TCP
