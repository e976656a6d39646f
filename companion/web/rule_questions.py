"""Requests about the rules: a question, or the number of a line of the log. They are bounded like all others, and
change nothing."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from typing import Final
from urllib.parse import parse_qs

from starlette.requests import Request

from companion.reports.markup import Markup
from companion.web.checks import Limit
from companion.web.rules_pages import MOST_LETTERS, PublicRules, answers_main, reason_main

MOST_A_SECOND: Final = 5
"""Questions and reasons with one code in any second, from all its pages together."""
MOST_QUERY: Final = 12 * MOST_LETTERS + len("q=&part=main")
"""Bytes after the `?` of an address: a letter has at most four bytes, each spelled with three characters."""
TOO_LONG: Final = f"A question has at most {MOST_LETTERS} letters. Ask with fewer words."
NOT_ANSWERED: Final = (
    "This cannot be answered, by a fault of the program. Look in the rules of the game."
)
FAULT: Final = "A question on a page could not be answered, by a fault of the program ({fault}). The game goes on."
TOO_MANY: Final = f"At most {MOST_A_SECOND} questions a second are answered. Ask again."


@dataclass(frozen=True, slots=True)
class RulesReply:
    """The main part of the page that answers, and its status; `only_main` if a script asked for that part alone."""

    status: HTTPStatus
    main: Markup
    only_main: bool


@dataclass(slots=True, eq=False)
class RuleQuestions:
    """Answers the questions of all pages of a table. `_tell` shows a sentence at the table; `_clock` is a monotonic
    clock in seconds."""

    _tell: Callable[[str], object] = lambda _sentence: None
    _clock: Callable[[], float] = time.monotonic
    _pace: Limit = field(default_factory=lambda: Limit(MOST_A_SECOND, 1.0), init=False)

    async def answer(self, code: str, request: Request, rules: PublicRules) -> RulesReply:
        """Return what the rules say about the question in an address."""
        problem, status, question = "", HTTPStatus.OK, _field(request, "q")
        if len(question) > MOST_LETTERS:
            problem, status = TOO_LONG, HTTPStatus.REQUEST_URI_TOO_LONG
        elif question and not self._pace.take(self._clock(), code):
            problem, status = TOO_MANY, HTTPStatus.TOO_MANY_REQUESTS
        draw = partial(answers_main, rules, question[:MOST_LETTERS], problem)
        return await self._drawn(draw, status, rules, _wants_main(request))

    async def reason(self, code: str, request: Request, rules: PublicRules) -> RulesReply:
        """Return why the line of the log in an address is as it is."""
        only_main = _wants_main(request)
        if not self._pace.take(self._clock(), code):
            main = answers_main(rules, "", TOO_MANY)
            return RulesReply(HTTPStatus.TOO_MANY_REQUESTS, main, only_main)
        number = _field(request, "line")
        known = int(number) if number.isdecimal() and len(number) <= 9 else 0
        status = HTTPStatus.OK if known in rules.reasons else HTTPStatus.NOT_FOUND
        return await self._drawn(partial(reason_main, rules, known), status, rules, only_main)

    async def _drawn(
        self, draw: Callable[[], Markup], status: HTTPStatus, rules: PublicRules, only_main: bool
    ) -> RulesReply:
        """Return what `draw` returns, called in a thread: the first question builds the index."""
        try:
            return RulesReply(status, await asyncio.to_thread(draw), only_main)
        # A game's own words may fail, which must not end the pages of all.
        except Exception as fault:
            self._tell(FAULT.format(fault=f"{type(fault).__name__}: {fault}"))
            main = answers_main(rules, "", NOT_ANSWERED)
            return RulesReply(HTTPStatus.INTERNAL_SERVER_ERROR, main, only_main)


def _wants_main(request: Request) -> bool:
    return _field(request, "part") == "main"


def _field(request: Request, name: str) -> str:
    """Return a field of an address in one line without control characters; empty without one.

    Of an address that is too long to be read, the field is returned as dots, too many for a question.
    """
    query: bytes = request.scope.get("query_string", b"")
    if len(query) > MOST_QUERY:
        return "." * (MOST_LETTERS + 1)
    values = parse_qs(query.decode("latin-1")).get(name, [""])
    return " ".join("".join(filter(str.isprintable, values[0].replace("\n", " "))).split())
