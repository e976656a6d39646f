"""What a table is answered over the network, and what a hostile one gets."""

from __future__ import annotations

import gzip
import json
import random
import select
import socket
import tracemalloc
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from companion.hub import joining, table_door
from companion.hub.answers import TRIES, TRIES_S
from companion.hub.database import Database
from companion.hub.ingest import LARGEST_BATCH
from companion.hub.joining import KnownTokens
from companion.hub.table_door import MOST_A_SECOND
from companion.web.addresses import LOCALHOST
from tests.hub.parts import NOW, Chain, RunningHub, joined, running, stored
from tests.hub.postgres import Server

pytestmark = pytest.mark.waits


@pytest.fixture
def hub(database: Database) -> Iterator[RunningHub]:
    with running(database) as hub:
        yield hub


class Speaker:
    """A table that sends valid or invalid requests to the hub."""

    def __init__(self, hub: RunningHub, number: int = 1, seed: int = 1, length: int = 60) -> None:
        self.id, self.token = joined(hub.database, number)
        self.chain = Chain(random.Random(seed), length)
        self.path = f"/table/sessions/{self.chain.session.hex()}"
        self._browser = hub.browser()

    def send(
        self, body: bytes, token: str | None = None, laptop: str = "a laptop", **more: str
    ) -> tuple[int, dict[str, object]]:
        about = {
            "authorization": f"Bearer {self.token if token is None else token}",
            "x_laptop": laptop,
        }
        answered = self._browser.send(self.path, body, **about, **more)
        return answered.status, answered.json

    def head(self) -> dict[str, object]:
        answered = self._browser.ask(
            self.path, authorization=f"Bearer {self.token}", x_laptop="a laptop"
        )
        return dict(answered.json)


def test_a_laptop_that_is_let_go_sends_nothing_more(hub: RunningHub) -> None:
    organiser, table = hub.organiser(), Speaker(hub)
    assert table.send(table.chain.batch(0, 5))[0] == 200
    assert "No laptop is joined as table 1" in organiser.post("/organiser/revoke", number="1").text
    status, reply = table.send(table.chain.batch(5, 5))
    assert (status, "not joined any more" in str(reply["refused"])) == (401, True)
    assert len(stored(hub.database, table.chain.session)[0]) == 5


def test_a_token_that_was_revoked_while_it_was_looked_up_is_not_known(
    on_sqlite: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    known, (_, token) = KnownTokens(on_sqlite, lambda: NOW), joined(on_sqlite)
    read = joining.table_of

    def revoked_meanwhile(*about: Any) -> Any:
        found = read(*about)
        known.forget()
        return found

    monkeypatch.setattr(joining, "table_of", revoked_meanwhile)
    assert known.look_up(token, "a laptop")
    assert known.table(token, "a laptop") == 0
    monkeypatch.undo()
    assert known.look_up(token, "a laptop") == known.table(token, "a laptop")


def test_a_table_asks_how_far_the_hub_is_and_sends_the_rest(hub: RunningHub) -> None:
    table = Speaker(hub)
    assert table.head() == {"n": 0, "digest": "00" * 32, "event": 0, "time": NOW}
    status, head = table.send(table.chain.batch(0, 25))
    assert (status, head["n"], head["event"]) == (200, 25, 24 * 16)
    assert table.head() == head
    assert table.send(table.chain.batch(25, 100))[1]["n"] == 60


def test_joining_over_the_network_takes_a_code_of_the_organisers(hub: RunningHub) -> None:
    page = hub.organiser().post("/organiser/code", number="14").text
    code = page.partition("joins with ")[2][:9]
    answered = hub.browser().send(
        "/table/join", json.dumps({"code": code, "laptop": "one"}).encode()
    )
    assert (answered.status, answered.json["table"], len(answered.json["token"])) == (200, 14, 32)
    again = hub.browser().send("/table/join", json.dumps({"code": code, "laptop": "one"}).encode())
    assert (again.status, "was used" in again.json["refused"]) == (403, True)


def test_who_guesses_codes_is_stopped(hub: RunningHub) -> None:
    statuses = [
        hub.browser()
        .send("/table/join", json.dumps({"code": f"AAAA{n}", "laptop": "x"}).encode())
        .status
        for n in range(8)
    ]
    assert statuses == [403] * 5 + [429] * 3


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{}",
        b"[]",
        b'{"code": 5, "laptop": "x"}',
        b'{"code": "x", "laptop": ""}',
        b'{"code": "x", "laptop": "a\\u0000"}',
    ],
)
def test_what_joins_nothing_is_refused_in_a_sentence(hub: RunningHub, body: bytes) -> None:
    assert hub.browser().send("/table/join", body).json == {
        "refused": "Joining needs a code and the laptop's mark."
    }


def test_without_a_token_nothing_is_read_or_stored(hub: RunningHub) -> None:
    table = Speaker(hub)
    for token, laptop in (("", "a laptop"), ("0" * 32, "a laptop"), (table.token, "another")):
        status, reply = table.send(table.chain.batch(0, 5), token, laptop)
        assert (status, str(reply["refused"]).endswith(".")) == (401, True)
    assert stored(hub.database, table.chain.session) == ([], [])


def test_a_fork_is_refused_noted_and_shown_to_the_organiser_and_nothing_is_replaced(
    hub: RunningHub,
) -> None:
    table = Speaker(hub)
    table.send(table.chain.batch(0, 60))
    before = stored(hub.database, table.chain.session)
    other = Chain(random.Random(9), 30, table.chain, 40)
    status, reply = table.send(other.batch(40, 30))
    assert (status, reply["fork"]) == (409, True)
    assert stored(hub.database, table.chain.session) == before
    assert "Another record of this game came at entry 70" in hub.organiser().get("/organiser").text


@pytest.mark.parametrize("coding", ["deflate", "br", "gzip, gzip"])
def test_what_is_packed_by_another_way_than_gzip_is_refused_unread(
    hub: RunningHub, coding: str
) -> None:
    table = Speaker(hub)
    assert table.send(b"\x1f\x8b", content_encoding=coding)[0] == 415


def test_a_packed_batch_is_taken_as_one_that_is_not(hub: RunningHub) -> None:
    table = Speaker(hub)
    assert (
        table.send(gzip.compress(table.chain.batch(0, 60)), content_encoding="gzip")[1]["n"] == 60
    )


@pytest.mark.parametrize(
    "bomb", [b" " * (LARGEST_BATCH + 1), b" " * (1 << 28)], ids=["a byte too many", "256 MiB"]
)
def test_what_unpacks_to_too_much_is_refused_in_no_more_room_than_a_batch_has(
    hub: RunningHub, bomb: bytes
) -> None:
    table, packed = Speaker(hub), gzip.compress(bomb, 1)
    tracemalloc.start()
    status, reply = table.send(packed, content_encoding="gzip")
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (status, "send fewer entries" in str(reply["refused"])) == (413, True)
    assert most < 4 * LARGEST_BATCH
    assert table.send(table.chain.batch(0, 5))[0] == 200


def test_a_packed_batch_that_is_damaged_stores_nothing(
    hub: RunningHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Speaker(hub)
    monkeypatch.setattr(table_door, "HELD_S", 0.05)
    packed = gzip.compress(table.chain.batch(0, 60))
    for wrong in (packed[:-1], packed[:40], packed + b"x", packed + packed, b"{}", b""):
        assert table.send(wrong, content_encoding="gzip")[0] in (400, 429)
    assert stored(hub.database, table.chain.session) == ([], [])


def test_a_batch_too_long_is_refused_before_it_is_read_whole(hub: RunningHub) -> None:
    table = Speaker(hub)
    status, reply = table.send(b" " * (LARGEST_BATCH + 100_000))
    assert (status, "send fewer entries" in str(reply["refused"])) == (413, True)
    assert table.send(table.chain.batch(0, 5))[0] == 200


def test_a_batch_that_breaks_off_stores_nothing_and_the_table_may_send_again(
    hub: RunningHub,
) -> None:
    table = Speaker(hub)
    body = table.chain.batch(0, 60)
    head = f"POST {table.path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {table.token}\r\nx-laptop: a laptop\r\n"
    with socket.create_connection((LOCALHOST, hub.port)) as connection:
        connection.sendall(f"{head}content-length: {len(body)}\r\n\r\n".encode() + body[:500])
    for _ in range(200):
        if table.send(body)[0] == 200:
            break
        hub.clock += 1  # or it would have sent too much
    assert len(stored(hub.database, table.chain.session)[0]) == 60


def test_a_hostile_table_harms_itself_alone(hub: RunningHub) -> None:
    honest, hostile = Speaker(hub), Speaker(hub, 2, 2)
    honest.send(honest.chain.batch(0, 30))
    hostile.path = honest.path  # another's session
    wrong = json.loads(honest.chain.batch(30, 10))
    wrong["entries"][3] = "ab" * 32
    for body in (honest.chain.batch(30, 10), json.dumps(wrong).encode(), b"{}", b"\x00" * 1000):
        assert hostile.send(body)[0] in (400, 403)
    assert honest.send(honest.chain.batch(30, 30)) == (200, honest.head())
    assert len(stored(hub.database, honest.chain.session)[0]) == 60


def test_what_one_hub_commits_wakes_the_pages_of_another_over_the_same_database(
    hub: RunningHub,
) -> None:
    if hub.database.is_sqlite:
        return  # a file has one hub
    with (
        running(hub.database) as other,
        socket.create_connection((LOCALHOST, other.port), timeout=20) as page,
    ):
        page.sendall(b"GET /news HTTP/1.1\r\nhost: x\r\n\r\n")
        heard = b""
        while b"data: 0" not in heard:
            heard += page.recv(4096)
        table = Speaker(hub)
        table.send(table.chain.batch(0, 5))
        while b"data: 1" not in heard:
            more = page.recv(4096)
            assert more, heard
            heard += more


def test_a_database_that_is_away_is_said_in_a_sentence_and_tried_again(
    hub: RunningHub, postgres: Server
) -> None:
    if hub.database.is_sqlite:
        return
    table = Speaker(hub)
    postgres.kill()
    try:
        status, reply = table.send(table.chain.batch(0, 5))
        assert (status, "Nothing was lost" in str(reply["refused"])) == (503, True)
        assert hub.browser().get("/healthz").status == 503
        page = hub.browser().ask("/", accept="text/html,*/*")
        assert (page.status, page.fields["content-type"]) == (503, "text/html; charset=utf-8")
        assert (
            "does not answer just now. Nothing was lost: load this page again in a minute."
            in page.text
        )
    finally:
        postgres.start()
    assert table.send(table.chain.batch(0, 5))[0] == 200


def test_a_table_that_sends_what_makes_no_sense_is_not_read_for_a_while_and_others_are(
    hub: RunningHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    hostile, honest = Speaker(hub, 2, 2), Speaker(hub)
    monkeypatch.setattr(table_door, "HELD_S", 0.05)
    assert [hostile.send(b"{}")[0] for _ in range(8)] == [400] * 5 + [429] * 3
    assert honest.send(honest.chain.batch(0, 5))[0] == 200
    hub.clock += TRIES_S
    assert hostile.send(hostile.chain.batch(0, 5))[0] == 200


def test_who_floods_the_hub_waits_for_each_refusal_and_holds_few_connections(
    hub: RunningHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    hostile, honest, more = Speaker(hub, 2, 2), Speaker(hub), 3
    for _ in range(TRIES):
        hostile.send(b"{}")
    monkeypatch.setattr(table_door, "HELD_S", 60.0)
    head = f"POST {hostile.path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {hostile.token}\r\n"
    asked = f"{head}x-laptop: a laptop\r\ncontent-length: 2\r\n\r\n{{}}".encode()
    with ExitStack() as open_ones:
        waiting = set[socket.socket]()
        for _ in range(table_door.MOST_HELD + more):
            connection = open_ones.enter_context(socket.create_connection((LOCALHOST, hub.port)))
            connection.sendall(asked)
            waiting.add(connection)
        for _ in range(more):
            answered = select.select(waiting, [], [], 20)[0][0]
            assert b" 429 " in answered.recv(4096)
            waiting.discard(answered)
        assert honest.send(honest.chain.batch(0, 5))[0] == 200
        assert select.select(waiting, [], [], 0)[0] == []


def test_a_table_that_sends_the_same_without_end_waits(
    hub: RunningHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Speaker(hub)
    monkeypatch.setattr(table_door, "HELD_S", 0.0)
    statuses = [table.send(table.chain.batch(0, 5))[0] for _ in range(MOST_A_SECOND + 2)]
    assert statuses == [200] * MOST_A_SECOND + [429] * 2
    hub.clock += 1
    assert table.send(table.chain.batch(0, 9))[0] == 200


@pytest.mark.parametrize("session", ["x", "AB" * 32, "..", "0" * 63, "%00"])
def test_what_names_no_session_is_not_found(hub: RunningHub, session: str) -> None:
    assert hub.browser().ask(f"/table/sessions/{session}").status == 404


def test_a_table_that_sends_shows_on_everybodys_page_with_names_and_scores(hub: RunningHub) -> None:
    table = Speaker(hub, 14)
    opening = {
        "number": 1,
        "kind": "session",
        "title": "Sky Rise",
        "text": "\N{LEFT WHITE SQUARE BRACKET}s1\N{RIGHT WHITE SQUARE BRACKET} begins",
    }
    table.send(
        table.chain.batch(
            0,
            2,
            events=[
                opening | {"table": {"where": "level 1", "players": [{"id": "s1", "score": 7}]}}
            ],
        )
    )
    for path in ("/", "/hall"):
        page = hub.browser().get(path).text
        for words in ("Table 14", "Sky Rise", "level 1", "Ann begins", ">Ann<", ">7<"):
            assert words in page, (path, words)
    assert hub.browser().get("/healthz").json == {"database": "here"}
    assert "companion_hub_entries_total 2.0" in hub.browser().get("/metrics").text


def test_what_a_name_says_is_text_and_no_page(hub: RunningHub) -> None:
    table = Speaker(hub)
    table.send(table.chain.batch(0, 3, names={"s1": "<script>alert(1)</script>"}))
    page = hub.browser().get("/").text
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)" in page
