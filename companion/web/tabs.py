"""What a browser's tab shows of a page: its title and the icon."""

from __future__ import annotations

from functools import cache
from urllib.parse import quote

from companion.reports.markup import Markup, element, text
from companion.web.assets import asset

TITLE = "title"
"""Id of the title's element, for the script that updates it."""
_PROGRAM = "Table companion"


def tab_title(*words: str) -> Markup:
    """Return a page's title: what it shows in `words`, and this program's name."""
    shown = ", ".join(part for part in words if part)
    return text(" - ".join(part for part in (shown, _PROGRAM) if part))


@cache
def icon_address() -> str:
    """Return the icon as an address that holds all of it: a browser would otherwise request /favicon.ico, which opens
    nothing at a table."""
    return f"data:image/svg+xml,{quote(asset('companion.web', 'icon.svg').strip())}"


def head_of(title: Markup) -> Markup:
    """Return title and icon for the head of a page."""
    icon = element("link", rel="icon", href=icon_address())
    return Markup(f"{element('title', title, id=TITLE)}{icon}")
