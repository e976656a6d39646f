"""What is asked when people leave a game that is over, and the game that follows it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from companion.commands.after_game import AfterGame, ended_just_now, offer_report, wants_rematch
from companion.commands.play_options import PlayOptions
from companion.commands.playing import afterwards, rematch
from companion.games.panic_fire.rules.game import GAME
from companion.journal.copy import backup_path
from companion.journal.entries import Control, Draft, Layer
from companion.journal.journal import Journal
from companion.journal.store import read_entries
from companion.rules.components import pinned
from companion.rules.header import header, setup_of
from companion.session.finding import session_to_follow
from companion.session.table import Table
from tests.games.panic_fire.playing import setup

WALL = "2026-03-01T20:00:00+00:00"
RED_WINS: tuple[tuple[str, dict[str, str]], ...] = (
    ("fire", {}),
    ("shot", {}),
    ("target", {"seat": "blue"}),
    ("shooter", {"seat": "red"}),
)


def typed(*lines: str) -> Callable[[str], str]:
    """Type these lines, then end the input."""
    waiting = iter(lines)

    def ask(_question: str) -> str:
        try:
            return next(waiting)
        except StopIteration:
            raise EOFError from None

    return ask


@pytest.fixture
def over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a session in which Red won six rounds, left at its end."""
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    path = tmp_path / "sessions" / "evening.sqlite"
    path.parent.mkdir()
    with Journal.create(path, header(setup("red blue"), "evening"), wall=lambda: WALL) as journal:
        journal.append(
            *(Draft(Layer.FACT, kind, body) for _ in range(6) for kind, body in RED_WINS)
        )
        game = GAME
        Table(game, journal, setup("red blue"), host_us=lambda: 0).close()
    return path


def test_a_game_that_is_over_is_told_from_one_that_is_not(over: Path) -> None:
    assert ended_just_now(over)


def test_a_game_opened_again_after_its_end_is_not_asked_about_twice(over: Path) -> None:
    with Journal.open(over, wall=lambda: WALL) as journal:
        journal.append(Draft(Layer.CONTROL, Control.RESUMED), Draft(Layer.CONTROL, Control.ENDED))
    assert not ended_just_now(over)


def test_what_is_no_session_has_not_ended(tmp_path: Path) -> None:
    assert not ended_just_now(tmp_path / "nothing.sqlite")


def test_enter_writes_no_report_and_names_the_command_for_later(over: Path, tmp_path: Path) -> None:
    lines: list[str] = []
    offer_report(over, typed(""), lines.append, tmp_path)
    assert lines == ["Later:  companion export evening -o evening.html"]
    assert not list(tmp_path.glob("evening*"))


def test_a_report_is_written_under_a_name_that_is_free(over: Path, tmp_path: Path) -> None:
    (tmp_path / "evening.html").write_text("mine")
    lines: list[str] = []
    offer_report(over, typed("x", "H"), lines.append, tmp_path)
    assert (tmp_path / "evening.html").read_text() == "mine"
    assert "<html" in (tmp_path / "evening-2.html").read_text()
    assert lines == [f"The report is {tmp_path / 'evening-2.html'}"]


def test_the_end_of_the_input_is_a_no(over: Path, tmp_path: Path) -> None:
    offer_report(over, typed(), lambda _: None, tmp_path)
    assert not wants_rematch(typed())
    assert wants_rematch(typed("what?", "yes"))


def test_a_rematch_has_the_seats_and_house_rules_and_names_the_game_before(over: Path) -> None:
    before = read_entries(over)[0]
    table = rematch(session_to_follow(None), PlayOptions())
    table.close()
    body = read_entries(table.path)[0].body
    assert table.path != over
    assert body["rematch_of"] == before.digest.hex()
    assert setup_of(body) == pinned(setup_of(before.body))


def test_that_no_copy_could_be_made_is_said_once(
    over: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    backup_path(over).with_name(f"{backup_path(over).name}-new").mkdir()
    afterwards(AfterGame(over), over, PlayOptions("none"))
    assert capsys.readouterr().err.count("No copy") == 1
