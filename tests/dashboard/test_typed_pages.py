"""Plain lines have every action that the screen has, or a reason why lines cannot have it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from companion.commands.typed import obey
from companion.dashboard import registry as own
from companion.dashboard.game_screen import game_screen_of
from companion.dashboard.source import Offers
from companion.dashboard.typed_pages import TypedPages
from companion.journal.journal import Journal
from companion.rules.actions import key_name
from companion.session.plain import LinePrinter
from companion.session.table import Table
from tests.dashboard.every_screen import ENDED, PLAYED, FileGame, Game
from tests.session.counting_game import Clock, marks, small_header, small_table
from tests.session.parts import WALL

Shown = list[str]
games = pytest.mark.parametrize("game", [*PLAYED, *ENDED], ids=str)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with Journal.create(
        tmp_path / "counting.sqlite", small_header(), wall=lambda: WALL, retry_s=0.001
    ) as journal:
        yield small_table(journal, Clock())


def pages_of(table: Table, said: Shown, offers: Offers | None = None) -> TypedPages:
    return TypedPages(table, table.game, said.append, offers=offers)


def typed(table: Table, *lines: str, offers: Offers | None = None) -> Shown:
    """Return what the pages print when these lines are typed."""
    said: Shown = []
    for line in lines:
        assert pages_of(table, said, offers).do(line), line
    return said


@games
def test_every_action_of_the_screen_is_one_of_lines_or_has_a_reason(
    game: Game | FileGame, tmp_path: Path
) -> None:
    with game.at_table(tmp_path) as table:
        said: Shown = []
        pages, screen = pages_of(table, said), game_screen_of(table.view().setup.game)
        at_the_table = {action.id for action in table.actions}
        for action in (*pages.actions, *own.AT_THE_END):
            ways: Mapping[str, bool] = {
                "the table does it": action.id in at_the_table,
                "a line of its own": action.id in pages.does,
                "it is printed": action.id in screen.shown_only,
                "its facts are typed": action.id in screen.enters,
                "it has a reason": bool(pages.why_not(action.id)),
            }
            assert sum(ways.values()) == 1, (action.id, ways)
        facts = table.game.facts
        assert all(kind in facts for kinds in screen.enters.values() for kind in kinds)


@games
def test_every_key_of_the_screen_says_something_in_lines_and_leaves_the_record_alone(
    game: Game | FileGame, tmp_path: Path
) -> None:
    with game.at_table(tmp_path) as table:
        at_the_table = {action.id for action in table.actions}
        for action in pages_of(table, []).actions:
            before = len(table.view().log)
            if action.id in at_the_table or not action.keys or action.id == own.QUIT.id:
                continue
            said = typed(table, key_name(action.keys[0]))
            assert said or action.id.startswith("ending."), action.id
            assert not any("Nothing is called" in line for line in said)
            assert not any("\x1b" in line for line in said)
            assert len(table.view().log) == before, action.id


def test_the_resolution_of_fractured_sky_is_printed(tmp_path: Path) -> None:
    game = next(game for game in ENDED if game.id == "fractured-sky")
    with game.at_table(tmp_path) as table:
        # at the end the same key asks for another game; the table's page has it before
        action = next(
            action for action in game_screen_of(game.id).actions() if action.label == "resolution"
        )
        lines = list(game_screen_of(game.id).lines(action.id, table.view(), 80))
    assert len(lines) > 8
    assert any("Starfall" in line for line in lines)


def test_the_tower_of_sky_rise_is_printed(tmp_path: Path) -> None:
    game = next(game for game in PLAYED if game.id == "sky-rise")
    with game.at_table(tmp_path) as table:
        said = typed(table, "t")
    assert any("level 1" in line for line in said)


def test_the_grid_of_numbers_is_printed_and_filled(tmp_path: Path) -> None:
    game = next(game for game in PLAYED if str(game) == "bidding")
    with game.at_table(tmp_path) as table:
        said = typed(table, "#")
        assert said
        before = len(table.view().log)
        typed(table, "# 1")
        assert len(table.view().log) == before + 1


def test_a_line_of_the_log_is_deleted_changed_and_one_added_by_its_number(table: Table) -> None:
    for number in (4, 5, 6):
        table.enter("mark", {"i": number})
    assert [line.split()[0] for line in typed(table, "l")] == ["1", "2", "3", "4"]
    typed(table, "x 3")
    assert marks(table) == (4, 6)
    typed(table, "F2 2 mark 7")
    assert marks(table) == (7, 6)
    typed(table, "f3 2 mark 9")
    assert marks(table) == (7, 9, 6)


def test_a_wrong_number_or_fact_is_one_sentence(table: Table) -> None:
    table.enter("mark", {"i": 4})
    for line, sentence in (
        ("x 99", "? 99 is no number of the log. Type l to see them."),
        ("x", "? That is no number of the log. Type l to see them."),
        ("F2 2 drop 4", "? Entry 2 is mark I. Type all of it."),
        ("F2 2 mark many", "? I: 'many' does not fit. It takes a whole number."),
        ("F5 nothing", "? Type one of "),
        ("F7 hit_threshold loud", "? hit_threshold takes a whole number from "),
        ("F4 depth=3", "? Type settings such as window=100 peak=200"),
        ("^o", "? This table has no pages for phones."),
        ("^t", "? The terminal has its own colors."),
    ):
        (said,) = typed(table, line)
        assert said.startswith(sentence), said


def test_what_happens_automatically_is_listed_and_chosen(table: Table) -> None:
    assert any(line.strip().startswith("counts: automatic") for line in typed(table, "F5"))
    typed(table, "F5 counts manual")
    assert any(line.strip().startswith("counts: manual") for line in typed(table, "F5"))


def test_why_prints_the_last_ruling_and_the_one_asked_for(table: Table) -> None:
    table.enter("mark", {"i": 4})
    assert "The last ruling" in typed(table, "^r")
    assert any("4" in line for line in typed(table, "^r 2"))


def test_after_a_game_the_keys_of_the_end_do_what_is_offered(tmp_path: Path) -> None:
    game = next(game for game in ENDED if game.id == "panic-fire")
    done: Shown = []

    def report() -> str:
        done.append("report")
        return "Report: here.html"

    with game.at_table(tmp_path) as table:
        said: Shown = []
        pages = pages_of(table, said, {own.REPORT.id: report})
        assert pages.do_after_game("h")
        assert not pages.do_after_game("g"), "that is not offered"
    assert (done, said) == (["report"], ["Report: here.html"])


def test_a_typed_key_of_a_page_is_no_fact(table: Table, tmp_path: Path) -> None:
    with (tmp_path / "out").open("w+") as out, LinePrinter(table, out) as printer:
        obey("v", table, printer)
        obey("b", table, printer)
        out.seek(0)
        text = out.read()
    assert "Nothing is called" not in text
    assert "Record" in text
