"""Digits and capital letters out of blocks, five high, in any size."""

from __future__ import annotations

HEIGHT = 5
"""Dots that a letter is high."""
BLOCK = "█"

_DOTS = {
    "0": "### #.# #.# #.# ###",
    "1": ".#. ##. .#. .#. ###",
    "2": "### ..# ### #.. ###",
    "3": "### ..# .## ..# ###",
    "4": "#.# #.# ### ..# ..#",
    "5": "### #.. ### ..# ###",
    "6": "### #.. ### #.# ###",
    "7": "### ..# ..# .#. .#.",
    "8": "### #.# ### #.# ###",
    "9": "### #.# ### ..# ###",
    "A": ".#. #.# ### #.# #.#",
    "B": "##. #.# ##. #.# ##.",
    "C": "### #.. #.. #.. ###",
    "D": "##. #.# #.# #.# ##.",
    "E": "### #.. ##. #.. ###",
    "F": "### #.. ##. #.. #..",
    "G": "### #.. #.# #.# ###",
    "H": "#.# #.# ### #.# #.#",
    "I": "### .#. .#. .#. ###",
    "J": "..# ..# ..# #.# ###",
    "K": "#.# #.# ##. #.# #.#",
    "L": "#.. #.. #.. #.. ###",
    "M": "#...# ##.## #.#.# #...# #...#",
    "N": "#..# ##.# #.## #..# #..#",
    "O": ".#. #.# #.# #.# .#.",
    "P": "### #.# ### #.. #..",
    "Q": ".##. #..# #..# #.## .###",
    "R": "##. #.# ##. #.# #.#",
    "S": ".## #.. .#. ..# ##.",
    "T": "### .#. .#. .#. .#.",
    "U": "#.# #.# #.# #.# ###",
    "V": "#.# #.# #.# .#. .#.",
    "W": "#...# #...# #.#.# ##.## #...#",
    "X": "#.# #.# .#. #.# #.#",
    "Y": "#.# #.# .#. .#. .#.",
    "Z": "### ..# .#. #.. ###",
    ":": ". # . # .",
    "+": "... .#. ### .#. ...",
    "-": "... ... ### ... ...",
    "?": "### ..# .#. ... .#.",
    ".": ". . . . #",
    " ": ". . . . .",
}


def can_draw(text: str) -> bool:
    """Return whether every character has a form here."""
    return all(each in _DOTS for each in text)


def width(text: str, across: int) -> int:
    """Return the cells that `text` takes with dots of `across` cells."""
    return across * (sum(len(_DOTS[each].split()[0]) for each in text) + max(0, len(text) - 1))


def drawn(text: str, across: int, down: int) -> list[str]:
    """Return `text` in rows of one width; a dot is `across` cells wide and `down` rows high."""
    forms = [_DOTS[each].split() for each in text]
    rows = [".".join(form[row] for form in forms) for row in range(HEIGHT)]
    wide = ["".join((BLOCK if dot == "#" else " ") * across for dot in row) for row in rows]
    return [row for row in wide for _ in range(down)]
