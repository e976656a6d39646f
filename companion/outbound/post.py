"""An event posted to an address, signed as Standard Webhooks has it.

https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
"""

from __future__ import annotations

import base64
import binascii
import hmac
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from urllib.parse import urlsplit

from companion import __version__
from companion.config.secret import NoSecretError, Secret
from companion.outbound.undelivered import LIMIT_S, UndeliveredError
from companion.session.feed_events import Event, line_of

_PREFIX = "whsec_"
_ACCEPTED = range(200, 300)


class Post:
    """Posts events to `url`. It follows no redirect and keeps no connection."""

    def __init__(
        self, url: str, secret: Secret | None, unix_time: Callable[[], float], limit_s: float = LIMIT_S
    ) -> None:
        self._parts = urlsplit(url)
        self._secret = secret
        self._unix_time = unix_time
        self._limit_s = limit_s

    def __call__(self, event: Event) -> None:
        """Post one event; raise `UndeliveredError` where it was not accepted in time."""
        body = line_of(event).encode()
        fields = self._fields(f"{event.session}:{event.number}", body)
        target = (self._parts.path or "/") + (f"?{self._parts.query}" if self._parts.query else "")
        connection = self._connection()
        with _ended_after(self._limit_s, connection) as late:
            try:
                connection.request("POST", target, body, fields)
                status = connection.getresponse().status
            except (OSError, HTTPException, ValueError) as problem:
                raise UndeliveredError(_why(problem, late=late.is_set(), limit_s=self._limit_s)) from None
        if late.is_set():  # to the library, a field that was cut off ends the fields
            raise UndeliveredError(_why(TimeoutError(), late=True, limit_s=self._limit_s))
        if status not in _ACCEPTED:
            more = ", and redirects are not followed" if status in range(300, 400) else ""
            raise UndeliveredError(f"it answered {status}{more}")

    def stop(self) -> None:
        """Nothing outlives the program here."""

    def _connection(self) -> HTTPConnection:
        assert self._parts.hostname is not None, "the settings have no other address"
        if self._parts.scheme == "http":
            return HTTPConnection(self._parts.hostname, self._parts.port, timeout=self._limit_s)
        return _Https(self._parts.hostname, self._parts.port, timeout=self._limit_s)

    def _fields(self, name: str, body: bytes) -> dict[str, str]:
        stamp = str(int(self._unix_time()))
        fields = {
            "content-type": "application/json",
            "user-agent": f"table-companion/{__version__}",
            "webhook-id": name,
            "webhook-timestamp": stamp,
        }
        if self._secret is None:
            return fields
        try:
            key = key_of(self._secret.read())
        except NoSecretError as problem:
            raise UndeliveredError(f"its secret: {problem}") from None
        return fields | {"webhook-signature": signature(key, name, stamp, body)}


class _Https(HTTPSConnection):
    """A connection whose handshake can be cut off as well: the library has no socket to do that at until it is done."""

    def connect(self) -> None:
        HTTPConnection.connect(self)
        context = ssl.create_default_context()
        wrapped = context.wrap_socket(self.sock, server_hostname=self.host, do_handshake_on_connect=False)
        self.sock = wrapped
        wrapped.do_handshake()


def key_of(secret: str) -> bytes:
    """Return the bytes that sign: those behind `whsec_` in Base64, or those of any other text."""
    if not secret.startswith(_PREFIX):
        return secret.encode()
    try:
        return base64.b64decode(secret.removeprefix(_PREFIX), validate=True)
    except binascii.Error:
        raise NoSecretError(f"what follows {_PREFIX} is no Base64") from None


def signature(key: bytes, name: str, stamp: str, body: bytes) -> str:
    """Return what signs id, time and body: HMAC-SHA256 in Base64 behind `v1,`."""
    digest = hmac.digest(key, f"{name}.{stamp}.".encode() + body, "sha256")
    return f"v1,{base64.b64encode(digest).decode()}"


@contextmanager
def _ended_after(limit_s: float, connection: HTTPConnection) -> Iterator[threading.Event]:
    """Cut the connection off after so many seconds, however much of an answer trickles in; yield what says that it
    was."""
    late = threading.Event()

    def cut() -> None:
        late.set()
        if connection.sock is not None:
            with suppress(OSError):
                socket.socket.shutdown(connection.sock, socket.SHUT_RDWR)  # of TLS too: nothing more is said

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
        return f"its certificate is not trusted: {problem.verify_message}"
    if isinstance(problem, socket.gaierror):
        return "its name is not known here"
    if isinstance(problem, OSError) and problem.strerror:
        return f"it cannot be reached: {problem.strerror}"
    return "what it answered is no HTTP"
