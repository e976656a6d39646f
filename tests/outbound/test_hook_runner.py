"""A hook at work: in order, again after a failure, given up at last, and never in the way."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from companion.config.outlets import Hook
from companion.feed.events import Event
from companion.outbound.exchange import UndeliveredError
from companion.outbound.hook_runner import MOST, PAUSES_S, TRIES, Delivered, HookRunner
from tests.outbound.events import event_of

TIMEOUT_S = 20.0
START = Delivered(0)


class Place:
    """Takes events, and fails with the reasons in `fails` first."""

    def __init__(self, *fails: str) -> None:
        self.tried: list[int] = []
        self.fails = list(fails)
        self.open = threading.Event()
        self.open.set()
        self.busy = threading.Event()
        self.stopped = threading.Event()

    def __call__(self, event: Event) -> None:
        self.tried.append(event.entry)
        self.busy.set()
        assert self.open.wait(TIMEOUT_S)
        if self.stopped.is_set():
            raise UndeliveredError("it was broken off")
        if self.fails:
            raise UndeliveredError(self.fails.pop(0))

    def stop(self) -> None:
        self.stopped.set()
        self.open.set()


class Run:
    """A runner, with the progress, sentences and pauses it produced."""

    def __init__(
        self, place: Place, at: Delivered = START, on: frozenset[str] | None = None
    ) -> None:
        self.kept: list[Delivered] = []
        self.said: list[str] = []
        self.paused: list[float] = []
        self._more = threading.Condition()
        hook = (
            Hook("lights", url="http://127.0.0.1/x")
            if on is None
            else Hook("lights", on, "http://127.0.0.1/x")
        )
        self.runner = HookRunner(
            hook,
            place,
            at,
            keep=self._keep,
            tell=self.said.append,
            stop=place.stop,
            pause=self._pause,
        )

    def _keep(self, row: Delivered) -> None:
        with self._more:
            self.kept.append(row)
            self._more.notify_all()

    def _pause(self, seconds: float) -> bool:
        self.paused.append(seconds)
        return False

    def put(self, *entries: int) -> None:
        for entry in entries:
            self.runner.put(event_of(entry))

    def until(self, holds: Callable[[Delivered], bool]) -> Delivered:
        with self._more:
            assert self._more.wait_for(lambda: self.kept and holds(self.kept[-1]), TIMEOUT_S), (
                self.kept[-3:]
            )
            return self.kept[-1]

    def end(self) -> Delivered:
        self.runner.leave()
        self.runner.join(TIMEOUT_S)
        return self.kept[-1]


def test_events_are_delivered_in_order_and_each_is_kept() -> None:
    place = Place()
    run = Run(place)
    run.put(1, 2, 3)
    assert run.end() == Delivered(event_of(3).number, sent=3)
    assert place.tried == [1, 2, 3]
    assert run.runner.state == "on; 3 delivered"


def test_what_it_had_before_does_not_come_again() -> None:
    place = Place()
    run = Run(place, Delivered(event_of(2).number, sent=2))
    run.put(1, 2, 3, 3, 2)
    assert run.end().sent == 3
    assert place.tried == [3]


def test_kinds_that_it_is_not_told_of_are_passed_over() -> None:
    place = Place()
    run = Run(place, on=frozenset({"score"}))
    run.put(1, 2)
    run.end()
    assert not place.tried


def test_a_failed_try_comes_again_before_the_next_event() -> None:
    place = Place("it answered 500", "it answered 502")
    run = Run(place)
    run.put(1, 2)
    run.until(lambda at: at.sent == 2)
    run.end()
    assert place.tried == [1, 1, 1, 2]
    assert run.paused == list(PAUSES_S[:2])
    assert not run.said


def test_it_is_given_up_with_one_sentence_and_what_waits_is_for_the_next_start() -> None:
    place = Place(*["it answered 500"] * TRIES)
    run = Run(place)
    run.put(1, 2)
    at = run.until(lambda at: at.off)
    assert run.end() == at == Delivered(0, trouble="it answered 500", off=True)
    assert place.tried == [1] * TRIES
    assert run.paused == list(PAUSES_S)
    assert run.said == [f"Hook lights is off: {TRIES} tries failed, it answered 500."]
    assert run.runner.state.startswith("off until the next start: it answered 500; 0 delivered")


def test_of_more_than_can_wait_the_oldest_are_dropped_and_counted() -> None:
    place = Place()
    place.open.clear()
    run = Run(place)
    run.put(1)
    assert place.busy.wait(TIMEOUT_S)
    run.put(*range(2, MOST + 5))
    assert run.runner.at.dropped == 3
    assert f", {MOST} waiting, 3 dropped" in run.runner.state
    place.open.set()
    end = run.end()
    assert (end.sent, end.dropped) == (MOST + 1, 3)
    assert place.tried == [1, *range(5, MOST + 5)]


def test_what_was_overtaken_by_drops_and_never_arrived_counts_as_dropped() -> None:
    place = Place(*["no"] * TRIES)
    place.open.clear()
    run = Run(place)
    run.put(1)
    assert place.busy.wait(TIMEOUT_S)
    run.put(*range(2, MOST + 3))
    place.open.set()
    run.until(lambda at: at.off)
    assert run.end().dropped == 2


def test_leaving_waits_no_longer_than_it_may_and_breaks_off_what_hangs() -> None:
    place = Place()
    place.open.clear()
    run = Run(place)
    run.put(1, 2)
    assert place.busy.wait(TIMEOUT_S)
    run.runner.leave()
    run.runner.join(0.0)
    assert place.stopped.is_set()
    assert run.kept[-1].number == 0, "both come again at the next start"
    run.runner.join(TIMEOUT_S)
    assert set(place.tried) == {1}, "nothing more is begun"


def test_leaving_ends_the_wait_between_two_tries() -> None:
    place = Place(*["no"] * TRIES)
    kept: list[Delivered] = []
    tried = threading.Event()
    hook = Hook("lights", url="http://127.0.0.1/x")

    def keep(row: Delivered) -> None:
        kept.append(row)
        tried.set()

    runner = HookRunner(hook, place, START, keep=keep, tell=lambda _: None, stop=place.stop)
    runner.put(event_of(1))
    assert tried.wait(TIMEOUT_S)
    runner.leave()
    runner.join(TIMEOUT_S)
    assert len(place.tried) < TRIES
    assert kept[-1].number == 0
    assert not kept[-1].off


@pytest.mark.parametrize("count", [1, MOST])
def test_putting_never_waits_for_what_hangs(count: int) -> None:
    place = Place()
    place.open.clear()
    run = Run(place)
    run.put(*range(1, count + 1))
    assert len(place.tried) <= 1
    place.open.set()
    assert run.end().sent == count
