"""The page that takes the place of the screen: where it listens, and what it refuses."""

from __future__ import annotations

import threading
from contextlib import closing
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest

from companion.commands.first_page import CLOSED, LOCALHOST, FirstPage
from companion.config.schema import Preferences
from companion.dashboard.registry import REMATCH
from companion.errors import CommandError, ErrorKind
from companion.journal.folder import sessions_dir
from companion.session.corrections import NotDone
from companion.session.opening import begin
from companion.session.table import Table
from companion.session.views import Unsaved
from companion.web import addresses
from companion.web.at_play import TablePages

TIMEOUT_S = 20.0


def test_without_a_network_a_page_for_other_devices_is_refused_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(addresses, "own_addresses", tuple)
    with pytest.raises(CommandError, match="on no network"):
        FirstPage(Preferences(), "", port=0)


def test_a_host_waits_for_its_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "own_addresses", tuple)
    with closing(FirstPage(Preferences(), "", port=0, announced=True)) as page:
        assert not page.is_local


@pytest.mark.parametrize("address", ["8.8.8.8", "0.0.0.0", "not an address"])
def test_an_address_of_no_local_network_is_refused(address: str) -> None:
    with pytest.raises(CommandError):
        FirstPage(Preferences(), address, port=0)


def test_this_computer_alone_can_open_the_page_unless_something_else_is_asked_for() -> None:
    with closing(FirstPage(Preferences(), None, port=0)) as page:
        assert page.is_local
        assert page.origins.main.startswith(f"http://{LOCALHOST}:")


def test_a_renewed_page_has_another_code() -> None:
    with closing(FirstPage(Preferences(), None, port=0)) as page:
        before = page.code
        page.renew()
        assert page.code != before


def test_quitting_says_first_what_is_not_saved_and_leaves_at_the_second_press(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left: SimpleQueue[None] = SimpleQueue()
    table = begin("panic-fire", ("Ann", "Ben"), {}, tmp_path / "game.sqlite")
    with closing(table), closing(FirstPage(Preferences(), None, port=0)) as page:
        monkeypatch.setattr(Table, "unsaved", lambda *_: Unsaved(3, "The disk is full.", 1))
        with pytest.raises(NotDone, match=r"The disk is full\. Ask again to leave"):
            page._asked(table, {}, left, "quit")
        assert left.empty()
        said = page._asked(table, {}, left, "quit")
        assert said == "You left without 3 entries. You can close this page."
        assert not left.empty()
        monkeypatch.undo()


def test_the_next_game_warns_of_what_is_not_saved_as_quitting_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left: SimpleQueue[None] = SimpleQueue()
    table = begin("panic-fire", ("Ann", "Ben"), {}, tmp_path / "game.sqlite")
    table.enter("abandon", {"reason": "late"})
    offers = {REMATCH.id: lambda: "The next game begins."}
    with closing(table), closing(FirstPage(Preferences(), None, port=0)) as page:
        monkeypatch.setattr(Table, "unsaved", lambda *_: Unsaved(3, "The disk is full.", 1))
        with pytest.raises(NotDone, match=r"The disk is full\. Ask again to leave"):
            page._asked(table, offers, left, "rematch")
        assert left.empty()
        assert page._asked(table, offers, left, "rematch") == "The next game begins."
        assert not left.empty()
        monkeypatch.undo()


def test_a_warning_counts_until_its_entries_are_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left: SimpleQueue[None] = SimpleQueue()
    table = begin("panic-fire", ("Ann", "Ben"), {}, tmp_path / "game.sqlite")
    unsaved = Unsaved(3, "The disk is full.", 10)
    monkeypatch.setattr(Table, "unsaved", lambda *_: unsaved)
    with closing(table), closing(FirstPage(Preferences(), None, port=0)) as page:
        with pytest.raises(NotDone, match=r"3 entries are not saved\."):
            page._asked(table, {}, left, "quit")
        # the disk has room again, and is full again an hour later
        unsaved = Unsaved(57, "The disk is full.", 80)
        with pytest.raises(NotDone, match=r"57 entries are not saved\."):
            page._asked(table, {}, left, "quit")
        assert left.empty()
        # of the same entries, somebody was told
        unsaved = Unsaved(58, "The disk is full.", 81)
        assert page._asked(table, {}, left, "quit").startswith("You left without 58 entries.")
        unsaved = Unsaved()
        assert page._asked(table, {}, left, "quit") == CLOSED
        monkeypatch.undo()


def test_a_page_asks_for_nothing_that_the_program_does_not_know(tmp_path: Path) -> None:
    left: SimpleQueue[None] = SimpleQueue()
    table = begin("panic-fire", ("Ann", "Ben"), {}, tmp_path / "game.sqlite")
    with closing(table), closing(FirstPage(Preferences(), None, port=0)) as page:
        for what in ("", "rm", "dashboard.quit"):
            with pytest.raises(NotDone, match="does not know"):
                page._asked(table, {}, left, what)
        with pytest.raises(NotDone, match="not over yet"):
            page._asked(table, {}, left, "rematch")
        assert left.empty()


def test_a_game_whose_pages_have_died_ends_with_a_sentence_and_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = FirstPage._pages

    def made_to_die(page: FirstPage, *rest: Any) -> TablePages:
        pages = made(page, *rest)
        pages._pages.fault = RuntimeError("a bug in an answer")
        return pages

    monkeypatch.setattr(FirstPage, "_pages", made_to_die)
    table = begin("panic-fire", ("Ann", "Ben"), {}, tmp_path / "game.sqlite")
    problems: list[CommandError] = []
    with closing(table), closing(FirstPage(Preferences(), None, port=0, announced=True)) as page:

        def play() -> None:
            with pytest.raises(CommandError) as raised:
                page.play(table, None, {})
            problems.append(raised.value)

        # a thread: without an end of its own, it would hang the test
        playing = threading.Thread(target=play, daemon=True)
        playing.start()
        playing.join(TIMEOUT_S)
        assert not playing.is_alive()
    (problem,) = problems
    assert problem.kind is ErrorKind.SOFTWARE
    assert str(problem).endswith("crash.txt. The game is kept: continue it.")
    assert "a bug in an answer" in (sessions_dir().parent / "crash.txt").read_text()
