"""Panels and tables of SkyFire, public ones and those of a seat's own cards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from companion.display.panels import Panels, SeatLine, in_round
from companion.display.pictures import Lying, Stack, Stacks
from companion.display.tables import Cell, PanelTable, Shown
from companion.games.skyfire.forms import FORMS
from companion.games.skyfire.now import now
from companion.games.skyfire.rules.known import Odds, OddsAsked, answered, chance, work_out
from companion.games.skyfire.rules.model import WRONG_MISFIRE
from companion.games.skyfire.rules.note_form import note_lines
from companion.games.skyfire.rules.result import EXAMPLE
from companion.games.skyfire.rules.view import Glance, OwnView, SeatView, SkyFireView, ZoneView
from companion.rules.clauses import without_clauses
from companion.rules.columns import plural
from companion.rules.facts import Moment, SeatId
from companion.rules.pauses import between
from companion.rules.spans import seconds

IDLE = frozenset({"eliminated", "left", "sits out"})
"""Statuses of seats that do not play on in this round."""

_AFTER_ROUND = ("over", "finished")


def where(game: Glance) -> str:
    """Return the round and its phase: `before round 1 of 5`, `round 2 of 5 is over`, `the game is over`."""
    return in_round(game.phase, game.round_name)


def seats(game: Glance) -> Iterator[SeatLine]:
    """Yield a line for each seat: its points, the cards in its hand, and a hand that lies open."""
    for seat in game.seats:
        turn = seat.status == "on turn"
        note = "" if turn or seat.status == "in" else seat.status
        # between two rounds the prompt says who starts the next one
        starts = game.phase not in _AFTER_ROUND
        words = tuple(_words(seat, starts=starts)) if isinstance(seat, SeatView) else ()
        yield SeatLine(
            *seat.look, str(seat.score), turn=turn,
            idle=seat.status in IDLE, out=seat.status == "eliminated", note=note, words=words,
        )  # fmt: skip


def _words(seat: SeatView, *, starts: bool) -> Iterator[str]:
    yield plural(seat.hand, "card")
    if seat.earned:
        yield f"+{seat.earned}"
    if seat.begins and starts:
        yield "starts"
    if seat.shown:
        yield f"shown: {', '.join(seat.shown)}"


def tables(game: SkyFireView) -> tuple[Shown, ...]:
    """Return the round, the seats, the zones as stacks and as rows, the rounds played, and the moves of this
    round."""
    round_names = [f"r{number}" for number in range(1, len(game.history) + 1)]
    heads = ("", *round_names, "points", "won", "hand", "status")
    said = tuple(heads.index(head) for head in ("points", "hand", "status"))
    zones = tuple(_zone(game, zone) for zone in game.zones)
    return (
        PanelTable("This round", (), tuple(_round(game))),
        PanelTable("Seats", heads, tuple(_scores(game)), columns_on_cards=said),
        Stacks(
            "Launch zones, each time counted from the deal",
            tuple(stack(game, zone) for zone in game.zones),
        ),
        PanelTable("Zones", ("zone", "placed by", "cards", "a launch", "turned up", ""), zones),
        rounds_played(game),
        PanelTable(
            "Every move since the deal",
            ("", "after the deal", "seat", "move"),
            tuple(_moves(game)),
            long=True,
        ),
    )


def rounds_played(game: SkyFireView) -> PanelTable:
    """Return the target and the result of each finished round."""
    rounds = tuple((played.name, played.target, played.result) for played in game.history)
    return PanelTable("Rounds played", ("round", "target", "result"), rounds, long=True)


def _scores(game: SkyFireView) -> Iterator[tuple[Cell, ...]]:
    points_in = [dict(played.points) for played in game.history]
    for seat in game.seats:
        in_rounds = [points.get(seat.id, "-") for points in points_in]
        yield (seat, *in_rounds, seat.score, seat.won, seat.hand, seat.status)


def stack(game: SkyFireView, zone: ZoneView, after: str = "") -> Stack:
    """Return a zone as a stack: who placed each card, and when; `after` says what the time counts from."""
    seats = {seat.id: seat for seat in game.seats}
    lying = []
    for card in zone.cards:
        seat, note = seats[card.seat], f"{after_deal(game, card.at)}{after}"
        if card.back:
            note = f"{card.back}, {note}"
        lying.append(Lying(f"{seat.glyph} {seat.name}", seat.color, note))
    count = len(zone.cards)
    return Stack(
        f"Zone {zone.number}",
        f"{plural(count, 'card')}, a right launch scores {count}",
        tuple(lying),
    )


def _round(game: SkyFireView) -> Iterator[tuple[Cell, ...]]:
    if game.example:
        yield ("deck", EXAMPLE)
    if game.phase == "finished":
        yield ("last round", game.round_name)
    if game.phase != "ready":
        yield ("target", game.target.text)
    for seat in game.seats:
        if seat.begins:
            yield ("started" if game.phase in _AFTER_ROUND else "starts", seat)
    if not game.clockwise:
        yield ("turns go", "counter-clockwise")
    if game.phase in ("open", "question"):
        declarer = game.moves[-1].seat if game.phase == "question" else game.turn
        names = ", ".join(seat.name for seat in game.seats if seat.id == declarer)
        yield ("right misfire", f"{plural(game.misfire_points, 'point')} for: {names}")
        others = ", ".join(seat.name for seat in game.seats if seat.id in game.misfire_others)
        wrong = f"{plural(WRONG_MISFIRE, 'point')} for: {others}" if others else "scores nobody"
        yield ("wrong misfire", wrong)
    if game.result:
        yield ("result", game.result)


def _zone(game: SkyFireView, zone: ZoneView) -> tuple[Cell, ...]:
    seats = {seat.id: seat for seat in game.seats}
    placed = tuple(seats[card.seat] for card in zone.cards)
    count = len(zone.cards)
    turned = str(zone.turned or "")
    if zone.faces:
        turned = ", ".join(map(str, zone.faces))
        if zone.word:
            turned += f" (by the table's word: {zone.word})"
    # Twice the count: the cards in the zone, and the points of a right launch.
    return (zone.number, placed or "empty", count, count, turned, _verdict(game, zone))


def _verdict(game: SkyFireView, zone: ZoneView) -> str:
    """Return what is known of the zone: turned up, closed, satisfying, or failed."""
    if zone.asked and zone.cards:
        return "turned up: does it meet the target?"
    if zone.closed:
        return "closed"
    if zone.satisfies and zone.cards:
        return "meets the target"
    failed = ", ".join(seat.name for seat in game.seats if seat.id in zone.failed)
    if failed:
        return f"failed: {failed}; {zone.lies}"
    if zone.satisfies is False and zone.cards:
        return "does not meet the target"
    return ""


_DID = {"place": "places in zone", "launch": "launches zone", "misfire": "declares a misfire"}


def _moves(game: SkyFireView) -> Iterator[tuple[Cell, ...]]:
    seats = {seat.id: seat for seat in game.seats}
    backs = {card.entry: card.back for zone in game.zones for card in zone.cards}
    scoring = [seat for seat in game.seats if seat.earned]
    for number, move in enumerate(game.moves, start=1):
        text = _DID[move.what]
        if move.zone is not None:
            text += f" {move.zone}"
        if backs.get(move.entry):
            text += f", back {backs[move.entry]}"
        # Only the last launch or misfire can have ended the round and scored.
        if scoring and number == len(game.moves) and move.what != "place":
            names = ", ".join(seat.name for seat in scoring)
            text += f": {plural(scoring[0].earned, 'point')} for {names}"
        yield (number, after_deal(game, move.at), seats[move.seat], text)


def after_deal(game: SkyFireView, at: Moment | None) -> str:
    """Return the time from the deal to `at` without pauses, or `?` if unknown."""
    span = between(game.begun, at, game.pauses, game.paused)
    return "?" if span is None else seconds(max(0, span.us), span.pm)


LOOSE = "which of your cards lies where; each way counts as equally likely"
WORKING = "calculating"


def odds(game: SkyFireView) -> tuple[PanelTable, ...]:
    """Return the odds of each zone by what everybody can see."""
    if game.odds is None:
        return ()
    rows = tuple(_odds(game, game.odds))
    return (PanelTable("Odds by what everybody can see", (), rows),)


def work(game: SkyFireView) -> Callable[[], None] | None:
    """Return a callable that works out the missing odds of a view, or None if all are known."""
    asked = [game.odds]
    if game.own is not None:
        asked.append(game.own.odds)
    waiting = [odds for odds in asked if odds is not None and answered(odds) is None]
    return partial(_work_out, waiting) if waiting else None


def _work_out(waiting: Iterable[OddsAsked]) -> None:
    for odds in waiting:
        work_out(odds)


def own(game: SkyFireView, seat: SeatId) -> tuple[PanelTable, ...]:
    """Return what the seat noted of its cards, and the odds of each zone by that."""
    own = game.own or OwnView(None, (), None)
    rows = () if own.odds is None else tuple(_odds(game, own.odds))
    return (
        PanelTable("Your notes", (), tuple(_noted(game, own, seat))),
        PanelTable("Your odds: how likely each zone meets the target", (), rows),
    )


def _noted(game: SkyFireView, own: OwnView, seat: SeatId) -> Iterator[tuple[Cell, ...]]:
    target = "not turned up yet" if game.phase == "ready" else game.target.text
    if game.example:
        target += f" ({EXAMPLE})"
    yield ("Target", target)
    if own.hand is None:
        yield ("Your hand", "not noted yet")
    else:
        held = {player.id: player.hand for player in game.seats}.get(seat, 0)
        hand, loose = ", ".join(own.hand) or "empty", len(own.hand) - held
        if loose > 0:
            hand += f" ({loose} of them placed since: note which ones, or your hand again)"
        yield ("Your hand", hand)
    for zones, faces in own.placed:
        where = f"zones {', '.join(map(str, zones))}"
        if len(set(zones)) == 1:
            where = f"zone {zones[0]}"
        yield ("You placed", f"{', '.join(faces)} in {where}")
    if own.odds is None or own.odds.unseen is None:
        return
    if any(zone_odds.reason for zone_odds in own.odds.odds):
        yield ("Not noted", LOOSE)


def _odds(game: SkyFireView, asked: OddsAsked) -> Iterator[tuple[Cell, ...]]:
    if asked.unseen is None:
        reasons = [zone_odds.reason for zone_odds in asked.odds if zone_odds.reason]
        if reasons:
            yield ("No odds", without_clauses(reasons[0]))
            return
    seats = {seat.id: seat for seat in game.seats}
    *zones, none = answered(asked) or (None,) * len(asked.odds)
    for zone, known in zip(game.zones, zones, strict=True):
        placed = tuple(seats[card.seat] for card in zone.cards)
        yield (f"Zone {zone.number}", _share(known), placed or "empty")
    yield ("No zone", _share(none), "how likely a misfire is right")
    if game.backs_missing and game.deck.backs:
        yield ("Backs", f"{game.backs_missing} not entered", "optional: the odds get closer")


def _share(known: Odds | None) -> str:
    """Return the odds in words."""
    if known is None:
        return WORKING
    if known.probability is None:
        return f"unknown: {without_clauses(known.reason)}"
    return chance(known.probability)


PANELS = Panels(
    "points", where, seats, tables, note_lines, own, odds=odds, work=work, now=now, forms=FORMS
)
