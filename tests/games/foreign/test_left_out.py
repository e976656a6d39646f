"""Commands that nobody waits at stop a game that never comes back, name its session, and go on with the others."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.exits import Exit
from companion.journal.folder import sessions_dir
from companion.session import game_watch
from companion.session.opening import begin
from tests.commands.ran import Ran

pytestmark = pytest.mark.usefixtures("looping_game")
AT_READING = ("start", "apply", "sentence", "over", "figures")


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """A call hangs after half a second already."""
    monkeypatch.setattr("companion.cli.stopped_after", lambda: game_watch.stopped_after(0.5))


@pytest.fixture
def whirl() -> Path:
    return played("whirl", "top")


def played(game: str, name: str) -> Path:
    sessions_dir().mkdir(parents=True, exist_ok=True)
    path = sessions_dir() / f"{name}.sqlite"
    table = begin(game, ["Anna", "Bo"], {}, path)
    for _ in range(5):
        fact = table.legal()[0]
        table.enter(fact.kind, fact.model_dump(mode="json", exclude={"kind", "at"}))
    table.close()
    return path


@pytest.mark.parametrize("place", AT_READING)
def test_stats_names_a_session_whose_game_hangs_and_counts_the_others(
    place: str, whirl: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played("panic-fire", "friday")
    monkeypatch.setenv("WHIRL_LOOPS_IN", place)
    ran = Ran("stats")
    assert ran.code == Exit.DATA
    assert (
        f"Left out: {whirl.stem}. Whirl (example), from the package table_whirl, hangs in"
        in ran.err
    )
    assert "Panic Fire" in ran.out
    assert "whirl" not in ran.out


@pytest.mark.parametrize("how", ["python", "swallowing"])
def test_export_names_it_and_writes_nothing(
    how: str, whirl: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WHIRL_LOOPS_IN", "apply")
    monkeypatch.setenv("WHIRL_LOOPS", how)
    out = whirl.parent / "out.html"
    ran = Ran("export", whirl.stem, "-o", str(out))
    assert (ran.code, ran.out, out.exists()) == (Exit.UNAVAILABLE, "", False)
    assert "hangs in loops.py, line" in ran.err


@pytest.mark.parametrize(
    "command",
    [("export",), ("sheet",), ("feed",), ("journal", "check"), ("sessions",), ("report",)],
    ids=" ".join,
)
@pytest.mark.parametrize(
    "place", ["start", "apply", "sentence", "view", "over", "standings", "summary", "tables"]
)
def test_no_command_waits_for_a_game_for_ever(
    command: tuple[str, ...],
    place: str,
    whirl: Path,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setenv("WHIRL_LOOPS_IN", place)
    monkeypatch.chdir(tmp_path)
    words = command if command == ("sessions",) else (*command, whirl.stem)
    ran = Ran(*words)
    assert ran.code in (Exit.DONE, Exit.UNAVAILABLE)
    assert (
        ran.code == Exit.DONE
        or "Whirl (example), from the package table_whirl, hangs in" in ran.err
    )
