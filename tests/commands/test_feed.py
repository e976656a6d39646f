"""`companion feed`: what other programs read of a session, and the page that tells them how."""

from __future__ import annotations

import json
import re
import threading
from pathlib import Path
from typing import Any

import pytest

from companion.commands import reports
from companion.exits import Exit
from companion.feed import events as feed_events
from companion.feed.events import EVENT, TableNow
from companion.rules.feed_kinds import KINDS
from tests.commands.ran import Ran
from tests.web.served import played, press, saved

PAGE = (Path(feed_events.__file__).parent / "FEED.md").read_text(encoding="utf-8")
FIXTURE = Path(__file__).parent.parent / "fixtures/panic-fire/six-rounds.jsonl"
NOW = TableNow(where="", players=(), turn=(), paused=False, ended=False).model_dump(mode="json")


def events(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


@pytest.fixture
def session(tmp_path: Path) -> str:
    path = tmp_path / "six.sqlite"
    assert Ran("import", str(FIXTURE), "-o", str(path)).code == Exit.DONE
    return str(path)


def test_a_session_is_one_event_a_line_and_each_fits_the_schema(session: str) -> None:
    ran = Ran("feed", session)
    assert ran.code == Exit.DONE
    assert [EVENT.validate_python(event).kind for event in events(ran.out)][-2:] == [
        "end",
        "session",
    ]


def test_a_reader_goes_on_behind_what_it_has(session: str) -> None:
    whole = events(Ran("feed", session).out)
    rest = events(Ran("feed", session, "--after", str(whole[100]["number"])).out)
    assert rest == whole[101:]


def test_whoever_follows_gets_what_comes_and_is_done_when_the_session_has_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reports, "LOOK_S", 0.001)
    with played(tmp_path) as table:
        press(table, "fire")
        found: list[Ran] = []
        reader = threading.Thread(
            target=lambda: found.append(Ran("feed", str(table.path), "--follow"))
        )
        reader.start()
        press(table, "draw.1")
        table.enter("abandon", {"reason": "the last train"})
        saved(table)
    reader.join(20)
    assert [event["kind"] for event in events(found[0].out)] == [
        *("session", "round", "draw"),
        *("ruling", "end", "session"),
    ]


def test_a_session_that_is_not_there_is_answered_with_a_sentence(tmp_path: Path) -> None:
    ran = Ran("feed", str(tmp_path / "none.sqlite"))
    assert ran.code == Exit.NO_INPUT
    assert ran.out == ""
    assert ran.err.count("\n") == 1


def test_the_schema_is_printed_as_it_is() -> None:
    assert json.loads(Ran("feed", "--schema").out) == feed_events.schema()


@pytest.mark.parametrize("kind", KINDS)
def test_the_page_tells_of_each_kind_with_an_example_that_fits(kind: str) -> None:
    found = re.search(rf"^## {kind}\n(.+?)```json\n(.+?)\n```", PAGE, re.DOTALL | re.MULTILINE)
    assert found is not None
    event = EVENT.validate_python(json.loads(found[2]) | {"table": NOW})
    assert event.kind == kind
    assert event.number == feed_events.number_of(event.entry, kind)


def test_the_page_names_every_field() -> None:
    for definition in feed_events.schema()["$defs"].values():
        for field in definition["properties"]:
            assert f"`{field}`" in PAGE or f"the `{field}`" in PAGE, field
