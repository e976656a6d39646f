"""Who goes on with a session has the board it had."""

from __future__ import annotations

import io
import math
from contextlib import ExitStack
from pathlib import Path

import pytest

from companion import terminal
from companion.board import virtual
from companion.cli import main, parser
from companion.commands import playing, starting
from companion.commands.play_options import PlayOptions, wanted_options
from companion.config.schema import Preferences
from companion.dashboard.start.choices import NewGame
from companion.journal.entries import Draft, Layer
from companion.journal.folder import sessions_dir
from companion.journal.journal import Journal
from companion.journal.sessions import list_sessions
from companion.link.finder import BoardSearch
from companion.rules.facts import Setup
from companion.rules.header import header
from companion.rules.seats import seats_from_names
from companion.session.clocks import wall
from companion.session.opening import begin
from companion.session.table import Table

HELLO = {"board": "Pico", "firmware": "1.0", "reset": "power on", "stamp_error_us": 10}


def session(path: Path, *uids: int) -> Path:
    """Return a session that was played with these boards."""
    setup = Setup("panic-fire", 2, seats_from_names(["Ada", "Ben"]))
    with Journal.create(
        path, header(setup, "s"), wall=lambda: "2024-05-01T20:15:00+00:00"
    ) as journal:
        for boot, uid in enumerate(uids):
            journal.append(
                Draft(Layer.EVIDENCE, "hello", {**HELLO, "uid": f"{uid:016x}", "boot": boot})
            )
    return path


def went_on_at(monkeypatch: pytest.MonkeyPatch, path: Path, play_options: PlayOptions) -> str:
    ways: list[PlayOptions] = []

    def play(_: object, taken: PlayOptions) -> int:
        ways.append(taken)
        return 0

    monkeypatch.setattr(playing, "play", play)
    assert playing.go_on(path, play_options) == 0
    return ways[0].port


def test_a_session_that_had_the_virtual_board_has_it_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    assert virtual.identity() is None
    (tmp_path / "virtual").mkdir()
    (tmp_path / "virtual" / "uid").write_text("00000000000000f7\n")
    assert went_on_at(monkeypatch, session(tmp_path / "1", 0xF7), PlayOptions("none")) == "virtual"
    assert went_on_at(monkeypatch, session(tmp_path / "2", 0xF7), PlayOptions("auto")) == "virtual"


def test_a_board_that_is_not_there_now_may_be_plugged_in_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    assert went_on_at(monkeypatch, session(tmp_path / "1", 0xAB), PlayOptions("none")) == "auto"
    assert went_on_at(monkeypatch, session(tmp_path / "2"), PlayOptions("none")) == "none"


def test_a_session_looks_for_its_own_board_whatever_the_start_screens_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    assert (
        went_on_at(monkeypatch, session(tmp_path / "1", 0xAB), PlayOptions("/dev/ttyACM0"))
        == "auto"
    )
    wanted = Preferences(port="/dev/ttyACM0")
    assert (
        went_on_at(
            monkeypatch, session(tmp_path / "2", 0xAB), PlayOptions("/dev/ttyACM0", wanted=wanted)
        )
        != "auto"
    )


def test_what_somebody_said_about_the_board_goes_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    play_options = PlayOptions("none", wanted=Preferences(port="none"))
    assert went_on_at(monkeypatch, session(tmp_path / "1", 0xAB), play_options) == "none"
    assert went_on_at(monkeypatch, tmp_path / "no such", PlayOptions("auto")) == "auto"


def begun(path: Path, *, without_board: bool) -> Path:
    """Return a session with a draw, begun with or without naming its board."""
    begin("panic-fire", ["Ada", "Ben"], {}, path, without_board=without_board).close()
    return path


def at_board(stack: ExitStack, path: Path, play_options: PlayOptions) -> Table:
    where = playing.play_options_for(path, play_options)
    return playing.at_board(stack, where, lambda: playing.resume_at(path, play_options))


def resumed(path: Path, port: str, *, port_named: bool) -> None:
    play_options = PlayOptions(
        port,
        plain=True,
        wanted=Preferences(port=port if port_named else "auto"),
        port_said=port_named,
    )
    with ExitStack() as stack:
        at_board(stack, path, play_options)


def test_a_session_begun_without_a_board_is_gone_on_with_without_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = begun(tmp_path / "1.sqlite", without_board=True)
    assert went_on_at(monkeypatch, path, PlayOptions()) == "none"
    assert (
        went_on_at(monkeypatch, begun(tmp_path / "2.sqlite", without_board=False), PlayOptions())
        == "auto"
    )
    for _ in range(2):
        resumed(path, "auto", port_named=False)
        assert went_on_at(monkeypatch, path, PlayOptions()) == "none"


def test_a_game_that_began_on_the_start_screens_without_a_board_goes_on_without_one(
    monkeypatch: pytest.MonkeyPatch, own_data_folder: Path
) -> None:
    monkeypatch.setattr(playing, "play", lambda open_table, _: open_table().close() or 0)
    game = NewGame("panic-fire", ["Ada", "Ben"])
    looked = BoardSearch(None, "No board at the USB ports.")
    monkeypatch.setattr(starting, "ask", lambda *_, **__: (game, looked, -math.inf))
    monkeypatch.setattr(terminal, "shows_screens", lambda: True)
    assert main([]) == 0
    (begun_there,) = list_sessions(sessions_dir())
    assert went_on_at(monkeypatch, begun_there.path, PlayOptions()) == "none"


def test_a_game_that_began_with_the_board_that_was_found_looks_for_it_at_every_port(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ways: list[PlayOptions] = []

    def play(_: object, taken: PlayOptions) -> int:
        ways.append(taken)
        return 0

    monkeypatch.setattr(playing, "play", play)
    monkeypatch.setattr(terminal, "shows_screens", lambda: True)
    search = BoardSearch("/dev/ttyACM0", "Board 00c0ffee found at /dev/ttyACM0.")
    for port in (None, "/dev/ttyACM0"):
        game = NewGame("panic-fire", ["Ada", "Ben"], port=port)
        monkeypatch.setattr(starting, "ask", lambda *_, game=game, **__: (game, search, -math.inf))
        assert main([]) == 0
    assert [way.port for way in ways] == ["auto", "/dev/ttyACM0"]


def test_a_rematch_of_a_session_without_a_board_has_none_unless_somebody_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    ways: list[PlayOptions] = []

    def play(_: object, taken: PlayOptions) -> int:
        ways.append(taken)
        return 0

    monkeypatch.setattr(playing, "play", play)
    path = begun(tmp_path / "1.sqlite", without_board=True)
    assert main(["rematch", str(path), "--plain"]) == 0
    assert main(["rematch", str(path), "--plain", "--port", "auto"]) == 0
    assert [(way.port, way.without_board) for way in ways] == [("none", True), ("auto", False)]


def test_what_is_said_on_the_board_at_the_last_resume_is_what_is_remembered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = begun(tmp_path / "1.sqlite", without_board=True)
    assert went_on_at(monkeypatch, path, PlayOptions("auto", port_said=True)) == "auto"
    assert (
        went_on_at(monkeypatch, path, PlayOptions("/dev/x", wanted=Preferences(port="/dev/x")))
        == "/dev/x"
    )
    resumed(path, "auto", port_named=True)
    assert went_on_at(monkeypatch, path, PlayOptions()) == "auto"
    resumed(path, "none", port_named=True)
    assert went_on_at(monkeypatch, path, PlayOptions()) == "none"


def test_a_board_that_was_met_after_that_word_is_looked_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = begun(tmp_path / "1.sqlite", without_board=True)
    with Journal.open(path, wall=wall) as journal:
        journal.append(Draft(Layer.EVIDENCE, "hello", {**HELLO, "uid": f"{0xAB:016x}", "boot": 1}))
    assert went_on_at(monkeypatch, path, PlayOptions("none")) == "auto"


def test_who_goes_on_without_a_board_is_told_how_to_have_one(tmp_path: Path) -> None:
    path = begun(tmp_path / "1.sqlite", without_board=True)
    with ExitStack() as stack:
        table = at_board(stack, path, PlayOptions())
        notice = table.view().notice
        assert notice is not None
        assert notice.text == playing.NO_BOARD_AGAIN


def test_a_port_of_the_command_line_is_a_word_on_this_session_and_one_of_the_settings_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, own_data_folder: Path
) -> None:
    settings = PlayOptions("none", wanted=Preferences(port="none"))
    assert not settings.without_board
    assert not wanted_options(parser().parse_args([])).port_said
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert main(["play", "panic-fire", "--seats", "red,blue", "--plain", "--port", "none"]) == 0
    (session,) = list_sessions(sessions_dir())
    assert went_on_at(monkeypatch, session.path, PlayOptions()) == "none"


def test_a_file_of_somebody_else_may_say_anything_of_its_port(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    setup = Setup("panic-fire", 2, seats_from_names(["Ada", "Ben"]))
    for number, text in enumerate((None, 7, ["none"], {"none": 1}, "\x1b[2J", "/dev/ttyACM0")):
        path = tmp_path / f"{number}.sqlite"
        Journal.create(path, header(setup, "s") | {"port": text}, wall=wall).close()
        assert went_on_at(monkeypatch, path, PlayOptions()) == "auto"
