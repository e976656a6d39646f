"""A session records every option it is played by, so no later default can re-score it."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.commands.bundle import write
from companion.errors import CommandError
from companion.exits import Exit, code_of
from companion.journal.journal import Journal
from companion.journal.store import read_entries
from companion.reports.importing import parse_export
from companion.reports.record import read_record
from companion.rules.header import game_of, header, non_default_options
from companion.rules.house_rules import in_force
from companion.rules.registry import GAMES, open_game
from companion.session import opening
from companion.session.watching import Watcher
from tests.games.hints import setup_of

READERS: dict[str, Callable[[Path], Any]] = {
    "resume": opening.resume,
    "export": read_record,
    "watch": Watcher,
    "report": lambda path: write(path, path.with_suffix(".zip"), None),
}


def begun(game_id: str, **changed: Any) -> dict[str, Any]:
    return header(setup_of(game_id, 3), "evening") | changed


@pytest.mark.parametrize("game_id", GAMES)
def test_the_first_entry_has_every_option_of_the_game(game_id: str, tmp_path: Path) -> None:
    game = open_game(game_id)
    seats = [seat.name for seat in setup_of(game_id, 3).seats]
    with closing(opening.begin(game_id, seats, {}, tmp_path / "s.sqlite")) as table:
        recorded = read_entries(tmp_path / "s.sqlite")[0].body["options"]
        played = table.view().setup.options

    assert recorded == played == in_force({}, game.house_rules, game.numbers)
    assert recorded.keys() == {rule.name for rule in game.house_rules} | {
        number.name for number in game.numbers
    }


@pytest.mark.parametrize("game_id", GAMES)
def test_an_import_records_the_options_that_a_transcript_leaves_out(game_id: str) -> None:
    game, setup = open_game(game_id), setup_of(game_id, 3)
    row = {
        "game": game_id,
        "rules": game.rules_version,
        "seats": [{"id": s.id, "name": s.name} for s in setup.seats],
    }
    entries = parse_export(json.dumps(row), "t", "2026-11-22T20:00:00+00:00")

    assert entries[0].body["options"] == in_force({}, game.house_rules, game.numbers)


@pytest.mark.parametrize("game_id", GAMES)
@pytest.mark.parametrize("reader", READERS)
def test_a_session_of_other_rules_is_refused_in_one_sentence(
    game_id: str, reader: str, tmp_path: Path
) -> None:
    path, game = tmp_path / "old.sqlite", open_game(game_id)
    version, unknown = game.rules_version, min((*game.older_versions, game.rules_version)) - 1
    Journal.create(
        path, begun(game_id, rules=unknown), wall=lambda: "2026-11-22T20:00:00+00:00"
    ).close()
    with pytest.raises(
        CommandError, match=f"version {unknown} of the rules.*knows version {version}"
    ) as refused:
        READERS[reader](path)

    assert code_of(refused.value.kind) is Exit.DATA
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("reader", READERS)
def test_a_session_that_lacks_an_option_is_not_folded_by_a_default(
    reader: str, tmp_path: Path
) -> None:
    body = begun("panic-fire")
    del body["options"]["dealer"]
    Journal.create(tmp_path / "s.sqlite", body, wall=lambda: "2026-11-22T20:00:00+00:00").close()
    with pytest.raises(CommandError, match="by which dealer it was played"):
        READERS[reader](tmp_path / "s.sqlite")


def test_what_differs_from_the_defaults_can_be_told() -> None:
    body = begun("panic-fire")
    body["options"]["dealer"] = "fixed"
    assert non_default_options(game_of(body)[1]) == {"dealer": "fixed"}
