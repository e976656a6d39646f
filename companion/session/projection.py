"""The state of a session's record, entry by entry: the fold, the running log, the name. It writes
nothing.

Both a table in play and a program that only watches use it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf
from typing import Any

from companion.display.panels import Panels, panels_of
from companion.journal.entries import Control, Draft, Entry, Layer, as_entry, is_lost, steps_of
from companion.journal.errors import JournalError
from companion.journal.fold import Effect
from companion.journal.hidden_entries import HiddenEntries
from companion.journal.timeline import Timeline
from companion.link.settings import DEFAULTS, FIELDS, config_of, fields_of
from companion.rules.actions import first_to_do
from companion.rules.clauses import without_clauses
from companion.rules.common import ABANDONED, Common
from companion.rules.ending import GameResult, ScoresAfter
from companion.rules.facts import TABLE, Fact, Refused, SeatId, Setup, private_kinds, secret_kinds
from companion.rules.game import Game
from companion.rules.gestures import CHOSEN, GestureSettings
from companion.rules.lesson_field import lesson_in
from companion.rules.outcome import Ending, ending_of, result_of
from companion.rules.pauses import STOPPED
from companion.rules.registry import games_of_others
from companion.session.accessories import Lamp
from companion.session.board_tests import BoardTests
from companion.session.kept_fold import FoldStart, reaches_back
from companion.session.log import KEPT, LogBook
from companion.session.muted import MutedInputs
from companion.session.phone_answers import PhoneAnswers
from companion.session.views import UNREADABLE, Level, LinkView, Notice, SavedView, TableView

PIECE = 16_384  # entries of a long record that are read at once

# Shown instead of the refusal of a secret fact, which may contain what only one seat knows.
SECRET = ValueError("what is hidden makes no sense here")


@dataclass(frozen=True, slots=True)
class _Shown:
    state: Any
    game: Any
    awaiting: str
    ending: Ending | None
    standings: Mapping[SeatId, int]


class SessionProjection:
    """The projection of `entries`, which may grow; `extend` reads what was appended. Everything
    else queries the current state.

    Used by one thread at a time.
    """

    def __init__(
        self,
        game: Game[Any],
        setup: Setup,
        entries: Sequence[Entry],
        beside: Callable[[Sequence[Entry]], object] | None = None,
        *,
        start: FoldStart | None = None,
    ) -> None:
        """Read `entries`. `beside` is called with each piece of them too, so that a long record is
        read from the disk only once. The entries that `start` covers are not folded again."""
        self.game = game
        self.setup = setup
        """The setup at the beginning; `common.setup` has the seats as they are now."""
        self._secret = secret_kinds(game.facts)
        self._secrets: set[int] = set()  # the facts of these kinds
        private = private_kinds(game.facts)
        self._private = HiddenEntries(private, lost=False)
        self._private_numbers: list[int] = []  # all private entries, ascending
        self.entries = entries
        """All entries; entry `n` is at index `n - 1`."""
        self.is_lesson = bool(entries) and bool(lesson_in(entries[0].body))
        """Whether the session is a lesson; asked here, because old entries cannot always be read later."""
        labels = {step.name: step.label for step in game.steps}
        self.log = LogBook(
            self._sentence_of, lambda who: self.common.setup.name_of(who), labels, self.number
        )
        self.timeline: Timeline[Any] = Timeline(
            game.start(setup), self._apply, Refused, lambda n: self.entries[n - 1], private
        )
        self.name = ""
        self.closed = False
        """Whether the session has ended and was not resumed since."""
        self.levels: dict[str, Level] = dict.fromkeys(
            (step.name for step in game.steps), Level.AUTOMATIC
        )
        """The level of each kind of step, by its name."""
        self.readings: list[tuple[int, GestureSettings]] = []
        """Where the table changed how evidence is read: (entry, settings from then on); grows."""
        self.board = DEFAULTS
        """The settings that the session wants on its board."""
        self.board_has: tuple[int, int] | None = None
        """The boot that last reported its settings, and their CRC."""
        self.phones = PhoneAnswers()
        """The proposals of players from their phones."""
        self.lamp = Lamp()
        """When the board's lamp was last lit."""
        self.muted = MutedInputs()
        """The inputs that the board has muted for noise."""
        self.board_tests = BoardTests()
        """When the board was tested; what was pressed then is not read."""
        self.trouble = ""
        """One sentence if a correction of long ago is not in `state` yet, because old entries cannot be read."""
        self._revealed: dict[int, str] = {}  # fact -> what it showed somebody
        # The last application of a fact: (state before, fact, its number, state after).
        self._tried: tuple[Any, Fact | None, int, Any] = None, None, 0, None
        # The last description of a fact: (state after, its number, sentence, what it showed).
        self._last_description: tuple[Any, int, str, str | None] = None, 0, "", None
        self._in_dry_run = False
        self._is_foreign_game = any(info.id == game.id for info in games_of_others())
        self._shown: _Shown | None = None
        # Facts before this number are folded without their sentences, of which few are needed.
        self._described_from: float = 0
        # While set, facts are only tried: they get no sentence in the log, and showed nobody anything.
        self._trying = False
        folded = 0 if start is None else start.n
        # Two series of pieces, so that one ends exactly where the stored fold does.
        for first, end in [*_pieces(0, folded), *_pieces(folded, len(entries))]:
            piece = entries[first:end]
            if start is not None and end <= folded:
                self._note(piece)
                self.timeline.add_unfolded(piece)
            else:
                self.extend(piece)
            if beside is not None:
                beside(piece)
            if start is not None and end == folded:
                self._revealed |= start.revealed
                self.timeline.continue_from(start.state)

    @cached_property
    def _panels(self) -> Panels:
        return panels_of(self.game.id)

    @property
    def _has_own_entries(self) -> bool:
        panels = self._panels
        return any(
            declared is not None
            for declared in (panels.grids, panels.phone_grids, panels.proposals)
        )

    @cached_property
    def still_game(self) -> Game[Any]:
        """The game with every shuffle in order: for asking what a key would do. Asking the game in play
        would draw by chance, so the same question would have another answer each time."""
        return self.game.shuffled_by(lambda size: tuple(range(1, size + 1)))

    @property
    def state(self) -> Any:
        """The game's state now."""
        return self.timeline.state

    @property
    def common(self) -> Common:
        """The people as they are now, and whether the clock is stopped."""
        return self.game.common(self.timeline.state)

    @property
    def settings(self) -> GestureSettings:
        """The settings with which evidence is read from now on."""
        return self.readings[-1][1] if self.readings else self.game.settings(self.setup)

    @property
    def problems(self) -> Mapping[int, Exception]:
        """The facts that no longer make sense at their place: entry number -> why."""
        problems = dict(self.timeline.problems)
        for n in problems.keys() & self._secrets:
            problems[n] = SECRET
        return problems

    def extend(self, entries: Sequence[Entry]) -> None:
        """Read the next entries of the record, which `entries` already contains.

        The older part of a long piece is folded at once, its end step by step: so each fact that
        still has a line in the log is described in the state in which it was recorded, even if it
        was taken back later.
        """
        self._note(entries)
        self._described_from = inf
        self._fold(entries[:-KEPT])
        self._described_from = 0
        for step in steps_of(entries[-KEPT:]):
            self._fold(step)

    def extend_by_step(self, step: Sequence[Entry]) -> None:
        """Read the next step as `extend` does, for a caller that needs few of the sentences that a
        correction changes: the facts before the step are folded again without theirs."""
        self._note(step)
        self._described_from = step[0].n
        self._fold(step)
        self._described_from = 0

    def fold_start(self) -> FoldStart | None:
        """Return a state from which a later run can continue the fold, far enough before the end
        that every line of the log is still folded. None if the record is too short, has facts that
        make no sense, or if a late entry changes an earlier one. Raise `JournalError`."""
        n = len(self.entries) - KEPT
        if n <= 0 or self.trouble or self.timeline.problems or reaches_back(self.entries[n:], n):
            return None
        revealed = {entry: shown for entry, shown in self._revealed.items() if entry <= n}
        return FoldStart(n, self.timeline.state_before(n + 1), revealed)

    def _note(self, entries: Sequence[Entry]) -> None:
        """Read what the next entries say apart from the fold."""
        self.lamp.read(entries)
        self.muted.read(entries)
        self.board_tests.read(entries)
        for entry in entries:
            private = self._private.add(entry)
            if private:
                self._private_numbers.append(entry.n)
            self.log.add(entry, told=not private)
            if entry.kind in self._secret:
                self._secrets.add(entry.n)
            if entry.layer is Layer.CONTROL:
                self._control(entry)
                self.phones.control(entry)
            elif entry.layer is Layer.FACT:
                self.phones.fact(entry)
            elif entry.kind == "config":
                self.board_has = entry.body["boot"], entry.body["crc"]

    def _fold(self, entries: Sequence[Entry]) -> None:
        try:
            self.timeline.extend(entries)
            self.trouble = ""
        except JournalError as problem:
            self.trouble = str(problem)

    def entry(self, n: int) -> Entry | None:
        """Return entry `n`, or None if the record has no such number."""
        return self.entries[n - 1] if 0 < n <= len(self.entries) else None

    def fact_of(self, entry: Entry) -> Fact:
        """Return the fact in an entry; raise `Refused` if no game reads it. The fact folded last is
        not parsed again."""
        _, fact, n, _ = self._tried
        if fact is not None and n == entry.n:
            return fact
        return self.game.parse(entry.kind, entry.body)

    @property
    def secrets(self) -> Collection[int]:
        """The entries of secret facts."""
        return self._secrets

    def number(self, n: int) -> int:
        """Return the number shown for entry `n`, which does not count private entries."""
        return n - bisect_right(self._private_numbers, n)

    def entry_numbered(self, number: int) -> int | None:
        """Return the entry for which `number` is shown, or None for a number of no entry."""
        n = number
        for private in self._private_numbers:
            if private > n:
                break
            n += 1
        return n if 0 < n <= len(self.entries) else None

    def is_private(self, n: int) -> bool:
        """Return whether only its seat may know that entry `n` exists."""
        return n in self._private.found

    def text(self, n: int) -> str:
        """Return the public sentence of the fact or correction `n`."""
        return self.log.text(n)

    def label(self, n: int) -> str:
        """Return what an undo or redo of the step with the entry `n` names: the sentence of the fact or correction, and
        whether it was changed or added."""
        text = self.text(n)
        try:
            entry = self.entries[n - 1]
        except JournalError:  # an old entry, which the disk does not give now
            return text
        if entry.layer is not Layer.FACT or entry.after is None or entry.key is not None:
            return text
        return f"the {'change' if entry.joined else 'addition'} of: {text}"

    def stands(self, n: int) -> bool:
        """Return whether entry `n` is not taken back."""
        return self.timeline.order.stands(n)

    def voids_of(self, n: int) -> list[Entry]:
        """Return the voids that name entry `n`, standing or not, oldest first."""
        return [self.entries[void - 1] for void in self.timeline.order.voids_of(n)]

    def shown_by(self, drafts: Iterable[Draft]) -> dict[int, str]:
        """Return the facts that `drafts` would take back or deprive of sense although they showed
        somebody something: entry -> what."""
        drafts = tuple(drafts)
        effect = self._effect_of(drafts)
        senseless = self._senseless_with(drafts, self._first_changed(drafts, effect))
        lost = sorted({*effect.falling, *senseless})
        return {n: self._revealed[n] for n in lost if n in self._revealed}

    def _effect_of(self, drafts: Iterable[Draft]) -> Effect:
        voided = (draft.body["entry"] for draft in drafts if draft.kind == Control.VOID)
        return self.timeline.order.effect_of(voided)

    def _first_changed(self, drafts: Sequence[Draft], effect: Effect) -> int:
        """Return the place of the first fact that `drafts` with that `effect` take back, bring back, or follow; a place
        after all facts if they change nothing of the past."""
        anchors = [draft.after for draft in drafts if draft.after is not None]
        changed = map(self.timeline.order.index_of, (*effect.falling, *effect.rising, *anchors))
        return min(changed, default=len(self.entries))

    def counting_after(self, drafts: Sequence[Draft], most: int) -> list[int]:
        """Return the facts that everybody may see and that count, from the first one on that `drafts` change: the
        newest ones, at most `most`."""
        first = self._first_changed(drafts, self._effect_of(drafts))
        later = self.timeline.order.facts[first:][-most:]
        return [n for n in later if self.counts(n) and not self.is_private(n)]

    def counts(self, n: int) -> bool:
        """Return whether fact `n` is not taken back and makes sense."""
        return self.stands(n) and n not in self.timeline.problems

    def _senseless_with(self, drafts: Sequence[Draft], first: int) -> frozenset[int]:
        """Return the facts that would no longer make sense with `drafts`, which change the fold
        from place `first` on. If no later fact showed anything, nothing is searched for."""
        order = self.timeline.order
        may_change_shown = any(self.stands(n) and order.index_of(n) > first for n in self._revealed)
        if not may_change_shown:
            return frozenset()
        with self._only_tried():
            return self.timeline.refused_with(self._as_next(drafts))

    def broken_by(self, drafts: Iterable[Draft]) -> Exception | None:
        """Return the problem of the first standing fact that would no longer make sense if these
        were the next entries, or None. Raise `JournalError`."""
        with self._only_tried():
            new = self.timeline.problems_with(self._as_next(drafts))
        if not new:
            return None
        first = min(new, key=self.timeline.order.index_of)
        return SECRET if first in self._secrets else new[first]

    def ending_with(self, drafts: Iterable[Draft]) -> Ending | None:
        """Return the ending if these were the next entries, or None if the game would go on. Raise
        `JournalError`."""
        with self._only_tried():
            return self.ending_at(self.timeline.state_with(self._as_next(drafts)))

    def ending_at(self, state: Any) -> Ending | None:
        """Return the ending in a state, or None while the game goes on."""
        return ending_of(self.game, state, self._panels.unit)

    def _as_next(self, drafts: Iterable[Draft]) -> Iterator[Entry]:
        return (as_entry(draft, n) for n, draft in enumerate(drafts, start=len(self.entries) + 1))

    @contextmanager
    def _only_tried(self) -> Iterator[None]:
        self._trying = True
        try:
            yield
        finally:
            self._trying = False

    def tried(self, fact: Fact) -> Any:
        """Return the state after `fact` if it were the next entry; raise `Refused`. If it is
        recorded next, it is not applied again."""
        return self._after(self.state, fact, len(self.entries) + 1)

    def dry_run(self, drafts: Sequence[Draft]) -> None:
        """Ask a foreign game, before `drafts` are recorded, everything its rules will be asked
        afterwards. If it hangs, it is stopped here and nothing is recorded; answered questions are
        not asked again."""
        if not self._is_foreign_game or not any(_concerns_game(draft) for draft in drafts):
            return
        self._in_dry_run = True
        try:
            with self._only_tried():
                state = self._state_of_dry_run(drafts)
        finally:
            self._in_dry_run = False
        self._show_of(state)
        if state is not self.state:
            self.game.follows(self.state, state)

    def _state_of_dry_run(self, drafts: Sequence[Draft]) -> Any:
        if any(draft.kind == Control.VOID or draft.after is not None for draft in drafts):
            return self.timeline.state_with(self._as_next(drafts))
        state = self.state
        for n, draft in enumerate(drafts, start=len(self.entries) + 1):
            if draft.layer is Layer.FACT:
                fact = self.game.parse(draft.kind, draft.body)
                before, state = state, self._after(state, fact, n)
                self._described(before, state, fact, n)
        return state

    def view(
        self,
        link: LinkView,
        saved: SavedView,
        notice: Notice | None = None,
        sentence: Callable[[str], str] = str,
    ) -> TableView:
        """Return what a screen of the whole table shows now, apart from what only a table in play
        has. `sentence` inserts keys into a text that names actions."""
        shown, common = self._show(), self.common
        undo, redo = self.timeline.steps.undo_target, self.timeline.steps.redo_target
        if self.trouble and saved.ok:
            saved = SavedView(UNREADABLE, ok=False, problem=self.trouble)
        return TableView(
            session=self.name,
            setup=common.setup,
            game=shown.game,
            awaiting=sentence(self.awaiting),
            todo=first_to_do(self.awaiting),
            log=self.log.lines(self.problems, self.timeline.order.stands),
            link=link,
            saved=saved,
            undo=None if undo is None else without_clauses(self.label(undo)),
            redo=None if redo is None else without_clauses(self.label(redo)),
            notice=notice,
            ended=shown.ending is not None,
            ending=shown.ending,
            left=common.left,
            paused=common.paused,
            testing=self.board_tests.sentence,
            board=fields_of(self.board),
            lit=self.lamp.lit,
            phones_propose=None if self._panels.proposals is None else self.phones.wanted,
            phones_enter=bool(self.phones.entries_allowed) if self._has_own_entries else None,
            standings=shown.standings,
            summary=lambda: tuple(map(sentence, self.game.summary(shown.state))),
            rounds=lambda: _rounds(result_of(self.game, shown.state)),
            newest=self.number(len(self.entries)),
            undo_entry=None if undo is None else self.number(undo),
            redo_entry=None if redo is None else self.number(redo),
        )

    def _show(self) -> _Shown:
        """Return what the rules say about the state for the whole table; cached for the state,
        because most news does not change it."""
        return self._show_of(self.state)

    def _show_of(self, state: Any) -> _Shown:
        rules = self.game
        if self._shown is None or self._shown.state is not state:
            awaiting = rules.awaiting(state)
            ending = ending_of(rules, state, self._panels.unit)
            standings = rules.standings(state)
            self._shown = _Shown(state, rules.view(state, TABLE), awaiting, ending, standings)
        return self._shown

    @property
    def ending(self) -> Ending | None:
        """The ending of the game, or None while it goes on."""
        return self._show().ending if self.game.ended(self.state) else None

    @property
    def end(self) -> Fact | None:
        """The last fact that ended the game, or None while it goes on."""
        if not self.game.ended(self.state):
            return None
        for n in reversed(self.timeline.order.facts):
            if self.stands(n) and not self.game.ended(self.timeline.state_before(n)):
                entry = self.entries[n - 1]
                return self.game.parse(entry.kind, entry.body)
        return None

    @property
    def awaiting(self) -> str:
        """A sentence on what is awaited, from the game, or because the table stopped its clock."""
        shown = self._show()
        if self.common.abandoned is not None:
            return ABANDONED
        # The fact that was due was undone and does not come again, so the game's own sentence about
        # its countdown would be wrong.
        if self.timeline.steps.clock_undone and not self.common.paused:
            due = self.game.due(shown.state)
            if due is not None and due.of is not None:
                return STOPPED
        return shown.awaiting

    def _control(self, entry: Entry) -> None:
        match entry.kind:
            case Control.SESSION | Control.RENAMED:
                self.name = str(entry.body.get("name", ""))
            case Control.LEVELS:
                for step, level in entry.body.items():
                    if level in set(Level):
                        self.levels[step] = Level(level)
            case Control.SETTINGS:
                settings = {name: entry.body[name] for name in CHOSEN if name in entry.body}
                settings.setdefault("lock_us", None)  # recorded only if the table chose one
                self.readings.append((entry.n, replace(self.settings, **settings)))
            case Control.BOARD:
                with suppress(ValueError):  # in a foreign record: settings that no board accepts
                    self.board = config_of(
                        {name: entry.body[name] for name in FIELDS if name in entry.body}
                    )
            case Control.ENDED | Control.RESUMED:
                self.closed = entry.kind == Control.ENDED

    def _after(self, state: Any, fact: Fact, n: int) -> Any:
        # A fact is usually tried before it is recorded; folding it then finds its state here.
        if self._tried[0] is not state or self._tried[1:3] != (fact, n):
            self._tried = (state, fact, n, self.game.advance(state, fact, n))
        return self._tried[3]

    def _apply(self, state: Any, entry: Entry) -> Any:
        fact = self.game.parse(entry.kind, entry.body)
        after = self._after(state, fact, entry.n)
        if self._in_dry_run:
            self._described(state, after, fact, entry.n)
        if self._trying:
            return after
        if entry.n >= self._described_from:
            text, shown = self._described(state, after, fact, entry.n)
            self.log.describe(entry.n, text)
        else:
            self.log.forget(entry.n)
            shown = self.game.reveals(state, fact)
        if shown is not None:
            # People have seen it, even if the fact later makes no sense.
            self._revealed[entry.n] = shown
        return after

    def _described(self, before: Any, after: Any, fact: Fact, n: int) -> tuple[str, str | None]:
        """Return the public sentence of a fact, and what it showed; cached, because a dry run
        already asked for it."""
        if self._last_description[0] is not after or self._last_description[1] != n:
            text = self.game.sentence(before, after, fact, TABLE)
            self._last_description = (after, n, text, self.game.reveals(before, fact))
        return self._last_description[2:]

    def _sentence_of(self, n: int) -> str:
        """Return the sentence of a fact at its place that was folded without it, or not folded in
        this run."""
        entry = self.entries[n - 1]
        if is_lost(entry):
            return f"entry {n}, which is lost"
        try:
            return self.game.describe(
                self.timeline.state_before(n), self.game.parse(entry.kind, entry.body)
            )
        except Refused as refusal:
            return f"{entry.kind}: {SECRET if n in self._secrets else refusal}"


def _rounds(result: GameResult) -> tuple[str, ScoresAfter]:
    return result.round, result.after


def _concerns_game(draft: Draft) -> bool:
    return draft.layer is Layer.FACT or draft.kind == Control.VOID


def _pieces(first: int, end: int) -> list[tuple[int, int]]:
    return [(start, min(start + PIECE, end)) for start in range(first, end, PIECE)]
