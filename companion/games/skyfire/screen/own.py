"""Behind a seat's curtain: what it noted of its own cards, and how likely each zone is to satisfy the target."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Input

from companion.dashboard.correcting.facts import sentence
from companion.dashboard.correcting.fields import FieldChanged, FieldRow, TextField, row_of
from companion.dashboard.game_screen import SecretPart
from companion.dashboard.widgets.labels import labelled
from companion.dashboard.widgets.static import Static
from companion.games.skyfire.rules.facts import MOST_ZONES
from companion.games.skyfire.rules.known import Odds
from companion.games.skyfire.rules.text import cards
from companion.games.skyfire.rules.view import OwnView, SkyFireView
from companion.games.skyfire.screen.in_sight import faces_of
from companion.games.skyfire.screen.words import EXAMPLE, placed, target
from companion.rules.game import Refused, Seat

HAND = "hand"
LABEL = 12
LOOSE = "Which of yours lies where is not noted: each is taken to be equally likely."
LONG = 12
"""Digits of a fraction from which on it is shown as a percentage alone."""


class OwnPart(SecretPart):
    """Notes above, odds below them, and the lines to note in: what the hand is now, what lies in which zone."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab,down", "app.focus_next", show=False),
        Binding("shift+tab,up", "app.focus_previous", show=False),
    ]
    DEFAULT_CSS = """
    OwnPart { height: auto; }
    OwnPart #own { height: auto; margin: 0 0 1 0; }
    OwnPart #own-hint { height: auto; color: $quiet; margin: 1 0 0 0; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._seat: Seat | None = None
        self._game: SkyFireView | None = None
        self._sent: TextField | None = None

    def compose(self) -> ComposeResult:
        yield Static(id="own")
        yield FieldRow(HAND, TextField(), label="your hand now")
        for zone in range(1, MOST_ZONES + 1):
            yield FieldRow(str(zone), TextField(), label=f"yours in zone {zone}")
        yield Static(id="own-hint")

    def on_mount(self) -> None:
        """The keys belong to the hand first."""
        self.query(TextField).first().focus()

    def show_seat(self, seat: Seat, secrets: SkyFireView) -> None:
        self._seat, self._game = seat, secrets
        own = [zone.number for zone in secrets.zones if any(card.seat == seat.id for card in zone.cards)]
        for row in self.query(FieldRow):
            row.display = row.field == HAND or int(row.field) in own
        self._fill()

    def on_resize(self) -> None:
        self._fill()

    def _fill(self) -> None:
        width = self.size.width
        if self._seat is not None and self._game is not None and width:
            rows = [*notes(self._game, self._seat, width), *odds(self._game, width)]
            self.query_one("#own", Static).update(Content("\n").join(rows))

    # -- what is typed

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Say what the line takes."""
        if (row := row_of(event.widget)) is not None:
            self._tell(self._reading(row))

    def on_field_changed(self, event: FieldChanged) -> None:
        """Say how the line is read so far."""
        event.stop()
        row = row_of(self.screen.focused) if self.screen.focused is not None else None
        if row is not None:
            self._tell(self._reading(row))

    def _reading(self, row: FieldRow) -> str:
        if self._game is None or self._seat is None:
            return ""
        try:
            words = faces_of(self._game).words(row.answer.word)
        except Refused as refusal:
            return refusal.spoken()
        if words:
            return f"{len(words)}: {', '.join(words)}"
        if row.field == HAND:
            held = next((seat.hand for seat in self._game.seats if seat.id == self._seat.id), 0)
            return f"{cards(held)}, commas between, + between symbols, beginnings are enough; Enter notes them"
        return f"which of your cards lies in zone {row.field}, the first placed first; one at a time"

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Note what is typed."""
        event.stop()
        row = row_of(event.input)
        if row is None or self._game is None or self._seat is None or not event.value.strip():
            return
        try:
            words = faces_of(self._game).words(event.value)
        except Refused as refusal:
            self._tell(sentence(refusal))
            return
        self._sent = event.input if isinstance(event.input, TextField) else None
        if row.field == HAND:
            self.post_message(self.Entered("hand_noted", {"seat": self._seat.id, "cards": words}))
        elif len(words) == 1:
            body = {"seat": self._seat.id, "zone": int(row.field), "card": words[0]}
            self.post_message(self.Entered("place_noted", body))

    def answered(self, refusal: str | None) -> None:
        """A line that was noted is empty again."""
        if refusal is None and self._sent is not None:
            self._sent.value = ""

    def _tell(self, text: str) -> None:
        self.query_one("#own-hint", Static).update(Content(text))


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
    rows += labelled("You placed", list(_placements(own)), LABEL, width) if own.placed else []
    return rows


def _placements(own: OwnView) -> Iterator[str]:
    for zones, faces in own.placed:
        where = f"zone {zones[0]}" if len(set(zones)) == 1 else f"zones {', '.join(map(str, zones))}"
        yield f"{', '.join(faces)} in {where}"


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
    said = known.reason if known.probability is None else remark
    return Content.assemble((chance(known), "bold"), f"  {said}" if said else "")


def chance(known: Odds) -> str:
    """Return a probability as a percentage and the exact fraction; `unknown` where there is none."""
    if known.probability is None:
        return "unknown"
    exact = known.probability
    if exact in (0, 1):
        return f"{exact * 100} %"
    fraction = f"{exact.numerator}/{exact.denominator}"
    return f"{percent(exact)}  {fraction}" if len(fraction) <= LONG else percent(exact)


def percent(exact: Fraction) -> str:
    """Return a percentage with one decimal; what is neither certain nor impossible never reads like it."""
    tenths = min(999, max(1, round(exact * 1000)))
    return f"{tenths // 10}.{tenths % 10} %"
