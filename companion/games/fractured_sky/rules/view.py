"""The view of a game: everything a screen shows of it, for the table or for one seat, nothing it has to work out."""

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
    """A player, an AI as well. `left` says that the seat left the game."""

    left: bool
    starfalls: int


@dataclass(frozen=True, slots=True)
class PlayerView(PlayerGlance):
    """All of a player, with the pieces left. `powers` are None until all have placed and they are entered;
    `market_card` is None without one, `market_number` None where unknown. `virtual` is an AI whose cards the companion
    turns up (FS-U7)."""

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
        """What an AI's Market card shows, of how many: `card 2/4`; empty without one."""
        return (
            ""
            if self.market_card is None
            else f"card {self.market_card}/{self.market_number or '?'}"
        )


@dataclass(frozen=True, slots=True)
class SlotView:
    """A turn slot of the next row: its Gold (None: unknown), and who took it."""

    number: int
    gold: int | None
    player: PlayerId | None


@dataclass(frozen=True, slots=True)
class MoveView:
    """An AI's move that waits: what to do in words, the decision behind it, and why where it is the table's."""

    sentence: str
    decision: Decision
    by_hand: str


@dataclass(frozen=True, slots=True)
class Glance:
    """Where a game stands, whose turn it is, and the players."""

    phase: Phase
    round: int
    rounds: int
    to_move: PlayerId | None
    players: tuple[PlayerGlance, ...]
    winner: PlayerId | None


@dataclass(frozen=True, slots=True)
class FracturedSkyView(Glance):
    """Everything one viewer may see. `table` is what lies open; `sights` is what this viewer saw of the Hidden cards,
    as it told or as the companion dealt (`dealt`), and empty for everybody else; `deduction` is what follows from it,
    None for the table; `looking` is who has just scouted which card and may still say what it takes (FS-16);
    `resolution` is there once all powers are; `clearing` while the pieces of a round that has just ended are taken off
    the board; `keys`, those that the person at a screen gave actions, are put in by that screen: a region is known by
    the key that answers with it."""

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
        """The player with that id, seat or AI."""
        return next(player for player in self.players if player.id == player_id)

    def sign(self, player: PlayerId) -> str:
        """The sign of a player, seat or AI."""
        return self.player(player).glyph

    @property
    def mover(self) -> PlayerView | None:
        """Whose turn it is; None where nobody's."""
        return None if self.to_move is None else self.player(self.to_move)


def glance(state: State) -> Glance:
    """Return where the game stands."""
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
    """Return what `viewer` may see; of another seat's secrets nothing is in it (FS-46)."""
    now, pending = state.now, state.now.pending
    where = standing.phase(state)
    return FracturedSkyView(
        example=state.board.example,
        phase=where,
        round=now.number,
        rounds=ROUNDS,
        table=standing.table_of(state),
        order=now.order,
        to_move=standing.to_move(state) if where == "turn" else None,
        players=tuple(_player(state, now, player, where) for player in _everybody(state)),
        slots=tuple(
            SlotView(slot, gold_on(state, slot), now.slots.get(slot))
            for slot in range(1, len(now.order) + 1)
        ),
        unused=now.unused,
        peeks=state.watched,
        move=None
        if pending is None
        else MoveView(move(state, pending.decision), pending.decision, pending.by_hand),
        objective=now.objective,
        resolution=resolve(state) if where == "resolve" else None,
        past=state.past,
        sights=standing.sights_of(state, viewer),
        winner=standing.winner(state),
        notes=notes(state),
        clearing=state.clearing,
        dealt=bool(now.dealt),
        looking=(mark.player, mark.card) if (mark := may_take(state)) is not None else None,
        deduction=_deduction(state, viewer, where),
    )


def _deduction(state: State, viewer: SeatId, where: Phase) -> Deduction | None:
    """What a seat can deduce; nothing for the table, and nothing before the round's Public card and after the game."""
    now = state.now
    if viewer not in state.playing or where in ("first", "public", "over"):
        return None
    looked = [("hidden", mark.card) for mark in now.marks if mark.player == viewer]
    looked += [("explore", number) for number in range(1, now.draws.count(viewer) + 1)]
    return deduce(
        standing.table_of(state), viewer, standing.sights_of(state, viewer), looked, state.name
    )


def _player(state: State, now: Round, player: PlayerId, where: Phase) -> PlayerView:
    ai = is_ai(player)
    built = [piece.building for piece in state.buildings if piece.player == player]
    flown = sum(1 for flight in now.flights if flight.player == player)
    of_each = buildings_of_each(state.options) if ai else PIECES
    powers_shown = where in ("powers", "objective", "resolve", "over")
    return PlayerView(
        **fields_of(_glance_at(state, player)),
        ai=ai,
        virtual=ai and standing.virtual(state, player),
        airships=SHIPS - len(now.ships_of(player)),
        fortresses=of_each - built.count("fortress"),
        markets=of_each - built.count("market"),
        skimmers=(state.board.ai_skimmers if ai else PIECES) - flown,
        slot=now.order.index(player) + 1 if player in now.order else None,
        done=standing.done(state, player),
        draws=now.draws.count(player),
        powers=standing.powers_of(state, player) if powers_shown else None,
        market_card=state.market_cards.get(player, 0)
        if ai and has_market_card(state.options)
        else None,
        market_number=market_number(state.options, state.board.market_numbers) if ai else None,
        sitting_out=standing.sitting_out(state, player),
    )


def _glance_at(state: State, player: PlayerId) -> PlayerGlance:
    ai, color = is_ai(player), color_of(player)
    seat = (
        Seat(player, state.name(player), *_MARKS[color], color[0].upper())
        if ai
        else state.seat(player)
    )
    return PlayerGlance(
        *seat.look, player not in state.players, standing.starfalls_of(state, player)
    )


def notes(state: State) -> tuple[str, ...]:
    """Which facts of the box are open and what each costs, then what the table should know."""
    lines = list(state.board.notes)
    supply = state.board.starfall_tokens
    if (used := standing.tokens_in_play(state)) > supply:
        lines.append(
            f"{used} Starfalls are in play and the box has {supply}: count on without tokens (FS-1)"
        )
    if state.ais and state.board.ai_skimmers:
        lines.append(f"each AI has {state.board.ai_skimmers} Skimmers (FS-32, inferred)")
    return tuple(lines)


Card = tuple[str, int]
"""Where a card was seen, `hidden` or `explore`, and its number there."""


def note_lines(game: FracturedSkyView, seat: SeatId) -> tuple[NoteLine, ...]:
    """Return a line for each card that the seat looked at; none where the companion dealt them: it shows them."""
    return () if game.dealt else tuple(_line(game, seat, card) for card in cards_of(game, seat))


def cards_of(game: FracturedSkyView, seat: SeatId) -> list[Card]:
    """Return the cards a seat looked at in this round."""
    scouted = [("hidden", mark.card) for mark in game.table.marks if mark.player == seat]
    draws = sum(player.draws for player in game.players if player.id == seat)
    return [*scouted, *(("explore", number) for number in range(1, draws + 1))]


def name_of(card: Card) -> str:
    """Return what a card is called."""
    return f"{'Hidden card' if card[0] == 'hidden' else 'Explore draw'} {card[1]}"


def _line(game: FracturedSkyView, seat: SeatId, card: Card) -> NoteLine:
    board = game.table.board
    field = NoteField(
        "region", name_of(card), tuple((region, board.name(region)) for region in board.ids)
    )
    about, takes = {"seat": seat, "where": card[0], "number": card[1]}, "the region that it shows"
    return NoteLine(
        f"{card[0]}-{card[1]}",
        name_of(card),
        "saw",
        takes,
        (field,),
        lambda answers: {**about, **answers},
    )
