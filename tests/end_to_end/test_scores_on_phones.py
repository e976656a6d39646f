"""The program in a terminal, and a player's page that it serves: a number typed on a phone, and undone at the table."""

from __future__ import annotations

import json
import os
import re
import shutil
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import pytest

from tests.end_to_end.parts import TIMEOUT_S
from tests.end_to_end.test_terminal import Terminal
from tests.games.own.files import TEXTS

pytestmark = [
    pytest.mark.waits,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]


@pytest.fixture
def terminal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Terminal]:
    folder = tmp_path_factory.mktemp("t")
    game = folder / "hearts.toml"
    game.write_text(TEXTS["hearts"], encoding="utf-8")
    seats = ("--seats", "Anna,Ben,Carl,Dora")
    data = {"COMPANION_DATA": os.environ["COMPANION_DATA"]}
    opened = Terminal(folder, 80, 24, "play", str(game), *seats, "--port", "none", **data)
    yield opened
    opened.close()


CODE = 42
"""Columns that the code takes on the page of phones, with its margins; the words are right of it."""


def words_on(screen: str) -> str:
    """Return the words beside the code in one line."""
    return " ".join(line[CODE:].strip() for line in screen.splitlines())


def until(look: Callable[[], str], wanted: str) -> str:
    """Return what `look` returns once it has the `wanted` text."""
    deadline, pace = time.monotonic() + TIMEOUT_S, threading.Event()
    while wanted not in (found := look()):
        assert time.monotonic() < deadline, f"no {wanted!r} in {found}"
        pace.wait(0.05)
    return found


def wait_beside_the_code(terminal: Terminal, words: str) -> str:
    """Wait for `words`, which may go on in the next line; return all of them."""
    return until(lambda: words_on(terminal.screen()), words)


def address_on(beside: str) -> str:
    """Return the address on the page of phones, at this computer."""
    found = re.search(r"http://[^/]+:(\d+)/([\w -]+)/", beside)
    assert found is not None, beside
    return f"http://127.0.0.1:{found[1]}/{found[2].replace(' ', '')}/"


def page_of(address: str, wanted: str) -> str:
    """Return the page once it has the `wanted` text, which it gets within a moment."""

    def read() -> str:
        with urllib.request.urlopen(address, timeout=TIMEOUT_S) as answer:
            return str(answer.read().decode())

    return until(read, wanted)


def send(address: str, page: str, number: str, key: str) -> tuple[int, str]:
    """Type a number into the first field of a page as its script does; return the answer."""
    token, place = re.search(r'data-enter="(\w+)"', page), re.search(r'data-place="(\w+)"', page)
    assert token is not None
    assert place is not None
    body = {"id": key * 16, "enter": token[1], "answers": {"number": number}, "place": place[1]}
    parts = urlsplit(address)
    headers = {"content-type": "application/json", "origin": f"http://{parts.netloc}"}
    request = urllib.request.Request(f"{address}notes", json.dumps(body).encode(), headers)
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT_S) as answer:
            return answer.status, json.loads(answer.read())["said"]
    except urllib.error.HTTPError as refusal:
        return refusal.code, json.loads(refusal.read())["said"]


def test_a_player_types_a_number_on_a_phone_and_the_table_undoes_it(terminal: Terminal) -> None:
    terminal.wait_for("Hearts", "hand 1")
    terminal.type("C-o")
    wait_beside_the_code(terminal, "Press e to let players enter their own numbers and draws.")
    terminal.type("2")
    address = address_on(wait_beside_the_code(terminal, "Only Ben scans this code."))
    assert "data-enter" not in page_of(address, "Ben")
    terminal.type("e")
    wait_beside_the_code(terminal, "Players can enter their own numbers and draws.")
    page = page_of(address, "data-enter")
    assert send(address, page, "27", "a")[0] == 422
    assert send(address, page, "17", "b") == (200, "Saved.")
    terminal.type("Escape")
    terminal.wait_for("points taken +17, now 17 - Ben - typed on a phone")
    page = page_of(address, "now 17")
    assert send(address, page, "18", "c") == (200, "Saved.")
    terminal.wait_for("Ben typed 18 instead of 17 for hand 1 on their phone.")
    terminal.press_until("u", "points taken +17")
    page_of(address, "now 17")
    terminal.type("C-q")
    assert terminal.exit_code() == 0
