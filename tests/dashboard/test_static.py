"""Text on the screen has the room it takes, also when a layout falls between two updates."""

from __future__ import annotations

from textual.app import App, ComposeResult

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
        app.screen._refresh_layout()
        assert text.size.height == 4
        text.update("two\nrows")
        await pilot.pause()
        assert text.size.height == 2
