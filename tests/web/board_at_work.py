"""A game with a real board whose selftest and calibration are run from a page, and a person who answers them."""

from __future__ import annotations

import json
import re
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from companion.board.asking import AskingPace
from companion.board.lending import runs_at_table
from companion.session.roles import Role
from companion.session.table import Table
from companion.web import at_play
from companion.web.addresses import LOCALHOST
from companion.web.at_play import TablePages
from firmware_protocol.virtual.client import VirtualBoard
from tests.end_to_end.parts import at_table

TIMEOUT_S = 60.0
WIRES = 12
"""The inputs of the virtual board: trigger, hit sensor and ten zones."""
PACE = AskingPace(quiet_s=0.2, answer_s=60.0, after_s=0.1, order_s=10.0)
"""A step waits for its answer, however slow the machine is."""
_STEP = re.compile(r"step (\d+) of (\d+)")
_ASKED = re.compile(r'class="awaiting" role="status">([^<]*)<')
_SKIP = re.compile(r"board\.skip\.\d+")
_PLACE = re.compile(r'data-place="([0-9a-f]{16})"')
_numbers = count()


def until(is_so: Callable[[], bool], wanted: str) -> None:
    """Wait until something is so."""
    deadline = time.monotonic() + TIMEOUT_S
    while not is_so():
        assert time.monotonic() < deadline, f"waited {TIMEOUT_S} s for {wanted}"
        threading.Event().wait(0.02)


class BoardWorker:
    """A page of a device over HTTP; its stream is open unless it is closed."""

    def __init__(self, pages: TablePages, role: Role = Role.BOARD, name: str = "tablet") -> None:
        self.code = pages.give_out(role, name)
        self.address = pages.address_of_role(self.code)
        self._stream: Any = None

    def open(self) -> None:
        """Open the page's stream, as a browser does."""
        self._stream = urllib.request.urlopen(f"{self.address}events", timeout=TIMEOUT_S)
        self._stream.readline()

    def close(self) -> None:
        """Close the page."""
        if self._stream is not None:
            self._stream.close()
            self._stream = None

    def get(self) -> str:
        """Return the text of the page."""
        with urllib.request.urlopen(self.address, timeout=TIMEOUT_S) as answer:
            return str(answer.read().decode())

    def skip(self) -> tuple[int, str]:
        """Skip the step that the page shows; return the status and what is said."""
        wish = _SKIP.search(self.get())
        assert wish is not None
        return self.ask(wish[0])

    def ask(self, do: str) -> tuple[int, str]:
        """Ask for something of the board; return the status and what is said."""
        place = _PLACE.search(self.get())
        assert place is not None
        body = {
            "id": f"a-tap-at-the-board-{next(_numbers)}", "place": place[1], "seen": 0, "heard": 1, "again": 0,
            "device": {"id": "device-of-the-test", "name": ""}, "wish": {"kind": "session", "do": do},
        }  # fmt: skip
        origin = self.address.rsplit("/", 2)[0]
        headers = {"content-type": "application/json", "origin": origin}
        request = urllib.request.Request(f"{self.address}do", json.dumps(body).encode(), headers)
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT_S) as answer:
                return answer.status, json.loads(answer.read())["said"]
        except urllib.error.HTTPError as refused:
            with refused:
                return refused.code, json.loads(refused.read())["said"]

    def answer_all(self, answer: Callable[[str], object]) -> str:
        """Do what the page asks step by step, until it shows the result; return that page."""
        return answer_all(self.get, answer)


def answer_all(get: Callable[[], str], answer: Callable[[str], object]) -> str:
    """Do what a page asks step by step, until it shows the result; return that page."""
    answered = 0
    deadline = time.monotonic() + TIMEOUT_S
    while True:
        page = get()
        if ": result</h2>" in page:
            return page
        step, asked = _STEP.search(page), _ASKED.search(page)
        if step is not None and asked is not None and int(step[1]) > answered:
            answered = int(step[1])
            answer(asked[1])
        assert time.monotonic() < deadline, page
        threading.Event().wait(0.02)


def worked(board: VirtualBoard, sentence: str) -> None:
    """Do at the board what a sentence asks."""
    if sentence.startswith("Shot"):
        board.shot(peak=2400)
    elif sentence.startswith("Knock"):
        board.knock(2400 if "once" in sentence.lower() else 800)
    elif sentence.startswith("Pull the trigger"):
        board.press("trigger", hold_ms=30)
    elif sentence.startswith("Press"):
        channel = sentence.split()[1]
        presses = 5 if "5 times" in sentence else 1
        for number in range(1, presses + 1):
            board.press(channel, hold_ms=30, at_ms=60 * number)
    elif not sentence.startswith(("Hands off", "Hold the gun still")):
        raise AssertionError(f"nobody knows how to do this: {sentence}")


def require_sound(result: str) -> None:
    """Check that each wire is good; of clock and link, a busy machine may not tell."""
    assert "(FAULT)" not in result, result
    assert len(re.findall(r"\(good\)</b> answers alone", result)) == WIRES, result


@contextmanager
def board_pages(
    folder: Path, monkeypatch: pytest.MonkeyPatch, board: VirtualBoard | None
) -> Iterator[tuple[Table, TablePages]]:
    """Yield a game that is live on `board`, and its pages."""
    monkeypatch.setattr(at_play, "runs_at_table", partial(runs_at_table, pace=PACE))
    opened = at_table(folder / "evening.sqlite", board)
    with opened as table, closing(TablePages(table, LOCALHOST)) as pages:
        yield table, pages
