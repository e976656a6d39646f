"""How a round proceeds: the next turn, the result of a launch or a misfire, eliminations and points."""

from __future__ import annotations

from collections.abc import Iterable

from companion.games.skyfire.rules.deck import Face, Symbols, count_symbols
from companion.games.skyfire.rules.keys import DEAL_FIRST
from companion.games.skyfire.rules.model import WRONG_MISFIRE, Move, Result, Round, State, Zone
from companion.games.skyfire.rules.standings import winners
from companion.rules.columns import a_number, either
from companion.rules.common import when_it_runs
from companion.rules.facts import Refused, SeatId, after_the_end
from companion.rules.house_rules import Options
from companion.rules.replacing import replace
from companion.rules.seats import onward


def satisfies(target: Symbols, faces: Iterable[Face], options: Options) -> bool:
    """Return True if the faces show every symbol of the target (SF-14), as often as it does, or once by house
    rule."""
    shown, needed = count_symbols(faces), count_symbols([Face(None, target)])
    if options["satisfies"] == "set":
        return all(shown[symbol] for symbol in needed)
    return shown >= needed


def closed(zone: Zone, options: Options) -> bool:
    """Return True for a failed zone that takes no more cards, cannot be launched and does not count in a misfire
    (SF-R7)."""
    return options["failed_zone"] == "closed" and bool(zone.failed)


def zone_satisfies(played: Round, zone: Zone, options: Options) -> bool | None:
    """Return whether the zone satisfies the target by the faces everybody has seen, or None if they do not decide
    it."""
    if len(zone.cards) == zone.failed_with:
        return False  # empty (SF-R6), or everybody has seen it fail as it is
    target = played.target.symbols if played.target is not None else None
    if target is None or any(face.symbols is None for face in zone.faces):
        return None
    if satisfies(target, zone.faces, options):
        return True
    return False if len(zone.faces) == len(zone.cards) else None


def answer(played: Round, zone: int | None, options: Options) -> bool | None:
    """Return the answer that the cards give, or None: does `zone`, or any zone if None, satisfy the target?"""
    if zone is not None:
        return zone_satisfies(played, played.zone(zone), options)
    certain = True
    for candidate in played.zones:
        if closed(candidate, options):
            continue
        satisfied = zone_satisfies(played, candidate, options)
        if satisfied:
            return True
        if satisfied is None:
            certain = False
    return False if certain else None


def misfire_points(played: Round, options: Options) -> int:
    """Return what a right misfire scores: the number of cards in the largest zone (SF-16)."""
    return max((len(zone.cards) for zone in played.zones if not closed(zone, options)), default=0)


def misfire_winners(played: Round, declarer: SeatId, options: Options) -> tuple[SeatId, ...]:
    """Return who scores if that seat's misfire is wrong (SF-12, SF-R5)."""
    if options["wrong_misfire_winners"] == "all_not_eliminated":
        return played.alive
    return tuple(seat for seat in played.alive if seat != declarer)


def misfire_result(played: Round, declarer: SeatId, satisfied: bool, options: Options) -> Result:
    """Return the result of the round if it ends with that misfire (SF-16, SF-17)."""
    if not satisfied:
        return Result("misfire", "SF-16", (declarer,), misfire_points(played, options), declarer)
    winners = misfire_winners(played, declarer, options)
    return Result("wrong_misfire", "SF-17", winners, WRONG_MISFIRE if winners else 0, declarer)


def still_open(state: State) -> Round | None:
    """Return the round being played, or None between rounds."""
    return state.current if state.current is not None and state.current.result is None else None


def open_round(state: State) -> Round:
    """Return the round being played; raise `Refused` between rounds."""
    if (current := still_open(state)) is None:
        refuse_after_the_game(state)
        do = when_it_runs(state.common, DEAL_FIRST)
        raise Refused("SF-7", "no round is open", "four cards for each player first", do)
    return current


def refuse_after_the_game(state: State, clause: str = "SF-18") -> None:
    """Raise `Refused` if somebody has won."""
    if winners(state):
        raise after_the_end(clause)


def require_player(state: State, current: Round, seat: SeatId) -> None:
    """Raise `Refused` if the seat does not play this round."""
    if seat not in current.players:
        raise Refused(
            "SEATS",
            f"{state.name(seat)} does not play this round",
            either(map(state.name, current.players)),
        )


def zone_of(current: Round, number: int) -> Zone:
    """Return the launch zone of that number; raise `Refused` if there is none."""
    if number > len(current.zones):
        zones = f"there are {len(current.zones)} launch zones with {len(current.players)} players"
        raise Refused("SF-5", zones, a_number(1, len(current.zones), "zone"))
    return current.zone(number)


def with_zone(current: Round, number: int, zone: Zone) -> Round:
    """Return the round with zone `number`, from 1, replaced."""
    return replace(current, zones=(*current.zones[: number - 1], zone, *current.zones[number:]))


def seat_after(state: State, current: Round, seat: SeatId) -> SeatId | None:
    """Return the next player after `seat` who is not eliminated (SF-R8); `seat` itself if nobody else is left."""
    # Eliminated seats keep their place in the order, so the turn can start from one.
    order = current.players if state.clockwise else current.players[::-1]
    return next((player for player in onward(order, seat) if player in current.alive), None)


def next_turn(state: State) -> State:
    """Return the state with the turn passed on."""
    current = open_round(state)
    assert current.turn is not None
    return replace(state, current=replace(current, turn=seat_after(state, current, current.turn)))


def eliminate(state: State, current: Round, seat: SeatId) -> State:
    """Return the state with that seat out of the round; its turn passes on, or the round is over (SF-R2)."""
    current = replace(current, out=(*current.out, seat))
    alone = (
        len(current.alive) == 1 and state.options["lone_survivor"] == "ends_round_without_points"
    )
    # Checked before the turn moves on: with nobody alive there is no next player.
    if not current.alive or alone:
        return _over(state, current, "SF-R2")
    if all(closed(zone, state.options) for zone in current.zones):
        return _over(state, current, "SF-R7")
    after = replace(state, current=current)
    return next_turn(after) if current.turn == seat else after


def _over(state: State, current: Round, clause: str) -> State:
    return replace(
        state, current=replace(current, turn=None, question=None, result=Result("nobody", clause))
    )


def settle(state: State) -> State:
    """Answer the open question if the cards everybody has seen decide it."""
    current = still_open(state)
    if current is None or current.question is None:
        return state
    satisfied = answer(current, current.question.zone, state.options)
    return state if satisfied is None else answered(state, current, current.question, satisfied)


def answered(state: State, current: Round, question: Move, satisfied: bool) -> State:
    """Return the state once the question is answered (SF-11, SF-12)."""
    current = replace(current, question=None)
    if question.zone is None:
        result = misfire_result(current, question.seat, satisfied, state.options)
    elif satisfied:
        points = len(current.zone(question.zone).cards)
        result = Result("launch", "SF-15", (question.seat,), points, question.seat, question.zone)
    else:
        zone = current.zone(question.zone)
        # The number of cards at that moment: cards placed later can still make it satisfy.
        zone = replace(zone, failed=(*zone.failed, question.seat), failed_with=len(zone.cards))
        return eliminate(state, with_zone(current, question.zone, zone), question.seat)
    return replace(state, current=replace(current, turn=None, result=result))
