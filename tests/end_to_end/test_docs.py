"""The documentation compared with the program."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.cli import parser
from companion.errors import how_to_install
from companion.exits import Exit

TOP = Path(__file__).resolve().parents[2]
README = TOP / "README.md"
DOCS = sorted((TOP / "docs").glob("*.md"))
PAGES = [*sorted(TOP.glob("*.md")), *DOCS]
for folder in ("companion", "examples", "firmware_protocol", "hardware_docs"):
    PAGES += sorted((TOP / folder).rglob("*.md"))
LINK = re.compile(r'\]\(([^)\s#]+)[^)]*\)|src="([^"]+)"')


def commands(page: Path) -> Iterator[str]:
    """Return the lines in a page's shell blocks that run the companion, without comments."""
    for block in re.findall(r"```sh\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL):
        for line in block.splitlines():
            command = re.split(r"\s+#\s|\s+>\s", line.strip())[0]
            if command.startswith("companion "):
                yield command


EVERY = [(page, command) for page in (README, *DOCS) for command in commands(page)]


def test_the_readme_is_read_in_a_minute() -> None:
    assert len(README.read_text(encoding="utf-8").splitlines()) <= 120


@pytest.mark.parametrize("marker", ["demo", "tests"])
def test_the_readme_has_the_commands_that_are_run_from_it(marker: str) -> None:
    found = re.search(rf"<!-- {marker} -->\n```sh\n(.+)\n```\n", README.read_text(encoding="utf-8"))
    assert found is not None
    assert found[1].startswith("python3 -m venv .venv && .venv/bin/pip install")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(TOP)))
def test_every_link_leads_to_a_file(page: Path) -> None:
    links = [first or second for first, second in LINK.findall(page.read_text(encoding="utf-8"))]
    for link in links:
        assert "://" in link or (page.parent / link).exists(), link


def test_who_adds_an_extra_with_pipx_keeps_those_of_the_readme() -> None:
    lines = [
        how_to_install("serve"),
        how_to_install("hub"),
        *(page.read_text(encoding="utf-8") for page in PAGES),
    ]
    usual = re.search(r"pipx install '\.\[([^]]+)", README.read_text(encoding="utf-8"))
    assert usual is not None
    for named in re.findall(r"pipx install --force '\.\[([^]]+)", " ".join(lines)):
        assert set(usual[1].split(",")) <= set(named.split(","))


def test_the_readme_leads_to_every_page_of_the_docs() -> None:
    pages = {
        "player.md",
        "own_game.md",
        "maker.md",
        "host.md",
        "integrator.md",
        "organiser.md",
        "systems.md",
        "glossary.md",
    }
    assert {page.name for page in DOCS} == pages
    text = README.read_text(encoding="utf-8")
    assert all(f"](docs/{page.name})" in text for page in DOCS)


@pytest.mark.parametrize(("page", "command"), EVERY, ids=[command for _, command in EVERY])
def test_every_command_that_is_shown_can_be_typed(page: Path, command: str) -> None:
    parser().parse_args(shlex.split(command)[1:])


def test_every_exit_code_is_explained() -> None:
    text = (TOP / "docs" / "integrator.md").read_text(encoding="utf-8")
    explained = {
        int(number)
        for row in re.findall(r"^\| ([\d, ]+) \|", text, re.MULTILINE)
        for number in row.split(",")
    }
    assert explained >= {int(code) for code in Exit}
