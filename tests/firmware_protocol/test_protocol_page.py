"""PROTOCOL.md and the message table say the same."""

import re
from pathlib import Path

import firmware_protocol
from firmware_protocol import messages as m

PAGE = (Path(firmware_protocol.__file__).parent / "PROTOCOL.md").read_text(encoding="utf-8")
CODES = {"u8": "B", "u16": "H", "u32": "I", "u64": "Q"}
ROW = re.compile(
    r"^\| 0x(?P<kind>[0-9a-f]{2}) \| (?P<name>\w+) \| (?:(?P<numbered>yes|no) \| )?(?P<body>[^|]+) \|", re.M
)
FIELD = re.compile(r"(\w+) (u8|u16|u32|u64)")


def rows() -> dict[int, re.Match[str]]:
    return {int(row["kind"], 16): row for row in ROW.finditer(PAGE)}


def test_the_page_lists_every_kind_by_its_name() -> None:
    assert {kind: row["name"] for kind, row in rows().items()} == {kind: cls.NAME for kind, cls in m.BY_KIND.items()}


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
