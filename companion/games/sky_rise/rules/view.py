"""View of a game of Sky Rise: everything a screen shows, ready to show.

A seat's goals, and its note of them, are only in its own view (SR-3).
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal

from companion.display.panels import NoteField, NoteLine
from companion.games.sky_rise.rules import scoring, standings
from companion.games.sky_rise.rules.box import Kit, costs
from companion.games.sky_rise.rules.facts import Color, GoalNoted, Piece, Size, Suit
from companion.games.sky_rise.rules.model import (
    OPAQUE,
    SIZES,
    Grid,
    Placed,
    Plan,
    State,
    TowerLevel,
)
from companion.games.sky_rise.rules.scoring import Group
from companion.games.sky_rise.rules.setting import given, opaque_left, opaque_left_of, share, stock
from companion.games.sky_rise.rules.standings import Score
from companion.games.sky_rise.rules.text import level_name
from companion.games.sky_rise.rules.turns import due, on_turn
from companion.rules.components import box_of
from companion.rules.facts import Moment, Seat, SeatId
from companion.rules.house_rules import Options
from companion.rules.once import once
from companion.rules.pauses import Pauses, Span
from companion.rules.replacing import fields_of

Phase = Literal["floor", "pyramids", "roof", "antennas", "goals", "showdown", "finished"]


@dataclass(frozen=True, slots=True)
class CellView:
    """A cell of a floor with its card's suit, sign and rank; None or empty while it is free."""

    place: str
    suit: Suit | None
    sign: str
    rank: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceView(Placed):
    """A pyramid: who placed it, its points, and the cells of the cards that scored."""

    letter: str
    ink: str
    points: int
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CornerView:
    """A corner: its pyramids (more than one only on a roof), and what each color would score there while it is
    free."""

    place: str
    pieces: tuple[PieceView, ...]
    offers: tuple[tuple[Piece, int], ...]


@dataclass(frozen=True, slots=True)
class LevelView:
    """A level, or the roof, whose `size` is None.

    `title` names its pyramids too: `level 1 (large)`. `scores` are the colors' points on it so far; its groups
    count once it is complete.
    """

    name: str
    title: str
    size: Size | None
    complete: bool
    grid: Grid
    cells: tuple[CellView, ...]
    corners: tuple[CornerView, ...]
    groups: tuple[Group, ...]
    scores: tuple[tuple[Color, int], ...]


@dataclass(frozen=True, slots=True)
class ColorView:
    """A color: its suit, its open total, what the level in play would add, the corners with its columns, and its
    stock (large, medium, small)."""

    name: Color
    letter: str
    ink: str
    suit: Suit
    sign: str
    total: int
    building: int
    columns: tuple[str, ...]
    stock: tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class SeatGlance(Seat):
    """A seat and its points."""

    left: bool
    score: Score


@dataclass(frozen=True, slots=True)
class SeatView(SeatGlance):
    """A seat in full.

    `opaque` counts the pyramids left, `opaque_sizes` large, medium and small of them (None if not entered).
    `zone` is the number of its button and keys. `nest` and `tree` are None until all goals are revealed.
    """

    opaque: int
    opaque_given: int
    opaque_sizes: tuple[int | None, int | None, int | None]
    hand: int
    zone: int
    on_turn: bool
    to_enter: int
    start_token: bool
    goals_noted: bool
    nest: Color | None
    tree: Color | None
    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ContenderView:
    """A contender of the Tower Showdown and the time until its seventh card, None if not done or unknown."""

    seat: SeatId
    done: bool
    span: Span | None


@dataclass(frozen=True, slots=True)
class ShowdownView:
    """The Tower Showdown; `close` are the contenders of a photo finish."""

    begun: Moment | None
    running: bool
    contenders: tuple[ContenderView, ...]
    close: tuple[SeatId, ...]


@dataclass(frozen=True, slots=True)
class Glance:
    """The status of the game and its seats; `due` is whose card or pyramid is entered next."""

    phase: Phase
    level: int
    size: Size | None
    seats: tuple[SeatGlance, ...]
    due: SeatId | None
    showdown: ShowdownView | None
    pauses: Pauses
    winners: tuple[SeatId, ...]


@dataclass(frozen=True, slots=True)
class SkyRiseView(Glance):
    """A game of Sky Rise as one viewer may see it.

    `due` is whose card or pyramid is entered next, `turn` whose turn it is at the table. They differ while turns
    ended by a button wait to be entered, and `turn` is None while these take all the room. `dealt` is True if the
    companion dealt the goals.
    """

    seats: tuple[SeatView, ...]
    levels: tuple[LevelView, ...]
    colors: tuple[ColorView, ...]
    turn: SeatId | None
    to_enter: tuple[SeatId, ...]
    pile: int | None
    own: GoalNoted | None
    dealt: bool
    revealed: bool
    notes: tuple[str, ...]


def glance(state: State) -> Glance:
    """Return the status of the game."""
    return Glance(
        phase=phase(state),
        level=state.level.number,
        size=state.level.size,
        seats=tuple(_glance_at(state, seat) for seat in state.setup.seats),
        due=_due(state),
        showdown=_showdown(state),
        pauses=state.common.pauses,
        winners=standings.winners(state),
    )


def _due(state: State) -> SeatId | None:
    return None if state.level.stage == "done" else due(state)


def view(state: State, viewer: SeatId) -> SkyRiseView:
    """Return the view of one seat, or the public one."""
    level = state.level
    return SkyRiseView(
        phase=phase(state),
        level=level.number,
        levels=tuple(_level(state.plan, state.kit, state.options, built) for built in state.levels),
        colors=tuple(_color(state, suit, color) for suit, color in state.plan.suits),
        seats=tuple(_seat(state, seat) for seat in state.setup.seats),
        turn=on_turn(state),
        due=_due(state),
        to_enter=level.closed,
        size=level.size,
        pile=state.pile,
        own=state.goals_of(viewer),
        showdown=_showdown(state),
        pauses=state.common.pauses,
        winners=standings.winners(state),
        dealt=state.undealt is not None,
        revealed=state.revealed,
        notes=_notes(state),
    )


def phase(state: State) -> Phase:
    """Return the phase of the game."""
    if standings.winners(state):
        return "finished"
    if state.revealed:
        return "showdown"
    level = state.level
    if level.stage == "done":
        return "goals"
    if level.stage == "cards":
        return "roof" if level.is_roof else "floor"
    return "antennas" if level.is_roof else "pyramids"


@once
def _level(plan: Plan, kit: Kit, options: Options, level: TowerLevel) -> LevelView:
    groups = scoring.groups_on(plan, options, level)
    return LevelView(
        name=level_name(level),
        title="roof (antennas)" if level.is_roof else f"level {level.number} ({level.size})",
        size=level.size,
        complete=level.stage == "done",
        grid=plan.grid,
        cells=tuple(_cell(kit, level, place) for place in plan.grid.cells),
        corners=tuple(_corner(plan, kit, options, level, place) for place in plan.grid.places),
        groups=groups,
        scores=tuple(
            (color, sum(group.points for group in groups if group.color == color))
            for color in plan.colors
        ),
    )


def _cell(kit: Kit, level: TowerLevel, place: str) -> CellView:
    card = next((laid for laid in level.cards if laid.place == place), None)
    if card is None:
        return CellView(place, None, "", "")
    return CellView(place, card.suit, kit.sign(card.suit), card.rank or "")


def _corner(plan: Plan, kit: Kit, options: Options, level: TowerLevel, place: str) -> CornerView:
    touching = scoring.cards_touching(plan, level, place)
    pieces = []
    for placed in level.pyramids:
        if placed.place != place:
            continue
        cards = scoring.scoring_of(plan, touching, placed.color)
        pieces.append(
            PieceView(
                **{field.name: getattr(placed, field.name) for field in fields(placed)},
                letter=kit.letter(placed.color),
                ink=kit.ink(placed.color),
                points=len(cards),
                cards=tuple(card.place for card in cards),
            )
        )
    stackable = level.is_roof and options["antenna_place"] == "free"
    offers: list[tuple[Piece, int]] = []
    if level.stage != "done" and (not pieces or stackable):
        for piece in (*plan.colors, OPAQUE):
            offers.append((piece, len(scoring.scoring_of(plan, touching, piece))))
    return CornerView(place, tuple(pieces), tuple(offers))


def _color(state: State, suit: Suit, color: Color) -> ColorView:
    kit = state.kit
    building = 0
    if state.level.stage != "done":
        building = scoring.color_points(state, state.level, color)
    large, medium, small = (stock(state, color, size) for size in SIZES)
    return ColorView(
        name=color,
        letter=kit.letter(color),
        ink=kit.ink(color),
        suit=suit,
        sign=kit.sign(suit),
        total=scoring.color_total(state, color),
        building=building,
        columns=scoring.columns(state, color),
        stock=(large, medium, small),
    )


def _seat(state: State, info: Seat) -> SeatView:
    seat, goals, level = info.id, state.goals_of(info.id), state.level
    public = goals if state.revealed else None
    large, medium, small = (opaque_left_of(state, seat, size) for size in SIZES)
    return SeatView(
        **fields_of(_glance_at(state, info)),
        opaque=opaque_left(state, seat),
        opaque_given=share(state, seat),
        opaque_sizes=(large, medium, small),
        hand=state.hand(seat),
        zone=state.setup.by_column.index(info) + 1,
        on_turn=on_turn(state) == seat,
        to_enter=level.closed.count(seat),
        start_token=level.starter == seat,
        goals_noted=goals is not None,
        nest=public.nest if public else None,
        tree=public.tree if public else None,
        columns=scoring.columns(state, public.tree) if public else (),
    )


def _glance_at(state: State, info: Seat) -> SeatGlance:
    return SeatGlance(*info.look, info.id in state.common.left, standings.scores(state)[info.id])


def _showdown(state: State) -> ShowdownView | None:
    running = state.showdown
    if running is None:
        return None
    stops = {stop.seat: stop for stop in standings.in_order(running.stops)}
    contenders = []
    for seat, stop in stops.items():
        span = standings.building_time(state, stop)
        contenders.append(ContenderView(seat, done=True, span=span))
    for seat in running.contenders:
        if seat not in stops:
            contenders.append(ContenderView(seat, done=False, span=None))
    close = standings.photo_finish(state)
    return ShowdownView(
        begun=running.begun,
        running=not standings.winners(state),
        contenders=tuple(contenders),
        close=close if len(close) > 1 else (),
    )


def _notes(state: State) -> tuple[str, ...]:
    """Return notes on unknown facts and their cost, and on the tie and passed turns."""
    notes = list(costs(box_of(state.setup))) if state.options["deck"] == "five_suit" else []
    missing = [
        state.name(seat)
        for seat in state.playing
        if share(state, seat) and given(state, seat) is None
    ]
    if missing:
        notes.append(
            f"sizes of opaque pyramids not entered: {', '.join(missing)}; who has to pass is not known (SR-7)"
        )
    if standings.contenders(state) and state.showdown is None:
        settled = "is shared or settled" if standings.may_share(state) else "is settled"
        notes.append(f"the tie {settled} in a Tower Showdown (SR-17)")
    if state.level.skipped:
        names = ", ".join(state.name(seat) for seat in state.level.skipped)
        notes.append(f"nothing to place, so the turn passed: {names} (SR-7)")
    return tuple(notes)


GOALS = "goals"


def note_lines(game: SkyRiseView, seat: SeatId) -> tuple[NoteLine, ...]:
    """Return the line for both goals; none once the companion dealt them."""
    if game.dealt and game.own:
        return ()
    colors = tuple((color.name, color.name) for color in game.colors)
    fields = (NoteField("nest", "Nest", colors), NoteField("tree", "Tree", colors))
    takes = "a color for each"
    return (
        NoteLine(
            GOALS,
            "your goals",
            "goal_noted",
            takes,
            fields,
            lambda answers: {"seat": seat, **answers},
        ),
    )
