"""Text on the screen gets the room it needs, even if a layout falls between two updates."""

from __future__ import annotations

from textual.app import App, ComposeResult
from textual.content import Content

from companion.dashboard.widgets.static import Static


class OneText(App[None]):
    CSS = "Static { height: auto; }"

    def compose(self) -> ComposeResult:
        yield Static("one row")


async def test_a_layout_between_two_updates_does_not_keep_the_height_of_the_first() -> None:
    app = OneText()
    async with app.run_test(size=(40, 12)) as pilot:
        text = app.query_one(Static)
        text.update("\n".join("many"))
        app.screen._clear_arrangement_cache()
        app.screen._refresh_layout()
        assert text.size.height == 4
        text.update("two\nrows")
        await pilot.pause()
        assert text.size.height == 2


async def test_what_is_said_again_is_not_painted_again_and_other_words_of_the_same_size_move_nothing() -> (
    None
):
    app = OneText()
    async with app.run_test(size=(40, 12)) as pilot:
        text = app.query_one(Static)
        before = text._layout_updates
        text.update(Content("a row"))
        text.update(Content.styled("a row", "bold"))
        assert text._layout_updates == before
        assert str(text.render_line(0).text).strip() == "a row"
        assert not text.content.is_same(Content("a row"))  # type: ignore[union-attr]
        await pilot.pause()
        visual = text.visual
        text.update(Content.styled("a row", "bold"))
        assert text.visual is visual
