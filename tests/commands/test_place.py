"""Where a new session is made when the disk of the data folder lacks something: who is asked, and what is left."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from companion import terminal
from companion.exits import Exit
from companion.journal import features
from companion.journal.features import ACCEPTED, Feature
from companion.journal.folder import home_sessions_dir, sessions_dir
from companion.journal.store import read_entries
from companion.session.opening import begin
from tests.commands.ran import Ran
from tests.journal.support import contents
from tests.reports.support import FIXTURES

PLAY = ("play", "panic-fire", "--plain", "--port", "none")
BRING_IN = ("import", str(FIXTURES / "six-rounds.jsonl"))
NEW = pytest.mark.parametrize("words", [PLAY, BRING_IN], ids=lambda words: words[0])
NEEDED = pytest.mark.parametrize("feature", [Feature.LOCKS, Feature.SHARED_MEMORY])


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    return home_sessions_dir()


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal, "can_ask", lambda: True)
    monkeypatch.setattr(terminal, "shows_screens", lambda: False)


Disk = Callable[[Feature], None]


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    """Make the data folder's disk lack something; every other disk is complete."""
    data = sessions_dir().parent
    data.mkdir(parents=True)

    def lack(feature: Feature) -> None:
        monkeypatch.setitem(
            features._TRIALS, feature, lambda _file, path: not path.is_relative_to(data)
        )

    return lack


def unbroken(text: str) -> str:
    return "".join(text.split())


def made(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.sqlite")) if folder.exists() else []


@NEW
@NEEDED
def test_enter_makes_the_session_at_home_and_says_how_to_bring_it_back(
    words: tuple[str, ...], feature: Feature, disk: Disk, asked: None, home: Path
) -> None:
    disk(feature)
    ran = Ran(*words, typed="\n")
    assert ran.code == Exit.DONE
    assert unbroken(f"{sessions_dir()} is on a disk without {feature}: ") in unbroken(ran.out)
    assert unbroken(ran.out).startswith(unbroken(f"Start the session in {home} instead?"))
    assert unbroken(
        "When you quit the game, you are told how to bring the session back."
    ) in unbroken(ran.out)
    (session,) = made(home)
    folder = sessions_dir()
    assert (
        f"When it is over, bring it back:  mkdir -p {folder} && mv {session}* {folder}\n" in ran.out
    )
    assert not folder.exists()


@NEW
@NEEDED
@pytest.mark.parametrize("typed", ["n\n", ""])
def test_whoever_does_not_want_that_has_no_session_anywhere(
    words: tuple[str, ...], feature: Feature, typed: str, disk: Disk, asked: None, home: Path
) -> None:
    disk(feature)
    ran = Ran(*words, typed=typed)
    assert (ran.code, ran.err) == (
        Exit.CANNOT_CREATE,
        "No session was started. COMPANION_DATA names another data folder.\n",
    )
    assert made(home) == made(sessions_dir()) == []


@NEW
@NEEDED
def test_where_nobody_can_be_asked_no_session_is_made_and_the_way_is_named(
    words: tuple[str, ...], feature: Feature, disk: Disk, home: Path
) -> None:
    disk(feature)
    ran = Ran(*words)
    assert (ran.code, ran.out, ran.err.count("\n")) == (Exit.CANNOT_CREATE, "", 1)
    assert ran.err.endswith(f"Start it on a disk of this computer: COMPANION_DATA={home.parent}\n")
    assert made(home) == made(sessions_dir()) == []


@NEW
def test_people_agree_once_that_anybody_can_read_what_they_play(
    words: tuple[str, ...], disk: Disk, asked: None
) -> None:
    disk(Feature.PERMISSIONS)
    first = Ran(*words, typed="y\n")
    assert "anybody with this disk or stick can read hands and goals" in " ".join(first.out.split())
    assert (first.code, len(made(sessions_dir()))) == (Exit.DONE, 1)
    assert "anybody who has it can read hands and goals" in (sessions_dir() / ACCEPTED).read_text()
    second = Ran(*words)
    assert (second.code, len(made(sessions_dir()))) == (Exit.DONE, 2)
    assert "hands and goals" not in second.out


@NEW
@pytest.mark.parametrize("typed", ["\n", "n\n", ""])
def test_without_their_yes_nothing_is_written_where_anybody_can_read_it(
    words: tuple[str, ...], typed: str, disk: Disk, asked: None
) -> None:
    disk(Feature.PERMISSIONS)
    ran = Ran(*words, typed=typed)
    assert (ran.code, ran.err.count("\n")) == (Exit.CANNOT_CREATE, 1)
    assert not sessions_dir().exists()


@NEW
def test_where_nobody_can_agree_nothing_is_written_either(
    words: tuple[str, ...], disk: Disk
) -> None:
    disk(Feature.PERMISSIONS)
    ran = Ran(*words)
    assert (ran.code, ran.out, ran.err.count("\n")) == (Exit.CANNOT_CREATE, "", 1)
    assert "Play once in a terminal to agree." in ran.err
    assert not sessions_dir().exists()


def test_no_other_way_leads_to_a_session_that_anybody_can_read(disk: Disk) -> None:
    disk(Feature.PERMISSIONS)
    with pytest.raises(Exception, match="anybody with this disk or stick can read hands and goals"):
        begin("panic-fire", ["red", "blue"], {})
    assert not sessions_dir().exists()


def test_a_session_made_at_home_is_gone_on_with_by_its_whole_name(
    disk: Disk, asked: None, home: Path
) -> None:
    disk(Feature.LOCKS)
    Ran(*PLAY, typed="\n")
    (session,) = made(home)
    ran = Ran("resume", str(session), "--plain", "--port", "none")
    assert ran.code == Exit.DONE
    assert f"mv {session}*" in ran.out
    assert len(read_entries(session)) == 2


def test_a_session_that_was_brought_back_is_read_where_it_cannot_be_written(
    disk: Disk, asked: None, home: Path
) -> None:
    disk(Feature.LOCKS)
    Ran(*BRING_IN, typed="\n")
    sessions_dir().mkdir(parents=True)
    for file in home.iterdir():
        file.rename(sessions_dir() / file.name)
    before = contents(sessions_dir())
    for words in (("export",), ("sheet",), ("stats",), ("sessions",), ("feed",)):
        assert Ran(*words).code == Exit.DONE
    assert contents(sessions_dir()) == before


def test_a_rematch_is_asked_for_a_place_too(disk: Disk, asked: None, home: Path) -> None:
    first = Ran(*PLAY)
    assert (first.code, len(made(sessions_dir()))) == (Exit.DONE, 1)
    disk(Feature.LOCKS)
    ran = Ran("rematch", made(sessions_dir())[0].stem, "--plain", "--port", "none", typed="\n")
    assert (ran.code, len(made(home)), len(made(sessions_dir()))) == (Exit.DONE, 1, 1)
    assert "bring it back:  mv " in ran.out
