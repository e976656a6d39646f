"""The format of transcripts, and `companion score` over them."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from companion.cli import main
from companion.games.panic_fire.rules import facts as f
from companion.reports.importing import TranscriptError, fold_transcript, parse_export
from companion.rules.facts import Fact, Moment, Setup
from companion.rules.header import game_of, with_all_options
from companion.rules.seats import seats_with_looks
from tests.games.transcripts import format_transcript
from tests.thorough import examples

WALL = "2026-01-31T20:00:00+00:00"
HEADER = '{"game":"panic-fire","rules":2,"seats":[{"id":"red","name":"Red"},{"id":"blue","name":"Blue"}]}\n'
ROUND = '{"kind":"fire"}\n{"kind":"shot"}\n{"kind":"target","seat":"blue"}\n{"kind":"shooter","seat":"red"}\n'

texts = st.text(max_size=12)
moments = st.none() | st.builds(
    Moment, us=st.integers(0, 2**63), pm=st.integers(0, 10**6), clock=texts
)
seats = st.sampled_from(["red", "blue"])
every_fact: st.SearchStrategy[Fact] = st.one_of(
    st.builds(f.Fire, at=moments),
    st.builds(f.Draw, at=moments, seat=seats),
    st.builds(
        f.Shot,
        at=moments,
        lag_us=st.none() | st.integers(-(10**5), 10**5),
        peak=st.none() | st.integers(0, 65535),
    ),
    st.builds(f.DryPull, at=moments, reason=texts),
    st.builds(f.Knock, at=moments, reason=texts, peak=st.none() | st.integers(0, 65535)),
    st.builds(f.Promote, at=moments, entry=st.integers(1, 10**6)),
    st.builds(f.Target, at=moments, seat=seats),
    st.builds(f.Shooter, at=moments, seat=seats),
    st.builds(f.Illegal, at=moments),
    st.builds(f.Legal, at=moments),
    st.builds(f.Match, at=moments, basis=st.sampled_from(["shooter", "target", "both", "unknown"])),
    st.builds(f.ShieldHand, at=moments),
    st.builds(f.ShieldInPlay, at=moments, seat=seats, present=st.booleans()),
    st.builds(f.StalemateDraw, at=moments, seats=st.lists(seats, max_size=2).map(tuple)),
    st.builds(f.Reshuffle, at=moments, cards=st.none() | st.integers(0, 106)),
    st.builds(f.TieBreak, at=moments, order=st.sampled_from(["as_stamped", "swapped", "both"])),
    st.builds(
        f.Override, at=moments, seat=seats, status=st.sampled_from(["in", "out"]), reason=texts
    ),
    st.builds(f.RoundEnd, at=moments, seat=st.none() | seats, reason=texts),
)


@settings(max_examples=examples(50, 400))
@given(st.lists(every_fact, max_size=12))
def test_what_is_written_reads_back(facts: list[Fact]) -> None:
    setup = Setup(
        "panic-fire", 2, seats_with_looks([("red", "Red"), ("blue", "Blue")]), {"dealer": "fixed"}
    )
    first, *rest = parse_export(format_transcript(setup, facts), "game", WALL)
    game, again = game_of(first.body)
    assert again == with_all_options(game, setup)
    assert [game.parse(entry.kind, entry.body) for entry in rest] == facts


@settings(max_examples=examples(80, 600))
@given(st.text(max_size=200))
def test_any_text_is_a_transcript_or_one_sentence(text: str) -> None:
    sentences = []
    for content in (text, HEADER + text):
        try:
            fold_transcript(content, "game")
        except TranscriptError as error:
            sentences.append(str(error))
    assert sentences
    assert all("expected" in sentence for sentence in sentences)


def state_of(text: str) -> Any:
    return fold_transcript(text, "game.jsonl").state


def refused(text: str) -> str:
    with pytest.raises(TranscriptError) as caught:
        state_of(text)
    return str(caught.value)


def test_an_impossible_fact_is_named_with_line_clause_and_what_was_expected() -> None:
    error = refused(HEADER + ROUND + '{"kind":"draw","seat":"blue"}\n')
    assert error == "game.jsonl, line 6: PF-17: the round is over; expected fire! for the next one."


def test_the_line_is_counted_in_the_file_where_lines_are_empty_or_numbered() -> None:
    error = refused(HEADER + '{"n":40,"kind":"fire"}\n\n\n{"kind":"draw","seat":"pink"}\n')
    assert error.startswith("game.jsonl, line 5: PF-2: ")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{", "no JSON"),
        ("[1]", "no object"),
        ('{"seat":"red"}', "no kind"),
        ('{"kind":"dance"}', "no fact 'dance'"),
        ('{"kind":"draw"}', "draw: seat is missing"),
        ('{"kind":"draw","seat":7}', "draw: seat: 7 does not fit; expected a player"),
        ('{"kind":"draw","seat":"red","color":"red"}', "nothing takes 'color'"),
        ('{"kind":"draw","seat":"red","at":{"us":"7","clock":"b"}}', 'at.us: "7" does not fit'),
        ('{"kind":"draw","seat":"red","at":7}', "at: 7 does not fit"),
        ('{"n":1,"kind":"fire"}', "whole number above 1"),
        ('{"n":true,"kind":"fire"}', "whole number above 1"),
        ('{"kind":"void","entry":9}', "no entry 9"),
        ('{"kind":"void"}', "it names no entry"),
        ('{"kind":"fire","after":2}', "no entry 2"),
        ('{"kind":"promote","entry":0}', "entry: 0 does not fit"),
    ],
)
def test_a_line_that_does_not_fit_is_one_sentence_at_its_place(line: str, words: str) -> None:
    error = refused(HEADER + line + "\n")
    assert error.startswith("game.jsonl, line 2: FORMAT: ")
    assert words in error
    assert "\n" not in error


@pytest.mark.parametrize(
    ("header", "words"),
    [
        ("", "the file is empty"),
        ('{"game":"chess"}', "one of drills, fractured-sky"),
        ('{"game":"panic-fire","seats":[]}', "no version of the rules is named"),
        ('{"rules":1}', "no game is named"),
        (
            '{"game":"panic-fire","rules":1,"seats":[{"id":"a","name":"A"},{"id":"b","name":"B"}]}',
            "version 3",
        ),
        ('{"game":"panic-fire","rules":2}', "the seats are no list"),
        ('{"game":"panic-fire","rules":2,"seats":["red"]}', "a seat is"),
        ('{"game":"panic-fire","rules":2,"seats":[{"id":"a","name":"A"}]}', "PF-2"),
        (
            '{"game":"panic-fire","rules":2,"seats":[{"id":"a","name":"A"},{"id":"b","name":"a"}]}',
            "two seats are called 'a'",
        ),
        ('{"game":"panic-fire","rules":2,"seats":[],"options":{"dealer":1}}', "options"),
        ('{"game":"panic-fire","rules":2,"seats":[],"colour":1}', "unknown fields"),
    ],
)
def test_a_header_that_does_not_fit_is_one_sentence(header: str, words: str) -> None:
    error = refused(header)
    assert error.startswith("game.jsonl, line 1: ")
    assert words in error


def test_a_void_takes_back_and_a_void_of_a_void_brings_back() -> None:
    taken_back = HEADER + ROUND + '{"kind":"void","entry":5}\n'
    assert state_of(HEADER + ROUND) != state_of(taken_back)
    brought_back = taken_back + '{"kind":"void","entry":6}\n'
    assert state_of(HEADER + ROUND) == state_of(brought_back)


def test_of_two_facts_behind_the_same_entry_the_later_stands_nearer() -> None:
    text = HEADER + '{"kind":"fire"}\n{"kind":"shot"}\n{"kind":"shooter","seat":"red","after":3}\n'
    state = state_of(text + '{"kind":"target","seat":"blue","after":3}\n')
    assert state.current.reading.alive == {"red"}
    assert state.current.reading.verdicts[0][0].named == (5, 4)


def test_a_void_may_leave_a_fact_that_makes_no_sense_and_that_is_named() -> None:
    assert "line 4: " in refused(HEADER + ROUND + '{"kind":"void","entry":3}\n')


def scored(path: Path, *, as_json: bool = False) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main(["score", str(path), *(["--json"] if as_json else [])])
    return code, out.getvalue(), err.getvalue()


def written(folder: Path, text: str) -> Path:
    path = folder / "game.jsonl"
    path.write_text(text, encoding="utf-8")
    return path


def test_score_prints_standings_rounds_and_what_is_open(tmp_path: Path) -> None:
    code, out, err = scored(written(tmp_path, HEADER + ROUND))
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "Red: 1 Bullet card, 1 elimination, 0 draws",
        "Blue: 0 Bullet cards, 0 eliminations, 0 draws",
        "round 1 of 6: Red survives; first shot ?",
        "  Red shot Blue: Blue is out (PF-12)",
        "not finished: Blue shuffles and deals 8 each. "
        'On "fire!" press Enter. Round 2 of 6. Red takes a Bullet card.',
    ]


def test_score_as_json_says_the_same(tmp_path: Path) -> None:
    code, out, _ = scored(written(tmp_path, HEADER + ROUND), as_json=True)
    found = json.loads(out)
    assert code == 0
    assert (found["game"], found["rules"], found["over"], found["champion"]) == (
        "panic-fire",
        3,
        False,
        None,
    )
    assert found["bullets"] == {"red": 1, "blue": 0}
    assert found["rounds"][0]["winner"] == "red"


def test_score_of_bad_data_ends_with_65_and_one_sentence(tmp_path: Path) -> None:
    code, out, err = scored(written(tmp_path, HEADER + '{"kind":"shot"}\n'))
    assert (code, out) == (65, "")
    assert err.endswith("line 2: PF-5: no round has begun; expected fire! first.\n")


def test_score_of_bytes_that_are_no_text_ends_with_65(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(b"\xff\xfe")
    code, _, err = scored(path)
    assert (code, err) == (
        65,
        f"{path}, line 1: FORMAT: this is no UTF-8 text; expected one JSON object a line.\n",
    )


def test_score_of_a_missing_file_or_a_folder_ends_with_66(tmp_path: Path) -> None:
    assert scored(tmp_path / "none.jsonl")[0] == 66
    assert scored(tmp_path)[0] == 66


def test_score_reads_a_file_that_begins_with_an_editors_mark_and_ends_lines_the_windows_way(
    tmp_path: Path,
) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + (HEADER + ROUND).replace("\n", "\r\n").encode())
    assert scored(path)[0] == 0


def test_score_says_no_control_code_of_a_file(tmp_path: Path) -> None:
    for field in (r'"\u001b[2J"', r'"\ud800"', r'"\n"'):
        path = written(tmp_path, HEADER + '{"kind":"fire",' + field + ":1}\n")
        code, _, err = scored(path)
        assert code == 65
        assert err.rstrip("\n").isprintable(), err


@pytest.mark.parametrize("name", [r"\u001b[2J", r"\ud800", r"\n"])
def test_a_seat_whose_name_cannot_be_shown_is_refused(name: str) -> None:
    error = refused(HEADER.replace("Red", name))
    assert error.startswith("game.jsonl, line 1: FORMAT: ")


def test_a_name_that_needs_joiners_is_read(tmp_path: Path) -> None:
    assert scored(written(tmp_path, HEADER.replace('"Red"', '"علی\u200cرضا"') + ROUND))[0] == 0


def test_a_time_beyond_64_bits_is_refused_and_none_within_breaks_the_score(tmp_path: Path) -> None:
    line = '{"kind":"fire","at":{"us":%d,"clock":"b"}}\n{"kind":"shot","lag_us":%d,"at":{"us":%d,"clock":"b"}}\n'
    assert scored(written(tmp_path, HEADER + line % (0, 1, 2**64 - 1)))[0] == 0
    assert "line 2: " in refused(HEADER + line % (10**400, 1, 5))
    assert "line 3: " in refused(HEADER + line % (0, 10**400, 5))


def test_a_fact_after_the_champion_is_refused_at_its_line() -> None:
    error = refused(HEADER + ROUND * 6 + '{"kind":"fire"}\n')
    why = "the game is over and Red is champion. Start a new game, or undo to play on."
    assert error == f"game.jsonl, line 26: PF-17: {why}"
