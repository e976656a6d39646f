"""Command-line options of servers. It imports nothing heavy: the web library may not be installed."""

from __future__ import annotations

import argparse

from companion.config.parsers import ANYWAY, SESSION, whole_number

PORT = 8765  # nothing else that runs beside a game registers it, and it needs no administrator
MISSING = "The pages need a web library that is not installed."


def add_serve(serve: argparse.ArgumentParser) -> None:
    """Add the arguments of `companion serve`."""
    SESSION(serve)
    add_door(serve, PORT, "let phones on this network see it")
    serve.add_argument(
        "--tls", action="store_true", help="encrypt, with a certificate that this computer makes"
    )
    ANYWAY(serve)
    serve.add_argument(
        "--seat-codes",
        action="store_true",
        help="show the codes of the seats' own pages, which have secrets",
    )


def add_door(
    parser: argparse.ArgumentParser, usual: int, lan: str, *, within: bool = False
) -> None:
    """Add the options of where a server listens: its port, and whether the network reaches it; `lan` says for what.

    `within` a command that has these options too, what was given before this command's word stays.
    """
    number = whole_number(0, 65535, example=usual)
    port: object = usual
    address: object = None
    if within:
        port = address = argparse.SUPPRESS
    parser.add_argument(
        "--port", type=number, default=port, metavar="N", help=f"default: {usual}; 0: any free one"
    )
    where = f"{lan}, at this machine's address there (default: this machine alone)"
    parser.add_argument(
        "--lan", nargs="?", const="", default=address, metavar="ADDRESS", help=where
    )


def add_host(host: argparse.ArgumentParser) -> None:
    """Add the arguments of `companion host`, but where the board is."""
    number = whole_number(0, 65535, example=PORT)
    host.add_argument(
        "--port",
        dest="web_port",
        type=number,
        default=PORT,
        metavar="N",
        help=f"where its pages are (default: {PORT}); 0: any free one",
    )
    where = (
        "serve them at this address of the computer alone (default: at all of its local networks)"
    )
    host.add_argument("--address", default="", metavar="ADDRESS", help=where)
    host.add_argument(
        "--code",
        action="store_true",
        help="print the address of the page of the host that runs now, with its code, and do nothing else",
    )
    host.add_argument(
        "--unit",
        action="store_true",
        help="print a systemd unit that runs this, and do nothing else",
    )


def add_browser(parser: argparse.ArgumentParser) -> None:
    """Add the options of a table whose screen is a page in a browser."""
    parser.add_argument(
        "--browser",
        action="store_true",
        help="play on a page in the browser; the terminal may be closed then",
    )
    where = (
        "with --browser: let other devices on this network open it, at this machine's address there"
    )
    parser.add_argument("--lan", nargs="?", const="", metavar="ADDRESS", help=where)
    parser.add_argument(
        "--no-open", action="store_true", help="with --browser: print the address, open no window"
    )
