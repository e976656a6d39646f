"""What the command prints: addresses and codes to scan; a seat's code only while that seat looks."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from typing import TextIO

from companion.reports.qr import qr_lines, qr_size
from companion.rules.columns import clean
from companion.rules.game import TABLE, Seat, SeatId
from companion.serve.addresses import Codes
from companion.session.terminal import unfiltered

_CLEAR = "\x1b[2J\x1b[3J\x1b[H"  # the screen and what was scrolled out of it (ECMA-48, xterm)


class Signs:
    """Prints addresses; with `scan` also as codes to scan, where `out` is a terminal."""

    def __init__(self, out: TextIO, origin: str, codes: Codes, *, scan: bool) -> None:
        self._out = unfiltered(out)  # what it says is cleaned here: a code to scan has colors
        self._origin = origin
        self._codes = codes
        self._scan = scan and out.isatty()

    def address(self, viewer: SeatId) -> str:
        """Return the address of a seat's page, or of everybody's."""
        return f"{self._origin}/{self._codes.of(viewer)}/"

    def welcome(self, session: str, game: str, fingerprint: str = "") -> None:
        """Say what is served and where, and by which fingerprint an encrypted page is known."""
        self._say(f"{game}, session {session}, for phones and tablets. Ctrl-C ends it.")
        if fingerprint:
            self._say(f"Encrypted; a browser warns once. The certificate's SHA-256 fingerprint is {fingerprint}")
        self._sign(TABLE)
        self._say(
            "With qr behind it, the address shows this code on a larger screen; with overlay, scores for a stream; "
            "with caller, a page that says rulings aloud."
        )

    def seat(self, seat: Seat) -> None:
        """Show a seat's own address."""
        self._say(f"For {seat.name} alone:")
        self._sign(seat.id)

    def hide(self) -> None:
        """Take a seat's code off the screen."""
        if self._out.isatty():
            self._out.write(_CLEAR)

    def ask(self, seats: Sequence[Seat]) -> None:
        """Say which keys show which seat's code."""
        keys = ", ".join(f"{number} {seat.name}" for number, seat in enumerate(seats, start=1))
        self._say(f"Secrets, for a seat's own phone: type {keys}, then Enter; Enter again hides it.")

    def _sign(self, viewer: SeatId) -> None:
        address = self.address(viewer)
        if self._scan:
            lines = qr_lines(address, color="NO_COLOR" not in os.environ)
            small = too_small(self._out, *qr_size(lines))
            self._say(small or "\n".join(lines), plain=not small)
        self._say(address)

    def _say(self, words: str, *, plain: bool = False) -> None:
        print(words if plain else clean(words), file=self._out, flush=True)


def too_small(out: TextIO, columns: int, rows: int) -> str:
    """Return the sentence that stands for a code of that size where the terminal has no room for all of it; nothing
    where it has."""
    try:
        room = os.get_terminal_size(out.fileno())
    except OSError:  # no terminal of ours, so nobody knows
        return ""
    if room.columns >= columns and room.lines > rows:
        return ""
    has = f"This terminal has {room.columns} columns and {room.lines} rows"
    return f"{has}; the code to scan takes {columns} and {rows + 1}. Type the address into the phone instead:"


def ask_for_seats(signs: Signs, seats: Callable[[], Sequence[Seat]], keys: TextIO) -> None:
    """Show a seat's code when its number or name is typed, one at a time; without a terminal, print all addresses."""
    if not keys.isatty():
        for seat in seats():
            signs.seat(seat)
        return
    signs.ask(seats())
    # A daemon, for nothing can end a thread that waits for a keyboard.
    threading.Thread(target=_answer, args=(signs, seats, keys), name="seat codes", daemon=True).start()


def _answer(signs: Signs, seats: Callable[[], Sequence[Seat]], keys: TextIO) -> None:
    # Past the stream's buffer: the interpreter cannot end while a daemon holds a buffer's lock.
    with open(keys.fileno(), "rb", buffering=0, closefd=False) as raw:
        for line in raw:
            known = seats()
            signs.hide()
            seat = asked_seat(line.decode(errors="replace"), known)
            if seat is None:
                signs.ask(known)
            else:
                signs.seat(seat)


def asked_seat(line: str, seats: Sequence[Seat]) -> Seat | None:
    """Return the seat of that number or name."""
    word = line.strip().casefold()
    for number, seat in enumerate(seats, start=1):
        if word in (str(number), seat.name.casefold()):
            return seat
    return None
