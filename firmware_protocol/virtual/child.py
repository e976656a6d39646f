"""The process of a virtual board: the firmware in a `World`. Run by file name, under CPython or MicroPython.

    <interpreter> child.py control=PORT [wire=stdio|tcp:PORT] [uid=HEX] [boot=N] [reset=NAME] [ring=N] [pins=FILE]

`wire=stdio` is the board's own wire over two pipes (MicroPython); `wire=tcp:PORT` connects to 127.0.0.1 (CPython).
`pins` is a file that stands for the board's `/pins.json`. The control connection takes lines of JSON: `{"id": 1,
"edges": [[dt_us, "trigger", 1], ...]}`, `{"id": 2, "ppm": 40, "step_us": 5000}` for the clock, `{"id": 3, "circuit":
"open"}` for the circuit at the hit sensor's analog pin, or `{"quit": true}`. It answers `{"id": 1, "base_us": 123456}`
with the board's time (from which the dts of edges count), or `{"id": 1, "error": "..."}`.
"""

import json
import select
import socket
import sys
import time

sys.path.insert(0, (__file__.replace("\\", "/").rpartition("/")[0] or ".") + "/../..")

from firmware_protocol.board.main import random_boot_id, run
from firmware_protocol.board.pins import default_pins, load_pins
from firmware_protocol.virtual.machine import ANALOG, VirtualMachine
from firmware_protocol.virtual.world import World

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from firmware_protocol.board.hardware import Wire

RESETS = {"power": 0, "watchdog": 1, "exception": 2, "request": 3}
DEFAULT_UID = "5649525455414c31"
CHUNK = 4096
# How slowly the firmware's loop turns once nothing has happened at its pins for longer than any of its times for a
# contact or a hit. A chip may as well spin; this computer has other work.
REST_MS = 10
STILL_US = 200_000


class End(BaseException):
    """The launcher is gone, or ends the board."""


def connect(port: int) -> socket.socket:
    """Return a TCP connection to 127.0.0.1."""
    connection = socket.socket()
    connection.connect(socket.getaddrinfo("127.0.0.1", port)[0][-1])
    if hasattr(socket, "TCP_NODELAY"):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


class Poller:
    """Waits for any of several inputs, with `select.poll` if there is one: MicroPython has nothing else."""

    def __init__(self, inputs: "list[Any]") -> None:
        self._inputs = inputs
        self._poll = None
        if hasattr(select, "poll"):
            self._poll = select.poll()
            for readable in inputs:
                self._poll.register(readable, select.POLLIN)  # type: ignore[attr-defined, unused-ignore]

    def wait(self, ms: int) -> bool:
        """Return whether an input is ready, after at most `ms`."""
        if self._poll is not None:
            return bool(self._poll.poll(ms))
        return bool(select.select(self._inputs, [], [], ms / 1000)[0])


class TcpWire:
    """The wire as a TCP connection; when that ends, the board ends."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._ready = Poller([connection])

    def wait(self, ms: int) -> bool:
        """Return whether there is something to read, after at most `ms`."""
        return self._ready.wait(ms)

    def read(self, into: bytearray) -> int:
        """Read what is there, possibly nothing, into `into`; return the number of bytes."""
        if not self._ready.wait(0):
            return 0
        data = self._connection.recv(len(into))
        if not data:
            raise End
        into[: len(data)] = data
        return len(data)

    def write(self, data: "bytes | memoryview") -> None:
        """Send all of `data`."""
        self._connection.sendall(data)


class Control:
    """The launcher's connection: takes edges into the world."""

    def __init__(
        self, connection: socket.socket, world: World, machine: VirtualMachine, names: "list[str]"
    ) -> None:
        self._connection = connection
        self._ready = Poller([connection])
        self._world = world
        self._machine = machine
        self._names = names
        self._partial = b""

    def service(self) -> None:
        """Execute the lines that are there; raise `End` if the launcher asks for it or is gone."""
        while self._ready.wait(0):
            data = self._connection.recv(CHUNK)
            if not data:
                raise End
            lines = (self._partial + data).split(b"\n")
            self._partial = lines.pop()
            for line in lines:
                self._obey(line)

    def _obey(self, line: bytes) -> None:
        order: object = None
        try:
            order = json.loads(line)
            answer = self._carry_out(order)
        except (ValueError, TypeError, KeyError) as error:
            answer = {"error": f"not an order: {error}"}
        if isinstance(order, dict):
            answer["id"] = order.get("id")
        self._connection.sendall(json.dumps(answer).encode() + b"\n")

    def _carry_out(self, order: object) -> "dict[str, object]":
        if not isinstance(order, dict):
            raise ValueError("an order is a JSON object")
        if order.get("quit"):
            raise End
        if "ppm" in order:
            self._world.disturb_clock(int(order["ppm"]), int(order["step_us"]))
            return {"base_us": self._world.now_us()}
        if "circuit" in order:
            self._machine.change_circuit(str(order["circuit"]))
            return {"base_us": self._world.now_us()}
        edges = [(int(dt_us), str(name), int(level)) for dt_us, name, level in order["edges"]]
        for dt_us, name, level in edges:
            if name not in self._names or dt_us < 0 or not 0 <= level <= self._limit(name):
                raise ValueError(f"there is no edge {dt_us} {name} {level}")
        return {"base_us": self._world.schedule(edges)}

    def _limit(self, name: str) -> int:
        return 4095 if name.endswith(ANALOG) else 1


class ChildWire:
    """The board's wire; each wait also serves the world and its control connection."""

    def __init__(
        self, wire: "Wire", watched: "list[object]", control: Control, world: World
    ) -> None:
        self._wire = wire
        self._ready = Poller(watched)
        self._control = control
        self._world = world
        self.read = wire.read
        self.write = wire.write

    def wait(self, ms: int) -> bool:
        """Wait for the host, the launcher or the next edge, at most `ms`; longer while the pins are still."""
        next_us = self._world.until_next_us()
        if self._world.still_for_us() >= STILL_US:
            ms = max(ms, REST_MS)
        if next_us >= 0:
            ms = min(ms, next_us // 1000)
        if ms > 0:
            self._ready.wait(ms)
        self._control.service()
        self._world.advance(0)
        return True


def outside_us() -> int:
    """Return a monotonic clock of the computer, in us."""
    if hasattr(time, "ticks_us"):
        return int(time.ticks_us())
    return time.monotonic_ns() // 1000


def open_wire(kind: str) -> "tuple[Wire, object]":
    """Return the wire and the object to poll for it."""
    if kind.startswith("tcp:"):
        connection = connect(int(kind[4:]))
        return TcpWire(connection), connection
    from firmware_protocol.board.wire import StdioWire

    return StdioWire(sys.stdin.buffer, sys.stdout.buffer), sys.stdin.buffer


def boot_ids(first: "str | None") -> "Callable[[], int]":
    """Return a source of boot ids: random, or counting from `first`."""
    if first is None:
        return random_boot_id
    following = [int(first)]

    def next_boot_id() -> int:
        following.append(following[-1] % 0xFFFF + 1)
        return following[-2]

    return next_boot_id


def main(arguments: "list[str]") -> None:
    """Run the board until the launcher ends it."""
    options = dict([argument.split("=", 1) for argument in arguments])
    pins, note = load_pins(options["pins"]) if "pins" in options else (default_pins(), "")
    world = World(outside_us)
    machine = VirtualMachine(world, pins, int(options.get("uid", DEFAULT_UID), 16))
    names = [channel.name for channel in pins.channels]
    names += [name + ANALOG for name in names if pins.adc(name) is not None]
    control_connection = connect(int(options["control"]))
    control = Control(control_connection, world, machine, names)
    wire, watched = open_wire(options.get("wire", "stdio"))
    name = f"virtual board under {sys.implementation.name}"
    reason = RESETS[options.get("reset", "power")]
    ring_size = int(options.get("ring", "512"))
    try:
        run(
            machine,
            world.ticks_us,
            ChildWire(wire, [watched, control_connection], control, world),
            pins,
            lambda _char: None,
            boot_ids(options.get("boot")),
            reason,
            name,
            note,
            ring_size,
        )
    except (End, OSError):
        # OSError: the launcher went away in the middle of a message; there is nobody left to tell.
        pass
    finally:
        control_connection.close()


if __name__ == "__main__":
    main(sys.argv[1:])
