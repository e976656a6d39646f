"""Reading the data file of a game, which anybody may have written: what it says, or what is wrong with it and where."""

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
    """A definition, and its expressions as trees; `digest` is that of its text, `depth` how deep they are nested."""

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
    """When the rounds end that end by an expression."""
    depth: int = 0

    @property
    def id(self) -> str:
        """What sessions call the game: its own id, and the text that it was played by."""
        return f"{self.says.id}-{self.digest[:8]}"


@lru_cache(maxsize=64)
def rules_of(text: str) -> OwnRules:
    """Return what the text of a file says; raise `FileFault`. Its examples are not played here."""
    own = _compiled(text, _definition(data_of(text)))
    return replace(own, depth=_depth(own))


def _depth(own: OwnRules) -> int:
    """How deep the expressions of a file are nested, through all that they name."""
    depths: dict[str, int] = {}
    for name, each in own.values.items():
        depths[name] = depth_of(each, depths)
    depths[SCORE] = depth_of(own.score, depths) + 1  # what the table set by hand is added
    of_table = (own.over, own.won, own.bust, own.turn_ends, own.out)
    asked = (*of_table, *own.ties, *own.checks.values(), *own.rounds.values())
    return max(*depths.values(), *(depth_of(each, depths) for each in asked if each is not None), 0)


def _definition(data: dict[str, Any]) -> Definition:
    if data.get("format") not in FORMATS:
        why = f"is {as_written(data['format'])}" if "format" in data else "is missing"
        raise FileFault(("format",), why, "format = 1, or 2")
    try:
        return Definition.model_validate_json(json.dumps(data, default=str), strict=True)
    except ValidationError as error:
        raise _unfit(error) from None


def _unfit(error: ValidationError) -> FileFault:
    """The first thing that does not fit, in our words."""
    wrong = error.errors()
    # A name that is misspelt is missing as well: what stands there is told first.
    first = next((each for each in wrong if each["type"] == "extra_forbidden"), wrong[0])
    path = tuple(str(part) for part in first["loc"] if part != "[key]")
    name, kind, context = path[-1] if path else "the file", first["type"], first.get("ctx", {})
    if kind == "missing" and name.isdecimal():
        return FileFault(path[:-1], "is too short a list", "two numbers, as in [2, 6]")
    if kind == "missing":
        wanted = (
            f"[{name}.NAME]"
            if path in (("counters",), ("examples",))
            else f"a line that sets {name}"
        )
        return FileFault(path[:-1], f"{name} is missing", wanted)
    if kind == "extra_forbidden":
        known = sorted(_fields_at(path[:-1]))
        near = nearest(name, known)
        return FileFault(path, "is not known here", near or f"one of {', '.join(known)}")
    if "expected" in context:
        return FileFault(path, f"is {as_written(first['input'])}", str(context["expected"]))
    why = str(context["error"]) if "error" in context else "another kind of value"
    return FileFault(path, f"is {as_written(first['input'])}", _expected(kind, context, why))


def _expected(kind: str, context: Mapping[str, Any], why: str) -> str:
    limits = {
        "ge": "{} or more",
        "le": "{} or less",
        "min_length": "{} or more",
        "max_length": "{} or fewer",
    }
    of_words = kind in ("string_too_short", "string_too_long")
    numbers = {
        limit: plural(context[limit], "character") if of_words else f"{context[limit]:,}"
        for limit in limits
        if limit in context
    }
    told = [limits[limit].format(number) for limit, number in numbers.items()]
    forms = {
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
    return " and ".join(told) or forms.get(kind, why)


def _fields_at(path: tuple[str, ...]) -> set[str]:
    """The names that a table may have; empty where any name will do."""
    found: Any = Definition.model_json_schema(by_alias=True)
    defs = found["$defs"]
    for name in path:
        named: list[Any] = [
            found.get("additionalProperties"),
            *found.get("patternProperties", {}).values(),
        ]
        inner: Any = found.get("properties", {}).get(name) or next(filter(None, named), {})
        options = [inner, *inner.get("anyOf", [])]
        link = next((one["$ref"] for one in options if "$ref" in one), None)
        found = defs[link.rpartition("/")[2]] if link else inner
    return set(found.get("properties", ()))


def _compiled(text: str, says: Definition) -> OwnRules:
    require_sense(says)
    table = {name for name, counter in says.counters.items() if counter.of == "table"}
    open_ones = {
        name
        for name, counter in says.counters.items()
        if counter.of == "seat" and not counter.secret
    }
    for_table, kept = frozenset({ROUND, PLAYERS, *table, *says.options}), frozenset(says.counters)
    functions = FUNCTIONS[says.format]
    names = Names(for_table, frozenset({TURNS, ADDS, *open_ones}), kept, kept, functions)
    whole = replace(names, for_seat=frozenset({TURNS, ADDS, *says.counters}) - table)

    def read(path: tuple[str, ...], formula: str, known: Names, *, for_seat: bool) -> Expression:
        try:
            return read_expression(formula, known, for_seat=for_seat)
        except NotAnExpression as problem:
            raise FileFault(path, f"{quoted(formula)}: {problem}", problem.expected) from None

    def if_any(
        path: tuple[str, ...], formula: str, known: Names, *, for_seat: bool
    ) -> Expression | None:
        return read(path, formula, known, for_seat=for_seat) if formula else None

    values: dict[str, Expression] = {}
    for name, formula in says.values.items():
        values[name] = read(("values", name), formula, whole, for_seat=True)
        with suppress(NotAnExpression):
            read_expression(formula, names, for_seat=True)
            names = replace(names, for_seat=names.for_seat | {name})
        names, whole = (replace(each, kept=each.kept | {name}) for each in (names, whole))
        whole = replace(whole, for_seat=whole.for_seat | {name})
    scored = replace(names, for_seat=names.for_seat | {SCORE})
    turn = says.turn
    return OwnRules(
        text, sha256(text.encode()).hexdigest(), says,
        score=read(("score",), says.score, names, for_seat=True),
        over=if_any(("over",), says.over, scored, for_seat=False),
        won=if_any(("won",), says.won, scored, for_seat=False),
        bust=None if turn is None else if_any(("turn", "bust"), turn.bust, scored, for_seat=True),
        turn_ends=None if turn is None else if_any(("turn", "ends"), turn.ends, scored, for_seat=True),
        ties=tuple(read(("ties",), formula, scored, for_seat=True) for formula in says.ties),
        values=values,
        out=None if says.out is None else read(("out", "when"), says.out.when, scored, for_seat=True),
        rounds={
            name: read(("rounds", name, "when"), kind.when, names, for_seat=False)
            for name, kind in says.rounds.items()
            if kind.when
        },
        checks={
            clause: read(("checks", clause), check.when, whole, for_seat=False) for clause, check in says.checks.items()
        },
    )  # fmt: skip
