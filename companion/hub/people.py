"""Signing in at the hub, and the organiser's and judges' pages and forms."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from random import Random
from typing import Final

from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from companion.hub import Declined, accounts, pages, rounds
from companion.hub.accounts import Role, SignedIn
from companion.hub.answers import TRIES_S, Form, Handler, OpenHub, address_of, html, posted
from companion.hub.forks import End, settle
from companion.hub.joining import as_typed, new_code, revoke
from companion.hub.overview import table_numbers, table_rows
from companion.hub.persons import forget, found_of, merge, reword, spellings
from companion.hub.results import RulingKind, results_in, rule
from companion.hub.standings import standings_of
from companion.rules.columns import plural
from companion.rules.names import person_key
from companion.web.checks import Limit

COOKIE: Final = "hub"
MOST_NUMBER: Final = 9999
TRIES_BY_NAME: Final = 50
"""Tries at one name's password within five minutes, from all addresses; with fewer, anybody could lock out the
organiser."""
ShowPage = Callable[[SignedIn, str, int, Form], Response]
"""Answers a signed-in person with a page: with a note on what came of their request, a status, and what they typed if
that was refused."""


class People:
    """The pages of organisers and judges. `first_code` is what the first organiser types; the terminal shows it."""

    def __init__(self, hub: OpenHub, first_code: str) -> None:
        self._hub, self._first_code = hub, first_code
        self._by_name = Limit(TRIES_BY_NAME, TRIES_S)

    @property
    def routes(self) -> list[Route]:
        """Routes of these pages and their forms."""
        post = ["POST"]
        home, seating, judging = self._organisers_page, self._rounds_page, self._judges_page
        gives, adds = "Only an organiser does this.", "Only an organiser adds judges."
        begins, shows = "Only an organiser begins an event.", "Only an organiser shows the awards."
        person, takes = self._person_page, "Only an organiser takes out names."
        seats = "Only an organiser seats rounds."
        let_go, tell = self._hub.known.forget, self._hub.news.tell
        forms = (
            ("/organiser/code", self._form(self._code, home, gives), home),
            ("/organiser/revoke", self._form(self._revoke, home, gives, let_go), home),
            ("/organiser/judge", self._form(self._judge, home, adds), home),
            (
                "/organiser/fork",
                self._form(self._settle, home, "Only an organiser settles this.", tell),
                home,
            ),
            ("/organiser/event", self._form(self._begin_gathering, home, begins, tell), home),
            ("/organiser/awards", self._form(self._release, judging, shows, tell), judging),
            ("/organiser/rounds", self._form(self._seat, seating, seats, tell), seating),
            ("/organiser/mend", self._form(self._mend, seating, seats, tell), seating),
            (
                "/organiser/person",
                self._form(self._look_for, person, takes, keeps_form=True),
                person,
            ),
            (
                "/organiser/text",
                self._form(self._reword, person, takes, tell, keeps_form=True),
                person,
            ),
            ("/organiser/forget", self._form(self._forget, person, takes, self._wipe), person),
            ("/organiser/merge", self._form(self._merge, person, takes, tell), person),
            ("/judge", self._form(self._rule, judging, after=tell), judging),
        )
        return [
            Route("/setup", self._setup_page),
            Route("/setup", posted(self._setup), methods=post),
            Route("/sign-in", self._sign_in_page),
            Route("/sign-in", posted(self._sign_in), methods=post),
            Route("/sign-out", posted(self._sign_out), methods=post),
            Route("/organiser", self._page(home)),
            *(Route(path, answer, methods=post) for path, answer, _ in forms),
            # The answer to a form is a page at the form's address: it stays up to date, and can be loaded again.
            *(Route(path, self._page(page)) for path, _, page in forms),
        ]

    def _setup_page(self, _request: Request) -> Response:
        if self._has_organiser():
            return RedirectResponse("/sign-in", 303)
        return html(pages.setup_page())

    def _setup(self, request: Request, form: Form) -> Response:
        address = address_of(request)
        if self._has_organiser():
            return RedirectResponse("/sign-in", 303)
        if not self._hub.tries.take(self._hub.now(), address):
            return html(pages.setup_page("Too many tries: wait five minutes."), 403)
        code, typed = self._first_code, as_typed(form.get("code", ""))
        if not code or not secrets.compare_digest(typed.encode(), code.encode()):
            return html(pages.setup_page("This is not the code on the hub's terminal.", form), 403)
        self._hub.tries.give_back(address)
        try:
            with self._hub.database.writing() as connection:
                # checked again: somebody else may have signed up since
                if accounts.has_organiser(connection):
                    return RedirectResponse("/sign-in", 303)
                name, password = form.get("name", ""), form.get("password", "")
                account = accounts.make_account(connection, name, password, Role.ORGANISER)
                return _entered(request, accounts.sign_in(connection, account, self._hub.now()))
        except Declined as refusal:
            return html(pages.setup_page(str(refusal), form), 403)

    def _sign_in_page(self, _request: Request) -> Response:
        if not self._has_organiser():
            return RedirectResponse("/setup", 303)
        return html(pages.sign_in_page())

    def _sign_in(self, request: Request, form: Form) -> Response:
        name = f"name {person_key(form.get('name', ''))}"
        address = address_of(request)
        if not self._may_try(address, name):
            return html(pages.sign_in_page("Too many tries: wait five minutes."), 429)
        try:
            # not in a transaction that writes: the password's hash takes long
            with self._hub.database.reading() as connection:
                account = accounts.account_with(
                    connection, form.get("name", ""), form.get("password", "")
                )
        except Declined as refusal:
            return html(pages.sign_in_page(str(refusal), form.get("name", "")), 403)
        self._hub.tries.give_back(address)
        self._by_name.give_back(name)
        with self._hub.database.writing() as connection:
            return _entered(request, accounts.sign_in(connection, account, self._hub.now()))

    def _may_try(self, address: str, name: str) -> bool:
        """Count a try at a password, by address and by name; return False if either has no more."""
        now = self._hub.now()
        if not self._hub.tries.take(now, address):
            return False
        if self._by_name.take(now, name):
            return True
        self._hub.tries.give_back(address)
        return False

    def _sign_out(self, request: Request, _form: Form) -> Response:
        with self._hub.database.writing() as connection:
            accounts.sign_out(connection, request.cookies.get(COOKIE, ""))
        answer = RedirectResponse("/", 303)
        answer.delete_cookie(COOKIE)
        return answer

    def _has_organiser(self) -> bool:
        with self._hub.database.reading() as connection:
            return accounts.has_organiser(connection)

    def _who(self, request: Request) -> SignedIn | None:
        cookie = request.cookies.get(COOKIE, "")
        if not cookie:
            return None
        with self._hub.database.reading() as connection:
            return accounts.who_is(connection, cookie, self._hub.now())

    def _page(self, show: ShowPage) -> Callable[[Request], Response]:
        """Return a handler that shows a page to a signed-in person."""

        def answer(request: Request) -> Response:
            who = self._who(request)
            if who is None:
                return RedirectResponse("/sign-in", 303)
            return show(who, "", 200, {})

        return answer

    def _form(
        self,
        act: Callable[[Connection, SignedIn, Form], str],
        show: ShowPage,
        organisers: str = "",
        after: Callable[[], object] = lambda: None,
        *,
        keeps_form: bool = False,
    ) -> Handler:
        """Return the handler of a form of a signed-in person. It calls `act` in one transaction, which returns a note
        for the page, then `after`. `organisers` is the refusal for a judge, if only organisers may send it. The page
        forgets a form that succeeded, unless `keeps_form`."""

        def answer(request: Request, form: Form) -> Response:
            who = self._who(request)
            if who is None:
                return RedirectResponse("/sign-in", 303)
            if organisers and who.role is not Role.ORGANISER:
                return self._organisers_page(who, organisers, 403, {})
            try:
                with self._hub.database.writing() as connection:
                    note = act(connection, who, form)
            except Declined as refusal:
                return show(who, str(refusal), 403, form)
            after()
            return show(who, note, 200, form if keeps_form else {})

        return posted(answer)

    def _organisers_page(self, who: SignedIn, note: str, status: int, form: Form) -> Response:
        with self._hub.database.reading() as connection:
            rows = table_rows(connection, self._hub.now())
            gathering = rounds.gathering_on(connection, self._hub.title)
            numbers = table_numbers(connection)
        troubles = {
            numbers.get(table, 0): sentences
            for table, sentences in self._hub.troubles.at(self._hub.now()).items()
        }
        page = pages.organiser_page(
            gathering.title, who, rows, note, form, self._hub.trouble, troubles
        )
        return html(page, status)

    def _code(self, connection: Connection, _who: SignedIn, form: Form) -> str:
        number = _table_number(form)
        code, _ = new_code(connection, number, self._hub.now())
        return f"Table {number} joins with {code[:4]} {code[4:]}, for the next ten minutes."

    def _revoke(self, connection: Connection, _who: SignedIn, form: Form) -> str:
        number = _table_number(form)
        if not revoke(connection, number):
            raise Declined(f"No table {number} has a code or a laptop here.")
        return f"No laptop is joined as table {number} any more. What it sent is kept."

    def _settle(self, connection: Connection, who: SignedIn, form: Form) -> str:
        try:
            fork = int(form.get("fork", "")[:9])
            end = End(form["end"]) if form.get("end") else None
        except ValueError:
            raise Declined("There is no such fork.") from None
        number = settle(connection, fork, end, who.name)
        if end is None:
            return f"That is open again. What table {number} sent is kept, both ways."
        return f"Settled. Table {number} is told, and its result counts once."

    def _judge(self, connection: Connection, _who: SignedIn, form: Form) -> str:
        accounts.make_account(
            connection, form.get("name", ""), form.get("password", ""), Role.JUDGE
        )
        return f"{form['name'].strip()} can sign in as judge now."

    def _begin_gathering(self, connection: Connection, _who: SignedIn, form: Form) -> str:
        rounds.begin_gathering(connection, form.get("title", ""), self._hub.now())
        return "The event has begun. Only games that begin from now on count in it."

    def _rounds_page(self, who: SignedIn, note: str, status: int, form: Form) -> Response:
        if who.role is not Role.ORGANISER:
            return RedirectResponse("/organiser", 303)
        with self._hub.database.reading() as connection:
            gathering = rounds.gathering_on(connection, self._hub.title)
            return html(
                pages.rounds_page(gathering.title, rounds.newest(connection), note, form), status
            )

    def _seat(self, connection: Connection, _who: SignedIn, form: Form) -> str:
        if "players" not in form:
            raise Declined("Write who plays.")
        _require_newest(connection, form)
        players = rounds.names_in(form["players"])
        return _seated_sentence(rounds.seat(connection, players, self._hub.now(), Random()))

    def _mend(self, connection: Connection, _who: SignedIn, form: Form) -> str:
        _require_newest(connection, form)
        gone = rounds.names_in(form.get("gone", ""), new=False)
        late = rounds.names_in(form.get("late", ""))
        return _seated_sentence(rounds.mend(connection, gone, late, self._hub.now()))

    def _person_page(self, who: SignedIn, note: str, status: int, form: Form) -> Response:
        if who.role is not Role.ORGANISER:
            return RedirectResponse("/organiser", 303)
        name = form.get("name", "").strip()
        with self._hub.database.reading() as connection:
            found = None
            if name:
                found = found_of(connection, name)
            spelled_twice = spellings(connection)
        return html(pages.person_page(found, spelled_twice, note), status)

    def _look_for(self, connection: Connection, _who: SignedIn, form: Form) -> str:
        name = _name_in(form)
        found = found_of(connection, name)
        if not found.is_there and not found.left and not found.like:
            return f"The hub knows nobody called {name}."
        return ""

    def _reword(self, connection: Connection, _who: SignedIn, form: Form) -> str:
        reword(connection, _name_in(form), form.get("key", ""), form.get("text", ""))
        return "Changed. Everybody reads the new text."

    def _forget(self, connection: Connection, _who: SignedIn, form: Form) -> str:
        name = _name_in(form)
        places = forget(connection, name, form.get("mark") or "none")
        then = "Exports and copies that you made before still have it: delete those."
        return f"{name} is taken out, in {plural(places, 'place')}. {then}"

    def _wipe(self) -> None:
        self._hub.database.wipe()
        self._hub.news.tell()

    def _merge(self, connection: Connection, _who: SignedIn, form: Form) -> str:
        name = _name_in(form)
        places = merge(connection, name)
        return f"{name} is written like this now, where it was not: {plural(places, 'place')}."

    def _release(self, connection: Connection, _who: SignedIn, _form: Form) -> str:
        rounds.show_awards(connection, self._hub.now())
        return "Everybody sees the awards now."

    def _judges_page(self, who: SignedIn, note: str, status: int, form: Form) -> Response:
        with self._hub.database.reading() as connection:
            *before, gathering = rounds.gatherings_in(connection, self._hub.title)
            shown = results_in(connection, gathering.id, early=True)
            results = results_in(connection, gathering.id)
            earlier = [
                (old.title, results_in(connection, old.id, early=True)) for old in reversed(before)
            ]
        standings = standings_of(results, self._hub.points)
        return html(pages.judge_page(gathering, who, shown, earlier, standings, note, form), status)

    def _rule(self, connection: Connection, who: SignedIn, form: Form) -> str:
        try:
            kind, record = RulingKind(form.get("kind", "")), int(form.get("record", "")[:9])
        except ValueError:
            raise Declined("There is no such ruling.") from None
        order, why = form.get("order", ""), form.get("why", "")
        rule(connection, record, kind, order, why, who.name, self._hub.now())
        return "Ruled. Everybody sees it now."


def _name_in(form: Form) -> str:
    name = form.get("name", "").strip()
    if not name or len(name) > accounts.LONGEST:
        raise Declined("Write whose name it is.")
    return name


def _require_newest(connection: Connection, form: Form) -> None:
    """Raise `Declined` for a form of an outdated page: one that is sent twice would seat two rounds."""
    known = str(len(rounds.rounds_in(connection)))
    if form.get("rounds", known) != known:
        raise Declined(
            "Nothing was changed: that page was of an earlier round. This one is the newest."
        )


def _seated_sentence(seated: rounds.Seated) -> str:
    return f"Round {seated.number} is seated. Everybody sees it now."


def _entered(request: Request, cookie: str) -> Response:
    """Return a redirection to the organiser's page that sets the sign-in cookie."""
    answer = RedirectResponse("/organiser", 303)
    secure = request.url.scheme == "https"
    answer.set_cookie(COOKIE, cookie, httponly=True, samesite="strict", path="/", secure=secure)
    return answer


def _table_number(form: Form) -> int:
    number = form.get("number", "")
    is_number = number.isascii() and number.isdecimal() and len(number) < 10
    if not is_number or not 0 < int(number) <= MOST_NUMBER:
        raise Declined(f"A table has a number from 1 to {MOST_NUMBER}.")
    return int(number)
