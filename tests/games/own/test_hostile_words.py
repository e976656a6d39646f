"""Names in a file are shown as they are, never read as markup, HTML or a spreadsheet formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion import cli
from companion.rules import registry
from companion.session.opening import begin
from tests.games.own.files import TEXTS

HOSTILE = "[b]<i>=1+1"


@pytest.fixture(autouse=True)
def _as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))
    yield
    vars(registry.GAMES)["learned"].clear()


@pytest.fixture
def session(tmp_path: Path) -> Path:
    text = TEXTS["hearts"]
    for words in (
        'title = "Hearts"',
        'title = "points taken"',
        'title = "hand"',
        'title = "takes a heart"',
    ):
        text = text.replace(words, f'title = "{HOSTILE}"')
    text = text.replace(
        "[counters.taken]", '[counters.other]\ntitle = "=cmd()"\n\n[counters.taken]'
    )
    text = text.replace(
        'does = "Keeps the score', 'does = "<script>alert(1)</script> Keeps the score'
    )
    path = tmp_path / "evening.sqlite"
    table = begin(registry.learn(text).id, ("North", "East", "South", "West"), {}, path)
    table.do("own.heart.1")
    table.do("own.queen.2")
    table.close()
    return path


def test_a_report_shows_the_words_as_words(session: Path, tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    assert cli.main(["export", str(session), "-o", str(out)]) == 0
    page = out.read_text(encoding="utf-8")
    assert "<script>alert" not in page
    assert "<i>=1" not in page
    assert "[b]&lt;i&gt;=1+1" in page


def test_no_cell_of_a_table_is_a_formula(session: Path, tmp_path: Path) -> None:
    out = tmp_path / "all.csv"
    assert cli.main(["export", str(session), "--format", "csv", "-o", str(out)]) == 0
    for row in csv.reader(io.StringIO(out.read_text(encoding="utf-8-sig"))):
        assert not any(
            cell.startswith(("=", "+", "-", "@")) and not cell[1:].isdecimal() for cell in row
        ), row


def test_lines_show_the_words_as_words(session: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["sheet", str(session)]) == 0
    assert HOSTILE in capsys.readouterr().out
