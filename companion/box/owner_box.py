"""The owner's component files: where they lie, what a session that begins now makes of them, and how their facts come
into the hands of another owner.

An owner's file is `components/GAME.toml` in the user's data folder (`COMPANION_DATA` names another). It overrides the
packaged file row by row. A file with a wrong row is not used at all: half of it would be neither the packaged box nor
the owner's. A session can begin all the same, with the packaged one, and says so.

A file handed over is untrusted: it is read bounded, every row is held against the game's tables, made-up rows are
refused, and nothing in it names a file or a command.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from companion.journal.disk import new_file, read_regular, write_private
from companion.journal.folder import sessions_dir
from companion.rules.box_difference import (
    Difference,
    merged,
    overlay_matching,
    pairs,
    row_differences,
)
from companion.rules.box_questions import RowId
from companion.rules.components import (
    Box,
    BoxError,
    ComponentRow,
    Problem,
    as_json,
    check_box,
    packaged,
    read_box,
    row_as_json,
    rules_of,
)

MOST_BYTES = 1 << 18
"""Bytes of a component file; one in which every fact is stated has a tenth of that."""
# of a line: keys with thousands of dots cost the TOML reader minutes
_LONGEST_LINE, _MOST_DOTS = 2000, 50


def own_path(game_id: str) -> Path:
    """Return where the owner's file of a game lies; it need not exist."""
    return sessions_dir().parent / "components" / f"{game_id}.toml"


def box_with(game_id: str, path: Path) -> Box:
    """Return the packaged box with the rows of the file at `path` over it; raise `BoxError`, or `FileNotFoundError`."""
    box = _over(game_id, read_box(text_of(path), str(path), rules_of(game_id).TABLES))
    if problems := check_box(game_id, box):
        raise BoxError(str(path), problems)
    return box


def _over(game_id: str, own: Box) -> Box:
    return overlay_matching(packaged(game_id), own, rules_of(game_id).TABLES)


def rows_of_owner(game_id: str) -> tuple[ComponentRow, ...]:
    """Return the rows of the owner's file as they are in it, none where there is no file; raise `BoxError` for one that
    is not well formed. They may contradict the packaged rows."""
    path = own_path(game_id)
    try:
        rows = read_box(text_of(path), str(path), rules_of(game_id).TABLES).rows
    except FileNotFoundError:
        return ()
    return tuple(replace(row, own=True) for row in rows)


def box_in_force(game_id: str) -> Box:
    """Return the owner's box, the packaged one where the owner has no file; raise `BoxError`."""
    try:
        return box_with(game_id, own_path(game_id))
    except FileNotFoundError:
        return packaged(game_id)


def text_of(path: Path) -> str:
    """Return the text of a component file that anybody may have made; raise `BoxError`, or `FileNotFoundError`."""
    try:
        # some editors put a mark at the beginning
        text = read_regular(path, MOST_BYTES).decode("utf-8-sig")
    except FileNotFoundError:
        raise
    except (OSError, UnicodeDecodeError) as error:
        why = (
            f"it cannot be read ({error.strerror})"
            if isinstance(error, OSError)
            else "it is no UTF-8"
        )
        raise BoxError(str(path), [Problem("", "", why, "a text file")]) from error
    for number, line in enumerate(text.splitlines(), start=1):
        if len(line) > _LONGEST_LINE or line.count(".") > _MOST_DOTS:
            expected = f"at most {_LONGEST_LINE} characters and {_MOST_DOTS} dots on a line"
            raise BoxError(
                str(path), [Problem("", "", "this line is too long", expected, line=number)]
            )
    return text


def own_rows(box: Box) -> tuple[ComponentRow, ...]:
    """Return the rows that come from the owner's file."""
    return tuple(row for row in box.rows if row.own)


def for_session(game_id: str) -> tuple[dict[str, Any], str | None]:
    """Return what a session that begins now pins of the box, and a sentence where the owner's file cannot be used."""
    try:
        box = box_in_force(game_id)
    except BoxError as error:
        return as_json(
            packaged(game_id)
        ), f"your component file is not used, the packaged one is: {error}"
    return as_json(box), None


# -- rows written into the owner's file


def write_rows(
    game_id: str, rows: Sequence[ComponentRow], gone: Collection[RowId], starting_text: str
) -> Path:
    """Write `rows` into the owner's file, made from `starting_text` where there is none, in the place of those about
    the same thing, and take those of `gone` out; all else in the file stays as it is. Return the file.

    Raise `BoxError`, the file untouched, when the box would be wrong, or when the file cannot be changed this way;
    raise `OSError` when it cannot be written.
    """
    path, tables = own_path(game_id), rules_of(game_id).TABLES
    before = text_of(path) if path.exists() else starting_text
    old = read_box(before, str(path), tables)
    written = {(row.table, row.name) for row in rows}
    about = pairs(old.rows, packaged(game_id), tables)
    replaced = (
        written
        | set(gone)
        | {(pair.mine.table, pair.mine.name) for pair in about if pair.about in written}
    )
    kept = [line for block in _blocks(before) if _row_id(block) not in replaced for line in block]
    text = "\n".join(
        [
            *"\n".join(kept).rstrip().splitlines(),
            *(line for row in rows for line in as_toml(row)),
            "",
        ]
    )
    new = read_box(text, str(path), tables)
    expected = [row for row in old.rows if (row.table, row.name) not in replaced] + list(rows)
    if sorted(map(_whole, new.rows)) != sorted(map(_whole, expected)):
        why = "its rows are written in a way that a program cannot change"
        raise BoxError(
            str(path),
            [Problem("", "", why, f"a change by hand: companion components edit {game_id}")],
        )
    if problems := check_box(game_id, _over(game_id, new)):
        raise BoxError(str(path), problems)
    write_whole(path, text)
    return path


def as_toml(row: ComponentRow) -> list[str]:
    """Return a row as lines of a component file, an empty one first."""
    words = [
        f"{name} = {json.dumps(value, ensure_ascii=False)}"
        for name, value in row_as_json(row).items()
    ]
    return ["", f"[[{row.table}]]", *words]


_HEAD = re.compile(r"^[ \t]*\[\[")


def _blocks(text: str) -> Iterator[list[str]]:
    """The lines of each row, from its head to the last that belongs to it, and those between rows."""
    block: list[str] = []
    trailing: list[str] = []
    for line in text.splitlines():
        if _HEAD.match(line):
            yield from (block, trailing)
            block, trailing = [line], []
        elif not block or not line.strip() or line.lstrip().startswith("#"):
            trailing.append(line)
        else:
            block, trailing = [*block, *trailing, line], []
    yield from (block, trailing)


def _row_id(block: Sequence[str]) -> RowId | None:
    """The row that a block of lines is; None for what is none."""
    try:
        tables = tomllib.loads("\n".join(block))
        return next(((table, rows[0]["name"]) for table, rows in tables.items()), None)
    except (tomllib.TOMLDecodeError, KeyError, IndexError, TypeError):
        return None


def _whole(row: ComponentRow) -> str:
    return json.dumps([row.table, row_as_json(row)], sort_keys=True)


def write_whole(path: Path, text: str) -> None:
    """Put the whole file in its place at once, and on the disk; where `path` is a link, in that of what it points to.
    Raise `OSError`."""
    path = path.resolve()
    path.parent.mkdir(parents=True, exist_ok=True)
    write_private(path, text.encode(), 0o644)  # what a box holds is no secret


@dataclass(frozen=True, slots=True)
class HandedOver:
    """What a file says: rows of which the reader knows nothing, fields that a row of the reader does not state, fields
    that both state differently (the reader's row may be the packaged one), and how many rows say nothing else."""

    new: tuple[ComponentRow, ...]
    more: tuple[Difference, ...]
    differing: tuple[Difference, ...]
    same: int

    def with_taken(self, taken: Collection[Difference]) -> tuple[ComponentRow, ...]:
        """Return the rows to write: the new ones, and the reader's with what the file adds and the fields `taken`."""
        rows: dict[RowId, ComponentRow] = {}
        for each in (*self.more, *taken):
            row = (each.mine_row.table, each.mine_row.name)
            rows[row] = merged(rows.get(row, each.mine_row), each.theirs_row, [each.field])
        return (*self.new, *rows.values())


def look_through(game_id: str, path: Path) -> HandedOver:
    """Return what a file says beside the box in force; raise `BoxError`, or `FileNotFoundError`."""
    theirs = read_box(text_of(path), str(path), rules_of(game_id).TABLES)
    if problems := check_box(game_id, _over(game_id, theirs)):
        raise BoxError(str(path), problems)
    new: list[ComponentRow] = []
    found: list[Difference] = []
    same, box = 0, box_in_force(game_id)
    for row in theirs.rows:
        if row.status == "example":
            why = Problem(
                row.table,
                row.name,
                "this row is made up",
                "what somebody read from a box",
                line=row.line,
            )
            raise BoxError(str(path), [why])
    stated = [row for row in theirs.rows if row.fields]
    for row, paired in (
        (pair.mine, pair.theirs) for pair in pairs(stated, box, rules_of(game_id).TABLES)
    ):
        mine = paired or box.row(row.table, row.name)
        if mine is None or not mine.fields:
            new.append(row)
            continue
        others = row_differences(mine, row)
        found += others
        same += not others
    more = tuple(each for each in found if each.mine is None)
    return HandedOver(
        tuple(new), more, tuple(each for each in found if each.mine is not None), same
    )


def give_away(game_id: str, path: Path) -> int:
    """Write the facts of the owner's file, without its comments, to a file that must not be there yet; return how many.
    Raise `BoxError`, or `OSError`."""
    rows = [row for row in own_rows(box_in_force(game_id)) if row.fields]
    if rows:
        head = f"# {game_id}: facts read from a box. To take them:  companion components import {game_id} FILE"
        with new_file(path) as file:
            file.write(
                "\n".join([head, *(line for row in rows for line in as_toml(row)), ""]).encode()
            )
    return len(rows)
