"""Names from a file that somebody handed over steer no terminal, whatever command prints them."""

from __future__ import annotations

import sys
import unicodedata
from io import BytesIO, TextIOWrapper

import pytest

from companion.cli import main
from companion.exits import Exit
from companion.journal.folder import sessions_dir
from companion.rules.columns import clean, json_text, without_codes
from companion.rules.facts import Refused
from companion.rules.seats import readable
from companion.session.opening import begin
from tests.commands.ran import Ran
from tests.journal.foreign_files import lay

# Signs of Arabic and hieroglyphs that have a shape, though they are "format", and the joiners that names need.
SEEN = frozenset(
    map(
        chr,
        (*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD, 0x200C, 0x200D),
    )
)
HIEROGLYPHS = range(0x13430, 0x13440)


def unseen() -> list[str]:
    letters = map(chr, range(0x110000))
    return [
        letter
        for letter in letters
        if unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Zl", "Zp")
        and letter not in SEEN
        and ord(letter) not in HIEROGLYPHS
    ]


def test_whatever_cannot_be_seen_is_taken_out_of_a_line_and_escaped_in_json() -> None:
    for letter in unseen():
        assert clean(f"a{letter}b") == "a b", hex(ord(letter))
        assert letter in "\n\t" or without_codes(f"a{letter}b") == "a b", hex(ord(letter))
        assert letter not in json_text({"name": letter}), hex(ord(letter))


def test_names_that_need_joiners_stay_whole() -> None:
    for name in ("Zoë", "علی‌رضا", "👩‍🚀", "नेहा", "金曜日"):
        assert clean(name) == without_codes(name) == readable(name) == name
    with pytest.raises(Refused, match="invisible"):
        readable("\u200d")  # it joins nothing


@pytest.mark.parametrize(
    "command",
    [
        ("sessions",),
        ("sessions", "--json"),
        ("stats",),
        ("stats", "--json"),
        ("sheet", "FILE"),
        ("export", "FILE", "--format", "json"),
        ("export", "FILE", "--format", "jsonl"),
        ("journal", "check", "FILE"),
        ("resume", "FILE", "--port", "none"),
        ("rematch", "FILE", "--port", "none"),
        ("sessions", "rename", "FILE", "Sunday"),
        (),
    ],
    ids=" ".join,
)
def test_no_command_passes_on_what_steers_a_terminal(command: tuple[str, ...]) -> None:
    path = lay("hostile-names", sessions_dir())
    ran = Ran(*(str(path) if word == "FILE" else word for word in command))
    assert ran.code in (Exit.DONE, Exit.DATA)
    assert not (set(unseen()) - {"\n"}) & set(ran.out + ran.err)


@pytest.mark.parametrize(("words", "name"), [("sessions", "F?te"), ("stats", "Zo?")])
def test_an_output_that_has_not_all_letters_gets_question_marks(
    words: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin("panic-fire", ["Zoë", "Bo"], {}, sessions_dir() / "Fête.sqlite").close()
    out = TextIOWrapper(BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", out)
    assert main(words.split()) == Exit.DONE
    out.seek(0)
    assert name in out.read()
