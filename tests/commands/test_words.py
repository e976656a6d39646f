"""The words that people read are theirs: what nobody at a table would say stands in no sentence, page or document."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.cli import parser

ROOT = Path(__file__).parents[2]
MODULES = sorted((ROOT / "companion").rglob("*.py"))
DOCUMENTS = (
    ROOT / "README.md",
    ROOT / "companion/KEYS.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "companion/games").glob("*/*.md")),
)
BETTER = {
    r"\bput out\b|\b[Pp]uts? ([^\s*]+ ){1,2}out\b": "eliminated",
    r"\bcalm\b": "pause",
    r"\bmade of it\b": "rulings",
    r"\bin Correct\b|\bopens Correct\b|^Correct(:|$)": "Fix mistakes",
    r"\bmarshal screen\b": "the page to fix mistakes",
    r"\bsecret to you\b": "your private notes",
    r"\bentries read\b": "Live",
    r"\bfacts open\b": "what the companion does not know, in a sentence",
    r"\bnone the worse\b": "Your game is safe.",
    r"\bhere sum\b": "score here, total",
    r"^open: |: open$": "not finished",
    r"\b(is|are) (noted|tapped|pressed|shown|asked) by\b": "you",
    r"\bmay glide\b": "move smoothly",
    r"\bevery ruling has its default\b": "as delivered",
    r"\bTold (count|seat)\b|^Told$": "Details",
    r"\bis to be entered\b": "is still missing",
    r"\bdraws a card taps\b|\bthe own (button|zone|hand|goals|first)\b": "your",
}
"""What nobody would say, and what is said instead."""


def docstrings(tree: ast.AST) -> Iterator[ast.Constant]:
    """Return the docstrings of a module, and the strings below names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node.value


def string_values(path: Path) -> Iterator[tuple[int, str]]:
    """Return the lines of a document, or the strings that a module may show, each with its line and `{}` for a
    value."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        yield from enumerate(text.split("\n"), start=1)
        return
    tree = ast.parse(text)
    silent = {id(docstring) for docstring in docstrings(tree)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            silent |= {id(part) for part in node.values}
            yield (
                node.lineno,
                "".join(
                    str(part.value) if isinstance(part, ast.Constant) else "{}"
                    for part in node.values
                ),
            )
        elif (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in silent
        ):
            yield node.lineno, node.value


def test_nothing_that_people_read_has_a_word_that_nobody_would_say() -> None:
    faults = [
        f"{path.relative_to(ROOT)}:{line}: {text!r}; better: {better}"
        for path in (*MODULES, *DOCUMENTS)
        for line, text in string_values(path)
        for word, better in BETTER.items()
        if re.search(word, text)
    ]
    assert faults == []


def test_a_number_and_what_is_counted_are_put_together_by_plural_alone() -> None:
    """`plural(many, "entry is", "entries are")`, and not `"1 entry is" if many == 1 else ...`."""
    faults = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.IfExp)
        and isinstance(node.body, ast.Constant)
        and re.match(r"1 \w", str(node.body.value))
    ]
    assert faults == []


def test_a_string_of_the_program_is_looked_at_and_a_docstring_is_not(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text('"""Calm."""\nNAME = "calm"\n"""calm"""\nSAID = f"the longest calm {NAME}"\n')
    assert list(string_values(module)) == [(2, "calm"), (4, "the longest calm {}")]


def words() -> list[str]:
    """The commands of the program."""
    return [
        name
        for action in parser()._actions
        if isinstance(action.choices, dict)
        for name in action.choices
    ]


WORDS = "|".join(words())
COMMAND = re.compile(rf"\bcompanion ({WORDS})( [\w.-]+)* $")
PLAIN_WORDS = ("example_game()", "game_id", "entry.game_id", "name", "__version__")
"""What stands in a printed command and is one word to every shell: ids of games and examples."""


def unquoted(tree: ast.AST) -> Iterator[str]:
    """Return values in a printed command that are not quoted, although a shell may split them."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.JoinedStr):
            continue
        before = ""
        for part in node.values:
            if isinstance(part, ast.Constant):
                before += str(part.value)
                continue
            value = ast.unparse(part.value) if isinstance(part, ast.FormattedValue) else ""
            if value == "PROGRAM":
                before += "companion"
                continue
            is_word = value in PLAIN_WORDS or value.startswith(("typed_name(", "in_shell("))
            if COMMAND.search(before) and not is_word:
                yield value
            before += "word"


def test_what_a_printed_command_names_is_quoted() -> None:
    faults = {
        f"{path.relative_to(ROOT)}: {value}"
        for path in MODULES
        for value in unquoted(ast.parse(path.read_text(encoding="utf-8")))
    }
    assert faults == set()


def test_a_path_in_a_printed_command_is_found_where_it_is_not_quoted() -> None:
    told = 'f"{what}: {PROGRAM} export {typed_name(path)} -o {out}; the companion {does}; {PROGRAM} play {in_shell(x)}"'
    assert list(unquoted(ast.parse(told))) == ["out"]


NAMED = re.compile(
    rf"(?<![\w./-])(?<!the )(?<!this )(?<!another )companion (?:{WORDS}|--?\w|[A-Z]{{2,}})(?![\w-])|`companion`"
)
"""A command that people may type, with the program's name written out."""
PACKAGED = sorted(
    path for ending in ("toml", "service") for path in (ROOT / "companion").rglob(f"*.{ending}")
)
SAME_UNDER_EACH_NAME = {
    ("companion/commands/bundle.py", "What is in this report"): "a maintainer reads it",
    ("companion/commands/completion.py", "companion completion "): "`script` puts the name in",
    ("companion/dashboard/keymap.py", "# Keys\n"): "a page of the documentation, companion/KEYS.md",
    ("companion/outbound/hub_batches.py", "companion hub pack"): "a packed session begins with it",
}
"""Where the name may be written out: the file, and a part of the text; and why."""


def naming(path: Path) -> Iterator[tuple[int, str]]:
    """Return the texts with such a command, each with its line; in a file of TOML or a unit, not its comments."""
    for line, text in string_values(path):
        shown = text if path.suffix == ".py" else text.partition("#")[0]
        if NAMED.search(shown):
            yield line, text


def test_a_printed_command_begins_with_the_name_under_which_the_program_was_started() -> None:
    """`f"{PROGRAM} resume"`, and in lessons `{companion} resume`: whoever typed `table-companion` may have another
    `companion`, or none."""
    faults, met = [], set()
    for path in (*MODULES, *PACKAGED):
        file = path.relative_to(ROOT).as_posix()
        for line, text in naming(path):
            reasons = {key for key in SAME_UNDER_EACH_NAME if key[0] == file and key[1] in text}
            met |= reasons
            if not reasons:
                faults.append(f"{file}:{line}: {text!r}")
    assert faults == []
    assert met == set(SAME_UNDER_EACH_NAME)


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        ("Continue it:  companion resume", True),
        ("`companion games check {}` checks it", True),
        ("type companion GAME", True),
        ("see `companion`", True),
        ("{} resume", False),
        ("the companion hands nothing out", False),
        ("companion/games", False),
    ],
)
def test_a_name_written_out_is_found_and_the_companion_of_a_sentence_is_not(
    text: str, is_found: bool
) -> None:
    assert bool(NAMED.search(text)) == is_found
