"""Panels and tables of Sky Rise, public ones and those of a seat's own goals."""

from __future__ import annotations

from collections.abc import Iterator

from companion.display.panels import Panels, SeatLine
from companion.display.tables import Cell, PanelTable, Shown
from companion.games.sky_rise.forms import FORMS
from companion.games.sky_rise.now import now
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
        words = tuple(_words(seat)) if isinstance(seat, SeatView) else ()
        note = ""
        if seat.left:
            note = "left"
        elif seat.id in game.winners:
            note = "winner"
        turn = seat.id == game.due and not seat.left
        yield SeatLine(
            *seat.look, str(seat.score.total), turn=turn, idle=seat.left, note=note, words=words
        )


def _words(seat: SeatView) -> Iterator[str]:
    if seat.start_token:
        yield "Start token"
    yield f"{plural(seat.hand, 'card')} in hand"
    yield opaque_words(seat)
    yield from _goals(seat)


def opaque_words(seat: SeatView) -> str:
    """Return the opaque pyramids left: `opaque: 1 large, 2 small`, or how many if the sizes are not known."""
    sizes = [
        f"{number} {size}" for number, size in zip(seat.opaque_sizes, SIZES, strict=True) if number
    ]
    if None in seat.opaque_sizes or not sizes:
        return f"{seat.opaque or 'no'} opaque left"
    return f"opaque: {', '.join(sizes)}"


def _goals(seat: SeatView) -> tuple[str, ...]:
    if seat.nest is None or seat.tree is None:
        return ("goals noted",) if seat.goals_noted else ()
    return (f"Nest {seat.nest}", f"Tree {seat.tree}")


def tables(game: SkyRiseView) -> tuple[Shown, ...]:
    """Return the tower, the points, the pieces, the colors with groups and columns, and the Tower Showdown."""
    levels = [level for level in game.levels if level.size is not None]
    names = [level.name if level.complete else f"{level.name} so far" for level in levels]
    pile = "?" if game.pile is None else game.pile
    pieces = ("", "opaque left", *SIZES, "cards", "goals")
    colors = ("color", *names, "total", *SIZES)
    groups = ("level", "color", "corners", "points")
    return (
        tower(game),
        points(game),
        PanelTable(
            "Pieces",
            pieces,
            tuple(map(_pieces, game.seats)),
            columns_on_cards=tuple(range(1, len(pieces))),
        ),
        PanelTable(
            "Colors, and what is left of them",
            colors,
            tuple(_color(game, color) for color in game.colors),
        ),
        PanelTable("Groups", groups, tuple(_groups(game)), long=True),
        PanelTable("Columns", ("color", "corners", "points"), tuple(_columns(game)), long=True),
        PanelTable("Draw pile and Tower Showdown", (), (("draw pile", pile), *_showdown(game))),
    )


def points(game: SkyRiseView) -> PanelTable:
    """Return the points of each seat by source; those of goals only once they are turned up (SR-14 to SR-16)."""
    any_by_hand = any(seat.score.by_hand for seat in game.seats)
    heads = ["", "placed"]
    if game.revealed:
        heads += ["Nest", "Tree", "opaque"]
    if any_by_hand:
        heads.append("by hand")
    rows = tuple(_points(game, seat, by_hand=any_by_hand) for seat in game.seats)
    return PanelTable("Points", (*heads, "total", ""), rows, columns_on_cards=(len(heads),))


def _points(game: SkyRiseView, seat: SeatView, *, by_hand: bool) -> tuple[Cell, ...]:
    score = seat.score
    cells: list[Cell] = [seat, score.placed]
    if game.revealed:
        nest = tree = opaque = "-"
        if score.nest is not None:
            nest = f"{seat.nest} {score.nest}"
        if score.columns is not None:
            tree = f"{seat.tree} {score.columns} ({plural(len(seat.columns), 'column')})"
        if score.unplaced is not None:
            opaque = f"{score.unplaced} ({score.unplaced // UNPLACED_POINTS} left)"
        cells += [nest, tree, opaque]
    if by_hand:
        cells.append(f"{score.by_hand:+d}")
    note = "left" if seat.left else ""
    if seat.id in game.winners:
        note = "WINS" if len(game.winners) == 1 else "SHARES"
    return (*cells, score.total, note)


def _pieces(seat: SeatView) -> tuple[Cell, ...]:
    goals = ", ".join(_goals(seat)).removeprefix("goals ")
    sizes = ["?" if number is None else number for number in seat.opaque_sizes]
    return (seat, seat.opaque, *sizes, seat.hand, goals)


def _color(game: SkyRiseView, color: ColorView) -> tuple[Cell, ...]:
    points = (
        dict(level.scores).get(color.name, 0) for level in game.levels if level.size is not None
    )
    return (f"{color.letter} {color.name} {color.sign}", *points, color.total, *color.stock)


def _groups(game: SkyRiseView) -> Iterator[tuple[Cell, ...]]:
    letters = {color.name: color.letter for color in game.colors}
    for level in game.levels:
        if level.size is None:  # antennas form no groups
            continue
        for group in level.groups:
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
        status = "still building"
        if contender.done:
            status = "done, time unknown"
            if contender.span:
                status = seconds(contender.span)
        yield (seats[contender.seat], status)
    if game.showdown.close:
        yield ("too close to tell", ", ".join(seats[seat].name for seat in game.showdown.close))


def clock(game: Glance) -> tuple[Moment, Pauses] | None:
    """Return the start of a running Tower Showdown (SR-17) and the pauses it leaves out (SR-T3), or None."""
    showdown = game.showdown
    if showdown is None or not showdown.running or not showdown.begun:
        return None
    return showdown.begun, game.pauses


def own(game: SkyRiseView, _seat: SeatId) -> tuple[PanelTable, ...]:
    """Return what each color would score now as Nest and as Tree (SR-14, SR-15), with the seat's own goals marked."""
    title = "What each color would score now"
    if not game.own:
        title += "; your goals are not noted yet"
    rows = tuple(_as_goal(color, game.own) for color in game.colors)
    return (PanelTable(title, ("", "as Nest", "as Tree", ""), rows),)


def _as_goal(color: ColorView, own: GoalNoted | None) -> tuple[Cell, ...]:
    nest = str(color.total)
    if color.building:
        nest += f", {color.building} on this level"
    tree = str(COLUMN_POINTS * len(color.columns))
    if color.columns:
        tree += f", columns {' '.join(color.columns)}"
    mine = []
    if own is not None and own.nest == color.name:
        mine.append("your Nest")
    if own is not None and own.tree == color.name:
        mine.append("your Tree")
    return (color.name, nest, tree, " and ".join(mine))


PANELS = Panels("points", where, seats, tables, note_lines, own, clock=clock, now=now, forms=FORMS)
