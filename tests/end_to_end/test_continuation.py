"""A laptop is replaced in the middle of a round, in a real terminal: with a second copy, and without any."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.hub.database import Database
from companion.outbound.hub_ticket import keep_ticket
from companion.outbound.second_copy import SecondCopy
from tests.end_to_end.test_terminal import Terminal
from tests.hub.conftest import made as made, on_sqlite as on_sqlite
from tests.hub.parts import RunningHub, running, until
from tests.hub.test_line import has_all, sending_to_hub, ticket_of
from tests.web.served import played, press

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")


@pytest.fixture
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the home folder of the new laptop; its path is short, because a socket's name has at most some hundred
    bytes."""
    return tmp_path_factory.mktemp("h")


@pytest.fixture
def hub(on_sqlite: Database) -> Iterator[RunningHub]:
    with running(on_sqlite) as running_hub:
        yield running_hub


def broken(
    hub: RunningHub, folder: Path, stick: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """Break a table's laptop in the middle of a round; the new one has joined. Return the second copy."""
    stick.mkdir()
    with played(folder) as table, sending_to_hub(table, ticket_of(hub)):
        press(table, "fire", "draw.1", "draw.1")
        with closing(SecondCopy(table, stick, pause_s=0.01)) as copy:
            until(lambda: has_all(hub.database, table))
    monkeypatch.setenv("COMPANION_DATA", str(home / "data"))
    keep_ticket(ticket_of(hub))
    return copy.path


def at(home: Path, *arguments: str) -> Terminal:
    more = {"HOME": str(home), "COMPANION_DATA": str(home / "data"), "COMPANION_PORT": "none"}
    return Terminal(home, 80, 24, *arguments, **more)


def test_with_a_second_copy_the_round_goes_on_as_it_was(
    hub: RunningHub, tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = broken(hub, tmp_path, tmp_path / "stick", home, monkeypatch)
    with closing(at(home, "resume", str(copy))) as terminal:
        terminal.wait_for("round 1 of 6", "red draws", "the session is resumed")
        terminal.type("2")
        terminal.wait_for("blue draws")
        until(lambda: "blue draws" in hub.browser().get("/").text)


def test_without_a_copy_the_table_confirms_what_the_hub_showed(
    hub: RunningHub, tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken(hub, tmp_path, tmp_path / "stick", home, monkeypatch)
    with closing(at(home, "hub", "continue")) as terminal:
        terminal.wait_for(
            "Compare this with the table", "fire! round 1 of 6 starts", "Lost: the draws"
        )
        terminal.type("Enter")
        terminal.wait_for("confirmed by the table", "To draw, press 1 red, 2 blue.")
        terminal.type("2")
        until(lambda: "Part 1 ended with entry 4" in hub.browser().get("/").text)
