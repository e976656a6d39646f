"""What the command line says to somebody who does not know it by heart."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable, Iterator
from subprocess import CompletedProcess

import pytest

from companion.cli import main, parser
from companion.exits import Exit
from companion.journal.folder import sessions_dir
from companion.rules.registry import GAMES, open_game
from companion.session.opening import begin
from tests.commands.ran import Ran
from tests.end_to_end.program import run, run_here, sentence


def commands(
    of: argparse.ArgumentParser, *before: str
) -> Iterator[tuple[tuple[str, ...], argparse.ArgumentParser]]:
    """Yield every command with the parser of its arguments."""
    for action in of._actions:
        if isinstance(action, argparse._SubParsersAction):
            for word, command in action.choices.items():
                yield (*before, word), command
                yield from commands(command, *before, word)


COMMANDS = tuple(words for words, _ in commands(parser()))


def swapped(word: str) -> str:
    """Return the word with two letters swapped, as fingers in a hurry type it."""
    at = next(at for at in range(len(word) // 2, len(word)) if word[at] != word[at - 1])
    return f"{word[: at - 1]}{word[at]}{word[at - 1]}{word[at + 1 :]}"


def said_by(arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit) as ending:
        parser().parse_args(arguments)
    assert ending.value.code == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1, err
    return err


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_mistyped_command_is_answered_with_the_one_that_was_meant(
    command: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    *before, word = command
    near = said_by((*before, swapped(word)), capsys).partition("did you mean ")[2].partition("?")[0]
    assert word in near.split(" or ")


def test_what_may_be_left_out_stands_in_brackets() -> None:
    of_all = [parser(), *(command for _, command in commands(parser()))]
    choices = [
        action
        for each in of_all
        for action in each._actions
        if isinstance(action, argparse._SubParsersAction)
    ]
    assert {action.required for action in choices} == {True, False}
    assert [
        action.metavar
        for action in choices
        if action.required is str(action.metavar).startswith("[")
    ] == []


def test_a_command_like_no_other_is_answered_with_where_they_are_listed() -> None:
    result = run("xyzzy")
    assert result.returncode == 2
    assert sentence(result) == "companion: there is no command 'xyzzy'. More: companion help\n"


@pytest.mark.parametrize(
    ("arguments", "near"),
    [
        (("export", "--format", "hmtl"), "html"),
        (("demo", "--spede", "4"), "--speed"),
        (("demo", "--spede=4"), "--speed"),
        # a shortened one would be another as soon as there is one like it
        (("export", "--store"), "--stored"),
        (("resume", "--theme", "drak"), "dark"),
        (("play", "panik-fire"), "panic-fire"),
        (("simulate", "skyrise"), "sky-rise"),
        (("demo", "--game", "Skyfire!"), "skyfire"),
    ],
)
def test_mistyped_choices_options_and_games_are_answered_with_what_was_meant(
    arguments: tuple[str, ...], near: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert f"did you mean {near}" in said_by(arguments, capsys)


def test_a_word_like_none_that_could_stand_there_is_answered_with_all_of_them(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = "companion virtual: 'x' means nothing here: type end. More: companion help virtual\n"
    assert said_by(("virtual", "x"), capsys) == words
    text = said_by(("export", "--format", "x"), capsys)
    assert "--format: 'x' means nothing here: type json, jsonl, csv, html or bgstats." in text


def test_the_demo_has_no_other_board_than_the_virtual_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = "companion demo: '--board' means nothing here. More: companion help demo\n"
    assert said_by(("demo", "--board", "pico"), capsys) == words


@pytest.mark.parametrize(
    "command", [(), ("play",), ("teach",), ("sessions",), ("play", "panic-fire")]
)
@pytest.mark.parametrize("typed", [("--unheard", "8931"), ("--unheard=8931",)])
def test_an_unknown_option_is_named_and_not_its_value(
    command: tuple[str, ...], typed: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert "'--unheard' means nothing here" in said_by((*command, *typed), capsys)


def test_after_two_dashes_no_word_is_an_option(capsys: pytest.CaptureFixture[str]) -> None:
    assert "there is no game '--unheard'" in said_by(("play", "--", "--unheard"), capsys)


def test_a_dash_is_no_file_for_any_command(capsys: pytest.CaptureFixture[str]) -> None:
    asked = [
        (words, flag)
        for words, command in commands(parser())
        for action in command._actions
        if action.metavar == "FILE"  # and a shell completes what is a path
        for flag in action.option_strings or ("",)
    ]
    assert {flag for _, flag in asked} >= {"", "-o", "--out", "--capture", "--uf2", "--points"}
    for words, flag in asked:
        game = ("fractured-sky",) if words[0] == "components" else ()
        assert "'-' is no file here: name one" in said_by(
            (*words, *game, *filter(None, [flag]), "-"), capsys
        )
    # not the folder one is in
    assert "'' is no file here: name one" in said_by(("export", "--out="), capsys)


def test_what_is_missing_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    words = "companion sessions rename: it also needs NAME. More: companion help sessions rename\n"
    assert said_by(("sessions", "rename", "friday"), capsys) == words
    words = "companion resume: --port: its value is missing. More: companion help resume\n"
    assert said_by(("resume", "--port"), capsys) == words


def test_a_mistyped_game_is_suggested_where_its_box_is_asked_for() -> None:
    result = run("components", "list", "fractured-skye")
    assert result.returncode == 2
    assert "did you mean fractured-sky?" in sentence(result)


def test_a_mistyped_session_is_answered_with_the_one_that_was_meant() -> None:
    run_here("play", "panic-fire", "--seats", "anna,ben", "--port", "none")
    run_here("sessions", "rename", "panic", "Friday")
    result = run("sheet", "Firday")
    assert result.returncode == 66
    assert "no session 'Firday': did you mean Friday?" in sentence(result)


@pytest.mark.parametrize("command", [(), *COMMANDS], ids=" ".join)
def test_help_is_that_of_the_command(
    command: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    from companion.cli import main

    texts = []
    for arguments in (["help", *command], [*command, "--help"]):
        with pytest.raises(SystemExit) as ending:
            main(arguments)
        assert ending.value.code == 0
        texts.append(capsys.readouterr().out)
    assert texts[0] == texts[1]
    assert texts[0].startswith(" ".join(("usage: companion", *command)))
    does = texts[0].split("\n\n")[1]
    assert does[0].isupper(), "what it does stands first"
    assert does.endswith(".")


def test_help_for_a_command_that_there_is_not_suggests_one() -> None:
    result = run("help", "sessoins")
    assert result.returncode == 2
    assert "did you mean sessions?" in sentence(result)


@pytest.mark.parametrize(
    "more", [(), ("--seats", "anna,ben"), ("--option", "dealer=fixed"), ("--plain",)]
)
def test_play_without_a_game_says_what_to_type_where_no_menu_can_be_shown(
    more: tuple[str, ...],
) -> None:
    result = run_here("play", *more)
    assert result.returncode == 2
    assert (
        sentence(result)
        == f"Name the game: companion play GAME. The games are: {', '.join(GAMES)}.\n"
    )


def test_export_and_sheet_take_the_session_played_last_and_say_which() -> None:
    for seats in ("anna,ben", "carl,dora"):
        run_here("play", "panic-fire", "--seats", seats, "--port", "none", typed="enter\n1\n")
    (last, _) = json.loads(run_here("sessions", "--json").stdout)
    # and left again before anything was played
    run_here("play", "panic-fire", "--seats", "emil,fritz", "--port", "none")
    sheet = run_here("sheet")
    assert sheet.returncode == 0
    assert "carl" in sheet.stdout
    assert sentence(sheet) == f"The session played last: {last['name']}\n"
    export = run_here("export", "--format", "json")
    assert "carl" in export.stdout
    assert "anna" not in export.stdout
    assert sentence(export) == f"The session played last: {last['name']}\n"


@pytest.mark.parametrize("command", ["export", "sheet"])
def test_without_any_session_the_ending_is_66_and_says_how_to_begin_one(command: str) -> None:
    result = run_here(command)
    assert result.returncode == 66
    assert "There is no session yet: start one with `companion play`." in sentence(result)


FRIDAY = "Friday evening at the long table in the garden"
NAMES = ["Maximiliane-Theodora", "Bartholomäus-Xavers", "Carlotta-Evangelinas"]


@pytest.mark.parametrize(
    ("game_id", "ran"),
    [
        ("panic-fire", run_here),
        ("skyfire", run_here),
        ("sky-rise", run_here),
        ("fractured-sky", run),
    ],
)
def test_names_are_whole_in_a_pipe(game_id: str, ran: Callable[..., CompletedProcess[str]]) -> None:
    begin(game_id, NAMES, {}).close()
    ran("sessions", "rename", game_id, FRIDAY)
    commands = {"sessions": [FRIDAY], "stats": NAMES, "sheet": NAMES, "rematch --port none": NAMES}
    printed = {command: ran(*command.split()).stdout for command in commands}
    for command, wanted in commands.items():
        assert all(name in printed[command] for name in wanted), command
        assert "~" not in printed[command], command


def test_the_checklist_of_a_game_is_printed_for_these_people_and_house_rules() -> None:
    printed = run(
        "checklist", "sky-rise", "--seats", "Anna,Ben,Carl,Dora", "--option", "deck=five_suit"
    )
    assert printed.returncode == 0
    head, *steps = printed.stdout.splitlines()
    assert head == "Sky Rise, set up for 4"
    assert all(step.startswith("[ ] ") for step in steps)
    assert "Anna 2, Ben 2, Carl 2, Dora 3" in printed.stdout
    refused = run("checklist", "skyfire", "--seats", "Anna,Ben")
    assert refused.returncode == 65
    assert "3 to 5 players" in sentence(refused)


WRONG_TABLES = {
    "too many": ("--seats", "A,B,C,D,E,F,G,H,I"),
    "one name twice": ("--seats", "Ann,Bo,Ann"),
    "no such house rule": ("--option", "weather=rain"),
    "no such choice": ("--option", "{rule}=rain"),
}


@pytest.mark.parametrize("game", sorted(GAMES))
@pytest.mark.parametrize("wrong", WRONG_TABLES)
@pytest.mark.parametrize("command", ["play", "checklist"])
def test_a_table_that_cannot_be_is_refused_in_plain_words_without_a_clause(
    command: str, wrong: str, game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    rule = open_game(game).house_rules[0].name
    arguments = [word.format(rule=rule) for word in WRONG_TABLES[wrong]]
    code = main([command, game, *arguments, *(("--port", "none") if command == "play" else ())])
    out, err = capsys.readouterr()
    assert (code, out) == (Exit.DATA, "")
    assert re.fullmatch(r"[A-Z0-9][^.?!]*[.] [A-Z][^?!]*[.]\n", err), err
    assert re.search(r"\b[A-Z]{2}-[A-Z]?\d|\b(OPTION|SEATS|FORMAT)\b", err) is None, err


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (
            "export evening --evidence",
            2,
            "Board reports are exported as jsonl only: add --format jsonl.",
        ),
        ("stats --json --plot", 2, "Choose one: --json, --plot or --html."),
        (
            "import FILE",
            65,
            "FILE is no text; if it is a session, continue it: companion resume FILE",
        ),
        (
            "completion",
            2,
            "companion completion: it also needs SHELL. More: companion help completion",
        ),
    ],
)
def test_what_would_come_to_nothing_is_refused_with_what_does_it(
    words: str, code: int, said: str
) -> None:
    begin("panic-fire", ["Anna", "Ben"], {}, sessions_dir() / "evening.sqlite").close()
    file = str(sessions_dir() / "evening.sqlite")
    ran = Ran(*(word.replace("FILE", file) for word in words.split()))
    assert (ran.code, ran.err) == (code, f"{said.replace('FILE', file)}\n")


def test_an_option_before_a_commands_word_stays_if_the_word_has_the_option_too() -> None:
    every = dict(commands(parser()))
    lost = []
    for words, command in every.items():
        if words[:-1] not in every:
            continue
        outer = {action.dest for action in every[words[:-1]]._actions if action.option_strings}
        for action in command._actions:
            common = action.option_strings and action.dest in outer - {"help"}
            if common and action.default is not argparse.SUPPRESS:
                lost.append((words, action.dest))
    assert lost == []
