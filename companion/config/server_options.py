"""The command line of what serves pages. It imports nothing heavy: the web library may not even be there."""

from __future__ import annotations

import argparse

from companion.config.parsers import ANYWAY, SESSION, whole_number

PORT = 8765  # registered for nothing that runs beside a game, and above those that only an administrator may open
MISSING = "The pages need a web library that is not installed."


def add_serve(serve: argparse.ArgumentParser) -> None:
    """Add what `companion serve` takes."""
    SESSION(serve)
    add_door(serve, PORT, "let phones in this network see it")
    serve.add_argument(
        "--tls", action="store_true", help="encrypted, by a certificate that this computer makes"
    )
    ANYWAY(serve)
    serve.add_argument(
        "--seat-codes",
        action="store_true",
        help="show codes for the seats' own pages, with secrets",
    )


def add_door(parser: argparse.ArgumentParser, usual: int, lan: str) -> None:
    """Add where a server listens: its port, and whether others in the network reach it, `lan` says what for."""
    port = whole_number(0, 65535, example=usual)
    parser.add_argument(
        "--port", type=port, default=usual, metavar="N", help=f"default: {usual}; 0: any free one"
    )
    where = f"{lan}, at this machine's address there (default: this machine alone)"
    parser.add_argument("--lan", nargs="?", const="", metavar="ADDRESS", help=where)
