"""A page of a role tries the board's lamp and buzzer, but gives no signal in a drill."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from companion.session.corrections import NotDone
from companion.session.opening import begin
from companion.session.roles import Role
from companion.web.addresses import LOCALHOST
from companion.web.app import ONLY_LAPTOP
from companion.web.at_play import TablePages
from companion.web.board_tries import NO_BOARD, SIGNAL_NEXT, TRIES, tried
from tests.web.acting import acting, draw_plainly


@pytest.mark.parametrize(("wish", "output"), [("board.lamp", 0), ("board.buzzer", 1)])
def test_a_wish_switches_an_output_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wish: str, output: int
) -> None:
    cues: list[tuple[int, int]] = []
    with acting(tmp_path) as at:
        with pytest.raises(NotDone, match=NO_BOARD):
            tried(at.table, wish)

        def cue(which: int, ms: int) -> bool:
            cues.append((which, ms))
            return True

        monkeypatch.setattr(at.table, "cue", cue)
        assert tried(at.table, wish) == TRIES[wish][2]
    assert [which for which, _ in cues] == [output]


def test_the_lamp_is_not_lit_while_somebody_waits_for_it_as_a_signal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with acting(tmp_path, "drills", "Ann") as at:
        monkeypatch.setattr(at.table, "cue", lambda *_: True)
        assert tried(at.table, "board.lamp")
        at.table.do("drills.begin")
        at.table.tick()
        with pytest.raises(NotDone, match=SIGNAL_NEXT):
            tried(at.table, "board.lamp")
        assert tried(at.table, "board.buzzer")


def test_at_the_laptop_what_only_it_can_do_is_refused_on_a_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw_plainly(monkeypatch)
    table = begin("panic-fire", ("Ann", "Bo"), {}, tmp_path / "evening.sqlite")
    with closing(table), closing(TablePages(table, LOCALHOST)) as pages:
        pages.give_out(Role.TABLE, "tablet")
        with pytest.raises(NotDone, match=ONLY_LAPTOP):
            pages._do_session("rematch")
        with pytest.raises(NotDone, match=NO_BOARD):
            pages._do_board(pages.roles_given()[0], "board.lamp")
