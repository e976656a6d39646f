"""Lay cards and place pyramids on the tower (SR-4 to SR-9, SR-13)."""

from __future__ import annotations

from companion.games.sky_rise.rules import facts as f, setting
from companion.games.sky_rise.rules.model import EACH, OPAQUE, Laid, Placed, State, TowerLevel
from companion.games.sky_rise.rules.turns import due, left_of, settle
from companion.rules.columns import either
from companion.rules.common import require_seat
from companion.rules.facts import Refused, SeatId
from companion.rules.replacing import replace

_ROYAL_RANKS = ("J", "Q", "K")
_ROYALS_OF_A_RANK = 4  # SR-2: one of each ordinary suit


def card(state: State, fact: f.Card, _entry: int) -> State:
    """Return the state after a card was laid; the first one fixes who plays."""
    level = state.level
    if level.stage != "cards":
        raise setting.not_now(state, "SR-5", f"the {'roof' if level.is_roof else 'floor'} is laid")
    seat = _whose(state, fact.seat, fact.reason, "SR-5")
    _check_cell(state, level, fact)
    _check_suit(state, fact)
    if state.hand(seat) < 1 and not fact.reason:
        raise Refused(
            "SR-13",
            f"{state.name(seat)} has no card left",
            do="Name another player, or give a reason.",
        )
    # Until now people could come and go; from here on hands and shares belong to these seats.
    if not state.seated:
        hands, pile = setting.deal(state.plan, state.playing)
        state = replace(state, seated=state.playing, hands=hands, pile=pile)
    laid = Laid(fact.place, fact.suit, fact.rank, seat)
    state = _draw(state, seat)
    return settle(_passed_on(state, replace(level, cards=(*level.cards, laid)), seat))


def pyramid(state: State, fact: f.Pyramid, entry: int) -> State:
    """Return the state after a pyramid was placed."""
    level = state.level
    if level.stage != "pyramids":
        raise _no_pyramid_due(state, "SR-6")
    seat = _whose(state, fact.seat, fact.reason, "SR-13" if level.is_roof else "SR-7")
    size = _size(level, fact)
    _check_corner(state, level, fact)
    _check_supply(state, fact, seat, size)
    built = replace(
        level, pyramids=(*level.pyramids, Placed(entry, fact.place, fact.color, size, seat))
    )
    return settle(_passed_on(state, _tried(built, seat), seat))


def no_pyramid(state: State, fact: f.Pass, _entry: int) -> State:
    """Return the state after a seat placed nothing: by choice on the roof, elsewhere only if it has nothing."""
    level = state.level
    if level.stage != "pyramids":
        raise _no_pyramid_due(state, "SR-7")
    seat = _whose(state, fact.seat, fact.reason, "SR-13" if level.is_roof else "SR-7")
    # On the roof a pass is always allowed (SR-13); elsewhere only without a pyramid (SR-7).
    if not level.is_roof and setting.must_place(state, seat) and not fact.reason:
        reason = f"{state.name(seat)} can place a {level.size} pyramid, and then has to"
        raise setting.ruling_only("SR-7", reason, "a pyramid", "Place")
    return settle(_passed_on(state, _tried(level, seat), seat))


def _no_pyramid_due(state: State, clause: str) -> Refused:
    """Return the refusal of a pyramid or a pass when neither is due."""
    if state.level.stage == "done":
        return setting.not_now(state, clause)
    part = "roof" if state.level.is_roof else "floor"
    return Refused(clause, f"the {part} is not laid yet", do="Lay a card on a free cell.")


def _whose(state: State, named: SeatId | None, reason: str, clause: str) -> SeatId:
    """Return the seat an entry belongs to: the one that is due, unless a reason names another."""
    seat = named or due(state)
    require_seat(state.common, seat)
    if seat != due(state) and not reason:
        name = state.name(due(state))
        # A changed player shifts all later turns. Two entries that crossed need only what they say changed.
        what = "cells and suits" if state.level.stage == "cards" else "corners and colors"
        raise Refused(
            clause,
            f"it is {name}'s turn, not {state.name(seat)}'s",
            do=f"Wait for {name}, or give a reason.",
            correcting=f"Two entries crossed? Change their {what}. Otherwise give a reason.",
        )
    return seat


def _passed_on(state: State, level: TowerLevel, seat: SeatId) -> State:
    """Return the state with the turn passed on, unless the seat's button already ended it."""
    if level.closed and level.closed[0] == seat:
        level = replace(level, closed=level.closed[1:])
    elif not level.closed:
        level = replace(level, turn=left_of(state, seat) or seat)
    return state.with_level(level)


def _tried(level: TowerLevel, seat: SeatId) -> TowerLevel:
    if not level.is_roof or seat in level.tried:
        return level
    return replace(level, tried=(*level.tried, seat))


def _draw(state: State, seat: SeatId) -> State:
    """Return the state with a card less in the hand, replaced from the pile while it lasts (SR-5, SR-13)."""
    drawn, pile = True, state.pile
    if pile is not None:
        drawn = pile > 0
        pile = max(0, pile - 1)
    held = max(0, state.hand(seat) - 1) + drawn
    hands = tuple((holder, held if holder == seat else number) for holder, number in state.hands)
    return replace(state, hands=hands, pile=pile)


def _check_cell(state: State, level: TowerLevel, fact: f.Card) -> None:
    grid = state.plan.grid
    if fact.place not in grid.cells:
        raise Refused(
            "SR-5", f"the floor has no cell {fact.place}", f"one of {', '.join(grid.cells)}"
        )
    laid = {card.place for card in level.cards}
    if fact.place in laid:
        free = ", ".join(cell for cell in grid.cells if cell not in laid)
        raise Refused("SR-5", f"a card lies at {fact.place} already", f"a free cell: {free}")
    alone = laid and not laid & set(grid.cells_beside(fact.place))
    if alone and state.options["floor_cell"] == "adjacent_to_laid" and not fact.reason:
        raise setting.ruling_only("SR-4", f"{fact.place} is beside no card", "a cell beside one")


def _check_suit(state: State, fact: f.Card) -> None:
    suits = [suit for suit, _ in state.plan.suits]
    if fact.suit not in suits:
        raise Refused("SR-2", setting.suit_missing(state, fact.suit), either(suits))
    ranks = [card.rank for level in state.levels for card in level.cards if card.suit == fact.suit]
    most = state.plan.cards_of_suit
    if most is not None and len(ranks) >= most:
        do = "Choose another suit, or put an earlier card right."
        raise Refused("SR-2", f"all {most} {fact.suit} lie already", do=do)
    if fact.rank is None or fact.reason:
        return
    royal = fact.rank in _ROYAL_RANKS
    if "royals" in suits and royal != (fact.suit == "royals"):
        wanted = f"royals, or 2 to 10 for {fact.suit}" if royal else "J, Q or K for royals"
        raise Refused("SR-2", f"with five colors the {fact.rank} is no card of {fact.suit}", wanted)
    copies = _ROYALS_OF_A_RANK if fact.suit == "royals" else 1
    if ranks.count(fact.rank) >= copies:
        why = f"the {fact.rank} of {fact.suit} lies already"
        raise setting.ruling_only("SR-2", why, "another rank")


def _size(level: TowerLevel, fact: f.Pyramid) -> f.Size:
    """Return the size of the pyramid: the level's (SR-6), or the antenna's own (SR-13)."""
    size = fact.size or level.size
    if size is None:
        raise Refused("SR-13", "an antenna has any size", "its size: large, medium or small")
    if level.size not in (None, size) and not fact.reason:
        why = f"level {level.number} takes {level.size} pyramids only"
        raise setting.ruling_only("SR-6", why, f"a {level.size} one")
    return size


def _check_corner(state: State, level: TowerLevel, fact: f.Pyramid) -> None:
    places = state.plan.grid.places
    if fact.place not in places:
        corners = f"{places[0]} to {places[-1]}"
        raise Refused(
            "SR-6", f"the grid has no corner {fact.place}", do=f"Choose one from {corners}."
        )
    stackable = level.is_roof and state.options["antenna_place"] == "free"
    if level.pyramid(fact.place) is None or stackable:
        return
    free = ", ".join(place for place in places if level.pyramid(place) is None)
    clause = "SR-13" if level.is_roof else "SR-7"
    raise Refused(clause, f"a pyramid stands at {fact.place} already", f"a free corner: {free}")


def _check_supply(state: State, fact: f.Pyramid, seat: SeatId, size: f.Size) -> None:
    if fact.color != OPAQUE and fact.color not in state.plan.colors:
        wanted = f"{', '.join(state.plan.colors)} or {OPAQUE}"
        raise Refused("SR-1", setting.color_missing(state, fact.color), wanted)
    if setting.stock(state, fact.color, size) < 1:
        other = "another color, or put an earlier pyramid"
        if fact.color == OPAQUE:
            other = "a color, or put an earlier one"
        why = f"all {EACH} {size} {fact.color} pyramids are placed"
        raise Refused("SR-1", why, do=f"Choose {other} right.")
    if fact.color != OPAQUE or fact.reason:
        return
    # None means unknown: the players see what a seat has left.
    if setting.opaque_left_of(state, seat, size) == 0:
        lacking = "no opaque pyramid"
        if setting.opaque_left(state, seat):
            lacking = f"no {size} opaque pyramid"
        why = f"{state.name(seat)} has {lacking} left"
        raise setting.ruling_only("SR-7", why, "a color from the stock")
