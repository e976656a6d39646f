"""A hook's post: signed over time and body, within its time, and nowhere else."""

from __future__ import annotations

import base64
import hmac
import json
import os
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from companion.config.outlets import NoSecretError, Secret
from companion.feed.events import line_of
from companion.outbound.exchange import UndeliveredError
from companion.outbound.hook_delivery import Post
from companion.web.certificate import FILE, identity_for
from tests.outbound.events import event_of
from tests.outbound.receiver import TIMEOUT_S, receiver, status

NOW = 1_772_395_200.7


def post(url: str, secret: Secret | None = None, limit_s: float = TIMEOUT_S) -> Post:
    return Post(url, secret, lambda: NOW, limit_s)


def test_an_event_is_posted_as_one_line_of_json() -> None:
    event = event_of(3, "Zoë paused")
    with receiver() as server:
        post(f"{server.url}/table?at=home")(event)
    (posted,) = server.posted
    assert posted.path == "/table?at=home"
    assert posted.body.decode() == line_of(event)
    assert json.loads(posted.body)["text"] == "Zoë paused"
    assert posted.fields["content-type"] == "application/json"
    assert posted.fields["webhook-id"] == f"{event.session}:{event.number}"
    assert "webhook-signature" not in posted.fields


@pytest.mark.parametrize(
    ("address", "key"),
    [("plain words", b"plain words"), (f"whsec_{base64.b64encode(b'key').decode()}", b"key")],
)
def test_the_signature_is_over_id_time_and_body(tmp_path: Path, address: str, key: bytes) -> None:
    (tmp_path / "secret").write_text(f"{address}\n", encoding="utf-8")
    with receiver() as server:
        post(server.url, Secret(file=str(tmp_path / "secret")))(event_of(1))
    (posted,) = server.posted
    fields = posted.fields
    assert fields["webhook-timestamp"] == "1772395200"
    signed = f"{fields['webhook-id']}.{fields['webhook-timestamp']}.".encode() + posted.body
    expected = base64.b64encode(hmac.new(key, signed, "sha256").digest()).decode()
    assert fields["webhook-signature"] == f"v1,{expected}"


def test_a_redirect_is_not_followed() -> None:
    with receiver() as elsewhere, receiver(status(307, location=f"{elsewhere.url}/")) as server:
        with pytest.raises(
            UndeliveredError, match="it answered 307, and redirects are not followed"
        ):
            post(server.url)(event_of(1))
        assert not elsewhere.posted


@pytest.mark.parametrize("code", [400, 404, 410, 500])
def test_any_other_answer_than_yes_is_no(code: int) -> None:
    with (
        receiver(status(code)) as server,
        pytest.raises(UndeliveredError, match=f"^it answered {code}$"),
    ):
        post(server.url)(event_of(1))


def test_who_does_not_answer_is_left_alone_in_time() -> None:
    with receiver() as server:
        server.otherwise = server.never
        with pytest.raises(UndeliveredError, match=r"it did not answer within 0\.1 s"):
            post(server.url, limit_s=0.1)(event_of(1))


def test_who_answers_a_byte_at_a_time_is_left_alone_in_time() -> None:
    def trickle(handler: BaseHTTPRequestHandler) -> None:
        handler.close_connection = True
        try:
            while not server.over.wait(0.02):
                handler.wfile.write(b"HTTP/1.1 200 OK\r\nx: y\r\n" if not sent else b"x")
                sent.append(1)
        except OSError:
            return

    sent: list[int] = []
    with (
        receiver(trickle) as server,
        pytest.raises(UndeliveredError, match=r"it did not answer within 0\.3 s"),
    ):
        post(server.url, limit_s=0.3)(event_of(1))
    assert len(sent) > 2, "it was answering all the time"


def test_nobody_there_is_said_without_the_path() -> None:
    with receiver() as server:
        url = f"{server.url}/token-1234"
    with pytest.raises(UndeliveredError, match=r"^Connection refused$") as refused:
        post(url)(event_of(1))
    assert "token" not in str(refused.value)


def test_a_secret_that_is_not_there_posts_nothing(tmp_path: Path) -> None:
    with receiver() as server:
        with pytest.raises(
            UndeliveredError, match="its secret: the variable NO_SUCH_SECRET has nothing in it"
        ):
            post(server.url, Secret(variable="NO_SUCH_SECRET"))(event_of(1))
        assert not server.posted


def test_a_secret_in_a_pipe_that_nobody_writes_to_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(NoSecretError, match="it is no file but a pipe"):
        Secret(file=str(tmp_path / "pipe")).read()


def test_a_secret_too_long_to_be_one_is_refused_and_not_cut(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("k" * 5_000)
    with pytest.raises(NoSecretError, match="it has more than 4096 bytes"):
        Secret(file=str(tmp_path / "key")).read()


@contextmanager
def answering(say: Callable[[socket.socket, threading.Event], None]) -> Iterator[str]:
    """Yield the address of a TLS server with this answer."""
    over = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as door:

        def serve() -> None:
            came, _ = door.accept()
            with came, suppress(OSError):
                say(came, over)

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield f"https://127.0.0.1:{door.getsockname()[1]}/x"
        finally:
            over.set()
            thread.join()


def nothing(_came: socket.socket, over: threading.Event) -> None:
    over.wait(TIMEOUT_S)


def a_byte_at_a_time(came: socket.socket, over: threading.Event) -> None:
    came.sendall(b"\x16\x03\x03\x40\x00")  # the head of a record, whose 16 KiB then come
    while not over.wait(0.02):
        came.sendall(b"\x02")


@pytest.mark.parametrize("say", [nothing, a_byte_at_a_time])
def test_a_handshake_that_never_ends_is_given_up_in_time(
    say: Callable[[socket.socket, threading.Event], None],
) -> None:
    with (
        answering(say) as url,
        pytest.raises(UndeliveredError, match=r"it did not answer within 0\.3 s"),
    ):
        post(url, limit_s=0.3)(event_of(1))


def test_whoever_speaks_no_tls_or_nothing_but_tls_is_said_so() -> None:
    def plain(came: socket.socket, _over: threading.Event) -> None:
        came.recv(4096)
        came.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n")

    def encrypted(came: socket.socket, _over: threading.Event) -> None:
        came.recv(4096)

    with answering(plain) as url, pytest.raises(UndeliveredError, match="it speaks no https"):
        post(url)(event_of(1))
    with (
        answering(encrypted) as url,
        pytest.raises(UndeliveredError, match="it ended the connection without"),
    ):
        post(url.replace("https", "http"))(event_of(1))


def test_who_is_not_trusted_is_said_with_what_would_trust_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    identity = identity_for(["127.0.0.1"], tmp_path, datetime.now(UTC))

    def encrypted(came: socket.socket, _over: threading.Event) -> None:
        with identity.context.wrap_socket(came, server_side=True) as inside:
            came_in = b""
            # what is left unread when this end closes would take the answer with it
            while not came_in.endswith(b"}"):
                came_in += inside.recv(4096) or b"}"
            inside.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n")

    with (
        answering(encrypted) as url,
        pytest.raises(UndeliveredError, match="not trusted here"),
    ):
        post(url)(event_of(1))
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / FILE))
    with answering(encrypted) as url:
        post(url)(event_of(1))
