"""The record as it is told with a delay: what is taken back within it is never told, whatever else is done."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import Any

import pytest

from companion.feed.events import CorrectionEvent, Event
from companion.feed.feed import FeedReading
from companion.feed.held_record import SETTLE_S, HeldProjection, HeldRecord
from companion.games.skyfire.rules.game import GAME
from companion.journal.entries import Control, Draft, Entry, Layer, is_control
from companion.journal.fold import FoldOrder, void_draft
from companion.journal.record import FIRST_DIGEST, seal
from companion.rules.header import header
from companion.session.projection import SessionProjection
from tests.feed.feeding import told
from tests.games.skyfire.playing import setup
from tests.thorough import examples

DELAY_S = 30.0
START = 1_772_395_200.0
SETUP = setup("red blue green")


@dataclass
class Evening:
    """A record that grows while time passes, and its reader."""

    now: float = START
    entries: list[Entry] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.add(Draft(Layer.CONTROL, "session", header(SETUP, "evening")))

    def add(self, *drafts: Draft) -> None:
        wall = datetime.fromtimestamp(self.now, UTC).isoformat(timespec="milliseconds")
        for draft in drafts:
            before = self.entries[-1].digest if self.entries else FIRST_DIGEST
            self.entries.append(seal(draft, len(self.entries) + 1, wall, before, bytes(16))[0])

    def score(self, seat: str, score: int, **more: Any) -> int:
        """Enter a fact that the rules always allow, with a unique number."""
        self.add(
            Draft(Layer.FACT, "score_set", {"seat": seat, "score": score, "reason": "told"}, **more)
        )
        return len(self.entries)

    def void(self, n: int) -> int:
        self.add(void_draft(n, ""))
        return len(self.entries)

    @property
    def hold(self) -> Any:
        return partial(HeldRecord, unix_time=lambda: self.now, clock_s=lambda: self.now)

    def reading(self, delay_s: float = DELAY_S) -> FeedReading:
        return FeedReading(GAME, SETUP, self.entries, None, delay_s, hold=self.hold)

    def held(self) -> HeldRecord:
        return HeldRecord(
            self.entries,
            lambda: len(self.entries),
            DELAY_S,
            unix_time=lambda: self.now,
            clock_s=lambda: self.now,
        )


def words(event: Event) -> str:
    return str(event.model_dump(mode="json"))


def test_an_event_comes_when_the_delay_is_over_and_not_before() -> None:
    evening = Evening()
    reading = evening.reading()
    assert [event.kind for event in reading.take()] == ["session"]
    evening.score("red", 1001)
    assert list(reading.take()) == []
    assert reading.wait_s == DELAY_S + SETTLE_S
    evening.now += DELAY_S
    assert list(reading.take()) == []
    evening.now += SETTLE_S
    assert [event.entry for event in reading.take()] == [2, 2]
    assert reading.wait_s is None


def test_what_is_taken_back_within_the_delay_is_not_told_and_neither_is_that() -> None:
    evening = Evening()
    reading = evening.reading()
    n = evening.score("red", 1001)
    evening.now += DELAY_S - 1
    evening.void(n)
    evening.now += 2 * DELAY_S
    assert [event.kind for event in reading.take()] == ["session"]


def test_what_is_taken_back_later_is_told_and_then_corrected() -> None:
    evening = Evening()
    reading = evening.reading()
    n = evening.score("red", 1001)
    evening.now += DELAY_S + 1
    evening.void(n)
    evening.now += 2 * DELAY_S
    events = list(reading.take())
    assert events == told(evening.entries)
    assert isinstance(events[-1], CorrectionEvent)


def test_what_comes_back_after_the_delay_is_told_then() -> None:
    evening = Evening()
    reading = evening.reading()
    n = evening.score("red", 1001)
    evening.now += 1
    void = evening.void(n)
    evening.now += 2 * DELAY_S
    assert [event.kind for event in reading.take()] == ["session"]
    evening.void(void)
    evening.now += 2 * DELAY_S
    (event,) = reading.take()
    assert isinstance(event, CorrectionEvent)
    assert (event.what, [change.after for change in event.changed]) == ("brought back", [1001])


def test_why_something_was_put_in_by_hand_is_told_with_it_alone() -> None:
    evening = Evening()
    held = evening.held()
    n = evening.score("red", 1001)
    evening.add(
        Draft(
            Layer.CONTROL,
            Control.REMARK,
            {"entries": [n], "why": "a look at the cards", "who": "red"},
        )
    )
    void = evening.void(n)
    evening.now += 2 * DELAY_S
    list(held.take())
    assert len(held.entries) == void
    assert "a look at the cards" not in repr(held.entries)
    evening.void(void)
    evening.now += 2 * DELAY_S
    assert any(held.take())
    assert held.entries == evening.entries


def test_a_mistake_mended_within_the_delay_is_told_mended() -> None:
    evening = Evening()
    reading = evening.reading()
    n = evening.score("red", 1001)
    evening.now += 5
    right = Draft(
        Layer.FACT,
        "score_set",
        {"seat": "red", "score": 1002, "reason": "told"},
        after=n,
        joined=True,
    )
    evening.add(void_draft(n, "typing error"), right)
    evening.now += 2 * DELAY_S
    lines = [words(event) for event in reading.take()]
    assert not any("1001" in each for each in lines)
    assert "1002" in lines[-1]


def test_a_clock_that_is_set_holds_nothing_longer_and_tells_nothing_sooner() -> None:
    evening = Evening()
    monotonic = [0.0]
    held = HeldRecord(
        evening.entries,
        lambda: len(evening.entries),
        DELAY_S,
        unix_time=lambda: evening.now,
        clock_s=lambda: monotonic[0],
    )
    evening.now += 3600
    list(held.take())
    evening.score("red", 1001)
    list(held.take())
    evening.now -= 1800
    evening.score("red", 1002)
    list(held.take())
    assert held.wait_s == DELAY_S + SETTLE_S
    evening.now += 86_400
    monotonic[0] += DELAY_S
    list(held.take())
    assert len(held.entries) == 1
    monotonic[0] += SETTLE_S
    list(held.take())
    assert len(held.entries) == 3


# -- whatever is done


def some_evening(chance: random.Random, read: Any) -> Evening:
    """Enter, undo, redo and correct facts at random times; `read` is called after each."""
    evening = Evening()
    for turn in range(40):
        evening.now += chance.choice([0, 1, 5, 20, 29.5, 31, 45])
        done = [
            entry.n
            for entry in evening.entries
            if entry.layer is Layer.FACT or is_control(entry, Control.VOID)
        ]
        choice, seat = chance.random(), chance.choice(["red", "blue"])
        if not done or choice < 0.45:
            evening.score(seat, 1000 + turn)
        elif choice < 0.85:
            evening.void(chance.choice(done[-4:]))
        else:
            wrong = evening.entries[chance.choice(done[-4:]) - 1]
            right = {"seat": seat, "score": 1000 + turn, "reason": "told"}
            after = Draft(Layer.FACT, "score_set", right, after=wrong.n, joined=True)
            evening.add(void_draft(wrong.n, "typing error"), after)
        read(evening)
    return evening


def stands(entries: Sequence[Entry], n: int, until: float) -> bool:
    """Return whether entry `n` counted at that time."""
    order = FoldOrder()
    for entry in entries:
        if datetime.fromisoformat(entry.wall).timestamp() <= until:
            order.add(entry)
    return order.stands(n)


@pytest.mark.parametrize("seed", range(examples(12, 250)))
def test_what_is_undone_within_the_delay_is_never_told(seed: int) -> None:
    chance = random.Random(seed)
    came: list[tuple[float, Event]] = []
    readings: dict[int, FeedReading] = {}

    def read(evening: Evening) -> None:
        reading = readings.setdefault(0, evening.reading())
        came.extend((evening.now, event) for event in reading.take())

    evening = some_evening(chance, read)
    evening.now += 3600
    read(evening)
    events = [event for _, event in came]
    walls = [datetime.fromisoformat(entry.wall).timestamp() for entry in evening.entries]

    assert events == list(evening.reading().take()), "whoever reads it all at once is told the same"
    numbers = [event.number for event in events]
    assert numbers == sorted(set(numbers))
    for at, event in came:
        assert event.entry == 1 or at >= walls[event.entry - 1] + DELAY_S
        for entry in evening.entries:
            if entry.layer is Layer.FACT and f"{entry.body['score']}" in words(event):
                moments = [walls[n - 1] + DELAY_S for n in range(entry.n, event.entry + 1)]
                assert any(stands(evening.entries, entry.n, moment) for moment in moments), (
                    entry,
                    event,
                )


@pytest.mark.parametrize("seed", range(examples(12, 250)))
def test_in_the_end_all_have_seen_the_same_game(seed: int) -> None:
    held: dict[int, HeldProjection] = {}
    events: list[Event] = []
    readings: dict[int, FeedReading] = {}

    def read(evening: Evening) -> None:
        if not held:
            saved = lambda: len(evening.entries)  # noqa: E731
            held[0] = HeldProjection(GAME, SETUP, evening.hold(evening.entries, saved, DELAY_S))
            readings[0] = evening.reading()
        held[0].look()
        events.extend(readings[0].take())

    evening = some_evening(random.Random(seed), read)
    evening.now += 3600
    read(evening)
    live = SessionProjection(GAME, SETUP, evening.entries)
    assert GAME.standings(held[0].record.state) == GAME.standings(live.state)
    assert events[-1].table.players == told(evening.entries)[-1].table.players
