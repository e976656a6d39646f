"""Short texts about seats and zones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from textual.content import Content

from companion.dashboard.themes import seat_style
from companion.games.skyfire.panels import IDLE
from companion.games.skyfire.rules.known import NO_ZONE, answered, percent
from companion.games.skyfire.rules.model import WRONG_MISFIRE
from companion.games.skyfire.rules.view import SeatView, SkyFireView, ZoneView
from companion.rules.columns import plural, width as cells_of
from companion.rules.facts import SeatId

STATUS = {
    "in": "in",
    "on turn": "ON TURN",
    "eliminated": "eliminated",
    "left": "LEFT",
    "sits out": "sits out",
    "winner": "WINNER",
}
EXAMPLE = "example deck"


def held(seat: SeatView) -> str:
    """Return the number of cards the seat holds."""
    return plural(seat.hand, "card") if seat.hand else "no cards"


def earned(seat: SeatView) -> str:
    """Return what the round brought the seat, empty if nothing."""
    return f"+{seat.earned}" if seat.earned else ""


def named(seat: SeatView, *, bold: bool = False) -> Content:
    """Return glyph and name in the seat's color, quiet if it does not play now."""
    style = "$quiet" if seat.status in IDLE else seat_style(seat.color)
    return Content.assemble((f"{seat.glyph} {seat.name}", f"bold {style}" if bold else style))


def marks(seats: Sequence[SeatView], ids: Iterable[SeatId]) -> Content:
    """Return glyph and initial of these seats in their colors, in the order of `ids`."""
    by_id = {seat.id: (f"{seat.glyph}{seat.initial}", seat_style(seat.color)) for seat in seats}
    return Content(" ").join(Content.assemble(by_id[seat]) for seat in ids if seat in by_id)


def placed(zone: ZoneView, seats: Sequence[SeatView], width: int) -> Content:
    """Return who placed the zone's cards, in order, in `width` cells; the newest are always shown."""
    if not zone.cards:
        return Content.assemble(("empty", "$quiet"))
    cards = [marks(seats, [card.seat]) for card in zone.cards]
    for gap in (" ", ""):
        line = Content(gap).join(cards)
        if line.cell_length <= width:
            return line
    return Content.assemble(("…", "$quiet"), *cards[-max(1, (width - 1) // 2) :])


def verdict(game: SkyFireView, zone: ZoneView, *, short: bool = False) -> Content:
    """Return what is known of the zone: turned up, target met, failed, closed. `short` leaves out how failed cards
    lie."""
    if zone.asked and zone.cards:
        return Content.assemble(("turned up", "bold $accent"))
    if zone.closed:
        return Content.assemble(("closed", "$warning"))
    if zone.satisfies and zone.cards:
        return Content.assemble(("target met", "$success"))
    if zone.failed:
        lies = () if short else ((f"  {zone.lies}", "$quiet"),)
        return Content.assemble(("failed ", "$warning"), marks(game.seats, zone.failed), *lies)
    if zone.satisfies is False and zone.cards:
        return Content.assemble(("not met", "$warning"))
    return Content()


def faces(zone: ZoneView, *, short: bool = False) -> Content:
    """Return the cards of a zone that were turned up, and how many of them nobody entered; `short` leaves out names.

    A name has its symbols beside it, and these decide whether the target is met (SF-14).
    """
    label = Content.styled("shows ", "$quiet")
    if zone.word:
        label = Content.styled("by the table's word ", "$warning")
    texts = list(map(str, zone.faces))
    if short:
        texts = ["+".join(face.symbols or ()) or str(face) for face in zone.faces]
    left = zone.turned - len(zone.faces)
    if left > 0:
        texts.append(f"{plural(left, 'card')} not entered")
    return Content.assemble(label, (", ".join(texts), "bold" if zone.asked else ""))


def scores(zone: ZoneView) -> str:
    """Return what a right launch of the zone scores now (SF-15)."""
    return f"scores {len(zone.cards)}"


def misfire(game: SkyFireView, width: int) -> Content:
    """Return what a misfire scores whom now, right or wrong (SF-16, SF-17), and how likely it is right.

    In words if they fit in `width` cells, else with marks for names. While a launch is judged nobody can declare one.
    """
    if game.phase not in ("open", "question"):
        return Content.styled("no round is open", "$quiet")
    if game.phase == "question" and game.moves[-1].what == "launch":
        return Content.styled("nobody can declare one while a launch is judged", "$quiet")
    declarer = game.moves[-1].seat if game.phase == "question" else game.turn
    seat = next((seat for seat in game.seats if seat.id == declarer), None)
    if seat is None:
        return Content()
    likely = chance_of(game, NO_ZONE)
    odds = f" (odds {likely})" if likely else ""
    once = "without cards: " if seat.hand else ""
    points = plural(game.misfire_points, "point")
    names = ", ".join(other.name for other in game.seats if other.id in game.misfire_others)
    each = f"{WRONG_MISFIRE} each" if len(game.misfire_others) > 1 else str(WRONG_MISFIRE)
    others = f"{each} for {names}" if names else "nobody scores"
    whole = f"if no zone meets the target{odds}: {points} for {seat.name}, else {others}"
    if once:
        whole = f"only {once}{whole}"
    short = f"{once}{points} for {seat.name} if right{odds}, else {others}"
    for text in (whole, short):
        if cells_of(text) <= width:
            return Content(text)
    if not names:
        return Content(short)
    odds = f" ({likely})" if likely else ""
    return Content.assemble(
        f"{once}{game.misfire_points} for ",
        marks(game.seats, [seat.id]),
        f" if right{odds}, else {each} ",
        marks(game.seats, game.misfire_others),
    )


def chance_of(game: SkyFireView, zone: int) -> str:
    """Return the public odds of the zone, or of `NO_ZONE`: a percentage, `...` while worked out, `?` if there is
    no number.

    Empty while no round is open, or if too little is known of the cards for any odds.
    """
    if game.odds is None or game.odds.unseen is None:
        return ""
    odds = answered(game.odds)
    if odds is None:
        return "..."
    probability = next(zone_odds.probability for zone_odds in odds if zone_odds.zone == zone)
    return "?" if probability is None else percent(probability)


def chance_of_zone(game: SkyFireView, zone: ZoneView) -> str:
    """Return the public odds of the zone; empty while its cards lie open and the table judges them."""
    return "" if zone.asked else chance_of(game, zone.number)


def missing_backs(game: SkyFireView, key: str, width: int) -> str:
    """Return that cards' backs can be entered with `key`, and what for if `width` cells hold it; empty if there is
    nothing to enter or no room to say it."""
    if game.odds is None or not game.backs_missing or not game.deck.backs:
        return ""
    enter = f"enter {plural(game.backs_missing, 'card back')} (key {key})"
    for text in (f"optional, for closer odds: {enter}", f"optional: {enter}"):
        if cells_of(text) <= width:
            return text
    return ""


def target(game: SkyFireView) -> str:
    """Return the target of the round."""
    if game.phase == "ready":
        return "not turned up yet"
    return f"{game.target.text}, the finale" if game.target.finale else game.target.text
