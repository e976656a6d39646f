"""Textual's private parts are used in two files only, with the version that was tried."""

from __future__ import annotations

import ast
import asyncio
import inspect
import pkgutil
import re
import textwrap
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib import import_module, metadata
from itertools import count
from pathlib import Path
from time import monotonic as time

import pytest
import textual
from packaging.requirements import Requirement
from textual import _time

import companion.dashboard
import companion.games
from companion.dashboard.textual import private_textual
from companion.dashboard.widgets.static import Static

ROOT = Path(__file__).resolve().parents[2]
HOMES = {
    str(Path(private_textual.__file__).with_name(name))
    for name in ("private_textual.py", "terminal_driver.py")
}


def modules() -> Iterator[str]:
    for package in (companion.dashboard, companion.games):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if package is companion.dashboard or ".screen" in module.name:
                yield module.name


def private_names(source: str) -> set[str]:
    """Return the single-underscore names that a source defines as methods or sets on `self`."""
    return set(re.findall(r"(?:def |self\.)(_[a-z]\w*)", source))


@cache
def kept_by(base: type) -> set[str]:
    return (
        private_names(inspect.getsource(base))
        if base.__module__.partition(".")[0] == "textual"
        else set()
    )


def of_textual(kind: type) -> set[str]:
    """Return the private names of the Textual classes above this one."""
    return set().union(*map(kept_by, kind.__mro__))


def used(tree: ast.AST) -> Iterator[tuple[bool, str, int]]:
    """Return each private name that is used or defined: whether on `self`, the name, the line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and re.match(r"_[a-z]", node.attr):
            own = isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")
            # super()
            own |= isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Name)
            yield own, node.attr, node.lineno
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and re.match(
            r"_[a-z]", node.name
        ):
            yield True, node.name, node.lineno


EVERY = {
    name
    for file in Path(textual.__path__[0]).rglob("*.py")
    for name in private_names(file.read_text(encoding="utf-8"))
}


def offences(module_name: str) -> Iterator[str]:
    module = import_module(module_name)
    if module.__file__ in HOMES:
        return
    source = inspect.getsource(module)
    for own, name, line in used(ast.parse(source)):
        if not own and name in EVERY:
            yield f"{module_name}:{line} {name}"
    for kind in vars(module).values():
        if inspect.isclass(kind) and kind.__module__ == module_name:
            hidden = of_textual(kind)
            for own, name, line in used(ast.parse(textwrap.dedent(inspect.getsource(kind)))):
                if own and name in hidden:
                    yield f"{module_name}.{kind.__name__}:{line} {name}"


def test_no_other_file_uses_or_covers_what_textual_keeps_to_itself() -> None:
    assert [offence for name in modules() for offence in offences(name)] == []


def test_that_file_was_tried_with_the_textual_that_is_installed() -> None:
    installed = metadata.version("textual").split(".")
    assert private_textual.TRIED.split(".")[:2] == installed[:2], (
        "try its file's uses, then name the version there"
    )


def test_the_project_allows_the_minor_version_that_was_tried_and_no_later_one() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (allowed,) = (
        requirement.specifier
        for requirement in map(Requirement, project["dependencies"])
        if requirement.name == "textual"
    )
    major, minor = map(int, private_textual.TRIED.split(".")[:2])
    assert allowed.contains(private_textual.TRIED)
    assert not allowed.contains(f"{major}.{minor + 1}.0")


class Small(private_textual.PrivateApp[None]):
    def last_words(self, error: Exception) -> str:
        return str(error)


async def test_a_timer_that_is_late_before_it_begins_comes_and_a_window_takes_its_new_size(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    jumps = count()

    def held_up() -> float:
        """A clock that loses a second each time a timer's task reads it."""
        task = asyncio.current_task()
        return time() + (
            next(jumps) if task is not None and task.get_name().startswith("set_timer") else 0
        )

    monkeypatch.setattr(_time, "get_time", held_up)
    app, came = Small(), list[str]()
    async with app.run_test(size=(80, 24)) as pilot:
        private_textual.never_skip(app.screen.set_timer(0.001, lambda: came.append("of a screen")))
        app.set_timer(0.001, lambda: came.append("of the app"))
        await pilot.resize_terminal(40, 10)
        await pilot.pause()
        assert sorted(came) == ["of a screen", "of the app"]
        assert app.screen.size == (40, 10)


def test_what_it_looks_for_is_found() -> None:
    source = (
        "class A(Widget):\n    def f(self, other):\n"
        "        self._layout_updates += 1\n        other._filters.clear()\n"
    )
    assert [(own, name) for own, name, _ in used(ast.parse(source))] == [
        (True, "_layout_updates"),
        (False, "_filters"),
    ]
    assert "_layout_updates" in of_textual(Static)
    assert {"_layout_updates", "_filters", "_exception_event"} <= EVERY
