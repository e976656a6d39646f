"""The map as a picture, drawn by every screen, page and report.

Where there is room, a region has its key and name, its resources, and in rows of their own
Airships, Skimmers and Starfalls; a platform its Fortresses, Markets and free places. A smaller map
is brief: without resources. The smallest has the owners' marks alone. Every mark can be read
without color.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from companion.display.pictures import Chart, MapPiece, Shape, Site
from companion.games.fractured_sky.rules.ai import Decision
from companion.games.fractured_sky.rules.board import Platform, platform_point
from companion.games.fractured_sky.rules.controls import (
    ANSWERS,
    answer_key,
    number_of,
)
from companion.games.fractured_sky.rules.public import PlayerId
from companion.games.fractured_sky.rules.view import FracturedSkyView
from companion.rules.actions import KeyMap, with_keys
from companion.rules.columns import plural, width

NO_RESOURCES = "??"
"""In place of resources that nobody knows, in the map editor."""
REGION_ROOM, PLATFORM_ROOM = (22, 4), (14, 4)
"""Cells and rows kept for a region and a platform with everything that may lie there.

A region has its name, its resources, and two more rows for Airships, Skimmers and Starfalls; a
platform its name, Fortresses, Markets and free places.
"""
GRID_PLATFORM_ROOM = (REGION_ROOM[0], PLATFORM_ROOM[1] + 1)
"""The same where places are unknown, and a row names the bridges."""
BRIEF_REGION_ROOM, BRIEF_PLATFORM_ROOM = (13, 4), (10, 4)
"""The same on a brief map."""
REGION_PIECES, PLATFORM_PIECES = 8, 3
"""Pieces for which a drawing keeps room: two rows in a region, one on a platform."""
SHAPES: tuple[tuple[Shape, str], ...] = (
    ("ship", "Airship, with its power once shown"),
    ("dart", "Skimmer"),
    ("tower", "Fortress"),
    ("house", "Market"),
    ("star", "Starfalls"),
    ("full star", "Public Starfall"),
)
"""What the shapes of pieces are."""


def answer_name(place: int, keys: KeyMap) -> str:
    """Return the name of the key that answers number `place`, from 1; empty beyond the tenth."""
    if place > len(ANSWERS):
        return ""
    return with_keys(answer_key(place), keys)


def tied_key(game: FracturedSkyView, decision: Decision, target: str) -> str:
    """Return the name of the key that chooses `target` among the tied places of a decision."""
    return answer_name(number_of(game.table.board, decision.card.kind, target), game.keys)


def tied_place(game: FracturedSkyView, decision: Decision, target: str) -> str:
    """Return a tied place after its key: `3 Copper Crag`."""
    named = game.table.board.place(decision.card.kind, target)
    return f"{tied_key(game, decision, target)} {named}".strip()


def keys_of(game: FracturedSkyView) -> dict[str, str]:
    """Return the name of the key that answers with each region, a digit by default; empty beyond the tenth."""
    return {region: _key_of(game, region) for region in game.table.board.ids}


def _key_of(game: FracturedSkyView, region: str) -> str:
    return answer_name(1 + game.table.board.ids.index(region), game.keys)


def powers_in(game: FracturedSkyView, region: str) -> Mapping[PlayerId, str]:
    """Return each player's power in a region, or nothing until all powers are known."""
    if game.resolution is None:
        return {}
    for result in game.resolution.regions:
        if result.region == region:
            return {share.player: str(share.power) for share in result.standings}
    return {}


PLATFORM = "platform "  # before a platform's id, which may be that of a region as well
CURSOR = ">"
"""Replaces the space between key and name of the region under the cursor, so nothing shifts."""


def chart(game: FracturedSkyView, cursor: str = "", *, pointed: bool = True) -> Chart:
    """Return the map; `cursor` is the region that the screen describes, under the cursor if `pointed`."""
    board = game.table.board
    sites = []
    for region in board.regions:
        site = region_site(game, region.id, cursor)
        if site.under and not pointed:
            site = replace(site, under=False, linked=True)
        sites.append(site)
    bridges = []
    for platform in board.platforms:
        site = platform_site(game, platform)
        sites.append(replace(site, linked=cursor in platform.regions))
        bridges += [(PLATFORM + platform.id, region) for region in platform.regions]
    marked = _marked_sites(game)
    marked_sites = tuple(replace(site, marked=site.id in marked) for site in sites)
    people = tuple(f"{player.glyph} {player.name}" for player in game.players)
    title = "The map (an example)" if game.example else "The map"
    inks = tuple((player.glyph, player.color) for player in game.players)
    return Chart(title, marked_sites, tuple(bridges), (), people, inks=inks, shapes=SHAPES)


def _marked_sites(game: FracturedSkyView) -> set[str]:
    """Return the sites where a pending move of an AI goes, or may go."""
    if game.move is None or game.move.decision.card.kind == "scout":
        return set()  # a Hidden card lies on the tray
    decision = game.move.decision
    places = decision.ask if decision.target is None else (decision.target,)
    prefix = PLATFORM if decision.card.kind in ("fortress", "market") else ""
    return {prefix + place for place in places}


def region_site(game: FracturedSkyView, region: str, cursor: str = "") -> Site:
    """Return a region with its resources, Starfalls, Airships (with powers once they are shown) and Skimmers."""
    table = game.table
    known = table.board.by_id[region]
    words = [resources_of(game, region)]
    # in a grid without places hardly any region has known resources, and each would repeat that
    lines = [*words] if known.resources or table.board.places_known else []
    starfalls = starfalls_in(game, region)
    if starfalls:
        words.append(starfalls)
    airships, marks = _airships(game, region)
    owners = [game.sign(ship.player) for ship in table.ships if ship.region == region]
    brief = []
    if airships:
        noun = "Airship" if len(airships) == 1 else "Airships"
        words.append(f"{noun} {', '.join(airships)}")
        lines.append(f"{noun} {' '.join(marks)}")
        brief.append(_brief("Airship", marks, BRIEF_REGION_ROOM[0]))
    skimmers = [game.sign(flight.player) for flight in table.flights if flight.region == region]
    if skimmers:
        noun = "Skimmer" if len(skimmers) == 1 else "Skimmers"
        words.append(f"{noun} {' '.join(skimmers)}")
        lines.append(words[-1])
        brief.append(_brief("Skimmer", skimmers, BRIEF_REGION_ROOM[0]))
    if starfalls:
        brief.append(plural(table.starfalls_in(region), "Starfall"))
    bridges = [platform.id for platform in table.board.bridges[region]]
    if bridges:
        noun = "platform" if len(bridges) == 1 else "platforms"
        words.append(f"bridges to {noun} {', '.join(bridges)}")
    under = region == cursor
    separator = CURSOR if under else " "
    head = f"{_key_of(game, region)}{separator}{known.name}".strip()
    return Site(
        region,
        head,
        tuple(words),
        (head, "".join((*owners, *skimmers))),
        known.point,
        major=True,
        under=under,
        lines=_with_starfalls(lines, [starfalls] if starfalls else []),
        room=REGION_ROOM,
        brief=tuple(brief),
        brief_room=BRIEF_REGION_ROOM,
        pieces=tuple(_pieces_in(game, region)),
        about=(resources_of(game, region),),
        piece_room=REGION_PIECES,
    )


def _pieces_in(game: FracturedSkyView, region: str) -> Iterator[MapPiece]:
    """Yield the pieces in a region: Airships, Skimmers, then Starfalls, the Public one apart."""
    powers = powers_in(game, region)
    for ship in game.table.ships:
        if ship.region == region:
            power = powers.get(ship.player, "")
            words = f"Airship of {game.player(ship.player).name}"
            if power:
                words += f", power {power}"
            if ship.explore:
                words += ", on the Explore slot"
            yield _piece(game, "ship", ship.player, words, power)
    for flight in game.table.flights:
        if flight.region == region:
            name = game.player(flight.player).name
            yield _piece(game, "dart", flight.player, f"Skimmer of {name}")
    count = game.table.starfalls_in(region)
    public = 1 if count and game.table.public == region else 0
    if count > public:
        yield MapPiece("star", str(count - public), "", plural(count - public, "Starfall"))
    if public:
        yield MapPiece("full star", "", "", "the Public Starfall")


def _piece(
    game: FracturedSkyView, shape: Shape, owner: PlayerId, words: str, more: str = ""
) -> MapPiece:
    player = game.player(owner)
    return MapPiece(shape, f"{player.glyph}{more}", player.color, words)


def resources_of(game: FracturedSkyView, region: str) -> str:
    """Return the resources of a region: `Gold, Iron`."""
    return ", ".join(game.table.board.by_id[region].resources) or "resources unknown"


def starfalls_in(game: FracturedSkyView, region: str) -> str:
    """Return the Starfalls in a region, the Public one named: `2 Starfalls, 1 Public`; empty without any."""
    count = game.table.starfalls_in(region)
    if not count:
        return ""
    if game.table.public != region:
        return plural(count, "Starfall")
    if count == 1:
        return "1 Public Starfall"
    return f"{plural(count, 'Starfall')}, 1 Public"


def _brief(noun: str, marks: Sequence[str], most: int) -> str:
    """Return pieces with their owners' marks in `most` cells: `Airship ●▲`; the word is shortened if need be."""
    owners = "".join(marks)
    for text in (f"{noun} {owners}", f"{noun}{owners}", f"{noun[:4]} {owners}"):
        if width(text) <= most:
            return text
    return owners


def _with_starfalls(lines: Sequence[str], starfalls: Sequence[str]) -> tuple[str, ...]:
    """Return the lines with the Starfalls in a row of their own, or behind others if rows are few."""
    wide, most = REGION_ROOM
    if not starfalls or len(lines) < most - 1:
        return (*lines, *starfalls)
    count = starfalls[0].partition(",")[0].replace(" Public", "")
    for place, line in enumerate(lines):
        if width(f"{line}, {count}") <= wide:
            return (*lines[:place], f"{line}, {count}", *lines[place + 1 :])
    skimmers = lines[-1].replace("Skimmers", "Skim").replace(" ", "").replace("Skim", "Skim ")
    return (*lines[:-1], f"{skimmers}, {count}")


def _airships(game: FracturedSkyView, region: str) -> tuple[list[str], list[str]]:
    """Return the Airships in a region as words, then as marks: whose, with the power once it is shown."""
    powers = powers_in(game, region)
    words, marks = [], []
    for ship in game.table.ships:
        if ship.region == region:
            mark = f"{game.sign(ship.player)}{powers.get(ship.player, '')}"
            words.append(f"{mark} on the Explore slot" if ship.explore else mark)
            marks.append(mark)
    return words, marks


def platform_site(game: FracturedSkyView, platform: Platform) -> Site:
    """Return a platform with its bridges and buildings."""
    board, built = game.table.board, game.table.built_on(platform.id)
    regions = [region for region in board.ids if region in platform.regions]
    keys = [_key_of(game, region) or board.name(region) for region in regions]
    words, marks = [f"bridges to {', '.join(keys)}"], ""
    # Between places that are known the bridges are lines.
    lines = [] if board.places_known else [*words]
    lines += buildings_of(game, platform)
    for piece in built:
        owner = game.sign(piece.player)
        words.append(f"{piece.building.capitalize()} {owner}")
        marks += owner
    words.append(free_places(game, platform))
    lines.append(words[-1])
    # a grid has wide cells
    room = BRIEF_PLATFORM_ROOM if board.places_known else BRIEF_REGION_ROOM
    brief = buildings_of(game, platform, room[0])
    if platform.places is not None:
        brief.append(words[-1])
    return Site(
        PLATFORM + platform.id,
        _platform_head(game, platform),
        tuple(words),
        (f"[{platform.id}]", marks),
        platform_point(board, platform),
        major=False,
        lines=tuple(lines),
        room=PLATFORM_ROOM if board.places_known else GRID_PLATFORM_ROOM,
        brief=tuple(brief),
        brief_room=BRIEF_PLATFORM_ROOM,
        pieces=tuple(_built_on(game, platform)),
        about=(free_places(game, platform),),
        piece_room=PLATFORM_PIECES,
    )


def _platform_head(game: FracturedSkyView, platform: Platform) -> str:
    """Return the name of a platform, after its key while that chooses it and is not in the name."""
    name = f"platform {platform.id}"
    decision = game.move.decision if game.move is not None else None
    if decision is None or decision.card.kind not in ("fortress", "market"):
        return name
    if decision.target is not None or platform.id not in decision.ask:
        return name
    key = tied_key(game, decision, platform.id)
    return name if key == platform.id else f"{key} {name}".strip()


def _built_on(game: FracturedSkyView, platform: Platform) -> Iterator[MapPiece]:
    """Yield the Fortresses and Markets on a platform."""
    shapes: tuple[tuple[str, Shape], ...] = (("fortress", "tower"), ("market", "house"))
    for kind, shape in shapes:
        for built in game.table.built_on(platform.id):
            if built.building == kind:
                words = f"{kind.capitalize()} of {game.player(built.player).name}"
                yield _piece(game, shape, built.player, words)


def free_places(game: FracturedSkyView, platform: Platform) -> str:
    """Return the free places of a platform: `2 free`."""
    if platform.places is None:
        return "places unknown"
    return f"{max(0, platform.places - len(game.table.built_on(platform.id)))} free"


def buildings_of(
    game: FracturedSkyView, platform: Platform, most: int = PLATFORM_ROOM[0]
) -> list[str]:
    """Return the buildings of a platform by kind with their owners' marks: `Fortress ●▲`."""
    texts = []
    for kind in ("fortress", "market"):
        built = game.table.built_on(platform.id)
        owners = [game.sign(piece.player) for piece in built if piece.building == kind]
        if owners:
            texts.append(_brief(kind.capitalize(), owners, most))
    return texts
