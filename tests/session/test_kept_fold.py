"""A stored fold equals a new one, is used only where it fits, and is deleted with its session."""

from __future__ import annotations

import random
import stat
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from companion.journal.entries import Control, Draft, Entry, Layer
from companion.journal.journal import Journal
from companion.journal.record import FIRST_DIGEST, seal
from companion.rules.facts import Fact, Setup, body_of
from companion.rules.game import Game
from companion.rules.header import game_of, header
from companion.rules.registry import open_game
from companion.session import log, opening, projection
from companion.session.kept_fold import FoldStart, fold_path, keep, kept
from companion.session.projection import SessionProjection
from companion.session.status_views import NO_BOARD
from companion.session.table import Table
from companion.session.views import SavedView
from tests.games.hints import EVERY, setup_of
from tests.games.random_play import steps
from tests.session.counting_game import COUNTING, small_header, small_setup
from tests.session.parts import WALL
from tests.thorough import examples

SAVED = SavedView("watched", ok=True)
FEW = 12  # lines of a log in these tests: a record is long sooner
APART = examples(8, 1)


def shorten(patch: pytest.MonkeyPatch) -> None:
    """Limit the log to a few lines."""
    patch.setattr(projection, "KEPT", FEW)
    patch.setattr(log, "KEPT", FEW)


def record_of(header_body: dict[str, Any], drafts: list[Draft]) -> list[Entry]:
    entries, previous = [], FIRST_DIGEST
    for n, draft in enumerate(
        [Draft(Layer.CONTROL, Control.SESSION, header_body), *drafts], start=1
    ):
        entry, _ = seal(draft, n, WALL, previous, bytes(16))
        entries.append(entry)
        previous = entry.digest
    return entries


def observations(record: SessionProjection, apart: int = 1) -> tuple[Any, ...]:
    """Return everything that a reader asks of a record, and what taking back facts at this distance
    would change."""
    view = record.view(NO_BOARD, SAVED)
    texts = [
        record.text(n)
        for n in range(1, len(record.entries) + 1)
        if record.entries[n - 1].layer is Layer.FACT
    ]
    consequences = [
        record.shown_by([Draft(Layer.CONTROL, Control.VOID, {"entry": n})])
        for n in facts(record.entries)[::apart]
    ]
    steps_back = record.timeline.steps.undo_drafts(), record.timeline.steps.redo_drafts()
    return (
        replace(view, works=bool, summary=tuple),
        view.summary(),
        record.state,
        texts,
        consequences,
        steps_back,
    )


def facts(entries: Any) -> list[int]:
    return [entry.n for entry in entries if entry.layer is Layer.FACT]


mark = st.builds(lambda i: Draft(Layer.FACT, "mark", {"i": i}), st.integers(0, 9))
drop = st.builds(lambda i: Draft(Layer.FACT, "drop", {"i": i}), st.integers(0, 9))
hide = st.builds(
    lambda seat: Draft(Layer.FACT, "hide", {"seat": seat, "word": "w"}),
    st.sampled_from(["ada", "bo"]),
)
show = st.builds(
    lambda seat: Draft(Layer.FACT, "show", {"seat": seat}), st.sampled_from(["ada", "bo"])
)
note = st.just(Draft(Layer.CONTROL, Control.LEVELS, {"counts": "proposed"}))
Plan = list[tuple[Draft | None, float, str]]
plans: st.SearchStrategy[Plan] = st.lists(
    st.tuples(
        st.none() | mark | drop | hide | show | note,
        st.floats(0, 1, exclude_max=True),
        st.sampled_from("uvi"),
    ),
    max_size=40,
)


def drafts_of(plan: Plan) -> list[Draft]:
    """Return the drafts of a table: facts, and sometimes one taken back, or inserted after another."""
    drafts: list[Draft] = []
    for draft, where, kind in plan:
        before = [
            n
            for n, draft_made in enumerate(drafts, start=2)
            if draft_made.layer is Layer.FACT or draft_made.kind == Control.VOID
        ]
        at = before[int(where * len(before))] if before else None
        if draft is not None and draft.layer is Layer.FACT and kind == "i" and at is not None:
            drafts.append(replace(draft, after=at))
        elif draft is not None:
            drafts.append(draft)
        elif at is not None:
            reason = "undo" if kind == "u" else "wrong"
            drafts.append(Draft(Layer.CONTROL, Control.VOID, {"entry": at, "reason": reason}))
    return drafts


@settings(max_examples=examples(150, 3_000))
@given(first=plans, then=plans)
def test_going_on_from_where_a_reading_can_begin_is_the_same_as_folding_all(
    first: Plan, then: Plan
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        shorten(patch)
        entries = record_of(small_header(), drafts_of([*first, *then]))
        begun = record_of(small_header(), drafts_of(first))
        start = SessionProjection(COUNTING, small_setup(), begun).fold_start()
        if start is None:
            return
        assert start.n == len(begun) - FEW
        for known in (begun, entries):
            whole, quick = (
                SessionProjection(COUNTING, small_setup(), known, start=fold_start)
                for fold_start in (None, start)
            )
            assert observations(quick) == observations(whole)
            assert quick.problems.keys() == whole.problems.keys()


def long_game(game_id: str, seed: int) -> tuple[Game[Any], Setup, list[Draft]]:
    game, setup = open_game(game_id), setup_of(game_id, 3)
    played = [(fact, entry) for _, fact, entry, _ in steps(game, setup, random.Random(seed))]
    assert [entry for _, entry in played] == list(range(2, len(played) + 2))
    return game, setup, [Draft(Layer.FACT, fact.kind, body_of(fact)) for fact, _ in played]


@pytest.mark.usefixtures("sample_game", "own_games")
@pytest.mark.parametrize("game_id", EVERY)
@settings(max_examples=examples(1, 20))
@given(seed=st.integers(0, 2**32))
def test_what_is_kept_of_any_game_is_what_folding_it_anew_comes_to(
    game_id: str, seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    session = tmp_path_factory.mktemp("kept") / "s.sqlite"
    game, setup, drafts = long_game(game_id, seed)
    entries = record_of(header(setup, "s"), drafts)
    with pytest.MonkeyPatch.context() as patch:
        shorten(patch)
        whole = SessionProjection(game, setup, entries)
        start = whole.fold_start()
        if start is None:  # a short game
            assert len(entries) <= FEW
            return
        keep(start, session, entries)
        again = kept(session, entries)
        assert again == start
        assert observations(
            SessionProjection(game, setup, entries, start=again), APART
        ) == observations(whole, APART)


# -- on the disk


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a session long enough for its fold to be stored, closed once."""
    shorten(monkeypatch)
    monkeypatch.setattr("companion.session.table.LONG", 2 * FEW)
    path = tmp_path / "long.sqlite"
    setup = setup_of("panic-fire", 3)
    with Journal.create(path, header(setup, "s"), wall=lambda: WALL) as journal:
        draws = [Draft(Layer.FACT, "draw", {"seat": setup.seats[n % 3].id}) for n in range(5 * FEW)]
        journal.append(Draft(Layer.FACT, "fire", {}), *draws)
    opening.resume(path).close()
    return path


@pytest.fixture
def folded(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return the numbers of the facts that were folded."""
    numbers: list[int] = []
    fold = Game.advance

    def counted(self: Game[Any], state: Any, fact: Fact, entry: int) -> Any:
        numbers.append(entry)
        return fold(self, state, fact, entry)

    monkeypatch.setattr(Game, "advance", counted)
    return numbers


def resumed(path: Path) -> Any:
    table = opening.resume(path)
    try:
        return table.view().game
    finally:
        table.close()


def test_a_session_that_is_gone_on_with_folds_what_the_log_shows_and_no_more(
    session: Path, folded: list[int]
) -> None:
    resumed(session)
    assert 0 < len({*folded}) <= 2 * FEW


def test_a_kept_fold_is_for_nobody_elses_eyes(session: Path) -> None:
    if sys.platform != "win32":
        assert stat.S_IMODE(fold_path(session).stat().st_mode) == 0o600
    assert not list(session.parent.glob("*.new"))


def of_another_record(session: Path) -> None:
    with Journal.open(session, wall=lambda: WALL) as journal:
        body = dict(journal.entries[0].body)
        drafts = [Draft(entry.layer, entry.kind, entry.body) for entry in journal.entries[2:]]
    session.unlink()
    with Journal.create(session, body, wall=lambda: WALL.replace("20:", "21:", 1)) as journal:
        journal.append(Draft(Layer.FACT, "fire", {}), *drafts)


def cut(session: Path) -> None:
    path = fold_path(session)
    path.write_bytes(path.read_bytes()[:-7])


def one_bit(session: Path) -> None:
    content = bytearray(fold_path(session).read_bytes())
    content[len(content) // 2] ^= 1
    fold_path(session).write_bytes(content)


def empty(session: Path) -> None:
    fold_path(session).write_bytes(b"")


def a_folder(session: Path) -> None:
    fold_path(session).unlink()
    fold_path(session).mkdir()


def gone(session: Path) -> None:
    fold_path(session).unlink()


DAMAGE = (of_another_record, cut, one_bit, empty, a_folder, gone)


@pytest.mark.parametrize("damage", DAMAGE, ids=lambda damage: damage.__name__)
def test_a_kept_fold_that_is_not_whole_or_not_of_this_record_is_not_asked(
    session: Path, folded: list[int], damage: Callable[[Path], None]
) -> None:
    seen = resumed(session)
    damage(session)
    folded.clear()
    assert resumed(session) == seen
    assert len({*folded}) > 5 * FEW


def another_version(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.__version__", "0.0.0")


def another_source(monkeypatch: pytest.MonkeyPatch) -> None:
    folders = [*sys.modules["companion.journal"].__path__, str(Path(__file__).parent)]
    monkeypatch.setattr("companion.journal.__path__", folders)


@pytest.mark.parametrize("change", [another_version, another_source])
def test_a_fold_of_another_program_is_not_asked(
    session: Path,
    folded: list[int],
    monkeypatch: pytest.MonkeyPatch,
    change: Callable[[pytest.MonkeyPatch], None],
) -> None:
    change(monkeypatch)
    resumed(session)
    assert len({*folded}) > 5 * FEW


def test_other_rules_make_another_fold(session: Path) -> None:
    with Journal.open(session, wall=lambda: WALL) as journal:
        entries = list(journal.entries)
    assert kept(session, entries) is not None
    other = {**entries[0].body, "rules": 99}
    assert kept(session, [entries[0]._replace(body=other), *entries[1:]]) is None
    assert kept(session, entries[:5]) is None


def test_a_record_that_made_no_sense_somewhere_or_was_changed_far_back_keeps_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shorten(monkeypatch)
    marks = [Draft(Layer.FACT, "mark", {"i": n}) for n in range(3 * FEW)]
    sound = SessionProjection(
        COUNTING, small_setup(), record_of(small_header(), marks)
    ).fold_start()
    assert isinstance(sound, FoldStart)
    for draft in (
        Draft(Layer.CONTROL, Control.VOID, {"entry": 3, "reason": "wrong"}),
        Draft(Layer.FACT, "mark", {"i": 1}, after=2),
        Draft(Layer.FACT, "drop", {"i": 99}),
    ):
        assert (
            SessionProjection(
                COUNTING, small_setup(), record_of(small_header(), [*marks, draft])
            ).fold_start()
            is None
        )


def test_a_disk_that_takes_no_fold_keeps_nobody_from_leaving(
    session: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr("companion.session.table.keep", full)
    table: Table = opening.resume(session)
    table.close()
    with Journal.open(session, wall=lambda: WALL) as journal:
        assert game_of(journal.entries[0].body)[0].id == "panic-fire"


@pytest.fixture(autouse=True)
def _nothing_left(tmp_path: Path) -> Iterator[None]:
    yield
    assert not list(tmp_path.glob("*.fold.new"))
