"""A game that somebody else wrote and that has gone bad is named, and harms no other."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from companion.commands.play_options import PlayOptions
from companion.commands.playing import begin_playing
from companion.config.schema import Preferences
from companion.dashboard.start.app import StartApp
from companion.dashboard.start.choices import Search
from companion.doctor import checks
from companion.doctor.checks import Severity
from companion.exits import Exit
from companion.journal.folder import sessions_dir
from companion.link.finder import BoardSearch
from companion.rules import finding
from companion.rules.game_info import GameUnusable
from companion.rules.registry import GAMES, info_of, open_game, problems
from companion.session.opening import begin
from tests.commands.ran import Ran
from tests.conftest import SAMPLE_GAME
from tests.dashboard.screen import screen_text
from tests.games.foreign import ENTRY, install, install_source, installed

OURS = ["panic-fire", "skyfire", "sky-rise", "fractured-sky", "drills"]
UPDATE = "Update it, or remove it:  pip uninstall table-bad"

BAD = {
    "a syntax error": ("def", "importing table_bad:ENTRY failed (SyntaxError"),
    "an exception at its import": ("raise RuntimeError('no\\n\\x1b[31mluck')", "failed (RuntimeError: no"),
    "something it needs that is missing": ("import nothing_like_it", "(ModuleNotFoundError: No module named"),
    "an end of the program": ("raise SystemExit(3)", "failed (SystemExit: 3)"),
    "Ctrl-C": ("raise KeyboardInterrupt", "failed (KeyboardInterrupt)"),
    "no entry": ("", "failed (AttributeError"),
    "an entry that is something else": ("ENTRY = 'chess'", "its entry is of type str, and should be a GameInfo"),
    "another API": (ENTRY.format(id="bad", more=", api=2"), "made for version 2 of what games and the companion"),
    "a field of another API": (ENTRY.format(id="bad", more=", shop=1"), "unexpected keyword argument 'shop'"),
    "another id than its name": (ENTRY.format(id="worse", more=""), "its id is 'worse'"),
    "no title": (ENTRY.format(id="bad", more="").replace('title="bad"', 'title=""'), "has to be a line of text"),
    "a title that moves the cursor": (ENTRY.format(id="bad", more="").replace('title="', 'title="\\x1b[2J'), "line of"),
    "nobody who plays": (ENTRY.format(id="bad", more="").replace("range(2, 5)", "range(2, 2)"), "seats has to be"),
    "seats from none": (ENTRY.format(id="bad", more="").replace("range(2, 5)", "range(0, 3)"), "seats has to be"),
    "seats in steps": (ENTRY.format(id="bad", more="").replace("range(2, 5)", "range(2, 9, 2)"), "seats has to be"),
    "seats as a number": (ENTRY.format(id="bad", more="").replace("range(2, 5)", "4"), "seats has to be a range"),
    "a screen that is no text": (ENTRY.format(id="bad", more=", screen=1"), "has to be text, `module:name`"),
    "a place that is no number": (ENTRY.format(id="bad", more=", place='top'"), "place has to be a whole number"),
}  # fmt: skip


@pytest.mark.parametrize("kind", BAD)
def test_a_game_gone_bad_is_named_with_what_to_do_and_the_others_are_there(
    kind: str, tmp_path: Path
) -> None:
    code, why = BAD[kind]
    install(tmp_path / "site", "table-bad", code, "bad")
    install(tmp_path / "site", "table-good", ENTRY.format(id="good", more=""), "good")
    with installed(tmp_path / "site"):
        assert list(GAMES) == [*OURS, "good"]
        (problem,) = problems()
        assert (problem.name, problem.package) == ("bad", "table-bad")
        assert why in problem.sentence
        assert problem.remedy == UPDATE
        assert str(problem).isprintable()
        with pytest.raises(GameUnusable) as refused:
            info_of("bad")
        assert str(refused.value) == str(problem)


IDS = [
    "../../etc/passwd",
    "..",
    "a/b",
    "a\\b",
    "Chess",
    "chess ",
    "-chess",
    "con",
    "table",
    "x" * 33,
    "schach!",
    "ß",
]


@pytest.mark.parametrize("game_id", IDS)
def test_an_id_that_could_be_a_path_or_a_command_is_none(game_id: str, tmp_path: Path) -> None:
    install(
        tmp_path / "site",
        "table-bad",
        ENTRY.format(id=game_id.replace("\\", "\\\\"), more=""),
        game_id,
    )
    with installed(tmp_path / "site"):
        assert list(GAMES) == OURS
        assert len(problems()) == 1


def test_an_id_of_ours_stays_ours(tmp_path: Path) -> None:
    install(tmp_path / "site", "table-bad", "raise AssertionError('nobody needs it')", "skyfire")
    with installed(tmp_path / "site"):
        assert info_of("skyfire").package == "companion.games.skyfire"
        assert [one.why for one in problems()] == ["the companion itself has a game of this id"]


def test_of_two_packages_with_one_id_neither_is_played_and_each_is_told_of_the_other(
    tmp_path: Path,
) -> None:
    for package in ("table-bad", "table-worse"):
        install(tmp_path / "site", package, ENTRY.format(id="chess", more=""), "chess")
    with installed(tmp_path / "site"):
        assert list(GAMES) == OURS
        assert [(one.package, one.why) for one in problems()] == [
            ("table-bad", "table-worse has a game of the same id"),
            ("table-worse", "table-bad has a game of the same id"),
        ]


def test_a_package_that_is_found_twice_has_its_game_once(tmp_path: Path) -> None:
    install(tmp_path / "site", "table-good", ENTRY.format(id="good", more=""), "good")
    install(tmp_path / "again", "table-good", ENTRY.format(id="good", more=""), "good")
    with installed(tmp_path / "site"), installed(tmp_path / "again"):
        assert list(GAMES) == [*OURS, "good"]
        assert not problems()


def test_damaged_metadata_of_one_package_costs_no_other_game(tmp_path: Path) -> None:
    install(tmp_path / "site", "table-bad", "", "bad")
    (tmp_path / "site" / "table_bad-1.0.dist-info" / "entry_points.txt").write_text(
        "[companion.games]\nbad\n"
    )
    install(tmp_path / "site", "table-good", ENTRY.format(id="good", more=""), "good")
    with installed(tmp_path / "site"):
        assert list(GAMES) == [*OURS, "good"]
        assert [one.why for one in problems()] == ["its entry_points.txt cannot be read"]


def test_nobody_waits_for_an_entry_that_never_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(finding, "IMPORT_TIMEOUT_S", 0.2)
    endless = "import threading; threading.Event().wait()"
    for name in ("slow", "slower"):
        install(tmp_path / "site", f"table-{name}", endless, name)
    install(tmp_path / "site", "table-good", ENTRY.format(id="good", more=""), "good")
    with installed(tmp_path / "site"):
        begun = time.monotonic()
        assert list(GAMES) == [*OURS, "good"]
        assert time.monotonic() - begun < 2  # both together
        assert [one.name for one in problems()] == ["slow", "slower"]
        assert "takes longer than" in problems()[0].sentence


def test_a_program_ends_although_an_entry_never_does(tmp_path: Path) -> None:
    install(tmp_path / "site", "table-slow", "import threading; threading.Event().wait()", "slow")
    code = "from companion.rules import finding; finding.IMPORT_TIMEOUT_S = 0.2; "
    code += "from companion.rules.registry import *; print(len(GAMES), len(problems()))"
    ran = _python(tmp_path, code)
    assert ran.stdout.split() == [str(len(OURS)), "1"]


@pytest.mark.parametrize("asked", ["--version", "--help"])
def test_version_and_help_look_at_no_package(asked: str, tmp_path: Path) -> None:
    install(tmp_path / "site", "table-bad", "import os; os._exit(77)", "bad")
    code = (
        "import sys\nfrom companion.cli import main\n"
        f"try: main([{asked!r}])\nexcept SystemExit as end: print(end.code)\n"
        "print(sorted(sys.modules.keys() & {'importlib.metadata', 'companion.rules.finding', 'table_bad'}))"
    )
    ran = _python(tmp_path, code)
    assert ran.returncode == 0
    assert ran.stdout.splitlines()[-2:] == ["0", "[]"]


def _python(tmp_path: Path, code: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(tmp_path / "site"), os.environ.get("PYTHONPATH", "")])
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": path},
        timeout=30,
    )


def test_an_installation_that_names_none_of_our_games_says_how_to_install_it_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(finding, "distributions", lambda: iter(()))
    with installed(tmp_path):
        ran = Ran("play", "panic-fire")
        assert ran.code == Exit.USAGE
        assert "pip install -e ." in ran.err
        assert Ran("play").code == Exit.UNAVAILABLE
        assert "pip install -e ." in Ran("play").err
        assert "pip install -e ." in Ran("doctor").out


@pytest.mark.parametrize("gone", OURS)
def test_one_of_our_own_games_that_is_lost_costs_no_other_and_is_named(
    gone: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(gone, ["Ann", "Bo", "Cleo"], {}).close()
    monkeypatch.setitem(sys.modules, f"companion.games.{gone.replace('-', '_')}", None)
    install(tmp_path / "site", "table-good", ENTRY.format(id=gone, more=""), gone)
    with installed(tmp_path / "site"):
        assert list(GAMES) == [one for one in OURS if one != gone]
        lost, taken = problems()
        assert lost.sentence.startswith(
            f"The game '{gone}' of the package table-companion cannot be used: importing "
        )
        assert lost.remedy == "Install it again (pip install -e . in a folder with its source)."
        assert taken.why == "the companion itself has a game of this id", (
            "nobody else's game takes its sessions"
        )
        asked = Ran("play", gone, "--port", "none")
        assert (asked.code, asked.err) == (Exit.UNAVAILABLE, f"{lost}\n")
        assert f"\n{gone}-" in Ran("sessions").out
        other = next(iter(GAMES))
        assert "[ ] " in Ran("checklist", other, "--seats", "Ann,Bo,Cleo").out
        assert str(lost.sentence) in Ran("doctor").out


async def test_the_start_screens_of_such_an_installation_say_so_too(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(finding, "distributions", lambda: iter(()))
    with installed(tmp_path):
        search = Search(lambda _: BoardSearch(None, "no board"))
        search.start()
        app = StartApp((), Preferences(), search)
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press("enter")
            await pilot.pause()
            assert "pip install -e ." in " ".join(screen_text(app).split())
            await pilot.press("enter", "1", "escape")
            await pilot.pause()
        search.stop()


def test_who_asks_for_a_bad_game_is_told_why_it_cannot_be_played(tmp_path: Path) -> None:
    install(tmp_path / "site", "table-bad", "raise SystemExit", "bad")
    with installed(tmp_path / "site"):
        for command in (["play", "bad"], ["demo", "--game", "bad"], ["components", "list", "bad"]):
            ran = Ran(*command)
            assert ran.code == Exit.UNAVAILABLE, command
            assert "The game 'bad' of the package table-bad cannot be used" in ran.err
            assert UPDATE in ran.err


def test_rules_that_cannot_be_imported_are_named_when_the_game_is_asked_for(tmp_path: Path) -> None:
    install(
        tmp_path / "site",
        "table-bad",
        ENTRY.format(id="bad", more=""),
        "bad",
        rules="import nothing_like_it",
    )
    with installed(tmp_path / "site"):
        assert list(GAMES) == [*OURS, "bad"]
        with pytest.raises(
            GameUnusable, match=r"importing table_bad.rules failed \(ModuleNotFoundError"
        ):
            open_game("bad")
        ran = Ran("play", "bad", "--seats", "A,B", "--port", "none")
        assert ran.code == Exit.UNAVAILABLE
        assert "bad cannot be used: importing table_bad.rules failed" in ran.err
        found = list(checks.games(GAMES.values(), problems()))
        assert [one.level for one in found] == [Severity.FAILURE, Severity.OK]


@pytest.mark.parametrize(
    "rules",
    [
        "Game = 'chess'",
        "class Game: id = 'bad'",
        "from companion.games.skyfire.rules.game import GAME as Game",
    ],
)
def test_rules_that_are_no_rules_of_this_game_are_named_too(rules: str, tmp_path: Path) -> None:
    install(tmp_path / "site", "table-bad", ENTRY.format(id="bad", more=""), "bad", rules=rules)
    with installed(tmp_path / "site"):
        ran = Ran("play", "bad", "--seats", "A,B", "--port", "none")
        assert ran.code == Exit.UNAVAILABLE
        assert "should be a Game with the id 'bad'" in ran.err
        assert [one.level for one in checks.games(GAMES.values(), problems())] == [
            Severity.FAILURE,
            Severity.OK,
        ]


def test_a_game_whose_screen_cannot_be_imported_is_refused_before_a_session_begins(
    tmp_path: Path,
) -> None:
    skyfire = "from companion.games.skyfire.rules.game import GAME"
    rules = f"from dataclasses import replace\n{skyfire}\nGame = replace(GAME, id='bad')"
    entry = ENTRY.format(id="bad", more=", screen='nothing_like_it:Screen'")
    install(tmp_path / "site", "table-bad", entry, "bad", rules=rules)
    with installed(tmp_path / "site"):
        options = PlayOptions(port="none", port_said=True)
        with pytest.raises(GameUnusable, match=r"importing table_bad.nothing_like_it failed"):
            begin_playing("bad", ["A", "B"], {}, options)
        assert not list(sessions_dir().glob("*"))


def test_the_list_of_games_names_each_that_cannot_be_used(tmp_path: Path) -> None:
    install(tmp_path / "site", "table-bad", "raise SystemExit", "bad")
    with installed(tmp_path / "site"):
        ran = Ran("games", "list")
        assert (
            "game 'bad' of the package table-bad cannot be used: importing table_bad:ENTRY failed"
            in ran.err
        )
        assert "panic-fire" in ran.out


def test_the_doctor_names_each_game_that_cannot_be_used_and_the_mend(tmp_path: Path) -> None:
    install(tmp_path / "site", "table-bad", "raise SystemExit", "bad")
    with installed(tmp_path / "site"):
        found = list(checks.games(GAMES.values(), problems()))
    assert [one.level for one in found] == [Severity.FAILURE, Severity.OK]
    assert "table-bad" in found[0].sentence
    assert found[0].mend == UPDATE


async def test_the_start_screens_name_what_cannot_be_used_and_go_on(tmp_path: Path) -> None:
    install(tmp_path / "site", "table-bad", "raise SystemExit", "bad")
    install(
        tmp_path / "site",
        "table-worse",
        ENTRY.format(id="worse", more=""),
        "worse",
        rules="import nothing_like_it",
    )
    with installed(tmp_path / "site"):
        search = Search(lambda _: BoardSearch(None, "no board"))
        search.start()
        app = StartApp((), Preferences(), search)
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press("enter")
            await pilot.pause()
            assert "Not usable here: bad. `companion doctor` says why." in screen_text(app)
            await pilot.press(str(list(GAMES).index("worse") + 1))
            await pilot.pause()
            assert "worse cannot be used: importing table_worse.rules failed" in screen_text(app)
            await pilot.press("1")
            await pilot.pause()
            assert "Panic Fire: enter the players" in screen_text(app)
        search.stop()


def test_a_part_that_cannot_be_imported_is_named_and_the_session_is_kept(tmp_path: Path) -> None:
    shutil.copytree(SAMPLE_GAME, tmp_path / "sample")
    entry = tmp_path / "sample" / "table_pebbles" / "__init__.py"
    bad = 'rules="rules:GAME", report="report:Report", players="people:People"'
    entry.write_text(
        entry.read_text(encoding="utf-8").replace('rules="rules:GAME"', bad), encoding="utf-8"
    )
    with installed(install_source(tmp_path / "sample", tmp_path / "site")):
        begin("pebbles", ["Anna", "Bo"], {}, tmp_path / "evening.sqlite").close()
        ran = Ran("export", str(tmp_path / "evening.sqlite"))
        assert ran.code == Exit.UNAVAILABLE
        assert "importing table_pebbles.report failed" in ran.err
        assert Ran("export", str(tmp_path / "evening.sqlite"), "--format", "json").code == Exit.DONE
        begin("pebbles", ["Anna", "Bo"], {}, sessions_dir() / "pebbles.sqlite").close()
        begin("skyfire", ["Anna", "Bo", "Cy"], {}, sessions_dir() / "skyfire.sqlite").close()
        counted = Ran("stats")
        assert (
            "Skipped: Pebbles (example) cannot be used: importing table_pebbles.report failed"
            in counted.err
        )
        assert (counted.code, "Cy" in counted.out) == (Exit.DONE, True)
        assert "importing table_pebbles.people failed" in Ran("doctor").out
