"""The statistics over all sessions as one HTML page that loads nothing."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files

from companion.reports.markup import SCREEN, Markup, document, element, paragraph, text
from companion.reports.statistics import (
    NOBODY,
    NOTES,
    TIMES_NOTES,
    Person,
    by_game,
    cells_of_game,
    cells_of_times,
    times_of,
    title_of,
)
from companion.reports.tables import table, table_style

# The page may style itself and nothing else, whatever a name tries.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def format_statistics(persons: Sequence[Person], problems: Sequence[str]) -> str:
    """Return the page; `problems` say which sessions are not counted, and why."""
    notes: dict[str, None] = dict.fromkeys(NOTES)
    parts = [element("h1", text("Statistics over all sessions"))]
    for game, players in by_game(persons).items():
        parts.append(_section(title_of(game), cells_of_game(players, notes)))
    parts += [paragraph(note) for note in notes] if persons else [paragraph(NOBODY)]
    times = cells_of_times(times_of(persons))
    if times:
        parts += [_section("Times", times), paragraph(" ".join(TIMES_NOTES))]
    if problems:
        parts.append(element("h2", text("Not counted")))
        parts += [paragraph(problem) for problem in problems]
    style = files(__package__).joinpath("page.css").read_text(encoding="utf-8") + table_style()
    policy = element("meta", http_equiv="Content-Security-Policy", content=_POLICY)
    title = element("title", text("Statistics - Table companion"))
    head = (policy, SCREEN, title, element("style", Markup(style)))
    return document(head, [element("main", *parts)])


def _section(title: str, cells: Sequence[Sequence[str]]) -> Markup:
    head, *rows = cells
    shown = [[text(cell) for cell in row] for row in rows]
    numbers = frozenset(range(1, len(head)))
    return element("section", element("h2", text(title)), table(title, head, shown, numbers))
