"""Lessons in a real terminal: a learner who reads the screen and does what it says comes to the end."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from contextlib import closing

import pytest

from companion.teach.finding import lesson_named, lesson_names
from companion.teach.lesson import BOARD
from tests.end_to_end.test_terminal import Terminal

pytestmark = [
    pytest.mark.waits,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]
IN_TERMINAL = [
    name for name in lesson_names() if name != BOARD
]  # whose steps are presses on a board


def _at(place: str, *keys: str) -> tuple[str, ...]:
    """Return the keys that move the cursor of the map to a place such as `b2`, then the others."""
    right, down = ord(place[0]) - ord("a"), int(place[1]) - 1
    home = ("Left",) * 4 + ("Up",) * 3
    return (*home, *("Right",) * right, *("Down",) * down, *keys)


# What a learner types where a step needs more than the key that it names: in a form, on the map, on another page.
TYPED: Mapping[str, Mapping[int, tuple[str, ...]]] = {
    "program": {},
    "panic-fire": {},
    "skyfire": {2: ("a", *"ryg", "Enter"), 5: ("k", *"1rg", "Enter")},
    "sky-rise": {
        3: ("j", "Escape"),
        4: _at("a1", "a"),
        5: _at("b1", "s"),
        6: _at("a2", "a"),
        7: _at("b2", "o"),
        8: _at("c1", "s"),
        9: _at("c3", "f"),
        10: _at("d3", "d"),
        11: _at("a1", "f"),
        12: _at("a2", "a"),
        13: _at("a2", "a"),
        14: _at("a2", "f", "w"),
    },
    "fractured-sky": {
        8: ("g", "g"),
        10: ("c",),
        13: ("m", "1"),
        16: ("p", "7", "Enter", "1", "Enter", "2", "Enter"),
        17: ("5", "Enter", "1", "Enter", "2", "Enter"),
    },
}


def _steps(name: str) -> int:
    return len(lesson_named(name).lesson.steps) - 1  # the last one only says how to go on


def _do(terminal: Terminal, name: str, number: int) -> None:
    asked = f"step {number} of {_steps(name)}:"
    screen = " ".join(terminal.wait_for(asked).split())
    keys = TYPED[name].get(number, ())
    if not keys:
        screen = " ".join(terminal.wait_for(asked, "Press").split())
        named = re.search(rf"{asked} .*?Press (\S+)(?: \(with Shift\))?\.", screen)
        assert named is not None, screen
        keys = (named[1],)
    for key in keys:
        terminal.type(key)


@pytest.mark.parametrize("name", IN_TERMINAL)
def test_a_learner_who_does_what_the_screen_says_comes_to_the_end(
    name: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    # short paths, because a socket's name has at most some hundred bytes
    home, data_folder = (tmp_path_factory.mktemp("h") for _ in range(2))
    data = {"COMPANION_DATA": str(data_folder)}
    with closing(Terminal(home, 80, 24, "teach", name, "--port", "none", **data)) as terminal:
        for number in range(1, _steps(name) + 1):
            _do(terminal, name, number)
        terminal.wait_for("done: That was the lesson.")


def test_a_lesson_that_is_left_continues_at_its_step_on_another_terminal(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    arguments = ("teach", "panic-fire", "--port", "none")
    first, second, data_folder = (tmp_path_factory.mktemp("h") for _ in range(3))
    data = {"COMPANION_DATA": str(data_folder)}
    steps = _steps("panic-fire")
    with closing(Terminal(first, 80, 24, *arguments, **data)) as terminal:
        for number in range(1, 8):
            _do(terminal, "panic-fire", number)
        terminal.wait_for(f"step 8 of {steps}")
        terminal.type("C-q")
        terminal.wait_for(f"step 8 of {steps} is next. Continue:  companion teach panic-fire")
    with closing(Terminal(second, 160, 50, *arguments, **data)) as terminal:
        for number in range(8, steps + 1):
            _do(terminal, "panic-fire", number)
        terminal.wait_for("Panic Fire, done: That was the lesson.")
        terminal.type("C-q")
        terminal.wait_for("That was the lesson Panic Fire. Play:  companion play")
        assert terminal.exit_code() == 0
