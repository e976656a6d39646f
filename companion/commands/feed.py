"""`companion feed`: the public events of a session as JSON lines, for other programs."""

from __future__ import annotations

import argparse
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TextIO

from companion.config.reading import preferences
from companion.exits import CommandError, Exit
from companion.journal.errors import JournalError, exit_for
from companion.journal.follow import Follower
from companion.rules.columns import json_text
from companion.session.feed import FeedReading
from companion.session.feed_events import Event, line_of, schema
from companion.session.finding import session_to_follow
from companion.session.terminal import data_stream
from companion.session.watching import LOOK_S, made_of


def run(args: argparse.Namespace) -> Exit:
    """Run the command; return its exit code, raise `CommandError`."""
    if args.schema:
        data_stream().write(json_text(schema(), indent=2) + "\n")
        return Exit.DONE
    path = session_to_follow(args.session, played=not args.follow)
    delay_s = preferences().broadcast_delay
    follower, feed = made_of(path, partial(FeedReading, delay_s=delay_s), anyway=args.anyway)
    for events in _looks(path, follower, feed, follow=args.follow):
        _put((event for event in events if event.number > args.after), data_stream())
    return Exit.DONE


def _looks(path: Path, follower: Follower, feed: FeedReading, *, follow: bool) -> Iterator[Iterator[Event]]:
    """What each look finds; with `follow` until the session was brought to its end."""
    pause = threading.Event()  # nobody sets it: Ctrl-C ends the wait
    try:
        yield feed.take()
        while follow and not feed.closed:
            pause.wait(LOOK_S)
            follower.poll()
            yield feed.take()
    except JournalError as problem:
        raise CommandError(f"{path.name}: {problem}", exit_for(problem)) from problem


def _put(events: Iterator[Event], out: TextIO) -> None:
    for event in events:
        out.write(line_of(event) + "\n")
    out.flush()
