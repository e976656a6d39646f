"""What maintainers read and run: the pages name what exists, and each command is the same wherever it is written."""

from __future__ import annotations

import ast
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from itertools import takewhile
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[2]
ARCHITECTURE = (TOP / "ARCHITECTURE.md").read_text(encoding="utf-8")
CONTRIBUTING = (TOP / "CONTRIBUTING.md").read_text(encoding="utf-8")
MAKEFILE = (TOP / "Makefile").read_text(encoding="utf-8")
CI = (TOP / ".ci" / "run").read_text(encoding="utf-8")
SOURCES = ("companion", "firmware_protocol", "tests", "hardware_docs", "examples")
A_SCREEN = 50  # lines
PATH = re.compile(rf"`((?:{'|'.join(SOURCES)}|\.ci)/[\w/.]*)`")
NAMED_IN = re.compile(rf"`((?:{'|'.join(SOURCES)})/[\w/]+\.py)` `([A-Za-z_][\w.]*)`")
NAME = re.compile(r"`([A-Za-z_]\w*(?:\.\w+)*)`")
IMPORTS = tomllib.loads((TOP / "pyproject.toml").read_text(encoding="utf-8"))["tool"][
    "importlinter"
]


def names_in(nodes: list[ast.stmt], prefix: str = "") -> Iterator[str]:
    """Functions, classes and constants of a module, those of classes with the class's name before them."""
    for node in nodes:
        match node:
            case ast.ClassDef():
                yield prefix + node.name
                yield from names_in(node.body, f"{prefix}{node.name}.")
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield prefix + node.name
            case ast.Assign(targets=targets):
                yield from (prefix + name.id for name in targets if isinstance(name, ast.Name))
            case ast.AnnAssign(target=ast.Name(id=name)):
                yield prefix + name


@cache
def defined_in(path: Path) -> frozenset[str]:
    return frozenset(names_in(ast.parse(path.read_text(encoding="utf-8")).body))


@cache
def defined_somewhere() -> frozenset[str]:
    found: set[str] = set()
    for folder in ("companion", "firmware_protocol"):
        for path in (TOP / folder).rglob("*.py"):
            found |= defined_in(path) | {name.rpartition(".")[2] for name in defined_in(path)}
    return frozenset(found)


def recipe(target: str) -> list[str]:
    """The commands of a target of the Makefile."""
    section = re.search(rf"^{target}:.*\n((?:\t.+\n)+)", MAKEFILE, re.MULTILINE)
    assert section is not None
    return [line.strip() for line in section[1].splitlines()]


@pytest.mark.parametrize("page", ["ARCHITECTURE.md", "CONTRIBUTING.md", "DESIGN_NOTES.md"])
def test_every_path_on_the_page_exists(page: str) -> None:
    paths = PATH.findall((TOP / page).read_text(encoding="utf-8"))
    assert len(paths) > 5
    assert [path for path in paths if not (TOP / path).exists()] == []


def test_every_name_after_a_file_is_defined_in_it() -> None:
    named = NAMED_IN.findall(ARCHITECTURE)
    assert len(named) > 30
    assert [(file, name) for file, name in named if name not in defined_in(TOP / file)] == []


def test_every_other_name_of_the_architecture_is_defined_somewhere() -> None:
    names = set(NAME.findall(NAMED_IN.sub("", ARCHITECTURE)))
    defined = {name for name in names if name != name.lower() and not name.endswith(".md")}
    assert {"HouseRule", "HOUSE_RULES", "Session", "TABLE"} <= defined
    assert defined - defined_somewhere() == set()


def mapped() -> list[str]:
    """The folders and modules of the map, in its order."""
    paths: list[str] = []
    top = ""
    for line in filter(None, ARCHITECTURE.split("## The map\n")[1].split("```")[1].splitlines()):
        names = takewhile(lambda word: word.endswith(("/", ".py")), line.split())
        if line.startswith(" "):
            paths += [top + name for name in names]
        else:
            top = next(names)
            paths.append(top)
    return paths


def test_the_map_lists_every_package_and_nothing_else() -> None:
    packages = {f"companion/{path.parent.name}/" for path in TOP.glob("companion/*/__init__.py")}
    modules = {f"companion/{path.name}" for path in TOP.glob("companion/[!_]*.py")}
    listed = {path for path in mapped() if path.startswith("companion/")}
    assert listed == {"companion/", *packages, *modules}
    assert [path for path in mapped() if not (TOP / path).exists()] == []


def test_the_map_lists_packages_from_the_highest_layer_to_the_lowest() -> None:
    (layers,) = (each["layers"] for each in IMPORTS["contracts"] if "one way" in each["name"])
    heights = {
        module.replace("companion.", "companion/") + "/": height
        for height, layer in enumerate(layers)
        for module in layer.split(" | ")
    }
    listed = [
        heights[path] for path in mapped() if path != "firmware_protocol/" and path in heights
    ]
    assert len(listed) == len(list(TOP.glob("companion/*/__init__.py")))
    assert listed == sorted(listed)


def test_setting_up_running_testing_and_sending_are_on_the_first_screen() -> None:
    first = "\n".join(CONTRIBUTING.splitlines()[:A_SCREEN])
    for needed in ("make install", "make demo", "make test", "make check", "## Send a change"):
        assert needed in first
    assert "](ARCHITECTURE.md)" in first


def test_the_readme_links_the_pages_for_maintainers() -> None:
    text = (TOP / "README.md").read_text(encoding="utf-8")
    for page in ("CONTRIBUTING.md", "ARCHITECTURE.md", "SECURITY.md", "CHANGELOG.md"):
        assert f"]({page})" in text


@pytest.mark.parametrize(("target", "marker"), [("demo", "demo"), ("test", "tests")])
def test_make_runs_the_commands_of_the_readme(target: str, marker: str) -> None:
    text = (TOP / "README.md").read_text(encoding="utf-8")
    command = re.search(rf"<!-- {marker} -->\n```sh\n(.+)\n```\n", text)
    assert command is not None
    assert recipe(target) == [command[1]]


def test_make_check_runs_the_lints_of_continuous_integration() -> None:
    lints = CI.split('echo "== lints =="\n')[1].split("\n\n")[0].splitlines()
    install, *rest = lints
    assert recipe("install") == [f"python3 -m venv .venv && {install}"]
    assert recipe("check") == rest
    assert re.search(r"^check: install$", MAKEFILE, re.MULTILINE)


def test_the_hooks_before_a_commit_are_lints_of_make_check() -> None:
    hooks = (TOP / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    entries = [shlex.split(entry) for entry in re.findall(r"entry: (.+)", hooks)]
    checks = [shlex.split(line) for line in recipe("check")]
    assert len(entries) == 3
    for entry in entries:
        words = [word for word in entry if word != "--force-exclude"]
        assert any(check[: len(words)] == words for check in checks), entry
    assert "://" not in hooks


def test_every_make_target_of_contributing_exists() -> None:
    targets = set(re.findall(r"^make (\w+)", CONTRIBUTING, re.MULTILINE))
    assert targets == set(re.findall(r"^(\w+):", MAKEFILE, re.MULTILINE))


@pytest.mark.skipif(sys.platform == "win32", reason="the script is for a Unix shell")
def test_ci_run_names_what_is_missing_and_installs_nothing_for_a_plain_user(tmp_path: Path) -> None:
    for name in ("bash", "dirname", "python3"):
        (tmp_path / name).symlink_to(str(shutil.which(name)))
    answers = {"git": f"echo {TOP}", "id": "echo 1000", "apt-get": f"touch {tmp_path / 'asked'}"}
    for name, answer in answers.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{answer}\n")
        (tmp_path / name).chmod(0o755)
    ran = subprocess.run(
        [TOP / ".ci" / "run"],
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 1
    assert re.search(r"Missing: .*chromium.* as root: apt-get install", ran.stderr)
    assert not (tmp_path / "asked").exists()


def test_continuous_integration_installs_each_program_that_it_starts() -> None:
    installed = set(re.findall(r"\[([\w-]+)\]=", CI))
    started = set(re.findall(r"^\(?(?:cd \S+ && )?([a-z]+) ", CI.split("\ncd ")[1], re.MULTILINE))
    ours = {"bash", "echo", "export", "sed"}
    assert {"make", "npm"} <= started
    assert started - ours <= installed
