"""What a repair saves of a damaged file and its log, and the meaning of a record with gaps."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from companion.journal.check import check
from companion.journal.copy import backup_path, keep_copy
from companion.journal.entries import Control, Draft, Layer, is_lost
from companion.journal.errors import SessionDamagedError
from companion.journal.fold import void_draft
from companion.journal.follow import Follower
from companion.journal.journal import Journal
from companion.journal.mark import HighWater
from companion.journal.pieces import Pieces
from companion.journal.record import MOST_LOST, LostEntries, StoredEntry, row_of
from companion.journal.salvage import find_saving, replace, salvage
from companion.journal.store import read_entries, read_span
from companion.journal.timeline import Timeline
from tests.journal.damage import Damage, Places, damages, evening, lose, rows_of
from tests.journal.folding import effective, redo_drafts, undo_drafts
from tests.journal.support import (
    begin,
    counting_wall,
    evidence,
    fact,
    numbers,
    resume,
    sealed,
    small_pages,
)
from tests.thorough import examples


@pytest.fixture
def path(tmp_path: Path) -> Path:
    folder = tmp_path / "sessions"
    folder.mkdir()
    return folder / "evening.sqlite"


def lay(files: dict[str, bytes], path: Path, damage: Damage | None = None) -> None:
    for name, data in files.items():
        (path.parent / name).write_bytes(
            data if damage is None or damage.name != name else damage.of(files)
        )


@pytest.mark.parametrize("settled", [True, False], ids=["in its file", "half in its log"])
def test_what_lies_intact_somewhere_is_saved_whatever_is_damaged(
    path: Path, tmp_path: Path, settled: bool
) -> None:
    files = evening(tmp_path / "before", settled=settled)
    lay(files, path)
    rows = rows_of(path)
    assert len(rows) == 197
    places = Places(files, rows)
    intact = saved = 0
    for damage in damages(files, examples(11 if settled else 101, 1) * 512):
        lay(files, path, damage)
        readable, saving = places.intact(damage), find_saving(path)
        expected = (
            rows if saving is None else [row for row in saving.rows if isinstance(row, StoredEntry)]
        )
        assert set(expected) <= set(rows), "what is saved was written"
        missed = readable - {row.n for row in expected}
        assert len(missed) <= 2, (
            "an entry is verified by the one before it: behind a gap one may be in doubt"
        )
        intact += len(readable)
        saved += len(readable) - len(missed)
    assert saved / intact >= 0.99


def test_a_zeroed_page_in_the_middle_costs_its_own_entries_and_their_numbers_stay_free(
    path: Path, tmp_path: Path
) -> None:
    files = evening(tmp_path / "before", settled=True)
    lay(files, path, Damage(path.name, 24_576, 28_672, bytes(4096)))
    mended = salvage(path, counting_wall())
    assert mended is not None
    assert mended.saving.lost is not None
    assert 5 < mended.saving.lost < 25
    replace(path, mended)
    entries = read_entries(path)
    assert [entry.n for entry in entries] == list(range(1, 199))
    assert sum(is_lost(entry) for entry in entries) == mended.saving.lost
    assert {sentence.right for sentence in check(path, lambda _: lambda _: None)} == {True}
    with resume(path) as journal:
        assert journal.warnings == ()
        assert journal.append(fact()).entries[0].n == 199


def test_two_damaged_files_of_one_session_make_each_other_whole(path: Path) -> None:
    with begin(path) as journal:
        journal.append(*(fact(number) for number in range(150)))
        entries = tuple(journal.entries)
    keep_copy(path)
    for file, start in ((path, 24_576), (backup_path(path), 40_960)):
        data = bytearray(file.read_bytes())
        data[start : start + 4096] = bytes(4096)
        file.write_bytes(data)
    mended = salvage(path, counting_wall())
    assert mended is not None
    assert (mended.saving.entries, mended.saving.lost, mended.saving.gaps) == (151, 0, ())
    assert 0 < mended.saving.others < 30
    assert tuple(read_entries(mended.path)[:-1]) == entries


def test_a_lost_first_entry_comes_from_its_spare(path: Path) -> None:
    with begin(path) as journal:
        entries = tuple(journal.entries)
    data = bytearray(path.read_bytes())
    at = data.rindex(entries[0].digest)
    data[at : at + 100] = bytes(100)
    path.write_bytes(data)
    mended = salvage(path, counting_wall())
    assert mended is not None
    assert read_entries(mended.path)[0] == entries[0]


def test_an_entry_longer_than_a_page_is_saved_and_one_whose_rest_is_gone_is_lost(
    path: Path,
) -> None:
    with begin(path) as journal:
        journal.append(
            fact(1),
            fact(2, actor="long " * 5_000),
            fact(3),
            fact(4, actor="wide " * 5_000),
            fact(5),
        )
        entries = tuple(journal.entries)
    data = path.read_bytes()
    data = bytes(100) + data[100:]
    path.write_bytes(data)
    whole = find_saving(path)
    assert whole is not None
    assert whole.entries == 6
    path.write_bytes(data.replace(b"long " * 200, bytes(1_000), 1))
    saving = find_saving(path)
    assert saving is not None
    assert [(gap.first, gap.last) for gap in saving.gaps] == [(3, 3)]
    assert saving.gaps[0].digest == entries[2].digest


def test_the_entries_of_another_record_fill_no_gap(path: Path, tmp_path: Path) -> None:
    with begin(path) as journal:
        journal.append(*(fact(number) for number in range(150)))
    with Journal.create(
        tmp_path / "other.sqlite", {"game": "another"}, wall=counting_wall()
    ) as other:
        other.append(fact(1), fact(2))
    shutil.copyfile(tmp_path / "other.sqlite", backup_path(path))
    data = path.read_bytes()
    for row in rows_of(path)[:8]:
        content = row.digest + row.record
        data = data.replace(content, bytes(len(content)))
    path.write_bytes(data)
    saving = find_saving(path)
    assert saving is not None
    assert saving.others == 0
    assert [(gap.first, gap.last) for gap in saving.gaps] == [(1, 9)]


def test_of_two_ways_that_a_file_holds_the_mark_tells_the_one_that_was_saved() -> None:
    """A transaction torn by a power cut, and what was recorded in its place."""
    rows = [row_of(entry) for entry in sealed([fact(number) for number in range(42)])]
    torn = [
        row_of(entry)
        for entry in sealed([fact(number if number < 38 else -number) for number in range(48)])
    ]
    last = HighWater(rows[-1].n, rows[-1].digest)
    assert Pieces([*torn, *rows], [], set(), (), last).record("nothing is lost") == tuple(rows)


def test_a_copy_that_went_another_way_fills_no_gap_before_what_does_not_follow_from_it() -> None:
    rows = [row_of(entry) for entry in sealed([fact(number) for number in range(60)])]
    other = [
        row_of(entry)
        for entry in sealed([fact(number if number < 38 else -number) for number in range(48)])
    ]
    lost = rows[39:49]
    pieces = Pieces([row for row in rows if row not in lost], [other], {lost[-1].digest}, (), None)
    rows_saved = pieces.record("a test took them")
    assert [row for row in rows_saved if isinstance(row, StoredEntry)] == [
        row for row in rows if row not in lost
    ]
    assert [(row.first, row.last) for row in rows_saved if isinstance(row, LostEntries)] == [
        (40, 49)
    ]


def test_a_copy_that_went_another_way_does_not_go_on_behind_what_it_does_not_follow_from() -> None:
    rows = [row_of(entry) for entry in sealed([fact(number) for number in range(39)])]
    other = [
        row_of(entry)
        for entry in sealed([fact(number if number < 30 else -number) for number in range(48)])
    ]
    pieces = Pieces(rows, [other[:20] + other[40:]], {other[39].digest}, (), None)
    assert pieces.record("nothing is lost") == tuple(rows)


@pytest.mark.parametrize("marked", [None, 5, 20, 40])
def test_a_copy_that_goes_on_where_the_file_ends_is_followed_to_its_own_end(
    marked: int | None,
) -> None:
    rows = [row_of(entry) for entry in sealed([fact(number) for number in range(39)])]
    mark = None if marked is None else HighWater(marked, rows[marked - 1].digest)
    assert Pieces(rows[:10], [rows], set(), (), mark).record("nothing is lost") == tuple(rows)


def test_of_what_others_have_the_longer_one_counts() -> None:
    rows = [row_of(entry) for entry in sealed([fact(number) for number in range(20)])]
    short = [
        row_of(entry)
        for entry in sealed([fact(number if number < 9 else -number) for number in range(15)])
    ]
    for others in ([short, rows], [rows, short]):
        assert Pieces(rows[:5], others, set(), (), None).record("nothing is lost") == tuple(rows)


def test_an_end_that_follows_from_nothing_here_does_not_count_before_a_longer_piece() -> None:
    rows = [row_of(entry) for entry in sealed([fact(number) for number in range(19)])]
    other = [
        row_of(entry)
        for entry in sealed([fact(number if number < 9 else -number) for number in range(23)])
    ]
    torn = other[:5] + other[17:]
    for others in ([torn, rows], [rows, torn]):
        rows_saved = Pieces(rows[:5], others, {other[16].digest}, (), None).record(
            "nothing is lost"
        )
        assert [row for row in rows_saved if isinstance(row, StoredEntry)] == rows


def test_what_follows_a_lost_entry_that_only_the_mark_knows_is_saved() -> None:
    rows = [row_of(entry) for entry in sealed([fact(number) for number in range(9)])]
    mark = HighWater(rows[5].n, rows[5].digest)
    rows_saved = Pieces(rows[:5] + rows[6:], [], set(), (), mark).record("a test took it")
    assert [row for row in rows_saved if isinstance(row, StoredEntry)] == rows[:5] + rows[6:]
    assert [
        (row.first, row.last, row.digest) for row in rows_saved if isinstance(row, LostEntries)
    ] == [(6, 6, rows[5].digest)]


def test_a_damage_of_a_mended_session_leaves_its_older_gaps_as_they_were(path: Path) -> None:
    with begin(path) as journal:
        journal.append(*(fact(number) for number in range(150)))
    lose(path, 20, 21)
    data = bytearray(path.read_bytes())
    data[40_960:45_056] = bytes(4_096)
    path.write_bytes(data)
    saving = find_saving(path)
    assert saving is not None
    assert (saving.gaps[0].first, saving.gaps[0].last, saving.gaps[0].why) == (
        20,
        21,
        "a test took it",
    )
    assert len(saving.gaps) == 2


def test_the_file_takes_a_gap_only_at_its_end_and_keeps_it(path: Path) -> None:
    with begin(path) as journal:
        journal.append(*(fact(number) for number in range(5)))
    lose(path, 4)
    with closing(sqlite3.connect(path)) as connection:
        for statement in (
            "INSERT INTO gaps VALUES (3, 3, x'00', '', '')",
            "INSERT INTO gaps VALUES (8, 8, x'00', '', '')",
            "INSERT OR REPLACE INTO gaps VALUES (4, 4, x'00', '', '')",
            "INSERT INTO entries VALUES (4, NULL, x'00', '')",
            "UPDATE gaps SET last = 5",
            "DELETE FROM gaps",
        ):
            with pytest.raises(sqlite3.IntegrityError, match="only appended"):
                connection.execute(statement)


def test_a_gap_of_more_numbers_than_a_record_has_is_refused(path: Path) -> None:
    with begin(path) as journal:
        (last,) = journal.append(fact()).entries
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            "INSERT INTO gaps VALUES (3, ?, ?, '', '')", (3 + MOST_LOST, last.digest)
        )
    with pytest.raises(SessionDamagedError, match="are said to be lost"):
        read_entries(path)


def test_any_part_of_a_record_with_gaps_reads_as_it_does_in_the_whole(path: Path) -> None:
    with begin(path) as journal:
        journal.append(*(fact(number) for number in range(9)))
    lose(path, 3, 4, 5, 8)
    entries = read_entries(path)
    assert [entry.n for entry in entries if is_lost(entry)] == [3, 4, 5, 8]
    for first in range(1, 11):
        for last in range(first, 11):
            part = read_span(path, first, last)
            assert [(entry.n, entry.body) for entry in part] == [
                (e.n, e.body) for e in entries[first - 1 : last]
            ]
    with small_pages(), resume(path) as journal:
        assert [entry.n for entry in journal.entries] == list(range(1, 11))


def test_a_follower_passes_over_a_gap(path: Path) -> None:
    with begin(path) as journal:
        journal.append(*(fact(number) for number in range(9)))
    lose(path, 3, 4)
    follower = Follower(path)
    assert [entry.n for entry in follower.poll()] == list(range(1, 11))
    with resume(path) as journal:
        journal.wait(journal.append(fact()).last_n)
        assert [entry.n for entry in follower.poll()] == [11]


def undone_thrice() -> list[Draft]:
    """Return entries 2 to 8: two facts, undo, undo, redo, redo, and a correction of the first fact."""
    return [
        fact(1),
        fact(2),
        Draft(Layer.CONTROL, Control.VOID, {"entry": 3, "reason": "undo"}),
        Draft(Layer.CONTROL, Control.VOID, {"entry": 2, "reason": "undo"}),
        Draft(Layer.CONTROL, Control.VOID, {"entry": 5, "reason": "redo"}),
        Draft(Layer.CONTROL, Control.VOID, {"entry": 4, "reason": "redo"}),
        Draft(Layer.CONTROL, Control.VOID, {"entry": 2, "reason": "wrong"}),
    ]


@pytest.mark.parametrize(
    ("lost", "counting", "undone"),
    [
        ((), [3], 8),
        ((2,), [3], 3),  # the correction of what is lost is no step
        ((3,), [], 8),
        ((4,), [3], 8),  # what brought back an undo that is lost brings back nothing
        ((5,), [3], 8),
        ((8,), [2, 3], 3),
        ((2, 3), [], None),
    ],
)
def test_what_was_done_to_a_lost_entry_does_nothing_and_is_no_step(
    path: Path, lost: tuple[int, ...], counting: list[int], undone: int | None
) -> None:
    with begin(path) as journal:
        journal.append(*undone_thrice())
    lose(path, *lost)
    entries = read_entries(path)
    assert numbers(effective(entries)) == counting
    timeline: Timeline[tuple[int, ...]] = Timeline(
        (), lambda state, entry: (*state, entry.n), LookupError
    )
    timeline.extend(entries)
    assert list(timeline.state) == counting
    assert timeline.steps.undo_target == undone
    with resume(path) as journal:
        journal.append(*undo_drafts(journal.entries))
        journal.append(*redo_drafts(journal.entries))
        assert numbers(effective(journal.entries)) == counting


def test_a_step_whose_first_half_is_lost_is_undone_without_the_step_before(path: Path) -> None:
    with begin(path) as journal:
        journal.append(fact(1))
        journal.append(fact(2), fact(3, joined=True))
    lose(path, 3)
    assert [draft.body["entry"] for draft in undo_drafts(read_entries(path))] == [4]


def test_the_check_tells_what_is_lost_and_how_much_rests_on_it(path: Path) -> None:
    with begin(path) as journal:
        (press,) = journal.append(evidence()).entries
        journal.append(fact(causes=(press.n,)))
        journal.append(void_draft(3, "wrong"))
    lose(path, press.n)
    findings = check(path, lambda _: lambda _: None)
    assert all(finding.right for finding in findings)
    text = " ".join(finding.sentence for finding in findings)
    assert "since a repair 1 entry is lost (2)" in text
    assert "1 entry rests on one that is lost" in text
