"""Clauses are only in the log and the reasons: no answer and no summary has one."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import companion

# their clause is told apart
REFUSES = ("Action", "Refused", "PlatformMissing", "after_the_end")
CLAUSE = re.compile(r"\b(?:PF|SF|SR|FS|DR)-\w?\d")
COMPANION = Path(companion.__file__).parent


def spoken_of(tree: ast.AST) -> Iterator[str]:
    """Return the strings of a module that a screen can show unchanged.

    Docstrings are left out, as are refusals, whose clauses are kept apart, and tables of keys,
    which the page of keys cleans.
    """
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in REFUSES
        ):
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
    pages = [*COMPANION.glob("games/*/panels.py"), *COMPANION.glob("web/*.py")]
    offenders = {
        f"{path.relative_to(COMPANION)}: {string}"
        for path in (*screens, *pages)
        if "reasons" not in path.parts
        for string in spoken_of(ast.parse(path.read_text(encoding="utf-8")))
        if CLAUSE.search(string)
    }
    assert offenders == set()
