"""One request to a web server and its response, in bounded time, over a connection of its own; and the reason in
plain text if none came."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPException, HTTPSConnection, RemoteDisconnected
from urllib.parse import SplitResult


class UndeliveredError(Exception):
    """A message did not arrive; the text says why, without a secret, a path or an argument."""


def exchange(
    place: SplitResult,
    method: str,
    target: str,
    body: bytes | None,
    fields: Mapping[str, str],
    limit_s: float,
    *,
    most: int = 0,
) -> tuple[int, bytes]:
    """Send a request to the server at `place`; return the response's status and at most `most` bytes of its content.
    Raise `UndeliveredError` if none came within `limit_s` seconds. Redirects are not followed."""
    connection = _connection(place, limit_s)
    with _ended_after(limit_s, connection) as late:
        try:
            connection.request(method, target, body, dict(fields))
            response = connection.getresponse()
            answer = response.status, response.read(most)
        except (OSError, HTTPException, ValueError) as problem:
            raise UndeliveredError(_why(problem, late=late.is_set(), limit_s=limit_s)) from None
    if late.is_set():  # http.client takes a header section that was cut off for a complete one
        raise UndeliveredError(_why(TimeoutError(), late=True, limit_s=limit_s))
    return answer


def _connection(place: SplitResult, limit_s: float) -> HTTPConnection:
    assert place.hostname is not None, "checked when the settings were read"
    if place.scheme == "http":
        return HTTPConnection(place.hostname, place.port, timeout=limit_s)
    return _Https(place.hostname, place.port, timeout=limit_s)


class _Https(HTTPSConnection):
    """A connection whose handshake can be cut too: the library sets `sock` only after the handshake."""

    def connect(self) -> None:
        HTTPConnection.connect(self)
        context = ssl.create_default_context()
        wrapped = context.wrap_socket(
            self.sock, server_hostname=self.host, do_handshake_on_connect=False
        )
        self.sock = wrapped
        wrapped.do_handshake()


@contextmanager
def _ended_after(limit_s: float, connection: HTTPConnection) -> Iterator[threading.Event]:
    """Shut the connection down after `limit_s` seconds, however slowly an answer trickles in; yield the event that is
    set then."""
    late = threading.Event()

    def cut() -> None:
        late.set()
        if connection.sock is not None:
            with suppress(OSError):
                # not TLS's own method, which drops its state under the thread that still reads
                socket.socket.shutdown(connection.sock, socket.SHUT_RDWR)

    timer = threading.Timer(limit_s, cut)
    timer.daemon = True
    timer.start()
    try:
        yield late
    finally:
        timer.cancel()
        connection.close()


def _why(problem: Exception, *, late: bool, limit_s: float) -> str:
    if late or isinstance(problem, TimeoutError):
        return f"it did not answer within {limit_s:g} s"
    if isinstance(problem, ssl.SSLCertVerificationError):
        advice = "the variable SSL_CERT_FILE may name the file of one that is"
        return f"its certificate is not trusted here ({problem.verify_message}); {advice}"
    if isinstance(problem, ssl.SSLError):
        return "it speaks no https that this computer understands"
    if isinstance(problem, socket.gaierror):
        return "its name is not known here"
    if isinstance(problem, OSError) and problem.strerror:
        return problem.strerror
    if isinstance(problem, RemoteDisconnected):
        return "it ended the connection without an answer"
    return "what it answered is no HTTP"
