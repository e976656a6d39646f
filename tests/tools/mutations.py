"""Small changes to a Python file: each rewrites one expression."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path

KINDS = ("comparison", "constant", "option", "return", "boolean", "arithmetic")
COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Add,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
NOTHING_OF = {
    "tuple": "()",
    "Sequence": "()",
    "list": "[]",
    "dict": "{}",
    "Mapping": "{}",
    "frozenset": "frozenset()",
}
Alternatives = Mapping[str, tuple[str, ...]]
"""The alternatives of each option by its name."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of one file: the bytes from `start` to `end` become `text`."""

    path: Path
    kind: str
    line: int
    start: int
    end: int
    text: str

    def applied_to(self, source: bytes) -> bytes:
        """Return the file's content with the change made."""
        return source[: self.start] + self.text.encode() + source[self.end :]

    def is_a_change(self, source: bytes) -> bool:
        """Return whether the file with the change still compiles and is another program."""
        try:
            changed = ast.parse(self.applied_to(source))
        except SyntaxError:
            return False
        return ast.dump(changed) != ast.dump(ast.parse(source))

    def diff(self, source: bytes) -> str:
        """Return the lines that differ, as `-` and `+` lines."""
        before, after = source.decode().splitlines(), self.applied_to(source).decode().splitlines()
        lines = unified_diff(before, after, n=0, lineterm="")
        return "\n".join(line for line in lines if not line.startswith(("---", "+++", "@@")))


def mutants_of(path: Path, source: bytes, options: Alternatives) -> list[Mutant]:
    """Return all changes of a file; `options` are those of the game."""
    finder = _Finder(path, source, options)
    finder.visit(ast.parse(source))
    return finder.found


class _Finder(ast.NodeVisitor):
    """Visits a file's expressions, without docstrings, annotations, `strict=` of a `zip` (an assertion), and f-strings,
    whose parts have no positions."""

    def __init__(self, path: Path, source: bytes, options: Alternatives) -> None:
        self.path, self.source, self.options = path, source, options
        self.found: list[Mutant] = []
        self.function: ast.FunctionDef | None = None
        self.lines = [0]
        for line in source.splitlines(keepends=True):
            self.lines.append(self.lines[-1] + len(line))

    def add(self, kind: str, node: ast.expr, text: str) -> None:
        """Note a change."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start = self.lines[node.lineno - 1] + node.col_offset
        end = self.lines[node.end_lineno - 1] + node.end_col_offset
        self.found.append(Mutant(self.path, kind, node.lineno, start, end, text))

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Leave f-strings alone."""

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        """Visit the value, not the annotation."""
        if node.value is not None:
            self.visit(node.value)

    def visit_arg(self, node: ast.arg) -> None:
        """Leave annotations of parameters alone."""

    def visit_keyword(self, node: ast.keyword) -> None:
        """Skip `strict=`: it makes no difference for two iterables of the same length."""
        if node.arg != "strict":
            self.visit(node.value)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        """Visit body and defaults, knowing what the function returns."""
        outer, self.function = self.function, node
        for part in (
            *node.args.defaults,
            *[default for default in node.args.kw_defaults if default is not None],
            *node.body,
        ):
            self.visit(part)
        self.function = outer

    def visit_Compare(self, node: ast.Compare) -> None:
        """Change each operator, and an option's value to another of its alternatives."""
        kind = "comparison" if _option_of(node.left) is None else "option"
        for place, operator in enumerate(node.ops):
            for other in COMPARISONS[type(operator)]:
                changed = copy.deepcopy(node)
                changed.ops[place] = other()
                self.add(kind, node, f"({ast.unparse(changed)})")
        for place, value in enumerate(node.comparators):
            for other_value in self._other_values(node.left, value):
                changed = copy.deepcopy(node)
                changed.comparators[place] = ast.Constant(other_value)
                self.add("option", node, f"({ast.unparse(changed)})")
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        """Change numbers by one, and truth values to the other."""
        if isinstance(node.value, bool):
            self.add("constant", node, str(not node.value))
        elif isinstance(node.value, int):
            self.add("constant", node, str(node.value + 1))
            if node.value > 0:
                self.add("constant", node, str(node.value - 1))

    def visit_Return(self, node: ast.Return) -> None:
        """Return another value of the function's return type."""
        if node.value is None:
            return
        other = self._other_result(node.value)
        if other is not None:
            self.add("return", node.value, other)
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        """Change `and` to `or`, and leave out one part after the other."""
        changed = copy.deepcopy(node)
        changed.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        self.add("boolean", node, f"({ast.unparse(changed)})")
        for place in range(len(node.values)):
            rest = [value for number, value in enumerate(node.values) if number != place]
            self.add("boolean", node, f"({ast.unparse(_of_all(node.op, rest))})")
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        """Leave out a `not` and the sign of a number."""
        if isinstance(node.op, ast.Not | ast.USub):
            kind = "boolean" if isinstance(node.op, ast.Not) else "arithmetic"
            self.add(kind, node, f"({ast.unparse(node.operand)})")
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        """Exchange the two values."""
        changed = ast.IfExp(node.test, node.orelse, node.body)
        self.add("boolean", node, f"({ast.unparse(changed)})")
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        """Change the operator."""
        if (other := OPERATORS.get(type(node.op))) is not None:
            changed = ast.BinOp(node.left, other(), node.right)
            self.add("arithmetic", node, f"({ast.unparse(changed)})")
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        """Change `min` to `max` and `any` to `all`."""
        twins = {"min": "max", "max": "min", "any": "all", "all": "any"}
        if isinstance(node.func, ast.Name) and node.func.id in twins:
            self.add("arithmetic", node.func, twins[node.func.id])
        self.generic_visit(node)

    def _other_values(self, option: ast.expr, value: ast.expr) -> Iterator[str]:
        if isinstance(value, ast.Constant) and (name := _option_of(option)) is not None:
            yield from (other for other in self.options.get(name, ()) if other != value.value)

    def _other_result(self, value: ast.expr) -> str | None:
        if self.function is None or self.function.returns is None:
            return None
        annotation, text = ast.unparse(self.function.returns), ast.unparse(value)
        if annotation == "bool":
            return f"(not ({text}))"
        if annotation == "int":
            return f"({text} + 1)"
        if annotation == "str":
            return '""'
        if annotation.endswith("| None"):
            return "None"
        if (nothing := NOTHING_OF.get(annotation.split("[")[0])) is not None:
            return nothing
        alike = [
            arg.arg
            for arg in self.function.args.args
            if arg.annotation and ast.unparse(arg.annotation) == annotation
        ]
        return alike[0] if alike else None


def _of_all(operator: ast.boolop, values: list[ast.expr]) -> ast.expr:
    return values[0] if len(values) == 1 else ast.BoolOp(operator, values)


def _option_of(node: ast.expr) -> str | None:
    """Return the name in `options["name"]`, however the options are reached, or None."""
    if not isinstance(node, ast.Subscript) or not isinstance(node.slice, ast.Constant):
        return None
    reached = ast.unparse(node.value)
    return str(node.slice.value) if reached.endswith("options") else None
