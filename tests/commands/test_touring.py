"""The tour where there is no screen to take it on."""

from __future__ import annotations

import pytest

from companion import terminal
from companion.exits import Exit
from tests.commands.ran import Ran


@pytest.mark.parametrize(
    "words", [("tour",), ("tour", "--plain"), ("--plain", "tour")], ids=" ".join
)
def test_the_tour_is_refused_where_it_cannot_be_shown(
    words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(terminal, "shows_screens", lambda: "--plain" in words)
    ran = Ran(*words)
    assert (ran.code, ran.out) == (Exit.USAGE, "")
    assert "start it in a terminal" in ran.err
    assert "--plain" not in Ran("help", "tour").out
