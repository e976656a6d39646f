"""The legend of the grid's heads is shown if there is room after the words at the cursor."""

from __future__ import annotations

import pytest
from textual.content import Content

from companion.games.sky_rise.screen.choices import LEGENDS, with_legend


@pytest.mark.parametrize(
    "here", ["a1 touches no card", "cell a1 diamonds", "a1 touches ♥ a1 b1, ♠ a2 b2"]
)
def test_the_smallest_window_says_what_the_letters_of_the_heads_mean(here: str) -> None:
    said = with_legend(Content(here), 72).plain
    assert said.startswith(here)
    assert "large, medium, small left" in said
    assert len(said) <= 72


@pytest.mark.parametrize("width", range(20, 140, 7))
def test_a_legend_never_takes_room_from_what_is_at_the_cursor(width: int) -> None:
    here = Content("a1 touches no card")
    said = with_legend(here, width).plain
    assert said.startswith(here.plain)
    assert len(said) <= max(width, len(here.plain))
    assert said == here.plain or any(said.endswith(each) for each in LEGENDS)
