"""Opens pages and forms over the table, by their actions.

Imported when the first one opens, so that the table appears sooner.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from companion.dashboard import registry as own
from companion.dashboard.screens.big import BigPage
from companion.dashboard.screens.correcting.facts import (
    PEOPLE,
    AmendForm,
    EnterForm,
    FixMenu,
    InsertForm,
    TakeBackForm,
)
from companion.dashboard.screens.correcting.page import IGNORED, UNREAD, MarshalPage
from companion.dashboard.screens.correcting.reread import LevelsForm, RereadForm
from companion.dashboard.screens.correcting.times import MomentWriter
from companion.dashboard.screens.curtain import Curtain
from companion.dashboard.screens.details import BoardForm, DetailsPage
from companion.dashboard.screens.game_over import HELD_S, GameOverPage
from companion.dashboard.screens.help import HelpPage, Palette
from companion.dashboard.screens.leaving import LeavePage
from companion.dashboard.screens.log import LogPage
from companion.dashboard.screens.outcome import OutcomePage
from companion.dashboard.screens.phones import PhonesPage
from companion.dashboard.screens.record_pages import ReasonsPage, StatisticsPage
from companion.dashboard.screens.scores import ScoresForm
from companion.dashboard.screens.table import TableScreen
from companion.dashboard.widgets.form import Form
from companion.dashboard.widgets.page import TextPage, run_in_background
from companion.display.panels import panels_of
from companion.program import PROGRAM
from companion.rules.columns import capitalized
from companion.rules.facts import TABLE, Refused, ended_early, secret_kinds
from companion.rules.game import Fix, Game
from companion.rules.registry import open_game
from companion.session.marshal_view import EvidenceLine, MarshalView, RulingLine

if TYPE_CHECKING:
    from companion.dashboard.table_app import AtTableLike

TYPED = "Type a word of what you want to do"
JUST_MOVED = "the cursor has just moved to a new line: press the key again"
SECRET = "only the player who made a private note can change it"
FACE_DOWN = "those cards are secret: they cannot be changed"
NOT_A_RULING = "only lines of the log can be changed: choose one on the right"
_IN_LOG = (
    f"{own.key_of(own.TAKE_BACK)} works in the log: {own.key_of(own.LOG)} opens it,"
    " the arrow keys choose the line"
)
NO_PHONES = f"this table has no pages for phones: {PROGRAM} play has"

Line = RulingLine | EvidenceLine


class PageOpener:
    """Opens pages and forms over the dashboard `at` its table, or shows there why one cannot open."""

    def __init__(self, at: AtTableLike) -> None:
        app, table = at.app, at.table
        self._at, self._app, self._table, self._refuse = at, app, table, at.refuse
        self.does: Mapping[str, Callable[[], object]] = {
            own.HELP.id: self._open_help,
            own.LOG.id: self._open_log,
            own.STATISTICS.id: lambda: self.open(StatisticsPage()),
            own.DETAILS.id: lambda: self.open(DetailsPage()),
            own.MARSHAL.id: lambda: self.open(MarshalPage()),
            own.WHY.id: lambda: self.open(ReasonsPage(table.view())),
            own.BIG.id: self._open_big,
            own.PALETTE.id: self._open_palette,
            own.BOARD.id: lambda: app.push_screen(BoardForm(table)),
            own.TAKE_BACK.id: self._take_back,
            own.AMEND.id: self._amend,
            own.INSERT.id: self._insert,
            own.REREAD.id: lambda: self._with_marshal(
                lambda marshal: RereadForm(table, at.clock, marshal)
            ),
            own.LEVELS.id: lambda: self._with_marshal(
                lambda marshal: LevelsForm(table, marshal.levels)
            ),
            own.PEOPLE.id: self._people,
            own.CURTAIN.id: self._curtain,
            own.SCORES.id: self._open_scores,
            own.PHONES_PAGE.id: self.open_phones,
            **{action.id: partial(self._do_about_result, action.id) for action in own.AT_THE_END},
        }
        """Action id -> what opens its page or form."""

    def why(self, n: int) -> None:
        """Show why a line of the log is there; Esc returns to its cursor."""
        self._app.push_screen(ReasonsPage(self._table.view(), n))

    def ask(self) -> None:
        """Open the line for a question about the rules, on the page of the last answer if that is below."""
        self._at.close_page()
        page = self._app.screen
        if isinstance(page, HelpPage):
            page.call_after_refresh(page.action_ask)
        else:
            self._app.push_screen(HelpPage(asking=True))

    def open(self, page: TextPage) -> None:
        """Open a page in place of the open one, or go back to it below; the key of the open page closes it."""
        already = type(self._app.screen) is type(page)
        self._at.close_page()
        if not already and type(self._app.screen) is not type(page):
            self._app.push_screen(page)

    def _open_help(self) -> None:
        """Open the page of keys; among the mistakes it shows their keys, and Esc goes back to them."""
        page = self._app.screen
        if isinstance(page, MarshalPage):
            self._app.push_screen(HelpPage(first=(own.TAKE_BACK, *own.CORRECTING)))
        else:
            self.open(HelpPage())

    def _open_log(self) -> None:
        """Open the log; over an answer about the rules, with the cursor on the line that the answer names."""
        page = self._app.screen
        self.open(LogPage(page.line_in_log if isinstance(page, HelpPage) else None))

    def open_result(self, *, wanted: bool = False) -> bool:
        """Open the result page over the main page, because the game ended or because it is
        `wanted`.

        Returns False while another page is read or a form is open. For an audience the big page
        stays.
        """
        if self._app.big and isinstance(self._app.screen, BigPage):
            return True
        over_table = isinstance(self._app.screen, TableScreen | BigPage)
        if over_table:
            self.open(GameOverPage(self._at.clock() + (0.0 if wanted else HELD_S)))
        return over_table

    def close_result(self) -> None:
        """Close the result page: the end was taken back."""
        if isinstance(self._app.screen, GameOverPage):
            self._at.close_page()

    def open_outcome(self) -> bool:
        """Open the outcome of a part of the game over the main page.

        Returns False while another page or a form is open. An open outcome page updates itself.
        """
        over_table = isinstance(self._app.screen, TableScreen)
        if over_table:
            self.open(OutcomePage())
        return over_table or isinstance(self._app.screen, OutcomePage)

    def open_leaving(self, leave: Callable[[], object]) -> None:
        """Open the question before leaving with unsaved entries; `leave` is called on yes."""
        if not isinstance(self._app.screen, LeavePage):
            self.open(LeavePage(leave))

    def close_outcome(self) -> None:
        """Close the outcome page: the game goes on."""
        if isinstance(self._app.screen, OutcomePage):
            self._at.close_page()

    def _do_about_result(self, action_id: str) -> None:
        """Perform an action of the result page, from whatever page its key is pressed on."""
        if isinstance(self._app.screen, GameOverPage):
            self._app.screen.do(action_id)
        elif isinstance(self._app.screen, TableScreen | TextPage) and not self._app.big:
            page = GameOverPage(0.0)
            self.open(page)
            # The page answers on itself, so it has to be there first.
            self._app.call_after_refresh(page.do, action_id)

    def _open_big(self) -> None:
        main = next(screen for screen in self._app.screen_stack if isinstance(screen, TableScreen))
        self.open(BigPage(main.elapsed))

    def open_phones(self) -> None:
        """Open the page with the addresses for phones, or show that there are none."""
        if self._app.phones is None:
            self._refuse(NO_PHONES)
        else:
            self.open(PhonesPage(self._app.phones))

    def _open_palette(self) -> None:
        if not isinstance(self._app.screen, Palette):
            self._app.push_screen(Palette(placeholder=TYPED, id="--command-palette"))

    # -- putting the record right

    def _take_back(self) -> None:
        """Take back or restore the ruling under the cursor of the log or of *Fix mistakes*."""
        page = self._app.screen
        if isinstance(page, MarshalPage):
            line = self._ruling(page)
            if line is not None:
                self._app.push_screen(TakeBackForm(self._table, line))
        elif not isinstance(page, LogPage):
            self._refuse(self._meant_with_shift() or _IN_LOG)
        elif page.chosen is None:
            self._refuse("the cursor is on no line yet: choose one with the arrow keys")
        else:
            self._table.take_back(page.chosen)

    def _meant_with_shift(self) -> str:
        """Return what the same letters do with Shift, if that can be done now; "" if nothing."""
        works = self._table.view().works
        for pressed in (a for a in self._at.actions if a.id == own.TAKE_BACK.id):
            capitals = {key.upper() for key in pressed.keys if len(key) == 1}
            for action in self._at.actions:
                if capitals & {*action.keys} and action is not pressed and works(action.id):
                    return f"for {action.label} press {own.key_of(action)}, with Shift"
        return ""

    def _amend(self) -> None:
        page = self._app.screen
        if not isinstance(page, MarshalPage):
            self._refuse(
                f"Choose the line to change first: {own.key_of(own.MARSHAL)}, then the arrow keys"
            )
            return
        line = self._ruling(page)
        if line is None:
            return
        facts = self._game.facts
        if line.kind in secret_kinds(facts):
            self._of_hidden(line, seat="seat" in facts[line.kind].model_fields)
        elif not line.stands:
            self._refuse(
                f"that line is deleted: {own.key_of(own.TAKE_BACK)} restores it, then change it"
            )
        else:
            self._app.push_screen(AmendForm(self._table, [line], page.marshal.rulings))

    def _of_hidden(self, line: RulingLine, *, seat: bool) -> None:
        """Handle a secret fact: its seat has to change it; what nobody may read can only be drawn
        again."""
        if seat:
            self._refuse(f"{SECRET}: {own.key_of(own.CURTAIN)} opens them")
        elif line.stands:
            self._app.push_screen(TakeBackForm(self._table, line, again=True))
        else:
            self._refuse(FACE_DOWN)

    def _insert(self) -> None:
        """Correct one of the game's likely mistakes, or enter anything that was missed.

        In *Fix mistakes* it can go after the line under the cursor.
        """
        page, fixes = self._app.screen, self._game.fixes
        chosen, read = None, UNREAD
        if isinstance(page, MarshalPage):
            if not self._settled(page):
                return
            chosen, read = page.chosen, page.marshal

        def put_right(fix: Fix | None) -> None:
            if fix is not None and (fix.amends or fix.about):
                self._with_marshal(lambda view: self._form_for(fix, chosen, view))
                return
            form = self._form_for(fix, chosen, read)
            if form is not None:
                self._app.push_screen(form)

        if fixes:
            self._app.push_screen(FixMenu(self._table, fixes, put_right))
        else:
            put_right(None)

    def _form_for(self, fix: Fix | None, chosen: Line | None, view: MarshalView) -> Form | None:
        """Return the form for something missed, or for a recorded mistake, beginning with the
        newest."""
        if fix is None or not fix.amends:
            times = MomentWriter(view, self._at.game_screen.counts_from)
            return InsertForm(self._table, chosen, view.rulings, times, fix)
        lines = [line for line in reversed(view.rulings) if line.kind in fix.kinds and line.stands]
        if chosen is not None:  # the line under the cursor first
            lines.sort(key=lambda line: line.n != chosen.n)
        if not lines:
            self._refuse(f"{capitalized(fix.label)}: nothing of the kind is in the log yet")
            return None
        return AmendForm(self._table, lines, view.rulings, fix)

    def _with_marshal(self, form: Callable[[MarshalView], Form | None]) -> None:
        """Open a form that needs the whole record once it is read, unless another page was opened."""
        page, opened = self._app.screen, self._app.opening()

        def open_it(marshal: MarshalView) -> None:
            if self._app.screen is page:
                made = form(marshal)
                if made is not None:
                    self._app.push_screen(made)
            opened()

        run_in_background(self._app, self._table.inspection.marshal, open_it, opened)

    def _people(self) -> None:
        """Open the form for people who come and go; a game that was ended early is refused."""
        view = self._table.view()
        if view.abandoned:
            self._table.refuse(ended_early())
            return
        kinds = [kind for kind in PEOPLE if kind != "abandon" or not view.ended]
        self._app.push_screen(EnterForm(self._table, kinds))

    def _open_scores(self) -> None:
        """Open the grid of numbers; a refusal says why there is none now."""
        try:
            self._app.push_screen(ScoresForm(self._table))
        except Refused as refusal:
            self._table.refuse(refusal)

    def _curtain(self) -> None:
        view = self._table.view()
        if panels_of(view.setup.game).own(view.game, TABLE) is None:
            self._refuse("this game has no private notes")
        else:
            self._app.push_screen(Curtain(self._at))

    @property
    def _game(self) -> Game[Any]:
        return open_game(self._table.view().setup.game)

    def _settled(self, page: MarshalPage) -> bool:
        if not page.settled:
            self._refuse(JUST_MOVED)
        return page.settled

    def _ruling(self, page: MarshalPage) -> RulingLine | None:
        if not self._settled(page):
            return None
        line = page.chosen
        if not isinstance(line, RulingLine) or line.kind == IGNORED:
            self._refuse(NOT_A_RULING)
            return None
        return line
