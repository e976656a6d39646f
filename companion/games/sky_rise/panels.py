"""Panels and tables of Sky Rise, public ones and those of a seat's own goals."""

from __future__ import annotations

from collections.abc import Iterator

from companion.display.panels import Panels, SeatLine
from companion.display.tables import Cell, PanelTable, Shown
from companion.games.sky_rise.rules.facts import GoalNoted
from companion.games.sky_rise.rules.model import LEVELS, SIZES
from companion.games.sky_rise.rules.picture import tower
from companion.games.sky_rise.rules.scoring import COLUMN_POINTS, UNPLACED_POINTS
from companion.games.sky_rise.rules.text import seconds
from companion.games.sky_rise.rules.view import ColorView, Glance, SeatView, SkyRiseView, note_lines
from companion.rules.columns import plural
from companion.rules.facts import Moment, SeatId
from companion.rules.pauses import Pauses


def where(game: Glance) -> str:
    """Return the phase: `level 2 of 3, floor`, `the roof`, `Tower Showdown`."""
    return {
        "floor": f"level {game.level} of {LEVELS}, floor",
        "pyramids": f"level {game.level} of {LEVELS}, {game.size} pyramids",
        "roof": "the roof",
        "antennas": "the roof, antennas",
        "goals": "the tower is built",
        "showdown": "a tie" if game.showdown is None else "Tower Showdown",
        "finished": "the game is over",
    }[game.phase]


def seats(game: Glance) -> Iterator[SeatLine]:
    """Yield a line for each seat: its points, and its goals once they are public."""
    for seat in game.seats:
        words = _words(seat) if isinstance(seat, SeatView) else ()
        yield SeatLine(
            *seat.look, str(seat.score.total),
            turn=seat.id == game.due and not seat.left, idle=seat.left,
            note="left" if seat.left else "winner" if seat.id in game.winners else "", words=tuple(words),
        )  # fmt: skip


def _words(seat: SeatView) -> Iterator[str]:
    if seat.start_token:
        yield "start token"
    yield plural(seat.hand, "card")
    yield f"{seat.opaque} opaque left"
    yield from _goals(seat)


def _goals(seat: SeatView) -> tuple[str, ...]:
    if seat.nest is None or seat.tree is None:
        return ("goals noted",) if seat.goals_noted else ()
    return (f"Nest {seat.nest}", f"Tree {seat.tree}")


def tables(game: SkyRiseView) -> tuple[Shown, ...]:
    """Return the tower, the points, the pieces, the colors with groups and columns, and the Tower Showdown."""
    levels = [level for level in game.levels if level.size is not None]
    names = (f"{level.name}{'' if level.complete else ' so far'}" for level in levels)
    pile = "?" if game.pile is None else game.pile
    return (
        tower(game),
        points(game),
        PanelTable(
            "Pieces", ("", "opaque left", *SIZES, "cards", "goals"), tuple(map(_pieces, game.seats))
        ),
        PanelTable(
            "Colors, and what is left of them",
            ("color", *names, "total", *SIZES),
            tuple(_color(game, color) for color in game.colors),
        ),
        PanelTable(
            "Groups", ("level", "color", "corners", "points"), tuple(_groups(game)), long=True
        ),
        PanelTable("Columns", ("color", "corners", "points"), tuple(_columns(game)), long=True),
        PanelTable("Draw pile and Tower Showdown", (), (("draw pile", pile), *_showdown(game))),
    )


def points(game: SkyRiseView) -> PanelTable:
    """Return each seat's points by source, with its goals once they are turned up (SR-14 to SR-16)."""
    by_hand = ("by hand",) if any(seat.score.by_hand for seat in game.seats) else ()
    won = "WINS" if len(game.winners) == 1 else "SHARES"
    rows = tuple(
        _points(seat, won if seat.id in game.winners else "", by_hand=bool(by_hand))
        for seat in game.seats
    )
    return PanelTable(
        "Points", ("", "placed", "Nest", "Tree", "opaque", *by_hand, "total", ""), rows
    )


def _points(seat: SeatView, won: str, *, by_hand: bool) -> tuple[Cell, ...]:
    score = seat.score
    nest = f"{seat.nest} {score.nest}" if score.nest is not None else "-"
    tree = f"{seat.tree} {len(seat.columns)}×{COLUMN_POINTS}" if score.columns is not None else "-"
    opaque = (
        f"{score.unplaced // UNPLACED_POINTS}×{UNPLACED_POINTS}"
        if score.unplaced is not None
        else "-"
    )
    hand = (f"{score.by_hand:+d}",) if by_hand else ()
    return (
        seat,
        score.placed,
        nest,
        tree,
        opaque,
        *hand,
        score.total,
        won or ("left" if seat.left else ""),
    )


def _pieces(seat: SeatView) -> tuple[Cell, ...]:
    goals = ", ".join(_goals(seat)).removeprefix("goals ")
    return (
        seat,
        seat.opaque,
        *("?" if number is None else number for number in seat.opaque_sizes),
        seat.hand,
        goals,
    )


def _color(game: SkyRiseView, color: ColorView) -> tuple[Cell, ...]:
    points = (
        dict(level.scores).get(color.name, 0) for level in game.levels if level.size is not None
    )
    return (f"{color.letter} {color.name} {color.sign}", *points, color.total, *color.stock)


def _groups(game: SkyRiseView) -> Iterator[tuple[Cell, ...]]:
    letters = {color.name: color.letter for color in game.colors}
    for level in game.levels:
        for group in level.groups if level.size is not None else ():
            yield (level.name, f"{letters[group.color]} {group.color}", group.corners, group.points)


def _columns(game: SkyRiseView) -> Iterator[tuple[Cell, ...]]:
    for color in game.colors:
        if color.columns:
            yield (
                f"{color.letter} {color.name}",
                " ".join(color.columns),
                COLUMN_POINTS * len(color.columns),
            )


def _showdown(game: SkyRiseView) -> Iterator[tuple[Cell, ...]]:
    if game.showdown is None:
        return
    seats = {seat.id: seat for seat in game.seats}
    for contender in game.showdown.contenders:
        built = seconds(contender.span) if contender.span else "done, at a time nobody can know"
        yield (seats[contender.seat], built if contender.done else "still building")
    if game.showdown.close:
        yield ("too close to tell", ", ".join(seats[seat].name for seat in game.showdown.close))


def clock(game: Glance) -> tuple[Moment, Pauses] | None:
    """Return the start of a running Tower Showdown (SR-17) and the pauses it leaves out (SR-T3), or None."""
    showdown = game.showdown
    return (
        (showdown.begun, game.pauses)
        if showdown is not None and showdown.running and showdown.begun
        else None
    )


def own(game: SkyRiseView, _seat: SeatId) -> tuple[PanelTable, ...]:
    """Return what each color would score now as Nest and as Tree (SR-14, SR-15), with the seat's own goals
    marked."""
    title = f"What each color would score now{'' if game.own else '; your goals are not noted yet'}"
    rows = tuple(_as_goal(color, game.own) for color in game.colors)
    return (PanelTable(title, ("", "as Nest", "as Tree", ""), rows),)


def _as_goal(color: ColorView, own: GoalNoted | None) -> tuple[Cell, ...]:
    nest = f"{color.total}{f', {color.building} on this level' if color.building else ''}"
    where = f", columns {' '.join(color.columns)}" if color.columns else ""
    goals = {} if own is None else {"your Nest": own.nest, "your Tree": own.tree}
    mine = " and ".join(goal for goal, noted in goals.items() if noted == color.name)
    return (color.name, nest, f"{COLUMN_POINTS * len(color.columns)}{where}", mine)


PANELS = Panels("points", where, seats, tables, note_lines, own, clock=clock)
