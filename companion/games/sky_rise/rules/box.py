"""Tables of Sky Rise's component file, checks of one, and what each unknown row costs the players."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import get_args

from companion.games.sky_rise.rules.facts import Color, Suit
from companion.rules.components import Box, ComponentTable, Field, Problem, Unlock, box_of
from companion.rules.facts import Setup

TRIOS = 3  # SR-1, of each translucent color and of the opaque ones
FIVE_SUIT_CARDS = "cards of a suit in a five-suit deck"
OPAQUE_LETTER = "#"
OPAQUE_INK = "#222222"
_SIGN_UNKNOWN = "5"
_TRIO_ROWS = ("Trios of a translucent color", "opaque Trios")
_TALLEST_FLOORS = 4 * 9  # cards of three floors and a roof of 3 x 3

TABLES = (
    ComponentTable("count", "how many of a kind there are", (Field("value", "number", least=1, most=100),),
                   names=(*_TRIO_ROWS, FIVE_SUIT_CARDS)),
    ComponentTable("color", "a translucent color (SR-1): its letter, and its ink as #rrggbb",
                   (Field("letter", "text"), Field("ink", "text")), names=get_args(Color)),
    ComponentTable("suit", "a suit (SR-2) and its sign",
                   (Field("sign", "text", asks="which one character looks like the sign on its cards?"),),
                   names=get_args(Suit), heading="suits", row="{name} suit"),
)  # fmt: skip
UNLOCKS = (Unlock(("suit",), "shows the fifth suit by its own sign", rows=("fifth",)),)


@dataclass(frozen=True, slots=True)
class Kit:
    """What the rules and the screen need of the box: colors in order with letter and ink, and the suits' signs.

    `five_suit_cards` is the number of cards of a suit in a five-suit deck, None if unknown.
    """

    colors: tuple[tuple[Color, str, str], ...]
    signs: tuple[tuple[Suit, str], ...]
    five_suit_cards: int | None

    def letter(self, color: str) -> str:
        """Return the letter of a color, `#` for opaque."""
        return next((letter for name, letter, _ in self.colors if name == color), OPAQUE_LETTER)

    def ink(self, color: str) -> str:
        """Return the ink of a color as `#rrggbb`."""
        return next((ink for name, _, ink in self.colors if name == color), OPAQUE_INK)

    def sign(self, suit: str) -> str:
        """Return the sign of a suit, one character."""
        return dict[str, str](self.signs).get(suit, _SIGN_UNKNOWN)


def kit_of(box: Box) -> Kit:
    """Return the kit of a box, without its unknown rows."""
    colors: dict[str, Color] = {name: name for name in get_args(Color)}
    suits: dict[str, Suit] = {name: name for name in get_args(Suit)}
    known = [row for row in box.table("color") if row.status != "unknown"]
    return Kit(
        tuple((colors[row.name], row.fields["letter"], row.fields["ink"]) for row in known),
        tuple(
            (suits[row.name], row.fields["sign"])
            for row in box.table("suit")
            if row.status != "unknown"
        ),
        box.value("count", FIVE_SUIT_CARDS),
    )


def check(box: Box) -> tuple[Problem, ...]:
    """Return the contradictions between the box and SR-1 or SR-2, and letters or signs that look alike."""
    return (*_trios(box), *_deck(box), *_colors(box), *_one_character(box, "color", "letter"),
            *_one_character(box, "suit", "sign"))  # fmt: skip


def costs(box: Box) -> tuple[str, ...]:
    """Return what each unknown row costs the players, a line each."""
    lines = []
    if box.value("count", FIVE_SUIT_CARDS) is None:
        lines.append(
            "cards of a five-suit deck unknown: the draw pile is shown as ? with such a deck (SR-2)"
        )
    sign = box.row("suit", "fifth")
    if sign is None or sign.open:
        lines.append(
            f"sign of the fifth suit unknown: a five-suit deck shows it as {_SIGN_UNKNOWN} (SR-2)"
        )
    return tuple(lines)


def notice(setup: Setup) -> str:
    """Return a sentence on what unknown rows mean for a five-suit deck; empty if nothing."""
    box = box_of(setup)
    sign = box.row("suit", "fifth")
    if setup.options.get("deck") != "five_suit":
        return ""
    if box.value("count", FIVE_SUIT_CARDS) is None:
        return "Deck details are missing: you count the draw pile."
    if sign is None or sign.open:
        return f"The sign of the fifth suit is missing: it is shown as {_SIGN_UNKNOWN}."
    return ""


def _trios(box: Box) -> Iterator[Problem]:
    for name in _TRIO_ROWS:
        value = box.value("count", name)
        if value not in (None, TRIOS):
            yield Problem(
                "count",
                name,
                f"the value is {value}",
                f"{TRIOS}: the stock is counted with it",
                "SR-1",
            )


def _deck(box: Box) -> Iterator[Problem]:
    cards = box.value("count", FIVE_SUIT_CARDS)
    least = -(-_TALLEST_FLOORS // 5)
    if cards is not None and cards < least:
        why = f"five suits of {cards} cards are too few for three floors and a roof of nine"
        yield Problem("count", FIVE_SUIT_CARDS, why, f"{least} or more", "SR-2")


def _colors(box: Box) -> Iterator[Problem]:
    known = [row for row in box.table("color") if row.status != "unknown"]
    if len(known) < 4:
        yield Problem(
            "color",
            "",
            f"{len(known)} colors are too few",
            "four at least, five for four players",
            "SR-1",
        )
    for row in known:
        ink = row.fields["ink"]
        if not (
            len(ink) == 7
            and ink[0] == "#"
            and all(digit in "0123456789abcdefABCDEF" for digit in ink[1:])
        ):
            yield Problem("color", row.name, f"the ink is {ink!r}", "# and six hexadecimal digits")


def _one_character(box: Box, table: str, name: str) -> Iterator[Problem]:
    """Check that each letter or sign is one character, used once."""
    seen = (
        {OPAQUE_LETTER: "the opaque pyramids"}
        if table == "color"
        else {_SIGN_UNKNOWN: "a suit without a sign"}
    )
    for row in box.table(table):
        mark = row.fields.get(name)
        if mark is None:
            continue
        if len(mark) != 1:
            yield Problem(table, row.name, f"the {name} is {mark!r}", "one character")
        elif mark in seen:
            yield Problem(
                table,
                row.name,
                f"the {name} {mark} stands for {seen[mark]} too",
                "another character",
            )
        seen[mark] = row.name
