"""What a seat notes in secret changes no byte of what anybody else gets: over a real server, each page, each stream and
each answer is the same, and as many parts come."""

from __future__ import annotations

import http.client
import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from companion.feed.feed import session_id
from companion.games.skyfire.rules.game import GAME as SKYFIRE
from companion.rules.facts import TABLE
from companion.session.roles import Role
from companion.session.table import Table
from companion.web import app
from companion.web.addresses import LOCALHOST
from companion.web.at_play import TablePages
from companion.web.showing import place_of
from tests.games.skyfire.playing import FOUR, example_deck, setup
from tests.web.served import played, saved

FACES = ("Comet", "Wave", "Fern", "Pearl")
OTHERS = ("Ember", "Lagoon", "Willow", "Swan")
TIMEOUT_S = 20
_OF_A_SESSION = re.compile(
    '(data-place="|event: place\ndata: )[0-9a-f]{16}|event: (heard|now)\ndata: [0-9]+'
    '|id: [0-9a-f]{16}|"session":"[0-9a-f]{16}"|"wall":"[^"]*"'
)
"""What differs between two games, and the time that a stream says."""


@dataclass
class Reader:
    """Reads the stream of a page to its end, in a thread."""

    address: str
    stream: str = "events"
    text: str = ""
    _more: threading.Condition = field(default_factory=threading.Condition)

    def __post_init__(self) -> None:
        self._thread = threading.Thread(target=self._read, name="reader of a role")
        self._thread.start()

    def _read(self) -> None:
        where = urlsplit(self.address)
        line = http.client.HTTPConnection(where.hostname or "", where.port, timeout=TIMEOUT_S)
        with closing(line):
            line.request("GET", f"{where.path}{self.stream}")
            stream = line.getresponse()
            while part := stream.read1():
                with self._more:
                    self.text += part.decode()
                    self._more.notify_all()

    @property
    def parts(self) -> int:
        """How many parts with blocks came."""
        return self.text.count("event: blocks\n" if self.stream == "events" else "id: ")

    def wait_for(self, parts: int) -> None:
        """Wait until so many parts with blocks came."""
        with self._more:
            assert self._more.wait_for(lambda: self.parts >= parts, TIMEOUT_S), self.text[-2000:]

    def end(self) -> str:
        """Return everything that came, once the stream has ended."""
        self._thread.join(TIMEOUT_S)
        assert not self._thread.is_alive()
        return self.text


@dataclass
class Evening:
    """A game of SkyFire with a page of each role, and everything that these pages got."""

    table: Table
    pages: TablePages
    got: dict[str, list[str]] = field(default_factory=dict)
    _taps: int = 0
    _now_us: int = 0

    def __post_init__(self) -> None:
        self.table._host_us = lambda: self._now_us
        self.codes = {role: self.pages.give_out(role, f"the {role.title}'s") for role in Role}
        self.readers = {
            role: Reader(self.pages.address_of_role(code)) for role, code in self.codes.items()
        }
        everybody, uninvolved = self.pages.address_of(TABLE), self.pages.address_of("cleo")
        self.others = {
            "everybody's page": Reader(everybody),
            "the public feed": Reader(everybody, "feed"),
            "the page of a seat that notes nothing": Reader(uninvolved),
        }
        for reader in (*self.readers.values(), *self.others.values()):
            reader.wait_for(1)

    def enter(self, kind: str, **body: Any) -> None:
        """Enter a fact that everybody sees, and wait until each page of a role shows it."""
        with self.all_shown():
            self.table.enter(kind, body)
            notice = self.table.view().notice
            assert notice is None or not notice.refused, notice
            saved(self.table)

    @contextmanager
    def all_shown(self) -> Iterator[None]:
        """Do something that all see, and wait until the page of each role shows it."""
        self._now_us += 1_000_000  # a key that has just got another meaning does nothing
        # What is shown of the board does not change with the game.
        changing = [reader for role, reader in self.readers.items() if role is not Role.BOARD]
        changing += self.others.values()
        before = [reader.parts for reader in changing]
        yield
        for reader, parts in zip(changing, before, strict=True):
            reader.wait_for(parts + 1)

    def note(self, seat: str, **fields: Any) -> None:
        """Send a note from a seat's own page."""
        status, _ = self.posted(self.pages.address_of(seat), "notes", fields)
        assert status == 200

    def tap(self, role: Role, wish: dict[str, Any]) -> None:
        """Send a wish from the page of a role, and keep the answer."""
        self._taps += 1
        first = self.table.look(lambda record: record.entries[0])
        body = {
            "id": f"tap-{self._taps:012}",
            "place": place_of(session_id(first), role),
            "seen": self.table.view().newest,
            "heard": 1,
            "device": {"id": "page-of-a-tablet"},
            "wish": wish,
        }
        status, answer = self.posted(self.pages.address_of_role(self.codes[role]), "do", body)
        self.got.setdefault(role.title, []).append(f"{status} {answer}")

    def look(self) -> None:
        """Load the page of each role, and keep it."""
        for role, code in self.codes.items():
            where = urlsplit(self.pages.address_of_role(code))
            line = http.client.HTTPConnection(where.hostname or "", where.port, timeout=TIMEOUT_S)
            with closing(line):
                line.request("GET", where.path)
                answer = line.getresponse()
                head = [f"{name}: {value}" for name, value in answer.getheaders() if name != "date"]
                self.got.setdefault(role.title, []).append(f"{head}\n{answer.read().decode()}")

    def posted(self, address: str, path: str, body: dict[str, Any]) -> tuple[int, str]:
        """Return the answer to what a page sends."""
        where = urlsplit(address)
        line = http.client.HTTPConnection(where.hostname or "", where.port, timeout=TIMEOUT_S)
        headers = {"Content-Type": "application/json", "Origin": f"http://{where.netloc}"}
        with closing(line):
            line.request("POST", f"{where.path}{path}", json.dumps(body), headers)
            answer = line.getresponse()
            return answer.status, answer.read().decode()

    def end(self) -> dict[str, str]:
        """Close the pages and return everything that the page of each role, and others, got."""
        self.pages.revoke_all()
        self.pages.close()
        found = {name: _OF_A_SESSION.sub("~", one.end()) for name, one in self.others.items()}
        for role, reader in self.readers.items():
            text = "\n".join((*self.got.get(role.title, []), reader.end()))
            found[role.title] = _OF_A_SESSION.sub("~", text)
        return found


Notes = Callable[[Evening, int], None]


def nothing(_evening: Evening, _when: int) -> None:
    """Note nothing."""


def hand_of(cards: tuple[str, ...]) -> Notes:
    """Return what notes this hand of ada, takes the note back and notes another one."""

    def noted(evening: Evening, when: int) -> None:
        spelled = ", ".join(cards)
        if when == 0:
            evening.note("ada", id="hand-of-ada-00001", line="hand", answers={"cards": spelled})
        if when == 1:
            entries = evening.table._journal.entries
            last = next(entry.n for entry in reversed(entries) if entry.kind == "hand_noted")
            evening.note("ada", id="take-back-of-ada", back=last)
            evening.note("ada", id="hand-of-ada-00002", line="hand", answers={"cards": spelled})
            evening.note("bo", id="hand-of-bo-000001", line="hand", answers={"cards": spelled})
        if when == 2:  # on the laptop, behind the curtain
            placed = {"seat": "ada", "zone": 2, "card": cards[0]}
            evening.table.enter("place_noted", placed)
        if when == 3:
            evening.table.enter("place_noted", {"seat": "ada", "zone": 3, "card": cards[1]})
            assert evening.table.view().notice is not None, "the table was told why this is refused"

    return noted


def everything(folder: Path, notes: Notes) -> dict[str, str]:
    """Return what the pages of roles got of a game in which seats noted something in secret."""
    folder.mkdir()
    with ExitStack() as ending:
        table = ending.enter_context(played(folder, setup(FOUR, example_deck()), SKYFIRE))
        # before the pages open, so that the first part of each stream shows it
        table.do("skyfire.deal")
        saved(table)
        pages = ending.enter_context(closing(TablePages(table, LOCALHOST, odds=False)))
        evening = Evening(table, pages)
        seats = [pages.address_of(seat) for seat in (TABLE, "ada", "bo")]
        evening.enter("target", card="red")
        notes(evening, 0)
        evening.tap(Role.WALL, {"kind": "step", "action": "skyfire.place.2"})
        notes(evening, 1)
        with evening.all_shown():
            evening.tap(Role.TABLE, {"kind": "step", "action": "skyfire.place.2"})
        notes(evening, 2)
        evening.look()
        evening.enter("place", zone=1)
        evening.tap(Role.TABLE, {"kind": "fact", "fact": "hand_noted", "fields": {"seat": "ada"}})
        evening.tap(Role.SCORES, {"kind": "undo", "entry": 3})
        notes(evening, 3)
        evening.look()
        found = evening.end()
        for text in found.values():
            assert not any(urlsplit(seat).path.strip("/") in text for seat in seats)
        return found


@pytest.fixture(autouse=True)
def seldom(monkeypatch: pytest.MonkeyPatch) -> None:
    """Say the time with each part only: how many come without one depends on how long the test takes."""
    monkeypatch.setattr(app, "HEARD_S", 1000.0)
    monkeypatch.setattr(app, "BEAT_S", 1000.0)


def test_what_seats_note_changes_no_byte_for_anybody_else(tmp_path: Path) -> None:
    quiet = everything(tmp_path / "quiet", nothing)
    for name, cards in (("one", FACES), ("other", OTHERS)):
        noted = everything(tmp_path / name, hand_of(cards))
        for role, text in quiet.items():
            assert noted[role] == text, role
            assert not any(card in noted[role] for card in cards), role
    assert '200 {"outcome": "done"' in quiet["table"]
    assert '422 {"outcome": "refused"' in quiet["wall"]
