"""The parts of `on_board.py` that a call needs, as text for the wire: a board has little memory for source."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

_SOURCE = Path(__file__).with_name("on_board.py")


def script(folder: str, call: str) -> str:
    """Return a script that runs `call` with the firmware in `folder` and prints nothing."""
    return f"{_needed(('use', *_names(ast.parse(call))))}\nuse({folder!r})\n{call}\n"


def question(folder: str, call: str) -> str:
    """Return a script that prints the result of `call` as JSON on its last line."""
    return script(folder, f"import json\nprint(json.dumps({call}))")


def _needed(names: tuple[str, ...]) -> str:
    """Return the text of the parts that define these names, and of those that they need in turn, in their order."""
    parts = _parts()
    wanted, pending = set[int](), [*names]
    while pending:
        name = pending.pop()
        for number, (defined, used, _) in enumerate(parts):
            if name in defined and number not in wanted:
                wanted.add(number)
                pending += used
    texts = []
    for number, (defined, _, text) in enumerate(parts):
        is_import = not defined
        if is_import or number in wanted:
            texts.append(text)
    return "\n".join(texts)


@cache
def _parts() -> tuple[tuple[frozenset[str], frozenset[str], str], ...]:
    """Return for each statement of the file the names it defines (none for an import), those it uses, and its text."""
    body = ast.parse(_SOURCE.read_text(encoding="utf-8")).body
    parts = []
    for node in body[1:]:  # after the file's docstring
        parts.append((_defined(node), _names(node), ast.unparse(_without_docstrings(node))))
    return tuple(parts)


def _defined(node: ast.stmt) -> frozenset[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return frozenset([node.name])
    if isinstance(node, ast.Assign):
        return frozenset[str]().union(*map(_names, node.targets))
    return frozenset()


def _names(node: ast.AST) -> frozenset[str]:
    return frozenset(child.id for child in ast.walk(node) if isinstance(child, ast.Name))


def _without_docstrings(node: ast.stmt) -> ast.stmt:
    """Remove the docstrings, which the board does not need."""
    for child in ast.walk(node):
        if (
            isinstance(child, ast.FunctionDef | ast.ClassDef)
            and ast.get_docstring(child) is not None
        ):
            del child.body[0]
    return node
