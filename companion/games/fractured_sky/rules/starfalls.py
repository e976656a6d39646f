"""The Starfall decks where the companion deals them, and what each seat has seen of the Hidden cards (FS-46, FS-T8)."""

from __future__ import annotations

from dataclasses import replace

from companion.games.fractured_sky.rules import facts as f
from companion.games.fractured_sky.rules.board import RegionId
from companion.games.fractured_sky.rules.checks import require_phase
from companion.games.fractured_sky.rules.model import Round, Sight, State
from companion.rules.game import Refused, SeatId


def deals(state: State) -> bool:
    """Whether the companion shuffles and deals the Starfall cards."""
    return state.options["starfalls"] == "virtual"


def to_deal(state: State) -> bool:
    """Whether the Hidden cards of this round are still to be dealt."""
    now = state.current
    return deals(state) and now is not None and now.public is None and not now.dealt


def deal(state: State, fact: f.Deal) -> State:
    """The Hidden cards as they were shuffled: the tray, then the unused pile from the top (FS-6, FS-29).

    What is refused here repeats no region: it is read by everybody.
    """
    if not deals(state):
        raise Refused(
            "FS-T8",
            "the Starfall cards of this game lie on the table",
            "the house rule starfalls=virtual",
            "Deal them by hand.",
        )
    now = require_phase(state, "public")
    if now.dealt:
        raise Refused(
            "FS-T8",
            "the Hidden cards of this round are dealt",
            "the Public Starfall card",
            "Turn up the Public Starfall next.",
        )
    if sorted(fact.cards) != sorted(state.board.ids):
        raise Refused(
            "FS-3",
            "these are not the Hidden cards",
            "each region of this side of the board once",
            "Name each region of this side once.",
        )
    return replace(state, current=replace(now, dealt=fact.cards))


def on_card(now: Round, card: int) -> RegionId | None:
    """The region on a Hidden card of the tray; None where only the table knows."""
    return now.dealt[card - 1] if now.dealt else None


def sights_of(state: State, seat: SeatId) -> tuple[Sight, ...]:
    """What a seat has seen of this round's Hidden cards: of its own telling, or as the companion showed it."""
    now = state.current
    if now is None:
        return ()
    if not now.dealt:
        return tuple(sight for sight in now.sights if sight.seat == seat)
    scouted = [mark.card for mark in now.marks if mark.player == seat]
    pile = now.dealt[len(now.hidden) :]
    drawn = [region for player, region in zip(now.draws, pile, strict=False) if player == seat]
    return (
        *(Sight(seat, "hidden", card, now.dealt[card - 1]) for card in scouted),
        *(Sight(seat, "explore", number, region) for number, region in enumerate(drawn, start=1)),
    )
