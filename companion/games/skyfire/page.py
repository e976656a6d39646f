"""SkyFire on the page: a seat's own notes, for that seat alone."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.skyfire.rules.known import Odds, chance
from companion.games.skyfire.rules.view import OwnView, SkyFireView
from companion.reports.markup import Markup, paragraph
from companion.rules.clauses import without_clauses
from companion.serve.game_page import GamePage, items, titled


class SkyFirePage(GamePage):
    """The tables of the game, and a seat's own notes."""

    def own(self, secrets: SkyFireView) -> Sequence[Markup]:
        """Return the seat's hand, what it placed, the odds of each zone, and those of a misfire."""
        own: OwnView | None = secrets.own
        if own is None:
            return ()
        hand = "You have not noted your hand." if own.hand is None else ", ".join(own.hand) or "no cards"
        placed = (f"zone {', '.join(map(str, zones))}: {', '.join(faces)}" for zones, faces in own.placed)
        return (
            titled("Your hand, as you noted it", paragraph(hand)),
            titled("What you placed", items(placed)),
            titled(
                "How likely each zone satisfies the target",
                items(f"zone {one.zone}: {_share(one)}" for one in own.odds),
            ),
            *([titled("How likely no zone does: a misfire", paragraph(_share(own.none)))] if own.none else []),
        )


def _share(odds: Odds) -> str:
    reason = without_clauses(odds.reason)
    if odds.probability is None:
        return f"nobody can know: {reason}"
    return f"{chance(odds)}{f' ({reason})' if reason else ''}"
