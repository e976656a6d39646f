"""A table on a disk against a plain list: append, undo, redo, void, amend, insert, reveal, consent,
crash, reopen."""

from __future__ import annotations

import itertools
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from hypothesis import settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from companion.journal.entries import Control, Layer
from companion.journal.journal import Journal
from companion.session.table import Table
from companion.session.views import LineKind
from tests.journal.test_machine import Editor
from tests.session.counting_game import Clock, small_header, small_table
from tests.session.parts import DEADLINE_S, RESUMED, WALL
from tests.thorough import examples

SEATS = ("ada", "bo", "cy")
Body = dict[str, Any]
NOTHING: Mapping[int, Body] = MappingProxyType({})


@dataclass
class Sheet:
    """What somebody has written with a pencil after some facts of the counting game, and which of
    them made no sense."""

    marks: list[int] = field(default_factory=list)
    hidden: dict[str, str] = field(default_factory=dict)
    shown: list[str] = field(default_factory=list)

    def take(self, kind: str, body: Body) -> bool:
        """Write a fact down; return whether it makes sense."""
        if kind == "mark":
            self.marks.append(body["i"])
        elif kind == "drop" and body["i"] in self.marks:
            self.marks.remove(body["i"])
        elif kind == "hide" and body["seat"] not in self.hidden:
            self.hidden[body["seat"]] = body["word"]
        elif kind == "show" and body["seat"] in self.hidden:
            self.shown.append(body["seat"])
        else:
            return False
        return True


class TablePencil(Editor):
    """The plain list: the body of each fact, which one it amended, and what somebody has seen."""

    def __init__(self) -> None:
        super().__init__()
        self.said: dict[int, tuple[str, Body]] = {}
        self.amended: dict[int, int] = {}
        self.seen: set[int] = set()

    def sheet(self, facts: Sequence[int]) -> tuple[Sheet, set[int]]:
        """Return the sheet after these facts, and those that made no sense."""
        sheet = Sheet()
        return sheet, {n for n in facts if not sheet.take(*self.said[n])}

    def look(self) -> None:
        """Note what is shown now as seen by everybody."""
        _, broken = self.sheet(self.counts)
        self.seen |= {n for n in self.counts if self.said[n][0] == "show" and n not in broken}

    def versions(self, n: int) -> set[int]:
        """Return the fact with all its earlier and later amended versions."""
        while n in self.amended:
            n = self.amended[n]
        numbers, todo = set[int](), [n]
        while todo:
            numbers.add(n := todo.pop())
            todo += [later for later, before in self.amended.items() if before == n]
        return numbers

    def needs_consent(self, struck: frozenset[int], amended: Mapping[int, Body]) -> bool:
        """Return whether something seen would no longer count or make sense, with other bodies for
        some facts."""
        left = [n for n in self.order if n in self.facts and n not in struck - amended.keys()]
        sheet, broken = Sheet(), self.sheet(self.counts)[1]
        senseless = {
            n for n in left if not sheet.take(self.said[n][0], amended.get(n, self.said[n][1]))
        }
        return bool(self.seen.intersection(self.counts) & (struck | (senseless - broken)))

    def allows(self, kind: str, body: Body, before: Sequence[int]) -> bool:
        """Return whether a fact makes sense after these."""
        sheet, _ = self.sheet(before)
        return sheet.take(kind, body)


def bodies(kind: str) -> st.SearchStrategy[Body]:
    if kind in ("mark", "drop"):
        return st.fixed_dictionaries({"i": st.integers(0, 2)})
    seat = {"seat": st.sampled_from(SEATS)}
    return st.fixed_dictionaries(
        seat | ({"word": st.sampled_from(("up", "down"))} if kind == "hide" else {})
    )


KINDS = st.sampled_from(("mark", "mark", "drop", "hide", "hide", "show", "show"))


class TableMachine(RuleBasedStateMachine):
    """Does every verb at the table and with the pencil; both have to agree after each of them."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="table-"))
        self.runs = itertools.count()
        self.agreed: Callable[[], None] | None = None
        """What the pencil does once the table has agreed; None while nothing is asked."""

    @initialize()
    def begin(self) -> None:
        self.clock = Clock()
        self.path = self.folder / "run.sqlite"
        self.journal = Journal.create(self.path, small_header(), wall=lambda: WALL, retry_s=0.001)
        self.table: Table = small_table(self.journal, self.clock)
        self.pencil = TablePencil()
        self.known = 1

    def teardown(self) -> None:
        if hasattr(self, "journal"):
            self.journal.close()
        shutil.rmtree(self.folder)

    # -- what is recorded

    def new_entries(self) -> list[int]:
        """Add what the table appended to the pencil's list, except facts; return the facts."""
        entries = self.journal.entries[self.known :]
        self.known = len(self.journal.entries)
        for entry in entries:
            if entry.layer is not Layer.FACT:
                self.pencil.put(entry.n, None)
        return [entry.n for entry in entries if entry.layer is Layer.FACT]

    def new_fact(
        self, n: int, after: int | None, kind: str, body: Body, also: frozenset[int] = frozenset()
    ) -> None:
        pencil = self.pencil
        pencil.said[n] = (kind, body)
        pencil.put(n, after)
        pencil.facts.add(n)
        pencil.past = [struck | {n} for struck in pencil.past]
        pencil.struck |= {n}
        pencil.step((pencil.struck | also) - {n})

    def refused(self, verb: Callable[[], None]) -> None:
        verb()
        notice = self.table.view().notice
        assert notice is not None
        assert notice.refused, notice
        assert len(self.journal.entries) == self.known

    def ask_or_do(
        self, struck: frozenset[int], do: Callable[[], None], amended: Mapping[int, Body] = NOTHING
    ) -> None:
        """Do the verb at the table; with the pencil at once, or after the table agreed if something
        seen would change."""
        if self.pencil.needs_consent(struck, amended):
            assert self.table.view().question is not None
            assert len(self.journal.entries) == self.known
            self.agreed = do
        else:
            assert self.table.view().question is None
            do()

    # -- the verbs

    @rule(kind=KINDS, data=st.data())
    def append(self, kind: str, data: st.DataObject) -> None:
        if self.agreed is not None:
            kind = "mark"  # live input goes on while the table is asked
        body = data.draw(bodies(kind))
        verb = partial(self.table.enter, kind, body)
        if not self.pencil.allows(kind, body, self.pencil.counts):
            self.refused(verb)
            return
        verb()
        (n,) = self.new_entries()
        self.new_fact(n, None, kind, body)

    @rule()
    def hear(self) -> None:
        self.table.board.on_note("the board says something")
        assert self.new_entries() == []

    @precondition(lambda self: self.agreed is None)
    @rule(redo=st.booleans())
    def undo_or_redo(self, redo: bool) -> None:
        pencil = self.pencil
        pile, verb = (pencil.future, "table.redo") if redo else (pencil.past, "table.undo")
        self.clock.pass_ms(1_000)
        if not pile:
            self.refused(lambda: self.table.do(verb))
            return
        before, after = pencil.struck, pile[-1]
        steps = len(pencil.past)
        self.table.do(verb)

        def do() -> None:
            assert self.new_entries() == []
            if len(pencil.past) == steps:
                other = pencil.past if redo else pencil.future
                other.append(pencil.struck)
                pencil.struck = pile.pop()
            else:  # something came in between: it is a correction now
                pencil.step((pencil.struck - (before - after)) | (after - before))

        self.ask_or_do(after, do)

    @precondition(lambda self: self.agreed is None and self.pencil.facts)
    @rule(data=st.data())
    def void(self, data: st.DataObject) -> None:
        pencil = self.pencil
        n = data.draw(st.sampled_from(sorted(pencil.facts)))
        struck = (
            pencil.struck | {n}
            if n in pencil.counts
            else (pencil.struck | pencil.versions(n)) - {n}
        )
        added, removed = struck - pencil.struck, pencil.struck - struck
        self.table.take_back(n, "wrong", data.draw(st.sampled_from(("", "ada"))))

        def do() -> None:
            assert self.new_entries() == []
            pencil.step((pencil.struck | added) - removed)

        self.ask_or_do(struck, do)

    @precondition(lambda self: self.agreed is None and self.pencil.counts)
    @rule(data=st.data())
    def amend(self, data: st.DataObject) -> None:
        pencil = self.pencil
        n = data.draw(st.sampled_from(pencil.counts))
        kind, before = pencil.said[n]
        body = data.draw(bodies(kind))
        verb = partial(self.table.amend, n, body, why="misheard")
        if body == before or not pencil.allows(kind, body, pencil.counts[: pencil.counts.index(n)]):
            self.refused(verb)
            return
        verb()

        def do() -> None:
            (successor,) = self.new_entries()
            pencil.amended[successor] = n
            self.new_fact(successor, n, kind, body, frozenset({n}))

        self.ask_or_do(pencil.struck | {n}, do, {n: body})

    @precondition(lambda self: self.agreed is None)
    @rule(kind=KINDS, data=st.data())
    def insert(self, kind: str, data: st.DataObject) -> None:
        pencil = self.pencil
        body = data.draw(bodies(kind))
        after = data.draw(st.integers(0, len(self.journal.entries)))
        anchor = max(after, 1)
        if anchor in pencil.facts and anchor not in pencil.counts:
            anchor = next((n for n in pencil.counts if n in pencil.versions(anchor)), anchor)
        place = pencil.order.index(anchor)
        before = [n for n in pencil.counts if pencil.order.index(n) <= place]
        verb = partial(self.table.insert, kind, body, after=after)
        if not pencil.allows(kind, body, before):
            self.refused(verb)
            return
        verb()
        (n,) = self.new_entries()
        self.new_fact(n, anchor, kind, body)

    @precondition(lambda self: self.agreed is None and self.corrections())
    @rule(data=st.data())
    def take_a_correction_back_and_bring_it_again(self, data: st.DataObject) -> None:
        before, struck = self.table.view().game, self.pencil.struck
        n = data.draw(st.sampled_from(self.corrections()))
        self.table.take_back(n)
        if self.table.view().question is not None:
            self.clock.pass_ms(1_000)
            self.table.do("table.disagree")
        else:
            assert all(
                len(self.pencil.versions(fact) & set(self.standing())) <= 1
                for fact in self.pencil.facts
            )
            self.pencil.step(frozenset(self.pencil.facts - set(self.standing())))
            self.pencil.look()
            self.table.take_back(n)
            if self.table.view().question is not None:
                self.clock.pass_ms(1_000)
                self.table.do("table.agree")
            self.pencil.step(struck)
        assert self.new_entries() == []
        assert self.table.view().game == before

    def corrections(self) -> list[int]:
        return [
            entry.n
            for entry in self.journal.entries
            if entry.kind == Control.VOID
            and entry.body["reason"] == "misheard"
            and self.stands(entry.n)
        ]

    def stands(self, n: int) -> bool:
        """Return whether no later standing void names an entry, directly from the definition."""
        voids = (
            entry.n
            for entry in self.journal.entries[n:]
            if entry.kind == Control.VOID and entry.body["entry"] == n
        )
        return not any(self.stands(void) for void in voids)

    def standing(self) -> list[int]:
        return [n for n in self.pencil.facts if self.stands(n)]

    # -- consent

    @precondition(lambda self: self.agreed is not None)
    @rule(agreed=st.booleans())
    def answer(self, agreed: bool) -> None:
        assert self.agreed is not None
        do, self.agreed = self.agreed, None
        self.clock.pass_ms(1_000)
        self.table.do("table.agree" if agreed else "table.disagree")
        answers = [
            entry for entry in self.journal.entries[self.known :] if entry.kind == Control.CONSENT
        ]
        assert answers
        assert all(
            entry.body["agreed"] is agreed and entry.body["entry"] in self.pencil.seen
            for entry in answers
        )
        if agreed:
            do()
        else:
            assert self.new_entries() == []

    # -- crash

    @rule()
    def crash_and_reopen(self) -> None:
        """Copy the files as a kill leaves them while everything is on the disk, and reopen them; a
        question is forgotten."""
        self.journal.wait(len(self.journal.entries), DEADLINE_S)
        before = list(self.journal.entries)
        left = self.folder / f"run-{next(self.runs)}"
        left.mkdir()
        for file in self.path.parent.iterdir():
            if file.is_file() and file.name.startswith("run."):
                shutil.copy(file, left / file.name)
        self.journal.close()
        self.path = left / "run.sqlite"
        self.journal = Journal.open(self.path, wall=lambda: WALL, retry_s=0.001)
        assert list(self.journal.entries) == before
        assert self.journal.warnings == ()
        self.journal.append(RESUMED)
        self.table = small_table(self.journal, self.clock)
        assert self.new_entries() == []
        self.agreed = None

    # -- what has to hold

    @invariant()
    def the_table_shows_what_the_pencil_has(self) -> None:
        if not hasattr(self, "table"):
            return
        pencil = self.pencil
        pencil.look()
        sheet, broken = pencil.sheet(pencil.counts)
        view = self.table.view()
        assert view.game["marks"] == tuple(sheet.marks)
        assert view.game["shown"] == tuple(sheet.shown)
        assert (view.undo is not None, view.redo is not None) == (
            bool(pencil.past),
            bool(pencil.future),
        )
        assert {line.n for line in view.log if line.kind is LineKind.BROKEN} == broken
        voided = {
            line.n for line in view.log if line.kind is LineKind.VOIDED and line.n in pencil.facts
        }
        assert voided == pencil.facts - set(pencil.counts)
        assert (view.question is not None) == (self.agreed is not None)
        assert all(len(pencil.versions(n) & set(pencil.counts)) <= 1 for n in pencil.facts)


TestTableMachine: Any = TableMachine.TestCase
TestTableMachine.settings = settings(max_examples=examples(15, 100), stateful_step_count=40)
