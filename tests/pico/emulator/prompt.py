"""The emulated Pico at its prompt: scripts run there, and files put onto its flash."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from firmware_protocol.virtual.runtime import VirtualBoardError
from tests.pico.emulator.emulated import EmulatedPico

RAW, RUN, INTERRUPT = b"\x01", b"\x04", b"\x03"
PATIENCE_US = 60_000_000
HEARD = 400
# Reads what follows as bytes: the script says so by "ready", and nothing is to be taken for Ctrl-C meanwhile.
RECEIVE = """
import micropython, os, sys
micropython.kbd_intr(-1)
for folder in {folders}:
    try:
        os.mkdir(folder)
    except OSError:
        pass
sys.stdout.write("ready")
for path, size in {files}:
    with open(path, "wb") as file:
        while size:
            size -= file.write(sys.stdin.buffer.read(min(size, 256)))
micropython.kbd_intr(3)
print("done")
"""


class Prompt:
    """The raw prompt of a Pico that runs no program; its port is opened here. Failures are a `VirtualBoardError`."""

    def __init__(self, pico: EmulatedPico) -> None:
        self._pico = pico
        self._said = b""
        if not pico.until(lambda: pico.ready):
            raise VirtualBoardError(
                "The emulated Pico does not come up on USB: is the image for the RP2040?"
            )
        pico.order("open")
        pico.run(100_000, INTERRUPT)
        self._exchange(RAW, b">")

    def run(self, script: str) -> str:
        """Run a script and return what it printed."""
        self._exchange(script.encode() + RUN, b"OK")
        return self._result()

    def put(self, files: Mapping[str, bytes]) -> None:
        """Write files, and the folders that they lie in."""
        folders = sorted(
            {str(parent) for path in files for parent in PurePosixPath(path).parents} - {".", "/"}
        )
        script = RECEIVE.format(
            folders=folders, files=[(path, len(data)) for path, data in files.items()]
        )
        self._exchange(script.encode() + RUN, b"ready")
        self._pico.run(0, b"".join(files.values()))
        self._result()

    def save(self, path: Path) -> Path:
        """Keep the flash in a file."""
        self._pico.order("save", path=str(path))
        return path

    def _result(self) -> str:
        out, error = self._exchange(b"", b"\x04>").removesuffix(b"\x04>").split(b"\x04")
        if error:
            raise VirtualBoardError(
                f"The emulated Pico's prompt said: {error.decode(errors='replace').strip()}"
            )
        return out.decode()

    def _exchange(self, tx: bytes, until: bytes) -> bytes:
        """Send, and return everything up to and with the answer."""
        self._pico.run(0, tx)
        end_ns = self._pico.ns + PATIENCE_US * 1000
        while until not in self._said:
            if self._pico.ns > end_ns:
                raise VirtualBoardError(
                    f"Waited for {until!r} of the emulated Pico, heard {self._said[-HEARD:]!r}."
                )
            self._said += b"".join(packet.data for packet in self._pico.run(100_000, step_us=500))
        text, _, self._said = self._said.partition(until)
        return text + until
