"""A tap sent by a page of a role. Everything that can refuse it is checked before the table is asked.

Who taps is known by the address alone, and so is what the page may do. A refused tap is counted with its reason, so
that the people at the table can see that somebody tries.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from starlette.requests import ClientDisconnect, Request

from companion.journal.errors import JournalError
from companion.session.corrections import NotDone
from companion.session.evening import RoleGiven
from companion.session.taps import Device, Outcome, Tap
from companion.web.board_tries import NO_BOARD
from companion.web.checks import Limit, NotTakenError, body_of, check_source
from companion.web.tap_wishes import (
    NO_JSON,
    OF_BOARD,
    NotTappedError,
    Reason,
    SessionWish,
    doing_of,
    json_object,
    loaded,
    number_of,
    read_wish,
    text_of,
    unreadable,
)

if TYPE_CHECKING:
    from companion.session.table import Table

MOST_BODY = 8192
"""Bytes of a tap; a form of ten fields takes one thousand."""
MOST_A_SECOND = 10
"""Taps with one code in any second, from all its pages together."""
BODY_S = 5.0
"""Seconds for a body to arrive."""
MOST_WAITING = 8
"""Taps that wait for the disk at once, each in a thread."""
SAVED_S = 3.0
"""Seconds that a tap waits for the disk; its page asks again with the same id."""
MOST_ANSWERED = 256
"""Answers about the session that are kept for a page that asks again."""
ELSEWHERE = "That was sent by another page: open the address that the companion shows."
TOO_LONG = f"That has at most {MOST_BODY} bytes: write less."
TOO_MANY = f"At most {MOST_A_SECOND} taps a second, so nothing was done. Tap again."
TOO_SLOW = "The request was cut off, so nothing was done. Tap again."
NOT_SAVED = "This is recorded, but the disk has not taken it yet."
OTHER_GAME = "That was for another game, so nothing was done. Load the page again."
FROM_THE_FUTURE = "This page's time cannot be right, so nothing was done. Load the page again."
NOTHING_HEARD = (
    "This page is not connected yet, so nothing was done. Wait a moment, then tap again."
)
FAULT = "A tap on a page could not be done, by a fault of the program ({fault}). The game goes on."
NOT_DONE = "This could not be done, by a fault of the program."
DO_IT_ELSEWHERE = "Do it on the laptop."
LOAD_AGAIN = "Load the page again."
NOT_ALLOWED = "A page for the {role} cannot do this. Use a page for the table."
_ID = re.compile(r"[A-Za-z0-9_-]{16,64}")
_PLACE = re.compile(r"[0-9a-f]{16}")
_TYPE = "application/json"
_FIELDS = frozenset({"id", "place", "seen", "heard", "again", "device", "wish"})
_NOT_TAKEN: Mapping[HTTPStatus, tuple[Reason, str]] = {
    HTTPStatus.FORBIDDEN: (Reason.ORIGIN, ELSEWHERE),
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: (Reason.UNREADABLE, NO_JSON),
    HTTPStatus.TOO_MANY_REQUESTS: (Reason.PACE, TOO_MANY),
    HTTPStatus.REQUEST_TIMEOUT: (Reason.SLOW, TOO_SLOW),
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: (Reason.LENGTH, TOO_LONG),
}
_STATUS = {
    Outcome.DONE: HTTPStatus.OK,
    Outcome.ASKED: HTTPStatus.OK,
    Outcome.SAME: HTTPStatus.CONFLICT,
    Outcome.REFUSED: HTTPStatus.UNPROCESSABLE_ENTITY,
}


OnBoard = Callable[[RoleGiven, str], str]
"""Does what the page of a device asks of the board; returns what the page says, or raises `NotDone`."""


def no_board(_given: RoleGiven, _wish: str) -> str:
    """Refuse what is the board's."""
    raise NotDone(NO_BOARD)


class RefusedTaps:
    """Counts refused taps by their reasons. Any thread may use it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._by_reason = Counter[Reason]()

    def count(self, reason: Reason) -> None:
        """Count one."""
        with self._lock:
            self._by_reason[reason] += 1

    def by_reason(self) -> Mapping[Reason, int]:
        """Return how many were refused for each reason, the most frequent first."""
        with self._lock:
            return dict(self._by_reason.most_common())


@dataclass(frozen=True, slots=True)
class TapReply:
    """The answer to a tap, with its status: what became of it and a sentence for its page."""

    status: HTTPStatus
    outcome: Outcome
    text: str
    again: int = 0

    @property
    def json(self) -> str:
        """The answer as its page reads it."""
        fields = {"outcome": self.outcome.value, "said": self.text, "again": self.again}
        return json.dumps(fields, ensure_ascii=False)


@dataclass(slots=True, eq=False)
class TapPost:
    """Takes the taps of all roles of a table. `on_session` does what is not the table's own and returns what the page
    says, `on_board` what is the board's; both raise `NotDone`. `_clock` is a monotonic clock in seconds."""

    _table: Table
    _on_session: Callable[[str], str]
    _clock: Callable[[], float] = time.monotonic
    _on_board: OnBoard = no_board
    refused: RefusedTaps = field(default_factory=RefusedTaps, init=False)
    """How many were refused, and why."""
    # Threads of their own: taps that wait for a slow disk hold up neither notes nor the making of pages.
    _threads: ThreadPoolExecutor = field(
        default_factory=lambda: ThreadPoolExecutor(MOST_WAITING, "taps"), init=False
    )
    _pace: Limit = field(default_factory=lambda: Limit(MOST_A_SECOND, 1.0), init=False)
    _session_lock: threading.Lock = field(default_factory=threading.Lock, init=False)
    _answered: OrderedDict[tuple[str, str], TapReply] = field(
        default_factory=OrderedDict, init=False
    )

    async def answer(self, given: RoleGiven, request: Request, place: str) -> TapReply:
        """Do what a page of a role asks, and return the reply; it is on the disk if that says so.

        `place` is what the role's page is of now; a tap on a page of something else is refused.
        """
        try:
            body = await self._body(given, request)
            loop = asyncio.get_running_loop()
            # in a thread: the event loop answers the others meanwhile
            return await loop.run_in_executor(self._threads, self._done, given, body, place)
        except NotTappedError as why:
            self.refused.count(why.reason)
            return TapReply(why.status, Outcome.REFUSED, str(why))
        except Exception as fault:  # one tap must not end the pages of all
            self.refused.count(Reason.FAULT)
            self._table.tell(FAULT.format(fault=f"{type(fault).__name__}: {fault}"))
            instead = DO_IT_ELSEWHERE if self._table.has_laptop else LOAD_AGAIN
            said = f"{NOT_DONE} {instead}"
            return TapReply(HTTPStatus.INTERNAL_SERVER_ERROR, Outcome.REFUSED, said)

    async def _body(self, given: RoleGiven, request: Request) -> bytes:
        try:
            check_source(request, (_TYPE,))
            # before the body is read: unreadable ones count too
            if not self._pace.take(self._clock(), given.code):
                raise NotTakenError(HTTPStatus.TOO_MANY_REQUESTS)
            return await body_of(request, MOST_BODY, BODY_S)
        except NotTakenError as why:
            reason, sentence = _NOT_TAKEN[why.status]
            raise NotTappedError(reason, sentence, why.status) from why
        except ClientDisconnect as gone:  # nobody reads the reply
            raise unreadable() from gone

    def _done(self, given: RoleGiven, body: bytes, place: str) -> TapReply:
        fields = json_object(loaded(body), _FIELDS)
        if text_of(fields, "place", _PLACE) != place:
            raise NotTappedError(Reason.OTHER_GAME, OTHER_GAME)
        device = device_of(given, fields.get("device"))
        wanted = json_object(fields.get("wish"))
        if doing_of(wanted) not in given.role.may:
            raise NotTappedError(Reason.ROLE, NOT_ALLOWED.format(role=given.title))
        wish = read_wish(self._table, wanted)
        tap_id = text_of(fields, "id", _ID)
        if isinstance(wish, SessionWish):
            return self._of_session(given, tap_id, wish)
        # An old one is taken as it is: the moment of the tap is then known no better.
        heard_us = number_of(fields, "heard")
        if not heard_us:
            raise NotTappedError(Reason.FUTURE, NOTHING_HEARD)
        if heard_us > self._table.now_us():
            raise NotTappedError(Reason.FUTURE, FROM_THE_FUTURE)
        seen, again = number_of(fields, "seen"), number_of(fields, "again", default=0)
        return self._tapped(device, Tap(tap_id, seen, wish, heard_us, again))

    def _tapped(self, device: Device, tap: Tap) -> TapReply:
        answer = self._table.tap(device, tap)
        if answer.outcome is Outcome.REFUSED:
            raise NotTappedError(Reason.TABLE, answer.text)
        if answer.outcome is Outcome.SAME:
            return TapReply(_STATUS[answer.outcome], answer.outcome, answer.text, answer.entry)
        try:
            self._table.wait(answer.entry, SAVED_S)
        except JournalError as problem:
            raise NotTappedError(
                Reason.DISK, NOT_SAVED, HTTPStatus.SERVICE_UNAVAILABLE
            ) from problem
        return TapReply(_STATUS[answer.outcome], answer.outcome, answer.text)

    def _asked(self, given: RoleGiven, wish: SessionWish) -> str:
        if wish.do.startswith(OF_BOARD):
            return self._on_board(given, wish.do)
        return self._on_session(wish.do)

    def _of_session(self, given: RoleGiven, tap_id: str, wish: SessionWish) -> TapReply:
        """Do what is not the table's own, once for each id."""
        key = (given.code, tap_id)
        with self._session_lock:
            reply = self._answered.get(key)
            if reply is None:
                try:
                    said = self._asked(given, wish)
                except NotDone as problem:
                    raise NotTappedError(Reason.SESSION, str(problem)) from problem
                reply = TapReply(HTTPStatus.OK, Outcome.DONE, said)
                self._answered[key] = reply
                if len(self._answered) > MOST_ANSWERED:
                    self._answered.popitem(last=False)
        return reply


def device_of(given: RoleGiven, said: Any) -> Device:
    """Return the device that a tap is from. Its name is the one on the laptop, and the code is part of its id: nobody
    can pass for a device that has another code."""
    own = json_object(said, {"id", "name"})
    text_of(own, "name", default="")
    whose = hashlib.sha256(given.code.encode()).hexdigest()[:12]
    device_id = f"{whose}.{text_of(own, 'id', _ID)}"
    return Device(device_id, given.name, given.role, given.speaks_for_table)
