"""Pages about the whole record, which is read in the background: statistics, and reasons."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import ClassVar

from textual.binding import BindingType
from textual.content import Content

from companion.dashboard.registry import BACK, key_of
from companion.dashboard.screens.correcting.facts import as_word
from companion.dashboard.screens.correcting.page import IGNORED, STATES, evidence_of, kind_of
from companion.dashboard.screens.correcting.times import MomentWriter
from companion.dashboard.themes import seat_style
from companion.dashboard.widgets.labels import labelled
from companion.dashboard.widgets.page import ASKS_HERE, MARGIN, READING, TextPage, run_in_background
from companion.dashboard.widgets.plots import CHANGE, changes_of, score_plot, shot_plot
from companion.dashboard.widgets.tables import table_rows
from companion.display.panels import open_facts, panels_of
from companion.rules.clause_texts import cited, clauses
from companion.rules.columns import plural
from companion.rules.facts import Fact, Seat, called
from companion.rules.forms import label_of
from companion.rules.registry import GAMES, open_game
from companion.session.marshal_view import MarshalView, RulingLine
from companion.session.score_history import ScoreHistory
from companion.session.views import LineKind, LogLine, Refusal, TableView

Read = tuple[MarshalView, ScoreHistory]


class RecordPage(TextPage):
    """Shows what is known at once, and reads the record again in the background once it has grown."""

    def __init__(self) -> None:
        super().__init__()
        self._read: Read | None = None
        self._shown: object = None
        self._reading = False

    def show_body(self, view: TableView) -> None:
        super().show_body(view)
        if not self._reading and self._shown != view.log:
            self._shown, self._reading = view.log, True
            look = self.at.table.inspection
            run_in_background(
                self, lambda: (look.marshal(), look.score_history()), self._take, self._rested
            )

    def _take(self, read: Read) -> None:
        self._read = read
        self._rested()

    def _rested(self) -> None:
        self._reading = False
        self.show_now()


class StatisticsPage(RecordPage):
    """Everything that the game counts."""

    TITLE: ClassVar[str] = "Statistics"

    def text(self, view: TableView) -> Content:
        width = max(20, self.app.size.width - MARGIN)
        odds = panels_of(view.setup.game).odds(view.game) if self.at.app.odds else ()
        rows = table_rows((*odds, *self.at.game_screen.tables(view), open_facts(view.game)), width)
        plots = () if self._read is None else self._plots(view, width, *self._read)
        return Content("\n").join([*rows, *plots])

    def _plots(
        self, view: TableView, width: int, marshal: MarshalView, history: ScoreHistory
    ) -> Iterator[Content]:
        seats, scores = view.setup.seats, changes_of(history)
        unit = panels_of(view.setup.game).unit
        shots = shot_plot(marshal, seats, self.at.game_screen.counts_from, width)
        for title, rows in (
            (f"Scores after each {CHANGE}", score_plot(scores, seats, width, height=6, unit=unit)),
            ("Draws and shots of the last round", shots),
        ):
            if rows:
                yield from (Content(""), Content.styled(title, "bold"), *rows)


LABEL_CELLS = 12  # the width of the labels' column


def heading(text: str) -> Content:
    """Return the heading of a part of the page."""
    return Content.assemble((text, "bold $primary"))


def ruling_rows(
    ruling: RulingLine,
    view: MarshalView,
    times: MomentWriter,
    game: str,
    names: Mapping[str, str],
    width: int,
) -> list[Content]:
    """Return everything known about a ruling, in lines of `width` cells; `names` are the seats'."""
    fact = open_game(game).facts.get(ruling.kind) if game in GAMES else None
    kind = _kind(ruling.kind, fact)
    states = []
    if kind_of(ruling) is not LineKind.FACT:
        states.append(f"It {STATES[kind_of(ruling)]}.")
    if ruling.problem:
        states.append(ruling.problem)
    together = _together(ruling, view)
    parts: dict[str, Sequence[str]] = {
        "Ruling": [f"{ruling.shown}  {ruling.text}", *([" ".join(states)] if states else [])],
        "Kind": [kind] if kind else [],
        "When": [times.when(ruling.at, by_itself=ruling.by_itself)],
        "Who": [names.get(ruling.who, ruling.who)] if ruling.who else [],
        "Why": [ruling.why] if ruling.why else [],
        "Instead of": _replaced(ruling, view),
        "Details": _details(ruling, fact or Fact, names),
        "Evidence": _evidence(ruling, view, times),
        "Together": together,
    }
    rows: list[Content] = []
    for label, texts in parts.items():
        if texts:
            rows += labelled(label, texts, LABEL_CELLS, width)
    cited_in = " ".join((ruling.text, kind, ruling.problem or "", *together))
    return [*rows, *clause_rows(game, cited_in, width)]


def _replaced(ruling: RulingLine, view: MarshalView) -> list[str]:
    if ruling.original is None:
        return []
    for line in view.rulings:
        if line.n == ruling.original:
            return [f"{line.shown}  {line.text}"]
    return [str(ruling.original)]


def _kind(kind: str, fact: type[Fact] | None) -> str:
    """Return the kind of a fact and its clauses; "" for evidence that was not counted."""
    if fact is None:
        return ""
    named = ", ".join(cited(fact.__doc__ or ""))
    return f"{called(kind, fact)} ({named})" if named else called(kind, fact)


def _details(ruling: RulingLine, fact: type[Fact], names: Mapping[str, str]) -> list[str]:
    """Return the fields of the fact except its time, labelled as in a form.

    Evidence that was not counted has them in its text.
    """
    if ruling.kind == IGNORED:
        return []
    lines = []
    for name, value in ruling.body.items():
        if name == "at" or value in (None, "", []):
            continue
        word = names.get(value, value) if isinstance(value, str) else as_word(value)
        lines.append(f"{label_of(fact, name)}: {word}")
    return lines


def _evidence(ruling: RulingLine, view: MarshalView, times: MomentWriter) -> list[str]:
    numbers = evidence_of(view, ruling)
    lines = [
        f"{line.shown}  {line.text}, {times.when(line.at)}"
        for line in view.evidence
        if line.n in numbers
    ]
    if lines:
        return lines
    return ["none: automatic" if ruling.by_itself else "none: entered by hand"]


def _together(ruling: RulingLine, view: MarshalView) -> list[str]:
    """Return the other rulings from the same evidence, and those that this one names or that name
    it."""
    causes = set(ruling.causes)
    lines = []
    for line in view.rulings:
        named = line.n in _named_by(ruling) or ruling.n in _named_by(line)
        if line.n != ruling.n and (named or not causes.isdisjoint(line.causes)):
            lines.append(f"{line.shown}  {line.text}")
    return lines


def _named_by(ruling: RulingLine) -> tuple[object, object]:
    return ruling.body.get("shot"), ruling.body.get("entry")


def clause_rows(game: str, text: str, width: int) -> list[Content]:
    """Return the text of every clause named in `text`."""
    rows: list[Content] = []
    for name in cited(text):
        words = clauses(game).get(name)
        if words:
            rows.append(Content(""))
            rows += labelled(name, [words], LABEL_CELLS, width, style="bold $primary")
    return rows


def refusal_rows(
    refusals: Sequence[Refusal],
    *,
    log: Sequence[LogLine],
    times: MomentWriter,
    game: str,
    width: int,
) -> list[Content]:
    """Return refusals with their time and context, and the text of the clauses they name."""
    rows: list[Content] = []
    for refusal in refusals:
        parts = {
            "Refused": refusal.text,
            "When": times.when(refusal.at),
            "Behind": _last_line(log, refusal.after),
            "Awaited": refusal.awaiting,
        }
        if rows:
            rows.append(Content(""))
        for label, text in parts.items():
            if text:
                rows += labelled(label, [text], LABEL_CELLS, width)
    texts = " ".join(refusal.text for refusal in refusals)
    return [*rows, *clause_rows(game, texts, width)]


def _last_line(log: Sequence[LogLine], n: int) -> str:
    """Return the last line of the log at entry `n`, "" without one."""
    for line in reversed(log):
        if line.n <= n:
            return f"{line.number}  {line.text}"
    return ""


def score_rows(history: ScoreHistory, seats: Sequence[Seat], width: int) -> list[Content]:
    """Return for each seat the rulings that its score comes from, oldest first."""
    rows: list[Content] = []
    for seat in seats:
        score = 0
        steps: list[Content] = []
        for step in history:
            for seat_id, old, new in step.changed:
                if seat_id == seat.id:
                    text = f"{step.number}  {step.text}"
                    steps += labelled(f"  {old} to {new}", [text], LABEL_CELLS, width)
                    score = new
        head = f"{seat.glyph} {seat.name}: {score}"
        rows += [Content(""), Content.styled(head, f"bold {seat_style(seat.color)}"), *steps]
    return rows


EARLIER = "Earlier refusals, the newest first"


def refusals_of(view: TableView) -> tuple[Refusal | None, list[Refusal]]:
    """Return the refusal that is the last answer, None if that was none or if the record went on since, and the
    earlier ones, the newest first."""
    last, earlier = None, []
    notice = view.notice
    newest = view.log[-1].n if view.log else 0
    for refusal in reversed(view.refusals):
        is_answer = notice is not None and notice.refused and refusal.number == notice.number
        if is_answer and refusal.after >= newest:
            last = refusal
        else:
            earlier.append(refusal)
    return last, earlier


class Reasons:
    """What was made of a record and why, in lines of `width` cells.

    `counts_from` are the kinds of facts from which times are counted.
    """

    def __init__(
        self, view: TableView, read: Read, counts_from: Collection[str], width: int
    ) -> None:
        self._view, self._width = view, width
        self._marshal, self._history = read
        self._times = MomentWriter(self._marshal, counts_from)

    def of_entry(self, n: int) -> list[Content]:
        """Return the reason for one line of the log."""
        view, width = self._view, self._width
        rulings = {line.n: line for line in self._marshal.rulings}
        if n not in rulings:
            return self._of_log_line(n)
        names = {seat.id: seat.name for seat in view.setup.seats}
        game = view.setup.game
        rows = ruling_rows(rulings[n], self._marshal, self._times, game, names, width)
        changes = []
        for step in self._history:
            if step.n == n:
                for seat, old, new in step.changed:
                    changes.append(f"{names.get(seat, seat)} {old} to {new}")
        if changes:
            rows += [Content(""), Content(f"Scores: {', '.join(changes)}")]
        return rows

    def _of_log_line(self, n: int) -> list[Content]:
        """Return the line of an entry that is no ruling, and the text of the clauses it names."""
        number: str | int = n
        text = "that line is no longer in the log"
        for line in self._view.log:
            if line.n == n:
                number, text = line.number, line.text
        head = Content.styled(f"{number}  {text}", "bold")
        return [head, *clause_rows(self._view.setup.game, text, self._width)]

    def of_all(self, last: Refusal | None, earlier: Sequence[Refusal]) -> list[Content]:
        """Return the reasons for the last answer, the last ruling, each score, and earlier
        refusals."""
        view, width = self._view, self._width
        rows: list[Content] = []
        refusals = partial(
            refusal_rows, log=view.log, times=self._times, game=view.setup.game, width=width
        )
        if last is not None:
            rows += [heading("The last answer"), *refusals([last]), Content("")]
        if earlier:
            count = plural(len(earlier), "earlier refusal", "earlier refusals")
            rows += [Content(f"{count} below: End"), Content("")]
        if self._marshal.rulings:
            newest = self.of_entry(self._marshal.rulings[-1].n)
            rows += [heading("The last ruling"), *newest, Content("")]
        rows.append(heading("Where each score comes from"))
        rows += score_rows(self._history, view.setup.seats, width)
        if earlier:
            rows += [Content(""), heading(EARLIER), *refusals(earlier)]
        return rows


class ReasonsPage(RecordPage):
    """Opens over whatever was asked about; Esc goes back to it."""

    TITLE: ClassVar[str] = "Why"
    CLOSE = f"{key_of(BACK)} back   / ask about the rules   arrow and page keys scroll"
    NOT_HERE = ASKS_HERE
    BINDINGS: ClassVar[list[BindingType]] = [("slash", "ask")]

    def __init__(self, view: TableView, entry: int | None = None) -> None:
        """`view` is the state when it was asked; `entry` is the line asked about.

        Without an `entry`, it shows the last answer, the last ruling, and the scores.
        """
        super().__init__()
        self._entry = entry
        self._last, self._earlier = refusals_of(view)

    def lets_through(self, action_id: str) -> bool:
        """Let no key at all through: people come from an answer, and type the next question."""
        return action_id in READING

    def action_ask(self) -> None:
        """Ask about the rules, again if the page was opened from an answer."""
        self.at.pages.ask()

    def text(self, view: TableView) -> Content:
        if self._read is None:
            return Content("The record is being read ...")
        width = max(20, self.app.size.width - MARGIN)
        reasons = Reasons(view, self._read, self.at.game_screen.counts_from, width)
        if self._entry is None:
            return Content("\n").join(reasons.of_all(self._last, self._earlier))
        return Content("\n").join(reasons.of_entry(self._entry))
