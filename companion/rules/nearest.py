"""What somebody may have meant who typed a word that there is not."""

from __future__ import annotations

from collections.abc import Iterable

MOST = 3  # suggestions: more are no help


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return `did you mean sessions?` for a word that is close to some of those known; empty for any other."""
    near = nearest(word, known)
    return f"did you mean {near}?" if near else ""


def nearest(word: str, known: Iterable[str]) -> str:
    """Return `sessions`, or `sheet or score`, for a word that is close to some of those known; empty for any other."""
    from difflib import get_close_matches  # only whoever mistyped needs it

    as_written = {each.casefold(): each for each in known}
    near = [as_written[each] for each in get_close_matches(word.casefold(), as_written, MOST)]
    return " or ".join(near)


def nearest_or_all(word: str, known: Iterable[str]) -> str:
    """Return what is close to a word that there is not, or `one of` all that there is where nothing is."""
    words = tuple(known)
    return nearest(word, words) or f"one of {', '.join(words)}"
