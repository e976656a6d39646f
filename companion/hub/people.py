"""Who signs in at the hub, and what the organiser does there."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from random import Random
from typing import Final

from sqlalchemy import Connection
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from companion.hub import pages
from companion.hub.accounts import (
    NoAccount,
    Role,
    SignedIn,
    account_with,
    has_organiser,
    make_account,
    sign_in,
    sign_out,
    who_is,
)
from companion.hub.answers import Handler, address_of, form_of, html
from companion.hub.database import Database
from companion.hub.gatherings import NoGathering, begin_gathering, gathering_on, gatherings_in, show_awards
from companion.hub.joining import KnownTokens, as_typed, new_code, revoke
from companion.hub.limit import Limit
from companion.hub.news import News
from companion.hub.overview import table_rows
from companion.hub.points import PointsRules
from companion.hub.results import Kind, NoRuling, results_in, rule
from companion.hub.rounds import Seated, mend, names_in, newest, seat
from companion.hub.seating import NoSeating
from companion.hub.standings import standings_of

COOKIE: Final = "hub"
MOST_NUMBER: Final = 9999
TRIES_BY_NAME: Final = 50
"""At one name's password within five minutes, from all addresses: fewer would let anybody lock out the organiser."""


class People:
    """The pages of those who sign in. `first_code` is what the first organiser types; the terminal shows it."""

    def __init__(
        self,
        database: Database,
        title: str,
        points: PointsRules,
        first_code: str,
        tries: Limit,
        known: KnownTokens,
        news: News,
        unix_time: Callable[[], float],
    ) -> None:
        self._database, self._title, self._points, self._first_code = database, title, points, first_code
        self._by_name = Limit(TRIES_BY_NAME)
        self._tries, self._known, self._news, self._now = tries, known, news, unix_time

    @property
    def routes(self) -> list[Route]:
        """Where each is."""
        get, post = ["GET"], ["POST"]
        return [
            Route("/setup", self._setup, methods=[*get, *post]),
            Route("/sign-in", self._sign_in, methods=[*get, *post]),
            Route("/sign-out", self._form(self._sign_out), methods=post),
            Route("/organiser", self._page(self._organisers_page), methods=get),
            Route("/organiser/code", self._form(self._code), methods=post),
            Route("/organiser/revoke", self._form(self._revoke), methods=post),
            Route("/organiser/judge", self._form(self._judge), methods=post),
            Route("/organiser/event", self._form(self._begin_gathering), methods=post),
            Route("/organiser/awards", self._form(self._release), methods=post),
            Route("/organiser/rounds", self._page(self._rounds), methods=get),
            Route("/organiser/rounds", self._form(self._seat), methods=post),
            Route("/organiser/mend", self._form(self._mend), methods=post),
            Route("/judge", self._page(self._judges_page), methods=get),
            Route("/judge", self._form(self._rule), methods=post),
        ]

    async def _setup(self, request: Request) -> Response:
        def page(note: str = "") -> Response:
            return html(pages.setup_page(note), 403 if note else 200)

        if await run_in_threadpool(self._begun):
            return RedirectResponse("/sign-in", 303)
        if request.method == "GET":
            return page()
        said = await form_of(request)
        if isinstance(said, Response):
            return said
        whose = address_of(request)
        if self._tries.is_reached(self._now(), whose):
            return page("Too many tries: wait five minutes.")
        if not _same(said.get("code", ""), self._first_code):
            self._tries.count(self._now(), whose)
            return page("This is not the code on the hub's terminal.")
        return await run_in_threadpool(self._first, said, page, secure=request.url.scheme == "https")

    def _first(self, said: Mapping[str, str], page: Callable[[str], Response], *, secure: bool) -> Response:
        try:
            with self._database.writing() as connection:
                if has_organiser(connection):
                    return RedirectResponse("/sign-in", 303)
                account = make_account(connection, said.get("name", ""), said.get("password", ""), Role.ORGANISER)
                cookie = sign_in(connection, account, self._now())
        except NoAccount as why:
            return page(str(why))
        return _with_cookie(RedirectResponse("/organiser", 303), cookie, secure=secure)

    async def _sign_in(self, request: Request) -> Response:
        if request.method == "GET":
            begun = await run_in_threadpool(self._begun)
            return html(pages.sign_in_page()) if begun else RedirectResponse("/setup", 303)
        said = await form_of(request)
        if isinstance(said, Response):
            return said
        name, address = f"name {said.get('name', '')}", address_of(request)
        if self._tries.is_reached(self._now(), address) or self._by_name.is_reached(self._now(), name):
            return html(pages.sign_in_page("Too many tries: wait five minutes."), 429)

        def try_it() -> Response:
            try:
                with self._database.reading() as connection:
                    account = account_with(connection, said.get("name", ""), said.get("password", ""))
                with self._database.writing() as connection:
                    cookie = sign_in(connection, account, self._now())
            except NoAccount as why:
                self._tries.count(self._now(), address)
                self._by_name.count(self._now(), name)
                return html(pages.sign_in_page(str(why)), 403)
            return _with_cookie(RedirectResponse("/organiser", 303), cookie, secure=request.url.scheme == "https")

        return await run_in_threadpool(try_it)

    def _begun(self) -> bool:
        with self._database.reading() as connection:
            return has_organiser(connection)

    def _who(self, request: Request) -> SignedIn | None:
        cookie = request.cookies.get(COOKIE, "")
        if not cookie:
            return None
        with self._database.reading() as connection:
            return who_is(connection, cookie, self._now())

    def _page(self, makes: Callable[[SignedIn], Response]) -> Handler:
        """What shows a page to somebody who signed in."""

        async def answer(request: Request) -> Response:
            who = await run_in_threadpool(self._who, request)
            return RedirectResponse("/sign-in", 303) if who is None else await run_in_threadpool(makes, who)

        return answer

    def _form(self, does: Callable[[SignedIn, Mapping[str, str], Request], Response]) -> Handler:
        """What answers a form of somebody who signed in."""

        async def answer(request: Request) -> Response:
            said = await form_of(request)
            if isinstance(said, Response):
                return said
            who = await run_in_threadpool(self._who, request)
            if who is None:
                return RedirectResponse("/sign-in", 303)
            return await run_in_threadpool(does, who, said, request)

        return answer

    def _sign_out(self, _who: SignedIn, _said: Mapping[str, str], request: Request) -> Response:
        with self._database.writing() as connection:
            sign_out(connection, request.cookies.get(COOKIE, ""))
        answer = RedirectResponse("/", 303)
        answer.delete_cookie(COOKIE)
        return answer

    # -- what the organiser does

    def _organisers_page(self, who: SignedIn, note: str = "", status: int = 200) -> Response:
        with self._database.reading() as connection:
            rows, on = table_rows(connection, self._now()), gathering_on(connection, self._title)
        return html(pages.organiser_page(on.title, who, rows, note), status)

    def _code(self, who: SignedIn, said: Mapping[str, str], _request: Request) -> Response:
        number = _table_number(said)
        if who.role is not Role.ORGANISER or number is None:
            return self._organisers_page(who, _why_no_table(who), 403)
        with self._database.writing() as connection:
            code, _ = new_code(connection, number, self._now())
        return self._organisers_page(who, f"Table {number} joins with {code[:4]} {code[4:]}, for the next ten minutes.")

    def _revoke(self, who: SignedIn, said: Mapping[str, str], _request: Request) -> Response:
        number = _table_number(said)
        if who.role is not Role.ORGANISER or number is None:
            return self._organisers_page(who, _why_no_table(who), 403)
        with self._database.writing() as connection:
            revoke(connection, number)
        self._known.forget()
        return self._organisers_page(who, f"No laptop is joined as table {number} any more. What it sent is kept.")

    def _judge(self, who: SignedIn, said: Mapping[str, str], _request: Request) -> Response:
        if who.role is not Role.ORGANISER:
            return self._organisers_page(who, "Only an organiser adds judges.", 403)
        try:
            with self._database.writing() as connection:
                make_account(connection, said.get("name", ""), said.get("password", ""), Role.JUDGE)
        except NoAccount as why:
            return self._organisers_page(who, str(why), 403)
        return self._organisers_page(who, f"{said['name'].strip()} can sign in as judge now.")

    def _begin_gathering(self, who: SignedIn, said: Mapping[str, str], _request: Request) -> Response:
        if who.role is not Role.ORGANISER:
            return self._organisers_page(who, "Only an organiser begins an event.", 403)
        try:
            with self._database.writing() as connection:
                begin_gathering(connection, said.get("title", ""), self._now())
        except NoGathering as why:
            return self._organisers_page(who, str(why), 403)
        self._news.tell()
        return self._organisers_page(who, "The event has begun. What is played from now on counts in it.")

    def _rounds(self, who: SignedIn) -> Response:
        return self._rounds_page() if who.role is Role.ORGANISER else RedirectResponse("/organiser", 303)

    def _rounds_page(self, note: str = "", status: int = 200) -> Response:
        with self._database.reading() as connection:
            on = gathering_on(connection, self._title)
            return html(pages.rounds_page(on.title, newest(connection), note), status)

    def _seat(self, who: SignedIn, said: Mapping[str, str], _request: Request) -> Response:
        return self._seated(who, lambda connection: seat(connection, names_in(said["players"]), self._now(), Random()))

    def _mend(self, who: SignedIn, said: Mapping[str, str], _request: Request) -> Response:
        def put_right(connection: Connection) -> Seated:
            return mend(connection, names_in(said.get("gone", "")), names_in(said.get("late", "")), self._now())

        return self._seated(who, put_right)

    def _seated(self, who: SignedIn, does: Callable[[Connection], Seated]) -> Response:
        if who.role is not Role.ORGANISER:
            return self._organisers_page(who, "Only an organiser seats rounds.", 403)
        try:
            with self._database.writing() as connection:
                seated = does(connection)
        except NoSeating as why:
            return self._rounds_page(str(why), 403)
        except KeyError:
            return self._rounds_page("Write who plays.", 403)
        self._news.tell()
        return self._rounds_page(f"Round {seated.number} is seated. Everybody sees it now.")

    # -- what a judge does

    def _judges_page(self, who: SignedIn, note: str = "", status: int = 200) -> Response:
        with self._database.reading() as connection:
            *before, on = gatherings_in(connection, self._title)
            results = results_in(connection, on.id)
            earlier = [(each.title, results_in(connection, each.id)) for each in reversed(before)]
        standings = standings_of(results, self._points)
        return html(pages.judge_page(on, who, results, earlier, standings, note), status)

    def _rule(self, who: SignedIn, said: Mapping[str, str], _request: Request) -> Response:
        try:
            kind, record = Kind(said.get("kind", "")), int(said.get("record", "")[:9])
            with self._database.writing() as connection:
                rule(connection, record, kind, said.get("order", ""), said.get("why", ""), who.name, self._now())
        except NoRuling as why:
            return self._judges_page(who, str(why), 403)
        except ValueError:
            return self._judges_page(who, "There is no such ruling.", 403)
        self._news.tell()
        return self._judges_page(who, "Ruled. Everybody sees it now.")

    def _release(self, who: SignedIn, _said: Mapping[str, str], _request: Request) -> Response:
        if who.role is not Role.ORGANISER:
            return self._judges_page(who, "Only an organiser shows the awards.", 403)
        with self._database.writing() as connection:
            show_awards(connection, self._now())
        self._news.tell()
        return self._judges_page(who, "Everybody sees the awards now.")


def _with_cookie(answer: Response, cookie: str, *, secure: bool) -> Response:
    answer.set_cookie(COOKIE, cookie, httponly=True, samesite="strict", path="/", secure=secure)
    return answer


def _same(typed: str, code: str) -> bool:
    return bool(code) and secrets.compare_digest(as_typed(typed).encode(), code.encode())


def _table_number(said: Mapping[str, str]) -> int | None:
    number = said.get("number", "")
    return int(number) if number.isascii() and number.isdecimal() and 0 < int(number) <= MOST_NUMBER else None


def _why_no_table(who: SignedIn) -> str:
    return "A table has a number." if who.role is Role.ORGANISER else "Only an organiser does this."
