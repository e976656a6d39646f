"""Scripts and styles as pages get them: without comments on lines of their own, and without blanks before lines."""

from __future__ import annotations

from importlib.resources import files

import pytest

from companion.web.assets import asset

SOURCES = [
    (package, each.name)
    for package in ("companion.web", "companion.hub")
    for each in files(package).iterdir()
    if each.name.endswith((".js", ".css"))
]


def _lines(package: str, name: str) -> list[str]:
    return files(package).joinpath(name).read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize(("package", "name"), SOURCES)
def test_no_text_in_a_script_spans_lines(package: str, name: str) -> None:
    if name.endswith(".js"):
        assert [line for line in _lines(package, name) if line.count("`") % 2] == []


@pytest.mark.parametrize(("package", "name"), SOURCES)
def test_a_page_gets_all_lines_but_comments(package: str, name: str) -> None:
    kept = [line.strip() for line in _lines(package, name)]
    kept = [line for line in kept if line and not line.startswith(("//", "/*"))]
    assert [line.rstrip() for line in asset(package, name).splitlines()] == kept
