"""A virtual board from Python: start it, press its buttons, pull its cable. All times are the board's own."""

import contextlib
import json
import queue
import secrets
import subprocess
import threading
import time
from collections.abc import Iterable
from itertools import count
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Any, Self

from firmware_protocol.virtual.children import module_command
from firmware_protocol.virtual.control import connect
from firmware_protocol.virtual.faults import FaultRates
from firmware_protocol.virtual.hands import Hands, Played, in_us
from firmware_protocol.virtual.physics import Edge
from firmware_protocol.virtual.runtime import ROOT, VirtualBoardError
from firmware_protocol.virtual.system import has_ptys
from firmware_protocol.virtual.unattended import LEAVE_AFTER_S

START_S = 30.0
END_S = 5.0
PERFECT = FaultRates()


class VirtualBoard(Hands):
    """A connection to a running virtual board; safe to use from several threads. See `Hands` for what can be played."""

    def __init__(self, address: str, process: "subprocess.Popen[bytes] | None", seed: int) -> None:
        self.address = address
        self._control = connect(address)
        self._process = process
        self._random = Random(seed)
        self._lock = threading.Lock()
        self._ids = count(1)
        try:
            status = self.status()
        except VirtualBoardError:
            self._control.close()
            raise
        self.url = status["url"]
        self.runtime = status["runtime"]
        self.clock_ns = time.monotonic_ns
        self.uid: int = status["uid"]

    @classmethod
    def spawn(
        cls,
        runtime: str = "auto",
        seed: int = 0,
        uid: int | None = None,
        path: Path | str | None = None,
        *,
        listen: str | None = None,
        ring_size: int | None = None,
        pins: Path | str | None = None,
        outlive: bool = False,
        deadline_s: float = START_S,
    ) -> Self:
        """Start a board and wait until its port is there.

        It ends with this process unless `outlive`: then it ends by itself when nobody has been connected to it for 45
        s, but not with events that no host has saved. `listen` ("127.0.0.1:0") gives a `socket://` URL in place of a
        pty; on Windows that is the default. `pins` is a file that stands for the board's `/pins.json`.
        """
        if uid is None:
            uid = secrets.randbits(64)
        if listen is None and path is None and not has_ptys():
            listen = "127.0.0.1:0"
        arguments = ["--runtime", runtime, "--seed", str(seed), "--json", "--uid", f"{uid:x}"]
        if path is not None:
            arguments += ["--path", str(Path(path).absolute())]
        if listen is not None:
            arguments += ["--listen", listen]
        if ring_size is not None:
            arguments += ["--ring", str(ring_size)]
        if pins is not None:
            arguments += ["--pins", str(Path(pins).absolute())]
        if outlive:
            arguments += ["--leave-after", str(LEAVE_AFTER_S)]
        else:
            arguments.append("--die-with-parent")
        process = _start(arguments, outlive)
        try:
            announcement = _await_announcement(process, deadline_s)
            return cls(announcement["control"], process, seed)
        except BaseException:
            _end(process, 0)
            raise

    @classmethod
    def attach(cls, control: str | int, seed: int = 0) -> Self:
        """Connect to a running board by its control address: `host:port`, a port number or a path."""
        return cls(str(control), None, seed)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def hand_over(self, edges: Iterable[Edge]) -> Played:
        """Pass up to 3000 raw edges `(dt_us, channel, level)` to the board."""
        answer = self._ask({"op": "play", "edges": list(edges)})
        return Played(int(answer["base_us"]), int(answer["boot_id"]), int(answer["starts"]))

    def unplug(self) -> None:
        """Pull the cable; the board keeps its power, its ring and its boot id."""
        self._ask({"op": "unplug"})

    def plug(self) -> None:
        """Plug the cable in again: the port is at the same path or URL."""
        self._ask({"op": "plug"})

    def power_off(self) -> None:
        """Cut the board's power: its ring is lost."""
        self._ask({"op": "power_off"})

    def power_on(self) -> int:
        """Power the board; return its new boot id."""
        return int(self._ask({"op": "power_on"})["boot_id"])

    def power_cycle(self) -> int:
        """Cut the power and restore it while the port stays; return the new boot id."""
        self.power_off()
        return self.power_on()

    def reset(self, *, same_numbers: bool = False) -> int:
        """Restart the firmware, which loses its ring, while the port stays; return its boot id.

        With `same_numbers` it draws the boot id it had before and counts from 1 again, as one reset in 65,535 does.
        """
        return int(self._ask({"op": "reset", "same_numbers": same_numbers})["boot_id"])

    def silence(self, seconds: float) -> None:
        """Suppress output for `seconds`; the board keeps running, receiving and timestamping."""
        self._ask({"op": "silence", "seconds": seconds})

    def disturb_clock(self, ppm: int = 0, step_ms: float = 0) -> int:
        """Advance the board's counter by `step_ms` and run it `ppm` fast from now on (0: right); return its time
        after that."""
        return int(self._ask({"op": "clock", "ppm": ppm, "step_us": in_us(step_ms)})["base_us"])

    def wire_hit(self, circuit: str) -> int:
        """Connect `open`, `resistor` or `piezo` to the hit sensor's analog pin until the board restarts (with a piezo).

        Return the board's time.
        """
        return int(self._ask({"op": "circuit", "circuit": circuit})["base_us"])

    def overflow(self, presses: int, channel: str = "zone-10", every_ms: float = 20) -> list[int]:
        """Suppress output while `presses` presses pile up in the ring; return their times.

        Meant to be more than the ring holds: the board keeps the oldest, and a GAP reports the rest.
        """
        half_us, every_us = in_us(every_ms / 2), in_us(every_ms)
        self.silence(presses * every_ms / 1000)
        rises = range(0, presses * every_us, every_us)
        edges: list[Edge] = []
        for at_us in rises:
            edges += [(at_us, channel, 1), (at_us + half_us, channel, 0)]
        base_us = self.play(edges)
        return [base_us + at_us for at_us in rises]

    def print_text(self, text: str) -> None:
        """Send foreign text in the stream to the host."""
        self._ask({"op": "text", "text": text})

    def claim_version(self, version: tuple[int, int] | None) -> None:
        """Patch the (major, minor) of every HELLO on the wire; None to stop."""
        self._ask({"op": "claim", "version": version})

    def faults(
        self, to_host: FaultRates = PERFECT, to_board: FaultRates = PERFECT, seed: int = 0
    ) -> None:
        """Set seeded faults on the cable's two directions; without arguments the cable is perfect again."""
        self._ask(
            {
                "op": "faults",
                "to_host": to_host.as_json(),
                "to_board": to_board.as_json(),
                "seed": seed,
            }
        )

    def status(self) -> dict[str, Any]:
        """Return url, runtime, uid, boot_id, powered, plugged, lost_bytes, board_pid and the firmware's last words."""
        return self._ask({"op": "status"})

    def unsaved(self) -> int:
        """Return how many events in the ring no host has saved; they are lost when the board ends."""
        return int(self._ask({"op": "ring"})["unsaved"])

    def end(self) -> None:
        """End the board, whoever started it; this connection is of no use afterwards."""
        self._ask({"op": "quit"})

    def close(self) -> None:
        """End the board if this connection started it, else only disconnect."""
        with self._lock:
            if self._process is not None:
                with contextlib.suppress(OSError):
                    self._control.send({"id": 0, "op": "quit"})
                _end(self._process, END_S)
                self._process = None
            self._control.close()

    def _ask(self, message: dict[str, Any]) -> dict[str, Any]:
        with self._lock:
            number = next(self._ids)
            try:
                self._control.send({"id": number, **message})
                while True:
                    for answer in self._control.receive():
                        if answer.get("id") == number:
                            return _checked(answer)
            except OSError as error:
                raise VirtualBoardError(f"The virtual board does not answer: {error}.") from error


def _checked(answer: dict[str, Any]) -> dict[str, Any]:
    if "error" in answer:
        raise VirtualBoardError(str(answer["error"]))
    return answer


def _start(arguments: list[str], outlive: bool) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        module_command("firmware_protocol.virtual", *arguments, searched=True),
        cwd=ROOT,  # where the package is, whether or not it is installed
        stdin=subprocess.DEVNULL if outlive else subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        # A process session of its own: Ctrl-C at the companion's terminal must not reach the board.
        start_new_session=True,
        creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
    )


def _await_announcement(process: "subprocess.Popen[bytes]", deadline_s: float) -> dict[str, Any]:
    lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    reader = threading.Thread(target=_read_until_announced, args=(process, lines), daemon=True)
    reader.start()
    reader.join(deadline_s)
    if reader.is_alive():
        raise VirtualBoardError(f"The virtual board did not start within {deadline_s:g} s.")
    last = b""
    while not lines.empty():
        last = lines.get()
    if not last.startswith(b"{"):
        raise VirtualBoardError(
            f"The virtual board ended at its start: {last.decode(errors='replace').strip()}"
        )
    announcement: dict[str, Any] = json.loads(last)
    return _checked(announcement)


def _read_until_announced(
    process: "subprocess.Popen[bytes]", lines: "queue.SimpleQueue[bytes]"
) -> None:
    if process.stdout is None:
        return
    for line in process.stdout:
        lines.put(line)
        if line.startswith(b"{"):
            return


def _end(process: "subprocess.Popen[bytes]", deadline_s: float) -> None:
    try:
        process.wait(deadline_s)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()
