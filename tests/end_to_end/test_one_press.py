"""One press takes the steps that ARCHITECTURE.md lists, in their order, from the pin to the screen."""

from __future__ import annotations

import ast
import re
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from types import CodeType, FrameType
from typing import NamedTuple

import pytest

from companion.dashboard.app import Dashboard
from companion.session.opening import begin
from companion.session.table import Table
from tests.dashboard.screen import until
from tests.end_to_end.parts import draws
from tests.firmware_protocol.bench import Bench

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "ARCHITECTURE.md"
PATIENCE_S = 20.0


class Step(NamedTuple):
    """A function, as it names itself, and its file: called, or with `back` resumed after a call that it made."""

    file: str
    function: str
    back: bool = False


def steps(page: str) -> list[Step]:
    """Return the numbered steps of the page's section."""
    section = page.split("## One press, from the chip to the screen\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if re.match(r"\d+\. ", line)]
    matches = [re.match(r"(\d+)\. (back in )?`([\w/]+\.py)` `([\w.]+)`", line) for line in lines]
    assert [match and int(match[1]) for match in matches] == list(range(1, len(lines) + 1)), lines
    return [Step(match[3], match[4], bool(match[2])) for match in matches if match]


STEPS = steps(PAGE.read_text(encoding="utf-8"))


def functions(file: Path) -> set[str]:
    def named(nodes: Sequence[ast.stmt], within: str = "") -> Iterator[str]:
        for node in nodes:
            if isinstance(node, ast.ClassDef):
                yield from named(node.body, f"{node.name}.")
            elif isinstance(node, ast.FunctionDef):
                yield f"{within}{node.name}"

    return set(named(ast.parse(file.read_text(encoding="utf-8")).body))


def test_each_step_is_a_function_of_its_file() -> None:
    assert len(STEPS) > 10
    assert [step for step in STEPS if step.function not in functions(ROOT / step.file)] == []


class BenchPort:
    """A port with the firmware in this process: each read runs one turn of its loop, once a millisecond."""

    def __init__(self) -> None:
        self.bench = Bench(now_us=lambda: time.monotonic_ns() // 1000)
        self._lock = threading.Lock()
        self._closed = threading.Event()

    @property
    def in_waiting(self) -> int:
        """Bytes that can be read at once."""
        return len(self.bench.wire.written)

    def read(self, _size: int = 1) -> bytes:
        """Run one turn of the firmware and return what it wrote."""
        self._closed.wait(0.001)
        with self._lock:
            self.bench.app.step()
            data, self.bench.wire.written = bytes(self.bench.wire.written), bytearray()
        return data

    def write(self, data: bytes) -> int:
        """Pass bytes to the firmware."""
        with self._lock:
            self.bench.wire.inbox += data
        return len(data)

    def close(self) -> None:
        """End a read that waits."""
        self._closed.set()

    def press(self, name: str) -> None:
        """Press a button for 80 ms."""
        with self._lock:
            self.bench.script([(0, name, 1), (80_000, name, 0)])


class Walk:
    """The project's functions as they are called and resumed while `on`, in order, in this thread and in each thread
    started from now on."""

    def __init__(self) -> None:
        self.on = False
        self.passed: list[Step] = []

    def __call__(self, frame: FrameType, event: str, _arg: object) -> None:
        caller = frame.f_back if event == "return" else None
        if self.on and event == "call":
            self._pass(frame.f_code, back=False)
        elif self.on and caller is not None:
            self._pass(caller.f_code, back=True)

    def _pass(self, code: CodeType, *, back: bool) -> None:
        if code.co_filename.startswith(str(ROOT)):
            file = code.co_filename[len(str(ROOT)) + 1 :]
            self.passed.append(Step(file, code.co_qualname, back))


@pytest.fixture
def walk() -> Iterator[Walk]:
    walk, before = Walk(), sys.getprofile()
    threading.setprofile(walk)
    sys.setprofile(walk)
    yield walk
    sys.setprofile(before)
    threading.setprofile(before)


def not_passed(passed: Sequence[Step]) -> Step | None:
    """Return the first step of the page that is missing, in its order, among those passed; None if all are there."""
    coming = iter(passed)
    return next((step for step in STEPS if step not in coming), None)


async def test_one_press_passes_the_steps_in_their_order(walk: Walk, tmp_path: Path) -> None:
    port = BenchPort()
    with closing(begin("panic-fire", ["Red", "Blue"], {}, tmp_path / "session.sqlite")) as table:
        assert isinstance(table, Table)
        table.board.options = {"open_port": lambda _name: port}
        app = Dashboard(table)
        async with app.run_test(size=(80, 24)) as pilot:
            table.board.connect("bench")
            await until(pilot, app, "live")
            await pilot.press("enter")
            await until(pilot, app, "fire! round 1")
            drawn = threading.Event()
            table.subscribe(lambda: drawn.set() if draws(table.view(), 1) else None)
            walk.on = True
            port.press("zone-2")
            # Block the screen's loop: the publication after the press alone could already paint the draw.
            assert drawn.wait(PATIENCE_S)
            await until(pilot, app, "Blue draws")
            walk.on = False
    assert not_passed(walk.passed) is None, walk.passed


def test_a_page_with_another_order_is_noticed() -> None:
    assert not_passed(STEPS) is None
    assert not_passed(STEPS[1:]) == STEPS[0]
    assert not_passed([STEPS[1], STEPS[0], *STEPS[2:]]) == STEPS[1]
