"""What a phone can send, and everything else that somebody might: each refused, and nothing recorded by it."""

from __future__ import annotations

import asyncio
import html
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from companion.journal.entries import Layer
from companion.session.seat_notes import Noted
from companion.session.table import Table
from companion.web import note_post
from companion.web.app import READ_ONLY, WRONG, Pages
from companion.web.document import NO_SCRIPTS
from companion.web.lookers import TableLooker
from companion.web.note_post import MOST_A_SECOND, MOST_BODY, NotePost
from companion.web.seat_forms import note_block
from tests.games.skyfire.screen.parts import skyfire_table
from tests.web.client import HOST, ORIGIN, Answer, Client, codes, opened

ADA, BO = "/code-1/notes", "/code-2/notes"
FACES = ("Comet", "Ember", "Wave", "Poppy")


def note(number: int = 1, cards: str = ", ".join(FACES), **other: Any) -> dict[str, Any]:
    return {"id": f"note-{number:012}", "line": "hand", "answers": {"cards": cards}, **other}


async def at_once(_seconds: float) -> None:
    """Do not wait."""


class Phones:
    """A table in play whose clock for notes advances a second with each note."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.looker = TableLooker(table)
        self.pages = Pages(self.looker.showing, codes(), ORIGIN, self.looker.tail, table)
        ticks = count()
        self.pages._post = NotePost(table, lambda: float(next(ticks)), at_once)
        self.client = Client(self.pages)

    @property
    def noted(self) -> list[str]:
        """Return the notes in the record with their seats."""
        entries = [entry for entry in self.table._journal.entries if entry.layer is Layer.FACT]
        return [entry.body["seat"] for entry in entries if self.table.game.facts[entry.kind].secret]

    def page(self, seat: str) -> str:
        self.looker.look()
        self.pages.show(self.looker.showing)
        return "".join(self.looker.showing.blocks[seat].values())


@contextmanager
def phones(folder: Path) -> Iterator[Phones]:
    with skyfire_table(folder / "evening.sqlite") as table:
        table.do("skyfire.deal")
        yield Phones(table)


async def test_a_note_is_on_the_disk_when_it_is_said_to_be_saved_and_stands_on_that_seats_page_alone(
    tmp_path: Path,
) -> None:
    with phones(tmp_path) as at:
        assert 'data-line="hand"' in at.page("ada")
        answer = await at.client.send(ADA, note())
        assert (answer.status, json.loads(answer.text)) == (200, {"said": "Saved."})
        assert at.table._journal.saved.durable_n == len(at.table._journal.entries)
        assert all(face in at.page("ada") for face in FACES)
        assert "Take back: Ada noted" in at.page("ada")
        for other in ("bo", "cleo", "table"):
            assert not any(face in at.page(other) for face in FACES)
            assert "Ada noted" not in at.page(other)
        assert at.noted == ["ada"]


async def test_without_scripts_a_seats_page_shows_no_form_that_nothing_could_send_and_says_so(
    tmp_path: Path,
) -> None:
    with phones(tmp_path) as at:
        seat, everybody = [html.unescape((await at.client.ask(f"/code-{n}/")).text) for n in (1, 0)]
    assert '<div id="note" hidden="">' in seat
    assert f'<noscript><p class="soft">{NO_SCRIPTS}' in seat
    assert NO_SCRIPTS not in everybody


async def test_a_note_that_is_sent_again_is_the_same_note_and_can_be_taken_back_once(
    tmp_path: Path,
) -> None:
    with phones(tmp_path) as at:
        for _ in range(3):
            assert (await at.client.send(ADA, note(), pieces=5)).status == 200
        assert at.noted == ["ada"]
        assert (await at.client.send(ADA, note(cards="wave,wave,wave,wave"))).status == 422
        n = len(at.table._journal.entries)
        back = {"id": "take-back-one-12345", "back": n}
        assert (await at.client.send(BO, back)).status == 422
        for _ in range(2):
            assert (await at.client.send(ADA, back)).status == 200
        assert "Take back" not in at.page("ada")
        assert at.table.seat_view("ada").own is None or at.table.seat_view("ada").own.hand is None


Send = Callable[[Client], Any]
HOSTILE: dict[str, tuple[int, Send]] = {
    "no origin": (403, lambda it: it.send(ADA, note(), origin=None)),
    "an origin of nobody": (403, lambda it: it.send(ADA, note(), origin="null")),
    "a foreign origin": (403, lambda it: it.send(ADA, note(), origin="http://evil.example")),
    "another port": (403, lambda it: it.send(ADA, note(), origin="http://192.168.1.20:9999")),
    "another scheme": (403, lambda it: it.send(ADA, note(), origin=f"https://{HOST}")),
    "a name that begins alike": (
        403,
        lambda it: it.send(ADA, note(), origin=f"{ORIGIN}.evil.example"),
    ),
    "another name of ours": (
        421,
        lambda it: it.send(ADA, note(), host="evil.example", origin="http://evil.example"),
    ),
    "no host": (421, lambda it: it.send(ADA, note(), host=None)),
    "a form of another page": (415, lambda it: it.send(ADA, note(), content_type="text/plain")),
    "a form": (
        415,
        lambda it: it.send(ADA, note(), content_type="application/x-www-form-urlencoded"),
    ),
    "no type": (415, lambda it: it.send(ADA, note(), content_type=None)),
    "a guessed code": (403, lambda it: it.send("/code-9/notes", note())),
    "no code": (403, lambda it: it.send("/notes", note())),
    "the table's code": (405, lambda it: it.send("/code-0/notes", note())),
    "another address of a seat": (405, lambda it: it.send("/code-1/", note())),
    "events": (405, lambda it: it.send("/code-1/events", note())),
    "another seat in the body": (400, lambda it: it.send(ADA, note(seat="bo"))),
    "a kind of fact in the body": (400, lambda it: it.send(ADA, note(kind="deal"))),
    "another seat among the answers": (
        422,
        lambda it: it.send(ADA, note() | {"answers": {"cards": "com", "seat": "bo"}}),
    ),
    "a fact of the table": (422, lambda it: it.send(ADA, note() | {"line": "deal", "answers": {}})),
    "a line that nobody can note now": (422, lambda it: it.send(ADA, note() | {"line": "zone-1"})),
    "a time of its own": (400, lambda it: it.send(ADA, note(at={"us": 1, "clock": "board-1"}))),
    "somebody else's entry": (422, lambda it: it.send(ADA, {"id": "0123456789abcdef", "back": 2})),
    "the entry of the session": (
        422,
        lambda it: it.send(ADA, {"id": "0123456789abcdef", "back": 1}),
    ),
    "an entry far away": (422, lambda it: it.send(ADA, {"id": "0123456789abcdef", "back": 2**52})),
    "an entry out of any range": (
        400,
        lambda it: it.send(ADA, {"id": "0123456789abcdef", "back": 2**80}),
    ),
    "truth for a number": (400, lambda it: it.send(ADA, {"id": "0123456789abcdef", "back": True})),
    "a note and a taking back": (400, lambda it: it.send(ADA, note(back=2))),
    "neither": (400, lambda it: it.send(ADA, {"id": "0123456789abcdef"})),
    "no id": (400, lambda it: it.send(ADA, {"line": "hand", "answers": {"cards": "com"}})),
    "a short id": (400, lambda it: it.send(ADA, note() | {"id": "1"})),
    "an id with a colon": (400, lambda it: it.send(ADA, note() | {"id": "phone:bo:0123456789"})),
    "an id that is a list": (400, lambda it: it.send(ADA, note() | {"id": ["0123456789abcdef"]})),
    "answers that are a list": (400, lambda it: it.send(ADA, note() | {"answers": ["com"]})),
    "answers that are numbers": (400, lambda it: it.send(ADA, note() | {"answers": {"cards": 4}})),
    "half a sign": (400, lambda it: it.send(ADA, b'{"id":"0123456789abcdef","line":"\\ud800"}')),
    "a line break": (400, lambda it: it.send(ADA, note(cards="com\nember"))),
    "an escape code": (400, lambda it: it.send(ADA, note(cards="com\x1b[2J"))),
    "nothing": (400, lambda it: it.send(ADA, b"")),
    "no JSON": (400, lambda it: it.send(ADA, b"{")),
    "another kind of JSON": (400, lambda it: it.send(ADA, b"[]")),
    "no UTF-8": (400, lambda it: it.send(ADA, b"\xff\xfe")),
    "a deep nest": (400, lambda it: it.send(ADA, b"[" * 4000)),
    "a body too long": (413, lambda it: it.send(ADA, note(cards="x" * MOST_BODY))),
    "a body too long that says it is short": (
        413,
        lambda it: it.send(ADA, note(cards="x" * MOST_BODY), pieces=9, content_length="10"),
    ),
    "a body too long without a length": (
        413,
        lambda it: it.send(ADA, note(cards="x" * MOST_BODY), pieces=9, content_length=None),
    ),
    "a length of many digits": (413, lambda it: it.send(ADA, note(), content_length="9" * 4000)),
    "too many cards": (422, lambda it: it.send(ADA, note(cards="com,em,wa,pop,reed"))),
    "no cards": (422, lambda it: it.send(ADA, note(cards=" "))),
    "GET": (405, lambda it: it.ask(ADA)),
    "PUT": (405, lambda it: it.ask(ADA, "PUT")),
    "DELETE": (405, lambda it: it.ask(ADA, "DELETE")),
    "OPTIONS": (405, lambda it: it.ask(ADA, "OPTIONS")),
}


@pytest.mark.parametrize("case", HOSTILE)
async def test_whatever_else_somebody_sends_is_refused_and_nothing_is_recorded(
    tmp_path: Path, case: str
) -> None:
    status, send = HOSTILE[case]
    with phones(tmp_path) as at:
        before, notice = len(at.table._journal.entries), at.table.view().notice
        answer: Answer = await send(at.client)
        assert answer.status == status
        assert "access-control-allow-origin" not in answer.headers
        assert len(at.table._journal.entries) == before
        assert at.table.view().notice == notice


def test_there_are_as_many_hostile_cases_as_the_documents_say() -> None:
    assert len(HOSTILE) == 53


async def test_a_seat_may_send_five_notes_a_second_and_the_others_are_none_the_worse(
    tmp_path: Path,
) -> None:
    with phones(tmp_path) as at:
        at.pages._post = NotePost(at.table, lambda: 100.0, at_once)
        lines = [(await at.client.send(ADA, note(number))).status for number in range(20)]
        assert lines == [200] * MOST_A_SECOND + [429] * (20 - MOST_A_SECOND)
        assert (await at.client.send(BO, note())).status == 200
        assert at.noted == ["ada"] * MOST_A_SECOND + ["bo"]


@pytest.mark.parametrize(
    ("took", "waits"), [(0.002, 0.048), (0.049, 0.001), (0.051, 0.049), (0.12, 0.03)]
)
async def test_a_reply_comes_at_one_of_few_moments_whatever_the_work_took(
    tmp_path: Path, took: float, waits: float
) -> None:
    waited: list[float] = []

    async def pause(seconds: float) -> None:
        waited.append(seconds)

    with phones(tmp_path) as at:
        for body in (note(), note(cards="com"), b"{", note(cards="x" * MOST_BODY)):
            times = iter([10.0, 10.0, 10.0 + took])  # it came, it was counted, it was answered
            at.pages._post = NotePost(at.table, lambda times=times: next(times), pause)  # type: ignore[misc]
            await at.client.send(ADA, body)
    assert waited == pytest.approx([waits] * 4)


async def test_a_body_that_does_not_come_is_waited_for_a_few_seconds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(note_post, "BODY_S", 0.01)

    async def receive() -> dict[str, Any]:
        await asyncio.Event().wait()
        raise AssertionError("nothing comes")

    headers = {"host": HOST, "origin": ORIGIN, "content-type": "application/json"}
    pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
    with phones(tmp_path) as at:
        answer = Answer()
        scope = {"type": "http", "scheme": "http", "method": "POST", "path": ADA, "headers": pairs}
        async with asyncio.timeout(10):
            await at.pages(scope, receive, answer.take)
        assert answer.status == 408


async def test_who_only_looks_on_at_a_session_can_send_nothing(tmp_path: Path) -> None:
    with phones(tmp_path) as at:
        at.table.wait(len(at.table._journal.entries), 5)
        _, _, client = opened(at.table.path)
        answer = await client.send(ADA, note())
        assert answer.status == 405
        assert READ_ONLY in answer.text
        assert "data-line" not in (await client.ask("/code-1/")).text
        assert WRONG in (await client.send("/code-8/notes", note())).text


async def test_a_disk_that_is_slow_has_nothing_called_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from companion.journal.errors import NotSaved

    def slow(_n: int, _timeout: float) -> None:
        raise NotSaved("the disk is slow")

    with phones(tmp_path) as at:
        monkeypatch.setattr(at.table, "wait", slow)
        for _ in range(2):
            answer = await at.client.send(ADA, note())
            assert (answer.status, "Saved" in answer.text) == (503, False)
        monkeypatch.undo()
        assert (await at.client.send(ADA, note())).status == 200
        assert at.noted == ["ada"]


def test_what_would_be_taken_back_is_said_without_a_clause() -> None:
    assert "Take back: Ada noted goals<" in str(note_block((), Noted(7, "Ada noted goals (SR-3)")))


async def test_notes_that_wait_for_a_slow_disk_hold_up_no_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_the_disk, disk_goes_on = threading.Semaphore(0), threading.Event()
    wait = Table.wait

    def slow(table: Table, entry: int, seconds: float) -> None:
        at_the_disk.release()
        assert disk_goes_on.wait(20)
        wait(table, entry, seconds)

    with phones(tmp_path) as at:
        monkeypatch.setattr(Table, "wait", slow)
        many = 40  # more than the threads that asyncio has on any machine
        notes = [asyncio.create_task(at.client.send(ADA, note(number))) for number in range(many)]
        assert await asyncio.to_thread(at_the_disk.acquire, timeout=20)
        page = await at.client.ask("/code-0/")
        assert (page.status, [task for task in notes if task.done()]) == (200, [])
        disk_goes_on.set()
        assert {(await task).status for task in notes} == {200}
