"""Rows of options in which each pair of two options' values occurs a number of times: a covering array of
strength 2."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, product

from companion.rules.house_rules import HouseRule, Number

Pair = tuple[tuple[str, str], tuple[str, str]]
Row = Mapping[str, str]
TIMES = 20
"""Each pair of option values is played in this many random games."""


def choices(
    rules: Sequence[HouseRule], numbers: Sequence[Number], values: Mapping[str, Sequence[str]]
) -> dict[str, tuple[str, ...]]:
    """Return the values to try for each option: all alternatives, and those in `values` for a number."""
    values_of = {rule.name: rule.alternatives for rule in rules}
    values_of |= {number.name: tuple(values[number.name]) for number in numbers}
    return values_of


def pairs_of(row: Row) -> Iterable[Pair]:
    """Yield the pairs of option values of one game, each in the order of the names."""
    yield from combinations(sorted(row.items()), 2)


def all_pairs(values: Mapping[str, Sequence[str]]) -> list[Pair]:
    """Return every pair of values of two options."""
    pairs: list[Pair] = []
    for name, other in combinations(sorted(values), 2):
        pairs += product(
            [(name, value) for value in values[name]], [(other, value) for value in values[other]]
        )
    return pairs


def covering_rows(values: Mapping[str, Sequence[str]], times: int, seed: int) -> list[Row]:
    """Return rows in which every pair of values occurs at least `times` times, greedily few, shuffled.

    Each row begins with the pair that is missing most and adds the options in random order, each with the value that
    makes most missing pairs.
    """
    rng = random.Random(seed)
    missing = Counter(dict.fromkeys(all_pairs(values), times))
    rows: list[Row] = []
    while missing:
        row = _next_row(values, missing, rng)
        for pair in pairs_of(row):
            missing[pair] -= 1
        missing = +missing
        rows.append(row)
    rng.shuffle(rows)
    return rows


def _next_row(
    values: Mapping[str, Sequence[str]], missing: Counter[Pair], rng: random.Random
) -> Row:
    most = max(missing.values())
    row = dict(rng.choice([pair for pair, count in missing.items() if count == most]))
    others = [name for name in values if name not in row]
    rng.shuffle(others)
    for name in others:
        gain = {value: _gain(row, name, value, missing) for value in values[name]}
        best = max(gain.values())
        row[name] = rng.choice([value for value, count in gain.items() if count == best])
    return row


def _gain(row: Row, name: str, value: str, missing: Counter[Pair]) -> int:
    """Return how many missing pairs this value would add to the row."""
    gain = 0
    for chosen in row.items():
        one, other = sorted((chosen, (name, value)))
        gain += missing[one, other]
    return gain


def rarest(values: Mapping[str, Sequence[str]], rows: Iterable[Row]) -> int:
    """Return in how many rows the rarest of all pairs of values occurs."""
    counted = Counter(pair for row in rows for pair in pairs_of(row))
    return min(counted[pair] for pair in all_pairs(values))
