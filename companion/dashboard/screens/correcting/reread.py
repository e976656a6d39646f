"""Forms for reading the evidence with other settings, and for what is automatic."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content

from companion.dashboard.screens.correcting.page import REST
from companion.dashboard.source import Clock, TableLike
from companion.dashboard.widgets.form import (
    WHO,
    WHY,
    Choice,
    FieldChanged,
    FieldRow,
    Form,
    TextField,
)
from companion.dashboard.widgets.page import run_in_background
from companion.dashboard.widgets.static import Static
from companion.rules.clauses import without_clause_of_refusal, without_clauses
from companion.rules.facts import Seat
from companion.rules.gestures import GestureSettings
from companion.rules.registry import open_game
from companion.session.marshal_view import MarshalView
from companion.session.rereading import Rereading
from companion.session.views import Level, TableView

WINDOW, PEAK, HOLD, LOCK = "window", "peak", "hold", "lock"
US_PER_MS = 1000
AGAIN_S = 0.5  # seconds between checks whether the record has grown

# A pull and its hit come within 100 ms (hit sensors, companion/rules/gestures.py); an ADC of the board has 16 bits.
MOST = {WINDOW: 1_000, PEAK: 65_535, HOLD: 10_000, LOCK: 1_000}
ASKED = {WINDOW: "pull to hit, ms", PEAK: "weakest hit", HOLD: "hold, ms", LOCK: "bounce, ms"}
HINTS = {
    WINDOW: "longest time between pull and hit of one shot; for example 100",
    PEAK: "weakest hit that counts, for example 200; empty: as the board is set",
    HOLD: "shortest press that is a hold; for example 600",
    LOCK: "how long a worn contact bounces, for example 60; empty: as the board is set",
}


class RereadForm(Form):
    """The settings, and below them what they would change.

    It is computed in the background, and again when the record grows.
    """

    TITLE: ClassVar[str] = "Re-read sensors"
    ASKS: ClassVar[str] = "Change a setting and see what would change."
    KEYS: ClassVar[str] = "Enter save   Esc cancel   Tab next field   page keys scroll"
    BINDINGS: ClassVar[list[BindingType]] = [("pageup", "scroll(-1)"), ("pagedown", "scroll(1)")]

    def __init__(self, table: TableLike, clock: Clock, marshal: MarshalView) -> None:
        super().__init__(table)
        self._clock = clock
        self._marshal = marshal
        self._settings = marshal.settings
        self._rereading: Rereading | None = None
        self._read_at: object = None  # the log and the disk's state that the difference is for
        self._reading = False
        self._rest_until_s = clock()
        self._wrong: str | None = None

    def rows(self) -> Iterable[FieldRow]:
        now = self._settings
        peak = "" if now.min_peak is None else str(now.min_peak)
        lock = "" if now.lock_us is None else str(now.lock_us // US_PER_MS)
        hold = str(now.hold_us // US_PER_MS)
        words = {WINDOW: str(now.window_us // US_PER_MS), PEAK: peak, HOLD: hold, LOCK: lock}
        for name, word in words.items():
            yield FieldRow(name, TextField(word), HINTS[name], label=ASKED[name])
        yield from self.who_and_why()

    def below(self) -> ComposeResult:
        with VerticalScroll(id="difference", can_focus=False):
            yield Static(id="changes")

    def on_mount(self) -> None:
        self.set_interval(AGAIN_S, self.catch_up)
        self._read()

    @property
    def wanted(self) -> GestureSettings:
        """The settings in the form; raises `ValueError` with one sentence."""
        window = self._required(WINDOW)
        hold = self._required(HOLD)
        peak = self._number(PEAK)
        lock = self._number(LOCK)
        lock_us = None if lock is None else lock * US_PER_MS
        return replace(
            self._settings,
            window_us=window * US_PER_MS,
            hold_us=hold * US_PER_MS,
            min_peak=peak,
            lock_us=lock_us,
        )

    def _required(self, name: str) -> int:
        number = self._number(name)
        if number is None:
            raise ValueError(f"{ASKED[name]}: a whole number is missing")
        return number

    def _number(self, name: str) -> int | None:
        word = self.word(name)
        if not word:
            return None
        if not (word.isascii() and word.isdigit() and len(word) < 7 and int(word) <= MOST[name]):
            raise ValueError(f"{ASKED[name]}: a whole number up to {MOST[name]}, not {word!r}")
        return int(word)

    # -- reading

    async def on_field_changed(self, event: FieldChanged) -> None:
        event.stop()
        self._read()

    def catch_up(self) -> None:
        """Read again if the record has grown and the last reading left enough time for live input."""
        if self._read_at != _grown(self._table.view()) and self._clock() >= self._rest_until_s:
            self._read()

    def _read(self) -> None:
        """Read with the settings in the form, one reading at a time, in the background."""
        try:
            self._wrong, settings = None, self.wanted
        except ValueError as problem:
            self._wrong = str(problem)
        else:
            if not self._reading:
                self._reading, self._read_at = True, _grown(self._table.view())
                run_in_background(
                    self, partial(self._difference, settings), self._take, self._failed
                )
        self._fill()

    def _difference(self, settings: GestureSettings) -> tuple[MarshalView, Rereading, float]:
        """Return the present record, what the settings would change, and the seconds it took."""
        begun_s = self._clock()
        return (
            self._table.inspection.marshal(),
            self._table.inspection.reread(settings),
            self._clock() - begun_s,
        )

    def _failed(self) -> None:
        self._reading, self._rereading = False, None
        self._fill()

    def _take(self, read: tuple[MarshalView, Rereading, float]) -> None:
        self._reading = False
        self._marshal, self._rereading, took_s = read
        self._rest_until_s = self._clock() + REST * took_s
        if self._wrong is None and self.wanted != self._rereading.settings:
            self._read()
        else:
            self._fill()

    def _fill(self) -> None:
        if self._wrong is not None:
            content = Content.assemble((f"! {self._wrong}", "bold $warning"))
        elif self._rereading is None and not self._reading:
            content = Content.assemble(("The difference cannot be shown.", "$quiet"))
        elif self._rereading is None or self._rereading.settings != self.wanted:
            content = Content.assemble(("Reading the sensors ...", "$quiet"))
        else:
            content = difference(self._rereading, self._marshal, self._view.setup.seats)
        self.query_one("#changes", Static).update(content)

    # -- keys

    def action_scroll(self, by: int) -> None:
        scroll = self.query_one("#difference", VerticalScroll)
        scroll.scroll_relative(y=by * max(1, scroll.size.height - 1), animate=False)

    def send(self) -> str | None:
        rereading = self._rereading
        if self._wrong is not None:
            return self._wrong
        if rereading is None or rereading.settings != self.wanted:
            return "Still reading. Press Enter once the difference is shown."
        self._table.accept(rereading, why=self.word(WHY), who=self.word(WHO))
        return None


def difference(rereading: Rereading, marshal: MarshalView, seats: Iterable[Seat]) -> Content:
    """Return what a rereading would change: scores, each fact lost or found, then what would break."""
    rows = [_scores(rereading.before, rereading.after, seats)]
    for change in rereading.changes:
        rows.append(Content.assemble((f"{change.sign:<6}", "bold"), change.text))
    rulings = {line.n: line for line in marshal.rulings}
    for n, why in sorted(rereading.broken.items()):
        if n in rulings:
            text = without_clauses(rulings[n].text)
            broken = f"! {text}: no longer possible, {without_clause_of_refusal(why)}"
            rows.append(Content.styled(broken, "bold $error"))
    if not rereading.changes and not rereading.broken:
        text = "Nothing changes now. Later shots and presses are read this way."
        if rereading.settings == marshal.settings:
            text = "These settings are in use: nothing changes."
        rows.append(Content(text))
    return Content("\n").join(rows)


def _scores(before: Mapping[str, int], after: Mapping[str, int], seats: Iterable[Seat]) -> Content:
    names = {seat.id: seat.name for seat in seats}
    parts = []
    for seat, score in before.items():
        text, style = f"{names.get(seat, seat)} {score}", "$quiet"
        new = after.get(seat, score)
        if new != score:
            text, style = f"{text} -> {new}", "bold"
        parts.append(Content.styled(text, style))
    return Content.assemble(("Scores: ", "$quiet"), Content(", ").join(parts))


def _grown(view: TableView) -> object:
    """Return a value that differs once the record has changed."""
    return view.log, view.saved


class LevelsForm(Form):
    """A choice for each kind of step of the game; Enter sets those that were changed."""

    TITLE: ClassVar[str] = "What happens automatically?"
    ASKS: ClassVar[str] = "Choose for each kind what the board does."

    def __init__(self, table: TableLike, levels: Mapping[str, Level]) -> None:
        super().__init__(table)
        self._steps = open_game(self._view.setup.game).steps
        self._levels = levels

    def rows(self) -> Iterable[FieldRow]:
        for step in self._steps:
            level = self._levels.get(step.name, Level.AUTOMATIC)
            hint = f"when the board reports it: {step.label}"
            choices = [(choice, choice.counts) for choice in Level]
            yield FieldRow(step.name, Choice(choices, level), hint, label=step.label)

    def send(self) -> None:
        for step in self._steps:
            level = Level(self.word(step.name))
            if level != self._levels.get(step.name, Level.AUTOMATIC):
                self._table.set_level(step.name, level)
