"""The command line: keyboard play without a board, wrong inputs, exit codes, and what is imported."""

from __future__ import annotations

import argparse
import inspect
import io
import json
import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from pkgutil import resolve_name

import pytest

from companion import cli
from companion.cli import main
from companion.commands.typed import play_plain
from companion.journal.store import read_entries
from companion.link import session as link
from companion.session.opening import begin
from tests.end_to_end.parts import SEATS, TIMEOUT_S, at_table, needs_vm, wait_for
from tests.end_to_end.program import run, run_here, sentence


@pytest.mark.parametrize("flag", ["--version", "--help", "help", "sessoins"])
def test_version_and_help_load_neither_textual_nor_pydantic_nor_serial(flag: str) -> None:
    code = (
        "import sys\nfrom companion.cli import main\n"
        f"try:\n    main([{flag!r}])\nexcept SystemExit:\n    pass\n"
        "heavy = {'textual', 'pydantic', 'serial', 'sqlite3', 'platformdirs', 'shtab'} & set(sys.modules)\n"
        "sys.exit(f'loaded {heavy}' if heavy else 0)"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert result.returncode == 0, result.stderr


def test_a_round_is_played_from_the_keyboard_alone_and_resumed_after_a_restart() -> None:
    first = run(
        "play",
        "panic-fire",
        "--seats",
        "red,blue",
        "--port",
        "none",
        typed="enter\n1\nspace\nw\nq\n",
    )
    assert first.returncode == 0
    assert "red shot blue: blue is out; red takes a Bullet card" in first.stdout
    assert "(PF-" not in first.stdout, "clauses are for ^r"
    offered = run()
    assert "The last unfinished session: Panic Fire" in offered.stdout
    second = run("resume", "--port", "none", typed="u\ny\n")
    assert second.returncode == 0
    assert "red: 1 Bullet card" in second.stdout


def test_undo_survives_a_restart() -> None:
    run_here("play", "panic-fire", "--seats", "red,blue", "--port", "none", typed="enter\n1\n1\n")
    result = run_here("resume", "--port", "none", typed="u\nu\n")
    assert "red: 0 Bullet cards, 0 eliminations, 0 draws" in result.stdout


@pytest.mark.vm
@needs_vm
def test_the_same_game_from_the_gun_and_from_the_keyboard_gives_the_same_score(
    tmp_path: Path,
) -> None:
    from firmware_protocol.virtual.client import VirtualBoard

    with (
        VirtualBoard.spawn("micropython", seed=9, path=tmp_path / "port") as board,
        at_table(tmp_path / "gun.sqlite", board) as table,
    ):
        board.press("zone-3", hold_ms=700)
        wait_for(table, lambda view: view.game.phase == "open", "an open round")
        board.press("zone-2", hold_ms=60)
        wait_for(table, lambda view: view.game.seats[1].draws == 1, "the draw")
        board.shot()
        wait_for(table, lambda view: view.game.phase == "shot", "an open shot")
        board.press("zone-1", hold_ms=700)
        wait_for(table, lambda view: view.game.last_shot.target == "red", "the target")
        board.press("zone-2", hold_ms=700)
        wait_for(table, lambda view: not view.game.open_shots, "the verdict")
        by_gun = [line for line in table.view().summary() if "Bullet" in line]
    table = begin("panic-fire", SEATS, {}, tmp_path / "keys.sqlite")
    try:
        play_plain(table, io.StringIO("enter\n2\nspace\nq\nw\n"), io.StringIO())
        assert [line for line in table.view().summary() if "Bullet" in line] == by_gun
    finally:
        table.close()


@pytest.mark.parametrize(
    ("seats", "said"),
    [
        ("red,blue,green,yellow,purple,orange", "2 to 5 players"),
        ("red,Red", "Give each player another name"),
        ("red", "2 to 5 players"),
        ("red,,blue", "A seat has no name"),
    ],
)
def test_seats_that_cannot_be_are_refused_in_one_sentence(
    seats: str, said: str, own_data_folder: Path
) -> None:
    result = run_here("play", "panic-fire", "--seats", seats, "--port", "none")
    assert result.returncode == 65
    assert said in sentence(result)
    assert not own_data_folder.exists()


@pytest.mark.parametrize(
    ("option", "said"),
    [("dealer=nobody", "rotates_left"), ("dealers=fixed", "dealer"), ("dealer", "RULING=CHOICE")],
)
def test_a_house_rule_that_does_not_exist_is_refused_and_the_choices_are_named(
    option: str, said: str
) -> None:
    result = run_here("play", "panic-fire", "--option", option, "--port", "none")
    assert result.returncode in (2, 65)
    assert said in sentence(result)


def test_a_session_file_that_is_none_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    for name, content in {
        "text": b"not a database",
        "empty": b"",
        "torn": b"SQLite format 3\0" + b"x" * 50,
    }.items():
        path = tmp_path / f"{name}.sqlite"
        path.write_bytes(content)
        result = run_here("resume", str(path), "--port", "none")
        assert result.returncode == 65, name
        assert path.name in sentence(result)
        assert path.read_bytes() == content


def test_a_database_of_another_program_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite"
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE recipes (name TEXT)")
    database.close()
    before = path.read_bytes()
    result = run("resume", str(path), "--port", "none")
    assert result.returncode == 65
    assert sentence(result)
    assert path.read_bytes() == before


def test_a_session_that_is_not_there_is_said_so() -> None:
    result = run_here("resume", "/nowhere/at/all.sqlite", "--port", "none")
    assert result.returncode == 66
    assert "/nowhere/at/all.sqlite" in sentence(result)
    assert run_here("resume", "--port", "none").returncode == 66


def test_a_session_that_another_process_writes_is_refused(tmp_path: Path) -> None:
    table = begin("panic-fire", ["red", "blue"], {}, tmp_path / "s.sqlite")
    try:
        result = run("resume", str(tmp_path / "s.sqlite"), "--port", "none")
    finally:
        table.close()
    assert result.returncode == 75
    assert sentence(result)


def test_an_impossible_fact_in_a_transcript_is_named_by_line_clause_and_what_was_expected(
    tmp_path: Path,
) -> None:
    path = tmp_path / "game.jsonl"
    header = {
        "game": "panic-fire",
        "rules": 2,
        "seats": [{"id": "red", "name": "Red"}, {"id": "blue", "name": "Blue"}],
    }
    path.write_text(
        "\n".join(json.dumps(line) for line in (header, {"kind": "draw", "seat": "red"}))
    )
    result = run("score", str(path))
    assert result.returncode == 65
    text = sentence(result)
    assert "line 2" in text
    assert "PF-" in text
    assert "expected" in text
    assert run_here("score", str(tmp_path / "none.jsonl")).returncode == 66


def test_wrong_usage_ends_with_two_and_names_the_choices(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as ending:
        main(["play", "chess"])
    assert ending.value.code == 2
    assert "panic-fire" in capsys.readouterr().err


@pytest.mark.parametrize("port", ["/dev/nowhere", "socket://127.0.0.1:1"])
def test_a_port_that_cannot_be_opened_is_shown_in_words_and_play_goes_on(
    port: str, tmp_path: Path
) -> None:
    with at_table(tmp_path / "s.sqlite", None) as table:
        table.board.connect(port)
        view = wait_for(
            table,
            lambda view: view.link.state not in ("no board", "opening", "searching"),
            "the trouble",
        )
        assert not view.link.healthy
        assert port.removeprefix("socket://") in view.link.sentence
        table.do("panic-fire.fire")
        assert table.view().game.phase == "open"


@pytest.mark.skipif(os.name != "posix", reason="ptys are POSIX")
def test_garbage_on_the_wire_is_said_in_words_and_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import pty

    monkeypatch.setattr(link, "IDENTIFY_NS", 500_000_000)
    ours, theirs = pty.openpty()
    stop = threading.Event()

    def babble() -> None:
        while not stop.wait(0.02):
            os.write(ours, b"\0" + bytes(range(1, 255)) * 4 + b"\0")

    babbling = threading.Thread(target=babble)
    try:
        with at_table(tmp_path / "s.sqlite", None) as table:
            babbling.start()
            table.board.connect(os.ttyname(theirs))
            view = wait_for(
                table, lambda view: view.link.state == "refused", "what is wrong with this device"
            )
            assert view.link.sentence.endswith(".")
            table.do("panic-fire.fire")
            assert table.view().game.phase == "open"
    finally:
        stop.set()
        babbling.join(TIMEOUT_S)
        os.close(ours)
        os.close(theirs)


def test_a_session_that_ends_cleanly_leaves_a_verified_copy_beside_it(
    own_data_folder: Path,
) -> None:
    run_here("play", "panic-fire", "--seats", "red,blue", "--port", "none", typed="enter\n1\n")
    (session,) = (own_data_folder / "sessions").glob("*.sqlite")
    copy = session.with_name(f"{session.name}.backup")
    assert [entry.digest for entry in read_entries(copy)] == [
        entry.digest for entry in read_entries(session)
    ]


def test_the_commands_about_the_record_find_a_session_by_the_beginning_of_its_name(
    own_data_folder: Path,
) -> None:
    run_here(
        "play",
        "panic-fire",
        "--seats",
        "anna,ben",
        "--port",
        "none",
        typed="enter\n1\nspace\nw\nq\n",
    )
    assert run_here("sessions", "rename", "panic", "Friday").returncode == 0
    assert "Friday" in run_here("sessions").stdout
    assert run_here("journal", "check", "Fri").returncode == 0
    assert "anna takes a Bullet card" in run("sheet", "Fri").stdout
    assert run_here("export", "Fri", "--format", "html").stdout.startswith("<!DOCTYPE html>")
    assert "anna" in run("stats").stdout
    exported = run_here("export", "Fri", "--format", "jsonl").stdout
    (own_data_folder / "friday.jsonl").write_text(exported, encoding="utf-8")
    assert run_here("import", str(own_data_folder / "friday.jsonl")).returncode == 0
    assert "anna: 1 Bullet card" in run_here("score", str(own_data_folder / "friday.jsonl")).stdout
    assert "Type one of them" in sentence(run("sessions", "delete", "Friday", "--yes"))
    assert sentence(run_here("export", "Saturday"))


def test_a_session_is_resumed_by_its_name() -> None:
    run_here("play", "panic-fire", "--seats", "anna,ben", "--port", "none", typed="enter\n")
    run_here("sessions", "rename", "panic", "Friday")
    resumed = run_here("resume", "friday", "--port", "none", typed="1\n")
    assert "anna: 0 Bullet cards, 0 eliminations, 1 draw" in resumed.stdout


def named(parser: argparse.ArgumentParser) -> Iterator[str]:
    """Return the functions of all commands below a parser, by name."""
    does = parser.get_default("run")
    if isinstance(does, str):
        yield does
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            yield from (name for below in action.choices.values() for name in named(below))


def test_every_command_names_a_function_that_takes_its_words() -> None:
    names = set(named(cli.parser()))
    assert {"companion.commands.sessions:repair", "companion.board.commands:look"} <= names
    for name in names:
        assert list(inspect.signature(resolve_name(name)).parameters) in (["args"], ["_args"]), name
