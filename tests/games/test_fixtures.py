"""Recorded games: each transcript in tests/fixtures/<game>/ folds to the result written beside it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.reports.importing import fold_transcript
from companion.rules.registry import GAMES
from tests.games.transcripts import folded

FIXTURES = Path(__file__).parent.parent / "fixtures"
RECORDED = sorted(path for game in GAMES for path in (FIXTURES / game).glob("*.jsonl"))


def test_each_game_has_recorded_games() -> None:
    assert {path.parent.name for path in RECORDED} == set(GAMES)


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_recorded_game_folds_to_its_result(path: Path) -> None:
    """The file beside it holds part of the game's report; `winners` and `standings` are compared too."""
    record = folded(path)
    game, state = record.game, record.state
    report = dict(game.report(state)) | {"standings": dict(game.standings(state))}
    expected = json.loads(path.with_suffix(".expected.json").read_text(encoding="utf-8"))
    if "winners" in expected:
        report["winners"] = [played["winner"] for played in report["rounds"]]
    assert {key: report[key] for key in expected} == expected


def test_the_game_that_the_page_of_transcripts_shows_is_one_of_these_rules() -> None:
    page = (FIXTURES.parents[1] / "companion" / "rules" / "TRANSCRIPTS.md").read_text(
        encoding="utf-8"
    )
    shown = [line.strip() for line in page.splitlines() if line.startswith("    {")]
    assert len(shown) > 5
    fold_transcript("\n".join(shown), "TRANSCRIPTS.md")
