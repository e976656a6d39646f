"""The owner's component files: where they are, what a new session makes of them, and how one owner
passes facts to another.

An owner's file is `components/GAME.toml` in the user's data folder (`COMPANION_DATA` names
another). It overrides the packaged file row by row. A file with a wrong row is not used at all,
because half of it would be neither the packaged box nor the owner's; a session then begins with the
packaged one, and says so.

A file from somebody else is untrusted: its size is limited, every row is checked against the game's
tables, made-up rows are refused, and nothing in it names a file or a command.
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
from companion.program import PROGRAM
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
"""Bytes of a component file; one that states every fact has a tenth of that."""
# Limits for a line: the TOML reader takes minutes for keys with thousands of dots.
_LONGEST_LINE, _MOST_DOTS = 2000, 50


def own_path(game_id: str) -> Path:
    """Return the path of the owner's file for a game; it need not exist."""
    return sessions_dir().parent / "components" / f"{game_id}.toml"


def box_with(game_id: str, path: Path) -> Box:
    """Return the packaged box overridden by the rows of the file at `path`; raise `BoxError`, or
    `FileNotFoundError`."""
    box = _over(game_id, read_box(text_of(path), str(path), rules_of(game_id).TABLES))
    if problems := check_box(game_id, box):
        raise BoxError(str(path), problems)
    return box


def _over(game_id: str, own: Box) -> Box:
    return overlay_matching(packaged(game_id), own, rules_of(game_id).TABLES)


def rows_of_owner(game_id: str) -> tuple[ComponentRow, ...]:
    """Return the rows of the owner's file as they are, which may contradict the packaged ones;
    empty without a file. Raise `BoxError` for a malformed file."""
    path = own_path(game_id)
    try:
        rows = read_box(text_of(path), str(path), rules_of(game_id).TABLES).rows
    except FileNotFoundError:
        return ()
    return tuple(replace(row, own=True) for row in rows)


def box_in_force(game_id: str) -> Box:
    """Return the owner's box, or the packaged one without an owner's file; raise `BoxError`."""
    try:
        return box_with(game_id, own_path(game_id))
    except FileNotFoundError:
        return packaged(game_id)


def text_of(path: Path) -> str:
    """Return the text of an untrusted component file; raise `BoxError`, or `FileNotFoundError`."""
    try:
        # Some editors write a byte order mark at the beginning.
        text = read_regular(path, MOST_BYTES).decode("utf-8-sig")
    except FileNotFoundError:
        raise
    except (OSError, UnicodeDecodeError) as error:
        why = "it is no UTF-8"
        if isinstance(error, OSError):
            why = f"it cannot be read ({error.strerror})"
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
    """Return the box that a new session records, and a sentence if the owner's file cannot be used."""
    try:
        box = box_in_force(game_id)
    except BoxError as error:
        return as_json(
            packaged(game_id)
        ), f"your component file is not used, the packaged one is: {error}"
    return as_json(box), None


# -- rows written into the owner's file


def write_rows(
    game_id: str, rows: Sequence[ComponentRow], removed: Collection[RowId], starting_text: str
) -> Path:
    """Write `rows` into the owner's file, replacing those about the same things, and remove those
    in `removed`; everything else in the file stays. A new file begins with `starting_text`. Return
    the path.

    Raise `BoxError`, with the file unchanged, if the box would be wrong or the file cannot be
    edited this way; raise `OSError` if it cannot be written.
    """
    # The file is edited as text, so that the owner's comments and layout survive. Reading the result
    # back proves that exactly these rows changed.
    path, tables = own_path(game_id), rules_of(game_id).TABLES
    before = text_of(path) if path.exists() else starting_text
    old = read_box(before, str(path), tables)
    written = {(row.table, row.name) for row in rows}
    replaced = written | set(removed)
    for pair in pairs(old.rows, packaged(game_id), tables):
        if pair.about in written:  # the same thing under another name
            replaced.add((pair.mine.table, pair.mine.name))
    lines: list[str] = []
    for block in _blocks(before):
        if _row_id(block) not in replaced:
            lines += block
    lines = "\n".join(lines).rstrip().splitlines()
    for row in rows:
        lines += as_toml(row)
    text = "\n".join([*lines, ""])
    new = read_box(text, str(path), tables)
    expected = [row for row in old.rows if (row.table, row.name) not in replaced]
    expected += rows
    if sorted(map(_as_canonical, new.rows)) != sorted(map(_as_canonical, expected)):
        why = "its rows are written in a way that a program cannot change"
        raise BoxError(
            str(path),
            [Problem("", "", why, f"a change by hand: {PROGRAM} components edit {game_id}")],
        )
    if problems := check_box(game_id, _over(game_id, new)):
        raise BoxError(str(path), problems)
    write_whole(path, text)
    return path


def as_toml(row: ComponentRow) -> list[str]:
    """Return a row as lines of a component file, beginning with an empty one."""
    lines = ["", f"[[{row.table}]]"]
    for name, value in row_as_json(row).items():
        lines.append(f"{name} = {json.dumps(value, ensure_ascii=False)}")
    return lines


_HEAD = re.compile(r"^[ \t]*\[\[")


def _blocks(text: str) -> Iterator[list[str]]:
    """Yield the lines of each row, from its header to its last line, and the lines between rows."""
    block: list[str] = []
    trailing: list[str] = []
    for line in text.splitlines():
        if _HEAD.match(line):
            yield from (block, trailing)
            block, trailing = [line], []
        # Comments and empty lines belong to the row only if it goes on after them.
        elif not block or not line.strip() or line.lstrip().startswith("#"):
            trailing.append(line)
        else:
            block, trailing = [*block, *trailing, line], []
    yield from (block, trailing)


def _row_id(block: Sequence[str]) -> RowId | None:
    """Return the row id of a block of lines, or None if it is not a row."""
    try:
        for table, rows in tomllib.loads("\n".join(block)).items():
            return table, rows[0]["name"]
        return None
    except (tomllib.TOMLDecodeError, KeyError, IndexError, TypeError):
        return None


def _as_canonical(row: ComponentRow) -> str:
    return json.dumps([row.table, row_as_json(row)], sort_keys=True)


def write_whole(path: Path, text: str) -> None:
    """Replace a file atomically and force it to the disk; if `path` is a link, its target. Raise
    `OSError`."""
    path = path.resolve()
    path.parent.mkdir(parents=True, exist_ok=True)
    write_private(path, text.encode(), 0o644)  # the content of a box is not secret


@dataclass(frozen=True, slots=True)
class HandedOver:
    """The content of a file from somebody else, compared with the reader's box: new rows, fields
    that add to a row of the reader, fields that differ (the reader's row may be the packaged one),
    and the number of identical rows."""

    new: tuple[ComponentRow, ...]
    more: tuple[Difference, ...]
    differing: tuple[Difference, ...]
    same: int

    def with_taken(self, taken: Collection[Difference]) -> tuple[ComponentRow, ...]:
        """Return the rows to write: the new ones, and the reader's rows with the added fields and
        the fields `taken`."""
        rows: dict[RowId, ComponentRow] = {}
        for difference in (*self.more, *taken):
            row = (difference.mine_row.table, difference.mine_row.name)
            rows[row] = merged(
                rows.get(row, difference.mine_row), difference.theirs_row, [difference.field]
            )
        return (*self.new, *rows.values())


def look_through(game_id: str, path: Path) -> HandedOver:
    """Compare a file with the box in force; raise `BoxError`, or `FileNotFoundError`."""
    theirs = read_box(text_of(path), str(path), rules_of(game_id).TABLES)
    # Both together must make sense, although not every row of the file will be taken.
    if problems := check_box(game_id, _over(game_id, theirs)):
        raise BoxError(str(path), problems)
    new: list[ComponentRow] = []
    differences: list[Difference] = []
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
    for pair in pairs(stated, box, rules_of(game_id).TABLES):
        row = pair.mine  # the file's row: for `pairs` its rows are the first argument
        mine = pair.theirs or box.row(row.table, row.name)
        if mine is None or not mine.fields:
            new.append(row)
            continue
        others = row_differences(mine, row)
        differences += others
        same += not others
    more = tuple(difference for difference in differences if difference.mine is None)
    differing = tuple(difference for difference in differences if difference.mine is not None)
    return HandedOver(tuple(new), more, differing, same)


def give_away(game_id: str, path: Path) -> int:
    """Write the facts of the owner's file, without its comments, to a new file; return how many.
    Raise `BoxError`, or `OSError`."""
    rows = [row for row in own_rows(box_in_force(game_id)) if row.fields]
    if rows:
        head = f"# {game_id}: facts read from a box. To take them:  {PROGRAM} components import {game_id} FILE"
        lines = [head]
        for row in rows:
            lines += as_toml(row)
        with new_file(path) as file:
            file.write("\n".join([*lines, ""]).encode())
    return len(rows)
