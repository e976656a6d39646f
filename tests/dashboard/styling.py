"""Caches parsed style sheets between the apps of a process, and keeps lines' caches as plain dicts.

Each app parses all of Textual's styles and ours, a tenth of the time of a screen's test. Rules are
only read once parsed; the same text under the same variables gives the same rules. A line has seven
LRU caches written in Python; hardly any is ever read, and no line of a test lives long.
"""

from __future__ import annotations

from typing import Any

from textual import strip
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet

_parse_rules = Stylesheet._parse_rules
_parsed: dict[tuple[Any, ...], list[RuleSet]] = {}
# the variables of the app that parses, as part of a key
_known: tuple[Any, frozenset[Any]] = None, frozenset()


class _Nothing(dict[Any, Any]):
    """A cache that stores nothing."""

    def __setitem__(self, key: Any, kept: Any) -> None:
        pass


_NOTHING_KEPT = _Nothing()


def install() -> None:
    """Keep the parsed rules of every style sheet of this process."""
    Stylesheet._parse_rules = _kept_rules  # type: ignore[method-assign, assignment]
    vars(strip)["FIFOCache"] = lambda _most: _NOTHING_KEPT


def _kept_rules(sheet: Stylesheet, css: str, **how: Any) -> list[RuleSet]:
    global _known
    if _known[0] is not sheet._variables:
        _known = sheet._variables, frozenset(sheet._variables.items())
    key = (css, _known[1], *sorted(how.items()))
    if key not in _parsed:
        _parsed[key] = _parse_rules(sheet, css, **how)
    return _parsed[key]
