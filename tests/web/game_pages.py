"""The page for phones of a state, without a session."""

from __future__ import annotations

from typing import Any

from companion.reports.markup import Markup
from companion.rules.facts import TABLE
from companion.session.views import SavedView, TableView
from companion.session.watching import WATCHING
from companion.web.blocks import table_blocks


def view_of(game: Any, state: Any) -> TableView:
    common = game.common(state)
    return TableView(
        "evening", common.setup, game.view(state, TABLE), game.awaiting(state), (), WATCHING,
        SavedView("2 entries read", ok=True), None, None, None, game.over(state), common.left, common.paused,
        standings=game.standings(state), summary=lambda: game.summary(state),
    )  # fmt: skip


def page_of(game: Any, state: Any) -> dict[str, Markup]:
    return table_blocks(view_of(game, state), game.title, (), closed=False)
