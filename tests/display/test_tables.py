"""A table that a game declares appears everywhere: screen, phones, report, paper, plain lines."""

from __future__ import annotations

import html
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, strategies as st

from companion.dashboard.game_screen import game_screen_of
from companion.dashboard.widgets.tables import table_rows
from companion.display.panels import SeatLine, panels_of
from companion.display.tables import PanelTable, Shown, plain_lines, words
from companion.reports.games import tables_of
from companion.reports.page import format_html
from companion.reports.record import read_record
from companion.reports.sheet import COLUMNS, LINES, format_sheet
from companion.reports.tables import shown_html
from companion.rules.columns import clean, width
from companion.session.opening import begin
from companion.session.plain import LinePrinter
from companion.session.table import Table as SessionTable
from companion.web.blocks import table_blocks
from tests.games.hints import EVERY, setup_of

pytestmark = pytest.mark.usefixtures("sample_game", "own_games")


def _names(game_id: str) -> list[str]:
    return [seat.name for seat in setup_of(game_id, 3).seats]


@pytest.fixture(params=EVERY)
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SessionTable]:
    """A session of three players in the middle of random moves."""
    table, chance = (
        begin(request.param, _names(request.param), {}, tmp_path / "evening.sqlite"),
        Random(4),
    )
    for _ in range(40):
        if not (legal := table.legal()):
            break
        fact = chance.choice(legal)
        table.enter(fact.kind, fact.model_dump(mode="json", exclude={"kind", "at"}))
    yield table
    table.close()


def missing(tables: Iterable[Shown], text: str) -> list[str]:
    """Return the words of titles, heads and cells that `text` lacks; some surfaces draw pictures
    otherwise."""
    expected = [word for table in tables if table.rows for word in all_words(table)]
    return [word for word in expected if word not in text]


def all_words(table: Shown) -> Iterator[str]:
    yield from table.title.split()
    if isinstance(table, PanelTable):
        for row in (table.head, *table.rows):
            yield from (word for cell in row for word in words(cell).split())


def plain(table: SessionTable) -> str:
    out = io.StringIO()
    LinePrinter(table, out).finish()
    return out.getvalue()


def test_a_declared_table_appears_on_every_surface(table: SessionTable) -> None:
    view = table.view()
    game = view.setup.game
    declared = [shown for shown in panels_of(game).tables(view.game) if shown.rows]
    assert declared
    screen = "\n".join(row.plain for row in table_rows(game_screen_of(game).tables(view), 200))
    assert missing(declared, screen) == []
    blocks = table_blocks(view, "", (), closed=False)
    game_block, lines = (
        html.unescape(re.sub("<[^>]*>", " ", blocks[name])) for name in ("game", "seats")
    )
    for shown in declared:
        on_page = shown.without_card_columns() if isinstance(shown, PanelTable) else shown
        assert missing([on_page], game_block) == []
        if isinstance(shown, PanelTable):
            # what the page leaves out of the table is in the players' lines
            said = [row[place] for row in shown.rows for place in shown.columns_on_cards]
            numbers = [str(cell) for cell in said if isinstance(cell, int)]
            assert set(numbers) - {"0"} <= set(re.findall(r"-?\d+", lines))  # "no" is a number too
    brief = [shown for shown in declared if not shown.long]
    assert missing(brief, plain(table)) == []
    table.close()  # what it entered is on the disk from now on
    record = read_record(table.path)
    assert missing(declared, html.unescape(re.sub("<[^>]*>", " ", format_html(record)))) == []
    sheet = format_sheet(record)
    assert missing(brief, sheet) == []
    assert len(sheet.splitlines()) <= LINES
    assert max(map(width, sheet.splitlines())) <= COLUMNS


def test_a_sheet_without_room_for_a_table_names_it(
    table: SessionTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.close()
    record = read_record(table.path)
    *_, last = (shown for shown in tables_of(record) if not shown.long)
    monkeypatch.setattr("companion.reports.sheet.RULINGS", 0)
    monkeypatch.setattr("companion.reports.sheet.LINES", len(format_sheet(record).splitlines()) - 1)
    assert f"{last.title}; the session has them" in " ".join(format_sheet(record).split())


CELLS = st.one_of(st.text(max_size=30), st.integers(), st.floats(-1e6, 1e6))
ROWS = st.integers(1, 5).flatmap(
    lambda count: st.lists(st.tuples(*[CELLS] * count), min_size=1, max_size=5)
)


@given(ROWS, st.integers(30, 120))
def test_a_table_is_never_wider_than_its_place_and_loses_no_sign(
    rows: list[tuple[str | int | float, ...]], columns: int
) -> None:
    lines = list(plain_lines([PanelTable("", (), tuple(rows))], columns))
    assert all(width(line) <= columns for line in lines)
    expected = "".join(clean(words(cell)) for row in rows for cell in row)
    assert Counter("".join("".join(lines).split())) == Counter("".join(expected.split()))


def test_a_table_without_rows_is_nowhere() -> None:
    empty = PanelTable("Rounds", ("round", "result"), ())
    assert list(plain_lines([empty], 80)) == []
    assert list(table_rows([empty], 80)) == []
    assert shown_html(empty) == ""


def test_a_name_in_a_table_is_no_markup_and_steers_no_terminal() -> None:
    seat = SeatLine("ada", "<b>\x1b[31mAda", "#d55e00", "▲", "<", "3")
    table = PanelTable("", ("", "marks"), ((seat, (seat, seat)),))
    assert "<b>" not in shown_html(table)
    assert "\x1b" not in "".join(
        [*plain_lines([table], 80), *(row.plain for row in table_rows([table], 80))]
    )


def test_numbers_stand_to_the_right_and_words_to_the_left() -> None:
    table = PanelTable("Seats", ("", "points"), (("Ada", 3), ("Bo", 12), ("Cleo", "?")))
    assert list(plain_lines([table], 80)) == [
        "", "Seats", "      points", "Ada        3", "Bo        12", "Cleo       ?",
    ]  # fmt: skip
