"""A note that a phone sends: every reason to refuse it is looked for before the game is asked.

Whose note it is stands in the address alone. What the body may hold is a line of the game's form and its answers, so
nothing can be sent but what the curtain would ask too.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from starlette.requests import Request

from companion.journal.errors import JournalError
from companion.rules.facts import Refused, SeatId
from companion.session.corrections import NotDone
from companion.session.seat_notes import SeatNote
from companion.web.addresses import header_of

if TYPE_CHECKING:
    from companion.session.table import Table

MOST_BODY = 4096
"""Bytes of a note: a hand of ten cards takes three hundred."""
A_SECOND = 5
"""Notes of one seat in any second, all its phones together."""
BODY_S = 5.0
"""Seconds in which a body has to come."""
SAVED_S = 3.0
"""Seconds for which a note waits for the disk; the phone sends it again then."""
ELSEWHERE = "That was sent by another page: open the address that the companion prints."
NO_JSON = "That is no note: look at the page again."
TOO_LONG = f"A note has at most {MOST_BODY} bytes: write less."
TOO_MANY = f"At most {A_SECOND} notes a second: this one is sent again by itself."
TOO_SLOW = "The note did not come to its end: it is sent again by itself."
NOT_SAVED = "The disk is slow, so nothing is saved yet: it is sent again by itself."
GRID_S = 0.05
"""Replies are given at multiples of this after a request came: how long the work took may hang on what others know, for
the odds of all seats are drawn beside it. A note takes less, on a disk that is not slow."""
SAVED = "Saved."
ASKED = "The table is asked."
_ID = re.compile(r"[A-Za-z0-9_-]{16,64}")
_FIELDS = frozenset({"id", "line", "answers", "back", "propose"})
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to a note: a sentence for the seat that sent it."""

    status: HTTPStatus
    said: str


@dataclass(slots=True, eq=False)
class NotePost:
    """Takes the notes of all seats of a table. `_clock` is a monotonic clock in seconds; `_pause` waits for so many."""

    _table: Table
    _clock: Callable[[], float] = time.monotonic
    _pause: Callable[[float], Awaitable[None]] = asyncio.sleep
    _came: dict[SeatId, deque[float]] = field(default_factory=dict, init=False)

    async def answer(self, seat: SeatId, request: Request) -> Reply:
        """Return what is answered to a note of `seat`; it is on the disk when that is `SAVED`."""
        began = self._clock()
        reply = await self._answered(seat, request)
        await self._pause((began - self._clock()) % GRID_S)
        return reply

    async def _answered(self, seat: SeatId, request: Request) -> Reply:
        scope, receive = request.scope, request.receive
        if header_of(scope, b"origin") != f"{scope['scheme']}://{header_of(scope, b'host')}":
            return Reply(HTTPStatus.FORBIDDEN, ELSEWHERE)
        if header_of(scope, b"content-type").partition(";")[0].strip() != "application/json":
            return Reply(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, NO_JSON)
        if self._too_fast(seat):
            return Reply(HTTPStatus.TOO_MANY_REQUESTS, TOO_MANY)
        try:
            async with asyncio.timeout(BODY_S):
                body = await _body(scope, receive)
        except TimeoutError:
            return Reply(HTTPStatus.REQUEST_TIMEOUT, TOO_SLOW)
        if body is None:
            return Reply(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, TOO_LONG)
        note = _note(body)
        if note is None:
            return Reply(HTTPStatus.BAD_REQUEST, NO_JSON)
        return await asyncio.to_thread(self._recorded, seat, note)

    def _too_fast(self, seat: SeatId) -> bool:
        now, came = self._clock(), self._came.setdefault(seat, deque(maxlen=A_SECOND))
        if len(came) == A_SECOND and now - came[0] < 1:
            return True
        came.append(now)
        return False

    def _recorded(self, seat: SeatId, note: SeatNote) -> Reply:
        try:
            self._table.wait(self._table.note(seat, note), SAVED_S)
        except Refused as refusal:
            return Reply(HTTPStatus.UNPROCESSABLE_ENTITY, refusal.spoken())
        except NotDone as problem:
            return Reply(HTTPStatus.SERVICE_UNAVAILABLE, str(problem))
        except JournalError:
            return Reply(HTTPStatus.SERVICE_UNAVAILABLE, NOT_SAVED)
        return Reply(HTTPStatus.OK, ASKED if note.propose else SAVED)


async def _body(scope: Mapping[str, Any], receive: Receive) -> bytes | None:
    """The body; None for one that is too long, of which no more is read than shows that."""
    said = header_of(scope, b"content-length")
    if said.isdecimal() and int(said[:9]) > MOST_BODY:
        return None
    body = bytearray()
    while True:
        message = await receive()
        body += message.get("body", b"")
        if len(body) > MOST_BODY:
            return None
        if message["type"] == "http.disconnect" or not message.get("more_body", False):
            return bytes(body)


def _note(body: bytes) -> SeatNote | None:
    """The note in a body; None where it is none."""
    try:
        said = json.loads(body)
        if not isinstance(said, dict) or set(said) - _FIELDS or not _ID.fullmatch(said["id"]):
            return None
        line, answers, back = said.get("line", ""), said.get("answers", {}), said.get("back")
        propose = said.get("propose", "")
        words = [line, propose, *answers, *answers.values()]
        # What is printable has neither control characters nor half a surrogate pair.
        if any(not isinstance(word, str) or not word.isprintable() for word in words):
            return None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    if [bool(line), bool(propose), back is not None].count(True) != 1 or (answers and not line):
        return None
    if not (back is None or (type(back) is int and 0 < back < 2**53)):
        return None
    return SeatNote(said["id"], line, answers, back, propose)
