"""Which files are copies of one record, which diverged, and which of these count."""

from __future__ import annotations

import random
import shutil
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, strategies as st

from companion.journal import ends
from companion.journal.ends import (
    CHOICES,
    Kinship,
    Standing,
    choice_path,
    choose,
    compare,
    ends_among,
    known_first,
    line_of,
    take_choice_back,
    without_superseded,
)
from companion.journal.entries import Control, Draft, Layer
from companion.journal.folder import ARCHIVE, sessions_dir
from companion.journal.mark import HighWater, encode, mark_path
from companion.journal.record import FIRST_DIGEST, StoredEntry, new_salt, seal
from companion.journal.salvage import replace, salvage
from companion.journal.sessions import SessionInfo, list_sessions
from companion.journal.store import create_store
from tests.journal.support import ON_DISK, counting_wall

WALL = "2025-01-31T20:00:00+00:00"
PAGE = 4096
HEADER = {"game": "panic-fire", "name": "Friday", "seats": [{"name": "Anna"}]}


def grown(rows: Sequence[StoredEntry], count: int) -> list[StoredEntry]:
    """Return a record that continues with `count` entries that no other one has."""
    rows = list(rows)
    for _ in range(count):
        n, before = len(rows) + 1, rows[-1].digest if rows else FIRST_DIGEST
        kind = (
            (Layer.CONTROL, Control.SESSION, HEADER)
            if n == 1
            else (Layer.FACT, "mark", {"i": n, "why": "x" * 60})
        )
        rows.append(seal(Draft(*kind), n, WALL, before, new_salt())[1])
    return rows


def laid(name: str, rows: Sequence[StoredEntry], folder: str = "") -> Path:
    path = sessions_dir() / folder / f"{name}.sqlite"
    create_store(path, *rows).close()
    return path


def conflicted(path: Path, rows: Sequence[StoredEntry], name: str) -> Path:
    """Copy a session as synchronizing programs do: the session file alone, under another name."""
    copy = laid(name, rows)
    mark_path(copy).unlink()
    mark_path(copy).with_name(mark_path(copy).name + "-of").unlink()
    return copy


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    return tmp_path


def infos() -> tuple[SessionInfo, ...]:
    return (*list_sessions(sessions_dir()), *list_sessions(sessions_dir() / ARCHIVE))


def standings() -> dict[str, str]:
    return {path.stem: str(end.standing) for path, end in ends_among(infos()).items()}


NAMES = [
    "evening (conflicted copy)",
    "evening (Anna's conflicted copy 2026-01-31)",
    "evening.sync-conflict-20260131-201500-ABCDEFG",
    "evening_conflict-20260131-201500",
    "evening (conflicted copy 2026-01-31 201500)",
    "evening-LAPTOP",
    "evening (1)",
    "Copy of evening",
]


@pytest.mark.parametrize("name", NAMES)
def test_a_conflicted_copy_that_went_its_own_way_is_two_ends_of_one_game(name: str) -> None:
    base = grown([], 5)
    path = laid("evening", grown(base, 3))
    conflicted(path, grown(base, 2), name)
    assert standings() == {"evening": "undecided", name: "undecided"}
    end = ends_among(infos())[path]
    assert (end.shared, end.own, end.others, end.sure) == (5, 3, 2, True)


@pytest.mark.parametrize("name", NAMES)
def test_a_copy_that_is_a_beginning_of_the_other_is_an_older_copy(name: str) -> None:
    base = grown([], 5)
    path = laid("evening", grown(base, 3))
    conflicted(path, base, name)
    assert standings() == {"evening": "counts", name: "copy"}
    assert [info.path for info in without_superseded(infos())] == [path]


def test_of_two_files_with_one_record_one_counts() -> None:
    base = grown([], 5)
    laid("evening", base)
    laid("evening - Copy", base)
    assert sorted(standings().values()) == ["copy", "counts"]
    assert len(without_superseded(infos())) == 2  # both hold all of it


def test_sessions_of_other_games_have_nothing_to_do_with_one_another() -> None:
    laid("evening", grown([], 5))
    laid("morning", grown([], 5))
    assert standings() == {}


def test_an_archived_end_is_an_end() -> None:
    base = grown([], 5)
    laid("evening", grown(base, 3))
    laid("other", grown(base, 2), ARCHIVE)
    assert standings() == {"evening": "undecided", "other": "undecided"}


def test_an_archived_file_does_not_stand_for_one_that_is_still_played() -> None:
    base = grown([], 5)
    laid("evening", base)
    laid("other", grown(base, 2), ARCHIVE)
    assert standings()["evening"] == "counts"


def test_an_end_that_is_chosen_counts_and_the_other_does_not_until_that_is_taken_back() -> None:
    base = grown([], 5)
    path, other = laid("evening", grown(base, 3)), laid("other", grown(base, 2))
    before = {file: file.read_bytes() for file in (path, other)}
    assert choose(path, infos(), counting_wall()) == (other,)
    assert standings() == {"evening": "counts", "other": "aside"}
    assert [info.path for info in without_superseded(infos())] == [path]
    assert choose(other, infos(), counting_wall()) == (path,)
    assert standings() == {"evening": "aside", "other": "counts"}
    assert take_choice_back(other)
    assert standings() == {"evening": "undecided", "other": "undecided"}
    assert not take_choice_back(path)
    assert {file: file.read_bytes() for file in before} == before


def test_a_choice_holds_when_both_ends_go_on_and_are_called_otherwise() -> None:
    base = grown([], 5)
    first, second = grown(base, 3), grown(base, 2)
    path, other = laid("evening", first), laid("other", second)
    choose(path, infos(), counting_wall())
    for file in (path, other):
        file.unlink()
    laid("called otherwise", grown(first, 4))
    laid("so is this", grown(second, 40), ARCHIVE)
    assert standings() == {"called otherwise": "counts", "so is this": "aside"}


def test_a_third_end_is_asked_about_again() -> None:
    base = grown([], 5)
    path = laid("evening", grown(base, 3))
    laid("other", grown(base, 2))
    choose(path, infos(), counting_wall())
    laid("third", grown(base, 1))
    assert standings() == {"evening": "undecided", "other": "aside", "third": "undecided"}
    choose(path, infos(), counting_wall())
    assert standings() == {"evening": "counts", "other": "aside", "third": "aside"}


def test_an_end_that_was_set_aside_stays_so_without_the_chosen_file() -> None:
    base = grown([], 5)
    path, other = laid("evening", grown(base, 3)), laid("other", grown(base, 2))
    choose(path, infos(), counting_wall())
    path.unlink()
    assert ends_among(infos())[other].standing is Standing.ASIDE
    assert ends_among(infos())[other].other is None


@pytest.mark.parametrize(
    "content", ["", "{}", "[]", "nonsense", '{"aside": [["x", 3]]}', '{"aside": 7}']
)
def test_a_choice_that_cannot_be_read_is_none(content: str) -> None:
    base = grown([], 5)
    path = laid("evening", grown(base, 3))
    laid("other", grown(base, 2))
    choose(path, infos(), counting_wall())
    choice_path(base[0].digest).write_text(content)
    assert standings() == {"evening": "undecided", "other": "undecided"}


def test_nothing_is_chosen_where_nothing_went_its_own_way() -> None:
    base = grown([], 5)
    path = laid("evening", grown(base, 3))
    laid("other", base)
    assert choose(path, infos(), counting_wall()) == ()
    assert not (sessions_dir() / CHOICES).exists()


def test_a_damaged_end_is_an_end_as_far_as_it_can_be_read() -> None:
    base = grown([], 5)
    laid("evening", grown(base, 3))
    other = laid("other", grown(base, 200))
    content = bytearray(other.read_bytes())
    content[-5 * PAGE :] = bytes(5 * PAGE)
    other.write_bytes(content)
    assert standings() == {"evening": "undecided", "other": "undecided"}


def test_a_copy_of_a_damaged_record_counts_in_its_place() -> None:
    base = grown([], 30)
    path = laid("evening", grown(base, 200))
    laid("other", base)
    content = bytearray(path.read_bytes())
    content[-5 * PAGE :] = bytes(5 * PAGE)
    path.write_bytes(content)
    assert standings()["other"] == "counts"


def test_a_lost_end_that_the_mark_knows_is_no_beginning_of_what_went_another_way() -> None:
    base = grown([], 5)
    first, second = grown(base, 3), grown(base, 2)
    path = laid("evening", base)
    mark_path(path).write_bytes(encode(HighWater(6, first[5].digest)))
    laid("other", second)
    assert standings() == {"evening": "undecided", "other": "undecided"}


def test_where_the_entries_that_would_tell_are_lost_nothing_is_claimed() -> None:
    base = grown([], 5)
    first, second = grown(base, 9), grown(base, 2)
    path = laid("evening", base)
    mark_path(path).write_bytes(encode(HighWater(14, first[-1].digest)))
    other = laid("other", second)
    ends = ends_among(infos())
    assert (ends[other].standing, ends[other].sure) == (Standing.UNDECIDED, False)
    choose(other, infos(), counting_wall())
    assert standings() == {"evening": "aside", "other": "counts"}


def opened(rows: Sequence[StoredEntry], times: int = 1) -> list[StoredEntry]:
    """Return a record that was opened and closed without play."""
    rows = list(rows)
    for _ in range(times):
        draft = Draft(Layer.CONTROL, Control.RESUMED, {"doubts": []})
        rows.append(seal(draft, len(rows) + 1, WALL, rows[-1].digest, new_salt())[1])
    return rows


def test_a_copy_that_was_only_opened_elsewhere_is_no_second_end() -> None:
    base = grown([], 5)
    laid("evening", grown(opened(base), 3))
    laid("other", opened(base, 2))
    assert standings() == {"evening": "counts", "other": "copy"}
    assert len(without_superseded(infos())) == 1


def test_of_two_that_were_only_opened_one_counts() -> None:
    base = grown([], 5)
    laid("evening", opened(base))
    laid("other", opened(base, 2))
    assert standings() == {"evening": "copy", "other": "counts"}  # the shorter name


def test_what_was_opened_and_then_played_is_an_end() -> None:
    base = grown([], 5)
    laid("evening", grown(opened(base), 1))
    laid("other", opened(grown(opened(base), 1)))
    assert standings() == {"evening": "undecided", "other": "undecided"}


KINDS = st.sampled_from(
    ["none", "none", "tail", "tail without mark", "zeroed", "flipped", "repaired"]
)


def damage(
    path: Path, rows: Sequence[StoredEntry], kind: str, chance: random.Random
) -> dict[int, bytes]:
    """Damage the session file at `path`; return by number the digests that its record has or had."""
    true = {row.n: row.digest for row in rows}
    if kind.startswith("tail"):
        path.unlink()
        remaining = rows[: chance.randint(1, len(rows))]
        mark = mark_path(path).read_bytes()
        create_store(path, *remaining).close()
        mark_path(path).write_bytes(mark)
        if kind == "tail without mark":
            mark_path(path).unlink()
    elif kind in ("zeroed", "repaired"):
        content = bytearray(path.read_bytes())
        at = chance.randrange(1, len(content) // PAGE) * PAGE
        content[at : at + PAGE] = bytes(PAGE)
        path.write_bytes(content)
    elif kind == "flipped":
        content = bytearray(path.read_bytes())
        content[chance.randrange(PAGE, len(content))] ^= 1 << chance.randrange(8)
        path.write_bytes(content)
    if kind == "repaired":
        mended = salvage(path, counting_wall())
        if mended is not None:
            last = line_of(mended.path).known
            true[max(last)] = last[max(last)]  # that it was repaired is an entry of its own
            replace(path, mended)
    return true


@given(
    st.integers(1, 60),
    st.integers(0, 60),
    st.integers(0, 60),
    KINDS,
    KINDS,
    st.integers(0, 1 << 30),
)
def test_any_two_evolutions_of_a_session_are_told_apart_rightly(
    shared: int, own: int, others: int, kind: str, other_kind: str, seed: int
) -> None:
    chance = random.Random(seed)
    base = grown([], shared)
    first, second = grown(base, own), grown(base, others)
    with TemporaryDirectory(dir=ON_DISK) as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv("COMPANION_DATA", folder)
        path, other = laid("one", first), laid("two", second)
        true, other_true = (
            damage(path, first, kind, chance),
            damage(other, second, other_kind, chance),
        )
        known, other_known = line_of(path).known, line_of(other).known
        comparison = compare(known, other_known)
    assert known.items() <= true.items()
    assert other_known.items() <= other_true.items()
    common = max(
        (n for n in true.keys() & other_true.keys() if true[n] == other_true[n]), default=0
    )
    apart = max(true) > common and max(other_true) > common
    if kind == other_kind == "none":
        if own and others:
            assert comparison == (Kinship.APART, shared)
        else:
            kinship = {(True, False): Kinship.NEWER, (False, True): Kinship.OLDER}.get(
                (own > 0, others > 0)
            )
            assert comparison == (kinship or Kinship.SAME, shared)
    elif comparison.kinship is Kinship.APART:
        assert apart
        assert comparison.shared <= common
    elif comparison.kinship in (Kinship.SAME, Kinship.OLDER, Kinship.NEWER):
        ends = min(max(known), max(other_known))
        # all of one lies in the other, as far as anything tells
        assert comparison.shared == ends <= common
    elif comparison.kinship is Kinship.OTHER:
        assert 1 not in known or 1 not in other_known


def test_copies_beside_a_folder_are_found_by_what_they_hold(data: Path) -> None:
    base = grown([], 5)
    path = laid("evening", grown(base, 3))
    shutil.copytree(sessions_dir(), data / "sessions - Copy")
    copy = data / "sessions - Copy" / path.name
    assert compare(line_of(path).known, line_of(copy).known).kinship is Kinship.SAME


@pytest.mark.parametrize("damage", ["whole", "end", "first", "empty"])
def test_the_first_entry_is_found_without_the_others_and_as_the_whole_record_has_it(
    damage: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A session is recognized among those of the folder by its first entry, without reading a long
    one."""
    path = laid("evening", grown([], 200))
    content = bytearray(path.read_bytes())
    if damage == "end":
        content[-5 * PAGE :] = bytes(5 * PAGE)
    elif damage == "first":
        content[content.find(b"Friday")] ^= 1
    path.write_bytes(b"" if damage == "empty" else content)
    expected = line_of(path).known.get(1, b"")
    if damage in ("whole", "end"):
        assert expected
        monkeypatch.setattr(ends, "line_of", None)
    assert known_first(path) == expected
