"""Cards and pyramids onto the tower (SR-4 to SR-9, SR-13)."""

from __future__ import annotations

from dataclasses import replace

from companion.games.sky_rise.rules import facts as f
from companion.games.sky_rise.rules.model import EACH, OPAQUE, SIZES, Laid, Placed, State, TowerLevel
from companion.games.sky_rise.rules.setting import (
    color_missing,
    deal,
    must_place,
    opaque_left,
    opaque_left_of,
    stock,
    suit_missing,
)
from companion.games.sky_rise.rules.turns import due, left_of, settle
from companion.rules.columns import either
from companion.rules.common import require_seat
from companion.rules.game import Moment, Refused, SeatId

_ROYAL_RANKS = ("J", "Q", "K")
_ROYALS_OF_A_RANK = 4  # SR-2: one of each ordinary suit
_WORD = "the table's word with its reason"


def card(state: State, fact: f.Card, entry: int) -> State:
    """Return the state after a card was laid; the first one fixes who plays."""
    level = state.level
    if level.stage != "cards":
        expected = state.after_the_tower if level.stage == "done" else "pyramids"
        raise Refused(
            "SR-5", f"the {'roof' if level.is_roof else 'floor'} is laid", expected, "Answer what is asked first."
        )
    seat = _whose(state, fact.seat, fact.reason, "SR-5")
    _check_cell(state, level, fact)
    _check_suit(state, fact)
    if state.hand(seat) < 1 and not fact.reason:
        raise Refused(
            "SR-13",
            f"{state.name(seat)} has no card left",
            f"another seat, or {_WORD}",
            "Name another player, or give a reason.",
        )
    if not state.seated:
        hands, pile = deal(state.plan, state.playing)
        state = replace(state, seated=state.playing, hands=hands, pile=pile)
    laid = Laid(entry, fact.place, fact.suit, fact.rank, seat, _ended(level))
    state = _draw(state, seat)
    return settle(_passed_on(state, replace(level, cards=(*level.cards, laid)), seat))


def pyramid(state: State, fact: f.Pyramid, entry: int) -> State:
    """Return the state after a pyramid was placed."""
    level = state.level
    if level.stage != "pyramids":
        raise Refused("SR-6", *_no_pyramid_due(state))
    seat = _whose(state, fact.seat, fact.reason, "SR-13" if level.is_roof else "SR-7")
    size = _size(level, fact)
    _check_corner(state, level, fact)
    _check_supply(state, fact, seat, size)
    placed = Placed(entry, fact.place, fact.color, size, seat, _ended(level))
    built = replace(level, pyramids=(*level.pyramids, placed))
    return settle(_passed_on(state, _tried(built, seat), seat))


def no_pyramid(state: State, fact: f.Pass, _entry: int) -> State:
    """Return the state after a seat placed nothing: on the roof as it likes, else only when it has nothing."""
    level = state.level
    if level.stage != "pyramids":
        raise Refused("SR-7", *_no_pyramid_due(state))
    seat = _whose(state, fact.seat, fact.reason, "SR-13" if level.is_roof else "SR-7")
    if not level.is_roof and must_place(state, seat) and not fact.reason:
        reason = f"{state.name(seat)} can place a {SIZES[level.number - 1]} pyramid, and then has to"
        raise Refused("SR-7", reason, f"a pyramid, or {_WORD}", "Place a pyramid, or give a reason.")
    return settle(_passed_on(state, _tried(level, seat), seat))


def _no_pyramid_due(state: State) -> tuple[str, str, str]:
    """Why nobody can place a pyramid, or pass, what is expected, and what to do."""
    if state.level.stage == "done":
        return "the tower is built", state.after_the_tower, "Answer what is asked first."
    what = "roof" if state.level.is_roof else "floor"
    return f"the {what} is not laid yet", "a card on a free cell", "Lay a card on a free cell."


def _whose(state: State, named: SeatId | None, reason: str, clause: str) -> SeatId:
    """The seat an entry belongs to: the one that is due, unless the table names another with a reason."""
    seat = named or due(state)
    require_seat(state.common, seat)
    if seat != due(state) and not reason:
        expected = f"{state.name(due(state))}'s entry, or {_WORD}"
        raise Refused(
            clause,
            f"it is {state.name(due(state))}'s turn, not {state.name(seat)}'s",
            expected,
            f"Wait for {state.name(due(state))}, or give a reason.",
        )
    return seat


def _ended(level: TowerLevel) -> Moment | None:
    """When the button ended the turn that is entered now."""
    return level.closed[0].at if level.closed else None


def _passed_on(state: State, level: TowerLevel, seat: SeatId) -> State:
    """The turn goes on; one that its button had ended went on before."""
    if level.closed and level.closed[0].seat == seat:
        level = replace(level, closed=level.closed[1:])
    elif not level.closed:
        level = replace(level, turn=left_of(state, seat) or seat)
    return replace(state, levels=(*state.levels[:-1], level))


def _tried(level: TowerLevel, seat: SeatId) -> TowerLevel:
    return replace(level, tried=(*level.tried, seat)) if level.is_roof and seat not in level.tried else level


def _draw(state: State, seat: SeatId) -> State:
    """A card leaves the hand, and one from the pile follows while there is one (SR-5, SR-13)."""
    drawn = state.pile is None or state.pile > 0
    held = max(0, state.hand(seat) - 1) + drawn
    hands = tuple((one, held if one == seat else number) for one, number in state.hands)
    return replace(state, hands=hands, pile=state.pile - 1 if state.pile and drawn else state.pile)


def _check_cell(state: State, level: TowerLevel, fact: f.Card) -> None:
    grid = state.plan.grid
    if fact.place not in grid.cells:
        raise Refused("SR-5", f"the floor has no cell {fact.place}", f"one of {', '.join(grid.cells)}")
    laid = {one.place for one in level.cards}
    if fact.place in laid:
        free = ", ".join(cell for cell in grid.cells if cell not in laid)
        raise Refused("SR-5", f"a card lies at {fact.place} already", f"a free cell: {free}")
    alone = laid and not laid & set(grid.cells_beside(fact.place))
    if alone and state.options["floor_cell"] == "adjacent_to_laid" and not fact.reason:
        raise Refused(
            "SR-4",
            f"{fact.place} is beside no card",
            f"a cell beside one, or {_WORD}",
            "Choose a cell beside one, or give a reason.",
        )


def _check_suit(state: State, fact: f.Card) -> None:
    suits = [suit for suit, _ in state.plan.suits]
    if fact.suit not in suits:
        raise Refused("SR-2", suit_missing(state, fact.suit), either(suits))
    same = [one for level in state.levels for one in level.cards if one.suit == fact.suit]
    most = state.plan.cards_of_suit
    if most is not None and len(same) >= most:
        raise Refused(
            "SR-2",
            f"all {most} {fact.suit} lie already",
            "another suit, or an earlier card put right",
            "Choose another suit, or put an earlier card right.",
        )
    if fact.rank is None or fact.reason:
        return
    royal, royals_in = fact.rank in _ROYAL_RANKS, "royals" in suits
    if royals_in and royal != (fact.suit == "royals"):
        wanted = f"royals, or 2 to 10 for {fact.suit}" if royal else "J, Q or K for royals"
        raise Refused("SR-2", f"with five colors the {fact.rank} is no card of {fact.suit}", wanted)
    if [one.rank for one in same].count(fact.rank) >= (_ROYALS_OF_A_RANK if fact.suit == "royals" else 1):
        raise Refused(
            "SR-2",
            f"the {fact.rank} of {fact.suit} lies already",
            f"another rank, or {_WORD}",
            "Choose another rank, or give a reason.",
        )


def _size(level: TowerLevel, fact: f.Pyramid) -> f.Size:
    """The size of the pyramid: the level's (SR-6), or the one the table names for an antenna (SR-13)."""
    if level.is_roof:
        if fact.size is None:
            raise Refused("SR-13", "an antenna has any size", "its size: large, medium or small")
        return fact.size
    due_size = SIZES[level.number - 1]
    if fact.size not in (None, due_size) and not fact.reason:
        raise Refused(
            "SR-6",
            f"level {level.number} takes {due_size} pyramids only",
            f"a {due_size} one, or {_WORD}",
            f"Choose a {due_size} one, or give a reason.",
        )
    return fact.size or due_size


def _check_corner(state: State, level: TowerLevel, fact: f.Pyramid) -> None:
    places = state.plan.grid.places
    if fact.place not in places:
        raise Refused(
            "SR-6",
            f"the grid has no corner {fact.place}",
            f"{places[0]} to {places[-1]}",
            f"Choose one from {places[0]} to {places[-1]}.",
        )
    if level.pyramid(fact.place) is None or (level.is_roof and state.options["antenna_place"] == "free"):
        return
    free = ", ".join(place for place in places if level.pyramid(place) is None)
    clause = "SR-13" if level.is_roof else "SR-7"
    raise Refused(clause, f"a pyramid stands at {fact.place} already", f"a free corner: {free}")


def _check_supply(state: State, fact: f.Pyramid, seat: SeatId, size: f.Size) -> None:
    if fact.color != OPAQUE:
        if fact.color not in state.plan.colors:
            wanted = f"{', '.join(state.plan.colors)} or {OPAQUE}"
            raise Refused("SR-1", color_missing(state, fact.color), wanted)
        if stock(state, fact.color, size) < 1:
            reason = f"all {EACH} {size} {fact.color} pyramids are placed"
            raise Refused(
                "SR-1",
                reason,
                "another color, or an earlier pyramid put right",
                "Choose another color, or put an earlier pyramid right.",
            )
        return
    placed = sum(one.color == OPAQUE and one.size == size for level in state.levels for one in level.pyramids)
    if placed >= EACH:
        raise Refused(
            "SR-1",
            f"all {EACH} {size} opaque pyramids are placed",
            "a color, or an earlier one put right",
            "Choose a color, or put an earlier one right.",
        )
    if fact.reason:
        return
    if opaque_left_of(state, seat, size) == 0:
        left = opaque_left(state, seat)
        what = f"no {size} opaque pyramid" if left else "no opaque pyramid"
        raise Refused(
            "SR-7",
            f"{state.name(seat)} has {what} left",
            f"a color from the stock, or {_WORD}",
            "Choose a color from the stock, or give a reason.",
        )
