"""A table in play serves its own pages: at one address for the whole session, also after a restart."""

from __future__ import annotations

import http.client
import json
import socket
import stat
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from companion.errors import CommandError
from companion.journal.folder import sessions_dir
from companion.session.evening import Evening
from companion.session.kept_pages import kept_at
from companion.session.opening import resume
from companion.session.table import Table
from companion.web import app, at_play, connections, note_post, run
from companion.web.addresses import LOCALHOST, listening
from companion.web.at_play import TablePages
from tests.games.skyfire.screen.parts import skyfire_table

NOTE = {"id": "0123456789abcdef", "line": "hand", "answers": {"cards": "com,em,wa,pop"}}


@contextmanager
def dealt(folder: Path) -> Iterator[Table]:
    with skyfire_table(folder / "evening.sqlite") as table:
        table.do("skyfire.deal")
        yield table


def asked(address: str, note: Mapping[str, object] | None = None) -> tuple[int, str]:
    """Return the server's answer to a request, or to a note."""
    where = urlsplit(address)
    line = http.client.HTTPConnection(where.hostname or "", where.port, timeout=10)
    with closing(line):
        if note is None:
            line.request("GET", where.path)
        else:
            fields = {"Content-Type": "application/json", "Origin": f"http://{where.netloc}"}
            line.request("POST", f"{where.path}notes", json.dumps(note), fields)
        answer = line.getresponse()
        return answer.status, answer.read().decode()


def test_a_seat_notes_over_the_network_and_after_a_restart_the_same_address_has_the_same_note_once(
    tmp_path: Path,
) -> None:
    with dealt(tmp_path) as table, closing(TablePages(table, LOCALHOST)) as pages:
        ada, everybody = pages.address_of("ada"), pages.address_of()
        assert asked(ada, NOTE)[0] == 200
        assert asked(everybody, NOTE)[0] == 405
        count = len(table._journal.entries)
    table = resume(tmp_path / "evening.sqlite", Table)
    with closing(table), closing(TablePages(table, LOCALHOST)) as pages:
        assert (pages.address_of("ada"), pages.address_of()) == (ada, everybody)
        assert asked(ada, NOTE)[0] == 200
        assert asked(ada, NOTE | {"answers": {"cards": "wave"}})[0] == 422
        assert len(table._journal.entries) == count + 1  # that it was resumed
        assert "Comet" in asked(ada)[1]
        assert "Comet" not in asked(everybody)[1]


def test_a_code_that_is_taken_back_opens_nothing_any_more_and_the_others_still_do(
    tmp_path: Path,
) -> None:
    with dealt(tmp_path) as table, closing(TablePages(table, LOCALHOST)) as pages:
        ada, bo = pages.address_of("ada"), pages.address_of("bo")
        where = urlsplit(ada)
        line = http.client.HTTPConnection(where.hostname or "", where.port, timeout=10)
        with closing(line):
            line.request("GET", f"{where.path}events")
            stream = line.getresponse()
            pages.renew("ada")
            # at once: the end of the stream is not a beat away
            assert b"event: gone" in stream.read()
        assert asked(ada)[0] == 403
        assert asked(ada, NOTE)[0] == 403
        assert asked(bo)[0] == 200
        assert asked(pages.address_of("ada"), NOTE)[0] == 200
        new = pages.address_of("ada")
    table = resume(tmp_path / "evening.sqlite", Table)
    with closing(table), closing(TablePages(table, LOCALHOST)) as pages:
        assert pages.address_of("ada") == new


def test_the_codes_lie_beside_the_session_for_its_owner_alone_and_not_in_it(tmp_path: Path) -> None:
    with dealt(tmp_path) as table, closing(TablePages(table, LOCALHOST)) as pages:
        code = urlsplit(pages.address_of("ada")).path.strip("/")
        kept = kept_at(table.path)
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600
        assert code in kept.read_text()
        table.wait(len(table._journal.entries), 5)
    for path in tmp_path.iterdir():
        assert path == kept or code.encode() not in path.read_bytes()


@pytest.mark.parametrize(
    "damage", ["", "{", "[]", '{"port": 0}', '{"port": 99999, "codes": {}, "names": {}}', "\x00"]
)
def test_where_the_codes_cannot_be_read_there_are_new_ones(tmp_path: Path, damage: str) -> None:
    with dealt(tmp_path) as table:
        kept_at(table.path).write_text(damage)
        with closing(TablePages(table, LOCALHOST)) as pages:
            assert asked(pages.address_of("bo"))[0] == 200


def test_where_another_program_has_the_address_that_the_phones_know_one_is_told_so(
    tmp_path: Path,
) -> None:
    with dealt(tmp_path) as table:
        with closing(TablePages(table, LOCALHOST)) as pages:
            assert asked(pages.address_of())[0] == 200
            with pytest.raises(CommandError, match="cannot be opened"):
                TablePages(table, LOCALHOST)
        with closing(TablePages(table, LOCALHOST)) as pages:
            assert asked(pages.address_of())[0] == 200


@pytest.mark.parametrize("step", ["read_style", "identity_at", "TableLooker", "Pages"])
def test_pages_that_cannot_be_made_keep_neither_their_doors_nor_the_evening(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise CommandError("It cannot be made.")

    monkeypatch.setattr(at_play, step, fail)
    with dealt(tmp_path) as table:
        door = listening(LOCALHOST, 0)
        with pytest.raises(CommandError, match="cannot be made"):
            TablePages(table, LOCALHOST, doors=[door])
        assert door.fileno() == -1
        evening = Evening.held(sessions_dir().parent)
        assert evening is not None
        evening.close()


@pytest.mark.parametrize(
    ("length", "drip", "status"),
    [
        ("Content-Length: 100", b"", 408),
        ("Content-Length: 100", b"x", 408),
        ("Content-Length: 100000000", b"x" * 65536, 413),
        ("Transfer-Encoding: chunked", b"1000\r\n" + b"x" * 4096 + b"\r\n", 413),
    ],
    ids=["no body", "a body that drips", "a huge body", "a body without an end"],
)
def test_a_body_that_never_comes_to_its_end_is_answered_and_cut_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, length: str, drip: bytes, status: int
) -> None:
    monkeypatch.setattr(note_post, "BODY_S", 0.1)
    monkeypatch.setattr(connections, "REQUEST_TIMEOUT_S", 0.8)
    with dealt(tmp_path) as table, closing(TablePages(table, LOCALHOST)) as pages:
        where, before = urlsplit(pages.address_of("ada")), len(table._journal.entries)
        head = f"POST {where.path}notes HTTP/1.1\r\nHost: {where.netloc}\r\nOrigin: http://{where.netloc}\r\n"
        with socket.create_connection((where.hostname or "", where.port or 0), 10) as line:
            line.sendall(f"{head}Content-Type: application/json\r\n{length}\r\n\r\n".encode())
            line.settimeout(0.01)
            answer = b""
            for _ in range(1000):
                with suppress(TimeoutError):
                    try:
                        line.send(drip)
                        answer += (came := line.recv(65536))
                    except ConnectionError:
                        break
                    if not came:
                        break
            else:
                pytest.fail("it was not cut off")
        assert answer.startswith(f"HTTP/1.1 {status} ".encode())
        assert asked(pages.address_of("ada"), NOTE)[0] == 200
        assert len(table._journal.entries) == before + 1


def test_the_feed_of_a_table_in_play_hears_of_news_without_asking(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "LOOK_S", 600.0)
    monkeypatch.setattr(app, "BEAT_S", 600.0)
    with dealt(tmp_path) as table, closing(TablePages(table, LOCALHOST)) as pages:
        where = urlsplit(pages.address_of())
        line = http.client.HTTPConnection(where.hostname or "", where.port, timeout=10)
        with closing(line):
            line.request("GET", f"{where.path}feed")
            stream = line.getresponse()
            next(text for text in iter(stream.readline, b"") if text.startswith(b"data:"))
            table.do("table.pause")
            data = (text for text in iter(stream.readline, b"") if text.startswith(b"data: {"))
            assert any(
                json.loads(text.removeprefix(b"data: ")).get("kind") == "pause" for text in data
            )


def test_whoever_comes_while_the_pages_end_is_cut_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "GRACE_S", 0)
    # those before were told by then
    monkeypatch.setattr(connections.BoundedConnection, "shutdown", lambda _: None)
    with dealt(tmp_path) as table, closing(TablePages(table, LOCALHOST)) as pages:
        where = urlsplit(pages.address_of())
        with socket.create_connection((where.hostname or "", where.port or 0), 5) as line:
            line.sendall(f"GET {where.path} HTTP/1.1\r\nHost: {where.netloc}\r\n\r\n".encode())
            assert line.recv(1 << 20).startswith(b"HTTP/1.1 200")
            pages.close()
            with suppress(ConnectionError):
                while line.recv(1 << 20):
                    pass
