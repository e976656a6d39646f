"""The panels of Fractured Sky: what the whole table sees, and what a seat sees of its own cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from companion.display.panels import Panels, SeatLine
from companion.display.tables import Cell, PanelTable, Shown
from companion.games.fractured_sky.forms import FORMS, title
from companion.games.fractured_sky.now import now
from companion.games.fractured_sky.rules.board import RegionId
from companion.games.fractured_sky.rules.deduction import Deduction, percent
from companion.games.fractured_sky.rules.outcome import outcomes
from companion.games.fractured_sky.rules.picture import chart
from companion.games.fractured_sky.rules.powers import power_grids
from companion.games.fractured_sky.rules.public import PlayerId, PublicMark
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

PLACES = {1: "1st", 2: "2nd", 3: "3rd", 4: "4th", 5: "5th"}
"""The turn slots of a round in words."""


def where(game: Glance) -> str:
    """Return the round as text."""
    if game.phase == "over":
        return "the game is over"
    if game.phase == "first":
        return "before round 1"
    return f"round {game.round} of {game.rounds}"


def seats(game: Glance) -> Iterator[SeatLine]:
    """Yield the players with their Starfalls, AIs among them, and the pieces they have left."""
    for player in game.players:
        note = ""
        if player.left:
            note = "left"
        elif player.id == game.winner:
            note = "winner"
        # a glance knows no pieces
        words = _piece_words(player) if isinstance(player, PlayerView) else []
        yield SeatLine(
            *player.look,
            str(player.starfalls),
            turn=player.id == game.to_move,
            idle=player.left,
            note=note,
            words=tuple(words),
        )


def _piece_words(player: PlayerView) -> Iterator[str]:
    if player.slot is not None:
        yield f"plays {PLACES[player.slot]}"
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
    rounds = [f"round {played.number}" for played in game.past]
    by_round = ("", *rounds, "in all", "Fortresses", "Markets")
    ais = tuple((player, _ai(game, player)) for player in players if player.ai)
    return (
        PanelTable("Do this now", (), () if game.clearing else reminders(game)),
        chart(game),
        PanelTable("This round", (), tuple(_round(game))),
        PanelTable(
            "Seats",
            ("", "Starfalls", "Airships", "Fortresses", "Markets", "Skimmers", "drew"),
            tuple(map(_pieces, players)),
            columns_on_cards=(1, 2, 3, 4, 5),
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
        PanelTable("The AIs", (), ais),
        PanelTable(
            "Starfalls by round, and what is built",
            by_round,
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
    yield ("turn slots of the next round", "; ".join(_slot(game, slot) for slot in game.slots))
    yield ("Starfalls on the board", sum(game.table.starfalls.values()))


def _slot(game: FracturedSkyView, slot: SlotView) -> str:
    if slot.player is not None:
        return f"{slot.number} {game.player(slot.player).name}"
    if not slot.gold:
        return f"{slot.number} free"
    return f"{slot.number} free, with {slot.gold} Gold"


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
        parts.append(f"Market card {player.market_card} of {player.market_number or '?'}")
    if player.sitting_out:
        parts.append(f"unused tokens: {', '.join(player.sitting_out)}")
    cards = []
    for turn in game.table.turned:
        if turn.ai == player.id:
            cards.append(turn.card.kind if turn.carried_out else f"{turn.card.kind} (skipped)")
    parts.append(f"turned up this round: {', '.join(cards) or 'none'}")
    return "; ".join(parts)


def _region(game: FracturedSkyView, region: str) -> tuple[Cell, ...]:
    table = game.table
    starfalls: Cell = table.starfalls_in(region) or "-"
    if table.starfalls_in(region) and table.public == region:
        starfalls = f"{starfalls}, one Public"
    ships = [ship for ship in table.ships if ship.region == region]
    return (
        table.board.name(region),
        ", ".join(table.board.by_id[region].resources) or "?",
        starfalls,
        _marks(game, [ship.player for ship in ships]),
        _marks(game, [ship.player for ship in ships if ship.explore]),
        _marks(game, [flight.player for flight in table.flights if flight.region == region]),
    )


def _platforms(game: FracturedSkyView) -> Iterator[tuple[Cell, ...]]:
    for platform in game.table.board.platforms:
        regions = ", ".join(map(game.table.board.name, platform.regions))
        fortresses: list[PlayerId] = []
        markets: list[PlayerId] = []
        for piece in game.table.built_on(platform.id):
            owners = fortresses if piece.building == "fortress" else markets
            owners.append(piece.player)
        yield platform.id, regions, _marks(game, fortresses), _marks(game, markets)


def _marks(game: FracturedSkyView, players: Iterable[PlayerId]) -> Cell:
    return tuple(game.player(player) for player in players) or "-"


def _hidden(game: FracturedSkyView) -> Iterator[tuple[Cell, ...]]:
    for card, region in enumerate(game.table.hidden, start=1):
        text = "face down" if region is None else game.table.board.name(region)
        marks = [_mark(game, mark) for mark in game.table.marks if mark.card == card]
        if marks:
            text += f", scouted by {', '.join(marks)}"
        yield f"Hidden card {card}", text
    if game.table.hidden:
        yield "unused Hidden cards", game.unused


def _mark(game: FracturedSkyView, mark: PublicMark) -> str:
    name = game.player(mark.player).name
    if mark.resource is not None:
        return f"{name} ({mark.resource})"
    return f"{name} (a resource)" if mark.taken else f"{name} (nothing)"


def own(game: FracturedSkyView, seat: SeatId) -> tuple[PanelTable, ...]:
    """Return what the seat saw of the Hidden cards and what follows.

    That is the chance of no, one or two Starfalls in each region this round, and what each unseen
    card may be.
    """
    board = game.table.board
    seen: dict[Card, str] = {}
    for sight in game.sights:
        seen[sight.where, sight.number] = board.name(sight.region)
    saw = [(name_of(card), seen.get(card, "not noted yet")) for card in cards_of(game, seat)]
    panels = [PanelTable("What you saw", (), tuple(saw))]
    if game.deduction is not None:
        panels += _deduced(game, game.deduction)
    return tuple(table for table in panels if table.rows)


def _deduced(game: FracturedSkyView, deduction: Deduction) -> Iterator[PanelTable]:
    head = ("", "there now", "none", "one", "two")
    chances = tuple(_spread(game, region, chance) for region, chance in deduction.hidden.items())
    yield PanelTable("How likely Starfalls are this round", head, chances)
    cards = []
    for number, chance_of in enumerate(deduction.cards, start=1):
        likely = []
        for region, chance in chance_of.items():
            likely.append(f"{game.table.board.name(region)} {percent(chance)}")
        cards.append((name_of(("hidden", number)), ", ".join(likely)))
    yield PanelTable("What the Hidden cards can be", (), tuple(cards))
    title = "Why"
    if not deduction.layouts:
        title = "Why no layout fits: something that was noted is wrong"
    yield PanelTable(title, (), tuple((reason.text,) for reason in deduction.reasons))


def _spread(game: FracturedSkyView, region: RegionId, hidden: Fraction) -> tuple[Cell, ...]:
    """Return a row: a region, its Starfalls now, and the chances of no, one and two this round, the
    Public one included."""
    none, one, two = 1 - hidden, hidden, Fraction(0)
    if region == game.table.public:
        none, one, two = Fraction(0), 1 - hidden, hidden
    chances = (percent(none), percent(one), percent(two))
    return (game.table.board.name(region), game.table.starfalls_in(region), *chances)


PANELS = Panels(
    "Starfalls",
    where,
    seats,
    tables,
    note_lines,
    own,
    outcomes=outcomes,
    phone_grids=power_grids,
    now=now,
    title=title,
    forms=FORMS,
)
