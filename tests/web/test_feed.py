"""The public feed over the network, and the overlay that reads it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.errors import CommandError
from companion.feed.events import EVENT
from companion.feed.feed import FeedReading
from companion.games.panic_fire.rules.game import GAME
from companion.link.evidence import Evidence
from companion.link.status import LinkState, LinkStatus
from companion.session.key_meanings import PAUSE, UNDO
from companion.session.opening import begin
from companion.session.table import Table
from companion.web import feed_tail
from companion.web.app import Pages
from companion.web.document import read_style
from companion.web.feed_tail import FeedTail
from companion.web.lookers import TableLooker
from firmware_protocol.messages import MUTED, Overrun
from tests.feed.feeding import feed_of
from tests.games.panic_fire.playing import setup
from tests.session.parts import BOOT, UID, hello
from tests.web.browser import Browser, Chromium
from tests.web.client import ORIGIN, Client, codes, opened
from tests.web.served import called, played, press, saved, served


def eliminated(table: Table) -> None:
    """Let the first player eliminate the second, which wins the round."""
    press(table, "fire")
    seats = [seat.id for seat in table.view().setup.seats]
    for kind, body in (
        ("shot", {}),
        ("target", {"seat": seats[1]}),
        ("shooter", {"seat": seats[0]}),
    ):
        table.enter(kind, body)
    saved(table)


async def test_a_new_reader_gets_the_newest_event_and_then_what_comes(tmp_path: Path) -> None:
    with played(tmp_path) as table:
        press(table, "fire")
        onlooker, pages, client = opened(table.path)
        async with client.stream("/code-0/feed") as stream:
            await stream.until_told(1)
            press(table, "draw.1")
            assert onlooker.look()
            pages.hear()
            await stream.until_told(2)
        events = feed_of(table)
    assert [event for _, event in stream.told] == [
        event.model_dump(mode="json") for event in events[-2:]
    ]
    assert all(EVENT.validate_python(event) for _, event in stream.told)
    assert stream.headers["content-type"].startswith("text/event-stream")


async def test_a_reader_that_was_away_goes_on_behind_what_it_had(tmp_path: Path) -> None:
    with played(tmp_path) as table:
        eliminated(table)
        _, _, client = opened(table.path)
        events = feed_of(table)
        had = events[2]
        async with client.stream("/code-0/feed", last=f"{had.session}:{had.number}") as stream:
            await stream.until_told(len(events) - 3)
    assert [event["number"] for _, event in stream.told] == [event.number for event in events[3:]]


@pytest.mark.parametrize(
    "last", ["", "nonsense", "other:12", "0123456789abcdef:17", ":", "0123456789abcdef:²"]
)
async def test_a_reader_that_had_nothing_of_this_session_begins_with_the_newest(
    tmp_path: Path, last: str
) -> None:
    with played(tmp_path) as table:
        eliminated(table)
        _, _, client = opened(table.path)
        async with client.stream("/code-0/feed", last=last) as stream:
            await stream.until_told(1)
        assert [event["number"] for _, event in stream.told] == [feed_of(table)[-1].number]


async def test_only_who_has_the_address_of_the_whole_table_reads_the_feed(tmp_path: Path) -> None:
    with played(tmp_path) as table:
        _, _, client = opened(table.path)
        for what in ("feed", "overlay", "caller"):
            for code in ("code-1", "code-9", "nobody"):
                assert (await client.ask(f"/{code}/{what}")).status == 403
            assert (await client.ask(f"/code-0/{what}", "POST")).status == 405


async def test_what_is_not_on_the_disk_yet_is_not_told(tmp_path: Path) -> None:
    """If the entry were lost, its numbers would be used again."""
    with played(tmp_path) as table:
        press(table, "fire", "draw.1")
        entries = list(table._journal.entries)
    durable = [len(entries) - 1]
    tail = FeedTail(FeedReading(GAME, setup("red blue"), entries, lambda: durable[0]))
    before = tail.look()
    durable[0] += 1
    assert [event.kind for event in tail.look()[len(before) :]] == ["draw"]


async def test_the_pages_of_a_table_in_play_tell_what_was_saved(tmp_path: Path) -> None:
    with played(tmp_path) as table:
        looker = TableLooker(table)
        pages = Pages(looker.showing, codes(), ORIGIN, looker.tail, table)
        async with Client(pages).stream("/code-0/feed") as stream:
            await stream.until_told(1)
            eliminated(table)
            pages.hear()
            await stream.until_told(8)
            table.do(UNDO.id)
            saved(table)
            pages.hear()
            await stream.until_told(9)
        looker.close()
        assert [event["number"] for _, event in stream.told] == [
            event.number for event in feed_of(table)
        ]
    assert stream.told[-1][1]["kind"] == "correction"


async def test_how_the_board_is_comes_beside_the_events_without_a_number_and_when_it_changes(
    tmp_path: Path,
) -> None:
    with played(tmp_path) as table, closing(TableLooker(table)) as looker:
        pages = Pages(looker.showing, codes(), ORIGIN, looker.tail, table)
        async with Client(pages).stream("/code-0/feed") as stream:
            await stream.until_told(1)
            press(table, "fire")
            pages.hear()
            await stream.until_told(2)
            table.board.on_status(LinkStatus(LinkState.LOST, "Nothing answers at /dev/ttyACM0."))
            press(table, "draw.1")
            pages.hear()
            await stream.until_told(3)
    parts = [part.partition("\ndata: ") for part in stream.text.split("\n\n")]
    assert [json.loads(data) for name, _, data in parts if name == "event: link"] == [
        {"state": "no board", "healthy": True},
        {"state": "lost - retrying", "healthy": False},
    ]
    assert "/dev" not in stream.text


def test_the_pages_name_a_wire_that_is_muted(tmp_path: Path) -> None:
    with played(tmp_path) as table, closing(TableLooker(table)) as looker:
        table.board.on_identified(hello(), BOOT)
        table.board.on_status(LinkStatus(LinkState.LIVE, "Board b0a4d is live."))
        assert looker.tail is not None
        assert json.loads(looker.tail.link()) == {"state": "live", "healthy": True}
        table.board.store([Evidence(UID, BOOT, 1, Overrun(MUTED + 4, 900, 0, 50_000), 0)])
        assert json.loads(looker.tail.link()) == {"state": "live, zone 3 muted", "healthy": False}


def test_the_tail_is_bounded_and_goes_on_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed_tail, "KEPT", 5)
    with played(tmp_path) as table:
        eliminated(table)
        entries = list(table._journal.entries)
        tail = FeedTail(FeedReading(GAME, setup("red blue"), entries))
        assert list(tail.look()) == feed_of(table)[-5:]
        assert list(tail.look()) == feed_of(table)[-5:]


async def test_the_overlay_lets_a_style_be_added_but_no_script(tmp_path: Path) -> None:
    with played(tmp_path) as table:
        _, _, client = opened(table.path)
        overlay, page = await client.ask("/code-0/overlay"), await client.ask("/code-0/")
    policy = dict(
        part.split(" ", 1) for part in overlay.headers["content-security-policy"].split("; ")
    )
    assert policy["default-src"] == "'none'"
    assert policy["style-src"] == "'unsafe-inline'"
    assert policy["script-src"].startswith("'sha256-")
    assert "unsafe" not in policy["script-src"]
    assert "unsafe" not in page.headers["content-security-policy"], "the other pages stay as strict"


async def test_the_overlay_has_the_style_that_the_settings_name(tmp_path: Path) -> None:
    own = tmp_path / "overlay.css"
    own.write_text(":root { --turn: #0f0; }\n", encoding="utf-8")
    with played(tmp_path) as table:
        looker = TableLooker(table)
        client = Client(
            Pages(looker.showing, codes(), ORIGIN, looker.tail, style=read_style(str(own)))
        )
        assert ":root { --turn: #0f0; }" in (await client.ask("/code-0/overlay")).text
        assert "#0f0" not in (await client.ask("/code-0/")).text
        looker.close()
    assert read_style("") == ""


@pytest.mark.parametrize(
    ("style", "sentence"),
    [
        (None, "There is no file"),
        (b"\xff", "it is no UTF-8"),
        (b"</style><script>", "it has a </ in it"),
    ],
)
def test_a_style_that_is_none_is_refused_in_one_sentence(
    tmp_path: Path, style: bytes | None, sentence: str
) -> None:
    own = tmp_path / "overlay.css"
    if style is not None:
        own.write_bytes(style)
    with pytest.raises(CommandError, match=sentence):
        read_style(str(own))
    with pytest.raises(CommandError, match="There is no file ~nobody9/x"):
        read_style("~nobody9/x")


@pytest.fixture(scope="module")
def page(chromium: Chromium) -> Iterator[Browser]:
    with chromium.page() as page:
        yield page


def left(page: Browser) -> None:
    """Leave the page while it is served: otherwise the browser reports the end of its stream as an error."""
    page.open("about:blank")
    page.wait_for("location.href === 'about:blank'")


def words(page: Browser, place: str) -> Any:
    return page.js(f"document.getElementById('{place}').innerText")


@pytest.mark.parametrize("size", [(1920, 1080), (640, 360)])
def test_the_overlay_shows_scores_and_the_last_ruling_over_a_picture(
    page: Browser, tmp_path: Path, size: tuple[int, int]
) -> None:
    # the overlay before would go on asking for its server, and the browser complain
    page.open("about:blank")
    page.wait_for("location.href === 'about:blank'")
    page.leave()
    names = ("<img src=x onerror=alert(1)>", "Bo")
    ruling = "document.getElementById('ruling').innerText"
    with (
        played(tmp_path, called(setup("red blue"), *names)) as table,
        served(str(table.path), "--port", "0") as program,
    ):
        page.size(*size)
        page.open(f"{program.address()}overlay")
        page.wait_for("document.querySelectorAll('#players li').length === 2")
        eliminated(table)
        page.wait_for(
            f"{ruling}.endsWith('Bo is out; <img src=x onerror=alert(1)> takes a Bullet card')"
        )
        scores = page.js(
            "[...document.querySelectorAll('#players .score')].map((each) => each.innerText).join()"
        )
        out = page.js(
            "[...document.querySelectorAll('#players .out .name')].map((each) => each.innerText).join()"
        )
        assert (scores, out) == ("1,0", "Bo")
        assert words(page, "players").split("\n").count("Bullet card") == 1
        assert words(page, "players").split("\n").count("Bullet cards") == 1
        table.do(UNDO.id)
        saved(table)
        page.wait_for(f"{ruling}.startsWith('taken back: ')")
        assert page.js("document.querySelectorAll('#players .out').length") == 0
        assert page.js("document.images.length") == 0, "a name is text, whatever it looks like"
        assert page.js("getComputedStyle(document.body).backgroundColor") == "rgba(0, 0, 0, 0)"
        assert (
            page.js("getComputedStyle(document.documentElement).backgroundColor")
            == "rgba(0, 0, 0, 0)"
        )
        assert page.js("document.documentElement.scrollWidth <= innerWidth")
        page.js(
            "document.head.insertAdjacentHTML('beforeend', '<style>#where { color: rgb(1, 2, 3) }</style>')"
        )
        assert page.js("getComputedStyle(document.getElementById('where')).color") == "rgb(1, 2, 3)"
        assert words(page, "where").startswith("round 1")
        assert page.errors == []
        left(page)


@pytest.mark.parametrize("size", [(1280, 240), (1920, 1080), (640, 120)])
def test_nothing_of_the_overlay_is_cut_with_five_long_names_in_a_strip_of_the_picture(
    page: Browser, tmp_path: Path, size: tuple[int, int]
) -> None:
    left(page)
    names = [f"{first} Wolfeschlegelsteinhausen" for first in ("Ada", "Bo", "Cleo", "Di", "Eve")]
    inside = """[...document.querySelectorAll('main *')].every((each) => {
        const { left, top, right, bottom } = each.getBoundingClientRect();
        return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight; })"""
    large = "parseFloat(getComputedStyle(document.documentElement).fontSize)"
    with (
        closing(begin("panic-fire", names, {}, tmp_path / "evening.sqlite")) as table,
        served(str(table.path), "--port", "0") as program,
    ):
        page.size(*size)
        page.open(f"{program.address()}overlay")
        page.wait_for("document.querySelectorAll('#players .unit').length === 5")
        press(table, "fire", "draw.1", "shot", "name.2", "name.1")
        page.wait_for("document.getElementById('ruling').innerText.includes('is out')")
        assert page.js(inside)
        assert page.js(large) >= 8
        if size == (1920, 1080):
            assert page.js(large) > 40
        left(page)


STANDS_NOWHERE = """
const read = JSON.parse;
JSON.parse = (text) => { const event = read(text); event.table.where = ""; return event; };
"""
"""As a game tells it that says nothing of where it stands."""


def test_the_overlay_has_the_clock_of_the_round_as_it_is_at_the_table(
    page: Browser, tmp_path: Path
) -> None:
    """A device whose wall clock is an hour off, and set back, shows the same."""
    left(page)
    page.leave()
    early = """
        const wall = Date.now.bind(Date), own = performance.now.bind(performance);
        Date.now = () => wall() - 3600000 - (window.later ?? 0);
        performance.now = () => own() + (window.later ?? 0);
    """
    clock = "document.getElementById('clock').innerText"
    with (
        closing(begin("panic-fire", ("Red", "Blue"), {}, tmp_path / "evening.sqlite")) as table,
        served(str(table.path), "--port", "0") as program,
    ):
        script = page.call("Page.addScriptToEvaluateOnNewDocument", source=early)["identifier"]
        page.open(f"{program.address()}overlay")
        page.wait_for("document.querySelectorAll('#players li').length === 2")
        assert words(page, "clock") == ""
        table.do("panic-fire.fire")
        saved(table)
        page.wait_for(f"/^0:[0-5][0-9]$/.test({clock})")
        page.js("window.later = 3601000")  # an hour without any news
        page.wait_for(f"{clock}.startsWith('1:00:')")
        table.do(PAUSE.id)
        saved(table)
        page.wait_for("document.getElementById('where').innerText.endsWith('paused')")
        stood = words(page, "clock")
        assert stood.startswith("0:")
        table.do(PAUSE.id)
        saved(table)
        page.wait_for("!document.getElementById('where').innerText.endsWith('paused')")
        page.js("window.later = 2 * 3601000")
        page.wait_for(f"{clock}.startsWith('1:00:')")
        page.js(STANDS_NOWHERE)
        table.do(UNDO.id)
        saved(table)
        page.wait_for("document.getElementById('where').innerText === 'paused'")
        page.wait_for(f"{clock} === {stood!r}")
        assert page.errors == []
        page.call("Page.removeScriptToEvaluateOnNewDocument", identifier=script)
        left(page)


VOICE = """
window.lines = []; window.pending = []; window.busy = false; window.clock = Date.now(); Date.now = () => clock;
speechSynthesis.cancel = () => {};
window.near = [{ name: "Near", localService: true, lang: "en-GB" }];
speechSynthesis.getVoices = () => [{ name: "Far", localService: false, default: true, lang: "en-US" }, ...near];
window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
window.by = [];
speechSynthesis.speak = (line) => {
  lines.push(line.text);
  by.push(line.voice.name);
  if (busy) pending.push(line); else setTimeout(() => line.onend(), 0);
};
speechSynthesis.dispatchEvent(new Event("voiceschanged"));
"""
"""A voice that says nothing and remembers what it was to say; a busy one comes to no end. The clock stands still."""


@pytest.fixture
def caller(page: Browser, tmp_path: Path) -> Iterator[tuple[Browser, Table]]:
    page.leave()
    names = ("Bo", "Bob")
    with (
        played(tmp_path, called(setup("red blue"), *names)) as table,
        served(str(table.path), "--port", "0") as program,
    ):
        page.size(390, 844)
        page.open(f"{program.address()}caller")
        page.wait_for("document.querySelectorAll('#names input').length === 2")
        page.js(VOICE)
        yield page, table
        assert page.errors == []
        assert page.js("document.documentElement.scrollWidth <= innerWidth")
        left(page)


def tap(page: Browser) -> None:
    page.js("document.getElementById('call').click()")


SHOWN = "[...document.querySelectorAll('#said li')].map((each) => each.innerText)"


def test_the_caller_says_rulings_in_order_and_of_a_correction_the_difference(
    caller: tuple[Browser, Table],
) -> None:
    page, table = caller
    tap(page)
    eliminated(table)
    page.wait_for("lines.length === 3")
    table.do(UNDO.id)
    saved(table)
    page.wait_for("lines.length === 4")
    assert page.js("lines") == [
        "fire! round 1 of 6 starts",
        "Bob was shot at",
        "Bo shot Bob: Bob is out; Bo takes a Bullet card",
        "Correction: Bo 0",
    ]
    assert page.js(SHOWN) == page.js("lines"), "a screen reader gets the same lines"
    assert page.js("document.getElementById('said').getAttribute('aria-live')") == "polite"


def test_nothing_is_said_before_somebody_taps_and_the_lines_are_there(
    caller: tuple[Browser, Table],
) -> None:
    page, table = caller
    eliminated(table)
    page.wait_for(f"{SHOWN}.length === 3")
    assert page.js("lines") == []
    tap(page)
    table.do(UNDO.id)
    saved(table)
    page.wait_for("lines.length === 1")
    assert page.js("lines") == ["Correction: Bo 0"], "what was over before the tap is no news"


def test_a_voice_that_falls_behind_drops_what_is_stale(caller: tuple[Browser, Table]) -> None:
    page, table = caller
    tap(page)
    page.js("busy = true")
    press(table, "fire")
    page.wait_for("lines.length === 1")
    for number in range(8):
        table.enter("unpause" if number % 2 else "pause", {})
    saved(table)
    page.wait_for(f"{SHOWN}.length === 8")
    page.js("busy = false; pending.shift().onend()")
    page.wait_for("lines.length === 4")
    assert page.js(f"JSON.stringify(lines.slice(1)) === JSON.stringify({SHOWN}.slice(-3))")


def test_what_waited_too_long_is_not_said_but_for_the_end_of_the_game(
    caller: tuple[Browser, Table],
) -> None:
    page, table = caller
    tap(page)
    page.js("busy = true")
    press(table, "fire")
    page.wait_for("lines.length === 1")
    table.enter("pause", {})
    table.enter("abandon", {"reason": "the last train"})
    saved(table)
    page.wait_for(f"{SHOWN}.at(-1) === 'The game was ended early'")
    page.js("clock += 9000; busy = false; pending.shift().onend()")
    page.wait_for("lines.length === 2")
    assert page.js("lines[1]") == "The game was ended early"


def test_after_a_line_whose_end_is_never_reported_the_caller_speaks_again(
    caller: tuple[Browser, Table],
) -> None:
    page, table = caller
    tap(page)
    page.js("busy = true")
    press(table, "fire")
    page.wait_for("lines.length === 1")
    page.js("busy = false; clock += 31000")
    table.enter("pause", {})
    saved(table)
    page.wait_for("lines.length === 2")
    page.js("pending.shift().onend()")  # the lost end, after all
    table.enter("unpause", {})
    saved(table)
    page.wait_for("lines.length === 3")


def test_a_name_is_said_as_this_device_was_told_and_a_voice_is_one_of_its_own(
    caller: tuple[Browser, Table],
) -> None:
    page, table = caller
    assert page.js("[...document.getElementById('voice').options].map((each) => each.value)") == [
        "",
        "Near",
    ]
    field = "document.querySelector('#names input')"
    page.js(f"{field}.value = 'Beau $& (B.)'; {field}.dispatchEvent(new Event('input'))")
    tap(page)
    eliminated(table)
    page.wait_for("lines.length === 3")
    assert (
        page.js("lines[2]") == "Beau $& (B.) shot Bob: Bob is out; Beau $& (B.) takes a Bullet card"
    )
    assert page.js(SHOWN)[2] == "Bo shot Bob: Bob is out; Bo takes a Bullet card"
    assert set(page.js("by")) == {"Near"}, "the other one would send each line away"
    assert page.js("localStorage.getItem('caller name Bo')") == "Beau $& (B.)"
    page.js("localStorage.clear()")


def test_a_device_without_a_voice_of_its_own_says_so_and_shows_the_lines(
    caller: tuple[Browser, Table],
) -> None:
    page, table = caller
    page.js("window.near = []")
    tap(page)
    assert page.js("document.getElementById('dumb').hidden") is False
    press(table, "fire")
    page.wait_for(f"{SHOWN}.length === 1")
    assert page.js("lines") == []
