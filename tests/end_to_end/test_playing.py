"""What the commands say before and beside the dashboard: the offer, plain keys, arguments that make no sense."""

from __future__ import annotations

import builtins
import errno
import io
import os
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.cli import main
from companion.commands import playing
from companion.commands.play_options import PlayOptions
from companion.commands.starting import offer_last
from companion.commands.typed import play_plain
from companion.exits import Exit
from companion.journal.entries import Draft, Layer
from companion.journal.folder import sessions_dir
from companion.journal.journal import Journal
from companion.journal.sessions import list_sessions
from companion.session.clocks import wall
from companion.session.opening import begin
from companion.session.table import Table
from tests.end_to_end.parts import wait_for


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with closing(begin("panic-fire", ("red", "blue"), {}, tmp_path / "s.sqlite")) as opened:
        yield opened


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch, own_data_folder: Path) -> list[Table]:
    """Put an unfinished session into the data folder, and collect the sessions that are resumed."""
    table = begin("panic-fire", ("red", "blue"), {})
    table.do("panic-fire.fire")
    table.close()
    tables: list[Table] = []

    def instead(open_table: playing.Opener, way: PlayOptions) -> int:
        assert not way.plain
        tables.append(open_table())
        tables[-1].close()
        return Exit.DONE

    monkeypatch.setattr(playing, "play", instead)
    return tables


def answering(monkeypatch: pytest.MonkeyPatch, *answers: str | type[BaseException]) -> None:
    """Type these answers, end the input, or press Ctrl-C."""
    left = iter(answers)

    def typed(_question: str) -> str:
        answer = next(left)
        if isinstance(answer, str):
            return answer
        raise answer

    monkeypatch.setattr(builtins, "input", typed)


@pytest.mark.parametrize("answer", ["", "y", "Yes"])
def test_yes_and_enter_go_on_with_the_session(
    answer: str, played: list[Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    answering(monkeypatch, answer)
    assert offer_last(PlayOptions(), ask=True) == Exit.DONE
    assert len(played) == 1


@pytest.mark.parametrize("answer", ["n", "NO", EOFError])
def test_no_and_ctrl_d_keep_the_session_and_say_how_to_go_on_later(
    answer: str | type[BaseException],
    played: list[Table],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    answering(monkeypatch, answer)
    assert offer_last(PlayOptions(), ask=True) == Exit.DONE
    assert played == []
    assert "companion resume" in capsys.readouterr().out


def test_any_other_answer_is_asked_again(
    played: list[Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    answering(monkeypatch, "what?", "y")
    offer_last(PlayOptions(), ask=True)
    assert len(played) == 1


def test_without_a_terminal_the_offer_asks_nothing(
    played: list[Table], capsys: pytest.CaptureFixture[str]
) -> None:
    assert offer_last(PlayOptions(), ask=False) == Exit.DONE
    assert "2 entries.\nContinue it:  companion resume" in capsys.readouterr().out


def test_a_session_in_which_nothing_was_played_is_gone_on_with_by_its_name(
    monkeypatch: pytest.MonkeyPatch, own_data_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import companion.dashboard.app

    def left_at_once(*_args: object, **_options: object) -> int:
        return 0

    monkeypatch.setattr(companion.dashboard.app, "run_dashboard", left_at_once)
    playing.play(lambda: begin("panic-fire", ("red", "blue"), {}), PlayOptions("none"))
    (session,) = list_sessions(sessions_dir())
    by_name = f"companion resume {session.path.stem}"
    assert f"Continue it:  {by_name}\n" in capsys.readouterr().out
    offer = f"Nothing was played yet in the last session ({by_name} continues it)"
    assert offer_last(PlayOptions(), ask=True) == Exit.DONE
    assert f"{offer}. Start one:\n" in capsys.readouterr().out
    monkeypatch.setattr("sys.stdin", io.StringIO("enter\n"))
    assert main(["resume", "--plain"]) == Exit.NO_INPUT
    assert f"{offer}; start one: companion play" in capsys.readouterr().err
    assert main(["resume", "--plain", session.path.stem]) == Exit.DONE
    assert offer_last(PlayOptions(), ask=False) == Exit.DONE
    assert "Continue it:  companion resume\n" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [[], ["resume"], ["rematch"], ["watch"], ["sessions"]])
@pytest.mark.parametrize(
    ("problem", "sentence"),
    [
        (
            PermissionError(errno.EACCES, "Permission denied"),
            "change the permissions of the file or its folder",
        ),
        (
            NotADirectoryError(errno.ENOTDIR, "Not a directory"),
            "a file stands where a folder is needed",
        ),
    ],
    ids=["no permission", "no folder"],
)
def test_a_folder_of_sessions_that_cannot_be_read_is_one_sentence(
    own_data_folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    problem: OSError,
    sentence: str,
    arguments: list[str],
) -> None:
    folder = own_data_folder / "sessions"
    whatever = Path.iterdir

    def refused(path: Path) -> Iterator[Path]:
        if path == folder:
            raise problem
        return whatever(path)

    monkeypatch.setattr(Path, "iterdir", refused)
    assert main(arguments) == Exit.NO_INPUT
    (text,) = capsys.readouterr().err.splitlines()
    assert text.startswith(f"{folder} cannot be read, because ")
    assert sentence in text


def test_a_session_of_a_game_this_companion_does_not_know_is_offered_by_its_id(
    tmp_path: Path, own_data_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entry = {"name": "s", "game": "chess", "rules": 2, "seats": [], "options": {}}
    with Journal.create(own_data_folder / "sessions" / "s.sqlite", entry, wall=wall) as journal:
        journal.append(Draft(Layer.FACT, "castle", {}))
    assert main([]) == Exit.DONE
    assert "The last unfinished session: chess" in capsys.readouterr().out
    assert main(["resume"]) == Exit.DATA
    assert "its game 'chess' is not installed here" in capsys.readouterr().err


def test_plain_keys_may_be_typed_as_they_stand_on_the_keyboard(table: Table) -> None:
    out = io.StringIO()
    play_plain(table, io.StringIO("Enter\n1\n+\n7\n6\n"), out)
    assert "red shot blue" in out.getvalue()


def test_a_question_mark_lists_the_plain_keys_and_what_is_awaited(table: Table) -> None:
    out = io.StringIO()
    play_plain(table, io.StringIO("?\n"), out)
    assert "q or 6  Name red: first the target, then the shooter." in out.getvalue()
    assert f">  {table.view().awaiting}" in out.getvalue()


def test_a_key_that_is_none_is_named_and_the_way_to_the_keys_too(table: Table) -> None:
    out = io.StringIO()
    play_plain(table, io.StringIO("jump\n"), out)
    assert (
        "? Nothing is called 'jump' here. Type ? for what there is; Ctrl-D quits." in out.getvalue()
    )


def test_plain_play_tells_what_becomes_of_the_link(table: Table) -> None:
    read_end, write_end = os.pipe()

    def leave_when_shown() -> None:
        try:
            wait_for(
                table, lambda view: view.link.state == "absent", "that the port does not exist"
            )
        finally:
            os.close(write_end)

    people = threading.Thread(target=leave_when_shown)
    people.start()
    out = io.StringIO()
    with os.fdopen(read_end) as keyboard:
        play_plain(table, keyboard, out, port="/dev/nowhere")
    people.join()
    assert (
        "= absent: /dev/nowhere does not exist: plug the board in, or name another port."
        in out.getvalue()
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["demo", "--speed", "0"], "'0' is no speed: give a number above 0"),
        (["demo", "--speed", "nan"], "'nan' is no speed"),
        (["demo", "--speed", "-1"], "'-1' is no speed"),
        (["demo", "--speed", "abc"], "'abc' is no speed"),
        (["demo", "--seed", "two"], "'two' is no whole number"),
        (["play", "panic-fire", "--port", ""], "no port is named"),
        (["play", "panic-fire", "--browser", "--port", "0"], "0 is no board: give auto"),
    ],
)
def test_a_number_or_a_port_that_is_none_is_wrong_usage_and_says_what_is_right(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ending:
        main(arguments)
    assert ending.value.code == Exit.USAGE
    assert said in capsys.readouterr().err


def test_seats_without_a_name_are_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "panic-fire", "--seats", " ", "--port", "none"]) == Exit.USAGE
    assert "2 to 5 names" in capsys.readouterr().err


def test_a_fault_of_the_program_is_one_sentence_and_a_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], own_data_folder: Path
) -> None:
    def fails(_folder: Path) -> None:
        raise ZeroDivisionError("oh")

    monkeypatch.setattr("companion.commands.starting.list_sessions", fails)
    assert main([]) == Exit.SOFTWARE
    output = capsys.readouterr().err
    assert "The companion stopped by a fault of its own (ZeroDivisionError: oh)" in output
    assert len(output.splitlines()) == 1
    assert "ZeroDivisionError" in (own_data_folder / "crash.txt").read_text()


def test_who_leaves_the_dashboard_reads_the_score_and_how_to_go_on(
    table: Table, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import companion.dashboard.app

    monkeypatch.setattr(companion.dashboard.app, "run_dashboard", lambda *_args, **_options: 0)
    assert playing.play(lambda: table, PlayOptions("none")) == Exit.DONE
    output = capsys.readouterr().out
    assert "red: 0 Bullet cards" in output
    assert (
        f"The session is kept (1 entry saved). Continue it:  companion resume {table.path}"
        in output
    )
