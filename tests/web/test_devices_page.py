"""The page that gives out codes, served by a table in play."""

from __future__ import annotations

import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlencode

import pytest

from companion.rules.facts import TABLE
from companion.session.corrections import NotDone
from companion.session.evening import RoleGiven
from companion.session.opening import begin
from companion.session.roles import Role
from companion.session.table import Table
from companion.session.views import TableView, Unsaved
from companion.web.addresses import LOCALHOST
from companion.web.at_play import TablePages
from companion.web.codes import Codes
from companion.web.devices_forms import ALONE, JOIN, NO_NETWORK, WITH_LAN, WITHOUT_ADDRESS
from companion.web.devices_page import DevicesPage
from companion.web.interfaces import OwnAddress

CODE = "a-code-of-twenty-two-x"
TIMEOUT_S = 30.0


@contextmanager
def first_page(folder: Path) -> Iterator[tuple[Table, TablePages]]:
    """A table of Ann and Ben, and its pages, of which that with `CODE` speaks for the table."""
    given = RoleGiven(CODE, Role.TABLE.title, "the first page", speaks_for_table=True)
    with (
        closing(begin("panic-fire", ("Ann", "Ben"), {}, folder / "game.sqlite")) as table,
        closing(
            TablePages(table, LOCALHOST, roles=(given,), report=lambda: "", is_local=True)
        ) as pages,
    ):
        yield table, pages


def asked(pages: TablePages, path: str, fields: dict[str, str] | None = None) -> tuple[int, str]:
    """Return the answer to a request for a page below the first one, or to one of its forms."""
    body = None if fields is None else urlencode(fields).encode()
    headers = {"origin": pages.origin} if fields else {}
    request = urllib.request.Request(f"{pages.origin}/{CODE}/{path}", body, headers)
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT_S) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code, refused.read().decode()


def test_no_report_is_made_of_a_game_whose_end_is_not_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with first_page(tmp_path) as (table, pages):
        table.enter("abandon", {})
        assert asked(pages, "report")[0] == 200
        with monkeypatch.context() as full:
            full.setattr(Table, "unsaved", lambda *_: Unsaved(2, "The disk is full.", 5))
            status, page = asked(pages, "report")
        assert status == 409
        assert "2 entries are not saved, so a report would lack the end. The disk is full." in page
        assert asked(pages, "report")[0] == 200


def test_a_seat_that_is_drawn_before_it_has_a_code_is_not_listed_and_ends_nothing(
    tmp_path: Path,
) -> None:
    with first_page(tmp_path) as (_, pages):
        ann, ben = pages.seats
        pages._codes.seat([ann])  # as it is a moment before the new pages are shown
        assert pages.seats == (ann,)
        assert "Ben" not in asked(pages, "devices")[1]
        for do in ("show", "renew", "confirm"):
            status, page = asked(pages, "devices", {"do": do, "viewer": ben.id})
            assert (status, "Look at the list again" in page) == (422, True), do
        assert asked(pages, "devices")[0] == 200


@pytest.mark.parametrize("ip", [LOCALHOST, "::1", "127.8.8.8"])
def test_an_address_of_this_computer_only_is_no_code_to_scan(ip: str, tmp_path: Path) -> None:
    with first_page(tmp_path) as (table, pages):
        asks = [
            {"do": "show", "viewer": TABLE},
            {"do": "show", "viewer": "ann"},
            {"do": "give", "role": "referee", "name": "a tablet"},
        ]
        real = pages.origins
        devices = DevicesPage(pages, table, lambda _: "", lambda: "", lambda: True)
        for fields in asks:
            pages.origins = replace(real, shown=OwnAddress(ip))
            told = devices._done(fields)
            assert "<svg" not in told
            assert f"{ALONE} {WITH_LAN}" in told
            pages.origins = replace(real, shown=OwnAddress("192.168.1.20"))
            told = devices._done(fields | {"name": "another tablet"})
            assert "<svg" in told
            assert "No phone can" not in told


def test_what_a_phone_needs_is_said_as_this_program_was_started(tmp_path: Path) -> None:
    with first_page(tmp_path) as (_, pages):
        assert asked(pages, "devices")[1].count(f"{ALONE} {WITH_LAN}") == 1
        pages._to_reach = WITHOUT_ADDRESS
        assert pages.why_alone == f"{ALONE} {WITHOUT_ADDRESS}"
        pages._is_fixed = False
        assert pages.why_alone == f"{NO_NETWORK} {JOIN}"
        assert pages.code_of(TABLE) == []


def test_a_seat_without_a_code_is_refused_in_a_sentence() -> None:
    codes = Codes()
    for ask in (codes.of, codes.renew, codes.confirm):
        with pytest.raises(NotDone, match="no address yet"):
            ask("ann")


def test_the_report_looks_at_the_table_beside_the_loop_that_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with first_page(tmp_path) as (table, pages):
        looking, view = [], table.view

        def look() -> TableView:
            looking.append(threading.current_thread())
            return view()

        monkeypatch.setattr(table, "view", look)
        assert asked(pages, "report")[0] == 404
        monkeypatch.undo()
        assert looking
        assert pages._serving.thread not in looking
