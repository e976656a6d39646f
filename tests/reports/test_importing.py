"""An export read back is the same session."""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import example, given, settings, strategies as st

from companion.journal.check import check
from companion.journal.entries import Entry, is_lost
from companion.journal.fold import Steps
from companion.journal.order import played_last
from companion.journal.record import FIRST_DIGEST, seal
from companion.journal.sessions import last_of, list_sessions, places_of, unfinished
from companion.journal.store import read_entries
from companion.journal.timeline import Timeline
from companion.reports.importing import TranscriptError, parse_export, write_session
from companion.reports.record import Record, read_record
from companion.reports.transcripts import format_export
from companion.session.finding import session_to_go_on_with
from companion.session.opening import begin, resume
from tests.journal.damage import lose, rows_of
from tests.reports.support import (
    FIXTURES,
    START,
    Player,
    RandomHands,
    run_export,
    run_import,
    setup,
)

HEADER = '{"game":"panic-fire","rules":2,"seats":[{"id":"red","name":"Red"},{"id":"blue","name":"Blue"}]}\n'


def said(record: Record) -> list[tuple[int, str, int | None, str | None]]:
    """Return what a person reads: each fact's number, sentence, taken-back reason and broken
    clause."""
    return [
        (
            line.entry.n,
            line.text,
            None if line.void is None else line.void.n,
            None if line.problem is None else line.problem.clause,
        )
        for line in record.facts
    ]


def undo_target(record: Record) -> int | None:
    steps = Steps()
    for entry in record.entries:
        steps.add(entry)
    return steps.undo_target


def assert_same(first: Record, second: Record) -> None:
    assert first.setup == second.setup
    assert first.state == second.state
    assert said(first) == said(second)
    assert undo_target(first) == undo_target(second)
    # without one, the last entry is told, which was left out perhaps
    if any(line.counts for line in first.facts):
        assert first.played_wall == second.played_wall
    assert first.begun_wall == second.begun_wall


def without_digest(entries: list[Entry]) -> list[tuple[object, ...]]:
    return [
        (e.n, e.layer, e.kind, e.body, e.actor, e.causes, e.after, e.t_us, e.key, e.wall, e.joined)
        for e in entries[1:]
    ]


@settings(max_examples=20)
@given(st.integers(0, 2**32), st.integers(2, 5), st.integers(0, 60), st.booleans())
def test_an_export_of_any_session_imports_to_the_same_session(
    seed: int, seats: int, steps: int, evidence: bool
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path, copy = Path(folder, "s.sqlite"), Path(folder, "copy.sqlite")
        player = Player(path, setup(" ".join(("Anna", "Bo", "Cleo", "Dmitri", "Eve")[:seats])))
        hands = RandomHands(player, random.Random(seed))
        for _ in range(steps):
            hands.act()
        player.close()
        text = format_export(read_entries(path), evidence=evidence)
        write_session(copy, parse_export(text, "s.jsonl", START), "s.jsonl", over=False)
        assert_same(read_record(path), read_record(copy))
        assert (
            text.splitlines()[1:]
            == format_export(read_entries(copy), evidence=evidence).splitlines()[1:]
        )
        if evidence:
            assert without_digest(read_entries(path)) == without_digest(read_entries(copy))


@settings(max_examples=20)
@given(st.integers(0, 2**32), st.integers(1, 60), st.booleans())
@example(222419800, 5, False)  # the only fact left makes no sense, and evidence is the last entry
def test_an_export_of_a_session_with_gaps_imports_to_the_same_session(
    seed: int, steps: int, evidence: bool
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path, copy = Path(folder, "s.sqlite"), Path(folder, "copy.sqlite")
        player, random_ = Player(path), random.Random(seed)
        hands = RandomHands(player, random_)
        for _ in range(steps):
            hands.act()
        player.close()
        known = len(read_entries(path))
        lose(path, *random_.sample(range(2, known + 1), random_.randrange(known)))
        text = format_export(read_entries(path), evidence=evidence)
        write_session(copy, parse_export(text, "s.jsonl", START), "s.jsonl", over=False)
        assert_same(read_record(path), read_record(copy))
        assert (
            text.splitlines()[1:]
            == format_export(read_entries(copy), evidence=evidence).splitlines()[1:]
        )
        assert ("lost" in read_record(path).lacking) == (known > len(rows_of(path)))
        assert len(rows_of(copy)) == len(read_entries(copy)) - sum(map(is_lost, read_entries(path)))
        assert {finding.right for finding in check(path, lambda _: lambda _: None)[:-1]} == {True}


@settings(max_examples=10)
@given(st.integers(0, 2**32))
def test_undo_goes_on_in_the_import_as_in_the_session(seed: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        player = Player(Path(folder, "s.sqlite"))
        hands = RandomHands(player, random.Random(seed))
        for _ in range(40):
            hands.act()
        player.close()
        again = parse_export(format_export(player.journal.entries), "s", START)
        assert undone_and_brought_back(again) == undone_and_brought_back(player.journal.entries)


def undone_and_brought_back(entries: Sequence[Entry]) -> list[int]:
    """Undo everything, then redo everything; return the entries named on the way."""
    timeline: Timeline[int] = Timeline(0, lambda state, _: state + 1, LookupError)
    timeline.extend(entries)
    n, named = 10_000, []
    for drafts_of in (timeline.steps.undo_drafts, timeline.steps.redo_drafts):
        while drafts := drafts_of():
            for draft in drafts:
                n += 1
                timeline.add(seal(draft, n, START, FIRST_DIGEST, bytes(16))[0])
                named.append(draft.body["entry"])
            named.append(-timeline.state)
    return named


def test_an_imported_game_that_is_over_is_not_offered_to_go_on(tmp_path: Path) -> None:
    text = (FIXTURES / "six-rounds.jsonl").read_text(encoding="utf-8")
    write_session(tmp_path / "a.sqlite", parse_export(text, "six", START), "six", over=True)
    assert last_of(list_sessions(tmp_path)) is None
    again = format_export(read_entries(tmp_path / "a.sqlite"))
    write_session(tmp_path / "b.sqlite", parse_export(again, "six", START), "six", over=True)
    assert len(read_entries(tmp_path / "b.sqlite")) == len(read_entries(tmp_path / "a.sqlite"))


def test_an_old_game_imported_today_does_not_become_the_last_one(
    own_data_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def begun() -> Path:
        with closing(begin("panic-fire", ("Ada", "Bo"), {})) as table:
            table.do("panic-fire.fire")
        return table.path

    old = begun()
    for _ in range(5):
        resume(old).close()
    assert run_export(str(old), "jsonl", own_data_folder / "old.jsonl") == 0
    old.unlink()
    today = begun()
    assert run_import(own_data_folder / "old.jsonl") == 0
    imported = Path(capsys.readouterr().out.splitlines()[-1].partition(": ")[0])
    assert {place.number for place in places_of(imported)} == {0}
    infos = list_sessions(today.parent)
    assert played_last(unfinished(infos), infos).infos[0].path == today
    assert session_to_go_on_with(None) == today
    resume(imported).close()
    assert session_to_go_on_with(None) == imported, "it was played here since"


def test_evidence_of_a_kind_that_is_called_lost_is_no_loss() -> None:
    entries = parse_export(
        HEADER + '{"layer":"evidence","kind":"lost","body":{}}\n{"kind":"fire"}\n', "game", START
    )
    assert [entry.kind for entry in entries] == ["session", "lost", "fire"]


def test_entries_that_the_export_left_out_keep_their_numbers_free() -> None:
    entries = parse_export(HEADER + '{"n":5,"kind":"fire"}\n', "game", START)
    assert [(entry.n, entry.kind) for entry in entries[1:]] == [
        (2, "omitted"),
        (3, "omitted"),
        (4, "omitted"),
        (5, "fire"),
    ]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('{"n":9999999999,"kind":"fire"}', "too many numbers free"),
        ('{"kind":"void","entry":1}', "only facts and voids"),
        ('{"kind":"void","entry":1,"reason":7}', "the reason is 7"),
        ('{"kind":"fire","joined":true}', "joined"),
        ('{"kind":"fire","joined":1}', "joined is 1"),
        ('{"kind":"fire","wall":"yesterday"}', "ISO 8601"),
        ('{"kind":"fire","wall":"2026-01-31T20:00:00"}', "time zone"),
        ('{"kind":"fire","causes":[8]}', "earlier entries"),
        ('{"kind":"fire","causes":7}', "a list of entries"),
        ('{"kind":"fire","actor":7}', "a text"),
        ('{"layer":"control","kind":"session","body":{}}', "no entry of a session"),
        ('{"layer":"control","kind":"void","body":{"entry":1}}', "no entry of a session"),
        ('{"layer":"fact","kind":"fire","body":{}}', "no entry of a session"),
        ('{"layer":["a"],"kind":"fire","body":{}}', "no entry of a session"),
        ('{"layer":"evidence","kind":"event","body":{"boot":1}}', "event: seq is None"),
        ('{"n":900000,"kind":"fire"}', "too many numbers free"),
        (
            '{"layer":"control","kind":"lost","body":{"from":3,"to":9,"why":"x"}}',
            "a loss that begins at 2",
        ),
        (
            '{"layer":"control","kind":"lost","body":{"from":2,"to":1,"why":"x"}}',
            "a loss that begins at 2",
        ),
        ('{"layer":"evidence","kind":"note","body":{},"seat":"red"}', "more fields"),
    ],
)
def test_a_bad_line_is_one_sentence_with_its_number(line: str, words: str) -> None:
    with pytest.raises(TranscriptError) as caught:
        parse_export(f"{HEADER}\n{line}\n", "game.jsonl", START)
    assert str(caught.value).startswith("game.jsonl, line 3: ")
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('{"game":"panic-fire","rules":2,"seats":7}', "no list"),
        ('{"game":"panic-fire","rules":2,"seats":[7,8]}', "a seat is"),
        (
            '{"game":"panic-fire","rules":2,"seats":[{"id":"a","name":"A","color":7},{"id":"b","name":"B"}]}',
            "a seat is",
        ),
        (
            '{"game":"panic-fire","rules":2,"seats":[{"id":"a","name":"A"},{"id":"b","name":"a"}]}',
            "another name",
        ),
        ('{"game":"panic-fire","rules":2,"wall":3,"seats":[]}', "ISO 8601"),
    ],
)
def test_a_bad_header_is_one_sentence_at_line_1(line: str, words: str) -> None:
    with pytest.raises(TranscriptError) as caught:
        parse_export(line, "game.jsonl", START)
    assert str(caught.value).startswith("game.jsonl, line 1: ")
    assert words in str(caught.value)


@settings(max_examples=150)
@given(
    st.text(max_size=120),
    st.dictionaries(
        st.sampled_from(["n", "kind", "layer", "entry", "body", "after", "key"]),
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    ),
)
def test_any_line_is_an_entry_or_one_sentence(text: str, row: dict[str, object]) -> None:
    results = []
    for line in (text, json.dumps(row)):
        try:
            results.append(str(len(parse_export(HEADER + line, "game", START))))
        except TranscriptError as error:
            results.append(str(error))
    assert all("expected" in result or int(result) >= 1 for result in results)
