"""Recorded games, as people read them: what a change of a sentence or a prompt does shows as a change of these files.

After a change that is meant, write them anew and read their difference:

    SNAPSHOTS=write python -m pytest tests/games/sky_rise/test_told.py
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.games.told import check_told, recorded


@pytest.mark.parametrize("path", recorded("sky-rise"), ids=lambda path: path.stem)
def test_a_recorded_game_is_told_as_it_is_written_down(path: Path) -> None:
    check_told(path)
