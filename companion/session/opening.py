"""Opening sessions: a new one at a table, or one from the record, with the game its header names."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from companion.exits import CommandError, Exit
from companion.journal.entries import KEYBOARD, Control, Draft, Layer
from companion.journal.errors import JournalError
from companion.journal.journal import Journal
from companion.journal.sessions import new_session_path
from companion.journal.store import Step
from companion.rules.components import pinned
from companion.rules.game import Fact, Game, Refused, Setup, body_of
from companion.rules.header import game_of, header, port_field, with_all_options
from companion.rules.registry import info_of, open_game
from companion.rules.seats import seats_from_names
from companion.session.box_compared import differs
from companion.session.clocks import host_us, wall
from companion.session.kept_fold import kept
from companion.session.owner_box import for_session
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
) -> Table:
    """Begin a session and return its table; raise `CommandError`. `rematch_of`, `continues`: see `header`; `facts` are
    what it begins with, as the table confirmed them. `components`: the box,
    see `Setup`; None: the owner's file as it is now, with a notice where it differs from the packaged one, or the
    packaged one and a notice where that has a wrong row. Any
    box, the packaged one too, is recorded with the session.
    `chance` shuffles where the game asks for that; None: nobody can foretell it. `without_board` is kept, for whoever
    resumes. `clock_us`: see `host_us`."""
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
        raise CommandError(refusal.spoken(seat_names), Exit.DATA) from refusal
    except ValueError as problem:
        raise CommandError(str(problem), Exit.DATA) from problem
    try:
        place = new_session_path(info_of(game_id).word, wall) if path is None else path
        first = header(setup, place.stem, rematch_of, continues=continues, without_board=without_board)
        journal = Journal.create(place, first, wall=wall)
        if facts:
            journal.append(*(Draft(Layer.FACT, fact.kind, body_of(fact), actor=KEYBOARD) for fact in facts))
            confirmed = {"entries": list(range(2, len(facts) + 2)), "why": CONFIRMED, "who": ""}
            journal.append(Draft(Layer.CONTROL, Control.REMARK, confirmed))
    except JournalError as problem:
        sentence = f"The session file cannot be made: {problem} COMPANION_DATA names another data folder."
        raise CommandError(sentence, Exit.CANNOT_CREATE) from problem
    table = make(with_chance(game, chance), journal, setup, host_us=clock_us)
    if notice is not None:
        table.tell(notice)
    return table


def resume(path: Path, make: TableMaker = Table, progress: Step | None = None, *, without_board: bool = False) -> Table:
    """Open a session that stands in a file and return its table; raise `CommandError`. `progress`: see `Step`; it is
    told once more when all entries have been read. `without_board`: see `begin`."""
    journal = Journal.open(path, wall=wall, step=progress)
    try:
        if progress is not None:
            progress(len(journal.entries))
        game, setup = game_of(journal.entries[0].body)
        resumed = {"doubts": list(journal.warnings), **port_field(without_board)}
        journal.append(Draft(Layer.CONTROL, Control.RESUMED, resumed))
        return make(with_chance(game), journal, setup, host_us=host_us, start=kept(path, journal.entries))
    except ValueError as problem:
        journal.close()
        raise CommandError(f"{path.name} cannot be gone on with: {problem}.", Exit.DATA) from problem
    except JournalError:
        journal.close()
        raise


def with_chance(game: Game[Any], chance: random.Random | None = None) -> Game[Any]:
    """Return the game, with somebody who shuffles for it where it asks for that; what is drawn stands in the facts."""
    draws = chance or random.SystemRandom()
    return game.shuffled_by(lambda size: tuple(draws.sample(range(1, size + 1), size)))
