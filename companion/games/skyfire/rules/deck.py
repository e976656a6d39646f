"""Cards in play by the component file, and faces as people name them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from companion.rules.columns import either, listed
from companion.rules.components import Box, ComponentRow
from companion.rules.facts import Refused

Symbols = tuple[str, ...]  # sorted; one that a card shows twice is there twice
NO_WHITE = 3  # with so many players the white cards are out (SF-2)
DEALT = 4  # SF-7
RULES_VERSION = 3
FACES_ALONE = 2
"""Up to this version of the rules, the face alone decided whether a card is white, and cards had no letters."""
NAME_IT = "Type its name, or its symbols with + between."
IN_LETTERS = "Type two letters, the face first, or its name."
COLORS_IN_LETTERS = "Type the letters of its colors, or its name."
_WHITE = re.compile(r"\bwhite\b", re.IGNORECASE)
_BETWEEN_COLORS = re.compile(r"[\s,+/-]+")
_CERTAIN = ("confirmed", "inferred")
_MOST_NAMED = 4
"""Targets that a refusal names; with more, it gives an example."""


def shows_white(text: str | None) -> bool:
    """Return True if white is a word of this symbol or back; False if it is unknown."""
    return _WHITE.search(text or "") is not None


@dataclass(frozen=True, slots=True)
class Card:
    """A card of the component file by its table name; `symbols` or `back` is None if unknown.

    `row` is its name in the file. `letters` are what people type for it: for a fireworks card its face and then
    the other color of its back, for a target all its symbols in any order; empty if ambiguous.
    """

    name: str
    symbols: Symbols | None
    back: str | None = None
    copies: int = 1
    row: str = ""
    letters: str = ""

    @property
    def white_face(self) -> bool:
        """True if its face shows a white symbol."""
        return any(map(shows_white, self.symbols or ()))

    @property
    def white(self) -> bool:
        """True if it shows white on its face or its back (SF-2)."""
        return self.white_face or shows_white(self.back)

    @property
    def known(self) -> bool:
        """True if both sides are known, so it is certain whether it shows white."""
        return self.symbols is not None and self.back is not None

    def is_called(self, text: str) -> bool:
        """Return True if `text` names the card: by its table name, its row in the file, or its letters."""
        typed = clean(text)
        if not typed:
            return False
        if typed in (clean(self.name), clean(self.row), self.letters):
            return True
        # Letters of a target or finale may come in any order; those of a fireworks card mean face, then back.
        return self.back is None and sorted(typed) == sorted(self.letters)


@dataclass(frozen=True, slots=True)
class Face:
    """A card somebody has seen or named, by its name, its symbols, or both.

    `plain` is True if the name already says the symbols.
    """

    name: str | None
    symbols: Symbols | None
    plain: bool = field(default=False, compare=False)

    def __str__(self) -> str:
        if self.name and self.plain:
            return self.name
        symbols = "+".join(self.symbols or ())
        if self.name and symbols:
            return f"{self.name} ({symbols})"
        return self.name or symbols

    @property
    def word(self) -> str:
        """The face as people type it: the card's name, or its symbols."""
        return self.name or "+".join(self.symbols or ())


@dataclass(frozen=True, slots=True)
class Deck:
    """The cards that can be in play with a number of players (SF-2, SF-3, SF-4): all but those known to be out.

    `cards` counts the fireworks in play. `complete` is True if it is known which they are, with every face;
    `backs` is True if every back is known too, `targets_known` if it is certain that the box has no other targets and
    finales than these and those out. `letters` are pairs of a letter and the symbol it stands for.
    """

    fireworks: tuple[Card, ...]
    targets: tuple[Card, ...]
    finale: Card | None
    cards: int
    complete: bool
    backs: bool
    example: bool
    out_fireworks: tuple[Card, ...] = ()
    out_targets: tuple[Card, ...] = ()
    letters: tuple[tuple[str, str], ...] = ()
    targets_known: bool = False

    @property
    def out(self) -> tuple[Card, ...]:
        """The cards taken out because they show white (SF-2)."""
        return (*self.out_fireworks, *self.out_targets)

    def read_back(self, text: str) -> str:
        """Return the back that `text` means, as the component file writes it: its colors in any order, as words or
        letters."""
        typed = clean(text)
        cards = (*self.fireworks, *self.out_fireworks)
        backs = dict.fromkeys(card.back for card in cards if card.back is not None)
        if not self.letters or typed in backs:
            return typed
        colors = self.colors(typed)
        for back in backs:
            if sorted(back.split()) == colors:
                return back
        return typed

    def colors(self, text: str) -> list[str]:
        """Return the words of `text`, or the symbols that its letters stand for, sorted."""
        by_letter, typed = dict(self.letters), clean(text)
        words = [word for word in _BETWEEN_COLORS.split(typed) if word]
        if len(words) == 1 and len(typed) > 1 and all(letter in by_letter for letter in typed):
            words = list(typed)
        return sorted(by_letter.get(word, word) for word in words)

    def read_target(self, text: str) -> Card | None:
        """Return the target or finale that `text` names: by its name, or by its colors in any order, as words or
        letters; None if there is none."""
        cards = [*self.targets, *self.out_targets]
        if self.finale is not None:
            cards.append(self.finale)
        for card in cards:
            if card.is_called(text):
                return card
        colors = self.colors(text)
        for card in cards:
            if card.letters and sorted(card.symbols or ()) == colors:
                return card  # with letters, no other shows the same symbols
        return None


def deck_for(box: Box, players: int, version: int = RULES_VERSION) -> Deck:
    """Return the cards in play with that many players, by that version of the rules.

    A card that nobody knows to be white can be in play.
    """
    fireworks = tuple(map(card_of, box.table("fireworks")))
    targets = tuple(map(card_of, box.table("target")))
    finales = tuple(map(card_of, box.table("finale")))
    finale = None
    for row, card in zip(box.table("finale"), finales, strict=True):
        if players in row.fields.get("players", ()):
            finale = card
            break
    letters: dict[str, str] = {}
    if version <= FACES_ALONE:
        fireworks = tuple(replace(card, row="") for card in fireworks)
        targets = tuple(replace(card, row="") for card in targets)
    else:
        letters = _letters([*fireworks, *targets, *finales])
        fireworks = tuple(
            replace(card, letters=_of_face(card, fireworks, letters)) for card in fireworks
        )
        named = _named_by_symbols(box, targets)
        targets = tuple(_by_symbols(card, targets, letters) for card in named)
        if finale is not None:
            finale = _by_symbols(finale, (finale,), letters)
    fireworks, out_fireworks = _without_white(fireworks, players, version)
    targets, out_targets = _without_white(targets, players, version)
    cards = _count(fireworks)
    if players == NO_WHITE:
        cards = _in_play(box, fireworks, [card for card in fireworks if _is_sure(card, version)])
    faces_known = bool(fireworks) and all(card.symbols is not None for card in fireworks)
    return Deck(
        fireworks,
        targets,
        finale,
        cards=cards,
        complete=faces_known and (version == FACES_ALONE or cards == _count(fireworks)),
        backs=all(card.back is not None for card in fireworks),
        example=any(row.status == "example" for row in box.rows),
        out_fireworks=out_fireworks,
        out_targets=out_targets,
        letters=tuple(letters.items()),
        targets_known=_are_certain(box),
    )


def _are_certain(box: Box) -> bool:
    """Return True if the box names every target and finale it has, and what each of them shows."""
    for table, name, published in (("target", "target cards", 10), ("finale", "finale cards", 2)):
        rows = box.table(table)
        if any(row.status not in _CERTAIN or not row.fields.get("symbols") for row in rows):
            return False
        if sum(row.fields.get("copies", 1) for row in rows) != box.value("count", name, published):
            return False
    return True


def no_such_target(text: str, deck: Deck, cards: Sequence[Card]) -> Refused:
    """Return the refusal of a target that the box does not have; it names those of `cards` that are most like it."""
    typed = deck.colors(text)
    near: Sequence[Card] = cards
    reason = f"{text.strip()!r} is no target of this game"
    if typed and set(typed) <= {symbol for _, symbol in deck.letters}:
        reason = f"no target has exactly the colors {listed(dict.fromkeys(typed))}"
        apart = [len(set(typed) ^ set(card.symbols or ())) for card in cards]
        near = [card for card, far in zip(cards, apart, strict=True) if far == min(apart)]
    do = "Type the colors of the target on top."
    if 0 < len(near) <= _MOST_NAMED:
        do = f"Type {either(card.name for card in near)}."
    elif near:
        do = f"Type the colors of the target on top, such as {near[0].name}."
    return Refused("SF-8", reason, do=do)


def _without_white(
    cards: tuple[Card, ...], players: int, version: int
) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """Return the cards in play, and those taken out for showing white (SF-2)."""
    if players != NO_WHITE:
        return cards, ()
    out = tuple(card for card in cards if _is_out(card, version))
    return tuple(card for card in cards if card not in out), out


def _is_out(card: Card, version: int) -> bool:
    return card.white if version > FACES_ALONE else card.white_face


def _is_sure(card: Card, version: int) -> bool:
    """Return True if enough of the card is known to say that it shows no white."""
    return card.known if version > FACES_ALONE else card.symbols is not None


def _in_play(box: Box, fireworks: Sequence[Card], sure: Sequence[Card]) -> int:
    """Return the number of cards without white: SF-2's, as far as the cards `sure` to show none allow."""
    expected: int = box.value("count", "fireworks cards with three players", NO_WHITE * DEALT)
    return max(_count(sure), min(expected, _count(fireworks)))


def _count(cards: Iterable[Card]) -> int:
    return sum(card.copies for card in cards)


# -- letters


def _letters(cards: Iterable[Card]) -> dict[str, str]:
    """Return these cards' symbols by first letter, without those that begin alike."""
    symbols = sorted({symbol for card in cards for symbol in card.symbols or ()})
    count = Counter(symbol[0] for symbol in symbols)
    letters = {}
    for symbol in symbols:
        letter = symbol[0]
        if count[letter] == 1 and letter.isalpha():
            letters[letter] = symbol
    return letters


def _of_face(card: Card, cards: Sequence[Card], letters: Mapping[str, str]) -> str:
    """Return what is typed for a fireworks card: the letter of its face, then of the other color of its back
    (SF-6)."""
    typed = _pair(card, letters)
    return typed if [_pair(other, letters) for other in cards].count(typed) == 1 else ""


def _pair(card: Card, letters: Mapping[str, str]) -> str:
    letter_of = {symbol: letter for letter, symbol in letters.items()}
    colors = (card.back or "").split()
    if card.symbols is None or len(card.symbols) != 1 or len(colors) != 2:
        return ""
    (face,) = card.symbols
    if face not in colors:
        return ""
    other = colors[1] if colors[0] == face else colors[0]
    if face not in letter_of or other not in letter_of:
        return ""
    return letter_of[face] + letter_of[other]


def _by_symbols(card: Card, cards: Sequence[Card], letters: Mapping[str, str]) -> Card:
    """Return a target or finale with the letters of its symbols, if no other of `cards` shows the same symbols."""
    letter_of = {symbol: letter for letter, symbol in letters.items()}
    symbols = card.symbols or ()
    alone = sum(other.symbols == card.symbols for other in cards) == 1
    if not symbols or not alone or not all(symbol in letter_of for symbol in symbols):
        return card
    return replace(card, letters="".join(letter_of[symbol] for symbol in symbols))


def _named_by_symbols(box: Box, targets: Sequence[Card]) -> Iterator[Card]:
    """Yield the targets; one without a name is called by its symbols in file order: `red-yellow-green`."""
    shown = Counter(card.symbols for card in targets)
    for row, card in zip(box.table("target"), targets, strict=True):
        symbols = row.fields.get("symbols", ())
        if "called" in row.fields or not symbols or shown[card.symbols] > 1:
            yield card
        else:
            yield replace(card, name="-".join(map(clean, symbols)))


def card_of(row: ComponentRow) -> Card:
    """Return the card that a row of the component file describes."""
    symbols, back = row.fields.get("symbols"), row.fields.get("back")
    return Card(
        row.fields.get("called", row.name),
        None if symbols is None else tuple(sorted(map(clean, symbols))),
        None if back is None else clean(back),
        row.fields.get("copies", 1),
        row.name,
    )


def clean(text: str) -> str:
    """Return a symbol or back in lower case with single spaces, for comparisons."""
    return " ".join(text.split()).casefold()


def read_face(text: str, cards: Sequence[Card]) -> Face | None:
    """Return the face that `text` names, a card of `cards` or symbols joined by `+`.

    Return None for a word that matches no card and no symbol while all faces are known.
    """
    typed = clean(text)
    named = [card for card in cards if clean(card.name) == typed]
    if not named:
        named = [card for card in cards if card.is_called(text)]
    if named:
        return face_of(named[0])
    symbols = tuple(sorted(filter(None, map(clean, text.split("+")))))
    if not symbols:
        return None
    known = {symbol for card in cards for symbol in card.symbols or ()}
    complete = bool(cards) and all(card.symbols is not None for card in cards)
    if complete and not known.issuperset(symbols):
        return None
    return Face(None, symbols)


def read_faces(
    texts: Sequence[str],
    cards: Sequence[Card],
    out: Sequence[Card],
    *,
    secret: bool = False,
    vouched: bool | None = None,
) -> tuple[Face, ...]:
    """Return the faces, named where only one of `cards` shows these symbols; raise `Refused` (clause `SF-6`).

    A card that is `out` is refused too (clause `SF-2`), unless the players `vouched` for it; None means they cannot. If
    `secret`, the refusal does not repeat the text.
    """
    faces = []
    for number, text in enumerate(texts, start=1):
        named = f"card {number} of the note" if secret else repr(text)
        if "," in text:
            why = f"{named} has a comma in it, as no card and no symbol has"
            raise Refused("SF-6", why, do=how_named(cards))
        face = read_face(text, cards)
        if face is None and out:
            face = read_face(text, out)
            if face is not None and not vouched:
                do = "Name a card without white."
                if vouched is not None:
                    do = "Name a card without white, or give a reason."
                raise Refused("SF-2", f"{named} is out of play with {NO_WHITE} players", do=do)
        if face is None:
            raise Refused("SF-6", f"{named} is no card of this game", do=how_named(cards))
        faces.append(_identified(face, cards))
    return tuple(faces)


def how_named(cards: Iterable[Card]) -> str:
    """Return how one of these cards is typed: in letters where they have them, as the forms say."""
    lettered = [card for card in cards if card.letters]
    if not lettered:
        return NAME_IT
    return IN_LETTERS if lettered[0].back is not None else COLORS_IN_LETTERS


def same_card(face: Face, card: Card) -> bool:
    """Return True if the face can be that card."""
    return face.name == card.name if face.name is not None else face.symbols == card.symbols


def are_too_many(hand: Sequence[Face], seen: Sequence[Face], cards: Sequence[Card]) -> bool:
    """Return True if `hand` and `seen` together need more copies of a card or face than `cards` has.

    False if `seen` alone is too many: the players vouched for that.
    """
    return _exceed((*hand, *seen), cards) and not _exceed(seen, cards)


def _exceed(faces: Sequence[Face], cards: Sequence[Card]) -> bool:
    named = Counter(face.name for face in faces if face.name is not None)
    if any(named[card.name] > card.copies for card in cards):
        return True
    if any(card.symbols is None for card in cards):
        return False
    counts = Counter(face.symbols for face in faces)
    there: Counter[Symbols | None] = Counter()
    for card in cards:
        there[card.symbols] += card.copies
    return any(number > there[symbols] for symbols, number in counts.items())


def _identified(face: Face, cards: Iterable[Card]) -> Face:
    fitting = [card for card in cards if same_card(face, card)]
    return face_of(fitting[0]) if len(fitting) == 1 else face


def face_of(card: Card) -> Face:
    """Return the face of that card; a card with letters of its own is called by its symbols."""
    words = _BETWEEN_COLORS.split(clean(card.name))
    plain = bool(card.letters) and all(symbol in words for symbol in card.symbols or ())
    return Face(card.name, card.symbols, plain)


def count_symbols(faces: Iterable[Face]) -> Counter[str]:
    """Return how often each symbol appears on the faces; an unknown face counts as blank."""
    return Counter(symbol for face in faces for symbol in face.symbols or ())
