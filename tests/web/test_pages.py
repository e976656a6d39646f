"""The answers to addresses."""

from __future__ import annotations

import html
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from companion.web import app
from companion.web.app import ELSEWHERE, MOST_PAGES, READ_ONLY, WRONG
from companion.web.codes import Codes
from companion.web.document import qr_page
from companion.web.headers import FULL
from tests.games.panic_fire.playing import setup
from tests.web.client import ORIGIN, Answer, news, opened
from tests.web.served import called, played, press, saved


def place_in(page: Answer) -> str:
    """Return what a page says that it is of: a session, and a viewer."""
    return page.text.partition(' data-place="')[2].partition('"')[0]


def same_page(one: Answer, other: Answer) -> bool:
    """Return whether two addresses show the same, which is something."""
    return one.status == other.status == 200 and one.text == other.text


async def test_the_page_shows_game_seats_scores_what_is_awaited_and_the_log(tmp_path: Path) -> None:
    with played(tmp_path) as table:
        press(table, "fire", "draw.1", "shot", "name.2", "name.1")
        _, _, client = opened(table.path)
        page = (await client.ask("/code-0/")).text
        assert "<h1>Panic Fire</h1>" in page
        assert "Round 2 of 6." in html.unescape(page)
        for words in (
            "●R",
            "▲B",
            "WINNER",
            "OUT",
            "1 draw",
            "round 1 of 6",
            "red draws",
            '<title id="title">Panic Fire, round 1 of 6 is over - Table companion</title>',
            "image/svg+xml",
        ):
            assert words in page, words
        assert "evening" not in page  # the name of the session's file


@pytest.mark.parametrize(
    "path", ["/", "", "/code-9/", "/code-0/x", "/code-0/events/", "/code-/", "/favicon.ico", "/ü/"]
)
async def test_any_other_address_is_refused_in_a_sentence(tmp_path: Path, path: str) -> None:
    with played(tmp_path) as table:
        _, _, client = opened(table.path)
        answer = await client.ask(path)
    assert answer.status == 403
    assert WRONG in answer.text
    assert "evening" not in answer.text


async def test_the_headline_names_no_key_for_nobody_who_looks_on_has_one(tmp_path: Path) -> None:
    with played(tmp_path) as table:
        _, _, client = opened(table.path)
        page = html.unescape((await client.ask("/code-0/")).text)
    assert "press" in table.view().awaiting
    headline = page.partition('class="awaiting"')[2].partition("</p>")[0]
    assert "Round 1 of 6." in headline
    assert "press" not in headline.casefold()


@pytest.mark.parametrize(
    "host",
    ["", "evil.example", "evil.example:8765", "127.0.0.1.evil.example", "localhost.evil.example", "192.168.1.20@evil",
     "999.1.1.1", "[::1", "laptop.local:8765", "127.0.0.1:8765, evil.example"],
)  # fmt: skip
async def test_a_page_is_not_shown_under_a_name_that_somebody_else_may_point_here(
    tmp_path: Path, host: str
) -> None:
    with played(tmp_path) as table:
        _, _, client = opened(table.path)
        for path in ("/code-0/", "/code-1/", "/code-1/events", "/code-0/qr", "/wrong/"):
            answer = await client.ask(path, host=host)
            assert answer.status == 421
            assert ELSEWHERE in answer.text
            assert "evening" not in answer.text


@pytest.mark.parametrize(
    "host", ["192.168.1.20:8765", "127.0.0.1:9999", "localhost:8765", "[::1]:8765", "10.0.0.3"]
)
async def test_a_page_is_shown_under_any_number_for_a_port_may_be_forwarded(
    tmp_path: Path, host: str
) -> None:
    with played(tmp_path) as table:
        _, _, client = opened(table.path)
        assert (await client.ask("/code-1/", host=host)).status == 200


async def test_every_answer_forbids_to_load_keep_frame_or_tell_anything(tmp_path: Path) -> None:
    with played(tmp_path) as table:
        _, _, client = opened(table.path)
        answers = [await client.ask(path) for path in ("/code-0/", "/code-0/qr", "/nothing/")]
        async with client.stream("/code-0/events") as stream:
            await stream.until(1)
            answers.append(stream)
    for answer in answers:
        policy = answer.headers["content-security-policy"].split("; ")
        assert "default-src 'none'" in policy
        assert not any("unsafe" in part or "http" in part or "*" in part for part in policy)
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
async def test_nothing_can_be_sent_to_a_page(tmp_path: Path, method: str) -> None:
    with played(tmp_path) as table:
        _, _, client = opened(table.path)
        answer = await client.ask("/code-0/", method)
        assert (answer.status, answer.headers["allow"]) == (405, "GET, HEAD")
        assert READ_ONLY in answer.text
        assert (await client.ask("/wrong/", method)).status == 403


async def test_head_is_answered_without_a_body(tmp_path: Path) -> None:
    with played(tmp_path) as table:
        _, pages, client = opened(table.path)
        for path in ("/code-0", "/code-0/", "/code-0/qr", "/code-0/events", "/wrong/"):
            assert (await client.ask(path, "HEAD")).body == b""
        assert pages.open == 0


async def test_an_address_without_its_last_slash_leads_to_the_one_whose_links_work(
    tmp_path: Path,
) -> None:
    with played(tmp_path) as table:
        _, _, client = opened(table.path)
        for path in ("/code-0", "/code-1"):
            answer = await client.ask(path)
            assert (answer.status, answer.headers["location"]) == (303, f"{path[1:]}/")
        assert (await client.ask("/wrong")).status == 403


async def test_a_change_is_pushed_and_only_what_changed(tmp_path: Path) -> None:
    with played(tmp_path) as table:
        onlooker, pages, client = opened(table.path)
        async with client.stream("/code-0/events") as stream:
            await stream.until(1)
            press(table, "fire")
            news(onlooker, pages)
            await stream.until(2)
            table.do("table.pause")
            saved(table)
            news(onlooker, pages)
            await stream.until(3)
            table.enter("abandon", {})
            saved(table)
            news(onlooker, pages)
            await stream.until(4)
    assert stream.text.startswith("retry: ")
    assert stream.headers["content-type"].startswith("text/event-stream")
    first, second, third, last = (blocks for _, blocks in stream.events[:4])
    assert set(first) == {"title", "state", "seats", "game", "log"}
    assert "fire! round 1" in second["log"]
    assert set(third) == {"state", "log"}
    assert "PAUSED" in third["state"]
    assert "PAUSED" not in last["state"]  # the game was ended early
    assert "ended early" in last["state"]
    assert third.keys().isdisjoint({"title"})
    assert last["title"] == "Panic Fire, ended early - Table companion"
    assert "round 1 of 6" in third["state"]
    assert "round 1 of 6" not in last["state"]


async def test_a_quiet_page_hears_a_beat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "BEAT_S", 0.01)
    with played(tmp_path) as table:
        _, _, client = opened(table.path)
        async with client.stream("/code-0/events") as stream:
            await stream.until(3)
    assert [name for name, _ in stream.events[:3]] == ["blocks", "beat", "beat"]


async def test_one_page_too_many_is_refused_in_a_sentence_until_one_is_closed(
    tmp_path: Path,
) -> None:
    with played(tmp_path) as table:
        _, pages, client = opened(table.path)
        async with AsyncExitStack() as all_of_them:
            opening = [client.stream("/code-0/events") for _ in range(MOST_PAGES - 1)]
            streams = [await all_of_them.enter_async_context(stream) for stream in opening]
            async with client.stream("/code-1/events") as last:
                for stream in (*streams, last):
                    await stream.until(1)
                assert pages.open == MOST_PAGES
                for path in ("/code-0/events", "/code-0/"):
                    answer = await client.ask(path)
                    assert (answer.status, answer.headers["refresh"]) == (503, "5")
                    assert FULL in answer.text
            assert (await client.ask("/code-0/")).status == 200
        assert pages.open == 0


async def test_no_name_becomes_a_tag(tmp_path: Path) -> None:
    evil = "<script>alert(1)</script>"
    with played(
        tmp_path, called(setup("red blue"), evil, "\"'><img src=x onerror=alert(2)>")
    ) as table:
        press(table, "fire", "draw.1")
        _, _, client = opened(table.path)
        page = (await client.ask("/code-1/")).text
        async with client.stream("/code-1/events") as stream:
            await stream.until(1)
    told = "".join(stream.events[0][1].values())
    for text in (page.partition("<main ")[2].partition(">")[2].partition("</main>")[0], told):
        assert "&lt;script&gt;alert(1)&lt;/script&gt; draws" in text
        assert "<script" not in text
        assert "<img" not in text


async def test_everybodys_address_can_be_passed_on_as_a_code_and_a_seats_cannot(
    tmp_path: Path,
) -> None:
    with played(tmp_path) as table:
        _, _, client = opened(table.path)
        page = await client.ask("/code-0/qr")
        assert "<svg" in page.text
        assert f"{ORIGIN}/code-0/" in page.text
        assert (await client.ask("/code-1/qr")).status == 403
    alone = html.unescape(qr_page("Panic Fire", "http://127.0.0.1:8765/code-0/"))
    assert "<svg" not in alone
    assert "No phone can reach this page" in alone


async def test_a_seat_that_somebody_takes_over_has_another_address_and_the_old_one_is_the_tables_page(
    tmp_path: Path,
) -> None:
    with played(tmp_path) as table:
        onlooker, pages, client = opened(table.path)
        async with client.stream("/code-1/events") as stream:
            await stream.until(1)
            table.enter("seat_changes", {"seat": "red", "name": "Rosa"})
            saved(table)
            news(onlooker, pages)
            await stream.until(2)
        assert (stream.over, stream.events[-1][0]) == (True, "gone")
        assert "Rosa" not in stream.text
        assert same_page(await client.ask("/code-1/"), await client.ask("/code-0/"))
        assert "For <span" in (await client.ask("/code-3/")).text
        assert "For <span" in (await client.ask("/code-2/")).text


async def test_two_players_who_swap_seats_have_their_addresses_and_the_other_seats_page(
    tmp_path: Path,
) -> None:
    with played(tmp_path) as table:
        onlooker, pages, client = opened(table.path)
        before = [await client.ask(page) for page in ("/code-1/", "/code-2/")]
        async with client.stream("/code-1/events") as stream:
            await stream.until(1)
            table.enter("seats_swap", {"seat": "red", "other": "blue"})
            saved(table)
            news(onlooker, pages)
            await stream.until(2)
        assert (stream.over, stream.events[-1][0]) == (True, "gone")
        after = [await client.ask(page) for page in ("/code-1/", "/code-2/")]
        assert [place_in(page) for page in after] == [place_in(page) for page in reversed(before)]
        assert place_in(after[0]) != place_in(after[1])


async def test_who_sits_down_late_has_a_page_until_that_is_taken_back(tmp_path: Path) -> None:
    with played(tmp_path) as table:
        onlooker, pages, client = opened(table.path)
        table.enter("seat_joins", {"name": "Gill"})
        saved(table)
        news(onlooker, pages)
        assert "For <span" in (await client.ask("/code-3/")).text
        async with client.stream("/code-3/events") as stream:
            await stream.until(1)
            table.do("table.undo")
            saved(table)
            news(onlooker, pages)
            await stream.until(2)
        assert (stream.over, stream.events[-1][0]) == (True, "gone")
        assert same_page(await client.ask("/code-3/"), await client.ask("/code-0/"))


async def test_when_the_pages_close_every_stream_ends(tmp_path: Path) -> None:
    with played(tmp_path) as table:
        _, pages, client = opened(table.path)
        async with client.stream("/code-0/events") as stream:
            await stream.until(1)
            pages.close()
            await stream.until(2)
            assert stream.over


async def test_a_fault_of_the_program_is_kept_for_whoever_runs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> str:
        raise ZeroDivisionError

    monkeypatch.setattr("companion.web.document.session_page", broken)
    with played(tmp_path) as table:
        _, pages, client = opened(table.path)
        with pytest.raises(ZeroDivisionError):
            async with client.stream("/code-0/"):
                pass
    assert isinstance(pages.fault, ZeroDivisionError)


async def test_after_its_end_a_session_can_still_be_looked_at(tmp_path: Path) -> None:
    with played(tmp_path) as table:
        for _ in range(6):
            press(table, "fire", "shot", "name.2", "name.1")
        path = table.path
    _, _, client = opened(path)
    page = (await client.ask("/code-0/")).text
    assert "CHAMPION" in page
    assert "The session has ended." in page


def test_codes_are_long_different_and_new_each_time() -> None:
    seats = setup("red blue green").seats
    made = []
    for _ in range(2):
        codes = Codes()
        codes.seat(seats)
        made += [codes.of(viewer) for viewer in ("table", "red", "blue", "green")]
    assert len(set(made)) == 8
    assert min(map(len, made)) == 22
    assert codes.viewer(codes.of("blue")) == "blue"
    assert codes.viewer(codes.of("blue")[:-1]) is None
    assert codes.viewer("") is None
