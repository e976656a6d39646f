"""Answers for the page that speaks for the table: giving out codes, the report, and another game."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from http import HTTPStatus
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response

from companion.errors import CommandError
from companion.rules.columns import capitalized
from companion.rules.facts import TABLE
from companion.session.corrections import NotDone
from companion.session.roles import role_named
from companion.session.views import SLOW_DISK_S
from companion.web.before_game import Form
from companion.web.before_pages import NotTaken, answered, form_of, go_on_at, made, sentence
from companion.web.devices_forms import (
    EVERYBODY,
    EVERYBODY_HERE,
    UNSAFE,
    WHOSE,
    WHOSE_HERE,
    GivenOut,
    code_page,
    devices_page,
    others,
)

if TYPE_CHECKING:
    from companion.session.table import Table

GONE = "This is not given out any more. Look at the list again."
NO_ROLE = "Choose what the device does."


class DevicesPage:
    """The page of `pages`, for `table`. `on_session` goes on to another game, `report` returns the report of this one
    as a page; `listens` returns whether new connections still come to this game's pages."""

    def __init__(
        self,
        pages: GivenOut,
        table: Table,
        on_session: Callable[[str], str],
        report: Callable[[], str],
        listens: Callable[[], bool],
    ) -> None:
        self._pages, self._table = pages, table
        self._on_session, self._make_report = on_session, report
        self._listens = listens

    async def devices(self, request: Request) -> Response:
        """Answer a request for the page, or with one of its forms."""
        if request.method != "POST":
            return answered(await asyncio.to_thread(self._page))
        try:
            form = await form_of(request)
        except NotTaken as why:
            return sentence(str(why), why.status)
        try:
            if form.get("do") == "next":
                await asyncio.to_thread(self._on_session, "next")
                return await go_on_at("./", self._listens)
            return answered(await asyncio.to_thread(self._done, form))
        except NotDone as why:
            content = await asyncio.to_thread(self._page, str(why))
            return answered(content, HTTPStatus.UNPROCESSABLE_ENTITY)

    async def report(self, _request: Request) -> Response:
        """Answer with the report of the game."""
        view = await asyncio.to_thread(self._table.view)  # it may wait for the table
        if not view.ended:
            return sentence("The report is written when the game is over.", HTTPStatus.NOT_FOUND)
        # Another process reads the file: what is not on the disk would not be in the report.
        unsaved = await asyncio.to_thread(self._table.unsaved, SLOW_DISK_S)
        if unsaved.count:
            return sentence(unsaved.no_report, HTTPStatus.CONFLICT)
        try:
            return made(await asyncio.to_thread(self._make_report), "./", "Back to the table")
        except CommandError as problem:
            return sentence(str(problem), HTTPStatus.UNPROCESSABLE_ENTITY)

    def _page(self, refusal: str = "", said: str = "") -> str:
        return devices_page(self._pages, self._table.view(), refusal, said)

    def _done(self, form: Form) -> str:
        """Do what a form asks, and return the page to show; raise `NotDone`."""
        do = form.get("do", "")
        if do in ("give", "show-role", "revoke", "revoke-all"):
            return self._about_roles(do, form)
        view = self._table.view()
        if do == "propose" and view.phones_propose is not None:
            self._table.take_proposals(not view.phones_propose)
            return self._page()
        if do == "enter" and view.phones_enter is not None:
            self._table.allow_entries(not view.phones_enter)
            return self._page()
        return self._about_players(do, form.get("viewer", TABLE))

    def _about_roles(self, do: str, form: Form) -> str:
        if do == "revoke-all":
            for given in others(self._pages):
                self._pages.revoke(given.code)
            return self._page(said="All of them were taken back.")
        if do == "give":
            role = role_named(form.get("role", ""))
            if role is None:
                raise NotDone(NO_ROLE)
            code = self._pages.give_out(role, form.get("name", ""))
            return self._code_of_role(code)
        given_out = {given.name: given.code for given in others(self._pages)}
        code = given_out.get(form.get("role-of", ""), "")
        if not code:
            raise NotDone(GONE)
        if do == "revoke":
            self._pages.revoke(code)
            return self._page(said="It was taken back.")
        return self._code_of_role(code)

    def _code_of_role(self, code: str) -> str:
        given = next((each for each in self._pages.roles_given() if each.code == code), None)
        if given is None:
            raise NotDone(GONE)
        about = f"{capitalized(given.title)}. {given.role.job}"
        if not (self._pages.fingerprint or self._pages.why_alone):
            about = f"{about} {UNSAFE}"
        address = self._pages.address_of_role(code)
        return code_page(given.name, address, about, self._pages.why_alone)

    def _about_players(self, do: str, viewer: str) -> str:
        names = {TABLE: "Everybody", **{seat.id: seat.name for seat in self._pages.seats}}
        if viewer not in names:
            raise NotDone(GONE)
        if do == "renew":
            self._pages.renew(viewer)
            return self._page(said="New address. The old one no longer works.")
        if do == "confirm":
            if self._pages.is_unsure(viewer):
                self._pages.confirm(viewer)
            return self._page(said="The phone used earlier shows this page again.")
        if do != "show" or (viewer != TABLE and self._pages.is_unsure(viewer)):
            raise NotDone(GONE)
        name, why_alone = names[viewer], self._pages.why_alone
        everybody, whose = (EVERYBODY_HERE, WHOSE_HERE) if why_alone else (EVERYBODY, WHOSE)
        about = everybody if viewer == TABLE else whose.format(name=name)
        return code_page(name, self._pages.address_of(viewer), about, why_alone)
