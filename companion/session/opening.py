"""Opening sessions: a new one at a table, or an existing one from its record, with the game that
its header names."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from companion.box.comparing import differs
from companion.box.owner_box import for_session
from companion.errors import CommandError, ErrorKind
from companion.journal.entries import KEYBOARD, Control, Draft, Layer
from companion.journal.errors import JournalError, NotSaved
from companion.journal.features import require_accepted
from companion.journal.folder import sessions_dir
from companion.journal.journal import Journal
from companion.journal.order import TURN_S, folder_of, next_place, turn_in
from companion.journal.sessions import ORDER_KEY, new_session_path, places_of
from companion.journal.store import Step
from companion.rules.components import pinned
from companion.rules.facts import Fact, Refused, Setup, body_of
from companion.rules.game import Game
from companion.rules.header import game_of, header, port_field, with_all_options
from companion.rules.order import Place, place_fields
from companion.rules.registry import info_of, open_game
from companion.rules.seats import seats_from_names
from companion.session.clocks import host_us, wall
from companion.session.kept_fold import kept
from companion.session.table import Table

CONFIRMED = "confirmed by the table"
"""The reason of the facts with which a continued game begins."""
TableMaker = Callable[..., Table]
"""Creates a table as `Table` does, from a game, a journal, a setup and `host_us`."""


def begin(
    game_id: str,
    seat_names: Sequence[str],
    options: Mapping[str, str],
    path: Path | None = None,
    *,
    rematch_of: str | None = None,
    continues: str | None = None,
    lesson: Mapping[str, Any] | None = None,
    facts: Sequence[Fact] = (),
    components: Mapping[str, Any] | None = None,
    make: TableMaker = Table,
    chance: random.Random | None = None,
    without_board: bool = False,
    clock_us: Callable[[], int] = host_us,
    folder: Path | None = None,
) -> Table:
    """Create a session and return its table; raise `CommandError`.

    `rematch_of`, `continues`, `lesson`: see `header`. `facts` are those the game begins with, confirmed by
    the table. `components` is the box, see `Setup`; None: the owner's file as it is now, with a
    notice if it differs from the packaged one, or if it has a wrong row and the packaged one is
    used instead. The box is recorded with the session in any case.

    `chance` shuffles for games that ask for it; None: the system's random source. `without_board`
    is recorded for resuming. `clock_us`: see `host_us`. The file is `path`; None: a new one in
    `folder`, see `new_session_path`, which only its owner can read, unless the people agreed to
    something else.
    """
    game = open_game(game_id)
    box, notice = for_session(game_id) if components is None else (dict(components), None)
    if components is None and notice is None:
        notice = differs(game_id) or None
    # A game defined in a file is recorded with its session, in place of a box.
    box = dict(info_of(game_id).carried) or box
    try:
        setup = Setup(game_id, game.rules_version, seats_from_names(seat_names), dict(options), box)
        game.start(setup)
        setup = pinned(with_all_options(game, setup))
    except Refused as refusal:
        raise CommandError(refusal.spoken(seat_names), ErrorKind.DATA) from refusal
    except ValueError as problem:
        raise CommandError(str(problem), ErrorKind.DATA) from problem
    make_header = partial(
        header,
        setup,
        rematch_of=rematch_of,
        continues=continues,
        without_board=without_board,
        lesson=lesson,
    )
    try:
        journal = _create(info_of(game_id).short_name, path, folder, make_header)
        if facts:
            _append_confirmed(journal, facts)
    except JournalError as problem:
        another = (
            "COMPANION_DATA names another data folder."
            if path is None
            else "TMPDIR names another folder."
        )
        sentence = f"The session file cannot be made: {problem} {another}"
        raise CommandError(sentence, ErrorKind.CANNOT_CREATE) from problem
    table = make(with_chance(game, chance), journal, setup, host_us=clock_us)
    if notice is not None:
        table.tell(notice)
    return table


def _create(
    word: str, path: Path | None, folder: Path | None, head: Callable[..., dict[str, Any]]
) -> Journal:
    """Create the session file of a game called `word`, see `begin`, with the next number of its
    folder. `head` makes the body of the first entry from the session's `name` and `place`. Raise
    `JournalError`."""
    if path is None:
        among = sessions_dir() if folder is None else folder
        require_accepted(among)
    else:
        among = folder_of(path)
    # The file must exist before the turn ends, so that the next companion sees its number.
    with turn_in(among):
        file = new_session_path(word, wall, among) if path is None else path
        return Journal.create(file, head(name=file.stem, place=next_place(among)), wall=wall)


def _append_confirmed(journal: Journal, facts: Sequence[Fact]) -> None:
    """Record the facts with which a session begins, and that the table confirmed them."""
    journal.append(*(Draft(Layer.FACT, fact.kind, body_of(fact), actor=KEYBOARD) for fact in facts))
    confirmed = {"entries": list(range(2, len(facts) + 2)), "why": CONFIRMED, "who": ""}
    journal.append(Draft(Layer.CONTROL, Control.REMARK, confirmed))


def resume(
    path: Path,
    make: TableMaker = Table,
    progress: Step | None = None,
    *,
    without_board: bool = False,
) -> Table:
    """Open an existing session and return its table; raise `CommandError`. `progress`: see `Step`;
    called once more when all entries have been read. `without_board`: see `begin`."""
    own_places = _own_places(path)
    journal = Journal.open(path, wall=wall, step=progress)
    try:
        if progress is not None:
            progress(len(journal.entries))
        game, setup = game_of(journal.entries[0].body)
        _append_resumed(journal, own_places, port_field(without_board))
        return make(
            with_chance(game), journal, setup, host_us=host_us, start=kept(path, journal.entries)
        )
    except ValueError as problem:
        journal.close()
        raise CommandError(
            f"{path.name} cannot be continued: {problem}.", ErrorKind.DATA
        ) from problem
    except BaseException:  # for example an interrupt while a game hangs
        journal.close()
        raise


def _own_places(path: Path) -> tuple[Place, ...]:
    """Return the places of the session. Call it before the journal is open: closing a file drops
    the locks that this process holds on it."""
    try:
        return places_of(path)
    except JournalError:
        return ()  # opening it reports what is wrong


def _append_resumed(journal: Journal, own_places: Sequence[Place], port: Mapping[str, str]) -> None:
    """Record that the session is resumed, with the next number of its folder."""
    folder = folder_of(journal.path)
    with turn_in(folder):
        place = next_place(folder, own_places, skipped=journal.path)
        # Another companion may have resumed it since its own places were read.
        while journal.entry_with_key(f"{ORDER_KEY}{place.number}") is not None:
            place = place._replace(number=place.number + 1)
        body = {"doubts": list(journal.warnings), **port, **place_fields(place)}
        resumed = journal.append(
            Draft(Layer.CONTROL, Control.RESUMED, body, key=f"{ORDER_KEY}{place.number}")
        )
        with suppress(NotSaved):  # the table shows it and can be played anyway
            journal.wait(resumed.last_n, TURN_S)


def with_chance(game: Game[Any], chance: random.Random | None = None) -> Game[Any]:
    """Return the game with a random source for shuffling, if it asks for one; what is drawn is
    recorded in the facts."""
    draws = chance or random.SystemRandom()
    return game.shuffled_by(lambda size: tuple(draws.sample(range(1, size + 1), size)))
