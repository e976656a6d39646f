"""A session begun in a real terminal while the data folder lies on a real disk that lacks something."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.journal.features import ACCEPTED
from tests.end_to_end.test_terminal import Terminal
from tests.journal.odd_disk import Lacks, can_mount, odd_disk

pytestmark = [
    pytest.mark.waits,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
    pytest.mark.skipif(not can_mount(), reason="to mount a disk takes Linux, /dev/fuse and root"),
]
PLAY = ("play", "panic-fire", "--port", "none")


@pytest.fixture
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a short path, because a socket's name has at most some hundred bytes."""
    return tmp_path_factory.mktemp("h")


@contextmanager
def terminal(home: Path, data: Path, *arguments: str) -> Iterator[Terminal]:
    environment = {"HOME": str(home), "COMPANION_DATA": str(data)}
    folders = {name: str(home / name.lower()) for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME")}
    opened = Terminal(home, 80, 24, *arguments, **environment, **folders)
    try:
        yield opened
    finally:
        opened.close()


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*") if path.is_file())


@pytest.mark.parametrize("lacks", [Lacks.LOCKS, Lacks.MEMORY])
def test_enter_plays_at_home_and_the_way_back_stands_at_the_end(
    lacks: Lacks, home: Path, tmp_path: Path
) -> None:
    with odd_disk(tmp_path, lacks) as disk, terminal(home, disk, *PLAY) as screen:
        screen.wait_for(
            "Start the session in",
            "is on a disk without",
            "Enter: start it there. n: do not start.",
        )
        screen.type("Enter")
        screen.wait_for("before round 1 of 6", "saved")
        screen.type("C-q")
        screen.wait_for("When it is over, bring it back:")
        assert screen.exit_code() == 0
        assert files(disk) == []
    sessions = home / "xdg_data_home" / "table-companion" / "sessions"
    assert len([name for name in files(sessions) if name.endswith(".sqlite")]) == 1


def test_the_start_screens_stay_where_nobody_wants_to_play_elsewhere(
    home: Path, tmp_path: Path
) -> None:
    with odd_disk(tmp_path, Lacks.LOCKS) as disk, terminal(home, disk) as screen:
        for words in ("> 1 new game", "Which game?", "enter the players, clockwise", "> 1 start"):
            screen.wait_for(words)
            screen.type("Enter")
        screen.wait_for("Enter: start it there. n: do not start.")
        screen.type("n", "Enter")
        screen.wait_for(
            "> 1 start", "No session was started. COMPANION_DATA names another data folder."
        )
        assert files(disk) == []


def test_people_agree_once_and_then_play(home: Path, tmp_path: Path) -> None:
    with odd_disk(tmp_path, Lacks.MODES) as disk:
        with terminal(home, disk, *PLAY) as screen:
            screen.wait_for("anybody with", "can read hands and goals", "Play here anyway?")
            screen.type("y", "Enter")
            screen.wait_for("before round 1 of 6", "saved")
            screen.type("C-q")
            assert screen.exit_code() == 0
        assert ACCEPTED in files(disk)
        with terminal(home, disk, *PLAY) as screen:
            screen.wait_for("before round 1 of 6", "saved")
