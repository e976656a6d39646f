"""What the last rounds added to each score, and a chart of the scores after them. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from textual.content import Content

from companion.dashboard.themes import seat_style
from companion.dashboard.widgets.plots import score_plot
from companion.rules.columns import width as cells_of
from companion.rules.ending import ScoresAfter
from companion.rules.facts import Seat

TITLE = "What each round added"
IN_ALL, EARLIER = "in all", "before"
_GAP = 2  # cells between two columns
_LEAST_CELLS = 3  # cells of the narrowest column: a number with its sign
_LEAST_CHART = 8
"""Rows of the lowest chart, with its title, axis, legend and the gap before it."""
_MOST_CHART = 14
_FEW_ROUNDS = 2
"""Rounds of the shortest chart."""
_LEAST_SPREAD = 3
"""What the best score is above the least, at least, in a chart that shows anything."""


def round_rows(
    rounds: ScoresAfter,
    word: str,
    players: Sequence[Seat],
    width: int,
    rows: int,
    first: Mapping[str, int] | None = None,
) -> list[Content]:
    """Return the last rounds in about `rows` rows of `width` cells, the newest last, and a chart if there is room.

    Earlier rounds for which there is no room are summed up in one row. `word` is the game's for a
    round; a name with other letters says itself what it is. `first` are the scores before the first
    round; None: all are 0, from which a chart begins.
    """
    scored = [player for player in players if rounds and player.id in rounds[-1][1]]
    if not scored:
        return []
    names = [f"{word} {name}" if name.isdecimal() else name for name, _ in rounds]
    label = max(map(cells_of, (*names, IN_ALL, EARLIER)))
    longest = max(cells_of(f"{player.glyph} {player.name}") for player in scored)
    cells = min(longest, (width - label) // len(scored) - _GAP)
    if cells < _LEAST_CELLS:
        return []
    lines = [_row("", [_head(player, cells) for player in scored], label, cells)]
    before = dict(first or {})
    for name, (_, scores) in zip(names, rounds, strict=True):
        added = [f"{scores[player.id] - before.get(player.id, 0):+d}" for player in scored]
        lines.append(_row(name, list(map(Content, added)), label, cells))
        before = dict(scores)
    chart: list[Content] = []
    most = max(1, rows - len((TITLE, "heads", IN_ALL)))
    room = min(_MOST_CHART, most - len(rounds))
    known = [scores[player.id] for _, scores in rounds for player in scored]
    spread = max(0, *known) - min(0, *known)
    worth = len(rounds) >= _FEW_ROUNDS and spread >= _LEAST_SPREAD
    if worth and first is None and room >= _LEAST_CHART:
        chart = score_plot(
            rounds, scored, width, word, room - len(("gap", "title", "zero", "axis", "legend"))
        )
    if chart:
        chart = [Content(""), Content.styled("Scores", "bold"), *chart]
    if len(rounds) > most:
        # one row sums up those for which there is no room, so that the column adds up
        hidden = len(rounds) - most + 1
        begin, end = first or {}, rounds[hidden - 1][1]
        sums = [f"{end[player.id] - begin.get(player.id, 0):+d}" for player in scored]
        lines = [
            lines[0],
            _row(EARLIER, list(map(Content, sums)), label, cells),
            *lines[hidden + 1 :],
        ]
    totals = [Content.styled(str(before[player.id]), "bold") for player in scored]
    lines.append(_row(IN_ALL, totals, label, cells))
    return [Content.styled(TITLE, "bold"), *lines, *chart]


def _head(player: Seat, cells: int) -> Content:
    name = Content.styled(f"{player.glyph} {player.name}", seat_style(player.color))
    return name.truncate(cells, ellipsis=True)


def _row(name: str, texts: Sequence[Content], label: int, cells: int) -> Content:
    """Return a row: its name on the left, the other texts flush right in columns of `cells` cells."""
    parts = [Content.styled(name, "$quiet").pad_right(label - cells_of(name))]
    parts += [text.pad_left(_GAP + cells - text.cell_length) for text in texts]
    return Content("").join(parts)
