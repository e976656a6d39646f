"""Each command that opens a game works for every kind of game: one of ours, one of another package, and one from a
user's file, whatever became of that file. A new command that opens a game belongs in the tables below."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.cli import parser
from companion.config.own_games import games_dir
from companion.exits import Exit
from companion.journal.entries import Control, Draft, Layer
from companion.journal.folder import sessions_dir
from companion.journal.journal import Journal
from companion.rules.facts import body_of
from companion.rules.header import header
from companion.rules.registry import GAMES, learn
from companion.web import run as serving
from tests.commands.ran import Ran
from tests.games.finished import facts_of
from tests.games.hints import setup_of
from tests.games.own.files import TEXTS
from tests.games.transcripts import format_transcript

pytestmark = pytest.mark.usefixtures("sample_game")
WALL = "2026-01-31T20:00:00.000+00:00"
KINDS = ("panic-fire", "drills", "skyfire", "sky-rise", "fractured-sky", "pebbles", *TEXTS)
"""The games by the word that is typed for them."""
every_kind = pytest.mark.parametrize("word", KINDS)


def forget() -> None:
    """Forget games from files, as a new process would."""
    vars(GAMES)["learned"].clear()


@pytest.fixture(autouse=True)
def nothing_learned() -> Iterator[None]:
    forget()
    yield
    forget()


def session_of(word: str) -> Path:
    """Return a whole game on the disk."""
    game_id = learn(TEXTS[word]).id if word in TEXTS else word
    setup = setup_of(game_id, 3)
    path = sessions_dir() / f"{word}.sqlite"
    with Journal.create(path, header(setup, "evening"), wall=lambda: WALL) as journal:
        facts = facts_of(game_id, 0)
        journal.append(
            *(Draft(Layer.FACT, fact.kind, body_of(fact), actor="keyboard") for fact in facts)
        )
        journal.append(Draft(Layer.CONTROL, Control.ENDED))
    forget()
    return path


def title_of(word: str) -> str:
    title = learn(TEXTS[word]).title if word in TEXTS else GAMES[word].title
    forget()
    return title


Words = Callable[[Path, Path], list[str]]
OF_SESSIONS: dict[str, Words] = {
    "sessions": lambda _path, _tmp: ["sessions"],
    "sessions, json": lambda _path, _tmp: ["sessions", "--json"],
    "sessions rename": lambda path, _tmp: ["sessions", "rename", str(path), "friday"],
    "sessions archive": lambda path, _tmp: ["sessions", "archive", str(path)],
    "sessions delete": lambda path, _tmp: ["sessions", "delete", str(path), "--yes"],
    "journal check": lambda path, _tmp: ["journal", "check", str(path)],
    "journal repair": lambda path, _tmp: ["journal", "repair", str(path), "--yes"],
    "export jsonl": lambda path, _tmp: ["export", str(path), "--format", "jsonl"],
    "export json": lambda path, _tmp: ["export", str(path), "--format", "json"],
    "export csv": lambda path, tmp: [
        "export",
        str(path),
        "--format",
        "csv",
        "--out",
        str(tmp / "evening.csv"),
    ],
    "export html": lambda path, _tmp: ["export", str(path), "--format", "html"],
    "export bgstats": lambda path, _tmp: ["export", str(path), "--format", "bgstats"],
    "export as stored": lambda path, _tmp: ["export", str(path), "--format", "jsonl", "--stored"],
    "feed": lambda path, _tmp: ["feed", str(path)],
    "sheet": lambda path, _tmp: ["sheet", str(path)],
    "stats": lambda _path, _tmp: ["stats"],
    "stats, json": lambda _path, _tmp: ["stats", "--json", "--no-tests"],
    "report": lambda path, tmp: ["report", str(path), "--out", str(tmp / "report.zip")],
    "hub pack": lambda path, tmp: ["hub", "pack", str(path), "--out", str(tmp / "evening.hub")],
    "resume": lambda path, _tmp: ["resume", str(path), "--plain", "--port", "none"],
    "rematch": lambda path, _tmp: ["rematch", str(path), "--plain", "--port", "none"],
    "watch": lambda path, _tmp: ["watch", str(path), "--plain"],
    "serve": lambda path, _tmp: ["serve", str(path), "--port", "0"],
}
"""What is done with a session, by its file."""
SAY_THE_TITLE = ("export html", "serve")
OF_GAMES: dict[str, list[str]] = {
    "play": ["play", "WORD", "--plain", "--port", "none"],
    "ask": ["ask", "WORD", "who", "wins"],
    "checklist": ["checklist", "WORD"],
    "components list": ["components", "list", "WORD"],
    "config keys": ["config", "keys", "WORD"],
    "games list": ["games", "list"],
    "keycard": ["keycard", "WORD"],
    "simulate": ["simulate", "WORD", "--games", "1"],
}
"""Commands that open a game, which is named in the place of WORD."""
ELSEWHERE = {
    "board", "completion", "config", "demo", "doctor", "games", "hands", "help", "host", "import", "licenses", "replay",
    "score", "system-files", "teach", "tour", "virtual",
}  # fmt: skip
"""Commands that open no session: those that open a game nevertheless have tests of their own."""


def test_the_tables_name_every_command() -> None:
    named = {words[0] for words in OF_GAMES.values()} | {
        words.split()[0].rstrip(",") for words in OF_SESSIONS
    }
    commands = {
        name
        for action in parser()._actions
        if isinstance(action.choices, dict)
        for name in action.choices
    }
    assert commands - named == ELSEWHERE - named


@every_kind
@pytest.mark.parametrize("command", OF_SESSIONS)
def test_a_command_takes_a_sound_session_of_every_kind_of_game(
    word: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "keep_serving", _welcome)
    title, path = title_of(word), session_of(word)
    ran = Ran(*OF_SESSIONS[command](path, tmp_path))
    assert (ran.code, "WRONG" in ran.out) == (Exit.DONE, False), ran.out + ran.err
    if command in SAY_THE_TITLE:
        assert title.replace("&", "&amp;") in ran.out or title[:14] in ran.out


async def _welcome(
    _onlooker: object, _pages: object, _door: object, welcome: Callable[[], object], _tls: object
) -> None:
    """Print the addresses of the pages, but serve none."""
    welcome()


@every_kind
@pytest.mark.parametrize("command", OF_GAMES)
def test_a_command_takes_every_kind_of_game_by_its_word(word: str, command: str) -> None:
    if word in TEXTS:
        games_dir().mkdir(parents=True)
        (games_dir() / f"{word}.toml").write_text(TEXTS[word], encoding="utf-8")
    ran = Ran(*(word if argument == "WORD" else argument for argument in OF_GAMES[command]))
    assert "Traceback" not in ran.err
    assert ran.code == Exit.DONE, ran.out + ran.err


@every_kind
def test_an_export_and_a_transcript_of_every_kind_of_game_are_taken_back(
    word: str, tmp_path: Path
) -> None:
    path = session_of(word)
    exported = tmp_path / "evening.jsonl"
    assert Ran("export", str(path), "--format", "jsonl", "--out", str(exported)).code == Exit.DONE
    told = json.loads(Ran("export", str(path), "--format", "json").out)
    forget()
    scored = Ran("score", str(exported), "--json")
    assert scored.code == Exit.DONE, scored.err
    assert json.loads(scored.out)["over"] is True
    forget()
    again = tmp_path / "again.sqlite"
    taken = Ran("import", str(exported), "--out", str(again))
    assert taken.code == Exit.DONE, taken.err
    forget()
    assert json.loads(Ran("export", str(again), "--format", "json").out)["setup"] == told["setup"]
    forget()
    assert Ran("journal", "check", str(again)).code == Exit.DONE


@every_kind
def test_a_transcript_of_every_kind_of_game_is_added_up_and_taken_in(
    word: str, tmp_path: Path
) -> None:
    game_id = learn(TEXTS[word]).id if word in TEXTS else word
    transcript = tmp_path / "evening.txt"
    transcript.write_text(
        format_transcript(setup_of(game_id, 3), facts_of(game_id, 0)), encoding="utf-8"
    )
    forget()
    scored = Ran("score", str(transcript))
    assert (scored.code, scored.err) == (Exit.DONE, "")
    forget()
    taken = Ran("import", str(transcript), "--out", str(tmp_path / "taken.sqlite"))
    assert (taken.code, taken.err) == (Exit.DONE, "")


@every_kind
def test_a_hub_takes_what_was_packed_of_every_kind_of_game(word: str, tmp_path: Path) -> None:
    path, packed = session_of(word), tmp_path / "evening.hub"
    assert Ran("hub", "pack", str(path), "--out", str(packed)).code == Exit.DONE
    forget()
    taken = Ran(
        "hub",
        "take",
        str(packed),
        "--table",
        "1",
        "--database",
        f"sqlite:///{tmp_path / 'hub.sqlite'}",
    )
    assert taken.code == Exit.DONE, taken.err
    assert "the whole session is here" in taken.out


@every_kind
def test_a_capture_of_every_kind_of_game_is_replayed(word: str, tmp_path: Path) -> None:
    path = tmp_path / "evening.capture"
    _captured(word, path)
    forget()
    ran = Ran("replay", str(path))
    assert ran.code == Exit.DONE, ran.out + ran.err


def _captured(word: str, path: Path) -> None:
    if word in TEXTS:
        games_dir().mkdir(parents=True)
        (games_dir() / f"{word}.toml").write_text(TEXTS[word], encoding="utf-8")
    keys = "".join(f"{key}\n" for key in "12u")
    assert (
        Ran("play", word, "--plain", "--port", "none", "--capture", str(path), typed=keys).code
        == Exit.DONE
    )
    (games_dir() / f"{word}.toml").unlink(missing_ok=True)
