"""The AI's move that waits, and what lies on the tray, in words."""

from __future__ import annotations

from textual.content import Content

from companion.dashboard.widgets.labels import labelled
from companion.games.fractured_sky.rules.ai.compass import WORDS
from companion.games.fractured_sky.rules.ai.decide import by_eye
from companion.games.fractured_sky.rules.ai.decision import Decision, Reason
from companion.games.fractured_sky.rules.board import Board
from companion.games.fractured_sky.rules.keys import key_of as game_key
from companion.games.fractured_sky.rules.signs import keys_of, signs_of
from companion.games.fractured_sky.rules.view import FracturedSkyView, MoveView
from companion.games.fractured_sky.screen.marks import BY_HAND_KEY, tied_place
from companion.rules.actions import with_keys
from companion.rules.columns import plural

LABEL_CELLS = 8


def side_rows(game: FracturedSkyView, width: int) -> list[Content]:
    """Return the tray and the AI's move, or who drew Explore cards, in lines of `width` cells."""
    rows = labelled("Tray", [tray(game)], LABEL_CELLS, width)
    if game.move is not None:
        rows += labelled("AI", move_lines(game, game.move), LABEL_CELLS, width)
    else:
        rows += labelled("Explore", [explored(game)], LABEL_CELLS, width)
    return rows


def explored(game: FracturedSkyView) -> str:
    """Return how many Explore cards each seat drew."""
    drawn = [f"{player.glyph} {player.draws}" for player in game.players if player.draws]
    return f"drawn {', '.join(drawn) or 'by nobody yet'}; {plural(game.unused, 'card')} unused"


def tray(game: FracturedSkyView) -> str:
    """Return the Public card and the Hidden cards with the markers on each, and who peeked at which Objective."""
    table, keys = game.table, keys_of(game)
    public = f"Public {_region(table.board, keys, table.public)}" if table.public else "no Public card yet"
    cards = [
        f"card {number}: {_region(table.board, keys, region) if region else '?'}{_marks(game, number)}"
        for number, region in enumerate(table.hidden, start=1)
    ]
    peeks = [f"{signs_of(game.players).get(seat, '?')} peeked at {card}" for seat, card in game.peeks]
    return "   ".join((public, *cards, *peeks))


def _region(board: Board, keys: dict[str, str], region: str) -> str:
    return f"{keys.get(region, '')} {board.name(region)}".strip()


def _marks(game: FracturedSkyView, card: int) -> str:
    """The scouting markers on a card: `●Wood` took Wood, `●-` took nothing, `◇+` an AI that does not say which."""
    signs = signs_of(game.players)
    said = [
        f"{signs.get(mark.player, '?')}{mark.resource.capitalize() if mark.resource else '+' if mark.taken else '-'}"
        for mark in game.table.marks
        if mark.card == card
    ]
    return f" {' '.join(said)}" if said else ""


def move_lines(game: FracturedSkyView, move: MoveView) -> list[Content]:
    """Return the card, then how it was decided: each step with its clause and what it left, the last one in bold."""
    decision = move.decision
    named = Named(decision.card.kind, keys_of(game))
    head = ", ".join((f"{decision.card.kind} card", *(WORDS[star] for star in decision.card.stars)))
    steps = Content.assemble(f"{head} > ", _steps(decision, named))
    if decision.target is not None:
        return [steps]
    asks = [tied_place(game, decision, one) for one in decision.ask]
    if by_eye(game.table.board, decision.card.kind):
        asks += [with_keys(f"{BY_HAND_KEY} another platform", game.keys)]
        asks += [with_keys(f"{game_key('cannot')} none is free", game.keys)]
    return [steps, Content.assemble(("the table says: ", "bold $accent"), ("   ".join(asks), "bold"))]


def _steps(decision: Decision, named: Named) -> Content:
    """The candidates, what each step left of them, and the last step, which decided."""
    *before, last = decision.reasons
    parts = [Content(f"{reason.text}{_all(reason, named)}") for reason in before]
    return Content(" > ").join([*parts, Content.assemble((f"{last.text}{_all(last, named)}", "bold"))])


def _all(reason: Reason, named: Named) -> str:
    return f": {' '.join(named(one) for one in reason.left)}" if reason.left else ""


class Named:
    """Names candidates as briefly as the map does: a region by its key, a platform in brackets, a card by number."""

    def __init__(self, kind: str, keys: dict[str, str]) -> None:
        self._kind, self._keys = kind, keys

    def __call__(self, target: str) -> str:
        """Return the name."""
        if self._kind in ("airship", "skimmer"):
            return self._keys.get(target) or target
        return f"card {target}" if self._kind == "scout" else f"[{target}]"
