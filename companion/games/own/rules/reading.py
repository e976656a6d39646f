"""The reader of a data file, which anybody may have written: its rules, or the first fault and where it is."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from hashlib import sha256
from typing import Any

from pydantic import ValidationError

from companion.games.own.rules.definition import (
    ADDS,
    FORMATS,
    PLAYERS,
    ROUND,
    SCORE,
    TURNS,
    Definition,
)
from companion.games.own.rules.expressions import (
    FUNCTIONS,
    Expression,
    Names,
    NotAnExpression,
    depth_of,
    read_expression,
)
from companion.games.own.rules.sense import require_sense
from companion.games.own.rules.source import FileFault, data_of
from companion.rules.columns import nearest, plural
from companion.rules.plain_toml import as_written, quoted


@dataclass(frozen=True, slots=True)
class OwnRules:
    """A definition with its expressions as trees; `digest` is that of its text, `depth` the deepest nesting."""

    text: str
    digest: str
    says: Definition
    score: Expression
    over: Expression | None
    won: Expression | None
    bust: Expression | None
    turn_ends: Expression | None
    ties: tuple[Expression, ...] = ()
    values: Mapping[str, Expression] = field(default_factory=dict)
    checks: Mapping[str, Expression] = field(default_factory=dict)
    out: Expression | None = None
    rounds: Mapping[str, Expression] = field(default_factory=dict)
    """The ends of rounds that end by an expression."""
    depth: int = 0

    @property
    def id(self) -> str:
        """The game's id in sessions: the file's own, and the start of the text's digest."""
        return f"{self.says.id}-{self.digest[:8]}"


# every fact and every view of a session asks for its rules
@lru_cache(maxsize=64)
def rules_of(text: str) -> OwnRules:
    """Return the rules in the text of a file; raise `FileFault`. Its examples are not played here."""
    own = _compiled(text, _definition(data_of(text)))
    return replace(own, depth=_depth(own))


def _depth(own: OwnRules) -> int:
    """Return how deep the expressions of a file are nested, through everything they name."""
    depths: dict[str, int] = {}
    for name, expression in own.values.items():
        depths[name] = depth_of(expression, depths)
    depths[SCORE] = depth_of(own.score, depths) + 1  # what the table set by hand is added
    deepest = max(depths.values())
    of_table = (own.over, own.won, own.bust, own.turn_ends, own.out)
    for asked in (*of_table, *own.ties, *own.checks.values(), *own.rounds.values()):
        if asked is not None:
            deepest = max(deepest, depth_of(asked, depths))
    return deepest


def _definition(data: dict[str, Any]) -> Definition:
    if data.get("format") not in FORMATS:
        why = f"is {as_written(data['format'])}" if "format" in data else "is missing"
        raise FileFault(("format",), why, "format = 1, or 2")
    try:
        return Definition.model_validate_json(json.dumps(data, default=str), strict=True)
    except ValidationError as error:
        raise _unfit(error) from None


def _unfit(error: ValidationError) -> FileFault:
    """Return the first fault of a file that does not fit the model, in our words."""
    problems = error.errors()
    first = problems[0]
    # a misspelt name is also missing under its right name, and the misspelt one tells more
    for problem in problems:
        if problem["type"] == "extra_forbidden":
            first = problem
            break
    kind, context = first["type"], first.get("ctx", {})
    path = tuple(str(part) for part in first["loc"] if part != "[key]")
    name = path[-1] if path else "the file"
    if kind == "missing" and name.isdecimal():
        return FileFault(path[:-1], "is too short a list", "two numbers, as in [2, 6]")
    if kind == "missing":
        expected = f"a line that sets {name}"
        if path in (("counters",), ("examples",)):
            expected = f"[{name}.NAME]"
        return FileFault(path[:-1], f"{name} is missing", expected)
    if kind == "extra_forbidden":
        known = sorted(_fields_at(path[:-1]))
        near = nearest(name, known)
        return FileFault(path, "is not known here", near or f"one of {', '.join(known)}")
    why = f"is {as_written(first['input'])}"
    if "expected" in context:
        return FileFault(path, why, str(context["expected"]))
    otherwise = str(context["error"]) if "error" in context else "another kind of value"
    return FileFault(path, why, _expected(kind, context, otherwise))


def _expected(kind: str, context: Mapping[str, Any], otherwise: str) -> str:
    """Return what a value should be, by pydantic's kind of error and its context."""
    limits = {
        "ge": "{} or more",
        "le": "{} or less",
        "min_length": "{} or more",
        "max_length": "{} or fewer",
    }
    of_text = kind in ("string_too_short", "string_too_long")
    parts = []
    for limit, form in limits.items():
        if limit in context:
            number = f"{context[limit]:,}"
            if of_text:
                number = plural(context[limit], "character")
            parts.append(form.format(number))
    if parts:
        return " and ".join(parts)
    return _FORMS.get(kind, otherwise)


_FORMS = {
    "string_type": "words in quotes",
    "string_pattern_mismatch": "small letters, digits and _ for a name; HE-1 for a clause; one sign for a key",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "tuple_type": "a list in [ ]",
    "dict_type": "a table",
    "model_type": "a table",
}


def _fields_at(path: tuple[str, ...]) -> set[str]:
    """Return the fields that a table may have; empty if any name will do."""
    schema: Any = Definition.model_json_schema(by_alias=True)
    definitions = schema["$defs"]
    for name in path:
        inner: Any = schema.get("properties", {}).get(name)
        if not inner:
            # a table whose names the file chooses: they share one schema
            named = [
                schema.get("additionalProperties"),
                *schema.get("patternProperties", {}).values(),
            ]
            inner = next(filter(None, named), {})
        schema = inner
        # a table that may be left out is `anyOf` a reference and null
        for option in (inner, *inner.get("anyOf", [])):
            if "$ref" in option:
                schema = definitions[option["$ref"].rpartition("/")[2]]
                break
    return set(schema.get("properties", ()))


def _compiled(text: str, says: Definition) -> OwnRules:
    require_sense(says)
    table, open_counters = set(), set()
    for name, counter in says.counters.items():
        if counter.of == "table":
            table.add(name)
        elif not counter.secret:
            open_counters.add(name)
    for_table, kept = frozenset({ROUND, PLAYERS, *table, *says.options}), frozenset(says.counters)
    functions = FUNCTIONS[says.format]
    # `names` during a round; at its end, for checks, `whole` has the secret counters, too
    names = Names(for_table, frozenset({TURNS, ADDS, *open_counters}), kept, kept, functions)
    whole = replace(names, for_seat=frozenset({TURNS, ADDS, *says.counters}) - table)
    values: dict[str, Expression] = {}
    for name, formula in says.values.items():
        values[name] = _read(("values", name), formula, whole, for_seat=True)
        # a value that uses a secret counter is secret itself
        with suppress(NotAnExpression):
            read_expression(formula, names, for_seat=True)
            names = replace(names, for_seat=names.for_seat | {name})
        names = replace(names, kept=names.kept | {name})
        whole = replace(whole, kept=whole.kept | {name}, for_seat=whole.for_seat | {name})
    scored = replace(names, for_seat=names.for_seat | {SCORE})
    # in the order in which people read a file: the first fault is reported
    score = _read(("score",), says.score, names, for_seat=True)
    over = _read_any(("over",), says.over, scored, for_seat=False)
    won = _read_any(("won",), says.won, scored, for_seat=False)
    bust, turn_ends, out = None, None, None
    if says.turn is not None:
        bust = _read_any(("turn", "bust"), says.turn.bust, scored, for_seat=True)
        turn_ends = _read_any(("turn", "ends"), says.turn.ends, scored, for_seat=True)
    ties = tuple(_read(("ties",), formula, scored, for_seat=True) for formula in says.ties)
    if says.out is not None:
        out = _read(("out", "when"), says.out.when, scored, for_seat=True)
    rounds, checks = {}, {}
    for name, kind in says.rounds.items():
        if kind.when:
            rounds[name] = _read(("rounds", name, "when"), kind.when, names, for_seat=False)
    for clause, check in says.checks.items():
        checks[clause] = _read(("checks", clause), check.when, whole, for_seat=False)
    return OwnRules(
        text,
        sha256(text.encode()).hexdigest(),
        says,
        score=score,
        over=over,
        won=won,
        bust=bust,
        turn_ends=turn_ends,
        ties=ties,
        values=values,
        out=out,
        rounds=rounds,
        checks=checks,
    )


def _read(path: tuple[str, ...], formula: str, names: Names, *, for_seat: bool) -> Expression:
    try:
        return read_expression(formula, names, for_seat=for_seat)
    except NotAnExpression as problem:
        raise FileFault(path, f"{quoted(formula)}: {problem}", problem.expected) from None


def _read_any(
    path: tuple[str, ...], formula: str, names: Names, *, for_seat: bool
) -> Expression | None:
    """Return the expression of a field that may be empty, or None."""
    return _read(path, formula, names, for_seat=for_seat) if formula else None
