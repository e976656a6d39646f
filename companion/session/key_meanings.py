"""What the keys of a table mean at a moment: its own actions, and what overrides a key for a while. Pure.

Somebody decides for a key by what is on the screen, and presses it a quarter of a second later. What the board, the
clock or a question put there in between is not what they meant: such a key waits a moment.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, Generic, NamedTuple, TypeVar

from companion.rules.actions import PRESS, Action, KeyMap, remapped, typed_key_first, with_keys
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
    "Take back the last ruling or correction, again and again.",
    GROUP,
    True,
)
REDO = Action("table.redo", ("y",), "redo", "Bring back what undo took back.", GROUP)
PAUSE = Action("table.pause", ("z",), "pause", "Stop the game's clock, or let it run on.", GROUP)
ACCEPT = Action("table.accept", (), "accept", "Record what is proposed.", GROUP)
DISMISS = Action(
    "table.dismiss", (), "drop", "Do not record what is proposed; it stays as evidence.", GROUP
)
UNDO_RUN = Action(
    "table.undo-run", (), "undo this run", "Undo all that a flickering contact did.", GROUP
)
AGREE = Action("table.agree", (), "agree", "Everybody at the table agrees to what is asked.", GROUP)
DISAGREE = Action(
    "table.disagree", (), "disagree", "Somebody does not agree: nothing is changed.", GROUP
)
OWN = (UNDO, REDO, PAUSE, ACCEPT, DISMISS, UNDO_RUN, AGREE, DISAGREE)


class Keyboard:
    """What the keyboard can do at a table, with the keys (action id -> keys) that a person wants; `typed` where their
    names are typed as lines."""

    def __init__(self, game: Game[Any], setup: Setup, keys: KeyMap, *, typed: bool = False) -> None:
        self._game = game
        self._keys = keys
        self._typed = typed
        self._named = keys
        self._setup: Setup | None = None
        self._actions: tuple[Action, ...] = ()
        self.actions(setup)

    def actions(self, setup: Setup) -> tuple[Action, ...]:
        """Return the game's actions with these seats, then the table's own; the same as before for the same seats."""
        if setup != self._setup:
            found = remapped((*self._game.actions(setup), *OWN), self._keys)
            self._setup, self._actions = (
                setup,
                tuple(map(typed_key_first, found)) if self._typed else found,
            )
            if self._typed:
                self._named = {action.id: action.keys for action in self._actions}
        return self._actions

    def sentence(self, text: str, *, board: bool = False) -> str:
        """Return a sentence that names actions with their keys, for a table with a `board` or without
        (`actions.with_keys`)."""
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
"""What waits for an answer and is shown; a question comes before a proposal."""


class KeyContext(NamedTuple):
    """All that the meaning of a key depends on; `undo` and `redo` are the entries that these would take, `run` is the
    last run of closings of a contact, see `Intake.last_run`."""

    state: Any
    undo: int | None
    redo: int | None
    waiting: Waiting
    run: tuple[int, int] | None = None


def standing(
    record: SessionProjection, waiting: Waiting, run: tuple[int, int] | None = None
) -> KeyContext:
    """Return what stands now."""
    return KeyContext(
        record.state,
        record.timeline.steps.undo_target,
        record.timeline.steps.redo_target,
        waiting,
        run,
    )


def overrides(waiting: Waiting) -> Mapping[str, str]:
    """Return the keys that mean another action for the time being: key -> action id."""
    if waiting is None:
        return {}
    if isinstance(waiting, Question):
        return _TO_QUESTION
    return _TO_PROPOSAL if waiting.run_from is None else _TO_RUN


def meaning(record: SessionProjection, action: Action, at: KeyContext) -> object:
    """Return what the keys of `action` mean at a moment, equal only to what means the same; None for nothing.

    What is asked or proposed and overrides one of them is meant then, whatever `action` is.
    """
    try:
        return _meant(record, action, at)
    except Refused:
        return None


def _meant(record: SessionProjection, action: Action, at: KeyContext) -> object:
    """The same, or `Refused` as the game says it."""
    if action.id == UNDO_RUN.id and not (
        isinstance(at.waiting, Proposed) and at.waiting.run_from is not None
    ):
        stands = at.run is not None and facts_of(record, closings(record, *at.run))
        return (action.id, at.run) if stands else None
    if action.id in _ANSWERS:
        return (action.id, at.waiting) if isinstance(at.waiting, _ANSWERS[action.id]) else None
    if overrides(at.waiting).keys() & set(action.keys):
        return at.waiting
    if action.id in (UNDO.id, REDO.id):
        return at.undo if action.id == UNDO.id else at.redo
    if action.id == PAUSE.id:
        return pause_kind(record.game, at.state)
    return record.game.pressed(at.state, action.id)


def pause_kind(game: Game[Any], state: Any) -> str:
    """Return the kind of the fact that the key of a pause stands for; raise `Refused` once the game has ended, but for
    going on from a pause in which it did."""
    common = game.common(state)
    if common.abandoned is not None:
        raise ended_early()
    if common.paused:
        return "unpause"
    if game.over(state):
        raise after_the_end("ENDED")
    return "pause"


class HungKeys:
    """The actions about which a game by others did not come back, in the state it is in: it is not asked again."""

    def __init__(self) -> None:
        self._state: object = None
        self._ids: frozenset[str] = frozenset()

    def add(self, action_id: str, state: object) -> None:
        """Note one that was stopped."""
        self._ids = self.of(state) | {action_id}
        self._state = state

    def of(self, state: object) -> frozenset[str]:
        """Return those of a state."""
        return self._ids if self._state is state else frozenset()


def working(
    record: SessionProjection,
    actions: tuple[Action, ...],
    at: KeyContext,
    hung: HungKeys,
    told: Callable[[GameStopped], object],
) -> Callable[[str], bool]:
    """Return what says for the id of an action whether its keys do something at a moment that is not refused; True for
    one that is none of `actions`, since a screen does it. It asks the rules only when it is called, and not of what is
    among `hung`; a game that is stopped meanwhile is `told` of."""
    named = {action.id: action for action in actions}

    def works(action_id: str) -> bool:
        action = named.get(action_id)
        if action is None:
            return True
        if action_id in hung.of(at.state):
            return False
        try:
            # Of a key that answers what waits, the other keys of its action still mean that.
            with aborted_as_stopped():
                found = _meant(
                    record, action, at if action_id in _ANSWERS else at._replace(waiting=None)
                )
        except GameStopped as stopped:
            hung.add(action_id, at.state)
            told(stopped)
            return False
        except Refused as why:
            return why.hidden
        return found is not None

    return works


def in_words(record: SessionProjection, action: Action, at: KeyContext) -> str:
    """Return what the keys of `action` mean at a moment in words."""
    match meaning(record, action, at):
        case (_, Proposed(text=text) | Asked(text=text) | BoardAsked(text=text)):
            return f"{action.label}: {text}"
        case Proposed(text=text) | Asked(text=text) | BoardAsked(text=text):
            return f"an answer to: {text}"
        case Fact() as fact:
            return record.game.describe(at.state, fact)
        case Retraction(reason=reason):
            return reason
        case int(n):
            return f"{action.label}: {record.text(n)}"
    return action.label


S = TypeVar("S")

GUARD_US = 300_000  # as long as a person needs from seeing to pressing
TOO_SOON = "What this key means changed just now, so nothing was done; "
AGAIN = f"{PRESS} again for: "


class KeyDebounce(Generic[S]):
    """Remembers for `guard_us` what turned by itself: `S` is all that a key's meaning is found from. Time is passed in,
    in microseconds of one clock that never goes back."""

    def __init__(self, guard_us: int = GUARD_US) -> None:
        self._guard_us = guard_us
        self._turns: deque[tuple[int, S, S]] = deque()  # when, and what stood before and after

    def turned(self, at_us: int, before: S, after: S) -> None:
        """Note a change that no key made."""
        self._forget(at_us)
        self._turns.append((at_us, before, after))

    def holds(self, now_us: int, now: S, meaning: Callable[[S], object]) -> bool:
        """Return whether the key with this `meaning` (None: nothing) is to wait: what it means now came to be less than
        `guard_us` ago, and by no key. What a key changed since then is meant."""
        self._forget(now_us)
        if not self._turns:
            return False
        means = meaning(now)
        return means is not None and any(
            meaning(was) != means == meaning(came) for _, was, came in self._turns
        )

    def _forget(self, now_us: int) -> None:
        while self._turns and now_us - self._turns[0][0] >= self._guard_us:
            self._turns.popleft()
