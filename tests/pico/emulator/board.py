"""An emulated Pico that runs by itself beside a companion of the same process: behind a port, with hands at its pins.

Emulation takes three to five times as long as the chip. So a companion that plays on it lives by `clock_ns` and not by
the computer's clock: nothing is late, and all times are right.
"""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from collections.abc import Iterable
from concurrent.futures import Future
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Self

from firmware_protocol.frames import FrameDecoder
from firmware_protocol.virtual.hands import Hands, Played
from firmware_protocol.virtual.physics import HIT_ADC, Edge
from firmware_protocol.virtual.runtime import VirtualBoardError
from tests.pico.emulator.emulated import US, Chip, EmulatedPico
from tests.pico.emulator.parts import Parts
from tests.pico.emulator.port import PicoPort

# As long as an order to a chip that is reset takes, on a computer that does much else.
ORDER_S = 30.0
ENDED = "The emulated Pico was ended."
SILENT = f"The emulated Pico did nothing for {ORDER_S:.0f} s."


class PicoBoard(Hands):
    """The chip runs in a thread of its own while its context is entered.

    `clock_ns` is the emulated time, at most as fast as the computer's own; once the emulator has ended it goes on like
    that one, so that nobody waits for ever.
    """

    def __init__(self, parts: Parts, chip: Chip, path: Path, seed: int) -> None:
        self.url = str(path)
        self.runtime = "MicroPython on the emulated chip"
        self.clock_ns = self._now_ns
        self._random = Random(seed)
        self._pico = EmulatedPico(parts, chip)
        self._port = PicoPort(self._pico, path, on_said=self._note_boot)
        self._decoder = FrameDecoder()
        self._boot_id = 0
        self._orders: queue.SimpleQueue[tuple[list[Edge], Future[Played]]] = queue.SimpleQueue()
        self._stands = threading.Event()
        self._ending = threading.Event()
        self._why = ENDED
        self._ended_ns: int | None = None
        self._thread = threading.Thread(target=self._run, name="emulated Pico", daemon=True)

    def __enter__(self) -> Self:
        """Let the chip run; return when its port stands."""
        self._thread.start()
        if not self._stands.wait(ORDER_S) or self._ended_ns is not None:
            self.__exit__(None, None, None)
            raise VirtualBoardError(self._why if self._why != ENDED else SILENT)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._ending.set()
        self._thread.join()

    def _now_ns(self) -> int:
        since_ns = 0 if self._ended_ns is None else time.monotonic_ns() - self._ended_ns
        return self._pico.ns + since_ns

    def hand_over(self, edges: Iterable[Edge]) -> Played:
        """Hand raw edges to the pins; from any thread."""
        taken: Future[Played] = Future()
        self._orders.put((list(edges), taken))
        if self._ended_ns is not None:
            self._refuse_orders()
        try:
            return taken.result(ORDER_S)
        except TimeoutError:
            raise VirtualBoardError(SILENT) from None

    def _run(self) -> None:
        try:
            while not self._ending.is_set():
                self._obey()
                self._port.turn()
                if self._port.stands:
                    self._stands.set()
        except (VirtualBoardError, OSError) as failure:
            self._why = str(failure)
        finally:
            self._ended_ns = time.monotonic_ns()
            self._stands.set()
            self._refuse_orders()
            with contextlib.suppress(VirtualBoardError):
                self._port.unplug()
            self._pico.end()

    def _obey(self) -> None:
        while (order := self._next()) is not None:
            edges, taken = order
            try:
                self._schedule(edges)
            except ValueError as problem:
                taken.set_exception(VirtualBoardError(f"{problem}."))
            else:
                boots_ns = [at_ns for at_ns, entry in self._pico.log if entry.startswith("boot")]
                base_us = (self._pico.ns - boots_ns[-1]) // US
                taken.set_result(Played(base_us, self._boot_id, len(boots_ns)))

    def _next(self) -> tuple[list[Edge], Future[Played]] | None:
        try:
            return self._orders.get_nowait()
        except queue.Empty:
            return None

    def _refuse_orders(self) -> None:
        while (order := self._next()) is not None:
            order[1].set_exception(VirtualBoardError(self._why))

    def _schedule(self, edges: Iterable[Edge]) -> None:
        now_ns = self._pico.ns
        for dt_us, channel, level in edges:
            if channel == HIT_ADC:
                self._pico.reading_at(now_ns + dt_us * US, level)
            else:
                self._pico.level_at(now_ns + dt_us * US, channel, level)

    def _note_boot(self, output: bytes) -> None:
        for frame in self._decoder.feed(output):
            self._boot_id = frame.boot_id or self._boot_id
