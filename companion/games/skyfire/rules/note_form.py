"""Private notes of a seat, of its hand and the cards it placed, and the short forms in which cards are typed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import permutations
from typing import Any

from companion.display.panels import Answers, NoteField, NoteLine
from companion.games.skyfire.rules.deck import (
    IN_LETTERS,
    Card,
    Deck,
    are_too_many,
    clean,
    read_face,
)
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

        `rb` is red of red-blue, `com` is Comet, `rrb` and `r+red+b` are red+red+blue. A word that matches nothing is
        kept unless the names are complete.
        """
        text = clean(typed)
        if not text:
            raise Refused("SF-6", "there is nothing between two commas", do="Type a card.")
        if exact := self._exact(text):
            return exact
        begun = {name for name in self.names if clean(name).startswith(text)}
        matches = sorted(begun | self._as_symbols(text))
        if len(matches) == 1:
            return matches[0]
        color = next((word for word in matches if word in self.symbols), None)
        if color is not None and all(word.startswith(color) for word in matches):
            return color  # every other name begins with this color, and goes on
        if matches:
            why = f"{typed!r} can mean {' or '.join(matches)}"
            raise Refused("SF-6", why, do="Type a letter more.")
        out = [name for name in self.out if clean(name).startswith(text)]
        if out:
            return out[0]
        if self.complete:
            why = f"{typed!r} is no card of this game"
            raise Refused("SF-6", why, do=self._how_named())
        return text

    def _how_named(self) -> str:
        return IN_LETTERS if self.letters else "Type its name, or its symbols."

    def _exact(self, text: str) -> str:
        """Return the card, symbol or lettered word that is exactly this text; empty if there is none."""
        for name in self.names:
            if clean(name) == text:
                return name
        if text in self.symbols:
            return text
        return dict(self.letters).get(text, "")

    def words(self, typed: str) -> list[str]:
        """Return the cards meant by a comma-separated line; raise `Refused` as `word` does."""
        return [self.word(part) for part in parts(typed)]

    def _as_symbols(self, text: str) -> set[str]:
        """Return the symbols that `text` can stand for, joined as facts have them."""
        if "+" in text:
            joined = self._joined(clean(part) for part in text.split("+") if part.strip())
            return {joined} if joined else set()
        begun = {symbol for symbol in self.symbols if symbol.startswith(text)}
        if joined := self._joined(text):
            begun.add(joined)
        return begun

    def _joined(self, words: Iterable[str]) -> str:
        """Return the symbols that these words begin, joined by `+`; empty if one of them is not clear."""
        symbols = []
        for word in words:
            symbol = self._symbol(word)
            if symbol is None:
                return ""
            symbols.append(symbol)
        return "+".join(symbols)

    def _symbol(self, begun: str) -> str | None:
        """Return the one symbol that begins so, or None.

        If not all symbols are known, any word of two letters or more stands for itself.
        """
        if begun in self.symbols:
            return begun
        matches = [symbol for symbol in self.symbols if symbol.startswith(begun)]
        if len(matches) == 1:
            return matches[0]
        if not matches and not self.complete and len(begun) > 1:
            return begun
        return None


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
    known, gone = tuple(cards), tuple(out)
    named = {clean(card.name) for card in known}
    symbols = {symbol for card in known for symbol in card.symbols or ()}
    for word in seen:
        if clean(word) not in named:
            symbols.update(map(clean, word.split("+")))
    return Shorthand(
        names=tuple(card.name for card in known if card.symbols is not None),
        symbols=tuple(sorted(symbols - {""})),
        complete=bool(known) and all(card.symbols is not None for card in known),
        out=tuple(card.name for card in gone),
        letters=tuple(_letters([*known, *gone], symbols)),
    )


def _letters(cards: Iterable[Card], symbols: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield what letters stand for: a color, a fireworks card by face and back, a target by its colors in any order."""
    lettered = [card for card in cards if card.letters]
    colors = {symbol for card in lettered for symbol in card.symbols or () if card.back is not None}
    count = Counter(symbol[:1] for symbol in symbols)
    for color in sorted(colors):
        if count[color[0]] == 1:
            yield color[0], color
    for card in lettered:
        if card.back is not None:
            yield card.letters, card.name
            continue
        for order in permutations(card.letters):
            yield "".join(order), card.name


_LETTERS = 2
"""Letters of a card as it is seen: its face, and the other color of its back."""
HAND = "hand"
_CARDS, _CARD = "cards", "card"
LOOK_AGAIN = "Look at your cards again."


def note_lines(game: SkyFireView, seat: SeatId) -> tuple[NoteLine, ...]:
    """Return a line for the hand, and one for each zone in which a card of that seat lies."""
    faces = faces_of(game)
    held = {player.id: player.hand for player in game.seats}.get(seat, 0)
    takes = f"{plural(held, 'card')}, {how_typed(game.deck)}"
    field = NoteField(_CARDS, "Your hand now")
    hand = NoteLine(
        HAND, "your hand now", "hand_noted", takes, (field,),
        partial(_hand, game, faces, seat), partial(_words, faces, _CARDS),
    )  # fmt: skip
    lines = [hand]
    for zone in game.zones:
        if any(card.seat == seat for card in zone.cards):
            lines.append(_of_zone(zone.number, seat, faces))
    return tuple(lines)


def _hand(game: SkyFireView, faces: Shorthand, seat: SeatId, answers: Answers) -> dict[str, Any]:
    """Return the body of a hand note; raise `Refused` if the visible cards make that hand impossible."""
    words, cards = faces.words(answers[_CARDS]), game.deck.fireworks
    seen = [face.word for zone in game.zones for face in zone.faces]
    for player in game.seats:
        if player.id != seat:
            seen += player.shown
    hand_faces = [face for word in words if (face := read_face(word, cards)) is not None]
    seen_faces = [face for word in seen if (face := read_face(word, cards)) is not None]
    if are_too_many(hand_faces, seen_faces, cards):
        why = "this hand has a card of which each lies elsewhere or is in it already"
        raise Refused("SF-6", why, do=LOOK_AGAIN)
    return {"seat": seat, "cards": words}


def _of_zone(zone: int, seat: SeatId, faces: Shorthand) -> NoteLine:
    takes = f"which of your cards lies in zone {zone}, the first placed first; one at a time"
    label, field = f"yours in zone {zone}", NoteField(_CARD, f"Yours in zone {zone}")
    read, words = partial(_placed, faces, seat, zone), partial(_words, faces, _CARD)
    return NoteLine(f"zone-{zone}", label, "place_noted", takes, (field,), read, words)


def how_typed(deck: Deck) -> str:
    """Return how fireworks cards are typed, with a card of the deck as the example."""
    for card in (*deck.fireworks, *deck.out):
        if card.letters and card.symbols and card.back:
            back = card.back.replace(" ", "-")
            example = f"{card.letters} is {card.symbols[0]} on a {back} back"
            return f"two letters each, face first: {example}"
    return "commas between, + between symbols, short forms work"


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
