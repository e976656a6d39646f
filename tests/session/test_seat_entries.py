"""What seats enter on their phones, mixed with what people type at the laptop and what the board reports: only the own
cell of what the page showed changes, and evidence stays what it was."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from functools import partial
from itertools import count
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings, strategies as st

from companion.display.panels import panels_of
from companion.errors import CommandError
from companion.journal.entries import Control, Entry
from companion.journal.errors import NotSaved
from companion.rules import registry
from companion.rules.facts import Refused
from companion.session.game_watch import GameStopped
from companion.session.opening import begin, resume
from companion.session.projection import SessionProjection
from companion.session.seat_entries import OwnEntry, own_entries
from companion.session.seat_notes import SeatNote
from companion.session.table import Table
from tests.games.own.files import TEXTS
from tests.games.own.test_grid import FOUR, PARTY, enter, grids, values
from tests.session.parts import first_entry, journal_of, table_on
from tests.session.test_crash import Key, Step, scripts, take
from tests.session.test_phone_proposals import rulings
from tests.thorough import examples

SEATS = ("anna", "ben", "carl")


@pytest.fixture(autouse=True)
def _no_more_games_after() -> Iterator[None]:
    """Forget the games of a file that a test registers."""
    yield
    vars(registry.GAMES)["learned"].clear()


def offers(table: Table, seat: str) -> tuple[OwnEntry, ...]:
    view = table.view()
    return own_entries(panels_of(view.setup.game), view.game, seat)


def note_of(number: int, entry: OwnEntry, typed: int, waited_ms: int = 0) -> SeatNote:
    answers = {"number": str(typed)} if entry.numbers else {}
    return SeatNote(f"entry-{number:012}", answers=answers, enter=entry.id, waited_ms=waited_ms)


def cells(table: Table) -> dict[tuple[str, str, str], int | None]:
    """Return each number in the grids, by grid, row and seat."""
    found = {}
    for grid in grids(table):
        for row in grid.rows:
            for cell in row.cells:
                found[grid.title, row.title, cell.seat] = cell.value
    return found


@pytest.mark.parametrize("game", ["hearts", "wizard", "yahtzee", "party"])
def test_a_number_from_a_phone_changes_the_own_cell_that_its_page_shows_and_nothing_else(
    tmp_path: Path, game: str
) -> None:
    """Pages are looked at, and what was typed there is sent later, again, or after whatever happened meanwhile."""
    recorded: list[bool] = []
    text = PARTY if game == "party" else TEXTS[game]
    names = FOUR if game == "hearts" else FOUR[:3]
    for seed in range(examples(3, 60)):
        path, clock = tmp_path / f"{seed}.sqlite", count(step=1_000_000)
        table = begin(registry.learn(text).id, names, {}, path, clock_us=partial(next, clock))
        table.allow_entries(True)
        with closing(table):
            recorded += _played_at_random(table, Random(seed))
            shown = [values(grid) for grid in grids(table)]
        with closing(resume(path)) as again:
            assert [values(grid) for grid in grids(again)] == shown
    assert {True, False} <= {*recorded}


def _played_at_random(table: Table, chance: Random) -> Iterator[bool]:
    """Play on, and yield for each number sent by a phone whether it was recorded."""
    seats = [seat.id for seat in table.view().setup.seats]
    typed: list[tuple[str, SeatNote]] = []
    for _ in range(120):
        seat = chance.choice([seat for seat in seats if offers(table, seat)] or seats)
        offered = offers(table, seat)
        does = chance.choice(["look", "look", "send", "send", "laptop", "end", "undo", "redo"])
        if does == "look" and offered:
            number = chance.randrange(-1, 8)
            typed.append((seat, note_of(len(typed), chance.choice(offered), number)))
            if chance.random() < 0.5:
                yield _is_recorded(table, *typed[-1])
        elif does == "send" and typed:
            yield _is_recorded(table, *chance.choice(typed[-4:]))
        elif does == "laptop" and grids(table):
            _type_at_the_laptop(table, chance)
        elif does == "end" and chance.random() < 0.3 and grids(table):
            table.enter("round_ends", {})
        elif does in ("undo", "redo"):
            table.do(f"table.{does}")
        if chance.random() < 0.1:
            table.allow_entries(chance.random() < 0.8)


def _is_recorded(table: Table, seat: str, note: SeatNote) -> bool:
    """Send what was typed on a phone; return whether it was recorded now."""
    before, entries = cells(table), table.look(_entries)
    offered = {entry.id: entry for entry in offers(table, seat)}
    is_new = note.key(seat) not in {entry.key for entry in entries}
    may_enter = table.view().phones_enter
    refused = False
    try:
        table.note(seat, note)
    except Refused:
        refused = True
    after = cells(table)
    if refused or not is_new:
        assert after == before
        assert len(table.look(_entries)) == len(entries)
        return False
    assert may_enter
    assert note.enter in offered
    changed = {key: after[key] for key, value in before.items() if after.get(key, value) != value}
    if table.view().ended:  # then no row is played any more
        return True
    assert list(changed.values()) == [int(note.answers["number"])]
    assert {seat_id for _, _, seat_id in changed} == {seat}
    return True


def _entries(record: SessionProjection) -> list[Entry]:
    return list(record.entries)


def _type_at_the_laptop(table: Table, chance: Random) -> None:
    grid = grids(table)[0]
    row, column = chance.randrange(len(grid.rows)), chance.randrange(len(grid.rows[0].cells))
    if grid.rows[row].cells[column].entry is not None:
        enter(table, grid, row, column, chance.randrange(15))


drawn_on_phones = st.lists(
    st.tuples(st.integers(0, 40), st.sampled_from(SEATS), st.integers(0, 60_000)),
    min_size=1,
    max_size=8,
)


def play(steps: Sequence[Step], drawn: Sequence[tuple[int, str, int]]) -> tuple[int, list[Entry]]:
    """Return how many draws phones entered before some steps of a script, and the record."""
    entered = 0
    with journal_of([first_entry()]) as journal:
        table = table_on(journal)
        seats = [seat.id for seat in table.view().setup.seats]
        table.allow_entries(True)
        for index, step in enumerate(steps):
            for number, (at, name, waited_ms) in enumerate(drawn):
                if at % len(steps) != index:
                    continue
                seat = seats[SEATS.index(name) % len(seats)]
                for entry in offers(table, seat):
                    with suppress(Refused):
                        table.note(seat, note_of(number, entry, 0, waited_ms))
                        entered += 1
            take(table, step)
        return entered, list(journal.entries)


@settings(max_examples=examples(40, 400))
@given(scripts(), drawn_on_phones)
def test_what_the_board_stamped_keeps_its_stamps_whatever_players_enter(
    steps: list[Step], drawn: list[tuple[int, str, int]]
) -> None:
    entered, entries = play(steps, drawn)
    arrived = {entry.n for entry in entries if entry.kind == Control.ENTERED}
    assert len(arrived) == entered
    made = [entry for entry in entries if arrived & {*entry.causes}]
    assert [entry.kind for entry in made] == ["draw"] * entered
    for entry in made:
        assert (entry.actor, entry.t_us, entry.after) == ("keyboard", entry.body["at"]["us"], None)
        assert entry.body["at"]["pm"] >= 200_000
    if Key("table.undo") not in steps:  # which may take a draw back instead of a shot
        without = [entry for entry in entries if entry not in made]
        assert rulings(without) == rulings(play(steps, ())[1])


def test_what_the_rules_refuse_because_of_a_secret_is_said_at_the_table_and_not_on_one_phone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(begin("panic-fire", ("Anna", "Ben"), {}, tmp_path / "e.sqlite")) as table:
        table.allow_entries(True)
        table.do("panic-fire.fire")
        (drew,) = offers(table, "ben")

        def refuse(*_: object) -> None:
            raise Refused("PF-1", "Anna holds the ace", do="Look again.", hidden=True)

        monkeypatch.setattr(SessionProjection, "tried", refuse)
        published: list[bool] = []
        table.subscribe(lambda: published.append(True))
        with pytest.raises(Refused) as caught:
            table.note("ben", note_of(1, drew, 0))
        assert caught.value.spoken() == "This cannot be entered on a phone. Type it at the table."
        notice = table.view().notice
        assert notice is not None
        assert notice.text == "Anna holds the ace. Look again."
        assert published, "the table's screen shows it now"


def test_what_the_disk_does_not_take_is_not_recorded_and_can_be_sent_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(begin("panic-fire", ("Anna", "Ben"), {}, tmp_path / "e.sqlite")) as table:
        table.allow_entries(True)
        table.do("panic-fire.fire")
        (drew,) = offers(table, "ben")

        def full(*_: object) -> None:
            raise NotSaved("the disk is full")

        with monkeypatch.context() as broken:
            broken.setattr(table._journal, "append", full)
            with pytest.raises(NotSaved):
                table.note("ben", note_of(1, drew, 0))
        assert table.view().game.seats[1].draws == 0
        table.note("ben", note_of(1, drew, 0))
        assert table.view().game.seats[1].draws == 1


def test_what_makes_a_game_hang_is_refused_on_the_phone_and_said_at_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Hung(GameStopped):
        def __init__(self) -> None:
            CommandError.__init__(self, "The game hangs.")

    def hang(*_: object) -> None:
        raise Hung

    with closing(begin("panic-fire", ("Anna", "Ben"), {}, tmp_path / "e.sqlite")) as table:
        table.allow_entries(True)
        table.do("panic-fire.fire")
        (drew,) = offers(table, "ben")
        monkeypatch.setattr(SessionProjection, "tried", hang)
        with pytest.raises(Refused) as caught:
            table.note("ben", note_of(1, drew, 0))
        assert caught.value.spoken() == "The table could not record this. Say it aloud."
        notice = table.view().notice
        assert notice is not None
        assert notice.text == "The game hangs. It was stopped, and nothing was recorded."
