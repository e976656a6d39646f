"""`companion export`, `import`, `stats`, `sheet` and `feed`."""

from __future__ import annotations

import argparse
import sys
import threading
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path

from companion.commands.place import how_to_bring_back, is_elsewhere, place_for_new
from companion.commands.two_ends import require_counted, tell_end
from companion.commands.usage import print_or_write, read_text
from companion.config.reading import preferences
from companion.errors import CommandError, ErrorKind
from companion.exits import Exit
from companion.feed.events import Event, line_of, schema
from companion.feed.feed import FeedReading
from companion.journal.entries import Entry
from companion.journal.errors import JournalError
from companion.journal.features import require_accepted
from companion.journal.folder import ARCHIVE, sessions_dir, typed_name
from companion.journal.follow import Follower
from companion.journal.sessions import list_sessions, new_session_path
from companion.program import PROGRAM
from companion.reports.record import Record, known_entries, read_record, record_of, still_hidden
from companion.rules.columns import clean, json_text, plural, without_codes
from companion.rules.header import GameMissing
from companion.rules.registry import info_of
from companion.session.clocks import wall
from companion.session.finding import session_to_follow
from companion.session.watching import LOOK_S, made_of
from companion.terminal import data_stream


def run_export(args: argparse.Namespace) -> None:
    """`companion export`: write a session, by default the one played last, to a file or standard output."""
    wanted = args.format or ("csv" if args.excel else "html")
    if args.excel and (wanted != "csv" or args.stored):
        raise CommandError("--excel writes csv only: leave the other format out.", ErrorKind.USAGE)
    if args.evidence and wanted != "jsonl":
        raise CommandError(
            "Board reports are exported as jsonl only: add --format jsonl.", ErrorKind.USAGE
        )
    if args.stored:
        _export_stored(args.session, wanted, args.out, evidence=args.evidence, anyway=args.anyway)
    else:
        export_to(
            args.session,
            wanted,
            args.out,
            evidence=args.evidence,
            excel=args.excel,
            anyway=args.anyway,
        )


def export_to(
    session: str | None,
    wanted: str,
    out: Path | None,
    *,
    evidence: bool = False,
    excel: bool = False,
    anyway: bool = False,
) -> None:
    """Export a session, named by path or name; raise `CommandError`. `evidence` adds that to `jsonl`; `excel` writes
    `csv` as Excel opens it. A record that lacks entries is exported only `anyway`.

    `bgstats` writes the play, with its QR code beside it as an SVG if `out` is given, and prints the link.
    """
    path = _named_or_last(session)
    record = _read_record(path, anyway)
    if record.withheld:
        print(f"{record.name}: {record.withheld}.", file=sys.stderr)
    if wanted == "bgstats":
        # a play is counted elsewhere, so one of two endings must have been chosen first
        if not anyway:
            require_counted(path)
        _bgstats(record, out)
    else:
        print_or_write(_text(record, wanted, evidence=evidence, excel=excel), out)


def _export_stored(
    session: str | None, wanted: str, out: Path | None, *, evidence: bool, anyway: bool
) -> None:
    """Write the entries as stored, secrets included; it needs no game, and writes `jsonl` only."""
    from companion.reports.transcripts import format_export

    if wanted != "jsonl":
        raise CommandError(
            "Entries as they are stored are exported as jsonl only: add --format jsonl.",
            ErrorKind.USAGE,
        )
    path = _named_or_last(session)
    entries, lacking = known_entries(path, anyway=anyway)
    for sentence in (lacking, _hidden_in(entries, path.stem)):
        if sentence:
            print(clean(sentence), file=sys.stderr)
    print_or_write(format_export(entries, evidence=evidence), out, private=True)


def _hidden_in(entries: Sequence[Entry], name: str) -> str:
    """Return a warning about hidden entries in stored ones; empty for a game that is over, or hides nothing."""
    try:
        count = len(still_hidden(record_of(entries, name)))
    except CommandError:
        return f"{name}: this may hold hidden entries, which only its game could tell. Show it to nobody who plays."
    if not count:
        return ""
    hidden = plural(count, "hidden entry", "hidden entries")
    return f"{name}: this holds {hidden} of a game that is not over. Show it to nobody who plays."


def _text(record: Record, wanted: str, *, evidence: bool, excel: bool) -> str:
    from companion.reports import documents, transcripts

    if wanted == "jsonl":
        return transcripts.format_export(
            record.entries, evidence=evidence, withheld=record.withheld
        )
    if wanted == "json":
        return documents.format_json(record)
    if wanted == "csv":
        return documents.format_csv(record, excel=excel)
    from companion.reports.page import format_html

    return format_html(record)


def _bgstats(record: Record, out: Path | None) -> None:
    from companion.reports import bgstats
    from companion.reports.qr import qr_svg

    if out is not None and out.suffix.casefold() == ".svg":
        why = f"{out} is what its QR code would be called: name the play's file {out.with_suffix('.json')}."
        raise CommandError(why, ErrorKind.USAGE)
    code = None if out is None else out.with_suffix(".svg")
    if code is not None and code.exists():
        raise CommandError(
            f"{code}, for its QR code, is there already; name another file.",
            ErrorKind.CANNOT_CREATE,
        )
    link = bgstats.link(record)
    print_or_write(json_text(bgstats.play(record), indent=2) + "\n", out)
    print(link, file=sys.stderr if out is None else sys.stdout)
    if code is not None:
        # last, because a long play fits no code, and the link is printed then
        print_or_write(qr_svg(link), code)


def bring_in(args: argparse.Namespace) -> None:
    """`companion import`: create a session from an export or a transcript, and print its path."""
    from companion.reports.importing import parse_export, write_session

    file, now = args.file, wall()
    entries = parse_export(read_text(file, "an export"), str(file), now)
    record = record_of(entries, str(file))
    try:
        word = info_of(record.setup.game).short_name
        if args.out is None:
            folder = place_for_new()
            path = new_session_path(word, lambda: record.begun_wall, folder)
        else:
            folder, path = args.out.parent, args.out
        require_accepted(folder)
        write_session(path, entries, f"{file.name}, {now}", over=record.game.ended(record.state))
    except JournalError as problem:
        raise CommandError(
            f"The session file cannot be made: {problem}", ErrorKind.CANNOT_CREATE
        ) from problem
    count = plural(len(entries), "entry", "entries")
    broken = sum(line.problem is not None for line in record.facts)
    if broken:
        count += f", of which {plural(broken, 'makes no sense at its place', 'make no sense at their place')}"
    print(f"{path}: {count}.")
    if is_elsewhere(path):
        print(how_to_bring_back(path))


def stats(args: argparse.Namespace) -> Exit:
    """`companion stats`: print statistics over all sessions. Those that cannot be read, or tests if not wanted, are
    skipped with a sentence each."""
    from companion.reports import statistics

    if args.json + args.plot + args.html > 1:
        raise CommandError("Choose one: --json, --plot or --html.", ErrorKind.USAGE)
    archived = list_sessions(sessions_dir() / ARCHIVE)
    found = statistics.read_records(sessions_dir(), anyway=args.anyway, among=archived)
    for problem in found.problems:
        print(clean(problem), file=sys.stderr)
    records: Iterable[Record] = found.records
    if args.no_tests:
        records = _without_trials(records)
    persons = statistics.people(records)
    if args.html:
        from companion.reports.statistics_page import format_statistics

        print_or_write(format_statistics(persons, [*map(clean, found.problems)]), None)
    elif args.json:
        print_or_write(json_text(statistics.as_json(persons), indent=2) + "\n", None)
    else:
        table = statistics.table(persons, whole=not sys.stdout.isatty())
        print(table + (statistics.plots(persons) if args.plot else ""), end="")
    return Exit.DATA if found.incomplete else Exit.DONE


def _without_trials(records: Iterable[Record]) -> Iterator[Record]:
    """Yield the records that are no tests, and print why the others are left out."""
    from companion.board.virtual import identity
    from companion.reports.statistics import why_trial

    uid = identity()
    for record in records:
        why = why_trial(record, uid)
        if why:
            print(clean(f"Left out: {record.name}, because {why}."), file=sys.stderr)
        else:
            yield record


def sheet(args: argparse.Namespace) -> None:
    """`companion sheet`: print the page to continue on paper."""
    from companion.reports.sheet import format_sheet

    print_or_write(
        without_codes(format_sheet(_read_record(_named_or_last(args.session), args.anyway))),
        args.out,
    )


def _named_or_last(session: str | None) -> Path:
    """Return the file of the session named, or of the one played last, whose name is printed."""
    path = session_to_follow(session, played=True)
    if session is None:
        print(clean(f"The session played last: {path.stem}"), file=sys.stderr)
    return path


def _read_record(path: Path, anyway: bool) -> Record:
    try:
        record = read_record(path, anyway=anyway)
    except CommandError as problem:
        # only for a game that is not installed do the stored entries help
        if not isinstance(problem.__cause__, GameMissing):
            raise
        offer = f"Its entries as stored, hidden ones too: {PROGRAM} export {typed_name(path)} --format jsonl --stored"
        raise CommandError(f"{problem} {offer}", problem.kind) from problem
    if record.lacking:
        print(clean(record.lacking), file=sys.stderr)
    tell_end(path)
    return record


def run_feed(args: argparse.Namespace) -> None:
    """`companion feed`: print a session's events, or their schema; raise `CommandError`."""
    if args.schema:
        data_stream().write(json_text(schema(), indent=2) + "\n")
        return
    path = session_to_follow(args.session, played=not args.follow)
    tell_end(path)
    delay_s = preferences().broadcast_delay
    follower, feed = made_of(path, partial(FeedReading, delay_s=delay_s), anyway=args.anyway)
    for events in _looks(follower, feed, follow=args.follow):
        out = data_stream()
        out.writelines(line_of(event) + "\n" for event in events if event.number > args.after)
        out.flush()


def _looks(follower: Follower, feed: FeedReading, *, follow: bool) -> Iterator[Iterator[Event]]:
    """Yield the new events of each look; with `follow`, look again until the session has ended."""
    pause = threading.Event()  # never set: its `wait` is a sleep that Ctrl-C ends on every system
    yield feed.take()
    while follow and not feed.closed:
        pause.wait(LOOK_S)
        follower.poll()
        yield feed.take()
