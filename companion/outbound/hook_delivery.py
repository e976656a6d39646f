"""Delivery of an event to a hook: to a command on its standard input, or posted to an address, signed by the Standard
Webhooks specification.

https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
"""

from __future__ import annotations

import base64
import binascii
import hmac
import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

from companion import __version__
from companion.config.outlets import NoSecretError, Secret
from companion.feed.events import Event, line_of
from companion.outbound.exchange import UndeliveredError, exchange
from companion.system.children import bare_environment
from companion.system.signals import kill_with_children

LIMIT_S = 5.0
"""Seconds for one delivery."""
_PREFIX = "whsec_"
_ACCEPTED = range(200, 300)


class RunCommand:
    """Runs a command for each event, as one line of JSON on its standard input. Its output is discarded."""

    def __init__(self, words: tuple[str, ...], limit_s: float = LIMIT_S) -> None:
        self._words = words
        self._limit_s = limit_s
        self._stopped = False
        self._running: subprocess.Popen[bytes] | None = None

    def __call__(self, event: Event) -> None:
        """Run the command to its end; raise `UndeliveredError` if it fails or takes too long. In any case, kill what it
        left running in its process group."""
        try:
            process = subprocess.Popen(
                self._words,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=bare_environment(),  # nothing of the game's own reaches it
                cwd=Path.home(),
                start_new_session=True,
            )
        except (OSError, ValueError) as problem:
            why = getattr(problem, "strerror", None) or "its words make no sense"
            raise UndeliveredError(f"it cannot be started: {why}") from None
        self._running = process
        if self._stopped:  # `stop` may have come before `_running` was set
            kill_with_children(process)
        try:
            process.communicate(f"{line_of(event)}\n".encode(), timeout=self._limit_s)
        except subprocess.TimeoutExpired:
            raise UndeliveredError(f"it did not end within {self._limit_s:g} s") from None
        finally:
            kill_with_children(process)
            process.wait()
            self._running = None
            if process.stdin is not None:
                with suppress(OSError):
                    process.stdin.close()
        if process.returncode < 0:
            raise UndeliveredError(f"it ended with signal {-process.returncode}")
        if process.returncode > 0:
            raise UndeliveredError(f"it ended with code {process.returncode}")

    def stop(self) -> None:
        """Kill the running command, and any started later; any thread may call it."""
        self._stopped = True
        running = self._running
        if running is not None:
            kill_with_children(running)


class Post:
    """Posts events to `url`. It follows no redirects and keeps no connection."""

    def __init__(
        self,
        url: str,
        secret: Secret | None,
        unix_time: Callable[[], float],
        limit_s: float = LIMIT_S,
    ) -> None:
        self._parts = urlsplit(url)
        self._secret = secret
        self._unix_time = unix_time
        self._limit_s = limit_s

    def __call__(self, event: Event) -> None:
        """Post one event; raise `UndeliveredError` if it was not accepted in time."""
        body = line_of(event).encode()
        fields = self._fields(f"{event.session}:{event.number}", body)
        target = self._parts.path or "/"
        if self._parts.query:
            target += f"?{self._parts.query}"
        status, _ = exchange(self._parts, "POST", target, body, fields, self._limit_s)
        if status in range(300, 400):
            raise UndeliveredError(f"it answered {status}, and redirects are not followed")
        if status not in _ACCEPTED:
            raise UndeliveredError(f"it answered {status}")

    def _fields(self, event_id: str, body: bytes) -> dict[str, str]:
        stamp = str(int(self._unix_time()))
        fields = {
            "content-type": "application/json",
            "user-agent": f"table-companion/{__version__}",
            "webhook-id": event_id,
            "webhook-timestamp": stamp,
        }
        if self._secret is None:
            return fields
        try:
            key = key_of(self._secret.read())
        except NoSecretError as problem:
            raise UndeliveredError(f"its secret: {problem}") from None
        return fields | {"webhook-signature": signature(key, event_id, stamp, body)}


def key_of(secret: str) -> bytes:
    """Return the signing key of a secret: the Base64 bytes after `whsec_`, or the bytes of any other text."""
    if not secret.startswith(_PREFIX):
        return secret.encode()
    try:
        return base64.b64decode(secret.removeprefix(_PREFIX), validate=True)
    except binascii.Error:
        raise NoSecretError(f"what follows {_PREFIX} is no Base64") from None


def signature(key: bytes, event_id: str, stamp: str, body: bytes) -> str:
    """Return the signature of id, time and body: `v1,` and an HMAC-SHA256 in Base64."""
    digest = hmac.digest(key, f"{event_id}.{stamp}.".encode() + body, "sha256")
    return f"v1,{base64.b64encode(digest).decode()}"
