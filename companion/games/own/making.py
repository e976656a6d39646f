"""The file of a new game: a score sheet made from a few answers."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable
from functools import partial
from typing import TextIO

from companion.errors import CommandError, ErrorKind
from companion.games.own.rules.definition import MOST_SEATS
from companion.program import PROGRAM

# neither may need escaping inside quotes of TOML
_TITLE = r"[^\s\x00-\x1f\"\\](?:[^\x00-\x1f\"\\]{0,38}[^\s\x00-\x1f\"\\])?"
_LETTER = r"[^\W\d_]"
_COUNTED = rf"{_LETTER}(?:{_LETTER}| ){{0,18}}{_LETTER}"


def asked(answers: TextIO, out: TextIO, taken: Callable[[str], bool]) -> str:
    """Ask what a score sheet needs and return its file.

    Raise `CommandError` if nobody answers, or as soon as the id made from its name is `taken`.
    """
    ask, number = partial(_ask, answers, out), partial(_number, answers, out)
    form = 'Type up to 40 plain characters, without " or \\.'
    title = ask("What is your game called?", "My game", _TITLE, form)
    game_id = _id_of(title, taken)
    if taken(game_id):
        sentence = f"There is a game {game_id} already: give yours another name, or name a file for it with -o FILE."
        raise CommandError(sentence, ErrorKind.CANNOT_CREATE)
    unit = ask("What is counted?", "points", _COUNTED, "Type 2 to 20 letters.")
    least = number("How many play at least?", 2, 1, MOST_SEATS[2])
    most = number("How many play at most?", max(4, least), least, MOST_SEATS[2])
    wins = ask(
        "Who wins: highest or lowest?", "highest", "highest|lowest", "Type highest or lowest."
    )
    rounds = number("How many rounds? 0: until somebody has enough.", 0, 0, 1000)
    bound = 0
    if not rounds:
        bound = number(f"The game ends at how many {unit}?", 100, 1, 100_000)
    return made(game_id, title, unit, (least, most), wins, rounds, bound)


def _ask(answers: TextIO, out: TextIO, question: str, default: str, form: str, takes: str) -> str:
    """Return the first answer that matches `form`; after any other, say what the question `takes`."""
    while True:
        out.write(f"{question} [{default}] ")
        out.flush()
        line = answers.readline()
        if not line:
            sentence = "Nobody answers: name an example instead, for example --like hearts."
            raise CommandError(sentence, ErrorKind.USAGE)
        word = line.strip() or default
        if word.isprintable() and re.fullmatch(form, word):
            return word
        out.write(f"{takes} ")


def _number(
    answers: TextIO, out: TextIO, question: str, default: int, least: int, most: int
) -> int:
    takes = f"Type a number from {least} to {most}."
    while True:
        number = int(_ask(answers, out, question, str(default), "[0-9]{1,6}", takes))
        if least <= number <= most:
            return number
        out.write(f"{takes} ")


def _id_of(title: str, taken: Callable[[str], bool]) -> str:
    """Return an id made from a name; a name without usable letters gets the first one that is not `taken`."""
    # letters lose their accents
    plain = unicodedata.normalize("NFKD", title.casefold()).encode("ascii", "ignore").decode()
    game_id = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:20].strip("-")
    if len(game_id) > 1 and game_id[0].isalpha():
        return game_id
    first = f"game-{game_id}"[:16].rstrip("-")
    if not taken(first):
        return first
    for number in range(2, 1000):
        if not taken(f"{first}-{number}"):
            return f"{first}-{number}"
    return first


def made(
    game_id: str, title: str, unit: str, seats: tuple[int, int], wins: str, rounds: int, bound: int
) -> str:
    """Return the file of a score sheet, in which every round gives everybody some points."""
    least, most = seats
    names = _NAMES[:least]
    text = _SHEET.format(
        program=PROGRAM,
        format=1 if most <= MOST_SEATS[1] else 2,
        id=game_id,
        title=title,
        unit=unit,
        least=least,
        most=most,
        wins=wins,
        score=f"total({NAME})",
        over="" if rounds else f'over = "max(score) >= {bound}"\n',
        times=rounds,
        name=NAME,
        names=json.dumps(names),
        first_seat=names[0],
        scores=[5, *[0] * (least - 1)],
        one_less=_ONE_LESS if most < MOST_SEATS[2] else "",
    )
    # the example's one round, in which the first player gets 5, may end the game
    if rounds == 1 or 0 < bound <= 5:
        first_wins = wins == "highest" or least == 1
        winners = names[:1] if first_wins else names[1:]
        text += f"winners = {json.dumps(winners)}\n"
    return text


NAME = "counted"
_ONE_LESS = f"""\
# Another key of everybody, and the same button when it is held, takes 1 back.
[inputs.one_less]
title = "one less"
does = "{NAME}"
by = -1
on = "hold"

"""
"""A second input of each player; for twelve players there are not enough keys."""
_NAMES = ["Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hanna", "Ida", "Jo", "Kim", "Lee"]
_SHEET = """\
# {title}: a file of your own game. Text after a # is for people.
format = {format}
id = "{id}"
title = "{title}"
does = "Keeps the score of {title}."
seats = [{least}, {most}]         # the fewest and the most players
unit = "{unit}"
wins = "{wins}"        # or "lowest", or "together" with won = "..."
# total: what was counted in all rounds that are over. There are best, worst and last, too.
score = "{score}"
{over}
# What is counted for each player, anew in each round.
[counters.{name}]
title = "{unit}"
lasts = "round"          # or "game", or "turn"

[rounds.round]
title = "round"
times = {times}                # 0: until the game is over

# Everybody has a key and a zone button that counts 1; many at once are entered with F3.
[inputs.one_more]
title = "one more"
does = "{name}"
on = "tap"

{one_less}[inputs.round_over]
title = "round is over"
does = "round ends"
for = "table"
key = "space"

# A game that was played: `{program} games check` plays it and compares.
[examples.one_round]
seats = {names}
plays = ["{first_seat} {name} 5", "round ends"]
scores = {scores}
"""
