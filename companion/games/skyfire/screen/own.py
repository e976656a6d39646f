"""Behind a seat's curtain: what it noted of its own cards, and how likely each zone is to satisfy the target."""

from __future__ import annotations

from textual.content import Content

from companion.dashboard.notes_part import NotesPart
from companion.dashboard.widgets.labels import labelled
from companion.games.skyfire.rules.known import Odds, chance
from companion.games.skyfire.rules.note_form import note_lines
from companion.games.skyfire.rules.view import SkyFireView
from companion.games.skyfire.screen.words import EXAMPLE, placed, target
from companion.rules.clauses import without_clauses
from companion.rules.game import Seat

LABEL = 12
LOOSE = "Which of yours lies where is not noted: each is taken to be equally likely."


class OwnPart(NotesPart):
    """Notes above, odds below them, and the lines to note in: what the hand is now, what lies in which zone."""

    def __init__(self) -> None:
        super().__init__(note_lines)

    def above(self, secrets: SkyFireView, seat: Seat, width: int) -> list[Content]:
        """Return the notes of the seat, and its odds."""
        return [*notes(secrets, seat, width), *odds(secrets, width)]


def notes(game: SkyFireView, seat: Seat, width: int) -> list[Content]:
    """Return what the seat noted of its cards."""
    aim = f"{target(game)}{f' ({EXAMPLE}: these cards are made up)' if game.example else ''}"
    rows = labelled("Target", [aim], LABEL, width)
    own = game.own
    if own is None or (own.hand is None and not own.placed):
        return [*rows, *labelled("Your notes", ["nothing yet: note your hand below"], LABEL, width)]
    held = next((each.hand for each in game.seats if each.id == seat.id), 0)
    if own.hand is not None:
        loose = len(own.hand) - held
        hint = f"  ({loose} of them placed since: note which, or your hand again)" if loose > 0 else ""
        rows += labelled("Your hand", [f"{', '.join(own.hand) or 'empty'}{hint}"], LABEL, width)
    lying = []
    for zones, faces in own.placed:
        where = f"zone {zones[0]}" if len(set(zones)) == 1 else f"zones {', '.join(map(str, zones))}"
        lying.append(f"{', '.join(faces)} in {where}")
    return [*rows, *labelled("You placed", lying, LABEL, width)] if lying else rows


def odds(game: SkyFireView, width: int) -> list[Content]:
    """Return for each zone how likely it is to satisfy the target, as far as the seat's notes say."""
    if game.own is None:
        return []
    rows = [Content(""), Content.assemble(("Each zone satisfies the target with", "$quiet"))]
    for zone, known in zip(game.zones, game.own.odds, strict=False):
        who = placed(zone, game.seats, width // 3).truncate(width // 3, pad=True)
        rows += labelled(f"Zone {zone.number}", [Content.assemble(who, "  ", _share(known, ""))], LABEL, width)
    if (none := game.own.none) is not None:
        rows += labelled("No zone", [_share(none, "so likely is a misfire right")], LABEL, width)
    loose = any(known.probability is not None and known.reason for known in game.own.odds)
    return [*rows, Content.assemble((LOOSE, "$quiet"))] if loose else rows


def _share(known: Odds, remark: str) -> Content:
    said = without_clauses(known.reason) if known.probability is None else remark
    return Content.assemble((chance(known), "bold"), f"  {said}" if said else "")
