"""What a form came to, for the page that the browser loads after it.

A form is answered with a redirect: a page that answered it itself would be asked for again by going back to it, and
the browser would want to send the form again.
"""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field

AFTER = "after"
"""The name in a page's address that leads to what its form came to."""
MOST_KEPT = 64
"""What the last forms came to; for an older one, its page says nothing."""


@dataclass(frozen=True, slots=True)
class FormResult:
    """A sentence about what was done, or why it was refused; and what the page shows again as it was typed."""

    said: str = ""
    refusal: str = ""
    typed: Mapping[str, str] = field(default_factory=dict)


NOTHING = FormResult()


class FormResults:
    """The last ones, by words that nobody guesses. Any thread may use it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, FormResult] = OrderedDict()

    def address(self, page: str, result: FormResult) -> str:
        """Return the address of a page that says this; `page` is where it is without that."""
        if result == NOTHING:
            return page
        word = secrets.token_urlsafe(9)
        with self._lock:
            self._kept[word] = result
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        return f"{page}?{AFTER}={word}"

    def of(self, asked: Mapping[str, str], *, once: bool = False) -> FormResult:
        """Return what a page says that was asked for with these fields in its address; with `once`, it says nothing
        when it is loaded again."""
        word = asked.get(AFTER, "")
        with self._lock:
            return self._kept.pop(word, NOTHING) if once else self._kept.get(word, NOTHING)
