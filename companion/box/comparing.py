"""An owner's box beside the packaged one: what differs and nobody has decided yet, and what was decided.

Where the owner keeps a fact that the packaged file states otherwise, that decision is kept beside the owner's file with
both values, so it is asked again once one of them changes. Without that file it is only asked again.
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
from companion.rules.box_difference import Difference, Pair, merged, pairs
from companion.rules.box_questions import RowId
from companion.rules.columns import plural
from companion.rules.components import ComponentRow, packaged, rules_of


def compared(game_id: str) -> tuple[Pair, ...]:
    """Return each row of the owner's file with the packaged row about the same thing; raise `BoxError` for a file that
    is not well formed."""
    return pairs(rows_of_owner(game_id), packaged(game_id), rules_of(game_id).TABLES)


def differing(game_id: str) -> tuple[Difference, ...]:
    """Return where the owner's rows differ from the packaged ones, decided or not; raise `BoxError`."""
    return tuple(difference for pair in compared(game_id) for difference in pair.differences)


def undecided(game_id: str) -> tuple[Difference, ...]:
    """Return where the owner's rows differ from the packaged ones, but for what the owner decided to keep; raise
    `BoxError`."""
    decided = _decided(_path(game_id))
    return tuple(difference for difference in differing(game_id) if _key(difference) not in decided)


def differs(game_id: str) -> str:
    """Return in a sentence that the owner's file differs from the packaged one, and what to do; empty where it does
    not, or where the owner decided about all of it. Raise `BoxError`."""
    facts = undecided(game_id)
    if not facts:
        return ""
    sentence = f"Your component file differs from the published box in {plural(len(facts), 'fact')}"
    return f"{sentence}: companion components compare {game_id}"


def decide(
    game_id: str,
    pairs_found: Sequence[Pair],
    taken: Collection[Difference],
    kept: Collection[Difference],
    starting_text: str,
) -> int:
    """Write what was decided: the packaged value of each that was `taken`, the owner's of each `kept`. A row that then
    states what the packaged one does leaves the owner's file. Return how many rows changed; raise `BoxError`, or
    `OSError`."""
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
    """What the owner decided to keep; nothing where the file is not there, or is anybody's."""
    with suppress(OSError, ValueError, TypeError):
        return set(_texts(read_json(path, MOST_BYTES)))
    return set()


def _texts(data: Any) -> Iterable[str]:
    return [item for item in data if isinstance(item, str)] if isinstance(data, list) else []


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
