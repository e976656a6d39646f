"""How much of the server one client can take."""

from __future__ import annotations

import asyncio
import errno
import os
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from uvicorn.server import ServerState

from companion.reports.markup import Markup
from companion.rules.facts import TABLE
from companion.web import connections
from companion.web.addresses import LOCALHOST, listening
from companion.web.app import Pages
from companion.web.lookers import Onlooker
from companion.web.run import keep_serving
from companion.web.showing import PageContents
from tests.web.client import ORIGIN, codes
from tests.web.served import played

TIMEOUT_S = 20
GET = b"GET /code-0/%s HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


@asynccontextmanager
async def serving(folder: Path) -> AsyncIterator[tuple[Onlooker, Pages, int]]:
    """Serve pages on a real port during the block."""
    with played(folder) as table, listening(LOCALHOST, 0) as door:
        onlooker = Onlooker(table.path)
        pages = Pages(onlooker.showing, codes(), ORIGIN, onlooker.tail)
        task = asyncio.create_task(keep_serving(onlooker, pages, (door,)))
        try:
            yield onlooker, pages, door.getsockname()[1]
        finally:
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task


@asynccontextmanager
async def connected(
    port: int, say: bytes = b"", device: str = LOCALHOST
) -> AsyncIterator[asyncio.StreamReader]:
    """Connect from an address and send something; yield a reader."""
    reader, writer = await asyncio.open_connection(LOCALHOST, port, local_addr=(device, 0))
    try:
        writer.write(say)
        async with asyncio.timeout(TIMEOUT_S):
            yield reader
    finally:
        writer.transport.abort()


async def rest(reader: asyncio.StreamReader) -> bytes:
    """Return what comes until the connection ends, in whatever way."""
    try:
        return await reader.read()
    except ConnectionResetError:
        return b""


async def talk_on(writer: asyncio.StreamWriter) -> None:
    """Send more and more until nobody takes it."""
    while True:
        writer.write(b"x")
        await writer.drain()
        await asyncio.sleep(0)


def refusal(answer: bytes) -> tuple[int, str]:
    """Return the status and the sentence of an answer that ends the connection."""
    head, _, sentence = answer.decode().partition("\r\n\r\n")
    assert "\r\nconnection: close" in head
    return int(head.split(" ")[1]), sentence.removesuffix("\n")


async def test_a_page_and_its_stream_come_over_a_real_connection(tmp_path: Path) -> None:
    async with (
        serving(tmp_path) as (_, _, port),
        connected(port, GET % b"" + GET % b"events") as reader,
    ):
        head = await reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200 OK\r\n")
        assert b"\r\nserver:" not in head
        await reader.readuntil(b"</html>")
        await reader.readuntil(b"event: blocks\n")


async def test_who_asks_nothing_is_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "REQUEST_TIMEOUT_S", 0.05)
    async with serving(tmp_path) as (_, _, port), connected(port) as reader:
        assert await rest(reader) == b""


async def test_who_asks_half_is_told_so_and_cut_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "REQUEST_TIMEOUT_S", 0.05)
    async with (
        serving(tmp_path) as (_, _, port),
        connected(port, b"GET /code-0/ HTTP/1.1\r\nHost:") as reader,
    ):
        assert refusal(await rest(reader)) == (408, connections.TOO_SLOW)


async def test_half_a_second_request_is_cut_off_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "REQUEST_TIMEOUT_S", 0.05)
    async with serving(tmp_path) as (_, _, port):
        reader, writer = await asyncio.open_connection(LOCALHOST, port)
        writer.write(GET % b"")
        async with asyncio.timeout(TIMEOUT_S):
            await reader.readuntil(b"</html>\n")
            writer.write(b"GET /cod")
            assert refusal(await rest(reader)) == (408, connections.TOO_SLOW)
        writer.transport.abort()


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("sized", ["Content-Length: 1000000", "Transfer-Encoding: chunked"])
async def test_a_body_that_drips_is_cut_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str, sized: str
) -> None:
    monkeypatch.setattr(connections, "REQUEST_TIMEOUT_S", 0.05)
    async with serving(tmp_path) as (_, _, port):
        reader, writer = await asyncio.open_connection(LOCALHOST, port)
        writer.write(
            f"{method} /code-0/events HTTP/1.1\r\nHost: 127.0.0.1\r\n{sized}\r\n\r\n".encode()
        )
        ended = asyncio.ensure_future(rest(reader))
        async with asyncio.timeout(TIMEOUT_S):
            while not ended.done():
                writer.write(b"1\r\n.\r\n")
                await asyncio.wait((ended,), timeout=0.01)
        writer.transport.abort()
        async with connected(port, GET % b"") as other:
            assert (await other.readline()).startswith(b"HTTP/1.1 200 ")


async def test_a_head_that_does_not_end_is_refused_by_its_size(tmp_path: Path) -> None:
    endless = b"GET /code-0/ HTTP/1.1\r\nHost: " + b"x" * (connections.MOST_HEAD + 1)
    async with serving(tmp_path) as (_, _, port), connected(port, endless) as reader:
        assert refusal(await rest(reader)) == (400, connections.NOT_HTTP)


@pytest.mark.parametrize(
    ("bound", "said"),
    [("MOST_CONNECTIONS", connections.TOO_MANY), ("MOST_FROM_ONE", connections.TOO_MANY_FROM_ONE)],
)
async def test_one_connection_too_many_is_refused_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bound: str, said: str
) -> None:
    monkeypatch.setattr(connections, bound, 2)
    stream = GET % b"events"
    async with (
        serving(tmp_path) as (_, pages, port),
        connected(port, stream) as one,
        connected(port, stream) as two,
    ):
        for reader in (one, two):
            await reader.readuntil(b"event: blocks\n")
        for _ in range(3):
            async with connected(port, GET % b"") as third:
                assert refusal(await third.read()) == (503, said)
        assert pages.open == 2


@pytest.mark.skipif(sys.platform == "darwin", reason="this system has one loopback address")
async def test_a_device_with_too_many_connections_keeps_no_other_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "MOST_FROM_ONE", 3)
    monkeypatch.setattr(connections, "MOST_CONNECTIONS", 5)
    async with serving(tmp_path) as (_, _, port), AsyncExitStack() as crowd:
        readers = [await crowd.enter_async_context(connected(port)) for _ in range(20)]
        firsts = [asyncio.ensure_future(rest(reader)) for reader in readers]
        await asyncio.wait(firsts, return_when=asyncio.FIRST_COMPLETED)
        async with connected(port, GET % b"", device="127.0.0.2") as other:
            assert (await other.readline()).startswith(b"HTTP/1.1 200 ")
        told = [refusal(await first) for first in firsts[3:6]]
        assert told == [(503, connections.TOO_MANY_FROM_ONE)] * 3
        assert [await first for first in firsts[6:]] == [b""] * 14, (
            "more than twice as many are not even told"
        )
        assert not any(first.done() for first in firsts[:3])


class Vanished(asyncio.Transport):
    """A connection whose client left before it was refused."""

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Discard it."""

    def can_write_eof(self) -> bool:
        return True

    def write_eof(self) -> None:
        raise OSError(errno.ENOTCONN, os.strerror(errno.ENOTCONN))

    def is_closing(self) -> bool:
        return True

    def close(self) -> None:
        """Do nothing."""

    abort = close


async def test_who_is_gone_before_they_are_refused_is_no_fault(tmp_path: Path) -> None:
    async with serving(tmp_path) as (_, pages, _):
        config = connections.server_of(pages).config
        config.load()
        refused = connections.BoundedConnection(config, ServerState(), {})
        refused.connection_made(Vanished())
        refused.send_400_response("")
        refused.connection_lost(None)


async def test_a_refused_one_that_stays_is_cut_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "MOST_FROM_ONE", 1)
    monkeypatch.setattr(connections, "CLOSE_GRACE_S", 0.05)
    async with serving(tmp_path) as (_, _, port), connected(port, GET % b"events") as served:
        await served.readuntil(b"event: blocks\n")
        reader, writer = await asyncio.open_connection(LOCALHOST, port)
        async with asyncio.timeout(TIMEOUT_S):
            assert refusal(await rest(reader)) == (503, connections.TOO_MANY_FROM_ONE)
            with pytest.raises(ConnectionError):
                await talk_on(writer)
        writer.transport.abort()


def more_than_any_buffer(onlooker: Onlooker) -> PageContents:
    """Return contents that exceed the buffers of both ends of a connection."""
    shown, log = onlooker.showing, Markup("x" * 30_000_000)
    return replace(shown, blocks=dict(shown.blocks) | {TABLE: shown.blocks[TABLE] | {"log": log}})


@asynccontextmanager
async def deaf(
    port: int, request: bytes, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[asyncio.Event]:
    """Open a connection that reads one byte of its answer and then nothing; the event is set once the server drops
    it."""
    ended = asyncio.Event()

    lost = connections.BoundedConnection.connection_lost

    def seen(self: connections.BoundedConnection, error: Exception | None) -> None:
        lost(self, error)
        ended.set()

    monkeypatch.setattr(connections.BoundedConnection, "connection_lost", seen)
    # Linux would cut it off by itself
    monkeypatch.setattr(connections, "_forget_the_vanished", lambda _: None)
    with socket.create_connection((LOCALHOST, port)) as taker:
        taker.setblocking(False)
        async with asyncio.timeout(TIMEOUT_S):
            await asyncio.get_running_loop().sock_sendall(taker, request)
            await asyncio.get_running_loop().sock_recv(taker, 1)
            yield ended


async def test_a_page_that_takes_nothing_is_cut_off_and_holds_up_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "SLOW_S", 0.05)
    async with serving(tmp_path) as (onlooker, pages, port):
        async with deaf(port, GET % b"events", monkeypatch) as ended:
            assert pages.open == 1
            pages.show(more_than_any_buffer(onlooker))
            await ended.wait()
        pages.show(onlooker.showing)
        async with connected(port, GET % b"") as reader:
            assert (await reader.readline()).startswith(b"HTTP/1.1 200")


async def test_who_does_not_take_the_last_answer_is_cut_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "SLOW_S", 0.05)
    made = connections.BoundedConnection.connection_made

    def roomy(self: connections.BoundedConnection, transport: asyncio.BaseTransport) -> None:
        """Make the rest of an answer smaller than a full buffer."""
        made(self, transport)
        assert isinstance(transport, asyncio.Transport)
        transport.set_write_buffer_limits(1 << 30)

    monkeypatch.setattr(connections.BoundedConnection, "connection_made", roomy)
    last = b"GET /code-0/ HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
    async with serving(tmp_path) as (onlooker, pages, port):
        pages.show(more_than_any_buffer(onlooker))
        async with deaf(port, last, monkeypatch) as ended:
            await ended.wait()
