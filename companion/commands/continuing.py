"""Continue a game whose file is lost, or older than the hub's record: from what the hub showed, as facts that the table
confirms."""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from companion import terminal
from companion.box.owner_box import for_session
from companion.commands.config import rules_for
from companion.commands.play_options import PlayOptions, wanted_options
from companion.commands.usage import answer
from companion.config.own_games import kept_games
from companion.config.parsers import options
from companion.display.panels import panels_of
from companion.errors import CommandError, ErrorKind
from companion.exits import Exit
from companion.journal.errors import JournalError
from companion.journal.sessions import head_of
from companion.outbound.exchange import UndeliveredError
from companion.outbound.hub_batches import CONTINUE, HubHead, HubRefused
from companion.outbound.hub_client import HubClient, last_shown
from companion.outbound.hub_ticket import Ticket, read_ticket
from companion.outbound.shown_game import ShownGame
from companion.program import PROGRAM
from companion.rules.clauses import without_clauses
from companion.rules.columns import clean, plural, wrap
from companion.rules.continuation_plan import Plan, continuation_of, planned
from companion.rules.continuing import LastShown
from companion.rules.facts import TABLE, Refused, Setup
from companion.rules.header import game_of, with_all_options
from companion.rules.names import split_names
from companion.rules.registry import GAMES, info_of, open_game
from companion.rules.seats import seats_from_names
from companion.session.clocks import time_of_day
from companion.session.finding import find
from companion.session.opening import begin
from companion.session.table import Table

LOOK_S: Final = 3.0
"""Seconds to wait for the hub's progress with a session before the table resumes it without an answer."""


@dataclass(frozen=True, slots=True)
class _Part:
    """The second part of a game before it begins: what it continues, its setup, and the facts to confirm."""

    shown: ShownGame
    setup: Setup
    plan: Plan

    def begin(self, play_options: PlayOptions) -> Table:
        """Begin its session; raise `CommandError`."""
        names = [seat.name for seat in self.setup.seats]
        facts = [planned_fact.fact for planned_fact in self.plan.facts]
        return begin(
            self.setup.game, names, self.setup.options, continues=self.shown.session, facts=facts,
            components=self.setup.components, make=play_options.maker, without_board=play_options.without_board,
        )  # fmt: skip


def command(args: argparse.Namespace) -> int:
    """`hub continue`: continue this table's last game from what its hub showed; raise `CommandError`."""
    ticket, trouble = read_ticket()
    if ticket is None:
        none = f"This laptop has joined no hub: type `{PROGRAM} hub join ADDRESS` first, as the same table."
        raise CommandError(trouble or none, ErrorKind.DATA if trouble else ErrorKind.USAGE)
    copy = None if args.session is None else find(args.session)
    seats = None if args.seats is None else split_names(args.seats)
    looks = argparse.Namespace(**vars(args))
    # the port of a hub's server, which this parser adds for beginning one, is no board's
    del looks.port
    return go_on(ticket, wanted_options(looks), copy, seats, options(args.option))


def go_on(
    ticket: Ticket,
    play_options: PlayOptions,
    copy: Path | None = None,
    seats: Sequence[str] | None = None,
    chosen: Mapping[str, str] | None = None,
) -> int:
    """Print what the hub showed, and continue from it once the table confirms. `copy` is an older copy of the session,
    whose house rules and box are used; `seats` are the names if the hub lacks some. Raise `CommandError`."""
    shown = _game_to_continue(ticket, copy)
    setup = (
        _setup_from(shown, play_options, seats, chosen or {})
        if copy is None
        else _setup_of_copy(copy)
    )
    part = _Part(shown, setup, _planned(setup, shown, seats))
    _print(_to_confirm(ticket, part, copy))
    if not terminal.can_ask():
        raise CommandError(
            f"Nothing was started: the table confirms this at a terminal, with `{CONTINUE}`.",
            ErrorKind.USAGE,
        )
    if answer("Is this right? Enter continues it, n does nothing. ") == "n":
        print(f"Nothing was started. `{CONTINUE}` asks again.")
        return Exit.DONE
    from companion.commands.playing import play

    return play(lambda: part.begin(play_options), play_options)


def _game_to_continue(ticket: Ticket, copy: Path | None) -> ShownGame:
    """Return the newest unfinished game of this table, or the game that `copy` is of."""
    try:
        games = last_shown(ticket)
    except UndeliveredError as problem:
        raise CommandError(
            f"The hub cannot be reached: {problem}. Try again when it can.", ErrorKind.UNAVAILABLE
        ) from problem
    if copy is not None:
        session = head_of(copy).first.digest.hex()
        games = [game for game in games if game.session == session]
        if not games:
            none = f"The hub shows no game of table {ticket.table} that {copy.name} is a copy of."
            raise CommandError(f"{none} Is this laptop joined as the right table?", ErrorKind.DATA)
    if not games:
        raise CommandError(
            f"The hub has no game of table {ticket.table}: start one with `{PROGRAM} play`.",
            ErrorKind.DATA,
        )
    if games[0].table.ended:
        raise CommandError(
            f"The last game of table {ticket.table} is over: start another one.", ErrorKind.DATA
        )
    return games[0]


def _setup_of_copy(copy: Path) -> Setup:
    """Return the setup in an older copy of the session: seats, house rules and box."""
    try:
        _, setup = game_of(head_of(copy).first.body)
    except ValueError as problem:
        raise CommandError(
            f"{copy.name} cannot be continued: {problem}.", ErrorKind.DATA
        ) from problem
    return setup


def _setup_from(
    shown: ShownGame,
    play_options: PlayOptions,
    seats: Sequence[str] | None,
    chosen: Mapping[str, str],
) -> Setup:
    """Return a setup from the hub's events, with this laptop's house rules and box."""
    for _ in kept_games():  # makes the user's own games known, one of which may be meant
        pass
    if shown.game not in GAMES:
        missing = f"The game {clean(shown.title or shown.game)} is not here."
        raise CommandError(
            f"{missing} Copy its file to this laptop, or install its package.", ErrorKind.DATA
        )
    game, (box, notice) = open_game(shown.game), for_session(shown.game)
    if notice:
        print(notice)
    rules = rules_for(play_options.wanted, shown.game, chosen)
    components = dict(info_of(shown.game).carried) or box
    try:
        named = seats_from_names(seats or _names(shown))
        return with_all_options(
            game, Setup(shown.game, game.rules_version, named, rules, components)
        )
    except Refused as refusal:
        raise CommandError(refusal.spoken(), ErrorKind.DATA) from refusal
    except ValueError as problem:
        raise CommandError(str(problem), ErrorKind.DATA) from problem


def _places(shown: ShownGame) -> list[str]:
    """Return the places of the players who have seats, in the order of the table."""
    unseated = continuation_of(open_game(shown.game)).unseated
    return [
        player.id for player in shown.table.players if shown.names.get(player.id) not in unseated
    ]


def _names(shown: ShownGame) -> list[str]:
    names = [shown.names.get(place, "") for place in _places(shown)]
    if not all(names):
        known = ", ".join(name or "?" for name in names)
        raise CommandError(
            f"The hub has not all names any more ({known}): give them with --seats A,B,C.",
            ErrorKind.USAGE,
        )
    return names


def _planned(setup: Setup, shown: ShownGame, seats: Sequence[str] | None) -> Plan:
    """Return the facts to confirm, with seats for places; raise `CommandError`."""
    places = _places(shown)
    if seats is not None and len(seats) != len(places):
        count = plural(len(places), "player")
        raise CommandError(
            f"The hub shows {count}: give so many names with --seats.", ErrorKind.USAGE
        )
    # the names are the players' only if the hub has them all; given ones follow the places
    ids = _ids_by_place(setup, shown, places, by_name=seats is None)
    players = [player for player in shown.table.players if player.id in ids]
    last_shown_state = LastShown(
        scores=tuple(
            (ids[player.id], player.score) for player in players if player.score is not None
        ),
        left=tuple(ids[player.id] for player in players if player.left),
        out=tuple(ids[player.id] for player in players if player.out),
        turn=tuple(ids[place] for place in shown.table.turn if place in ids),
        rounds=shown.rounds,
        playing=shown.playing,
    )
    try:
        return planned(open_game(setup.game), setup, last_shown_state)
    except Refused as refusal:
        raise CommandError(refusal.spoken(), ErrorKind.DATA) from refusal


def _ids_by_place(
    setup: Setup, shown: ShownGame, places: Sequence[str], *, by_name: bool
) -> dict[str, str]:
    """Return the seat of each place: by name, or in the order of the seats."""
    if by_name:
        ids = {seat.name: seat.id for seat in setup.seats}
        return {place: ids[name] for place in places if (name := shown.names.get(place, "")) in ids}
    return {place: seat.id for place, seat in zip(places, setup.seats, strict=True)}


def _print(lines: Iterable[str]) -> None:
    """Print lines, wrapped to the terminal's width."""
    width = shutil.get_terminal_size().columns
    for line in lines:
        print("\n".join(wrap(line, width, "  ")))


def _to_confirm(ticket: Ticket, part: _Part, copy: Path | None) -> Iterator[str]:
    """Yield the lines that the table reads before it confirms."""
    shown, game = part.shown, open_game(part.setup.game)
    yield "Compare this with the table, then press Enter."
    yield ""
    yield f"{ticket.hub} shows table {ticket.table}: {game.title}, entry {shown.n}{_at(shown.wall)}."
    for planned_fact in part.plan.facts:
        yield f"- {without_clauses(planned_fact.sentence)}"
    where = panels_of(game.id).stands(game.view(part.plan.state, TABLE), abandoned=False)
    if where:
        yield f"Then the scores are: {where}."
    for refused in part.plan.refused:
        yield f"Not taken over: {refused}"
    yield continuation_of(game).lost
    if shown.total > shown.n:
        yield f"{plural(shown.total - shown.n, 'entry', 'entries')} never reached the hub: the table knows best."
    if copy is None:
        yield "House rules: those of this laptop's settings, for the hub does not know them (--option RULE=CHOICE)."
    yield ""


def _at(wall: str) -> str:
    try:
        return f" at {time_of_day(datetime.fromisoformat(wall).timestamp())}"
    except (ValueError, OverflowError):
        return ""


def is_older_copy(path: Path) -> tuple[Ticket, HubHead, int] | None:
    """Return the ticket, the hub's progress with the session at `path`, and the number of entries in the file, if the
    hub has more than the file; None if it has not, or does not answer within `LOOK_S`."""
    ticket, _ = read_ticket()
    if ticket is None:
        return None
    try:
        first, entries = head_of(path)
        head = HubClient(ticket, first.digest, LOOK_S).head()
    except (JournalError, UndeliveredError, HubRefused):
        return None  # opening the session reports what is wrong; and the hub gets the rest later
    if head.n <= entries:
        return None
    return ticket, head, entries


def offer(path: Path, play_options: PlayOptions) -> int | None:
    """If `path` is an older copy than the hub's record, ask whether to continue from what the hub showed. Return the
    exit code of that, or None to play on with the copy."""
    older = is_older_copy(path)
    if older is None or not terminal.can_ask():
        return None
    ticket, head, entries = older
    missing = plural(head.n - entries, "entry is", "entries are")
    _print(
        (
            "This file is an older copy: look for the newer one first.",
            "",
            f"The hub has {head.n} entries of this game; {missing} missing in {path.name}.",
            "Enter: the newer file is lost, so continue from what the hub showed last.",
            "p: play on with this copy; the organiser then says which end counts.",
            "q: neither.",
            "",
        )
    )
    choice = answer("Which? Enter alone, or p or q and Enter. ", ("", "p", "q"))
    if choice == "p":
        return None
    if choice == "q":
        return Exit.DONE
    return go_on(ticket, play_options, path)
