"""Opening sessions: a new one at a table, or one from the record, with the game its header names."""

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
"""Why the facts stand in a record with which a continuation begins."""
TableMaker = Callable[..., Table]
"""Makes a table as `Table` does, of a game, a journal, a setup and `host_us`."""


def begin(
    game_id: str,
    seat_names: Sequence[str],
    options: Mapping[str, str],
    path: Path | None = None,
    *,
    rematch_of: str | None = None,
    continues: str | None = None,
    facts: Sequence[Fact] = (),
    components: Mapping[str, Any] | None = None,
    make: TableMaker = Table,
    chance: random.Random | None = None,
    without_board: bool = False,
    clock_us: Callable[[], int] = host_us,
    folder: Path | None = None,
) -> Table:
    """Begin a session and return its table; raise `CommandError`. `rematch_of`, `continues`: see `header`; `facts` are
    what it begins with, as the table confirmed them. `components`: the box, see `Setup`; None: the owner's file as it
    is now, with a notice where it differs from the packaged one, or the packaged one and a notice where that has a
    wrong row. Any box, the packaged one too, is recorded with the session.
    `chance` shuffles where the game asks for that; None: nobody can foretell it. `without_board` is kept, for whoever
    resumes. `clock_us`: see `host_us`. The file is `path`; None: a new one in `folder`, see `new_session_path`, where
    nobody but its owner can read it or that was agreed to."""
    game = open_game(game_id)
    box, notice = for_session(game_id) if components is None else (dict(components), None)
    if components is None and notice is None:
        notice = differs(game_id) or None
    box = dict(info_of(game_id).carried) or box  # a game that a file states goes with its session
    try:
        setup = Setup(game_id, game.rules_version, seats_from_names(seat_names), dict(options), box)
        game.start(setup)
        setup = pinned(with_all_options(game, setup))
    except Refused as refusal:
        raise CommandError(refusal.spoken(seat_names), ErrorKind.DATA) from refusal
    except ValueError as problem:
        raise CommandError(str(problem), ErrorKind.DATA) from problem
    head = partial(
        header, setup, rematch_of=rematch_of, continues=continues, without_board=without_board
    )
    try:
        journal = _create(info_of(game_id).short_name, path, folder, head)
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
    """Create the session file of a game called `word`, see `begin`, with the next number of its folder. `head` makes
    the first entry, given the `name` and `place` of the session. Raise `JournalError`."""
    if path is None:
        among = sessions_dir() if folder is None else folder
        require_accepted(among)
    else:
        among = folder_of(path)
    # Only one companion takes a number at a time: the file that has it is there before the next one looks.
    with turn_in(among):
        file = new_session_path(word, wall, among) if path is None else path
        return Journal.create(file, head(name=file.stem, place=next_place(among)), wall=wall)


def _append_confirmed(journal: Journal, facts: Sequence[Fact]) -> None:
    """Record the facts that a session begins with, and that the table confirmed them."""
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
    """Open a session that stands in a file and return its table; raise `CommandError`. `progress`: see `Step`; it is
    told once more when all entries have been read. `without_board`: see `begin`."""
    own = _own_places(path)
    journal = Journal.open(path, wall=wall, step=progress)
    try:
        if progress is not None:
            progress(len(journal.entries))
        game, setup = game_of(journal.entries[0].body)
        _append_resumed(journal, own, port_field(without_board))
        return make(
            with_chance(game), journal, setup, host_us=host_us, start=kept(path, journal.entries)
        )
    except ValueError as problem:
        journal.close()
        raise CommandError(
            f"{path.name} cannot be gone on with: {problem}.", ErrorKind.DATA
        ) from problem
    except BaseException:  # somebody left while a game hung, say
        journal.close()
        raise


def _own_places(path: Path) -> tuple[Place, ...]:
    """Return the places that the session has. Ask before it is open: who closes a file drops the locks that its writer
    holds."""
    try:
        return places_of(path)
    except JournalError:
        return ()  # opening it says what is wrong


def _append_resumed(journal: Journal, own: Sequence[Place], port: Mapping[str, str]) -> None:
    """Record that the session goes on, with the next number of its folder."""
    folder = folder_of(journal.path)
    with turn_in(folder):
        place = next_place(folder, own, but=journal.path)
        # resumed by another since `own` were read
        while journal.keyed(f"{ORDER_KEY}{place.number}") is not None:
            place = place._replace(number=place.number + 1)
        body = {"doubts": list(journal.warnings), **port, **place_fields(place)}
        resumed = journal.append(
            Draft(Layer.CONTROL, Control.RESUMED, body, key=f"{ORDER_KEY}{place.number}")
        )
        with suppress(NotSaved):  # the table says so, and plays on
            journal.wait(resumed.last_n, TURN_S)


def with_chance(game: Game[Any], chance: random.Random | None = None) -> Game[Any]:
    """Return the game, with somebody who shuffles for it where it asks for that; what is drawn stands in the facts."""
    draws = chance or random.SystemRandom()
    return game.shuffled_by(lambda size: tuple(draws.sample(range(1, size + 1), size)))
