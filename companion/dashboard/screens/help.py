"""The actions of the registry for looking up, and answers about the rules: the help page and the palette."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, ClassVar

from textual import on
from textual.actions import SkipAction
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.command import CommandList
from textual.content import Content
from textual.widgets import Input
from textual.worker import Worker, WorkerCancelled

from companion.ask.answers import NEAREST, Answers, AtTable, answers, first_line
from companion.dashboard.registry import BACK, GROUP, LOG, grouped, key_names, key_of
from companion.dashboard.textual.private_textual import SearchedPalette
from companion.dashboard.widgets.form import FieldChanged, TextField
from companion.dashboard.widgets.labels import labelled
from companion.dashboard.widgets.page import (
    ASKS_HERE,
    MARGIN,
    READING,
    STEPS,
    Scroll,
    TextPage,
    keys_of,
)
from companion.dashboard.widgets.static import Static, key_hints
from companion.rules.actions import Action
from companion.rules.clauses import without_clauses
from companion.rules.columns import capitalized
from companion.rules.seats import GLYPHS
from companion.session.views import LineKind, LogLine, TableView

REMARK_CELLS = 14  # the column of what is said about a clause
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
    """Every key and what it does, by group, and the meaning of the screens' signs; or what the
    rules say about a question."""

    TITLE: ClassVar[str] = "Keys"
    CLOSE = f"{key_of(BACK)} back to the table   / ask about the rules   End what the signs mean"
    CLOSE_BELOW = f"{key_of(BACK)} back   / ask about the rules   End what the signs mean"
    TAKEN_BELOW = STEPS
    ASKING = "Enter ends typing   Esc back to the keys"
    NOT_HERE = ASKS_HERE
    ANSWERED = "/ ask again   Esc back to the keys"
    SCROLLS = "   arrow and page keys"
    OF_A_RULING = f"   Enter why   {key_of(LOG)} its line in the log"
    BINDINGS: ClassVar[list[BindingType]] = [
        ("slash", "ask"),
        ("enter", "why"),
        ("escape", "forget"),
    ]

    def __init__(self, *, asking: bool = False, first: Sequence[Action] = ()) -> None:
        """With `asking`, it opens with the cursor where a question is typed. `first` are the actions of the page
        below, if that is not the table; no other key of the table works there."""
        super().__init__()
        self._first = {action.id for action in first}
        self._question = ""
        self._asking = asking

    def compose(self) -> ComposeResult:
        yield from super().compose()
        line = TextField(is_replaced=True)  # the first letter replaces the question before
        line.placeholder = "words about the rules"
        line.display = False
        yield line

    def on_mount(self) -> None:
        super().on_mount()
        if self._asking:
            self.call_after_refresh(self.action_ask)

    def lets_through(self, action_id: str) -> bool:
        """Let no key at all through at an answer: people type the next question there."""
        if not self._question:
            return super().lets_through(action_id)
        return action_id in READING or (action_id == LOG.id and self.line_in_log is not None)

    def action_ask(self) -> None:
        line = self.query_one(TextField)
        line.value, line.display = self._question, True
        line.focus()
        self.show(self.now())

    def on_field_changed(self, event: FieldChanged) -> None:
        """Answer what is typed so far."""
        event.stop()
        line = self.query_one(TextField)
        if line.display:
            self._question = line.word
            self.query_one(Scroll).scroll_home(animate=False)
            self.show(self.now())

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Keep the answers, and return the keys to the page."""
        event.stop()
        self._end_typing()
        self.show(self.now())

    def action_forget(self) -> None:
        """Show the keys again; without a question the key leaves the page."""
        if not (self._question or self.query_one(TextField).display):
            raise SkipAction
        self._end_typing()
        self._question = ""
        self.show(self.now())

    def action_why(self) -> None:
        """Open the reasons of the newest ruling about the question; without one Enter is the game's."""
        ruling = None if "enter" in self.now().overrides else self._ruling(self.now())
        if ruling is None:
            raise SkipAction
        self.at.pages.why(ruling.n)

    @property
    def line_in_log(self) -> int | None:
        """The entry of the newest ruling about the question, None without one."""
        ruling = self._ruling(self.now())
        return None if ruling is None else ruling.n

    def _end_typing(self) -> None:
        self.query_one(TextField).display = False
        self.query_one(Scroll).focus()

    def _answers(self, view: TableView) -> Answers:
        return answers(view.setup.game, self._question, AtTable.of(view))

    def _ruling(self, view: TableView) -> LogLine | None:
        return first_line(self._answers(view)) if self._question else None

    def show_body(self, view: TableView) -> None:
        super().show_body(view)
        title = f"About the rules: {self._question}" if self._question else self.TITLE
        self.query_one("#where", Static).update(Content(title))
        self.query_one("#close", Static).update(key_hints(self._hints(view), keys_of(self.app)))

    def _hints(self, view: TableView) -> str:
        if self.query_one(TextField).display:
            return self.ASKING
        if not self._question:
            return self.CLOSE_BELOW if self._first else self.CLOSE
        if self._ruling(view) is None:
            return self.ANSWERED + self.SCROLLS
        return self.ANSWERED + self.OF_A_RULING

    def text(self, view: TableView) -> Content:
        if self._question:
            return answer_text(self._answers(view), max(20, self.app.size.width - MARGIN))
        actions, game_screen = self.at.actions, self.at.game_screen
        now = {
            action.id
            for action in actions
            if action.group != GROUP and game_screen.works(action, view)
        }
        if self._first:
            now = self._first | (now & self.TAKEN_BELOW)
        return help_text(actions, now, max(20, self.app.size.width - MARGIN), game_screen.signs)


def answer_text(answered: Answers, width: int) -> Content:
    """Return answers about the rules in lines of `width` cells."""
    lines: list[Content] = []
    if answered.unsaid:
        lines += [Content.styled(answered.unsaid, "bold"), Content("")]
        if answered.found:
            lines += [Content.styled(NEAREST, "$quiet"), Content("")]
    for place, answer in enumerate(answered.found):
        style = "bold" if place == 0 and not answered.unsaid else ""
        if answer.text:
            lines += [
                row.stylize(style) if style else row for row in Content(answer.text).wrap(width)
            ]
        for label, sentence in answer.remarks:
            lines += labelled(f"  {label}", [sentence], REMARK_CELLS, width, style="$quiet")
        lines.append(Content(""))
    return Content("\n").join(lines[:-1])


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
