"""Small files of the companion are read as they were written, or ignored: anybody may have changed them, and none is
worth losing an evening."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.board.calibrated import read_settings, settings_path
from companion.box import entry
from companion.outbound.hook_runner import delivered_at, read_delivered
from companion.outbound.hub_ticket import read_ticket, ticket_path
from companion.session import kept_fold
from companion.session.kept_pages import kept_at, read_kept
from companion.web import evening
from tests.journal.support import begin

LARGE = 1 << 21  # bytes
CONTENTS = {
    "nothing": b"",
    "no JSON": b"[",
    "a list": b"[]",
    "a number": b"7",
    "null": b"null",
    "no text": b"\xff\xfe\x00",
    "too deep": b"[" * 99_999,
    "too long": b" " * LARGE + b"{}",
    "other kinds": b'{"port": "1", "codes": [], "names": 7, "at": 7, "drafts": {}, "lock_us": "a", "address": 5}',
    "rows of other kinds": b'{"lights": {"number": "1"}, "codes": {"": 1}, "names": {}, "port": 1}',
}
Reader = Callable[[Path], tuple[Path, Callable[[], object], object]]
READERS: dict[str, Reader] = {
    "the pages": lambda session: (kept_at(session), lambda: read_kept(session), None),
    "the evening": lambda session: (
        session.parent / evening.FILE,
        lambda: evening.read_evening(session.parent),
        None,
    ),
    "the hooks": lambda session: (delivered_at(session), lambda: read_delivered(session), {}),
    "the ticket": lambda _: (ticket_path(), lambda: read_ticket()[0], None),
    "the settings": lambda _: (settings_path(), lambda: read_settings()[0], {}),
    "the fold": lambda session: (kept_fold.fold_path(session), lambda: _fold(session), None),
    "the entry of a box": lambda session: (
        session.with_suffix(".place"),
        lambda: entry.kept(session.with_suffix(".place"), {}, ()).past,
        (),
    ),
}


def _fold(session: Path) -> object:
    with begin(session) as journal:
        return kept_fold.kept(session, journal.entries)


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("content", [*CONTENTS, "a pipe", "a folder"])
def test_what_is_none_of_ours_is_as_if_it_were_not_there(
    reader: str, content: str, tmp_path: Path
) -> None:
    path, read, nothing = READERS[reader](tmp_path / "evening.sqlite")
    path.parent.mkdir(parents=True, exist_ok=True)
    if content == "a pipe":
        os.mkfifo(path)
    elif content == "a folder":
        path.mkdir()
    else:
        path.write_bytes(CONTENTS[content])
    assert read() == nothing
