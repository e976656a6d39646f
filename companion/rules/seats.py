"""Seats made from names, with distinct ids, colors, glyphs and initials."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from itertools import chain, cycle
from typing import TypeVar

from companion.rules.actions import either, named
from companion.rules.columns import can_be_shown, count_range, plural
from companion.rules.facts import TABLE, Refused, Seat, Setup
from companion.rules.names import person_key

T = TypeVar("T")

# Okabe and Ito's palette without black and its darkest blue, so that every color reads on a dark and on a light ground.
PALETTE = {
    "red": "#D55E00",
    "blue": "#56B4E9",
    "green": "#009E73",
    "yellow": "#F0E442",
    "purple": "#CC79A7",
    "orange": "#E69F00",
}
GLYPHS = "●▲■◆★✚⬟▼◗✖►§"
_JOINING = either(f"press {named('dashboard.people', 'f6')}", "type seat_joins and a name")
HAS_TO_JOIN = f"Somebody has to join: {_JOINING}."
"""The prompt of a game with too few players left."""


def unnamed(count: int) -> list[str]:
    """Return names for `count` seats that nobody has named: colors, then numbers."""
    return [
        *list(PALETTE)[:count],
        *(f"seat {place}" for place in range(len(PALETTE) + 1, count + 1)),
    ]


def seats_from_names(names: Sequence[str]) -> tuple[Seat, ...]:
    """Return the seats in order; raise `Refused` for a name that is not readable or that two seats share.

    How many seats are possible is for the game to decide.
    """
    wanted = [new_name(name) for name in names]
    require_distinct_people(wanted)
    ids: list[str] = []
    for name in wanted:
        ids.append(_free_id(_slug(name), ids))
    return seats_with_looks(list(zip(ids, wanted, strict=True)))


def join(seats: Sequence[Seat], name: str, left_of: str | None) -> tuple[Seat, ...]:
    """Return the seats with a new one to the left of the seat `left_of` (None: last); the others keep their looks.

    Raise `Refused` as `seats_from_names` does.
    """
    wanted = readable(name)
    _refuse_same_letters([*(seat.name for seat in seats), wanted])
    ids = [seat.id for seat in seats]
    newcomer = Seat(
        _free_id(_slug(wanted), ids),
        wanted,
        _free(_by_name(wanted) + list(PALETTE.values()), [seat.color for seat in seats]),
        _free(GLYPHS, [seat.glyph for seat in seats]),
        _initial(wanted, [seat.initial for seat in seats]),
    )
    place = len(seats) if left_of is None else ids.index(left_of) + 1
    return (*seats[:place], newcomer, *seats[place:])


def onward(order: Sequence[T], after: T) -> tuple[T, ...]:
    """Return the items after `after` in a circle, `after` itself last."""
    place = order.index(after) + 1
    return (*order[place:], *order[:place])


def rename(seats: Sequence[Seat], seat: str, name: str) -> tuple[Seat, ...]:
    """Return the seats with one renamed, with a fitting initial.

    Its id stays, and its color, too, unless the new name is that of a free color. Raise `Refused` as `seats_from_names`
    does.
    """
    wanted = readable(name)
    _refuse_same_letters([wanted if other.id == seat else other.name for other in seats])
    others = [other for other in seats if other.id != seat]
    old = next(other for other in seats if other.id == seat)
    taken = [other.color for other in others]
    color = next((color for color in _by_name(wanted) if color not in taken), old.color)
    new = replace(
        old, name=wanted, color=color, initial=_initial(wanted, [other.initial for other in others])
    )
    return tuple(new if other is old else other for other in seats)


def swap(seats: Sequence[Seat], one: str, other: str) -> tuple[Seat, ...]:
    """Return the seats with the people of two of them exchanged: ids and colors stay, names and initials move.

    If one of them has the name of a color, the two colors move, too.
    """
    by_id = {seat.id: seat for seat in seats}
    first, second = by_id[one], by_id[other]
    by_id[one] = replace(first, name=second.name, initial=second.initial)
    by_id[other] = replace(second, name=first.name, initial=first.initial)
    if _by_name(first.name) or _by_name(second.name):
        by_id[one] = replace(by_id[one], color=second.color)
        by_id[other] = replace(by_id[other], color=first.color)
    return tuple(by_id[seat.id] for seat in seats)


def readable(name: str) -> str:
    """Return the name without surrounding spaces; raise `Refused` for one that is not readable."""
    wanted = name.strip()
    if not can_be_shown(wanted):
        raise Refused(
            "SEATS", f"there is no name to show in {wanted!r}", "a name in letters for each seat"
        )
    return wanted


def new_name(name: str) -> str:
    """Return the name of somebody who sits down now, without surrounding spaces.

    Raise `Refused` for one that is not readable, or that contains `=`: in a typed line, `=` follows the name of a
    field. Old records may have such names.
    """
    wanted = readable(name)
    if "=" in wanted:
        raise Refused("SEATS", f"the name {wanted!r} has = in it", do="Leave the = out.")
    return wanted


def require_setup(
    setup: Setup, title: str, version: int, counts: range, clause: str, older: Collection[int] = ()
) -> None:
    """Raise `Refused` for a setup that the game `title` does not start with.

    That is a version of the rules other than `version` and the `older` ones it keeps, a number of seats that is not in
    `counts` (with `clause`), and two seats with the same id or name.
    """
    if setup.rules_version not in (version, *older):
        stated = (
            f"the game was recorded under version {setup.rules_version} of the rules of {title}"
        )
        raise Refused("RULES", stated, f"version {version}")
    if len(setup.seats) not in counts:
        named = f"{plural(len(setup.seats), 'seat was', 'seats were')} named"
        raise Refused(clause, named, do=f"{title} needs {count_range(counts, 'player')}.")
    _refuse_same_letters([seat.id for seat in setup.seats])
    _refuse_same_letters([seat.name for seat in setup.seats])


def require_distinct_people(names: Sequence[str]) -> None:
    """Raise `Refused` if two people who sit down now have the same name, however it is spelled."""
    _refuse_equal(names, person_key)


def as_seated(name: str, seats: Iterable[Seat]) -> str:
    """Return the spelling of a name that a seat already has, or the name itself if none has it."""
    return next((seat.name for seat in seats if person_key(seat.name) == person_key(name)), name)


def _refuse_same_letters(names: Sequence[str]) -> None:
    """Refuse what no record has, either: older ones may seat two forms of a name that are one to Unicode."""
    _refuse_equal(names, str.casefold)


def _refuse_equal(names: Sequence[str], key: Callable[[str], str]) -> None:
    for place, name in enumerate(names):
        if key(name) in map(key, names[:place]):
            raise Refused(
                "SEATS", f"two seats are called {name!r}", do="Give each player another name."
            )


def seats_with_looks(pairs: Sequence[tuple[str, str]]) -> tuple[Seat, ...]:
    """Return seats for (id, name) pairs, each with its own color, glyph and initial."""
    seats: list[Seat] = []
    for (seat, name), color, glyph in zip(
        pairs, _colors([name for _, name in pairs]), cycle(GLYPHS), strict=False
    ):
        seats.append(
            Seat(seat, name, color, glyph, _initial(name, [other.initial for other in seats]))
        )
    return tuple(seats)


def _slug(name: str) -> str:
    return re.sub(r"[\W_]+", "-", name.casefold()).strip("-")


def _free_id(slug: str, taken: Sequence[str]) -> str:
    """Return the slug, with a number if it is taken, empty or reserved.

    `TABLE` is reserved: the whole table would see the secrets of a player with the name Table.
    """
    if slug not in ("", "seat", TABLE, *taken):
        return slug
    numbers = range(len(taken) + 1, 2 * len(taken) + 2)
    return next(numbered for n in numbers if (numbered := f"{slug or 'seat'}-{n}") not in taken)


def _by_name(name: str) -> list[str]:
    """The color that is called like this, if one is."""
    return [PALETTE[name.casefold()]] if name.casefold() in PALETTE else []


def _free(marks: Sequence[str], taken: Sequence[str]) -> str:
    """Return the first free mark; if none is free, they are used again from the first."""
    return next((mark for mark in marks if mark not in taken), marks[len(taken) % len(marks)])


def _colors(names: Sequence[str]) -> list[str]:
    own = {name.casefold() for name in names} & PALETTE.keys()
    free = chain(
        (color for word, color in PALETTE.items() if word not in own), cycle(PALETTE.values())
    )
    return [PALETTE[word] if (word := name.casefold()) in own else next(free) for name in names]


def _initial(name: str, taken: Sequence[str]) -> str:
    """Return the first free letter of the name, or else the first free number."""
    letters = [letter.upper() for letter in name if letter.isalnum() and len(letter.upper()) == 1]
    numbers = [str(number) for number in range(len(taken) + 1, 2 * len(taken) + 2)]
    return next(mark for mark in (*letters, *numbers) if mark not in taken)
