"""Work that takes a while, done behind the screen: nobody waits for it, and its fault ends nothing."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TypeVar

from textual.dom import DOMNode
from textual.message import Message

T = TypeVar("T")


class Fault(Message):
    """What was done behind the screen failed by a fault of the program; the app tells it in one sentence."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error


def behind(owner: DOMNode, work: Callable[[], T], take: Callable[[T], None], failed: Callable[[], None]) -> None:
    """Do `work` in a thread of its own, then `take` what it returned, or `failed`, in the thread of the screen."""

    def run() -> None:
        try:
            then: Callable[[], None] = partial(take, work())
        except Exception as error:
            owner.post_message(Fault(error))
            then = failed
        with suppress(RuntimeError):  # the loop has just closed: nobody looks any more
            owner.call_later(then)

    owner.run_worker(run, thread=True)
