"""The verbs that put the record right: which page they need, and which form they open."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.dashboard import registry as own
from companion.dashboard.correcting.behind import behind
from companion.dashboard.correcting.facts import (
    PEOPLE,
    AmendForm,
    EnterForm,
    InsertForm,
    ShuffleAgainForm,
    TakeBackForm,
    capitalized,
)
from companion.dashboard.correcting.form import Form
from companion.dashboard.correcting.levels import LevelsForm
from companion.dashboard.correcting.likely import AmendNewestForm, FixMenu
from companion.dashboard.correcting.page import MarshalPage
from companion.dashboard.correcting.reread import RereadForm
from companion.dashboard.correcting.rows import IGNORED
from companion.dashboard.correcting.times import MomentWriter
from companion.dashboard.curtain import Curtain
from companion.dashboard.game_screen import GameScreen
from companion.dashboard.key_queue import KeyQueue
from companion.dashboard.screens.log import LogPage
from companion.dashboard.source import Clock, TableLike
from companion.rules.game import Fix, Game, secret_kinds
from companion.rules.registry import open_game
from companion.session.marshal_view import EvidenceLine, MarshalView, RulingLine

JUST_MOVED = "the cursor has just come to another line by itself: press the key again"
SECRET = "what a seat noted for itself is changed behind its curtain"
FACE_DOWN = "nobody may see how those cards lay: there is nothing to amend"
NOT_A_RULING = "only rulings can be changed: choose one on the right, or insert what is missing"


class Verbs:
    """What the keys of correcting do on the screen that is open. `refuse` shows a sentence there, `curtain_fell` is
    told when a curtain has hidden what one seat was shown."""

    def __init__(
        self,
        app: KeyQueue[None],
        table: TableLike,
        clock: Clock,
        game_screen: GameScreen,
        refuse: Callable[[str], None],
        curtain_fell: Callable[[], None],
    ) -> None:
        self._app = app
        self._table = table
        self._clock = clock
        self._game_screen = game_screen
        self._refuse = refuse
        self._curtain_fell = curtain_fell

    def take_back(self) -> None:
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

    def amend(self) -> None:
        """Amend the ruling under the cursor."""
        page, game = self._page(own.AMEND.label), self._game()
        line = self._ruling(page) if page is not None else None
        if line is not None and game is not None and line.kind in secret_kinds(game.facts):
            self._of_hidden(line, seat="seat" in game.facts[line.kind].model_fields)
        elif line is not None and game is not None:
            self._app.push_screen(AmendForm(self._table, game, line, _rulings(page)))

    def _of_hidden(self, line: RulingLine, *, seat: bool) -> None:
        """What only its seat may read is changed by that seat; what nobody may read can only be drawn again."""
        if seat:
            self._refuse(f"{SECRET}: {own.key_of(own.CURTAIN)} opens it")
        elif line.stands:
            self._app.push_screen(ShuffleAgainForm(self._table, line))
        else:
            self._refuse(FACE_DOWN)

    def insert(self) -> None:
        """Put one of the game's likely mistakes right, or enter anything that was missed; on the marshal screen it can
        go behind the line under the cursor."""
        page, game = self._app.screen, self._game()
        marshal = page if isinstance(page, MarshalPage) else None
        if game is None or (marshal is not None and not self._settled(marshal)):
            return
        chosen = marshal.chosen if marshal is not None else None

        def put_right(fix: Fix | None) -> None:
            if fix is not None and (fix.amends or fix.about):
                self._with_marshal(lambda view: self._of_record(game, fix, chosen, view))
            else:
                rulings, times = _rulings(marshal), self._times(marshal)
                self._app.push_screen(InsertForm(self._table, game, chosen, rulings, times, fix))

        if game.fixes:
            self._app.push_screen(FixMenu(self._table, game.fixes, put_right))
        else:
            put_right(None)

    def _of_record(
        self, game: Game[Any], fix: Fix, chosen: RulingLine | EvidenceLine | None, view: MarshalView
    ) -> Form | None:
        """The form for a mistake about something that stands in the record, the newest of it first."""
        if not fix.amends:
            times = MomentWriter(view, self._game_screen.counts_from)
            return InsertForm(self._table, game, chosen, view.rulings, times, fix)
        lines = [line for line in reversed(view.rulings) if line.kind in fix.kinds and line.stands]
        lines.sort(key=lambda line: chosen is None or line.n != chosen.n)
        if not lines:
            self._refuse(f"{capitalized(fix.label)}: the log has nothing of the kind yet")
            return None
        return AmendNewestForm(self._table, game, fix, lines, view.rulings)

    def people(self) -> None:
        """Somebody leaves, joins or changes, or a score is set by hand."""
        game = self._game()
        if game is not None:
            self._app.push_screen(EnterForm(self._table, game, PEOPLE))

    def reread(self) -> None:
        """Read the evidence again with other settings."""
        self._with_marshal(lambda marshal: RereadForm(self._table, self._clock, marshal))

    def levels(self) -> None:
        """Say what is done by itself, proposed, or by hand."""
        game = self._game()
        if game is not None:
            self._with_marshal(lambda marshal: LevelsForm(self._table, game, marshal.levels))

    def _with_marshal(self, form: Callable[[MarshalView], Form | None]) -> None:
        """Open a form that needs the whole record, once that is read, unless another page was opened meanwhile."""
        page, opened = self._app.screen, self._app.opening()

        def open_it(marshal: MarshalView) -> None:
            made = form(marshal) if self._app.screen is page else None
            if made is not None:
                self._app.push_screen(made)
            opened()

        behind(self._app, self._table.inspection.marshal, open_it, opened)

    def curtain(self) -> None:
        """Let one seat look at its secrets, where the game has any."""
        if self._game_screen.secret() is None:
            self._refuse("this screen has nothing that only one seat may see")
        else:
            self._app.push_screen(Curtain(self._table, self._clock, self._game_screen, self._curtain_fell))

    def _game(self) -> Game[Any] | None:
        name = self._table.view().setup.game
        try:
            return open_game(name)
        except ValueError as problem:
            self._refuse(f"{problem}: nothing can be entered by hand")
            return None

    def _times(self, page: MarshalPage | None) -> MomentWriter | None:
        return (
            MomentWriter(page.marshal, self._game_screen.counts_from)
            if page is not None and page.marshal is not None
            else None
        )

    def _page(self, verb: str) -> MarshalPage | None:
        page = self._app.screen
        if isinstance(page, MarshalPage):
            return page
        self._refuse(f"Choose the line to {verb} first: {own.key_of(own.MARSHAL)}, then the arrow keys")
        return None

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


def _rulings(page: MarshalPage | None) -> tuple[RulingLine, ...]:
    return page.marshal.rulings if page is not None and page.marshal is not None else ()
