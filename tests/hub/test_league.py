"""A hub keeps one event after the other, and a league over them; players dispute what came of their games."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest

from companion.errors import CommandError
from companion.hub import Declined
from companion.hub.answers import MOST_FIELDS
from companion.hub.app import MOST_DISPUTES
from companion.hub.database import Database
from companion.hub.overview import table_rows
from companion.hub.pages import public_page
from companion.hub.points import LeagueRules, PointsRules, read_points
from companion.hub.results import MOST_DOUBTS, RulingKind, doubt, league_of
from companion.hub.rounds import (
    begin_gathering,
    gathering_on,
    gatherings_in,
    newest,
    rounds_in,
    seat,
)
from companion.hub.standings import Standings, points_text
from tests.hub.parts import NOW, Browser, RunningHub, joined, running
from tests.hub.test_results import Night, judge_of
from tests.web.browser import Chromium

AWARDS = PointsRules(awards=("best score",))


@pytest.fixture
def night(database: Database) -> Night:
    return Night(database)


@pytest.fixture
def hub(on_sqlite: Database) -> Iterator[RunningHub]:
    with running(on_sqlite, points=AWARDS) as hub:
        yield hub


def begin(database: Database, title: str) -> None:
    with database.writing() as connection:
        begin_gathering(connection, title, NOW)


def league(database: Database, rules: PointsRules | None = None) -> dict[str, tuple[int, str]]:
    with database.reading() as connection:
        lines = league_of(
            connection, gatherings_in(connection, "Club night"), rules or PointsRules()
        ).lines
    return {line.name: (line.rank, points_text(line.points)) for line in lines}


def test_the_points_of_all_events_make_the_league(night: Night) -> None:
    night.game(1, "Ann Bo Cy", (5, 3, 3))
    begin(night.database, "March")
    night.game(2, "Bo Ann", (5, 3))
    assert night.points() == {"Bo": "4", "Ann": "3"}
    assert league(night.database) == {"Ann": (1, "7"), "Bo": (2, "6 1/2"), "Cy": (3, "2 1/2")}


def test_a_league_may_count_ranks_and_only_the_best_events(night: Night) -> None:
    for number, names in enumerate(("Ann Bo", "Bo Ann", "Bo Ann"), start=1):
        begin(night.database, f"Evening {number}")
        night.game(number, names, (5, 3))
    ranks = LeagueRules(placing=(Fraction(10), Fraction(1)), score=Fraction(0), best=1)
    assert league(night.database, PointsRules(league=ranks)) == {"Bo": (1, "10"), "Ann": (1, "10")}


def test_a_correction_in_an_earlier_event_flows_into_the_league(night: Night) -> None:
    record = night.game(1, "Ann Bo", (5, 3))
    begin(night.database, "March")
    night.correct(record, 40, (5, 9), 26)
    assert league(night.database) == {"Bo": (1, "4"), "Ann": (2, "3")}
    night.rule(record, RulingKind.DISPUTED)
    with night.database.reading() as connection:
        (bo, ann) = league_of(connection, gatherings_in(connection, ""), PointsRules()).lines
    assert bo.doubtful
    assert ann.doubtful


def test_the_next_event_begins_without_games_rounds_and_repeats(night: Night) -> None:
    players = ["Ann", "Bo", "Cy", "Di"]
    with night.database.writing() as connection:
        seat(connection, players, NOW, random.Random(1))
    begin(night.database, "March")
    with night.database.reading() as connection:
        assert newest(connection) is None
    with night.database.writing() as connection:
        assert seat(connection, players, NOW, random.Random(1)).number == 1
        assert len(rounds_in(connection)) == 1
    assert night.results() == ()


def test_an_event_in_which_nothing_happened_is_named_and_no_other_begun(night: Night) -> None:
    begin(night.database, "Febuary")
    begin(night.database, "February")
    with night.database.reading() as connection:
        assert [gathering.title for gathering in gatherings_in(connection, "Club night")] == [
            "February"
        ]
    night.game(1, "Ann Bo", (5, 3))
    begin(night.database, " the  next ")
    with night.database.reading() as connection:
        assert gathering_on(connection, "Club night").title == "the next"


@pytest.mark.parametrize("title", ["", "  ", "x" * 61, "a\0b", "a\u2028b\u202e"])
def test_an_event_needs_a_name_that_can_be_shown(night: Night, title: str) -> None:
    with pytest.raises(Declined, match="Give the event a name"):
        begin(night.database, title)


def test_a_game_that_began_in_the_event_before_counts_there(night: Night) -> None:
    record = night.game(1, "Ann Bo", (5, 3), "", early=True)
    begin(night.database, "March")
    night.tell(record, night.end(50, (5, 3), "s1"))
    assert night.results() == ()
    assert league(night.database) == {"Ann": (1, "4"), "Bo": (2, "3")}


def test_the_file_of_points_says_what_an_event_is_worth(tmp_path: Path) -> None:
    file = tmp_path / "points.toml"
    file.write_text("placing = [3, 1]\n[league]\nplacing = [10, 5]\nscore = 0\nbest = 4\n", "utf-8")
    assert read_points(file).league == LeagueRules(
        placing=(Fraction(10), Fraction(5)), score=Fraction(0), best=4
    )
    file.write_text("[league]\nawards = []\n", "utf-8")
    with pytest.raises(
        CommandError, match=r"league\.awards is nothing that points are made of\. There is placing"
    ):
        read_points(file)


def dispute(night: Night, record: int, name: str = "Bo", why: str = "the last shot hit") -> None:
    with night.database.writing() as connection:
        doubt(connection, gathering_on(connection).id, record, name, why, NOW)


def test_players_dispute_a_result_and_judges_read_what_they_say(night: Night) -> None:
    record = night.game(1, "Ann Bo", (5, 3))
    dispute(night, record)
    dispute(night, record, "Ann", "so it did")
    (result,) = night.results()
    assert (result.disputed, result.doubts) == (
        "by Bo, Ann",
        ("Bo says: the last shot hit", "Ann says: so it did"),
    )
    night.rule(record, RulingKind.DISPUTED, why="we count again")
    assert night.results()[0].disputed == "we count again; by Bo, Ann"


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (RulingKind.SETTLED, "settled by Jo: they agree"),
        (RulingKind.LIFTED, "what the table told holds, says Jo: they agree"),
        (RulingKind.SET, "set by Jo: they agree"),
    ],
)
def test_every_ruling_ends_the_disputes_before_it_and_says_why_to_everybody(
    night: Night, kind: RulingKind, words: str
) -> None:
    record = night.game(1, "Ann Bo", (5, 3))
    dispute(night, record)
    night.rule(record, RulingKind.DISPUTED, why="we count again")
    night.rule(record, kind, "Bo, Ann", "they agree")
    result = night.results()[0]
    assert (result.disputed, result.doubts, result.ruled) == ("", (), words)
    dispute(night, record, "Ann", "no")
    assert night.results()[0].disputed == "by Ann"
    assert ("settled" in night.results()[0].ruled, result.players[0].name == "Bo") == (
        False,
        kind == RulingKind.SET,
    )


@pytest.mark.parametrize(
    ("name", "why", "words"),
    [
        ("Eve", "x", "Choose your name"),
        ("", "x", "Choose your name"),
        ("Bo", " ", "Say why"),
        ("Bo", "x\0", "Say why"),
    ],
)
def test_only_who_played_there_disputes_a_result_and_says_why(
    night: Night, name: str, why: str, words: str
) -> None:
    record = night.game(1, "Ann Bo", (5, 3))
    with pytest.raises(Declined, match=words):
        dispute(night, record, name, why)
    assert night.results()[0].disputed == ""


def test_nothing_is_disputed_that_is_not_over_or_is_none_of_this_event(night: Night) -> None:
    early = night.game(1, "Ann Bo", (5, 3), early=True)
    over = night.game(2, "Ann Bo", (5, 3))
    begin(night.database, "March")
    for record in (early, over, 99, 10**30):
        with pytest.raises(Declined, match="No result is here"):
            dispute(night, record)


def test_a_result_is_disputed_so_often_and_no_more_until_a_judge_looked(night: Night) -> None:
    record = night.game(1, "Ann Bo", (5, 3))
    for _ in range(MOST_DOUBTS):
        dispute(night, record)
    with pytest.raises(Declined, match="disputed already"):
        dispute(night, record)
    night.rule(record, RulingKind.SETTLED)
    dispute(night, record)


def test_a_judge_speaks_as_a_judge(night: Night) -> None:
    with pytest.raises(Declined, match="for players to say"):
        night.rule(night.game(1, "Ann Bo", (5, 3)), RulingKind.DOUBTED)


def test_a_player_disputes_on_the_page_and_judges_alone_read_the_words(hub: RunningHub) -> None:
    record = Night(hub.database).game(4, "Ann Bo", (5, 8), "s1")
    player, path = hub.browser(), f"/result/{record}"
    assert '<option value="">choose your name</option><option value="Ann">' in player.get(path).text
    assert player.post(path, name="", why="x").status == 403
    assert (
        'name="why" autocomplete="off" type="text" required="" maxlength="200"'
        in player.get(path).text
    )
    assert f'href="{path}"' in player.get("/").text
    page = player.get(path).text
    for words in ("Table 4, SkyFire", "1 Ann, 2 Bo", '<option value="Bo">', "Is this right?"):
        assert words in page
    assert "A judge reads this now." in player.post(path, name="Bo", why="<b>she bumped it").text
    for seen in (player.get(path).text, player.get("/").text):
        assert "disputed: by Bo" in seen
        assert "bumped" not in seen
    assert "Bo says: &lt;b&gt;she bumped it" in judge_of(hub, hub.organiser()).get("/judge").text


def test_the_page_of_a_result_takes_nothing_from_elsewhere_nor_without_end(hub: RunningHub) -> None:
    night = Night(hub.database)
    path = f"/result/{night.game(4, 'Ann Bo', (5, 8), 's1')}"
    assert (
        Browser(hub.port, origin="http://elsewhere.example").post(path, name="Bo", why="x").status
        == 403
    )
    assert night.results()[0].disputed == ""
    assert (
        hub.browser().post(path, **{f"field{at}": "x" for at in range(MOST_FIELDS + 1)}).status
        == 400
    )
    for where in ("/result/77", f"/result/{10**30}", "/result/x", "/result/-1"):
        assert hub.browser().get(where).status == 404
    answers = [
        hub.browser().post(path, name="Eve", why="x").status for _ in range(MOST_DISPUTES + 1)
    ]
    assert answers == [403] * MOST_DISPUTES + [429]


@pytest.mark.parametrize(
    ("playing", "words"),
    [
        (0, "All games are over."),
        (1, "1 of 3 tables is playing."),
        (2, "2 of 3 tables are playing."),
    ],
)
def test_the_page_says_how_many_tables_are_playing(night: Night, playing: int, words: str) -> None:
    for number in (1, 2, 3):
        record = night.game(number, "Ann Bo", (5, 8), "s1")
        if number <= playing:
            night.correct(record, 40, (5, 8), 26, ended=False)  # the end was taken back
    with night.database.reading() as connection:
        assert words in public_page("Club night", table_rows(connection, NOW), Standings())


def test_a_game_that_was_ended_early_leads_to_no_result(hub: RunningHub) -> None:
    night = Night(hub.database)
    early, over = (
        night.game(1, "Ann Bo", (5, 8), "", early=True),
        night.game(2, "Cy Di", (5, 8), "s1"),
    )
    page = hub.browser().get("/").text
    assert page.count("The game was ended early.") == 1
    assert f'href="/result/{early}"' not in page
    assert f'href="/result/{over}"' in page


def test_an_organiser_begins_the_next_event_and_everybody_sees_it_and_the_league(
    hub: RunningHub,
) -> None:
    night, organiser = Night(hub.database), hub.organiser()
    night.game(1, "Ann Bo", (5, 8), "s1")
    assert "best score" not in hub.browser().get("/").text
    organiser.post("/organiser/awards")
    assert judge_of(hub, organiser).post("/organiser/event", title="March").status == 403
    assert organiser.post("/organiser/event", title="").status == 403
    assert (
        "The event has begun. Only games that begin from now on count in it."
        in organiser.post("/organiser/event", title="March").text
    )
    night.game(2, "Bo Ann", (5, 8), "s1")
    page = hub.browser().get("/").text
    assert "<h1>March</h1>" in page
    assert "Table 1" not in page
    assert "at table 2, SkyFire" in page
    assert "best score" not in page  # the awards of this event are shown by themselves
    told = hub.browser().get("/league").text
    for words in (
        "4 in Club night: 4 for 4 points there",
        "3 in March: 3 for 3 points there",
        ">League<",
    ):
        assert words in told
    assert organiser.get("/judge").text.count("Club night") == 1


def test_open_reasons_and_the_keyboard_stay_where_they_are_when_the_page_is_renewed_and_the_title_follows(
    hub: RunningHub, chromium: Chromium
) -> None:
    night, organiser = Night(hub.database), hub.organiser()
    record = night.game(1, "Ann Bo", (5, 8), "s1")
    opened = "Array.from(document.querySelectorAll('details[open]'), (e) => e.closest('tr').cells[1].innerText).join()"
    with chromium.page() as page:
        page.open(hub.address + "/")
        page.wait_for("document.querySelectorAll('details').length === 2")
        page.js("document.querySelectorAll('summary')[1].click()")
        page.js("document.querySelectorAll('summary')[1].focus()")
        page.wait_for(f"{opened} === 'Bo'")
        organiser.post(
            "/judge", record=str(record), kind="set", order="Bo, Ann", why="counted again"
        )
        page.wait_for("document.querySelector('details').innerText.includes('counted again')")
        assert page.js(opened) == "Bo"  # who leads now, and stands in another line
        assert page.js("document.activeElement.closest('tr').cells[1].innerText") == "Bo"
        page.js("document.querySelector('section a').focus()")
        organiser.post("/judge", record=str(record), kind="lifted", why="as before")
        page.wait_for("!document.querySelector('#live').innerHTML.includes('counted again')")
        assert page.js("document.activeElement.innerText") == "The game is over: its result"
        organiser.post("/organiser/event", title="March")
        page.wait_for(
            "document.querySelector('h1').innerText === 'March' && document.title === 'March - Table companion'"
        )
        assert page.errors == []


def test_a_long_name_makes_no_page_wider_than_its_screen(
    hub: RunningHub, chromium: Chromium
) -> None:
    night, organiser, long = (
        Night(hub.database),
        hub.organiser(),
        "Donaudampfschifffahrtsgesellschaftskapitänin",
    )
    record = night.game(1, f"Ann {long} Cy", (5, 8, 3), "s1")
    organiser.post("/organiser/rounds", players=f"Ann, {long}, Cy, Di, Ed, Flo")
    with chromium.page() as page:
        for path in ("/", "/hall", "/seating", "/league", f"/result/{record}"):
            for wide in (390, 1280):
                page.size(wide, 844)
                page.open(hub.address + path)
                page.wait_for(
                    f"location.pathname === {path!r} && document.readyState === 'complete'"
                )
                page.js(
                    "document.querySelectorAll('details').forEach((reasons) => { reasons.open = true; })"
                )
                assert page.js("document.documentElement.scrollWidth") == wide, path


def test_a_page_says_since_when_the_hub_is_away_and_no_retry_resets_that(
    on_sqlite: Database, chromium: Chromium
) -> None:
    lost = "document.getElementById('lost')"
    with chromium.page() as page:
        with running(on_sqlite) as hub:
            page.open(hub.address + "/hall")
            page.wait_for(f"document.readyState === 'complete' && {lost}.hidden")
        sentence = page.wait_for(f"{lost}.textContent", lambda words: "does not answer" in words)
        assert re.match(
            r"Not connected since \d+:\d\d:\d\d( [AP]M)?\. The hub does not answer", sentence
        )
        tried = page.requested.count(hub.address + "/news")
        page.wait_for("1", lambda _: page.requested.count(hub.address + "/news") > tried + 2)
        assert page.js(f"{lost}.textContent") == sentence
        with running(on_sqlite, hub.port):
            page.wait_for(f"{lost}.hidden")


def test_a_page_beyond_the_bound_says_so_and_still_shows_what_is_new(
    on_sqlite: Database, chromium: Chromium
) -> None:
    lost = "document.getElementById('lost')"
    with running(on_sqlite, most_listeners=0) as hub, chromium.page() as page:
        page.open(hub.address + "/hall")
        page.wait_for(
            f"{lost}?.textContent", lambda words: bool(words) and "Too many pages" in words
        )
        hub.organiser().post("/organiser/event", title="March")
        page.wait_for("document.querySelector('h1').innerText === 'March'")


def test_the_organisers_page_says_when_it_shows_nothing_new_because_of_a_sign_out(
    hub: RunningHub, chromium: Chromium
) -> None:
    organiser = hub.organiser()
    name, _, value = organiser.cookie.partition("=")
    with chromium.page() as page:
        page.call("Network.setCookie", name=name, value=value, url=hub.address, path="/")
        page.open(hub.address + "/organiser")
        page.wait_for("document.querySelector('#live') !== null")
        organiser.post("/sign-out")
        hub.organiser()
        page.wait_for(
            "document.getElementById('lost').textContent",
            lambda words: "You are signed out" in words,
        )


def test_a_page_that_hears_much_asks_seldom_and_has_the_newest_in_the_end(
    hub: RunningHub, chromium: Chromium
) -> None:
    night, organiser = Night(hub.database), hub.organiser()
    night.game(1, "Ann Bo", (5, 8), "s1")
    with chromium.page() as page:
        page.open(hub.address + "/")
        page.wait_for("document.querySelectorAll('details').length === 2")
        opened = len(page.requested)
        for number in range(20):
            organiser.post("/organiser/event", title=f"Event {number}")
        page.wait_for("document.title === 'Event 19 - Table companion'")
        assert len(page.requested) - opened < 10


def test_the_halls_display_goes_down_to_its_end_and_up_again_by_itself(
    hub: RunningHub, chromium: Chromium
) -> None:
    night = Night(hub.database)
    for number in range(1, 7):
        night.game(number, "Ann Bo Cy Di", (5, 8, 3, 1), "s1")
    with chromium.page() as page:
        page.size(800, 300)
        page.open(hub.address + "/hall")
        page.wait_for(
            "document.readyState === 'complete' && document.querySelectorAll('.standings').length"
        )
        where = "[scrollY, document.documentElement.scrollHeight - innerHeight]"
        seen = [page.js(where), *(page.js(f"turnOver(), {where}") for _ in range(60))]
        for (before, end), (after, _) in pairwise(seen):
            assert after == 0 if end - before < 30 else after > before
        assert [after for after, _ in seen].count(0) > 1
        page.open(hub.address + "/")
        assert page.js("scrollY") == 0
        assert page.errors == []


def test_the_halls_display_is_dark_as_its_computer_prefers_or_as_the_address_says(
    hub: RunningHub, chromium: Chromium
) -> None:
    scheme = "getComputedStyle(document.documentElement).colorScheme"
    button = "document.getElementById('look')"
    with chromium.page() as page:
        for light, query, look in (
            (True, "", "light"),
            (False, "", "dark"),
            (True, "?look=dark", "dark"),
            (False, "?look=light", "light"),
        ):
            page.light(light)
            page.open(hub.address + "/hall" + query)
            page.wait_for(f"location.search === {query!r} && {button} && !{button}.hidden")
            assert page.js(scheme) == look
        page.js(f"{button}.click()")
        assert page.js(f"[{scheme}, location.search]") == ["dark", "?look=dark"]
        page.call("Page.reload")
        page.wait_for(f"{button}?.textContent === 'Light'")  # what the button changes it to
        assert page.errors == []


def test_the_button_that_a_page_is_for_is_filled_and_the_one_that_disconnects_a_laptop_is_not(
    hub: RunningHub, chromium: Chromium
) -> None:
    organiser = hub.organiser()
    joined(hub.database, 7)
    name, _, value = organiser.cookie.partition("=")
    filled = """Array.from(document.querySelectorAll('button')).filter((each) =>
        getComputedStyle(each).backgroundColor !== 'rgba(0, 0, 0, 0)').map((each) => each.innerText)"""
    with chromium.page() as page:
        page.call("Network.setCookie", name=name, value=value, url=hub.address, path="/")
        page.open(hub.address + "/organiser")
        page.wait_for("document.body?.innerText.includes('Disconnect this laptop')")
        page.wait_for("document.readyState === 'complete'")  # with its style sheet
        assert page.js(filled) == ["Get a code"]


def test_scores_say_what_they_count_and_the_organiser_reads_which_game_each_table_plays(
    hub: RunningHub,
) -> None:
    night, organiser = Night(hub.database), hub.organiser()
    record = night.game(1, "Ann Bo", (5, 8), "s1")
    table = night.table((5, 1), ended=False) | {"unit": "Bullet cards", "where": "round 2 of 6"}
    night.tell(record, {"number": 40, "kind": "ruling", "text": "", "table": table})
    page = re.sub("<[^>]*>", "|", hub.browser().get("/").text)
    assert "5| Bullet cards|" in page
    assert "1| Bullet card|" in page
    assert ">SkyFire, round 2 of 6<" in organiser.get("/organiser").text
