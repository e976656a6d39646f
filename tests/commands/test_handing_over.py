"""The facts of a box handed from one owner to another: a stranger's file costs a sentence and no answer."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from companion.box.owner_box import MOST_BYTES, as_toml, box_in_force, own_path, own_rows
from companion.exits import Exit
from companion.rules.components import example, packaged
from tests.commands.ran import Ran
from tests.thorough import examples

GAME = "fractured-sky"
SLOT = '[[slot_ten]]\nname = "1"\nvalue = {value}\nstatus = "confirmed"\nsource = "{source}"\n'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "from-bo.toml"


def own(text: str) -> Path:
    path = own_path(GAME)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def whole_box() -> str:
    """Return the invented example as if somebody had entered it from a box."""
    rows = [row for row in example(GAME).rows if row.table.startswith(("card_", "token_", "slot_"))]
    text = "\n".join(line for row in rows for line in as_toml(row))
    return text.replace('"example"', '"confirmed"') + "\n"


def test_what_one_owner_exports_another_imports(
    file: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    own(whole_box())
    first = box_in_force(GAME)
    assert Ran("components", "export", GAME, str(file)).code == Exit.DONE
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "another"))
    ran = Ran("components", "import", GAME, str(file))
    assert ran.code == Exit.DONE
    assert "38 new facts; 2 you have already; 0 of yours kept." in ran.out
    assert [dict(row.fields) for row in box_in_force(GAME).rows] == [
        dict(row.fields) for row in first.rows
    ]
    again = Ran("components", "import", GAME, str(file))
    assert f"0 new facts; {len(own_rows(first))} you have already; 0 of yours kept." in again.out


def test_comments_of_an_owner_are_not_handed_over(file: Path) -> None:
    own("# my own business\n" + SLOT.format(value=2, source="my copy"))
    Ran("components", "export", GAME, str(file))
    assert "business" not in file.read_text()


def test_export_writes_over_nothing_and_says_when_there_is_nothing_to_write(file: Path) -> None:
    nothing = Ran("components", "export", GAME, str(file))
    assert nothing.code == Exit.NO_INPUT
    assert not file.exists()
    own(SLOT.format(value=2, source="my copy"))
    file.write_text("a letter")
    there = Ran("components", "export", GAME, str(file))
    assert there.code == Exit.CANNOT_CREATE
    assert "is there already; name another file." in there.err
    assert file.read_text() == "a letter"


def test_ones_own_answer_stays_and_the_difference_is_shown(file: Path) -> None:
    mine = own(SLOT.format(value=2, source="my copy"))
    before = mine.read_text()
    file.write_text(SLOT.format(value=3, source="Bo's copy"))
    ran = Ran("components", "import", GAME, str(file))
    assert ran.code == Exit.DONE
    assert "Turn slot 1 of 5: yours 2 | theirs 3" in ran.out
    assert "0 new facts; 0 you have already; 1 of yours kept." in ran.out
    assert f"components import {GAME} {file} --theirs" in ran.out
    assert mine.read_text() == before


def test_with_a_word_theirs_is_taken_with_its_source(file: Path) -> None:
    own(SLOT.format(value=2, source="my copy"))
    file.write_text(SLOT.format(value=3, source="Bo's copy"))
    Ran("components", "import", GAME, str(file), "--theirs")
    row = box_in_force(GAME).row("slot_ten", "1")
    assert row is not None
    assert (row.value, row.source) == (3, "Bo's copy")


def test_what_is_published_is_not_changed_without_a_word_either(file: Path) -> None:
    file.write_text(SLOT.format(value=3, source="Bo's copy").replace('"1"', '"4"'))
    ran = Ran("components", "import", GAME, str(file))
    assert "Turn slot 4 of 5: published 1 | theirs 3" in ran.out
    assert box_in_force(GAME) == packaged(GAME)


def test_facts_that_contradict_ones_own_are_refused_as_a_whole(file: Path) -> None:
    place = (
        '[[place_ten]]\nname = "{name}"\nx = {at}\ny = {at}\nstatus = "confirmed"\nsource = "x"\n'
    )
    mine = own(place.format(name="Dreadful Desert", at=1))
    before = mine.read_text()
    file.write_text(
        place.format(name="Torrential Tropics", at=5) + SLOT.format(value=3, source="x")
    )
    ran = Ran("components", "import", GAME, str(file))
    assert ran.code == Exit.DATA
    assert "The facts contradict yours: nothing was taken." in ran.err
    assert mine.read_text() == before


def valued(value: str) -> bytes:
    """Return a row with that value."""
    return SLOT.format(value=value, source="x").encode()


ROW = valued("1")
TEXT = b'[[label]]\nname = "Tenth region"\nvalue = """' + b"x\n" * 900 + b'"""\n'
TWINS = b'[[region]]\nname = "Creepy Cove"\nresources = ["Gold", "Gold"]\nstatus = "confirmed"\nsource = "x"\n'
AT = "line 1: [[slot_ten]]"
HOSTILE = {
    "no UTF-8": (b"\xff\xfe\x00", "it is no UTF-8"),
    "a zero byte": (b"\x00", "this is no TOML"),
    "too large": (b"#" * 80 + b"\n" + b"# x\n" * MOST_BYTES, f"it has more than {MOST_BYTES} bytes"),
    "a line too long": (b"# " + b"x" * 5000, "line 1: this line is too long"),
    "a key of thousands of dots": (b"a" + b".a" * 100_000 + b" = 1", "line 1: this line is too long"),
    "lists in lists": (b"[" * 1900 + b"\n", "this is no TOML"),
    "lists in lists in a row": (valued("[\n" * 3000), "lists stand in lists too deep"),
    "a table for a number": (valued("{a = {b = {c = {d = 1}}}}"), f"{AT} 1: value is"),
    "a number too long to write": (valued("0x" + "f" * 1990), f"{AT} 1: value is"),
    "a number of thousands of digits": (valued("9" * 1900), "[[slot_ten]] 1: value is 9"),
    "no number": (valued("nan"), "[[slot_ten]] 1: value is nan"),
    "a day": (valued("1979-05-27"), "[[slot_ten]] 1: value is datetime.date"),
    "a number out of bounds": (valued("99"), f"{AT} 1: value is 99; expected a whole"),
    "an escape in a name": (ROW.replace(b'"1"', b'"\\u001b[2J"'), f"{AT}: the name is"),
    "letters turned around": (ROW.replace(b'"x"', b'"\\u202ecopy"'), "[[slot_ten]] 1: the source is"),
    "a text too long": (TEXT, "[[label]] Tenth region"),
    "an unknown key": (ROW + b'path = "/etc/passwd"\n', "unknown field 'path'"),
    "an unknown table": (b'[[shell]]\nname = "rm"\n', "line 1: [[shell]]: there is no such table"),
    "another game": (b'[[match_number]]\nname = "The Nun"\n', "there is no such table"),
    "a row twice": (ROW * 2, "line 6: [[slot_ten]] 1: there is such a row already (line 1)"),
    "a made-up row": (ROW.replace(b"confirmed", b"example"), f"{AT} 1: this row is made up"),
    "against the rules": (TWINS, "line 1: [[region]] Creepy Cove"),
}  # fmt: skip


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_file_is_one_sentence_and_changes_nothing(kind: str, file: Path) -> None:
    content, text = HOSTILE[kind]
    mine = own(SLOT.format(value=2, source="my copy"))
    before = mine.read_bytes()
    file.write_bytes(content)
    ran = Ran("components", "import", GAME, str(file))
    assert ran.code == Exit.DATA
    assert text in ran.err
    assert ran.err.endswith("Nothing was taken from it.\n")
    assert len(ran.err.splitlines()) == 1
    assert len(ran.err) < 600
    assert ran.err.removesuffix("\n").isprintable()
    assert mine.read_bytes() == before


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
def test_a_pipe_a_folder_and_nothing_are_one_sentence(file: Path, tmp_path: Path) -> None:
    os.mkfifo(file)
    assert "it is no file but a pipe" in Ran("components", "import", GAME, str(file)).err
    assert "cannot be read" in Ran("components", "import", GAME, str(tmp_path)).err
    assert Ran("components", "import", GAME, str(tmp_path / "none")).code == Exit.NO_INPUT


def damaged(text: bytes, chance: random.Random) -> bytes:
    """Return a file with some bytes changed, removed, doubled, or copied from elsewhere."""
    altered = bytearray(text)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(altered))
        match chance.randrange(4):
            case 0:
                altered[at] = chance.randrange(256)
            case 1:
                del altered[at : at + chance.randint(1, 40)]
            case 2:
                altered[at:at] = chance.choice(
                    [b"[[", b"]]", b'"', b"\n", b"=", b"{", b"'''", b"\\u0000", b"9" * 50]
                )
            case _:
                altered[at:at] = altered[at // 2 : at // 2 + chance.randint(1, 60)]
    return bytes(altered)


@pytest.mark.parametrize("seed", range(examples(60, 3000)))
def test_random_damage_is_either_read_or_refused_in_one_sentence(seed: int, file: Path) -> None:
    chance = random.Random(seed)
    mine = own(SLOT.format(value=2, source="my copy"))
    before = mine.read_bytes()
    file.write_bytes(damaged(whole_box().encode(), chance))
    ran = Ran("components", "import", GAME, str(file))
    if ran.code == Exit.DONE:
        row = box_in_force(GAME).row("slot_ten", "1")
        assert row is not None
        assert (row.value, row.source) == (2, "my copy")
    else:
        assert ran.code == Exit.DATA
        assert len(ran.err.splitlines()) == 1
        assert mine.read_bytes() == before
