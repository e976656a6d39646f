"""An event posted to an address, signed as Standard Webhooks has it.

https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
"""

from __future__ import annotations

import base64
import binascii
import hmac
from collections.abc import Callable
from urllib.parse import urlsplit

from companion import __version__
from companion.config.outlets import NoSecretError, Secret
from companion.outbound.exchange import exchange
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
        status = exchange(self._parts, "POST", target, body, fields, self._limit_s).status
        if status not in _ACCEPTED:
            more = ", and redirects are not followed" if status in range(300, 400) else ""
            raise UndeliveredError(f"it answered {status}{more}")

    def stop(self) -> None:
        """Nothing outlives the program here."""

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
