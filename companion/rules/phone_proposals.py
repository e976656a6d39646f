"""What a player can propose to the table from a phone, declared once by a game. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from companion.rules.game import SeatId


@dataclass(frozen=True, slots=True)
class PhoneProposal:
    """A fact of the `kind` with that `body`, which the table records if it says yes. `label` is what the player says
    with it; `id` is unique among those of a seat."""

    id: str
    label: str
    kind: str
    body: Mapping[str, Any]


PhoneProposals = Callable[[Any, SeatId], tuple[PhoneProposal, ...]]
"""Returns what a seat can propose now, by the game's view for the whole table."""
