"""The single lines around the game: header, alarms, prompt, notice, undo line and footer."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content

from companion.dashboard.registry import BACK, OWN, QUIT, first_key
from companion.dashboard.source import Clock
from companion.dashboard.widgets.elapsed import Elapsed, SecondTimer
from companion.dashboard.widgets.static import GAP, Clickable, Static, clickable, key_line
from companion.rules.actions import Action, first_sentence, key_name
from companion.rules.columns import wrap
from companion.rules.spans import clock_time
from companion.session.key_meanings import ACCEPT, AGREE, DISAGREE, DISMISS, REDO, UNDO
from companion.session.views import Notice, TableView

PAUSED = "PAUSED"
TESTED = "BOARD TEST"


class HeaderLine(Horizontal):
    """The header line. Its clock is the only thing on the screen that moves by itself."""

    def __init__(self, elapsed: Elapsed) -> None:
        super().__init__(id="header")
        self._elapsed = elapsed
        self._seconds = SecondTimer(self, elapsed, self.on_resize)
        self._title = self._where = self._since = ""
        self._state = Content()

    def compose(self) -> ComposeResult:
        yield Static(id="where")
        yield Static(id="state")

    def show(self, view: TableView, title: str, where: str, since: str) -> None:
        """Show the game and its state, what its clock counts from, the link and the record."""
        self._title, self._where, self._since, self._state = title, where, since, state_words(view)
        self.query_one("#state", Static).update(self._state)
        self.on_resize()
        self._seconds.start()

    def on_resize(self) -> None:
        """Update the clock and fit the line to its width."""
        self.query_one("#where", Static).update(Content(self._words()))

    def _words(self) -> str:
        """Return game, state and clock.

        If they do not fit, the game's name is dropped first, then what the clock counts from.
        """
        clock = clock_words(self._elapsed, self._since)
        room = self.content_size.width - self._state.cell_length - len(GAP)
        shortest = ""
        for parts in (
            (self._title, self._where, clock),
            (self._where, clock),
            (self._where, clock.removesuffix(f" {self._since}")),
        ):
            text = GAP.join(filter(None, parts))
            if not text:
                continue
            if len(text) <= room:
                return text
            shortest = text
        return shortest


def clock_words(elapsed: Elapsed, since: str) -> str:
    """Return the clock as text: `0:41 since fire!`, `at least 0:41` if its start was not seen, "" if
    stopped."""
    seconds = elapsed.seconds()
    if seconds is None:
        return ""
    at_least = "at least " if elapsed.at_least else ""
    return f"{at_least}{clock_time(seconds)} {since}"


def state_words(view: TableView) -> Content:
    """Return a test of the board, pause, hub problems, link and record as text; problems stand out."""
    parts = []
    if view.testing:
        parts.append(Content.styled(TESTED, "bold $accent"))
    if view.paused:
        parts.append(Content.styled(PAUSED, "bold $accent"))
    if view.behind:
        parts.append(Content.styled(view.behind, "bold $warning"))
    parts.append(
        Content.styled(view.link.on_screen, "$quiet" if view.link.well else "bold $warning")
    )
    parts.append(Content.styled(view.saved.text, "$quiet" if view.saved.ok else "bold $error"))
    return Content(GAP).join(parts)


NOTICE_ROWS = 2
"""Rows of what was done: more of them would push away what it was done to."""
CUT = " …"
STAYS_S = 8.0  # minimum seconds that a notice stays while the game goes on


class Alarms(Static):
    """Problems with the link, a wire or the record that need attention now. Takes no room without
    any."""

    def show(self, view: TableView) -> None:
        sentences = [view.testing] if view.testing else []
        sentences += view.link.alarms
        if not view.saved.ok and not any(view.saved.problem in sentence for sentence in sentences):
            sentences.append(view.saved.problem)
        self.display = bool(sentences)
        self.update(Content("\n".join(f"! {sentence}" for sentence in sentences)))


AT_TABLE = "At the table: "
"""Before what the game waits for, on a page whose own keys are in force."""


_RUN = re.compile(r"(\d) to (\d)")
"""The keys of several regions in a prompt, of which only the first and the last are named."""
LATER = "Later: "
"""Before what the game waits for, while a step of a lesson asks for something else: only one request is bold."""


class Awaiting(Static):
    """What the companion waits for and which key or tap answers it: the one prominent line.

    Pending yes-or-no questions come above it, with their keys and the time left.
    """

    def show(self, view: TableView, *, aside: bool = False) -> None:
        """Show the sentence; after the game's end, the keys that show its result and leave.

        `aside` is for a page that asks for something itself: the sentence is then quiet, in one row
        if nothing is asked above it, says that it is the table's, and leaves out the table's keys
        unless it is about keys alone.
        """
        text = view.awaiting
        if view.ended and self.screen is self.app.screen_stack[0]:
            text = f"{text} {over_hint(getattr(self.app, 'actions', OWN))}"
        asked = question_rows(
            view, open_form=self.app.screen is not self.screen or self.screen.is_modal
        )
        rows = [Content.assemble(("? ", "bold $accent"), (row, "bold")) for row in asked]
        if aside:
            if not view.ended:  # the end has no keys to leave out, and nothing may hide it
                text = view.todo or first_sentence(text)
            rows.append(Content.styled(f"{AT_TABLE}{text}", "$quiet"))
        elif _lesson_asks_else(view, getattr(self.app, "actions", OWN)):
            rows.append(Content.styled(f"{LATER}{text}", "$quiet"))
        else:
            rows.append(Content.assemble(("> ", "bold $accent"), (text, "bold")))
        self.set_class(aside and not asked, "-aside")
        self.update(Content("\n").join(rows))


def _lesson_asks_else(view: TableView, actions: tuple[Action, ...]) -> bool:
    """Return whether a lesson asks for a key that the prompt does not name."""
    lesson = view.lesson
    if lesson is None or lesson.is_over:
        return False
    keys = {first_key(action) for action in actions if action.id in lesson.keys} - {""}
    words = {word.strip(".,:;()?") or word for word in view.awaiting.split()}
    for first, last in _RUN.findall(view.awaiting):
        words.update(map(str, range(int(first), int(last) + 1)))
    return bool(keys) and not keys & words


def over_hint(actions: tuple[Action, ...]) -> str:
    """Return what can be done when the game is over, with the keys of these actions."""
    keys = {action.id: first_key(action) for action in actions}
    return f"{keys[BACK.id]} shows the result, {keys[QUIT.id]} quits."


def question_rows(view: TableView, *, open_form: bool = False) -> list[str]:
    """Return the pending yes-or-no questions, a row each; an open form owns the keys."""
    keys = {action_id: key_name(key) for key, action_id in view.overrides.items()}

    def answers(yes: str, no: str) -> str:
        if open_form:
            return "close this first"
        return f"{keys.get(yes, '-')} yes, {keys.get(no, '-')} no"

    rows = []
    if view.question is not None:
        rows.append(f"{view.question} - {answers(AGREE.id, DISAGREE.id)}")
    if view.proposal is not None:
        # A question takes the same keys, so it is answered first.
        keys_hint = "after the question" if rows else answers(ACCEPT.id, DISMISS.id)
        left = f"{math.ceil(view.proposal.left_s)} s"
        waiting = view.proposal.waiting
        if waiting:
            left += f", {waiting} more wait{'s' if waiting == 1 else ''}"
        # Rounded up: at 0 s the proposal is gone.
        rows.append(f"accept? {view.proposal.text} - {keys_hint}, {left}")
    return rows


class NoticeLine(Static):
    """The full answer to the last key. A refusal has a sign as well as its color.

    It goes with the next key, or after `STAYS_S` once the game has moved on.
    """

    def __init__(self, clock: Clock) -> None:
        super().__init__(id="notice")
        self._clock = clock
        self._number = 0
        self._since_s = 0.0
        self._log_n = 0
        self._own = False
        self._notice: Notice | None = None
        self.display = False

    @property
    def shows_table_notice(self) -> bool:
        """Whether it shows a notice of the table, rather than the dashboard's own answer to a key."""
        return self.display and not self._own

    def show(self, view: TableView) -> None:
        notice = view.notice
        if notice is None and not self._own:
            self.display = False
        elif notice is not None and notice.number != self._number:
            self._number = notice.number
            self._show(notice, view, own=False)
            self.display = not notice.secret  # shown behind the curtain instead
        elif _newest(view) > self._log_n and self._clock() - self._since_s >= STAYS_S:
            self.display = False

    def suppress(self, view: TableView) -> None:
        """Hide the notice of this view, now and later: it was shown where it belongs."""
        if view.notice is not None:
            self._number = view.notice.number
        self.display = False

    def say(self, text: str, view: TableView, *, refused: bool = False) -> None:
        """Show the dashboard's own answer to a key; `refused` marks it as a refusal."""
        self._show(Notice(self._number, text, refused), view, own=True)

    def _show(self, notice: Notice, view: TableView, *, own: bool) -> None:
        self._since_s, self._log_n, self._own = self._clock(), _newest(view), own
        self._notice = notice
        self._fill()
        self.display = True

    def on_resize(self) -> None:
        self._fill()

    def _fill(self) -> None:
        if self._notice is not None:
            refused, text = self._notice.refused, self._notice.text
            mark, style = ("! ", "bold $warning") if refused else ("", "$success")
            if self._notice.logged:
                # before it is shown for the first time it has no width yet
                width = self.content_size.width or self.screen.size.width - 2
                text = shortened(text, self._notice.logged, width)
            self.update(Content.assemble((mark + text, style)))


def shortened(text: str, logged: int, width: int) -> str:
    """Return a text without as many words at the end of its first `logged` characters as it takes to fit into
    `NOTICE_ROWS` rows of `width` cells."""
    head, rest = text[:logged].split(), text[logged:].removesuffix(".")
    shown = text
    while len(head) > 1 and len(wrap(shown, width)) > NOTICE_ROWS:
        head.pop()
        shown = f"{' '.join(head)}{CUT}{rest}"
    return shown


def _newest(view: TableView) -> int:
    return view.log[-1].n if view.log else 0


class UndoLine(Clickable):
    """What undo and redo would do, with their keys, which can be clicked; empty if nothing."""

    def __init__(self, actions: tuple[Action, ...]) -> None:
        super().__init__(id="undo")
        self._keys = {action.id: first_key(action) for action in actions}
        self._labels = {action.id: action.label for action in actions}
        self._of_undo = next((action.keys for action in actions if action.id == UNDO.id), ())
        self._parts: list[Content] = []

    def show(self, view: TableView) -> None:
        self.display = UNDO.id in self._keys
        self._parts = []
        if view.undo:
            self._parts.append(self._undo_part(view))
        if view.redo and view.question is None:  # the key of redo, y, is pressed for yes then
            self._parts.append(self._part(REDO.id, f"redo: {view.redo}"))
        self.on_resize()

    def _undo_part(self, view: TableView) -> Content:
        """Return what the undo key does now: for a while it may do more than undo the last thing."""
        key = self._of_undo[0] if self._of_undo else ""
        instead = view.overrides.get(key)
        if instead is None:
            return self._part(UNDO.id, f"undo: {view.undo}")
        text = Content.assemble(
            (self._keys.get(UNDO.id, ""), "bold $primary"), f" {self._labels.get(instead, '')}"
        )
        return clickable(instead, text)

    def on_resize(self) -> None:
        if self.content_size.width:
            self.update(halves(self._parts, self.content_size.width))

    def _part(self, action: str, text: str) -> Content:
        return clickable(
            action, Content.assemble((self._keys.get(action, ""), "bold $primary"), f" {text}")
        )


def halves(parts: list[Content], width: int) -> Content:
    """Return one or two parts in `width` cells; each may use what the other leaves of its half."""
    if len(parts) > 1:
        room = width - len(GAP)
        first = parts[0].truncate(max(room // 2, room - parts[1].cell_length), ellipsis=True)
        parts = [first, parts[1].truncate(room - first.cell_length, ellipsis=True)]
    return Content(GAP).join(part.truncate(width, ellipsis=True) for part in parts)


# Whether the keys of an action would be accepted now.
Works = Callable[[Action, TableView], bool]


class FooterLine(Clickable):
    """The keys of the footer's actions, which can be clicked, in one or two rows. Undo has its own
    line."""

    def __init__(
        self, actions: tuple[Action, ...], works: Works, spare: frozenset[str] = frozenset()
    ) -> None:
        super().__init__(id="footer")
        self.actions = actions
        self._works = works
        self._spare = spare
        self._now: list[Action] = []

    def show(self, view: TableView) -> None:
        """Show what the keys mean now, temporary meanings first."""
        works = tuple(
            action for action in self.actions if not action.footer or self._works(action, view)
        )
        now = keys_in_force(works, view.overrides)
        if now != self._now:
            self._now = now
            self.on_resize()

    def on_resize(self) -> None:
        if self.content_size.width:
            self.update(footer_keys(self._now, self.content_size.width, self._spare))


def keys_in_force(actions: tuple[Action, ...], overrides: Mapping[str, str]) -> list[Action]:
    """Return the footer's actions with their present keys; undo has its own line."""
    by_id = {action.id: action for action in actions}
    in_force = [
        replace(by_id[action_id], keys=(key,))
        for key, action_id in overrides.items()
        if action_id in by_id
    ]
    for action in actions:
        free = tuple(key for key in action.keys if key not in overrides)
        if action.footer and action.id != UNDO.id and free:
            in_force.append(replace(action, keys=free))
    return in_force


MISTAKES = " mistakes"


def footer_keys(actions: list[Action], width: int, spare: frozenset[str] = frozenset()) -> Content:
    """Return the keys in a row of `width` cells, if necessary with *fix mistakes* shortened to
    *fix*, or without those of the actions `spare`.

    If they still do not fit, return two rows: as many of the game's keys as fit, then the others.
    """
    short = [replace(action, label=action.label.removesuffix(MISTAKES)) for action in actions]
    least = [action for action in short if action.id not in spare]
    for row in map(key_line, (actions, short, least)):
        if row.cell_length <= width:
            return row
    own = [action for action in actions if action.id.startswith("dashboard.")]
    game = [action for action in actions if action not in own]
    while key_line(game).cell_length > width:
        game.pop()
    return Content("\n").join(line for line in (key_line(game), key_line(own)) if line)
