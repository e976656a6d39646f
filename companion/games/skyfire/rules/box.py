"""Tables of SkyFire's component file, checks of one, and what each unknown row costs the players."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.games.skyfire.rules.deck import (
    DEALT,
    NO_WHITE,
    RULES_VERSION,
    card_of,
    clean,
    deck_for,
)
from companion.games.skyfire.rules.model import State
from companion.rules.columns import plural
from companion.rules.components import (
    Box,
    ComponentRow,
    ComponentTable,
    Field,
    Problem,
    Unlock,
    box_of,
    still_open,
)
from companion.rules.facts import Setup
from companion.rules.once import once

GAME = "skyfire"
COUNTS = {
    "fireworks cards": (20, "SF-1"),
    "target cards": (10, "SF-1"),
    "finale cards": (2, "SF-1"),
    "fireworks cards with three players": (12, "SF-2"),
    "target cards with three players": (4, "SF-2"),
    "target cards in the stack": (4, "SF-3"),
    "target cards removed with four or five players": (6, "SF-3"),
    "cards dealt to each player": (4, "SF-7"),
    "fireworks cards left over with four players": (4, "SF-7"),
}
_CALLED = Field(
    "called",
    "text",
    optional=True,
    asks="what do you call it?",
    without="it has no name of its own",
)
_SYMBOLS = "which symbols, with commas?"
_FACE = (
    _CALLED,
    Field("symbols", "texts", asks=_SYMBOLS),
    Field(
        "back",
        "text",
        optional=True,
        asks="what does its back show?",
        without="the back is not known",
    ),
    Field("copies", "number", least=1, optional=True),
)
TABLES = (
    ComponentTable(
        "count",
        "how many cards there are",
        (Field("value", "number", asks="how many?"),),
        tuple(COUNTS),
    ),
    ComponentTable(
        "fireworks",
        "the face and the back of a fireworks card (SF-6)",
        _FACE,
        heading="fireworks cards",
        same=("symbols", "back"),
    ),
    ComponentTable(
        "target",
        "the symbols of a target card (SF-8)",
        (_CALLED, Field("symbols", "texts", asks=_SYMBOLS)),
        heading="target cards",
        same=("symbols",),
    ),
    ComponentTable(
        "finale",
        "the symbols of a finale card, and with how many players it is used (SF-1)",
        (
            _CALLED,
            Field(
                "symbols",
                "texts",
                optional=True,
                asks=_SYMBOLS,
                without="they are not known",
                wanted=True,
            ),
            Field(
                "players", "numbers", least=3, most=5, optional=True, asks="with how many players?"
            ),
        ),
        heading="finale cards",
    ),
)
UNLOCKS = (
    Unlock(("fireworks",), "answers whether a target is met, and knows the odds"),
    Unlock(("target", "finale"), "knows the symbols of each target"),
)
_TABLE_OF = {"fireworks": "fireworks cards", "target": "target cards", "finale": "finale cards"}


def check(box: Box) -> tuple[Problem, ...]:
    """Return the contradictions between the box and SF-1 to SF-7, or within the box."""
    return (*_counts(box), *_sums(box), *_white(box), *_finales(box), *_names(box))


def costs(box: Box) -> tuple[str, ...]:
    """Return what each unknown row costs the players, a line each."""
    lines = []
    if any(row.status == "example" for row in box.rows):
        lines.append(
            "example deck: these cards are made up, real ones go into the component file (SF-6)"
        )
    if unknown := _unknown(box.table("fireworks")):
        reason = "you decide if a zone meets the target, and there are no odds"
        lines.append(f"symbols unknown, {plural(unknown, 'fireworks card')}: {reason} (SF-6)")
    elif not all(row.fields.get("back") for row in box.table("fireworks")):
        lines.append(
            "backs unknown: odds leave them out, and a white back is not known as one (SF-2, SF-6)"
        )
    if unknown := _unknown([*box.table("target"), *box.table("finale")]):
        lines.append(
            f"symbols unknown, {unknown} targets and finales: enter the target's symbols each round (SF-8)"
        )
    return tuple(lines)


def notice(setup: Setup) -> str:
    """Return a sentence on what the players decide themselves because rows are unknown; empty if nothing."""
    box = box_of(setup)
    if _unknown(box.table("fireworks")):
        return "Card details are missing: you decide if a zone meets the target."
    if _unknown([*box.table("target"), *box.table("finale")]):
        return "Target details are missing: you enter the symbols of each target."
    return ""


def notes(state: State) -> tuple[str, ...]:
    """Return notes on unknown box facts and their cost, and on cards that contradict the rules."""
    lines, current = list(_of_the_box(state.setup)), state.current
    players = len(current.players) if current is not None else len(state.common.playing)
    if players == NO_WHITE and not state.deck.complete:
        lines.append(
            "three players: take out what shows white; 12 fireworks and 4 targets stay (SF-2)"
        )
    return tuple(lines)


@once
def _of_the_box(setup: Setup) -> tuple[str, ...]:
    box = box_of(setup)
    wrong = (*_sums(box), *_white(box, setup.rules_version))
    contradictions = (
        f"{problem.why}; the game goes by the cards ({problem.clause})" for problem in wrong
    )
    return (*still_open(GAME, box), *contradictions)


def _unknown(rows: Sequence[ComponentRow]) -> int:
    return sum(row.fields.get("symbols") is None for row in rows)


def _value(box: Box, name: str) -> int:
    """Return a count from the file, or the published one."""
    value: int = box.value("count", name, COUNTS[name][0])
    return value


def _counts(box: Box) -> Iterator[Problem]:
    for name, (stated, clause) in COUNTS.items():
        value = _value(box, name)
        if value != stated:
            expected = f"{stated} by the published rules"
            yield Problem("count", name, f"the value is {value}", expected, clause)
    left_over = "fireworks cards left over with four players"
    total, left = _value(box, "fireworks cards"), _value(box, left_over)
    dealt = _value(box, "cards dealt to each player")
    if total != 4 * dealt + left:
        why = f"4 x {dealt} dealt and {left} left over are not {total}"
        yield Problem("count", left_over, why, f"{total}", "SF-7")


def _sums(box: Box) -> Iterator[Problem]:
    """Check that each kind of card has as many rows, copies counted, as there are cards."""
    for table, name in _TABLE_OF.items():
        count = sum(row.fields.get("copies", 1) for row in box.table(table))
        wanted = _value(box, name)
        if count != wanted:
            why = f"{count} {name} are listed, copies counted"
            expected = f"{wanted} (a row for each card, or copies)"
            yield Problem(table, "", why, expected, COUNTS[name][1])


def _white(box: Box, version: int = RULES_VERSION) -> Iterator[Problem]:
    """Check that the cards known to show no white are as many as SF-2 has."""
    deck = deck_for(box, NO_WHITE, version)
    for table, cards in (("fireworks", deck.fireworks), ("target", deck.targets)):
        rows = box.table(table)
        count = sum(card.copies for card in cards)
        # An unknown side may show white: then the count says nothing yet.
        sides_unknown = table == "fireworks" and count != deck.cards
        if not rows or _unknown(rows) or sides_unknown:
            continue
        wanted = _value(box, f"{_TABLE_OF[table]} with three players")
        if count != wanted:
            why = f"{count} {_TABLE_OF[table]} show no white"
            yield Problem(table, "", why, f"{wanted}", "SF-2", doubt=True)
    least = NO_WHITE * DEALT
    if deck.complete and deck.cards < least:
        why = f"{deck.cards} cards cannot be dealt to three"
        yield Problem("fireworks", "", why, f"{least}", "SF-7")


def _finales(box: Box) -> Iterator[Problem]:
    rows = box.table("finale")
    known = [row for row in rows if "players" in row.fields]
    for players in (3, 4, 5):
        using = [row for row in known if players in row.fields["players"]]
        # While a finale's players are unknown, it may be the one that seems to be missing.
        missing = not using and len(known) == len(rows)
        if len(using) > 1 or missing:
            name = using[-1].name if using else ""
            why = f"{len(using)} finales are for {players} players"
            expected = "one for three players, one for four or five"
            yield Problem("finale", name, why, expected, "SF-1")
    for row in known:
        if 3 in row.fields["players"] and card_of(row).white:
            why = "the finale of three players shows white"
            yield Problem("finale", row.name, why, "none", "SF-2", doubt=True)


def _names(box: Box) -> Iterator[Problem]:
    """Check that names and symbols can be told apart when typed."""
    for table in _TABLE_OF:
        seen = set()
        for row in box.table(table):
            name = card_of(row).name
            if clean(name) in seen:
                why = "two cards are called so"
                yield Problem(table, name, why, "copies, or another name", "SF-6")
            seen.add(clean(name))
    for row in box.rows:
        if row.table not in _TABLE_OF:
            continue
        for text in (row.fields.get("called", row.name), *row.fields.get("symbols", ())):
            if "+" in text or "," in text:
                why = f"{text!r} has a + or a comma"
                yield Problem(row.table, row.name, why, "none: they part symbols and cards", "SF-6")
