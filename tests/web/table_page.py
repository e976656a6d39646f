"""The program with a page in place of its screen: its first line, what the page asks for, and its end."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import count
from typing import Any
from urllib.parse import urlencode, urlsplit

from companion.journal.folder import sessions_dir
from companion.journal.store import read_entries

TIMEOUT_S = 30.0
_ADDRESS = re.compile(r"https?://\S+/[\w-]{22}/")


def _program(without: str) -> tuple[str, ...]:
    if not without:
        return "-m", "companion"
    script = f"import sys; sys.modules[{without!r}] = None; from companion.cli import main; sys.exit(main())"
    return "-c", script


class TablePage:
    """A running program whose screen is a page, and its lines."""

    def __init__(
        self,
        *arguments: str,
        closed: bool = False,
        most_bytes: int | None = None,
        without: str = "",
    ) -> None:
        """With `closed`, it gets no input, and nobody reads on after its first line. `most_bytes` is the size of a file
        from which on the disk is full; `without` is a library that it cannot import."""

        def prepare() -> None:
            if closed:
                os.close(0)
            if most_bytes is not None:
                import resource  # Windows has none

                resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes))

        self.process = subprocess.Popen(
            [sys.executable, *_program(without), *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "DISPLAY": "", "WAYLAND_DISPLAY": ""},
            preexec_fn=prepare if closed or most_bytes is not None else None,
        )
        self._numbers = count()
        self.lines: list[str] = []
        self._is_over = False
        self._address = ""
        self._more = threading.Condition()
        assert self.process.stdout is not None
        if closed:
            self.lines.append(self.process.stdout.readline())
            self.process.stdout.close()
            self._reader = None
        else:
            self._reader = threading.Thread(target=self._read)
            self._reader.start()

    def __repr__(self) -> str:
        """What a failed assertion shows of it."""
        return f"a program that said: {''.join(self.lines)!r}"

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            with self._more:
                self.lines.append(line)
                self._more.notify_all()
        with self._more:
            self._is_over = True
            self._more.notify_all()

    def line(self, part: str) -> str:
        """Return the first line with `part` in it, once it is printed."""
        with self._more:
            self._more.wait_for(lambda: self._is_over or bool(self._with(part)), TIMEOUT_S)
            found = self._with(part)
        assert found, f"waited for {part!r}; it said: {''.join(self.lines)}"
        return found[0]

    def _with(self, part: str) -> list[str]:
        return [line for line in self.lines if part in line]

    @property
    def address(self) -> str:
        """The page's address, once a line has it."""
        if not self._address:
            with self._more:
                self._more.wait_for(lambda: self._is_over or bool(self._addresses()), TIMEOUT_S)
                assert self._addresses(), "".join(self.lines)
                self._address = self._addresses()[0]
        return self._address

    def found_at(self, address: str) -> None:
        """Note an address that no line has."""
        self._address = address

    def _addresses(self) -> list[str]:
        return _ADDRESS.findall("".join(self.lines))

    @property
    def origin(self) -> str:
        """The address without a code."""
        match = re.search(r"https?://[^/]+/", self.line("http"))
        assert match is not None
        return match[0]

    def get(self, path: str = "") -> str:
        """Return the text of the page, or of one below it."""
        with urllib.request.urlopen(self.address + path, timeout=TIMEOUT_S) as answer:
            return str(answer.read().decode())

    @property
    def place(self) -> str:
        """What the page is of now."""
        page = self.get()
        place = re.search(r'data-place="([0-9a-f]{16})"', page)
        assert place is not None, page
        return place[1]

    def wait_until(self, is_so: Callable[[], bool]) -> None:
        """Wait until something about the page is so; while another game opens, it has no answer."""
        deadline = time.monotonic() + TIMEOUT_S
        while True:
            with suppress(OSError, AssertionError):
                if is_so():
                    return
            assert time.monotonic() < deadline, "".join(self.lines)
            threading.Event().wait(0.05)

    def ask(self, what: str) -> tuple[int, str]:
        """Ask for something that is not the table's own; return the status and what is said. Leaving a game while the
        disk has not taken the last entries is asked for again, as the page says."""
        status, said = self.tap({"kind": "session", "do": what})
        if "Ask again to leave without them" in said:
            status, said = self.tap({"kind": "session", "do": what})
        return status, said

    def end_early(self) -> None:
        """End the game before its end."""
        status, said = self.tap({"kind": "fact", "fact": "abandon", "body": {"reason": ""}})
        assert status == 200, said

    def tap(self, wish: Mapping[str, Any], device: str = "device-of-the-test") -> tuple[int, str]:
        """Tap on the page, which shows everything up to now; return the status and what is said."""
        seen = re.search(r'data-seen="(\d+)"', self.get())
        assert seen is not None
        body = {
            "id": f"a-tap-of-the-test-{next(self._numbers)}",
            "place": self.place,
            "seen": int(seen[1]),
            "heard": 1,
            "again": 0,
            "device": {"id": device, "name": "Test"},
            "wish": wish,
        }
        status, answer = self.post("do", json.dumps(body).encode(), "application/json")
        return status, json.loads(answer)["said"]

    def submit(self, path: str, fields: Mapping[str, str]) -> str:
        """Send a form of a page before a game, and return the page that it leads to."""
        status, answer = self.post(
            path, urlencode(fields).encode(), "application/x-www-form-urlencoded"
        )
        assert status == 200, answer
        return answer

    def post(self, path: str, body: bytes, content_type: str, origin: str = "") -> tuple[int, str]:
        """Send a body as the page would, or one of another `origin`; return the status and the answer."""
        parts = urlsplit(self.address)
        own = f"{parts.scheme}://{parts.netloc}"
        headers = {"content-type": content_type, "origin": origin or own}
        request = urllib.request.Request(self.address + path, body, headers)
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT_S) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as refused:
            with refused:
                return refused.code, refused.read().decode()

    def ended(self) -> int:
        """Return the exit code, once it has ended by itself."""
        code = self.process.wait(TIMEOUT_S)
        if self._reader is not None:
            self._reader.join()
        if self.process.stdout is not None:
            self.process.stdout.close()
        return code

    def signal(self, number: signal.Signals) -> int:
        """Send a signal and return the exit code."""
        self.process.send_signal(number)
        return self.ended()


@contextmanager
def table_page(
    *arguments: str, closed: bool = False, most_bytes: int | None = None, without: str = ""
) -> Iterator[TablePage]:
    """Start the program; it does not outlive the block."""
    program = TablePage(*arguments, closed=closed, most_bytes=most_bytes, without=without)
    try:
        yield program
    finally:
        if program.process.poll() is None:
            program.process.kill()
        program.ended()


def is_record_closed() -> bool:
    """Return whether the only session is one readable file, with nothing left in a log."""
    (path,) = sessions_dir().glob("*.sqlite")
    return not path.with_name(f"{path.name}-wal").exists() and bool(read_entries(path))
