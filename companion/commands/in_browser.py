"""`play --browser` and `resume --browser`: a table whose screen is a page in a browser."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace

from companion.commands.after_game import in_browser
from companion.commands.first_page import FirstPage
from companion.commands.play_options import PlayOptions


@contextmanager
def with_page(play_options: PlayOptions, lan: str | None, *, opens: bool) -> Iterator[PlayOptions]:
    """Yield the options with a page in the browser, see `FirstPage`; `lan` None: as the settings say. Raise
    `CommandError`."""
    if lan is None and play_options.wanted.browser_lan:
        lan = ""
    opened = in_browser if opens else None
    with closing(FirstPage(play_options.wanted, lan, opened)) as page:
        yield replace(play_options, plain=False, page=page)
