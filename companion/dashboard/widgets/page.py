"""A page of text over the table. The game continues, and long work runs in the background.

The table's keys act only on pages that show the table's prompt."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast

from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.dom import DOMNode
from textual.screen import Screen

from companion.dashboard.registry import (
    BACK,
    BIG,
    HELP,
    PALETTE,
    QUIT,
    SOUND,
    STATISTICS,
    THEME,
    WHY,
    key_of,
)
from companion.dashboard.textual.key_queue import has_room_for_panels
from companion.dashboard.widgets.lesson import LessonLines
from companion.dashboard.widgets.lines import Awaiting, NoticeLine, state_words
from companion.dashboard.widgets.static import Clickable, Static, key_hints
from companion.rules.actions import OWN_KEYS, KeyMap, with_keys
from companion.session.game_watch import aborted_as_stopped
from companion.session.key_meanings import REDO, UNDO
from companion.session.views import TableView

if TYPE_CHECKING:
    from companion.dashboard.table_app import AtTableLike, TableApp

T = TypeVar("T")


def run_in_background(
    owner: DOMNode,
    work: Callable[[], T],
    take: Callable[[T], None],
    failed: Callable[[], None] = lambda: None,
) -> None:
    """Run `work` in a thread, then `take` its result in the screen's thread.

    After an exception, which the dashboard reports in one sentence, call `failed` instead.
    """
    dashboard = cast("TableApp", owner.app)

    def run() -> None:
        try:
            with aborted_as_stopped():
                then: Callable[[], None] = partial(take, work())
        except Exception as error:
            with suppress(RuntimeError):
                dashboard.call_later(dashboard.report_fault, error)
            then = failed
        with suppress(RuntimeError):  # the loop has just closed
            owner.call_later(then)

    owner.run_worker(run, thread=True)


READING = frozenset(action.id for action in (BACK, HELP, WHY, PALETTE, BIG, SOUND, THEME, QUIT))
"""Actions that neither change the game nor have a letter for a key."""
STEPS = frozenset((UNDO.id, REDO.id))
ASKS_HERE = f"the table's keys do nothing here: / asks, {key_of(BACK)} goes back"
OF_PAGES = ("dashboard.", "ending.")
"""How the ids of actions begin that open pages and forms, where what they do is seen."""
MARGIN = 6  # cells of a page's margins and its scroll bar
AROUND = 4  # rows of the page above and below its text


def is_roomy(screen: Screen[Any]) -> bool:
    """Return whether a screen has room for panels."""
    # Not by the screen's classes: a page that opens over the table gets them after its first layout.
    return has_room_for_panels(screen.app)


def keys_of(app: App[Any]) -> KeyMap:
    """Return the keys that were assigned to actions in this app."""
    keys: KeyMap = getattr(app, "keys", OWN_KEYS)
    return keys


def key_for_more(app: App[Any]) -> str:
    """Return the key of the page that shows in full what does not fit on the table's page."""
    return with_keys(key_of(STATISTICS), keys_of(app))


class Scroll(VerticalScroll, inherit_bindings=False):
    """Text that scrolls with the arrow and page keys only, leaving all other keys to the game."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("up", "scroll_up"),
        ("down", "scroll_down"),
        ("pageup", "page_up"),
        ("pagedown", "page_down"),
        ("home", "scroll_home"),
        ("end", "scroll_end"),
    ]

    def on_resize(self) -> None:
        """Redraw the scroll bar: an anchored text is scrolled during layout, too late for it to
        notice."""
        self.call_after_refresh(self.vertical_scrollbar.refresh)


class OverTable(Screen[None], inherit_bindings=False):
    """A screen over the table that shows what is awaited."""

    @property
    def at(self) -> AtTableLike:
        """The actions available at the table."""
        return cast("TableApp", self.app).at_table

    def now(self) -> TableView:
        return self.at.table.view()

    @property
    def own_keys_in_force(self) -> bool:
        """Whether the keys of this page or of a form over it come first, not those of the game."""
        return self.app.screen is not self

    def show_awaiting(self, view: TableView) -> None:
        """Show what the game waits for, and the lesson before it."""
        for lesson in self.query(LessonLines):
            lesson.show(view, self.at.actions)
        for line in self.query(Awaiting):
            line.show(view, aside=self.own_keys_in_force)

    def on_screen_resume(self) -> None:
        """Update who has the keys, after a screen opened over this one or closed."""
        self.show_awaiting(self.now())

    on_screen_suspend = on_screen_resume


class TextPage(OverTable, inherit_bindings=False):
    """A title, a text that may be longer than the screen, and a line that says how to leave."""

    CLOSE = f"{key_of(BACK)} back to the table   arrow and page keys scroll"
    """The last line. Keys in it are replaced by those assigned to their actions
    (`actions.with_keys`)."""
    AUTO_FOCUS = "Scroll"
    QUESTIONS_ONLY: ClassVar[bool] = False
    """Whether the prompt is shown here only if it is a question."""
    LIKE_TABLE: ClassVar[bool] = False
    """Whether it is played from as from the table's page, so that the prompt is its own."""
    TAKES: ClassVar[frozenset[str]] = frozenset()
    """The ids of the table's actions whose effect is seen on this page, so that their keys act here."""
    NOT_HERE: ClassVar[str] = f"the table's keys do nothing here: {key_of(BACK)} goes back"
    """What answers a key of the table."""

    @property
    def own_keys_in_force(self) -> bool:
        return not self.LIKE_TABLE or super().own_keys_in_force

    def lets_through(self, action_id: str) -> bool:
        """Return whether the keys of an action work while the page is open.

        No key of the table acts where the table's prompt is not: nobody would see what it did. A
        page on which people type questions lets only `READING` through: letters that are typed
        where nothing takes them must not change the game.
        """
        return (
            self.LIKE_TABLE
            or action_id.startswith(OF_PAGES)
            or action_id in self.TAKES
            or action_id in self.at.game_screen.shown_only
        )

    def on_mount(self) -> None:
        """Show the present state; later views come through `show`.

        A notice that has already gone from the table's page is not shown again.
        """
        view = self.now()
        if not any(line.shows_table_notice for line in self.app.screen_stack[0].query(NoticeLine)):
            self.query_one(NoticeLine).suppress(view)
        self.show(view)

    def compose(self) -> ComposeResult:
        with Horizontal(id="title"):
            yield Static(self.title or "", id="where")
            yield Static(id="state")
        yield from self.body()
        yield NoticeLine(self.at.clock)
        yield LessonLines()
        yield Awaiting(id="awaiting")
        yield Clickable(key_hints(self.CLOSE, keys_of(self.app)), id="close")

    def body(self) -> ComposeResult:
        """Lay out everything between the title and the lines at the bottom."""
        with Scroll():
            yield Static(id="text")

    @property
    def stands(self) -> bool:
        """Whether its widgets exist: a page that closes, or whose app ends, loses them one by one."""
        return (
            self.is_mounted
            and bool(self.children)
            and self.app.is_running
            and self in self.app.screen_stack
        )

    def on_resize(self) -> None:
        self.show_now()

    def show_now(self) -> None:
        """Show the present state, unless the page has closed meanwhile."""
        if self.stands:
            self.show(self.now())

    def show(self, view: TableView) -> None:
        """Show the page for a view; link and record are shown on every page."""
        if not self.stands:
            return
        self.query_one("#state", Static).update(state_words(view))
        self.show_body(view)
        self.query_one(NoticeLine).show(view)
        awaiting = self.query_one(Awaiting)
        awaiting.display = (
            not self.QUESTIONS_ONLY or view.question is not None or view.proposal is not None
        )
        self.show_awaiting(view)

    def show_body(self, view: TableView) -> None:
        """Show the page's own part of a view."""
        self.query_one("#text", Static).update(self.text(view))

    def text(self, view: TableView) -> Content:
        raise NotImplementedError


class ListPage(TextPage):
    """A page with a cursor on one of its lines. They are lines of the record: undo is seen in them."""

    TAKES: ClassVar[frozenset[str]] = STEPS
    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        ("up", "step(-1)"),
        ("down", "step(1)"),
        ("pageup", "page(-1)"),
        ("pagedown", "page(1)"),
        ("home", "first"),
        ("end", "newest"),
    ]
