"""A round of Sky Rise that begins again: one correction of the record, and one undo restores all of
it."""

from __future__ import annotations

from pathlib import Path

from companion.session.opening import begin
from tests.games.sky_rise.screen.parts import floor, level, pyramids


def test_a_round_begins_again_in_one_step_and_an_undo_brings_it_back(tmp_path: Path) -> None:
    table = begin("sky-rise", ("Ada", "Ben"), {"opaque_sizes": "by_trio"}, tmp_path / "tower")
    level(table)
    before = table.view().game.levels
    floor(table)
    pyramids(table, "red", "yellow")
    built = table.view().game.levels
    table.do("sky-rise.restart")
    view = table.view()
    assert view.game.levels == before
    assert view.notice is not None
    assert not view.notice.refused
    assert "round 2 begins again" in view.log[-1].text
    table.do("table.undo")
    assert table.view().game.levels == built
    table.close()
