"""The statistics of SkyFire: every move of the round, the rounds so far, and what is open about the box."""

from __future__ import annotations

from textual.content import Content

from companion.games.skyfire.rules.model import Move
from companion.games.skyfire.rules.text import points
from companion.games.skyfire.rules.view import RoundView, SeatView, SkyFireView
from companion.games.skyfire.screen.words import EXAMPLE, named, since_deal

NAME_CELLS = 16
_DID = {"place": "places in zone", "launch": "launches zone", "misfire": "declares a misfire"}


def statistics(game: SkyFireView) -> Content:
    """Return the page."""
    blocks = [_seats(game), _rounds(game), _moves(game)]
    blocks += [[_title("The box"), *(Content(f"  {note}") for note in game.notes)]] if game.notes else []
    head = [Content.assemble((EXAMPLE, "bold $warning"), ": these cards are made up")] if game.example else []
    return Content("\n\n").join([*head, *(Content("\n").join(block) for block in blocks)])


def _title(text: str) -> Content:
    return Content.assemble((text, "bold"))


def _name(seat: SeatView) -> Content:
    return named(seat).truncate(NAME_CELLS, ellipsis=True, pad=True)


def _seats(game: SkyFireView) -> list[Content]:
    heads = "".join(f"{f'r{number}':>5}" for number in range(1, len(game.history) + 1))
    head = Content.assemble((f"  {'Points':<{NAME_CELLS}}{heads}{'all':>6}  rounds won", "$quiet"))
    return [_title("Seats"), head, *(_seat(seat, game.history) for seat in game.seats)]


def _seat(seat: SeatView, history: tuple[RoundView, ...]) -> Content:
    each = "".join(f"{dict(played.points).get(seat.id, '-'):>5}" for played in history)
    return Content.assemble("  ", _name(seat), f"{each}{seat.score:>6}  {seat.won:>10}")


def _rounds(game: SkyFireView) -> list[Content]:
    rows = [Content(f"  {played.name}, target {played.target}: {played.result}") for played in game.history]
    return [_title("Rounds"), *(rows or [Content("  none is over yet")])]


def _moves(game: SkyFireView) -> list[Content]:
    by_id = {seat.id: seat for seat in game.seats}
    backs = {card.entry: card.back for zone in game.zones for card in zone.cards}
    rows = [_move(game, number, move, by_id[move.seat], backs) for number, move in enumerate(game.moves, start=1)]
    return [_title("This round, every move since the deal"), *(rows or [Content("  nobody has moved yet")])]


def _move(game: SkyFireView, number: int, move: Move, seat: SeatView, backs: dict[int, str | None]) -> Content:
    back = f", back {backs[move.entry]}" if backs.get(move.entry) else ""
    did = f"{_DID[move.what]}{'' if move.zone is None else f' {move.zone}'}{back}"
    worth = _worth(game, number, move)
    return Content.assemble(f"  {number:>3}  {since_deal(game, move.at):>9}  ", _name(seat), f"  {did}{worth}")


def _worth(game: SkyFireView, number: int, move: Move) -> str:
    """What the last move of a round that is over brought."""
    brought = [seat for seat in game.seats if seat.earned]
    if move.what == "place" or number < len(game.moves) or not brought:
        return ""
    return f": {points(brought[0].earned)} for {', '.join(seat.name for seat in brought)}"
