"""The values that an expression can have in any play of a game; finds checks that can never hold.

A span may be wider than the values that plays lead to, but never narrower: whatever is reported as
impossible is.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from math import floor, inf
from typing import Final, NamedTuple

from companion.games.own.rules.definition import ADDS, PLAYERS, ROUND, SCORE, TURNS, Counter
from companion.games.own.rules.expressions import MOST_BITS
from companion.games.own.rules.reading import OwnRules
from companion.rules.columns import plural

Bound = int | Fraction | float
"""An exact number, or an infinite float."""


class Span(NamedTuple):
    """The values from `low` to `high`."""

    low: Bound
    high: Bound


ANY: Final = Span(-inf, inf)
FROM_0: Final = Span(0, inf)
FROM_1: Final = Span(1, inf)
EITHER: Final = Span(0, 1)
NEVER: Final = Span(0, 0)
ALWAYS: Final = Span(1, 1)
_LARGEST: Final = 1 << MOST_BITS  # larger numbers have no value


def impossible(own: OwnRules) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the path and fault of each check that no play satisfies, with the number of players if others can."""
    fault = "no play can satisfy this; expected a check that can hold"
    for clause, expression in own.checks.items():
        counts = [count for count in own.says.counts if not _can_hold(own, expression, count)]
        if counts == [*own.says.counts]:
            yield ("checks", clause), fault
        elif counts:
            yield ("checks", clause), f"with {plural(counts[0], 'player')}, {fault}"


def _can_hold(own: OwnRules, expression: ast.expr, count: int) -> bool:
    """Return whether a check can hold in a game that `count` players begin; some may leave."""
    return span_of(expression, own, count) != NEVER


def span_of(expression: ast.expr, own: OwnRules, count: int) -> Span:
    """Return the values an expression can have in a game that `count` players begin."""
    return _span(expression, _Playing(own, count))


@dataclass(slots=True)
class _Playing:
    """A game that `count` players begin, and the spans of its values found so far."""

    own: OwnRules
    count: int
    known: dict[str, Span] = field(default_factory=dict)

    def named(self, name: str) -> Span:
        """Return the span of a name."""
        says = self.own.says
        if name in says.counters:
            return _of_counter(says.counters[name])
        if name in says.options:
            return EITHER
        if name == ROUND:
            return FROM_1
        if name in (TURNS, ADDS):
            return FROM_0
        if name == PLAYERS:
            return Span(0, self.count)
        if name not in self.known:
            expression = self.own.score if name == SCORE else self.own.values[name]
            self.known[name] = _span(expression, self)
        return self.known[name]


def _of_counter(counter: Counter) -> Span:
    low = -inf if counter.least is None else counter.least
    high = inf if counter.most is None else counter.most
    return Span(low, high)


def _span(node: ast.expr, playing: _Playing) -> Span:
    low, high = _unbounded_span(node, playing)
    # a number of more bits has no value, and a wider span is allowed
    if low < -_LARGEST:
        low = -inf
    if high > _LARGEST:
        high = inf
    return Span(low, high)


def _unbounded_span(node: ast.expr, playing: _Playing) -> Span:
    of = partial(_span, playing=playing)
    match node:
        case ast.Constant(value=int(number)):
            return Span(number, number)
        case ast.Name(id=name):
            return playing.named(name)
        case ast.UnaryOp(op=sign, operand=operand):
            return _after_sign(sign, of(operand))
        case ast.BinOp(left=left, op=operation, right=right):
            return _calculated(operation, of(left), of(right))
        case ast.Compare(left=left, ops=ops, comparators=others):
            spans = [of(part) for part in (left, *others)]
            pairs = zip(ops, spans, spans[1:], strict=False)
            return _all([_compared(by, first, second) for by, first, second in pairs])
        case ast.BoolOp(op=ast.And(), values=parts):
            return _all([of(part) for part in parts])
        case ast.BoolOp(values=parts):
            return _negated(_all([_negated(of(part)) for part in parts]))
        case ast.IfExp(test=test, body=body, orelse=otherwise):
            return _chosen(of(test), of(body), of(otherwise))
        case ast.Call(func=ast.Name(id=function), args=[inner]):
            return _span_of_call(function, of(inner), playing.count)
    return ANY


def _after_sign(sign: ast.unaryop, span: Span) -> Span:
    match sign:
        case ast.Not():
            return _negated(span)
        case ast.USub():
            return Span(-span.high, -span.low)
    return span


def _holds(span: Span) -> bool | None:
    """Return whether a value of this span holds (is not 0): always, never, or None for sometimes."""
    if span == NEVER:
        return False
    without_0 = span.low > 0 or span.high < 0
    return True if without_0 else None


def _negated(span: Span) -> Span:
    match _holds(span):
        case True:
            return NEVER
        case False:
            return ALWAYS
    return EITHER


def _all(spans: list[Span]) -> Span:
    """Return the span of a conjunction."""
    held = [_holds(span) for span in spans]
    if False in held:
        return NEVER
    return EITHER if None in held else ALWAYS


def _chosen(test: Span, body: Span, otherwise: Span) -> Span:
    match _holds(test):
        case True:
            return body
        case False:
            return otherwise
    return _hull(body, otherwise)


def _hull(first: Span, second: Span) -> Span:
    return Span(min(first.low, second.low), max(first.high, second.high))


def _compared(by: ast.cmpop, left: Span, right: Span) -> Span:
    same = left.low == left.high == right.low == right.high
    apart = left.high < right.low or right.high < left.low
    # whether the comparison always holds, and whether it never does
    always, never = {
        ast.Eq: (same, apart),
        ast.NotEq: (apart, same),
        ast.Lt: (left.high < right.low, left.low >= right.high),
        ast.LtE: (left.high <= right.low, left.low > right.high),
        ast.Gt: (left.low > right.high, left.high <= right.low),
        ast.GtE: (left.low >= right.high, left.high < right.low),
    }[type(by)]
    if always:
        return ALWAYS
    return NEVER if never else EITHER


def _calculated(operation: ast.operator, left: Span, right: Span) -> Span:
    match operation:
        case ast.Add():
            return Span(left.low + right.low, left.high + right.high)
        case ast.Sub():
            return Span(left.low - right.high, left.high - right.low)
        case ast.Mult():
            return _product(left, right)
        case ast.Mod():
            return Span(0, right.high) if right.low > 0 else ANY
    if right.low <= 0 <= right.high:  # a divisor of 0 has no value, one near it any
        return ANY
    # the extremes of a quotient lie at the ends of both spans
    corners = [_divided(dividend, divisor) for dividend in left for divisor in right]
    if not isinstance(operation, ast.Div):
        corners = [_floor(corner) for corner in corners]
    return Span(min(corners), max(corners))


def _product(left: Span, right: Span) -> Span:
    corners = [_times(factor, other) for factor in left for other in right]
    return Span(min(corners), max(corners))


def _floor(bound: Bound) -> Bound:
    return bound if abs(bound) == inf else floor(bound)


def _times(left: Bound, right: Bound) -> Bound:
    # 0 times infinity would be no number, but no value is infinite
    return 0 if 0 in (left, right) else left * right


def _divided(left: Bound, right: Bound) -> Bound:
    if abs(right) == inf:
        return 0
    if isinstance(left, float):
        return left / right  # infinite
    return Fraction(left) / Fraction(right)


def _span_of_call(function: str, span: Span, count: int) -> Span:
    """Return the span of a function, for any number of `count` players left and any number of rounds."""
    match function:
        case "sum" | "team":
            return _hull(NEVER, _product(span, Span(1, count)))
        case "count":
            return Span(0, count)
        case "rank":
            return Span(1, count)
        case "used":
            return EITHER
        case "total":
            low = -inf if span.low < 0 else 0
            high = inf if span.high > 0 else 0
            return Span(low, high)
    # one of the values, or 0 where nobody is left or no round is over
    return _hull(NEVER, span)
