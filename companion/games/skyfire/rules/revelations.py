"""What a fact showed to everybody and cannot be unseen."""

from __future__ import annotations

from companion.games.skyfire.rules import facts as f
from companion.games.skyfire.rules.model import State
from companion.rules.game import Fact

_ALL = "the cards of all zones, to everybody"


def reveals(state: State, fact: Fact) -> str | None:
    """Return which cards `fact` showed (`the cards of zone 2, to everybody`), or None; `state` is the one before it.

    An answer shows nothing: the cards lay open since the launch or the misfire, so a mistyped one is simply mended.
    """
    current = state.current
    match fact:
        case f.Launch(zone=zone) if current is not None and zone <= len(current.zones):
            cards = current.zone(zone)
            return _of(zone) if cards.turned < len(cards.cards) else None
        case f.Misfire() if current is not None:
            return _ALL if any(zone.turned < len(zone.cards) for zone in current.zones) else None
        case f.Revealed(zone=zone):
            return _of(zone)
        case f.HandShown(seat=seat) if seat in {known.id for known in state.setup.seats}:
            return f"the hand of {state.name(seat)}, to everybody"
    return None


def _of(zone: int) -> str:
    return f"the cards of zone {zone}, to everybody"
