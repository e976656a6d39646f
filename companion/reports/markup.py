"""Builds markup from parts. Text is escaped on its way in, so that no name can become a tag."""

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
"""For the head of a page: phones use their own width."""
WIDTH = 400
"""Width of a drawing in user units; text is 12 high, so phones show it nearly unscaled."""
_NAME = re.compile(r"[a-zA-Z][a-zA-Z0-9:-]*")
_ESCAPED = re.compile(r"[&<>\"']")
_VOID = frozenset({"meta", "br", "hr", "input", "link"})  # elements without an end tag


def text(plain: str) -> Markup:
    """Return plain text as markup."""
    cleaned = clean(plain)
    return Markup(html.escape(cleaned) if _ESCAPED.search(cleaned) else cleaned)


def join(parts: Iterable[Markup]) -> Markup:
    """Return the parts one after another."""
    return Markup("".join(parts))


def element(name: str, /, *children: Markup, **attributes: str | float) -> Markup:
    """Return an element of HTML or SVG; `stroke_width=2` becomes `stroke-width="2"`, `class_`
    becomes `class`.

    Raises `ValueError` for an invalid name.
    """
    _spelled(name)
    pairs = "".join([f' {_spelled(key)}="{_value(value)}"' for key, value in attributes.items()])
    end = "" if name in _VOID else f"{''.join(children)}</{name}>"
    return Markup(f"<{name}{pairs}>{end}")


@cache
def _spelled(word: str) -> str:
    """Return a name as it is spelled in markup.

    Cached: the page of a long session uses few names, each many thousand times.
    """
    spelled = word.rstrip("_").replace("_", "-")
    if not _NAME.fullmatch(spelled):
        raise ValueError(f"{word!r} is no name of an element or of an attribute")
    return spelled


def _value(value: str | float) -> str:
    return text(value) if isinstance(value, str) else f"{value:.6g}"


def paragraph(words: str, kind: str = "") -> Markup:
    """Return plain text as a paragraph of that class, or nothing if it is empty."""
    if not words:
        return Markup("")
    attributes = {"class_": kind} if kind else {}
    return element("p", text(words), **attributes)


def cells(row: Iterable[Markup], **attributes: str) -> Markup:
    """Return a row of a table."""
    return element("tr", *(element("td", cell) for cell in row), **attributes)


def scrolled(name: str, content: Markup, kind: str = "") -> Markup:
    """Return a box called `name` in which `content` scrolls sideways if it is too wide, also by keyboard; `kind` is a
    class of the box."""
    about = {"class_": f"scroll {kind}".rstrip(), "role": "region", "aria_label": name}
    return element("div", content, **about, tabindex="0")


def document(head: Iterable[Markup], body: Iterable[Markup], **attributes: str) -> str:
    """Return a whole page: `head` after the charset, and a body with these `attributes`."""
    top = element("head", element("meta", charset="utf-8"), *head)
    return f"<!DOCTYPE html>\n{element('html', top, element('body', *body, **attributes), lang='en')}\n"


def label(x: float, y: float, words: str, anchor: str = "start") -> Markup:
    """Return plain text at a position of a drawing."""
    return element("text", text(words), x=x, y=y, text_anchor=anchor)


def svg(height: float, title: str, *children: Markup, **attributes: str | float) -> Markup:
    """Return a drawing that fills the width of the page; `title` is its text alternative."""
    about = {"viewBox": f"0 0 {WIDTH} {height:g}", "role": "img", "aria_label": title, **attributes}
    return element("svg", element("title", text(title)), *children, **about)
