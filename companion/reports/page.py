"""The report of a session: one HTML file that loads nothing, for screens of any size and for paper."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime, tzinfo
from importlib.resources import files

from companion.display.panels import panels_of
from companion.display.tables import PanelTable
from companion.errors import CommandError
from companion.journal.wall_clock import (
    UNKNOWN,
    begun_text,
    date_text,
    instant_of,
    is_set,
    local_time,
    of_local,
    time_text,
)
from companion.reports import bgstats
from companion.reports.charts import matrix_chart, score_chart, time_chart
from companion.reports.clauses import ClauseLinks
from companion.reports.evidence import EvidenceFigures, Unknown, evidence_of
from companion.reports.games import (
    GameReport,
    TimeLine,
    changed_rules,
    known_columns,
    report_of,
    scores_of,
    tables_of,
)
from companion.reports.markup import (
    SCREEN,
    Markup,
    document,
    element,
    join,
    paragraph,
    scrolled,
    text,
)
from companion.reports.pictures.any_picture import picture_style
from companion.reports.qr import qr_svg
from companion.reports.record import Record, RecordedFact
from companion.reports.tables import shown_html, table, table_style
from companion.rules.actions import without_keys
from companion.rules.columns import plural
from companion.rules.facts import Seat
from companion.rules.outcome import ending_of
from companion.rules.registry import GAMES
from companion.rules.spans import measured

# The page may style itself and nothing else: no script, no picture, no request, whatever a name tries.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def format_html(record: Record, zone: tzinfo | None = None) -> str:
    """Return the report; times of day are in `zone`, None for this machine's."""
    report, evidence = report_of(record), evidence_of(record.entries)
    times = [local_time(instant_of(line.entry.wall), zone) for line in record.facts]
    links = ClauseLinks(record)
    parts = (
        _head(record, report, zone),
        _charts(record, report),
        _tables(record),
        _rulings(record, report, times, links),
        links.section(),
        _evidence(record, evidence, zone),
        _session_facts(record, evidence, zone, twice=any(time.fold for time in times)),
        _bgstats(record),
    )
    page = files(__package__).joinpath("page.css").read_text(encoding="utf-8")
    style = Markup(f"{page}{table_style()}{picture_style()}")
    policy = element("meta", http_equiv="Content-Security-Policy", content=_POLICY)
    ending = ending_of(record.game, record.state, panels_of(record.game.id).unit)
    headline = "not over" if ending is None else ending.headline
    title = element("title", text(f"{record.game.title}: {headline} - Table companion"))
    return document((policy, SCREEN, title, element("style", style)), [element("main", *parts)])


def _head(record: Record, report: GameReport, zone: tzinfo | None) -> Markup:
    unit = panels_of(record.game.id).unit
    ending = ending_of(record.game, record.state, unit)
    if ending is None:
        awaited = without_keys(record.game.awaiting(record.state)) or "the next move is awaited."
        headline, outcome, times = "not over", f"The game is not over: {awaited}", None
    else:
        headline, outcome, times = ending.headline, ending.decided, ending.times
    seats, figures = record.setup.seats, report.figures(record)
    columns = known_columns(report.columns(record.state), [figures[seat.id] for seat in seats])
    rows = []
    for place, seat in enumerate(seats):
        name, score = _name_and_score(record, seat)
        timed = () if times is None else times.rows[seat.id]
        own = (cells[place] for _, cells in columns)
        rows.append(tuple(map(text, (name, *timed, score, *own))))
    heads = () if times is None else times.heads
    head = ("seat", *heads, unit, *(column.head for column, _ in columns))
    return join(
        (
            element("h1", text(f"{record.game.title}: {headline}")),
            paragraph(_when(record, zone), "soft"),
            element("p", text(GAMES[record.game.id].credits), class_="soft"),
            paragraph(outcome),
            element("div", table("Result", head, rows, set(range(1, len(head)))), class_="result"),
        )
    )


def _when(record: Record, zone: tzinfo | None) -> str:
    first, last = map(instant_of, record.played_wall)
    if not is_set(first):
        return f"{UNKNOWN} (the computer's clock was not set)"
    return f"{date_text(first, zone)} to {time_text(last, zone)} ({local_time(first, zone):UTC%z})"


def _name_and_score(record: Record, seat: Seat) -> tuple[str, str]:
    common = record.game.common(record.state)
    name = f"{seat.glyph} {seat.name}"
    if seat.id in common.left:
        name += " (left)"
    score = str(record.game.standings(record.state)[seat.id])
    added = common.added(seat.id)
    if added:
        score += f" ({added:+d} by hand)"
    return name, score


def _charts(record: Record, report: GameReport) -> Markup:
    seats = record.setup.seats
    scores = scores_of(record)
    figures: list[Markup] = []
    if scores:
        unit = panels_of(record.game.id).unit
        figures.append(_figure(f"{unit} by round", score_chart(scores, seats, unit)))
    matrix = report.matrix(record.state)
    if any(map(any, matrix)):
        figures.append(_figure("Who eliminated whom", matrix_chart(matrix, seats)))
    figures += [_figure(picture.caption, picture.svg) for picture in report.pictures(record)]
    for drawing in tables_of(record):
        if not isinstance(drawing, PanelTable):
            figures.append(_figure(drawing.title, shown_html(drawing), "whole-row"))
    charts = element("div", *figures, class_="charts")
    rounds = [_round(line, seats) for line in report.time_lines(record)]
    if not rounds:
        return charts
    signs = "A stroke is a draw; a ring on the gun's line is a shot, with its shooter's sign above; x is no shot."
    timed = element("div", *rounds, class_="charts")
    return join((charts, element("h2", text("Rounds in time")), paragraph(signs, "soft"), timed))


def _tables(record: Record) -> Markup:
    parts = [element("h2", text("How it stood"))]
    for shown in tables_of(record):
        if isinstance(shown, PanelTable):
            if shown.title:
                parts.append(element("h3", text(shown.title)))
            parts.append(shown_html(shown))
    return join(parts)


def _round(line: TimeLine, seats: Sequence[Seat]) -> Markup:
    if line.clock is None:
        notes = ["nobody knows when it began"]
    else:
        notes = ["the board's clock" if line.by_board else "the host's clock, by keys"]
    if line.lit is not None:
        notes.append(
            f"0 is fire! as recorded, and the lamp was lit {measured(line.lit.us, line.lit.pm)} later"
        )
    if line.unplaced:
        notes.append(f"{line.unplaced} more at times nobody can know")
    content = [time_chart(line, seats)] if line.marks else []
    content.append(paragraph("; ".join(notes), "soft"))
    return _figure(line.title, join(content))


def _figure(caption: str, content: Markup, kind: str = "") -> Markup:
    attributes = {"class_": kind} if kind else {}
    return element("figure", element("figcaption", text(caption)), content, **attributes)


def _rulings(
    record: Record, report: GameReport, times: Sequence[datetime], links: ClauseLinks
) -> Markup:
    """Return the facts in fold order, with their times of day and links to their clauses."""
    rows = []
    left_out = Counter[str]()
    for line, time in zip(record.facts, times, strict=True):
        if line.entry.kind in report.no_rulings and line.counts and not line.remark:
            left_out[line.entry.kind.replace("_", " ")] += 1
        else:
            rows.append(_ruling(line, time, links))
    note = ""
    if left_out:
        kinds = ", ".join(f"{kind} ({count})" for kind, count in left_out.items())
        note = f"In the order in which they count. Not listed: {kinds}."
    heads = (element("th", text(head), scope="col") for head in ("entry", "time", "ruling"))
    head = element("tr", *heads)
    rulings = element("table", element("thead", head), element("tbody", *rows))
    about = element("p", text(note), class_="soft")
    return join((element("h2", text("Rulings")), about, scrolled("Rulings", rulings)))


def _ruling(line: RecordedFact, time: datetime, links: ClauseLinks) -> Markup:
    kind, why = "", ""
    if line.void is not None:
        kind, why = "void", f"(taken back: {line.why})"
    elif line.problem is not None:
        kind, why = "broken", f"(does not count, against {line.problem})"
    elif line.remark is not None:
        why = f"(put in by hand: {line.why or 'no reason given'})"
    ruling = [links.of(line), text(" ")]
    if why:
        ruling.append(element("span", text(why), class_="why"))
    cells = (
        element("td", text(str(line.entry.n))),
        element("td", text(of_local(time, seconds=True))),
        element("td", *ruling, class_="words"),
    )
    return element("tr", *cells, class_=kind)


def _evidence(record: Record, evidence: EvidenceFigures, zone: tzinfo | None) -> Markup:
    counts = ", ".join(f"{number} {kind}" for kind, number in sorted(evidence.counts.items()))
    pairs = [("from the board", counts or "nothing: played by keys, or left out of an import")]
    for reason, number in sorted(evidence.ignored.items()):
        pairs.append(("not counted", f"{number} × {reason}"))
    if evidence.refused:
        pairs.append(
            ("lost", f"{plural(evidence.refused, 'event')}, which the board's full ring refused")
        )
    for gap in evidence.unknown:
        pairs.append(("unknown", f"{_between(gap, zone)}: {gap.why}"))
    if not evidence.unknown and evidence.boards:
        pairs.append(("unknown", "no interval"))
    elif not evidence.unknown:
        pairs.append(("unknown", "what nobody entered: no board watched"))
    steps = plural(evidence.undone, "step")
    pairs.append(("corrections", f"{evidence.corrections}, and {steps} undone or brought back"))
    remarks = sum(line.remark is not None for line in record.facts)
    pairs.append(("put in by hand", f"{remarks} with a remark"))
    pairs += [("consent", consent) for consent in evidence.consents]
    broken = sum(line.problem is not None for line in record.facts)
    pairs.append(("against the rules", f"kept, but not counted: {broken}" if broken else "no fact"))
    return join((element("h2", text("Evidence")), _pairs(pairs)))


def _between(gap: Unknown, zone: tzinfo | None) -> str:
    first, last = instant_of(gap.from_wall), instant_of(gap.to_wall)
    interval = f"{time_text(first, zone, seconds=True)} to {time_text(last, zone, seconds=True)}"
    if last < first:
        interval += " (the computer's clock was set back meanwhile)"
    return interval


def _session_facts(
    record: Record, evidence: EvidenceFigures, zone: tzinfo | None, *, twice: bool
) -> Markup:
    """Return how the session was recorded.

    `twice`: an entry falls into the second of two equal hours, when daylight saving ends.
    """
    rules = changed_rules(record.game, record.setup)
    begun = begun_text(instant_of(record.begun_wall), zone, seconds=True)
    count = plural(len(record.entries), "entry", "entries")
    pairs = [("session", f"{record.name}, {begun}, {count}")]
    if twice:
        pairs.append(("clock", "one hour came twice that night: (2nd) is in the second"))
    pairs += [("board", board) for board in evidence.boards or ("none",)]
    version = f"version {record.setup.rules_version} of the companion's rules"
    pairs.append(("rules", f"{record.game.title}, {version}"))
    for rule, value in rules:
        words = f"{rule.name} = {value} (default {rule.default}) {rule.clause}"
        pairs.append(("house rule", words))
    if not rules:
        pairs.append(("house rules", "all have their defaults"))
    pairs.append(("resumed", f"{evidence.resumed} ×" if evidence.resumed else "never"))
    pairs += [("doubt", doubt) for doubt in evidence.doubts]
    if record.withheld:
        pairs.append(("withheld", record.withheld))
    if evidence.imported:
        omitted = plural(evidence.omitted, "entry was", "entries were")
        pairs.append(("imported", f"from {evidence.imported}; {omitted} not in it"))
    return join((element("h2", text("How the session was kept")), _pairs(pairs)))


def _bgstats(record: Record) -> Markup:
    parts = [element("h2", text("BG Stats"))]
    try:
        link = bgstats.link(record)
        anchor = element(
            "a", text("Add this play to the app BG Stats"), href=link, rel="noreferrer"
        )
        parts.append(element("p", anchor))
        parts.append(element("div", Markup(qr_svg(link)), class_="qr"))
    except CommandError as problem:  # no play yet, or one too long for a code
        parts.append(paragraph(str(problem)))
    return element("section", *parts)


def _pairs(pairs: Iterable[tuple[str, str]]) -> Markup:
    items = []
    for term, details in pairs:
        items += [element("dt", text(term)), element("dd", text(details))]
    return element("dl", *items)
