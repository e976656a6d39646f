"""The times that people compare over many sessions, as a table and as a plot in characters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from companion.rules.columns import clean, row, width
from companion.rules.pauses import ENOUGH, Span, trend
from companion.rules.seats import GLYPHS
from companion.rules.spans import seconds

Times = Mapping[tuple[str, str], tuple[Span, ...]]
"""By who, and what was timed, all times in order."""

_HEAD = ("name", "timed", "times", "best s", "last s", "median s", "spread s", "trend s")
_NOTES = (
    "times: from the board's lamp to what was timed, by the board's clock; the delays of",
    "lamp and sensor are not in them. spread: best to slowest. trend: by how much the later",
    "half is faster (-) or slower (+); =: the errors leave no word; from 6 times on.",
)
HEIGHT = 8
"""Rows of a plot."""


def times_table(times: Times) -> str:
    """Return the times as a plain table; nothing where nobody was timed."""
    cells = [_HEAD, *(_cells(who, what, spans) for (who, what), spans in times.items() if spans)]
    if len(cells) == 1:
        return ""
    widths = [max(width(one[column]) for one in cells) for column in range(len(_HEAD))]
    return "\n".join(("", *(row(one, widths) for one in cells), "", *_NOTES, ""))


def _cells(who: str, what: str, spans: Sequence[Span]) -> tuple[str, ...]:
    told = trend(spans)
    if told is None:
        return (clean(who), clean(what), "0", *"?" * 5)
    shown = [_s(told.best), _s(told.last), _s(told.median), _s(Span(told.spread_us, told.best.pm))]
    better = "=" if told.better_us is None else f"{-told.better_us / 1e6:+.3f}"
    return (clean(who), clean(what), str(len(spans)), *shown, better if len(spans) >= ENOUGH else "?")


def times_plots(times: Times, columns: int) -> str:
    """Return for each thing that was timed a plot of at most `columns`: a column for each time, the newest last."""
    lines: list[str] = []
    for what in dict.fromkeys(what for _, what in times):
        lines += _plot(what, {who: spans for (who, timed), spans in times.items() if timed == what and spans}, columns)
    return "\n".join((*lines, "")) if lines else ""


def _plot(what: str, by_person: Mapping[str, Sequence[Span]], columns: int) -> Iterator[str]:
    signs = dict(zip(by_person, GLYPHS, strict=False))  # as many people as there are signs
    margin = 8
    kept = {who: by_person[who][-(columns - margin) :] for who in signs}
    every = [span.us for spans in kept.values() for span in spans]
    least, most = min(every), max(every)
    level = {us: 0 if most == least else round((us - least) / (most - least) * (HEIGHT - 1)) for us in every}
    yield from ("", f"{clean(what)}: seconds, string by string")
    for rung in range(HEIGHT - 1, -1, -1):
        at = {HEIGHT - 1: f"{most / 1e6:.3f}", 0: f"{least / 1e6:.3f}"}.get(rung, "")
        dots = [" "] * max(map(len, kept.values()))
        for who, spans in kept.items():
            for place, span in enumerate(spans):
                if level[span.us] == rung:
                    dots[place] = signs[who] if dots[place] == " " else "&"
        yield f"{at:>{margin - 2}} {''.join(dots)}".rstrip()
    yield " " * (margin - 1) + "  ".join(f"{sign} {clean(who)}" for who, sign in signs.items())
    if len(signs) < len(by_person):
        yield f"{' ' * (margin - 1)}and {len(by_person) - len(signs)} more, for whom there is no sign left"


def _s(span: Span) -> str:
    return seconds(span.us, span.pm).removesuffix(" s")
