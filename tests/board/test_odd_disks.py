"""The virtual board in a data folder on a disk that lacks something."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.board.virtual import running
from companion.journal import features
from companion.journal.features import Feature
from firmware_protocol.virtual.runtime import VirtualBoardError
from tests.commands.ran import Ran
from tests.journal.odd_disk import Lacks, can_mount, odd_disk

pytestmark = pytest.mark.skipif(
    not can_mount(), reason="to mount a disk takes Linux, /dev/fuse and root"
)


def test_where_no_link_to_its_port_can_be_made_the_port_lies_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with odd_disk(tmp_path, Lacks.SYMLINKS) as disk:
        monkeypatch.setenv("COMPANION_DATA", str(disk))
        with running() as board:
            assert not board.url.startswith(str(disk))
            assert Path(board.url).exists()


def test_without_locks_it_is_told_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with odd_disk(tmp_path, Lacks.LOCKS) as disk:
        monkeypatch.setenv("COMPANION_DATA", str(disk))
        with (
            pytest.raises(
                VirtualBoardError, match=r"without file locks: .* COMPANION_DATA names another"
            ),
            running(),
        ):
            raise AssertionError


def test_a_game_is_played_with_it_from_a_stick_that_anybody_can_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with odd_disk(tmp_path, Lacks.SYMLINKS) as disk:
        monkeypatch.setenv("COMPANION_DATA", str(disk))
        monkeypatch.setitem(features._TRIALS, Feature.PERMISSIONS, lambda _file, _path: False)
        features.accept(disk / "sessions")
        assert Ran("play", "panic-fire", "--plain", "--port", "virtual").code == 0
