"""RULES.md: every clause and every house rule, as the code has them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.games import fractured_sky
from companion.games.fractured_sky.rules.fold import FACTS
from companion.games.fractured_sky.rules.options import HOUSE_RULES
from companion.rules.facts import Refused
from companion.rules.house_rules import read_options

FOLDER = Path(fractured_sky.__file__).parent
PAGE = (FOLDER / "RULES.md").read_text(encoding="utf-8")
SOURCES = {
    str(file.relative_to(FOLDER)): file.read_text(encoding="utf-8") for file in FOLDER.rglob("*.py")
}
CLAUSES = (
    [f"FS-{n}" for n in range(1, 48)]
    + [f"FS-U{n}" for n in range(1, 9)]
    + [f"FS-T{n}" for n in range(1, 9)]
)


def test_every_clause_is_restated_once() -> None:
    assert re.findall(r"^- \*\*(FS-[UT]?\d+)\*\*", PAGE, re.MULTILINE) == [
        *CLAUSES[47:55],
        *CLAUSES[:47],
        *CLAUSES[55:],
    ]


def test_every_clause_the_code_cites_is_on_the_page() -> None:
    cited = {clause for text in SOURCES.values() for clause in re.findall(r"FS-[UT]?\d+", text)}
    assert cited <= set(CLAUSES)


def test_every_house_rule_stands_on_the_page_with_its_default_first() -> None:
    rows = re.findall(r"^\| (FS-U?\d+) \| `(\w+)` \| `(\w+)`.* \| `(\w+)`", PAGE, re.MULTILINE)
    assert rows == [
        (rule.clause, rule.name, rule.alternatives[0], rule.alternatives[1]) for rule in HOUSE_RULES
    ]


@pytest.mark.parametrize("rule", HOUSE_RULES, ids=lambda rule: rule.name)
def test_every_house_rule_changes_something_in_the_code(rule: object) -> None:
    name = getattr(rule, "name", "")
    read = (f'options["{name}"]', f'options.get("{name}")')
    assert any(
        access in text for file, text in SOURCES.items() if file != "options.py" for access in read
    )


def test_an_unknown_house_rule_or_alternative_is_refused() -> None:
    with pytest.raises(Refused, match="OPTION"):
        read_options({"gravity": "no"}, HOUSE_RULES)
    with pytest.raises(Refused, match="FS-11: there is no choice 'basement' for excess_floor"):
        read_options({"excess_floor": "basement"}, HOUSE_RULES)


def test_every_fact_says_what_it_is() -> None:
    assert all(fact.__doc__ for fact in FACTS.values())
    assert all(str(fact.model_fields["kind"].default) == kind for kind, fact in FACTS.items())
