from __future__ import annotations

import pytest

from companion.journal.entries import Entry, Layer
from companion.journal.timeline import DENSITY, SPACING, Checkpoints, Timeline

LONG = 600 * SPACING


def passed(count: int) -> Checkpoints[int]:
    """Return the checkpoints of a fold whose state is the number of its facts."""
    checkpoints = Checkpoints(0)
    for place in range(count):
        checkpoints.pass_by(place, place)
    return checkpoints


class Counting:
    """Rules whose state is the number of facts applied and the last one; counts applications."""

    def __init__(self) -> None:
        self.applied = 0

    def __call__(self, state: tuple[int, int], fact: Entry) -> tuple[int, int]:
        self.applied += 1
        return state[0] + 1, fact.n


def marks(count: int) -> list[Entry]:
    return [mark(n) for n in range(1, count + 1)]


def mark(n: int, after: int | None = None) -> Entry:
    return Entry(n, Layer.FACT, "mark", {}, "keyboard", (), after, None, None, "", b"")


def folded(entries: list[Entry]) -> tuple[Timeline[tuple[int, int]], Counting]:
    rules = Counting()
    timeline = Timeline((0, 0), rules, LookupError)
    timeline.extend(entries)
    return timeline, rules


def test_the_nearest_checkpoint_is_near_the_end_close_by_and_never_far_for_how_long_ago_it_is() -> (
    None
):
    end = LONG
    checkpoints = passed(end)
    for place in range(end):
        nearest = checkpoints.before(place)
        assert nearest.state == nearest.place
        assert place - nearest.place < max(SPACING, 1 + (end - place) / DENSITY)


def test_of_ten_times_as_many_facts_hardly_more_checkpoints_are_kept() -> None:
    def count(checkpoints: Checkpoints[int], end: int) -> int:
        return len({checkpoints.before(place).place for place in range(0, end, SPACING)})

    assert count(passed(100 * LONG), 100 * LONG) < 2 * count(passed(10 * LONG), 10 * LONG)


def test_what_stands_behind_a_place_is_forgotten_and_kept_anew() -> None:
    checkpoints = passed(LONG)
    checkpoints.cut(10 * SPACING + 1)
    assert checkpoints.before(LONG).place == 10 * SPACING
    checkpoints.pass_by(11 * SPACING, -1)
    assert checkpoints.before(LONG).state == -1


def test_a_copy_goes_on_apart() -> None:
    checkpoints = passed(3 * SPACING)
    other = checkpoints.copy()
    other.cut(0)
    assert (other.before(LONG), checkpoints.before(LONG).place) == ((0, 0), 3 * SPACING - 1)


def test_what_is_put_right_long_ago_comes_to_the_same_as_a_fold_of_all() -> None:
    timeline, _ = folded(marks(LONG))
    inserted = mark(LONG + 1, after=7)
    timeline.add(inserted)
    assert timeline.state == (LONG + 1, LONG)
    assert timeline.state_before(inserted.n) == (7, 7)
    assert timeline.state_before(8) == (8, inserted.n)
    assert timeline.state_before(LONG) == (LONG, LONG - 1)


def test_looks_that_go_on_where_the_last_one_ended_apply_each_fact_once() -> None:
    timeline, rules = folded(marks(LONG))
    rules.applied = 0
    assert [timeline.state_before(n) for n in range(1, 1001)] == [
        (n - 1, n - 1) for n in range(1, 1001)
    ]
    assert rules.applied < 1000 + SPACING


def test_a_look_does_not_go_on_from_a_past_that_was_put_right_since() -> None:
    timeline, _ = folded(marks(100))
    assert timeline.state_before(50) == (49, 49)
    timeline.add(mark(101, after=20))
    assert timeline.state_before(51) == (51, 50)


class Torn:
    """A record whose entries cannot be read while it is torn."""

    def __init__(self, entries: list[Entry]) -> None:
        self.entries = entries
        self.torn = False

    def at(self, n: int) -> Entry:
        if self.torn:
            raise OSError("torn")
        return self.entries[n - 1]


def test_a_past_that_cannot_be_read_is_put_right_as_soon_as_it_can() -> None:
    record = Torn(marks(100))
    timeline = Timeline((0, 0), Counting(), LookupError, record.at)
    timeline.extend(record.entries)
    record.torn = True
    for late in (mark(101, after=3), mark(102)):
        record.entries.append(late)
        with pytest.raises(OSError, match="torn"):
            timeline.add(late)
    assert timeline.state == (100, 100)
    record.torn = False
    record.entries.append(mark(103))
    timeline.add(record.entries[-1])
    assert timeline.state == (103, 103)
    assert timeline.state_before(4) == (4, 101)
