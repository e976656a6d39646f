"""What a seat of SkyFire can note for itself: its hand, and what it put where."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from companion.games.skyfire.rules.shorthand import Shorthand, shorthand
from companion.games.skyfire.rules.text import cards
from companion.games.skyfire.rules.view import SkyFireView
from companion.rules.game import Refused, SeatId
from companion.rules.panels import Answers, NoteField, NoteLine

HAND = "hand"
_CARDS, _CARD = "cards", "card"


def note_lines(game: SkyFireView, seat: SeatId) -> tuple[NoteLine, ...]:
    """Return the line of the hand, and one for each zone in which a card of that seat lies."""
    return tuple(_lines(game, seat, faces_of(game)))


def faces_of(game: SkyFireView) -> Shorthand:
    """Return what the faces of fireworks can be called."""
    seen = [word for zone in game.zones for word in zone.words]
    return shorthand(game.deck.fireworks, [*seen, *(game.target.symbols or ())], game.deck.out)


def _lines(game: SkyFireView, seat: SeatId, faces: Shorthand) -> Iterator[NoteLine]:
    held = next((each.hand for each in game.seats if each.id == seat), 0)
    takes = f"{cards(held)}, commas between, + between symbols, beginnings are enough"
    field = NoteField(_CARDS, "Your hand now")
    words = partial(_words, faces, _CARDS)
    yield NoteLine(HAND, "your hand now", "hand_noted", takes, (field,), partial(_hand, faces, seat), words)
    for zone in game.zones:
        if any(card.seat == seat for card in zone.cards):
            takes = f"which of your cards lies in zone {zone.number}, the first placed first; one at a time"
            label = f"yours in zone {zone.number}"
            field = NoteField(_CARD, f"Yours in zone {zone.number}")
            read = partial(_placed, faces, seat, zone.number)
            yield NoteLine(
                f"zone-{zone.number}", label, "place_noted", takes, (field,), read, partial(_words, faces, _CARD)
            )


def _words(faces: Shorthand, field: str, answers: Answers) -> str:
    words = faces.words(answers.get(field, ""))
    return f"{len(words)}: {', '.join(words)}" if words else ""


def _hand(faces: Shorthand, seat: SeatId, answers: Answers) -> dict[str, Any]:
    return {"seat": seat, "cards": faces.words(answers[_CARDS])}


def _placed(faces: Shorthand, seat: SeatId, zone: int, answers: Answers) -> dict[str, Any]:
    words = faces.words(answers[_CARD])
    if len(words) != 1:
        raise Refused("SF-10", f"{cards(len(words))} at once", "one card", "Note one card at a time.")
    return {"seat": seat, "zone": zone, "card": words[0]}
