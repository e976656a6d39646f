"""What the commands print, write and return."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from companion.cli import main
from companion.errors import CommandError
from companion.journal.folder import sessions_dir
from companion.reports import FORMATS
from companion.session.finding import find
from tests.reports.support import FIXTURES, Player, run_export, run_import, run_sheet

SIX = FIXTURES / "six-rounds.jsonl"


@pytest.fixture
def imported(capsys: pytest.CaptureFixture[str]) -> Path:
    path = sessions_dir() / "six.sqlite"
    assert run_import(SIX, path) == 0
    capsys.readouterr()
    return path


@pytest.mark.parametrize("wanted", FORMATS)
def test_each_format_is_written_to_a_file(imported: Path, tmp_path: Path, wanted: str) -> None:
    out = tmp_path / f"out.{wanted}"
    assert run_export("six", wanted, out) == 0
    assert out.stat().st_size > 100


@pytest.mark.parametrize("wanted", FORMATS)
def test_each_format_goes_to_standard_output(
    imported: Path, wanted: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_export(str(imported), wanted) == 0
    assert len(capsys.readouterr().out) > 100


def test_a_session_that_is_being_written_is_exported_as_it_stands(tmp_path: Path) -> None:
    player = Player(tmp_path / "live.sqlite")
    player.do("fire", 1)
    player.journal.wait(len(player.journal.entries), 20)
    assert run_export(str(tmp_path / "live.sqlite"), "csv", tmp_path / "a.csv") == 0
    player.do("draw", 2, seat="bo")
    player.journal.wait(len(player.journal.entries), 20)
    assert run_export(str(tmp_path / "live.sqlite"), "csv", tmp_path / "b.csv") == 0
    player.close()
    assert (tmp_path / "b.csv").read_text().count("\n") == (tmp_path / "a.csv").read_text().count(
        "\n"
    ) + 1


def test_bg_stats_gets_a_play_a_link_and_a_qr_code(
    imported: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_export("six", "bgstats", tmp_path / "play.json") == 0
    assert json.loads((tmp_path / "play.json").read_text())["game"]["name"] == "Panic Fire"
    assert (tmp_path / "play.svg").read_text().startswith("<svg")
    assert capsys.readouterr().out.startswith("https://app.bgstatsapp.com/")


def test_a_play_for_bg_stats_is_not_written_over_by_its_qr_code(
    imported: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_export("six", "bgstats", tmp_path / "play.SVG") == 2
    assert one_sentence(capsys).endswith(f"name the play's file {tmp_path / 'play.json'}.\n")
    assert list(tmp_path.glob("play*")) == []


def test_an_import_goes_among_the_sessions_and_says_where(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run_import(SIX) == 0
    (path,) = sessions_dir().glob("*.sqlite")
    assert capsys.readouterr().out == f"{path}: 137 entries.\n"


def one_sentence(capsys: pytest.CaptureFixture[str]) -> str:
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.endswith(".\n")
    return err


def test_a_session_that_is_not_there_ends_with_66(
    imported: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_export("seven", "csv") == 66
    assert "`companion sessions` lists them all" in one_sentence(capsys)
    assert run_sheet("/none/here.sqlite") == 66
    assert "does not exist" in one_sentence(capsys)


def test_a_file_that_is_no_session_ends_with_65(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_export(str(SIX), "csv") == 65
    assert "is no session" in one_sentence(capsys)


def test_an_unknown_format_ends_with_2(imported: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        run_export("six", "pdf")
    assert "json, jsonl, csv, html or bgstats" in capsys.readouterr().err


def test_neither_an_export_nor_a_sheet_replaces_what_is_there(
    imported: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    contents = {
        imported: imported.read_bytes(),
        tmp_path / "letter.txt": b"dear Ann",
        tmp_path / "play.svg": b"<svg>",
    }
    for path, content in contents.items():
        path.write_bytes(content)
        for command in (["export", "six", "--format", "csv"], ["sheet", "six"]):
            assert main([*command, "-o", str(path)]) == 73
            assert one_sentence(capsys) == f"{path} is there already; name another file.\n"
    assert run_export("six", "bgstats", tmp_path / "play.json") == 73
    assert "play.svg, for its QR code, is there already" in one_sentence(capsys)
    assert {path: path.read_bytes() for path in contents} == contents
    assert not (tmp_path / "play.json").exists()


def test_a_folder_that_is_not_there_yet_is_made_for_an_export(
    imported: Path, tmp_path: Path
) -> None:
    assert run_export("six", "csv", tmp_path / "friday" / "six.csv") == 0
    assert (tmp_path / "friday" / "six.csv").read_text().startswith("entry,")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
def test_an_export_writes_into_a_pipe_and_does_not_take_its_place(
    imported: Path, tmp_path: Path
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        assert run_export("six", "csv", pipe) == 0
        assert pipe.is_fifo()
        assert os.read(reader, 5) == b"entry"
    finally:
        os.close(reader)


def test_a_place_that_cannot_be_written_ends_with_73(
    imported: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "no").touch()
    assert run_export("six", "csv", tmp_path / "no" / "out.csv") == 73
    assert "cannot be written" in one_sentence(capsys)
    assert run_export("six", "csv", tmp_path) == 73
    assert "is there already" in one_sentence(capsys)


def test_a_game_without_a_result_is_no_play_and_ends_with_65(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Player(tmp_path / "s.sqlite").close()
    assert run_export(str(tmp_path / "s.sqlite"), "bgstats") == 65
    assert "has no result yet" in one_sentence(capsys)


@pytest.mark.parametrize("command", ["import", "score"])
def test_who_brings_in_an_export_in_json_is_told_which_format_it_takes(
    command: str, imported: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_export("six", "json", tmp_path / "six.json") == 0
    assert main([command, str(tmp_path / "six.json")]) == 65
    sentence = one_sentence(capsys)
    assert "six.json, line 1: FORMAT: there is no JSON object on this line (" in sentence
    assert (
        "expected one JSON object a line, as `companion export --format jsonl` writes them."
        in sentence
    )


def test_a_bad_import_is_one_sentence_with_the_line_and_makes_no_session(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "bad.jsonl"
    file.write_text(SIX.read_text(encoding="utf-8") + '{"kind": "sho', encoding="utf-8")
    assert run_import(file) == 65
    wrong = "line 138: FORMAT: there is no JSON object on this line (Unterminated string starting at column 10)"
    assert one_sentence(capsys).startswith(f"{file}, {wrong}")
    assert not sessions_dir().exists()


def test_what_is_brought_in_and_makes_no_sense_is_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = SIX.read_text(encoding="utf-8")
    for more, sentence in (
        (1, "of which 1 makes no sense at its place."),
        (2, "of which 2 make no sense at their"),
    ):
        file = tmp_path / f"{more}.jsonl"
        file.write_text(text + '{"kind": "fire"}\n' * more, encoding="utf-8")
        assert run_import(file) == 0
        assert sentence in capsys.readouterr().out


def test_an_import_that_cannot_be_read_or_placed_is_one_sentence(
    imported: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_import(tmp_path / "none.jsonl") == 66
    assert "There is no file" in one_sentence(capsys)
    (tmp_path / "bytes.jsonl").write_bytes(b"\xff\xfe")
    assert run_import(tmp_path / "bytes.jsonl") == 65
    assert "no UTF-8" in one_sentence(capsys)
    assert run_import(SIX, imported) == 73
    assert "cannot be made" in one_sentence(capsys)


def test_a_session_is_found_by_path_by_file_and_by_name(imported: Path) -> None:
    assert find(str(imported)) == find("six") == imported


def test_two_sessions_of_one_name_are_told_apart_by_their_files(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for place in ("one", "two"):
        folder = sessions_dir() / place
        Player(folder / "friday.sqlite").close()
        (folder / "friday.sqlite").rename(sessions_dir() / f"{place}.sqlite")
    with pytest.raises(CommandError, match="Type one of them"):
        find("friday")


def test_stats_print_a_table_or_json_and_name_what_was_skipped(
    imported: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (sessions_dir() / "torn.sqlite").write_bytes(b"")
    assert main(["stats"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("Panic Fire\nname ")
    assert err.startswith("Skipped: ")
    assert main(["stats", "--json"]) == 0
    assert [person["name"] for person in json.loads(capsys.readouterr().out)] == [
        "Blue",
        "Green",
        "Red",
    ]


def test_test_games_can_be_left_out_and_it_is_said_which(
    imported: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Player(sessions_dir() / "test of the gun.sqlite").close()
    assert main(["stats", "--plot"]) == 0
    everything = capsys.readouterr()
    assert "Anna" in everything.out
    assert "Panic Fire: games won" in everything.out
    assert everything.err == ""
    assert main(["stats", "--no-tests"]) == 0
    fewer = capsys.readouterr()
    assert "Anna" not in fewer.out
    assert "Red" in fewer.out
    assert fewer.err == "Left out: test of the gun, because its name says test.\n"


def test_the_sheet_is_printed_or_written(
    imported: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_sheet("six") == 0
    printed = capsys.readouterr().out
    assert run_sheet("six", tmp_path / "sheet.txt") == 0
    assert (tmp_path / "sheet.txt").read_text(encoding="utf-8") == printed


def test_the_score_of_an_export_is_the_score_of_the_session(
    imported: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_export("six", "jsonl", tmp_path / "six.jsonl") == 0
    capsys.readouterr()
    assert main(["score", str(tmp_path / "six.jsonl")]) == 0
    out = capsys.readouterr().out
    assert main(["score", str(SIX)]) == 0
    assert out == capsys.readouterr().out != ""
