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
    return _phase_of_turns(state) or _phase_at_round_end(state)


def _phase_of_turns(state: State) -> Phase | None:
    if early(state) is not None:
        return "early"
    if state.now.pending is not None:
        return "ai"
    if owing_slot(state) is not None:
        return "slot"
    return "turn" if to_move(state) is not None else None


def _phase_at_round_end(state: State) -> Phase:
    at_flip = state.options["objective_scored"] == "at_flip" and not state.ais
    objective = state.has_objectives and state.now.objective is None
    if objective and at_flip:
        return "objective"
    if None in state.now.hidden:
        return "hidden"
    if unpowered(state):
        return "powers"
    return "objective" if objective else "resolve"


def flips_objective(state: State) -> bool:
    """Return whether the round's Objective is turned up now (FS-19, FS-22).

    That is once all players are done; in a two-player game with an AI only after the powers.
    """
    if not state.has_objectives or state.now.objective is not None:
        return False
    where = phase(state)
    if state.ais:
        return where == "objective"
    return where in ("hidden", "objective") and not any(state.now.hidden)


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
    mover = ai_to_move(state) if now.pending is None else None
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
    placed = (player for player in state.now.order if len(state.now.ships_of(player)) >= SHIPS)
    return next(
        (player for player in placed if player in state.players and not done(state, player)), None
    )


@once
def to_move(state: State) -> PlayerId | None:
    """Return whose turn it is, or None when all are done (FS-7)."""
    now = state.current
    if now is None:
        return None
    waiting = [
        player for player in now.order if player in state.players and not done(state, player)
    ]
    if now.called in waiting:
        return now.called
    if not waiting:
        return None
    place = now.order.index(now.last) + 1 if now.last in now.order else 0
    return next(player for player in (*now.order[place:], *now.order[:place]) if player in waiting)


def early(state: State) -> int | None:
    """Return the number of the Hidden card from which two resources were taken, to be revealed at
    once, or None (FS-41)."""
    taken = [mark.card for mark in state.now.marks if mark.taken] if state.ais else []
    face_down = (
        number for number, region in enumerate(state.now.hidden, start=1) if region is None
    )
    return next((number for number in face_down if taken.count(number) >= _REVEALED_AT), None)


def next_hidden_card(state: State) -> int:
    """Return the Hidden card to turn up next: one to be revealed at once, else the first that is
    face down (FS-20, FS-41)."""
    return early(state) or state.now.hidden.index(None) + 1


def hidden_cards(state: State, number: int) -> int:
    """Return how many Hidden cards lie on the tray in a round (FS-6, FS-29)."""
    return number if state.options["hidden_count"] == "coming_round" else max(1, number - 1)


def free_slots(state: State) -> tuple[int, ...]:
    """Return the turn slots of the next row that are still free (FS-10)."""
    return tuple(slot for slot in range(1, len(state.now.order) + 1) if slot not in state.now.slots)


def next_order(state: State) -> tuple[PlayerId, ...]:
    """Return the order of the next row; while it is incomplete, those in it first, then the others as in this row."""
    taken = tuple(state.now.slots[slot] for slot in sorted(state.now.slots))
    return (*taken, *(player for player in state.now.order if player not in taken))


def unpowered(state: State) -> tuple[PlayerId, ...]:
    """Return the players with Airships whose powers are still missing (FS-21)."""
    players = dict.fromkeys(ship.player for ship in state.now.ships)
    return tuple(player for player in players if powers_of(state, player) is None)


def powers_of(state: State, player: PlayerId) -> tuple[int, ...] | None:
    """Return the powers under a player's Airships in the order of placing, or None while unknown.

    An AI's powers follow from its tokens unless the table entered them.
    """
    if player in state.now.powers:
        return state.now.powers[player]
    tokens = tokens_of(state, player) if is_ai(player) else None
    return None if tokens is None else tuple(token.power for token in tokens)


def tokens_of(state: State, ai: PlayerId) -> tuple[TurnedToken, ...] | None:
    """Return an AI's tokens as they are turned at the end of the round, or None where they are unknown (FS-43)."""
    values = state.board.tokens.get(color_of(ai))
    deck, regions = (
        state.now.decks.get(ai, Deck()),
        [ship.region for ship in state.now.ships_of(ai)],
    )
    placed = deck.tokens[SHIPS:]
    if values is None or len(placed) < len(regions):
        return None
    return turn_tokens(table_of(state), list(zip(regions, placed, strict=False)), values, deck.lots)


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
    scouted = [mark.card for mark in now.marks if mark.player == seat]
    pile = now.dealt[len(now.hidden) :]
    drawn = [region for player, region in zip(now.draws, pile, strict=False) if player == seat]
    return (
        *(
            Saw(seat=seat, where="hidden", number=card, region=now.dealt[card - 1])
            for card in scouted
        ),
        *(
            Saw(seat=seat, where="explore", number=at, region=region)
            for at, region in enumerate(drawn, start=1)
        ),
    )


def starfalls_of(state: State, player: PlayerId) -> int:
    """Return a player's Starfalls, with what the table added to a seat's by hand."""
    return starfalls(state).get(player, 0)


@once
def starfalls(state: State) -> Mapping[PlayerId, int]:
    """Return the Starfalls of all seats, with what the table added by hand, then of the AIs."""
    added, held = dict(state.common.by_hand), state.held
    seats = {seat.id: held.get(seat.id, 0) + added.get(seat.id, 0) for seat in state.setup.seats}
    return seats | {ai: held.get(ai, 0) for ai in state.ais}


def standings(state: State) -> dict[SeatId, int]:
    """Return each seat's Starfalls, in the order of the seats."""
    held = starfalls(state)
    return {seat.id: held[seat.id] for seat in state.setup.seats}


def winner(state: State) -> PlayerId | None:
    """Return who has most Starfalls after the last round, ties by the slots just taken (FS-30); None before."""
    if not state.finished or not state.past:
        return None
    order = [player for player in state.past[-1].next_order if player in state.players]
    return max(
        order, key=lambda player: (starfalls_of(state, player), -order.index(player)), default=None
    )


def tokens_in_play(state: State) -> int:
    """Return how many Starfall tokens are in use; that may exceed the supply of 28 (FS-1)."""
    return sum(starfalls_of(state, player) for player in state.players) + sum(
        state.starfalls.values()
    )


def result(state: State) -> GameResult:
    """Return who won, what settled a tie (FS-30), and everybody's Starfalls after each round."""
    held = starfalls(state)
    rounds = tuple(
        (str(played.number), {holder: played.held.get(holder, 0) for holder in held})
        for played in state.past
    )
    first = winner(state)
    equal = [
        player for player in state.players if first is not None and held[player] == held[first]
    ]
    settled = (
        f"{listed(map(state.name, equal))} had the same number of Starfalls; "
        if len(equal) > 1
        else ""
    )
    return GameResult(
        () if first is None else (first,),
        rounds
        if rounds and rounds[-1][1] == held
        else (*rounds, (BY_HAND if state.finished else NOW, held)),
        tie_break=settled
        and f"{settled}{state.name(first or '')} took the first turn slot of them.",
        others={ai: state.name(ai) for ai in state.ais},
    )
