"""Statistics over sessions, and the sheet to go on by hand."""

from __future__ import annotations

import random
import tempfile
from datetime import UTC
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.journal.entries import Draft, Layer
from companion.link.events import CueGiven
from companion.reports.importing import parse_export, write_session
from companion.reports.page import format_html
from companion.reports.record import read_record, record_of
from companion.reports.sheet import format_sheet
from companion.reports.statistics import Person, as_json, people, read_records, table
from companion.reports.transcripts import format_export
from companion.rules.columns import width
from companion.session.cues import cue_draft
from tests.reports.support import START, Player, RandomHands, fixture, setup


def evening(path: Path, names: str, winner: str, rounds: int, clock: str = "board-5f3a", day: int = 31) -> None:
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
    found = persons(tmp_path)
    assert list(found) == ["Anna", "Bo", "Cleo"], "called as in the last session"
    anna = found["Anna"]
    assert (anna.sessions, anna.figures.rounds_won, anna.figures.games_won, anna.figures.eliminations) == (2, 6, 1, 6)
    assert (found["Cleo"].figures.games_won, found["Cleo"].figures.rounds_won) == (0, 2)


def test_the_fastest_shot_is_from_fire_to_the_own_first_shot(tmp_path: Path) -> None:
    evening(tmp_path / "a.sqlite", "Anna Bo", "anna", 3)
    found = persons(tmp_path)
    assert (found["Anna"].figures.fastest_us, found["Anna"].figures.fastest_pm) == (2_000_000, 50)
    assert found["Bo"].figures.fastest_us is None


def lit(player: Player, us: int) -> None:
    hello = {"boot": 0x5F3A, "stamp_error_us": 10, "board": "a Pico", "uid": "5f3a5f3a", "firmware": "1.0"}
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


def test_where_the_lamp_was_lit_for_fire_the_shot_is_counted_from_it_and_that_is_said(tmp_path: Path) -> None:
    a_round(tmp_path / "a.sqlite", 90_000_000, 100_250_000)
    (anna, bo), (words, *_) = (persons(tmp_path)[name] for name in ("Anna", "Bo")), read_records(tmp_path)
    assert (anna.figures.fastest_us, anna.figures.fastest_pm, anna.figures.from_lamp) == (750_000, 125, True)
    assert "0.7500*" in table((anna, bo))
    assert [row["fastest_shot_from"] for row in as_json((anna, bo))] == ["lamp", None]
    page = format_html(words[0], UTC)
    assert "0.7500 s ± 0.125 ms, from the lamp" in page
    assert "0 is fire! as recorded, and the lamp was lit 0.2500 s ± 0.125 ms later" in page


def test_without_a_lamp_or_with_one_of_another_round_the_shot_is_counted_from_fire(tmp_path: Path) -> None:
    a_round(tmp_path / "a.sqlite", 90_000_000, 101_500_000)
    anna = persons(tmp_path)["Anna"]
    assert (anna.figures.fastest_us, anna.figures.from_lamp) == (1_000_000, False)
    assert "1.0000 " in table((anna,))
    assert as_json((anna,))[0]["fastest_shot_from"] == "fire"
    page = format_html(read_records(tmp_path)[0][0], UTC)
    assert "1.0000 s ± 0.05 ms, from fire!" in page
    assert "the lamp was lit" not in page


def test_a_shot_timed_by_the_host_is_no_fastest_shot(tmp_path: Path) -> None:
    evening(tmp_path / "a.sqlite", "Anna Bo", "anna", 1, clock="host-1")
    assert persons(tmp_path)["Anna"].figures.fastest_us is None


def test_draws_a_minute_count_in_rounds_of_known_length_only(tmp_path: Path) -> None:
    evening(tmp_path / "a.sqlite", "Anna Bo", "anna", 1)
    player = Player(tmp_path / "b.sqlite", setup("Anna Bo"), day=30)
    player.do("fire")
    player.do("draw", seat="anna")
    player.close()
    found = persons(tmp_path)["Anna"]
    assert (found.figures.draws, found.figures.timed_draws) == (2, 1)
    assert found.draws_per_min is not None
    assert round(found.draws_per_min) == 30


def test_a_session_and_its_import_are_counted_once(tmp_path: Path) -> None:
    evening(tmp_path / "a.sqlite", "Anna Bo", "anna", 1)
    entries = parse_export(format_export(read_record(tmp_path / "a.sqlite").entries), "a", START)
    write_session(tmp_path / "b.sqlite", entries, "a.jsonl", over=False)
    records, problems, _ = read_records(tmp_path)
    assert len(records) == 1
    assert "are one session" in problems[0]


def test_an_unreadable_session_is_skipped_with_a_sentence(tmp_path: Path) -> None:
    evening(tmp_path / "a.sqlite", "Anna Bo", "anna", 1)
    (tmp_path / "b.sqlite").write_bytes(b"no session")
    records, problems, _ = read_records(tmp_path)
    assert len(records) == 1
    assert len(problems) == 1
    assert "b.sqlite is no session" in problems[0]


def test_the_table_fits_80_columns_and_says_what_is_unknown(tmp_path: Path) -> None:
    evening(tmp_path / "a.sqlite", "Anna " + "Wolfeschlegelsteinhausen" * 3 + " 東京東京東京東京東京東京", "anna", 6)
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
        "Red deals",
        "cards left",
        "awaited:",
        "open: a shot at Green",
        "24 Green was shot at",
    ):
        assert words in sheet


@settings(max_examples=15, deadline=None)
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
