"""What a format defines leaves as UTF-8, with its own line ends, whatever encoding the console has."""

from __future__ import annotations

import argparse
import csv
import io
import json
import sys
from collections.abc import Iterator
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from companion.cli import main, parser
from companion.exits import Exit
from companion.journal.folder import sessions_dir
from companion.reports import FORMATS
from companion.session.opening import begin
from tests.reports.support import FIXTURES

SIX = FIXTURES / "six-rounds.jsonl"
CONSOLES = [("ascii", "\r\n"), ("cp1252", "\r\n"), ("utf-16", "\n")]
"""Encodings of a console or a pipe, and what Windows or Linux writes for a line's end."""
DEFINED = [
    *(("export", "six", "--format", wanted) for wanted in FORMATS),
    ("export", "six", "--excel"),
    ("export", "six", "--format", "json", "-o", "-"),
    ("export", "six", "--format", "jsonl", "--stored"),
    ("sheet", "Fête"),
    ("sheet", "Fête", "-o", "-"),
    ("feed", "Fête"),
    ("feed", "--schema"),
    ("sessions", "--json"),
    ("stats", "--json"),
    ("games", "list", "--json"),
    ("licenses", "--json"),
    ("games", "schema"),
    ("components", "list", "panic-fire", "--json"),
    ("score", str(SIX), "--json"),
    ("simulate", "panic-fire", "--games", "1", "--json"),
    ("config", "keys", "--page"),
]


@pytest.fixture(autouse=True)
def _sessions(own_data_folder: Path) -> None:
    begin("panic-fire", ["Zoë", "Bo"], {}, sessions_dir() / "Fête.sqlite").close()
    assert main(["import", str(SIX), "-o", str(sessions_dir() / "six.sqlite")]) == Exit.DONE


def printed(
    words: tuple[str, ...], encoding: str, newline: str, monkeypatch: pytest.MonkeyPatch
) -> bytes:
    """Return what a command prints on a console with this encoding and line end."""
    out = BytesIO()
    with monkeypatch.context() as patched:
        patched.setattr(sys, "stdout", TextIOWrapper(out, encoding=encoding, newline=newline))
        assert main(list(words)) == Exit.DONE
        sys.stdout.flush()
        return out.getvalue()


@pytest.mark.parametrize(("encoding", "newline"), CONSOLES)
@pytest.mark.parametrize("words", DEFINED, ids=" ".join)
def test_what_a_format_defines_is_the_same_bytes_on_every_console(
    words: tuple[str, ...], encoding: str, newline: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = printed(words, "utf-8", "\n", monkeypatch)
    assert len(wanted) > 20
    assert printed(words, encoding, newline, monkeypatch) == wanted


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("sheet Fête", "Zoë"),
        ("export Fête", "Zoë"),
        ("export Fête --format json", "Zoë"),
        ("sessions --json", "Fête"),
    ],
)
def test_letters_beyond_ascii_are_whole(
    words: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert name in printed(tuple(words.split()), "ascii", "\n", monkeypatch).decode("utf-8")


def commands(
    top: argparse.ArgumentParser, words: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], set[str]]]:
    """Each command with its options."""
    options = {option for action in top._actions for option in action.option_strings}
    yield words, options
    for action in top._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, below in action.choices.items():
                yield from commands(below, (*words, name))


def test_each_command_that_prints_json_is_tried() -> None:
    of_the_machine = [("doctor",), ("board", "selftest")]
    tried = {
        words[: len(name)]
        for name, _ in commands(parser())
        for words in DEFINED
        if "--json" in words
    }
    printing = {
        name
        for name, options in commands(parser())
        if "--json" in options and name not in of_the_machine
    }
    assert printing <= tried


def test_doctor_prints_json_on_a_console_without_its_letters(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    out = BytesIO()
    monkeypatch.setattr(sys, "stdout", TextIOWrapper(out, encoding="utf-16"))
    main(["doctor", "--json"])
    sys.stdout.flush()
    assert json.loads(out.getvalue().decode("utf-8"))["findings"]


def test_sentences_for_people_have_the_encoding_of_the_console(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert "ê" in printed(("sessions",), "cp1252", "\n", monkeypatch).decode("cp1252")
    assert "ë" in printed(("stats",), "cp1252", "\n", monkeypatch).decode("cp1252")


@pytest.mark.parametrize("format_first", [(), ("--format", "csv")])
def test_a_table_for_excel_has_a_mark_and_semicolons(
    format_first: tuple[str, ...], tmp_path: Path
) -> None:
    plain, excel = tmp_path / "plain.csv", tmp_path / "excel.csv"
    assert main(["export", "six", "--format", "csv", "-o", str(plain)]) == Exit.DONE
    assert main(["export", "six", *format_first, "--excel", "-o", str(excel)]) == Exit.DONE
    data = excel.read_bytes()
    assert data.startswith(b"\xef\xbb\xbfentry;time;device_us;")
    assert plain.read_bytes().startswith(b"entry,time,device_us,")
    rows = list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""), delimiter=";"))
    assert rows == list(csv.reader(io.StringIO(plain.read_bytes().decode(), newline="")))


def test_excel_and_another_format_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "six", "--format", "json", "--excel"]) == Exit.USAGE
    assert "--excel writes csv only" in capsys.readouterr().err
