"""The checks of axe-core (https://github.com/dequelabs/axe-core), run on a page of the browser."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import pytest

from tests.web.browser import Browser

VARIABLE = "COMPANION_AXE"
VERSION = "4.14.1"
CACHE = Path.home() / ".cache" / "table-companion" / "axe"
# `target-size` (WCAG 2.2, AA) is the one rule of that level that axe leaves off.
_RUN = """
axe.run(document, { rules: { "target-size": { enabled: true } }, resultTypes: ["violations"] }).then(({ violations }) =>
  violations.flatMap(({ id, impact, help, nodes }) => nodes.map(({ html, failureSummary }) =>
    [impact, `${id}: ${help}: ${html.slice(0, 200)}: ${failureSummary}`])))
"""
_BAD = ("serious", "critical")


@cache
def axe_source() -> str:
    """Return the script of axe-core; skip the test where it is not installed."""
    modules = Path(os.environ.get(VARIABLE, CACHE / "node_modules"))
    script = modules / "axe-core" / "axe.min.js"
    if not script.is_file():
        pytest.skip(
            f"axe-core is not in {modules}: run `npm install --prefix {CACHE} axe-core@{VERSION}`, or let {VARIABLE} "
            "name the node_modules folder that has it"
        )
    return script.read_text("utf-8")


def findings(page: Browser, *impacts: str) -> list[str]:
    """Return what axe finds wrong with the page, in light and in dark: its serious and critical findings, or those of
    these `impacts`."""
    found = []
    page.js(axe_source())
    for is_light in (True, False):
        page.light(is_light)
        shade = "light" if is_light else "dark"
        answer = page.js(_RUN)
        found += [
            f"{shade}, {impact}: {what}" for impact, what in answer if impact in (impacts or _BAD)
        ]
    return found
