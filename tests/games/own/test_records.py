"""A session's copy of the file that defines its game, and how lists, statistics and the report name that game."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.commands.past_sessions import past
from companion.commands.sessions import listed_lines
from companion.dashboard.start.plan import rule_item
from companion.journal.folder import sessions_dir
from companion.journal.journal import Journal
from companion.journal.sessions import list_sessions
from companion.journal.store import read_entries
from companion.reports import bgstats
from companion.reports.games import scores_of, winners_of
from companion.reports.record import read_record
from companion.reports.statistics import people, read_records
from companion.rules import registry
from companion.rules.header import game_of as game_of_header
from companion.session import opening
from companion.session.opening import begin, resume
from tests.feed.feeding import told
from tests.games.own.files import TEXTS, own


def test_a_session_folds_by_the_text_that_it_was_played_by(tmp_path: Path) -> None:
    info = registry.learn(TEXTS["hearts"])
    path = tmp_path / "evening.sqlite"
    table = begin(info.id, ("North", "East", "South", "West"), {}, path)
    table.do("own.queen.1")
    table.do("own.heart.2")
    table.do("own.hand-over")
    assert table.view().standings["north"] == 0
    table.do("table.undo")
    table.close()
    vars(registry.GAMES)[
        "learned"
    ].clear()  # another run, in which the file is gone or says something else
    registry.learn(TEXTS["hearts"].replace("by = 13", "by = 12"))
    game, setup = game_of_header(read_entries(path)[0].body)
    assert game.title == "Hearts"
    assert setup.components["definition"] == TEXTS["hearts"]
    again = resume(path)
    assert again.view().game.players[0].counters == (("points taken", 13),)
    again.close()


def test_the_start_screen_says_of_a_house_rule_what_the_file_says() -> None:
    info = registry.learn(TEXTS["darts-501"])
    rule = next(iter(registry.open_game(info.id).house_rules))
    item = rule_item(info.id, {"double_out": "yes"}, rule)
    assert (item.label, item.beside) == ("double out", "yes  (changed)")
    assert item.about == "The last dart has to be a double.\nUsual: no."


def test_a_text_that_was_changed_in_the_record_is_no_game_of_it() -> None:
    info = own("hearts")
    body = {
        "game": info.id,
        "rules": 1,
        "seats": [],
        "options": {},
        "components": {"definition": TEXTS["hearts"] + "#"},
    }
    with pytest.raises(ValueError, match="is not installed here"):
        game_of_header(body)


def test_a_session_begun_with_another_box_pins_its_text_all_the_same(tmp_path: Path) -> None:
    game_id = registry.learn(TEXTS["hearts"]).id
    table = begin(
        game_id, ("North", "East", "South", "West"), {}, tmp_path / "one.sqlite", components={}
    )
    assert table.view().setup.components == {"definition": TEXTS["hearts"]}
    table.close()


def test_the_report_has_the_rounds_of_the_file_and_the_winners_that_it_names(
    tmp_path: Path,
) -> None:
    table = begin(
        registry.learn(TEXTS["hearts"]).id,
        ("North", "East", "South", "West"),
        {},
        tmp_path / "lost.sqlite",
    )
    hand = ["own.queen.1", *["own.heart.1"] * 12, "own.heart.2", "own.hand-over"]
    for action in hand * 4:
        table.do(action)
    assert table.view().ended
    table.close()
    record = read_record(tmp_path / "lost.sqlite")
    assert winners_of(record) == ("south", "west")  # the lowest score wins
    assert bgstats.play(record)["game"]["highestWins"] is False
    assert [event.lowest_wins for event in told(record.entries) if event.kind == "end"] == [True]
    after = [tuple(scores.values()) for _, scores in scores_of(record)]
    assert after == [(25, 1, 0, 0), (50, 2, 0, 0), (75, 3, 0, 0), (100, 4, 0, 0)]


def test_whatever_its_text_was_each_time_it_is_one_game_by_its_title(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    monkeypatch.setattr(opening, "wall", lambda: "2025-01-31T20:00:00+00:00")
    for text in (TEXTS["bidding"], f"# another round\n{TEXTS['bidding']}"):
        begin(registry.learn(text).id, ("Ann", "Ben"), {}).close()
    vars(registry.GAMES)["learned"].clear()
    infos = list_sessions(sessions_dir())
    assert {info.path.stem for info in infos} == {
        "bidding-20250131T200000",
        "bidding-20250131T200000-2",
    }
    assert [line.split()[1] for line in listed_lines(infos)] == ["game", "Bidding", "Bidding"]
    assert {info.title for info in past(infos)} == {"Bidding"}
    regulars = people(read_records(sessions_dir()).records)
    assert [(person.name, person.game, person.sessions) for person in regulars] == [
        ("Ann", "Bidding", 2),
        ("Ben", "Bidding", 2),
    ]


def test_a_text_that_makes_no_sense_any_more_costs_a_list_its_title_alone(tmp_path: Path) -> None:
    body = {
        "game": "odd-12345678",
        "seats": [],
        "components": {registry.DEFINITION_KEY: "[" * 9999},
    }
    with Journal.create(tmp_path / "odd.sqlite", body, wall=lambda: "2025-01-31T20:00:00+00:00"):
        pass
    (info,) = list_sessions(tmp_path)
    assert (info.problem, info.game, info.title) == (None, "odd-12345678", "")
