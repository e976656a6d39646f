"""What to lay out before the first round (SF-1 to SF-7)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.skyfire.rules.box import COUNTS
from companion.games.skyfire.rules.deck import DEALT, NO_WHITE
from companion.games.skyfire.rules.model import State
from companion.rules.columns import plural

_TARGETS = COUNTS["target cards in the stack"][0]
_GO_BACK = COUNTS["target cards removed with four or five players"][0]


def checklist(state: State) -> tuple[str, ...]:
    """Return the steps of the setup, a plain line each."""
    return tuple(_steps(state, len(state.common.playing)))


def _steps(state: State, players: int) -> Iterator[str]:
    cards, finale = state.deck.cards, state.deck.finale
    zones, left = players - 1, state.deck.cards - DEALT * players
    if players == NO_WHITE:
        yield "Take out every card that shows white: fireworks, targets, the finale for four or five players."
        yield f"By our count {cards} fireworks and {_TARGETS} targets stay in play."
        yield f"Lay {zones} of the targets you took out face down, well apart: they mark the launch zones."
    else:
        unseen = "without looking" if state.options["removed_targets"] == "random_unseen" else "openly"
        yield f"Take out {_GO_BACK} of the targets, {unseen}, and the finale for three players."
        yield f"Lay {zones} of these {_GO_BACK} targets face down, well apart: they mark the launch zones."
    yield "Put what else you took out back into the box."
    named = f", {finale.name}," if finale is not None and finale.symbols is not None else ""
    yield f"Lay the finale{named} face up in the middle: everybody knows the target of round 5."
    yield f"Shuffle the {_TARGETS} targets and lay them on the finale, face up as one stack."
    yield f"Shuffle the {cards} fireworks and deal {DEALT} face down to each player."
    if left > 0:
        yield f"Lay the {plural(left, 'card')} left over beside the play area, backs up."
