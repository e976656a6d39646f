"""Calibrated settings go into the unfinished session and into those that begin later."""

from __future__ import annotations

import pytest

from companion.board.calibrated import as_calibrated, keep, read_settings, settings_path
from companion.errors import CommandError
from companion.journal.folder import sessions_dir
from companion.journal.journal import Journal
from companion.link.settings import fields_of
from companion.session.opening import begin
from firmware_protocol.messages import Config

FOUND = Config(8_000, 300, 1_415, 5_000, 45_000)
SEATS = ("Ada", "Ben", "Cy")


def test_without_a_session_the_next_one_begins_with_the_settings() -> None:
    assert keep(FOUND) == "New sessions begin with them."
    table = as_calibrated(begin("panic-fire", SEATS, {}))
    try:
        assert table.view().board == fields_of(FOUND)
    finally:
        table.close()


def test_the_last_unfinished_session_goes_on_with_the_settings() -> None:
    table = begin("panic-fire", SEATS, {})
    path = table.path
    table.close()
    assert keep(FOUND).endswith(f"and {path.stem} goes on with them.")
    with Journal.open(path, wall=lambda: "2026-01-01T00:00:00.000+00:00") as journal:
        last = journal.entries[-1]
    assert (last.kind, last.body["hit_threshold"], last.body["why"]) == (
        "board",
        1_415,
        "calibrated",
    )


def test_a_session_that_is_open_elsewhere_is_left_alone_and_said() -> None:
    table = begin("panic-fire", SEATS, {})
    try:
        with pytest.raises(CommandError, match="F7"):
            keep(FOUND)
    finally:
        table.close()
    assert read_settings() == (fields_of(FOUND), "")


def test_a_folder_that_cannot_be_read_is_said_and_new_sessions_begin_with_the_settings() -> None:
    sessions_dir().parent.mkdir(parents=True, exist_ok=True)
    sessions_dir().touch()
    with pytest.raises(
        CommandError, match=r"^New sessions begin with them; whether .* cannot be read, because"
    ):
        keep(FOUND)
    assert read_settings() == (fields_of(FOUND), "")


@pytest.mark.parametrize("text", ["{", "[1]", '{"lock_us": 1}', '{"lock_us": "a"}'])
def test_a_file_that_cannot_be_used_is_said_and_the_defaults_stand(text: str) -> None:
    settings_path().parent.mkdir(parents=True)
    settings_path().write_text(text, encoding="utf-8")
    fields, trouble = read_settings()
    assert fields == {}
    assert "calibrate again, or remove it" in trouble
