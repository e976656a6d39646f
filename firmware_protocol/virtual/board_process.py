"""The child process that runs the firmware: started, connected by its wire and its control connection, ended."""

import os
import socket
import subprocess
import threading
import time
from collections import deque
from pathlib import Path
from typing import Protocol

from firmware_protocol.virtual.jsonlines import JsonLines
from firmware_protocol.virtual.runtime import ROOT, Runtime, VirtualBoardError
from firmware_protocol.virtual.system import never_wait

# A MicroPython VM starts in 0.1 s; a loaded machine may need many times that.
START_S = 20.0
END_S = 2.0
READ_SIZE = 4096
LINES_KEPT = 20


class Wire(Protocol):
    """The board's end of the cable; non-blocking."""

    def fileno(self) -> int:
        """Return the descriptor that becomes readable."""
        ...

    def read(self) -> bytes:
        """Return what is there; raise `EOFError` if the board is gone."""
        ...

    def write(self, data: bytes) -> int:
        """Return how many bytes the board took; raise `EOFError` if it is gone."""
        ...

    def close(self) -> None:
        """Close this end."""
        ...


class StdioWire:
    """The wire as the child's stdin and stdout; POSIX only, because a selector cannot watch Windows' pipes."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        if process.stdin is None or process.stdout is None:
            raise ValueError("the child was started without pipes")
        self._stdin = process.stdin
        self._stdout = process.stdout
        never_wait(self._stdin.fileno(), self._stdout.fileno())

    def fileno(self) -> int:
        """Return the descriptor of the child's stdout."""
        return self._stdout.fileno()

    def read(self) -> bytes:
        """Return what is there; raise `EOFError` if the board is gone."""
        try:
            data = os.read(self._stdout.fileno(), READ_SIZE)
        except BlockingIOError:
            return b""
        if not data:
            raise EOFError
        return data

    def write(self, data: bytes) -> int:
        """Return how many bytes the board took; raise `EOFError` if it is gone."""
        try:
            return os.write(self._stdin.fileno(), data)
        except BlockingIOError:
            return 0
        except OSError as error:
            raise EOFError from error

    def close(self) -> None:
        """Close both pipes."""
        self._stdout.close()
        self._stdin.close()


class SocketWire:
    """The wire as a TCP connection."""

    def __init__(self, sock: socket.socket) -> None:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.setblocking(False)
        self._sock = sock

    def fileno(self) -> int:
        """Return the socket's descriptor."""
        return self._sock.fileno()

    def read(self) -> bytes:
        """Return what is there; raise `EOFError` if the other end is gone."""
        try:
            data = self._sock.recv(READ_SIZE)
        except BlockingIOError:
            return b""
        except OSError as error:
            raise EOFError from error
        if not data:
            raise EOFError
        return data

    def write(self, data: bytes) -> int:
        """Return how many bytes were taken; raise `EOFError` if the other end is gone."""
        try:
            return self._sock.send(data)
        except BlockingIOError:
            return 0
        except OSError as error:
            raise EOFError from error

    def close(self) -> None:
        """Close the socket."""
        self._sock.close()


class BoardProcess:
    """A powered board: one child process with `boot_id`, its `wire` and its `control` connection.

    `reset_reason` is `power`, `watchdog`, `exception` or `request`, for HELLO; `pins` is the file that stands for the
    board's `/pins.json`.
    """

    def __init__(
        self,
        runtime: Runtime,
        uid: int,
        boot_id: int,
        reset_reason: str,
        ring_size: int | None,
        pins: Path | None,
    ) -> None:
        self.boot_id = boot_id
        self.output: deque[str] = deque(maxlen=LINES_KEPT)
        deadline = time.monotonic() + START_S
        arguments = [f"uid={uid:016x}", f"boot={boot_id}", f"reset={reset_reason}"]
        if ring_size is not None:
            arguments.append(f"ring={ring_size}")
        if pins is not None:
            arguments.append(f"pins={pins}")
        with _listener() as control, _listener() as wire:
            arguments.append(f"control={_port(control)}")
            arguments.append("wire=stdio" if runtime.wire_is_stdio else f"wire=tcp:{_port(wire)}")
            self._process = _start(runtime, arguments)
            self._stderr_reader = threading.Thread(target=self._keep_stderr, daemon=True)
            self._stderr_reader.start()
            self.wire: Wire
            try:
                self.control = JsonLines(self._accept(control, deadline))
                if runtime.wire_is_stdio:
                    self.wire = StdioWire(self._process)
                else:
                    self.wire = SocketWire(self._accept(wire, deadline))
            except BaseException:
                self._end()
                raise

    def _accept(self, listener: socket.socket, deadline: float) -> socket.socket:
        listener.settimeout(0.05)
        while True:
            try:
                return listener.accept()[0]
            except TimeoutError:
                if self._process.poll() is not None:
                    self._keep_stdout()
                    raise VirtualBoardError(
                        f"The board's firmware ended at its start: {self.last_words()}"
                    ) from None
                if time.monotonic() > deadline:
                    raise VirtualBoardError(
                        f"The board's firmware did not start within {START_S:.0f} s."
                    ) from None

    def _keep_stderr(self) -> None:
        if self._process.stderr is not None:
            for line in self._process.stderr:
                self.output.append(line.decode(errors="replace").rstrip())

    def ended_by_itself(self) -> bool:
        """Return whether the firmware left its main loop normally, as after MAINTENANCE; waits for the child's end."""
        try:
            return self._process.wait(END_S) == 0
        except subprocess.TimeoutExpired:
            return False

    @property
    def pid(self) -> int:
        """The child's process id."""
        return self._process.pid

    def _keep_stdout(self) -> None:
        # MicroPython prints its tracebacks to stdout.
        self._stderr_reader.join(END_S)
        if self._process.stdout is not None:
            self.output.extend(self._process.stdout.read().decode(errors="replace").splitlines())

    def last_words(self) -> str:
        """Return the last lines that the firmware wrote to stderr."""
        return " | ".join(line for line in self.output if line) or "it said nothing"

    def power_off(self) -> None:
        """Kill the child, as pulling the power would; its ring is lost."""
        self.control.close()
        self.wire.close()
        self._end()

    def _end(self) -> None:
        self._process.kill()
        self._process.wait()
        self._stderr_reader.join(END_S)
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                pipe.close()


def _listener() -> socket.socket:
    return socket.create_server(("127.0.0.1", 0), backlog=1)


def _port(listener: socket.socket) -> int:
    return int(listener.getsockname()[1])


def _start(runtime: Runtime, arguments: list[str]) -> "subprocess.Popen[bytes]":
    pipe = subprocess.PIPE if runtime.wire_is_stdio else subprocess.DEVNULL
    try:
        return subprocess.Popen(
            [*runtime.command, *arguments],
            cwd=ROOT,
            stdin=pipe,
            stdout=pipe,
            stderr=subprocess.PIPE,
            bufsize=0,
        )
    except OSError as error:
        raise VirtualBoardError(f"The {runtime.name} runtime does not start: {error}") from error
