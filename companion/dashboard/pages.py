"""What opens over the table: pages and forms, by the action of each. Imported when the first one opens: without them
the table is on the screen sooner."""

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
from companion.rules.columns import capitalized
from companion.rules.facts import TABLE, Refused, ended_early, secret_kinds
from companion.rules.game import Fix, Game
from companion.rules.registry import open_game
from companion.session.marshal_view import EvidenceLine, MarshalView, RulingLine

if TYPE_CHECKING:
    from companion.dashboard.table_app import AtTableLike

TYPED = "Type a word of what you want to do"
JUST_MOVED = "the cursor has just come to another line by itself: press the key again"
SECRET = "private notes are changed by whoever made them"
FACE_DOWN = "nobody may see how those cards lay: there is nothing to amend"
NOT_A_RULING = "only rulings can be changed: choose one on the right, or insert what is missing"
NO_PHONES = "this table has no pages for phones: companion play has"

Line = RulingLine | EvidenceLine


class PageOpener:
    """Opens pages and forms over the dashboard `at` its table, and says there why one cannot be opened."""

    def __init__(self, at: AtTableLike) -> None:
        app, table = at.app, at.table
        self._at, self._app, self._table, self._refuse = at, app, table, at.refuse
        self.does: Mapping[str, Callable[[], object]] = {
            own.HELP.id: lambda: self.open(HelpPage()),
            own.LOG.id: lambda: self.open(LogPage()),
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
            **{each.id: partial(self._do_about_result, each.id) for each in own.AT_THE_END},
        }
        """What each action opens, by its id."""

    def why(self, n: int) -> None:
        """Show why a line of the log is there, over the log; Esc goes back to its cursor."""
        self._app.push_screen(ReasonsPage(self._table.view(), n))

    def open(self, page: TextPage) -> None:
        """Open a page instead of the one that is open; the key of the open page closes it."""
        already = type(self._app.screen) is type(page)
        self._at.close_page()
        if not already:
            self._app.push_screen(page)

    def open_result(self, *, wanted: bool = False) -> bool:
        """Open the page of a game that is over, over the table's own, because it ended or because it is `wanted`;
        return False while another one is read, or a form is open. An audience goes on looking at the big page."""
        if self._app.big and isinstance(self._app.screen, BigPage):
            return True
        over_table = isinstance(self._app.screen, TableScreen | BigPage)
        if over_table:
            self.open(GameOverPage(self._at.clock() + (0.0 if wanted else HELD_S)))
        return over_table

    def close_result(self) -> None:
        """Close that page: the end was taken back."""
        if isinstance(self._app.screen, GameOverPage):
            self._at.close_page()

    def open_outcome(self) -> bool:
        """Open what a part of the game came to, over the table's own page; return False while another page or a form is
        open. Where it is open already it shows what is new by itself."""
        over_table = isinstance(self._app.screen, TableScreen)
        if over_table:
            self.open(OutcomePage())
        return over_table or isinstance(self._app.screen, OutcomePage)

    def open_leaving(self, leave: Callable[[], object]) -> None:
        """Open the question before the table is left while entries are not saved; `leave` is what yes does."""
        if not isinstance(self._app.screen, LeavePage):
            self.open(LeavePage(leave))

    def close_outcome(self) -> None:
        """Close that page: the game goes on."""
        if isinstance(self._app.screen, OutcomePage):
            self._at.close_page()

    def _do_about_result(self, action_id: str) -> None:
        """Do on the last page what its keys stand for, from whatever page they are pressed on."""
        if isinstance(self._app.screen, GameOverPage):
            self._app.screen.do(action_id)
        elif isinstance(self._app.screen, TableScreen | TextPage) and not self._app.big:
            page = GameOverPage(0.0)
            self.open(page)
            self._app.call_after_refresh(page.do, action_id)

    def _open_big(self) -> None:
        main = next(screen for screen in self._app.screen_stack if isinstance(screen, TableScreen))
        self.open(BigPage(main.elapsed))

    def open_phones(self) -> None:
        """Open the page that says where the pages for phones are, or say that there are none."""
        if self._app.phones is None:
            self._refuse(NO_PHONES)
        else:
            self.open(PhonesPage(self._app.phones))

    def _open_palette(self) -> None:
        if not isinstance(self._app.screen, Palette):
            self._app.push_screen(Palette(placeholder=TYPED, id="--command-palette"))

    # -- putting the record right

    def _take_back(self) -> None:
        """Take back, or bring back, the ruling under the cursor of the log or of the marshal screen."""
        page = self._app.screen
        if isinstance(page, MarshalPage):
            line = self._ruling(page)
            if line is not None:
                self._app.push_screen(TakeBackForm(self._table, line))
        elif not isinstance(page, LogPage):
            key, log = (own.key_of(each) for each in (own.TAKE_BACK, own.LOG))
            self._refuse(f"{key} works in the log: {log} opens it, the arrow keys choose the line")
        elif page.chosen is None:
            self._refuse("the cursor is on no line yet: choose one with the arrow keys")
        else:
            self._table.take_back(page.chosen)

    def _amend(self) -> None:
        page = self._app.screen
        if not isinstance(page, MarshalPage):
            self._refuse(
                f"Choose the line to amend first: {own.key_of(own.MARSHAL)}, then the arrow keys"
            )
            return
        line = self._ruling(page)
        if line is None:
            return
        facts = self._game.facts
        if line.kind in secret_kinds(facts):
            self._of_hidden(line, seat="seat" in facts[line.kind].model_fields)
        else:
            self._app.push_screen(AmendForm(self._table, [line], page.marshal.rulings))

    def _of_hidden(self, line: RulingLine, *, seat: bool) -> None:
        """What only its seat may read is changed by that seat; what nobody may read can only be drawn again."""
        if seat:
            self._refuse(f"{SECRET}: {own.key_of(own.CURTAIN)} opens them")
        elif line.stands:
            self._app.push_screen(TakeBackForm(self._table, line, again=True))
        else:
            self._refuse(FACE_DOWN)

    def _insert(self) -> None:
        """Put one of the game's likely mistakes right, or enter anything that was missed; on the marshal screen it can
        go behind the line under the cursor."""
        page, fixes = self._app.screen, self._game.fixes
        chosen, read = None, UNREAD
        if isinstance(page, MarshalPage):
            if not self._settled(page):
                return
            chosen, read = page.chosen, page.marshal

        def put_right(fix: Fix | None) -> None:
            if fix is not None and (fix.amends or fix.about):
                self._with_marshal(lambda view: self._form_for(fix, chosen, view))
            elif (form := self._form_for(fix, chosen, read)) is not None:
                self._app.push_screen(form)

        if fixes:
            self._app.push_screen(FixMenu(self._table, fixes, put_right))
        else:
            put_right(None)

    def _form_for(self, fix: Fix | None, chosen: Line | None, view: MarshalView) -> Form | None:
        """The form for what was missed, or for a mistake in what stands in the record, the newest of it first."""
        if fix is None or not fix.amends:
            times = MomentWriter(view, self._at.game_screen.counts_from)
            return InsertForm(self._table, chosen, view.rulings, times, fix)
        lines = [line for line in reversed(view.rulings) if line.kind in fix.kinds and line.stands]
        lines.sort(key=lambda line: chosen is None or line.n != chosen.n)
        if not lines:
            self._refuse(f"{capitalized(fix.label)}: the log has nothing of the kind yet")
            return None
        return AmendForm(self._table, lines, view.rulings, fix)

    def _with_marshal(self, form: Callable[[MarshalView], Form | None]) -> None:
        """Open a form that needs the whole record, once that is read, unless another page was opened meanwhile."""
        page, opened = self._app.screen, self._app.opening()

        def open_it(marshal: MarshalView) -> None:
            made = form(marshal) if self._app.screen is page else None
            if made is not None:
                self._app.push_screen(made)
            opened()

        run_in_background(self._app, self._table.inspection.marshal, open_it, opened)

    def _people(self) -> None:
        """Let people come and go; what has ended does not end early once more, and is not played on."""
        view = self._table.view()
        if view.abandoned:
            self._table.refuse(ended_early())
            return
        kinds = [kind for kind in PEOPLE if kind != "abandon" or not view.ended]
        self._app.push_screen(EnterForm(self._table, kinds))

    def _open_scores(self) -> None:
        """Open the grid of numbers; what is refused says why there is none now."""
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
