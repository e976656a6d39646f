"""Pages for everybody are made once for many, hold all that was committed before, and let those who look on be many."""

from __future__ import annotations

import asyncio
import gzip
import resource
import socket
import threading
from contextlib import ExitStack

import pytest
from hypothesis import given, strategies as st
from starlette.requests import Request
from starlette.responses import Response

from companion.hub import run
from companion.hub.database import Database
from companion.hub.news import News
from companion.hub.shared_pages import ReadyPage, SharedPage
from companion.web.addresses import LOCALHOST
from tests.hub.parts import RunningHub, running, until


def asked(**fields: str) -> Request:
    headers = [(name.replace("_", "-").encode(), text.encode()) for name, text in fields.items()]
    return Request({"type": "http", "headers": headers})


class Committed:
    """The content of a page: how much was committed, and how often the page was made."""

    def __init__(self) -> None:
        self.news, self.count, self.made = News(), 0, 0
        self.tries, self.fails = 0, False
        self.begun, self.let = threading.Event(), threading.Event()
        self.let.set()
        self.page = SharedPage(self._made, self.news)

    def commit(self) -> None:
        self.count += 1
        self.news.tell()

    def _made(self) -> str:
        self.tries += 1
        if self.fails:
            raise LookupError("a page with a bug")
        text = str(self.count)
        self.begun.set()
        assert self.let.wait(20)
        self.made += 1
        return text

    async def seen(self) -> int:
        """Ask as an open page does."""
        return int(bytes((await self.page.answer(asked(if_none_match=""))).body))

    async def opened(self) -> int:
        """Ask as a browser does that opens the page."""
        return int(bytes((await self.page.answer(asked())).body))


def test_a_thousand_who_ask_at_once_get_one_page_that_is_made_once() -> None:
    async def ask() -> None:
        it = Committed()
        it.commit()
        assert set(await asyncio.gather(*(it.seen() for _ in range(1000)))) == {1}
        assert it.made == 1
        assert await it.seen() == 1
        assert it.made == 1

    asyncio.run(ask())


def test_who_asks_while_a_page_is_being_made_gets_what_was_committed_before_they_asked() -> None:
    async def ask() -> None:
        it = Committed()
        it.let.clear()
        first = asyncio.create_task(it.seen())
        await asyncio.sleep(0)
        while not it.begun.is_set():
            await asyncio.sleep(0)
        it.commit()
        later = [asyncio.create_task(it.seen()) for _ in range(50)]
        await asyncio.sleep(0)
        it.let.set()
        assert await first in (0, 1)
        assert set(await asyncio.gather(*later)) == {1}
        assert it.made <= 2

    asyncio.run(ask())


def test_who_opens_a_page_waits_for_no_new_one_if_the_last_is_of_this_second(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def ask() -> None:
        it = Committed()
        assert await it.opened() == 0
        it.commit()
        it.let.clear()
        asking = asyncio.create_task(it.seen())
        await asyncio.sleep(0)
        assert await it.opened() == 0
        assert not asking.done()
        it.let.set()
        assert await asking == 1
        assert await it.opened() == 1
        it.commit()
        monkeypatch.setattr("companion.hub.shared_pages.FRESH_S", -1.0)
        assert await it.opened() == 2

    asyncio.run(ask())


def test_a_page_that_people_open_is_kept_ready_in_the_background_and_another_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def look() -> None:
        monkeypatch.setattr("companion.hub.shared_pages.LOOK_S", 0.0)
        monkeypatch.setattr("companion.hub.shared_pages.FRESH_S", 1e9)
        it, unasked = Committed(), Committed()
        ending = asyncio.Event()
        keeping = [asyncio.create_task(each.page.keep_ready(ending)) for each in (it, unasked)]
        assert await it.opened() == 0
        it.commit()
        unasked.commit()
        async with asyncio.timeout(20):
            while await it.opened() < 1:
                await asyncio.sleep(0)
        assert (it.made, unasked.made) == (2, 0)
        ending.set()
        await asyncio.gather(*keeping)

    asyncio.run(look())


def test_a_page_that_fails_in_the_background_is_logged_once_and_made_when_it_can_be(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def look() -> None:
        monkeypatch.setattr("companion.hub.shared_pages.LOOK_S", 0.0)
        monkeypatch.setattr("companion.hub.shared_pages.FRESH_S", 1e9)
        it = Committed()
        assert await it.opened() == 0
        ending = asyncio.Event()
        keeping = asyncio.create_task(it.page.keep_ready(ending))
        for spell in (1, 2):
            it.tries, it.fails = 0, True
            it.commit()
            async with asyncio.timeout(20):
                while it.tries < 3:
                    await asyncio.sleep(0)
            it.fails = False
            async with asyncio.timeout(20):
                while await it.opened() < spell:
                    await asyncio.sleep(0)
            assert caplog.text.count("cannot be rendered") == spell
        ending.set()
        await keeping

    asyncio.run(look())


@given(st.lists(st.booleans(), max_size=30))
def test_nobody_ever_gets_less_than_was_committed_when_they_asked(steps: list[bool]) -> None:
    async def act() -> None:
        it = Committed()
        asking: list[tuple[int, asyncio.Task[int]]] = []
        for is_commit in steps:
            if is_commit:
                it.commit()
            else:
                asking.append((it.count, asyncio.create_task(it.seen())))
            await asyncio.sleep(0)
        for count, task in asking:
            assert await task >= count

    asyncio.run(act())


def test_a_page_is_packed_for_who_takes_it_so_and_not_sent_again_to_who_has_it() -> None:
    ready = ReadyPage("standings " * 100)
    answers: list[Response] = [
        ready.answer(asked(**fields).headers)
        for fields in (
            {},
            {"accept_encoding": "gzip, deflate"},
            {"if_none_match": ready.answer({}).headers["etag"]},
        )
    ]
    plain, packed, same = answers
    assert gzip.decompress(bytes(packed.body)) == bytes(plain.body) == b"standings " * 100
    assert [answer.headers.get("content-encoding") for answer in answers] == [None, "gzip", None]
    assert (same.status_code, bytes(same.body)) == (304, b"")
    assert len({answer.headers["etag"] for answer in answers}) == 1
    assert all(
        "default-src 'none'" in answer.headers["content-security-policy"] for answer in answers
    )
    assert (
        ready.answer({"if-none-match": ReadyPage("others").answer({}).headers["etag"]}).status_code
        == 200
    )


def test_who_is_slow_to_hear_hears_the_newest_word_and_misses_none() -> None:
    async def hear() -> None:
        news = News()
        waking = asyncio.create_task(news.keep_waking())
        await asyncio.sleep(0)
        heard = news.listen()
        assert [await anext(heard), news.listeners] == [0, 1]
        for _ in range(3):
            news.tell()
        while (number := await anext(heard)) != 3:
            assert number < 3
        news.tell()
        assert await anext(heard) == 4
        await heard.aclose()
        assert news.listeners == 0
        waking.cancel()

    asyncio.run(hear())


def test_pages_beyond_the_bound_are_not_told_and_take_no_room_from_tables(
    on_sqlite: Database,
) -> None:
    with running(on_sqlite, most_listeners=2) as hub, ExitStack() as open_pages:
        first, second, third = (_listening(hub, open_pages) for _ in range(3))
        assert [text.startswith(b"HTTP/1.1 200") for _, text in (first, second)] == [True, True]
        assert third[1].startswith(b"HTTP/1.1 503")
        assert hub.browser().get("/healthz").status == 200
        first[0].close()
        until(lambda: _listening(hub, open_pages)[1].startswith(b"HTTP/1.1 200"))


def test_where_nothing_is_committed_an_open_page_asks_again_now_and_then(
    on_sqlite: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.hub.news.BEAT_S", 0.01)
    with running(on_sqlite) as hub, ExitStack() as open_pages:
        page, text = _listening(hub, open_pages)
        while text.count(b"data: 0\n") < 2:
            came = page.recv(4096)
            assert came, text
            text += came


def _listening(hub: RunningHub, open_pages: ExitStack) -> tuple[socket.socket, bytes]:
    page = open_pages.enter_context(socket.create_connection((LOCALHOST, hub.port), timeout=20))
    page.sendall(b"GET /news HTTP/1.1\r\nhost: x\r\n\r\n")
    return page, page.recv(4096)


@pytest.mark.parametrize(
    ("may", "could", "most", "then"),
    [
        (1024, 1 << 20, 10_000, 10_200),
        (1024, 4096, 3896, 4096),
        (256, resource.RLIM_INFINITY, 10_000, 10_200),
        (20_000, 20_000, 10_000, 20_000),
        (resource.RLIM_INFINITY, resource.RLIM_INFINITY, 10_000, resource.RLIM_INFINITY),
    ],
)
def test_as_many_connect_as_the_system_lets_a_program_open_files(
    may: int, could: int, most: int, then: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [may]
    monkeypatch.setattr(resource, "getrlimit", lambda _: (now[0], could))
    monkeypatch.setattr(resource, "setrlimit", lambda _, both: now.__setitem__(0, both[0]))
    assert (run._most_at_once(), now[0]) == (most, then)


def test_where_the_system_grants_no_more_files_as_many_connect_as_it_let_open_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_about: object) -> None:
        raise ValueError("exceeds the system's bound")

    monkeypatch.setattr(resource, "getrlimit", lambda _: (1024, resource.RLIM_INFINITY))
    monkeypatch.setattr(resource, "setrlimit", refuse)
    assert run._most_at_once() == 824
