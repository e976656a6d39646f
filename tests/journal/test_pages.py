from __future__ import annotations

from collections.abc import Sequence

import pytest

from companion.journal.entries import Entry
from companion.journal.errors import SessionDeniedError
from companion.journal.pages import IN_MEMORY, PAGE, PAGES, Entries
from tests.journal.test_checkpoints import marks

LONG = 3 * IN_MEMORY + 7


class Disk:
    """The saved entries, and how often they were read; nothing can be read while it is away."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.entries = entries
        self.reads: list[tuple[int, int]] = []
        self.away = False

    def read(self, first: int, last: int) -> Sequence[Entry]:
        if self.away:
            raise SessionDeniedError("The disk is away: attach it.")
        self.reads.append((first, last))
        return self.entries[first - 1 : last]


@pytest.fixture(scope="module")
def entries() -> list[Entry]:
    return marks(LONG)


@pytest.fixture
def disk(entries: list[Entry]) -> Disk:
    return Disk(entries)


@pytest.fixture
def record(disk: Disk) -> Entries:
    """Return a record that grew page by page, each saved afterwards."""
    grown = Entries(disk.read)
    for start in range(0, LONG, PAGE):
        grown.extend(disk.entries[start : start + PAGE])
        grown.saved(start)
    grown.saved(LONG)
    return grown


def test_a_long_record_reads_as_a_list_of_all_its_entries_would(
    record: Entries, entries: list[Entry]
) -> None:
    assert len(record) == LONG
    assert list(record) == entries
    last, middle = LONG - 1, LONG // 2
    for index in (0, 1, PAGE - 1, PAGE, middle, last, -1, -2, -LONG):
        assert record[index] is entries[index]
    for piece in (
        slice(0, 3),
        slice(PAGE - 1, 3 * PAGE + 1),
        slice(middle, None),
        slice(-5, None),
        slice(None, 9, 2),
    ):
        assert record[piece] == entries[piece]
    assert record[5:2] == record[LONG:] == []
    assert list(reversed(record))[:3] == entries[:-4:-1]


@pytest.mark.parametrize("index", [LONG, -LONG - 1])
def test_there_is_nothing_beyond_the_ends(record: Entries, index: int) -> None:
    with pytest.raises(IndexError):
        record[index]


def test_the_newest_entries_are_at_hand(record: Entries, disk: Disk) -> None:
    disk.away = True
    assert record[-IN_MEMORY:] == disk.entries[-IN_MEMORY:]


def test_what_is_not_saved_stays_in_memory_however_much_it_is(disk: Disk) -> None:
    record = Entries(disk.read, disk.entries)
    record.saved(IN_MEMORY - 1)
    assert list(record) == disk.entries
    assert disk.reads == []


def test_a_page_is_read_once_while_it_is_in_use_and_few_are_kept(
    record: Entries, disk: Disk
) -> None:
    for _ in range(3):
        assert [record[index].n for index in range(PAGE, PAGE + 5)] == list(
            range(PAGE + 1, PAGE + 6)
        )
    assert disk.reads == [(PAGE + 1, 2 * PAGE)]
    assert [record[number * PAGE].n for number in range(2, PAGES + 3)][-1] == (PAGES + 2) * PAGE + 1
    assert record[PAGE].n == PAGE + 1
    assert disk.reads.count((PAGE + 1, 2 * PAGE)) == 2


def test_old_entries_that_cannot_be_read_say_so_until_they_can(record: Entries, disk: Disk) -> None:
    disk.away = True
    with pytest.raises(SessionDeniedError, match="attach it"):
        record[0]
    with pytest.raises(SessionDeniedError, match="attach it"):
        list(record)
    disk.away = False
    assert record[0].n == 1


def test_a_record_that_is_iterated_while_it_grows_is_read_to_its_end(disk: Disk) -> None:
    record = Entries(disk.read, disk.entries[:3])
    seen = iter(record)
    assert next(seen).n == 1
    record.extend(disk.entries[3:5])
    assert [entry.n for entry in seen] == [2, 3, 4, 5]
