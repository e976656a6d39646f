"""A note sent by a phone. Everything that can refuse it is checked before the game is asked.

Its seat is known by the address alone. The body can hold only a line of the game's form and its answers, or the
id of what the seat's page offers, so a phone can send nothing that the laptop would not ask for.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TYPE_CHECKING, NamedTuple

from starlette.requests import ClientDisconnect, Request

from companion.journal.errors import JournalError
from companion.rules.actions import on_page
from companion.rules.facts import Refused, SeatId
from companion.session.corrections import NotDone
from companion.session.seat_notes import SeatNote
from companion.web.checks import Limit, NotTakenError, body_of, check_source

if TYPE_CHECKING:
    from companion.session.table import Table

MOST_BODY = 4096
"""Bytes of a note; a hand of ten cards takes three hundred."""
MOST_A_SECOND = 5
"""Notes of one seat in any second, from all its phones together."""
BODY_S = 5.0
"""Seconds for a body to arrive."""
MOST_WAITING = 8
"""Notes that wait for the disk at once, each in a thread."""
SAVED_S = 3.0
"""Seconds that a note waits for the disk; after that the phone sends it again."""
ELSEWHERE = "That was sent by another page: open the address that the companion prints."
NO_JSON = "That is no note: look at the page again."
TOO_LONG = f"A note has at most {MOST_BODY} bytes: write less."
TOO_MANY = f"At most {MOST_A_SECOND} notes a second: this one is sent again by itself."
TOO_SLOW = "The note did not come to its end: it is sent again by itself."
NOT_SAVED = "The disk is slow, so nothing is saved yet: it is sent again by itself."
GRID_S = 0.05
"""A reply is sent at the next multiple of this time after its request. The time that the work takes could tell
something about other seats' secrets, because the odds of all seats are computed in the same process. The work takes
less than one such time, unless the disk is slow."""
OTHER_GAME = "That was for another game, so nothing was noted: look at the page again."
LONGEST_WAIT_MS = 120_000
"""More than the time for which a phone keeps what it cannot send; see notes.js."""
SAVED = "Saved."
ASKED = "The table is asked."
_ID = re.compile(r"[A-Za-z0-9_-]{16,64}")
_FIELDS = frozenset({"id", "line", "answers", "back", "propose", "enter", "waited_ms", "place"})
_JSON = "application/json"
_NOT_TAKEN = {
    HTTPStatus.FORBIDDEN: ELSEWHERE,
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: NO_JSON,
    HTTPStatus.TOO_MANY_REQUESTS: TOO_MANY,
    HTTPStatus.REQUEST_TIMEOUT: TOO_SLOW,
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: TOO_LONG,
}


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to a note: a sentence for the seat that sent it."""

    status: HTTPStatus
    text: str


@dataclass(slots=True, eq=False)
class NotePost:
    """Takes notes of all seats of a table. `_clock` is a monotonic clock in seconds; `_pause` sleeps for seconds."""

    _table: Table
    _clock: Callable[[], float] = time.monotonic
    _pause: Callable[[float], Awaitable[None]] = asyncio.sleep
    # Threads of their own: notes that wait for a slow disk do not hold up the making of pages.
    _threads: ThreadPoolExecutor = field(
        default_factory=lambda: ThreadPoolExecutor(MOST_WAITING, "notes"), init=False
    )
    _pace: Limit = field(default_factory=lambda: Limit(MOST_A_SECOND, 1.0), init=False)

    async def answer(self, seat: SeatId, request: Request, place: str) -> Reply:
        """Record a note of `seat` and return the reply; the note is on the disk if that is `SAVED`.

        `place` is what the seat's page is of now; a note from a page of something else is refused.
        """
        began_s = self._clock()
        reply = await self._answered(seat, request, place)
        # the time to the next multiple of `GRID_S`
        await self._pause((began_s - self._clock()) % GRID_S)
        return reply

    async def _answered(self, seat: SeatId, request: Request, place: str) -> Reply:
        try:
            check_source(request, (_JSON,))
            if not self._pace.take(self._clock(), seat):
                raise NotTakenError(HTTPStatus.TOO_MANY_REQUESTS)
            body = await body_of(request, MOST_BODY, BODY_S)
        except NotTakenError as why:
            return Reply(why.status, _NOT_TAKEN[why.status])
        except ClientDisconnect:  # nobody reads the reply
            return Reply(HTTPStatus.BAD_REQUEST, NO_JSON)
        # After the rate limit: invalid notes count too. In a thread: the event loop answers the other phones meanwhile.
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, self._taken, seat, body, place)

    def _taken(self, seat: SeatId, body: bytes, place: str) -> Reply:
        note = _note(body)
        if note is None:
            return Reply(HTTPStatus.BAD_REQUEST, NO_JSON)
        # What counts for the whole table has to say which game it is for.
        places = (place,) if note.note.enter else ("", place)
        if note.place not in places:
            return Reply(HTTPStatus.CONFLICT, OTHER_GAME)
        return self._recorded(seat, note.note)

    def _recorded(self, seat: SeatId, note: SeatNote) -> Reply:
        try:
            self._table.wait(self._table.note(seat, note), SAVED_S)
        except Refused as refusal:
            return Reply(HTTPStatus.UNPROCESSABLE_ENTITY, on_page(refusal.spoken()))
        except NotDone as problem:
            return Reply(HTTPStatus.SERVICE_UNAVAILABLE, str(problem))
        except JournalError:
            return Reply(HTTPStatus.SERVICE_UNAVAILABLE, NOT_SAVED)
        return Reply(HTTPStatus.OK, ASKED if note.propose else SAVED)


class PlacedNote(NamedTuple):
    """A note, and what the page that sent it was of; empty if it does not say."""

    note: SeatNote
    place: str


def _note(body: bytes) -> PlacedNote | None:
    """Return the note in a body, or None if it holds none."""
    try:
        fields = json.loads(body)
        if not isinstance(fields, dict) or set(fields) - _FIELDS or not _ID.fullmatch(fields["id"]):
            return None
        line, answers, back = fields.get("line", ""), fields.get("answers", {}), fields.get("back")
        propose, enter = fields.get("propose", ""), fields.get("enter", "")
        place, waited_ms = fields.get("place", ""), fields.get("waited_ms", 0)
        words = [line, propose, enter, place, *answers, *answers.values()]
        # Python's JSON reader accepts any text; a printable one has no control characters and no half surrogate pairs.
        # These strings go into the record and onto screens.
        if any(not isinstance(word, str) or not word.isprintable() for word in words):
            return None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    kinds = [bool(line), bool(propose), bool(enter), back is not None]
    if kinds.count(True) != 1 or (answers and not (line or enter)):
        return None
    if type(waited_ms) is not int or not 0 <= waited_ms <= LONGEST_WAIT_MS:
        return None
    # `type`, not `isinstance`: true is an int in Python
    if back is not None and not (type(back) is int and 0 < back < 2**53):
        return None
    note = SeatNote(fields["id"], line, answers, back, propose, enter, waited_ms)
    return PlacedNote(note, place)
