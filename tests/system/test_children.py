"""Processes that the program starts of itself, installed and frozen."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from companion.commands.hosting import unit
from companion.exits import Exit
from companion.system.children import CHILDREN, companion_command, environment_for_others
from firmware_protocol.virtual.children import module_command
from tests.commands.ran import Ran
from tests.system.frozen import ROOT, FrozenProgram
from tests.system.program import Program

SOURCES = [*ROOT.glob("companion/**/*.py"), *ROOT.glob("firmware_protocol/**/*.py")]
LIMIT_S = 60


@pytest.fixture
def frozen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", "/opt/table companion/companion")


def test_an_installed_program_imports_nothing_from_the_current_folder(tmp_path: Path) -> None:
    (tmp_path / "webbrowser.py").write_text("raise SystemExit('taken from the current folder')")
    command = module_command("webbrowser", "--help")
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=LIMIT_S)
    assert "taken from the current folder" not in done.stderr
    assert companion_command("export")[:2] == [sys.executable, "-P"]


@pytest.mark.usefixtures("frozen")
def test_a_frozen_program_starts_itself() -> None:
    program = sys.executable
    assert companion_command("export", "s") == [program, "export", "s"]
    assert module_command("mpremote", "ls") == [program, "_child", "mpremote", "ls"]
    assert f'ExecStart="{program}" host\n' in unit()


def test_each_child_is_a_module_that_a_frozen_program_can_run() -> None:
    assert [name for name in CHILDREN if find_spec(name) is None] == []


@pytest.mark.parametrize("words", [(), ("os",), ("companion.cli", "play")])
def test_no_other_module_is_run_as_a_child(words: tuple[str, ...]) -> None:
    ran = Ran("_child", *words)
    assert ran.code == Exit.USAGE
    assert ran.err.endswith("runs only its own parts.\n")


def test_the_word_for_children_is_in_no_help() -> None:
    assert "_child" not in Ran("--help").out


@pytest.mark.waits
def test_a_frozen_program_plays_on_the_virtual_board_and_runs_both_of_its_processes(
    tmp_path: Path,
) -> None:
    program = FrozenProgram(tmp_path)
    words = ["play", "drills", "--seats", "Ann", "--plain", "--port", "virtual"]
    environment = {**os.environ, "PATH": "/nowhere", "COMPANION_DATA": str(tmp_path / "data")}
    with Program([str(program.path), *words], environment) as game:
        game.line_with("is live")
    assert game.leave() == 0
    first, launcher, firmware = program.starts()
    assert first == " ".join(words)
    assert launcher.startswith("_child firmware_protocol.virtual --runtime")
    assert firmware.startswith("_child firmware_protocol.virtual.child uid=")


def test_a_frozen_program_opens_a_browser_with_the_libraries_of_the_system(tmp_path: Path) -> None:
    program, browser, seen = FrozenProgram(tmp_path), tmp_path / "browser", tmp_path / "seen"
    browser.write_text(f'#!/bin/sh\necho "$1 $LD_LIBRARY_PATH" > {seen}\n')
    browser.chmod(0o755)
    environment = {
        **os.environ,
        "BROWSER": f"{browser} %s",
        "LD_LIBRARY_PATH": "/ours",
        "LD_LIBRARY_PATH_ORIG": "/theirs",
    }
    command = [str(program.path), "_child", "companion.system.browser", "file:///evening.html"]
    subprocess.run(command, env=environment, check=True, timeout=LIMIT_S)
    assert seen.read_text() == "file:///evening.html /theirs\n"


@pytest.mark.usefixtures("frozen")
def test_a_path_of_libraries_that_was_not_set_before_is_not_set_for_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LD_LIBRARY_PATH", "/ours")
    monkeypatch.delenv("LD_LIBRARY_PATH_ORIG", raising=False)
    assert "LD_LIBRARY_PATH" not in environment_for_others()


def test_only_two_modules_know_the_interpreter() -> None:
    knowing = {
        path.relative_to(ROOT).as_posix()
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr == "executable"
    }
    assert knowing == {
        "companion/system/children.py",
        "firmware_protocol/virtual/children.py",
        "firmware_protocol/virtual/runtime.py",
    }
