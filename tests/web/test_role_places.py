"""Pages of roles have places of their own: over real sockets, a crowd that only looks on keeps none of them out."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, closing
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from companion.feed.feed import session_id
from companion.session.opening import begin
from companion.session.roles import Role
from companion.session.table import Table
from companion.web import connections
from companion.web.addresses import LOCALHOST
from companion.web.app import MOST_PAGES
from companion.web.at_play import TablePages
from companion.web.connections import BoundedConnection, code_in
from companion.web.role_streams import MOST_STREAMS, Place, RolePlaces
from companion.web.showing import place_of
from tests.web.acting import FIRE, draw_plainly
from tests.web.test_bounds import connected, rest

pytestmark = pytest.mark.skipif(
    sys.platform == "darwin", reason="this system has one loopback address"
)


@pytest.fixture(autouse=True)
def plain_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    draw_plainly(monkeypatch)


@pytest.fixture
def at(tmp_path: Path) -> Iterator[tuple[Table, TablePages]]:
    table = begin("panic-fire", ("Ann", "Bo", "Cleo"), {}, tmp_path / "evening.sqlite")
    with closing(table), closing(TablePages(table, LOCALHOST)) as pages:
        yield table, pages


def get(address: str, path: str = "") -> bytes:
    """Return a request for a page at an address, or for something below it."""
    where = urlsplit(address)
    return f"GET {where.path}{path} HTTP/1.1\r\nHost: {where.netloc}\r\n\r\n".encode()


def tap(table: Table, address: str) -> bytes:
    """Return a tap on the page of a role at an address."""
    where = urlsplit(address)
    session = table.look(lambda record: record.entries[0])
    body = json.dumps(
        {
            "id": "tap-of-the-referee",
            "place": place_of(session_id(session), Role.REFEREE),
            "seen": table.view().newest,
            "heard": 1,
            "device": {"id": "page-of-a-tablet"},
            "wish": FIRE,
        }
    )
    head = (
        f"POST {where.path}do HTTP/1.1",
        f"Host: {where.netloc}",
        f"Origin: http://{where.netloc}",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
    )
    return ("\r\n".join((*head, "", body))).encode()


@asynccontextmanager
async def crowd(port: int, count: int, say: bytes, *addresses: str) -> AsyncIterator[list[Any]]:
    """Open many connections from some addresses, each of which says the same."""
    async with AsyncExitStack() as stack:
        readers = []
        for number in range(count):
            device = addresses[number % len(addresses)]
            readers.append(await stack.enter_async_context(connected(port, say, device)))
        yield readers


async def plays(table: Table, address: str, device: str) -> None:
    """Open a page of the referee from an address, follow its stream, and tap on it."""
    port = urlsplit(address).port
    assert port is not None
    async with (
        connected(port, get(address), device) as page,
        connected(port, get(address, "events"), device) as stream,
        connected(port, tap(table, address), device) as tapped,
    ):
        assert (await page.readline()).startswith(b"HTTP/1.1 200 ")
        await stream.readuntil(b"event: heard\n")
        assert (await tapped.readline()).startswith(b"HTTP/1.1 200 ")
        await stream.readuntil(b"event: blocks\n")


@pytest.mark.parametrize("device", ["127.0.0.9", "127.0.0.2"], ids=["elsewhere", "same router"])
async def test_a_flood_of_connections_from_several_addresses_keeps_no_referee_out(
    at: tuple[Table, TablePages], device: str
) -> None:
    table, pages = at
    referee = pages.address_of_role(pages.give_out(Role.REFEREE, "whistle"))
    port, flood = pages.origins.port, ("127.0.0.2", "127.0.0.3", "127.0.0.4")
    silent = 2 * connections.MOST_CONNECTIONS + connections.MOST_WAITING
    async with crowd(port, silent, b"", *flood):
        async with connected(port, get(pages.address_of()), "127.0.0.8") as onlooker:
            assert not (await rest(onlooker)).startswith(b"HTTP/1.1 200 ")
        await plays(table, referee, device)
    assert [entry.kind for entry in table._journal.entries].count("fire") == 1


async def test_sixty_onlookers_leave_a_place_for_each_role(at: tuple[Table, TablePages]) -> None:
    table, pages = at
    addresses = []
    for _ in range(MOST_STREAMS):
        addresses.append(pages.address_of_role(pages.give_out(Role.REFEREE, "whistle")))
    port, everybody = pages.origins.port, get(pages.address_of(), "events")
    async with crowd(port, MOST_PAGES, everybody, "127.0.0.2", "127.0.0.3") as readers:
        for reader in readers:
            await reader.readuntil(b"event: blocks\n")
        async with connected(port, everybody, "127.0.0.4") as late:
            assert (await late.readline()).startswith(b"HTTP/1.1 503 ")
        async with AsyncExitStack() as stack:
            for address in addresses:
                line = await stack.enter_async_context(connected(port, get(address, "events")))
                await line.readuntil(b"event: blocks\n")
        await plays(table, addresses[0], LOCALHOST)


async def test_beyond_the_bounds_whoever_names_no_role_is_told_so(
    at: tuple[Table, TablePages], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, pages = at
    pages.give_out(Role.REFEREE, "whistle")
    monkeypatch.setattr(connections, "MOST_CONNECTIONS", 9)
    port, everybody = pages.origins.port, pages.address_of()
    async with crowd(port, 9, get(everybody, "events"), LOCALHOST) as readers:
        for reader in readers:
            await reader.readuntil(b"event: blocks\n")
        for request in (get(everybody), b"GET / HTTP/1.1\r\n", b"nonsense\n", b"x" * 600):
            async with connected(port, request) as other:
                assert connections.TOO_MANY.encode() in await rest(other), request
        monkeypatch.setattr(connections, "FIRST_LINE_S", 0.05)
        async with connected(port) as silent:
            assert connections.TOO_MANY.encode() in await rest(silent)


async def test_a_line_that_comes_in_pieces_is_read_to_its_end(
    at: tuple[Table, TablePages], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, pages = at
    referee = pages.address_of_role(pages.give_out(Role.REFEREE, "whistle"))
    monkeypatch.setattr(connections, "MOST_CONNECTIONS", 1)
    read = BoundedConnection.data_received

    def in_pieces(self: BoundedConnection, data: bytes) -> None:
        for at_byte in range(len(data)):
            read(self, data[at_byte : at_byte + 1])

    port = pages.origins.port
    async with connected(port, get(pages.address_of(), "events")) as first:
        await first.readuntil(b"event: blocks\n")
        monkeypatch.setattr(BoundedConnection, "data_received", in_pieces)
        async with connected(port, get(referee)) as page:
            assert (await page.readline()).startswith(b"HTTP/1.1 200 ")


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"GET /abc/events HTTP/1.1\r", "abc"),
        (b"POST /abc/do HTTP/1.1\r", "abc"),
        (b"GET /abc HTTP/1.1\r", "abc"),
        (b"GET / HTTP/1.1\r", ""),
        (b"GET /abc/", ""),
        (b"\x16\x03\x01", ""),
        (b"GET /\xff\xfe/ HTTP/1.1\r", "\ufffd\ufffd"),
    ],
)
def test_the_first_line_names_a_code(line: bytes, code: str) -> None:
    assert code_in(line) == code


async def test_the_ninth_stream_of_one_role_is_refused_and_another_role_still_gets_one(
    at: tuple[Table, TablePages],
) -> None:
    _, pages = at
    one = pages.address_of_role(pages.give_out(Role.REFEREE, "whistle"))
    other = pages.address_of_role(pages.give_out(Role.TABLE, "tablet"))
    port = pages.origins.port
    async with crowd(port, MOST_STREAMS, get(one, "events"), LOCALHOST) as readers:
        for reader in readers:
            await reader.readuntil(b"event: blocks\n")
        async with connected(port, get(one, "events")) as ninth:
            assert (await ninth.readline()).startswith(b"HTTP/1.1 503 ")
        async with connected(port, get(other, "events")) as stream:
            await stream.readuntil(b"event: blocks\n")
            await readers[0].readuntil(b"event: gone\n")


def test_a_device_that_connects_again_gets_its_own_place_when_each_has_one() -> None:
    places = RolePlaces(lambda: None)
    taken = [Place(f"code-{number}") for number in range(MOST_STREAMS)]
    with ExitStack() as stack:
        for place in taken:
            stack.enter_context(places.taken_by(place))
        assert not places.is_full_for("code-3")
        stack.enter_context(places.taken_by(Place("code-3")))
        assert [place.code for place in taken if place.is_lost] == ["code-3"]
    assert places.open == 0


def test_a_place_goes_from_who_has_most_to_who_has_none() -> None:
    lost: list[bool] = []
    places = RolePlaces(lambda: lost.append(True))
    places_of_one = [Place("one") for _ in range(MOST_STREAMS - 1)]
    with ExitStack() as stack:
        for place in (Place("two"), *places_of_one):
            stack.enter_context(places.taken_by(place))
        assert places.is_full_for("one")
        assert not places.is_full_for("three")
        stack.enter_context(places.taken_by(Place("three")))
        assert [place.is_lost for place in places_of_one] == [True] + [False] * (MOST_STREAMS - 2)
        assert lost == [True]
        assert places.open == MOST_STREAMS
    assert places.open == 0
