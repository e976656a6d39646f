"""The panels of Fractured Sky: what the whole table sees, and what a seat sees of its own cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from companion.display.panels import Panels, SeatLine
from companion.display.tables import Cell, PanelTable, Shown
from companion.games.fractured_sky.rules.board import RegionId
from companion.games.fractured_sky.rules.deduction import percent
from companion.games.fractured_sky.rules.outcome import outcomes
from companion.games.fractured_sky.rules.picture import chart
from companion.games.fractured_sky.rules.public import PlayerId
from companion.games.fractured_sky.rules.reminders import reminders
from companion.games.fractured_sky.rules.view import (
    Card,
    FracturedSkyView,
    Glance,
    PlayerView,
    SlotView,
    cards_of,
    name_of,
    note_lines,
)
from companion.rules.columns import plural
from companion.rules.facts import SeatId


def where(game: Glance) -> str:
    """Return the round as text."""
    if game.phase == "over":
        return "the game is over"
    return "before round 1" if game.phase == "first" else f"round {game.round} of {game.rounds}"


def seats(game: Glance) -> Iterator[SeatLine]:
    """Yield the players with their Starfalls, AIs among them, and the pieces they have left."""
    for player in game.players:
        words = _piece_words(player) if isinstance(player, PlayerView) else ()
        yield SeatLine(
            *player.look, str(player.starfalls),
            turn=player.id == game.to_move, idle=player.left,
            note="left" if player.left else "winner" if player.id == game.winner else "", words=tuple(words),
        )  # fmt: skip


def _piece_words(player: PlayerView) -> Iterator[str]:
    if player.slot is not None:
        yield f"slot {player.slot}"
    if player.done:
        yield "done"
    left = [plural(player.airships, "Airship"), plural(player.fortresses, "Fortress", "Fortresses")]
    left += [plural(player.markets, "Market"), plural(player.skimmers, "Skimmer")]
    yield f"{', '.join(left)} left"
    if player.market_card is not None:
        yield f"Market card {player.market_card} of {player.market_number or '?'}"


def tables(game: FracturedSkyView) -> tuple[Shown, ...]:
    """Return the reminders, the map, the round, the pieces, the map as tables, and the Hidden cards."""
    board, players = game.table.board, game.players
    rounds = tuple(f"round {played.number}" for played in game.past)
    return (
        PanelTable("Do this now", (), () if game.clearing else reminders(game)),
        chart(game),
        PanelTable("This round", (), tuple(_round(game))),
        PanelTable(
            "Starfalls, and pieces left to place",
            ("", "Starfalls", "Airships", "Fortresses", "Markets", "Skimmers", "drew"),
            tuple(map(_pieces, players)),
        ),
        PanelTable(
            "Regions",
            ("region", "resources", "Starfalls", "Airships", "explored by", "Skimmers"),
            tuple(_region(game, region) for region in board.left_to_right),
        ),
        PanelTable(
            "Platforms", ("platform", "regions", "Fortresses", "Markets"), tuple(_platforms(game))
        ),
        PanelTable("Hidden cards", (), tuple(_hidden(game))),
        PanelTable(
            "The AIs", (), tuple((player, _ai(game, player)) for player in players if player.ai)
        ),
        PanelTable(
            "Starfalls by round, and what is built",
            ("", *rounds, "in all", "Fortresses", "Markets"),
            tuple(_starfalls(game, player) for player in players),
            long=True,
        ),
    )


def _round(game: FracturedSkyView) -> Iterator[tuple[Cell, ...]]:
    if game.example:
        yield ("example map", "regions, platforms and decks are invented")
    yield ("turn order", ", ".join(game.player(player).name for player in game.order))
    if game.winner is not None:
        yield ("winner", game.player(game.winner))
    left = ", ".join(player.name for player in game.players if player.left)
    if left:
        yield ("left the game", left)
    if game.move is not None:
        by_hand = f" (by hand: {game.move.by_hand})" if game.move.by_hand else ""
        yield ("an AI moves", f"{game.move.sentence}{by_hand}")
    yield ("next row of turn slots", "; ".join(_slot(game, slot) for slot in game.slots))
    yield ("Starfalls on the board", sum(game.table.starfalls.values()))


def _slot(game: FracturedSkyView, slot: SlotView) -> str:
    gold = "?" if slot.gold is None else slot.gold
    return f"{slot.number} {f'free, {gold} Gold' if slot.player is None else game.player(slot.player).name}"


def _starfalls(game: FracturedSkyView, player: PlayerView) -> tuple[Cell, ...]:
    gains = (played.gains.get(player.id, 0) or "." for played in game.past)
    built = [piece.building for piece in game.table.buildings if piece.player == player.id]
    return (player, *gains, player.starfalls, built.count("fortress"), built.count("market"))


def _pieces(player: PlayerView) -> tuple[Cell, ...]:
    left = (player.airships, player.fortresses, player.markets, player.skimmers)
    return (player, player.starfalls, *left, player.draws)


def _ai(game: FracturedSkyView, player: PlayerView) -> str:
    """Return an AI's Market card, its tokens that sit out, and the cards it turned up this round."""
    parts = []
    if player.market_card is not None:
        parts += [f"Market card {player.market_card} of {player.market_number or '?'}"]
    parts += [f"tokens {', '.join(player.sitting_out)} sit out"] if player.sitting_out else []
    turned = (turn for turn in game.table.turned if turn.ai == player.id)
    cards = ", ".join(
        f"{turn.card.kind}{'' if turn.carried_out else ' (skipped)'}" for turn in turned
    )
    return "; ".join([*parts, f"turned up this round: {cards or 'none'}"])


def _region(game: FracturedSkyView, region: str) -> tuple[Cell, ...]:
    table, count = game.table, game.table.starfalls.get(region, 0)
    public = f"{count}, one Public" if count and table.public == region else count or "-"
    ships = [ship for ship in table.ships if ship.region == region]
    resources = table.board.by_id[region].resources
    return (
        table.board.name(region),
        ", ".join(resources) or "?",
        public,
        _marks(game, (ship.player for ship in ships)),
        _marks(game, (ship.player for ship in ships if ship.explore)),
        _marks(game, (flight.player for flight in table.flights if flight.region == region)),
    )


def _platforms(game: FracturedSkyView) -> Iterator[tuple[Cell, ...]]:
    for platform in game.table.board.platforms:
        regions = ", ".join(map(game.table.board.name, platform.regions))
        built = game.table.built_on(platform.id)
        kinds = (
            [piece.player for piece in built if piece.building == kind]
            for kind in ("fortress", "market")
        )
        yield (platform.id, regions, *(_marks(game, players) for players in kinds))


def _marks(game: FracturedSkyView, players: Iterable[PlayerId]) -> Cell:
    return tuple(game.player(player) for player in players) or "-"


def _hidden(game: FracturedSkyView) -> Iterator[tuple[Cell, ...]]:
    for card, region in enumerate(game.table.hidden, start=1):
        marks = ", ".join(
            f"{game.player(mark.player).name} ({mark.resource or ('a resource' if mark.taken else 'nothing')})"
            for mark in game.table.marks
            if mark.card == card
        )
        face = "face down" if region is None else game.table.board.name(region)
        yield (f"Hidden card {card}", f"{face}{f', scouted by {marks}' if marks else ''}")
    if game.table.hidden:
        yield ("unused Hidden cards", game.unused)


def own(game: FracturedSkyView, seat: SeatId) -> tuple[PanelTable, ...]:
    """Return what the seat saw of the Hidden cards and what follows.

    That is the chance of no, one or two Starfalls in each region this round, and what each unseen
    card may be.
    """
    name, deduction = game.table.board.name, game.deduction
    seen: dict[Card, str] = {
        (sight.where, sight.number): name(sight.region) for sight in game.sights
    }
    saw = tuple((name_of(card), seen.get(card, "not noted yet")) for card in cards_of(game, seat))
    panels = [PanelTable("What you saw", (), saw)]
    if deduction is not None:
        wrong = "Why no layout fits: something that was noted is wrong"
        why = tuple((reason.text,) for reason in deduction.reasons)
        chances = tuple(
            _spread(game, region, chance) for region, chance in deduction.hidden.items()
        )
        likely = (
            ", ".join(f"{name(region)} {percent(chance)}" for region, chance in card.items())
            for card in deduction.cards
        )
        cards = tuple(
            (name_of(("hidden", number)), regions) for number, regions in enumerate(likely, start=1)
        )
        panels += [
            PanelTable(
                "How likely Starfalls are this round", ("", "now", "none", "one", "two"), chances
            )
        ]
        panels += [PanelTable("What the Hidden cards can be", (), cards)]
        panels += [PanelTable("Why" if deduction.layouts else wrong, (), why)]
    return tuple(table for table in panels if table.rows)


def _spread(game: FracturedSkyView, region: RegionId, hidden: Fraction) -> tuple[Cell, ...]:
    """Return a row: a region, its Starfalls now, and the chances of no, one and two this round, the
    Public one included."""
    showing, public = game.table.starfalls.get(region, 0), region == game.table.public
    spread = (Fraction(0), 1 - hidden, hidden) if public else (1 - hidden, hidden, Fraction(0))
    return (game.table.board.name(region), showing or "-", *map(percent, spread))


PANELS = Panels("Starfalls", where, seats, tables, note_lines, own, outcomes=outcomes)
