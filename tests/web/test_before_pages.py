"""The pages before a game, without a network: who is let in, and what other codes are told."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, cast
from urllib.parse import parse_qsl, urlencode, urljoin

import pytest

from companion.board.runs import BoardRuns
from companion.board.touch import TouchWatch
from companion.box.entry import BoxEntry
from companion.commands.components import entry_of
from companion.dashboard.start.choices import NewGame, Past
from companion.teach.finding import Taught
from companion.web.admission import AFTER_POWER_ON_S, Admission
from companion.web.after_forms import MOST_KEPT, NOTHING, FormResult, FormResults
from companion.web.app import PUT_AWAY
from companion.web.before_game import NUMBER, game_of
from companion.web.before_pages import NO_SESSION, NOT_VALID, PLACE, BeforePages
from firmware_protocol.virtual.client import VirtualBoard
from tests.end_to_end.parts import TIMEOUT_S, needs_vm
from tests.web.client import Client

CODE = "a-code-of-twenty-two-x"
PHONES = "the-code-of-some-phone"


class Nothing:
    """Nothing was played, and nothing can begin."""

    can_quit = False
    is_over = False
    board: BoardRuns | None = None

    def past(self) -> Sequence[Past]:
        return ()

    def unread(self) -> str:
        return ""

    def first_choice(self, game_id: str) -> NewGame:
        return NewGame(game_id, ["Ann", "Ben"])

    def known_names(self) -> Sequence[str]:
        return ()

    def begin(self, game: NewGame) -> str:
        return f"{game.game} does not begin here."

    def resume(self, path: Path) -> str:
        return f"{path.stem} does not go on here."

    def lessons(self) -> Sequence[Taught]:
        return ()

    def learn(self, name: str, *, anew: bool = False) -> str:
        return f"{name} is not taught here{' again' if anew else ''}."

    def box(self, game_id: str) -> BoxEntry:
        return entry_of(game_id, "my copy")

    def report(self, path: Path) -> str:
        raise NotImplementedError

    def statistics(self) -> str:
        raise NotImplementedError

    def quit(self) -> None:
        raise AssertionError("a host is not ended by a page")


class Clock:
    """A clock of the host that is moved by hand: the board's own goes on as it is."""

    now_s = 10_000.0

    def __call__(self) -> float:
        return self.now_s


def _client(admission: Admission | None = None) -> Client:
    return Client(
        cast("Any", BeforePages(Nothing(), lambda: CODE, admission, lambda code: code == PHONES))
    )


async def test_only_the_code_opens_the_choice_and_that_of_a_phone_waits_for_the_next_game() -> None:
    client = _client()
    assert "What do you want to play?" in (await client.ask(f"/{CODE}/")).text
    for path in (f"/{PHONES}/", f"/{PHONES}/new/panic-fire", f"/{PHONES}/events"):
        answer = await client.ask(path)
        assert (answer.status, PUT_AWAY in answer.text) == (503, True)
        assert answer.headers["companion-state"] == "put away"


async def test_a_code_that_no_game_opens_again_is_not_valid_and_is_not_tried_again() -> None:
    client = _client()
    for path in ("/wrong/", "/wrong/new/panic-fire", "/wrong/events"):
        answer = await client.ask(path)
        assert (answer.status, NOT_VALID in answer.text) == (403, True)
        assert not {"refresh", "retry-after", "companion-state"} & set(answer.headers)


async def test_an_address_without_its_last_slash_leads_to_the_one_whose_links_work() -> None:
    client = _client()
    answer = await client.ask(f"/{CODE}")
    assert (answer.status, answer.headers["location"]) == (303, f"{CODE}/")
    assert (await client.ask("/wrong")).status == 403


async def test_without_an_admission_nobody_comes_in_without_a_code() -> None:
    client = _client()
    assert (await client.ask("/")).status == 403
    assert (await client.ask("/wait/somebody")).status == 403


async def test_the_page_of_a_game_that_is_left_is_told_to_load_anew() -> None:
    answer = await _client().ask(f"/{CODE}/events")
    assert f"event: place\ndata: {PLACE}" in answer.text


async def test_no_page_of_a_host_ends_it() -> None:
    client = _client()
    assert "Quit the companion" not in (await client.ask(f"/{CODE}/")).text
    form = "application/x-www-form-urlencoded"
    answer = await client.send(f"/{CODE}/quit", b"", content_type=form)
    assert answer.status == 403


async def test_without_a_board_there_is_no_page_to_test_it() -> None:
    client = _client()
    assert "Test and calibrate" not in (await client.ask(f"/{CODE}/")).text
    assert (await client.ask(f"/{CODE}/board")).status == 404


async def test_a_session_is_named_by_its_name_alone_and_no_file() -> None:
    client = _client()
    for name in ("../../../etc/passwd", "%2e%2e%2fphones", "phones.json"):
        assert (await client.ask(f"/{CODE}/report/{name}")).status == 404


@pytest.mark.parametrize("typed", ["0" * 5000, "9" * 5000, "0" * 10 + "99999", "-1", "1e3", "٣"])
def test_a_number_that_nobody_would_type_is_refused_in_a_sentence(typed: str) -> None:
    usual = NewGame("panic-fire", ["Ann", "Ben"])
    fields = {"seat-1": "Ann", "seat-2": "Ben", f"{NUMBER}removed_shields": typed}
    game, why = game_of(usual, fields)
    assert "type a whole number from 0 to 106" in why
    assert not game.rules


def test_a_number_in_a_form_is_kept_as_it_counts() -> None:
    usual = NewGame("panic-fire", ["Ann", "Ben"])
    fields = {"seat-1": "Ann", "seat-2": "Ben", f"{NUMBER}removed_shields": "007"}
    game, why = game_of(usual, fields)
    assert (game.rules, why) == ({"removed_shields": "7"}, "")


ROW = next(name for table, name in entry_of("fractured-sky", "my copy").facts if table == "count")
FORM = "application/x-www-form-urlencoded"


@pytest.mark.parametrize(
    ("path", "fields", "leads_to", "said"),
    [
        ("resume", {"session": "evening"}, "./", NO_SESSION),
        ("learn", {"lesson": "chess"}, "./", "chess is not taught here."),
        ("new/panic-fire", {"seat-1": "Ann"}, "panic-fire", "you named 1"),
        ("new/panic-fire", {"seat-1": "A", "seat-2": "B"}, "panic-fire", "does not begin here."),
        ("box/fractured-sky/count", {"do": "save", "row": ROW}, "count", "Kept."),
        ("box/fractured-sky/count", {"do": "save", "row": "none"}, "count", "not there any more"),
        ("box/fractured-sky/count", {"do": "undo"}, "count", "nothing to undo"),
        ("box/fractured-sky/nothing", {"do": "undo"}, "../fractured-sky", ""),
    ],
)
async def test_a_form_is_answered_by_leading_to_a_page_that_the_browser_can_load_again(
    path: str, fields: dict[str, str], leads_to: str, said: str
) -> None:
    client = _client()
    body = urlencode(fields).encode()
    answer = await client.send(f"/{CODE}/{path}", body, content_type=FORM)
    assert answer.status == 303
    location = answer.headers["location"]
    assert location.partition("?")[0] == leads_to
    after = await client.ask(urljoin(f"/{CODE}/{path}", location))
    assert said in after.text
    assert (await client.ask(urljoin(f"/{CODE}/{path}", location))).text == after.text
    for name, value in fields.items():
        if name.startswith("seat-"):
            assert f'value="{value}"' in after.text
    # without that part of the address, the page says nothing of it
    plain = await client.ask(urljoin(f"/{CODE}/{path}", leads_to))
    assert plain.status == 200
    assert not said or said not in plain.text


class TooLate(Nothing):
    """Another device has begun a game: these pages end."""

    is_over = True


@pytest.mark.parametrize(
    ("path", "leads_to"), [("new/panic-fire", "../"), ("resume", "./"), ("learn", "./")]
)
async def test_a_form_that_comes_after_a_game_has_begun_leads_to_its_table(
    path: str, leads_to: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = BeforePages(TooLate(), lambda: CODE)
    monkeypatch.setattr(pages, "_session", lambda name: Path(name))
    fields = {"seat-1": "Ann", "seat-2": "Ben", "session": "evening", "lesson": "chess"}
    client = Client(cast("Any", pages))
    answer = await client.send(f"/{CODE}/{path}", urlencode(fields).encode(), content_type=FORM)
    assert (answer.status, answer.headers["location"]) == (303, leads_to)


def test_what_a_form_came_to_is_kept_for_the_last_ones_only() -> None:
    results = FormResults()
    addresses = [
        results.address("count", FormResult(said=f"Answer {number}."))
        for number in range(MOST_KEPT + 1)
    ]
    told = [dict(parse_qsl(address.partition("?")[2])) for address in addresses]
    assert results.of(told[0]) == NOTHING
    assert results.of(told[1]).said == "Answer 1."
    assert results.of(told[1], once=True).said == "Answer 1."
    assert results.of(told[1]) == NOTHING
    assert results.address("count", NOTHING) == "count"


async def test_too_many_forms_at_once_are_refused() -> None:
    client = _client()
    form = "application/x-www-form-urlencoded"
    answers = [
        await client.send(f"/{CODE}/resume", b"session=x", content_type=form) for _ in range(6)
    ]
    assert [answer.status for answer in answers] == [303] * 5 + [429]


@needs_vm
@pytest.mark.vm
async def test_two_buttons_of_a_real_board_open_the_page_of_the_device_that_waits() -> None:
    clock = Clock()
    admission = Admission(clock=clock)
    client = _client(admission)
    with VirtualBoard.spawn() as board:
        # the board has been on for long, as far as the host knows
        watch = TouchWatch(
            board.url,
            lambda since_s: admission.board_found(since_s + AFTER_POWER_ON_S),
            lambda _why: None,
            admission.touched,
        )
        with closing(watch):
            first = await client.ask("/")
            assert first.status == 303
            waiting = f"/{first.headers['location']}"
            async with asyncio.timeout(TIMEOUT_S):
                while "Hold two zone buttons" not in (await client.ask(waiting)).text:
                    await asyncio.sleep(0.05)
            board.press("zone-2", hold_ms=2600)
            board.press("zone-5", hold_ms=2600)
            async with asyncio.timeout(TIMEOUT_S):
                while (answer := await client.ask(waiting)).status != 303:
                    await asyncio.sleep(0.05)
    assert answer.headers["location"] == f"../{CODE}/"
    second = await client.ask("/")
    assert "Another device was let in" in (await client.ask(f"/{second.headers['location']}")).text
