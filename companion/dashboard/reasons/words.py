"""A reason as text: what was ruled, what it rests on, who had a hand in it, and the clauses. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from textual.content import Content

from companion.dashboard.correcting.facts import as_word
from companion.dashboard.correcting.rows import IGNORED, evidence_of, sign
from companion.dashboard.correcting.times import MomentWriter
from companion.dashboard.reasons.clauses import cited, clause
from companion.dashboard.themes import seat_style
from companion.dashboard.widgets.labels import labelled
from companion.rules.game import Seat, called
from companion.rules.registry import GAMES, open_game
from companion.session.marshal_view import MarshalView, RulingLine
from companion.session.score_history import Course, ScoreStep
from companion.session.views import LineKind, LogLine, Refusal

LABEL_CELLS = 12
HOST = "host-"
UNSTAMPED = "at a time nobody stamped"
_STATES = {
    LineKind.FACT: "It stands.",
    LineKind.IGNORED: "It was not counted.",
    LineKind.VOIDED: "It is taken back.",
    LineKind.BROKEN: "It makes no sense any more.",
}


def heading(text: str) -> Content:
    """Return the heading of a part of the page."""
    return Content.assemble((text, "bold $primary"))


def ruling_rows(
    ruling: RulingLine, view: MarshalView, times: MomentWriter, game: str, seats: Mapping[str, Seat], width: int
) -> list[Content]:
    """Return all that is known of why a ruling stands, in lines of `width` cells."""
    state, kind = _STATES[sign(ruling)], _kind(ruling, game)
    parts: list[tuple[str, list[str]]] = [
        ("Ruling", [f"{ruling.n}  {ruling.text}", f"{state} {ruling.problem}" if ruling.problem else state]),
        ("Kind", [kind] if kind else []),
        ("When", [times.when(ruling.at)]),
        ("Who", [seats[ruling.who].name if ruling.who in seats else ruling.who] if ruling.who else []),
        ("Why", [ruling.why] if ruling.why else []),
        ("In place of", [_of(view, ruling.original)] if ruling.original is not None else []),
        ("Told", [f"{name.replace('_', ' ')}: {value}" for name, value in _said(ruling, seats)]),
        ("Evidence", _evidence(ruling, view, times)),
        ("Together", _together(ruling, view)),
    ]
    rows = [line for label, said in parts if said for line in labelled(label, said, LABEL_CELLS, width)]
    said = " ".join((ruling.text, kind, ruling.problem or "", *_together(ruling, view)))
    return [*rows, *clause_rows(game, said, width)]


def _kind(ruling: RulingLine, game: str) -> str:
    """What kind of fact it is and which clauses it is of; nothing for evidence that was not counted."""
    fact = open_game(game).facts.get(ruling.kind) if game in GAMES else None
    if fact is None:
        return ""
    clauses = ", ".join(cited(fact.__doc__ or ""))
    return f"{called(ruling.kind, fact)} ({clauses})" if clauses else called(ruling.kind, fact)


def _said(ruling: RulingLine, seats: Mapping[str, Seat]) -> Iterable[tuple[str, object]]:
    """What the fact says beside its moment, which stands above; evidence that was not counted says it in its text."""
    if ruling.kind == IGNORED:
        return
    for name, value in ruling.body.items():
        if name != "at" and value not in (None, "", []):
            yield name, seats[value].name if isinstance(value, str) and value in seats else as_word(value)


def _of(view: MarshalView, n: int) -> str:
    return next((f"{line.n}  {line.text}" for line in view.rulings if line.n == n), str(n))


def _evidence(ruling: RulingLine, view: MarshalView, times: MomentWriter) -> list[str]:
    numbers = evidence_of(view, ruling)
    said = [f"{line.n}  {line.text}, {times.when(line.at)}" for line in view.evidence if line.n in numbers]
    return said or ["none: it was entered by hand"]


def _together(ruling: RulingLine, view: MarshalView) -> list[str]:
    """The other rulings of the same evidence, and those that name this one or that it names."""
    named = {value for name, value in ruling.body.items() if name in ("shot", "entry") and isinstance(value, int)}
    return [
        f"{line.n}  {line.text}"
        for line in view.rulings
        if line.n != ruling.n
        and (line.n in named or ruling.n in _names(line.body) or not set(ruling.causes).isdisjoint(line.causes))
    ]


def _names(body: Mapping[str, object]) -> tuple[object, ...]:
    return tuple(body.get(name) for name in ("shot", "entry"))


def clause_rows(game: str, text: str, width: int) -> list[Content]:
    """Return the words of every clause that a text names."""
    rows: list[Content] = []
    for name in cited(text):
        words = clause(game, name)
        if words is not None:
            rows += [Content(""), *labelled(name, [words], LABEL_CELLS, width, style="bold $primary")]
    return rows


def refusal_rows(
    refusals: Sequence[Refusal], *, log: Sequence[LogLine], times: MomentWriter, game: str, width: int
) -> list[Content]:
    """Return refusals, each with its moment and what stood then, and the words of the clauses that they name."""
    rows: list[Content] = []
    for refusal in refusals:
        behind = next((f"{line.n}  {line.text}" for line in reversed(log) if line.n <= refusal.after), "")
        parts = [
            ("Refused", refusal.text), ("When", times.when(refusal.at)), ("Behind", behind),
            ("Awaited", refusal.awaiting),
        ]  # fmt: skip
        rows += [
            Content(""),
            *(row for label, said in parts if said for row in labelled(label, [said], LABEL_CELLS, width)),
        ]
    said = " ".join(refusal.text for refusal in refusals)
    return [*rows[1:], *clause_rows(game, said, width)]


def score_rows(course: Course, seats: Sequence[Seat], width: int) -> list[Content]:
    """Return for each seat the rulings that its score comes from, oldest first."""
    rows: list[Content] = []
    for seat in seats:
        steps = [(step, old, new) for step in course.steps for who, old, new in step.changed if who == seat.id]
        head = f"{seat.glyph} {seat.name}: {steps[-1][2] if steps else 0}"
        rows += [Content(""), Content.assemble((head, f"bold {seat_style(seat.color)}"))]
        rows += [row for step in steps for row in _step(*step, width)]
    return rows


def _step(step: ScoreStep, old: int, new: int, width: int) -> list[Content]:
    return labelled(f"  {old} to {new}", [f"{step.n}  {step.text}"], LABEL_CELLS, width)
