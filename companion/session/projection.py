"""What the record of a session comes to, entry by entry: the fold, the running log, the name. It writes nothing.

A table that plays and a program that only looks on have this in common.
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
from companion.journal.hidden_entries import HiddenEntries
from companion.journal.timeline import Timeline
from companion.link.settings import DEFAULTS, FIELDS, config_of, fields_of
from companion.rules.clauses import without_clauses
from companion.rules.common import ABANDONED, Common
from companion.rules.facts import TABLE, Fact, Refused, SeatId, Setup, private_kinds, secret_kinds
from companion.rules.game import Game
from companion.rules.gestures import CHOSEN, GestureSettings
from companion.rules.outcome import Ending, ending_of
from companion.rules.pauses import STOPPED
from companion.rules.registry import games_of_others
from companion.session.accessories import Lamp
from companion.session.kept_fold import FoldStart, reaches_back
from companion.session.log import KEPT, LogBook
from companion.session.muted import MutedInputs
from companion.session.phone_answers import PhoneAnswers
from companion.session.views import UNREADABLE, Level, LinkView, Notice, SavedView, TableView

PIECE = 16_384  # entries of a long record that are taken in at once

# A refusal may name what only one seat knows.
SECRET = ValueError("what is hidden makes no sense here")


@dataclass(frozen=True, slots=True)
class _Shown:
    state: Any
    game: Any
    awaiting: str
    ending: Ending | None
    standings: Mapping[SeatId, int]


class SessionProjection:
    """A record in reading: `entries`, which may grow. `extend` takes in what was appended to it; everything else is a
    look at what stands.

    It is used by one thread at a time.
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
        """Read what stands in `entries`; `beside` is given each piece of it, so that a long record need be read but
        once. What `start` tells of them is not folded again."""
        self.game = game
        self.setup = setup
        """How the session was begun; `common.setup` has the seats as they are now."""
        self._secret = secret_kinds(game.facts)
        self._secrets: set[int] = set()  # the facts of these kinds
        private = private_kinds(game.facts)
        self._private = HiddenEntries(private, lost=False)
        self._untold: list[int] = []  # all that is private, in order
        self.entries = entries
        """All entries; entry `n` at index `n - 1`."""
        labels = {step.name: step.label for step in game.steps}
        self.log = LogBook(
            self._sentence_of, lambda who: self.common.setup.name_of(who), labels, self.number
        )
        self.timeline: Timeline[Any] = Timeline(
            game.start(setup), self._apply, Refused, lambda n: self.entries[n - 1], private
        )
        self.name = ""
        self.closed = False
        """Whether the session was brought to its end and not taken up again."""
        self.levels: dict[str, Level] = dict.fromkeys(
            (step.name for step in game.steps), Level.AUTOMATIC
        )
        """How each kind of step, by its name, is done."""
        self.readings: list[tuple[int, GestureSettings]] = []
        """Where the table has changed how evidence is read: behind which entry, and to what; it grows."""
        self.board = DEFAULTS
        """The settings that the session wants on its board."""
        self.board_has: tuple[int, int] | None = None
        """Of which boot the board said last what settings it has, and their CRC."""
        self.phones = PhoneAnswers()
        """What players proposed from their phones."""
        self.lamp = Lamp()
        """When the board's lamp was lit last."""
        self.muted = MutedInputs()
        """The inputs that the board has muted for noise."""
        self.trouble = ""
        """Why what was put right long ago is not in `state` yet, in one sentence: the old entries cannot be read."""
        self._revealed: dict[int, str] = {}
        # before, fact, number, after
        self._tried: tuple[Any, Fact | None, int, Any] = None, None, 0, None
        # after, number, sentence, what was shown
        self._told: tuple[Any, int, str, str | None] = None, 0, "", None
        self._rehearsing = False
        self._rehearses = any(info.id == game.id for info in games_of_others())
        self._shown: _Shown | None = None
        # facts before it are folded without their sentences: few of these are asked for
        self._worded_from: float = 0
        # what is only tried leaves no sentence behind, and showed nobody anything
        self._trying = False
        known = 0 if start is None else start.n
        for first, behind in [*_pieces(0, known), *_pieces(known, len(entries))]:
            piece = entries[first:behind]
            if start is not None and behind <= known:
                self._note(piece)
                self.timeline.pass_over(piece)
            else:
                self.extend(piece)
            if beside is not None:
                beside(piece)
            if start is not None and behind == known:
                self._revealed |= start.revealed
                self.timeline.go_on_from(start.state)

    @cached_property
    def _panels(self) -> Panels:
        return panels_of(self.game.id)

    @property
    def state(self) -> Any:
        """The game's state now."""
        return self.timeline.state

    @property
    def common(self) -> Common:
        """The people as they are now, and whether the clock stands still."""
        return self.game.common(self.timeline.state)

    @property
    def settings(self) -> GestureSettings:
        """How evidence is read from now on."""
        return self.readings[-1][1] if self.readings else self.game.settings(self.setup)

    @property
    def problems(self) -> Mapping[int, Exception]:
        """The facts that make no sense any more where they stand: entry number -> why."""
        return {
            n: SECRET if n in self._secrets else why for n, why in self.timeline.problems.items()
        }

    def extend(self, entries: Sequence[Entry]) -> None:
        """Take in the next entries of the record, which stand in `entries` already.

        A long piece is folded at once and its end step by step: so each fact that still has a line in the log is
        described in the state in which it was recorded, also one taken back since.
        """
        self._note(entries)
        self._worded_from = inf
        self._fold(entries[:-KEPT])
        self._worded_from = 0
        for step in steps_of(entries[-KEPT:]):
            self._fold(step)

    def extend_by_step(self, step: Sequence[Entry]) -> None:
        """Take in the next step as `extend` does, for who asks for few of the sentences that a correction changes: the
        facts before the step are folded again without them."""
        self._note(step)
        self._worded_from = step[0].n
        self._fold(step)
        self._worded_from = 0

    def fold_start(self) -> FoldStart | None:
        """Return where a later reading of the record can begin to fold, so far before its end that every line of the
        log is folded; None where that is no simple matter. Raise `JournalError`."""
        n = len(self.entries) - KEPT
        if n <= 0 or self.trouble or self.timeline.problems or reaches_back(self.entries[n:], n):
            return None
        revealed = {entry: shown for entry, shown in self._revealed.items() if entry <= n}
        return FoldStart(n, self.timeline.state_before(n + 1), revealed)

    def _note(self, entries: Sequence[Entry]) -> None:
        """Take in what the next entries say, whatever the game makes of the facts among them."""
        self.lamp.read(entries)
        self.muted.read(entries)
        for entry in entries:
            private = self._private.add(entry)
            if private:
                self._untold.append(entry.n)
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
        """Return entry `n`, None when the record has no such number."""
        return self.entries[n - 1] if 0 < n <= len(self.entries) else None

    def fact_of(self, entry: Entry) -> Fact:
        """Return what the entry of a fact says; raise `Refused` where no game reads it. The one that was folded last is
        not parsed anew."""
        _, fact, n, _ = self._tried
        return (
            fact if fact is not None and n == entry.n else self.game.parse(entry.kind, entry.body)
        )

    @property
    def secrets(self) -> Collection[int]:
        """The secret facts."""
        return self._secrets

    def number(self, n: int) -> int:
        """Return the number that everybody is shown for entry `n`: private entries are not counted."""
        return n - bisect_right(self._untold, n)

    def is_private(self, n: int) -> bool:
        """Return whether nobody but its seat may hear that there is an entry `n`."""
        return n in self._private.found

    def text(self, n: int) -> str:
        """Return the public sentence of the fact or the correction `n`."""
        return self.log.text(n)

    def stands(self, n: int) -> bool:
        """Return whether entry `n` is not taken back."""
        return self.timeline.order.stands(n)

    def voids_of(self, n: int) -> list[Entry]:
        """Return the voids that name entry `n`, whether they stand or not, oldest first."""
        return [self.entries[void - 1] for void in self.timeline.order.voids_of(n)]

    def shown_by(self, drafts: Iterable[Draft]) -> dict[int, str]:
        """Return the facts that `drafts` would take back, or leave without sense, although they showed somebody
        something: entry -> what."""
        drafts = tuple(drafts)
        effect = self.timeline.order.effect_of(
            draft.body["entry"] for draft in drafts if draft.kind == Control.VOID
        )
        behind = (draft.after for draft in drafts if draft.after is not None)
        changed = [
            self.timeline.order.index_of(n) for n in (*effect.falling, *effect.rising, *behind)
        ]
        senseless = self._senseless_with(drafts, min(changed, default=len(self.entries)))
        return {
            n: self._revealed[n]
            for n in sorted({*effect.falling, *senseless})
            if n in self._revealed
        }

    def _senseless_with(self, drafts: Sequence[Draft], first: int) -> frozenset[int]:
        """The facts that `drafts`, which change the fold from place `first` on, would leave without sense; none is
        looked for where nothing was shown behind that."""
        if not any(
            self.timeline.order.index_of(n) > first for n in self._revealed if self.stands(n)
        ):
            return frozenset()
        with self._only_tried():
            return self.timeline.refused_with(self._as_next(drafts))

    def broken_by(self, drafts: Iterable[Draft]) -> Exception | None:
        """Return why the first fact that stands now would make no sense, were these the next entries; None if all
        still do. Raise `JournalError`."""
        with self._only_tried():
            new = self.timeline.problems_with(self._as_next(drafts))
        if not new:
            return None
        first = min(new, key=self.timeline.order.index_of)
        return SECRET if first in self._secrets else new[first]

    def ending_with(self, drafts: Iterable[Draft]) -> Ending | None:
        """Return how the game would have ended, were these the next entries; None: it would go on. Raise
        `JournalError`."""
        with self._only_tried():
            return self.ending_at(self.timeline.state_with(self._as_next(drafts)))

    def ending_at(self, state: Any) -> Ending | None:
        """Return how the game ended in a state; None while it goes on."""
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
        """Return the state after `fact`, were it the next entry; raise `Refused`. Recorded, it is not applied anew."""
        return self._after(self.state, fact, len(self.entries) + 1)

    def rehearse(self, drafts: Sequence[Draft]) -> None:
        """Ask a game by others, before `drafts` are recorded, all that its rules will be asked then. One that hangs is
        stopped here, and nothing is recorded; what was answered is not asked again."""
        if not self._rehearses or not any(_is_of_the_game(draft) for draft in drafts):
            return
        self._rehearsing = True
        try:
            with self._only_tried():
                state = self._rehearsed(drafts)
        finally:
            self._rehearsing = False
        self._show_of(state)
        if state is not self.state:
            self.game.follows(self.state, state)

    def _rehearsed(self, drafts: Sequence[Draft]) -> Any:
        if any(draft.kind == Control.VOID or draft.after is not None for draft in drafts):
            return self.timeline.state_with(self._as_next(drafts))
        state = self.state
        for n, draft in enumerate(drafts, start=len(self.entries) + 1):
            if draft.layer is Layer.FACT:
                fact = self.game.parse(draft.kind, draft.body)
                before, state = state, self._after(state, fact, n)
                self._tell(before, state, fact, n)
        return state

    def view(
        self,
        link: LinkView,
        saved: SavedView,
        notice: Notice | None = None,
        sentence: Callable[[str], str] = str,
    ) -> TableView:
        """Return what a screen of the whole table shows now, without what only a table in play has. `sentence` puts
        keys into a text that names actions."""
        shown, common = self._show(), self.common
        undo, redo = self.timeline.steps.undo_target, self.timeline.steps.redo_target
        return TableView(
            session=self.name,
            setup=common.setup,
            game=shown.game,
            awaiting=sentence(self.awaiting),
            log=self.log.lines(self.problems, self.timeline.order.stands),
            link=link,
            saved=SavedView(UNREADABLE, ok=False, problem=self.trouble)
            if self.trouble and saved.ok
            else saved,
            undo=None if undo is None else without_clauses(self.text(undo)),
            redo=None if redo is None else without_clauses(self.text(redo)),
            notice=notice,
            ended=shown.ending is not None,
            ending=shown.ending,
            left=common.left,
            paused=common.paused,
            board=fields_of(self.board),
            lit=self.lamp.lit,
            phones_propose=None if self._panels.proposals is None else self.phones.wanted,
            standings=shown.standings,
            summary=lambda: tuple(map(sentence, self.game.summary(shown.state))),
        )

    def _show(self) -> _Shown:
        """What the rules say of the state for the whole table, asked once for each state: most news changes none."""
        return self._show_of(self.state)

    def _show_of(self, state: Any) -> _Shown:
        rules = self.game
        if self._shown is None or self._shown.state is not state:
            said = (
                rules.awaiting(state),
                ending_of(rules, state, self._panels.unit),
                rules.standings(state),
            )
            self._shown = _Shown(state, rules.view(state, TABLE), *said)
        return self._shown

    @property
    def ending(self) -> Ending | None:
        """How the game ended; None while it goes on."""
        return self._show().ending if self.game.ended(self.state) else None

    @property
    def end(self) -> Fact | None:
        """The fact that ended the game, the last one that did; None while the game goes on."""
        if not self.game.ended(self.state):
            return None
        for n in reversed(self.timeline.order.facts):
            if self.stands(n) and not self.game.ended(self.timeline.state_before(n)):
                entry = self.entries[n - 1]
                return self.game.parse(entry.kind, entry.body)
        return None

    @property
    def awaiting(self) -> str:
        """What is waited for, as the game says it or because the table stopped it."""
        shown = self._show()
        if self.common.abandoned is not None:
            return ABANDONED
        waits = self.timeline.steps.clock_undone and not self.common.paused
        due = self.game.due(shown.state) if waits else None
        return shown.awaiting if due is None or due.of is None else STOPPED

    def _control(self, entry: Entry) -> None:
        match entry.kind:
            case Control.SESSION | Control.RENAMED:
                self.name = str(entry.body.get("name", ""))
            case Control.LEVELS:
                self.levels |= {
                    step: Level(level) for step, level in entry.body.items() if level in set(Level)
                }
            case Control.SETTINGS:
                told = {name: entry.body[name] for name in CHOSEN if name in entry.body}
                told.setdefault("lock_us", None)  # it stands there only where there is one
                self.readings.append((entry.n, replace(self.settings, **told)))
            case Control.BOARD:
                with suppress(ValueError):  # of a record that was made elsewhere: no board takes it
                    self.board = config_of(
                        {name: entry.body[name] for name in FIELDS if name in entry.body}
                    )
            case Control.ENDED | Control.RESUMED:
                self.closed = entry.kind == Control.ENDED

    def _after(self, state: Any, fact: Fact, n: int) -> Any:
        if self._tried[0] is not state or self._tried[1:3] != (fact, n):
            self._tried = (state, fact, n, self.game.advance(state, fact, n))
        return self._tried[3]

    def _apply(self, state: Any, entry: Entry) -> Any:
        fact = self.game.parse(entry.kind, entry.body)
        after = self._after(state, fact, entry.n)
        if self._rehearsing:
            self._tell(state, after, fact, entry.n)
        if self._trying:
            return after
        if entry.n >= self._worded_from:
            text, shown = self._tell(state, after, fact, entry.n)
            self.log.describe(entry.n, text)
        else:
            self.log.forget(entry.n)
            shown = self.game.reveals(state, fact)
        if shown is not None:
            # it stays seen, also where the fact makes no sense any more
            self._revealed[entry.n] = shown
        return after

    def _tell(self, before: Any, after: Any, fact: Fact, n: int) -> tuple[str, str | None]:
        """The public sentence of a fact, and what it showed; it was asked already where that was rehearsed."""
        if self._told[0] is not after or self._told[1] != n:
            text = self.game.sentence(before, after, fact, TABLE)
            self._told = (after, n, text, self.game.reveals(before, fact))
        return self._told[2:]

    def _sentence_of(self, n: int) -> str:
        """What a fact says where it stands that was folded without its sentence, or never; its neighbors, of which the
        same will be asked, are described on the way."""
        entry = self.entries[n - 1]
        if is_lost(entry):
            return f"entry {n}, which is lost"
        try:
            return self.game.describe(
                self.timeline.state_before(n), self.game.parse(entry.kind, entry.body)
            )
        except Refused as refusal:
            return f"{entry.kind}: {SECRET if n in self._secrets else refusal}"


def _is_of_the_game(draft: Draft) -> bool:
    return draft.layer is Layer.FACT or draft.kind == Control.VOID


def _pieces(first: int, behind: int) -> list[tuple[int, int]]:
    return [(at, min(at + PIECE, behind)) for at in range(first, behind, PIECE)]
