"""`companion games`, and playing a file by its path or its name."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion import cli
from companion.commands.games import NO_PACKAGES
from companion.config.own_games import games_dir
from companion.exits import Exit
from companion.rules import registry
from tests.commands.ran import Ran
from tests.end_to_end.program import run_here, sentence
from tests.games.own.files import NAMES, TEXTS


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))
    yield tmp_path / "data"
    vars(registry.GAMES)["learned"].clear()


def run(*words: str) -> int:
    return cli.main(["games", *words])


def test_the_list_has_every_game_and_names_files_that_are_none(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("list") == Exit.DONE
    assert "panic-fire  Panic Fire, 2 to 5 players" in capsys.readouterr().out
    (data / "games").mkdir(parents=True)
    (data / "games" / "bridge.toml").write_text(TEXTS["hearts"])
    (data / "games" / "broken.toml").write_text("format = 1\n")
    assert run("list", "--json") == Exit.DATA
    out, err = capsys.readouterr()
    assert {
        "id": "bridge",
        "title": "Hearts",
        "players": "4 players",
        "does": TEXTS_DOES,
    } in json.loads(out)
    assert f"{data / 'games' / 'broken.toml'}: id is missing" in err


def test_the_list_breaks_no_word_at_the_edge_of_the_terminal(
    data: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert run("list") == Exit.DONE
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    assert {line[:4] for line in lines if line.startswith(" ")} == {"    "}


TEXTS_DOES = "Keeps the score of Hearts: 26 points in each hand, and the lowest score wins."


def test_the_tab_key_offers_games_of_ones_own(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (data / "games").mkdir(parents=True)
    (data / "games" / "bridge.toml").write_text(TEXTS["hearts"])
    assert cli.main(["completion", "games"]) == Exit.DONE
    assert {"panic-fire", "bridge"} <= set(capsys.readouterr().out.splitlines())


def test_who_mistypes_the_name_of_an_own_game_is_told_of_it(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (data / "games").mkdir(parents=True)
    (data / "games" / "bridge.toml").write_text(TEXTS["hearts"])
    with pytest.raises(SystemExit):
        cli.main(["checklist", "brigde"])
    sentence = "there is no game 'brigde'; did you mean bridge? The games are: bridge, drills, fractured-sky, "
    assert sentence in capsys.readouterr().err
    assert cli.main(["play"]) == Exit.USAGE
    assert (
        "The games are: panic-fire, skyfire, sky-rise, fractured-sky, drills, bridge."
        in capsys.readouterr().err
    )


@pytest.mark.parametrize("name", NAMES)
def test_a_copy_of_an_example_is_offered_and_right(
    name: str, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("new", "--like", name) == Exit.DONE
    path = data / "games" / f"{name}.toml"
    assert path.read_text() == TEXTS[name]
    assert f"companion play {name}\n" in capsys.readouterr().out
    assert run("check", str(path)) == Exit.DONE
    assert "is right: " in capsys.readouterr().out
    assert run("new", "--like", name) == Exit.CANNOT_CREATE
    assert "is there already" in capsys.readouterr().err
    assert cli.parser().parse_args(["play", name]).game.startswith(f"{name}-")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("command", ["play", "checklist"])
def test_who_names_an_example_as_a_game_is_told_how_to_copy_it(
    name: str, command: str, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        cli.main([command, name])
    assert (
        f"'{name}' is an example; copy it first:  companion games new --like {name}"
        in capsys.readouterr().err
    )


def test_the_help_of_games_new_says_where_all_examples_are_named(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        cli.main(["games", "new", "--help"])
    output = " ".join(capsys.readouterr().out.split())
    assert "copy an example instead; `games list` shows them" in output


def test_the_list_names_the_examples_that_can_be_copied(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("list") == Exit.DONE
    _, _, text = capsys.readouterr().out.partition("\n\n")
    first, *rows = text.splitlines()
    assert first == "Examples to copy and change, for example:  companion games new --like hearts"
    assert [row.split()[0] for row in rows] == list(NAMES)
    assert "    hearts  Hearts, 4 players" in rows


def test_a_few_answers_make_a_game(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("Boules\npoints\n2\n1\n6\nhighest\n\n13\n"))
    assert run("new") == Exit.DONE
    path = data / "games" / "boules.toml"
    assert 'over = "max(score) >= 13"' in path.read_text()
    assert run("check", str(path)) == Exit.DONE


def test_a_name_that_is_taken_is_said_before_anything_else_is_asked(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for title, code in (
        ("Boules", Exit.DONE),
        ("boules!", Exit.CANNOT_CREATE),
        ("Игра", Exit.DONE),
        ("麻雀", Exit.DONE),
    ):
        monkeypatch.setattr("sys.stdin", io.StringIO(f"{title}\n{chr(10) * 6}"))
        capsys.readouterr()
        assert run("new") == code
        out, err = capsys.readouterr()
        assert ("There is a game boules already" in err, "What is counted?" in out) == (
            code != 0,
            code == 0,
        )
    assert sorted(path.stem for path in (data / "games").iterdir()) == ["boules", "game", "game-2"]
    assert run("new", "-o", str(data / "games" / "game.toml")) == Exit.CANNOT_CREATE
    assert "called?" not in capsys.readouterr().out


def test_nobody_who_answers_is_told_of_the_examples(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert run("new") == Exit.USAGE
    assert "--like hearts" in capsys.readouterr().err
    assert run("new", "--like", "chess") == Exit.USAGE
    assert "the examples are: beat-the-clock, darts-501, hearts" in capsys.readouterr().err


def test_a_wrong_file_is_told_with_its_line_whoever_asks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(TEXTS["hearts"].replace("most = 26", "most = -1"))
    assert run("check", str(path)) == Exit.DATA
    told = capsys.readouterr().err
    line = TEXTS["hearts"].splitlines().index("[counters.taken]") + 1
    assert (
        told
        == f"{path}, line {line}: counters.taken: it starts at 0; expected a start within least and most.\n"
    )
    assert cli.main(["play", str(path)]) == Exit.DATA
    assert capsys.readouterr().err == told
    kept = games_dir() / "mine.toml"
    kept.parent.mkdir(parents=True)
    path.rename(kept)
    assert f"companion games check {kept}" in Ran("doctor").out
    missing = str(tmp_path / "none.toml")
    assert run("check", missing) == cli.main(["play", missing]) == Exit.NO_INPUT


def test_an_example_that_is_not_true_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(TEXTS["hearts"].replace("scores = [39,", "scores = [38,"))
    assert run("check", str(path)) == Exit.DATA
    assert (
        "examples.two_hands: the scores are [39, 29, 36, 0]; the file says [38, 29, 36, 0]"
        in capsys.readouterr().err
    )


def test_the_schema_is_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("schema") == Exit.DONE
    schema = json.loads(capsys.readouterr().out)
    assert set(schema["required"]) == {
        "format",
        "id",
        "title",
        "does",
        "seats",
        "score",
        "counters",
        "examples",
    }


def test_a_program_without_python_says_that_it_takes_no_games_as_packages(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert NO_PACKAGES not in run_here("games", "list").stdout
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert run_here("games", "list").stdout.endswith(f"\n{NO_PACKAGES}\n")


def test_a_program_without_python_names_pipx_for_a_library_that_it_lacks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setitem(sys.modules, "shtab", None)
    assert sentence(run_here("completion", "bash")).endswith(
        "This program without Python cannot add it: install the companion with pipx, as its README says\n"
    )
