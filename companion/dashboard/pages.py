"""What opens over the table: pages and forms, by the action of each. Imported when the first one opens: without them
the table is on the screen sooner."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from companion.dashboard import registry as own
from companion.dashboard.big.page import BigPage
from companion.dashboard.correcting.page import MarshalPage
from companion.dashboard.correcting.verbs import Verbs
from companion.dashboard.game_over.page import GameOverPage
from companion.dashboard.phones import PhonesPage
from companion.dashboard.reasons.page import ReasonsPage
from companion.dashboard.screens.details import BoardForm, DetailsPage
from companion.dashboard.screens.help import HelpPage
from companion.dashboard.screens.log import LogPage
from companion.dashboard.screens.page import TextPage
from companion.dashboard.screens.palette import Palette
from companion.dashboard.screens.statistics import StatisticsPage
from companion.dashboard.screens.table import TableScreen

if TYPE_CHECKING:
    from companion.dashboard.app import Dashboard
    from companion.dashboard.game_screen import GameScreen
    from companion.dashboard.source import Clock, TableLike
    from companion.rules.actions import Action

TYPED = "Type a word of what you want to do"
NO_PHONES = "this table has no pages for phones: companion play has"


class PageOpener:
    """Opens pages and forms over `app` at `table`. `refuse` shows a sentence there, `curtain_fell` is told when a
    curtain has hidden what one seat was shown, `actions` are those of now."""

    def __init__(
        self,
        app: Dashboard,
        table: TableLike,
        clock: Clock,
        game_screen: GameScreen,
        refuse: Callable[[str], None],
        curtain_fell: Callable[[], None],
        actions: Callable[[], tuple[Action, ...]],
    ) -> None:
        self._app = app
        self._table = table
        self._clock = clock
        self._game_screen = game_screen
        self._refuse = refuse
        verbs = Verbs(app, table, clock, game_screen, refuse, curtain_fell)
        view = table.view
        self.does: Mapping[str, Callable[[], None]] = {
            own.HELP.id: lambda: self.open(HelpPage(view, clock, actions, game_screen)),
            own.LOG.id: lambda: self.open(LogPage(view, clock, looking=not table.actions)),
            own.STATISTICS.id: lambda: self.open(StatisticsPage(table, clock, game_screen)),
            own.DETAILS.id: lambda: self.open(DetailsPage(view, clock)),
            own.MARSHAL.id: lambda: self.open(MarshalPage(table, clock, game_screen)),
            own.WHY.id: lambda: self.open(ReasonsPage(table, clock, game_screen)),
            own.BIG.id: self._open_big,
            own.PALETTE.id: self._open_palette,
            own.BOARD.id: self._open_board,
            own.TAKE_BACK.id: verbs.take_back,
            own.AMEND.id: verbs.amend,
            own.INSERT.id: verbs.insert,
            own.REREAD.id: verbs.reread,
            own.LEVELS.id: verbs.levels,
            own.PEOPLE.id: verbs.people,
            own.CURTAIN.id: verbs.curtain,
            own.PHONES_PAGE.id: self._open_phones,
            **{each.id: partial(self._do_about_result, each.id) for each in own.AT_THE_END},
        }
        """What each action opens, by its id."""

    def why(self, n: int) -> None:
        """Show why a line of the log is there, over the log; Esc goes back to its cursor."""
        self._app.push_screen(ReasonsPage(self._table, self._clock, self._game_screen, n))

    def open(self, page: TextPage) -> None:
        """Open a page instead of the one that is open; the key of the open page closes it."""
        already = type(self._app.screen) is type(page)
        self._app.at_table.close_page()
        if not already:
            self._app.push_screen(page)

    def open_result(self) -> bool:
        """Open the page of a game that is over, over the table's own; return False while another one is read, or a form
        is open. An audience goes on looking at the big page."""
        if self._app.big and isinstance(self._app.screen, BigPage):
            return True
        over_table = isinstance(self._app.screen, TableScreen | BigPage)
        if over_table:
            self.open(GameOverPage(self._table, self._clock, self._game_screen, self._app.offers))
        return over_table

    def close_result(self) -> None:
        """Close that page: the end was taken back."""
        if isinstance(self._app.screen, GameOverPage):
            self._app.at_table.close_page()

    def _do_about_result(self, action_id: str) -> None:
        if isinstance(self._app.screen, GameOverPage):
            self._app.screen.do(action_id)

    def _open_big(self) -> None:
        main = next(screen for screen in self._app.screen_stack if isinstance(screen, TableScreen))
        self.open(BigPage(self._table.view, self._clock, self._game_screen, main.elapsed))

    def _open_phones(self) -> None:
        if self._app.phones is None:
            self._refuse(NO_PHONES)
        else:
            self.open(PhonesPage(self._table, self._clock, self._app.phones))

    def _open_palette(self) -> None:
        if not isinstance(self._app.screen, Palette):
            self._app.push_screen(Palette(placeholder=TYPED, id="--command-palette"))

    def _open_board(self) -> None:
        self._app.push_screen(BoardForm(self._table))
