"""Seats from the names a table gives: distinct ids, colors, glyphs and initials."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from companion.games.base import Refused, Seat

# Okabe and Ito's palette without black and its darkest blue, so that every color reads on a dark and on a light ground.
PALETTE = {
    "red": "#D55E00",
    "blue": "#56B4E9",
    "green": "#009E73",
    "yellow": "#F0E442",
    "purple": "#CC79A7",
    "orange": "#E69F00",
}
GLYPHS = "●▲■◆★✚⬟▼◗✖"


def seats_from_names(names: Sequence[str]) -> tuple[Seat, ...]:
    """Return the seats in order; raise `Refused` for a name that nobody can read or that two seats share.

    How many may sit down is the game's to say.
    """
    wanted = [name.strip() for name in names]
    for name in wanted:
        if not name or not name.isprintable():
            raise Refused("SEATS", f"a seat has no name to show: {name!r}", "a name in letters for each seat")
    refuse_twins(wanted)
    return dress(_with_ids(wanted))


def join(seats: Sequence[Seat], name: str, after: str | None) -> tuple[Seat, ...]:
    """Return the seats with a new one to the left of the seat `after` (None: last); those that sit keep their colors,
    glyphs and initials. Raise `Refused` as `seats_from_names` does."""
    fresh = seats_from_names([*(seat.name for seat in seats), name])[-1]
    ids = {seat.id for seat in seats}
    newcomer = replace(
        fresh,
        id=fresh.id if fresh.id not in ids else f"{fresh.id}-{len(seats) + 1}",
        color=next((color for color in PALETTE.values() if color not in {seat.color for seat in seats}), fresh.color),
        glyph=next((glyph for glyph in GLYPHS if glyph not in {seat.glyph for seat in seats}), fresh.glyph),
    )
    place = len(seats) if after is None else [seat.id for seat in seats].index(after) + 1
    return (*seats[:place], newcomer, *seats[place:])


def refuse_twins(names: Sequence[str]) -> None:
    """Raise `Refused` when two seats have one name, however it is written."""
    for place, name in enumerate(names):
        if name.casefold() in (other.casefold() for other in names[:place]):
            raise Refused("SEATS", f"two seats are called {name!r}", "a different name for each seat")


def dress(pairs: Sequence[tuple[str, str]]) -> tuple[Seat, ...]:
    """Return seats for (id, name) pairs, each with its own color, glyph and initial."""
    colors = _colors([name for _, name in pairs])
    initials = _initials([name for _, name in pairs])
    return tuple(
        Seat(seat, name, colors[i], GLYPHS[i % len(GLYPHS)], initials[i]) for i, (seat, name) in enumerate(pairs)
    )


def _with_ids(names: Sequence[str]) -> list[tuple[str, str]]:
    pairs: list[tuple[str, str]] = []
    for number, name in enumerate(names, start=1):
        slug = re.sub(r"[\W_]+", "-", name.casefold()).strip("-") or "seat"
        taken = {seat for seat, _ in pairs}
        pairs.append((slug if slug not in taken and slug != "seat" else f"{slug}-{number}", name))
    return pairs


def _colors(names: Sequence[str]) -> list[str]:
    own = {name.casefold() for name in names} & PALETTE.keys()
    free = [color for word, color in PALETTE.items() if word not in own]
    colors: list[str] = []
    for name in names:
        word = name.casefold()
        colors.append(PALETTE[word] if word in own else free[0])
        free = free if word in own else free[1:] or list(PALETTE.values())
    return colors


def _initials(names: Sequence[str]) -> list[str]:
    initials: list[str] = []
    for number, name in enumerate(names, start=1):
        letters = [letter.upper() for letter in name if letter.isalnum() and len(letter.upper()) == 1]
        initials.append(next((letter for letter in letters if letter not in initials), str(number)))
    return initials
