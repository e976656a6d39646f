"""A style sheet that was parsed once is not parsed again by the next app of the same process.

Each app parses all of Textual's styles and ours, which is a tenth of the time of a test of a screen. Rules are only
read once they are parsed; the same text under the same variables gives the same rules.
"""

from __future__ import annotations

from typing import Any

from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet

_parse_rules = Stylesheet._parse_rules
_parsed: dict[tuple[Any, ...], list[RuleSet]] = {}


def install() -> None:
    """Keep what any style sheet of this process came to."""
    Stylesheet._parse_rules = _kept_rules  # type: ignore[method-assign, assignment]


def _kept_rules(sheet: Stylesheet, css: str, **how: Any) -> list[RuleSet]:
    key = (css, frozenset(sheet._variables.items()), *sorted(how.items()))
    if key not in _parsed:
        _parsed[key] = _parse_rules(sheet, css, **how)
    return _parsed[key]
