"""What a launch or a misfire comes to: whether zones satisfy the target, who wins, how many points."""

from __future__ import annotations

from collections.abc import Iterable

from companion.games.skyfire.rules.deck import Face, Symbols, count_symbols
from companion.games.skyfire.rules.model import WRONG_MISFIRE, Question, Result, Round, Zone
from companion.rules.game import SeatId
from companion.rules.house_rules import Options


def satisfies(target: Symbols, faces: Iterable[Face], options: Options) -> bool:
    """Whether every symbol of the target appears on the faces (SF-14): as often as on the target, or once."""
    shown, needed = count_symbols(faces), count_symbols([Face(None, target)])
    if options["satisfies"] == "set":
        return all(shown[symbol] for symbol in needed)
    return shown >= needed


def closed(zone: Zone, options: Options) -> bool:
    """Whether a zone that failed takes no cards any more, is not launched and does not count in a misfire (SF-R7)."""
    return options["failed_zone"] == "closed" and bool(zone.failed)


def all_closed(played: Round, options: Options) -> bool:
    """Whether nobody can place or launch any more (SF-R7)."""
    return all(closed(zone, options) for zone in played.zones)


def zone_satisfies(played: Round, zone: Zone, options: Options) -> bool | None:
    """Whether the zone satisfies the target, from what everybody has seen of it; None while that is too little."""
    if len(zone.cards) == zone.failed_with:
        return False  # empty (SF-R6), or everybody has seen it fail as it is
    target = played.target.symbols if played.target is not None else None
    if target is None or any(face.symbols is None for face in zone.faces):
        return None
    if satisfies(target, zone.faces, options):
        return True
    return False if len(zone.faces) == len(zone.cards) else None


def answer(played: Round, question: Question, options: Options) -> bool | None:
    """The answer that the cards themselves give: whether the launched zone, or any zone, satisfies the target."""
    if question.zone is not None:
        return zone_satisfies(played, played.zone(question.zone), options)
    found = {zone_satisfies(played, zone, options) for zone in played.zones if not closed(zone, options)}
    if True in found:
        return True
    return None if None in found else False


def launch_points(zone: Zone) -> int:
    """What a right launch of the zone scores (SF-15)."""
    return len(zone.cards)


def misfire_points(played: Round, options: Options) -> int:
    """What a right misfire scores: the cards of the largest zone (SF-16)."""
    return max((len(zone.cards) for zone in played.zones if not closed(zone, options)), default=0)


def misfire_winners(played: Round, declarer: SeatId, options: Options) -> tuple[SeatId, ...]:
    """Who scores when that seat declares a misfire wrongly (SF-12, SF-R5)."""
    if options["wrong_misfire_winners"] == "all_not_eliminated":
        return played.alive
    return tuple(seat for seat in played.alive if seat != declarer)


def misfire_result(played: Round, declarer: SeatId, satisfied: bool, options: Options) -> Result:
    """How the round ends with that misfire (SF-16, SF-17)."""
    if not satisfied:
        return Result("misfire", "SF-16", (declarer,), misfire_points(played, options), declarer)
    winners = misfire_winners(played, declarer, options)
    return Result("wrong_misfire", "SF-17", winners, WRONG_MISFIRE if winners else 0, declarer)


def launch_result(played: Round, seat: SeatId, zone: int) -> Result:
    """How the round ends with that launch (SF-15)."""
    return Result("launch", "SF-15", (seat,), launch_points(played.zone(zone)), seat, zone)
