"""Behind a seat's curtain: the Hidden cards it saw, and how likely a Starfall is in each region."""

from __future__ import annotations

from dataclasses import replace
from itertools import zip_longest
from typing import Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content

from companion.dashboard.game_screen import SecretPart
from companion.dashboard.screens.page import keys_of as app_keys
from companion.dashboard.widgets.static import Static
from companion.games.fractured_sky.rules.deduction import Chance, Deduction, percent
from companion.games.fractured_sky.rules.picture import keys_of
from companion.games.fractured_sky.rules.view import Card, FracturedSkyView, cards_of, id_of, name_of, note_lines
from companion.games.fractured_sky.screen.marks import presses
from companion.rules.game import Seat
from companion.rules.panels import line_of

NAME_CELLS = 17


class SecretCards(SecretPart, can_focus=True, inherit_bindings=False):
    """Arrow keys choose a card that the seat saw, a region's key says what it shows; below stands what follows."""

    DEFAULT_CSS = """
    SecretCards { layout: vertical; height: 1fr; }
    SecretCards #sky-cards { height: auto; }
    SecretCards VerticalScroll { height: 1fr; scrollbar-size-vertical: 1; }
    SecretCards #sky-follows { height: auto; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,left", "step(-1)", show=False),
        Binding("down,right", "step(1)", show=False),
        Binding("pageup", "scroll(-1)", show=False),
        Binding("pagedown", "scroll(1)", show=False),
    ]

    _seat: Seat | None = None
    _game: FracturedSkyView | None = None
    _place = 0

    def compose(self) -> ComposeResult:
        yield Static(id="sky-cards")
        with VerticalScroll(can_focus=False):
            yield Static(id="sky-follows")

    def on_mount(self) -> None:
        self.focus()

    def show_seat(self, seat: Seat, secrets: Any) -> None:
        """Show what that seat saw, and what it can deduce."""
        self._seat, self._game = seat, replace(secrets, keys=app_keys(self.app))
        self._fill()

    def _fill(self) -> None:
        if self._game is None or self._seat is None:
            return
        cards = cards_of(self._game, self._seat.id)
        self._place = max(0, min(self._place, len(cards) - 1))
        rows = [_card(self._game, card, here=at == self._place) for at, card in enumerate(cards)]
        hint = "" if self._game.dealt or not cards else "arrows choose a card, a region's key says what it shows"
        rows = rows or [Content("no card of this round was looked at yet")]
        self.query_one("#sky-cards", Static).update(Content("\n").join([*rows, Content.assemble((hint, "$quiet"))]))
        follows = deduced(self._game, self._game.deduction) if self._game.deduction is not None else []
        self.query_one("#sky-follows", Static).update(Content("\n").join(follows))

    # -- keys

    def action_step(self, by: int) -> None:
        self._place += by
        self._fill()

    def action_scroll(self, by: int) -> None:
        self.query_one(VerticalScroll).scroll_relative(y=by * 5, animate=False)

    def on_key(self, event: events.Key) -> None:
        """Tell the companion which region the chosen card shows."""
        if self._game is None or self._seat is None or self._game.dealt:
            return
        cards = cards_of(self._game, self._seat.id)
        region = next((region for region, key in keys_of(self._game).items() if presses(event, key)), None)
        if region is not None and cards:
            event.stop()
            line = line_of(note_lines(self._game, self._seat.id), id_of(cards[self._place]))
            self.post_message(self.Entered(line.kind, line.body({"region": region})))
        elif cards and event.is_printable:
            said = f"No region has the key {event.character}. Press that of the region which the card shows."
            self.post_message(self.NotTaken(said))


def _card(game: FracturedSkyView, card: Card, *, here: bool) -> Content:
    seen = next((one.region for one in game.sights if (one.where, one.number) == card), None)
    keys = keys_of(game)
    shows = f"{keys[seen]} {game.table.board.name(seen)}" if seen is not None else "not told yet"
    mark = ("> ", "bold $accent") if here else "  "
    return Content.assemble(mark, f"{name_of(card)}: ", (shows, "bold" if seen else "$quiet"))


def deduced(game: FracturedSkyView, deduction: Deduction) -> list[Content]:
    """Return the chances of no, one and two Starfalls in each region this round, then the reasons."""
    keys, rows = keys_of(game), []
    if deduction.regions:
        numbers = f"{'0':>5}{'1':>5}{'2':>5}"
        head = f"{'Starfalls, * now':<{NAME_CELLS}}{numbers}{'':<{NAME_CELLS + 6}}{numbers}"
        rows.append(Content.assemble((head, "bold")))
        cells = [_chance(game, keys, chance) for chance in deduction.regions]
        half = (len(cells) + 1) // 2
        rows += [Content("  ".join(pair).rstrip()) for pair in zip_longest(cells[:half], cells[half:], fillvalue="")]
    for card in deduction.cards:
        likely = ", ".join(f"{keys[region]} {percent(each)}" for region, each in card.regions)
        rows.append(Content.assemble((f"card {card.card}: ", "$quiet"), likely))
    rows += [Content(step.text) for step in deduction.reasons]
    return rows


def _chance(game: FracturedSkyView, keys: dict[str, str], chance: Chance) -> str:
    name = f"{keys[chance.region]} {game.table.board.name(chance.region)}"
    cells = "".join(f"{percent(each):>5}" for each in chance.this_round)
    now = f"*{chance.showing}" if chance.showing else ""
    return f"{name:<{NAME_CELLS}.{NAME_CELLS}}{cells} {now:<3}"
