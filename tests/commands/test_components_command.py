"""`companion components list|check|edit`, and the box that a session begins with."""

from __future__ import annotations

import io
import json
import shlex
import sys
from collections.abc import Callable
from contextlib import closing, redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from companion.box.owner_box import box_with, for_session, own_path
from companion.cli import main
from companion.commands import components
from companion.commands.components import EDITORS, starting_text
from companion.dashboard.start.plan import facts_known
from companion.exits import Exit
from companion.reports.record import read_record
from companion.rules.components import Box, as_json, box_of, example, packaged
from companion.rules.registry import GAMES
from companion.session.opening import begin, resume
from tests.reports.support import run_export, run_import

SHIELDS = (
    '\n[[count]]\nname = "Shields"\nvalue = 20\nstatus = "confirmed"\nsource = "my copy, 2026"\n'
)
BROKEN = SHIELDS.replace("value = 20", 'value = "twenty"')

Editor = Callable[[str], None]


class Said:
    """What one call of the command printed and returned."""

    def __init__(
        self,
        command: str,
        game: str = "panic-fire",
        *,
        file: Path | None = None,
        as_json: bool = False,
    ) -> None:
        out, err = io.StringIO(), io.StringIO()
        words = [command, game, *([str(file)] if file else []), *(["--json"] if as_json else [])]
        with redirect_stdout(out), redirect_stderr(err):
            try:
                self.code = main(["components", *words])
            except SystemExit as wrong_usage:
                self.code = int(wrong_usage.code or 0)
        self.out, self.err = out.getvalue(), err.getvalue()


@pytest.fixture(autouse=True)
def eighty_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


@pytest.fixture
def mine() -> Path:
    path = own_path("panic-fire")
    path.parent.mkdir(parents=True)
    return path


@pytest.fixture
def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Editor:
    """An editor that runs a line of Python with `path` and `text`, the file's."""

    def set_editor(line: str) -> None:
        program = tmp_path / "an editor.py"
        program.write_text(
            "import sys, pathlib\npath = pathlib.Path(sys.argv[-1])\ntext = path.read_text(encoding='utf-8')\n"
            + line
        )
        monkeypatch.delenv("VISUAL", raising=False)
        monkeypatch.setenv("EDITOR", shlex.join([sys.executable, str(program), "--wait"]))

    return set_editor


# -- list


def test_list_names_every_fact_with_its_status_and_source_and_what_the_open_ones_cost() -> None:
    result = Said("list")
    assert result.code == Exit.DONE
    assert "Panic Fire: 18 facts about the box, 12 still missing" in result.out
    assert "  The Nun       3 confirmed published rules\n" in result.out
    assert (
        "  The Cowboy    - unknown   named without a number in the published rules\n" in result.out
    )
    assert "- number of Shields unknown: you say how many were taken out (PF-1)" in result.out
    assert "companion components edit panic-fire" in result.out
    assert "*" not in result.out


def test_list_marks_what_comes_from_the_owners_file(mine: Path) -> None:
    mine.write_text(SHIELDS)
    result = Said("list")
    assert "* Shields      20  confirmed my copy, 2026\n" in result.out
    assert f"* 1 row of yours, from {mine}" in result.out
    assert "11 still missing" in result.out
    assert "number of Shields unknown" not in result.out


def test_list_fits_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    lines = Said("list").out.splitlines()
    assert max(map(len, lines)) <= 60
    assert "                            published rules" in lines


def test_list_of_a_broken_file_says_so_and_shows_what_is_used(mine: Path) -> None:
    mine.write_text(BROKEN)
    result = Said("list")
    assert result.code == Exit.DATA
    assert f"{mine}, line 2: [[count]] Shields: value is 'twenty'" in result.err
    assert "Until it is fixed the packaged file is used" in result.err
    assert "  Shields      -   unknown" in result.out


def test_list_as_json_has_the_same_facts(mine: Path) -> None:
    mine.write_text(SHIELDS)
    listed_box = json.loads(Said("list", as_json=True).out)
    assert (
        listed_box["game"],
        listed_box["file"],
        listed_box["open"],
        len(listed_box["rows"]),
    ) == (
        "panic-fire",
        str(mine),
        11,
        18,
    )
    shields = {"name": "Shields", "value": 20, "status": "confirmed", "source": "my copy, 2026"}
    assert {"table": "count", **shields, "own": True} in listed_box["rows"]
    assert any("match numbers unknown" in cost for cost in listed_box["costs"])


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_game_can_be_listed_and_checked(game: str) -> None:
    assert (Said("list", game).code, Said("check", game).code) == (Exit.DONE, Exit.DONE)


@pytest.mark.parametrize("game", sorted(GAMES))
def test_the_list_counts_as_open_what_the_start_screens_ask_for(game: str) -> None:
    known, facts = facts_known(game)
    assert json.loads(Said("list", game, as_json=True).out)["open"] == facts - known


@pytest.mark.parametrize("command", ["list", "check", "edit"])
def test_a_game_nobody_knows_is_answered_with_the_games_there_are(command: str) -> None:
    result = Said(command, "chess")
    assert result.code == Exit.USAGE
    assert (
        f"companion components {command}: GAME: there is no game 'chess'; the games are: "
        in result.err
    )
    assert len(result.err.splitlines()) == 1


# -- check


def test_check_without_a_file_of_ones_own_says_how_to_make_one() -> None:
    result = Said("check")
    assert result.code == Exit.DONE
    assert "the packaged one is used" in result.out
    assert "companion components edit panic-fire" in result.out


def test_check_of_a_right_file_counts_what_is_still_open(mine: Path) -> None:
    mine.write_text(SHIELDS)
    assert (
        Said("check").out
        == f"{mine} is right: 1 row of yours; 11 facts about the box still missing.\n"
    )


def test_check_says_one_sentence_for_every_wrong_row(tmp_path: Path) -> None:
    file = tmp_path / "other.toml"
    file.write_text(BROKEN + SHIELDS.replace("Shields", "Swords"))
    result = Said("check", file=file)
    assert result.code == Exit.DATA
    first, second = result.err.splitlines()
    assert first.startswith(
        f"{file}, line 2: [[count]] Shields: value is 'twenty'; expected a whole number"
    )
    assert second.startswith(
        f"{file}, line 8: [[count]] Swords: there is no row of that name; expected cards or"
    )
    assert (first[-1], second[-1]) == (".", ".")


def test_check_applies_the_rules_of_the_game_and_names_the_line(mine: Path) -> None:
    mine.write_text(SHIELDS.replace("value = 20", "value = 107"))
    result = Said("check")
    assert result.code == Exit.DATA
    assert f"{mine}, line 2: [[count]] Shields: PF-1: 6 Bullet cards, 107 Shields" in result.err


def test_check_of_a_file_that_is_not_there(tmp_path: Path) -> None:
    result = Said("check", file=tmp_path / "none.toml")
    assert (result.code, result.err) == (
        Exit.NO_INPUT,
        f"There is no file {tmp_path / 'none.toml'}.\n",
    )


def test_check_of_what_is_no_text(tmp_path: Path) -> None:
    file = tmp_path / "picture.toml"
    file.write_bytes(b"\xff\xfe\x00")
    assert "it is no UTF-8; expected a text file" in Said("check", file=file).err
    assert "it cannot be read" in Said("check", file=tmp_path).err


def test_control_codes_of_a_file_do_not_reach_the_terminal(mine: Path) -> None:
    mine.write_text(SHIELDS.replace('"Shields"', r'"\u001b[2J"'))
    result = Said("check")
    assert result.code == Exit.DATA
    assert "\x1b" not in result.err


def test_a_mark_at_the_beginning_of_a_file_does_no_harm(mine: Path) -> None:
    mine.write_bytes(b"\xef\xbb\xbf" + SHIELDS.replace("\n", "\r\n").encode())
    assert Said("check").code == Exit.DONE


# -- edit


@pytest.mark.parametrize("game", sorted(GAMES))
def test_the_file_to_begin_with_states_nothing_and_explains_every_table(
    game: str, tmp_path: Path
) -> None:
    file = tmp_path / "new.toml"
    file.write_text(starting_text(game), encoding="utf-8")
    assert box_with(game, file) == packaged(game)
    for row in packaged(game).rows:
        assert f"# [[{row.table}]]:" in starting_text(game)
        assert f'# name = "{row.name}"' in starting_text(game)


@pytest.mark.parametrize("game", sorted(game for game, info in GAMES.items() if info.box))
def test_the_file_to_begin_with_is_the_packaged_one_when_its_rows_are_uncommented(
    game: str, tmp_path: Path
) -> None:
    lines = starting_text(game).splitlines()
    rows = lines[
        next(
            place
            for place, line in enumerate(lines)
            if line.startswith("# [[") and line.endswith("]]")
        ) :
    ]
    file = tmp_path / "new.toml"
    row_lines = (
        line.removeprefix("# ")
        for line in rows
        if line.startswith(("# [[", "# ")) and ("=" in line or "[[" in line)
    )
    file.write_text("\n".join(row_lines), encoding="utf-8")
    assert box_with(game, file) == packaged(game)


def test_edit_makes_the_file_opens_it_and_checks_it(editor: Editor) -> None:
    editor(f"path.write_text(text + {SHIELDS!r})")
    result = Said("edit")
    path = own_path("panic-fire")
    assert (result.code, result.err) == (Exit.DONE, "")
    assert f"{path} is right: 1 row of yours; 11 facts about the box still missing." in result.out
    assert "New sessions use it" in result.out
    assert path.read_text().startswith("# Panic Fire: what your own copy says.")


def test_edit_opens_the_same_file_again(editor: Editor, mine: Path) -> None:
    mine.write_text(SHIELDS)
    editor("path.write_text(text.replace('value = 20', 'value = 30'))")
    assert Said("edit").code == Exit.DONE
    assert mine.read_text() == SHIELDS.replace("value = 20", "value = 30")


def test_edit_that_states_nothing_says_that_the_packaged_file_is_used(editor: Editor) -> None:
    editor("")
    result = Said("edit")
    assert result.code == Exit.DONE
    assert "states nothing yet" in result.out


def test_a_file_broken_in_the_editor_is_kept_and_said_to_be_ignored(editor: Editor) -> None:
    editor(f"path.write_text({BROKEN!r})")
    result = Said("edit")
    assert result.code == Exit.DATA
    assert "line 2: [[count]] Shields: value is 'twenty'" in result.err
    assert "It is kept, but not used until it is fixed" in result.err
    assert own_path("panic-fire").read_text() == BROKEN


def test_a_file_removed_in_the_editor_is_said_to_be_gone(editor: Editor) -> None:
    editor("path.unlink()")
    result = Said("edit")
    assert result.code == Exit.NO_INPUT
    assert result.err.startswith("There is no file ")
    assert result.err.endswith("; the packaged file is used.\n")


def test_visual_goes_before_editor(editor: Editor, monkeypatch: pytest.MonkeyPatch) -> None:
    editor("")
    monkeypatch.setenv("VISUAL", f"{sys.executable} -c 'raise SystemExit(3)'")
    result = Said("edit")
    assert result.code == Exit.UNAVAILABLE
    assert "ended with code 3" in result.err


@pytest.mark.parametrize(
    ("named", "code", "why"),
    [
        (
            "no-such-editor-here",
            Exit.UNAVAILABLE,
            "'no-such-editor-here' cannot be started: No such file",
        ),
        ("vi 'unfinished", Exit.USAGE, "which cannot be read as a command"),
    ],
)
def test_an_editor_that_cannot_be_had_is_one_sentence_with_the_path(
    monkeypatch: pytest.MonkeyPatch, named: str, code: Exit, why: str
) -> None:
    monkeypatch.setenv("VISUAL", named)
    result = Said("edit")
    assert result.code == code
    assert why in result.err
    assert str(own_path("panic-fire")) in result.err
    assert len(result.err.splitlines()) == 1


def test_without_any_editor_the_path_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for variable in ("VISUAL", "EDITOR"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    result = Said("edit")
    assert result.code == Exit.UNAVAILABLE
    assert (
        f"There is no editor: name one in EDITOR, or open {own_path('panic-fire')} yourself."
        in result.err
    )


def test_without_a_named_editor_one_that_is_there_is_opened(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("VISUAL", " ")
    monkeypatch.delenv("EDITOR", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    program = tmp_path / EDITORS[2]
    program.write_text(f"#!{sys.executable}\n")
    program.chmod(0o755)
    assert Said("edit").code == Exit.DONE


def test_a_folder_that_cannot_be_made_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "data").write_text("in the way")
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))
    result = Said("edit")
    assert result.code == Exit.CANNOT_CREATE
    assert "cannot be written" in result.err


# -- the box of a session


def test_a_session_keeps_the_box_it_was_begun_with(mine: Path) -> None:
    mine.write_text(SHIELDS)
    with closing(begin("panic-fire", ["Anna", "Bo"], {})) as table:
        path = table.path
        assert table.view().notice is None
    mine.write_text(SHIELDS.replace("value = 20", "value = 30"))
    with closing(resume(path)) as table:
        shields = box_of(table.view().setup).row("count", "Shields")
        assert shields is not None
        assert shields.value == 20


@pytest.mark.parametrize("game_id", ["panic-fire", "skyfire", "sky-rise", "fractured-sky"])
def test_each_session_holds_its_box_without_an_owners_file_too(game_id: str) -> None:
    with closing(begin(game_id, ["Anna", "Bo", "Carl"], {})) as table:
        assert table.view().setup.components == as_json(packaged(game_id))
        path = table.path
    assert read_record(path).begun.components == as_json(packaged(game_id))


def test_a_packaged_file_that_changes_later_changes_no_session(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with closing(begin("skyfire", ["Anna", "Bo", "Carl"], {})) as table:
        path = table.path
    monkeypatch.setattr("companion.rules.components.packaged", lambda *_: Box())
    assert len(read_record(path).state.deck.fireworks) == 12


def test_a_session_with_the_example_map_holds_that_map() -> None:
    with closing(begin("fractured-sky", ["Anna", "Bo"], {"map": "example"})) as table:
        assert table.view().setup.components == as_json(example("fractured-sky"))
        assert table.view().game.example


def test_a_game_without_a_box_holds_none() -> None:
    with closing(begin("drills", ["Anna", "Bo"], {})) as table:
        assert table.view().setup.components == {}


def test_a_file_that_states_nothing_is_no_box_of_its_own(mine: Path) -> None:
    mine.write_text(starting_text("panic-fire"), encoding="utf-8")
    assert for_session("panic-fire") == (as_json(packaged("panic-fire")), None)


def test_a_session_begins_with_the_packaged_box_when_the_owners_file_is_broken_and_says_so(
    mine: Path,
) -> None:
    mine.write_text(BROKEN)
    with closing(begin("panic-fire", ["Anna", "Bo"], {})) as table:
        notice = table.view().notice
        assert notice is not None
        assert "Your component file is not used, the packaged one is" in notice.text
        assert f"{mine}, line 2: [[count]] Shields" in notice.text
        assert table.view().setup.components == as_json(packaged("panic-fire"))


def test_who_names_the_box_gets_that_one(mine: Path) -> None:
    mine.write_text(SHIELDS)
    with closing(begin("panic-fire", ["Anna", "Bo"], {}, components={})) as table:
        assert table.view().setup.components == as_json(packaged("panic-fire")), "not the owner's"


def test_an_export_brought_in_again_keeps_the_box(mine: Path, tmp_path: Path) -> None:
    mine.write_text(SHIELDS)
    with closing(begin("panic-fire", ["Anna", "Bo"], {})) as table:
        path = table.path
    mine.unlink()
    exported, again = tmp_path / "friday.jsonl", tmp_path / "again.sqlite"
    assert run_export(str(path), "jsonl", exported) == Exit.DONE
    assert run_import(exported, again) == Exit.DONE
    assert read_record(again).setup.components == read_record(path).setup.components != {}


def test_a_map_is_not_drawn_where_the_terminal_draws_no_screens(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TERM", "dumb")
    for stream in (sys.stdin, sys.stdout):
        monkeypatch.setattr(stream, "isatty", lambda: True)
    monkeypatch.setattr(components, "draw_map", lambda *_: pytest.fail("it was drawn"))
    assert main(["components", "map", "fractured-sky"]) == Exit.USAGE


@pytest.mark.parametrize("words", [("export", "out.toml"), ("import", "in.toml")], ids=" ".join)
def test_no_facts_are_handed_over_of_a_game_without_a_box(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    command, file = words
    assert main(["components", command, "drills", file]) == Exit.DATA
    assert (
        capsys.readouterr().err
        == "Drills is played without a box: there is nothing to state of one.\n"
    )
