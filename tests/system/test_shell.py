"""Hints that people type into a shell."""

from __future__ import annotations

import sys

import pytest

from companion.rules.columns import in_shell
from companion.system import shell


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")


@pytest.mark.usefixtures("windows")
@pytest.mark.parametrize(
    ("name", "typed"),
    [
        ("evening", "evening"),
        (r"C:\Users\Ann\evening.sqlite", r"C:\Users\Ann\evening.sqlite"),
        (r"C:\Users\Ann Lee\evening.sqlite", '"C:\\Users\\Ann Lee\\evening.sqlite"'),
        ("Zoë's evening", '"Zoë\'s evening"'),
        ("-evening", "./-evening"),
        ("a & b", '"a & b"'),
        ("dark\u202eness", '"dark ness"'),
    ],
)
def test_a_name_is_in_double_quotes_on_windows_if_it_needs_any(name: str, typed: str) -> None:
    assert in_shell(name) == typed


@pytest.mark.usefixtures("windows")
def test_an_editor_of_windows_keeps_its_backslashes() -> None:
    command = r'"C:\Program Files\Editor\edit.exe" --wait'
    assert shell.split(command) == [r"C:\Program Files\Editor\edit.exe", "--wait"]


@pytest.mark.usefixtures("windows")
def test_a_session_is_moved_by_the_commands_of_windows() -> None:
    command = shell.moving('"C:\\My games\\evening.sqlite"', r"D:\games", to_make=True)
    assert command == 'mkdir D:\\games & move "C:\\My games\\evening.sqlite*" D:\\games'
    assert shell.with_variable("COMPANION_DATA", r"D:\games") == r"set COMPANION_DATA=D:\games"


def test_elsewhere_it_is_moved_by_those_of_a_unix_shell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    assert shell.moving("s.sqlite", "/games", to_make=False) == "mv s.sqlite* /games"
    assert shell.moving("s.sqlite", "/games", to_make=True).startswith("mkdir -p /games && mv ")
