"""Clauses stay in the log and behind the reasons: no line that answers or sums up has one."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.pilot import Pilot

import companion
from companion.dashboard.app import Dashboard
from companion.dashboard.screens.log import RunningLog
from companion.rules.registry import GAMES
from companion.rules.transcript import parse_transcript
from tests.dashboard.fakes import ManualClock
from tests.dashboard.recorded import FIXTURES, recorded, rest_of
from tests.dashboard.screen import screen_text

REFUSES = ("Action", "Refused", "after_the_end")  # their clause is told apart
PAGES = {"": "", "v": "Statistics", "question_mark": "Keys"}
CLAUSE = re.compile(r"\b(?:PF|SF|SR|FS|DR)-\w?\d")
RECORDED = sorted(path.relative_to(FIXTURES) for game in GAMES for path in (FIXTURES / game).glob("*.jsonl"))
COMPANION = Path(companion.__file__).parent


def facts_of(path: Path) -> int:
    return len(parse_transcript((FIXTURES / path).read_text(encoding="utf-8"), path.name).lines)


def spoken_of(tree: ast.AST) -> Iterator[str]:
    """The strings of a module that a screen can show as they stand: no docstrings, nothing of a refusal, whose clause
    is told apart, and no table or help of keys, which the page of keys cleans."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in REFUSES:
            continue
        if isinstance(tree, ast.Module) and isinstance(node, ast.Assign | ast.AnnAssign):
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        if isinstance(node, ast.Attribute) and node.attr == "clause":
            yield "PF-0, whatever the clause is"
        yield from spoken_of(node)


def test_no_screen_and_no_page_writes_a_clause_into_what_it_shows() -> None:
    screens = [*COMPANION.glob("dashboard/**/*.py"), *COMPANION.glob("games/*/screen/*.py")]
    pages = [*COMPANION.glob("games/*/panels.py"), *COMPANION.glob("serve/*.py")]
    found = {
        f"{path.relative_to(COMPANION)}: {said}"
        for path in (*screens, *pages)
        if "reasons" not in path.parts
        for said in spoken_of(ast.parse(path.read_text(encoding="utf-8")))
        if CLAUSE.search(said)
    }
    assert found == set()


@pytest.mark.parametrize("path", RECORDED, ids=str)
async def test_no_clause_stands_on_a_screen_but_in_the_log_and_behind_the_reasons(path: Path, tmp_path: Path) -> None:
    game, half = path.parent.name, facts_of(path) // 2
    with recorded(game, path.stem, half, tmp_path) as table:
        app = Dashboard(table, clock=ManualClock())
        async with app.run_test(size=(200, 120)) as pilot:
            await no_clause(pilot, app, *PAGES)
            rest_of(game, path.stem, half, table)
            await no_clause(pilot, app, "", "v")


async def no_clause(pilot: Pilot[None], app: Dashboard, *keys: str) -> None:
    for key in keys:
        await pilot.press(*filter(None, (key,)))
        await app.workers.wait_for_complete()
        for log in app.screen.query(RunningLog):
            log.display = False
        await pilot.pause()
        await pilot.pause()  # a page that reads the record is filled once it is laid out
        said = screen_text(app)
        assert PAGES[key] in said
        assert [line for line in said.split("\n") if CLAUSE.search(line)] == [], key
        await pilot.press(*("escape" for _ in app.screen_stack[1:]))
