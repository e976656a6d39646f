"""A table whose game never comes back: what it was asked is not recorded, and the table goes on with all it had."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.journal.entries import Layer
from companion.journal.store import read_entries
from companion.session.game_watch import GameStopped, stopped_after
from companion.session.opening import begin
from companion.session.table import Table

pytestmark = pytest.mark.usefixtures("looping_game")
TURN = "whirl.turn"
OF_A_TURN = (
    "act",
    "apply",
    "sentence",
    "reveals",
    "follows",
    "awaiting",
    "view",
    "over",
    "standings",
)
"""What the rules are asked about a turn."""
OF_AN_UNDO = ("sentence", "follows", "awaiting", "view", "over", "standings", "apply")
HANGS_S = 0.3


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    clock = iter(range(1_000_000, 1_000_000_000, 1_000_000))
    with closing(
        begin("whirl", ["Anna", "Bo"], {}, tmp_path / "s.sqlite", clock_us=clock.__next__)
    ) as begun:
        yield begun


def turn(table: Table, times: int) -> None:
    for _ in range(times):
        table.do(TURN)


def recorded(table: Table) -> list[str]:
    return table.look(
        lambda record: [entry.kind for entry in record.entries if entry.layer is not Layer.EVIDENCE]
    )


def said(table: Table) -> str:
    notice = table.view().notice
    assert notice is not None
    return notice.text


@pytest.mark.parametrize("how", ["python", "swallowing"])
@pytest.mark.parametrize("place", OF_A_TURN)
def test_nothing_is_recorded_of_a_turn_that_the_game_hangs_on(
    table: Table, monkeypatch: pytest.MonkeyPatch, place: str, how: str
) -> None:
    turn(table, 2)
    monkeypatch.setenv("WHIRL_LOOPS_IN", place)
    monkeypatch.setenv("WHIRL_LOOPS", how)
    with stopped_after(HANGS_S):
        turn(table, 2)
        before = recorded(table)
        turn(table, 2)
    assert recorded(table) == before
    monkeypatch.delenv("WHIRL_LOOPS_IN")
    assert "Whirl (example), from the package table_whirl, hangs in loops.py, line" in said(table)
    assert said(table).endswith("It was stopped, and nothing was recorded.")
    turn(table, 1)
    assert recorded(table) == [*before, "turn"]


@pytest.mark.parametrize("place", OF_AN_UNDO)
def test_nothing_is_recorded_of_an_undo_that_the_game_hangs_on(
    table: Table, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    turn(table, 5)
    before = recorded(table)
    monkeypatch.setenv("WHIRL_LOOPS_IN", place)
    with stopped_after(HANGS_S):
        table.take_back(2)
    assert recorded(table) == before
    monkeypatch.delenv("WHIRL_LOOPS_IN")
    assert "hangs in loops.py" in said(table)
    table.take_back(2)
    assert recorded(table) == [*before, "void"]
    assert table.view().game["turns"] == 4


@pytest.mark.parametrize("place", ["candidates", "candidates without end"])
def test_what_the_rules_allow_now_can_be_asked_of_a_game_that_never_ends_telling(
    table: Table, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    turn(table, 3)
    monkeypatch.setenv("WHIRL_LOOPS_IN", place)
    with pytest.raises(GameStopped), stopped_after(HANGS_S):
        table.legal()


@pytest.mark.parametrize("place", ["over", "apply"])
def test_a_table_whose_game_hangs_is_closed_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    table = begin("whirl", ["Anna", "Bo"], {}, tmp_path / "s.sqlite")
    for number in range(3):
        table.enter("turn", {"seat": ("anna", "bo")[number % 2]})
    monkeypatch.setenv("WHIRL_LOOPS_IN", place)
    with stopped_after(HANGS_S):
        table.close()
    assert [entry.kind for entry in read_entries(tmp_path / "s.sqlite")] == [
        "session",
        "turn",
        "turn",
        "turn",
    ]
