"""Reports of sessions with people who came and went, scores set by hand, and corrections."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import UTC
from pathlib import Path

import pytest

from companion.games.panic_fire.report import PanicFireReport
from companion.journal.entries import Control, Draft, Layer
from companion.journal.fold import void_draft
from companion.reports.bgstats import play, play_id
from companion.reports.documents import format_csv, format_json
from companion.reports.games import scores_of, winners_of
from companion.reports.importing import TranscriptError, parse_export
from companion.reports.page import format_html
from companion.reports.record import Record, read_record, record_of
from companion.reports.sheet import format_sheet
from companion.reports.statistics import people
from companion.reports.transcripts import format_export
from companion.rules.facts import Moment
from tests.reports.support import CLOCK, START, Player
from tests.reports.test_page import Page

S = 1_000_000
HEADER = '{"game":"panic-fire","rules":2,"seats":[{"id":"red","name":"Red"},{"id":"blue","name":"Blue"}]}\n'


def evening(path: Path) -> Record:
    """Anna wins a round and leaves; Bo's seat becomes Eve's; Dora joins; Cleo's cards are set; Bo
    wins three."""
    player = Player(path)
    player.win("anna", 1_000 * S)
    player.do("seat_leaves", seat="anna", reason="the last train")
    player.do("seat_changes", seat="bo", name="Eve")
    player.do("seat_joins", name="Dora", left_of="anna")
    player.do("score_set", seat="cleo", score=2, reason="agreed")
    missed = player.do("fire", 2_000 * S)
    player.append(
        Draft(
            Layer.CONTROL, Control.REMARK, {"entries": [missed.n], "why": "missed", "who": "Cleo"}
        )
    )
    wrong = player.do("draw", 2_001 * S, seat="bo")
    player.append(void_draft(wrong.n, "miscounted", "Dora"))
    for target in ("cleo", "dora"):
        player.do("shot")
        player.do("target", seat=target)
        player.do("shooter", seat="bo")
    for _ in range(2):
        player.do("fire")
        for target in ("cleo", "dora"):
            player.do("shot")
            player.do("target", seat=target)
            player.do("shooter", seat="bo")
    player.close()
    return read_record(path)


def test_seats_and_names_are_those_of_the_end_of_the_session(tmp_path: Path) -> None:
    record = evening(tmp_path / "s.sqlite")
    assert [seat.name for seat in record.setup.seats] == ["Anna", "Dora", "Eve", "Cleo"]
    assert [seat.name for seat in record.begun.seats] == ["Anna", "Bo", "Cleo"]
    document = json.loads(format_json(record))
    assert document["standings"] == {"anna": 1, "dora": 0, "bo": 3, "cleo": 2}
    assert (document["by_hand"], document["left"]) == ({"cleo": 2}, ["anna"])
    assert "Eve" in format_csv(record)


def test_plays_count_for_who_held_the_seat_at_the_end(tmp_path: Path) -> None:
    record = evening(tmp_path / "s.sqlite")
    won = {
        person.name: (person.figures.rounds_won, person.figures.games_won)
        for person in people([record])
    }
    assert won == {"Anna": (1, 0), "Cleo": (2, 0), "Dora": (0, 0), "Eve": (3, 1)}
    players = {
        player["name"]: (player["score"], player["winner"]) for player in play(record)["players"]
    }
    assert players == {"Anna": (1, False), "Dora": (0, False), "Eve": (3, True), "Cleo": (2, False)}


def test_a_changed_name_leaves_the_play_the_same_play(tmp_path: Path) -> None:
    player = Player(tmp_path / "s.sqlite")
    before = play_id(record_of(player.journal.entries, "s"))
    player.do("seat_changes", seat="bo", name="Eve")
    player.do("seat_joins", name="Dora")
    assert play_id(record_of(player.journal.entries, "s")) == before
    player.close()


def test_the_page_shows_who_left_what_was_set_by_hand_and_why_the_past_was_put_right(
    tmp_path: Path,
) -> None:
    words = Page(format_html(evening(tmp_path / "s.sqlite"), UTC)).all_words
    for sentence in (
        "Anna (left)",
        "2 (+2 by hand)",
        "cleo's score is set to 2 by hand: agreed".replace("cleo", "Cleo"),
        "Anna leaves the game: the last train",
        "Bo's seat is now Eve's",
        "(taken back: miscounted; Dora)",
        "(put in by hand: missed; Cleo)",
    ):
        assert sentence in words


def test_the_sheet_shows_who_left_what_was_set_by_hand_and_what_was_taken_back(
    tmp_path: Path,
) -> None:
    player = Player(tmp_path / "s.sqlite")
    player.win("anna", 1_000 * S)
    player.do("seat_leaves", seat="anna")
    player.do("score_set", seat="cleo", score=2, reason="agreed")
    missed = player.do("fire", 2_000 * S)
    player.append(
        Draft(
            Layer.CONTROL, Control.REMARK, {"entries": [missed.n], "why": "missed", "who": "Cleo"}
        )
    )
    wrong = player.do("draw", 2_001 * S, seat="bo")
    player.append(void_draft(wrong.n, "miscounted", "Cleo"))
    player.do("pause")
    player.close()
    sheet = format_sheet(read_record(tmp_path / "s.sqlite"), UTC)
    for sentence in (
        "round 4 of 6, paused\n",
        "Cleo's score is set to 2 by hand: agreed",
        "(put in by hand: missed; Cleo)",
        f"taken back by the table: 1 of the entries; the last: {wrong.n}",
    ):
        assert sentence in sheet
    assert re.search(r"^Cleo +2 .* \+2 Bullets by hand$", sheet, re.MULTILINE)
    assert re.search(r"^Anna +1 .* left the game$", sheet, re.MULTILINE)
    assert max(map(len, sheet.splitlines())) <= 80


def test_scores_by_hand_have_their_place_in_the_chart(tmp_path: Path) -> None:
    record = evening(tmp_path / "s.sqlite")
    names, after = zip(*scores_of(record), strict=True)
    assert names == ("1", "4", "5", "6", "by hand")
    assert [tuple(scores.values()) for scores in after[-2:]] == [(1, 0, 3, 0), (1, 0, 3, 2)]


def test_a_pause_is_no_time_of_a_round_in_the_report(tmp_path: Path) -> None:
    player = Player(tmp_path / "s.sqlite")
    player.do("fire", 10 * S)
    player.do("pause", 12 * S)
    player.do("unpause", 52 * S)
    player.do("shot", 55 * S)
    player.do("target", seat="bo")
    player.do("shooter", seat="anna")
    player.close()
    record = read_record(tmp_path / "s.sqlite")
    (line,) = PanicFireReport().time_lines(record)
    assert [mark.us for mark in line.marks] == [5 * S]
    fastest = PanicFireReport().figures(record)["anna"].fastest
    assert fastest is not None
    assert fastest.us == 5 * S


def test_the_time_line_says_which_draw_was_tapped_and_so_not_measured(tmp_path: Path) -> None:
    player = Player(tmp_path / "s.sqlite")
    player.do("fire", 10 * S)
    player.do("draw", 11 * S, seat="anna")
    tapped = Moment(us=12 * S, pm=400_000, clock=CLOCK, tapped=True)
    player.enter(player.game.parse("draw", {"seat": "bo"}).model_copy(update={"at": tapped}))
    player.close()
    (line,) = PanicFireReport().time_lines(read_record(tmp_path / "s.sqlite"))
    by_board, by_tap = (mark.text for mark in line.marks)
    assert "not measured" not in by_board
    assert by_tap.endswith(", not measured")


def test_in_a_stalemate_the_time_line_has_the_draws_of_those_still_in(tmp_path: Path) -> None:
    player = Player(tmp_path / "s.sqlite")
    player.do("fire", 10 * S)
    player.do("override", 11 * S, seat="cleo", status="out")
    player.do("stalemate_draw", 12 * S)
    player.close()
    (line,) = PanicFireReport().time_lines(read_record(tmp_path / "s.sqlite"))
    assert [mark.seat for mark in line.marks] == ["anna", "bo"]


def test_who_has_left_does_not_win_a_game_whose_rules_name_no_winner(tmp_path: Path) -> None:
    record = evening(tmp_path / "s.sqlite")
    plain = replace(record, game=replace(record.game, result=None))
    assert winners_of(plain) == ("bo",)
    assert [name for name, _ in scores_of(plain)] == ["now"]


def test_an_export_carries_people_pauses_scores_and_what_was_decided(tmp_path: Path) -> None:
    player = Player(tmp_path / "s.sqlite")
    player.do("seat_joins", name="Dora", left_of="anna")
    player.do("fire", 10 * S)
    player.do("pause", 12 * S)
    player.do("score_set", seat="dora", score=1, reason="agreed")
    for kind, body in (
        (Control.REMARK, {"entries": [3], "why": "", "who": "Bo"}),
        (Control.CONSENT, {"entry": 3, "agreed": False, "text": "a hand, to Bo"}),
        (Control.LEVELS, {"draws": "proposed"}),
        (Control.SETTINGS, {"hold_us": 1, "window_us": 2, "min_peak": None, "why": "", "who": ""}),
    ):
        player.append(Draft(Layer.CONTROL, kind, body))
    player.close()
    record = read_record(tmp_path / "s.sqlite")
    again = record_of(parse_export(format_export(record.entries), "s", START), "s")
    assert again.state == record.state
    assert again.state.common.pauses == ((Moment(us=12 * S, pm=25, clock=CLOCK), None),)
    assert [entry.kind for entry in again.entries] == [entry.kind for entry in record.entries]
    words = Page(format_html(again, UTC)).all_words
    assert "the table did not agree to take back entry 3, which showed a hand, to Bo" in words


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (
            '{"layer":"control","kind":"remark","body":{"entries":["2"],"why":"","who":""}}',
            "entries is ['2']",
        ),
        ('{"layer":"control","kind":"remark","body":{"entries":[2],"why":7,"who":""}}', "why is 7"),
        (
            '{"layer":"control","kind":"consent","body":{"entry":2,"agreed":"yes"}}',
            "agreed is 'yes'",
        ),
        ('{"layer":"control","kind":"settings","body":{"hold_us":"1"}}', "hold_us is '1'"),
        ('{"layer":"control","kind":"dance","body":{}}', "no entry of a session"),
        ('{"kind":"seat_joins","name":""}', "name"),
    ],
)
def test_a_line_about_people_or_decisions_that_does_not_fit_is_named(line: str, words: str) -> None:
    with pytest.raises(TranscriptError) as caught:
        parse_export(f"{HEADER}{line}\n", "s.jsonl", START)
    assert words in str(caught.value)
    assert str(caught.value).startswith("s.jsonl, line 2: ")
