"""The page in a real browser, at the sizes of a phone and a tablet, with fifty pages open."""

from __future__ import annotations

import shutil
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from companion.games.skyfire.rules.game import GAME
from companion.web import app
from companion.web.addresses import LOCALHOST
from companion.web.codes import Codes
from companion.web.headers import FULL
from tests.games.panic_fire.playing import setup
from tests.games.skyfire.playing import FOUR, example_deck, setup as skyfire_setup
from tests.web.browser import Browser, Chromium
from tests.web.client import codes
from tests.web.here import Here
from tests.web.served import TIMEOUT_S, called, played, press, saved, served

SESSIONS = Path(__file__).parents[1] / "fixtures" / "sessions"
PHONE, TABLET = (390, 844), (820, 1180)
OTHERS = 49
TEXT = "document.querySelector('main').innerText"


@pytest.fixture(scope="module")
def opened_page(chromium: Chromium) -> Iterator[Browser]:
    with chromium.page() as page:
        yield page


@pytest.fixture
def page(opened_page: Browser) -> Iterator[Browser]:
    """Yield the page with an empty log and an empty list of requests."""
    opened_page.leave()
    opened_page.requested.clear()
    yield opened_page
    opened_page.open("about:blank")
    opened_page.wait_for("location.href === 'about:blank'")


class Socket:
    """A page as far as the server can tell."""

    def __init__(self, address: str) -> None:
        where = urlsplit(address)
        assert where.hostname is not None
        self.line = socket.create_connection((where.hostname, where.port or 80), TIMEOUT_S)
        self.line.sendall(
            f"GET {where.path}events HTTP/1.1\r\nHost: {where.netloc}\r\n\r\n".encode()
        )
        self.read = b""

    def until(self, words: bytes) -> None:
        while words not in self.read:
            came = self.line.recv(65536)
            assert came, self.read[-300:]
            self.read += came


def fits(page: Browser) -> bool:
    return bool(page.js("document.documentElement.scrollWidth <= innerWidth"))


@pytest.mark.parametrize("size", [PHONE, TABLET])
def test_with_fifty_pages_open_each_sees_a_change_and_the_browser_finds_nothing_wrong(
    page: Browser, tmp_path: Path, size: tuple[int, int]
) -> None:
    names = ("<script>alert(1)</script>", "Wolfeschlegelsteinhausenbergerdorff")
    with ExitStack() as stack:
        table = stack.enter_context(played(tmp_path, called(setup("red blue"), *names)))
        program = stack.enter_context(served(str(table.path), "--port", "0"))
        address = program.address()
        others = [Socket(address) for _ in range(OTHERS)]
        for other in others:
            stack.enter_context(other.line)
            other.until(b"event: blocks\n")
        page.size(*size)
        page.open(address)
        page.wait_for(f"{TEXT}.includes('round 1 of 6')")
        aloud = "document.querySelector('#state [role=status]')"
        before = page.js(f"{aloud}.stays = {aloud}.textContent")
        press(table, "fire", "draw.1")
        page.wait_for(f"{TEXT}.includes('</script> draws')")
        # a line read aloud as it changes
        assert page.js(f"{aloud}.stays") == before != page.js(f"{aloud}.textContent")
        for other in others:
            other.until(b"&lt;/script&gt; draws")
        assert fits(page)
        page.js("document.getElementById('big').click()")
        assert page.js("getComputedStyle(document.documentElement).fontSize") == "28px"
        assert fits(page)
        page.js("document.getElementById('big').click()")
        where = urlsplit(address)
        assert {urlsplit(asked).netloc for asked in page.requested} == {where.netloc}
        assert {urlsplit(asked).path for asked in page.requested} == {
            where.path,
            f"{where.path}events",
        }
        assert page.errors == []


def test_the_ground_is_dark_or_light_as_the_phone_likes(page: Browser, tmp_path: Path) -> None:
    with played(tmp_path) as table, served(str(table.path), "--port", "0") as program:
        grounds = []
        for light in (False, True):
            page.light(light)
            page.open(program.address())
            page.wait_for(f"document.readyState === 'complete' && {TEXT}.includes('red')")
            grounds.append(page.js("getComputedStyle(document.documentElement).backgroundColor"))
    assert grounds == ["rgb(18, 22, 27)", "rgb(251, 250, 247)"]


def test_a_page_says_since_when_it_is_not_connected_and_comes_back_by_itself(
    page: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost = "document.getElementById('lost')"
    with played(tmp_path) as table:
        same = codes()
        with Here(table.path, same) as served_here:
            port = served_here.port
            page.open(f"http://{LOCALHOST}:{port}/code-0/")
            press(table, "fire")
            page.wait_for(f"{TEXT}.includes('fire! round 1') && {lost}.hidden")
        words = page.wait_for(f"{lost}.textContent", lambda words: "does not answer" in words)
        assert words.startswith("Not connected since ")
        press(table, "draw.1")
        with Here(table.path, same, port):
            page.wait_for(f"{TEXT}.includes('1 draw') && {lost}.hidden")
        page.wait_for(f"!{lost}.hidden")
        with monkeypatch.context() as patched, Here(table.path, same, port):
            patched.setattr(app, "MOST_PAGES", 0)
            page.wait_for(f"{lost}.textContent", lambda words: FULL in words)
        with Here(table.path, Codes(), port):
            # what a phone says that finds its network again
            page.js("dispatchEvent(new Event('online'))")
            page.wait_for(
                f"{lost}.textContent",
                lambda words: "not valid any more: scan the code again" in words,
            )


def test_a_seat_reads_its_secrets_on_its_own_phone(page: Browser, tmp_path: Path) -> None:
    with (
        played(tmp_path, skyfire_setup(FOUR, example_deck()), GAME) as table,
        served(str(table.path), "--port", "0", "--seat-codes") as program,
    ):
        page.size(*PHONE)
        page.open(program.address("For ada alone:"))
        page.wait_for(f"{TEXT}.includes('For ●A ada alone')")
        table.enter("deal", {})
        table.enter("target", {"card": "red"})
        table.enter("hand_noted", {"seat": "ada", "cards": ["Comet", "Wave", "Fern", "Pearl"]})
        saved(table)
        page.wait_for("document.getElementById('own').innerText.includes('Comet (red)')")
        assert fits(page)
        page.open(program.address())
        page.wait_for(f"{TEXT}.includes('the target is red')")
        assert "noted" not in page.js("document.body.innerText")
        assert "Comet" not in page.js("document.documentElement.innerHTML")
        assert page.errors == []


@pytest.mark.parametrize("wide", [320, 390])
@pytest.mark.parametrize(
    "session",
    [
        "panic-fire-rules-3",
        "skyfire-rules-3",
        "sky-rise-rules-3",
        "fractured-sky-rules-2",
        "drills-rules-3",
        "wizard-rules-4",
    ],
)
def test_no_table_of_a_game_is_cut_on_a_phone_even_with_text_twice_as_large(
    page: Browser, tmp_path: Path, session: str, wide: int
) -> None:
    for name in (f"{session}.sqlite", f"{session}.sqlite.mark"):
        shutil.copyfile(SESSIONS / name, tmp_path / name)
    boxes = "[...document.querySelectorAll('.scroll:has(table)')]"
    cut = f"{boxes}.filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.innerText)"
    with Here(tmp_path / f"{session}.sqlite", codes()) as served_here:
        page.size(wide, 844)
        page.open(f"http://{LOCALHOST}:{served_here.port}/code-0/")
        page.wait_for("document.querySelectorAll('.seat').length > 0")
        page.js("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
        for size in ("100%", "200%"):
            page.js(f"document.documentElement.style.fontSize = '{size}'")
            assert fits(page)
            assert page.js(cut) == []


def test_a_wide_table_is_a_table_again_where_there_is_room(page: Browser, tmp_path: Path) -> None:
    session = "fractured-sky-rules-2.sqlite"
    for name in (session, f"{session}.mark"):
        shutil.copyfile(SESSIONS / name, tmp_path / name)
    looks = "getComputedStyle(document.querySelector('td[data-head=\"explored by\"]')).display"
    with Here(tmp_path / session, codes()) as served_here:
        page.size(390, 844)
        page.open(f"http://{LOCALHOST}:{served_here.port}/code-0/")
        page.wait_for("document.querySelectorAll('.seat').length > 0")
        assert page.js(looks) == "block"
        page.size(1280, 800)
        assert page.js(looks) == "table-cell"
