"""The journal on a disk against a plain list in memory."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from companion.journal.entries import Draft, Entry
from companion.journal.fold import amend_drafts, void_draft
from companion.journal.journal import Journal
from companion.journal.timeline import Timeline
from tests.journal.folding import effective
from tests.journal.support import ON_DISK, begin, evidence, fact, numbers, resume, small_pages
from tests.thorough import examples

Snapshot = tuple[frozenset[int], tuple[int, ...]]


class Editor:
    """The expectation of a person: the order of all entries, which are struck out, and two stacks
    of snapshots for undo and redo."""

    def __init__(self) -> None:
        self.order: list[int] = [1]
        self.facts: set[int] = set()
        self.struck: frozenset[int] = frozenset()
        self.past: list[frozenset[int]] = []
        self.future: list[frozenset[int]] = []

    @property
    def counts(self) -> list[int]:
        return [n for n in self.order if n in self.facts and n not in self.struck]

    def step(self, struck: frozenset[int]) -> None:
        self.past.append(self.struck)
        self.future.clear()
        self.struck = struck

    def put(self, n: int, after: int | None) -> None:
        self.order.insert(len(self.order) if after is None else self.order.index(after) + 1, n)


class JournalMachine(RuleBasedStateMachine):
    """A fact counts as struck out before its step, so that undo and redo need only the set of
    struck entries."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="journal-", dir=ON_DISK))
        self.path = self.folder / "s.sqlite"
        self.pages = small_pages()
        self.pages.start()

    @initialize()
    def create(self) -> None:
        self.journal: Journal = begin(self.path)
        self.editor = Editor()
        self.keys: dict[str, Entry] = {}
        self.timeline: Timeline[tuple[int, ...]] = Timeline(
            (), lambda state, entry: (*state, entry.n), LookupError
        )
        self.taken = 0

    def teardown(self) -> None:
        if hasattr(self, "journal"):
            self.journal.close()
        self.pages.stop()
        shutil.rmtree(self.folder)

    def new_fact(self, n: int, after: int | None, also: frozenset[int] = frozenset()) -> None:
        """Enter fact `n` as one step that also strikes out `also`."""
        self.editor.put(n, after)
        self.editor.facts.add(n)
        self.editor.past = [struck | {n} for struck in self.editor.past]
        self.editor.struck |= {n}
        self.editor.step((self.editor.struck | also) - {n})

    @rule(number=st.integers(0, 9))
    def append_fact(self, number: int) -> None:
        (entry,) = self.journal.append(fact(number)).entries
        self.new_fact(entry.n, None)

    @rule(count=st.integers(1, 3))
    def append_evidence(self, count: int) -> None:
        for entry in self.journal.append(*(evidence(i) for i in range(count))).entries:
            self.editor.put(entry.n, None)

    @rule(key=st.sampled_from("abc"))
    def append_with_key(self, key: str) -> None:
        appended = self.journal.append(fact(key=key))
        if key in self.keys:
            assert appended.added == ()
            assert appended.entries == (self.keys[key],)
        else:
            self.keys[key] = appended.entries[0]
            self.new_fact(appended.entries[0].n, None)

    @rule(data=st.data())
    def insert(self, data: st.DataObject) -> None:
        after = data.draw(st.integers(1, len(self.journal.entries)))
        (entry,) = self.journal.append(fact(after=after)).entries
        # The order of voids among each other does not matter, but a fact may stand behind one.
        self.new_fact(entry.n, after)

    @precondition(lambda self: self.editor.counts)
    @rule(data=st.data())
    def strike(self, data: st.DataObject) -> None:
        n = data.draw(st.sampled_from(self.editor.counts))
        (entry,) = self.journal.append(void_draft(n, "wrong")).entries
        self.editor.put(entry.n, None)
        self.editor.step(self.editor.struck | {n})

    @precondition(lambda self: self.editor.counts)
    @rule(data=st.data(), number=st.integers(0, 9))
    def amend(self, data: st.DataObject, number: int) -> None:
        n = data.draw(st.sampled_from(self.editor.counts))
        void, entry = self.journal.append(
            *amend_drafts(self.entry(n), {"i": number}, "wrong")
        ).entries
        self.editor.put(void.n, None)
        self.new_fact(entry.n, n, frozenset({n}))

    @rule()
    def undo(self) -> None:
        target = self.timeline.steps.undo_target
        assert (target is not None) == bool(self.editor.past)
        self.put_voids(self.timeline.steps.undo_drafts())
        if self.editor.past:
            self.editor.future.append(self.editor.struck)
            self.editor.struck = self.editor.past.pop()

    @rule()
    def redo(self) -> None:
        assert (self.timeline.steps.redo_target is not None) == bool(self.editor.future)
        self.put_voids(self.timeline.steps.redo_drafts())
        if self.editor.future:
            self.editor.past.append(self.editor.struck)
            self.editor.struck = self.editor.future.pop()

    @rule()
    def reopen(self) -> None:
        before = list(self.journal.entries)
        self.journal.close()
        self.journal = resume(self.path)
        assert list(self.journal.entries) == before
        assert self.journal.warnings == ()
        self.timeline = Timeline((), lambda state, entry: (*state, entry.n), LookupError)
        self.taken = 0

    def put_voids(self, drafts: tuple[Draft, ...]) -> None:
        for entry in self.journal.append(*drafts).entries:
            self.editor.put(entry.n, None)

    def entry(self, n: int) -> Entry:
        return self.journal.entries[n - 1]

    @invariant()
    def the_fold_is_what_a_person_expects(self) -> None:
        if not hasattr(self, "journal"):
            return
        for entry in self.journal.entries[self.taken :]:
            self.timeline.add(entry)
        self.taken = len(self.journal.entries)
        assert numbers(effective(self.journal.entries)) == self.editor.counts
        assert list(self.timeline.state) == self.editor.counts


TestJournalMachine: Any = JournalMachine.TestCase
TestJournalMachine.settings = settings(max_examples=examples(30, 150), stateful_step_count=40)
