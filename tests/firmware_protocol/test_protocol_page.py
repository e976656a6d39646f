"""PROTOCOL.md and the message table say the same."""

import re
from pathlib import Path

import firmware_protocol
from firmware_protocol import messages as m
from firmware_protocol.board.settings import RANGES, Settings
from firmware_protocol.frames import MAX_ENCODED

PAGE = (Path(firmware_protocol.__file__).parent / "PROTOCOL.md").read_text(encoding="utf-8")
CODES = {"u8": "B", "u16": "H", "u32": "I", "u64": "Q"}
ROW = re.compile(
    r"^\| 0x(?P<kind>[0-9a-f]{2}) \| (?P<name>\w+) \| (?:(?P<numbered>yes|no) \| )?(?P<body>[^|]+) \|",
    re.M,
)
FIELD = re.compile(r"(\w+) (u8|u16|u32|u64)")


def rows() -> dict[int, re.Match[str]]:
    return {int(row["kind"], 16): row for row in ROW.finditer(PAGE)}


def test_the_page_lists_every_kind_by_its_name() -> None:
    assert {kind: row["name"] for kind, row in rows().items()} == {
        kind: cls.NAME for kind, cls in m.BY_KIND.items()
    }


def test_the_page_lists_every_field_in_its_place_with_its_width() -> None:
    for kind, row in rows().items():
        fields = FIELD.findall(row["body"])
        message = m.BY_KIND[kind]
        if message is not m.Log:
            assert tuple(name for name, _ in fields) == message.FIELDS, row["name"]
        assert "<" + "".join(CODES[width] for _, width in fields) == message.LAYOUT, row["name"]


def test_the_page_says_which_kinds_are_numbered() -> None:
    numbered = {kind for kind, row in rows().items() if row["numbered"] == "yes"}
    assert numbered == {kind for kind, message in m.BY_KIND.items() if message.NUMBERED}


def test_the_page_gives_the_default_and_the_range_of_each_setting() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (\d+) \| (\d+) \| (\d+) \|$", PAGE, re.M)
    expected = [(name, getattr(Settings(), name), low, high) for name, low, high in RANGES]
    assert [
        (name, int(default), int(low), int(high)) for name, default, low, high in rows
    ] == expected


def test_the_page_gives_the_longest_run_between_delimiters() -> None:
    assert f"what stands between two delimiters has at most {MAX_ENCODED}." in PAGE
    assert len(m.encode(m.Log(b"x" * 240), 0x0101, 0x01010101)) == MAX_ENCODED + 2
