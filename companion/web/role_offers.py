"""What a page of a role can offer now: the facts that the rules allow, in words that everybody may read.

A sentence about something that has not happened must not tell what only its happening would show. So a fact that would
reveal something, or end a game with secrets, is offered by the name of its kind alone.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from companion.display.panels import panels_of
from companion.journal.entries import Layer
from companion.rules.actions import Action
from companion.rules.clauses import without_clauses
from companion.rules.facts import (
    TABLE,
    Fact,
    Moment,
    Refused,
    Setup,
    body_of,
    secret_kinds,
)
from companion.rules.form_fields import NOBODY, FormField
from companion.rules.forms import fields_of
from companion.rules.game import Game
from companion.rules.pauses import paused_between
from companion.rules.pausing import stopped_kinds
from companion.session.game_watch import GameStopped, aborted_as_stopped
from companion.session.key_meanings import OWN
from companion.session.marshal_view import newest_evidence
from companion.session.projection import SessionProjection
from companion.session.views import LineKind, TableView
from companion.web.board_procedures import NO_PROCEDURE, Procedure
from companion.web.role_choices import Choice, Names, names_of
from companion.web.role_kinds import OF_EVERY_GAME, KindForm, form_data, forms_of

if TYPE_CHECKING:
    from companion.session.table import Table

MOST_RULINGS = 40
"""The newest rulings that can be corrected on a page; a laptop has all of them."""
MOST_EVIDENCE = 12
"""The newest reports of the board that a page shows."""
_OWN_IDS = frozenset(action.id for action in OWN)


@dataclass(frozen=True, slots=True)
class Ruling:
    """A ruling, by the number that people see. `words` are the answers of its form; None for what only a seat itself
    may correct."""

    number: int
    kind: str
    text: str
    time: str
    stands: bool
    problem: bool
    words: Mapping[str, str] | None


@dataclass(frozen=True, slots=True)
class RoundTime:
    """How long the round's clock has run, in microseconds, at the moment `at_us` of the host's clock, and whether it
    runs on."""

    ran_us: int
    at_us: int
    runs: bool


@dataclass(frozen=True, slots=True)
class Offers:
    """What a page can offer beside the actions: facts by kind, forms, rulings to correct, the steps before the first
    move, and what the board reported last. `told_as` maps the actions that work now to the kind of event that they
    make."""

    choices: Mapping[str, tuple[Choice, ...]] = field(default_factory=dict)
    forms: tuple[KindForm, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    checklist: tuple[str, ...] = ()
    told_as: Mapping[str, str] = field(default_factory=dict)
    evidence: tuple[str, ...] = ()
    awaiting: str = ""
    """The prompt with markers for keys, see `actions.without_keys`."""
    of_board: frozenset[str] = frozenset()
    """The kinds of facts that the board's reports become."""
    stopped: frozenset[str] = frozenset()
    """The kinds of facts that the pause refuses; none while the game is running."""
    names: Names = field(default_factory=dict)
    """What people call the values of fields."""
    form_data: str = ""
    """The forms as the page's script takes them."""
    time: RoundTime | None = None
    """None while no clock runs, or if nobody can know what it reads."""
    procedure: Procedure = NO_PROCEDURE
    """The board's selftest or calibration."""
    has_laptop: bool = True
    """Whether the program has a screen of its own beside the pages."""


NOTHING = Offers()


class RoleOffers:
    """The offers of a record, worked out again only for another state or a longer record. One thread uses it."""

    def __init__(self) -> None:
        self._of: tuple[object, int] = (None, -1)
        self._now = NOTHING
        self._state: object = None
        self._choices: Mapping[str, tuple[Choice, ...]] = {}
        self._told_as: Mapping[str, str] = {}
        self._stopped: frozenset[str] = frozenset()
        # Names outlast the state that told them: the next one may offer the same values without a sentence.
        self._names: dict[tuple[str, str], str] = {}
        self._setup: Setup | None = None
        self._forms: tuple[KindForm, ...] = ()
        self._form_data = ""

    def of(self, record: SessionProjection, actions: Sequence[Action]) -> Offers:
        """Return what can be offered now; the record does not change meanwhile. `actions` are the table's."""
        if self._of == (record.state, len(record.entries)):
            return self._now
        self._of = record.state, len(record.entries)
        setup = record.common.setup
        if setup != self._setup:
            self._setup, self._forms = setup, forms_of(record.game, setup)
            self._form_data = form_data(setup, self._forms)
        if record.state is not self._state:
            self._state = record.state
            self._choices, self._told_as, self._stopped = {}, {}, frozenset()
            # A foreign game that hangs here is not asked again in this state.
            with suppress(GameStopped), aborted_as_stopped():
                self._choices, self._told_as = choices_of(record, actions)
                kinds = [form.kind for form in self._forms]
                self._stopped = stopped_kinds(record.game, record.state, kinds)
                listed = [
                    (form, self._choices[form.kind])
                    for form in self._forms
                    if form.kind in self._choices
                ]
                self._names = self._names | names_of(listed)
        rulings = rulings_of(record, self._entries_to_name())
        self._now = Offers(
            self._choices,
            self._forms,
            rulings,
            checklist_of(record),
            self._told_as,
            newest_evidence(record.entries, MOST_EVIDENCE),
            record.awaiting,
            frozenset(kind for step in record.game.steps for kind in step.kinds),
            self._stopped,
            self._names | self._names_of_entries(rulings),
            self._form_data,
        )
        return self._now

    def _names_of_entries(self, rulings: Sequence[Ruling]) -> dict[tuple[str, str], str]:
        """Return the lines of the log, by each field that takes an entry and by their numbers."""
        fields = {
            asked.name for form in self._forms for asked in form.fields if asked.kind == "entry"
        }
        return {(name, str(line.number)): line.text for name in fields for line in rulings}

    def _entries_to_name(self) -> frozenset[str]:
        """Return the numbers of the rulings that a possible fact names, such as a shot to promote."""
        found = set()
        for form in self._forms:
            for asked in form.fields:
                if asked.kind == "entry":
                    for choice in self._choices.get(form.kind, ()):
                        found.add(choice.words.get(asked.name, ""))
        return frozenset(found)


def choices_of(
    record: SessionProjection, actions: Sequence[Action]
) -> tuple[Mapping[str, tuple[Choice, ...]], Mapping[str, str]]:
    """Return the possible facts by kind, and how the public feed tells what each action means."""
    game, state = record.game, record.state
    facts, by_fact, told_as = _meant_by(record, actions)
    if game.ended(state):
        return {}, told_as
    for candidate in game.candidates(state):
        fact = game.about(state, candidate)
        facts.setdefault(_key(fact), fact)
    secret = secret_kinds(game.facts)
    left_out = secret | OF_EVERY_GAME | {_due(record)}
    setup = record.common.setup
    choices: dict[str, list[Choice]] = {}
    asked: dict[str, tuple[FormField, ...]] = {}
    for key, fact in sorted(facts.items()):
        if fact.kind in left_out:
            continue
        possible, sentence = _sentence(game, state, fact, may_hide=bool(secret))
        if not possible:
            continue
        if fact.kind not in asked:
            asked[fact.kind] = fields_of(game.facts[fact.kind], setup)
        words = words_of(asked[fact.kind], body_of(fact), record.number)
        choice = Choice(fact.kind, words, sentence, by_fact.get(key, ""))
        choices.setdefault(fact.kind, []).append(choice)
    return {kind: tuple(of_kind) for kind, of_kind in choices.items()}, told_as


_FactKey = tuple[str, str]


def _meant_by(
    record: SessionProjection, actions: Sequence[Action]
) -> tuple[dict[_FactKey, Fact], dict[_FactKey, str], dict[str, str]]:
    """Return the facts that actions mean now, the action of each, and how the feed tells them."""
    facts: dict[_FactKey, Fact] = {}
    by_fact: dict[_FactKey, str] = {}
    told_as: dict[str, str] = {}
    for action in actions:
        if action.id in _OWN_IDS:
            continue
        try:
            meant = record.still_game.pressed(record.state, action.id)
        except Refused as refusal:
            if refusal.hidden:  # nobody may see beforehand that it would be refused
                told_as[action.id] = "ruling"
            continue
        told_as[action.id] = "ruling"
        if isinstance(meant, Fact):
            told_as[action.id] = meant.told_as
            facts[_key(meant)] = meant
            by_fact.setdefault(_key(meant), action.id)
    return facts, by_fact, told_as


def _due(record: SessionProjection) -> str:
    """Return the kind of fact that comes by itself, so nobody needs to enter it; "" for none."""
    with suppress(Refused):
        due = record.game.due(record.state)
        if due is not None:
            meant = record.still_game.act(record.state, due.act)
            return meant.kind if isinstance(meant, Fact) else ""
    return ""


def _key(fact: Fact) -> _FactKey:
    return fact.kind, fact.model_dump_json(exclude={"at"})


def _sentence(game: Game[Any], state: Any, fact: Fact, *, may_hide: bool) -> tuple[bool, str]:
    """Return whether a fact is possible as far as everybody may know, and what would be said of it."""
    try:
        after = game.advance(state, fact, 1)
    except Refused as refusal:
        return refusal.hidden, ""
    if may_hide and (game.ended(after) or game.reveals(state, fact) is not None):
        return True, ""
    return True, without_clauses(game.sentence(state, after, fact, TABLE))


def words_of(
    fields: Sequence[FormField], body: Mapping[str, Any], number: Callable[[int], int]
) -> dict[str, str]:
    """Return the answers that a form takes for a body; entries are named by the numbers that people see."""
    words = {}
    for asked in fields:
        if asked.name in body:
            words[asked.name] = _word(asked, body[asked.name], number)
    return words


def _word(asked: FormField, value: Any, number: Callable[[int], int]) -> str:
    if value is None:
        return NOBODY
    if isinstance(value, bool):
        return "yes" if value else "no"
    if asked.kind == "entry":
        return str(number(value))
    if asked.kind in ("seat", "choice", "number", "text"):
        return str(value)
    return json.dumps(value)


def rulings_of(
    record: SessionProjection, also: Collection[str] = frozenset()
) -> tuple[Ruling, ...]:
    """Return the newest rulings, newest first, in the words of the log; of older ones those whose numbers are in
    `also`."""
    secret = secret_kinds(record.game.facts)
    asked: dict[str, tuple[FormField, ...]] = {}
    setup = record.common.setup
    rulings: list[Ruling] = []
    for line in reversed(record.log.lines(record.problems, record.stands)):
        entry = record.entry(line.n)
        if entry is None or entry.layer is not Layer.FACT or record.is_private(line.n):
            continue
        if len(rulings) >= MOST_RULINGS and str(record.number(line.n)) not in also:
            continue
        words = None
        if entry.kind not in secret and entry.kind in record.game.facts:
            if entry.kind not in asked:
                asked[entry.kind] = fields_of(record.game.facts[entry.kind], setup)
            words = words_of(asked[entry.kind], entry.body, record.number)
        broken = line.kind is LineKind.BROKEN and entry.kind not in secret
        rulings.append(
            Ruling(
                record.number(line.n), entry.kind, without_clauses(record.text(line.n)), line.time,
                record.stands(line.n), broken, words,
            )
        )  # fmt: skip
    return tuple(rulings)


def checklist_of(record: SessionProjection) -> tuple[str, ...]:
    """Return what the table sets up, until the first fact that everybody may know of."""
    if not all(record.is_private(n) for n in record.timeline.order.facts):
        return ()
    return tuple(without_clauses(line) for line in record.game.checklist(record.state))


def round_time(view: TableView, table: Table) -> RoundTime | None:
    """Return how long the clock of the round has run."""
    clock = panels_of(view.setup.game).clock(view.game)
    if clock is None or view.ended:
        return None
    start, pauses = clock
    reading_us = table.reading_us(start.clock)
    if reading_us is None:
        return None
    now = Moment(us=reading_us, clock=start.clock)
    stopped = paused_between(pauses, view.paused, start, now)
    if stopped is None:
        return None
    return RoundTime(now.us - start.us - stopped.us, table.now_us(), not view.paused)
