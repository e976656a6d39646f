"""Private notes of a seat, of its hand and the cards it placed, and the short forms in which cards are typed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import permutations
from typing import Any

from companion.display.panels import Answers, NoteField, NoteLine
from companion.games.skyfire.rules.deck import Card, Deck, are_too_many, clean, read_face
from companion.games.skyfire.rules.view import SkyFireView
from companion.rules.columns import plural
from companion.rules.facts import Refused, SeatId


@dataclass(frozen=True, slots=True)
class Shorthand:
    """The words a line can mean: `names` of cards, and `symbols`; no others if `complete`.

    `out` are the names of cards not in play, which the rules refuse unless the players vouch for them (SF-2).
    `letters` are pairs of typed letters and the card, back or color they stand for.
    """

    names: tuple[str, ...]
    symbols: tuple[str, ...]
    complete: bool = False
    out: tuple[str, ...] = ()
    letters: tuple[tuple[str, str], ...] = ()

    def word(self, typed: str) -> str:
        """Return the card that is meant, as facts name it; raise `Refused` (clause `SF-6`) if that is ambiguous.

        `rb` is red of red-blue, `com` is Comet, `rrb` and `r+red+b` are red+red+blue. A word that matches nothing
        is kept unless the names are complete.
        """
        text = clean(typed)
        if not text:
            raise Refused("SF-6", "there is nothing between two commas", do="Type a card.")
        exact = [name for name in self.names if clean(name) == text]
        if exact or text in self.symbols:
            return exact[0] if exact else text
        if (lettered := dict(self.letters).get(text)) is not None:
            return lettered
        matches = sorted(
            {name for name in self.names if clean(name).startswith(text)} | self._as_symbols(text)
        )
        if len(matches) == 1:
            return matches[0]
        if (
            color := next((word for word in matches if word in self.symbols), None)
        ) is not None and all(word.startswith(color) for word in matches):
            return color  # every other name begins with this color, and goes on
        if matches:
            raise Refused(
                "SF-6", f"{typed!r} can mean {' or '.join(matches)}", do="Type a letter more."
            )
        if (
            out_of_play := next((name for name in self.out if clean(name).startswith(text)), None)
        ) is not None:
            return out_of_play
        if self.complete:
            raise Refused(
                "SF-6",
                f"{typed!r} is no card of the component file",
                do="Type its name, or its symbols.",
            )
        return text

    def words(self, typed: str) -> list[str]:
        """Return the cards meant by a comma-separated line; raise `Refused` as `word` does."""
        return [self.word(part) for part in parts(typed)]

    def _as_symbols(self, text: str) -> set[str]:
        """Return the symbols that `text` can stand for, joined as facts have them."""
        if "+" in text:
            parts = [self._symbol(clean(part)) for part in text.split("+") if part.strip()]
            return set() if None in parts or not parts else {"+".join(filter(None, parts))}
        begun = {symbol for symbol in self.symbols if symbol.startswith(text)}
        letters = [self._symbol(letter) for letter in text]
        if text and None not in letters:
            begun.add("+".join(filter(None, letters)))
        return begun

    def _symbol(self, begun: str) -> str | None:
        """Return the one symbol that begins so, or None.

        If not all symbols are known, any word of two letters or more stands for itself.
        """
        matches = [symbol for symbol in self.symbols if symbol == begun or symbol.startswith(begun)]
        if begun in matches or len(matches) == 1:
            return begun if begun in matches else matches[0]
        return begun if not matches and not self.complete and len(begun) > 1 else None


def parts(typed: str) -> list[str]:
    """Split on commas, or on blanks if each word has at most two letters; ignore a trailing comma."""
    text = typed.strip().removesuffix(",").strip()
    if not text:
        return []
    words = text.split()
    if "," not in text and all(len(word) <= _LETTERS for word in words):
        return words
    return [part.strip() for part in text.split(",")]


def shorthand(
    cards: Iterable[Card], seen: Iterable[str] = (), out: Iterable[Card] = ()
) -> Shorthand:
    """Return the words that can be meant with these cards, others being `out`; `seen` are faces entered before."""
    known = tuple(cards)
    named = {clean(card.name) for card in known}
    symbols = {symbol for card in known for symbol in card.symbols or ()}
    symbols |= {
        clean(part) for word in seen if clean(word) not in named for part in word.split("+")
    }
    complete = bool(known) and all(card.symbols is not None for card in known)
    names = tuple(card.name for card in known if card.symbols is not None)
    gone = tuple(out)
    letters = tuple(_letters([*known, *gone], symbols))
    return Shorthand(
        names, tuple(sorted(symbols - {""})), complete, tuple(card.name for card in gone), letters
    )


def _letters(cards: Iterable[Card], symbols: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield what letters stand for: a color, a fireworks card by face and back, a target by its colors in any
    order."""
    lettered = [card for card in cards if card.letters]
    colors = {symbol for card in lettered for symbol in card.symbols or () if card.back is not None}
    yield from (
        (symbol[0], symbol)
        for symbol in sorted(colors)
        if sum(other[0] == symbol[0] for other in symbols) == 1
    )
    for card in lettered:
        orders = (
            [card.letters] if card.back is not None else map("".join, permutations(card.letters))
        )
        yield from ((order, card.name) for order in orders)


_LETTERS = 2
"""Letters of a card as it is seen: its face, and the other color of its back."""
HAND = "hand"
_CARDS, _CARD = "cards", "card"
LOOK_AGAIN = "Look at your cards again."


def note_lines(game: SkyFireView, seat: SeatId) -> tuple[NoteLine, ...]:
    """Return a line for the hand, and one for each zone in which a card of that seat lies."""
    faces = faces_of(game)
    held = next((other.hand for other in game.seats if other.id == seat), 0)
    takes = f"{plural(held, 'card')}, {how_typed(game.deck)}"
    field = NoteField(_CARDS, "Your hand now")
    hand = NoteLine(
        HAND, "your hand now", "hand_noted", takes, (field,),
        partial(_hand, game, faces, seat), partial(_words, faces, _CARDS),
    )  # fmt: skip
    own = (zone.number for zone in game.zones if any(card.seat == seat for card in zone.cards))
    return (hand, *(_of_zone(zone, seat, faces) for zone in own))


def _hand(game: SkyFireView, faces: Shorthand, seat: SeatId, answers: Answers) -> dict[str, Any]:
    """Return the body of a hand note; raise `Refused` if the visible cards make that hand impossible."""
    cards, deck = faces.words(answers[_CARDS]), game.deck
    others = [word for other in game.seats if other.id != seat for word in other.shown]
    seen = [*(face.word for zone in game.zones for face in zone.faces), *others]
    read = partial(read_face, cards=deck.fireworks)
    if are_too_many(
        [*filter(None, map(read, cards))], [*filter(None, map(read, seen))], deck.fireworks
    ):
        raise Refused(
            "SF-6",
            "this hand has a card of which each lies elsewhere or is in it already",
            do=LOOK_AGAIN,
        )
    return {"seat": seat, "cards": cards}


def _of_zone(zone: int, seat: SeatId, faces: Shorthand) -> NoteLine:
    takes = f"which of your cards lies in zone {zone}, the first placed first; one at a time"
    label, field = f"yours in zone {zone}", NoteField(_CARD, f"Yours in zone {zone}")
    read, words = partial(_placed, faces, seat, zone), partial(_words, faces, _CARD)
    return NoteLine(f"zone-{zone}", label, "place_noted", takes, (field,), read, words)


def how_typed(deck: Deck) -> str:
    """Return how fireworks cards are typed, with a card of the deck as the example."""
    card = next(
        (
            card
            for card in (*deck.fireworks, *deck.out)
            if card.letters and card.symbols and card.back
        ),
        None,
    )
    if card is None or card.symbols is None:
        return "commas between, + between symbols, beginnings are enough"
    back = (card.back or "").replace(" ", "-")
    return f"two letters each, face first: {card.letters} is {card.symbols[0]} on a {back} back"


def faces_of(game: SkyFireView) -> Shorthand:
    """Return the words for faces of fireworks cards."""
    seen = [face.word for zone in game.zones for face in zone.faces]
    return shorthand(
        game.deck.fireworks, [*seen, *(game.target.symbols or ())], game.deck.out_fireworks
    )


def backs_of(game: SkyFireView) -> Shorthand:
    """Return the words for backs: two letters of their colors in any order, or the beginning of a name."""
    of_deck = [
        card.back for card in (*game.deck.fireworks, *game.deck.out) if card.back is not None
    ]
    lying = [card.back for zone in game.zones for card in zone.cards if card.back is not None]
    letter_of = {symbol: letter for letter, symbol in game.deck.letters}
    letters = []
    for back in dict.fromkeys(of_deck):
        colors = back.split()
        if len(colors) == _LETTERS and all(color in letter_of for color in colors):
            first, other = (letter_of[color] for color in colors)
            letters += [(first + other, back), (other + first, back)]
    return Shorthand(tuple(sorted({*of_deck, *lying})), (), letters=tuple(letters))


def _words(faces: Shorthand, field: str, answers: Answers) -> str:
    words = faces.words(answers.get(field, ""))
    return f"{len(words)}: {', '.join(words)}" if words else ""


def _placed(faces: Shorthand, seat: SeatId, zone: int, answers: Answers) -> dict[str, Any]:
    words = faces.words(answers[_CARD])
    if len(words) != 1:
        raise Refused(
            "SF-10", f"{plural(len(words), 'card')} at once", do="Note one card at a time."
        )
    return {"seat": seat, "zone": zone, "card": words[0]}
