"""The resolution of a round: powers with their parts, ranks, rewards, clauses (FS-21 to FS-28, FS-44, FS-45)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from companion.games.fractured_sky.rules.ai import Reason
from companion.games.fractured_sky.rules.board import RegionId
from companion.games.fractured_sky.rules.model import (
    LIMIT,
    RegionResult,
    RegionShare,
    Resolution,
    State,
    Tier,
)
from companion.games.fractured_sky.rules.options import has_market_card, market_number
from companion.games.fractured_sky.rules.public import Flight, PlayerId, is_ai
from companion.games.fractured_sky.rules.standing import next_order, powers_of, tokens_of
from companion.rules.columns import plural
from companion.rules.replacing import replace


def trade(state: State, held: int, resources: int) -> tuple[int, int]:
    """Add one yield of `resources` to an AI's Market card that shows `held`; return the card and
    the Starfalls traded for.

    What the yield brings above the card's number is lost, unless a house rule keeps it (FS-45).
    """
    if not has_market_card(state.options):
        return held, 0
    number = market_number(state.options, state.board.market_numbers)
    held += resources
    if number is None or held < number:
        return held, 0
    if state.options["market_trade_rest"] == "kept":
        traded, rest = divmod(held, number)
        return rest, traded
    return 0, 1


@dataclass(frozen=True, slots=True)
class _Round:
    """What a round resolves by, and its result so far.

    `order` breaks ties (FS-26); `penalties` is what FS-11 takes off each chip. `cards`, the AIs'
    Market cards, and `gains` change while the regions resolve.
    """

    state: State
    order: tuple[PlayerId, ...]
    powers: Mapping[PlayerId, tuple[int, ...]]
    penalties: Mapping[PlayerId, int]
    cards: dict[PlayerId, int]
    gains: dict[PlayerId, int]


def resolve(state: State) -> Resolution:
    """Return how the round resolves with the powers entered so far; a missing power counts as 0."""
    powers, penalties = {}, {}
    for player in state.players:
        powers[player] = powers_of(state, player) or ()
        excess = max(0, sum(powers[player]) - LIMIT)
        penalties[player] = 0 if is_ai(player) else excess
    cards, gains = dict(state.market_cards), dict.fromkeys(state.players, 0)
    ending = _Round(state, next_order(state), powers, penalties, cards, gains)
    # the order counts: a region's Markets may fill a Market card for the next
    results = [_resolve_region(ending, region) for region in state.board.left_to_right]
    for result in results:
        for share in result.standings:
            gains[share.player] += share.starfalls + share.traded
    if state.now.objective:
        gains[state.now.objective[0]] += 1
    concerned = tuple(result for result in results if result.standings or result.starfalls)
    left = {result.region: result.left for result in concerned if result.left}
    return Resolution(concerned, gains, left, cards, tuple(_overall_steps(ending)))


def _overall_steps(ending: _Round) -> Iterator[Reason]:
    state = ending.state
    for player, penalty in ending.penalties.items():
        if penalty:
            played = f"{state.name(player)} played {LIMIT + penalty}"
            yield Reason("FS-11", f"{played}: each chip counts {penalty} less")
    for ai in state.ais:
        # once the table entered an AI's powers, its tokens decide nothing
        tokens = None if ai in state.now.powers else tokens_of(state, ai)
        for token in tokens or ():
            if token.high:
                whose = f"{state.name(ai)}'s token in {state.board.name(token.region)}"
                yield Reason("FS-43", f"{whose} shows {token.power}: {token.why}")
    if state.now.objective is not None:
        award = "nobody meets it"
        if state.now.objective:
            award = f"{state.name(state.now.objective[0])} takes a Starfall"
        yield Reason("FS-22", f"Objective: {award}")
    if not state.board.places_known:
        yield Reason("FS-U3", "places unknown: the regions stand in the order of the box")


def _resolve_region(ending: _Round, region: RegionId) -> RegionResult:
    state, now = ending.state, ending.state.now
    ships = {ship.player for ship in now.ships if ship.region == region}
    flights = {flight.player for flight in now.flights if flight.region == region}
    here = [player for player in ending.order if player in ships | flights]
    shares = [_power_in(ending, region, player) for player in here]
    ranked = [share for share in shares if share.tier != "out"]
    out = [share for share in shares if share.tier == "out"]
    # a stable sort: equal powers stay in the order of the turn slots (FS-26)
    ranked.sort(key=lambda share: -share.power)
    showing = state.starfalls.get(region, 0)
    standings = [_with_market(ending, share) for share in (*_with_tiers(ranked, showing), *out)]
    steps = [*_steps(state, region, standings)]
    left = 0 if ranked else showing
    if left:
        # without any Airship in the region they stay, whatever the option says
        discarded = ships and state.options["unawarded_with_zero_power"] == "discarded"
        fate = "stays" if left == 1 else "stay"
        if discarded:
            fate = "are discarded"
        text = f"{plural(left, 'Starfall')} {fate} in {state.board.name(region)}"
        steps.append(Reason("FS-28", text))
        if discarded:
            left = 0
    return RegionResult(region, showing, tuple(standings), left, tuple(steps))


def _power_in(ending: _Round, region: RegionId, player: PlayerId) -> RegionShare:
    """Return a player's power in a region with its parts (FS-24), and whether it takes part (FS-25)."""
    state, now = ending.state, ending.state.now
    placed = zip(now.ships_of(player), ending.powers[player], strict=False)
    # several Airships of a player only by a house rule (FS-9)
    chips = [power for ship, power in placed if ship.region == region]
    here = any(ship.region == region for ship in now.ships_of(player))
    lowered = [power - ending.penalties[player] for power in chips]
    if state.options["excess_floor"] == "zero":
        lowered = [max(0, power) for power in lowered]
    fortresses = _buildings(state, region, player, "fortress") if here else 0
    skimmers = now.flights.count(Flight(player, region))
    troops = sum(lowered) + fortresses
    power = max(0, troops + skimmers)
    if here and troops <= 0 and state.options["zero_airship_plus_skimmer"] == "out":
        power = 0
    markets = 0
    if here and troops > 0:
        markets = _buildings(state, region, player, "market")  # FS-14: none at power 0
    return RegionShare(
        player=player,
        chip=sum(chips) if here else None,
        penalty=sum(chips) - sum(lowered),
        fortresses=fortresses,
        skimmers=skimmers,
        power=power,
        tier="nothing" if power > 0 else "out",
        markets=markets,
        slot=now.slot_of(player),
    )


def _with_tiers(ranked: Sequence[RegionShare], showing: int) -> Iterator[RegionShare]:
    """Yield the shares, strongest first, with the best tier that is left for each (FS-25)."""
    tiers: list[Tier] = ["both", "one"]
    if showing:
        tiers.insert(0, "starfalls")
    powers = [share.power for share in ranked]
    for share in ranked:
        tier = tiers.pop(0) if tiers else "nothing"
        won = showing if tier == "starfalls" else 0
        tied = powers.count(share.power) > 1
        yield replace(share, tier=tier, tied=tied, starfalls=won)


def _buildings(state: State, region: RegionId, player: PlayerId, building: str) -> int:
    """Count a player's buildings of a kind that are bridged to a region."""
    bridged = {platform.id for platform in state.board.bridges.get(region, ())}
    count = 0
    for piece in state.buildings:
        own = piece.player == player and piece.building == building
        if own and piece.platform in bridged:
            count += 1
    return count


def _with_market(ending: _Round, share: RegionShare) -> RegionShare:
    """Put the yield of an AI's Markets onto its Market card (FS-45)."""
    has_card = is_ai(share.player) and has_market_card(ending.state.options)
    if not share.markets or not has_card:
        return share
    card, traded = trade(ending.state, ending.cards.get(share.player, 0), share.markets)
    ending.cards[share.player] = card
    return replace(share, card=card, traded=traded)


def _steps(state: State, region: RegionId, standings: list[RegionShare]) -> Iterator[Reason]:
    for share in standings:
        yield Reason("FS-24", f"{state.name(share.player)}: {parts(share)} = {_power(share)}")
        yield reward(state, region, share)
        if share.tied:
            tied = tied_with(share, standings)
            slots = ", ".join(f"{state.name(other.player)} slot {other.slot}" for other in tied)
            yield Reason(
                "FS-26", f"tied at {share.power}, so by the turn slots just taken: {slots}"
            )
        if share.markets:
            yield from _market(state, region, share)


def tied_with(share: RegionShare, standings: Sequence[RegionShare]) -> list[RegionShare]:
    """Return the players who take part with that power, by their turn slots (FS-26)."""
    return [other for other in standings if other.tied and other.power == share.power]


def parts(share: RegionShare) -> str:
    """Return a power's parts, `chip 4 - 2 + 1 Fortress + 2 Skimmers`; an AI has a token instead of a chip."""
    if share.chip is None:
        text = "no Airship"
    elif is_ai(share.player):
        text = f"token {share.chip}"
    else:
        text = f"chip {share.chip}"
    if share.penalty:
        text += f" - {share.penalty}"
    if share.fortresses:
        text += f" + {plural(share.fortresses, 'Fortress', 'Fortresses')}"
    if share.skimmers:
        text += f" + {plural(share.skimmers, 'Skimmer')}"
    return text


def _power(share: RegionShare) -> str:
    """Return the sum of the parts, and what it counts if that differs.

    No power is below 0, and an Airship of power 0 may take its Skimmers out of the count (FS-15).
    """
    total = (share.chip or 0) - share.penalty + share.fortresses + share.skimmers
    return str(total) if total == share.power else f"{total}, which counts {share.power}"


def reward(state: State, region: RegionId, share: RegionShare) -> Reason:
    """Return what a rank gives to a seat (FS-25) or an AI (FS-44)."""
    name, resources = state.name(share.player), state.board.by_id[region].resources
    if share.tier == "out":
        return Reason("FS-25", f"{name} takes no part: power 0")
    if share.tier == "starfalls":
        return Reason("FS-25", f"{name} takes {plural(share.starfalls, 'Starfall')}")
    if share.tier == "nothing":
        return Reason("FS-25", f"{name} takes nothing: the ranks are taken")
    if is_ai(share.player):
        return Reason("FS-44", f"{name} ranks but takes nothing")
    if share.tier == "both":
        return Reason("FS-25", f"{name} takes {' + '.join(resources) or 'both resources'}")
    return Reason("FS-25", f"{name} takes {' or '.join(resources) or 'one of its resources'}")


def _market(state: State, region: RegionId, share: RegionShare) -> Iterator[Reason]:
    name, extra = state.name(share.player), share.markets
    known = " or ".join(state.board.by_id[region].resources) or "of its resources"
    if not is_ai(share.player):
        yield Reason("FS-14", f"{name}'s Markets give {extra} more ({known})")
    elif share.card is None:
        lost = f"{plural(extra, 'resource')} of its Markets {'is' if extra == 1 else 'are'} lost"
        yield Reason("FS-32", f"{name} has no Market card: {lost}")
    else:
        yield Reason("FS-45", f"{name}'s Market card gains {extra} and shows {share.card}")
        if share.traded:
            yield Reason("FS-45", f"{name} trades for {plural(share.traded, 'Starfall')}")
