"""Markup from parts: whatever is no `Markup` yet is escaped on its way in, so no name can become a tag."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from functools import cache
from typing import NewType

from companion.rules.columns import clean

Markup = NewType("Markup", str)
"""Text that is safe to put into a page."""

SCREEN = Markup('<meta name="viewport" content="width=device-width, initial-scale=1">')
"""In the head of a page, for phones: it is as wide as the screen."""
WIDTH = 400
"""Of a drawing, in user units; 12 of them are a line of text, so a phone shows it nearly unscaled."""
_NAME = re.compile(r"[a-zA-Z][a-zA-Z0-9:-]*")
_ESCAPED = re.compile(r"[&<>\"']")
_VOID = frozenset({"meta", "br", "hr", "input"})


def text(plain: str) -> Markup:
    """Return plain words as markup."""
    cleaned = clean(plain)
    return Markup(html.escape(cleaned) if _ESCAPED.search(cleaned) else cleaned)


def join(parts: Iterable[Markup]) -> Markup:
    """Return the parts one after another."""
    return Markup("".join(parts))


def element(name: str, /, *children: Markup, **attributes: str | float) -> Markup:
    """Return an element of HTML or SVG; `stroke_width=2` becomes `stroke-width="2"`, `class_` becomes `class`.

    Raise `ValueError` for a name that is none.
    """
    _spelled(name)
    pairs = "".join([f' {_spelled(key)}="{_value(value)}"' for key, value in attributes.items()])
    end = "" if name in _VOID else f"{''.join(children)}</{name}>"
    return Markup(f"<{name}{pairs}>{end}")


@cache
def _spelled(word: str) -> str:
    """A name as it is spelled in markup. A page of a long session has few, and asks for each many thousand times."""
    spelled = word.rstrip("_").replace("_", "-")
    if not _NAME.fullmatch(spelled):
        raise ValueError(f"{word!r} is no name of an element or of an attribute")
    return spelled


def _value(value: str | float) -> str:
    return text(value) if isinstance(value, str) else f"{value:.6g}"


def paragraph(words: str, kind: str = "") -> Markup:
    """Return plain words as a paragraph of that class; nothing for no words."""
    return element("p", text(words), **({"class_": kind} if kind else {})) if words else Markup("")


def cells(row: Iterable[Markup], **attributes: str) -> Markup:
    """Return the row of a table."""
    return element("tr", *(element("td", cell) for cell in row), **attributes)


def document(head: Iterable[Markup], body: Iterable[Markup], **attributes: str) -> str:
    """Return a whole page: `head` behind the set of characters, `body` with its `attributes`."""
    top = element("head", element("meta", charset="utf-8"), *head)
    return f"<!DOCTYPE html>\n{element('html', top, element('body', *body, **attributes), lang='en')}\n"


def label(x: float, y: float, words: str, anchor: str = "start") -> Markup:
    """Return plain words at a place of a drawing."""
    return element("text", text(words), x=x, y=y, text_anchor=anchor)


def svg(height: float, title: str, *children: Markup, **attributes: str | float) -> Markup:
    """Return a drawing that fills the width of the page; `title` says in words what it shows."""
    about = {"viewBox": f"0 0 {WIDTH} {height:g}", "role": "img", "aria_label": title, **attributes}
    return element("svg", element("title", text(title)), *children, **about)
