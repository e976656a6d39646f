"""The view of a game: everything a screen shows, for the table or for one seat, with nothing left to work out."""

from __future__ import annotations

from dataclasses import dataclass, field

from companion.display.panels import NoteField, NoteLine
from companion.games.fractured_sky.rules import standing
from companion.games.fractured_sky.rules.ai import Decision
from companion.games.fractured_sky.rules.deduction import Deduction, deduce
from companion.games.fractured_sky.rules.facts import Saw
from companion.games.fractured_sky.rules.model import (
    PIECES,
    ROUNDS,
    Phase,
    Played,
    Resolution,
    Round,
    State,
)
from companion.games.fractured_sky.rules.options import (
    buildings_of_each,
    has_market_card,
    market_number,
)
from companion.games.fractured_sky.rules.public import SHIPS, PlayerId, PublicTable, color_of, is_ai
from companion.games.fractured_sky.rules.resolution import resolve
from companion.games.fractured_sky.rules.text import move
from companion.games.fractured_sky.rules.turns import gold_on, may_take
from companion.rules.actions import OWN_KEYS, KeyMap
from companion.rules.facts import Seat, SeatId
from companion.rules.replacing import fields_of

_MARKS = {"black": ("#808080", "○"), "orange": ("#E69F00", "◇")}  # black reads on no dark ground


@dataclass(frozen=True, slots=True)
class PlayerGlance(Seat):
    """A player, seat or AI; `left` means that the seat left the game."""

    left: bool
    starfalls: int


@dataclass(frozen=True, slots=True)
class PlayerView(PlayerGlance):
    """A player with the pieces left.

    `powers` are None until all have placed and they are known. `market_card` is None without a
    Market card, `market_number` None while unknown. `virtual` is an AI whose cards the companion
    turns up (FS-U7).
    """

    ai: bool
    virtual: bool
    airships: int
    fortresses: int
    markets: int
    skimmers: int
    slot: int | None
    done: bool
    draws: int
    powers: tuple[int, ...] | None
    market_card: int | None
    market_number: int | None
    sitting_out: tuple[str, ...]

    @property
    def on_card(self) -> str:
        """`2 of 4`: the resources on an AI's Market card, and its number if that is known; empty without one."""
        if self.market_card is None:
            return ""
        if self.market_number is None:
            return str(self.market_card)
        return f"{self.market_card} of {self.market_number}"


@dataclass(frozen=True, slots=True)
class SlotView:
    """A turn slot of the next row: its Gold, None while unknown, and who took it."""

    number: int
    gold: int | None
    player: PlayerId | None


@dataclass(frozen=True, slots=True)
class MoveView:
    """A pending move of an AI as a sentence, its decision, and the table's reason if it overruled the move."""

    sentence: str
    decision: Decision
    by_hand: str


@dataclass(frozen=True, slots=True)
class Glance:
    """The phase, the round, whose turn it is, and the players."""

    phase: Phase
    round: int
    rounds: int
    to_move: PlayerId | None
    players: tuple[PlayerGlance, ...]
    winner: PlayerId | None


@dataclass(frozen=True, slots=True)
class FracturedSkyView(Glance):
    """Everything that one viewer may see.

    `table` is what lies open. `sights` are the viewer's own looks at Hidden cards, noted or `dealt`
    by the companion; `deduction` follows from them, None for the table. `looking` is who has just
    scouted which card and may still say what it takes (FS-16). `resolution` is set once all powers
    are known. `clearing` is true while the pieces of a round that has just ended leave the board.
    `keys` are the keys of the person at a screen, put in by that screen: the map names a region's
    key.
    """

    players: tuple[PlayerView, ...]
    example: bool
    table: PublicTable
    order: tuple[PlayerId, ...]
    slots: tuple[SlotView, ...]
    unused: int
    peeks: tuple[tuple[SeatId, int], ...]
    move: MoveView | None
    objective: tuple[PlayerId, ...] | None
    resolution: Resolution | None
    past: tuple[Played, ...]
    sights: tuple[Saw, ...]
    notes: tuple[str, ...]
    clearing: bool = False
    dealt: bool = False
    looking: tuple[SeatId, int] | None = None
    deduction: Deduction | None = None
    keys: KeyMap = field(default_factory=lambda: OWN_KEYS)

    def player(self, player_id: PlayerId) -> PlayerView:
        """Return the player with that id, seat or AI."""
        return next(player for player in self.players if player.id == player_id)

    def sign(self, player: PlayerId) -> str:
        """Return a player's glyph."""
        return self.player(player).glyph

    @property
    def mover(self) -> PlayerView | None:
        """The player whose turn it is, or None."""
        return None if self.to_move is None else self.player(self.to_move)


def glance(state: State) -> Glance:
    """Return the phase, the round and the players, without the cost of a whole view."""
    where = standing.phase(state)
    return Glance(
        phase=where,
        round=state.now.number,
        rounds=ROUNDS,
        to_move=standing.to_move(state) if where == "turn" else None,
        players=tuple(_glance_at(state, player) for player in _everybody(state)),
        winner=standing.winner(state),
    )


def _everybody(state: State) -> tuple[PlayerId, ...]:
    return (*(seat.id for seat in state.setup.seats), *state.ais)


def view(state: State, viewer: SeatId) -> FracturedSkyView:
    """Return what `viewer` may see; it holds no secret of another seat (FS-46)."""
    now = state.now
    where = standing.phase(state)
    move_view, looking = None, None
    if now.pending is not None:
        decision = now.pending.decision
        move_view = MoveView(move(state, decision), decision, now.pending.by_hand)
    mark = may_take(state)
    if mark is not None:
        looking = (mark.player, mark.card)
    slots = []
    for slot in range(1, len(now.order) + 1):
        slots.append(SlotView(slot, gold_on(state, slot), now.slots.get(slot)))
    return FracturedSkyView(
        example=state.board.example,
        phase=where,
        round=now.number,
        rounds=ROUNDS,
        table=standing.table_of(state),
        order=now.order,
        to_move=standing.to_move(state) if where == "turn" else None,
        players=tuple(_player(state, now, player, where) for player in _everybody(state)),
        slots=tuple(slots),
        unused=now.unused,
        peeks=state.watched,
        move=move_view,
        objective=now.objective,
        resolution=resolve(state) if where == "resolve" else None,
        past=state.past,
        sights=standing.sights_of(state, viewer),
        winner=standing.winner(state),
        notes=notes(state),
        clearing=state.clearing,
        dealt=bool(now.dealt),
        looking=looking,
        deduction=_deduction(state, viewer, where),
    )


def _deduction(state: State, viewer: SeatId, where: Phase) -> Deduction | None:
    """Return what a seat can deduce; None for the table, before the Public card and after the game."""
    now = state.now
    if viewer not in state.playing or where in ("first", "public", "over"):
        return None
    looked = [("hidden", mark.card) for mark in now.marks if mark.player == viewer]
    looked += [("explore", number) for number in range(1, now.draws.count(viewer) + 1)]
    sights = standing.sights_of(state, viewer)
    return deduce(standing.table_of(state), viewer, sights, looked, state.name)


def _player(state: State, now: Round, player: PlayerId, where: Phase) -> PlayerView:
    ai = is_ai(player)
    of_each = buildings_of_each(state.options) if ai else PIECES
    skimmers = state.board.ai_skimmers if ai else PIECES
    built = [piece.building for piece in state.buildings if piece.player == player]
    flown = [flight for flight in now.flights if flight.player == player]
    card = number = powers = None
    if ai:
        number = market_number(state.options, state.board.market_numbers)
        if has_market_card(state.options):
            card = state.market_cards.get(player, 0)
    # an AI's powers follow from its tokens at any time, but nobody may see them before
    if where in ("powers", "objective", "resolve", "over"):
        powers = standing.powers_of(state, player)
    return PlayerView(
        **fields_of(_glance_at(state, player)),
        ai=ai,
        virtual=ai and standing.virtual(state, player),
        airships=SHIPS - len(now.ships_of(player)),
        fortresses=of_each - built.count("fortress"),
        markets=of_each - built.count("market"),
        skimmers=skimmers - len(flown),
        slot=now.order.index(player) + 1 if player in now.order else None,
        done=standing.done(state, player),
        draws=now.draws.count(player),
        powers=powers,
        market_card=card,
        market_number=number,
        sitting_out=standing.sitting_out(state, player),
    )


def _glance_at(state: State, player: PlayerId) -> PlayerGlance:
    if is_ai(player):
        color = color_of(player)
        seat = Seat(player, state.name(player), *_MARKS[color], color[0].upper())
    else:
        seat = state.seat(player)
    left = player not in state.players
    return PlayerGlance(*seat.look, left, standing.starfalls_of(state, player))


def notes(state: State) -> tuple[str, ...]:
    """Return the open facts of the box with their cost, then warnings to the table."""
    lines = list(state.board.notes)
    supply, used = state.board.starfall_tokens, standing.tokens_in_play(state)
    if used > supply:
        in_play = f"{used} Starfalls are in play and the box has {supply}"
        lines.append(f"{in_play}: count on without tokens (FS-1)")
    if state.ais and state.board.ai_skimmers:
        lines.append(f"each AI has {state.board.ai_skimmers} Skimmers (FS-32, inferred)")
    return tuple(lines)


Card = tuple[str, int]
"""A card that somebody looked at: `hidden` or `explore`, and its number there."""


def note_lines(game: FracturedSkyView, seat: SeatId) -> tuple[NoteLine, ...]:
    """Return a line for each card that the seat looked at; none if the companion dealt them and shows them itself."""
    if game.dealt:
        return ()
    return tuple(_line(game, seat, card) for card in cards_of(game, seat))


def cards_of(game: FracturedSkyView, seat: SeatId) -> list[Card]:
    """Return the cards that a seat looked at in this round."""
    cards = [("hidden", mark.card) for mark in game.table.marks if mark.player == seat]
    for player in game.players:
        if player.id == seat:
            cards += [("explore", number) for number in range(1, player.draws + 1)]
    return cards


def name_of(card: Card) -> str:
    """Return a card's name."""
    where, number = card
    return f"Hidden card {number}" if where == "hidden" else f"Explore draw {number}"


def _line(game: FracturedSkyView, seat: SeatId, card: Card) -> NoteLine:
    (where, number), board = card, game.table.board
    regions = tuple((region, board.name(region)) for region in board.ids)
    fixed = {"seat": seat, "where": where, "number": number}
    return NoteLine(
        f"{where}-{number}",
        name_of(card),
        "saw",
        "the region that it shows",
        (NoteField("region", name_of(card), regions),),
        lambda answers: {**fixed, **answers},
    )
