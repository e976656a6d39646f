"""The facts the rules allow in a state, for random play and for checks; the table's own words are not among them."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.fractured_sky.rules import facts as f
from companion.games.fractured_sky.rules.board import CardKind, Direction
from companion.games.fractured_sky.rules.model import ROUNDS, State
from companion.games.fractured_sky.rules.phase import (
    ai_to_move,
    free_slots,
    next_hidden,
    owing_slot,
    phase,
    shuffling,
    to_deal,
    to_move,
    unpowered,
    virtual,
)
from companion.games.fractured_sky.rules.public import as_ai, color_of
from companion.games.fractured_sky.rules.turns import may_take
from companion.rules.game import Fact

_KINDS: tuple[CardKind, ...] = ("airship", "fortress", "market", "skimmer", "scout")
_STARS: tuple[Direction, ...] = ("N", "SE", "W")
_POWERS = ((5, 4, 3), (0, 0, 1), (10, 0, 0), (2, 3, 5), (6, 1, 8))


def candidates(state: State) -> Iterator[Fact]:
    """Yield facts that the rules may allow now."""
    match phase(state):
        case "first":
            yield from (f.First(seat=seat) for seat in state.playing)
        case "public" if to_deal(state):
            yield from (f.Deal(cards=cards) for cards in (state.board.ids, state.board.ids[::-1]))
        case "public":
            yield from (f.Public(region=region) for region in state.board.ids)
        case "shuffle":
            yield from _shuffles(state)
        case "slot":
            yield from (f.Slot(seat=owing_slot(state) or "", slot=slot) for slot in free_slots(state))
        case "turn":
            yield from (*_taken(state), *_moves(state))
        case "ai":
            yield from _ai(state)
        case "early" | "hidden":
            yield from (f.Reveal(card=next_hidden(state), region=region) for region in state.board.ids)
        case _:
            yield from _end(state)


def _shuffles(state: State) -> Iterator[Fact]:
    ai = shuffling(state)
    if ai is None:
        return
    numbers = tuple(range(1, len(state.board.decks[color_of(ai)]) + 1))
    whole = not state.now.decks[ai].shuffled
    for cards, tokens in ((numbers, (1, 2, 3, 4, 5, 6)), (numbers[::-1], (4, 2, 6, 1, 5, 3))):
        yield f.Shuffle(ai=ai, cards=cards, tokens=tokens if whole else (), lots=tokens if whole else ())


def _taken(state: State) -> Iterator[Fact]:
    """What may be taken after a look at a card that the companion showed."""
    mark = may_take(state)
    if mark is not None and state.now.dealt:
        yield f.Take(seat=mark.player, card=mark.card, resource="gold")
        yield f.Take(seat=mark.player, card=mark.card, resource="wood")


def _moves(state: State) -> Iterator[Fact]:
    ai = ai_to_move(state)
    if ai is None:
        yield from _turn(state, to_move(state) or "")
    elif virtual(state, ai):
        yield f.AiTurn(ai=ai)
    else:
        for kind in _KINDS:
            yield f.AiTurn(ai=ai, card=kind, stars=("SE", "W"))
            yield f.AiTurn(ai=ai, card=kind)


def _turn(state: State, player: str) -> Iterator[Fact]:
    for region in state.board.ids:
        yield from (f.Airship(seat=player, region=region), f.Skimmer(seat=player, region=region))
    for platform in state.board.platforms:
        yield f.Build(seat=player, building="fortress", platform=platform.id)
        yield f.Build(seat=player, building="market", platform=platform.id)
    for card in range(1, len(state.now.hidden) + 1):
        yield f.Scout(seat=player, card=card)
        yield f.Scout(seat=player, card=card, resource="gold")
    yield from (f.Peek(seat=player, card=card) for card in range(1, ROUNDS + 1))


def _ai(state: State) -> Iterator[Fact]:
    pending = state.now.pending
    if pending is None:
        return
    yield f.AiDone()
    yield from (f.AiChoose(target=target) for target in pending.decision.ask)
    ai = as_ai(pending.decision.ai)
    if ai is not None and pending.decision.compass is not None:
        yield from (f.AiCompass(ai=ai, stars=(star,)) for star in _STARS)
        yield f.AiCompass(ai=ai, whole=True)
    if pending.decision.target is None:
        yield f.AiCannot(reason="no such platform is known")


def _end(state: State) -> Iterator[Fact]:
    match phase(state):
        case "powers":
            player = unpowered(state)[0]
            ships = len(state.now.ships_of(player))
            yield from (f.Powers(player=player, chips=chips[:ships]) for chips in _POWERS)
        case "objective":
            yield from (f.Objective(players=(player,)) for player in state.players)
            yield f.Objective()
            yield f.Objective(players=state.players)
        case "resolve":
            yield f.RoundEnd()
