"""Looking on at a session that another companion writes."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from threading import Lock, Thread

import pytest

from companion.commands.watching import RematchFinder, watch
from companion.errors import CommandError
from companion.exits import Exit
from companion.games.panic_fire.rules.game import GAME
from companion.journal.journal import Journal
from companion.rules.gestures import GestureSettings
from companion.rules.header import header, with_all_options
from companion.session.marshal_view import MarshalView, marshal_view
from companion.session.projection import SessionProjection
from companion.session.table import Table
from companion.session.views import Level, TableView
from companion.session.watching import ONLY_WATCHED, Watcher
from tests.games.panic_fire.playing import setup

WALL = "2026-03-01T20:00:00+00:00"


@pytest.fixture
def played(tmp_path: Path) -> Iterator[Table]:
    """Yield a session in play, written by this process as by another."""
    journal = Journal.create(
        tmp_path / "evening.sqlite", header(setup("red blue"), "evening"), wall=lambda: WALL
    )
    table = Table(GAME, journal, with_all_options(GAME, setup("red blue")), host_us=lambda: 0)
    yield table
    table.close()


def press(table: Table, *actions: str) -> None:
    for action in actions:
        table.do(f"panic-fire.{action}")


def saved(table: Table) -> None:
    """Wait until everything is on the disk, which is all that another process can see."""
    table._journal.wait(len(table._journal.entries), 5)


def test_a_watcher_sees_what_the_table_sees(played: Table) -> None:
    press(played, "fire", "draw.1")
    saved(played)
    watcher = Watcher(played.path)
    press(played, "shot", "name.2", "name.1")
    saved(played)
    assert watcher.look()
    mine, theirs = watcher.view(), played.view()
    assert (mine.game, mine.setup, mine.awaiting, mine.undo) == (
        theirs.game,
        theirs.setup,
        theirs.awaiting,
        theirs.undo,
    )
    assert mine.link.state == "watching"
    assert (mine.saved.text, mine.saved.entries) == ("read", len(played._journal.entries))


def test_nothing_new_is_no_news(played: Table) -> None:
    saved(played)
    watcher = Watcher(played.path)
    news: list[int] = []
    watcher.subscribe(lambda: news.append(1))
    assert not watcher.look()
    assert not news


def test_whatever_would_change_the_record_is_refused_in_a_sentence(played: Table) -> None:
    saved(played)
    watcher = Watcher(played.path)
    reread = watcher.inspection.reread(GestureSettings())
    changes: tuple[Callable[[], None], ...] = (
        lambda: watcher.do("panic-fire.fire"),
        lambda: watcher.take_back(1),
        lambda: watcher.enter("fire", {}),
        lambda: watcher.amend(1, {}),
        lambda: watcher.insert("fire", {}, after=0),
        lambda: watcher.set_level("draws", Level.MANUAL),
        lambda: watcher.accept(reread),
    )
    for change in changes:
        before = watcher.view().notice
        change()
        notice = watcher.view().notice
        assert notice is not None
        assert (notice.text, notice.refused) == (ONLY_WATCHED, True)
        assert before is None or notice.number == before.number + 1
    played.tell("still mine")
    assert len(played._journal.entries) == 1


def test_the_evidence_can_be_looked_at_from_afar(played: Table) -> None:
    press(played, "fire", "draw.1")
    saved(played)
    assert [line.kind for line in Watcher(played.path).inspection.marshal().rulings] == [
        "fire",
        "draw",
    ]


def test_a_long_look_at_the_evidence_holds_up_no_screen(
    played: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    watcher = Watcher(played.path)
    shown: list[TableView] = []

    def look() -> None:
        shown.append(watcher.view())

    def while_a_screen_looks(record: SessionProjection, lock: Lock) -> MarshalView:
        screen = Thread(target=look)
        screen.start()
        screen.join(5)
        assert shown
        return marshal_view(record, lock)

    monkeypatch.setattr("companion.session.marshal_view.marshal_view", while_a_screen_looks)
    assert watcher.inspection.marshal().evidence == ()


def test_plain_lines_end_with_the_session(played: Table) -> None:
    for _ in range(6):
        press(played, "fire", "shot", "name.2", "name.1")
    played.close()
    out = io.StringIO()
    assert watch(played.path, out, plain=True) == Exit.DONE
    assert "champion: red" in out.getvalue()


def test_what_is_no_session_cannot_be_watched(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("milk, eggs")
    with pytest.raises(CommandError) as refused:
        Watcher(tmp_path / "notes.txt")
    assert "notes.txt" in str(refused.value)


def test_an_audience_is_shown_the_rematch_of_what_it_saw_and_no_other_game(
    played: Table, tmp_path: Path
) -> None:
    saved(played)
    with closing(RematchFinder(played.path, lambda: None, tmp_path)) as finder:
        first = played._journal.entries[0].digest.hex()
        begun: dict[str, Path] = {}
        for name, before in (("another", None), ("again", first), ("another-again", "00" * 32)):
            body = header(setup("red blue"), name, before)
            with closing(
                Journal.create(tmp_path / f"{name}.sqlite", body, wall=lambda: WALL)
            ) as journal:
                journal.wait(1, 5)
                begun[name] = journal.path
        (tmp_path / "half-written.sqlite").write_bytes(b"")
        finder.look()
        assert finder.found == begun["again"]


def test_a_rematch_that_was_there_before_is_none_to_go_on_with(
    played: Table, tmp_path: Path
) -> None:
    saved(played)
    first = played._journal.entries[0].digest.hex()
    with closing(
        Journal.create(
            tmp_path / "old.sqlite", header(setup("red blue"), "old", first), wall=lambda: WALL
        )
    ):
        pass
    with closing(RematchFinder(played.path, lambda: None, tmp_path)) as finder:
        finder.look()
        assert finder.found is None
