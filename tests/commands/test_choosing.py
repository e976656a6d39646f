"""What is chosen on the pages before a game, and what those who wait are told."""

from __future__ import annotations

import http.client
import threading
import time
import urllib.request
from collections.abc import Callable, Mapping
from contextlib import closing
from typing import Any, cast
from urllib.parse import urlencode

import pytest

from companion.commands import in_browser
from companion.commands.first_page import FirstPage
from companion.commands.in_browser import NOT_OPENED, Choosing, Opening
from companion.commands.play_options import PlayOptions
from companion.config.schema import Preferences
from companion.session.table import Table
from companion.web.at_play import TablePages
from companion.web.before_server import BeforeServer

TIMEOUT_S = 30.0


def asked(address: str, origin: str, fields: Mapping[str, str] | None = None) -> str:
    """Return the page at an address, or the one that a form leads to; empty if nothing answers there now."""
    body = None if fields is None else urlencode(fields).encode()
    request = urllib.request.Request(address, body, {"origin": origin} if body is not None else {})
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT_S) as answer:
            return str(answer.read().decode())
    except (OSError, http.client.HTTPException):
        return ""


@pytest.mark.parametrize("fault", [RuntimeError, KeyboardInterrupt, SystemExit])
def test_whoever_waits_for_a_table_is_answered_when_opening_it_fails(
    fault: Callable[[], BaseException],
) -> None:
    choosing = Choosing(cast("PlayOptions", None), "", can_quit=True)

    def open_table() -> Table:
        raise fault()

    answers: list[str] = []
    waiting = threading.Thread(
        target=lambda: answers.append(choosing._open(Opening(open_table, lambda _: None))),
        daemon=True,
    )
    waiting.start()
    with pytest.raises(BaseException) as raised:  # noqa: PT011  a signal is one of them
        in_browser._chosen(choosing, cast("BeforeServer", None))
    assert isinstance(raised.value, type(fault()))
    waiting.join(TIMEOUT_S)
    assert answers == [NOT_OPENED]


def test_after_the_pages_of_a_game_have_died_people_choose_again_at_the_same_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = FirstPage._pages

    def made_to_die(page: FirstPage, *rest: Any) -> TablePages:
        pages = made(page, *rest)
        pages._pages.fault = RuntimeError("a bug in an answer")
        return pages

    monkeypatch.setattr(FirstPage, "_pages", made_to_die)
    with closing(FirstPage(Preferences(), None, port=0, announced=True)) as page:
        play_options = PlayOptions(port="none", port_said=True, page=page)
        program = threading.Thread(
            target=in_browser.choose_and_play, args=(play_options,), daemon=True
        )
        program.start()
        address, origin = f"{page.origins.main}/{page.code}/", page.origins.main
        fields = {"seat-1": "Ann", "seat-2": "Ben", "port": "none", "do": "start"}
        asked(f"{address}new/panic-fire", origin, fields)
        deadline = time.monotonic() + TIMEOUT_S
        while "have ended by a fault of the program" not in (shown := asked(address, origin)):
            assert time.monotonic() < deadline, shown
            threading.Event().wait(0.05)
        assert "Ann" in shown  # the game can be continued
        asked(f"{address}quit", origin, {})
        program.join(TIMEOUT_S)
        assert not program.is_alive()
