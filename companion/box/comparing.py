"""An owner's component file compared with the packaged one: the differences nobody has decided on,
and the decisions.

If the owner keeps a fact that the packaged file states differently, that decision is stored beside
the owner's file with both values, so that it is asked again once one of them changes. Deleting that
file only means that everything is asked again.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from companion.box.owner_box import MOST_BYTES, own_path, rows_of_owner, write_rows, write_whole
from companion.journal.disk import read_json
from companion.program import PROGRAM
from companion.rules.box_difference import Difference, Pair, merged, pairs
from companion.rules.box_questions import RowId
from companion.rules.columns import plural
from companion.rules.components import ComponentRow, packaged, rules_of


def compared(game_id: str) -> tuple[Pair, ...]:
    """Return each row of the owner's file with the packaged row about the same thing; raise
    `BoxError` for a malformed file."""
    return pairs(rows_of_owner(game_id), packaged(game_id), rules_of(game_id).TABLES)


def differing(game_id: str) -> tuple[Difference, ...]:
    """Return the differences between the owner's rows and the packaged ones, decided or not; raise
    `BoxError`."""
    return tuple(difference for pair in compared(game_id) for difference in pair.differences)


def undecided(game_id: str) -> tuple[Difference, ...]:
    """Return the differences except those that the owner decided to keep; raise `BoxError`."""
    decided = _decided(_path(game_id))
    return tuple(difference for difference in differing(game_id) if _key(difference) not in decided)


def differs(game_id: str) -> str:
    """Return a sentence on the undecided differences, and what to do; empty for none. Raise
    `BoxError`."""
    facts = undecided(game_id)
    if not facts:
        return ""
    sentence = f"Your component file differs from the published box in {plural(len(facts), 'fact')}"
    return f"{sentence}: {PROGRAM} components compare {game_id}"


def decide(
    game_id: str,
    pairs_found: Sequence[Pair],
    taken: Collection[Difference],
    kept: Collection[Difference],
    starting_text: str,
) -> int:
    """Write decisions: the packaged value for each difference `taken`, the owner's for each `kept`.
    A row that no longer differs leaves the owner's file. Return how many rows changed; raise
    `BoxError`, or `OSError`."""
    rows: list[ComponentRow] = []
    gone: set[RowId] = set()
    for pair in pairs_found:
        fields = [difference.field for difference in pair.differences if difference in taken]
        if pair.theirs is None or not fields:
            continue
        row = replace(merged(pair.mine, pair.theirs, fields), name=pair.theirs.name)
        gone.add((pair.mine.table, pair.mine.name))
        if dict(row.fields) != dict(pair.theirs.fields):
            rows.append(row)
    if gone:
        write_rows(game_id, rows, gone, starting_text)
    if kept:
        path = _path(game_id)
        write_whole(path, json.dumps(sorted({*_decided(path), *map(_key, kept)})))
    return len(gone)


def _path(game_id: str) -> Path:
    return own_path(game_id).with_name(f"{game_id}.kept.json")


def _decided(path: Path) -> set[str]:
    """Return the keys of the differences that the owner decided to keep; empty if the file is
    missing or not ours."""
    with suppress(OSError, ValueError, TypeError):
        return set(_texts(read_json(path, MOST_BYTES)))
    return set()


def _texts(data: Any) -> Iterable[str]:
    if not isinstance(data, list):
        return []
    return [item for item in data if isinstance(item, str)]


def _key(difference: Difference) -> str:
    return json.dumps(
        [
            difference.theirs_row.table,
            difference.theirs_row.name,
            difference.field,
            difference.mine,
            difference.theirs,
        ],
        sort_keys=True,
    )
