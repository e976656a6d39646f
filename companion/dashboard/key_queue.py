"""Keys one after the other: each finds the screen that the one before it has opened."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any

from textual import events
from textual.app import ReturnType
from textual.message import Message

from companion.dashboard.ending import between_messages
from companion.dashboard.private_textual import PrivateApp

LONGEST_S = 1.0
"""Seconds that a key waits at most for what the one before it does: reading a long record, or nothing any more."""


class Done(Message):
    """Goes the way of key `number`, right behind it."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


class KeyQueue(PrivateApp[ReturnType], inherit_bindings=False):
    """An app that takes a key when what the key before it did is done, the fields of a new screen in place.

    Textual (8.2) hands a key to what has the focus when it comes in, and looks for its binding only after that has let
    it pass. Of keys typed in one go, those behind the one that opens a form were handed to the page below, and lost, or
    taken for keys of the form before it had its fields.
    """

    def __init__(self) -> None:
        super().__init__()
        self._kept: deque[events.Key] = deque()
        self._taken = 0  # keys taken so far: the number of the last one
        self._busy = False
        self._opening = 0
        self._overdue: asyncio.TimerHandle | None = None

    def run(self, **options: Any) -> ReturnType | None:
        """Run the app as Textual does; a signal that ends the program leaves the screen first."""
        with between_messages(self.exit):
            return super().run(**options)

    def opening(self) -> Callable[[], None]:
        """Have the next key wait for a screen that the last one opens behind this one; return what says that it is
        open, or will not be."""
        self._opening += 1

        def opened() -> None:
            self._opening -= 1
            self.on_done(Done(self._taken))

        return opened

    async def on_event(self, event: events.Event) -> None:
        """Take a key, or keep it until it is its turn."""
        if not isinstance(event, events.Key) or event.is_forwarded:
            await super().on_event(event)
        elif self._busy:
            self._kept.append(event)
        else:
            await self._hand_over(event)

    def takes(self, _key: events.Key) -> bool:
        """Return whether a key whose turn it is does anything."""
        return True

    async def _hand_over(self, key: events.Key) -> None:
        while not self.takes(key):
            if not self._kept:
                return
            key = self._kept.popleft()
        self._busy = True
        self._taken += 1
        self._overdue = asyncio.get_running_loop().call_later(LONGEST_S, self._go_on, self._taken)
        way = self.focused or self.screen
        await super().on_event(key)
        if not way.post_message(Done(self._taken)):
            self.on_done(Done(self._taken))

    def on_done(self, event: Done) -> None:
        """Let the screen that is open now come to rest before the next key."""
        if not self._opening and not self.screen.call_later(self._go_on, event.number):
            self._go_on(event.number)

    def _go_on(self, number: int) -> None:
        self.call_later(self._next_turn, number)

    async def _next_turn(self, number: int) -> None:
        if number != self._taken or not self._busy:
            return
        if self._overdue is not None:
            self._overdue.cancel()
        self._busy = False
        if self._kept:
            await self._hand_over(self._kept.popleft())
