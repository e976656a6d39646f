"""The interface of a game: a record of data and pure functions."""

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
    """The result of an action that voids entries of the record, with the sentence that says what is corrected."""

    entries: tuple[int, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Step:
    """A step that is automatic by default and that a table may do by hand: its name (`draws`), its label on a screen,
    and the kinds of facts that it covers."""

    name: str
    label: str
    kinds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Fix:
    """A frequent mistake, and how a form corrects it.

    `label` names the mistake (`missed draw`). The form enters a fact of one of `kinds` or, with `amends`, offers the
    newest of them for a change. A field that names an entry offers those of the kinds `about`, or all if that is empty.
    """

    label: str
    kinds: tuple[str, ...]
    amends: bool = False
    about: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Due:
    """An action that happens by itself: `act` is its id for `Game.act`, and it needs no key.

    It happens once the game's clock has run `us` microseconds since `since`, pauses not counted; if `since` is None,
    since the table first saw that it is due. If the wait began in an earlier run of the companion, it continues from
    the last moment known. The fact is stamped at that instant.

    With `lamp`, the board lights its lamp, and the fact has the stamp of the light. Without a lamp the screen is the
    signal: then the action is `unlit`, or `act` if that is empty, stamped when it is done. If it only continues what
    somebody began, `of` is the entry of that, and one undo voids both.
    """

    act: str
    us: int
    since: Moment | None = None
    lamp: bool = False
    unlit: str = ""
    of: int | None = None


S = TypeVar("S")
Orders = Callable[[int], Sequence[int]]
"""Returns the numbers from 1 to its argument in random order."""


def _no_keys(_state: object, _action_id: str) -> Fact | Retraction:
    raise Refused("KEY", "that key does nothing in this game", do="Press another key.")


def _no_board(_state: object, _gesture: Gesture) -> Fact:
    raise Refused(
        "BOARD", "this game is played without a board", do="Press a key, or enter what happened."
    )


@dataclass(frozen=True, kw_only=True)
class Game(Generic[S]):
    """The rules of one game over an immutable state `S`: plain data and pure functions.

    Fields with a default are optional.
    """

    id: str
    title: str
    rules_version: int
    older_versions: tuple[int, ...] = ()
    """Earlier versions whose sessions it still folds as they were played."""
    seat_counts: range
    """The possible numbers of seats."""
    house_rules: tuple[HouseRule, ...] = ()
    """The first alternative of each is its default."""
    numbers: tuple[Number, ...] = ()
    facts: Mapping[str, type[Fact]]
    """All kinds of facts, including those of every game (`COMMON_FACTS`)."""
    steps: tuple[Step, ...] = ()
    """The steps that evidence can lead to."""
    fixes: tuple[Fix, ...] = ()
    """The most frequent mistakes, likeliest first, at most eight."""

    start: Callable[[Setup], S]
    """Returns the state before the first fact; raises `Refused` for a setup that the rules do not allow."""
    apply: Callable[[S, Fact, int], S]
    """Returns the state after a fact, whose number in the record is given too; raises `Refused`."""
    candidates: Callable[[S], Iterable[Fact]] = lambda _: ()
    """Returns facts that may be possible now (without `at`); `legal` drops those that `apply` refuses."""

    sentence: Callable[[S, S, Fact, SeatId], str]
    """Returns the sentence of a fact for the log, the undo label and transcripts as that viewer may read it, from the
    states before and after the fact. It must not contain what only another seat may know."""
    reveals: Callable[[S, Fact], str | None] = lambda _before, _fact: None
    """Returns what a fact showed to whom and nobody can forget (`the cards of zone 2, to everybody`), or None, from the
    state before it."""
    follows: Callable[[S, S], str] = lambda _before, _after: ""
    """Returns how a correction of the past, which led from the first state to the second, changed what is pending (`AI
    black decides again: ...`); empty if it did not."""
    awaiting: Callable[[S], str]
    """Returns the prompt: what the companion waits for, and which tap or key answers it. `actions.named` marks a key
    and `actions.PRESS` its verb; the screen replaces them with the reader's own key."""

    checklist: Callable[[S], Iterable[str]] = lambda _: ()
    """Returns what the table sets up before the first move, one plain line per step, from the state before the first
    fact, with the numbers of this setup."""

    settings: Callable[[Setup], GestureSettings] = lambda _: GestureSettings()
    """Returns how the board's edges are read, unless the session has settings of its own."""
    hold_means: Callable[[S, str], bool] = lambda _state, _channel: False
    """Returns whether a hold of that channel has a meaning now; if not, a tap counts on press."""
    interpret: Callable[[S, Gesture], Fact] = _no_board
    """Returns the fact that a gesture means in this state; raises `Refused` if it means none. Whether the rules allow
    that fact is not decided here."""
    actions: Callable[[Setup], tuple[Action, ...]] = lambda _: ()
    """Returns the actions of the keyboard in this game with these seats."""
    act: Callable[[S, str], Fact | Retraction] = _no_keys
    """Returns what an action means in this state; raises `Refused` if it means nothing. Whether the rules allow that
    fact is not decided here, but in `pressed`."""
    about: Callable[[S, Fact], Fact] = lambda _, fact: fact
    """Returns the fact with what it is about in this state, if it leaves that open: it is recorded like this, so that a
    later correction of the past does not give it another meaning."""
    due: Callable[[S], Due | None] = lambda _: None
    """Returns what happens next by itself when the game's clock has run long enough, or None."""
    with_orders: Callable[[Orders], Game[S]] | None = None
    """Returns this game with `orders`; None if the companion shuffles nothing for it."""
    orders: Orders | None = None
    """Shuffles for the game; while it is None, people enter what they shuffled."""

    common: Callable[[S], Common] = attrgetter("common")
    """Returns the people as they are now, what the table set by hand, and whether the clock is stopped."""
    view: Callable[[S, SeatId], Any]
    """Returns the immutable view of one seat, or of `TABLE`, without the secrets of other seats."""
    glance: Callable[[S], Any] | None = None
    """Returns only the part of the table's view that the public feed reads: what the panels' `where` and `clock` take,
    and `seats` for a line without its note and words. The feed makes one for each entry of a record. None: it makes the
    whole view."""
    over: Callable[[S], bool]
    """Returns whether the game has its result."""
    result: Callable[[S], GameResult] | None = None
    """Returns who won and the scores after each round, as far as everybody may know; None: the highest score wins."""
    standings: Callable[[S], Mapping[SeatId, int]]
    """Returns the score of each seat so far, in the order of the seats."""
    summary: Callable[[S], tuple[str, ...]]
    """Returns the result so far as plain lines: the scores (`score_lines`), then what is open, with keys marked as in
    `awaiting`."""
    report: Callable[[S], Mapping[str, Any]] = lambda _: {}
    """Returns the contents of `summary` beyond the scores as plain JSON values."""

    continuation: Continuation | None = None
    """How the game is continued from what everybody could see if its record is lost; None: by its scores alone."""

    def advance(self, state: S, fact: Fact, entry: int) -> S:
        """Return the state after a fact, as `apply` does.

        Raise `Refused` also for everything after the table ended the game early, and for ending a finished game.
        """
        if self.common(state).abandoned is not None:
            raise ended_early()
        if fact.kind == "abandon" and self.over(state):
            raise after_the_end("ENDED")
        return self.apply(state, fact, entry)

    def pressed(self, state: S, action_id: str) -> Fact | Retraction:
        """Return what an action means in this state, as `act` does.

        Raise `Refused` also if the rules refuse that fact, and for every action after the table ended the game early.
        """
        if self.common(state).abandoned is not None:
            raise ended_early()
        meant = self.act(state, action_id)
        if not isinstance(meant, Fact):
            return meant
        meant = self.about(state, meant)
        self.advance(state, meant, 1)
        return meant

    def gestured(self, state: S, gesture: Gesture) -> Fact:
        """Return the fact that a gesture means, as `interpret` does.

        Raise `Refused` also for every gesture after the table ended the game early.
        """
        if self.common(state).abandoned is not None:
            raise ended_early()
        return self.about(state, self.interpret(state, gesture))

    def ended(self, state: S) -> bool:
        """Return whether the game has its result or the table ended it early."""
        return self.over(state) or self.common(state).abandoned is not None

    def legal(self, state: S) -> tuple[Fact, ...]:
        """Return the candidates that the rules allow, sorted by kind and body, each once."""
        return in_order(fact for fact in self.candidates(state) if self.allows(state, fact))

    def allows(self, state: S, fact: Fact) -> bool:
        """Return whether the rules allow that fact now."""
        try:
            self.advance(state, fact, 1)
        except Refused:
            return False
        return True

    def parse(self, kind: str, body: Mapping[str, Any], asked: Setup | None = None) -> Fact:
        """Return the fact of that kind with that body.

        Raise `Refused` (clause `FORMAT`) for an unknown kind or a body that does not fit it. The reason names fields as
        in a file or, if people were `asked` for them in a session with that setup, as in its forms.
        """
        if kind not in self.facts:
            raise Refused("FORMAT", f"there is no fact {kind!r}", f"one of {', '.join(self.facts)}")
        model = self.facts[kind]
        try:
            return model.model_validate_json(_as_json({**body, "kind": kind}), strict=True)
        except ValidationError as error:
            reason, expected = _misfit(model, error, asked)
            if asked is None:
                reason = f"{kind}: {reason}"
            raise Refused("FORMAT", reason, expected) from error
        except (TypeError, ValueError) as error:
            raise Refused("FORMAT", f"{kind}: {error}", _usage(model)) from error

    def shuffled_by(self, orders: Orders) -> Game[S]:
        """Return this game with `orders` to shuffle for it, if it needs that; facts record what they return."""
        return self if self.with_orders is None else self.with_orders(orders)

    def describe(self, before: S, fact: Fact, viewer: SeatId = TABLE) -> str:
        """Return the sentence of a fact that is not applied, or of one that the rules refuse, with the reason.

        Of a secret fact not even the reason is shown to others, because it could tell what the fact is.
        """
        try:
            after = self.advance(before, fact, 1)
        except Refused as refusal:
            why = str(refusal)
            if fact.secret and viewer != getattr(fact, "seat", None):
                why = f"not possible ({refusal.clause})"
            return f"{fact.kind.replace('_', ' ')}: {why}"
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
    """Return the lines of a summary without those of `score_lines`, for a place that shows the scores anyway."""
    if not scores.keys() >= {seat.id for seat in setup.seats}:
        return tuple(lines)
    of_scores = score_lines(setup, scores)
    return tuple(line for line in lines if line not in of_scores)


def _as_json(body: Mapping[str, Any]) -> bytes | str:
    """Return a body as JSON; raise `TypeError` or `ValueError` if it is none."""
    try:
        # In a quarter of the time of json.dumps; a long record has many thousand bodies.
        return to_json(body)
    except ValueError:
        # A lone surrogate, for example. json.dumps accepts it, and the model then says which field does not fit.
        return json.dumps(body)


def _misfit(fact: type[Fact], error: ValidationError, asked: Setup | None) -> tuple[str, str]:
    """Return why a body does not fit, in our own words, and what would."""
    from companion.rules.form_fields import asked_for
    from companion.rules.forms import fields_of

    first = error.errors()[0]
    name, *within = (str(part) for part in first["loc"] or ("",))
    setup = Setup("", 1, ()) if asked is None else asked
    fields = {field.name: field for field in fields_of(fact, setup)}
    expected, where = _usage(fact), ".".join((name, *within))
    if name in fields:
        expected = asked_for(fields[name])
        if asked is not None:
            where = fields[name].label
    match first["type"]:
        case "value_error":  # raised by a validator of the game, with a sentence of its own
            return _joined(where, str(first["ctx"]["error"])), expected
        case "extra_forbidden" if not within:
            return f"nothing takes {name!r}", expected
        case "missing":
            return f"{where} is missing", expected
    return _joined(where, f"{_short_json(first['input'])} does not fit"), expected


def _joined(where: str, reason: str) -> str:
    """Return `where: reason`; pydantic leaves `where` empty for the body as a whole."""
    return ": ".join(part for part in (where, reason) if part)


def _short_json(value: object, most: int = 40) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= most else f"{text[:most]}..."


def _usage(fact: type[Fact]) -> str:
    """Return the kind with its fields: `draw with seat, [at]`."""
    names: list[str] = []
    for name, field in fact.model_fields.items():
        if name not in ("kind", *fact.unasked):
            names.append(name if field.is_required() else f"[{name}]")
    return f"{fact.model_fields['kind'].default} with {', '.join(names)}"
