"""The virtual board as a process: powers the firmware, holds the cable and obeys its control connection."""

import contextlib
import os
import secrets
import selectors
import signal
import socket
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from types import FrameType
from typing import Any

from firmware_protocol.virtual.board_process import BoardProcess
from firmware_protocol.virtual.cable import Cable, now_us
from firmware_protocol.virtual.control import ControlServer
from firmware_protocol.virtual.faults import FaultRates
from firmware_protocol.virtual.jsonlines import JsonLines
from firmware_protocol.virtual.machine import CIRCUITS
from firmware_protocol.virtual.physics import CHANNELS
from firmware_protocol.virtual.ports import HostPort, PtyPort, TcpPort
from firmware_protocol.virtual.runtime import Runtime, VirtualBoardError
from firmware_protocol.virtual.system import NO_PTY, has_ptys, own_folder
from firmware_protocol.virtual.unattended import RingInquiry, Unattended

# A firmware that ends this often in this time is not started again: otherwise processes would be started for ever.
RESTARTS = 3
RESTART_WINDOW_US = 10_000_000
# The MicroPython VM reads this many in one piece without running out of memory (4000 pass, 6000 do not).
MOST_EDGES = 3000
BOOT_IDS = 0xFFFF
# Ten times the error of a bad crystal; and half of the step that the firmware would take for a wrap (2^29 us).
MOST_PPM = 1000
LONGEST_STEP_US = 1 << 28
# From one power-on to the next; the ids between are for a firmware that restarts itself, which counts up by one.
BOOT_STRIDE = 256


@dataclass(frozen=True)
class Options:
    """The launcher's options.

    `listen` (host, port) replaces the pty at `path`, and the file `pins` the board's `/pins.json`. After
    `leave_after_s` without a control connection the board ends, unless its ring has events that no host has saved.
    """

    runtime: Runtime
    uid: int
    seed: int = 0
    path: Path | None = None
    listen: tuple[str, int] | None = None
    control: str = "0"
    ring_size: int | None = None
    pins: Path | None = None
    boot_id: int | None = None
    leave_after_s: float | None = None


def default_path(uid: int) -> Path:
    """Return the port path of board `uid` in this user's folder for ports."""
    return own_folder() / f"board-{uid:016x}"


class Launcher:
    """One virtual board; `run` returns when it is ended."""

    def __init__(self, options: Options, clock_us: Callable[[], int] = now_us) -> None:
        self._options = options
        self._selector = selectors.DefaultSelector()
        self._ended = False
        self._board: BoardProcess | None = None
        # Independent of the seed: a host would take two runs of one board with the same boot id for one run.
        self._next_boot_id = options.boot_id or secrets.randbelow(BOOT_IDS) + 1
        self._boot_id = 0
        self._starts = 0
        self._restarts_us: deque[int] = deque(maxlen=RESTARTS)
        self._off_reason = ""
        self._last_words = ""
        self._asked: dict[int, tuple[JsonLines | None, Any]] = {}
        self._ids = count(1)
        self._inquiry = RingInquiry()
        after_us = None if options.leave_after_s is None else round(options.leave_after_s * 1e6)
        self._unattended = Unattended(after_us, clock_us)
        self._operations: dict[str, Callable[[dict[str, Any]], None]] = {
            "status": lambda _: None,
            "plug": lambda _: self._cable.plug(),
            "unplug": lambda _: self._cable.unplug(),
            "power_on": lambda _: self._power_on("power"),
            "power_off": lambda _: self._power_off("The board has no power."),
            "faults": self._set_faults,
            "silence": lambda message: self._cable.silence(float(message["seconds"])),
            "text": lambda message: self._cable.inject(str(message["text"]).encode()),
            "reset": lambda message: self._reset(same_numbers=bool(message.get("same_numbers"))),
            "claim": self._claim,
            "quit": lambda _: self.end(),
        }
        self._board_operations = {
            "play": self._play,
            "clock": self._disturb_clock,
            "circuit": self._wire_hit,
            "ring": self._ask_ring,
        }
        self._wake_reader, self._wake_writer = socket.socketpair()
        self._wake_writer.setblocking(False)
        self._selector.register(self._wake_reader, selectors.EVENT_READ, self.end)
        self._cable = Cable(self._make_port, options.seed)
        self.control = ControlServer(options.control, self._selector, self._handle)

    def _make_port(self, on_bytes: Callable[[bytes], None]) -> HostPort:
        if self._options.listen is not None:
            return TcpPort(*self._options.listen, self._selector, on_bytes)
        if not has_ptys():
            raise VirtualBoardError(NO_PTY)
        path = self._options.path or default_path(self._options.uid)
        return PtyPort(path.absolute(), self._selector, on_bytes)

    def start(self) -> None:
        """Power the board and plug it in; raise `VirtualBoardError` if either is impossible."""
        try:
            self._power_on("power")
            self._cable.plug()
        except BaseException:
            self.close()
            raise

    def end_on_signals(self) -> None:
        """Make SIGINT and SIGTERM end `run`; call this from the main thread."""
        signal.set_wakeup_fd(self._wake_writer.fileno())
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, _woken)

    def end_with_stdin(self) -> None:
        """Make the end of stdin, which includes the owner's death, end `run`."""
        threading.Thread(target=self._await_end_of_stdin, daemon=True).start()

    def run(self) -> None:
        """Serve until `end`, then release everything."""
        try:
            while not self._ended:
                self._turn()
        finally:
            self.close()

    def _turn(self) -> None:
        wire = self._board.wire if self._board else None
        try:
            wait_us = self._cable.carry(wire)
        except EOFError:
            self._board_ended()
            return
        leave_us = self._unattended.due_in_us(self.control.clients)
        if leave_us == 0:
            self._leave_if_safe()
            return
        due = [us for us in (wait_us, leave_us) if us is not None]
        timeout_s = min(due) / 1e6 if due else None
        for key, _ in self._selector.select(timeout_s):
            key.data()

    def _leave_if_safe(self) -> None:
        """End a board that nobody has used for long, if nothing is lost by that."""
        if self._board is None:
            self.end()
            return
        self._unattended.ask_again_later()
        self._ask_ring(None, {})

    def _await_end_of_stdin(self) -> None:
        while os.read(0, 1024):
            pass
        self._wake_writer.send(b"\0")

    def end(self) -> None:
        """Make `run` return."""
        self._ended = True

    def close(self) -> None:
        """Unplug, power off and stop listening."""
        self._cable.unplug()
        self._power_off("The board was ended.")
        self.control.close()
        self._selector.close()
        self._wake_reader.close()
        self._wake_writer.close()

    def _power_on(self, reset_reason: str, *, same_numbers: bool = False) -> None:
        if self._board is not None:
            return
        if not same_numbers:
            self._boot_id = self._next_boot_id
            self._next_boot_id = (self._boot_id - 1 + BOOT_STRIDE) % BOOT_IDS + 1
        self._starts += 1
        options = self._options
        board = BoardProcess(
            options.runtime,
            options.uid,
            self._boot_id,
            reset_reason,
            options.ring_size,
            options.pins,
        )
        self._board = board
        self._selector.register(board.wire, selectors.EVENT_READ, lambda: self._read_board(board))
        self._selector.register(
            board.control, selectors.EVENT_READ, lambda: self._read_board_control(board)
        )

    def _power_off(self, reason: str) -> None:
        board, self._board = self._board, None
        if board is None:
            return
        self._off_reason = reason
        self._selector.unregister(board.wire)
        self._selector.unregister(board.control)
        board.power_off()
        self._last_words = board.last_words()
        self._cable.lose_all()
        for client, message_id in self._asked.values():
            if client is not None:
                self.control.answer(client, {"id": message_id, "error": reason})
        self._asked.clear()
        self._inquiry.over()

    def _reset(self, *, same_numbers: bool) -> None:
        """Restart the firmware while the port stays; with `same_numbers` it draws the boot id it had before."""
        if self._board is None:
            raise VirtualBoardError(self._off_reason)
        self._power_off("The board is reset.")
        self._power_on("request", same_numbers=same_numbers)

    def _claim(self, message: dict[str, Any]) -> None:
        version = message.get("version")
        if version is None:
            self._cable.claim.version = None
            return
        major, minor = version
        if not (0 <= int(major) <= 0xFF and 0 <= int(minor) <= 0xFF):
            raise VirtualBoardError(f"A version is two numbers from 0 to 255, not {version}.")
        self._cable.claim.version = int(major), int(minor)

    def _board_ended(self) -> None:
        # A chip in maintenance sits at its prompt until its power is cycled; one that crashed is reset.
        if self._board is not None and self._board.ended_by_itself():
            self._power_off("The firmware has ended for maintenance; cycle the board's power.")
            return
        self._power_off("The firmware has crashed.")
        self._restarts_us.append(now_us())
        window_us = now_us() - self._restarts_us[0]
        if len(self._restarts_us) == RESTARTS and window_us < RESTART_WINDOW_US:
            return
        with contextlib.suppress(VirtualBoardError):
            self._power_on("watchdog")

    def _read_board(self, board: BoardProcess) -> None:
        if board is not self._board:
            return
        try:
            data = board.wire.read()
        except EOFError:
            self._board_ended()
            return
        self._cable.from_board(data)
        for who_id, unsaved in self._inquiry.answers(data):
            self._ring_answered(who_id, unsaved)

    def _ring_answered(self, who_id: int, unsaved: int) -> None:
        # The WHO had the low 16 bits of the question's number.
        numbers = [number for number in self._asked if number & 0xFFFF == who_id]
        if not numbers:  # a host asked
            return
        number = numbers[0]
        client, message_id = self._asked.pop(number)
        if client is not None:
            self.control.answer(client, {"id": message_id, "unsaved": unsaved, **self._boot()})
        elif not unsaved and not self.control.clients:
            self.end()

    def _read_board_control(self, board: BoardProcess) -> None:
        if board is not self._board:
            return
        try:
            answers = board.control.receive()
        except (ConnectionError, ValueError):
            self._board_ended()
            return
        for answer in answers:
            client, message_id = self._asked.pop(answer.get("id", 0), (None, None))
            if client is not None:
                self.control.answer(client, {**answer, "id": message_id, **self._boot()})

    def _handle(self, client: JsonLines, message: dict[str, Any]) -> None:
        message_id = message.get("id")
        try:
            if message.get("op") in self._board_operations:
                self._board_operations[message["op"]](client, message)
                return
            operation = self._operations.get(str(message.get("op")))
            if operation is None:
                raise VirtualBoardError(f"There is no operation {message.get('op')!r}.")
            operation(message)
        except (VirtualBoardError, ValueError, TypeError, KeyError) as error:
            self.control.answer(client, {"id": message_id, "error": str(error)})
        else:
            self.control.answer(client, {"id": message_id, **self.status()})

    def _play(self, client: JsonLines, message: dict[str, Any]) -> None:
        edges = message.get("edges")
        if not isinstance(edges, list) or not all(_is_edge(edge) for edge in edges):
            raise VirtualBoardError(
                f"Edges are lists of [dt_us >= 0, one of {', '.join(CHANNELS)}, level]."
            )
        if len(edges) > MOST_EDGES:
            raise VirtualBoardError(
                f"{len(edges)} edges are more than {MOST_EDGES} at once; play them in parts."
            )
        self._pass_on(client, message.get("id"), {"edges": edges})

    def _disturb_clock(self, client: JsonLines, message: dict[str, Any]) -> None:
        ppm, step_us = int(message.get("ppm", 0)), int(message.get("step_us", 0))
        if abs(ppm) > MOST_PPM or not 0 <= step_us <= LONGEST_STEP_US:
            raise VirtualBoardError(
                f"A clock runs at most {MOST_PPM} ppm wrong and jumps 0 to {LONGEST_STEP_US} us ahead, "
                f"not {ppm} ppm and {step_us} us."
            )
        self._pass_on(client, message.get("id"), {"ppm": ppm, "step_us": step_us})

    def _wire_hit(self, client: JsonLines, message: dict[str, Any]) -> None:
        circuit = message.get("circuit")
        if circuit not in CIRCUITS:
            raise VirtualBoardError(
                f"Behind the hit sensor's pin is one of {', '.join(CIRCUITS)}, not {circuit!r}."
            )
        self._pass_on(client, message.get("id"), {"circuit": circuit})

    def _pass_on(self, client: JsonLines, message_id: object, order: dict[str, Any]) -> None:
        """Pass a command to the board's process; its answer goes to the client, with the boot it came from."""
        if self._board is None:
            raise VirtualBoardError(f"{self._off_reason} Its last words: {self._last_words}")
        number = next(self._ids)
        self._asked[number] = (client, message_id)
        try:
            self._board.control.send({"id": number, **order})
        except ConnectionError:
            self._board_ended()

    def _ask_ring(self, client: JsonLines | None, message: dict[str, Any]) -> None:
        """Ask the firmware how many events its ring keeps; this bypasses the cable, its faults and its plug."""
        if self._board is None:
            raise VirtualBoardError(self._off_reason)
        number = next(self._ids)
        while number & 0xFFFF == 0:  # a HELLO with WHO id 0 answers no question
            number = next(self._ids)
        self._asked[number] = (client, message.get("id"))
        try:
            self._board.wire.write(self._inquiry.question(number & 0xFFFF))
        except EOFError:
            self._board_ended()

    def _set_faults(self, message: dict[str, Any]) -> None:
        to_host = FaultRates(**message.get("to_host", {}))
        to_board = FaultRates(**message.get("to_board", {}))
        self._cable.set_faults(to_host, to_board, int(message.get("seed", self._options.seed)))

    def _boot(self) -> dict[str, int]:
        """Return the present boot: its id, and how often the board was started."""
        return {"boot_id": self._boot_id, "starts": self._starts}

    def status(self) -> dict[str, Any]:
        """Return the port's address and the board's state."""
        return {
            "url": self._cable.port.url,
            "runtime": self._options.runtime.name,
            "pid": os.getpid(),
            "uid": self._options.uid,
            **self._boot(),
            "powered": self._board is not None,
            "plugged": self._cable.plugged,
            "lost_bytes": self._cable.lost_bytes,
            "damaged_frames": self._cable.damaged_frames,
            "board_pid": self._board.pid if self._board else None,
            "last_words": self._board.last_words() if self._board else self._last_words,
        }


def _woken(number: int, frame: FrameType | None) -> None:
    """Do nothing: the wake-up descriptor has already woken the loop."""


def _is_edge(edge: object) -> bool:
    match edge:
        case [int(dt_us), str(channel), int(level)]:
            return dt_us >= 0 and channel in CHANNELS and level >= 0
    return False
