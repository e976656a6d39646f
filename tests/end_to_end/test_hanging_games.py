"""A game by others that never comes back, in a real terminal: it is named, and keys still work."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.commands.starting import LONG
from companion.exits import Exit
from companion.journal.entries import Control, Draft, Layer
from companion.journal.folder import sessions_dir
from companion.journal.journal import Journal
from companion.journal.store import read_entries
from companion.session.clocks import wall
from companion.session.opening import begin
from firmware_protocol.virtual.client import VirtualBoard
from tests.end_to_end.parts import TIMEOUT_S, needs_vm
from tests.end_to_end.test_signals import OnPty, is_closed
from tests.end_to_end.test_terminal import Terminal
from tests.hub.club import wait_until

pytestmark = [
    pytest.mark.waits,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]

Open = Callable[..., Terminal]
PLAY = ("play", "whirl", "--seats", "Anna,Bo", "--port", "none")
RULES = ("act", "apply", "view", "due")
SCREEN = ("draw", "turn")
HANGS = "Whirl (example), from the package table_whirl, hangs in"
ASKS = "Press Esc to stop the game's code, or Ctrl+Q to quit."


@pytest.fixture
def opened(looping_site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Open]:
    """Open a terminal in which Whirl is installed and loops in `place`."""
    terminals: list[Terminal] = []

    def open_at(place: str, *arguments: str, how: str = "python") -> Terminal:
        environment = {
            "COMPANION_DATA": os.environ["COMPANION_DATA"],
            "PYTHONPATH": str(looping_site),
            "WHIRL_LOOPS_IN": place,
            "WHIRL_LOOPS": how,
        }
        terminals.append(Terminal(tmp_path_factory.mktemp("t"), 80, 24, *arguments, **environment))
        return terminals[-1]

    yield open_at
    for terminal in terminals:
        terminal.close()


def turns() -> int:
    (path,) = sessions_dir().glob("*.sqlite")
    return sum(entry.layer is Layer.FACT for entry in read_entries(path))


def ignored() -> list[str]:
    (path,) = sessions_dir().glob("*.sqlite")
    return [entry.body["reason"] for entry in read_entries(path) if entry.kind == "ignored"]


def pressed() -> list[int]:
    """Return the numbers of the entries with zone 1's presses."""
    (path,) = sessions_dir().glob("*.sqlite")
    return [
        entry.n
        for entry in read_entries(path)
        if entry.kind == "event" and entry.body["channel"] == "zone-1"
    ]


def played_until_it_hangs(terminal: Terminal) -> None:
    terminal.wait_for("Anna, turn the top")
    for _ in range(4):
        terminal.type("1")
    terminal.wait_for(ASKS, HANGS)


@pytest.mark.parametrize("place", RULES)
def test_a_game_that_hangs_on_a_key_is_named_and_stopped_and_nothing_is_recorded(
    opened: Open, place: str
) -> None:
    terminal = opened(place, *PLAY)
    played_until_it_hangs(terminal)
    before = turns()
    terminal.type("Escape")
    terminal.wait_for("stopped")
    assert turns() == before
    terminal.press_until("C-q", "exit code")
    assert terminal.exit_code() == Exit.DONE
    assert turns() == before


@pytest.mark.parametrize(
    ("place", "how"),
    [
        *((place, "python") for place in (*RULES, *SCREEN)),
        ("apply", "swallowing"),
        ("turn", "sleeping"),
    ],
)
def test_a_game_that_hangs_can_be_left(opened: Open, place: str, how: str) -> None:
    terminal = opened(place, *PLAY, how=how)
    played_until_it_hangs(terminal)
    before = turns()
    terminal.type("C-q")
    screen = terminal.wait_for("exit code")
    assert "The session is kept" in screen
    assert turns() == before


@pytest.mark.vm
@needs_vm
@pytest.mark.parametrize("key", ["Escape", "C-q"])
def test_a_press_that_a_game_hangs_on_is_kept_and_its_meaning_is_not_recorded(
    opened: Open, tmp_path: Path, key: str
) -> None:
    with VirtualBoard.spawn("micropython", seed=3, path=tmp_path / "port") as board:
        terminal = opened("interpret", *PLAY[:-1], str(tmp_path / "port"))
        terminal.wait_for("Anna, turn the top", "live")
        terminal.wait_for("turned 0 times", "the board is armed")
        # Far enough apart for a finger, however long the screen takes to say what the one before did.
        board.hand_over(
            [
                (400_000 * turn + dt, "zone-1", level)
                for turn in range(4)
                for dt, level in ((0, 1), (60_000, 0))
            ]
        )
        terminal.wait_for(ASKS, HANGS)
        assert turns() == 3
        # Where the end of the push came later than its beginning, it stays with the board until the game is stopped.
        assert len(pressed()) >= 7
        terminal.type(key)
        if key == "Escape":
            terminal.wait_for("which did not come back")
            wait_until(lambda: len(pressed()) == 8, pressed)
            terminal.press_until("C-q", "exit code")
        assert terminal.exit_code() == Exit.DONE, terminal.screen()
    assert turns() == 3
    assert len(ignored()) == (key == "Escape")
    assert len(pressed()) >= 7


@pytest.fixture
def recorded(looping_game: None) -> Path:
    return recorded_turns(5)


def recorded_turns(times: int) -> Path:
    sessions_dir().mkdir(parents=True, exist_ok=True)
    with closing(begin("whirl", ["Anna", "Bo"], {}, sessions_dir() / "top.sqlite")) as table:
        for turn in range(times):
            table.enter("turn", {"seat": ("Anna", "Bo")[turn % 2].lower()})
        return table.path


@pytest.mark.parametrize("place", ["start", "apply", "sentence"])
@pytest.mark.parametrize("plain", [(), ("--plain",)])
def test_a_record_that_a_game_hangs_on_can_be_left(
    opened: Open, recorded: Path, place: str, plain: tuple[str, ...]
) -> None:
    terminal = opened(place, "resume", "--port", "none", *plain)
    terminal.wait_for(HANGS, "Ctrl-C ends it")
    terminal.type("C-c")
    assert terminal.exit_code() == Exit.INTERRUPTED
    assert is_closed(sessions_dir())


@pytest.mark.parametrize(
    "looks",
    [("watch",), ("watch", "--plain"), ("watch", "--big"), ("serve", "--port", "0")],
    ids=" ".join,
)
def test_who_looks_on_is_told_whose_game_hangs_and_can_leave(
    opened: Open, recorded: Path, looks: tuple[str, ...]
) -> None:
    terminal = opened("apply", *looks)
    terminal.wait_for(HANGS, "Ctrl-C ends it")
    terminal.type("C-c")
    assert terminal.exit_code() == Exit.INTERRUPTED


def test_a_simulation_of_a_game_that_hangs_names_it_and_can_be_left(opened: Open) -> None:
    terminal = opened("apply", "simulate", "whirl", "--games", "2")
    terminal.wait_for(HANGS, "Ctrl-C ends it")
    terminal.type("C-c")
    assert terminal.exit_code() == Exit.INTERRUPTED


def test_a_long_record_that_a_game_hangs_on_can_be_left(
    opened: Open, looping_game: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = recorded_turns(5)
    journal = Journal.open(path, wall=wall)
    remark = {"entries": (), "why": "long", "who": ""}
    journal.append(*(Draft(Layer.CONTROL, Control.REMARK, remark) for _ in range(LONG)))
    journal.close()
    terminal = opened("apply", "resume", "--port", "none")
    terminal.wait_for(
        "Whirl (example), from the package table_whirl, hangs in", "the session is kept"
    )
    terminal.type("C-q")
    assert terminal.exit_code() == Exit.UNAVAILABLE


@pytest.mark.parametrize(("place", "turn"), [("act", 4), ("apply", 4), ("view", 3)])
def test_in_plain_lines_it_is_named_and_stopped_too(opened: Open, place: str, turn: int) -> None:
    terminal = opened(place, *PLAY, "--plain")
    terminal.wait_for("Ctrl-D quits")
    for _ in range(turn):
        terminal.type("1", "Enter")
    terminal.wait_for(HANGS, "Type esc to stop it")
    before = turns()
    terminal.type("esc", "Enter")
    terminal.wait_for("stopped")
    terminal.type("C-d")
    screen = terminal.wait_for("exit code")
    assert "Traceback" not in screen
    assert turns() == before


@pytest.mark.parametrize("place", ["act", "draw"])
def test_a_terminal_that_goes_away_ends_a_program_that_hangs_with_its_game(
    place: str, looping_site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(looping_site))
    monkeypatch.setenv("WHIRL_LOOPS_IN", place)
    program = OnPty(*PLAY)
    try:
        program.read_until(b"turn the top")
        os.write(program.master, b"1111")
        program.read_until(ASKS.encode())
        os.close(program.slave)
        os.close(program.master)
        assert program.process.wait(TIMEOUT_S) in (Exit.HUNG_UP, Exit.UNAVAILABLE)
    finally:
        program.close()
    assert is_closed(sessions_dir())
