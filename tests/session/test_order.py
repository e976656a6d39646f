"""The order of sessions does not depend on a clock."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, redirect_stdout
from pathlib import Path
from shutil import copy, copytree, rmtree
from tempfile import mkdtemp

import pytest
from hypothesis import given, settings, strategies as st

from companion.board.calibrated import keep
from companion.commands.past_sessions import past
from companion.commands.play_options import PlayOptions
from companion.commands.starting import offer_last
from companion.errors import CommandError
from companion.exits import Exit
from companion.journal import order
from companion.journal.entries import Control, Draft, Layer
from companion.journal.folder import sessions_dir
from companion.journal.journal import Journal
from companion.journal.order import UNCERTAIN, played_last
from companion.journal.sessions import list_sessions, places_of, unfinished
from companion.journal.store import read_entries
from companion.link.settings import DEFAULTS
from companion.rules.columns import in_shell
from companion.rules.facts import Setup
from companion.rules.header import game_of, header
from companion.rules.order import Place
from companion.rules.seats import seats_from_names
from companion.session import opening
from companion.session.finding import session_to_follow, session_to_go_on_with
from tests.thorough import examples

SEATS = ("Ada", "Ben")
NEVER_SET, NOW, LATER = (
    "1970-01-01T00:00:07+00:00",
    "2026-11-28T20:00:00+00:00",
    "2026-11-29T20:00:00+00:00",
)


def numbers_of(path: Path) -> tuple[int, ...]:
    return tuple(place.number for place in places_of(path))


PLAYED = Draft(Layer.FACT, "round-begins", {"round": 1})


def begin(name: str, wall: str, *, unfinished: bool = True) -> Path:
    """Begin and close a session while the computer's clock says `wall`."""
    path = sessions_dir() / f"{name}.sqlite"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(opening, "wall", lambda: wall)
        table = opening.begin("panic-fire", SEATS, {}, path)
        table.do("panic-fire.fire")
        table.close()
    if not unfinished:
        with Journal.open(path, wall=lambda: wall) as journal:
            journal.append(Draft(Layer.CONTROL, Control.ENDED))
    return path


def resume(path: Path, wall: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(opening, "wall", lambda: wall)
        opening.resume(path).close()


def begun_by_an_earlier_version(name: str, wall: str) -> Path:
    path = sessions_dir() / f"{name}.sqlite"
    setup = Setup("panic-fire", 2, seats_from_names(SEATS))
    with Journal.create(path, header(setup, name), wall=lambda: wall) as journal:
        journal.append(PLAYED)
    return path


def offered() -> list[str]:
    """Return the sessions that may be the last; a single one is continued."""
    infos = list_sessions(sessions_dir())
    last = played_last(unfinished(infos), infos)
    stems = [info.path.stem for info in last.infos]
    if len(stems) == 1:
        assert session_to_go_on_with(None).stem == stems[0]
        assert past(infos)[0].path.stem == stems[0]
        assert not last.doubt
    return stems


def test_the_numbers_of_sessions_count_on_whatever_is_done_with_them() -> None:
    first, second = begin("a", NOW), begin("b", NOW)
    assert (numbers_of(first), numbers_of(second)) == ((1,), (2,))
    resume(first, NOW)
    assert numbers_of(first) == (1, 3)
    archive = sessions_dir() / "archive"
    archive.mkdir()
    first.rename(archive / first.name)
    assert numbers_of(begin("c", NOW)) == (4,)


def test_a_computer_without_a_clock_goes_on_with_the_game_begun_last() -> None:
    begun_by_an_earlier_version("old", NOW)
    begin("monday", LATER)
    begin("tuesday", NEVER_SET)
    assert offered() == ["tuesday"]
    assert [info.path.stem for info in list_sessions(sessions_dir())] == [
        "tuesday",
        "monday",
        "old",
    ]


def test_a_game_that_was_gone_on_with_later_is_the_last_one_whatever_the_clock_says() -> None:
    monday = begin("monday", LATER)
    begin("tuesday", NOW)
    resume(monday, NEVER_SET)
    assert offered() == ["monday"]


walls = st.sampled_from(
    [NEVER_SET, "2000-01-01T00:00:00+00:00", NOW, LATER, "2099-01-01T00:00:00+02:00"]
)


@settings(max_examples=examples(30, 100))
@given(st.lists(st.tuples(st.booleans(), st.integers(0, 5), walls), min_size=1, max_size=6))
def test_in_any_order_of_clocks_the_session_begun_or_gone_on_with_last_is_offered(
    steps: Sequence[tuple[bool, int, str]],
) -> None:
    folder = Path(mkdtemp())
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("COMPANION_DATA", str(folder))
            begun: list[Path] = []
            for again, which, wall in steps:
                if again and begun:
                    last = begun[which % len(begun)]
                    resume(last, wall)
                else:
                    last = begin(str(len(begun)), wall)
                    begun.append(last)
            assert offered() == [last.stem]
            in_order = [info.path for info in list_sessions(sessions_dir())]
            assert in_order == begun[::-1]
    finally:
        rmtree(folder)


# -- in doubt


def from_another_computer(tmp_path: Path, name: str, wall: str, before: int = 0) -> None:
    """Copy in a session begun on another computer, numbered after `before` others."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COMPANION_DATA", str(tmp_path / "elsewhere"))
        for number in range(before):
            begin(f"elsewhere-{number}", wall)
        path = begin(name, wall)
    copy(path, sessions_dir())


def in_doubt(*stems: str) -> None:
    """Assert that every command that offers or takes the last session offers these instead."""
    assert offered() == [*stems]
    for choose in (session_to_go_on_with, session_to_follow):
        with pytest.raises(
            CommandError, match="It is not certain which session was played last"
        ) as refused:
            choose(None)
        assert str(refused.value).endswith(
            f"Name the one you mean: {' or '.join(map(in_shell, stems))}."
        )
    marked = [
        option.path.stem for option in past(list_sessions(sessions_dir())) if option.may_be_last
    ]
    assert marked == [*stems]
    output = io.StringIO()
    with redirect_stdout(output):
        assert offer_last(PlayOptions(), ask=True) == Exit.DONE
    assert [f"  companion resume {in_shell(stem)}\n" in output.getvalue() for stem in stems] == [
        True
    ] * len(stems)
    before = [path.read_bytes() for path in sorted(sessions_dir().iterdir())]
    assert "not certain which session was played last" in keep(DEFAULTS)
    assert before == [path.read_bytes() for path in sorted(sessions_dir().iterdir())], (
        "calibrated for nobody knows whom"
    )


def test_two_sessions_with_one_number_are_both_offered(tmp_path: Path) -> None:
    begin("here", NOW)
    from_another_computer(tmp_path, "there", LATER)
    in_doubt("there", "here")
    from_another_computer(tmp_path, "there-again", LATER)
    after = begin("after", NEVER_SET)
    assert offered() == ["after"], "whoever chose once is not asked again"
    resume(after, NEVER_SET)
    assert offered() == ["after"]
    from_another_computer(tmp_path, "there-at-last", LATER)
    assert {"after", "there-at-last"} < {*offered()}


def test_of_two_folders_put_together_a_later_game_of_the_shorter_one_is_offered_too(
    tmp_path: Path,
) -> None:
    begin("begun", NOW, unfinished=False)
    begin("here", LATER)
    from_another_computer(tmp_path, "there", NOW, before=3)
    in_doubt("there", "here")


moves = st.sampled_from(["begin", "resume", "bring", "move over"])


@settings(max_examples=examples(30, 100))
@given(st.lists(st.tuples(moves, st.integers(0, 5)), max_size=9), st.booleans())
def test_on_two_computers_whose_clocks_are_right_the_game_played_last_is_always_offered(
    steps: Sequence[tuple[str, int]], begun_apart: bool
) -> None:
    """`bring` copies what is missing to this computer; `move over` continues on the other computer."""
    folder = Path(mkdtemp())
    here, there = folder / "one", folder / "two"
    played: dict[Path, str] = {}
    try:
        for number, (move, which) in enumerate([("begin", 0), *steps]):
            wall = f"2026-11-28T20:{number:02}:00+00:00"
            with pytest.MonkeyPatch.context() as patch:
                patch.setenv("COMPANION_DATA", str(here))
                mine = sorted(path for path in played if path.parent == sessions_dir())
                if move == "begin":
                    played[begin(f"{here.name}-{number}", wall)] = wall
                elif move == "resume" and mine:
                    resume(mine[which % len(mine)], wall)
                    played[mine[which % len(mine)]] = wall
                elif move == "bring":
                    for path in [session for session in played if session.parent.parent == there]:
                        if path.name not in {session.name for session in mine}:
                            sessions_dir().mkdir(parents=True, exist_ok=True)
                            played[Path(copy(path, sessions_dir()))] = played[path]
                elif move == "move over":
                    here, there = there, here
                    if (
                        not begun_apart
                        and not (here / "sessions").exists()
                        and (there / "sessions").exists()
                    ):
                        copytree(there / "sessions", here / "sessions")
                        played |= {here / "sessions" / path.name: played[path] for path in mine}
                patch.setenv("COMPANION_DATA", str(here))
                mine = [path for path in played if path.parent == sessions_dir()]
                if mine:
                    assert max(mine, key=played.__getitem__).stem in offered()
    finally:
        rmtree(folder)


def test_where_a_clock_was_not_set_a_game_of_another_computer_is_offered_too(
    tmp_path: Path,
) -> None:
    begin("before", NOW, unfinished=False)
    begin("here", NEVER_SET)
    from_another_computer(tmp_path, "there", NOW)
    in_doubt("here", "there")


def test_of_a_folder_that_was_copied_and_went_on_in_both_places_a_later_game_is_offered_too(
    tmp_path: Path,
) -> None:
    begin("before", NOW, unfinished=False)
    copytree(sessions_dir(), tmp_path / "elsewhere" / "sessions")
    begin("here", LATER)
    begin("first", NOW, unfinished=False)
    from_another_computer(tmp_path, "there", NOW, before=3)
    copy(tmp_path / "elsewhere" / "sessions" / "elsewhere-1.sqlite", sessions_dir())
    in_doubt("there", "here")


def test_a_session_of_an_earlier_version_that_was_played_later_is_offered_too() -> None:
    here = begin("here", NOW)
    begun_by_an_earlier_version("old", LATER)
    in_doubt("here", "old")
    resume(here, NEVER_SET)
    assert offered() == ["here"], "a clock that was never set is no reason to doubt"


def test_a_session_that_an_earlier_version_went_on_with_is_offered_too() -> None:
    first = begin("first", NOW)
    begin("second", NOW)
    assert offered() == ["second"]
    with Journal.open(first, wall=lambda: LATER) as journal:
        journal.append(Draft(Layer.CONTROL, Control.RESUMED, {"doubts": []}))
    in_doubt("second", "first")


def test_a_backup_that_came_back_beside_its_session_is_offered_too() -> None:
    copy(begin("evening", NOW), sessions_dir() / "evening copy.sqlite")
    in_doubt("evening copy", "evening")


def test_a_number_that_nobody_can_have_given_is_none() -> None:
    setup = Setup("panic-fire", 2, seats_from_names(SEATS))
    for place, number in enumerate((True, 0, -3, 1.5, "7", 1 << 60, None)):
        path = sessions_dir() / f"{place}.sqlite"
        Journal.create(
            path, {**header(setup, "s"), "order": number, "order_in": "a"}, wall=lambda: NOW
        ).close()
        assert numbers_of(path) == (0,)
    assert numbers_of(begin("first", NOW)) == (1,)


def test_what_reads_a_session_knows_nothing_of_its_number() -> None:
    body = read_entries(begin("a", NOW))[0].body
    assert game_of(body) == game_of(
        {name: value for name, value in body.items() if not name.startswith("order")}
    )


# -- at once

BEGIN = """
import sys
from companion.session.opening import begin
print("ready", flush=True)
sys.stdin.readline()
begin("panic-fire", ["Ada", "Ben"], {}).close()
"""


@pytest.fixture
def companions() -> Iterator[list[subprocess.Popen[str]]]:
    pipe = subprocess.PIPE
    started = [
        subprocess.Popen(
            [sys.executable, "-c", BEGIN], stdin=pipe, stdout=pipe, text=True, bufsize=1
        )
        for _ in range(4)
    ]
    yield started
    for process in started:
        process.kill()
        process.communicate()


def test_companions_that_start_at_once_take_different_numbers(
    companions: list[subprocess.Popen[str]],
) -> None:
    for process in companions:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in companions:
        assert process.stdin is not None
        process.stdin.write("\n")
    assert [process.wait(60) for process in companions] == [0] * 4
    infos = list_sessions(sessions_dir())
    assert sorted(info.last_place.number for info in infos) == [1, 2, 3, 4]
    assert len({info.last_place.folder for info in infos}) == 1
    assert not played_last(infos, infos).doubt
    assert not [path for path in sessions_dir().iterdir() if ".sqlite" not in path.name], (
        "nothing is left behind"
    )


def test_where_folders_cannot_be_locked_one_number_for_two_is_noticed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(order, "_lock", lambda _folder: None)
    # each looked before the other one wrote
    monkeypatch.setattr(opening, "next_place", lambda _folder: Place(1, "a"))
    begin("a", NOW)
    begin("b", NOW)
    assert sorted(offered()) == ["a", "b"]
    infos = list_sessions(sessions_dir())
    assert played_last(infos, infos).doubt == UNCERTAIN


def test_a_companion_that_keeps_the_folder_locked_holds_nobody_up_for_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(order, "TURN_S", 0.0)
    with order.turn_in(sessions_dir()), closing(opening.begin("panic-fire", SEATS, {})) as table:
        assert numbers_of(table.path) == (1,)
