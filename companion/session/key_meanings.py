"""The meanings of a table's keys at a moment: its own actions, and temporary overrides. Pure.

A person decides on a key by what is on the screen, and presses it a quarter of a second later. If
the board, the clock or a question changed the key's meaning in between, that is not what they
meant: such a key has to wait a moment.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, Generic, NamedTuple, TypeVar

from companion.rules.actions import (
    FIRST_PRESS,
    Action,
    KeyMap,
    either,
    key_name,
    remapped,
    typed_key_first,
    with_keys,
)
from companion.rules.facts import Fact, Refused, Setup, after_the_end, ended_early
from companion.rules.game import Game, Retraction
from companion.session.consent import Asked
from companion.session.corrections import closings, facts_of
from companion.session.game_watch import GameStopped, aborted_as_stopped
from companion.session.interpreter import Proposed
from companion.session.projection import SessionProjection
from companion.session.spare_board import BoardAsked

GROUP = "record"
UNDO = Action(
    "table.undo",
    ("u",),
    "undo",
    "Undo the last ruling or correction; repeat for earlier ones.",
    GROUP,
    True,
)
REDO = Action("table.redo", ("y",), "redo", "Restore what undo removed.", GROUP)
PAUSE = Action("table.pause", ("z",), "pause", "Stop the game's clock, or start it again.", GROUP)
ACCEPT = Action("table.accept", (), "accept", "Record the proposal.", GROUP)
DISMISS = Action(
    "table.dismiss", (), "drop", "Discard the proposal; the board's entry stays.", GROUP
)
UNDO_RUN = Action(
    "table.undo-run", (), "undo this run", "Undo everything a flickering contact did.", GROUP
)
AGREE = Action("table.agree", (), "yes", "Everybody agrees to the question.", GROUP)
DISAGREE = Action("table.disagree", (), "no", "Somebody does not agree: nothing changes.", GROUP)
OWN = (UNDO, REDO, PAUSE, ACCEPT, DISMISS, UNDO_RUN, AGREE, DISAGREE)


class Keyboard:
    """The actions of the keyboard at a table, with a person's own keys (action id -> keys). With
    `typed`, the names of keys are typed as lines."""

    def __init__(self, game: Game[Any], setup: Setup, keys: KeyMap, *, typed: bool = False) -> None:
        self._game = game
        self._keys = keys
        self._typed = typed
        self._named = keys
        self._setup: Setup | None = None
        self._actions: tuple[Action, ...] = ()
        self.actions(setup)

    def actions(self, setup: Setup) -> tuple[Action, ...]:
        """Return the game's actions with these seats, then the table's own; cached for the same
        seats."""
        if setup != self._setup:
            actions = remapped((*self._game.actions(setup), *OWN), self._keys)
            if self._typed:
                actions = tuple(map(typed_key_first, actions))
                self._named = {action.id: action.keys for action in actions}
            self._setup, self._actions = setup, actions
        return self._actions

    def sentence(self, text: str, *, board: bool = False) -> str:
        """Return a sentence with the keys of the actions it names, for a table with a `board` or
        without (`actions.with_keys`)."""
        return with_keys(text, self._named, typed=self._typed, board=board)


_TO_PROPOSAL: Mapping[str, str] = {"enter": ACCEPT.id, "escape": DISMISS.id}
_TO_RUN: Mapping[str, str] = {**_TO_PROPOSAL, "u": UNDO_RUN.id}
_TO_QUESTION: Mapping[str, str] = {"enter": AGREE.id, "escape": DISAGREE.id}
Question = Asked | BoardAsked
_ANSWERS: Mapping[str, tuple[type, ...]] = {
    ACCEPT.id: (Proposed,),
    DISMISS.id: (Proposed,),
    UNDO_RUN.id: (Proposed,),
    AGREE.id: (Asked, BoardAsked),
    DISAGREE.id: (Asked, BoardAsked),
}

Waiting = Proposed | Question | None
"""The unanswered question or proposal that is shown; a question comes before a proposal."""


class KeyContext(NamedTuple):
    """All that the meaning of a key depends on. `undo` and `redo` are the entries that these would
    take; `run` is the last run of closings of a contact, see `Intake.last_run`."""

    state: Any
    undo: int | None
    redo: int | None
    waiting: Waiting
    run: tuple[int, int] | None = None


def key_context(
    record: SessionProjection, waiting: Waiting, run: tuple[int, int] | None = None
) -> KeyContext:
    """Return the context now."""
    return KeyContext(
        record.state,
        record.timeline.steps.undo_target,
        record.timeline.steps.redo_target,
        waiting,
        run,
    )


def overrides(waiting: Waiting) -> Mapping[str, str]:
    """Return the keys that temporarily mean another action: key -> action id."""
    if waiting is None:
        return {}
    if isinstance(waiting, Question):
        return _TO_QUESTION
    return _TO_PROPOSAL if waiting.run_from is None else _TO_RUN


def yes_and_no(waiting: Waiting, actions: tuple[Action, ...], works: Callable[[str], bool]) -> str:
    """Return a sentence with the keys that answer the yes-or-no question asked now: the table's, else one of a game
    whose actions are labelled yes and no; empty if none is asked."""
    if waiting is not None:
        yes, no = either("Enter", "enter"), either("Esc", "esc")
    else:
        by_label = {
            action.label: action
            for action in actions
            if action.label in ("yes", "no") and action.keys
        }
        if len(by_label) < 2 or not all(works(action.id) for action in by_label.values()):
            return ""
        yes, no = (key_name(by_label[label].keys[0]) for label in ("yes", "no"))
    return f"{FIRST_PRESS} {yes} for yes, {no} for no."


def meaning(record: SessionProjection, action: Action, at: KeyContext) -> object:
    """Return what the keys of `action` mean at a moment, or None for nothing. Values are equal
    exactly if the meanings are.

    If a question or proposal overrides one of the keys, that is its meaning, whatever `action` is.
    """
    try:
        return _meant(record, action, at)
    except Refused:
        return None


def _meant(record: SessionProjection, action: Action, at: KeyContext) -> object:
    """Return the same, or raise the game's `Refused`."""
    is_run_proposed = isinstance(at.waiting, Proposed) and at.waiting.run_from is not None
    if action.id == UNDO_RUN.id and not is_run_proposed:
        if at.run is not None and facts_of(record, closings(record, *at.run)):
            return action.id, at.run
        return None
    if action.id in _ANSWERS:
        return (action.id, at.waiting) if isinstance(at.waiting, _ANSWERS[action.id]) else None
    if overrides(at.waiting).keys() & set(action.keys):
        return at.waiting
    if action.id == REDO.id and isinstance(at.waiting, Question):
        return None  # its key, y, is pressed for yes
    if action.id in (UNDO.id, REDO.id):
        return at.undo if action.id == UNDO.id else at.redo
    if action.id == PAUSE.id:
        return pause_kind(record.game, at.state)
    return record.still_game.pressed(at.state, action.id)


def pause_kind(game: Game[Any], state: Any) -> str:
    """Return the kind of fact that the pause key enters; raise `Refused` once the game has ended,
    except for ending a pause in which it did."""
    common = game.common(state)
    if common.abandoned is not None:
        raise ended_early()
    if common.paused:
        return "unpause"
    if game.over(state):
        raise after_the_end("ENDED")
    return "pause"


class HungKeys:
    """The actions for which a foreign game hung in its current state; it is not asked for them
    again."""

    def __init__(self) -> None:
        self._state: object = None
        self._ids: frozenset[str] = frozenset()

    def add(self, action_id: str, state: object) -> None:
        """Add an action that was stopped."""
        self._ids = self.of(state) | {action_id}
        self._state = state

    def of(self, state: object) -> frozenset[str]:
        """Return the actions for a state."""
        return self._ids if self._state is state else frozenset()


def working(
    record: SessionProjection,
    actions: tuple[Action, ...],
    at: KeyContext,
    hung: HungKeys,
    on_stopped: Callable[[GameStopped], object],
) -> Callable[[str], bool]:
    """Return a function that tells for an action id whether its keys would do something now and not
    be refused. True for an id that is not among `actions`, because a screen handles it. The
    function asks the rules only when called, and not for actions in `hung`; `on_stopped` is called
    for a game that is stopped meanwhile."""
    named = {action.id: action for action in actions}

    def works(action_id: str) -> bool:
        action = named.get(action_id)
        if action is None:
            return True
        if action_id in hung.of(at.state):
            return False
        # If an answer is pending, only the actions that give it and redo are checked against it. All others
        # are checked as if it were given: those of their keys that it does not override still work.
        asks = action_id in _ANSWERS or action_id == REDO.id
        context = at if asks else at._replace(waiting=None)
        try:
            with aborted_as_stopped():
                means = _meant(record, action, context)
        except GameStopped as stopped:
            hung.add(action_id, at.state)
            on_stopped(stopped)
            return False
        except Refused as refusal:
            return refusal.hidden
        return means is not None

    return works


def in_words(record: SessionProjection, action: Action, at: KeyContext) -> str:
    """Return the meaning of the keys of `action` at a moment as text. What would reveal something is
    named by the action alone: its sentence would tell what is still hidden."""
    match meaning(record, action, at):
        case (_, Proposed(text=text) | Asked(text=text) | BoardAsked(text=text)):
            return f"{action.label}: {text}"
        case Proposed(text=text) | Asked(text=text) | BoardAsked(text=text):
            return f"an answer to: {text}"
        case Fact() as fact if record.game.reveals(at.state, fact) is None:
            return record.game.describe(at.state, fact)
        case Retraction(reason=reason):
            return reason
        case int(n):
            return f"{action.label}: {record.label(n)}"
    return action.label


S = TypeVar("S")

GUARD_US = 300_000  # the time a person needs from seeing something to pressing a key
TOO_SOON = "This key has just changed its meaning: nothing was done. "
AGAIN = f"{FIRST_PRESS} again for: "


class KeyDebounce(Generic[S]):
    """Remembers for `guard_us` the changes of the meaning of keys. `S` is everything that meaning
    depends on. Time is passed in, in microseconds of one monotonic clock.

    A device (the laptop, a page) is guarded against all changes but those it made itself.
    """

    def __init__(self, guard_us: int = GUARD_US) -> None:
        self._guard_us = guard_us
        # (time, context before, context after, the device that changed it or None for no device)
        self._changes: deque[tuple[int, S, S, str | None]] = deque()

    def note_change(self, at_us: int, before: S, after: S, device: str | None = None) -> None:
        """Note a change that `device` made; None for one by the board, the clock or a phone, against
        which every device is guarded."""
        self._forget(at_us)
        self._changes.append((at_us, before, after, device))

    def must_wait(
        self, now_us: int, now: S, meaning: Callable[[S], object], device: str = ""
    ) -> bool:
        """Return whether the key with this `meaning` (None: nothing) has to wait: it got its
        present meaning less than `guard_us` ago, and not by `device`, whose key it is."""
        self._forget(now_us)
        by_others = [change for change in self._changes if change[-1] != device]
        if not by_others:
            return False  # nobody asks the rules, which may be slow, about a key that need not wait
        means = meaning(now)
        if means is None:
            return False
        return any(
            meaning(before) != means and meaning(after) == means
            for _, before, after, _ in by_others
        )

    def _forget(self, now_us: int) -> None:
        while self._changes and now_us - self._changes[0][0] >= self._guard_us:
            self._changes.popleft()
