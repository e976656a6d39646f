"""The hub and its tables as people start them: real programs, a real port, a real browser."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.commands.ran import Ran
from tests.hub.parts import PASSWORD, Browser
from tests.web.browser import Chromium
from tests.web.served import played, saved
from tests.web.test_feed import eliminated

TIMEOUT_S = 30.0


def environment(data: Path) -> Mapping[str, str]:
    return {
        **os.environ,
        "COMPANION_DATA": str(data),
        "COMPANION_CONFIG": str(data / "config.toml"),
    }


def run(data: Path, *words: str, typed: str = "") -> Ran:
    """Run a command in this process, with the files of `data`."""
    with pytest.MonkeyPatch.context() as patch:
        for name, text in environment(data).items():
            patch.setenv(name, text)
        patch.chdir(data)
        return Ran(*words, typed=typed)


class Started:
    """`companion hub`, and its terminal output."""

    def __init__(self, data: Path, *words: str, command: Sequence[str] = ()) -> None:
        command = command or [sys.executable, "-m", "companion", "hub", "--port", "0", *words]
        self.process = subprocess.Popen(
            command, env=environment(data), stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        sentence = ""
        while "Ctrl-C ends it" not in sentence:
            line = self.process.stdout.readline()
            assert line, sentence
            sentence += line
        self.output = sentence
        self.address = str(re.search(r"The hub: (\S+)", sentence)[1])  # type: ignore[index]
        self.browser = Browser(int(self.address.rpartition(":")[2]))

    def organise(self) -> None:
        code = re.search(r"this code: (\w{4} \w{4})", self.output)
        assert code is not None
        assert (
            self.browser.post("/setup", code=code[1], name="Olga", password=PASSWORD).status == 303
        )

    def code(self, number: int) -> str:
        found = re.search(
            r"joins with (\w{4} \w{4})",
            self.browser.post("/organiser/code", number=str(number)).text,
        )
        assert found is not None
        return found[1]

    def end(self, by: signal.Signals = signal.SIGINT) -> int:
        self.process.send_signal(by)
        code = self.process.wait(TIMEOUT_S)
        if self.process.stdout is not None:
            self.output += self.process.stdout.read()
            self.process.stdout.close()
        return code


@contextmanager
def started(data: Path, *words: str) -> Iterator[Started]:
    data.mkdir(exist_ok=True)
    hub = Started(data, *words)
    try:
        yield hub
    finally:
        if hub.process.poll() is None:
            hub.end(signal.SIGKILL)


def session_in(data: Path) -> str:
    """Return the file of a session that was played."""
    folder = data / "sessions"
    folder.mkdir(parents=True)
    with played(folder) as table:
        eliminated(table)
        saved(table)
        return str(table.path)


def test_a_hub_is_begun_joined_sent_to_and_ended_and_keeps_all(tmp_path: Path) -> None:
    table = tmp_path / "table"
    session = session_in(table)
    with started(tmp_path / "hub") as hub:
        assert (
            f"{hub.address} (for this computer only; with --lan for tables and phones in this network)"
            in hub.output
        )
        hub.organise()
        result = run(table, "hub", "join", hub.address, typed=hub.code(14) + "\n")
        assert (result.code, result.err) == (0, "")
        joined, no_copy = result.out.splitlines()
        assert joined == "Joined Club night as table 14. What you play from now on is sent there."
        assert no_copy.startswith("No second copy is kept: if this laptop breaks, ")
        result = run(table, "hub", "send", session)
        assert re.fullmatch(r"Club night has the whole session: \d+ entries\.\n", result.out), (
            result.err
        )
        assert "Table 14" in hub.browser.get("/").text
        assert hub.end() == 0
        assert "Everything it received is saved." in hub.output
    with started(tmp_path / "hub") as hub:
        assert "/setup" not in hub.output
        assert "Table 14" in hub.browser.get("/").text
    assert run(table, "hub", "leave").out == "Left Club night. What it has, it keeps.\n"
    assert run(table, "hub", "leave").out == "This laptop had joined no hub.\n"


def test_without_a_network_a_session_goes_on_a_stick_and_again_is_no_harm(tmp_path: Path) -> None:
    table, hub = tmp_path / "table", tmp_path / "hub"
    hub.mkdir()
    session = session_in(table)
    result = run(table, "hub", "pack", session, "-o", "stick.hub")
    assert re.match(r"stick.hub holds \d+ entries, and nothing hidden", result.out), result.err
    packed = str(table / "stick.hub")
    first, again = (run(hub, "hub", "take", packed, "--table", "3") for _ in range(2))
    assert (first.code, again.code) == (0, 0), first.err + again.err
    assert first.out == again.out
    assert re.fullmatch(r"Table 3: the whole session is here, \d+ entries\.\n", first.out)
    refused = run(table, "hub", "pack", session, "-o", "stick.hub")
    assert (refused.code, "is there already" in refused.err) == (73, True)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is no packed session"),
        (b"companion hub pack nothing\n", "is no packed session"),
        (
            b"companion hub pack " + b"ab" * 32 + b"\n{}\n",
            "Nothing of stick was taken in: it is damaged.",
        ),
        (random.Random(1).randbytes(4000), "is no packed session"),
    ],
)
def test_what_is_no_packed_session_is_refused_in_a_sentence(
    tmp_path: Path, content: bytes, words: str
) -> None:
    (tmp_path / "stick").write_bytes(content)
    result = run(tmp_path, "hub", "take", "stick", "--table", "3")
    assert (result.code, words in result.err) == (65, True), result.err


def test_the_demo_fills_a_hub_with_tables_that_play(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "companion", "hub", "demo", "--port", "0", "--tables", "3"]
    hub = Started(tmp_path, command=command)
    try:
        end = time.monotonic() + TIMEOUT_S
        while not (
            "to play" in (page := hub.browser.get("/").text) and page.count("<h2>Table ") == 3
        ):
            assert time.monotonic() < end, page
            time.sleep(0.05)
        assert hub.end() == 0
        assert "Nothing was saved." in hub.output
    finally:
        hub.process.kill()
        hub.process.wait()
    assert not list(tmp_path.rglob("hub.sqlite"))


WRONG: Sequence[tuple[tuple[str, ...], int, str]] = [
    (("hub", "join", "nowhere"), 2, "is no address of a hub"),
    (
        ("hub", "join", "http://127.0.0.1:1"),
        69,
        "The hub cannot be reached: Connection refused. Type its address as",
    ),
    (("hub", "send"), 2, "has joined no hub"),
    (("hub", "pack"), 66, "no session"),
    (("hub", "take", "nothing", "--table", "3"), 66, "There is no file nothing."),
    (
        ("hub", "take", "nothing", "--table", "0"),
        2,
        "does not fit here: give a whole number from 1",
    ),
    (("hub", "--cert", "x"), 2, "go together"),
    (
        ("hub", "--cert", "x", "--key", "y", "--port", "0"),
        66,
        "x and y cannot be used as certificate and key: No such",
    ),
    (
        ("hub", "--cert", __file__, "--key", __file__, "--port", "0"),
        65,
        "are no certificate and its key",
    ),
    (("hub", "--title", " "), 2, "--title: give the event a name of up to 60 characters."),
    (("hub", "person", "Ann"), 66, "hub.sqlite is not there: name your hub's with --database."),
    (
        ("hub", "forget", "Ann", "--database", "sqlite:///hall.sqlite"),
        66,
        "sqlite:///hall.sqlite is not there",
    ),
    (
        ("hub", "export", "-o", "x", "--database", "sqlite:///hall.sqlite"),
        66,
        "sqlite:///hall.sqlite is not there",
    ),
    (("hub", "--database", "mysql://x/y"), 2, "is no database of the hub"),
]


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    WRONG,
    ids=lambda each: " ".join(each) if isinstance(each, tuple) else "",
)
def test_what_cannot_be_done_is_said_in_a_sentence(
    tmp_path: Path, words: tuple[str, ...], code: int, sentence: str
) -> None:
    result = run(tmp_path, *words, typed="AAAA BBBB\n")
    assert (result.code, sentence in result.err) == (code, True), result.err


@pytest.mark.parametrize(
    "words",
    [
        ("take", "pipe", "--table", "3"),
        ("--cert", "pipe", "--key", __file__),
        ("--cert", __file__, "--key", "pipe"),
    ],
)
def test_a_pipe_that_nobody_writes_to_is_not_waited_for(
    tmp_path: Path, words: Sequence[str]
) -> None:
    os.mkfifo(tmp_path / "pipe")
    result = run(tmp_path, "hub", *words)
    assert (result.code, "it is no file but a pipe" in result.err) == (66, True), result.err


def test_a_page_that_is_open_shows_what_the_table_sends_that_the_organiser_let_join(
    tmp_path: Path, chromium: Chromium
) -> None:
    table = tmp_path / "table"
    session = session_in(table)
    with chromium.page() as page, started(tmp_path / "hub") as hub:
        code = re.search(r"this code: (\w{4} \w{4})", hub.output)
        assert code is not None
        page.open(hub.address + "/organiser")
        page.wait_for("document.querySelector('input[name=code]') !== null")
        fields = {"code": code[1], "name": "Olga", "password": PASSWORD}
        fill = "".join(
            f"document.querySelector('[name={name}]').value = '{text}';"
            for name, text in fields.items()
        )
        page.js(f"{fill} document.querySelector('form').requestSubmit()")
        page.wait_for(
            "location.pathname === '/organiser' && document.querySelector('[name=number]') !== null"
        )
        page.js(
            "const number = document.querySelector('[name=number]'); number.value = '14'; number.form.requestSubmit()"
        )
        note = page.wait_for("(document.querySelector('.note') || {}).innerText")
        found = re.search(r"Table 14 joins with (\w{4} \w{4})", note)
        assert found is not None
        page.open(hub.address + "/")
        page.wait_for("document.body.innerText.includes('No game of this event has begun yet')")
        aloud = "document.querySelector('#live [role=status]')"
        page.js(f"{aloud}.stays = true")
        assert run(table, "hub", "join", hub.address, typed=found[1] + "\n").code == 0
        assert run(table, "hub", "send", session).code == 0
        # the page is not loaded again
        page.wait_for("document.body.innerText.includes('Table 14')")
        assert page.js(f"{aloud}.stays + {aloud}.textContent") == "true1 of 1 table is playing."
        assert [
            each for each in page.requested if not each.startswith((hub.address, "data:", "about:"))
        ] == []
        assert page.errors == []


def test_where_the_hubs_libraries_are_not_installed_it_says_how_to_get_them(tmp_path: Path) -> None:
    code = "import sys; sys.modules['sqlalchemy'] = None; from companion.cli import main; sys.exit(main())"
    command = [sys.executable, "-c", code, "hub", "export", "-o", "x"]
    result = subprocess.run(
        command, env=environment(tmp_path), capture_output=True, text=True, timeout=60, check=False
    )
    assert (result.returncode, "pipx install --force '.[virtual,serve,hub]'" in result.stderr) == (
        69,
        True,
    ), result.stderr
