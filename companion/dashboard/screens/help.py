"""The actions of the registry for looking up: the help page and the palette."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, ClassVar

from textual import on
from textual.command import CommandList
from textual.content import Content
from textual.widgets import Input
from textual.worker import Worker, WorkerCancelled

from companion.dashboard.registry import BACK, GROUP, grouped, key_names, key_of
from companion.dashboard.textual.private_textual import SearchedPalette
from companion.dashboard.widgets.labels import labelled
from companion.dashboard.widgets.page import MARGIN, TextPage
from companion.rules.actions import Action
from companion.rules.clauses import without_clauses
from companion.rules.columns import capitalized
from companion.rules.seats import GLYPHS
from companion.session.views import LineKind, TableView

NOW = "Works now"
LATER = ", not now"
SIGNS = (
    (" ".join(GLYPHS), "A player: one sign and one color each."),
    ("█ at the left", "The color of the player or zone beside it."),
    (">", "What to do now, whose turn it is, or what is chosen."),
    ("?", "Not known; among the keys, this page."),
    ("-", "Nothing, or nothing yet."),
    ("±", "The true time is at most this far off, earlier or later."),
    ("peak", "How hard the hit sensor was hit: 0 to 4095."),
    ("^ before a key", "Hold Ctrl and press the key."),
    ("at least 0:41", "The start itself was not seen; it was longer ago."),
    ("+ before a time", "Time since the start."),
    ("+ after a time", "At least this long; the exact time is unknown."),
    ("< >", "A field: change it with left and right."),
    ("│ |", "In a line of a form or picture: its edge; in a chart: where it begins."),
    ("…", "There is more; the log and the details have it whole."),
    ("█ ▌ ▀", "In a chart: a bar for a score or a time."),
    ("█ ▁ ▂ ▃ ▄ ▅ ▆ ▇", "At the right edge: where in the page you are."),
)
"""The meaning of the signs on every game's screens."""


class HelpPage(TextPage):
    """Every key and what it does, by group, and the meaning of the screens' signs."""

    TITLE: ClassVar[str] = "Keys"
    CLOSE = (
        f"{key_of(BACK)} back to the table   arrows and page keys scroll   End what the signs mean"
    )

    def text(self, view: TableView) -> Content:
        actions, game_screen = self.at.actions, self.at.game_screen
        now = {
            action.id
            for action in actions
            if action.group != GROUP and game_screen.works(action, view)
        }
        return help_text(actions, now, max(20, self.app.size.width - MARGIN), game_screen.signs)


def help_text(
    actions: tuple[Action, ...],
    now: Collection[str],
    width: int,
    signs: Sequence[tuple[str, str]] = (),
) -> Content:
    """Return what each key does, then the meanings of signs, in lines of `width` cells.

    Actions whose ids are in `now` come first, the others in groups. `signs` are the game's own;
    those of every game and of the log follow.
    """
    bound = [action for action in actions if action.keys]
    members = {NOW: [action for action in bound if action.id in now]}
    for group, others in grouped([action for action in bound if action.id not in now]).items():
        title = capitalized(group)
        if group != GROUP:  # the dashboard's own keys always work
            title += LATER
        members[title] = others
    blocks: dict[str, Sequence[tuple[str, str]]] = {}
    for title, listed in members.items():
        blocks[title] = [(key_names(action), without_clauses(action.help)) for action in listed]
    blocks["Signs of the game"] = signs
    blocks["Signs everywhere"] = SIGNS
    blocks["Signs of the log"] = [(kind.mark, kind.means) for kind in LineKind]
    key_cells = max(len(key_names(action)) for action in actions) + 4
    lines: list[Content] = []
    for title, rows in blocks.items():
        if not rows:
            continue
        lines.append(Content.styled(title, "bold"))
        cells = max(key_cells, *(len(key) + 4 for key, _ in rows))
        for key, text in rows:
            lines += labelled(f"  {key}", [text], cells, width, style="bold $primary")
        lines.append(Content(""))
    return Content("\n").join(lines[:-1])


class Palette(SearchedPalette):
    """Textual's palette without a blinking cursor, and with one Enter for the first match.

    Textual's own takes the first Enter only to highlight it, and ignores an Enter typed faster than
    the search.
    """

    def on_mount(self) -> None:
        self.query_one(Input).cursor_blink = False

    @on(Input.Submitted)
    def _take_first(self, event: Input.Submitted) -> None:
        """Select what is highlighted, else the first match once the search has ended."""
        event.prevent_default()
        event.stop()
        if self.search is not None:
            self.run_worker(self._select_of(self.search), group="select", exclusive=True)

    async def _select_of(self, search: Worker[Any]) -> None:
        try:
            await search.wait()
        except WorkerCancelled:  # more was typed
            return
        matches = self.query_one(CommandList)
        if matches.highlighted is None and matches.option_count:
            matches.highlighted = 0
        matches.action_select()
