"""The facts of one owner's box in the hands of another: a file to give away, and one from a stranger, looked through.

A file handed over is untrusted: it is read bounded, every row is held against the game's tables, made-up rows are
refused, and nothing in it names a file or a command. What it says otherwise than the reader's box is a `Difference`,
which somebody has to decide.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from companion.rules.components import (
    BoxError,
    ComponentRow,
    Problem,
    check_box,
    overlay,
    packaged,
    read_box,
    rules_of,
)
from companion.session.owner_box import as_toml, box_in_force, own_rows, text_of, write_whole


@dataclass(frozen=True, slots=True)
class Difference:
    """A fact that the reader's box and the file state otherwise. `mine` may be the packaged one."""

    mine: ComponentRow
    theirs: ComponentRow


@dataclass(frozen=True, slots=True)
class HandedOver:
    """What a file says: facts that the reader does not have, how many that both have, and what differs."""

    new: tuple[ComponentRow, ...]
    same: int
    differing: tuple[Difference, ...]


def look_through(game_id: str, path: Path) -> HandedOver:
    """Return what a file says beside the box in force; raise `BoxError`, or `FileNotFoundError`."""
    theirs = read_box(text_of(path), str(path), rules_of(game_id).TABLES)
    if problems := check_box(game_id, overlay(packaged(game_id), theirs)):
        raise BoxError(str(path), problems)
    new, differing, same, box = [], [], 0, box_in_force(game_id)
    for row in theirs.rows:
        if row.status == "example":
            why = Problem(row.table, row.name, "this row is made up", "what somebody read from a box", line=row.line)
            raise BoxError(str(path), [why])
        mine = box.row(row.table, row.name)
        if not row.fields:
            continue
        if mine is None or not mine.fields:
            new.append(row)
        elif dict(mine.fields) == dict(row.fields):
            same += 1
        else:
            differing.append(Difference(mine, row))
    return HandedOver(tuple(new), same, tuple(differing))


def give_away(game_id: str, path: Path) -> int:
    """Write the facts of the owner's file, without its comments, to a file that must not be there yet; return how many.
    Raise `BoxError`, or `OSError`."""
    rows = [row for row in own_rows(box_in_force(game_id)) if row.fields]
    if rows:
        path.open("x").close()
        head = f"# {game_id}: facts read from a box. To take them:  companion components import {game_id} FILE"
        write_whole(path, "\n".join([head, *(line for row in rows for line in as_toml(row)), ""]))
    return len(rows)
