"""Tables of Panic Fire's component file, checks of one, and what each unknown row costs the players."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.panic_fire.rules.model import BULLETS, PLAY_DECK, SET, State
from companion.rules.components import (
    Box,
    ComponentTable,
    Field,
    Problem,
    Unlock,
    box_of,
    still_open,
)
from companion.rules.facts import Setup

CARDS = PLAY_DECK + BULLETS

TABLES = (
    ComponentTable(
        "count",
        "how many cards of a kind are in the box",
        (Field("value", "number", most=CARDS, asks="how many are in the box?"),),
        names=("cards", "Bullet cards", "play deck", "Shields"),
        heading="counts",
    ),
    ComponentTable(
        "match_number",
        "how many face-up copies of a Character in one set are a match (PF-4)",
        (Field("value", "number", least=1, most=SET, asks="how many copies are a match?"),),
        heading="match numbers",
        adds="a Character",
    ),
    ComponentTable(
        "copies",
        "how many cards of a Character are in the box",
        (Field("value", "number", most=PLAY_DECK, asks="how many such cards are in the box?"),),
        heading="cards of each Character",
        adds="a Character",
    ),
)
UNLOCKS = (Unlock(("count",), "knows how many Shields there are to take out", rows=("Shields",)),)


def check(box: Box) -> tuple[Problem, ...]:
    """Return the contradictions between the box and PF-1, or within the box."""
    return (*_counts(box), *_sum(box), *_names(box))


def costs(box: Box) -> tuple[str, ...]:
    """Return what each unknown row costs the players, a line each."""
    lines = []
    if unknown := [row.name for row in box.table("match_number") if row.value is None]:
        others = f"{', '.join(unknown)}, any others"
        lines.append(f"match numbers unknown: {others}; you decide whether a shot was legal (PF-4)")
    if box.value("count", "Shields") is None:
        lines.append("number of Shields unknown: you say how many were taken out (PF-1)")
    return tuple(lines)


def notice(setup: Setup) -> str:
    """Return a sentence on what the players decide themselves because rows are unknown; empty if nothing."""
    box = box_of(setup)
    if any(row.value is None for row in box.table("match_number")):
        return "Card details are missing: you decide if a shot is legal."
    if shields(setup) is None:
        return "The number of Shields is missing: you count the Shields you take out."
    return ""


def shields(setup: Setup) -> int | None:
    """Return the number of Shields in this session's box, or None if unknown."""
    shields: int | None = box_of(setup).value("count", "Shields")
    return shields


def notes(state: State) -> tuple[str, ...]:
    """Return notes on unconfirmed box facts and their cost, then on open questions of the current round."""
    lines = list(still_open(state.setup.game, box_of(state.setup)))
    if state.current is None:
        return tuple(lines)
    reading = state.current.reading
    if reading.laid[0] != reading.laid[1]:
        lines.append(
            "who held the match is not known for every shot: cards left is a range (PF-14, whose match)"
        )
    if len(reading.alive) <= 1 and reading.verdicts:
        _, last = reading.verdicts[-1]
        if last.result == "eliminated":
            lines.append("no new set after the shot that ended the round (PF-14, inferred)")
    if reading.stalemate:
        lines.append(_AFTER_STALEMATE[state.options["over_four_draw"]])
    return tuple(lines)


def _counts(box: Box) -> Iterator[Problem]:
    for name, stated in (("cards", CARDS), ("Bullet cards", BULLETS), ("play deck", PLAY_DECK)):
        value = box.value("count", name)
        if value is not None and value != stated:
            yield Problem(
                "count",
                name,
                f"the value is {value}",
                f"{stated}: the piles are counted with it",
                "PF-1",
            )


def _sum(box: Box) -> Iterator[Problem]:
    """Check that Bullet cards, Shields and all copies add up to 112, or to no more than that while rows are unknown.

    A real box may hold one Character or card more than the rules say. Only Shields that leave no deck are refused;
    everything else is a doubt.
    """
    characters = {row.name for table in ("match_number", "copies") for row in box.table(table)}
    shields = box.value("count", "Shields")
    copies = [box.value("copies", name) for name in characters]
    known = [number for number in copies if number is not None]
    without_characters = BULLETS + (shields or 0)
    total = without_characters + sum(known)
    complete = shields is not None and characters and len(known) == len(copies)
    if total <= CARDS and (not complete or total == CARDS):
        return
    counted = (
        f"{BULLETS} Bullet cards, {shields or 0} Shields and {sum(known)} copies are {total} cards"
    )
    if total < CARDS:
        counted += "; is a Character missing?"
    expected = f"{CARDS} in all" if complete else f"at most {CARDS}"
    doubt = without_characters <= CARDS
    yield Problem("count", "Shields", counted, expected, "PF-1", doubt=doubt)


def _names(box: Box) -> Iterator[Problem]:
    for row in box.table("copies"):
        if box.row("match_number", row.name) is None:
            wanted = (
                f'[[match_number]] {row.name} too, with status = "unknown" while it is not known'
            )
            yield Problem("copies", row.name, "this Character has no match number", wanted, "PF-4")


_AFTER_STALEMATE = {
    "still_draw": "hands may exceed four: each play still draws one (PF-R8)",
    "down_to_four_first": "hands may exceed four: play down to four before drawing again (PF-R8)",
}
