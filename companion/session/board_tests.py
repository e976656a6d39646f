"""Tests of the board while a game is on: from when to when, by the board's clock. Pure.

A press for a test is evidence, and no fact of the game."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from companion.journal.entries import Control, Draft, Entry, Layer, is_control
from firmware_protocol.messages import ARMED

SELFTEST, CALIBRATE = "selftest", "calibrate"
IN_TEST = "pressed while the board was tested"
_DOING = {SELFTEST: "tested", CALIBRATE: "calibrated"}


def doing(what: str) -> str:
    """Return what happens to the board: `tested` or `calibrated`."""
    return _DOING.get(what, "tested")


def draft_of_test(what: str, who: str, boot_id: int, t_us: int, *, begins: bool) -> Draft:
    """Return the draft for the beginning or the end of a test, at the board's time."""
    body = {"begins": begins, "boot": boot_id, "what": what, "who": who}
    return Draft(Layer.CONTROL, Control.TEST, body, t_us=t_us)


@dataclass(slots=True)
class _Test:
    """A test on one boot of the board. `to_us` is None until its end is known. `is_left`: the program ended before."""

    boot_id: int
    from_us: int
    to_us: int | None = None
    is_left: bool = False


class BoardTests:
    """The tests in a record; reads it entry by entry.

    A test that a program left without an end lasts until the board is armed by the next one: nobody knows which of the
    presses in between were meant for the game.
    """

    def __init__(self) -> None:
        self.sentence = ""
        """What is said on every screen while a test is on; empty otherwise."""
        self._tests: list[_Test] = []

    def read(self, entries: Iterable[Entry]) -> None:
        """Read the next entries of the record."""
        for entry in entries:
            if is_control(entry, Control.TEST):
                self._note(entry)
            elif self._tests:
                self._note_end(entry)

    def covers(self, boot_id: int, t_us: int) -> bool:
        """Return whether the board was tested when this boot of it stamped `t_us`."""
        for test in self._tests:
            is_begun = test.boot_id == boot_id and test.from_us <= t_us
            if is_begun and (test.to_us is None or t_us <= test.to_us):
                return True
        return False

    def _note(self, entry: Entry) -> None:
        body, t_us = entry.body, entry.t_us or 0
        if body["begins"]:
            self._tests.append(_Test(body["boot"], t_us))
            by = f" ({body['who']})" if body["who"] else ""
            self.sentence = f"The board is being {doing(body['what'])}{by}. Presses do not count."
        elif self._tests:
            self._tests[-1].to_us = t_us
            self.sentence = ""

    def _note_end(self, entry: Entry) -> None:
        """Note what ends a test that was left: the session is resumed, then the board is armed again."""
        test = self._tests[-1]
        if test.to_us is not None:
            return
        if is_control(entry, Control.RESUMED, Control.ENDED):
            test.is_left = True
            self.sentence = ""
        elif test.is_left and _is_armed(entry, test.boot_id):
            test.to_us = entry.t_us


def _is_armed(entry: Entry, boot_id: int) -> bool:
    """Return whether this boot of the board reports in an entry that it is armed."""
    if entry.layer is not Layer.EVIDENCE or entry.kind != "state":
        return False
    return bool(entry.body["boot"] == boot_id and entry.body["flags"] & ARMED)
