"""What commands print on a terminal that is narrower than a line is wrapped at its words."""

from __future__ import annotations

import io
from contextlib import redirect_stdout

import pytest

from companion import terminal
from companion.rules.columns import hung
from companion.session.plain import LinePrinter
from companion.terminal import ErrorStream, tell
from tests.dashboard.fakes import FakeTable, line, table_view

LONG = "Nobody at this table has a lesson of that name, so nothing can begin"
COMMAND = "companion teach panic-fire"


class Terminal(io.StringIO):
    """A terminal that keeps what is written to it."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("LINES", "24")


def test_no_word_is_broken_and_a_command_stays_in_one_row() -> None:
    with redirect_stdout(Terminal()) as out:
        tell(f"{LONG}:  {COMMAND}")
    rows = out.getvalue().splitlines()
    assert rows == [
        "Nobody at this table has a lesson of",
        "that name, so nothing can begin:",
        COMMAND,
    ]


def test_a_refusal_is_wrapped_too_but_not_in_a_file() -> None:
    shown, file = Terminal(), io.StringIO()
    for stream in (shown, file):
        print(LONG, file=ErrorStream(stream))
    assert " ".join(shown.getvalue().split("\n")).strip() == LONG
    assert max(map(len, shown.getvalue().split("\n"))) <= 40
    assert file.getvalue() == f"{LONG}\n"


def test_a_line_of_the_log_goes_on_below_its_text() -> None:
    table = FakeTable(table_view(log=(line(1, LONG),)))
    shown, file = Terminal(), io.StringIO()
    for stream in (shown, file):
        with LinePrinter(table, stream) as printer:
            printer.print_new()
    first, second, *_ = shown.getvalue().splitlines()
    assert first == "20:15:01 · Nobody at this table has a"
    assert second == "           lesson of that name, so"
    assert LONG in file.getvalue()


def test_data_for_a_terminal_is_not_wrapped() -> None:
    with redirect_stdout(Terminal()) as out:
        print(LONG, file=terminal.data_stream())
    assert out.getvalue() == f"{LONG}\n"


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("", [""]),
        ("short  columns   stay", ["short  columns   stay"]),
        ("a-word-that-is-longer than that", ["a-word-that-is-longer", "than that"]),
        ("  indented words go on", ["  indented", "words go on"]),
        ("wide: 札札札札 札札", ["wide:", "札札札札", "札札"]),
    ],
)
def test_rows_keep_every_word(text: str, rows: list[str]) -> None:
    columns = 22 if "columns" in text else 12
    assert hung(text, columns) == rows
