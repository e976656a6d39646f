"""Arithmetic in a data file: parsed by Python, evaluated here, in exact numbers.

Nothing of Python runs: its parser only gives the shape of a short text, and whatever is not in the
tables below is refused. A result has at most `MOST_BITS` bits, an evaluation at most `MOST_STEPS`
steps, so it ends within 10 ms. Several evaluations may share a bound of steps, their `Work`.
"""

from __future__ import annotations

import ast
import operator
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, NewType, Protocol

from companion.rules.columns import nearest
from companion.rules.plain_toml import quoted

Value = int | Fraction
MOST_CHARACTERS: Final = 400
MOST_NODES: Final = 200
MOST_BITS: Final = 256
MOST_STEPS: Final = 5_000
# a text with any other character never reaches the parser
_SIGNS: Final = re.compile(r"[A-Za-z0-9_ ()+\-*/%<>=!,]*")
# a single =, which people write for ==
_ASSIGNS: Final = re.compile(r"(?<![=!<>])=(?!=)")

OVER_SEATS: Final[Mapping[str, Callable[[Sequence[Value]], Value]]] = {
    "sum": lambda values: sum(values, 0),
    "max": lambda values: max(values, default=0),
    "min": lambda values: min(values, default=0),
    "count": lambda values: sum(1 for value in values if value),
}
"""Functions of an expression evaluated for each player in the game; `count` counts those for whom it holds."""
OVER_ROUNDS: Final[Mapping[str, Callable[[Sequence[Value]], Value]]] = {
    "total": lambda values: sum(values, 0),
    "best": lambda values: max(values, default=0),
    "worst": lambda values: min(values, default=0),
    "last": lambda values: values[-1] if values else 0,
}
"""Functions of a player's values of a name at the end of each round so far; 0 before the first."""
RANK, TEAM, USED = "rank", "team", "used"
"""Functions of format 2: a player's rank among those in the game by an expression, more is better; its sum over the
player's team; whether a counter was counted or set since it was reset."""
FUNCTIONS: Final[Mapping[int, tuple[str, ...]]] = {
    1: (*OVER_SEATS, *OVER_ROUNDS),
    2: (*OVER_SEATS, *OVER_ROUNDS, RANK, TEAM, USED),
}
"""The functions of each format."""
# no powers: 9**9**9 is short, and its value is not
_BINARY: Final[Mapping[type[ast.operator], Callable[[Value, Value], Value]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: lambda left, right: Fraction(left) / right,  # exact, where / of ints is a float
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_COMPARE: Final[Mapping[type[ast.cmpop], Callable[[Value, Value], bool]]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
Expression = NewType("Expression", ast.expr)
"""A tree of Python's parser that `read_expression` has checked against the tables above."""
NO_EXPRESSION: Final = (
    "numbers, names of this file, + - * / // %, comparisons, and, or, not, A if B else C"
)


class NotAnExpression(ValueError):
    """A text that is no expression of ours: `str()` says why, `expected` what would be one."""

    def __init__(self, why: str, expected: str = NO_EXPRESSION) -> None:
        super().__init__(why)
        self.expected = expected


class NoValue(ValueError):
    """An expression without a value now: it divides by 0, or takes too long."""


class OutOfWork(NoValue):
    """The steps that several evaluations share are used up."""


@dataclass(slots=True)
class Work:
    """A bound of steps for several evaluations together: `most`, of which `used` are taken."""

    most: int
    used: int = 0

    def take(self, steps: int) -> None:
        """Take steps; raise `OutOfWork` if too few are left."""
        self.used += steps
        if self.used > self.most:
            raise OutOfWork(f"more than {self.most:,} steps in all")


@dataclass(frozen=True, slots=True)
class Names:
    """The names that an expression may use, and the functions of its format.

    `for_table` have one value, `for_seat` one for each player. `kept` have values at the end of
    each round; some of these are secret before. `counters` are what `used` takes.
    """

    for_table: frozenset[str]
    for_seat: frozenset[str] = frozenset()
    kept: frozenset[str] = frozenset()
    counters: frozenset[str] = frozenset()
    functions: tuple[str, ...] = FUNCTIONS[1]


class ValueSource(Protocol):
    """The source of an expression's values; each game's state is one."""

    def value(self, name: str, seat: str) -> Value | Expression:
        """Return the value or the expression of a name; `seat` is empty for the whole table."""

    def seats(self) -> Sequence[str]:
        """Return the players in the game."""

    def rounds(self, name: str, seat: str) -> Sequence[Value]:
        """Return the values of a name at the end of each round so far."""

    def team(self, seat: str) -> Sequence[str]:
        """Return the players of a player's team, that player among them."""

    def used(self, name: str, seat: str) -> bool:
        """Return whether a counter was counted or set since it was reset."""


@dataclass(slots=True)
class Evaluation:
    """A running evaluation: the source of values, the player (empty for the table), and the steps left."""

    source: ValueSource
    seat: str
    left: int = MOST_STEPS

    def step(self, steps: int = 1) -> None:
        """Take steps; raise `NoValue` if too few are left."""
        self.left -= steps
        if self.left < 0:
            raise NoValue(f"it takes more than {MOST_STEPS} steps")


def evaluated(
    expression: Expression, source: ValueSource, seat: str = "", work: Work | None = None
) -> Value:
    """Return the value of an expression for the player `seat`, or for the table; raise `NoValue`.

    Steps are taken from `work` if it is shared.
    """
    # one step more than is left, so that `take` below sees that the shared steps ran out
    allowed = MOST_STEPS if work is None else min(MOST_STEPS, work.most - work.used + 1)
    now = Evaluation(source, seat, allowed)
    try:
        return _normalized(_evaluate(expression, now))
    except RecursionError:  # the check of a file refuses such a depth, but old sessions may have it
        raise NoValue("it is nested too deep") from None
    finally:
        if work is not None:
            work.take(allowed - max(now.left, 0))


def _normalized(value: Value) -> Value:
    """Return a whole fraction or a bool as an int; raise `NoValue` for a number of too many bits."""
    if isinstance(value, Fraction) and value.denominator == 1:
        value = value.numerator
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > MOST_BITS:
        raise NoValue(f"a number in it has more than {MOST_BITS} bits")
    return int(value) if isinstance(value, bool) else value


def _evaluate(node: ast.expr, now: Evaluation) -> Value:
    now.step()
    match node:
        case ast.Constant(value=int(number)):
            return number
        case ast.Name(id=name):
            value = now.source.value(name, now.seat)
            return _evaluate(value, now) if isinstance(value, ast.expr) else value
        case ast.UnaryOp(op=sign, operand=operand):
            return _with_sign(sign, _evaluate(operand, now))
        case ast.BinOp(left=left, op=does, right=right):
            try:
                return _normalized(_BINARY[type(does)](_evaluate(left, now), _evaluate(right, now)))
            except ZeroDivisionError:
                raise NoValue("it divides by 0") from None
        case ast.Compare(left=left, ops=ops, comparators=others):
            # unlike Python's, a chain evaluates all its operands
            operands = [_evaluate(part, now) for part in (left, *others)]
            pairs = zip(ops, operands, operands[1:], strict=False)
            return int(all(_COMPARE[type(by)](first, second) for by, first, second in pairs))
        case ast.BoolOp(op=joined, values=parts):
            held = (_evaluate(part, now) != 0 for part in parts)
            return int(all(held) if isinstance(joined, ast.And) else any(held))
        case ast.IfExp(test=test, body=body, orelse=otherwise):
            return _evaluate(body if _evaluate(test, now) else otherwise, now)
        case ast.Call(func=ast.Name(id=function), args=[argument]):
            return _normalized(_call(function, argument, now))
    raise NoValue(_why_not(node))


def _with_sign(sign: ast.unaryop, value: Value) -> Value:
    if isinstance(sign, ast.Not):
        return int(not value)
    return -value if isinstance(sign, ast.USub) else value


def _call(function: str, argument: ast.expr, now: Evaluation) -> Value:
    if function in OVER_SEATS:
        return OVER_SEATS[function](_for_seats(now.source.seats(), argument, now))
    if function == RANK:
        own = _evaluate(argument, now)
        return 1 + sum(value > own for value in _for_seats(now.source.seats(), argument, now))
    if function == TEAM:
        return sum(_for_seats(now.source.team(now.seat), argument, now), 0)
    if function == USED:
        return int(now.source.used(_name_of(argument), now.seat))
    return _over_rounds(function, argument, now)


def _for_seats(seats: Sequence[str], argument: ast.expr, now: Evaluation) -> list[Value]:
    """Return the values of an expression for these players."""
    values, seat = [], now.seat
    for seat_id in seats:
        now.seat = seat_id
        values.append(_evaluate(argument, now))
    now.seat = seat
    return values


def _name_of(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def _over_rounds(function: str, argument: ast.expr, now: Evaluation) -> Value:
    values = now.source.rounds(_name_of(argument), now.seat)
    now.step(len(values) // 8)  # values that are there are cheap to sum
    return OVER_ROUNDS[function](values)


def read_expression(text: str, names: Names, *, for_seat: bool) -> Expression:
    """Return the expression in a text, for each player (`for_seat`) or for the table; raise `NotAnExpression`."""
    if len(text) > MOST_CHARACTERS:
        expected = f"{MOST_CHARACTERS} at most; [values] gives a part a name"
        raise NotAnExpression(f"it has {len(text)} characters", expected)
    stray = _SIGNS.sub("", text)[:1]
    if stray:
        exact = ": a number with a point is not exact, write 1/2 for 0.5" if stray == "." else ""
        raise NotAnExpression(f"{quoted(stray)} has no meaning here{exact}")
    try:
        with warnings.catch_warnings():  # some versions of the parser warn about `1if a else 2`
            warnings.simplefilter("ignore")
            parsed = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        why = "it is not complete, or something stands in the wrong place"
        if _ASSIGNS.search(text):
            why += "; == compares"
        raise NotAnExpression(why) from None
    # counted without recursion first: `_count_parts` must not go down into a deep tree
    parts = sum(isinstance(part, ast.expr) for part in ast.walk(parsed))
    if parts <= MOST_NODES:
        parts = _count_parts(parsed, names, for_seat=for_seat)
    if parts > MOST_NODES:
        expected = f"{MOST_NODES} at most; [values] gives a part a name"
        raise NotAnExpression(f"it has {parts} parts", expected)
    return Expression(parsed)


def depth_of(node: ast.expr, of_names: Mapping[str, int]) -> int:
    """Return how deep an expression is nested, with the depths of the names in it."""
    deepest = of_names.get(node.id, 0) if isinstance(node, ast.Name) else 0
    for part in ast.iter_child_nodes(node):
        if isinstance(part, ast.expr):
            deepest = max(deepest, depth_of(part, of_names))
    return 1 + deepest


def _count_parts(node: ast.expr, names: Names, *, for_seat: bool) -> int:
    """Return the number of parts of a tree; raise `NotAnExpression` for any that is not ours."""
    match node:
        case ast.Constant(value=number) if type(number) is int:
            if number.bit_length() > MOST_BITS:
                raise NotAnExpression("a number in it is too large", f"at most {MOST_BITS} bits")
        case ast.Name(id=name):
            _require_known(name, names, for_seat=for_seat)
        case ast.Call(func=ast.Name(id=function), args=[of], keywords=[]):
            return 1 + _count_call_parts(function, of, names, for_seat=for_seat)
        case ast.BinOp(op=does) if type(does) in _BINARY:
            pass
        case ast.Compare(ops=by) if all(type(sign) in _COMPARE for sign in by):
            pass
        case ast.UnaryOp(op=ast.USub() | ast.UAdd() | ast.Not()) | ast.BoolOp() | ast.IfExp():
            pass
        case _:
            raise NotAnExpression(_why_not(node))
    below = (part for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr))
    return 1 + sum(_count_parts(part, names, for_seat=for_seat) for part in below)


def _require_known(name: str, names: Names, *, for_seat: bool) -> None:
    known = names.for_table
    if for_seat:
        known |= names.for_seat
    if name in known:
        return
    if name in names.for_seat:
        why = f"{name} is another number for each player"
        raise NotAnExpression(why, f"sum({name}), max({name}) or the like")
    if name in names.kept:
        why = f"{name} is secret until the round ends"
        raise NotAnExpression(why, f"total({name}), last({name}) or the like")
    listed = ", ".join(sorted(known)) or "none in this file"
    expected = nearest(name, known) or f"one of {listed}"
    raise NotAnExpression(f"there is no {quoted(name)}", expected)


def _count_call_parts(function: str, argument: ast.expr, names: Names, *, for_seat: bool) -> int:
    if function not in names.functions:
        known = f"one of {', '.join(names.functions)}"
        expected = nearest(function, names.functions) or known
        raise NotAnExpression(f"there is no function {quoted(function)}", expected)
    if function in (RANK, TEAM) and not for_seat:
        why = f"{function} is another number for each player"
        raise NotAnExpression(why, f"max({function}(...)) or the like")
    if function in OVER_SEATS or function in (RANK, TEAM):
        return _count_parts(argument, names, for_seat=True)
    if not isinstance(argument, ast.Name):
        expected = f"{function}(NAME); [values] gives an expression a name"
        raise NotAnExpression(f"{function} takes a name", expected)
    if function == USED:
        return _count_used_parts(argument.id, names, for_seat=for_seat)
    if argument.id in names.kept and (for_seat or argument.id in names.for_table):
        return 1
    _require_known(argument.id, names, for_seat=for_seat)
    raise NotAnExpression(
        f"{argument.id} is not kept at the end of a round", "a counter or a value"
    )


def _count_used_parts(name: str, names: Names, *, for_seat: bool) -> int:
    _require_known(name, names, for_seat=for_seat)
    if name not in names.counters:
        raise NotAnExpression(f"{name} is no counter", "used(NAME) of a counter")
    return 1


def _why_not(node: ast.expr) -> str:
    match node:
        case ast.BinOp(op=ast.Pow()):
            return "there are no powers"
        case ast.Call():
            return "a function takes one expression in its parentheses"
    return "it is more than arithmetic"
