"""The command line of `companion hub`. It imports nothing heavy: the libraries of the hub may not even be there."""

from __future__ import annotations

import argparse
from pathlib import Path

from companion.config.parsers import Subparsers, whole_number
from companion.exits import needs_extra
from companion.rules.columns import can_be_shown
from companion.serve.command import add_door

PORT = 8770
LONGEST_TITLE = 60
VARIABLE = "COMPANION_HUB_DATABASE"
_number = whole_number(1, 9999, example=12)


def add_hub(hub: argparse.ArgumentParser) -> None:
    """Add what `companion hub` takes."""
    hub.set_defaults(run=run, does="run_hub")
    add_door(hub, PORT, "for tables and phones in this network")
    _add_database(hub)
    called = "what the pages are called (default: %(default)s)"
    hub.add_argument("--title", type=_title, default="Club night", metavar="WORDS", help=called)
    points = "what a place, a win or a score is worth (default: 4, 3, 2, 1 for the places)"
    hub.add_argument("--points", type=Path, metavar="FILE", help=points)
    hub.add_argument(
        "--cert", type=Path, metavar="FILE", help="a certificate: then the hub's address begins with https"
    )
    hub.add_argument("--key", type=Path, metavar="FILE", help="the certificate's private key")
    what = hub.add_subparsers(metavar="[WHAT]")
    _add_at_table(what)
    _add_at_hub(what)


def _add_at_table(what: Subparsers) -> None:
    joining = what.add_parser("join", help="at a table: join a hub; its code is asked for")
    joining.add_argument("address", metavar="ADDRESS", help="the hub's address, as http://192.168.1.20:8770")
    joining.set_defaults(run="companion.commands.hub:join")
    what.add_parser("leave", help="at a table: send nothing to the hub any more").set_defaults(
        run="companion.commands.hub:leave"
    )
    sending = what.add_parser("send", help="at a table: send what the hub lacks of a session, now")
    sending.set_defaults(run="companion.commands.hub:send")
    packing = what.add_parser("pack", help="at a table without network: a session as a file for the hub")
    packing.add_argument("-o", "--out", type=Path, metavar="FILE", help="write to a new FILE (default: in this folder)")
    packing.set_defaults(run="companion.commands.hub:pack")
    for each in (sending, packing):
        each.add_argument("session", nargs="?", metavar="SESSION", help="a session's name or file (default: the last)")


def _add_at_hub(what: Subparsers) -> None:
    demo = what.add_parser("demo", help="a hub with tables that play by themselves, to look at; nothing is kept")
    add_door(demo, PORT, "for tables and phones in this network")
    demo.add_argument("--tables", type=_number, default=12, metavar="N", help="how many (default: 12)")
    demo.add_argument("--seed", type=int, default=1, metavar="N", help="another seed, other games (default: 1)")
    demo.set_defaults(does="run_demo")
    for name, does, said in (
        ("person", "tell_of", "all that the hub has of one person, as JSON"),
        ("forget", "take_out", "take a person's name out of the hub"),
    ):
        person = what.add_parser(name, help=f"at the hub: {said}")
        person.add_argument("name", metavar="NAME", help="as it was typed; capitals make no difference")
        _add_database(person)
        person.set_defaults(does=does)
    exporting = what.add_parser("export", help="at the hub: all its events as one file of JSON lines")
    exporting.add_argument("-o", "--out", type=Path, required=True, metavar="FILE", help="write to a new FILE")
    _add_database(exporting)
    exporting.set_defaults(does="export_to")
    taking = what.add_parser("take", help="at the hub: take in the file of a table without network")
    _add_database(taking)
    taking.add_argument("file", type=Path, metavar="FILE", help="what `hub pack` wrote")
    taking.add_argument("--table", type=_number, required=True, metavar="N", help="which table it is of")
    taking.set_defaults(does="take_packed")


def _add_database(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--database",
        metavar="URL",
        help=f"sqlite:///FILE or postgresql://USER@HOST/NAME (default: the variable {VARIABLE}, or a file)",
    )


def run(args: argparse.Namespace) -> None:
    """Do what was asked for at the hub: the function of `hub.run` that `args.does` names. Raise
    `CommandError`, also where a library of the hub's is not installed."""
    with needs_extra("hub", "The hub needs libraries that are not installed."):
        from companion.hub import run as hub
    getattr(hub, args.does)(args)


def _title(text: str) -> str:
    title = " ".join(text.split())
    if not 0 < len(title) <= LONGEST_TITLE or not can_be_shown(title):
        raise argparse.ArgumentTypeError(f"give the event a name of up to {LONGEST_TITLE} characters")
    return title
