"""Panels and tables of Panic Fire for the phone pages and the statistics page."""

from __future__ import annotations

from collections.abc import Iterator

from companion.display.panels import Panels, PhoneProposal, SeatLine, in_round
from companion.display.pictures import Lane, Race
from companion.display.tables import Cell, PanelTable
from companion.games.panic_fire.now import now
from companion.games.panic_fire.rules.model import ROUNDS
from companion.games.panic_fire.rules.timing import since_lamp
from companion.games.panic_fire.rules.view import Glance, PanicFireView, SeatView
from companion.rules.columns import plural
from companion.rules.facts import Moment, SeatId
from companion.rules.pauses import Pauses, Span
from companion.rules.spans import RATE_FROM

FEW_DRAWS = 5
"""Draws that fill a bar, at least, so that one draw is a short bar."""


def where(game: Glance) -> str:
    """Return the round in words: `round 2 of 6`, `sudden death is over`, `the game is over`."""
    name = "sudden death" if game.sudden_death else f"round {game.round} of {ROUNDS}"
    return f"{name}, the table decides" if game.phase == "table" else in_round(game.phase, name)


def seats(game: Glance) -> Iterator[SeatLine]:
    """Yield a line for each seat: its Bullet cards, and whether it is still in the round."""
    for seat in game.seats:
        note: str = "" if seat.status == "in" else seat.status
        words: tuple[str, ...] = ()
        if isinstance(seat, SeatView):
            if seat.status == "in" and seat.shield:
                note = "Shield"
            words = tuple(_words(game, seat))
        yield SeatLine(
            *seat.look, str(seat.bullets),
            idle=seat.status in ("out", "left", "next"), note=note, out=seat.status == "out", words=words,
        )  # fmt: skip


def _words(game: Glance, seat: SeatView) -> Iterator[str]:
    if game.dealer == seat.id:
        yield "deals"
    yield plural(seat.draws, "draw")
    yield f"eliminated {seat.kills}"


def tables(game: PanicFireView, lit: Moment | None = None) -> tuple[PanelTable, ...]:
    """Return the round, the seats, and who eliminated whom.

    `lit` is when the board last lit its lamp, the true zero of a reaction to *fire!*.
    """
    head = ("", "Bullets", "eliminated", "draws", "draws in all", "a minute", "")
    put_out = zip(game.seats, game.kill_matrix, strict=True)
    return (
        PanelTable("This round", (), tuple(_round(game, lit))),
        PanelTable("Seats", head, tuple(map(_figures, game.seats)), columns_on_cards=(1, 2, 3)),
        PanelTable(
            "Who eliminated whom, in the whole game",
            ("shooter", *(seat.name for seat in game.seats)),
            tuple((seat, *(number or "." for number in numbers)) for seat, numbers in put_out),
        ),
    )


def _round(game: PanicFireView, lit: Moment | None) -> Iterator[tuple[Cell, ...]]:
    for seat in game.seats:
        if seat.id == game.dealer:
            yield ("deals", seat)
    for shot in game.open_shots:
        yield ("open shot", shot.verdict)
    last = game.last_shot
    if last is not None and not last.open:
        yield ("last shot", last.verdict)
    if last is not None and last.tie:
        yield ("a tie", "with the shot before: you decide which was first")
    for shot_words in game.unsaid_matches:
        yield ("match not said", shot_words)
    lamp = since_lamp(game.fire, [] if lit is None else [lit], game.first_shot, game.pauses)
    if lamp is not None:
        yield ("lamp to the first shot", _interval(lamp))
    first = _interval(game.first_shot) if last else "no shot yet"
    yield ("fire! to the first shot", first)
    gap = ", or longer: part of the time is unknown" if game.gap else ""
    yield ("longest pause", f"{_interval(game.longest_calm)}{gap}")
    yield ("draws a minute", _rate(game))
    yield ("cards left", game.cards_text)


def _rate(game: PanicFireView) -> Cell:
    if game.draws_per_min is not None:
        return game.draws_per_min
    if sum(seat.draws for seat in game.seats) < RATE_FROM:
        return f"needs {RATE_FROM} draws"
    return "unknown"


def _interval(value: Span | None) -> str:
    return "unknown" if value is None else value.text()


def _figures(seat: SeatView) -> tuple[Cell, ...]:
    rate: Cell = "?" if seat.draws_per_min is None else seat.draws_per_min
    if seat.draws < RATE_FROM:
        rate = "-"
    remarks: list[str] = []
    if seat.status == "left":
        remarks.append("left the game")
    elif seat.status != "in":
        remarks.append(seat.status)
    if seat.shield:
        remarks.append("Shield")
    if seat.by_hand:
        remarks.append(f"{seat.by_hand:+d} Bullets by hand")
    return (
        seat,
        seat.bullets,
        seat.kills,
        seat.draws,
        seat.draws_total,
        rate,
        ", ".join(remarks),
    )


def proposals(game: PanicFireView, seat: SeatId) -> tuple[PhoneProposal, ...]:
    """Return what this player may propose from a phone: a draw (PF-9), or to be the target of an open shot
    (PF-10)."""
    own = [player for player in game.seats if player.id == seat and player.status == "in"]
    if not own or game.phase not in ("open", "shot"):
        return ()
    # A round that is played again has the same number, but not the same beginning.
    fire_stamp = "" if game.fire is None else f"{game.fire.clock} {game.fire.us}"
    drew = PhoneProposal(
        "draw",
        "I drew a card",
        "draw",
        {"seat": seat},
        at_once=True,
        during=f"{game.round} {fire_stamp}",
        so_far=own[0].draws,
    )
    if game.open_shots and game.open_shots[0].target is None:
        return (PhoneProposal("hit", "I was hit", "target", {"seat": seat}), drew)
    return (drew,)


def clock(game: Glance) -> tuple[Moment, Pauses] | None:
    """Return the moment of *fire!* and the round's pauses (PF-5, PF-T5), or None unless the round is open."""
    if game.fire is None or game.phase not in ("open", "shot"):
        return None
    return game.fire, game.pauses


def races(game: PanicFireView) -> tuple[Race, ...]:
    """Return the draws of this round as a bar for each seat; nothing before the first draw."""
    most = max(seat.draws for seat in game.seats)
    if not most:
        return ()
    most = max(most, FEW_DRAWS)
    lanes = tuple(Lane(seat, seat.draws / most, plural(seat.draws, "draw")) for seat in game.seats)
    return (Race("Draws of this round", lanes),)


PANELS = Panels(
    "Bullet cards",
    where,
    seats,
    tables,
    proposals=proposals,
    clock=clock,
    races=races,
    now=now,
    forms=(),
)
