"""What reaches a page or a player's phone is for people who tap: no answer and no block has a marker for a key."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from companion.display.panels import panels_of
from companion.rules.actions import FIRST_PRESS, named
from companion.rules.facts import Fact, body_of
from companion.rules.form_fields import example
from companion.rules.forms import fields_of
from companion.rules.registry import GAMES
from companion.session.notices import Notices
from companion.session.opening import begin
from companion.session.roles import Role
from companion.session.seat_entries import own_entries
from companion.web import at_play
from companion.web.addresses import LOCALHOST
from companion.web.app import OVER, PUT_AWAY
from companion.web.at_play import TablePages
from companion.web.note_post import NotePost
from tests.games.test_every_game import played
from tests.web.acting import Acting, acting, said
from tests.web.test_notes import at_once

MARKER = re.compile(r"[\x1c-\x1f]|\{[a-z_-]+\.[a-z0-9_. -]+\||[Pp]ress \{|no key")
MOVES = 12
PAUSED = {"kind": "step", "action": "table.pause"}


def _notes(at: Acting, seat: str) -> Iterator[dict[str, Any]]:
    """Yield everything that a seat's phone can send, whatever it shows now."""
    game, panels = at.table.view().game, panels_of(at.table.game.id)
    for line in panels.notes(at.table.seat_view(seat), seat):
        yield {"line": line.id, "answers": {field.name: "x" for field in line.fields}}
    if panels.proposals is not None:
        for proposal in panels.proposals(game, seat):
            yield {"propose": proposal.id}
    for entry in own_entries(panels, game, seat):
        yield {"enter": entry.id, "answers": {number.name: "1" for number in entry.numbers}}
    yield {"back": 1}


def _wishes(at: Acting, facts: list[Fact]) -> Iterator[dict[str, Any]]:
    """Yield everything that the page of the table can ask for."""
    table = at.table
    for action in table.actions:
        if action.id != "table.pause":
            yield {"kind": "step", "action": action.id}
    for fact in facts:
        yield {"kind": "fact", "fact": fact.kind, "body": body_of(fact)}
    setup = table.view().setup
    for kind, made in table.game.facts.items():
        if made.secret:
            continue
        fields = fields_of(made, setup)
        yield {"kind": "fact", "fact": kind, "fields": {each.name: "?" for each in fields}}
        yield {
            "kind": "fact",
            "fact": kind,
            "fields": {each.name: example(each) for each in fields},
        }
    newest = table.view().newest
    for entry in range(1, newest + 1):
        yield {"kind": "delete", "entry": entry}
        yield {"kind": "undo", "entry": entry}
        yield {"kind": "undo", "entry": entry, "redo": True}
    yield {"kind": "answer", "question": "none", "agreed": True}
    yield {"kind": "decide", "proposal": "none", "accepted": True}


def _check(at: Acting) -> None:
    """Check all blocks of all pages."""
    at.show()
    for viewer, blocks in at.looker.showing.blocks.items():
        for name, block in blocks.items():
            if name != "forms":
                assert not MARKER.search(block), (viewer, name, block)


@pytest.mark.parametrize("game_id", sorted(GAMES))
async def test_no_page_and_no_answer_to_it_has_a_marker_for_a_key(
    game_id: str, tmp_path: Path
) -> None:
    moves = played(game_id, GAMES[game_id].seats[-1], seed=3, most=MOVES)
    names = [f"Player{n}" for n in range(GAMES[game_id].seats[-1])]
    numbers, ticks = count(), count()
    said_so: list[str] = []
    with acting(tmp_path, game_id, *names) as at:
        at.table.take_proposals(True)
        at.table.allow_entries(True)
        at.pages._post = NotePost(at.table, lambda: float(next(ticks)), at_once)
        codes = {role: at.give(role) for role in (Role.TABLE, Role.REFEREE, Role.BOARD)}
        seats = [seat.id for seat in at.table.view().setup.seats]

        async def tap(wish: dict[str, Any]) -> None:
            at.now_s += 1.0
            at.host_us += 1_000_000
            said_so.append(said(await at.tap(codes[Role.TABLE], wish))[2])

        async def send_notes() -> None:
            for place, seat in enumerate(seats, 1):
                for note in _notes(at, seat):
                    note = {"id": f"note-{next(numbers):012}", **note}
                    note["place"] = at.pages._rendered.place(seat)
                    answer = await at.client.send(f"/code-{place}/notes", note)
                    said_so.append(json.loads(answer.text)["said"])

        async def pause(*, on: bool) -> None:
            if at.table.view().paused != on and not at.table.view().ended:
                await tap(PAUSED)

        facts = [fact for _, fact, _, _ in moves]
        for fact in facts:
            at.table.enter(fact.kind, body_of(fact))
            await pause(on=True)
            await send_notes()
            await pause(on=False)
        await send_notes()
        _check(at)
        await pause(on=True)
        for wish in _wishes(at, facts):
            await tap(wish)
            question = at.table.view().question_id
            if question:
                _check(at)
                await tap({"kind": "answer", "question": question, "agreed": False})
            await pause(on=True)
        _check(at)
    assert [one for one in said_so if MARKER.search(one)] == []


def test_an_answer_of_the_table_has_no_key_on_a_page() -> None:
    notices = Notices(lambda sentence: sentence.replace("{a.b|z}", "z"), lambda: ("Ann",))
    notices.say(f"The game is paused. {FIRST_PRESS} {named('a.b', 'z')} to continue first.")
    assert notices.on_page == "The game is paused. Continue first."


@pytest.mark.parametrize("lasts", [True, False])
async def test_a_phone_is_promised_to_come_back_only_if_its_code_opens_the_next_game(
    tmp_path: Path, lasts: bool
) -> None:
    with acting(tmp_path) as at:
        at.pages._keeps_codes = lasts
        referee = at.give(Role.REFEREE)
        at.pages.close()
        phone, role = await at.client.ask("/code-1/"), await at.client.ask(f"/{referee}/")
        assert PUT_AWAY in role.text
        assert (PUT_AWAY in phone.text, OVER in phone.text) == (lasts, not lasts)


@pytest.mark.parametrize("is_local", [True, False])
def test_codes_of_players_last_for_an_evening_that_is_kept(
    tmp_path: Path, is_local: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(at_play, "PORT", 0)
    with (
        closing(begin("panic-fire", ("Ann", "Bo"), {}, tmp_path / "evening.sqlite")) as table,
        closing(TablePages(table, LOCALHOST, is_local=is_local)) as pages,
    ):
        code = pages.address_of("ann").split("/")[-2]
        assert (code in pages.codes_given()) == (not is_local)
        assert pages._pages._keeps_codes != is_local
