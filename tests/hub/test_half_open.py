"""Requests that do not come to their end, tries at the same time, and a proxy in front of the hub."""

from __future__ import annotations

import json
import random
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest

from companion.hub import accounts, answers, connections
from companion.hub.answers import TRIES
from companion.hub.connections import MOST_HALF_OPEN
from companion.hub.database import Database
from companion.web.addresses import LOCALHOST
from companion.web.connections import MOST_HEAD
from tests.hub.parts import Browser, RunningHub, joined, running, stored
from tests.hub.test_table_door import Speaker

pytestmark = pytest.mark.waits
PARALLEL = 120
ELSEWHERE = "127.0.0.9"


@pytest.fixture
def hub(on_sqlite: Database) -> Iterator[RunningHub]:
    with running(on_sqlite) as hub:
        yield hub


def connected(hub: RunningHub, stack: ExitStack, source: str = LOCALHOST) -> socket.socket:
    return stack.enter_context(
        socket.create_connection((LOCALHOST, hub.port), 20, source_address=(source, 0))
    )


def half_a_batch(hub: RunningHub, table: Speaker, stack: ExitStack) -> socket.socket:
    """Send a batch whose second half never comes."""
    table.head()  # from now on the hub knows the table without looking it up, so that batches are heard in this order
    body = table.chain.batch(0, 60)
    head = f"POST {table.path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {table.token}\r\nx-laptop: a laptop\r\n"
    connection = connected(hub, stack)
    connection.sendall(f"{head}content-length: {len(body)}\r\n\r\n".encode() + body[:500])
    return connection


def read_to_the_end(connection: socket.socket) -> bytes:
    """Return what arrives until the hub closes the connection."""
    came = b""
    try:
        while more := connection.recv(4096):
            came += more
    except ConnectionError:
        pass
    return came


def test_half_a_batch_gives_way_to_the_next_one(hub: RunningHub) -> None:
    table = Speaker(hub)
    with ExitStack() as stack:
        hanging = half_a_batch(hub, table, stack)
        assert table.send(table.chain.batch(0, 60))[0] == 200
        assert b"A newer batch of this table came" in read_to_the_end(hanging)
    assert len(stored(hub.database, table.chain.session)[0]) == 60


def test_half_a_batch_gives_way_to_a_new_laptop(hub: RunningHub) -> None:
    table = Speaker(hub)
    with ExitStack() as stack:
        half_a_batch(hub, table, stack)
        other = Speaker.__new__(Speaker)
        other.id, other.token = joined(hub.database, laptop="another")
        other.chain, other.path, other._browser = table.chain, table.path, hub.browser()
        hub.clock += 60
        assert other.send(table.chain.batch(0, 60), laptop="another")[0] == 200


def test_a_laptop_that_was_replaced_while_its_batch_came_stores_nothing(hub: RunningHub) -> None:
    table = Speaker(hub)
    organiser = hub.organiser()
    body = table.chain.batch(0, 60)
    with ExitStack() as stack:
        hanging = half_a_batch(hub, table, stack)
        organiser.post("/organiser/revoke", number="1")
        hanging.sendall(body[500:])
        assert b" 401 " in hanging.recv(4096)
    assert stored(hub.database, table.chain.session) == ([], [])


def test_a_body_that_does_not_come_to_its_end_is_refused(
    hub: RunningHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answers, "BODY_S", 0.1)
    with ExitStack() as stack:
        batch = half_a_batch(hub, Speaker(hub), stack)
        assert b" 408 " in read_to_the_end(batch)
        form = connected(hub, stack)
        origin = "host: x\r\norigin: http://x\r\ncontent-length: 50\r\n\r\nname="
        form.sendall(f"POST /sign-in HTTP/1.1\r\n{origin}".encode())
        assert b"did not come to its end" in read_to_the_end(form)


# What keeps a request from coming to its end.
HALVES = {
    "nothing": b"",
    "half a line": b"GET / HT",
    "half a head": b"GET / HTTP/1.1\r\nhost: x\r\n",
    "half a body": b"POST /sign-in HTTP/1.1\r\nhost: x\r\norigin: http://x\r\ncontent-length: 50\r\n\r\nname=",
    "a whole request and half a line": b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\nGET",
}


@pytest.mark.parametrize("half", HALVES)
def test_one_address_holds_few_half_requests_and_shuts_nobody_out(
    hub: RunningHub, half: str
) -> None:
    with ExitStack() as stack:
        held = [connected(hub, stack, ELSEWHERE) for _ in range(MOST_HALF_OPEN)]
        for connection in held:
            connection.sendall(HALVES[half])
            if b"healthz" in HALVES[half]:
                assert b" 200 " in connection.recv(4096)
        more = connected(hub, stack, ELSEWHERE)
        assert read_to_the_end(more) == b""
        assert hub.browser().get("/healthz").status == 200
        held[0].close()
        held[1].close()


@pytest.mark.parametrize("half", HALVES)
def test_half_a_request_is_cut_in_time(
    hub: RunningHub, half: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "HEAD_S", 0.1)
    monkeypatch.setattr(connections, "BODY_S", 0.0)
    monkeypatch.setattr(connections, "ANSWER_S", 0.1)
    with ExitStack() as stack:
        connection = connected(hub, stack)
        connection.sendall(HALVES[half])
        read_to_the_end(connection)


def test_a_connection_that_was_answered_holds_no_place(hub: RunningHub) -> None:
    with ExitStack() as stack:
        for _ in range(MOST_HALF_OPEN + 3):
            connection = connected(hub, stack, ELSEWHERE)
            connection.sendall(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n")
            assert b" 200 " in connection.recv(4096)


def ask_on(connection: socket.socket) -> None:
    """Send requests without reading the answers."""
    while True:
        connection.sendall(b"GET /hub.css HTTP/1.1\r\nhost: x\r\n\r\n" * 100)


def test_a_page_that_takes_nothing_of_its_answers_is_cut_off(
    hub: RunningHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.web.connections.SLOW_S", 0.05)
    # Linux would cut it off by itself
    monkeypatch.setattr("companion.web.connections._forget_the_vanished", lambda _: None)
    with ExitStack() as stack:
        deaf = connected(hub, stack)
        with pytest.raises(ConnectionError):
            ask_on(deaf)
        assert hub.browser().get("/healthz").status == 200


def test_a_head_that_does_not_end_is_refused_by_its_size(hub: RunningHub) -> None:
    with ExitStack() as stack:
        endless = connected(hub, stack)
        endless.sendall(b"GET / HTTP/1.1\r\nhost: " + b"x" * (MOST_HEAD + 1))
        assert b" 400 " in read_to_the_end(endless)


@pytest.mark.parametrize("kind", ["text/plain", "application/json", "multipart/form-data"])
def test_a_form_of_another_type_is_refused(hub: RunningHub, kind: str) -> None:
    browser = hub.browser()
    where = f"http://{LOCALHOST}:{hub.port}"
    reply = browser.send("/sign-in", b"name=Olga", origin=where, content_type=kind)
    assert (reply.status, "no form of this hub" in reply.text) == (415, True)


def tried(hub: RunningHub, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record the passwords that are compared from now on."""
    compared: list[str] = []
    compare, lock = accounts._scrypt, threading.Lock()

    def noted(password: str, salt: bytes) -> bytes:
        with lock:
            compared.append(password)
        return compare(password, salt)

    monkeypatch.setattr(accounts, "_scrypt", noted)
    return compared


def test_wrong_passwords_at_the_same_time_are_as_few_as_one_after_the_other(
    hub: RunningHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub.organiser()
    compared = tried(hub, monkeypatch)
    with ThreadPoolExecutor(PARALLEL) as everybody:
        guesses = [
            everybody.submit(
                hub.browser().post, "/sign-in", name="Olga", password=f"a wrong one {number}"
            )
            for number in range(PARALLEL)
        ]
    statuses = [guess.result().status for guess in guesses]
    assert (statuses.count(403), statuses.count(429)) == (TRIES, PARALLEL - TRIES)
    assert len(compared) == TRIES


def test_who_signs_in_often_with_the_right_password_is_not_kept_out(hub: RunningHub) -> None:
    hub.organiser()
    for _ in range(2 * TRIES):
        assert hub.browser().post("/sign-in", name="Olga", password="a long sentence").status == 303


def test_codes_at_the_same_time_are_as_few_as_one_after_the_other(hub: RunningHub) -> None:
    body = [
        json.dumps({"code": f"AAAA{number}", "laptop": "x"}).encode() for number in range(PARALLEL)
    ]
    with ThreadPoolExecutor(PARALLEL) as everybody:
        statuses = list(
            everybody.map(lambda sent: hub.browser().send("/table/join", sent).status, body)
        )
    assert (statuses.count(403), statuses.count(429)) == (TRIES, PARALLEL - TRIES)


def forwarded(hub: RunningHub, source: str, client: str) -> int:
    browser = Browser(hub.port, source=source)
    text = json.dumps({"code": f"AAAA{random.random()}", "laptop": "x"}).encode()
    return browser.send("/table/join", text, x_forwarded_for=client).status


def test_a_proxy_is_believed_who_asks_and_nobody_else_is(on_sqlite: Database) -> None:
    with running(on_sqlite, proxies=(ELSEWHERE,)) as hub:
        assert [forwarded(hub, ELSEWHERE, "10.0.0.1") for _ in range(TRIES + 1)] == [
            403
        ] * TRIES + [429]
        assert forwarded(hub, ELSEWHERE, "10.0.0.2") == 403
        assert [forwarded(hub, LOCALHOST, f"10.0.1.{n}") for n in range(TRIES + 1)] == [
            403
        ] * TRIES + [429]
        with ExitStack() as stack:
            for _ in range(MOST_HALF_OPEN + 1):
                connected(hub, stack, ELSEWHERE).sendall(b"GET / HT")
            assert Browser(hub.port, source=ELSEWHERE).get("/healthz").status == 200
