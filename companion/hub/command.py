"""Arguments of `companion hub`. It imports nothing heavy: the hub's libraries may not be installed."""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path

from companion.config.parsers import (
    OPTION,
    SEATS,
    SESSION,
    add_looks,
    argument,
    command,
    file,
    out,
    whole_number,
)
from companion.config.server_options import add_door
from companion.rules.columns import can_be_shown

PORT = 8770
LONGEST_TITLE = 60
VARIABLE = "COMPANION_HUB_DATABASE"
_number = whole_number(1, 9999, example=12)


def _address(text: str) -> str:
    from ipaddress import ip_address

    try:
        return str(ip_address(text))
    except ValueError:
        raise argparse.ArgumentTypeError("give a proxy's address in digits, as 127.0.0.1") from None


_DATABASE_HELP = (
    f"sqlite:///FILE or postgresql://USER@HOST/NAME (default: the variable {VARIABLE}, or a file)"
)
_DATABASE = argument("--database", metavar="URL", default=argparse.SUPPRESS, help=_DATABASE_HELP)
"""For a word of `companion hub`, before which the option may be given as well."""
_PROXY = argument(
    "--proxy",
    action="append",
    default=[],
    type=_address,
    metavar="ADDRESS",
    help="a reverse proxy whose headers about the client are trusted; may be repeated",
)
_KEEP = argument(
    "--keep", action="store_true", help="leave texts that only may mean the person as they are"
)
_NAME = argument("name", metavar="NAME", help="as it was typed, in any capitals")


def add_hub(hub: argparse.ArgumentParser) -> None:
    """Add the arguments of `companion hub`."""
    add_door(hub, PORT, "let tables and phones on this network reach it")
    hub.add_argument("--database", metavar="URL", help=_DATABASE_HELP)
    title = "the title of the pages (default: %(default)s)"
    hub.add_argument("--title", type=_title, default="Club night", metavar="WORDS", help=title)
    file(
        "--points",
        "a file with the points for places, wins and scores (default: 4, 3, 2, 1 for the places)",
    )(hub)
    file("--cert", "a certificate: the hub's address then begins with https")(hub)
    file("--key", "the certificate's private key")(hub)
    _PROXY(hub)
    add = partial(command, hub.add_subparsers(metavar="[WHAT]"))
    address = argument(
        "address", metavar="ADDRESS", help="the hub's address, such as http://192.168.1.20:8770"
    )
    add("join", "commands.hub:join", "at a table: join a hub; asks for its code", address)
    add("leave", "commands.hub:leave", "at a table: stop sending to the hub")
    does = "at a table: continue the last game from what the hub showed, if its file is lost"
    copy = argument(
        "session",
        nargs="?",
        metavar="SESSION",
        help="an older copy of the game, for its house rules",
    )
    add("continue", "commands.continuing:command", does, copy, SEATS, OPTION, add_looks)
    add(
        "send",
        "commands.hub:send",
        "at a table: send what the hub lacks of a session now",
        SESSION,
    )
    does = "at a table without a network: write a session to a file for the hub"
    add("pack", "commands.hub:pack", does, out("in this folder"), SESSION)
    add(
        "demo",
        "hub.run:run_demo",
        "run a hub with tables that play by themselves; nothing is saved",
        _add_demo,
    )
    add(
        "person",
        "hub.run:tell_of",
        "at the hub: print everything it has about a person, as JSON",
        _NAME,
        _DATABASE,
    )
    does = "at the hub: merge the spellings of a person's name"
    add("merge", "hub.run:merge_spellings", does, _NAME, _DATABASE)
    does = "at the hub: remove a person's name; shows texts that may mean them first"
    add("forget", "hub.run:take_out", does, _NAME, _KEEP, _DATABASE)
    to = argument(
        "-o", "--out", type=Path, required=True, metavar="FILE", help="write to a new FILE"
    )
    add(
        "export",
        "hub.run:export_to",
        "at the hub: write all events to a file of JSON lines",
        to,
        _DATABASE,
    )
    table = argument(
        "--table", type=_number, required=True, metavar="N", help="the table it belongs to"
    )
    does = "at the hub: import the file of a table without a network"
    add(
        "take", "hub.run:take_packed", does, _DATABASE, file("file", "what `hub pack` wrote"), table
    )


def _add_demo(demo: argparse.ArgumentParser) -> None:
    add_door(demo, PORT, "let tables and phones on this network reach it", within=True)
    demo.add_argument(
        "--tables", type=_number, default=12, metavar="N", help="how many (default: 12)"
    )
    demo.add_argument(
        "--seed",
        type=int,
        default=1,
        metavar="N",
        help="a different seed plays different games (default: 1)",
    )


def _title(text: str) -> str:
    title = " ".join(text.split())
    if not 0 < len(title) <= LONGEST_TITLE or not can_be_shown(title):
        raise argparse.ArgumentTypeError(
            f"give the event a name of up to {LONGEST_TITLE} characters"
        )
    return title
