"""The stream of a page of a role: what it shows, when it says the time, and when it ends."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from companion.journal.folder import sessions_dir
from companion.reports.markup import Markup
from companion.rules.facts import Refused
from companion.session.evening import FILE
from companion.session.opening import begin
from companion.session.roles import Role
from companion.session.views import LinkView, TableView
from companion.web import app, showing
from companion.web.addresses import LOCALHOST
from companion.web.app import Pages
from companion.web.at_play import TablePages
from companion.web.codes import RoleCodes
from companion.web.lookers import LINK_S
from tests.web.acting import FIRE, Acting, acting, draw_plainly
from tests.web.client import ORIGIN, Answer, Client, codes, opened
from tests.web.test_at_play import asked


@pytest.fixture(autouse=True)
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[Role]:
    """Draw pages of roles plainly: what is drawn is tested elsewhere."""
    return draw_plainly(monkeypatch)


@pytest.fixture
def at(tmp_path: Path) -> Iterator[Acting]:
    with acting(tmp_path) as table:
        yield table


def names(answer: Answer) -> list[str]:
    """Return the names of the events that came."""
    return re.findall(r"^event: (\w+)$", answer.text, re.MULTILINE)


async def until(answer: Answer, *wanted: str) -> None:
    """Wait until a stream has these events, in this order at its end or before."""
    async with asyncio.timeout(10):
        while names(answer)[: len(wanted)] != list(wanted):
            await asyncio.sleep(0)


async def test_a_part_comes_with_the_time_of_the_host_and_time_comes_without_a_part(
    at: Acting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "HEARD_S", 0.01)
    code = at.give(Role.TABLE)
    async with at.client.stream(f"/{code}/events") as stream:
        await until(stream, "place", "blocks", "heard", "heard", "heard")
    assert re.findall(r"event: heard\ndata: (\d+)\n\n", stream.text)[0] == str(at.host_us)


async def test_a_page_of_a_role_follows_the_game(
    at: Acting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "HEARD_S", 1000.0)
    code = at.give(Role.REFEREE)
    async with at.client.stream(f"/{code}/events") as stream:
        await until(stream, "place", "blocks", "heard")
        assert (await at.tap(code, FIRE)).status == 200
        at.show()
        await until(stream, "place", "blocks", "heard", "blocks", "heard")
        newest = at.table.view().newest
        assert f"referee {newest}" in stream.text
    assert f"referee {newest}" in (await at.client.ask(f"/{code}/")).text


async def test_what_changes_nothing_here_sends_nothing(
    at: Acting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "HEARD_S", 1000.0)
    code = at.give(Role.WALL)
    async with at.client.stream(f"/{code}/events") as stream:
        await until(stream, "place", "blocks", "heard")
        for _ in range(5):
            at.pages.show(at.looker.showing)
            await asyncio.sleep(0)
        at.roles.revoke_all()
        at.pages.show(at.looker.showing)
        await until(stream, "place", "blocks", "heard", "gone")


def test_timings_of_the_link_are_renewed_at_their_own_pace(
    at: Acting, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[LinkView] = []

    def drawn(view: TableView, *_: object) -> dict[str, Markup]:
        shown.append(view.link)
        return {}

    link = LinkView("live", "All is well.", healthy=True, details=(("round trip", "1 ms"),))
    monkeypatch.setattr(showing, "role_blocks", drawn)
    at.table.board.view = link
    at.give(Role.BOARD)
    assert shown[-1] == link
    later = replace(link, details=(("round trip", "2 ms"),))
    at.table.board.view = later
    at.show()
    assert shown[-1] == link, "a page that changed now would tell that something was noted"
    assert not at.looker.news
    at.now_s += LINK_S
    assert at.looker.news
    at.show()
    assert shown[-1] == later
    lost = replace(later, state="lost - retrying", healthy=False)
    at.table.board.view = lost
    at.show()
    assert shown[-1] == lost, "what somebody has to act on comes at once"


async def test_a_refusal_on_the_laptop_is_on_no_page_of_a_role(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[TableView] = []

    def drawn(view: TableView, *_: object) -> dict[str, Markup]:
        shown.append(view)
        return {}

    monkeypatch.setattr(showing, "role_blocks", drawn)
    with acting(tmp_path) as at:
        at.give(Role.TABLE)
        at.table.refuse(Refused("PHONE", "Ann has no red card", do="Look.", hidden=True))
        at.show()
        at.table.do("panic-fire.nothing")
        at.show()
    assert shown
    assert all(view.notice is None and view.refusals == () for view in shown)
    assert all((view.saved.text, view.readers, view.behind) == ("", (), "") for view in shown)


async def test_a_role_that_is_revoked_ends_its_open_stream_and_opens_nothing(at: Acting) -> None:
    one, other = at.give(Role.TABLE), at.give(Role.WALL)
    async with at.client.stream(f"/{one}/events") as stream:
        await until(stream, "place", "blocks")
        at.roles.revoke(one)
        at.show()
        async with asyncio.timeout(10):
            while not stream.over:
                await asyncio.sleep(0)
        assert names(stream)[-1] == "gone"
    for path in ("", "events", "do"):
        assert (await at.client.ask(f"/{one}/{path}")).status == 403
    assert (await at.tap(one, FIRE)).status == 403
    assert (await at.client.ask(f"/{other}/")).status == 200


async def test_nothing_is_drawn_for_roles_until_one_is_given_out(
    at: Acting, drawn: list[Role]
) -> None:
    at.table.do("panic-fire.fire")
    at.show()
    assert drawn == []
    at.give(Role.SCORES)
    assert set(drawn) == {Role.SCORES}
    at.roles.revoke_all()
    at.show()
    drawn.clear()
    at.show()
    assert drawn == []


async def test_where_everybodys_page_comes_late_a_role_sees_the_present(tmp_path: Path) -> None:
    with acting(tmp_path, delay_s=3600.0) as at:
        code = at.give(Role.TABLE)
        before = (await at.client.ask("/code-0/")).text
        assert (await at.tap(code, FIRE)).status == 200
        at.show()
        assert f"table {at.table.view().newest}" in (await at.client.ask(f"/{code}/")).text
        assert (await at.client.ask("/code-0/")).text == before


async def test_pages_of_a_session_that_is_only_looked_at_have_no_roles(at: Acting) -> None:
    code = at.give(Role.TABLE)
    onlooker, _, _ = opened(at.table.path)
    pages = Pages(onlooker.showing, codes(), ORIGIN, onlooker.tail, roles=at.roles)
    for path in ("", "events", "do"):
        assert (await Client(pages).ask(f"/{code}/{path}")).status == 403
    assert not pages.has_roles


async def test_a_page_that_is_not_drawn_yet_comes_once_it_is(
    at: Acting, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = at.roles.give_out(Role.TABLE, "", speaks_for_table=False)
    asking = asyncio.ensure_future(at.client.ask(f"/{code}/"))
    await asyncio.sleep(0)
    at.show()
    assert (await asking).status == 200
    monkeypatch.setattr(app, "DRAWN_S", 0.01)
    late = at.roles.give_out(Role.WALL, "", speaks_for_table=False)
    assert (await at.client.ask(f"/{late}/")).status == 503


def test_a_role_ends_with_the_evening_on_the_server_too(tmp_path: Path) -> None:
    addresses: list[str] = []
    for number, hours in enumerate((12.0, 12.0, 0.0)):
        table = begin("panic-fire", ("Ann", "Bo"), {}, tmp_path / f"{number}.sqlite")
        with closing(table), closing(TablePages(table, LOCALHOST, evening_hours=hours)) as pages:
            if not addresses:
                addresses.append(pages.address_of_role(pages.give_out(Role.TABLE, "tablet")))
            path = addresses[0].partition(LOCALHOST)[2].partition("/")[2]
            status, _ = asked(f"{pages.origin}/{path}")
            assert status == (200 if hours else 403)
    assert path.strip("/") not in (sessions_dir().parent / FILE).read_text()


def test_a_code_of_a_role_is_no_code_of_a_person() -> None:
    roles, people = RoleCodes(), codes()
    code = roles.give_out(Role.TABLE, "tablet", speaks_for_table=False)
    assert people.viewer(code) is None
    assert roles.of(people.of("table")) is None
