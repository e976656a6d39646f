"""`--browser`: the program without a screen, in processes of its own."""

from __future__ import annotations

import re
import signal
import sys
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlencode

import pytest

from companion.exits import Exit
from companion.journal.folder import sessions_dir
from companion.rules.registry import GAMES
from companion.session.evening import read_evening
from companion.session.roles import Role
from companion.web.interfaces import own_addresses
from tests.web.served import served
from tests.web.table_page import TIMEOUT_S, is_record_closed, table_page

pytestmark = [pytest.mark.waits, pytest.mark.usefixtures("own_port")]


GAME = ("play", "panic-fire", "--seats", "Ann,Ben", "--port", "none", "--browser")


def test_the_first_line_has_the_game_and_the_address_of_its_page() -> None:
    with table_page(*GAME) as program:
        assert program.address.startswith("http://127.0.0.1:")
        assert program.lines[0].startswith("Panic Fire in your browser: ")
        program.line("Open this address in a browser. To stop, choose Quit there")
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


def test_a_rematch_is_at_the_same_address() -> None:
    with table_page(*GAME) as program:
        first = program.place
        assert program.ask("rematch") == (422, "The game is not over yet.")
        program.end_early()
        assert program.ask("rematch")[0] == 200
        program.wait_until(lambda: program.place != first)
        assert "Ann" in program.get()
        assert program.ask("quit")[0] == 200
        assert program.ended() == Exit.DONE
    assert len(list(sessions_dir().glob("*.sqlite"))) == 2


def test_a_session_is_resumed_on_a_page() -> None:
    with table_page(*GAME) as program:
        assert program.ask("quit")[0] == 200
        assert program.ended() == Exit.DONE
    (session,) = sessions_dir().glob("*.sqlite")
    with table_page("resume", session.stem, "--browser", "--port", "none") as program:
        assert "Ben" in program.get()
        assert program.ask("quit")[0] == 200
        assert program.ended() == Exit.DONE
    assert is_record_closed()


def test_a_session_that_is_open_elsewhere_is_one_sentence() -> None:
    with table_page(*GAME) as program:
        assert program.address
        (session,) = sessions_dir().glob("*.sqlite")
        with table_page("resume", session.stem, "--browser") as other:
            assert other.ended() == Exit.BUSY
            assert len(other.lines) == 1, other.lines
        assert program.ask("quit")[0] == 200


def test_a_game_is_chosen_left_and_continued_at_one_address() -> None:
    with table_page("play", "--browser", "--port", "none") as program:
        assert "What do you want to play?" in program.get()
        fields = {"seat-1": "Ann", "seat-2": "Ben", "port": "none", "do": "start"}
        assert "Panic Fire" in program.submit("new/panic-fire", fields)
        assert program.ask("next")[0] == 200
        program.wait_until(lambda: "What do you want to play?" in program.get())
        (session,) = sessions_dir().glob("*.sqlite")
        assert "Ann" in program.submit("resume", {"session": session.stem})
        assert program.ask("quit")[0] == 200
        assert program.ended() == Exit.DONE
    assert is_record_closed()


def test_another_device_takes_over_in_the_middle_of_a_game_at_the_address_of_the_first_line() -> (
    None
):
    with table_page(*GAME) as program:
        fire = {"kind": "step", "action": "panic-fire.fire"}
        assert program.tap(fire, device="tablet-that-breaks")[0] == 200
        pause = {"kind": "step", "action": "table.pause"}
        status, said = program.tap(pause, device="tablet-that-is-left")
        assert status == 200, said
        assert "Other devices" in program.get()
        assert program.ask("quit")[0] == 200


PAGES = (
    ("play", "--browser", "--port", "none"),
    ("host", "--board", "none", "--address", "127.0.0.1", "--port", "0"),
)


@pytest.mark.parametrize("command", PAGES, ids=["play", "host"])
def test_a_table_whose_screen_is_a_page_needs_no_library_for_terminals(
    command: tuple[str, ...],
) -> None:
    with table_page(*command, without="textual") as program:
        for game in GAMES.values():
            fields = {f"seat-{n}": name for n, name in enumerate(("Ann", "Bo", "Cleo"), start=1)}
            program.submit(f"new/{game.id}", {**fields, "port": "none", "do": "start"})
            for role in Role:
                shown = program.submit("devices", {"do": "give", "role": role.title, "name": "it"})
                (address,) = set(re.findall(r"http://[\d.:]+/[\w-]{22}/", shown))
                with urllib.request.urlopen(address, timeout=TIMEOUT_S) as answer:
                    assert game.title in answer.read().decode()
            program.submit("devices", {"do": "revoke-all"})
            assert program.ask("next")[0] == 200
            program.wait_until(lambda: "What do you want to play?" in program.get())
        assert program.signal(signal.SIGTERM) == 128 + signal.SIGTERM


def test_the_first_page_gives_out_codes_and_takes_them_back() -> None:
    with table_page(*GAME) as program:
        shown = program.submit("devices", {"do": "give", "role": "referee", "name": "Bo's tablet"})
        (address,) = set(re.findall(r"http://[\d.:]+/[\w-]{22}/", shown))
        assert "Bo&#x27;s tablet" in program.get("devices")
        assert address not in program.get("devices")  # nobody reads it by looking at the list
        with urllib.request.urlopen(address, timeout=TIMEOUT_S) as answer:
            assert "referee" in answer.read().decode()
        # another device gives out nothing
        for below in ("devices", "report"):
            with pytest.raises(urllib.error.HTTPError, match="403"):
                urllib.request.urlopen(address + below, timeout=TIMEOUT_S)
        program.submit("devices", {"do": "revoke-all"})
        with pytest.raises(urllib.error.HTTPError, match="403"):
            urllib.request.urlopen(address, timeout=TIMEOUT_S)
        assert "Panic Fire" in program.get()  # it did not take itself back
        assert program.ask("quit")[0] == 200


def test_a_players_code_is_shown_only_when_it_is_asked_for() -> None:
    with table_page(*GAME) as program:
        listed = program.get("devices")
        assert not re.findall(r"/[\w-]{22}/", listed)
        shown = program.submit("devices", {"do": "show", "viewer": "ann"})
        assert "Only Ann opens this address" in shown
        (address,) = set(re.findall(r"http://[\d.:]+/[\w-]{22}/", shown))
        with urllib.request.urlopen(address, timeout=TIMEOUT_S) as answer:
            assert "Ann: Panic Fire" in answer.read().decode()
        assert program.ask("quit")[0] == 200


@pytest.mark.parametrize(("options", "status"), [(("--lan",), 503), ((), 403)])
def test_after_a_game_a_players_page_waits_only_if_the_next_one_has_its_code(
    options: tuple[str, ...], status: int
) -> None:
    with table_page(*GAME, *options) as program:

        def address_of_ann() -> str:
            shown = program.submit("devices", {"do": "show", "viewer": "ann"})
            (address,) = set(re.findall(r"http://[\d.:]+/[\w-]{22}/", shown))
            return str(address)

        replaced = address_of_ann()
        program.submit("devices", {"do": "renew", "viewer": "ann"})
        anns = address_of_ann()
        assert program.ask("next")[0] == 200
        program.wait_until(lambda: "What do you want to play?" in program.get())
        for address, expected in ((anns, status), (replaced, 403)):
            with pytest.raises(urllib.error.HTTPError, match=str(expected)):
                urllib.request.urlopen(address, timeout=TIMEOUT_S)
        assert program.signal(signal.SIGINT) == Exit.INTERRUPTED


def test_the_first_page_lets_players_propose_and_enter_and_stops_that() -> None:
    with table_page(*GAME) as program:
        for do, on, off in (
            ("propose", "Let players propose", "Stop proposals from phones"),
            ("enter", "Let players enter", "Stop own numbers"),
        ):
            assert on in program.get("devices")
            assert off in program.submit("devices", {"do": do})
            assert on in program.submit("devices", {"do": do})
        assert program.ask("quit")[0] == 200


def test_a_form_of_another_page_gives_out_nothing() -> None:
    with table_page(*GAME) as program:
        body = urlencode({"do": "give", "role": "table"}).encode()
        form = "application/x-www-form-urlencoded"
        status, _ = program.post("devices", body, form, origin="http://evil.example")
        assert status == 403
        assert "Take it back" not in program.get("devices")
        assert program.ask("quit")[0] == 200


def test_the_report_of_a_game_is_shown_once_it_is_over() -> None:
    with table_page(*GAME) as program:
        with pytest.raises(urllib.error.HTTPError, match="404"):
            program.get("report")
        program.end_early()
        assert "<h1>Panic Fire" in program.get("report")
        assert program.ask("quit")[0] == 200


def test_serve_shows_the_session_and_takes_no_tap_for_it() -> None:
    with table_page(*GAME) as program:
        assert program.address
        (session,) = sessions_dir().glob("*.sqlite")
        with served(session.stem, "--port", "0") as read_only:
            address = read_only.address()
            origin = re.sub(r"/[\w-]+/$", "/", address)
            (code,) = re.findall(r"/([\w-]+)/$", program.address)
            tap = b'{"wish": {"kind": "step", "action": "panic-fire.fire"}}'
            # neither its own address, nor the code of the page that acts, takes anything there
            for at in (address, f"{origin}{code}/"):
                for below in ("do", "devices", "notes"):
                    request = urllib.request.Request(
                        at + below, tap, {"content-type": "application/json", "origin": origin[:-1]}
                    )
                    with pytest.raises(urllib.error.HTTPError, match=r"40[35]"):
                        urllib.request.urlopen(request, timeout=TIMEOUT_S)
            read_only.interrupt()
        assert program.ask("quit")[0] == 200
        assert program.ended() == Exit.DONE


@pytest.mark.skipif(sys.platform == "win32", reason="Windows limits no file's size")
def test_a_full_disk_is_one_sentence() -> None:
    with table_page(*GAME, most_bytes=0) as program:
        assert program.ended() == Exit.CANNOT_CREATE
        assert len(program.lines) == 1, program.lines
        assert "The session file cannot be made" in program.lines[0]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows limits no file's size")
def test_a_full_disk_is_said_on_the_page_that_starts_a_game_and_it_goes_on() -> None:
    with table_page("play", "--browser", "--port", "none", most_bytes=0) as program:
        fields = urlencode({"seat-1": "Ann", "seat-2": "Ben", "do": "start"}).encode()
        form = "application/x-www-form-urlencoded"
        status, page = program.post("new/panic-fire", fields, form)
        assert status == 422, page
        assert "The session file cannot be made" in page
        assert 'value="Ann"' in page  # nothing has to be typed again
        assert "The companion has ended" in program.submit("quit", {})
        assert program.ended() == Exit.DONE


def test_a_game_with_too_few_players_is_refused_with_what_was_typed() -> None:
    with table_page("play", "--browser", "--port", "none") as program:
        form = "application/x-www-form-urlencoded"
        fields = {"seat-1": "Ann", "do": "start", "rule-pile_exhausted": "no such choice"}
        status, page = program.post("new/panic-fire", urlencode(fields).encode(), form)
        assert status == 422
        assert "you named 1" in page
        assert not list(sessions_dir().glob("*.sqlite"))
        assert program.signal(signal.SIGINT) == Exit.INTERRUPTED


def test_no_form_of_another_page_starts_or_ends_anything() -> None:
    with table_page("play", "--browser", "--port", "none") as program:
        form = "application/x-www-form-urlencoded"
        for path in ("new/panic-fire", "resume", "quit"):
            fields = urlencode({"seat-1": "Ann", "seat-2": "Ben", "do": "start"}).encode()
            assert program.post(path, fields, form, origin="http://evil.example")[0] == 403
            assert program.post(path, fields, "text/plain")[0] == 415
        assert "What do you want to play?" in program.get()
        assert not list(sessions_dir().glob("*.sqlite"))
        assert program.signal(signal.SIGINT) == Exit.INTERRUPTED


def test_what_is_no_code_opens_nothing_before_a_game() -> None:
    with table_page("play", "--browser", "--port", "none") as program:
        for path in ("", "wrong", "wrong/new/panic-fire", "wrong/report/x", "wrong/events"):
            with pytest.raises(urllib.error.HTTPError, match=r"403|404|503"):
                urllib.request.urlopen(program.origin + path, timeout=TIMEOUT_S)
        assert program.signal(signal.SIGINT) == Exit.INTERRUPTED


@pytest.mark.skipif(not own_addresses(), reason="this machine is on no network")
def test_in_a_network_the_page_has_the_same_address_after_a_restart_in_the_evening() -> None:
    with table_page(*GAME, "--lan") as program:
        first = program.address
        assert not first.startswith("http://127.")
        program.line("Not encrypted")
        assert program.ask("quit")[0] == 200
        assert program.ended() == Exit.DONE
    (session,) = sessions_dir().glob("*.sqlite")
    with table_page("resume", session.stem, "--browser", "--lan", "--port", "none") as program:
        assert program.address == first
        assert "Ann" in program.get()
        assert program.ask("quit")[0] == 200


def test_on_this_computer_alone_a_restart_makes_another_code_and_keeps_nothing() -> None:
    codes = set()
    for _ in range(2):
        with table_page("play", "--browser", "--port", "none") as program:
            codes.add(program.address)
            assert program.signal(signal.SIGINT) == Exit.INTERRUPTED
    assert len(codes) == 2
    evening = read_evening(sessions_dir().parent)
    assert evening is not None
    assert not evening.roles


def test_of_two_devices_that_start_a_game_at_once_one_is_told_to_look_again() -> None:
    with table_page("play", "--browser", "--port", "none") as program:
        form = "application/x-www-form-urlencoded"
        fields = urlencode(
            {"seat-1": "Ann", "seat-2": "Ben", "port": "none", "do": "start"}
        ).encode()
        with ThreadPoolExecutor() as threads:
            answers = [
                threads.submit(program.post, "new/panic-fire", fields, form) for _ in range(4)
            ]
            came = [answer.result() for answer in answers]
        # a page that asked too late reads that, or is at the table already
        assert any(status == 200 and "Ann" in page for status, page in came)
        assert len(list(sessions_dir().glob("*.sqlite"))) == 1
        program.wait_until(lambda: bool(program.place))
        assert program.ask("quit")[0] == 200
        assert program.ended() == Exit.DONE
    assert is_record_closed()
