"""The HTML report: it loads nothing, no name becomes a tag, and unknown things are stated."""

from __future__ import annotations

import re
import shutil
import xml.etree.ElementTree as ET
from datetime import UTC
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from companion.journal.entries import Control, Draft, Layer
from companion.journal.fold import void_draft
from companion.reports.charts import matrix_chart, score_chart, time_chart
from companion.reports.games import TimeLine, TimeMark
from companion.reports.markup import element, text
from companion.reports.page import format_html
from companion.reports.record import read_record, record_of
from companion.rules.facts import Seat, Setup
from tests.reports.support import Player, fixture, setup
from tests.web.browser import Chromium

HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</style><style>*{display:none}",
    "&lt;b&gt;",
    "javascript:alert(1)",
)
VOID = {"meta"}
SESSIONS = Path(__file__).parent.parent / "fixtures" / "sessions"


class Page(HTMLParser):
    """Collects the tags of a page, its text, and whether every tag is closed."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.open: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def all_words(self) -> str:
        return " ".join(self.words)


def hostile(path: Path) -> str:
    seats = tuple(Seat(f"s{i}", name, "#D55E00", "<", "&") for i, name in enumerate(HOSTILE))
    player = Player(path, Setup("panic-fire", 3, seats))
    for number in range(6):
        player.win("s0", 10_000_000 * number)
    shot = player.do("override", 90_000_000, seat="s1", status="in", reason=HOSTILE[0])
    player.append(void_draft(shot.n, HOSTILE[1]))
    player.append(Draft(Layer.CONTROL, Control.IGNORED, {"reason": HOSTILE[2]}))
    player.close()
    return format_html(read_record(path), UTC)


def test_the_page_loads_nothing_and_runs_nothing(tmp_path: Path) -> None:
    page = Page(hostile(tmp_path / "s.sqlite"))
    assert page.open == []
    tags = {tag for tag, _ in page.tags}
    assert not tags & {
        "script",
        "img",
        "link",
        "iframe",
        "object",
        "embed",
        "base",
        "form",
        "image",
        "use",
    }
    attributes = [(name, value or "") for _, attrs in page.tags for name, value in attrs.items()]
    assert not [
        name
        for name, _ in attributes
        if name.startswith("on") or name in ("src", "srcset", "style")
    ]
    leads_to = {value.partition("?")[0] for name, value in attributes if name == "href"}
    elsewhere = {value for value in leads_to if not value.startswith("#")}
    assert elsewhere == {"https://app.bgstatsapp.com/createPlay.html"}
    policies = [
        attrs["content"]
        for tag, attrs in page.tags
        if attrs.get("http-equiv") == "Content-Security-Policy"
    ]
    assert policies == ["default-src 'none'; style-src 'unsafe-inline'"]
    style = page.words[
        page.words.index(next(words for words in page.words if "color-scheme" in words))
    ]
    assert "url(" not in style
    assert "@import" not in style


def test_hostile_names_are_shown_as_they_are(tmp_path: Path) -> None:
    words = Page(hostile(tmp_path / "s.sqlite")).all_words
    assert all(name in words for name in HOSTILE)


@given(st.text(alphabet=st.characters(codec=None)))
def test_any_text_stays_text(words: str) -> None:
    page = Page(element("p", text(words), title=words))
    assert [tag for tag, _ in page.tags] == ["p"]
    assert "<" not in text(words)
    text(words).encode()


def test_an_element_takes_no_foreign_name() -> None:
    with pytest.raises(ValueError, match="no name of an element"):
        element("p onclick=x")


def test_the_report_says_who_won_how_and_by_which_clause() -> None:
    words = Page(format_html(record_of(fixture("six-rounds"), "six"), UTC)).all_words
    assert "Panic Fire: Red wins with 3 Bullet cards" in words
    assert "Red shot Green: Green is out (PF-12)" in words
    assert "fastest shot" in words
    assert "Not listed: draw (" in words
    assert "all have their defaults" in words
    assert "Add this play to the app BG Stats" in words


def test_the_report_of_a_game_that_is_open_says_what_is_awaited() -> None:
    words = Page(format_html(record_of(fixture("six-rounds")[:30], "six"), UTC)).all_words
    assert "not over" in words
    assert "has no result yet" in words
    assert "press" not in words.partition("The rules behind the rulings")[0].casefold()


def test_house_rules_that_differ_are_named_with_clause_and_default() -> None:
    words = Page(format_html(record_of(fixture("a-tie-replayed"), "tie"), UTC)).all_words
    assert "accidental_discharge = illegal (default void) PF-R3" in words


def test_corrections_and_broken_facts_are_shown_with_their_reasons(tmp_path: Path) -> None:
    player = Player(tmp_path / "s.sqlite")
    player.do("fire", 1)
    shot = player.do("shot", 2)
    player.do("target", 3, seat="bo")
    player.append(void_draft(shot.n, "it was a knock"))
    player.append(void_draft(player.do("pause", 4).n, "the table's word"))
    player.close()
    words = Page(format_html(read_record(tmp_path / "s.sqlite"), UTC)).all_words
    assert "(taken back: it was a knock; companion)" in words
    assert "(taken back: no reason given; companion)" in words
    assert "does not count, against PF-10" in words
    assert "kept, but not counted: 1" in words
    player = Player(tmp_path / "u.sqlite")
    player.do("fire", 1)
    player.append(*player.timeline.steps.undo_drafts())
    player.close()
    assert (
        "0, and 1 step undone"
        in Page(format_html(read_record(tmp_path / "u.sqlite"), UTC)).all_words
    )


def test_what_was_undone_step_by_step_is_told_as_it_was_and_not_as_a_refusal(
    tmp_path: Path,
) -> None:
    player = Player(tmp_path / "s.sqlite")
    steps = [
        player.do("fire", 1),
        player.do("draw", 2, seat="bo"),
        player.do("draw", 3, seat="anna"),
    ]
    for step in reversed(steps):
        player.append(void_draft(step.n, "undone"))
    player.do("fire", 4)
    player.close()
    record = read_record(tmp_path / "s.sqlite")
    assert [line.text.partition(" (")[0] for line in record.facts[1:3]] == [
        "Bo draws",
        "Anna draws",
    ]
    assert [line.void is None for line in record.facts] == [False, False, False, True]


def test_gaps_and_power_losses_are_stated_as_unknown(tmp_path: Path) -> None:
    player = Player(tmp_path / "s.sqlite")
    hello = {
        "uid": "00c0ffee",
        "boot": 1,
        "board": "pico",
        "firmware": "0.1",
        "reset": "power on",
        "stamp_error_us": 25,
    }
    gap = {"boot": 1, "seq": 9, "first_seq": 4, "count": 5, "first_us": 1}
    player.append(Draft(Layer.EVIDENCE, "hello", hello, "board"))
    player.append(Draft(Layer.EVIDENCE, "gap", gap, "board", t_us=2))
    player.append(Draft(Layer.EVIDENCE, "boot", {"previous": 1, "boot": 2}, "board"))
    overrun = {"boot": 2, "seq": 1, "source": "samples", "count": 70, "first_us": 1}
    player.append(Draft(Layer.EVIDENCE, "overrun", overrun, "board", t_us=2))
    player.append(Draft(Layer.CONTROL, Control.IGNORED, {"reason": "no hit within 30 ms"}))
    player.close()
    words = Page(format_html(read_record(tmp_path / "s.sqlite"), UTC)).all_words
    assert "20:00:01 to 20:00:02: the board's ring was full and refused 5 events" in words
    assert "20:00:02 to 20:00:03: the board lost power" in words
    assert (
        "20:00:03 to 20:00:04: the board was too slow and lost at least 70 samples of the hit sensor"
        in words
    )
    assert "1 × no hit within 30 ms" in words
    assert "pico (c0ffee), firmware 0.1, stamp error 25 us" in words


def test_a_round_without_a_clock_draws_nothing_and_says_so(tmp_path: Path) -> None:
    player = Player(tmp_path / "s.sqlite")
    player.do("fire")
    player.do("draw", 7, seat="bo")
    player.close()
    words = Page(format_html(read_record(tmp_path / "s.sqlite"), UTC)).all_words
    assert "nobody knows when it began; 1 more at times nobody can know" in words


seats = st.integers(2, 5).map(lambda count: setup(" ".join("abcde"[:count])).seats)


@settings(max_examples=40)
@given(seats, st.data())
def test_charts_are_well_formed_and_keep_inside_their_frame(
    chosen: tuple[Seat, ...], data: st.DataObject
) -> None:
    count = len(chosen)
    row = st.tuples(*[st.integers(0, 40)] * count)
    score = st.integers(-40, 40) | st.integers(-(10**9), 10**9)
    after = data.draw(
        st.lists(st.fixed_dictionaries({seat.id: score for seat in chosen}), max_size=12)
    )
    rounds = tuple((str(number), scores) for number, scores in enumerate(after))
    marks = data.draw(
        st.lists(
            st.builds(
                TimeMark,
                us=st.integers(0, 10**10),
                pm=st.integers(0, 1000),
                seat=st.sampled_from([None, *(seat.id for seat in chosen)]),
                sign=st.sampled_from(["draw", "shot", "other"]),
                text=st.text(max_size=9),
            )
        )
    )
    for chart in (
        score_chart(rounds, chosen, "points"),
        time_chart(TimeLine("round 1", "board-1", tuple(marks), 0), chosen),
        matrix_chart([data.draw(row) for _ in chosen], chosen),
    ):
        root = ET.fromstring(chart)
        _, _, width, height = map(float, root.attrib["viewBox"].split())
        for node in root.iter():
            assert all(
                0 <= float(node.attrib[name]) <= width
                for name in ("x", "x1", "x2", "cx")
                if name in node.attrib
            )
            assert all(
                0 <= float(node.attrib[name]) <= height
                for name in ("y", "y1", "y2", "cy")
                if name in node.attrib
            )
            points = [point.split(",") for point in node.attrib.get("points", "").split()]
            assert all(0 <= float(x) <= width and 0 <= float(y) <= height for x, y in points)


def test_the_score_chart_says_in_words_what_it_shows() -> None:
    chart = score_chart(
        (("1", {"anna": 1, "bo": 0}), ("2", {"anna": 1, "bo": 1})), setup("Anna Bo").seats, "points"
    )
    assert re.search(r'aria-label="points after each round: Anna 1, 1; Bo 0, 1"', chart)


@pytest.mark.parametrize(
    "names",
    ["Anna Bo Cleo", f"Wolfeschlegel{'steinhausen' * 3} Dmitri-Alexandrowitsch 東京東京東京"],
)
def test_the_first_table_fits_a_phone_with_the_fastest_shots_in_it(
    names: str, tmp_path: Path, chromium: Chromium
) -> None:
    player = Player(tmp_path / "a.sqlite", setup(names))
    first, second, _ = (seat.id for seat in player.setup.seats)
    player.do("fire", 100_000_000)
    player.do("shot", 101_000_000)
    player.do("target", 101_000_001, seat=second)
    player.do("shooter", 101_000_002, seat=first)
    player.close()
    html = format_html(read_record(tmp_path / "a.sqlite"), UTC)
    assert html.count("not timed by a board") == 2
    path = tmp_path / "report.html"
    path.write_text(html, encoding="utf-8")
    with chromium.page() as page:
        page.size(390, 844)
        page.open(path.as_uri())
        page.wait_for("document.querySelector('.result table') !== null")
        assert (
            page.js(
                "(({scrollWidth, clientWidth}) => scrollWidth - clientWidth)"
                "(document.querySelector('.result .scroll'))"
            )
            == 0
        )


def test_a_figure_that_nobody_has_is_no_column_of_the_report(tmp_path: Path) -> None:
    player = Player(tmp_path / "a.sqlite", setup())
    player.do("fire")
    player.close()
    words = Page(format_html(read_record(tmp_path / "a.sqlite"), UTC)).all_words
    assert "eliminated" in words
    assert "fastest shot" not in words


@pytest.mark.parametrize(
    "name", ["panic-fire-rules-3", "fractured-sky-rules-2", "skyfire-rules-3", "sky-rise-rules-3"]
)
def test_each_ruling_that_rests_on_a_clause_leads_to_its_text(name: str, tmp_path: Path) -> None:
    for file in SESSIONS.glob(f"{name}.sqlite*"):
        shutil.copy(file, tmp_path)
    html = format_html(read_record(tmp_path / f"{name}.sqlite"), UTC)
    rulings = html.partition("<h2>Rulings</h2>")[2].partition("<h2>")[0]
    rows = re.findall(r'<td class="words">(.*?)</td>', rulings)
    linked = [re.findall(r'<a href="#([^"]+)">', row) for row in rows]
    assert sum(map(bool, linked)) >= 0.9 * len(rows) > 5
    anchors = dict(re.findall(r'<section id="([^"]+)"><h3>[^<]+</h3>(.*?)</section>', html))
    assert {clause for links in linked for clause in links} == set(anchors)
    assert all("<p" in text for text in anchors.values())
    codes = [code for row in rows for code in re.findall(r"\(([A-Z]{2}-[A-Z]?\d+)\)", row)]
    assert codes == [], "a clause in a sentence is a link"


def test_the_text_of_a_clause_names_the_house_rule_of_the_session(tmp_path: Path) -> None:
    player = Player(tmp_path / "s.sqlite", setup(accidental_discharge="illegal"))
    player.do("fire", 0)
    player.do("dry_pull", 1_000_000)
    player.close()
    html = unescape(format_html(read_record(tmp_path / "s.sqlite"), UTC))
    section = html.partition('<section id="PF-R3">')[2].partition("</section>")[0]
    assert "House rule: " in section
    assert "is an illegal shot" in section
