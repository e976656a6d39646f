"""Faults of a file are reported in words for whoever wrote it, never in those of Python and its libraries."""

from __future__ import annotations

import json
import re

import pytest

from companion.games.own import trial
from companion.games.own.rules.reading import rules_of
from tests.games.own.files import TEXTS, said_of

HEARTS = TEXTS["hearts"]
PYTHONS = re.compile(
    r"sys\.|set_int|recursion|python|traceback|\bTrue\b|\bFalse\b|\bNone\b|<class|object at|datetime|\\x[0-9a-f]{2}"
    r"|\\u[0-9a-f]{4}|namespace|mutable|[Ii]nput should|validation|pydantic|tuple|\bdict\b|\bstr\b|\bint\b|[Ll]iteral"
    r"|\[type=|\(,|exceed|s_push|instance|attribute|unicode|codec|\bmodel\b|json|parse|scalar"
)
"""Words for what is wrong that nobody knows who writes a file."""
_OF_THE_FILE = re.compile(r"'[^']*'|\bcounters\.\S+")


def pythons(text: str) -> str:
    """Return the first word of Python in a message, beside what it repeats of the file; empty where it has none."""
    match = PYTHONS.search(_OF_THE_FILE.sub("", text))
    return match[0] if match else ""


DEEP = "[" * 900 + "]" * 900
VALUES = [
    *("true", "false", "nan", "inf", "-inf", "1e300", "0.5"),
    *("-1", "0", "9" * 20, "9" * 5000, "0x" + "f" * 5000, "0o7"),
    *("1_000_000_000", "1979-05-27", "1979-05-27T07:32:00Z"),
    *("07:32:00", "2024-13-45", "[]", "{}", "[1, true]", "[4]"),
    *(
        "{ a = true }",
        "[[1]]",
        "[4, 4, 4]",
        "[-1, 999999999999]",
        '["a", "b"]',
        "[nan, 1]",
        "=",
        "1 2",
        "[1",
        "{ a = 1",
    ),
    *(
        '""',
        '" "',
        '"None"',
        r'"\u0000"',
        r'"\u001b[31m"',
        r'"\u202e"',
        r'"\ud800"',
        r"'\x1b'",
        r'"\x"',
        '"a',
        "a",
        '"𝒳"',
    ),
    *(
        '"""a"""',
        '"""a""""',
        '"""a"""""',
        "'''a''''",
        "",
        "{ a = " * 20 + "1" + " }" * 20,
        '"' + "x" * 300 + '"',
    ),
    *(
        f'["""a"""", {DEEP}, "b"]',
        f"['''a'''', {DEEP}, 'b']",
        f'["""\\""""", {DEEP}]',
        f'"""\n""" # {DEEP}\n{DEEP}',
    ),
]
LINES = {
    line.partition(" =")[0]: (name, line)
    for name, text in TEXTS.items()
    for line in text.splitlines()
    if " = " in line and not line.startswith(("#", " "))
}
"""A line for each name that a file may give, and the file that it stands in."""


@pytest.mark.parametrize("name_and_value", LINES)
def test_whatever_a_name_is_given_is_refused_without_words_of_python(name_and_value: str) -> None:
    name, line = LINES[name_and_value]
    for value in VALUES:
        message = said_of(TEXTS[name].replace(line, f"{name_and_value} = {value}"))
        assert not pythons(message), (value[:60], message)
        assert message.isprintable()
        assert len(message) < 600


@pytest.mark.parametrize(
    "more",
    [
        *("[counters.taken]", "[[counters.taken]]", "[counters"),
        *("[]", "[a.b]", "[counters.'a b']", "[counters.Taken]"),
        *(
            "title = 1\ntitle = 2",
            "x = {a = 1}\nx.b = 2",
            "= 1",
            "é = 1",
            "a b = 1",
            "x",
            "\\",
            "'''",
            '"""',
            "x = '''",
        ),
        *(
            "[checks.x]\nsays = 'a'",
            "[examples.x]\nplays = [1]",
            "[clock]\nseconds = [1]",
        ),
        *("[counters.lambda]\ntitle = 'a'", "[counters.None]\ntitle = 'a'", "[turn.x]"),
        *(
            '[examples.to_the_end]\nplays = ["a"]',
            "[examples.to_the_end.seats]",
            "a.a.a.a = 1\na.a = 1",
            "x = {a=1, a=2}",
        ),
    ],
)
def test_whatever_is_added_is_refused_without_words_of_python(more: str) -> None:
    for text in TEXTS.values():
        message = said_of(f"{text}\n{more}\n")
        assert message
        assert not pythons(message), message


@pytest.mark.parametrize(
    "formula",
    [
        *("None", "True", "False", "lambda: 1", "a.b", "1j", "1e5"),
        *("0x" + "f" * 390, "9" * 390, "1if 1else 2", "0777"),
        *(
            "(" * 199 + "1" + ")" * 199,
            "-" * 390 + "1",
            "not " * 90 + "1",
            "sum(" * 90 + "1" + ")" * 90,
            "taken()",
            "()",
        ),
        *("print(1)", "sum", "sum()", "total(sum)", "total(1)"),
        *("max(taken, 1)", "taken taken", "1 <> 2", "taken := 1"),
        *(
            "yield 1",
            "await taken",
            "1 is 1",
            "taken in taken",
            "a" * 90,
            "_",
            "__class__",
            "taken == (1, 2)",
            "1 if 2",
        ),
        *(
            "\x00",
            "taken\x1b",
            "é",
            "٣",
            "taken[0]",
            "{taken}",
            "'taken'",
            '"',
            "*taken",
            "**taken",
            "taken ** 2",
            "1 / 0",
        ),
        *("taken and", "== 1", "=", "taken = 1", "match", "async"),
        *("%", "//", "~taken", "taken @ taken", "1 << 2", ""),
    ],
)
def test_whatever_stands_for_an_expression_is_refused_without_words_of_python(formula: str) -> None:
    for place in ("score", "over"):
        line = next(line for line in HEARTS.splitlines() if line.startswith(f"{place} ="))
        message = said_of(HEARTS.replace(line, f"{place} = {json.dumps(formula)}"))
        assert not pythons(message), message
        assert message.isprintable()


@pytest.mark.parametrize(
    "formula",
    [
        *(
            "rank()",
            "rank(1, 2)",
            "rank",
            "team",
            "used",
            "used()",
            "used(1)",
            "used(points + 1)",
            "team(team(points))",
        ),
        *(
            "rank(rank(points))",
            "used(lives)",
            "used(pot)",
            "used(players)",
            "used(None)",
            "rank(x=1)",
            "team(*points)",
        ),
    ],
)
def test_whatever_a_function_of_format_2_is_given_is_refused_without_words_of_python(
    formula: str,
) -> None:
    for place in ("score", "over"):
        line = next(
            line for line in TEXTS["knockout"].splitlines() if line.startswith(f"{place} =")
        )
        message = said_of(TEXTS["knockout"].replace(line, f"{place} = {json.dumps(formula)}"))
        assert not pythons(message), message


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        (
            "least = 0",
            "least = 0x" + "f" * 5000,
            "line 13 has a number of too many digits; expected a number from -1",
        ),
        (
            "least = 0",
            "least = " + "9" * 5000,
            "line 13 has a number of too many digits; expected a number from -1",
        ),
        ("least = 0", "least = true", "counters.taken.least is true; expected a whole number."),
        (
            "least = 0",
            "least = [1, true]",
            "counters.taken.least is [1, true]; expected a whole number.",
        ),
        (
            "seats = [4, 4]",
            "seats = [4]",
            "seats is too short a list; expected two numbers, as in [2, 6].",
        ),
        ("least = 0", 'least = "\\u001b"', "counters.taken.least is '?'; expected a whole number."),
        (
            "[values]",
            "[counters.taken]",
            "this is no TOML: a table is named twice (line 17); expected NAME = VALUE",
        ),
        (
            "[values]",
            f'x = ["""a"""", {DEEP}, "b"]',
            "line 17 is too deep; expected at most 8 brackets in each other.",
        ),
        (
            "[values]",
            f"x = '''a\n'''\ny = ['''a'''', {DEEP}]",
            "line 19 is too deep; expected at most 8 brackets",
        ),
    ],
    ids=[
        "hexadecimal",
        "decimal",
        "true",
        "list",
        "short list",
        "unseen",
        "twice",
        "triple quote",
        "line",
    ],
)
def test_what_python_would_say_in_its_words_is_told_in_ours(
    old: str, new: str, sentence: str
) -> None:
    assert said_of(HEARTS.replace(old, new, 1)).startswith(sentence)


def test_no_expression_makes_the_reader_of_python_warn(recwarn: pytest.WarningsRecorder) -> None:
    said_of(HEARTS.replace('"total(points)"', '"1if total(points)else 2"'))
    assert not recwarn.list


def test_expressions_that_name_each_other_too_deep_are_told_of_and_never_break_the_companion() -> (
    None
):
    values = "\n".join(f'v{n} = "{"-" * 190}{f"v{n - 1}" if n else "taken"}"' for n in range(20))
    text = HEARTS.replace("[values]\n", f"[values]\n{values}\n").replace(
        '"total(points)"', '"total(points) + v19"'
    )
    ((where, why),) = trial.faults(rules_of(text))
    assert where == ("values",)
    assert why.startswith("the expressions are nested 38")
    assert why.endswith(" deep, through the values that they name; expected 250 at most")
