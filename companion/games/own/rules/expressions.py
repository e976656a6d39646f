"""Arithmetic that a data file may ask for: read into a small tree of our own, worked out in exact numbers.

Nothing of Python runs: its parser is only asked for the shape of a text of few signs, and what is no part of the table
below is refused. A result has at most `MOST_BITS` bits, an evaluation at most `MOST_STEPS` steps: it ends within 10 ms.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from companion.rules.columns import nearest

Value = int | Fraction
MOST_SIGNS: Final = 400
MOST_NODES: Final = 200
MOST_BITS: Final = 256
MOST_STEPS: Final = 5_000
_SIGNS: Final = re.compile(r"[A-Za-z0-9_ ()+\-*/%<>=!,]*")

OVER_SEATS: Final[Mapping[str, Callable[[Sequence[Value]], Value]]] = {
    "sum": lambda found: sum(found, 0),
    "max": lambda found: max(found, default=0),
    "min": lambda found: min(found, default=0),
    "count": lambda found: sum(1 for value in found if value),
}
"""What a function makes of its expression, worked out for each player in the game; `count` counts where it holds."""
OVER_ROUNDS: Final[Mapping[str, Callable[[Sequence[Value]], Value]]] = {
    "total": lambda found: sum(found, 0),
    "best": lambda found: max(found, default=0),
    "worst": lambda found: min(found, default=0),
    "last": lambda found: found[-1] if found else 0,
}
"""What a function makes of a name, as it stood for one player at the end of each round so far; 0 before the first."""
_BINARY: Final[Mapping[type[ast.operator], Callable[[Value, Value], Value]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: lambda left, right: Fraction(left) / right,
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
NO_EXPRESSION: Final = "numbers, names of this file, + - * / // %, comparisons, and, or, not, A if B else C"


class NotAnExpression(ValueError):  # noqa: N818  an answer to whoever wrote the file
    """A text is none of our expressions: `str()` is why, `expected` what would be one."""

    def __init__(self, why: str, expected: str = NO_EXPRESSION) -> None:
        super().__init__(why)
        self.expected = expected


class NoValue(ValueError):  # noqa: N818  an answer to the table
    """An expression has no value now: it divides by 0, or takes too long; `str()` says which."""


@dataclass(frozen=True, slots=True)
class Names:
    """The names that an expression may use: those with a value `for_table`, those with one for each player, and those
    that are `kept` at the end of each round, some of which are secret before."""

    for_table: frozenset[str]
    for_seat: frozenset[str] = frozenset()
    kept: frozenset[str] = frozenset()


class ValueSource:
    """Where an expression finds its values; each game's state is one."""

    def value(self, name: str, seat: str) -> Value | Expression:
        """Return what a name stands for; `seat` is empty where it is asked for the whole table."""
        raise NotImplementedError

    def seats(self) -> Sequence[str]:
        """Return the players in the game."""
        raise NotImplementedError

    def rounds(self, name: str, seat: str) -> Sequence[Value]:
        """Return what a name stood for at the end of each round so far."""
        raise NotImplementedError


@dataclass(slots=True)
class Evaluation:
    """One evaluation under way: where its values come from, for which player (empty: the table), and the steps that it
    may still take."""

    source: ValueSource
    seat: str
    left: int = MOST_STEPS

    def step(self, steps: int = 1) -> None:
        """Take steps; raise `NoValue` where none are left."""
        self.left -= steps
        if self.left < 0:
            raise NoValue(f"it takes more than {MOST_STEPS} steps")


@dataclass(frozen=True, slots=True)
class Expression:
    """A node of the tree."""

    def value(self, now: Evaluation) -> Value:
        """Return its value; raise `NoValue`."""
        raise NotImplementedError


def evaluated(expression: Expression, source: ValueSource, seat: str = "") -> Value:
    """Return the value of an expression, for one player where `seat` names one; raise `NoValue`."""
    return _whole(expression.value(Evaluation(source, seat)))


def _whole(value: Value) -> Value:
    """A fraction that is a whole number as one; raise `NoValue` for what has too many bits."""
    if isinstance(value, Fraction) and value.denominator == 1:
        value = value.numerator
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > MOST_BITS:
        raise NoValue(f"a number in it has more than {MOST_BITS} bits")
    return int(value) if isinstance(value, bool) else value


@dataclass(frozen=True, slots=True)
class _Number(Expression):
    number: int

    def value(self, now: Evaluation) -> Value:
        now.step()
        return self.number


@dataclass(frozen=True, slots=True)
class _Name(Expression):
    name: str

    def value(self, now: Evaluation) -> Value:
        now.step()
        found = now.source.value(self.name, now.seat)
        return found.value(now) if isinstance(found, Expression) else found


@dataclass(frozen=True, slots=True)
class _Sign(Expression):
    of: Expression
    does: type[ast.unaryop]

    def value(self, now: Evaluation) -> Value:
        now.step()
        value = self.of.value(now)
        return int(not value) if self.does is ast.Not else -value if self.does is ast.USub else value


@dataclass(frozen=True, slots=True)
class _Two(Expression):
    left: Expression
    right: Expression
    does: type[ast.operator]

    def value(self, now: Evaluation) -> Value:
        now.step()
        left, right = self.left.value(now), self.right.value(now)
        try:
            return _whole(_BINARY[self.does](left, right))
        except ZeroDivisionError:
            raise NoValue("it divides by 0") from None


@dataclass(frozen=True, slots=True)
class _Compared(Expression):
    parts: tuple[Expression, ...]
    by: tuple[type[ast.cmpop], ...]

    def value(self, now: Evaluation) -> Value:
        now.step()
        values = [part.value(now) for part in self.parts]
        pairs = zip(self.by, values, values[1:], strict=False)
        return int(all(_COMPARE[by](left, right) for by, left, right in pairs))


@dataclass(frozen=True, slots=True)
class _Both(Expression):
    parts: tuple[Expression, ...]
    all_of_them: bool

    def value(self, now: Evaluation) -> Value:
        now.step()
        held = (part.value(now) != 0 for part in self.parts)
        return int(all(held) if self.all_of_them else any(held))


@dataclass(frozen=True, slots=True)
class _Choice(Expression):
    then: Expression
    when: Expression
    otherwise: Expression

    def value(self, now: Evaluation) -> Value:
        now.step()
        return (self.then if self.when.value(now) else self.otherwise).value(now)


@dataclass(frozen=True, slots=True)
class _OverSeats(Expression):
    function: str
    of: Expression

    def value(self, now: Evaluation) -> Value:
        now.step()
        found, seat = [], now.seat
        for each in now.source.seats():
            now.seat = each
            found.append(self.of.value(now))
        now.seat = seat
        return _whole(OVER_SEATS[self.function](found))


@dataclass(frozen=True, slots=True)
class _OverRounds(Expression):
    function: str
    name: str

    def value(self, now: Evaluation) -> Value:
        found = now.source.rounds(self.name, now.seat)
        now.step(1 + len(found) // 8)  # a sum of numbers that are there costs little each
        return _whole(OVER_ROUNDS[self.function](found))


def read_expression(text: str, names: Names, *, for_seat: bool) -> Expression:
    """Return the expression that a text is, with a value for each player (`for_seat`) or for the table alone; raise
    `NotAnExpression`."""
    if len(text) > MOST_SIGNS:
        raise NotAnExpression(f"it has {len(text)} signs", f"{MOST_SIGNS} at most; [values] gives a part a name")
    if stray := _SIGNS.sub("", text):
        exact = ": a number with a point is not exact, write 1/2 for 0.5" if stray[0] == "." else ""
        raise NotAnExpression(f"{stray[0]!r} has no meaning here{exact}")
    try:
        parsed = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise NotAnExpression("it is not complete, or something stands in the wrong place") from None
    if sum(1 for _ in ast.walk(parsed)) > 4 * MOST_NODES:
        raise NotAnExpression("it is too long", f"{MOST_NODES} parts at most; [values] gives a part a name")
    reader = _Reader(names)
    found = reader.read(parsed, for_seat=for_seat)
    if reader.nodes > MOST_NODES:
        raise NotAnExpression(f"it has {reader.nodes} parts", f"{MOST_NODES} at most; [values] gives a part a name")
    return found


class _Reader:
    def __init__(self, names: Names) -> None:
        self.nodes = 0
        self._names = names

    def read(self, node: ast.expr, *, for_seat: bool) -> Expression:
        """Return our node for one of Python's; raise `NotAnExpression` for what has none."""
        self.nodes += 1

        def part(of: ast.expr) -> Expression:
            return self.read(of, for_seat=for_seat)

        match node:
            case ast.Constant(value=number) if type(number) is int:
                return _number(number)
            case ast.Name(id=name):
                return _Name(self._known(name, for_seat=for_seat))
            case ast.UnaryOp(op=ast.USub() | ast.UAdd() | ast.Not(), operand=operand):
                return _Sign(part(operand), type(node.op))
            case ast.BinOp(left=left, op=does, right=right) if type(does) in _BINARY:
                return _Two(part(left), part(right), type(does))
            case ast.Compare(left=left, ops=by, comparators=others) if all(type(one) in _COMPARE for one in by):
                return _Compared((part(left), *map(part, others)), tuple(map(type, by)))
            case ast.BoolOp(op=joined, values=values):
                return _Both(tuple(map(part, values)), isinstance(joined, ast.And))
            case ast.IfExp(test=test, body=body, orelse=otherwise):
                return _Choice(part(body), part(test), part(otherwise))
            case ast.Call(func=ast.Name(id=function), args=[of], keywords=[]):
                return self._called(function, of, for_seat=for_seat)
        raise NotAnExpression(_why_not(node))

    def _known(self, name: str, *, for_seat: bool) -> str:
        names = self._names
        if name in names.for_table or (for_seat and name in names.for_seat):
            return name
        if name in names.for_seat:
            raise NotAnExpression(f"{name} is another number for each player", f"sum({name}), max({name}) or the like")
        known = names.for_table | (names.for_seat if for_seat else frozenset())
        if name in names.kept:
            raise NotAnExpression(f"{name} is secret until the round ends", f"total({name}), last({name}) or the like")
        near = nearest(name, known)
        listed = ", ".join(sorted(known)) or "none in this file"
        raise NotAnExpression(f"there is no {name!r}", near or f"one of {listed}")

    def _called(self, function: str, of: ast.expr, *, for_seat: bool) -> Expression:
        if function in OVER_SEATS:
            return _OverSeats(function, self.read(of, for_seat=True))
        if function in OVER_ROUNDS and isinstance(of, ast.Name):
            self.nodes += 1
            if of.id in self._names.kept and (for_seat or of.id in self._names.for_table):
                return _OverRounds(function, of.id)
            raise NotAnExpression(
                f"{self._known(of.id, for_seat=for_seat)} is not kept at the end of a round", "a counter or a value"
            )
        if function in OVER_ROUNDS:
            raise NotAnExpression(f"{function} takes a name", f"{function}(NAME); [values] gives an expression a name")
        known = [*OVER_SEATS, *OVER_ROUNDS]
        near = nearest(function, known)
        raise NotAnExpression(f"there is no function {function!r}", near or f"one of {', '.join(known)}")


def _number(number: int) -> _Number:
    if number.bit_length() > MOST_BITS:
        raise NotAnExpression("a number in it is too large", f"at most {MOST_BITS} bits")
    return _Number(number)


def _why_not(node: ast.expr) -> str:
    match node:
        case ast.BinOp(op=ast.Pow()):
            return "there are no powers"
        case ast.Call():
            return "a function takes one expression in its parentheses"
    return "it is more than arithmetic"
