"""A session's record as reports read it: setup, facts in fold order with their sentences, state."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from companion.errors import CommandError
from companion.journal.check import lost_words
from companion.journal.collector import collector_frozen
from companion.journal.entries import KEYBOARD, Control, Entry, is_control, is_lost
from companion.journal.fold import FoldOrder
from companion.journal.folder import typed_name
from companion.journal.hidden_entries import HiddenEntries
from companion.journal.record import gap_that_ends_with
from companion.journal.sessions import name_of
from companion.journal.store import read_known
from companion.journal.wall_clock import instant_of, is_set
from companion.program import PROGRAM
from companion.rules.columns import plural
from companion.rules.facts import TABLE, Fact, Refused, Setup, secret_kinds
from companion.rules.game import Game
from companion.rules.header import game_of
from companion.session.log import TABLES_WORD

WITHHELD = "withheld"
"""Header field of an export that says how many entries it lacks."""


class IncompleteError(CommandError):
    """A record lacks entries that were once saved, and `--anyway` was not given."""


@dataclass(frozen=True, slots=True)
class RecordedFact:
    """A fact of the record with its public sentence.

    `fact` is None if the game cannot parse it; `void` is the entry that takes it back, if it is in
    force; `problem` is why the rules refuse it there; `remark` is the entry that explains a fact
    put in by hand.
    """

    entry: Entry
    fact: Fact | None
    text: str
    void: Entry | None = None
    problem: Refused | None = None
    remark: Entry | None = None

    @property
    def counts(self) -> bool:
        """Whether it is part of the state."""
        return self.void is None and self.problem is None

    @property
    def by_hand(self) -> bool:
        """Whether it was entered at the keyboard, so that its time is that of a key press."""
        return self.entry.actor == KEYBOARD and not self.entry.causes

    @property
    def why(self) -> str:
        """Why it was taken back or put in by hand, and by whom: `miscounted; Ada`. Empty if
        unknown."""
        if self.void is not None:
            reason = self.void.body.get("reason") or TABLES_WORD
            if reason == TABLES_WORD:
                reason = "no reason given"
            who = self.void.body.get("who") or self.void.actor
        elif self.remark is not None:
            reason, who = self.remark.body["why"], self.remark.body["who"]
        else:
            return ""
        return "; ".join(str(part) for part in (reason, who) if part)


@dataclass(frozen=True, slots=True)
class Record:
    """A session: its entries and what the game makes of them.

    `begun` has the seats at the start, `setup` the present ones; `facts` are in fold order.
    `withheld` is a sentence on how many entries are missing because they are secret until the game
    is over, `lacking` one on entries that were saved but are lost or unreadable; both may be empty.
    """

    name: str
    entries: Sequence[Entry]
    begun: Setup
    setup: Setup
    game: Game[Any]
    state: Any
    facts: tuple[RecordedFact, ...]
    withheld: str = ""
    lacking: str = ""

    @property
    def begun_wall(self) -> str:
        """The time of day of the first entry."""
        return self.entries[0].wall

    @property
    def played_wall(self) -> tuple[str, str]:
        """The earliest and latest time of day of the facts that count, else of the record.

        Times from before the computer's clock was set are left out, unless it never was.
        """
        counted = [line.entry.wall for line in self.facts if line.counts]
        walls = counted or [self.begun_wall, self.entries[-1].wall]
        known = [wall for wall in walls if is_set(instant_of(wall))]
        in_order = sorted(known or walls, key=instant_of)
        return in_order[0], in_order[-1]


def read_record(path: Path, *, anyway: bool = False) -> Record:
    """Read a session file without the secrets of a game that is not over.

    Another process may be writing it. Raises `CommandError`, and for a record that lacks saved
    entries `IncompleteError`, unless read `anyway`.
    """
    entries, lacking = known_entries(path, anyway=anyway)
    sentences = [sentence for sentence in (lacking, _gaps(entries)) if sentence]
    return replace(published(record_of(entries, path.stem)), lacking=" ".join(sentences))


def _gaps(entries: Iterable[Entry]) -> str:
    """Return a sentence on what a repair could not save, empty if it saved everything."""
    gaps = []
    for entry in entries:
        gap = gap_that_ends_with(entry) if is_lost(entry) else None
        if gap is not None:
            gaps.append(gap)
    if not gaps:
        return ""
    return f"Since a repair {lost_words(gaps)}: compare the standings with the table."


def known_entries(path: Path, *, anyway: bool) -> tuple[list[Entry], str]:
    """Return the entries of a session and a sentence on saved ones it lacks, or "".

    Raises `CommandError` as `read_record` does.
    """
    entries, lacking = read_known(path)
    if lacking is not None and not anyway:
        why = f"{lacking}. Save what can be read: {PROGRAM} journal repair {typed_name(path)}; or add --anyway."
        raise IncompleteError(why)
    return entries, "" if lacking is None else f"{lacking}."


def record_of(entries: Sequence[Entry], stem: str) -> Record:
    """Fold `entries`, the first of which is the header; raise `CommandError` if no game here can."""
    body = entries[0].body
    try:
        game, setup = game_of(body)
    except ValueError as problem:
        raise CommandError(f"{stem}: {problem}.") from problem
    with collector_frozen():
        facts, state = _fold(game, setup, entries)
    now = game.common(state).setup
    return Record(name_of(entries) or stem, entries, setup, now, game, state, facts)


def still_hidden(record: Record) -> frozenset[int]:
    """Return the numbers of the entries that are secret until the game is over.

    They include corrections, remarks and answers about secret facts.
    """
    if record.game.over(record.state):
        return frozenset()
    kinds = secret_kinds(record.game.facts) | {Control.LOST}
    if not any(entry.kind in kinds for entry in record.entries):
        return frozenset()
    hidden = HiddenEntries(secret_kinds(record.game.facts))
    # `add` returns whether the entry is hidden; what is said about it comes later in the record.
    return frozenset(entry.n for entry in record.entries if hidden.add(entry))


def published(record: Record) -> Record:
    """Return the record without what is `still_hidden`, as reports may show it.

    The state is unchanged: reports show only the table's view of it.
    """
    secret = still_hidden(record)
    if not secret:
        return replace(record, withheld=str(record.entries[0].body.get(WITHHELD, "")))
    many = plural(len(secret), "entry is", "entries are")
    if record.game.ended(record.state):
        until = "secret as long as the game has no result: it was ended early"
    else:
        until = "hidden until the game is over: an export after its end has them"
    return replace(
        record,
        entries=tuple(_without_entries(record.entries, secret)),
        facts=tuple(line for line in record.facts if line.entry.n not in secret),
        withheld=f"{many} withheld, {until}",
    )


def _remarks(entries: Sequence[Entry]) -> dict[int, Entry]:
    """Return for each fact put in by hand the entry that says why and by whom."""
    remarks: dict[int, Entry] = {}
    for entry in entries:
        if is_control(entry, Control.REMARK):
            remarks.update(dict.fromkeys(entry.body["entries"], entry))
    return remarks


def _fold(
    game: Game[Any], setup: Setup, entries: Sequence[Entry]
) -> tuple[tuple[RecordedFact, ...], Any]:
    """Return the facts in fold order, and the state after all of them.

    Each fact is applied once and described on the way; describing it later would take another fold.
    """
    order = FoldOrder()
    for entry in entries:
        order.add(entry)
    voids = {
        entry.body["entry"]: entry
        for entry in entries
        if is_control(entry, Control.VOID) and order.stands(entry.n)
    }
    remarks, facts = _remarks(entries), list[RecordedFact]()
    state = game.start(setup)
    # The state with the voided facts since the last one in force; None if there are none.
    undone: Any = None
    for n in order.facts:
        entry = entries[n - 1]
        void, remark = voids.get(n), remarks.get(n)
        if void is None:
            line, state = _standing_fact(game, entry, state, remark)
            undone = None  # voided facts before this one no longer lead up to the next
        else:
            line, undone = _voided_fact(game, entry, state, undone, void, remark)
        facts.append(line)
    return tuple(facts), state


def _standing_fact(
    game: Game[Any], entry: Entry, before: Any, remark: Entry | None
) -> tuple[RecordedFact, Any]:
    """Return a fact that was not taken back, and the state after it.

    If the rules refuse it, the state stays as it was.
    """
    try:
        fact = game.parse(entry.kind, entry.body)
    except Refused as refusal:
        problem = refusal.with_traceback(None)  # a traceback would keep old states alive
        text = _refused(entry, refusal)
        return RecordedFact(entry, None, text, problem=problem, remark=remark), before
    try:
        after = game.advance(before, fact, entry.n)
    except Refused as refusal:
        problem = refusal.with_traceback(None)
        text = game.describe(before, fact)
        return RecordedFact(entry, fact, text, problem=problem, remark=remark), before
    try:
        text = game.sentence(before, after, fact, TABLE)
    except Refused as refusal:
        text = _refused(entry, refusal)
    return RecordedFact(entry, fact, text, remark=remark), after


def _voided_fact(
    game: Game[Any], entry: Entry, before: Any, undone: Any, void: Entry, remark: Entry | None
) -> tuple[RecordedFact, Any]:
    """Return a fact that was taken back, and the state of the voided facts, see `_applied_anyway`."""
    try:
        fact = game.parse(entry.kind, entry.body)
    except Refused as refusal:
        return RecordedFact(entry, None, _refused(entry, refusal), void, remark=remark), undone
    applied = _applied_anyway(game, fact, before, undone)
    if applied is None:
        text = game.describe(before, fact)
    else:
        text, undone = applied
    return RecordedFact(entry, fact, text, void, remark=remark), undone


def _refused(entry: Entry, refusal: Refused) -> str:
    return f"{entry.kind}: {refusal.reason}"


def _applied_anyway(
    game: Game[Any], fact: Fact, before: Any, undone: Any
) -> tuple[str, Any] | None:
    """Return the sentence of a voided fact, and the state with it; None if the rules refuse it.

    It may have depended on earlier facts that were voided too, so it is first applied to `undone`,
    the state with them (None if there are none), then to the state without them.
    """
    for state in (undone, before):
        if state is None:
            continue
        with suppress(Refused):
            after = game.advance(state, fact, 1)
            return game.sentence(state, after, fact, TABLE), after
    return None


def _without_entries(entries: Sequence[Entry], secret: Collection[int]) -> Iterator[Entry]:
    """Yield the entries without the `secret` ones, keeping numbers and the order of the fold.

    Entries inserted after a removed one move to the fact before it; those joined to a removed one
    become steps of their own.
    """
    order = FoldOrder()
    for entry in entries:
        if entry.n not in secret:
            after = entry.after
            if after is not None and after in secret:
                after = _new_place(order, entries, secret, after)
            yield entry._replace(after=after, joined=entry.joined and entry.n - 1 not in secret)
        order.add(entry)


def _new_place(order: FoldOrder, entries: Sequence[Entry], secret: Collection[int], n: int) -> int:
    """Return the entry after which to fold a fact inserted after entry `n`, which may be removed.

    That is the nearest remaining fact before it, or `n` itself, whose number stays free, if it was
    not inserted anywhere.
    """
    while n in secret and entries[n - 1].after is not None:
        index = order.index_of(n)
        n = order.facts[index - 1] if index else 1
    return n
