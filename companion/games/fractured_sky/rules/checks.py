"""Checks common to many facts: whose turn it is, and whether regions, cards and players exist."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.fractured_sky.rules.board import CardKind, Platform
from companion.games.fractured_sky.rules.facts import Piece
from companion.games.fractured_sky.rules.model import Phase, Round, State
from companion.games.fractured_sky.rules.public import PlayerId, is_ai
from companion.games.fractured_sky.rules.standing import (
    ai_to_shuffle,
    early,
    owing_slot,
    phase,
    to_move,
)
from companion.rules.asked import ANSWER_FIRST
from companion.rules.columns import a_number, either
from companion.rules.common import require_not_left
from companion.rules.facts import Refused, SeatId, after_the_end


def require_phase(state: State, *wanted: Phase) -> Round:
    """Return the running round in one of these phases; raise `Refused` in any other."""
    if phase(state) not in wanted:
        raise not_now(state, "the game waits for something else")
    return state.now


def not_now(state: State, why: str, clause: str = "") -> Refused:
    """Return the refusal of a fact that the game does not wait for now.

    Without a `clause`, it cites the clause of what the game waits for.
    """
    if phase(state) == "over":
        return after_the_end("FS-30")
    waiting, words = _WAITING[phase(state)]
    actor = ai_to_shuffle(state) or owing_slot(state) or to_move(state) or ""
    expected = words.format(who=state.name(actor), card=early(state))
    return Refused(clause or waiting, why, expected, do=ANSWER_FIRST)


# the clause of what each phase waits for, and its wording
_WAITING: Mapping[Phase, tuple[str, str]] = {
    "first": ("FS-4", "who takes turn slot 1 of the first round"),
    "public": ("FS-6", "the region of the Public Starfall card"),
    "shuffle": ("FS-33", "{who}'s cards shuffled"),
    "early": ("FS-41", "Hidden card {card} turned face up: two resources were taken from it"),
    "ai": ("FS-34", "the AI's move made on the table"),
    "slot": ("FS-10", "the turn slot that {who} takes"),
    "turn": ("FS-7", "{who}'s turn"),
    "hidden": ("FS-20", "the Hidden cards revealed"),
    "powers": ("FS-21", "the powers under the Airships"),
    "objective": ("FS-22", "who meets the Objective"),
    "resolve": ("FS-23", "the end of the round"),
}


def require_turn(state: State, seat: SeatId) -> Round:
    """Return the running round on this seat's turn; raise `Refused` otherwise."""
    require_seat(state, seat)
    return require_mover(state, seat)


def require_mover(state: State, player: PlayerId) -> Round:
    """Return the running round on the turn of this seat or AI; raise `Refused` otherwise."""
    now, mover = require_phase(state, "turn"), to_move(state) or ""
    if mover != player:
        raise Refused(
            "FS-7", f"it is not {state.name(player)}'s turn", do=f"Wait for {state.name(mover)}."
        )
    return now


def require_seat(state: State, seat: SeatId) -> None:
    """Refuse an unknown seat, or one that has left."""
    seats = state.setup.seats
    if seat not in {known.id for known in seats}:
        known = either(other.name for other in seats)
        raise Refused("SEATS", f"{state.name(seat) or 'nobody'} has no seat here", known)
    require_not_left(state.common, seat, "FS-T1")


def require_ai(state: State, player: PlayerId, why: str) -> None:
    """Refuse a player that is no AI of this game."""
    if not is_ai(player) or player not in state.ais:
        known = either(map(state.name, state.ais)) if state.ais else "a game with an AI"
        raise Refused(
            "FS-31", f"{state.name(player) or 'nobody'} is no AI of this game: {why}", known
        )


def require_player(state: State, player: PlayerId) -> None:
    """Refuse a player that is neither a playing seat nor an AI."""
    if is_ai(player):
        require_ai(state, player, "it does not play")
    else:
        require_seat(state, player)


def require_region(state: State, region: str) -> None:
    """Refuse a region that is not on this side of the board."""
    if region not in state.board.by_id:
        known = f"one of {', '.join(state.board.ids)}"
        raise Refused(
            "FS-U8", f"there is no region {region!r} on this side of the board", do=f"Type {known}."
        )


def require_platform(state: State, name: str) -> Platform:
    """Return the platform with that id; raise `Refused` if it is unknown."""
    platform = state.board.platform(name)
    if platform is None:
        known = ", ".join(other.id for other in state.board.platforms)
        do = f"Choose {known}." if known else "Enter it with its bridges first."
        raise Refused("FS-U4", f"no platform {name!r} is known", do=do)
    return platform


def require_place(state: State, kind: CardKind | Piece, place: str) -> None:
    """Refuse a place where a piece of that kind cannot be, or where a card of that kind cannot go."""
    if kind in ("airship", "skimmer"):
        require_region(state, place)
    elif kind in ("fortress", "market"):
        require_platform(state, place)
    elif place.isdecimal() and int(place):
        require_card(state.now, int(place))
    else:
        _require_hidden(state.now)
        clause, most = "FS-16" if kind == "marker" else "FS-40", len(state.now.hidden)
        raise Refused(clause, f"{place} is no Hidden card", a_number(1, most))


def require_card(now: Round, card: int) -> None:
    """Refuse a number higher than that of any Hidden card on the tray."""
    _require_hidden(now)
    if card > len(now.hidden):
        raise Refused(
            "FS-6", f"there is no Hidden card {card} on the tray", a_number(1, len(now.hidden))
        )


def _require_hidden(now: Round) -> None:
    if not now.hidden:
        raise Refused("FS-6", "there are no Hidden cards on the tray", do="Choose something else.")
