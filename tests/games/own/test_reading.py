"""A file of a game is read, or refused in one sentence that names the line and what would be right."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from companion.config.own_games import learn_file
from companion.errors import CommandError
from companion.games.own.rules.reading import rules_of
from tests.games.own.files import TEXTS, said_of
from tests.games.own.test_messages import pythons
from tests.thorough import examples

HEARTS, DARTS, CLOCK = TEXTS["hearts"], TEXTS["darts-501"], TEXTS["beat-the-clock"]


def refused(text: str, folder: Path) -> str:
    path = folder / "game.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(CommandError) as fault:
        learn_file(path)
    return str(fault.value).replace(f"{path}", "FILE")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "FILE: format is missing; expected format = 1, or 2."),
        (
            HEARTS.replace("format = 1", "format = 3"),
            "FILE, line 2: format is 3; expected format = 1, or 2.",
        ),
        (
            HEARTS.replace("least = 0", "lest = 0"),
            ": counters.taken.lest is not known here; expected least or lasts.",
        ),
        (
            HEARTS.replace('"total(points)"', '"total(point)"'),
            "there is no 'point'; expected points.",
        ),
        (HEARTS.replace("total(points)", "total(points"), "not complete"),
        (
            HEARTS.replace('lasts = "round"', 'lasts = "rond"'),
            ": counters.taken.lasts is 'rond'; expected 'turn', 'round' or 'game'.",
        ),
        (HEARTS.replace("seats = [4, 4]", "seats = [4, 2]"), "4 to 2 players"),
        (HEARTS.replace("seats = [4, 4]", 'seats = "four"'), "a list in [ ]"),
        (
            HEARTS.replace('id = "hearts"', 'id = "Hearts!"'),
            "expected small letters, digits, hyphens.",
        ),
        (
            HEARTS.replace('title = "Hearts"', 'title = "Hea\\u001brts"'),
            "; expected characters that can be printed",
        ),
        (HEARTS.partition("[examples")[0], "examples is missing; expected [examples.NAME]."),
        (
            HEARTS.replace('title = "Hearts"', 'titel = "Hearts"'),
            ": titel is not known here; expected ",
        ),
        (
            HEARTS.replace("max(score) >= 100", "max(score) = 100"),
            "in the wrong place; == compares; expected",
        ),
        (
            HEARTS.replace('title = "Hearts"', ""),
            "title is missing; expected a line that sets title.",
        ),
        (
            HEARTS.replace('key = "space"', 'key = "u"'),
            "inputs.hand_over.key is 'u', which is taken; expected one of",
        ),
        (HEARTS.replace('key = "space"', 'key = "1"'), "key is '1', which is taken"),
        (
            HEARTS.replace('does = "taken"\non', 'does = "takn"\non'),
            "inputs.heart.does is 'takn'; expected taken.",
        ),
        (
            HEARTS.replace("[counters.taken]", "[counters.round]"),
            "counters.round is a name that is taken; expected",
        ),
        (HEARTS.replace('over = "max(score) >= 100"', ""), "the game never ends"),
        (
            HEARTS.replace('over = "max(score) >= 100"', 'over = "score >= 100"'),
            "expected sum(score), max(score)",
        ),
        (
            HEARTS.replace('wins = "lowest"', 'wins = "together"'),
            "who wins together needs to know when",
        ),
        (DARTS.replace("[turn]\nends", "[turm]\nends"), "turm is not known here; expected turn."),
        (
            HEARTS.replace('title = "Hearts"', 'title = ""'),
            "FILE, line 4: title is ''; expected 1 character or more.",
        ),
        (CLOCK.replace("seconds = 300", "seconds = 0"), "seconds is 0; expected 1 or more."),
        (
            CLOCK.replace("seconds = 300", "seconds = 1.5"),
            "seconds is 1.5; expected a whole number.",
        ),
        (
            TEXTS["bidding"].replace('"total(points)"', '"bid"'),
            "bid is secret until the round ends",
        ),
        (
            TEXTS["bidding"].replace('"total(points)"', '"points"'),
            "points is secret until the round ends",
        ),
        (HEARTS + "\x00", "has a control character"),
        (HEARTS + "\nx = " + "[" * 5000, "is too deep"),
        ("a." * 5000 + "b = 1", "names too much at once"),
        ("format = 1\nformat = 1", "this is no TOML"),
        ("#" * 70_000, "more than 64 KiB"),
    ],
    ids=lambda words: words if len(words) < 60 else "",
)
def test_each_thing_that_is_wrong_is_told_in_a_sentence(
    text: str, sentence: str, tmp_path: Path
) -> None:
    told = refused(text, tmp_path)
    assert sentence in told
    assert "\n" not in told


HAND = '[rounds.hand]\ntitle = "hand"\n'
TASK = '[counters.task]\ntitle = "task"\nof = "table"\n'
INPUT = '[inputs.more]\ntitle = "more"\n'


@pytest.mark.parametrize(
    ("text", "more", "sentence"),
    [
        (
            HEARTS,
            INPUT + 'does = "bust"\nfor = "table"\nkey = "e"',
            "there is no [turn], so nothing is to do for",
        ),
        (
            HEARTS,
            INPUT + 'does = "round ends"',
            'round ends is nobody\'s own; expected for = "table", or "turn".',
        ),
        (HEARTS, TASK + INPUT + 'does = "task"', 'task is kept for table; expected for = "table".'),
        (
            HEARTS,
            INPUT + 'does = "taken"\nfor = "table"\nkey = "e"',
            'taken is kept for seat; expected for = "own".',
        ),
        (
            HEARTS,
            INPUT + 'does = "taken"\nfor = "turn"\nkey = "e"',
            "there is no [turn]; expected for",
        ),
        (
            HEARTS,
            INPUT + 'does = "taken"\nkey = "e"',
            "each player has a key and a button for it, by their place",
        ),
        (HEARTS, INPUT + 'does = "taken"\non = "shot"', "there is one gun, which is nobody's own"),
        (
            HEARTS,
            INPUT + 'does = "round ends"\nfor = "table"',
            "it has no key; expected key = ..., for whoever",
        ),
        (
            DARTS,
            INPUT + 'does = "bust"\nfor = "turn"\nkey = "e"\non = "tap"',
            "a tap of which button; expected zone",
        ),
        (
            HEARTS,
            "\n".join(INPUT.replace("more", f"m{n}") + 'does = "taken"' for n in range(3)),
            "expected at most 4",
        ),
        (TEXTS["bidding"], INPUT + 'does = "bid"', "bid is secret, and a button tells everybody"),
        (
            TEXTS["bidding"],
            '[checks.A-1]\nsays = "1"\nwhen = "1"\nasked = "always"',
            "would tell of the secret counters",
        ),
        (
            HEARTS,
            '[rounds.last]\ntitle = "last"\ntimes = 1',
            "no round comes after one without an end",
        ),
        (
            HEARTS,
            '[rounds.last]\ntitle = "last"\nends = "turns"',
            "no round comes after one without an end",
        ),
        (
            HEARTS.replace(HAND, HAND + 'ends = "turns"\n'),
            "",
            'there is no [turn]; expected ends = "input", or',
        ),
        (HEARTS, '[clock]\nseconds = 3\nof = "turn"', "there is no [turn]; expected [turn]."),
        (
            HEARTS,
            '[clock]\nseconds = 3\nof = "round"\nthen = "round"',
            "cannot wait for [checks]; expected then",
        ),
        (
            HEARTS,
            TASK + 'lasts = "turn"',
            'there is no [turn]; expected lasts = "round" or "game".',
        ),
        (
            TEXTS["bidding"],
            TASK + "secret = true",
            "a secret is one player's, for a round; expected of",
        ),
        (
            HEARTS,
            TASK + "start = 1\nmost = 0",
            "it starts at 1; expected a start within least and most.",
        ),
    ],
    ids=lambda words: words if len(words) < 60 else "",
)
def test_what_does_not_go_together_is_told_in_a_sentence(
    text: str, more: str, sentence: str, tmp_path: Path
) -> None:
    before, examples_of_it, after = text.partition("[examples.")
    assert sentence in refused(f"{before}{more}\n{examples_of_it}{after}", tmp_path)


def test_a_fault_names_the_line(tmp_path: Path) -> None:
    line = HEARTS.splitlines().index('lasts = "round"') + 1
    assert f"line {line}:" in refused(HEARTS.replace('lasts = "round"', 'lasts = "rond"'), tmp_path)


def test_a_file_that_is_no_text_or_not_there_is_told(tmp_path: Path) -> None:
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(CommandError, match="no UTF-8"):
        learn_file(tmp_path / "bytes.toml")
    with pytest.raises(CommandError, match="There is no file"):
        learn_file(tmp_path / "none.toml")


def test_the_same_text_is_the_same_game_and_another_text_another() -> None:
    assert rules_of(HEARTS).id == rules_of(HEARTS).id
    assert rules_of(HEARTS).id != rules_of(HEARTS + "# changed\n").id


BITS = [
    *"[]{}=\"'\\.,#\n\t0159-_()<>*/",
    "\x00",
    "\x1b[31m",
    "é",
    "[[",
    '"""',
    "nan",
    "true",
    "1979-05-27",
    "sum(",
    "9" * 30,
]


@pytest.mark.parametrize("name", TEXTS)
def test_random_damage_is_read_or_refused_in_a_sentence_and_never_takes_long(name: str) -> None:
    rng = random.Random(name)
    for _ in range(examples(60, 2500)):
        text = TEXTS[name]
        for _ in range(rng.randint(1, 4)):
            at, until = sorted(rng.randrange(len(text)) for _ in range(2))
            part = text[at : min(until, at + rng.choice((0, 1, 5, 40)))]
            text = text[:at] + rng.choice([rng.choice(BITS), "", part * 3]) + text[at + len(part) :]
        begun = time.perf_counter()
        told = said_of(text)
        assert told.isprintable()
        assert not pythons(told), told
        assert len(told) < 600
        # one of these takes some milliseconds on an idle machine
        assert time.perf_counter() - begun < 5
