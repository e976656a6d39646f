"""Statistics over sessions, and the sheet to play on by hand."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable
from dataclasses import fields
from datetime import UTC
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from companion.journal.entries import Draft, Layer
from companion.link.events import CueGiven
from companion.reports.games import Figures
from companion.reports.importing import parse_export, write_session
from companion.reports.page import format_html
from companion.reports.record import read_record, record_of
from companion.reports.sheet import format_sheet
from companion.reports.statistics import (
    Person,
    as_json,
    people,
    read_records,
    table,
    why_trial,
    wins_plots,
)
from companion.reports.transcripts import format_export
from companion.rules.columns import width
from companion.rules.facts import Setup
from companion.rules.pauses import Span
from companion.rules.registry import open_game
from companion.rules.seats import seats_from_names
from companion.session.intake import cue_draft
from tests.games.skyfire.playing import example_deck
from tests.reports.support import FIXTURES, START, Player, RandomHands, fixture, setup


def evening(
    path: Path, names: str, winner: str, rounds: int, clock: str = "board-5f3a", day: int = 31
) -> None:
    player = Player(path, setup(names), day)
    for number in range(rounds):
        us = 100_000_000 * number
        player.do("fire", us, clock=clock)
        for other in (seat.id for seat in player.setup.seats if seat.id != winner):
            player.do("draw", us + 1_000_000, clock=clock, seat=winner)
            player.do("shot", us + 2_000_000 + number, clock=clock)
            player.do("target", us + 2_000_001, clock=clock, seat=other)
            player.do("shooter", us + 2_000_002, clock=clock, seat=winner)
    player.close()


def persons(folder: Path) -> dict[str, Person]:
    return {person.name: person for person in people(read_records(folder)[0])}


def test_a_person_is_one_name_over_all_sessions_whatever_its_case(tmp_path: Path) -> None:
    evening(tmp_path / "b.sqlite", "ANNA Bo", "anna", 6, day=29)
    evening(tmp_path / "a.sqlite", "Anna Cleo", "cleo", 2, day=30)
    by_name = persons(tmp_path)
    assert list(by_name) == ["Anna", "Bo", "Cleo"], "called as in the last session"
    anna = by_name["Anna"]
    assert (
        anna.sessions,
        anna.figures.rounds_won,
        anna.figures.games_won,
        anna.figures.eliminations,
    ) == (2, 6, 1, 6)
    assert (by_name["Cleo"].figures.games_won, by_name["Cleo"].figures.rounds_won) == (0, 2)


def test_the_fastest_shot_is_from_fire_to_the_own_first_shot(tmp_path: Path) -> None:
    evening(tmp_path / "a.sqlite", "Anna Bo", "anna", 3)
    by_name = persons(tmp_path)
    assert by_name["Anna"].figures.fastest == Span(2_000_000, 50)
    assert by_name["Bo"].figures.fastest is None


def lit(player: Player, us: int) -> None:
    hello = {
        "boot": 0x5F3A,
        "stamp_error_us": 10,
        "board": "a Pico",
        "uid": "5f3a5f3a",
        "firmware": "1.0",
    }
    hello["reset"] = "power on"
    player.append(Draft(Layer.EVIDENCE, "hello", hello), cue_draft(CueGiven(us, us, 0), 0x5F3A))


def a_round(path: Path, *lits: int) -> None:
    player = Player(path, setup("Anna Bo"))
    player.do("fire", 100_000_000)
    for us in lits:
        lit(player, us)
    player.do("shot", 101_000_000)
    player.do("target", 101_000_001, seat="bo")
    player.do("shooter", 101_000_002, seat="anna")
    player.close()


def test_where_the_lamp_was_lit_for_fire_the_shot_is_counted_from_it_and_that_is_said(
    tmp_path: Path,
) -> None:
    a_round(tmp_path / "a.sqlite", 90_000_000, 100_250_000)
    (anna, bo), (words, *_) = (
        (persons(tmp_path)[name] for name in ("Anna", "Bo")),
        read_records(tmp_path),
    )
    assert (anna.figures.fastest, anna.figures.from_lamp) == (Span(750_000, 125), True)
    assert "0.750*" in table((anna, bo))
    assert [row["fastest_shot_from"] for row in as_json((anna, bo))] == ["lamp", None]
    page = format_html(words[0], UTC)
    assert "0.750 s ±125 µs, from the lamp" in page
    assert "0 is fire! as recorded, and the lamp was lit 0.250 s ±125 µs later" in page


def test_without_a_lamp_or_with_one_of_another_round_the_shot_is_counted_from_fire(
    tmp_path: Path,
) -> None:
    a_round(tmp_path / "a.sqlite", 90_000_000, 101_500_000)
    anna = persons(tmp_path)["Anna"]
    assert anna.figures.fastest is not None
    assert (anna.figures.fastest.us, anna.figures.from_lamp) == (1_000_000, False)
    assert "1.000 " in table((anna,))
    assert as_json((anna,))[0]["fastest_shot_from"] == "fire"
    page = format_html(read_records(tmp_path)[0][0], UTC)
    assert "1.000 s ±50 µs, from fire!" in page
    assert "the lamp was lit" not in page


def test_a_shot_entered_at_the_keyboard_is_no_fastest_shot_though_a_board_is_there(
    tmp_path: Path,
) -> None:
    player = Player(tmp_path / "a.sqlite", setup("Anna Bo"))
    player.do("fire", 100_000_000)
    player.do("shot", 101_000_000, actor="keyboard")
    player.do("target", 101_000_001, seat="bo")
    player.do("shooter", 101_000_002, seat="anna")
    player.close()
    assert persons(tmp_path)["Anna"].figures.fastest is None


def test_a_shot_timed_by_the_host_is_no_fastest_shot(tmp_path: Path) -> None:
    evening(tmp_path / "a.sqlite", "Anna Bo", "anna", 1, clock="host-1")
    assert persons(tmp_path)["Anna"].figures.fastest is None


def test_draws_a_minute_count_in_rounds_of_known_length_only(tmp_path: Path) -> None:
    evening(tmp_path / "a.sqlite", "Anna Bo", "anna", 6)
    evening(tmp_path / "c.sqlite", "Anna Bo", "anna", 4, day=29)
    player = Player(tmp_path / "b.sqlite", setup("Anna Bo"), day=30)
    player.do("fire")
    player.do("draw", seat="anna")
    player.close()
    anna = persons(tmp_path)["Anna"]
    assert (anna.figures.draws, anna.figures.timed_draws) == (11, 10)
    assert anna.draws_per_min is not None
    assert round(anna.draws_per_min) == 30


def test_a_rate_is_only_said_from_ten_events_on() -> None:
    figures = [Figures(timed_draws=n, timed_us=n * 1_000_000) for n in (9, 10)]
    nine, ten = (
        Person("Anna", "panic-fire", n, did, (True,) * (n - 3) + (False,) * 3)
        for n, did in zip((9, 10), figures, strict=True)
    )
    assert (nine.win_rate, nine.draws_per_min) == (None, None)
    assert ten.win_rate == pytest.approx(0.7)
    assert ten.draws_per_min == pytest.approx(60)
    assert "6 of 9 ? " in table((nine,))
    assert "7 of 10 70%" in table((ten,))


def test_a_streak_is_of_finished_games_won_one_after_the_other(tmp_path: Path) -> None:
    for day, (winner, rounds) in enumerate(
        [("anna", 6), ("anna", 6), ("bo", 6), ("anna", 6), ("bo", 2)], start=20
    ):
        evening(tmp_path / f"{day}.sqlite", "Anna Bo", winner, rounds, day=day)
    anna, bo = persons(tmp_path).values()
    assert (anna.results, anna.streaks) == ((True, True, False, True), (1, 2))
    assert (bo.results, bo.streaks) == ((False, False, True, False), (0, 1))
    assert "3 of 4" in table((anna, bo))
    assert " 1/2 " in table((anna, bo))
    assert [
        (row["games_finished"], row["streak_now"], row["streak_longest"])
        for row in as_json((anna, bo))
    ] == [
        (4, 1, 2),
        (4, 0, 1),
    ]


def test_the_plot_shows_who_had_won_how_often_after_each_game(tmp_path: Path) -> None:
    for day, winner in enumerate(("anna", "anna", "bo", "anna"), start=20):
        evening(tmp_path / f"{day}.sqlite", "Anna Bo", winner, 6, day=day)
    lines = wins_plots(tuple(persons(tmp_path).values())).splitlines()
    assert lines[1] == "panic-fire: games won"
    assert lines[2] == "wins"
    bars = [line for line in lines if "|" in line]
    assert bars[0].split("|")[1].split() == ["3"], "Anna has three after the last"
    assert bars[1].startswith("   3|")
    assert bars[-1].startswith("   0|")
    assert max(map(width, lines)) <= 80
    glyphs, games, legend = lines[-3:]
    assert glyphs.split() == ["●", "▲"] * 4, "a bar each after each game"
    assert games.split() == ["game", "1", "2", "3", "4"]
    assert legend == "● Anna  ▲ Bo"
    assert wins_plots((Person("Anna", "panic-fire", 1, Figures()),)) == ""


def test_a_person_has_one_line_in_whatever_form_the_name_is_written(own_data_folder: Path) -> None:
    for at, name in enumerate(("Zo\u00eb", "ZOE\u0308"), start=1):
        evening(own_data_folder / "sessions" / f"{at}.sqlite", f"{name} Bo", "bo", 1, day=at + 10)
    found = people(read_records(own_data_folder / "sessions").records)
    assert [(person.name, person.sessions) for person in found] == [
        ("Bo", 2),
        ("ZOE\u0308", 2),
    ]


def test_people_whose_names_look_alike_have_a_line_each_in_the_plot() -> None:
    twins = [
        Person(name, "panic-fire", 1, Figures(), (True,))
        for name in ("Anna", "An\u00adna", "An\nna", "\u200b", "")
    ]
    lines = wins_plots(twins).splitlines()
    assert lines[-1].startswith("● Anna  ▲ An na  ■ An na  ◆")


def virtual(path: Path, uid: int) -> None:
    player = Player(path, setup("Anna Bo"))
    hello = {
        "boot": 7,
        "stamp_error_us": 10,
        "board": "a board",
        "uid": f"{uid:016x}",
        "firmware": "1.0",
    }
    player.append(Draft(Layer.EVIDENCE, "hello", {**hello, "reset": "power on"}))
    player.close()


def made_up(path: Path, **options: str) -> None:
    game = "fractured-sky" if options else "skyfire"
    rules, seats = open_game(game), seats_from_names(("Anna", "Bo", "Cleo"))
    box = {} if options else example_deck()
    Player(path, Setup(game, rules.rules_version, seats, options, box)).close()


@pytest.mark.parametrize(
    ("name", "make", "why"),
    [
        ("a Test of the gun", lambda path: Player(path).close(), "says test"),
        ("contest", lambda path: Player(path).close(), ""),
        ("real board", lambda path: virtual(path, 8), ""),
        ("virtual board", lambda path: virtual(path, 9), "virtual board"),
        ("made-up deck", made_up, "made up"),
        ("made-up map", lambda path: made_up(path, map="example"), "made up"),
    ],
)
def test_a_test_is_told_from_a_game_of_the_tables(
    name: str, make: Callable[[Path], None], why: str, tmp_path: Path
) -> None:
    make(tmp_path / f"{name}.sqlite")
    (record,) = read_records(tmp_path).records
    assert why in why_trial(record, 9)
    assert bool(why_trial(record, 9)) == bool(why)


def test_a_session_and_its_import_are_counted_once(tmp_path: Path) -> None:
    evening(tmp_path / "a.sqlite", "Anna Bo", "anna", 1)
    entries = parse_export(format_export(read_record(tmp_path / "a.sqlite").entries), "a", START)
    write_session(tmp_path / "b.sqlite", entries, "a.jsonl", over=False)
    records, problems, _ = read_records(tmp_path)
    assert len(records) == 1
    assert "are one session" in problems[0]


def test_a_transcript_that_is_imported_twice_is_counted_once_and_another_one_beside_it(
    tmp_path: Path,
) -> None:
    six = (FIXTURES / "six-rounds.jsonl").read_text(encoding="utf-8")
    shorter = "".join(six.splitlines(keepends=True)[:-1])
    for name, text, wall in (
        ("a", six, START),
        ("b", six, START.replace("20:", "21:", 1)),
        ("c", shorter, START),
    ):
        write_session(tmp_path / f"{name}.sqlite", parse_export(text, name, wall), name, over=True)
    records, problems, _ = read_records(tmp_path)
    assert (len(records), len({len(record.facts) for record in records})) == (2, 2)
    assert [" are one session" in problem for problem in problems] == [True]


def test_an_unreadable_session_is_skipped_with_a_sentence(tmp_path: Path) -> None:
    evening(tmp_path / "a.sqlite", "Anna Bo", "anna", 1)
    (tmp_path / "b.sqlite").write_bytes(b"no session")
    records, problems, _ = read_records(tmp_path)
    assert len(records) == 1
    assert len(problems) == 1
    assert "b.sqlite is no session" in problems[0]


def test_the_table_fits_80_columns_and_says_what_is_unknown(tmp_path: Path) -> None:
    evening(
        tmp_path / "a.sqlite",
        "Anna " + "Wolfeschlegelsteinhausen" * 3 + " 東京東京東京東京東京東京",
        "anna",
        6,
    )
    lines = table(tuple(persons(tmp_path).values())).splitlines()
    assert max(map(width, lines)) <= 80
    assert lines[0].startswith("name")
    assert "?" in lines[2]


def test_no_session_at_all_is_said() -> None:
    assert "no session" in table(())
    assert as_json(()) == []


def test_the_json_has_none_where_nobody_knows(tmp_path: Path) -> None:
    evening(tmp_path / "a.sqlite", "Anna Bo", "anna", 1)
    anna, bo = as_json(tuple(persons(tmp_path).values()))
    assert (anna["fastest_shot_us"], anna["fastest_shot_pm_us"]) == (2_000_000, 50)
    assert (bo["fastest_shot_us"], bo["fastest_shot_pm_us"]) == (None, None)


def test_the_sheet_has_what_is_needed_to_go_on() -> None:
    sheet = format_sheet(record_of(fixture("six-rounds")[:24], "six"), UTC)
    for words in (
        "round 1 of 6",
        "deals                    Red\n",
        "cards left",
        "awaited:",
        "open shot                one shot at Green needs its shooter",
        "24 Green was shot at",
    ):
        assert words in sheet
    assert "press" not in sheet.casefold()  # paper has no keys


def test_the_sheet_of_a_game_that_was_ended_early_awaits_nothing(tmp_path: Path) -> None:
    player = Player(tmp_path / "late.sqlite")
    player.do("pause")
    player.do("abandon", reason="the last train")
    player.close()
    sheet = format_sheet(read_record(tmp_path / "late.sqlite"), UTC)
    assert "ended early\n" in sheet
    assert "The table ended the game early." in sheet
    for old in ("awaited", "round 1 of 6", "paused\n"):
        assert old not in sheet


@settings(max_examples=15)
@given(st.integers(0, 2**32), st.integers(2, 5), st.integers(0, 80))
def test_the_sheet_is_one_page_whatever_happened(seed: int, seats: int, steps: int) -> None:
    names = ("Anna", "B" * 40, "東京" * 12, "Dmitri-Alexandrowitsch", "Eve")[:seats]
    with tempfile.TemporaryDirectory() as folder:
        player = Player(Path(folder, "s.sqlite"), setup(" ".join(names)))
        hands = RandomHands(player, random.Random(seed))
        for _ in range(steps):
            hands.act()
        player.close()
        lines = format_sheet(record_of(list(player.journal.entries), "s"), UTC).splitlines()
    assert len(lines) <= 60
    assert max(map(width, lines)) <= 80


def test_two_sessions_together_cover_every_figure() -> None:
    lamp = Span(200_000, 10)
    earlier = Figures(1, 2, 3, 4, 5, 6, Span(300_000, 10), False, {"draw": (lamp,)})
    later = Figures(1, 2, 3, 4, 5, 6, lamp, True, {"draw": (lamp,), "splits": (lamp,)})
    together = earlier.with_later(later)
    for own in fields(Figures):
        assert getattr(together, own.name) != getattr(earlier, own.name), own.name
    assert together.fastest == lamp
    assert together.times == {"draw": (lamp, lamp), "splits": (lamp,)}


def test_a_name_keeps_some_columns_however_wide_the_figures_are() -> None:
    much = Figures(rounds_won=10**30, eliminations=10**30)
    named = [Person("Annabella", "panic-fire", 1, much), Person("Annabeth", "panic-fire", 1, much)]
    lines = table(named).splitlines()
    assert lines[1].startswith("Annabel")
    assert lines[2].startswith("Annabeth")
