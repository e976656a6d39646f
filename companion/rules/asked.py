"""The question that is open, repeated in the refusal of what comes too early."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from companion.rules.facts import Refused

ANSWER_FIRST = "Answer what is asked first."
"""What to do instead of a fact that comes too early; `question_repeated` puts the question in its place."""


@contextmanager
def question_repeated(
    prompt: Callable[[], str], names: Callable[[], Iterable[str]]
) -> Iterator[None]:
    """Put the open question of a `prompt` into a refusal that asks to answer it first.

    `names` are those that the prompt may contain.
    """
    try:
        yield
    except Refused as refused:
        if refused.do != ANSWER_FIRST:
            raise
        do = first_sentence(prompt(), names())
        raise Refused(refused.clause, refused.reason, refused.expected, do) from None


def first_sentence(prompt: str, names: Iterable[str]) -> str:
    """Return the first sentence of a prompt: what is asked, without further hints."""
    masked = prompt
    for name in names:
        masked = masked.replace(name, "x" * len(name))  # a name may have a full stop
    end = re.search(r"[.?](?= |$)", masked)
    return prompt if end is None else prompt[: end.end()]
