"""The statistics of Fractured Sky: Starfalls by round, buildings, the AIs' cards, and what of the box is open."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from companion.dashboard.themes import seat_style
from companion.games.fractured_sky.rules.box import box_for
from companion.games.fractured_sky.rules.view import FracturedSkyView, PlayerView
from companion.games.fractured_sky.screen.marks import EXAMPLE, LEGEND
from companion.games.fractured_sky.screen.players import pieces
from companion.session.views import TableView

NAME_CELLS = 16


def statistics(view: TableView) -> Content:
    """Return the page."""
    game: FracturedSkyView = view.game
    blocks = [_starfalls(game), _pieces(game), _turned(game), _open(view), [_title("Signs of the map"), *_signs()]]
    if game.example:
        blocks.insert(0, [_title(EXAMPLE), Content("  Its regions, platforms, cards and tokens are invented.")])
    return Content("\n\n").join(Content("\n").join(block) for block in blocks if block)


def _title(text: str) -> Content:
    return Content.assemble((text, "bold"))


def _name(player: PlayerView) -> Content:
    name = Content.assemble((f"{player.glyph} {player.name}", seat_style(player.color)))
    return name.truncate(NAME_CELLS, ellipsis=True, pad=True)


def _starfalls(game: FracturedSkyView) -> list[Content]:
    heads = "".join(f"{f'round {played.number}':>9}" for played in game.past)
    rows = [Content.assemble((f"  {'':<{NAME_CELLS}}{heads}  in all", "$quiet"))]
    for player in game.players:
        gains = "".join(f"{played.gains.get(player.id, 0) or '.':>9}" for played in game.past)
        rows.append(Content.assemble("  ", _name(player), f"{gains}{player.starfalls:>8}"))
    left = sum(game.table.starfalls.values())
    return [_title("Starfalls"), *rows, Content(f"  on the board now: {left}")]


def _pieces(game: FracturedSkyView) -> list[Content]:
    rows = []
    for player in game.players:
        built = [one.building for one in game.table.buildings if one.player == player.id]
        said = f"built {_many(built, 'Fortress', 'Fortresses')}, {_many(built, 'Market', 'Markets')}"
        said = f"{said}; left {pieces(player)}"
        out = ", ".join(player.sitting_out)
        rows.append(Content.assemble("  ", _name(player), said, f"; tokens {out} sit out" if out else ""))
    return [_title("Pieces"), *rows]


def _many(built: Sequence[str], one: str, more: str) -> str:
    count = built.count(one.lower())
    return f"{count} {one if count == 1 else more}"


def _turned(game: FracturedSkyView) -> list[Content]:
    turned = game.table.turned
    if not turned:
        return []
    rows = []
    for player in game.players:
        cards = [f"{one.card.kind}{'' if one.carried_out else ' (skipped)'}" for one in turned if one.ai == player.id]
        if cards:
            rows.append(Content.assemble("  ", _name(player), ", ".join(cards)))
    return [_title("Cards that AIs turned up this round"), *rows]


def open_facts(view: TableView) -> int:
    """Return how many facts of the box nobody has confirmed."""
    return len(box_for(view.setup).open_rows)


def _open(view: TableView) -> list[Content]:
    count = open_facts(view)
    head = f"Facts of the box still open: {count}" if count else "Every fact of the box is confirmed"
    return [_title(head), *(Content(f"  {note}") for note in view.game.notes)]


def _signs() -> list[Content]:
    return [Content(f"  {line.strip()}") for line in LEGEND]
