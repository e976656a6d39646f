"""Block letters, as large as there is room for: read from two meters away."""

from __future__ import annotations

HEIGHT = 5  # the height of a letter in dots
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
    "O": "### #.# #.# #.# ###",
    "P": "### #.# ### #.. #..",
    "Q": "### #.# #.# ### ..#",
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
    return all(char in _DOTS for char in text)


def width(text: str, across: int) -> int:
    """Return the cells that `text` takes with dots of `across` cells."""
    return across * (sum(len(_DOTS[char].split()[0]) for char in text) + max(0, len(text) - 1))


def drawn(text: str, across: int, down: int) -> list[str]:
    """Return `text` as rows of equal width; a dot is `across` cells wide and `down` rows high."""
    forms = [_DOTS[char].split() for char in text]
    dots = {"#": BLOCK * across, ".": " " * across}
    rows = []
    for place in range(HEIGHT):
        row = ".".join(form[place] for form in forms)
        rows += ["".join(dots[dot] for dot in row)] * down
    return rows
