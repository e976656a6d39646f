"""The cards in play as the component file gives them, and faces as people name them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from companion.rules.components import Box, ComponentRow
from companion.rules.game import Refused

Symbols = tuple[str, ...]  # sorted; one that a card shows twice is there twice
NO_WHITE = 3  # with so many players the white cards are out (SF-2)
DEALT = 4  # SF-7
NAME_IT = "Type its name, or its symbols with + between."
_WHITE = re.compile(r"\bwhite\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Card:
    """A card of the component file, by what the table calls it; None where nobody knows `symbols` or `back`."""

    name: str
    symbols: Symbols | None
    back: str | None = None
    copies: int = 1

    @property
    def white(self) -> bool:
        """Whether the card shows a white symbol (SF-2)."""
        return any(_WHITE.search(symbol) for symbol in self.symbols or ())


@dataclass(frozen=True, slots=True)
class Face:
    """A card somebody has seen or named: by its name, by its symbols, or by both."""

    name: str | None
    symbols: Symbols | None

    def __str__(self) -> str:
        shown = "+".join(self.symbols) if self.symbols is not None else ""
        return f"{self.name} ({shown})" if self.name and shown else self.name or shown

    @property
    def word(self) -> str:
        """The face as one would type it: the card's name, or its symbols."""
        return self.name or "+".join(self.symbols or ())


@dataclass(frozen=True, slots=True)
class Deck:
    """The cards that can be in play with so many players (SF-2, SF-3, SF-4): all but those known to be `out`. Of the
    fireworks, `cards` are in play; `complete` says that every face is known, `backs` that every back is too."""

    fireworks: tuple[Card, ...]
    targets: tuple[Card, ...]
    finale: Card | None
    cards: int
    complete: bool
    backs: bool
    example: bool
    out: tuple[Card, ...] = ()


def deck_for(box: Box, players: int) -> Deck:
    """Return the cards in play with that many players; one whose face nobody knows can be in play."""
    fireworks, targets = (tuple(map(card_of, box.table(table))) for table in ("fireworks", "target"))
    out = tuple(card for card in (*fireworks, *targets) if card.white) if players == NO_WHITE else ()
    fireworks, targets = (tuple(card for card in cards if card not in out) for cards in (fireworks, targets))
    finales = [row for row in box.table("finale") if players in row.fields.get("players", ())]
    return Deck(
        fireworks,
        targets,
        card_of(finales[0]) if finales else None,
        cards=_in_play(box, fireworks) if players == NO_WHITE else _count(fireworks),
        complete=bool(fireworks) and all(card.symbols is not None for card in fireworks),
        backs=all(card.back is not None for card in fireworks),
        example=any(row.status == "example" for row in box.rows),
        out=out,
    )


def _in_play(box: Box, fireworks: Sequence[Card]) -> int:
    """How many cards show no white: as many as SF-2 infers, as far as the cards whose faces are known allow it."""
    inferred: int = box.value("count", "fireworks cards with three players", NO_WHITE * DEALT)
    known = _count(card for card in fireworks if card.symbols is not None)
    return max(known, min(inferred, _count(fireworks)))


def _count(cards: Iterable[Card]) -> int:
    return sum(card.copies for card in cards)


def card_of(row: ComponentRow) -> Card:
    """Return the card that a row of the component file describes."""
    symbols = row.fields.get("symbols")
    return Card(
        row.fields.get("called", row.name),
        None if symbols is None else tuple(sorted(map(clean, symbols))),
        None if (back := row.fields.get("back")) is None else clean(back),
        row.fields.get("copies", 1),
    )


def clean(text: str) -> str:
    """Return a symbol or a back as it is compared: small letters, single spaces."""
    return " ".join(text.split()).casefold()


def read_face(text: str, cards: Sequence[Card]) -> Face | None:
    """Return the face that `text` names, a card of `cards` or symbols with `+` between; None for a word that neither a
    card nor a symbol of these cards has, where all faces are known."""
    named = [card for card in cards if clean(card.name) == clean(text)]
    if named:
        return Face(named[0].name, named[0].symbols)
    symbols = tuple(sorted(symbol for part in text.split("+") if (symbol := clean(part))))
    known = {symbol for card in cards for symbol in card.symbols or ()}
    complete = all(card.symbols is not None for card in cards) and bool(cards)
    if not symbols or (complete and not known.issuperset(symbols)):
        return None
    return Face(None, symbols)


def read_faces(
    texts: Sequence[str], cards: Sequence[Card], out: Sequence[Card], *, secret: bool = False, vouched: bool = False
) -> tuple[Face, ...]:
    """Return the faces, with the name of the only one of `cards` that shows these symbols; raise `Refused` (clause
    `SF-6`, or `SF-2` for a card that is `out`, unless the table `vouched` that it lies there). What is `secret` is not
    repeated in the refusal."""
    faces = []
    for number, text in enumerate(texts, start=1):
        what = f"card {number} of the note" if secret else repr(text)
        if "," in text:
            raise Refused("SF-6", f"{what} has a comma in it, as no card and no symbol has", do=NAME_IT)
        face = read_face(text, cards)
        if face is None and out and (face := read_face(text, out)) is not None and not vouched:
            do = f"Name a card without white{'' if secret else ', or give a reason'}."
            raise Refused("SF-2", f"{what} is out of play with {NO_WHITE} players", do=do)
        if face is None:
            raise Refused("SF-6", f"{what} is no card of the component file", do=NAME_IT)
        faces.append(_identified(face, cards))
    return tuple(faces)


def same_card(face: Face, card: Card) -> bool:
    """Return whether the face can be that card."""
    return face.name == card.name if face.name is not None else face.symbols == card.symbols


def _identified(face: Face, cards: Iterable[Card]) -> Face:
    fitting = [card for card in cards if same_card(face, card)]
    return Face(fitting[0].name, fitting[0].symbols) if len(fitting) == 1 else face


def count_symbols(faces: Iterable[Face]) -> Counter[str]:
    """Return how often each symbol appears on the faces; those nobody knows count as blank."""
    return Counter(symbol for face in faces for symbol in face.symbols or ())
