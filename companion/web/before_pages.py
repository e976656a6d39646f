"""The web application before a game: what to play, on plain pages. One code opens them all.

With an `Admission`, a device without the code may wait at the address without one, to be let in by a
touch of the box.
"""

from __future__ import annotations

import asyncio
import re
import secrets
import threading
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path
from urllib.parse import parse_qsl

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from companion.box.entry import BoxEntry
from companion.errors import CommandError
from companion.reports.markup import element, paragraph, text
from companion.rules.box_questions import NoAnswer
from companion.rules.columns import clean
from companion.rules.component_rows import ComponentTable
from companion.rules.registry import GAMES
from companion.session.corrections import NotDone
from companion.web import before_forms, box_forms
from companion.web.admission import Admission, Entrance
from companion.web.after_forms import AFTER, NOTHING, FormResult, FormResults
from companion.web.app import AGAIN, PUT_AWAY, UnderPlainHost
from companion.web.before_game import BeforeGame, Form, game_of
from companion.web.board_forms import board_page
from companion.web.board_procedures import done, procedure_of
from companion.web.checks import Limit, NotTakenError, body_of, check_source
from companion.web.headers import IS_PUT_AWAY, STATE
from companion.web.responses import HTML, EventStream, Whole

MOST_BODY = 16_384
"""Bytes of a form: forty names and as many house rules take a fifth of that."""
MOST_FIELDS = 300
BODY_S = 5.0
OF_REPORTS = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
"""The policy of reports, which style themselves and load nothing."""
MOST_MADE = 2
"""Reports and statistics that are made at once, each by a process."""
MOST_A_SECOND = 5
"""Forms in any second, from all devices together."""
ASK_S = 2
"""Seconds after which a waiting page asks again."""
WRONG = "There is nothing at this address. Open the one that the companion shows."
NOT_VALID = "This address is not valid any more. Open the one that the companion shows."
NO_FORM = "That is no form of these pages. Go back and try again."
TOO_MANY = "That was too quick. Go back and try again."
NO_BOARD = "The companion was started without a board, so there is nothing to test."
NO_SESSION = "This session is not there any more. Choose another one."
PLACE = "0" * 16
"""What the pages here are of; no game has this place."""
ENDS_S = 0.8
"""Most seconds to wait until nothing listens here; the server cuts off answers after one."""
LOOK_S = 0.01
ENDED = "The companion has ended. You can close this page."
_FORM = "application/x-www-form-urlencoded"
_BODY = re.compile(r"<body[^>]*>")
_WHY_NOT = {
    HTTPStatus.FORBIDDEN: "Another page sent that. Open the address that the companion shows.",
    HTTPStatus.TOO_MANY_REQUESTS: TOO_MANY,
}
TITLES: Mapping[Entrance, str] = {
    Entrance.WAITING: "Hold two zone buttons of the box for two seconds",
    Entrance.SEVERAL: "Several devices wait here",
    Entrance.TAKEN: "Another device was let in",
    Entrance.NO_BOARD: "This page needs a code",
}
HOW: Mapping[Entrance, str] = {
    Entrance.WAITING: "Then this page opens. Within two minutes of switching the board on, it opens by itself.",
    Entrance.SEVERAL: "Close this page on all devices but one. Then hold two zone buttons of the box for two seconds.",
    Entrance.TAKEN: "Ask its owner for the code. Nobody has it? Unplug the board and plug it in again.",
    Entrance.NO_BOARD: "No board is connected. The program's log has the address with its code.",
}
Answering = Callable[[Request], Awaitable[Response]]


class NotTaken(Exception):
    """A form that is refused; `status` and the text say why."""

    def __init__(self, status: HTTPStatus, why: str) -> None:
        super().__init__(why)
        self.status = status


class BeforePages:
    """The ASGI application. `code` opens its pages; `admission` lets in devices without it, None lets in nobody.
    `comes_back` returns whether another code, such as that of a phone, opens a page of the next game."""

    def __init__(
        self,
        before: BeforeGame,
        code: Callable[[], str],
        admission: Admission | None = None,
        comes_back: Callable[[str], bool] = lambda _: False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.listens: Callable[[], bool] = lambda: False
        """Returns whether new connections come here; set by whoever serves this."""
        self._before, self._code, self._admission, self._clock = before, code, admission, clock
        self._comes_back = comes_back
        self._boxes = threading.Lock()
        # threads of their own: a game that starts does not wait for a report that somebody asked for
        self._makers = ThreadPoolExecutor(MOST_MADE, "reports")
        self._board_s = 0.0  # when somebody looked at the board's page last
        self._pace = Limit(MOST_A_SECOND, 1.0)
        self._results = FormResults()
        self.fault: Exception | None = None
        """Exception raised in an answer: a bug, which whoever runs this reports."""
        routes = [
            Route("/", self._door),
            Route("/wait/{device}", self._door),
            Route("/{code}", self._with_code(self._with_slash)),
            Route("/{code}/", self._with_code(self._home)),
            Route("/{code}/events", self._with_code(self._events)),
            Route("/{code}/resume", self._with_code(self._resume), methods=["POST"]),
            Route("/{code}/learn", self._with_code(self._learn), methods=["POST"]),
            Route("/{code}/quit", self._with_code(self._quit), methods=["POST"]),
            Route("/{code}/new/{game}", self._with_code(self._new), methods=["GET", "POST"]),
            Route("/{code}/box/{game}", self._with_code(self._box)),
            Route("/{code}/box/{game}/{part}", self._with_code(self._box), methods=["GET", "POST"]),
            Route("/{code}/board", self._with_code(self._board), methods=["GET", "POST"]),
            Route("/{code}/statistics", self._with_code(self._statistics)),
            Route("/{code}/report/{session}", self._with_code(self._report)),
        ]
        self._app = Starlette(
            routes=routes,
            middleware=[Middleware(UnderPlainHost)],
            exception_handlers={HTTPException: _nothing_here},
        )
        self._app.router.redirect_slashes = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return
        try:
            await self._app(scope, receive, send)
        except Exception as fault:
            self.fault = fault
            raise

    def _with_code(self, answering: Answering) -> Answering:
        async def answer(request: Request) -> Response:
            given = request.path_params["code"]
            if not secrets.compare_digest(self._code().encode(), given.encode("utf-8", "replace")):
                if self._comes_back(given):
                    return _put_away()
                return sentence(NOT_VALID, HTTPStatus.FORBIDDEN)
            try:
                return await answering(request)
            except NotTaken as why:
                return sentence(str(why), why.status)

        return answer

    async def _form_of(self, request: Request) -> Form:
        """Return the fields of one of our forms; raise `NotTaken`."""
        return await form_of(request, lambda: self._pace.take(self._clock(), ""))

    # -- who is let in

    async def _door(self, request: Request) -> Response:
        if self._admission is None:
            return sentence(WRONG, HTTPStatus.FORBIDDEN)
        device = request.path_params.get("device", "")
        if not device:
            return _go_to(f"wait/{self._admission.new_device()}")
        entrance = self._admission.ask(device)
        if entrance is Entrance.OPEN:
            return _go_to(f"../{self._code()}/")
        parts = [paragraph(HOW[entrance])]
        return answered(before_forms.page(TITLES[entrance], parts, again_s=ASK_S))

    # -- what to play

    async def _events(self, _request: Request) -> Response:
        return EventStream(_moved(), before_forms.headers())

    async def _with_slash(self, request: Request) -> Response:
        """Lead to the address with its last slash: without it, the links of a page would lead past its code."""
        return _go_to(f"{request.path_params['code']}/")

    async def _home(self, request: Request) -> Response:
        if self._admission is not None:
            self._admission.opened_by_code()
        refusal = self._results.of(request.query_params).refusal
        return told(await asyncio.to_thread(self._home_page, refusal), refusal)

    def _home_page(self, refusal: str) -> str:
        said = refusal or self._before.unread()
        return before_forms.home_page(
            self._before.past(),
            self._before.lessons(),
            said,
            can_quit=self._before.can_quit,
            has_board=self._before.board is not None,
        )

    async def _resume(self, request: Request) -> Response:
        form = await self._form_of(request)
        path = await asyncio.to_thread(self._session, form.get("session", ""))
        if path is None:
            return self._home_again(NO_SESSION)
        why_not = await asyncio.to_thread(self._before.resume, path)
        return await self._begun_or_home(why_not)

    async def _learn(self, request: Request) -> Response:
        form = await self._form_of(request)
        why_not = await asyncio.to_thread(
            self._before.learn, form.get("lesson", ""), anew="anew" in form
        )
        return await self._begun_or_home(why_not)

    async def _begun_or_home(self, why_not: str) -> Response:
        if not why_not or self._before.is_over:
            return await self._started("./")
        return self._home_again(why_not)

    def _home_again(self, refusal: str) -> Response:
        return _go_to(self._results.address("./", FormResult(refusal=refusal)))

    def _session(self, name: str) -> Path | None:
        """Return the session with that name; a page can name no other file."""
        for session in self._before.past():
            if session.path.stem == name:
                return session.path
        return None

    async def _new(self, request: Request) -> Response:
        game_id = request.path_params["game"]
        if game_id not in GAMES:
            return sentence(WRONG, HTTPStatus.NOT_FOUND)
        if request.method == "POST":
            form = await self._form_of(request)
            why_not = await asyncio.to_thread(self._why_not_begun, game_id, form)
            if not why_not or self._before.is_over:
                return await self._started("../")
            refused = FormResult(refusal=why_not, typed=form)
            return _go_to(self._results.address(game_id, refused))
        result = self._results.of(request.query_params)
        if result.refusal:
            return await asyncio.to_thread(self._filled_form, game_id, result.typed, result.refusal)
        if request.url.query and AFTER not in request.query_params:
            form = _asked_by(request)
            return await asyncio.to_thread(self._filled_form, game_id, form, laid_out=True)
        return answered(await asyncio.to_thread(self._new_page, game_id))

    def _new_page(self, game_id: str) -> str:
        try:
            game = self._before.first_choice(game_id)
        except CommandError as problem:
            return before_forms.page(GAMES[game_id].title, [], str(problem))
        return before_forms.new_game_page(game, self._before.known_names())

    async def _started(self, home: str) -> Response:
        """Answer that a game has started, by this device or another one: the browser goes to the same address, where
        its table is."""
        return await go_on_at(home, self.listens)

    def _why_not_begun(self, game_id: str, form: Form) -> str:
        """Begin a game; return why it cannot begin, or an empty string."""
        try:
            game, why_not = game_of(self._before.first_choice(game_id), form)
        except CommandError as problem:
            return str(problem)
        return why_not or self._before.begin(game)

    def _filled_form(
        self, game_id: str, form: Form, refusal: str = "", *, laid_out: bool = False
    ) -> Response:
        """Return the form of a game as it was filled in, with why it did not begin; or `laid_out`, with what to put on
        the table for it. Nothing begins."""
        try:
            game, why_not = game_of(self._before.first_choice(game_id), form)
        except CommandError as problem:
            return answered(before_forms.page(GAMES[game_id].title, [], str(problem)))
        refusal, known = refusal or why_not, self._before.known_names()
        content = before_forms.new_game_page(game, known, refusal, laid_out=laid_out)
        return told(content, refusal)

    async def _box(self, request: Request) -> Response:
        game_id, part = request.path_params["game"], request.path_params.get("part", "")
        if game_id not in GAMES:
            return sentence(WRONG, HTTPStatus.NOT_FOUND)
        if request.method == "POST":
            form = await self._form_of(request)
            return await asyncio.to_thread(self._box_filled, game_id, part, form)
        result = self._results.of(request.query_params)
        return await asyncio.to_thread(self._box_page, game_id, part, result)

    def _box_page(self, game_id: str, part: str, result: FormResult = NOTHING) -> Response:
        title = GAMES[game_id].title
        with self._boxes:  # one hand at a time writes the owner's file
            try:
                entry = self._before.box(game_id)
            except CommandError as problem:
                return sentence(str(problem), HTTPStatus.UNPROCESSABLE_ENTITY)
            table = _part_of(entry, part)
            if table is None:
                return answered(box_forms.parts_page(entry, title))
            content = box_forms.part_page(entry, table, result.refusal, result.said)
        return told(content, result.refusal)

    def _box_filled(self, game_id: str, part: str, form: Form) -> Response:
        """Do what a form of a part of a box asks, and lead to that part."""
        with self._boxes:
            try:
                entry = self._before.box(game_id)
                table = _part_of(entry, part)
                if table is None:
                    return _go_to(f"../{game_id}")
                result = FormResult(said=box_forms.fill(entry, table, form))
            except (CommandError, NoAnswer) as why:
                result = FormResult(refusal=str(why))
        return _go_to(self._results.address(part, result))

    async def _board(self, request: Request) -> Response:
        board = self._before.board
        if board is None:
            return sentence(NO_BOARD, HTTPStatus.NOT_FOUND)
        self._board_s = self._clock()
        if request.method != "POST":
            # once: the page loads itself again while a procedure runs
            refusal = self._results.of(request.query_params, once=True).refusal
            return told(board_page(procedure_of(board), refusal), refusal)
        form = await self._form_of(request)
        try:
            await asyncio.to_thread(
                done, board, form.get("do", ""), "", lambda: self._clock() - self._board_s < ASK_S
            )
        except NotDone as why:
            return _go_to(self._results.address("board", FormResult(refusal=str(why))))
        return _go_to("board")

    async def _quit(self, request: Request) -> Response:
        await self._form_of(request)
        if not self._before.can_quit:
            return sentence(WRONG, HTTPStatus.FORBIDDEN)
        await asyncio.to_thread(self._before.quit)
        # no redirect: nothing listens at another address by now
        return sentence(ENDED, HTTPStatus.OK)

    # -- what was played

    async def _statistics(self, _request: Request) -> Response:
        return await self._made(self._before.statistics, "./")

    async def _report(self, request: Request) -> Response:
        path = await asyncio.to_thread(self._session, request.path_params["session"])
        if path is None:
            return sentence(NO_SESSION, HTTPStatus.NOT_FOUND)
        return await self._made(lambda: self._before.report(path), "../")

    async def _made(self, make: Callable[[], str], home: str) -> Response:
        """Answer with a page that is made elsewhere and has a policy of its own; it leads back to `home`."""
        try:
            loop = asyncio.get_running_loop()
            content = await loop.run_in_executor(self._makers, make)
        except CommandError as problem:
            return sentence(str(problem), HTTPStatus.UNPROCESSABLE_ENTITY)
        return made(content, home, before_forms.HOME)


def _part_of(entry: BoxEntry, name: str) -> ComponentTable | None:
    """Return the part of a box with that name, or None."""
    return next((table for table, _, _ in entry.groups() if table.name == name), None)


def _asked_by(request: Request) -> Form:
    """Return the fields in the address of a page; raise `NotTaken`."""
    try:
        fields = parse_qsl(request.url.query, keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except ValueError:
        raise NotTaken(HTTPStatus.BAD_REQUEST, NO_FORM) from None
    return {name: clean(value) for name, value in fields}


async def form_of(request: Request, may: Callable[[], bool] = lambda: True) -> Form:
    """Return the fields of a form of our pages; raise `NotTaken`, also if it `may` not come now."""
    try:
        check_source(request, (_FORM,))
        if not may():
            raise NotTakenError(HTTPStatus.TOO_MANY_REQUESTS)
        body = await body_of(request, MOST_BODY, BODY_S)
        fields = parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except NotTakenError as why:
        raise NotTaken(why.status, _WHY_NOT.get(why.status, NO_FORM)) from None
    except (ClientDisconnect, ValueError):  # UnicodeDecodeError among them
        raise NotTaken(HTTPStatus.BAD_REQUEST, NO_FORM) from None
    return {name: clean(value) for name, value in fields}


async def go_on_at(home: str, listens: Callable[[], bool]) -> Response:
    """Answer that something else is at the address now, once nothing `listens` here any more: before, the browser would
    come back here."""
    with suppress(TimeoutError):
        async with asyncio.timeout(ENDS_S):
            while listens():
                await asyncio.sleep(LOOK_S)
    headers = {**before_forms.headers(), "location": home, "connection": "close"}
    return Response(None, HTTPStatus.SEE_OTHER, headers)


def answered(
    content: str, status: HTTPStatus = HTTPStatus.OK, more: Mapping[str, str] | None = None
) -> Response:
    """Answer with one of these pages; `more` headers add to the common ones or replace them."""
    return Whole(content, status, {**before_forms.headers(), "content-type": HTML, **(more or {})})


def told(content: str, refusal: str) -> Response:
    """Answer with one of these pages, which says why something was refused unless that is empty."""
    return answered(content, HTTPStatus.UNPROCESSABLE_ENTITY if refusal else HTTPStatus.OK)


def made(content: str, back: str, label: str) -> Response:
    """Answer with a report, which has styles of its own, and above it a link `back` that a file does not need."""
    way = element("nav", element("a", text(label), href=back), aria_label=label)
    content = _BODY.sub(lambda body: f"{body[0]}{way}", content, count=1)
    return answered(content, more={"content-security-policy": OF_REPORTS})


def sentence(words: str, status: HTTPStatus) -> Response:
    """Answer with a page with one sentence."""
    return answered(before_forms.page("Table companion", [], words), status)


def _go_to(address: str) -> Response:
    headers = {**before_forms.headers(), "location": address}
    return Response(None, HTTPStatus.SEE_OTHER, headers)


def _put_away() -> Response:
    content = before_forms.page("Table companion", [], PUT_AWAY)
    return answered(content, HTTPStatus.SERVICE_UNAVAILABLE, AGAIN | {STATE: IS_PUT_AWAY})


async def _moved() -> AsyncGenerator[bytes]:
    """Yield that the address is of something else now: the page of a game that is left loads itself again."""
    yield f"event: place\ndata: {PLACE}\n\n".encode()


async def _nothing_here(_request: Request, problem: Exception) -> Response:
    """Answer a request for an unknown address, or with a method that has no meaning there."""
    assert isinstance(problem, HTTPException)
    return sentence(WRONG, HTTPStatus(problem.status_code))
