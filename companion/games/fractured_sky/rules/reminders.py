"""Work that the rulebook leaves to the players' hands: before a round, at its end, and between two rounds."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.fractured_sky.rules.options import colors_at_the_sides, hidden_count
from companion.games.fractured_sky.rules.public import SHIPS, TOKENS
from companion.games.fractured_sky.rules.view import FracturedSkyView, PlayerView
from companion.rules.columns import listed, plural

Reminder = tuple[str, str]
"""A verb and the rest of the sentence, without a full stop."""


def reminders(game: FracturedSkyView) -> tuple[Reminder, ...]:
    """Return what the players do by hand now."""
    match game.phase:
        case "first":
            return tuple(_sides(game))
        case "public":
            return (*_gold(game), *_starfalls(game, game.round), *_ai_cards(game))
        case "turn" | "slot":
            return tuple(_tokens(game))
        case "hidden":
            return tuple(_objective(game))
    return ()


def clearing(game: FracturedSkyView, ended: int) -> tuple[Reminder, ...]:
    """Return what leaves the board after round `ended`, what stays, and how to lay out the next
    (FS-29); nothing after the last."""
    if ended >= game.rounds:
        return ()
    return (
        ("Take back", "Airships, Power chips, Skimmers and scouting markers"),
        ("Leave", "Fortresses, Markets, markers on Objectives, and Starfalls that nobody took"),
        *_starfalls(game, ended + 1),
        *_ai_cards(game),
    )


def _sides(game: FracturedSkyView) -> Iterator[Reminder]:
    """Yield on which side of a single player each AI sits (FS-31)."""
    if sum(player.ai for player in game.players) > 1:
        left, right = colors_at_the_sides(game.table.options)
        yield "Seat", f"AI {left} to your left, AI {right} to your right"


def _gold(game: FracturedSkyView) -> Iterator[Reminder]:
    """Yield who takes Gold for a slot of the first row (FS-4)."""
    if game.past:
        return
    shares, unknown = [], []
    for slot, player_id in zip(game.slots, game.order, strict=False):
        player = game.player(player_id)
        if player.ai and player.market_card is None:
            continue
        target = " onto its Market card" if player.ai else ""
        if slot.gold is None:
            unknown.append(f"{player.name}{target}")
        elif slot.gold:
            shares.append(f"{player.name} {slot.gold}{target}")
    if unknown:
        yield "Take", f"the Gold that your turn slot shows, if any: {', '.join(unknown)}"
    if shares:
        yield "Take", f"the Gold of your turn slot: {', '.join(shares)}"


def _starfalls(game: FracturedSkyView, number: int) -> Iterator[Reminder]:
    """Yield how to lay out the Starfall cards of a round (FS-6, FS-29)."""
    if game.table.options["starfalls"] == "virtual":
        yield "Put", "a Starfall on the region of the Public card that the companion turns up"
        return
    count = hidden_count(game.table.options, number)
    drawn = ", Explore draws too" if number > 1 else ""
    yield "Shuffle", f"all Public cards, and all Hidden cards{drawn}, each deck by itself"
    yield "Lay out", f"{plural(count, 'Hidden card')} face down on the tray"
    yield "Turn up", "one Public card, and put a Starfall on its region"


def _ai_cards(game: FracturedSkyView) -> Iterator[Reminder]:
    """Yield how to shuffle the AIs' cards and tokens that lie on the table (FS-33, FS-34)."""
    names = [player.name for player in _with_cards(game)]
    if names:
        yield "Shuffle", f"all action cards of {listed(names)}, each deck by itself"
        tokens = f"the {TOKENS} tokens of each AI face down"
        yield "Shuffle", f"{tokens}, and turn {SHIPS} up: these sit out this round"


def _objective(game: FracturedSkyView) -> Iterator[Reminder]:
    """Yield that the round's Objective is turned up, in a game without AIs (FS-19)."""
    flipped = game.objective is not None or any(game.table.hidden)
    if not flipped and not any(player.ai for player in game.players):
        yield "Flip", "the leftmost Objective"


def _tokens(game: FracturedSkyView) -> Iterator[Reminder]:
    """Yield the AIs whose unused tokens nobody has entered, until each has turned up its first card (FS-33)."""
    for player in ais_without_tokens(game):
        yield "Enter", f"{player.name}'s {SHIPS} unused tokens, if you like"


def ais_without_tokens(game: FracturedSkyView) -> list[PlayerView]:
    """Return the AIs that have not turned up a card this round, and whose unused tokens nobody has entered."""
    acted = {turn.ai for turn in game.table.turned}
    waiting = [player for player in _with_cards(game) if not player.sitting_out]
    return [player for player in waiting if player.id not in acted]


def _with_cards(game: FracturedSkyView) -> list[PlayerView]:
    """Return the AIs whose cards lie on the table."""
    return [player for player in game.players if player.ai and not player.virtual]


def sentences(rows: tuple[Reminder, ...]) -> str:
    """Return reminders as sentences on one line."""
    return " ".join(f"{verb} {rest}." for verb, rest in rows)
