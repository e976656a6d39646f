"""The virtual board of `play --port virtual`, worked from another terminal."""

from __future__ import annotations

import io
import os
import signal
import sys

import pytest

from companion.board import virtual
from companion.cli import main
from companion.commands import virtual_board
from companion.exits import Exit
from companion.journal.folder import sessions_dir
from companion.journal.sessions import is_played, last_of, list_sessions
from companion.journal.store import read_entries
from firmware_protocol.virtual import jsonlines
from tests.end_to_end.parts import needs_vm
from tests.end_to_end.program import companion

pytestmark = [pytest.mark.vm, pytest.mark.waits, needs_vm]


def typed(*lines: str) -> str:
    """Type lines to the board's buttons; return the answers."""
    out = io.StringIO()
    assert virtual_board.run(io.StringIO("\n".join(lines)), out) is Exit.DONE
    return out.getvalue().removeprefix(virtual_board.HELP)


def test_typed_lines_press_the_buttons_of_the_board_a_session_plays_with() -> None:
    with companion("play", "panic-fire", "--seats", "red,blue", "--port", "virtual") as session:
        session.wait_for("the board is armed")
        assert typed("hold 1").strip() == "hold 1: done"
        session.wait_for("fire! round 1")
        typed("tap 2", "shot")
        session.wait_for("blue draws")
        session.wait_for("the gun fired")
        typed("power")
        session.wait_for("what happened until now is unknown")
        assert session.leave() == Exit.DONE
    assert virtual.find() is None


def test_a_held_trigger_declares_a_misfire_in_skyfire() -> None:
    with companion("play", "skyfire", "--seats", "red,blue,green", "--port", "virtual") as session:
        session.wait_for("the board is armed")
        typed("hold 1")
        session.wait_for("round 1 of 5: 4 cards each dealt")
        assert typed("hold trigger").strip() == "hold trigger: done"
        session.wait_for("red holds 4 cards")
        for turn in range(12):
            typed(f"tap {1 + turn % 2}")
            session.wait_for(f"now {1 + turn // 2} card")
        typed("hold trigger")
        session.wait_for("red declares a misfire: all zones are turned up")
        assert session.leave() == Exit.DONE


def test_a_line_that_is_none_of_the_words_is_answered_with_the_words() -> None:
    with virtual.running():
        assert "jump: not understood; type ? for help" in typed("jump")
        assert "which zone?" in typed("tap")
        assert "which zone?" in typed("hold x")
        assert "There is no contact" in typed("tap 11")
        assert "power           take the board's power" in typed("?")


def test_a_second_session_is_refused_and_does_not_end_the_board_of_the_first(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with virtual.running() as board:
        assert main(["play", "panic-fire", "--port", "virtual"]) == Exit.UNAVAILABLE
        assert "another session plays with it: end that one first" in capsys.readouterr().err
        assert board.status()["powered"]


def test_hands_whose_board_has_ended_say_so_and_leave(capsys: pytest.CaptureFixture[str]) -> None:
    with virtual.running() as board:
        out = io.StringIO()
        attached = virtual.find()
        assert attached is not None
        board.end()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(virtual_board, "find", lambda: attached)
            assert virtual_board.run(io.StringIO("tap 1\n"), out) is Exit.UNAVAILABLE
    assert "! The virtual board does not answer" in out.getvalue()
    assert "The virtual board has ended" in capsys.readouterr().err


def test_the_board_of_a_killed_companion_keeps_running_and_is_found_again() -> None:
    with companion("play", "panic-fire", "--seats", "red,blue", "--port", "virtual") as session:
        session.wait_for("the board is armed")
        typed("hold 1")
        session.wait_for("fire! round 1")
        while last_of(list_sessions(sessions_dir())) is None:
            pass  # said at once, kept a moment later: what this session keeps is that it was played
        session.kill()
    typed("tap 2")
    with companion("resume", "--port", "virtual") as session:
        session.wait_for("blue draws")
        assert session.leave() == Exit.DONE
    assert virtual.find() is None


def test_a_board_that_was_left_behind_tells_what_it_keeps_and_is_ended_by_a_command(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def output(*words: str) -> str:
        assert main(["virtual", *words]) == Exit.DONE
        return capsys.readouterr().out

    assert output() == output("end") == "No virtual board is running.\n"
    with companion("play", "panic-fire", "--seats", "red,blue", "--port", "virtual") as session:
        session.wait_for("the board is armed")
        assert output() == "A session plays with the virtual board.\n"
        assert main(["virtual", "end"]) == Exit.UNAVAILABLE
        assert "another session plays with it: end that one first" in capsys.readouterr().err
        session.kill()
    typed("tap 2")
    while "keeps 2 events that no session has.\n" not in (text := output()):
        assert "left behind" in text
    assert "companion virtual end" in text
    assert output("end") == "The virtual board has ended; 2 events were lost.\n"
    assert virtual.find() is None


def test_a_session_of_which_only_the_board_knows_is_resumed_as_the_board_says(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with companion("play", "panic-fire", "--seats", "red,blue", "--port", "virtual") as session:
        session.wait_for("the board is armed")
        while (begun := last_of(list_sessions(sessions_dir()))) is None:
            pass  # said at once, kept a moment later
        session.kill()
    assert not begun.played
    typed("tap 2")
    capsys.readouterr()
    assert main(["virtual"]) == Exit.DONE
    assert (
        f"Go on with its session: companion resume {begun.path.stem}\n" in capsys.readouterr().out
    )
    with companion("resume") as session:
        session.wait_for("the board is armed")
        while not is_played(begun.path):
            pass
        assert session.leave() == Exit.DONE
    assert [
        entry.body["channel"] for entry in read_entries(begun.path) if entry.kind == "event"
    ] == ["zone-2"] * 2
    assert virtual.find() is None


@pytest.mark.skipif(sys.platform == "win32", reason="Windows stops no process")
def test_a_board_whose_firmware_hangs_is_ended_too(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with companion("play", "panic-fire", "--seats", "red,blue", "--port", "virtual") as session:
        session.wait_for("the board is armed")
        session.kill()
    board = virtual.find()
    assert board is not None
    os.kill(board.status()["board_pid"], signal.SIGSTOP)
    board.close()
    monkeypatch.setattr(jsonlines, "STUCK_S", 0.5)
    assert main(["virtual"]) == Exit.UNAVAILABLE
    assert "End it: companion virtual end" in capsys.readouterr().err
    assert main(["virtual", "end"]) == Exit.DONE
    assert "its firmware did not answer" in capsys.readouterr().out
    assert virtual.find() is None


def test_without_a_board_hands_say_how_to_start_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert virtual_board.run(io.StringIO(), io.StringIO()) is Exit.UNAVAILABLE
    assert "companion play panic-fire --port virtual" in capsys.readouterr().err
