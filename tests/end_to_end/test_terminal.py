"""The dashboard in a real terminal: keys in, what a person reads out."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from companion.commands.starting import LONG
from companion.session.opening import begin
from tests.commands.test_resuming import session
from tests.dashboard.recorded import FIXTURES
from tests.end_to_end.parts import TIMEOUT_S, needs_vm
from tests.reports.support import run_import

pytestmark = [
    pytest.mark.waits,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]


class Terminal:
    """A tmux terminal with its own server; `before` precedes the program's command."""

    def __init__(
        self,
        folder: Path,
        width: int,
        height: int,
        *arguments: str,
        before: Sequence[str] = (),
        **environment: str,
    ) -> None:
        self._tmux = ["tmux", "-S", str(folder / "tmux"), "-f", "/dev/null"]
        words = [f"{name}={value}" for name, value in environment.items()]
        program = shlex.join(
            [*before, "env", *words, sys.executable, "-m", "companion", *arguments]
        )
        # The shell stays, so that the program's last words and its exit code can be read.
        kept = f"{program}; echo exit code $?; read -r line"
        size = ["-x", str(width), "-y", str(height)]
        subprocess.run(
            [*self._tmux, "new-session", "-d", *size, kept], check=True, timeout=TIMEOUT_S
        )

    def type(self, *keys: str) -> None:
        """Send keys by tmux's names for them."""
        subprocess.run([*self._tmux, "send-keys", *keys], check=True, timeout=TIMEOUT_S)

    def click(self, words: str) -> None:
        """Click on the last place of the words, as a terminal reports it (xterm's SGR mouse mode)."""
        row, line = max(
            (row, line)
            for row, line in enumerate(self.wait_for(words).split("\n"), 1)
            if words in line
        )
        place = f"\033[<0;{line.index(words) + 1};{row}"
        self.type("-H", *(f"{ord(sign):02x}" for sign in f"{place}M{place}m"))

    def screen(self) -> str:
        """Return the text on the screen."""
        command = [*self._tmux, "capture-pane", "-p"]
        return subprocess.run(
            command, check=True, capture_output=True, text=True, timeout=TIMEOUT_S
        ).stdout

    def wait_for(self, *texts: str) -> str:
        """Return the first screen with all `texts`."""
        for screen in _looks(self.screen):
            if all(text in screen for text in texts):
                return screen
        raise AssertionError(f"waited for {texts}; the screen:\n{self.screen()}")

    def press_until(self, key: str, *texts: str) -> None:
        """Press a key, which does nothing when pressed again, until all `texts` are on the screen: for a second after
        secrets were hidden, keys are ignored."""
        for screen in _looks(self.screen):
            if all(text in screen for text in texts):
                return
            self.type(key)
        raise AssertionError(f"pressed {key} for {texts}; the screen:\n{self.screen()}")

    def peek(self) -> None:
        """Ask for a seat's secrets, as soon as keys are accepted."""
        self.press_until("j", "arrows or a number choose the player")

    def exit_code(self) -> int:
        """Return the program's exit code once it has ended."""
        return int(self.wait_for("exit code").rpartition("exit code")[2].split()[0])

    def close(self) -> None:
        """End the terminal and what runs in it."""
        subprocess.run(
            [*self._tmux, "kill-server"], check=False, timeout=TIMEOUT_S, capture_output=True
        )


def _looks(look: Callable[[], str]) -> Iterator[str]:
    deadline = time.monotonic() + TIMEOUT_S
    pace = threading.Event()
    while time.monotonic() < deadline:
        yield look()
        pace.wait(0.05)


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a short path, because a socket's name has at most some hundred bytes."""
    return tmp_path_factory.mktemp("t")


@pytest.fixture
def terminal(folder: Path, request: pytest.FixtureRequest) -> Iterator[Terminal]:
    width, height, arguments, environment = request.param
    if not arguments:
        with closing(begin("panic-fire", ("red", "blue"), {})) as table:
            table.do("panic-fire.fire")
    environment = {"COMPANION_DATA": os.environ["COMPANION_DATA"], **environment}
    opened = Terminal(folder, width, height, *arguments, **environment)
    yield opened
    opened.close()


PLAY = ["play", "panic-fire", "--seats", "red,blue,green", "--port", "none"]


@pytest.mark.parametrize("terminal", [(80, 24, PLAY, {})], indirect=True)
def test_what_names_a_key_is_worked_with_a_mouse(terminal: Terminal) -> None:
    terminal.click("Enter fire!")
    terminal.wait_for("since fire!")
    terminal.click("? help")
    terminal.wait_for("red draws a card.")
    terminal.click("Esc back to the table")
    terminal.click("undo: fire!")
    terminal.wait_for("redo: fire!")
    terminal.click("^q quit")
    assert terminal.exit_code() == 0


@pytest.mark.parametrize(
    "terminal",
    [(80, 24, PLAY, {}), (160, 50, PLAY, {}), (80, 24, PLAY, {"NO_COLOR": "1"})],
    indirect=True,
    ids=["80x24", "160x50", "no color"],
)
def test_a_round_is_played_with_the_keyboard_in_a_terminal(terminal: Terminal) -> None:
    terminal.wait_for("before round 1 of 6", "keyboard only", "fire!")
    terminal.type("Enter")
    terminal.wait_for("round 1 of 6", "since fire!")
    terminal.type("1", "Space")
    terminal.wait_for("Who was hit? Press q red, w blue, e green.")
    terminal.type("w", "q")
    terminal.wait_for("blue is out", "undo: red shot blue")
    terminal.type("x", "u")
    terminal.wait_for("blue was shot at", "undo: blue was shot at")
    terminal.type("?")
    terminal.wait_for("Keys", "red draws a card.")
    terminal.type("Escape")
    terminal.wait_for("blue was hit. Who shot? Press q red, e green.")
    terminal.type("5", "C-q")
    assert terminal.exit_code() == 0


@pytest.mark.parametrize("terminal", [(80, 24, PLAY, {"TERM": "dumb"})], indirect=True)
def test_a_terminal_that_can_only_print_gets_plain_lines_and_takes_keys_by_the_line(
    terminal: Terminal,
) -> None:
    terminal.wait_for(
        "Type a key or what happened, then Enter; ? lists both; Ctrl-D quits.",
        "# the session starts",
    )
    terminal.type("Enter", "2", "Enter")
    terminal.wait_for("fire! round 1 of 6 starts", "blue draws")
    terminal.type("C-c")
    assert terminal.exit_code() == 130


@pytest.mark.parametrize("terminal", [(80, 24, [], {})], indirect=True)
def test_the_last_session_is_offered_and_gone_on_with_in_a_terminal(terminal: Terminal) -> None:
    terminal.wait_for("> 1 continue Panic Fire   red, blue")
    terminal.type("Enter")
    terminal.wait_for("round 1 of 6", "since fire!", "the session is resumed")
    terminal.type("C-c")
    terminal.wait_for("The session is kept", "Continue it:  companion resume")
    assert terminal.exit_code() == 0


def test_a_long_session_is_read_behind_its_screen_in_a_terminal(
    folder: Path, own_data_folder: Path
) -> None:
    session(own_data_folder / "sessions" / "long.sqlite", LONG)
    arguments = ("resume", "--port", "none")
    with closing(
        Terminal(folder, 80, 24, *arguments, COMPANION_DATA=str(own_data_folder))
    ) as terminal:
        terminal.wait_for("round 1 of 6", "Ada", "saved", "the session is resumed")
        terminal.type("C-q")
        terminal.wait_for(
            f"The session is kept ({LONG + 1} entries saved)", "Continue it:  companion resume"
        )
        assert terminal.exit_code() == 0


@pytest.mark.vm
@needs_vm
@pytest.mark.parametrize("terminal", [(80, 24, ["demo", "--speed", "20"], {})], indirect=True)
def test_the_demo_runs_on_the_virtual_board_in_a_terminal(terminal: Terminal) -> None:
    terminal.wait_for("live", "round 1 of 6", "since fire!")
    terminal.wait_for("Bullets", "Gun", "peak")
    terminal.type("C-q")
    assert terminal.exit_code() == 0


def test_a_game_that_is_over_is_played_again_with_one_key_in_a_terminal(
    folder: Path, own_data_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    assert run_import(FIXTURES / "panic-fire" / "six-rounds.jsonl", folder / "evening.sqlite") == 0
    environment = {
        "COMPANION_DATA": str(own_data_folder),
        "SSH_CONNECTION": "10.0.0.1 5 10.0.0.2 22",
    }
    terminal = Terminal(folder, 80, 24, "resume", "evening.sqlite", "--port", "none", **environment)
    try:
        terminal.wait_for("Red wins with 3 Bullet cards", "Round 6 decided it", "r rematch")
        terminal.press_until(
            "h", "Open it in a browser.", f"Report: {folder / 'evening.html'}"[:70]
        )
        terminal.press_until("r", "before round 1 of 6", "Red", "Blue", "Green")
        terminal.type("C-q")
        assert terminal.exit_code() == 0
    finally:
        terminal.close()
    assert (folder / "evening.html").exists()
