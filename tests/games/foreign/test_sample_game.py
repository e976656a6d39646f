"""A game in a package of its own, with rules and tables alone, is everywhere without a line changed in `companion/`."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings, strategies as st

from companion.config.schema import Preferences
from companion.dashboard.app import Dashboard
from companion.dashboard.start.app import StartApp
from companion.dashboard.start.choices import NewGame, Search
from companion.exits import Exit
from companion.feed.events import TurnEvent
from companion.link.finder import BoardSearch
from companion.reports.record import read_record
from companion.rules.facts import TABLE
from companion.rules.registry import GAMES
from companion.session.opening import begin
from companion.session.table import Table
from companion.web.lookers import Onlooker
from tests.commands.ran import Ran
from tests.dashboard.screen import screen_text
from tests.dashboard.starting import unhurried
from tests.demo.quick_demo import play_at_once
from tests.feed.feeding import feed_of
from tests.games.foreign import look_again
from tests.thorough import examples

pytestmark = pytest.mark.usefixtures("sample_game")
NAMES = ("Anna", "Bo", "Cleo")
TITLE = "Pebbles (example)"
EVERYTHING = ("html", "json", "csv", "jsonl")


def played(path: Path, seed: int, most: int = 500) -> Table:
    """A session of random moves, played as long as somebody may move or so many times; the caller closes it."""
    table, chance = begin("pebbles", NAMES, {}, path), Random(seed)
    for _ in range(most):
        if not (legal := table.legal()):
            break
        fact = chance.choice(legal)
        table.enter(fact.kind, fact.model_dump(mode="json", exclude={"kind", "at"}))
    return table


def seconds() -> Callable[[], int]:
    """A clock by which nobody is ever too quick: a second later whenever it is looked at."""
    return count(1_000_000, 1_000_000).__next__


def session(name: str, seed: int = 1, most: int = 500) -> Path:
    """The same among the sessions of this user, closed."""
    from companion.journal.folder import sessions_dir

    sessions_dir().mkdir(parents=True, exist_ok=True)
    path = sessions_dir() / f"{name}.sqlite"
    played(path, seed, most).close()
    return path


async def test_the_start_screens_offer_it_and_begin_it() -> None:
    search = Search(lambda _: BoardSearch(None, "no board"))
    search.start()
    app = StartApp((), Preferences(), search, clock=unhurried())
    async with app.run_test(size=(80, 24)) as pilot:
        for key in ("enter", str(list(GAMES).index("pebbles") + 1)):
            await pilot.press(key)
            await pilot.pause()
        assert f"{TITLE}: enter the players, clockwise (2 to 6 players)" in screen_text(app)
        for key in ("enter", "3", "escape", "4", "escape", "1"):
            await pilot.press(key)
            await pilot.pause()
    search.stop()
    assert app.return_value == NewGame("pebbles", ["red", "blue"], {}, "packaged", None)


async def test_it_is_played_on_the_dashboard_by_its_own_keys(tmp_path: Path) -> None:
    table = begin("pebbles", NAMES, {}, tmp_path / "evening.sqlite", clock_us=seconds())
    app = Dashboard(table)
    async with app.run_test(size=(80, 24)) as pilot:
        for key in ("3", "2", "u"):
            await pilot.press(key)
            await pilot.pause()
        shown = screen_text(app)
        assert "Anna: 3" not in shown, "the score stands beside the name, and once"
        assert "turn" in next(row for row in shown.split("\n") if "Bo    0" in row)
        for page in ("v", "f8", "question_mark", "l", "b", "c", "ctrl+r", "f3"):
            await pilot.press(page)
            await pilot.pause()
            await pilot.press("escape")
            await pilot.pause()
    table.close()
    for said in (
        TITLE,
        "Anna  3",
        "Bo    0",
        "9 pebbles are in the bowl",
        "Bo, how many do you take? press 1, 2 or 3",
    ):
        assert said in shown, shown


@pytest.mark.parametrize("seed", range(5))
def test_anybody_plays_its_demo_to_the_end_and_nothing_is_refused(seed: int) -> None:
    demo = play_at_once("pebbles", seed)
    assert demo.refused == ()
    assert demo.table.view().ended


def test_the_demo_plays_it_on_the_virtual_board() -> None:
    demo = Ran("demo", "--game", "pebbles", "--plain", "--speed", "1000")
    assert demo.code == Exit.DONE, demo.err
    assert "0 pebbles are in the bowl" in demo.out


@pytest.mark.parametrize("wanted", EVERYTHING)
def test_it_is_exported(wanted: str, tmp_path: Path) -> None:
    ran = Ran("export", str(session("evening")), "--format", wanted, "-o", str(tmp_path / "out"))
    assert (ran.code, ran.err) == (Exit.DONE, "")
    assert ('"kind":"take"' if wanted == "jsonl" else "takes 3") in (tmp_path / "out").read_text(
        encoding="utf-8"
    )


def test_it_is_exported_as_a_play_for_bg_stats() -> None:
    assert Ran("export", str(session("evening")), "--format", "bgstats").code == Exit.DONE


def test_sheet_statistics_report_keys_and_components_know_it() -> None:
    path = session("evening")
    assert f"{TITLE} - evening" in Ran("sheet", "evening").out
    assert "Anna" in Ran("stats").out
    assert "table.undo" in Ran("config", "keys", "pebbles").out
    assert "pebbles.take.1" in Ran("config", "keys", "pebbles").out
    assert (
        f"{TITLE}: 2 facts about the box, 2 still missing"
        in Ran("components", "list", "pebbles").out
    )
    assert Ran("components", "check", "pebbles").code == Exit.DONE
    assert Ran("report", str(path), "-o", str(path.parent / "report.zip")).code == Exit.DONE
    assert TITLE in Ran("doctor").out
    assert "pebbles" in Ran("sessions").out


def test_an_export_of_it_comes_back_as_a_session(tmp_path: Path) -> None:
    path = session("evening")
    assert (
        Ran("export", str(path), "--format", "jsonl", "-o", str(tmp_path / "e.jsonl")).code
        == Exit.DONE
    )
    ran = Ran("import", str(tmp_path / "e.jsonl"))
    assert ran.code == Exit.DONE, ran.err
    assert (
        Ran("score", str(tmp_path / "e.jsonl")).out.splitlines()[0] == "0 pebbles are in the bowl"
    )


def test_its_settings_take_keys_of_its_own(
    own_data_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = own_data_folder / "settings.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text('[keys]\n"pebbles.take.1" = "f12"\n', encoding="utf-8")
    assert Ran("config", "validate", str(file)).code == Exit.DONE


# -- secrets: what has no screen of its own shows what the table may see, and nothing else


@settings(max_examples=examples(10, 100))
@given(seed=st.integers(0, 2**32), most=st.integers(0, 12))
def test_the_plain_pages_are_the_same_whatever_was_guessed(
    seed: int, most: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("secrets")
    said = [_said(folder, seed, most, guess) for guess in NAMES]
    assert said[0] == said[1] == said[2]


def _said(folder: Path, seed: int, most: int, guess: str) -> dict[str, object]:
    """All that the plain page and the plain exports say of a game in which everybody guesses the same."""
    path = folder / guess / "evening.sqlite"
    path.parent.mkdir()
    table, chance = begin("pebbles", NAMES, {}, path, clock_us=lambda: 1), Random(seed)
    for seat in ("anna", "bo", "cleo"):
        table.enter("guess", {"seat": seat, "last": guess.lower()})
    for _ in range(most):
        takes = [fact for fact in table.legal() if fact.kind == "take"]
        if not takes or table.view().game["bowl"] <= 3:  # over, and then everybody may know
            break
        table.enter("take", chance.choice(takes).model_dump(mode="json", exclude={"kind", "at"}))
    view = table.view()
    table.close()
    pages = {viewer: dict(blocks) for viewer, blocks in Onlooker(path).showing.blocks.items()}
    for blocks in pages.values():
        blocks.pop("log")  # its times of day; its sentences are in the view
    log = [line.text for line in view.log]
    assert "Cleo guesses" in log
    report = read_record(path)
    assert "3 entries are withheld" in report.withheld
    exported = [line.text for line in report.facts]
    return {
        "exported": exported,
        "pages": pages,
        "log": log,
        "standings": dict(view.standings),
        "summary": view.summary(),
    }


def test_the_feed_says_whose_turn_it_is(tmp_path: Path) -> None:
    with closing(
        begin("pebbles", NAMES, {}, tmp_path / "evening.sqlite", clock_us=seconds())
    ) as table:
        for seat in ("anna", "bo"):
            table.enter("take", {"seat": seat, "count": 1})
        turns = [event.players for event in feed_of(table) if isinstance(event, TurnEvent)]
    assert turns == [("bo",), ("cleo",)]


def test_the_page_of_a_seat_says_that_it_shows_what_all_see(tmp_path: Path) -> None:
    played(tmp_path / "evening.sqlite", 1, 4).close()
    blocks = Onlooker(tmp_path / "evening.sqlite").showing.blocks
    assert "what the whole table sees" in blocks["anna"]["own"]
    assert "left in the bowl" in blocks[TABLE]["game"]
    assert "You have no private notes yet" not in blocks["anna"]["own"]


# -- gone


def test_a_session_whose_game_is_gone_is_listed_refused_and_its_entries_can_be_had(
    sample_site: Path, tmp_path: Path
) -> None:
    path = session("evening", most=4)
    with removed(sample_site):
        assert "pebbles" not in GAMES
        assert "evening" in Ran("sessions").out
        assert "pebbles" in Ran("sessions").out
        for command in (
            ["resume", "evening"],
            ["watch", "evening", "--plain"],
            ["rematch", "evening"],
        ):
            ran = Ran(*command)
            assert ran.code == Exit.DATA, command
            assert "'pebbles' is not installed here; install the package it came in" in ran.err, (
                command
            )
        for command in (
            ["sheet", "evening"],
            ["export", "evening"],
            ["export", "evening", "--format", "csv"],
        ):
            ran = Ran(*command)
            assert ran.code == Exit.DATA
            assert "companion export evening --format jsonl --stored" in ran.err
        assert "'pebbles' is not installed here" in Ran("stats").err
        stored = Ran("export", "evening", "--format", "jsonl", "--stored")
        assert stored.code == Exit.DONE
        assert [json.loads(line).get("kind") for line in stored.out.splitlines()].count(
            "guess"
        ) >= 1
        assert Ran("export", "evening", "--stored").code == Exit.USAGE
        assert Ran("doctor").out
    assert Ran("sheet", "evening").code == Exit.DONE
    assert path.exists()


@contextmanager
def removed(site: Path) -> Iterator[None]:
    """The package is not installed as long as this."""
    place = sys.path.index(str(site))
    sys.path.remove(str(site))
    look_again()
    try:
        yield
    finally:
        sys.path.insert(place, str(site))
        look_again()
