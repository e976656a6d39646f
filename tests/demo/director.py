"""Simulated faults on the board of a demo: from the script of a seed, and on request."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from random import Random

from companion.rules.actions import Action
from firmware_protocol.virtual.client import VirtualBoard
from firmware_protocol.virtual.runtime import VirtualBoardError
from tests.demo.fault_script import PROFILES, Fault, FaultKind, begin, drawn, end, heal, timeline

GROUP = "Faults"


class Director:
    """Plays faults on a board, one at a time, in a thread of its own: those of a script, and at once the requested
    ones."""

    def __init__(self, board: VirtualBoard, script: Iterator[Fault], seed: int) -> None:
        self.played: Counter[FaultKind] = Counter()
        self._board = board
        self._script = script
        self._random = Random(seed)
        self._wanted: list[FaultKind] = []
        self._changed = threading.Condition()
        self._ending = False
        self._thread = threading.Thread(target=self._run, name="faults", daemon=True)

    def start(self) -> None:
        """Start the script's clock."""
        self._thread.start()

    def want(self, kind: FaultKind) -> None:
        """Play a fault of this kind as soon as the present one is over."""
        with self._changed:
            self._wanted.append(kind)
            self._changed.notify_all()

    def stop(self) -> None:
        """End, and remove all faults."""
        with self._changed:
            self._ending = True
            self._changed.notify_all()
        if self._thread.ident is not None:
            self._thread.join()
        with suppress(VirtualBoardError):  # a board that is gone needs nothing put right
            heal(self._board)

    def _run(self) -> None:
        begun_s = time.monotonic()
        fault = next(self._script, None)
        while not self._ending:
            due_s = None if fault is None else begun_s + fault.at_s - time.monotonic()
            wanted = self._wait(due_s)
            if wanted is not None:
                self._play(drawn(wanted, PROFILES["rough"].spreads[wanted], self._random))
            elif fault is not None and not self._ending:
                self._play(fault)
                fault = next(self._script, None)

    def _wait(self, seconds: float | None) -> FaultKind | None:
        with self._changed:
            self._changed.wait_for(lambda: self._ending or bool(self._wanted), seconds)
            return self._wanted.pop(0) if self._wanted and not self._ending else None

    def _play(self, fault: Fault) -> None:
        with suppress(VirtualBoardError):  # it has no power for another reason just now
            begin(self._board, fault, self._random.randrange(1 << 16))
            self.played[fault.kind] += 1
        with self._changed:
            self._changed.wait_for(lambda: self._ending, fault.lasts_s)
        with suppress(VirtualBoardError):
            end(self._board, fault)

    def sentence(self) -> str:
        """Return the faults that were played, in a sentence."""
        if not self.played:
            return "No faults."
        listed = "; ".join(
            f"{kind}{f' ({count} times)' if count > 1 else ''}"
            for kind, count in self.played.items()
        )
        return f"Faults: {listed}."


def script(profile: str | None, seed: int) -> Iterator[Fault]:
    """Return the faults of a profile by its name; empty for None."""
    return iter(()) if profile is None else timeline(seed, PROFILES[profile])


def menu(director: Director) -> tuple[tuple[Action, Callable[[], None]], ...]:
    """Return entries for a screen, without keys: each fault and the action that plays it."""
    return tuple(
        (
            Action(
                f"fault.{kind.name.lower()}",
                (),
                kind.name.lower().replace("_", " "),
                f"Fault: {kind}.",
                GROUP,
            ),
            partial(director.want, kind),
        )
        for kind in FaultKind
    )
