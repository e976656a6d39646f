"""How much of the server one client can take."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from companion.games.base import TABLE
from companion.reports.markup import Markup
from companion.serve import connections
from companion.serve.addresses import LOCALHOST, listening
from companion.serve.app import Pages
from companion.serve.onlooker import Onlooker
from companion.serve.run import keep_serving
from tests.serve.client import ORIGIN, codes
from tests.serve.served import played

PATIENCE_S = 20
GET = b"GET /code-0/%s HTTP/1.1\r\nHost: here\r\n\r\n"


@asynccontextmanager
async def serving(folder: Path) -> AsyncIterator[tuple[Onlooker, Pages, int]]:
    """Pages on a real port, for the length of the block."""
    with played(folder) as table, listening(LOCALHOST, 0) as door:
        onlooker = Onlooker(table.path)
        pages = Pages(onlooker.showing, codes(), ORIGIN)
        task = asyncio.create_task(keep_serving(onlooker, pages, door))
        try:
            yield onlooker, pages, door.getsockname()[1]
        finally:
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task


@asynccontextmanager
async def connected(port: int, say: bytes = b"") -> AsyncIterator[asyncio.StreamReader]:
    """A connection that said something; what comes can be read."""
    reader, writer = await asyncio.open_connection(LOCALHOST, port)
    try:
        writer.write(say)
        async with asyncio.timeout(PATIENCE_S):
            yield reader
    finally:
        writer.transport.abort()


async def rest(reader: asyncio.StreamReader) -> bytes:
    """What comes until the connection ends, in whatever way."""
    try:
        return await reader.read()
    except ConnectionResetError:
        return b""


async def test_a_page_and_its_stream_come_over_a_real_connection(tmp_path: Path) -> None:
    async with serving(tmp_path) as (_, _, port), connected(port, GET % b"" + GET % b"events") as reader:
        head = await reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200 OK\r\n")
        assert b"\r\nserver:" not in head
        await reader.readuntil(b"</html>")
        await reader.readuntil(b"event: blocks\n")


@pytest.mark.parametrize("said", [b"", b"GET /code-0/ HTTP/1.1\r\nHost:"])
async def test_who_asks_nothing_or_half_is_cut_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: bytes
) -> None:
    monkeypatch.setattr(connections, "HURRY_S", 0.05)
    async with serving(tmp_path) as (_, _, port), connected(port, said) as reader:
        assert await rest(reader) == b""


async def test_half_a_second_request_is_cut_off_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HURRY_S", 0.05)
    async with serving(tmp_path) as (_, _, port):
        reader, writer = await asyncio.open_connection(LOCALHOST, port)
        writer.write(GET % b"")
        async with asyncio.timeout(PATIENCE_S):
            await reader.readuntil(b"</html>")
            writer.write(b"GET /cod")
            assert await rest(reader) == b"\n"
        writer.transport.abort()


async def test_one_connection_too_many_is_refused_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "MOST_CONNECTIONS", 2)
    stream = GET % b"events"
    async with serving(tmp_path) as (_, _, port), connected(port, stream) as one, connected(port, stream) as two:
        for reader in (one, two):
            await reader.readuntil(b"event: blocks\n")
        async with connected(port) as third:
            refused = await third.read()
        assert refused.startswith(b"HTTP/1.1 503 ")
        assert b"Too many connections are open" in refused


async def test_a_page_that_takes_nothing_is_cut_off_and_holds_up_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "SLOW_S", 0.05)
    async with serving(tmp_path) as (onlooker, pages, port):
        with socket.create_connection((LOCALHOST, port)) as deaf:
            deaf.sendall(GET % b"events")
            async with asyncio.timeout(PATIENCE_S):
                while pages.open == 0:
                    await asyncio.sleep(0)
                number = 0
                while pages.open:
                    number += 1
                    log = Markup(f"{number}" + "x" * 1_000_000)
                    shown = onlooker.showing
                    pages.show(replace(shown, blocks=dict(shown.blocks) | {TABLE: shown.blocks[TABLE] | {"log": log}}))
                    await asyncio.sleep(0.001)
        async with connected(port, GET % b"") as reader:
            assert (await reader.readline()).startswith(b"HTTP/1.1 200")
