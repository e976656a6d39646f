"""The programs in examples/ against real parts: a virtual board, a served feed, a hook in play, an installed game."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from companion.config.reading import CONFIG_VARIABLE
from companion.exits import Exit
from companion.rules.registry import GAMES
from companion.session.opening import begin
from firmware_protocol.virtual.client import VirtualBoard
from tests.commands.ran import Ran
from tests.end_to_end.parts import TIMEOUT_S, needs_vm
from tests.end_to_end.program import companion
from tests.games.foreign import install_source, installed
from tests.web.served import played, press, served

pytestmark = pytest.mark.waits
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


class Lines:
    """The lines that a program prints, as they come."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._more = threading.Condition()
        self.lines: list[str] = []
        assert process.stdout is not None
        self._reader = threading.Thread(target=self._read, args=(process.stdout,), daemon=True)
        self._reader.start()

    def _read(self, stream: Iterator[str]) -> None:
        for line in stream:
            with self._more:
                self.lines.append(line.rstrip("\n"))
                self._more.notify_all()

    def wait_for(self, text: str, count: int = 1) -> None:
        """Wait until `count` lines contain `text`."""
        with self._more:
            came = self._more.wait_for(
                lambda: sum(text in line for line in self.lines) >= count, TIMEOUT_S
            )
        assert came, f"waited for {text!r}; it printed {self.lines}"

    def join(self) -> None:
        """Wait for the end of the program's output."""
        self._reader.join()


@contextmanager
def example(name: str, *arguments: str) -> Iterator[Lines]:
    """Run an example for as long as the block lasts."""
    command = [sys.executable, str(EXAMPLES / name), *arguments]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        lines = Lines(process)
        try:
            yield lines
        finally:
            process.kill()
            lines.join()


@pytest.mark.vm
@needs_vm
def test_the_board_client_prints_each_press_once_and_acknowledges_it() -> None:
    with VirtualBoard.spawn() as board, example("board_client.py", board.url) as client:
        client.wait_for("firmware")
        board.press("zone-1")
        client.wait_for("zone-1 up")
        # More presses than a board sends without an acknowledgment; the pause is longer than its lock time.
        for n in range(10):
            board.press("zone-2", at_ms=50 + n * 200)
        client.wait_for("zone-2 up", count=10)
        assert [line.split()[:2] for line in client.lines if "zone-1" in line] == [
            ["zone-1", "down"],
            ["zone-1", "up"],
        ]
        until_s = time.monotonic() + TIMEOUT_S
        while board.unsaved() and time.monotonic() < until_s:
            pass  # a look is a round trip to the board's process
        assert board.unsaved() == 0


def test_the_feed_reader_prints_what_happens(tmp_path: Path) -> None:
    with (
        played(tmp_path) as table,
        served(str(table.path), "--port", "0") as pages,
        example("feed_reader.py", pages.address()) as reader,
    ):
        reader.wait_for("The session begins")
        press(table, "fire", "draw.1")
        reader.wait_for("red draws")


def test_the_hook_writes_the_scores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = tmp_path / "settings.toml"
    settings.write_text(
        f'[[hooks]]\nname = "scores"\ncommand = ["{sys.executable}", "{EXAMPLES / "hook.py"}"]\n'
    )
    monkeypatch.setenv(CONFIG_VARIABLE, str(settings))
    monkeypatch.setenv("HOME", str(tmp_path))
    with companion("play", "panic-fire", "--seats", "ann,ben", "--port", "none") as program:
        assert program.process.stdin is not None
        program.process.stdin.write("f\n")
        program.process.stdin.flush()
        program.wait_for("fire!")
        assert program.leave() == Exit.DONE
    lines = (tmp_path / "scores.txt").read_text(encoding="utf-8").splitlines()
    assert [line.split("\t")[1:] for line in lines] == [["ann 0", "ben 0"]] * len(lines)
    assert lines


@pytest.fixture
def tally(tmp_path: Path) -> Iterator[None]:
    with installed(install_source(EXAMPLES / "game", tmp_path / "site")):
        yield


@pytest.mark.usefixtures("tally")
def test_the_game_is_played_by_its_keys_and_says_that_it_is_an_example(tmp_path: Path) -> None:
    assert "example" in GAMES["tally"].title
    with closing(begin("tally", ["Ann", "Ben"], {}, tmp_path / "session.sqlite")) as table:
        first, second = (seat.id for seat in table.view().setup.seats)
        for seat in (first, second, *[first] * 4):
            assert not table.view().ended
            table.do(f"tally.{seat}")
        view = table.view()
        scores = dict(table.view().standings)
    assert view.ended
    assert scores == {first: 5, second: 1}


@pytest.mark.usefixtures("tally")
def test_the_game_is_simulated() -> None:
    ran = Ran("simulate", "tally", "--games", "5")
    assert ran.code == Exit.DONE
    assert "Tally (example)" in ran.out
