"""What follows from a state: the phase, whose turn it is, the cards on the tray, the scores and the winner."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.fractured_sky.rules.ai import TurnedToken, turn_tokens
from companion.games.fractured_sky.rules.board import RegionId
from companion.games.fractured_sky.rules.facts import Ai, Saw
from companion.games.fractured_sky.rules.model import Deck, Phase, Round, State
from companion.games.fractured_sky.rules.public import (
    SHIPS,
    PlayerId,
    PublicTable,
    as_ai,
    color_of,
    is_ai,
)
from companion.rules.columns import listed
from companion.rules.ending import BY_HAND, NOW, GameResult
from companion.rules.facts import SeatId
from companion.rules.once import once

_REVEALED_AT = 2  # FS-41: resources taken from a Hidden card


@once
def phase(state: State) -> Phase:
    """Return the phase of the game: what it waits for."""
    if state.finished:
        return "over"
    if state.current is None:
        return "first"
    if state.current.public is None:
        return "public"
    if ai_to_shuffle(state) is not None:
        return "shuffle"
    if early(state) is not None:
        return "early"
    if state.now.pending is not None:
        return "ai"
    if owing_slot(state) is not None:
        return "slot"
    if to_move(state) is not None:
        return "turn"
    return _phase_at_round_end(state)


def _phase_at_round_end(state: State) -> Phase:
    objective_missing = state.has_objectives and state.now.objective is None
    # an AI may win the Objective, and it is judged once its tokens are turned (FS-22)
    at_flip = state.options["objective_scored"] == "at_flip" and not state.ais
    if objective_missing and at_flip:
        return "objective"
    if None in state.now.hidden:
        return "hidden"
    if unpowered(state):
        return "powers"
    return "objective" if objective_missing else "resolve"


def flips_objective(state: State) -> bool:
    """Return whether the round's Objective is turned up now (FS-19, FS-22).

    That is once all players are done; in a two-player game with an AI only after the powers.
    """
    if not state.has_objectives or state.now.objective is not None:
        return False
    if state.ais:
        return phase(state) == "objective"
    return phase(state) in ("hidden", "objective") and not any(state.now.hidden)


def virtual(state: State, ai: PlayerId) -> bool:
    """Return whether the companion turns up that AI's cards: the option says so, and all its cards
    and tokens are known."""
    color = color_of(ai)
    known = color in state.board.decks and color in state.board.tokens
    return state.options["ai_cards"] == "virtual" and known


@once
def ai_to_shuffle(state: State) -> Ai | None:
    """Return the AI whose cards the companion has to shuffle now, or None (FS-33, FS-34).

    An AI shuffles when a round begins, and when its deck ran out on its turn.
    """
    now = state.current
    if now is None:
        return None
    for ai in state.ais:
        if virtual(state, ai) and not now.decks[ai].shuffled:
            return ai
    if now.pending is not None:
        return None  # the deck may be empty, but its last card is not done yet
    mover = ai_to_move(state)
    if mover is None or not virtual(state, mover) or now.decks[mover].cards:
        return None
    return mover if state.options["ai_deck_empty"] == "reshuffle" else None


def ai_to_move(state: State) -> Ai | None:
    """Return the AI whose turn it is, or None."""
    return as_ai(to_move(state) or "")


def done(state: State, player: PlayerId) -> bool:
    """Return whether a player has placed all Airships and taken a turn slot (FS-10)."""
    return state.now.slot_of(player) is not None


def owing_slot(state: State) -> PlayerId | None:
    """Return the player who placed the third Airship and takes a turn slot now, or None (FS-10)."""
    for player in _waiting(state, state.now):
        if len(state.now.ships_of(player)) >= SHIPS:
            return player
    return None


def _waiting(state: State, now: Round) -> list[PlayerId]:
    """Return the players who are not done, in the order of the row."""
    # a seat that left stays in the row until the round ends
    here = [player for player in now.order if player in state.players]
    return [player for player in here if not done(state, player)]


@once
def to_move(state: State) -> PlayerId | None:
    """Return whose turn it is, or None when all are done (FS-7)."""
    now = state.current
    if now is None:
        return None
    waiting = _waiting(state, now)
    if now.called in waiting:
        return now.called
    if not waiting:
        return None
    # the first who waits after whoever acted last; the row goes around
    start = now.order.index(now.last) + 1 if now.last in now.order else 0
    for player in (*now.order[start:], *now.order[:start]):
        if player in waiting:
            return player
    return None


def early(state: State) -> int | None:
    """Return the number of the Hidden card from which two resources were taken, to be revealed at
    once, or None (FS-41)."""
    if not state.ais:
        return None
    taken = [mark.card for mark in state.now.marks if mark.taken]
    for card, region in enumerate(state.now.hidden, start=1):
        if region is None and taken.count(card) >= _REVEALED_AT:
            return card
    return None


def next_hidden_card(state: State) -> int:
    """Return the Hidden card to turn up next: one to be revealed at once, else the first that is
    face down (FS-20, FS-41)."""
    return early(state) or state.now.hidden.index(None) + 1


def free_slots(state: State) -> tuple[int, ...]:
    """Return the turn slots of the next row that are still free (FS-10)."""
    return tuple(slot for slot in range(1, len(state.now.order) + 1) if slot not in state.now.slots)


def next_order(state: State) -> tuple[PlayerId, ...]:
    """Return the order of the next row; while it is incomplete, those in it first, then the others as in this row."""
    slots = state.now.slots
    taken = [slots[number] for number in sorted(slots)]
    others = [player for player in state.now.order if player not in taken]
    return (*taken, *others)


def unpowered(state: State) -> tuple[PlayerId, ...]:
    """Return the players with Airships whose powers are still missing: seats, then AIs, as in the grid (FS-21)."""
    placed = {ship.player for ship in state.now.ships}
    everybody = (*(seat.id for seat in state.setup.seats), *state.ais)
    waited_for = [player for player in everybody if player in placed]
    return tuple(player for player in waited_for if powers_of(state, player) is None)


def powers_of(state: State, player: PlayerId) -> tuple[int, ...] | None:
    """Return the powers under a player's Airships in the order of placing, or None while unknown.

    An AI's powers follow from its tokens unless the table entered them.
    """
    if player in state.now.powers:
        return state.now.powers[player]
    if not is_ai(player):
        return None
    tokens = tokens_of(state, player)
    if tokens is None:
        return None
    return tuple(token.power for token in tokens)


def tokens_of(state: State, ai: PlayerId) -> tuple[TurnedToken, ...] | None:
    """Return an AI's tokens as they are turned at the end of the round, or None where they are unknown (FS-43)."""
    values = state.board.tokens.get(color_of(ai))
    deck = state.now.decks.get(ai, Deck())
    regions = [ship.region for ship in state.now.ships_of(ai)]
    placed = deck.tokens[SHIPS:]  # the first half sits out
    if values is None or len(placed) < len(regions):
        return None
    in_regions = list(zip(regions, placed, strict=False))
    return turn_tokens(table_of(state), in_regions, values, deck.lots)


def table_of(state: State) -> PublicTable:
    """Return what lies open: no order of a deck, no chip, and nothing that a seat saw."""
    now = state.now
    return PublicTable(
        board=state.board,
        options=state.options,
        public=now.public,
        starfalls=state.starfalls,
        ships=now.ships,
        buildings=state.buildings,
        flights=now.flights,
        marks=now.marks,
        hidden=now.hidden,
        free_slots=free_slots(state),
        turned=now.turned,
    )


def sitting_out(state: State, ai: PlayerId) -> tuple[str, ...]:
    """Return the values of an AI's tokens that lie face up beside the board (FS-33)."""
    deck = state.now.decks.get(ai, Deck())
    if deck.sitting_out or not deck.shuffled:
        return deck.sitting_out
    values = state.board.tokens[color_of(ai)]
    return tuple(str(values[number - 1]) for number in sorted(deck.tokens[:SHIPS]))


def deals(state: State) -> bool:
    """Return whether the companion shuffles and deals the Starfall cards (FS-T8)."""
    return state.options["starfalls"] == "virtual"


def needs_deal(state: State) -> bool:
    """Return whether the Hidden cards of this round have yet to be dealt."""
    return deals(state) and state.now.public is None and not state.now.dealt


def on_card(now: Round, card: int) -> RegionId | None:
    """Return the region on a dealt Hidden card, or None if the companion did not deal it."""
    return now.dealt[card - 1] if now.dealt else None


def sights_of(state: State, seat: SeatId) -> tuple[Saw, ...]:
    """Return what a seat has seen of this round's Hidden cards: as it noted, or as the companion dealt them."""
    now = state.now
    if not now.dealt:
        return tuple(sight for sight in now.sights if sight.seat == seat)
    sights = []
    for mark in now.marks:
        if mark.player == seat:
            region = now.dealt[mark.card - 1]
            sights.append(Saw(seat=seat, where="hidden", number=mark.card, region=region))
    drawn = 0
    pile = now.dealt[len(now.hidden) :]
    for player, region in zip(now.draws, pile, strict=False):
        if player == seat:
            drawn += 1
            sights.append(Saw(seat=seat, where="explore", number=drawn, region=region))
    return tuple(sights)


def starfalls_of(state: State, player: PlayerId) -> int:
    """Return a player's Starfalls, with what the table added to a seat's by hand."""
    return starfalls(state).get(player, 0)


@once
def starfalls(state: State) -> Mapping[PlayerId, int]:
    """Return the Starfalls of all seats, with what the table added by hand, then of the AIs."""
    by_hand = dict(state.common.by_hand)
    total = {}
    for seat in state.setup.seats:
        total[seat.id] = state.held.get(seat.id, 0) + by_hand.get(seat.id, 0)
    for ai in state.ais:
        total[ai] = state.held.get(ai, 0)
    return total


def standings(state: State) -> dict[SeatId, int]:
    """Return each seat's Starfalls, in the order of the seats."""
    held = starfalls(state)
    return {seat.id: held[seat.id] for seat in state.setup.seats}


def winner(state: State) -> PlayerId | None:
    """Return who has most Starfalls after the last round, ties by the slots just taken (FS-30); None before."""
    if not state.finished or not state.past:
        return None
    order = [player for player in state.past[-1].next_order if player in state.players]
    # `max` keeps the first of equal players, who has the earlier slot
    return max(order, key=lambda player: starfalls_of(state, player), default=None)


def tokens_in_play(state: State) -> int:
    """Return how many Starfall tokens are in use; that may exceed the supply of 28 (FS-1)."""
    held = sum(starfalls_of(state, player) for player in state.players)
    return held + sum(state.starfalls.values())


def result(state: State) -> GameResult:
    """Return who won, what settled a tie (FS-30), and everybody's Starfalls after each round."""
    held = starfalls(state)
    rounds = []
    for played in state.past:
        scores = {player: played.held.get(player, 0) for player in held}
        rounds.append((str(played.number), scores))
    if not rounds or rounds[-1][1] != held:
        # scores set by hand belong to no round
        rounds.append((BY_HAND if state.finished else NOW, dict(held)))
    first = winner(state)
    return GameResult(
        () if first is None else (first,),
        tuple(rounds),
        tie_break="" if first is None else _tie_break(state, first),
        others={ai: state.name(ai) for ai in state.ais},
    )


def _tie_break(state: State, first: PlayerId) -> str:
    """Return how the turn slots settled who won; empty if nobody was equal (FS-30)."""
    held = starfalls(state)
    equal = [player for player in state.players if held[player] == held[first]]
    if len(equal) == 1:
        return ""
    names = listed(map(state.name, equal))
    same = f"{names} had the same number of Starfalls"
    return f"{same}; {state.name(first)} took the first turn slot of them."
