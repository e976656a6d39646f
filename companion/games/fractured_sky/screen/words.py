"""What the page says of the map, the tray, the players and the AIs' moves."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from textual.content import Content

from companion.dashboard.themes import seat_style
from companion.dashboard.widgets.cards import PlayerText
from companion.dashboard.widgets.seats import and_more, shown_and_more
from companion.games.fractured_sky.panels import PLACES
from companion.games.fractured_sky.rules.ai import DIRECTION_NAMES, Decision, found_by_table
from companion.games.fractured_sky.rules.board import Board, Platform
from companion.games.fractured_sky.rules.box import NAME_UNKNOWN, shown_name
from companion.games.fractured_sky.rules.controls import BY_HAND_KEY, key_of as game_key
from companion.games.fractured_sky.rules.picture import (
    CURSOR,
    PLATFORM,
    buildings_of,
    free_places,
    keys_of,
    powers_in,
    resources_of,
    starfalls_in,
    tied_place,
)
from companion.games.fractured_sky.rules.public import PlayerId
from companion.games.fractured_sky.rules.reminders import reminders, sentences
from companion.games.fractured_sky.rules.view import (
    FracturedSkyView,
    MoveView,
    PlayerView,
    SlotView,
)
from companion.rules.actions import with_keys
from companion.rules.columns import plural, width as cells_of

BUILDINGS = (("fortress", "Fortress", "Fortresses"), ("market", "Market", "Markets"))
STARFALLS, AIRSHIPS, SKIMMERS = "Starfalls", "Airships", "Skimmers"
"""The columns of the overview."""
_GAPS = ("  ", " ", " ")
"""Before each of them."""


@dataclass(frozen=True, slots=True)
class PlaceText:
    """A region or platform in words: its name, then what is there, an entry each."""

    head: str
    entries: tuple[Content, ...]


def place_text(game: FracturedSkyView, place: str) -> PlaceText | None:
    """Return a region, or a platform (`PLATFORM` before its id), in words; None if there is none."""
    board = game.table.board
    if place in board.by_id:
        return _region_text(game, place)
    platform = board.platform(place.removeprefix(PLATFORM))
    return None if platform is None else _platform_text(game, platform)


def _region_text(game: FracturedSkyView, region: str) -> PlaceText:
    table, powers = game.table, powers_in(game, region)
    entries = [Content(resources_of(game, region))]
    if table.board.name(region) == shown_name(NAME_UNKNOWN):
        entries.append(Content(with_keys(f"name unknown: {BY_HAND_KEY} enters it", game.keys)))
    starfalls = starfalls_in(game, region)
    if starfalls:
        entries.append(Content(starfalls))
    ships = []
    for ship in table.ships:
        if ship.region == region:
            notes = []
            if ship.player in powers:
                notes.append(f"power {powers[ship.player]}")
            if ship.explore:
                notes.append("on the Explore slot")
            note = f" ({', '.join(notes)})" if notes else ""
            ships.append(_owner(game, ship.player) + note)
    entries += _pieces("Airships" if len(ships) > 1 else "Airship", ships)
    owners = [flight.player for flight in table.flights if flight.region == region]
    entries += _of_owners(game, "Skimmer", "Skimmers", owners)
    for platform in table.board.bridges[region]:
        name = f"platform {platform.id}: "
        entries.append(Content(name) + Content(", ").join(_on_platform(game, platform)))
    return PlaceText(f"{keys_of(game)[region]} {table.board.name(region)}".strip(), tuple(entries))


def _platform_text(game: FracturedSkyView, platform: Platform) -> PlaceText:
    board, keys = game.table.board, keys_of(game)
    regions = []
    for region in board.ids:
        if region in platform.regions:
            regions.append(f"{keys[region]} {board.name(region)}".strip())
    bridges = Content(f"bridges to {', '.join(regions)}")
    head = f"platform {platform.id}"
    return PlaceText(head, (*_on_platform(game, platform), bridges))


def _on_platform(game: FracturedSkyView, platform: Platform) -> list[Content]:
    entries: list[Content] = []
    for kind, noun, nouns in BUILDINGS:
        built = game.table.built_on(platform.id)
        owners = [piece.player for piece in built if piece.building == kind]
        entries += _of_owners(game, noun, nouns, owners)
    return [*entries, Content(free_places(game, platform))]


def _of_owners(
    game: FracturedSkyView, one: str, many: str, owners: Sequence[PlayerId]
) -> list[Content]:
    """Return pieces with their owners, each named once: `Skimmers of ○ AI black (2), ● Ada`."""
    named = []
    for owner, count in Counter(owners).items():
        named.append(_owner(game, owner) + (f" ({count})" if count > 1 else ""))
    return _pieces(many if len(owners) > 1 else one, named)


def _pieces(noun: str, owners: Sequence[Content]) -> list[Content]:
    """Return `Airships of ● Ada, ▲ Bo`; nothing without any."""
    if not owners:
        return []
    return [Content(f"{noun} of ") + Content(", ").join(owners)]


def _owner(game: FracturedSkyView, player: PlayerId) -> Content:
    owner = game.player(player)
    return Content.styled(f"{owner.glyph} {owner.name}", seat_style(owner.color))


def with_owners(game: FracturedSkyView, text: str) -> Content:
    """Return the text with each owner's mark in the owner's color."""
    styles = {player.glyph: f"bold {seat_style(player.color)}" for player in game.players}
    parts = re.split(f"({'|'.join(map(re.escape, styles))})", text)
    return Content.assemble(*((part, styles.get(part, "")) for part in parts if part))


def overview_rows(
    game: FracturedSkyView, width: int, cursor: str, *, pointed: bool = True
) -> list[Content]:
    """Return the regions as a table: a row of heads, then each with its Starfalls and whose pieces are there.

    `cursor` is the region that the words beside describe; without `pointed` no key has pointed at it yet.
    """
    board, keys = game.table.board, keys_of(game)
    heads = (STARFALLS, AIRSHIPS, SKIMMERS)
    across = sum(map(len, (*heads, *_GAPS)))
    most = max(10, width - across)
    names, marked = {}, _asked_regions(game)
    for region in board.ids:
        mark = ">" if region in marked else " "
        separator = CURSOR if region == cursor else " "
        names[region] = f"{mark}{keys[region] or ' '}{separator}{board.name(region)}"
    name_cells = min(most, max(map(cells_of, names.values()), default=0))
    first = "".join(gap + head for gap, head in zip(_GAPS, heads, strict=True))
    rows = [Content.styled(" " * name_cells + first, "$quiet")]
    for region, name in names.items():
        style = "bold"
        if region == cursor:
            style = "bold $accent reverse" if pointed else "bold $accent"
        elif region in marked:
            style = "bold $accent"
        powers = powers_in(game, region)
        ships = [ship.player for ship in game.table.ships if ship.region == region]
        flights = [flight.player for flight in game.table.flights if flight.region == region]
        cells = (
            Content(_count(game, region).ljust(len(STARFALLS))),
            _marks(game, ships, len(AIRSHIPS), powers),
            _marks(game, flights, len(SKIMMERS), {}),
        )
        row = Content.styled(name, style).truncate(name_cells, ellipsis=True, pad=True)
        for gap, cell in zip(_GAPS, cells, strict=True):
            row = row + gap + cell
        rows.append(row)
    return rows


def _asked_regions(game: FracturedSkyView) -> frozenset[str]:
    """Return the regions where a pending move of an AI goes, or may go."""
    if game.move is None or game.move.decision.card.kind not in ("airship", "skimmer"):
        return frozenset()
    decision = game.move.decision
    return frozenset(decision.ask if decision.target is None else (decision.target,))


def _count(game: FracturedSkyView, region: str) -> str:
    count = game.table.starfalls_in(region)
    if not count:
        return ""
    if count == 1 and game.table.public == region:
        return "1 Public"
    return str(count)


def _marks(
    game: FracturedSkyView, owners: Sequence[PlayerId], cells: int, powers: Mapping[PlayerId, str]
) -> Content:
    """Return the owners' marks in `cells` cells, with their `powers`, and a space between them where there is room."""
    marks = []
    for owner in owners[:cells]:
        player = game.player(owner)
        mark = Content.styled(player.glyph, f"bold {seat_style(player.color)}")
        marks.append(mark + powers.get(owner, ""))
    row = Content(" ").join(marks)
    if row.cell_length > cells:
        row = Content("").join(marks)
    return row.truncate(cells, ellipsis=True, pad=True)


def player_text(game: FracturedSkyView, player: PlayerView) -> PlayerText:
    """Return the texts of a player's card."""
    left = player.left or game.phase == "over"
    facts = [
        f"{plural(player.airships, 'Airship')} left",
        f"{plural(player.fortresses, 'Fortress', 'Fortresses')} left",
        f"{plural(player.markets, 'Market')}, {plural(player.skimmers, 'Skimmer')}",
    ]
    last = []
    if player.slot is not None:
        last.append(f"plays {PLACES[player.slot]}")
    if player.market_card is not None:
        last.append(f"Market card {player.on_card}")
    if last:
        facts.append(", ".join(last))
    status = ""
    if player.left:
        status = "left the game"
    elif player.id == game.winner:
        status = "winner"
    elif player.id == mover_of(game):
        status = "turn"
    elif player.done and not left:
        status = "done"
    return PlayerText(
        player.glyph, player.name, player.color, str(player.starfalls),
        "Starfall" if player.starfalls == 1 else "Starfalls", status, tuple(facts),
        turn=status == "turn", idle=player.left,
    )  # fmt: skip


def mover_of(game: FracturedSkyView) -> PlayerId | None:
    """Return whose turn it is: of an AI whose move is pending, of who takes a turn slot."""
    if game.move is not None:
        return game.move.decision.ai
    if game.phase == "slot":
        for player in game.players:
            if not (player.airships or player.done or player.left):
                return player.id
    return game.to_move


def in_turn_order(game: FracturedSkyView) -> list[PlayerView]:
    """Return the players by their slots of the current row; who has none comes later, who left last."""
    return sorted(
        game.players, key=lambda player: (player.left, player.slot is None, player.slot or 0)
    )


def player_rows(game: FracturedSkyView, width: int, height: int) -> list[Content]:
    """Return the players in the order of the current row, then the next row, in at most `height` lines."""
    whole = list(Content(next_slots(game)).wrap(width))
    brief = list(Content(next_slots(game, "Next turns")).wrap(width))
    next_row = whole if 2 * len(game.players) + len(whole) <= height else brief
    players, more = shown_and_more(in_turn_order(game), height - len(next_row) - 1)
    if more:
        next_row = [Content.assemble((f"  {and_more(more)}", "$quiet")), *next_row]
    roomy = 2 * len(players) + len(next_row) <= height
    # a number of each player is explained once, above all of them
    rows = [] if roomy else [Content.styled(f"{STARFALLS:>{width}}", "$quiet")]
    for player in players:
        rows += _player(game, player, width, roomy=roomy)
    return [*rows, *next_row][:height]


def _player(
    game: FracturedSkyView, player: PlayerView, width: int, *, roomy: bool
) -> list[Content]:
    slot = "-" if player.slot is None else str(player.slot)
    name = Content.assemble(
        ("> " if player.id == mover_of(game) else "  ", "bold $accent"),
        (f"{slot} ", "$quiet"),
        (f"{player.glyph} {player.name}", seat_style(player.color)),
    )
    below: list[Content] = []
    right = f"{_state(player)} {player.starfalls}"
    if roomy:
        right = f" {plural(player.starfalls, 'Starfall')}"
        below = [Content(f"  {airships_left(player)}").truncate(width, ellipsis=True)]
    name = name.truncate(width - len(right), ellipsis=True, pad=True)
    return [Content.assemble(name, (right, "bold" if roomy else "")), *below]


def airships_left(player: PlayerView) -> str:
    """Return the Airships that a player may still place, or that there is none to place, and an AI's Market card."""
    if player.left:
        return "left the game"
    if player.done:
        return f"done, Market card {player.on_card}" if player.on_card else "done"
    left = plural(player.airships, "Airship")
    return f"{left}, Market {player.on_card}" if player.on_card else f"{left} left"


def _state(player: PlayerView) -> str:
    if player.left:
        return " left"
    return " done" if player.done else ""


def next_slots(game: FracturedSkyView, label: str = "Turn slots of the next round") -> str:
    """Return the turn slots of the next row: who took each, or the Gold it gives."""
    return f"{label}: {', '.join(_slot(game, slot) for slot in game.slots)}"


def _slot(game: FracturedSkyView, slot: SlotView) -> str:
    if slot.player is not None:
        return f"{slot.number} {game.player(slot.player).glyph}"
    return f"{slot.number} ({slot.gold} Gold)" if slot.gold else str(slot.number)


def explored(game: FracturedSkyView) -> str:
    """Return how many Explore cards each seat drew, and how many are unused once the Hidden cards lie on the tray."""
    drawn = [f"{player.glyph} drew {player.draws}" for player in game.players if player.draws]
    left = f"; {plural(game.unused, 'Hidden card')} left" if game.table.hidden else ""
    return f"{', '.join(drawn) or 'nobody drew a card yet'}{left}"


def built(game: FracturedSkyView) -> str:
    """Return the platforms with buildings and whose these are; empty without any."""
    texts = []
    for platform in game.table.board.platforms:
        buildings = ", ".join(buildings_of(game, platform))
        if buildings:
            texts.append(f"platform {platform.id}: {buildings}")
    return "   ".join(texts)


def by_hand_now(game: FracturedSkyView) -> str:
    """Return what to do by hand now, with the key of the form where it can be entered."""
    todo = sentences(reminders(game))
    # during a round the reminders are about tokens, and the form takes these
    if todo and game.phase in ("turn", "slot"):
        return f"{todo} Press {with_keys(BY_HAND_KEY, game.keys)}."
    return todo


def tray(game: FracturedSkyView) -> list[str]:
    """Return the Public card, the Hidden cards with their markers, and who peeked at which Objective."""
    table, keys = game.table, keys_of(game)
    parts = ["no Public card yet"]
    if table.public:
        parts = [f"Public card: {_region(table.board, keys, table.public)}"]
    for number, region in enumerate(table.hidden, start=1):
        card = _region(table.board, keys, region) if region else "face down"
        parts.append(f"Hidden card {number}: {', '.join((card, *_markers(game, number)))}")
    peeks: dict[PlayerId, list[str]] = {}
    for seat, card_number in game.peeks:
        peeks.setdefault(seat, []).append(str(card_number))
    if peeks:
        seen = (f"{game.sign(seat)} {' and '.join(sorted(cards))}" for seat, cards in peeks.items())
        parts.append(f"Objectives peeked at: {', '.join(seen)}")
    return parts


def _region(board: Board, keys: dict[str, str], region: str) -> str:
    return f"{keys.get(region, '')} {board.name(region)}".strip()


def _markers(game: FracturedSkyView, card: int) -> Iterator[str]:
    """Yield who scouted a card and what was taken; an AI does not say which resource."""
    for mark in game.table.marks:
        if mark.card != card:
            continue
        taken = "a resource" if mark.taken else "nothing"
        if mark.resource:
            taken = mark.resource.capitalize()
        yield f"{game.sign(mark.player)} scouted, took {taken}"


def move_lines(game: FracturedSkyView, move: MoveView) -> list[Content]:
    """Return the AI's card and the steps of its decision, each with the candidates it left, the last one in bold."""
    decision = move.decision
    kind = decision.card.kind
    stars = [DIRECTION_NAMES[star] for star in decision.card.stars]
    head = ", ".join((f"{kind} card", *stars))
    steps = Content.assemble(f"{head} > ", _steps(decision, keys_of(game)))
    if decision.target is not None:
        return [steps]
    asks = [tied_place(game, decision, place) for place in decision.ask]
    if found_by_table(game.table.board, kind):
        which = "another" if asks else "the"
        asks.append(with_keys(f"{BY_HAND_KEY} {which} platform", game.keys))
        asks.append(with_keys(f"{game_key('cannot')} none is free", game.keys))
    question = Content.assemble(("you decide: ", "bold $accent"), ("   ".join(asks), "bold"))
    return [steps, question]


def _steps(decision: Decision, keys: Mapping[str, str]) -> Content:
    """Return the candidates, what each step left of them, and in bold the step that decided."""
    texts = []
    for reason in decision.reasons:
        left = [_short_name(decision.card.kind, keys, target) for target in reason.left]
        texts.append(f"{reason.text}: {', '.join(left)}" if left else reason.text)
    *before, last = texts
    return Content(" > ").join([*map(Content, before), Content.assemble((last, "bold"))])


def _short_name(kind: str, keys: Mapping[str, str], target: str) -> str:
    """Return a candidate as the map names it: a region by its key, a platform or card by its number."""
    if kind in ("airship", "skimmer"):
        return keys.get(target) or target
    if kind == "scout":
        return f"card {target}"
    return target
