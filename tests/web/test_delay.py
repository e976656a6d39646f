"""The delay of what everybody sees: the page of the whole table and the feed, not the seats' own pages."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from companion.config.reading import CONFIG_VARIABLE, preferences
from companion.errors import CommandError
from companion.games.panic_fire.rules.game import GAME
from companion.journal.journal import Journal
from companion.rules.facts import TABLE
from companion.rules.header import header
from companion.session.table import Table
from companion.web.lookers import Onlooker, TableLooker
from companion.web.showing import PageContents
from tests.commands.parts import Said
from tests.games.panic_fire.playing import setup
from tests.web.served import press, saved

DELAY_S = 600.0


class Clock:
    """The wall clock of the session's writer: in the past until it is set to now."""

    def __init__(self) -> None:
        self.ago = timedelta(hours=1)

    def __call__(self) -> str:
        return (datetime.now(UTC) - self.ago).isoformat(timespec="milliseconds")


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def table(tmp_path: Path, clock: Clock) -> Iterator[Table]:
    begun = setup("red blue")
    journal = Journal.create(tmp_path / "evening.sqlite", header(begun, "evening"), wall=clock)
    with closing(Table(GAME, journal, begun, host_us=lambda: 0)) as opened:
        press(opened, "fire", "draw.1")
        yield opened


def shot_now(table: Table, clock: Clock) -> None:
    clock.ago = timedelta()
    table.enter("shot", {})
    saved(table)


def sentences(showing: PageContents, viewer: str) -> str:
    return " ".join(str(block) for block in showing.blocks[viewer].values())


def test_everybodys_page_is_held_back_and_a_seats_own_is_not(table: Table, clock: Clock) -> None:
    looker = TableLooker(table, DELAY_S)
    assert "draws" in sentences(looker.showing, TABLE), "what is old enough is shown at once"
    shot_now(table, clock)
    assert looker.look()
    assert "the gun fired" in sentences(looker.showing, "red")
    assert "the gun fired" not in sentences(looker.showing, TABLE)
    looker.close()


def test_the_feed_of_a_table_is_held_back(table: Table, clock: Clock) -> None:
    looker = TableLooker(table, DELAY_S)
    before = looker.tail.look()
    shot_now(table, clock)
    assert looker.tail.look() == before
    assert any(event.kind == "draw" for event in before)
    looker.close()


def test_pages_of_another_program_are_held_back_too(table: Table, clock: Clock) -> None:
    onlooker = Onlooker(table.path, delay_s=DELAY_S)
    before = sentences(onlooker.showing, TABLE)
    shot_now(table, clock)
    assert onlooker.look()
    assert sentences(onlooker.showing, TABLE) == before
    assert "the gun fired" in sentences(onlooker.showing, "red")
    assert not onlooker.news, "nothing is looked for until it may be shown"
    assert all(event.kind != "shot" for event in onlooker.tail.look())


def test_without_a_delay_all_pages_show_the_same(table: Table, clock: Clock) -> None:
    looker = TableLooker(table)
    shot_now(table, clock)
    assert looker.look()
    assert "the gun fired" in sentences(looker.showing, TABLE)
    looker.close()


def test_the_command_holds_back_what_the_settings_say(
    table: Table, clock: Clock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from companion.commands import reports

    settings = tmp_path / "settings.toml"
    monkeypatch.setenv(CONFIG_VARIABLE, str(settings))
    shot_now(table, clock)
    more: dict[str, Any] = {"schema": False, "follow": False, "after": 0}
    assert '"shot"' in Said(reports.run_feed, str(table.path), **more).out
    settings.write_text(f"broadcast_delay = {DELAY_S}\n")
    held = Said(reports.run_feed, str(table.path), **more).out
    assert '"draw"' in held
    assert '"shot"' not in held


@pytest.mark.parametrize("word", ["-1", "3601", "true", '"30"', "nan"])
def test_a_delay_is_a_number_of_seconds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, word: str
) -> None:
    settings = tmp_path / "settings.toml"
    monkeypatch.setenv(CONFIG_VARIABLE, str(settings))
    settings.write_text(f"broadcast_delay = {word}\n")
    with pytest.raises(CommandError, match="expected seconds, from 0 to 3600"):
        preferences()
    settings.unlink()
    monkeypatch.setenv("COMPANION_BROADCAST_DELAY", word.strip('"').replace("30", "30 s"))
    with pytest.raises(CommandError, match="expected seconds, from 0 to 3600"):
        preferences()
    monkeypatch.setenv("COMPANION_BROADCAST_DELAY", "2.5")
    assert preferences().broadcast_delay == 2.5


def test_everybodys_answers_and_reasons_are_as_late_as_everybodys_page(
    table: Table, clock: Clock
) -> None:
    with closing(TableLooker(table, DELAY_S)) as looker:
        shot_now(table, clock)
        looker.look()
        showing = looker.showing
        newest = table.view().log[-1].number
        assert newest in showing.present.reasons
        assert newest not in showing.everybody.reasons
        assert len(showing.everybody.at.log) == len(showing.present.at.log) - 1
        assert showing.rules(TABLE) is showing.everybody
        assert showing.rules("red") is showing.present
