"""The marshal screen as text: two columns of one row an entry, and everything about one entry. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from textual.content import Content

from companion.dashboard.correcting.times import CELLS, MomentWriter
from companion.dashboard.widgets.log import CURSOR
from companion.rules.game import Seat
from companion.session.marshal_view import EvidenceLine, MarshalView, RulingLine
from companion.session.plain import MARKS
from companion.session.views import LineKind

IGNORED = "ignored"
BELONGS = "* "
"""Stands before what belongs to the cursor's line on the other side."""

_ROOMY = 60  # cells of a column from which on a ruling carries its time too
_WORDS = {
    LineKind.FACT: "stands",
    LineKind.IGNORED: "not counted",
    LineKind.VOIDED: "taken back",
    LineKind.BROKEN: "makes no sense any more",
}
_STYLES = {LineKind.IGNORED: "$quiet", LineKind.VOIDED: "strike $quiet", LineKind.BROKEN: "bold $error"}


def sign(ruling: RulingLine) -> LineKind:
    """Return what a ruling is now, as the log would sign it."""
    if not ruling.stands:
        return LineKind.VOIDED
    if ruling.problem is not None:
        return LineKind.BROKEN
    return LineKind.IGNORED if ruling.kind == IGNORED else LineKind.FACT


def rulings_of(view: MarshalView, evidence: EvidenceLine) -> list[int]:
    """Return the numbers of the rulings that rest on that evidence, in fold order."""
    return [line.n for line in view.rulings if evidence.n in line.causes or line.n in evidence.read_in]


def evidence_of(view: MarshalView, ruling: RulingLine) -> list[int]:
    """Return the numbers of the evidence that a ruling rests on, in the board's order."""
    return [line.n for line in view.evidence if line.n in ruling.causes or ruling.n in line.read_in]


def evidence_row(line: EvidenceLine, times: MomentWriter, width: int) -> Content:
    """Return one thing the board said in one row of `width` cells, its mark left out; a dot where something was made
    of it."""
    style, sign_of_use = ("$foreground", MARKS[LineKind.FACT]) if line.read_in else ("$quiet", " ")
    time = (f"{times.text(line.at):>{CELLS}} ", "$quiet")
    return _fitted(Content.assemble(time, (f"{sign_of_use} {line.text}", style)), width)


def ruling_row(line: RulingLine, times: MomentWriter, width: int) -> Content:
    """Return one ruling in one row of `width` cells, its mark left out; its time where there is room."""
    kind = sign(line)
    style = _STYLES.get(kind, "$foreground")
    time = f"{times.text(line.at):>{CELLS}} " if width >= _ROOMY else ""
    mark = (f"{MARKS[kind]} ", style.removeprefix("strike "))
    return _fitted(Content.assemble(mark, (time, "$quiet"), (line.text, style)), width)


def marked(row: Content, *, cursor: bool, belongs: bool) -> Content:
    """Return the row behind its mark: the cursor, or the sign of what belongs to the cursor's line."""
    if not (cursor or belongs):
        return Content.assemble(" " * len(CURSOR), row)
    return Content.assemble((CURSOR if cursor else BELONGS, "bold $accent"), row).stylize("on $panel")


def _fitted(row: Content, width: int) -> Content:
    return row.truncate(width, ellipsis=True, pad=True)


def about_evidence(line: EvidenceLine, view: MarshalView, times: MomentWriter) -> Content:
    """Return all there is to say of one thing the board said."""
    texts = {ruling.n: ruling for ruling in view.rulings}
    made = [f"{n} {texts[n].text} ({_WORDS[sign(texts[n])]})" for n in rulings_of(view, line)]
    parts = (times.when(line.at), f"led to {'; '.join(made)}" if made else "led to nothing")
    return Content.assemble(f"{line.n}  ", (line.text, "bold"), "".join(f" - {part}" for part in parts if part))


def about_ruling(line: RulingLine, view: MarshalView, times: MomentWriter, seats: Mapping[str, Seat]) -> Content:
    """Return all there is to say of one ruling: whether it stands, what it rests on, who changed it and why."""
    said = {evidence.n: evidence.text for evidence in view.evidence}
    rests = [f"{n} {said[n]}" for n in evidence_of(view, line)]
    state = f"{_WORDS[sign(line)]}{f': {line.problem}' if line.problem else ''}"
    parts = [state]
    parts += [f"in the place of {line.original}"] if line.original is not None else []
    parts += [f"why: {line.why}"] if line.why else []
    parts += [f"who: {seats[line.who].name if line.who in seats else line.who}"] if line.who else []
    parts += [times.when(line.at), f"rests on {', '.join(rests)}" if rests else "by hand"]
    return Content.assemble(f"{line.n}  ", (line.text, "bold"), "".join(f" - {part}" for part in parts if part))
