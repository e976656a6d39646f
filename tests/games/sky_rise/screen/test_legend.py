"""The legend of the grid's heads is shown if there is room after the words at the cursor."""

from __future__ import annotations

import pytest
from textual.content import Content

from companion.games.sky_rise.screen.choices import LEGENDS, with_legend


@pytest.mark.parametrize(
    "here", ["a1 touches no card", "cell a1 diamonds", "a1 touches ♥ a1 b1, ♠ a2 b2"]
)
def test_the_smallest_window_says_what_the_letters_of_the_heads_mean(here: str) -> None:
    text = with_legend(Content(here), 72).plain
    assert text.startswith(here)
    assert "large, medium, small left" in text
    assert len(text) <= 72


@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("width", range(20, 140, 7))
def test_a_legend_never_takes_room_from_what_is_at_the_cursor(width: int, wide: bool) -> None:
    here = Content("a1 touches no card")
    text = with_legend(here, width, wide=wide).plain
    assert text.startswith(here.plain)
    assert len(text) <= max(width, len(here.plain))
    assert text == here.plain or any(text.endswith(each) for each in LEGENDS[wide])
