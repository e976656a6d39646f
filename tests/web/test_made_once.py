"""What pages cost: each is made once after a change, in a thread, and a new connection searches through no others."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from uvicorn.server import ServerState

from companion.feed.events import line_of
from companion.web import connections, document
from companion.web.connections import ConnectionCounts, Rank
from companion.web.responses import EventStream
from tests.web.client import Answer, news, opened
from tests.web.served import played, press


class Watched:
    """A function that notes the threads it was called in."""

    def __init__(self, does: Callable[..., Any]) -> None:
        self._does = does
        self.threads: list[threading.Thread] = []

    def __call__(self, *args: Any, **options: Any) -> Any:
        self.threads.append(threading.current_thread())
        return self._does(*args, **options)


async def test_a_page_that_many_ask_for_is_made_once_until_something_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = Watched(document.session_page)
    monkeypatch.setattr(document, "session_page", made)
    with played(tmp_path) as table:
        onlooker, pages, client = opened(table.path)
        answers = await asyncio.gather(*(client.ask("/code-0/") for _ in range(20)))
        assert len({answer.text for answer in answers}) == 1
        assert len(made.threads) == 1
        press(table, "fire")
        news(onlooker, pages)
        assert "fire! round 1" in (await client.ask("/code-0/")).text
        await client.ask("/code-1/")
    assert len(made.threads) == 3
    assert threading.current_thread() not in made.threads


async def test_a_change_is_written_once_for_all_pages_that_had_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = Watched(json.dumps)
    with played(tmp_path) as table:
        onlooker, pages, client = opened(table.path)
        async with AsyncExitStack() as all_of_them:
            opening = [client.stream("/code-0/events") for _ in range(10)]
            streams = [await all_of_them.enter_async_context(stream) for stream in opening]
            for stream in streams:
                await stream.until(1)
            monkeypatch.setattr("companion.web.rendered.json.dumps", written)
            press(table, "fire")
            news(onlooker, pages)
            for stream in streams:
                await stream.until(2)
            monkeypatch.undo()
    assert len({stream.events[1][1]["log"] for stream in streams}) == 1
    blocks = [thread for thread in written.threads if thread is not threading.main_thread()]
    assert len(blocks) == 1


@pytest.mark.parametrize("what", ["overlay", "caller", "qr"])
async def test_other_pages_are_made_once_in_a_thread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    made = Watched(getattr(document, f"{what}_page"))
    monkeypatch.setattr(document, f"{what}_page", made)
    with played(tmp_path) as table:
        _, _, client = opened(table.path)
        for _ in range(3):
            assert (await client.ask(f"/code-0/{what}")).status == 200
    assert len(made.threads) == 1
    assert threading.current_thread() not in made.threads


async def test_a_reader_of_the_feed_is_served_from_a_thread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = Watched(line_of)
    monkeypatch.setattr("companion.web.feed_tail.line_of", lines)
    with played(tmp_path) as table:
        _, _, client = opened(table.path)
        async with client.stream("/code-0/feed") as stream:
            await stream.until_told(1)
    assert lines.threads
    assert threading.current_thread() not in lines.threads


async def test_who_leaves_while_a_page_is_made_takes_it_from_nobody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on, make = threading.Event(), document.session_page

    def slow(*args: Any) -> str:
        assert go_on.wait(20)
        return make(*args)

    monkeypatch.setattr(document, "session_page", slow)
    with played(tmp_path) as table:
        _, _, client = opened(table.path)
        first, second = (asyncio.create_task(client.ask("/code-0/")) for _ in range(2))
        await asyncio.sleep(0)
        first.cancel()
        await asyncio.sleep(0)
        go_on.set()
        assert "<h1>Panic Fire</h1>" in (await second).text
        await asyncio.wait((first,))


@pytest.mark.parametrize(
    "path", ["", "events", "feed", "overlay", "caller", "qr", "notes", "nothing"]
)
@pytest.mark.parametrize("code", ["code-0", "code-1", "code-9"])
@pytest.mark.parametrize("method", ["HEAD", "GET", "POST"])
async def test_no_answer_of_a_table_sets_a_cookie(
    tmp_path: Path, path: str, code: str, method: str
) -> None:
    with played(tmp_path) as table:
        _, _, client = opened(table.path)
        async with client.stream(f"/{code}/{path}", method) as answer, asyncio.timeout(10):
            while not answer.status:
                await answer._came.wait()
                answer._came.clear()
    assert "set-cookie" not in answer.headers


async def test_a_part_of_a_stream_is_sent_before_the_next_one_is_asked_for() -> None:
    answer, closed = Answer(), []

    async def parts() -> Any:
        try:
            yield b"one"
            assert answer.body == b"one"
            yield b"two"
            assert answer.body == b"onetwo"
            await asyncio.Event().wait()
        finally:
            closed.append(True)

    gone = asyncio.Event()

    async def receive() -> dict[str, Any]:
        await gone.wait()
        return {"type": "http.disconnect"}

    # A server of ASGI 2.4 tells by itself of nobody who is gone.
    scope = {"type": "http", "method": "GET", "asgi": {"spec_version": "2.4"}}
    streaming = asyncio.create_task(EventStream(parts(), {})(scope, receive, answer.take))
    async with asyncio.timeout(10):
        while answer.body != b"onetwo":
            await answer._came.wait()
            answer._came.clear()
        gone.set()
        await streaming
    assert closed == [True]


def test_a_counts_counts_each_address_and_who_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "MOST_CONNECTIONS", 3)
    monkeypatch.setattr(connections, "MOST_FROM_ONE", 2)
    counts = ConnectionCounts()
    lines = []
    for address in ("one", "one", "one", "other", "third"):
        why = counts.why_not(address)
        counts.enter(address, Rank.REFUSED if why else Rank.SERVED)
        lines.append(why)
    assert lines == ["", "", connections.TOO_MANY_FROM_ONE, "", connections.TOO_MANY]
    assert not counts.is_beyond_words("other")
    counts.leave("one", Rank.REFUSED)
    counts.leave("one", Rank.SERVED)
    assert counts.why_not("third") == ""
    counts.move("third", Rank.REFUSED, Rank.RESERVED)
    for address, rank in (("one", Rank.SERVED), ("other", Rank.SERVED), ("third", Rank.RESERVED)):
        counts.leave(address, rank)
    assert vars(counts) == vars(ConnectionCounts())


async def test_a_new_connection_looks_at_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with played(tmp_path) as table:
        _, pages, _ = opened(table.path)
        config = connections.server_of(pages).config
        config.load()
        state = ServerState()

        class Unsearchable(set[Any]):
            def __iter__(self) -> Any:
                raise AssertionError("it was searched")

        state.connections = Unsearchable()
        made = connections.BoundedConnection(config, state, {})
        made.connection_made(asyncio.Transport())
        made.connection_lost(OSError())
