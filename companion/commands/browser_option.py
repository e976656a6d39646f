"""The options of a command that shows a table in a terminal, or with `--browser` on a page."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager

from companion.commands.play_options import PlayOptions, wanted_options
from companion.errors import CommandError, ErrorKind


@contextmanager
def options_of(args: argparse.Namespace) -> Iterator[PlayOptions]:
    """Yield the options of the command line and the settings, with a page in the browser if `--browser` asks for one;
    raise `CommandError`."""
    play_options = wanted_options(args)
    if args.browser:
        from companion.commands.in_browser import with_page

        if play_options.wanted.plain:
            raise CommandError("Choose one: --plain or --browser.", ErrorKind.USAGE)
        with with_page(play_options, args.lan, opens=not args.no_open) as with_one:
            yield with_one
    elif args.lan is not None or args.no_open:
        raise CommandError("--lan and --no-open are for --browser: add it.", ErrorKind.USAGE)
    else:
        yield play_options
