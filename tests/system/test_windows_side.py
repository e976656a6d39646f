"""The program on a Linux that looks like Windows: its branches for Windows are run, not only typed.

`windows/sitecustomize.py` takes away what Windows has not. What only Windows does, such as its consoles and drivers,
is not tried here.
"""

from __future__ import annotations

import re
import ssl
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.system.program import Program, as_windows, python, ran

pytestmark = [
    pytest.mark.waits,
    pytest.mark.skipif(sys.platform != "linux", reason="only Linux is made to look like Windows"),
]
COMPANION = python("-m", "companion")
PLAY = [*COMPANION, "play", "panic-fire", "--seats", "Ann,Ben", "--port", "none"]
ONLY_ELSEWHERE = [
    "companion.board.chip_checks.on_board machine",
    "companion.dashboard.textual.terminal_driver termios",
    "firmware_protocol.board.chip machine",
    "firmware_protocol.board.native micropython",
]
"""Modules that run on the board, or drive a terminal of Linux and macOS, with what they need."""


def test_every_module_is_imported_but_those_of_the_board_and_of_another_terminal(
    tmp_path: Path,
) -> None:
    system, *failed = ran(
        python("-m", "tests.system.importing", "companion"), as_windows(tmp_path)
    ).splitlines()
    assert (system, failed) == ("win32", ONLY_ELSEWHERE)


def test_a_session_is_begun_written_continued_checked_and_exported(tmp_path: Path) -> None:
    environment = as_windows(tmp_path)
    assert "round 1 of 6 starts" in ran([*PLAY, "--plain"], environment, "0\n1\n")
    continued = ran([*COMPANION, "resume", "--plain", "--port", "none"], environment, "2\nu\n")
    assert "Ann draws" in continued
    (session,) = (tmp_path / "sessions").glob("*.sqlite")
    assert ran([*COMPANION, "journal", "check", str(session)], environment)
    for kind in ("html", "json", "jsonl", "csv"):
        out = tmp_path / f"evening.{kind}"
        ran([*COMPANION, "export", str(session), "--format", kind, "--out", str(out)], environment)
        assert "Ann" in out.read_text(encoding="utf-8")
    assert "Ann" in ran([*COMPANION, "stats"], environment)


def test_two_programs_do_not_write_one_session(tmp_path: Path) -> None:
    environment = as_windows(tmp_path)
    with Program([*PLAY, "--plain"], environment) as first:
        first.type("0")
        first.line_with("round 1 of 6 starts")
        with Program([*COMPANION, "resume", "--plain", "--port", "none"], environment) as second:
            second.line_with("is being written by")
        assert second.leave() != 0
    assert first.leave() == 0


def test_the_virtual_board_has_a_socket_in_place_of_a_pseudo_terminal(tmp_path: Path) -> None:
    command = [*COMPANION, "play", "drills", "--seats", "Ann", "--plain", "--port", "virtual"]
    with Program(command, as_windows(tmp_path)) as program:
        assert "under cpython" in program.line_with("virtual board under")
        assert "socket://127.0.0.1:" in program.line_with("is live")
    assert program.leave() == 0


@pytest.mark.parametrize(
    ("module", "words", "sentence"),
    [
        ("firmware_protocol.virtual", ["--path", "port"], "needs Linux or macOS. Use --listen"),
        ("firmware_protocol.virtual", ["--runtime", "micropython"], "Use the runtime 'cpython'."),
        (
            "firmware_protocol.virtual",
            ["--listen", "127.0.0.1:0", "--control", "x"],
            "Use a port number.",
        ),
    ],
)
def test_what_the_virtual_board_cannot_do_there_is_said_in_a_sentence(
    module: str, words: list[str], sentence: str, tmp_path: Path
) -> None:
    with Program(python("-m", module, *words), as_windows(tmp_path)) as program:
        assert program.line_with(sentence)
    assert program.leave() == 1
    assert len(program.said) == 1


@pytest.mark.parametrize("encrypted", ["false", "true"])
def test_pages_are_served_plain_and_encrypted_until_the_program_is_asked_to_end(
    encrypted: str, tmp_path: Path
) -> None:
    environment = as_windows(tmp_path, COMPANION_PHONES_TLS=encrypted)
    trusting = ssl.create_default_context()
    trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
    with Program([*PLAY, "--browser", "--no-open"], environment) as program:
        address = re.search(r"https?://\S+", program.line_with("in your browser"))
        assert address is not None
        assert address[0].startswith("https") == (encrypted == "true")
        with urlopen(address[0], context=trusting, timeout=20) as page:
            assert "Ann" in page.read().decode()
        program.end()


def test_the_doctor_names_the_system_and_asks_for_no_group_of_a_port(tmp_path: Path) -> None:
    done = ran([*COMPANION, "doctor"], as_windows(tmp_path))
    assert "on win32" in done
    assert "usermod" not in done


def test_what_a_code_page_lacks_becomes_a_question_mark(tmp_path: Path) -> None:
    environment = as_windows(tmp_path, PYTHONIOENCODING="cp437:strict", PYTHONUTF8="0")
    words = ["play", "panic-fire", "--seats", "Zoë,Łukasz", "--port", "none", "--plain"]
    done = ran([*COMPANION, *words], environment, encoding="cp437")
    assert "Zoë: 0 Bullet cards" in done
    assert "?ukasz: 0 Bullet cards" in done


HANGING = """
import sys
from companion.outbound.hook_delivery import RunCommand
from tests.outbound.events import event_of
try:
    RunCommand((sys.executable, "-I", "-c", "import time; time.sleep(600)"), 0.2)(event_of(1))
except Exception as error:
    print(type(error).__name__, error)
"""


def test_a_hook_that_hangs_is_ended(tmp_path: Path) -> None:
    done = ran(python("-c", HANGING), as_windows(tmp_path))
    assert done == "UndeliveredError it did not end within 0.2 s\n"


SOME_TESTS = (
    ("tests/journal/test_store.py",),
    ("tests/dashboard/test_game_over.py", "-k", "rematch or says_the_same"),
)


@pytest.mark.parametrize("words", SOME_TESTS)
def test_tests_of_the_record_and_of_a_screen_pass_there(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    # the libraries are imported before pytest could rewrite their assertions
    quiet = ["-W", "ignore::pytest.PytestAssertRewriteWarning", "-p", "no:cacheprovider", "-q"]
    said = ran(python("-m", "pytest", "--capture=sys", *quiet, *words), as_windows(tmp_path))
    assert " passed" in said
