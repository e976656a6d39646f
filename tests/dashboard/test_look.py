"""The rules of the look that a test can check: each color is legible on each ground it may be on."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from textual.color import Color
from textual.theme import Theme

import companion
from companion.dashboard.themes import THEMES, on_ink
from companion.rules.seats import PALETTE
from tests.dashboard.test_colors import contrast

READABLE = 4.5
"""The contrast that WCAG 2 asks of text at level AA (success criterion 1.4.3)."""
ROLES = ("primary", "accent", "warning", "success", "foreground")
SOURCES = [
    path
    for path in Path(companion.__file__).parent.rglob("*")
    if path.suffix in (".py", ".tcss") and path.name != "themes.py"
]


def ratio(theme: Theme, color: str, ground: str) -> float:
    return contrast(Color.parse(color), Color.parse(str(getattr(theme, ground))))


@pytest.mark.parametrize("ground", ["background", "surface", "panel"])
@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_what_is_said_is_readable_on_every_ground(theme: Theme, ground: str) -> None:
    inks = {role: str(getattr(theme, role)) for role in ROLES} | {"quiet": theme.variables["quiet"]}
    if ground != "panel":
        inks |= {"error": str(theme.error), **theme.variables}
    too_faint = {role: ratio(theme, color, ground) for role, color in inks.items()}
    assert {role: value for role, value in too_faint.items() if value < READABLE} == {}


@pytest.mark.parametrize(
    "ink", sorted({*PALETTE.values(), "#0072b2", "#222222", "#bbbbbb", "#ffffff", "#808080"})
)
def test_letters_are_readable_on_every_ink(ink: str) -> None:
    letters, _, ground = on_ink(ink).partition(" on ")
    assert contrast(Color.parse(letters), Color.parse(ground)) >= READABLE


def test_every_color_in_a_style_is_a_role_of_the_look() -> None:
    known = {*ROLES, "quiet", "error", "background", "surface", "panel"}
    styles = re.compile(r"[\"' ]\$([a-z][a-z-]*)|^\s*[a-z-]+:[^;]*\$([a-z][a-z-]*)", re.MULTILINE)
    used = {
        (path.name, name)
        for path in SOURCES
        if ("dashboard" in path.parts or "screen" in path.parts) and path.name != "themes.py"
        for style in styles.findall(path.read_text(encoding="utf-8"))
        for name in style
        if name
    }
    assert {name for _, name in used} >= {"quiet", "accent", "primary"}
    assert {use for use in used if use[1] not in known and not use[1].startswith("seat-")} == set()
