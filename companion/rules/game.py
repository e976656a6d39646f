"""What a game is: a record of data and pure functions."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pydantic import ValidationError
from pydantic_core import to_json

from companion.rules.actions import Action
from companion.rules.facts import (
    TABLE as TABLE,
    EntryId as EntryId,
    Fact as Fact,
    Moment as Moment,
    Refused as Refused,
    Seat as Seat,
    SeatId as SeatId,
    Setup as Setup,
    ToldAs as ToldAs,
    after_the_end as after_the_end,
    body_of as body_of,
    by_kind as by_kind,
    called as called,
    ended_early as ended_early,
    private_kinds as private_kinds,
    secret_kinds as secret_kinds,
)
from companion.rules.gestures import Gesture, GestureSettings

if TYPE_CHECKING:
    from companion.rules.common import Common
    from companion.rules.continuing import Continuation
    from companion.rules.ending import GameResult
    from companion.rules.house_rules import HouseRule, Number


@dataclass(frozen=True, slots=True)
class Retraction:
    """An action that takes entries of the record back, with the sentence that says what is mended."""

    entries: tuple[int, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Step:
    """A kind of step that evidence can lead to, and that a table may want to do by hand: its name (`draws`), what it is
    called on a screen, and the kinds of facts it stands for."""

    name: str
    label: str
    kinds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Fix:
    """A mistake that a table makes often, and what puts it right.

    `label` is the table's word (`missed draw`). A fact of one of `kinds` is entered or, with `amends`, the newest
    of them is offered to be changed. A field that names an entry offers those of the kinds in `about`; empty: all.
    """

    label: str
    kinds: tuple[str, ...]
    amends: bool = False
    about: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Due:
    """What comes by itself: `act` is the id of what is then done, as `Game.act` takes it; it needs no key.

    It comes once the game's clock has run `us` microseconds since `since`, pauses left out; where no clock can tell
    (`since` is None) since the table first saw that it is due. What began in another run of the companion goes on from
    the last moment that is known of it. What it comes to is
    stamped at that instant. With `lamp` the board's lamp is lit then, and the fact has the stamp of its light; where
    there is no lamp the table's screen is the signal: `unlit` is done, or `act` where that is empty, at the time it is.
    Where it only goes on with what somebody began, `of` is the entry of that: an undo takes both back at once.
    """

    act: str
    us: int
    since: Moment | None = None
    lamp: bool = False
    unlit: str = ""
    of: int | None = None


S = TypeVar("S")
Orders = Callable[[int], Sequence[int]]
"""Draws the numbers from 1 to a number in random order."""


def _no_keys(_state: object, _action_id: str) -> Fact | Retraction:
    raise Refused("KEY", "that key does nothing in this game", do="Press another key.")


def _no_board(_state: object, _gesture: Gesture) -> Fact:
    raise Refused(
        "BOARD", "this game is played without a board", do="Press a key, or enter what happened."
    )


@dataclass(frozen=True, kw_only=True)
class Game(Generic[S]):
    """The rules of one game over an immutable state `S`: plain data and pure functions. What has a default may be left
    out by a game that has nothing of the kind."""

    id: str
    title: str
    rules_version: int
    older_versions: tuple[int, ...] = ()
    """Those before whose sessions it still folds, each as it was played."""
    seat_counts: range
    """How many may sit down."""
    house_rules: tuple[HouseRule, ...] = ()
    """The default of each comes first."""
    numbers: tuple[Number, ...] = ()
    facts: Mapping[str, type[Fact]]
    """Every kind of fact, those common to all games included."""
    steps: tuple[Step, ...] = ()
    """What evidence can lead to."""
    fixes: tuple[Fix, ...] = ()
    """The mistakes made most often, likeliest first, at most eight."""

    start: Callable[[Setup], S]
    """Returns the state before anything happened; raises `Refused` for a setup the rules do not allow."""
    apply: Callable[[S, Fact, int], S]
    """Returns the state after a fact, which is the entry of the record with that number; raises `Refused`."""
    candidates: Callable[[S], Iterable[Fact]] = lambda _: ()
    """Returns facts that the rules may allow now (without `at`); `legal` leaves out what `apply` refuses."""

    sentence: Callable[[S, S, Fact, SeatId], str]
    """Returns the sentence of a fact for the log, the undo label and transcripts as that viewer may read it, by the
    states before and after the fact. What only another seat may know is in no sentence."""
    reveals: Callable[[S, Fact], str | None] = lambda _before, _fact: None
    """Returns what a fact showed to whom and cannot be unseen (`the cards of zone 2, to everybody`), or None, by the
    state before it."""
    follows: Callable[[S, S], str] = lambda _before, _after: ""
    """Returns what a correction of the past, which led from one state to the other, made of what waits now (`AI black
    decides again: ...`); empty where that stays as it was."""
    awaiting: Callable[[S], str]
    """Returns in words what the companion waits for now, and which tap or key answers it: `actions.named` names a key,
    and `actions.PRESS` what is done with it; whoever shows the sentence puts the key there that a person has for it."""

    checklist: Callable[[S], Iterable[str]] = lambda _: ()
    """Returns what the table lays out before the first move, one step a plain line, by the state before anything
    happened: the numbers are those of this setup. Empty where a game says nothing of it."""

    settings: Callable[[Setup], GestureSettings] = lambda _: GestureSettings()
    """Returns how the board's edges are read where the session says nothing else."""
    hold_means: Callable[[S, str], bool] = lambda _state, _channel: False
    """Returns whether holding that channel means something now; where it does not, a tap fires on press."""
    interpret: Callable[[S, Gesture], Fact] = _no_board
    """Returns the fact a gesture stands for in this state; raises `Refused` where it stands for none. Whether the rules
    allow that fact is not asked here."""
    actions: Callable[[Setup], tuple[Action, ...]] = lambda _: ()
    """Returns what the keyboard can do in this game with these seats."""
    act: Callable[[S, str], Fact | Retraction] = _no_keys
    """Returns what an action stands for in this state; raises `Refused` where it stands for nothing. Whether the rules
    allow that fact is not asked here: `pressed` does."""
    due: Callable[[S], Due | None] = lambda _: None
    """Returns what happens by itself when the game's clock has run for so long, None for nothing."""
    with_orders: Callable[[Orders], Game[S]] | None = None
    """Returns this game with `orders`; None for one that nobody shuffles for."""
    orders: Orders | None = None
    """Who shuffles for it; while nobody does, what would be shuffled is entered."""

    common: Callable[[S], Common] = attrgetter("common")
    """Returns the people as they are now, what the table set by hand, and whether the clock stands still."""
    view: Callable[[S, SeatId], Any]
    """Returns the immutable view of one seat, or of `TABLE`; nothing of another seat's secrets is in it."""
    glance: Callable[[S], Any] | None = None
    """Returns what the public feed reads of the view of the table, and no more of it: what the panels' `where` and
    `clock` take, and `seats` for a line without its note and words. A long record has many thousand of these. None: the
    feed takes the whole view."""
    over: Callable[[S], bool]
    """Returns whether the game has its result."""
    result: Callable[[S], GameResult] | None = None
    """Returns who won and how the scores came about, as far as everybody may know; None: who has most points wins."""
    standings: Callable[[S], Mapping[SeatId, int]]
    """Returns the score of each seat so far, in the order of the seats."""
    summary: Callable[[S], tuple[str, ...]]
    """Returns the result so far as plain lines: the scores (`score_lines` will do), then what is open, with keys as in
    `awaiting`."""
    report: Callable[[S], Mapping[str, Any]] = lambda _: {}
    """Returns what `summary` says beyond the scores as plain JSON values."""

    continuation: Continuation | None = None
    """How it goes on from what everybody could see, where its record is lost; None: only its scores do."""

    def advance(self, state: S, fact: Fact, entry: int) -> S:
        """Return the state after a fact as `apply` does; raise `Refused` too for all that comes after the table ended
        the game early, and for ending a game early that is over."""
        if self.common(state).abandoned is not None:
            raise ended_early()
        if fact.kind == "abandon" and self.over(state):
            raise after_the_end("ENDED")
        return self.apply(state, fact, entry)

    def pressed(self, state: S, action_id: str) -> Fact | Retraction:
        """Return what an action stands for in this state, as `act` does; raise `Refused` too where the rules refuse
        that fact, and for every action once the table has ended the game early."""
        if self.common(state).abandoned is not None:
            raise ended_early()
        meant = self.act(state, action_id)
        if isinstance(meant, Fact):
            self.advance(state, meant, 1)
        return meant

    def gestured(self, state: S, gesture: Gesture) -> Fact:
        """Return the fact that a gesture stands for, as `interpret` does; raise `Refused` too for every gesture once
        the table has ended the game early."""
        if self.common(state).abandoned is not None:
            raise ended_early()
        return self.interpret(state, gesture)

    def ended(self, state: S) -> bool:
        """Return whether the game has its result, or the table ended it early."""
        return self.over(state) or self.common(state).abandoned is not None

    def legal(self, state: S) -> tuple[Fact, ...]:
        """Return those of the candidates that the rules allow, sorted by kind and body, each once."""
        return in_order(fact for fact in self.candidates(state) if self.allows(state, fact))

    def allows(self, state: S, fact: Fact) -> bool:
        """Return whether the rules allow that fact now."""
        try:
            self.advance(state, fact, 1)
        except Refused:
            return False
        return True

    def parse(self, kind: str, body: Mapping[str, Any], *, to_people: bool = False) -> Fact:
        """Return the fact; raise `Refused` (clause `FORMAT`) for an unknown kind or a body that does not fit it, with a
        field called as in a file or, `to_people`, as in a form."""
        if kind not in self.facts:
            raise Refused("FORMAT", f"there is no fact {kind!r}", f"one of {', '.join(self.facts)}")
        try:
            return self.facts[kind].model_validate_json(
                _as_json({**body, "kind": kind}), strict=True
            )
        except ValidationError as error:
            reason, expected = _unfit(self.facts[kind], error, to_people=to_people)
            raise Refused(
                "FORMAT", reason if to_people else f"{kind}: {reason}", expected
            ) from error
        except (TypeError, ValueError) as error:
            raise Refused("FORMAT", f"{kind}: {error}", _shape(self.facts[kind])) from error

    def shuffled_by(self, orders: Orders) -> Game[S]:
        """Return this game with somebody who shuffles for it where it asks for that; what is drawn stands in facts."""
        return self if self.with_orders is None else self.with_orders(orders)

    def describe(self, before: S, fact: Fact, viewer: SeatId = TABLE) -> str:
        """Return the sentence of a fact that is not applied yet, or no more; of one that the rules refuse, why. Of a
        secret not even its refusal says what it is."""
        try:
            after = self.advance(before, fact, 1)
        except Refused as refusal:
            hidden = fact.secret and viewer != getattr(fact, "seat", None)
            return f"{fact.kind.replace('_', ' ')}: {f'not possible ({refusal.clause})' if hidden else refusal}"
        return self.sentence(before, after, fact, viewer)


def in_order(facts: Iterable[Fact]) -> tuple[Fact, ...]:
    """Return the facts sorted by kind and body, each once."""
    return tuple(sorted(set(facts), key=lambda fact: (fact.kind, fact.model_dump_json())))


def score_lines(setup: Setup, scores: Mapping[SeatId, int]) -> tuple[str, ...]:
    """Return a line for each seat with its score."""
    return tuple(f"{seat.name}: {scores[seat.id]}" for seat in setup.seats)


def beside_scores(
    lines: Sequence[str], setup: Setup, scores: Mapping[SeatId, int]
) -> tuple[str, ...]:
    """Return the lines of a summary without those of `score_lines`, for where the scores stand anyway."""
    told = (
        set(score_lines(setup, scores))
        if scores.keys() >= {seat.id for seat in setup.seats}
        else set()
    )
    return tuple(line for line in lines if line not in told)


def _as_json(body: Mapping[str, Any]) -> bytes | str:
    """The text of a body; raises `TypeError` or `ValueError` for what is no JSON."""
    try:
        return to_json(body)  # a quarter of the time, which a long record is long in
    except ValueError:  # half a character, say: the fact says what does not fit
        return json.dumps(body)


def _unfit(fact: type[Fact], error: ValidationError, *, to_people: bool) -> tuple[str, str]:
    """What is wrong with a body in our own words, and what would fit."""
    from companion.rules.form_fields import asked_for
    from companion.rules.forms import fields_of

    first = error.errors()[0]
    name, *within = (str(part) for part in first["loc"] or ("",))
    asked = next((one for one in fields_of(fact, Setup("", 1, ())) if one.name == name), None)
    expected = _shape(fact) if asked is None else asked_for(asked)
    where = asked.label if asked is not None and to_people else ".".join((name, *within))
    if first["type"] == "value_error":  # the game's own sentence
        return ": ".join(filter(None, (where, str(first["ctx"]["error"])))), expected
    if first["type"] == "extra_forbidden" and not within:
        return f"nothing takes {name!r}", expected
    if first["type"] == "missing":
        return f"{where} is missing", expected
    return f"{where}: {_short(first['input'])} does not fit".removeprefix(": "), expected


def _short(value: object, most: int = 40) -> str:
    said = json.dumps(value, ensure_ascii=False, default=str)
    return said if len(said) <= most else f"{said[:most]}..."


def _shape(fact: type[Fact]) -> str:
    kind, fields = fact.model_fields["kind"].default, fact.model_fields
    named = [
        name if field.is_required() else f"[{name}]"
        for name, field in fields.items()
        if name != "kind"
    ]
    return f"{kind} with {', '.join(named)}"
