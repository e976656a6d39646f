"""The settings: what is in force, where it comes from, and one sentence for what makes no sense."""

from __future__ import annotations

import importlib
import os
from functools import partial
from pathlib import Path

import pytest

from companion.cli import main, parser
from companion.commands.config import rules_for, starting_text
from companion.config.outlets import Broker, Secret
from companion.config.own_games import games_dir, learn_file
from companion.config.reading import CONFIG_VARIABLE, config_path, key_of, preferences
from companion.config.schema import SETTINGS, Preferences
from companion.dashboard import keymap, registry as own
from companion.dashboard.preferences import in_force
from companion.errors import CommandError
from companion.exits import Exit, code_of
from companion.rules.actions import NO_KEY, by_key, key_name, named, named_run, with_keys
from companion.rules.feed_kinds import KINDS
from companion.rules.plain_toml import line_of
from companion.rules.registry import GAMES
from companion.session.opening import begin
from companion.session.table import Table
from tests.games.own.files import TEXTS

PAGE = Path(__file__).parents[2] / "companion" / "KEYS.md"


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The settings file of whoever runs the companion; there is none yet."""
    path = tmp_path / "settings.toml"
    monkeypatch.setenv(CONFIG_VARIABLE, str(path))
    for setting in SETTINGS:
        monkeypatch.delenv(setting.variable, raising=False)
    return path


def refusal(file: Path, text: str) -> str:
    """Return the error for a file with this text."""
    file.write_text(text)
    with pytest.raises(CommandError) as refused:
        preferences()
    assert code_of(refused.value.kind) == Exit.DATA
    assert "\n" not in str(refused.value)
    return str(refused.value)


# -- what is in force


def test_without_a_file_everything_has_its_default(file: Path) -> None:
    settings = preferences()
    assert settings == Preferences(origins=settings.origins)
    assert set(settings.origins.values()) == {"default"}
    assert not file.exists()


def test_command_line_goes_before_variable_before_file_before_default(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_text('port = "none"\ntheme = "light"\n\nsound = false\n')
    monkeypatch.setenv("COMPANION_THEME", "dark")
    monkeypatch.setenv("COMPANION_PORT", "virtual")
    settings = preferences({"port": "/dev/ttyACM0"})
    assert (settings.port, settings.theme, settings.sound, settings.plain) == (
        "/dev/ttyACM0",
        "dark",
        False,
        False,
    )
    assert [settings.origins[name] for name in ("port", "theme", "sound", "plain")] == [
        "command line",
        "COMPANION_THEME",
        "settings.toml, line 4",
        "default",
    ]


def test_a_data_folder_that_is_named_holds_its_own_settings_file(
    own_data_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert config_path() == own_data_folder / "config.toml"
    monkeypatch.delenv("COMPANION_DATA")
    assert config_path().name == "config.toml"
    assert "table-companion" in str(config_path())


def test_looks_are_said_before_a_command_or_behind_it(file: Path) -> None:
    file.write_text("sound = true\nascii = false\n")
    for words in (
        ("--ascii", "--no-sound", "resume"),
        ("resume", "--no-sound", "--ascii"),
        ("--ascii", "--no-sound"),
    ):
        settings = in_force(parser().parse_args(words))
        assert (settings.ascii, settings.sound, settings.origins["ascii"]) == (
            True,
            False,
            "command line",
        )
        assert settings.origins["theme"] == "default"


@pytest.mark.parametrize("between", [",", ", ", ";", "\n", "\t", " ; "])
def test_names_in_a_variable_are_told_apart_as_pasted_ones_are(
    between: str, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_SEATS", between.join(["Anna", "Ben", "Zo\u00eb"]))
    assert preferences().seats == ("Anna", "Ben", "Zo\u00eb")


@pytest.mark.parametrize("names", ["Anna=1,Ben", "Anna,,Ben", "Anna;anna", "Zo\u00eb,Zoe\u0308"])
def test_names_in_a_variable_that_cannot_sit_down_are_refused_with_its_name(
    names: str, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_SEATS", names)
    with pytest.raises(CommandError, match="COMPANION_SEATS"):
        preferences()


def test_house_rules_of_the_command_line_go_before_those_of_the_file(file: Path) -> None:
    file.write_text('[house_rules.panic-fire]\npile_exhausted = "play_on"\nhit_sensor = false\n')
    settings = preferences()
    assert rules_for(settings, "panic-fire", {"hit_sensor": "yes"}) == {
        "pile_exhausted": "play_on",
        "hit_sensor": "yes",
    }
    assert rules_for(settings, "skyfire", {}) == {}
    assert settings.origins["house_rules.panic-fire.hit_sensor"] == "settings.toml, line 3"


def test_house_rules_of_a_file_are_those_of_its_game_by_whatever_text_it_has_now(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(GAMES, "learned", {})
    games_dir().mkdir(parents=True)
    own_file = games_dir() / "sharp.toml"
    file.write_text("[house_rules.sharp]\ndouble_out = true\n")
    assert "there is no game 'sharp'; expected one of drills, " in refusal(file, file.read_text())
    for text in (TEXTS["darts-501"], TEXTS["darts-501"].replace("adds == 3", "adds == 4")):
        own_file.write_text(text)
        settings, info = preferences(), learn_file(own_file)
        assert rules_for(settings, info.id, {}) == {"double_out": "yes"}
        assert settings.origins[f"house_rules.{info.id}.double_out"] == "settings.toml, line 2"
    said = refusal(file, "[house_rules.sharp]\ndouble_in = true\n")
    assert said.endswith("line 2: there is no option 'double_in'; expected double_out.")
    assert refusal(file, "[house_rules.sharpe]\n").endswith("expected sharp.")
    file.write_text("[house_rules.sharp]\ndouble_out = true\n")
    own_file.write_text("format = 9")
    assert preferences().house_rules == {}, "a file with a fault keeps nobody from the other games"


# -- what makes no sense


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("sets = 1", "line 1: there is no setting 'sets'; expected seats."),
        (
            "volume = 1",
            "line 1: there is no setting 'volume'; expected one of port, seats, theme, ",
        ),
        (
            'port = "auto"\nsound = "loud"',
            "line 2: sound cannot be 'loud'; expected true or false.",
        ),
        ('theme = "blue"', 'line 1: theme cannot be \'blue\'; expected "dark" or "light".'),
        ('seats = "Anna"', "line 1: seats cannot be 'Anna'; expected a list of names"),
        (
            'seats = ["Anna", "anna"]',
            "cannot be ['Anna', 'anna']; expected a list of different names.",
        ),
        (
            "port = ",
            "this is no TOML: a name has no value; words need quotes (at its end); expected NAME = VALUE.",
        ),
        (
            "broadcast_delay = 0x" + "f" * 5000,
            "broadcast_delay is a number of too many digits; expected NAME = VALUE.",
        ),
        (
            "broadcast_delay = " + "9" * 5000,
            "this is no TOML: a number has too many digits; expected NAME = VALUE.",
        ),
        ("broadcast_delay = true", "line 1: broadcast_delay cannot be true; expected "),
        (
            "[house_rules.poker]\nace = 1",
            "line 1: there is no game 'poker'; expected one of drills, fractured-sky, ",
        ),
        (
            "[house_rules.panic-fire]\n\npile = 1",
            "line 3: there is no option 'pile'; expected one of ",
        ),
        (
            '[house_rules]\npanic-fire = { dealer = "me" }',
            "line 2: there is no choice 'me' for dealer; expected rotates_left or last_winner or fixed.",
        ),
        (
            '[keys]\n"table.undo" = ["f9", "wheel"]',
            "line 2: 'wheel' is no key; expected a sign or a name: ",
        ),
        (
            '[keys]\n"table.undo" = 9',
            "line 2: table.undo cannot have the keys 9; expected a key or a list of keys",
        ),
        ('[keys]\ntable.undo = "f9"', "line 2: table is no action's id; expected one in quotes"),
        ("keys = 3", "line 1: keys cannot be 3; expected a table: [keys], then"),
        (
            '[keys]\n"table.undo" = "\\u0007"',
            "line 2: '\\x07' is no key; expected a sign or a name: ",
        ),
        (
            "house_rules = 4",
            "line 1: house_rules cannot be 4; expected a table: [house_rules.panic-fire], then",
        ),
        (
            "[house_rules]\npanic-fire = 4",
            "line 2: panic-fire cannot be 4; expected a table: [house_rules.panic-fire]",
        ),
        ("overlay_style = 4", "line 1: overlay_style cannot be 4; expected a file, for example"),
        (
            '[[hooks]]\nname = "a"\ncommand = [""]',
            "a hook makes no sense; expected a command in hook 'a'.",
        ),
    ],
)
def test_what_makes_no_sense_is_one_sentence_with_its_line(
    file: Path, text: str, said: str
) -> None:
    sentence = refusal(file, text)
    assert sentence.startswith(str(file))
    assert said in sentence


def test_a_variable_that_makes_no_sense_is_one_sentence(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_PLAIN", "perhaps")
    with pytest.raises(
        CommandError, match=r"^COMPANION_PLAIN=perhaps makes no sense: expected true or false\.$"
    ):
        preferences()


def test_a_wrong_file_keeps_a_session_from_beginning_and_leaves_none_behind(
    file: Path, own_data_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text("port = 1")
    assert main(["play", "panic-fire", "--plain"]) == Exit.DATA
    assert "line 1: port cannot be 1" in capsys.readouterr().err
    assert not (own_data_folder / "sessions").exists()


@pytest.mark.parametrize(
    ("text", "path", "line"),
    [
        ('a = 1\nb = """\nc = 2\n"""\nd = 3', ("d",), 5),
        ('[t]\n"x.y" = 1', ("t", "x.y"), 2),
        ("[t]\nx.y = 1", ("t", "x", "y"), 2),
        ("t = { x = 1 }", ("t", "x"), 1),
        ('"a = b" = 1', ("a = b",), 1),
        ("a = 1", ("b",), 0),
    ],
)
def test_the_line_of_a_value_is_found(text: str, path: tuple[str, ...], line: int) -> None:
    assert line_of(text, path) == line


# -- the commands


def test_path_says_where_the_file_lies_and_writes_nothing(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["config", "path"]) == Exit.DONE
    assert capsys.readouterr().out == f"{file}\n"
    assert not file.exists()


def test_show_says_every_value_and_its_origin(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text('seats = ["Anna", "Ben"]\n[keys]\n"table.undo" = "F9"\n')
    assert main(["config", "show", "--port", "none"]) == Exit.DONE
    output = capsys.readouterr().out
    rows = {line.split("  ")[0]: line.split() for line in output.splitlines()}
    assert rows["port"] == ["port", "none", "from", "command", "line"]
    assert rows["seats"] == ["seats", "Anna,", "Ben", "from", "settings.toml,", "line", "1"]
    assert rows["keys: table.undo"] == [
        "keys:",
        "table.undo",
        "f9",
        "from",
        "settings.toml,",
        "line",
        "3",
    ]
    assert f"settings file  {file}\n" in output
    assert "COMPANION_DATA" in output


def test_validate_looks_at_the_keys_of_all_games(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text('[keys]\n"panic-fire.draw.5" = "l"\n')
    assert main(["config", "validate"]) == Exit.DATA
    expected = "line 2: the key l is bound to panic-fire.draw.5 and to dashboard.log in Panic Fire; give one of the two"
    assert expected in capsys.readouterr().err
    file.write_text('[keys]\n"panic-fire.draw.5" = "l"\n"dashboard.log" = "f20"\n')
    assert main(["config", "validate"]) == Exit.DONE


@pytest.mark.parametrize(
    ("named", "why"), [("~nobody9/a.css", "No such file"), (".", "Is a directory"), (__file__, "")]
)
def test_validate_says_that_the_overlays_style_is_not_there(
    file: Path, capsys: pytest.CaptureFixture[str], named: str, why: str
) -> None:
    file.write_text(f'sound = true\noverlay_style = "{named}"\n')
    assert main(["config", "validate"]) == (Exit.DATA if why else Exit.DONE)
    assert (
        f"line 2: overlay_style '{named}' cannot be read: {why}" in capsys.readouterr().err
    ) is bool(why)
    assert preferences().overlay_style == named


def test_validate_names_every_fault(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(
        'colour = 1\nport = 7\n[keys]\n"table.undo" = "no such key"\n"dashboard.log" = 3\n"table.undoo" = "f9"\n'
        '[house_rules.panic-fire]\ndealer = "nobody"\nshoes = "off"\n[house_rules.chess]\ncastling = "no"\n'
    )
    assert main(["config", "validate"]) == Exit.DATA
    lines = capsys.readouterr().err.splitlines()
    assert [int(line.partition("line ")[2].partition(":")[0]) for line in lines] == [
        1,
        2,
        4,
        5,
        8,
        9,
        10,
        6,
    ]
    assert all(line.endswith(".") for line in lines)


def test_validate_names_every_key_that_cannot_be(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(
        '[keys]\n"table.undoo" = "f9"\n"panic-fire.draw.5" = "l"\n"table.undo" = "?"\n"table.redoo" = "f10"\n'
    )
    assert main(["config", "validate"]) == Exit.DATA
    lines = capsys.readouterr().err.splitlines()
    assert sorted(int(line.partition("line ")[2].partition(":")[0]) for line in lines) == [
        2,
        3,
        4,
        5,
    ]


def test_a_key_of_a_game_of_ones_own_is_in_no_other_games_way(file: Path) -> None:
    file.write_text('[keys]\n"own.heart.1" = "f10"\n')
    assert main(["config", "validate"]) == Exit.DONE
    assert main(["config", "keys", "skyfire"]) == Exit.DONE


def test_an_id_that_no_action_has_is_refused(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text('[keys]\n"table.undoo" = "f9"\n')
    assert main(["config", "validate", str(file)]) == Exit.DATA
    assert "line 2: there is no action 'table.undoo'" in capsys.readouterr().err


def test_settings_in_what_is_no_file_are_refused_and_the_null_device_has_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    os.mkfifo(tmp_path / "pipe")
    monkeypatch.setenv("COMPANION_CONFIG", str(tmp_path / "pipe"))
    assert main(["config", "show"]) == Exit.NO_INPUT
    assert "cannot be read: it is no file but a pipe" in capsys.readouterr().err
    assert main(["config", "validate", str(tmp_path)]) == Exit.NO_INPUT
    assert (
        capsys.readouterr().err == f"The settings file {tmp_path} cannot be read: Is a directory.\n"
    )
    monkeypatch.setenv("COMPANION_CONFIG", os.devnull)
    assert main(["config", "show"]) == Exit.DONE


def test_validate_of_no_file_says_so(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["config", "validate"]) == Exit.NO_INPUT
    assert (
        capsys.readouterr().err
        == f"There is no settings file {file}: everything has its default.\n"
    )
    assert main(["config", "validate", "/nope"]) == Exit.NO_INPUT
    assert capsys.readouterr().err == "There is no settings file /nope: check its name.\n"


def test_init_writes_a_file_that_changes_nothing_and_never_over_another(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["config", "init"]) == Exit.DONE
    settings = preferences()
    assert set(settings.origins.values()) == {"default"}
    file.write_text("sound = false\n")
    assert main(["config", "init"]) == Exit.CANNOT_CREATE
    assert file.read_text() == "sound = false\n"


def test_the_file_of_init_says_what_its_lines_say_once_they_are_no_comments(file: Path) -> None:
    lines = [line.removeprefix("# ") for line in starting_text().splitlines()]
    file.write_text("\n".join(line for line in lines if " = " in line or line.startswith("[")))
    settings = preferences()
    assert (settings.port, settings.keys["table.undo"]) == ("auto", ("backspace", "u"))
    assert settings.house_rules == {"panic-fire": {"pile_exhausted": "play_on"}}


# -- keys


@pytest.mark.parametrize(
    ("word", "key"),
    [
        ("?", "question_mark"),
        ("/", "slash"),
        ("-", "minus"),
        ("é", "é"),
        ("A", "A"),
        ("F2", "f2"),
        ("^q", "ctrl+q"),
        ("ctrl+Q", "ctrl+q"),
        ("Esc", "escape"),
        ("question_mark", "question_mark"),
        ("shift+tab", "shift+tab"),
        (" ", "space"),
        ("wheel", None),
        ("hyper+a", None),
        ("", None),
    ],
)
def test_a_key_is_known_by_the_librarys_name_and_by_peoples(word: str, key: str | None) -> None:
    assert key_of(word) == key


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_key_as_delivered_can_be_written_into_the_file(game: str) -> None:
    for key in by_key(keymap.actions_of(game)):
        assert key_of(key) == key
        assert key_of(key_name(key)) == key


def test_an_action_has_its_other_keys_at_the_table_and_in_the_registry(tmp_path: Path) -> None:
    keys = {
        "table.undo": ("f20",),
        "panic-fire.fire": ("exclamation_mark", "0"),
        "dashboard.theme": (),
    }

    def make(*args: object, **rest: object) -> Table:
        return Table(*args, **rest, keys=keys)  # type: ignore[arg-type]

    table = begin("panic-fire", ("red", "blue"), {}, tmp_path / "s.sqlite", make=make)
    try:
        bound = by_key(own.registry(table.actions, (), keys))
        assert bound["f20"].id == "table.undo"
        assert bound["exclamation_mark"].id == "panic-fire.fire"
        assert not {"u", "enter", "ctrl+t"} & set(bound)
        assert 'On "fire!" press !.' in table.view().awaiting
    finally:
        table.close()


def test_a_sentence_names_the_key_that_somebody_gave_an_action() -> None:
    sentence = f"press {named('panic-fire.fire', 'enter')}, or {named('table.pause', 'z')}"
    assert with_keys(sentence) == "press Enter, or z"
    assert (
        with_keys(sentence, {"panic-fire.fire": ("f12", "0"), "table.pause": ()})
        == f"press F12, or {NO_KEY}"
    )
    assert with_keys("{Ben} draws, {x.y}") == "{Ben} draws, {x.y}"


def test_a_run_of_keys_is_named_key_by_key_once_one_of_them_is_another() -> None:
    sentence = (
        f"a region, {named_run({'sky.1': '1', 'sky.2': '2', 'sky.3': 'enter'}, '1 to 3')} (FS-8)"
    )
    assert with_keys(sentence) == "a region, 1 to 3 (FS-8)"
    assert with_keys(sentence, {"table.undo": ("f9",)}) == "a region, 1 to 3 (FS-8)"
    assert (
        with_keys(sentence, {"sky.2": ("f12", "2"), "sky.1": ()})
        == f"a region, {NO_KEY} F12 Enter (FS-8)"
    )


def test_where_lines_are_typed_a_sentence_names_what_can_be_typed(tmp_path: Path) -> None:
    table = begin(
        "panic-fire", ("red", "blue"), {}, tmp_path / "s.sqlite", make=partial(Table, typed=True)
    )
    try:
        assert table.view().awaiting == 'On "fire!" type 0. Round 1 of 6.'
        assert table.view().summary()[-1] == f"not finished: {table.view().awaiting}"
    finally:
        table.close()


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_game_names_its_keys_as_the_registry_has_them(game: str) -> None:
    of_keys = "controls" if game in ("fractured-sky", "sky-rise") else "keys"
    module = importlib.import_module(f"companion.games.{game.replace('-', '_')}.rules.{of_keys}")
    own_keys = {action.id: action.keys[:1] for action in keymap.actions_of(game)}
    own_rows = module._ROWS if game in ("panic-fire", "skyfire", "sky-rise") else None
    if own_rows is None:
        own_rows = (
            {"answer": module.ANSWERS} if game == "fractured-sky" else {"seat": module._SEAT_KEYS}
        )
    own_actions = module._STEPS if game == "fractured-sky" else module._COMMON
    rows = {
        f"{module.PREFIX}{row}.{n}": (key,)
        for row, keys in own_rows.items()
        for n, key in enumerate(keys, 1)
    }
    rows |= {
        f"{module.PREFIX}{own_action.id.removeprefix(module.PREFIX)}": own_action.keys[:1]
        for own_action in own_actions
    }
    assert {action: own_keys.get(action) for action in rows} == rows


def test_the_page_of_keys_is_what_the_registry_says() -> None:
    again = f"companion config keys --page > {PAGE.relative_to(PAGE.parent.parent)}"
    assert PAGE.read_text(encoding="utf-8") == keymap.page(), f"made anew by: {again}"


def test_keys_prints_the_keys_as_somebody_has_them(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text('[keys]\n"table.undo" = ["backspace", "u"]\n')
    assert main(["config", "keys", "skyfire"]) == Exit.DONE
    output = capsys.readouterr().out
    assert "| `Bksp` `u` | " in output
    assert output.count("## ") == 1


# -- hooks


HOOKS = """
[[hooks]]
name = "lights"
on = ["shot", "end"]
command = ["~/lights", "--room", "den"]

[[hooks]]
name = "board"
url = "https://example.org:8443/token-1234?key=5678"
secret_variable = "BOARD_SECRET"
"""


def test_hooks_are_read_and_shown_without_what_may_be_a_secret(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOARD_SECRET", "opensesame")
    file.write_text(HOOKS)
    lights, board = preferences().hooks
    assert lights.command == (str(Path.home() / "lights"), "--room", "den")
    assert (set(lights.on), lights.secret) == ({"shot", "end"}, None)
    assert board.on == set(KINDS)
    assert board.secret is not None
    assert board.secret.read() == "opensesame"
    assert "opensesame" not in repr(board)
    assert main(["config", "show"]) == Exit.DONE
    output = capsys.readouterr().out
    assert "hooks: board" in output
    assert "https://example.org:8443 " in output
    assert not any(word in output for word in ("1234", "5678", "opensesame", "den"))
    assert main(["config", "validate"]) == Exit.DONE


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("hooks = 3", 'expected [[hooks]], then name = "lights"'),
        ("[[hooks]]\nurl = 'http://a/b'", 'expected name = "..." in each hook'),
        ("[[hooks]]\nname = 'a'", "hook 'a' to have either a url or a command"),
        (
            "[[hooks]]\nname = 'a'\nurl = 'http://a'\ncommand = ['b']",
            "hook 'a' to have either a url or a command",
        ),
        ("[[hooks]]\nname = 'a'\nurl = 'ftp://a'", "url in hook 'a' to be"),
        ("[[hooks]]\nname = 'a'\nurl = 'http://a:b:c'", "url in hook 'a' to be"),
        ("[[hooks]]\nname = 'a'\nurl = 'http://me:pass@a/'", "no name and no password"),
        (
            "[[hooks]]\nname = 'a'\nurl = 'http://a'\non = ['hits']",
            "on in hook 'a' to be a list of kinds: session,",
        ),
        (
            "[[hooks]]\nname = 'a'\nurl = 'http://a'\nsecret = 'x1y2'",
            "secret_file or secret_variable: no secret",
        ),
        (
            "[[hooks]]\nname = 'a'\nurl = 'http://a'\nsecret_file = 'x'\nsecret_variable = 'y'",
            "one of secret_file =",
        ),
        ("[[hooks]]\nname = 'a'\ncommand = ['b']\nsecret_file = 'x'", "hook 'a' to have no secret"),
        (
            "[[hooks]]\nname = 'a'\ncommand = ['~nobody9/b']",
            "whole path of the command in hook 'a'",
        ),
        ("[[hooks]]\nname = 'a'\ncommand = 'b --now'", "command in hook 'a' to be a list"),
        ("[[hooks]]\nname = 'a'\ncommand = ['./b']", "the whole path of the command in hook 'a'"),
        ("[[hooks]]\nname = 'a'\nurl = 'http://a'\nredirects = true", "in hook 'a', not redirects"),
        (
            "[[hooks]]\nname = 'a'\nurl = 'http://a'\n[[hooks]]\nname = 'a'\nurl = 'http://a'",
            "not 'a' twice",
        ),
    ],
)
def test_a_hook_that_makes_no_sense_is_said_in_one_sentence(
    file: Path, text: str, said: str
) -> None:
    sentence = refusal(file, text)
    assert said in sentence
    assert not any(secret in sentence for secret in ("pass@", "x1y2"))


# -- the MQTT broker


def test_a_broker_is_read_with_what_it_leaves_out(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text('[mqtt]\nhost = "broker.local"\n')
    assert preferences().mqtt == Broker("broker.local", 1883)
    file.write_text(
        '[mqtt]\nhost = "b"\ntls = true\nusername = "me"\npassword_file = "/x"\nhome_assistant = true\n'
    )
    assert preferences().mqtt == Broker(
        "b", 8883, tls=True, username="me", password=Secret(file="/x"), home_assistant=True
    )
    assert main(["config", "show"]) == Exit.DONE
    assert "mqtt" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("mqtt = 3", 'expected [mqtt], then host = "broker.local"'),
        ("[mqtt]\nport = 1883", 'host = "NAME" in [mqtt]'),
        ("[mqtt]\nhost = 'mqtt://b'", 'host = "NAME" in [mqtt]'),
        ("[mqtt]\nhost = 'b'\nport = '1883'", "port in [mqtt] to be a number"),
        ("[mqtt]\nhost = 'b'\nport = 70000", "port in [mqtt] to be a number from 1 to 65535"),
        ("[mqtt]\nhost = 'b'\nprefix = 'home/#'", "prefix in [mqtt]"),
        ("[mqtt]\nhost = 'b'\nca_file = 'x'", "tls = true in [mqtt]"),
        ("[mqtt]\nhost = 'b'\npassword = 'x1y2'", "password_file or password_variable: no secret"),
        ("[mqtt]\nhost = 'b'\npassword_file = 'x'", "a username in [mqtt]"),
        ("[mqtt]\nhost = 'b'\nqos = 2", "not qos"),
        ('[mqtt]\nhost = "b"\ntls = true\nca_file = "a\\u0000"', "ca_file in [mqtt] to be a text"),
        (
            '[mqtt]\nhost = "b"\nusername = "c"\npassword_file = "a\\u0000"',
            "one of password_file =",
        ),
        ('overlay_style = "a\\u0000"', 'a file, for example "~/overlay.css"'),
    ],
)
def test_a_broker_that_makes_no_sense_is_said_in_one_sentence(
    file: Path, text: str, said: str
) -> None:
    sentence = refusal(file, text)
    assert said in sentence
    assert "x1y2" not in sentence
