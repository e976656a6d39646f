"""RULES.md names every clause, option and fact that the code knows."""

from __future__ import annotations

import re
from pathlib import Path

from companion.games import skyfire
from companion.rules.common import COMMON_FACTS
from companion.rules.facts import by_kind
from tests.games.skyfire.playing import GAME

FOLDER = Path(skyfire.__file__).parent
PAGE = (FOLDER / "RULES.md").read_text(encoding="utf-8")


def test_every_clause_of_the_rules_is_stated() -> None:
    stated = set(re.findall(r"\*\*(SF-\w+)\*\*|^\| (SF-\w+) \|", PAGE, re.MULTILINE))
    named = {one or other for one, other in stated}
    assert {f"SF-{n}" for n in range(1, 19)} | {f"SF-R{n}" for n in range(1, 9)} <= named


def test_every_clause_that_the_code_cites_is_stated() -> None:
    cited = {
        clause
        for file in FOLDER.glob("*.py")
        for clause in re.findall(r"SF-[RT]?\d+", file.read_text(encoding="utf-8"))
    }
    assert {clause for clause in cited if not re.search(rf"{clause}\b", PAGE)} == set()


def test_every_option_is_stated_with_its_default_first() -> None:
    for rule in GAME.house_rules:
        default, alternative = rule.alternatives
        assert re.search(
            rf"\| {rule.clause} \| `{rule.name}` \| `{default}`.* \| `{alternative}`", PAGE
        ), rule.name


def test_every_kind_of_fact_is_listed() -> None:
    own = GAME.facts.keys() - by_kind(*COMMON_FACTS).keys()
    table = PAGE.partition("## Facts")[2]
    assert {kind for kind in own if f"`{kind}`" not in table} == set()


def test_the_designer_and_the_licence_are_credited() -> None:
    assert "Design: Michael Purcell, CC BY-SA 4.0." in PAGE
