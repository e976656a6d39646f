"""The dashboard at a table: its pages and their keys, and one paint for any number of changes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property, partial
from threading import Lock
from typing import TYPE_CHECKING, Any

from textual.content import Content

from companion.dashboard import registry as own
from companion.dashboard.game_screen import game_screen_of
from companion.dashboard.screens.curtain import Curtain
from companion.dashboard.screens.leaving import WAIT_S
from companion.dashboard.screens.table import TableScreen
from companion.dashboard.source import Clock, TableLike
from companion.dashboard.table_app import TableApp
from companion.dashboard.textual.private_textual import bind_keys
from companion.dashboard.widgets.form import Form
from companion.dashboard.widgets.lines import NoticeLine
from companion.dashboard.widgets.page import TextPage, run_in_background
from companion.dashboard.widgets.static import GAP, Clickable
from companion.display.panels import Outcome, panels_of
from companion.rules.actions import Action, key_name, with_keys
from companion.rules.clauses import spoken
from companion.rules.facts import Moment, Refused, ended_early
from companion.session.sound import Sound, signals
from companion.session.views import TableView, Unsaved

if TYPE_CHECKING:
    from companion.dashboard.pages import PageOpener


REMATCH_ON_PAGE = "rematch"
"""What a page of a role asks for to have the next game."""
ONLY_HERE = "This can only be done on the laptop."
FRAME_S = 1 / 30  # seconds between paints while changes come faster than the screen can show them


class PaintPace:
    """Turns any number of changes from any thread into a bounded number of paints on one.

    A change that comes while nothing waits asks for one paint; every other change rides along with
    it. Changes that arrive during a paint mean that the screen is behind, and the next paint then
    waits for its frame.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = Lock()
        self._pending = False
        self._painting = False
        self._behind = False
        self._painted_at = clock() - FRAME_S

    def changed(self) -> bool:
        """Note a change, from any thread; return whether the caller should ask for a paint now."""
        with self._lock:
            self._behind |= self._painting
            first = not self._pending
            self._pending = True
            return first

    def wait(self) -> float:
        """Return the seconds to hold back the waiting paint: 0 unless the screen is behind."""
        with self._lock:
            if not self._behind:
                return 0.0
            return max(0.0, self._painted_at + FRAME_S - self._clock())

    def begin(self) -> None:
        """Note that a paint begins; changes from here on ask for another one."""
        with self._lock:
            self._pending = False
            self._painting = True
            self._behind = False

    def end(self) -> None:
        """Note that the paint is on the screen."""
        with self._lock:
            self._painting = False
            self._painted_at = self._clock()


TICK_S = 0.25
"""Maximum seconds between checks of what is due; what is due may change meanwhile."""
LEAST_S = 0.01  # minimum seconds between checks: what the disk refused is due again at once
KEYS_IGNORED_S = 1.0
"""Seconds for which keys do nothing once a curtain has hidden something.

Whoever was typing has then seen that it did.
"""
JUST_HIDDEN = "the secrets are hidden again: press the key again"
VERBS = frozenset(action.id for action in own.VERBS)


def _round_start(view: TableView) -> Moment | None:
    clock = panels_of(view.setup.game).clock(view.game)
    return None if clock is None else clock[0]


class AtTable:
    """The dashboard `app` at `table`. Used only by the screen's thread."""

    def __init__(self, app: TableApp, table: TableLike, clock: Clock, *, sound: bool) -> None:
        view = table.view()
        self.table = table
        self.app = app
        self.clock = clock
        self.pace = PaintPace(clock)
        self._held = False
        self._counting = False
        self.game_screen = game_screen_of(view.setup.game)
        self.game_screen.keys = app.keys
        self._of_table = table.actions
        self._over = view.ended
        self.actions = self._actions()  # what can be done now
        self._overrides = dict(view.overrides)
        self.bindings = own.bindings(self.actions, self._overrides)  # what each key does now
        self.sound = Sound(app.bell, table.cue, on=sound)
        self._signalled = view
        self._painted: object = None
        self._keys_ignored_until_s = -math.inf
        self._ended = self._ending_due = False
        self._looked_at: object = None
        self._on_table: Outcome | None = None
        self._outcome: Outcome | None = None
        self._outcome_due = False
        self._working = False
        self._leaving = False  # waiting for a slow disk before leaving

    def screen(self) -> TableScreen:
        return TableScreen(self)

    # -- changes of the table

    def show(self) -> None:
        """Paint at once, or at the next frame if the screen is behind."""
        wait = self.pace.wait()
        if wait and not self._held:
            self._held = True
            self.app.set_timer(wait, self._paint_held)
        elif not wait:
            self._paint()

    def _paint_held(self) -> None:
        self._held = False
        self._paint()

    def begin(self) -> None:
        """Begin to follow the table's timers, the outcomes of its game, and its end."""
        self.count_down()
        view = self.table.view()
        self._follow_outcome(view)
        self._follow_end(view)
        self._work_out(view)

    def count_down(self) -> None:
        """Check again when something is due: a proposal's countdown, or a timer of the table."""
        look_s = self.table.next_look_s()
        if look_s is not None and not self._counting:
            self._counting = True
            self.app.set_timer(min(max(look_s, LEAST_S), TICK_S), self._tick)

    def _tick(self) -> None:
        self._counting = False
        self.table.tick()
        self._paint()

    def _paint(self) -> None:
        if not self.app.is_running:  # while it ends, screens lose their parts before they close
            return
        self.pace.begin()
        view, stack = self.table.view(), tuple(self.app.screen_stack)
        self.count_down()
        seen = (view, stack)
        if seen == self._painted:  # a seat's note changes only what its curtain shows
            for screen in stack:
                if isinstance(screen, Curtain) and screen.is_mounted:
                    screen.show(view)
            self.pace.end()
            return
        self._painted = seen
        self._take_keys(view)
        self._give_signals(view)
        self._follow_outcome(view)
        self._follow_end(view)
        for screen in stack:
            if isinstance(screen, TableScreen | TextPage | Form | Curtain) and screen.is_mounted:
                screen.show(view)
        self.app.call_after_refresh(self.pace.end)
        self._work_out(view)

    def _work_out(self, view: TableView) -> None:
        """Compute pending odds in a thread, one view at a time, then paint the newest view."""
        work = panels_of(view.setup.game).work(view.game) if self.app.odds else None
        if work is None or self._working:
            return
        self._working = True  # stays set after an exception, which would only repeat
        run_in_background(self.app, work, self._odds_ready)

    def _odds_ready(self, _nothing: None) -> None:
        self._working = False
        self._painted = None
        self._paint()

    def _follow_end(self, view: TableView) -> None:
        """Open the result page when the game ends; close it when the end is taken back."""
        ended = view.ending is not None
        if ended == self._ended:
            return
        self._ended = self._ending_due = ended
        # After a refresh, so that the table's page has shown the last ruling.
        if ended:
            self.app.call_after_refresh(self._open_due)
        else:
            self.pages.close_result()

    def _open_due(self) -> None:
        """Open the result page; while another page or form is open, try again later."""
        if not self._ending_due or not self.app.is_running:
            return
        self._ending_due = not self.pages.open_result()
        if self._ending_due:
            self.app.set_timer(TICK_S, self._open_due)

    def _follow_outcome(self, view: TableView) -> None:
        """Open the outcome of a part of the game, again if it changes; close it with the next fact.

        The game's end has a page of its own.
        """
        if view.game is not self._looked_at:  # a new object for each state; the call takes 1 ms
            self._looked_at = view.game
            self._on_table = panels_of(view.setup.game).on_table(view.game)
        outcome = None if view.ended else self._on_table
        if outcome == self._outcome:
            return
        self._outcome, self._outcome_due = outcome, outcome is not None
        if outcome is not None:
            self.app.call_after_refresh(self._open_outcome)
        else:
            self.pages.close_outcome()

    def _open_outcome(self) -> None:
        """Open the outcome page over the main page; while another page or form is open, try again
        later."""
        if not self._outcome_due or not self.app.is_running:
            return
        self._outcome_due = not self.pages.open_outcome()
        if self._outcome_due:
            self.app.set_timer(TICK_S, self._open_outcome)

    def _give_signals(self, view: TableView) -> None:
        before, self._signalled = self._signalled, view
        starts = _round_start(before), _round_start(view)
        for signal in signals(before, view, starts):
            self.sound.give(signal)

    def _take_keys(self, view: TableView) -> None:
        """Bind the keys again after people came or left, after the end, or when a key's meaning
        changes."""
        of_table, overrides = self.table.actions, dict(view.overrides)
        changed = (of_table, view.ended) != (self._of_table, self._over)
        if changed or overrides != self._overrides:
            self._of_table, self._over, self._overrides = of_table, view.ended, overrides
            self.actions = self._actions()
            self.bindings = own.bindings(self.actions, overrides)
            bind_keys(self.app, self.bindings)
        if changed:
            for screen in self.app.screen_stack:
                if isinstance(screen, TableScreen):
                    self.app.call_next(screen.take_actions)

    def _actions(self) -> tuple[Action, ...]:
        of_game = self.game_screen.actions()
        if panels_of(self.table.view().setup.game).grids is not None:
            of_game = own.with_grid(self._of_table, of_game)
        actions = tuple(
            replace(action, footer=action.footer or action.id in self.game_screen.in_footer)
            for action in own.registry(self._of_table, of_game, self.app.keys)
        )
        if self._over:
            return own.at_the_end(actions, self.app.keys)
        return actions

    # -- keys around a curtain

    def takes_keys(self) -> bool:
        """Return whether keys do anything now, and show why not.

        A key meant for a curtain that has just closed would be a move. A key keeps an open curtain
        open.
        """
        if isinstance(self.app.screen, Curtain):
            self.app.screen.touch()
        takes = self.clock() >= self._keys_ignored_until_s
        if not takes:
            self.refuse(JUST_HIDDEN)
        return takes

    def curtain_closed(self) -> None:
        """Note that a curtain has hidden what one seat was shown."""
        self._keys_ignored_until_s = self.clock() + KEYS_IGNORED_S

    def lets_through(self, action_id: str) -> bool:
        """Return whether the keys of an action work on the open page, and show what does if not.

        The answer to a question of the table is asked for on every page, and so is the step of a lesson.
        """
        page, lesson = self.app.screen, self.table.view().lesson
        asked = {*self._overrides.values(), *(lesson.keys if lesson else ())}
        if not isinstance(page, TextPage) or action_id in asked:
            return True
        lets = page.lets_through(action_id)
        if not lets:
            self.refuse(page.NOT_HERE)
        return lets

    # -- actions

    def perform(self, action_id: str) -> None:
        does = self._does(action_id)
        if does is None or action_id in VERBS or action_id.startswith("ending."):
            self._dismiss_notices()
        if does is None:
            self.table.do(action_id)
            return
        does()
        lesson = self.table.view().lesson
        if lesson is not None and action_id in lesson.keys:
            lesson.seen(action_id)

    def enter(self, kind: str, body: Mapping[str, Any]) -> None:
        """Record what was entered on the main page; a refusal becomes the notice."""
        self._dismiss_notices()
        self.table.enter(kind, body)

    def _dismiss_notices(self) -> None:
        for screen in self.app.screen_stack:
            for line in screen.query(NoticeLine):
                line.display = False

    def _does(self, action_id: str) -> Callable[[], object] | None:
        """Return what performs an action that is not the table's own, or None."""
        at_once = {**self.app.own, own.SOUND.id: self._change_sound, own.BACK.id: self._go_back}
        if action_id not in at_once and action_id.startswith(("dashboard.", "ending.")):
            return self.pages.does[action_id]
        if any(action_id == action.id for action in self.game_screen.actions()):
            return partial(self._do_for_game, action_id)
        return at_once.get(action_id)

    @cached_property
    def pages(self) -> PageOpener:
        """Opens pages and forms over the table."""
        # Imported late: the first paint does without it.
        from companion.dashboard.pages import (
            PageOpener,
        )

        return PageOpener(self)

    def _go_back(self) -> None:
        """Close the open page; from the table of a finished game, go on to its result."""
        if self._ended and isinstance(self.app.screen, TableScreen):
            self.pages.open_result(wanted=True)
        else:
            self.close_page()

    def _do_for_game(self, action_id: str) -> None:
        self._dismiss_notices()
        if self.table.view().abandoned and action_id not in self.game_screen.shown_only:
            self.table.refuse(ended_early())
            return
        try:
            form = self.game_screen.form(action_id, self.table)
        except Refused as refusal:
            self.table.refuse(refusal)
            return
        screen = self.app.screen
        if isinstance(form, TextPage):
            self.pages.open(form)
        elif form is not None:
            self.app.push_screen(form)
        elif isinstance(screen, TableScreen):
            screen.perform(action_id)
        else:
            self.refuse(f"that key works at the table only: press {own.key_of(own.BACK)} first")

    def do_on_page(self, wish: str) -> str:
        """Do what a page of a role asks for that is not the table's own, from any thread; return what
        the page says, or raise `NotDone`."""
        # Imported late: the first paint does without them.
        from companion.dashboard.screens.game_over import can_play_again
        from companion.session.corrections import NotDone

        again = self.app.offers.get(own.REMATCH.id)
        if wish != REMATCH_ON_PAGE or again is None:
            raise NotDone(ONLY_HERE)
        view = self.table.view()
        if not view.ended:
            raise NotDone("The game is not over yet.")
        if not can_play_again(view):
            raise NotDone(ONLY_HERE)
        self.app.call_later(self.leave, again)
        return "The next game begins."

    def leave(self, and_then: Callable[[], object] = lambda: None) -> None:
        """End the dashboard and call `and_then`; ask first if entries are not saved."""
        if self._leaving:
            return

        def saved_or_ask(unsaved: Unsaved) -> None:
            self._leaving = False
            if unsaved.count:
                self.pages.open_leaving(go)
            else:
                go()

        def go() -> None:
            and_then()
            self.app.exit()

        unsaved = self.table.unsaved()
        if unsaved.count:
            self._leaving = True
            run_in_background(self.app, partial(self.table.unsaved, WAIT_S), saved_or_ask)
        else:
            go()

    def close_page(self) -> None:
        if isinstance(self.app.screen, TextPage):
            self.app.pop_screen()

    def _change_sound(self) -> None:
        self.sound.on = not self.sound.on
        self._say(f"Sound is {'on' if self.sound.on else 'off'}.")

    def refuse(self, text: str) -> None:
        self._say(with_keys(spoken(text), self.app.keys), refused=True)

    def _say(self, text: str, *, refused: bool = False) -> None:
        view = self.table.view()
        for line in self.app.screen.query(NoticeLine):
            line.say(text, view, refused=refused)

    def show_unknown_key(self, key: str) -> None:
        """Show for a second, in the line of keys, that a key means nothing on this screen."""
        does_nothing = Content.styled(f"{key_name(key)} does nothing here.", "$warning")
        helps = with_keys(f"{own.key_of(own.HELP)} {own.HELP.label}", self.app.keys)
        for line in self.app.screen.query("#footer, #close").results(Clickable):
            line.show_briefly(Content.assemble(does_nothing, GAP, helps))

    def report_fault(self, text: str) -> None:
        """Show what failed in the background, where it was asked for."""
        screen = self.app.screen
        if isinstance(screen, Form):
            screen.refuse(text)
        else:
            self.refuse(text)
