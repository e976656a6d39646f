"""The guard of the keys: which key waits, and how long."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from hypothesis import given, strategies as st

from companion.session.key_meanings import GUARD_US, KeyDebounce, in_words, key_context
from companion.session.taps import Step
from tests.session.tap_scripts import GAP_US, StepClock, open_table, script_of, type_in

Keys = tuple[str, str]
"""What the two keys of a small keyboard mean."""


def first(keys: Keys) -> object:
    return keys[0]


def second(keys: Keys) -> object:
    return keys[1]


def test_a_key_that_turned_by_itself_waits_for_300_ms_and_no_longer() -> None:
    guard: KeyDebounce[Keys] = KeyDebounce()
    guard.note_change(1_000, ("fire", "draw"), ("name", "draw"))
    now = ("name", "draw")
    assert GUARD_US == 300_000
    assert guard.must_wait(1_000, now, first)
    assert guard.must_wait(1_000 + GUARD_US - 1, now, first)
    assert not guard.must_wait(1_000 + GUARD_US, now, first)


def test_a_key_that_means_what_it_meant_does_not_wait() -> None:
    guard: KeyDebounce[Keys] = KeyDebounce()
    guard.note_change(0, ("fire", "draw"), ("name", "draw"))
    assert not guard.must_wait(10, ("name", "draw"), second)


def test_what_a_key_changed_since_then_is_meant() -> None:
    guard: KeyDebounce[Keys] = KeyDebounce()
    guard.note_change(0, ("fire", "draw"), ("name", "draw"))
    assert not guard.must_wait(10, ("shot", "draw"), first)


def test_of_several_turns_each_is_looked_at() -> None:
    guard: KeyDebounce[Keys] = KeyDebounce()
    guard.note_change(0, ("fire", "draw"), ("name", "draw"))
    guard.note_change(10, ("name", "draw"), ("name", "shot"))
    now = ("name", "shot")
    assert guard.must_wait(20, now, first)
    assert guard.must_wait(20, now, second)
    assert not guard.must_wait(GUARD_US + 5, now, first)
    assert guard.must_wait(GUARD_US + 5, now, second)


_MEANINGS = st.tuples(st.sampled_from("abc"), st.sampled_from("xy"))
_STEPS = st.lists(st.tuples(st.integers(0, 200_000), st.booleans(), _MEANINGS), max_size=12)


@given(_STEPS, st.integers(0, 400_000))
def test_a_key_waits_exactly_when_its_meaning_came_by_itself_in_the_last_300_ms(
    steps: list[tuple[int, bool, Keys]], later_us: int
) -> None:
    """The guard is notified of `by_itself` changes; the others are made by keys."""
    guard: KeyDebounce[Keys] = KeyDebounce()
    now_us, keys = 0, ("a", "x")
    came: list[tuple[int, Keys, Keys]] = []
    for wait_us, by_itself, meaning in steps:
        now_us += wait_us
        if by_itself:
            guard.note_change(now_us, keys, meaning)
            came.append((now_us, keys, meaning))
        keys = meaning
    now_us += later_us
    fresh = [turn for turn in came if now_us - turn[0] < GUARD_US]
    for place, means in ((0, first), (1, second)):
        expected = any(before[place] != keys[place] == after[place] for _, before, after in fresh)
        assert guard.must_wait(now_us, keys, means) is expected


@given(_STEPS)
def test_after_300_ms_of_quiet_no_key_waits(steps: list[tuple[int, bool, Keys]]) -> None:
    guard: KeyDebounce[Keys] = KeyDebounce()
    now_us, keys = 0, ("a", "x")
    for wait_us, _, meaning in steps:
        now_us += wait_us
        guard.note_change(now_us, keys, meaning)
        keys = meaning
    assert not guard.must_wait(now_us + GUARD_US, keys, first)
    assert not guard.must_wait(now_us + GUARD_US, keys, second)


def test_a_key_that_has_to_wait_does_not_say_what_it_would_reveal(tmp_path: Path) -> None:
    """The sentence of Sky Rise's reveal names everybody's goals, which are still face down."""
    script = script_of("sky-rise", ("Ann", "Bo"), 2, tmp_path, type_in)
    clock = StepClock()
    with closing(open_table("sky-rise", ("Ann", "Bo"), tmp_path / "again.sqlite", clock)) as table:
        for wish in script.wishes:
            clock.us += GAP_US
            if wish == Step("sky-rise.reveal"):
                break
            type_in(table, clock, wish)
        (reveal,) = (action for action in table.actions if action.id == "sky-rise.reveal")
        words = table.look(lambda record: in_words(record, reveal, key_context(record, None)))
        assert words == reveal.label
