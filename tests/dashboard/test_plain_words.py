"""Clauses stay in the log and behind the reasons: no line that answers or sums up has one."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, cast

import pytest

from companion.rules.transcript import parse_transcript
from tests.dashboard.recorded import FIXTURES, recorded
from tests.dashboard.screen import shown

CLAUSE = re.compile(r"\b(?:PF|SF|SR|FS)-\w?\d")
RECORDED = sorted(path.relative_to(FIXTURES) for path in FIXTURES.glob("*-*/*.jsonl"))


def facts_of(path: Path) -> int:
    return len(parse_transcript((FIXTURES / path).read_text(encoding="utf-8"), path.name).lines)


@pytest.mark.parametrize("path", RECORDED, ids=str)
@pytest.mark.parametrize("part", [0.5, 0.9])
async def test_no_clause_stands_on_the_statistics_page_or_in_what_undo_takes_back(
    path: Path, part: float, tmp_path: Path
) -> None:
    facts = int(facts_of(path) * part)
    with recorded(path.parent.name, path.stem, facts, tmp_path) as table:
        assert not CLAUSE.search(table.view().undo or "")
        said = await shown(cast("Any", table), (200, 120), "v")
        assert "Statistics" in said
        assert CLAUSE.findall(said) == []
