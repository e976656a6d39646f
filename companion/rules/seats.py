"""Seats made from names, with distinct ids, colors, glyphs and initials."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, cycle
from string import ascii_lowercase, ascii_uppercase
from typing import TypeVar

from companion.rules.actions import either, named
from companion.rules.columns import can_be_shown, count_range, plural, quoted
from companion.rules.facts import TABLE, Refused, Seat, Setup
from companion.rules.names import person_key, plain_blanks

T = TypeVar("T")

# Okabe and Ito's palette for color-blind people, without black and its darkest blue: the others are readable on a dark
# and on a light background.
PALETTE = {
    "red": "#D55E00",
    "blue": "#56B4E9",
    "green": "#009E73",
    "yellow": "#F0E442",
    "purple": "#CC79A7",
    "orange": "#E69F00",
}
MOST_OF_NAME = 40
"""The most characters of a new name: what a line of a seat has room for beside a score."""
GLYPHS = "●▲■◆★✚⬟▼◗✖►§"
_JOINING = either(f"press {named('dashboard.people', 'f6')}", "type seat_joins and a name")
HAS_TO_JOIN = f"Somebody has to join: {_JOINING}."
"""The prompt of a game with too few players left."""


def unnamed(count: int) -> list[str]:
    """Return names for `count` seats that nobody has named: colors, then numbers."""
    names = list(PALETTE)[:count]
    for number in range(len(names) + 1, count + 1):
        names.append(f"seat {number}")
    return names


def seats_from_names(names: Sequence[str]) -> tuple[Seat, ...]:
    """Return the seats in order; raise `Refused` for a name that is not readable or that two seats share.

    How many seats are possible is for the game to decide.
    """
    stripped = [new_name(name) for name in names]
    require_distinct_people(stripped)
    ids: list[str] = []
    for name in stripped:
        ids.append(_free_id(_slug(name), ids))
    return seats_with_looks(list(zip(ids, stripped, strict=True)))


def join(seats: Sequence[Seat], name: str, left_of: str | None) -> tuple[Seat, ...]:
    """Return the seats with a new one to the left of the seat `left_of` (None: last); the others keep their looks.

    Raise `Refused` as `seats_from_names` does.
    """
    name = readable(name)
    _require_distinct([*(seat.name for seat in seats), name])
    ids = [seat.id for seat in seats]
    colors = [*PALETTE.values()]
    own_color = _color_named(name)
    if own_color is not None:
        colors.insert(0, own_color)
    newcomer = Seat(
        _free_id(_slug(name), ids),
        name,
        _free(colors, [seat.color for seat in seats]),
        _free(GLYPHS, [seat.glyph for seat in seats]),
        _mark(name, [seat.initial for seat in seats], [seat.name for seat in seats]),
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
    name = readable(name)
    _require_distinct([name if other.id == seat else other.name for other in seats])
    others = [other for other in seats if other.id != seat]
    initial = _mark(name, [other.initial for other in others], [other.name for other in others])
    own_color = _color_named(name)
    renamed: list[Seat] = []
    for old in seats:
        if old.id != seat:
            renamed.append(old)
            continue
        color = old.color
        if own_color is not None and own_color not in [other.color for other in others]:
            color = own_color
        renamed.append(replace(old, name=name, color=color, initial=initial))
    return tuple(renamed)


def swap(seats: Sequence[Seat], first_id: str, second_id: str) -> tuple[Seat, ...]:
    """Return the seats with the people of two of them exchanged: ids and colors stay, names and initials move.

    If one of them has the name of a color, the two colors move, too.
    """
    by_id = {seat.id: seat for seat in seats}
    first, second = by_id[first_id], by_id[second_id]
    by_id[first_id] = replace(first, name=second.name, initial=second.initial)
    by_id[second_id] = replace(second, name=first.name, initial=first.initial)
    if _color_named(first.name) or _color_named(second.name):
        by_id[first_id] = replace(by_id[first_id], color=second.color)
        by_id[second_id] = replace(by_id[second_id], color=first.color)
    return tuple(by_id[seat.id] for seat in seats)


def readable(name: str) -> str:
    """Return the name without surrounding spaces; raise `Refused` for one that is not readable."""
    stripped = name.strip()
    if not stripped:
        raise Refused("SEATS", "a seat has no name", do="Enter a name in letters.")
    if not can_be_shown(stripped):
        reason = f"the name {quoted(stripped)} has an invisible character"
        raise Refused("SEATS", reason, do="Enter a name in letters.")
    return stripped


def new_name(name: str) -> str:
    """Return the name of somebody who sits down now, with plain spaces, and none around it.

    Raise `Refused` for one that is not readable, longer than `MOST_OF_NAME`, or that contains `=`: in a typed line, `=`
    follows the name of a field. Old records may have such names.
    """
    stripped = readable(plain_blanks(name))
    if len(stripped) > MOST_OF_NAME:
        reason = f"the name {quoted(stripped, most=12)} is too long"
        raise Refused("SEATS", reason, do=f"Use {MOST_OF_NAME} characters at most.")
    if "=" in stripped:
        raise Refused("SEATS", f"the name {quoted(stripped)} has = in it", do="Leave the = out.")
    return stripped


def require_setup(
    setup: Setup, title: str, version: int, counts: range, clause: str, older: Collection[int] = ()
) -> None:
    """Raise `Refused` for a setup that the game `title` does not start with.

    That is a version of the rules other than `version` and the `older` ones it keeps, a number of seats that is not in
    `counts` (with `clause`), and two seats with the same id or name.
    """
    if setup.rules_version not in (version, *older):
        recorded = f"version {setup.rules_version} of the rules of {title}"
        reason = f"the game was recorded under {recorded}"
        raise Refused("RULES", reason, f"version {version}")
    if len(setup.seats) not in counts:
        reason = f"{plural(len(setup.seats), 'seat was', 'seats were')} named"
        raise Refused(clause, reason, do=f"{title} needs {count_range(counts, 'player')}.")
    _require_distinct([seat.id for seat in setup.seats])
    _require_distinct([seat.name for seat in setup.seats])


def require_distinct_people(names: Sequence[str]) -> None:
    """Raise `Refused` if two people who sit down now have the same name, however it is spelled."""
    _require_distinct(names, person_key)


def as_seated(name: str, seats: Iterable[Seat]) -> str:
    """Return the spelling of a name that a seat already has, or the name itself if none has it."""
    key = person_key(name)
    for seat in seats:
        if person_key(seat.name) == key:
            return seat.name
    return name


def _require_distinct(names: Sequence[str], key: Callable[[str], str] = str.casefold) -> None:
    """Raise `Refused` if two names are equal by `key`.

    The default is weaker than `person_key`: old records may have two spellings of one name in Unicode.
    """
    keys: set[str] = set()
    for name in names:
        if key(name) in keys:
            reason = f"two seats are called {quoted(name)}"
            raise Refused("SEATS", reason, do="Give each player another name.")
        keys.add(key(name))


def seats_with_looks(pairs: Sequence[tuple[str, str]]) -> tuple[Seat, ...]:
    """Return seats for (id, name) pairs, each with its own color, glyph and initial."""
    colors = _colors([name for _, name in pairs])
    marks = marks_of([name for _, name in pairs])
    seats: list[Seat] = []
    for place, (seat, name) in enumerate(pairs):
        glyph = GLYPHS[place % len(GLYPHS)]
        seats.append(Seat(seat, name, colors[place], glyph, marks[place]))
    return tuple(seats)


def _slug(name: str) -> str:
    return re.sub(r"[\W_]+", "-", name.casefold()).strip("-")


def _free_id(slug: str, taken: Sequence[str]) -> str:
    """Return the slug, with a number if it is taken, empty or reserved.

    `TABLE` is reserved: the whole table would see the secrets of a player with the name Table.
    """
    if slug not in ("", "seat", TABLE, *taken):
        return slug
    number = len(taken) + 1
    while f"{slug or 'seat'}-{number}" in taken:
        number += 1
    return f"{slug or 'seat'}-{number}"


def _color_named(name: str) -> str | None:
    return PALETTE.get(name.casefold())


def _free(marks: Sequence[str], taken: Sequence[str]) -> str:
    """Return the first free mark; if none is free, they are used again from the first."""
    for mark in marks:
        if mark not in taken:
            return mark
    return marks[len(taken) % len(marks)]


def _colors(names: Sequence[str]) -> list[str]:
    """Return a color for each name: its own if it is the name of a color, else one that no name claims."""
    claimed = {name.casefold() for name in names} & PALETTE.keys()
    unclaimed = [color for word, color in PALETTE.items() if word not in claimed]
    free = chain(unclaimed, cycle(PALETTE.values()))  # after these, colors are used twice
    return [_color_named(name) or next(free) for name in names]


def marks_of(names: Sequence[str]) -> list[str]:
    """Return a mark for each name: its first letter, or two of its letters where several begin alike."""
    marks: dict[int, str] = {}
    # Names in letters first: a name without any takes what they leave.
    for place in sorted(range(len(names)), key=lambda place: not _letters(names[place])):
        others = [*names[:place], *names[place + 1 :]]
        marks[place] = _mark(names[place], marks.values(), others)
    return [marks[place] for place in range(len(names))]


def _letters(name: str) -> str:
    return "".join(filter(str.isalpha, name))


def _mark(name: str, taken: Iterable[str], others: Iterable[str]) -> str:
    """Return the first mark for the name that is not taken.

    It never contains a digit, which would look like a key beside the keys of a seat.
    """
    used = {mark.casefold() for mark in taken}
    first_letters = {_letters(other)[:1].casefold() for other in others}
    candidates = _marks_to_try(_letters(name), first_letters)
    return next(mark for mark in candidates if mark.casefold() not in used)


def _marks_to_try(letters: str, first_letters: Collection[str]) -> Iterator[str]:
    """Yield marks, the best first: one letter where no other name begins with it, then pairs."""
    if not letters:
        yield from (letter for letter in ascii_uppercase if letter.casefold() not in first_letters)
    first, more = letters[:1], letters[1:].casefold()
    # "ß" is one character and "SS" two.
    first = first.upper() if len(first.upper()) == 1 else first
    if first and (first.casefold() not in first_letters or not more):
        yield first
    for begin in (first, *ascii_uppercase):
        for end in (*more, *ascii_lowercase):
            yield begin + end
