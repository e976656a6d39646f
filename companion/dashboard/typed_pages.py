"""What the screen's pages and forms show and do, for a table of plain lines.

A page is printed. A form takes its answers on the line, after the key: `x 12` deletes entry 12 of the log.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from textual.content import Content

from companion.ask.answers import AtTable, answer_lines, answers, first_line
from companion.dashboard import registry as own
from companion.dashboard.game_screen import GameScreen, game_screen_of
from companion.dashboard.screens.correcting.facts import PEOPLE
from companion.dashboard.screens.correcting.page import STATES, kind_of
from companion.dashboard.screens.correcting.reread import (
    HOLD,
    LOCK,
    MOST,
    PEAK,
    US_PER_MS,
    WINDOW,
    difference,
)
from companion.dashboard.screens.correcting.times import MomentWriter
from companion.dashboard.screens.details import details_text
from companion.dashboard.screens.record_pages import Reasons, refusals_of
from companion.dashboard.screens.roles import GIVEN_AWAY, REVOKED
from companion.dashboard.screens.scores import enter_number, grids_of
from companion.dashboard.source import Offers, PhonePages, Phones, TableLike
from companion.dashboard.widgets.plots import score_plot
from companion.display.panels import open_facts, panels_of
from companion.display.tables import plain_lines
from companion.rules.actions import OWN_KEYS, Action, KeyMap, key_name, remapped
from companion.rules.clauses import without_clauses
from companion.rules.columns import listed, wrap
from companion.rules.facts import TABLE, Refused, SeatId, secret_kinds
from companion.rules.forms import usage
from companion.rules.game import Game
from companion.rules.typed_facts import from_words
from companion.session.board_settings import SETTINGS
from companion.session.corrections import NotDone
from companion.session.marshal_view import RulingLine
from companion.session.plain import COLUMNS
from companion.session.roles import Role, role_named
from companion.session.views import Level, TableView
from firmware_protocol.board.settings import RANGES

if TYPE_CHECKING:
    from companion.display.grids import GridRow, NumberGrid

ONLY_ON_SCREEN: Mapping[str, str] = {
    own.BIG.id: "lines have one size: v prints the scores",
    own.SOUND.id: "lines give no signals",
    own.CURTAIN.id: "lines cannot be hidden again: private notes are for the screen and for phones",
    own.PALETTE.id: "? lists every action",
    own.THEME.id: "the terminal has its own colors",
    own.BACK.id: "there is no page to close",
    own.QUIT.id: "Ctrl-D quits",
    own.REMATCH.id: "after Ctrl-D you are asked whether to play again",
}
"""The dashboard's actions that plain lines do not have, with why."""
YES = "yes"
ROLES, REVOKE_ALL = "roles", "revoke all"
WORDS: Mapping[str, tuple[str, str]] = {
    own.HELP.id: ("who may shoot", "What the rules say about a question, and at this table."),
    own.WHY.id: ("12", "Why entry 12 of the log is there; without a number, why it stands so."),
    own.TAKE_BACK.id: ("12", "Delete entry 12 of the log, or restore it."),
    own.AMEND.id: ("12 FACT", "Entry 12 of the log is this fact instead."),
    own.INSERT.id: ("12 FACT", "This fact was missed after entry 12 of the log."),
    own.REREAD.id: (
        f"{WINDOW}=100 {PEAK}=200",
        f"Read sensors again; {YES} after it accepts that.",
    ),
    own.LEVELS.id: ("STEP LEVEL", "Choose what happens automatically; without words, list it."),
    own.BOARD.id: ("SETTING NUMBER", "Set the board; without words, list its settings."),
    own.SCORES.id: ("17 4", "Numbers for those who are missing; or a round, a player, a number."),
    own.PHONES_PAGE.id: (
        "NAME",
        "The address of a player's page, or of everybody's; roles: pages that act for the table.",
    ),
}
"""What follows a key on its line, and what the line does then."""


class TypedPages:
    """The pages and forms of a table where `game` is played, printed by `say`; `offers` are for a finished game."""

    def __init__(
        self,
        table: TableLike,
        game: Game[Any],
        say: Callable[[str], object],
        *,
        keys: KeyMap = OWN_KEYS,
        offers: Offers | None = None,
        phones: Phones | None = None,
    ) -> None:
        self._table, self._game, self._say, self._keys = table, game, say, keys
        self._offers, self._phones = offers or {}, phones
        self.does: Mapping[str, Callable[[str], object]] = {
            own.HELP.id: self._help,
            own.LOG.id: lambda _words: self._log(),
            own.STATISTICS.id: lambda _words: self._statistics(),
            own.DETAILS.id: lambda _words: self._print(details_text(self._view, COLUMNS)),
            own.MARSHAL.id: lambda _words: self._evidence(),
            own.WHY.id: self._why,
            own.TAKE_BACK.id: self._take_back,
            own.AMEND.id: self._amend,
            own.INSERT.id: self._insert,
            own.REREAD.id: self._reread,
            own.LEVELS.id: self._levels,
            own.PEOPLE.id: lambda _words: self._list_facts(PEOPLE),
            own.BOARD.id: self._board,
            own.SCORES.id: self._scores,
            own.PHONES_PAGE.id: self._phones_page,
            own.PHONES.id: self._phones_page,
            own.REPORT.id: lambda _words: self._offer(own.REPORT.id),
            own.BG_STATS.id: lambda _words: self._offer(own.BG_STATS.id),
        }
        """Action id -> what a line that begins with its key does with the words after it."""

    @property
    def _view(self) -> TableView:
        return self._table.view()

    @cached_property
    def _screen(self) -> GameScreen:
        return game_screen_of(self._view.setup.game)

    @property
    def actions(self) -> tuple[Action, ...]:
        """The actions of the table, of its game's screen and of the dashboard, as the screen has them now."""
        view = self._view
        of_game = self._screen.actions()
        if panels_of(view.setup.game).grids is not None:
            of_game = own.with_grid(self._table.actions, of_game)
        actions = own.registry(self._table.actions, of_game, self._keys)
        return own.at_the_end(actions, self._keys) if view.ended else actions

    def do(self, line: str) -> bool:
        """Do what a line says; return whether it begins with the key of a page, a form or the screen itself."""
        key, _, words = line.partition(" ")
        action = self._named(key)
        if action is None or (words and not self._takes_words(action.id)):
            return False
        try:
            return self._do(action, words.strip())
        except Refused as refusal:
            self._refuse(refusal.spoken())
        except ValueError as problem:
            self._refuse(str(problem))
        return True

    def _takes_words(self, action_id: str) -> bool:
        return action_id in self.does

    def _named(self, key: str) -> Action | None:
        """Return the action of a key, typed as people or the terminal library call it."""
        for action in self.actions:
            for name in action.keys:
                if key in (name, key_name(name)) or (
                    len(key) > 1 and key.lower() == key_name(name).lower()
                ):
                    return action
        return None

    def _do(self, action: Action, words: str) -> bool:
        if action.id in self.does:
            self.does[action.id](words)
        elif action.id in self._screen.shown_only:
            self._print_lines(self._screen.lines(action.id, self._view, COLUMNS))
        elif action.id in self._screen.enters:
            self._list_facts(self._screen.enters[action.id])
        else:
            why = self.why_not(action.id)
            if not why:
                return False
            self._refuse(f"{why[0].upper()}{why[1:]}.")
        return True

    def why_not(self, action_id: str) -> str:
        """Return why plain lines do not have an action; empty for one that they have."""
        reasons = {**ONLY_ON_SCREEN, **self._screen.only_on_screen}
        for name, why in reasons.items():
            if action_id == name or (name.endswith(".") and action_id.startswith(name)):
                return why
        return ""

    def do_after_game(self, line: str) -> bool:
        """Do what a line says about a finished game, if that is offered here; return whether it was."""
        for action in remapped(own.AT_THE_END, self._keys):
            offered = action.id in self._offers
            if action.id == own.PHONES.id:
                offered = self._phones is not None
            if offered and line in map(key_name, action.keys):
                return self.do(line)
        return False

    # -- what is printed

    def _print(self, content: Content) -> None:
        self._print_lines(content.plain.splitlines())

    def _print_lines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._say(line.rstrip())

    def _advise(self, sentence: str) -> None:
        self._say(f"  {sentence}")

    def _refuse(self, sentence: str) -> None:
        self._say(f"? {sentence}")

    def _help(self, words: str) -> None:
        """Print what the rules say about a question; without words, every key that lines have, the facts in words, and
        what is awaited."""
        if words:
            view = self._view
            answered = answers(view.setup.game, words, AtTable.of(view))
            for line in answer_lines(answered):
                for row in wrap(line, COLUMNS):
                    self._say(row)
            ruling = first_line(answered)
            if ruling is not None:
                self._advise(f"{own.first_key(own.WHY)} {ruling.number} says why.")
            return
        for action in self.actions:
            if not action.keys or self.why_not(action.id):
                continue
            self._say(f"{own.key_names(action):>12}  {without_clauses(action.help)}")
            if action.id in WORDS:
                words, does = WORDS[action.id]
                self._say(f"{'':>12}  {own.first_key(action)} {words}: {does}")
        self._say(
            f"{'in words':>12}  What happened, as a line of its own; small letters are typed as they stand:"
        )
        for kind, fact in self._game.facts.items():
            self._say(f"{'':>12}    {usage(fact, kind)}")
        self._say(f"{'>':>12}  {self._view.awaiting}")

    def _log(self) -> None:
        for line in self._view.log:
            self._say(f"{line.number:>5}  {line.time} {line.kind.mark} {line.text}")

    def _statistics(self) -> None:
        view = self._view
        shown = (*self._screen.tables(view), open_facts(view.game))
        self._print_lines(plain_lines(shown, COLUMNS))
        history = self._table.inspection.score_history()
        scores = tuple((str(step.number), step.scores) for step in history)
        plot = score_plot(scores, view.setup.seats, COLUMNS)
        if plot:
            self._print_lines(("", "Scores, ruling by ruling", *(row.plain for row in plot)))

    def _evidence(self) -> None:
        """Print the board's reports, then the rulings made of them."""
        marshal = self._table.inspection.marshal()
        times = MomentWriter(marshal, self._screen.counts_from)
        if marshal.evidence:
            self._say("The board reported:")
        for line in marshal.evidence:
            self._say(f"{line.shown:>5}  {times.text(line.at)}  {line.text}")
        self._say("Rulings:")
        for ruling in marshal.rulings:
            state = f" ({STATES[kind_of(ruling)]})" if not ruling.stands or ruling.problem else ""
            self._say(f"{ruling.shown:>5}  {times.text(ruling.at)}  {ruling.text}{state}")
        self._advise("F2 12 FACT changes entry 12, F3 12 FACT adds one after it, x 12 deletes it.")

    def _why(self, words: str) -> None:
        view, look = self._view, self._table.inspection
        read = (look.marshal(), look.score_history())
        reasons = Reasons(view, read, self._screen.counts_from, COLUMNS)
        rows = reasons.of_entry(self._entry(words)) if words else reasons.of_all(*refusals_of(view))
        self._print(Content("\n").join(rows))

    def _list_facts(self, kinds: Iterable[str]) -> None:
        """Print how the facts of a form are typed."""
        facts = self._game.facts
        self._say("  Type a line:")
        for kind in kinds:
            if kind in facts:
                self._say(f"    {usage(facts[kind], kind)}")

    # -- corrections

    def _entry(self, number: str) -> int:
        """Return the entry with the number that the log shows; raise `ValueError` with one sentence."""
        for line in self._view.log:
            if str(line.number) == number:
                return line.n
        raise ValueError(f"{number or 'That'} is no number of the log. Type l to see them.")

    def _take_back(self, words: str) -> None:
        self._table.take_back(self._entry(words))

    def _amend(self, words: str) -> None:
        number, _, fact = words.partition(" ")
        ruling = self._ruling(self._entry(number))
        kind, body = from_words(self._game, self._view.setup, fact)
        if kind != ruling.kind:
            raise ValueError(
                f"Entry {number} is {usage(self._game.facts[ruling.kind], ruling.kind)}. Type all of it."
            )
        self._table.amend(ruling.n, {**ruling.body, **body})

    def _ruling(self, n: int) -> RulingLine:
        game = self._game
        for ruling in self._table.inspection.marshal().rulings:
            if (
                ruling.n == n
                and ruling.kind in game.facts
                and ruling.kind not in secret_kinds(game.facts)
            ):
                return ruling
        raise ValueError("Only public rulings can be changed. Type l to see the log.")

    def _insert(self, words: str) -> None:
        number, _, fact = words.partition(" ")
        after = self._entry(number)
        kind, body = from_words(self._game, self._view.setup, fact)
        self._table.insert(kind, body, after=after)

    def _reread(self, words: str) -> None:
        """Print what other settings of the sensors would change; with `yes` behind them, accept it."""
        marshal = self._table.inspection.marshal()
        names = {WINDOW: "window_us", HOLD: "hold_us", LOCK: "lock_us", PEAK: "min_peak"}
        changes: dict[str, Any] = {}
        typed = words.split()
        for word in typed:
            name, sign, number = word.partition("=")
            if word == YES:
                continue
            if name not in names or not sign:
                raise ValueError(
                    f"Type settings such as {WINDOW}=100 {PEAK}=200, in ms, and {YES} to accept."
                )
            value = _number(name, number, 0, MOST[name])
            changes[names[name]] = value if name == PEAK else value * US_PER_MS
        rereading = self._table.inspection.reread(replace(marshal.settings, **changes))
        self._print(difference(rereading, marshal, self._view.setup.seats))
        if YES in typed:
            self._table.accept(rereading)
        else:
            self._advise(f"Type the same with {YES} to accept it.")

    def _levels(self, words: str) -> None:
        steps = {step.name: step for step in self._game.steps}
        if words:
            name, _, level = words.partition(" ")
            if name not in steps or level not in tuple(Level):
                raise ValueError(f"Type one of {listed(steps)}, then {listed(Level)}.")
            self._table.set_level(name, Level(level))
            return
        levels = self._table.inspection.marshal().levels
        for name, step in steps.items():
            level = levels.get(name, Level.AUTOMATIC)
            self._say(f"  {name}: {level}, {level.counts} ({step.label})")

    def _board(self, words: str) -> None:
        ranges = {name: (least, most) for name, least, most in RANGES}
        if not words:
            for name, (label, hint) in SETTINGS.items():
                least, most = ranges[name]
                now = self._view.board.get(name, "")
                self._say(f"  {name} {now}: {label}, {hint}: {least} to {most}")
            return
        name, _, number = words.partition(" ")
        if name not in SETTINGS:
            raise ValueError(f"Type one of {listed(SETTINGS)}, then a number.")
        self._table.set_board({**self._view.board, name: _number(name, number, *ranges[name])})

    # -- numbers

    def _scores(self, words: str) -> None:
        """Print the grid of numbers, or enter numbers for the players who are missing, in their order.

        `# 17 4` enters two; `# hand 2 Anna 17` types into one cell.
        """
        if not words:
            self._print_grids()
            return
        typed = shlex.split(words)
        if all(word.lstrip("-").isdecimal() for word in typed):
            for word in typed:
                self._enter_missing(int(word))
        elif typed == ["end"]:
            self._end_row()
        else:
            self._enter_into(typed)
        self._print_grids()

    def _grids(self) -> tuple[NumberGrid, ...]:
        grids = grids_of(self._view)
        if not grids:
            raise ValueError("There are no numbers to type now.")
        return grids

    def _print_grids(self) -> None:
        names = [seat.name for seat in self._view.setup.seats]
        for grid in self._grids():
            self._say(f"{grid.title}: {', '.join(names)}")
            for row in grid.rows:
                cells = ["?" if cell.value is None else str(cell.value) for cell in row.cells]
                self._say(f"  {row.title}: {' '.join(cells)}{_off(row)}")
            if grid.end is not None and not any(row.missing for row in grid.rows if row.now):
                self._advise(f"All numbers are in. Type # end to {grid.end.label}.")

    def _enter_missing(self, number: int) -> None:
        for grid in self._grids():
            place, column = grid.first_empty()
            row = grid.rows[place]
            if row.missing:
                enter_number(self._table, row.cells[column], number)
                return
        raise ValueError(f"Nobody is missing a number. Type # ROUND PLAYER {number} to change one.")

    def _end_row(self) -> None:
        for grid in self._grids():
            if grid.end is not None:
                self._table.enter(grid.end.kind, grid.end.body)
                return
        raise ValueError("There is nothing to end now.")

    def _enter_into(self, typed: Sequence[str]) -> None:
        *title, player, number = ["", *typed] if len(typed) < 3 else typed
        if not number.lstrip("-").isdecimal():
            raise ValueError("Type numbers for those who are missing, or # ROUND PLAYER NUMBER.")
        seats = [
            seat.id for seat in self._view.setup.seats if seat.name.casefold() == player.casefold()
        ]
        wanted = " ".join(title).casefold().strip()
        for grid in self._grids():
            for row in grid.rows:
                if row.title.casefold() != wanted and not (not wanted and row.now):
                    continue
                for cell in row.cells:
                    if cell.seat in seats and cell.entry is not None:
                        enter_number(self._table, cell, int(number))
                        return
        raise ValueError(f"There is no number of {player} there to type. Type # to see them.")

    # -- phones, and after a game

    def _phones_page(self, words: str) -> None:
        """Print everybody's address, or that of one player who asks for it; or do what follows the word for roles."""
        if self._phones is None:
            raise ValueError("This table has no pages for phones.")
        why_not = self._phones.open()
        pages = self._phones.pages
        if why_not or pages is None:
            raise ValueError(why_not)
        viewer: SeatId = TABLE
        for seat in pages.seats:
            if words and seat.name.casefold() == words.casefold():
                viewer = seat.id
        first, _, rest = words.partition(" ")
        if first.casefold() == ROLES and viewer == TABLE:
            self._roles(pages, rest.strip())
            return
        if words and viewer == TABLE:
            raise ValueError(f"Nobody here is called {words}.")
        self._say(f"  {pages.address_of(viewer)}")
        if pages.fingerprint:
            self._say(f"  SHA-256 {pages.fingerprint}")
        if not words:
            self._advise("Everybody's page. A player's own: the same key, then the name.")

    def _roles(self, pages: PhonePages, words: str) -> None:
        """Give a role to a device, revoke all roles, or print who has which."""
        if words == REVOKE_ALL:
            pages.revoke_all()
            self._say(REVOKED)
        elif words:
            title, _, name = words.partition(" ")
            role = role_named(title)
            if role is None:
                raise ValueError(
                    f"{title} is no role. Roles: {', '.join(one.title for one in Role)}."
                )
            try:
                code = pages.give_out(role, name)
            except NotDone as problem:
                raise ValueError(str(problem)) from problem
            self._say(f"  {pages.address_of_role(code)}")
            if not pages.fingerprint and not pages.alone:
                self._say(GIVEN_AWAY)
        else:
            for given in pages.roles_given():
                self._say(f"  {given.title}: {given.name}")
            self._advise(
                f"Give one out: {ROLES} referee Bo's tablet. End them: {ROLES} {REVOKE_ALL}."
            )

    def _offer(self, action_id: str) -> None:
        if action_id not in self._offers:
            raise ValueError("That is offered at a table that was played here.")
        self._print_lines(self._offers[action_id]().splitlines())


def _off(row: GridRow) -> str:
    return f"   {row.check}" if row.check else ""


def _number(name: str, word: str, least: int, most: int) -> int:
    """Return a typed number; raise `ValueError` with one sentence."""
    if not (word.isascii() and word.isdecimal() and len(word) < 10 and least <= int(word) <= most):
        raise ValueError(f"{name} takes a whole number from {least} to {most}.")
    return int(word)
