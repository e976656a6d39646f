"""What a player proposes from a phone: asked at the table, recorded at its yes, and nothing before."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from companion.journal.entries import Control, Entry, Layer
from companion.session.opening import begin, resume
from companion.session.seat_notes import MOST_WAITING
from companion.session.table import Table
from companion.web.seat_forms import ACCEPTED, MISSED, REFUSED, TOO_LATE, WAITING
from tests.web.test_notes import Phones

ANNA, BEN = "/code-1/notes", "/code-2/notes"
NAMES = ("Anna", "Ben", "Carl")


def says(line: str = "draw", number: int = 1) -> dict[str, Any]:
    return {"id": f"proposal-{number:012}", "propose": line}


class Clock:
    """A clock that advances a second with each look."""

    def __init__(self) -> None:
        self.us = 0

    def __call__(self) -> int:
        self.us += 1_000_000
        return self.us


@contextmanager
def phones(folder: Path, *, wanted: bool = True) -> Iterator[Phones]:
    clock = Clock()
    table = begin("panic-fire", NAMES, {}, folder / "evening.sqlite", clock_us=clock)
    try:
        if wanted:
            table.take_proposals(True)
        table.do("panic-fire.fire")
        yield Phones(table)
    finally:
        table.close()


def entries(table: Table) -> list[Entry]:
    return list(table.look(lambda record: record.entries))


def facts(table: Table) -> list[Entry]:
    return [entry for entry in entries(table) if entry.layer is Layer.FACT]


def log(table: Table) -> str:
    return table.view().log[-1].text


def accept(table: Table) -> None:
    """Press Enter until its guard is over."""
    for _ in range(3):
        if table.view().proposal is not None:
            table.do("table.accept")


async def test_a_proposal_is_asked_at_the_table_and_recorded_when_it_says_yes(
    tmp_path: Path,
) -> None:
    with phones(tmp_path) as at:
        answer = await at.client.send(BEN, says())
        assert (answer.status, json.loads(answer.text)["said"]) == (200, "The table is asked.")
        proposal = at.table.view().proposal
        assert proposal is not None
        assert proposal.text.startswith("Ben's phone: Ben draws")
        assert WAITING in at.page("ben")
        assert WAITING not in at.page("anna")
        assert [fact.kind for fact in facts(at.table)] == ["fire"]
        asked = at.table._host_us()
        accept(at.table)
        draw = facts(at.table)[-1]
        assert (draw.kind, draw.body["seat"]) == ("draw", "ben")
        assert draw.body["at"]["us"] > asked, "stamped when the table accepted it"
        assert [entries(at.table)[cause - 1].kind for cause in draw.causes] == [Control.PROPOSED]
        assert "Ben draws" in log(at.table)
        assert log(at.table).endswith("Ben - said on a phone")
        assert ACCEPTED in at.page("ben")


async def test_the_tables_undo_takes_an_accepted_proposal_back_like_any_step(
    tmp_path: Path,
) -> None:
    with phones(tmp_path) as at:
        await at.client.send(BEN, says())
        accept(at.table)
        assert at.table.view().game.seats[1].draws == 1
        at.table.do("table.undo")
        assert at.table.view().game.seats[1].draws == 0


async def test_who_says_on_a_phone_to_be_hit_is_the_target_of_the_shot_in_hand(
    tmp_path: Path,
) -> None:
    with phones(tmp_path) as at:
        assert "I was hit" not in at.page("ben")
        assert (await at.client.send(BEN, says("hit"))).status == 422
        at.table.do("panic-fire.shot")
        assert "I was hit" in at.page("ben")
        assert (await at.client.send(BEN, says("hit", 2))).status == 200
        accept(at.table)
        assert at.table.view().game.open_shots[0].target == "ben"
        assert "I was hit" not in at.page("anna")


async def test_what_the_table_refuses_or_leaves_is_said_on_that_phone(tmp_path: Path) -> None:
    with phones(tmp_path) as at:
        await at.client.send(BEN, says())
        at.table.do("table.dismiss")
        at.table.do("table.dismiss")
        assert at.table.view().proposal is None
        assert REFUSED in at.page("ben")
        await at.client.send(BEN, says(number=2))
        at.table.clock.expire()
        assert MISSED in at.page("ben")
        assert REFUSED not in at.page("ben")
        assert [fact.kind for fact in facts(at.table)] == ["fire"]


async def test_what_fits_no_more_when_it_is_accepted_is_said_and_not_recorded(
    tmp_path: Path,
) -> None:
    with phones(tmp_path) as at:
        at.table.do("panic-fire.shot")
        await at.client.send(BEN, says("hit"))
        await at.client.send(ANNA, says("hit"))
        accept(at.table)
        accept(at.table)
        assert [fact.kind for fact in facts(at.table)] == ["fire", "shot", "target"]
        assert at.table.view().game.open_shots[0].target == "ben"
        assert TOO_LATE in at.page("anna")


async def test_a_proposal_that_is_sent_again_is_asked_once_also_after_a_restart(
    tmp_path: Path,
) -> None:
    with phones(tmp_path) as at:
        for _ in range(3):
            assert (await at.client.send(BEN, says())).status == 200
        proposal = at.table.view().proposal
        assert proposal is not None
        assert proposal.waiting == 0
        assert (await at.client.send(BEN, says("hit"))).status == 422, (
            "the same id, another proposal"
        )
    again = resume(tmp_path / "evening.sqlite", Table)
    try:
        at = Phones(again)
        assert again.view().proposal is None
        assert MISSED in at.page("ben")
        count = len(entries(again))
        assert (await at.client.send(BEN, says())).status == 200
        assert len(entries(again)) == count
        assert again.view().proposal is None
        assert (await at.client.send(BEN, says(number=2))).status == 200
        assert again.view().proposal is not None
    finally:
        again.close()


HOSTILE = {
    "a table that takes none": (422, False, says()),
    "no such proposal": (422, True, says("shooter")),
    "the id of a fact": (422, True, says("target")),
    "a proposal and a note": (400, True, says() | {"line": "hand"}),
    "a proposal and a taking back": (400, True, says() | {"back": 2}),
    "a proposal with answers": (400, True, says() | {"answers": {"seat": "anna"}}),
    "another seat in the body": (400, True, says() | {"seat": "anna"}),
    "a time of its own": (400, True, says() | {"at": {"us": 1, "clock": "board-1"}}),
    "a list": (400, True, says() | {"propose": ["draw"]}),
    "a line break": (400, True, says("draw\n")),
}


@pytest.mark.parametrize("case", HOSTILE)
async def test_whatever_else_is_proposed_is_refused_and_nothing_is_recorded(
    tmp_path: Path, case: str
) -> None:
    status, wanted, body = HOSTILE[case]
    with phones(tmp_path, wanted=wanted) as at:
        count = len(entries(at.table))
        assert (await at.client.send(BEN, body)).status == status
        assert len(entries(at.table)) == count
        assert at.table.view().proposal is None


async def test_who_is_out_can_propose_nothing_and_sees_no_button(tmp_path: Path) -> None:
    with phones(tmp_path) as at:
        at.table.do("panic-fire.shot")
        at.table.do("panic-fire.name.2")
        at.table.do("panic-fire.name.1")
        assert at.table.view().game.seats[1].status == "out"
        assert (await at.client.send(BEN, says())).status == 422
        assert "data-propose" not in at.page("ben")
        assert "data-propose" in at.page("anna")


async def test_a_flood_of_proposals_leaves_the_table_a_few_questions(tmp_path: Path) -> None:
    with phones(tmp_path) as at:
        at.table.do("panic-fire.shot")
        for number in range(50):
            await at.client.send(BEN, says(("draw", "hit")[number % 2], number))
        proposal = at.table.view().proposal
        assert proposal is not None
        assert proposal.waiting == MOST_WAITING - 1
        assert (await at.client.send(ANNA, says())).status == 200, (
            "another player is none the worse"
        )
        assert [fact.kind for fact in facts(at.table)] == ["fire", "shot"]


async def test_proposals_are_off_until_the_table_wants_them_and_the_log_says_so(
    tmp_path: Path,
) -> None:
    with phones(tmp_path, wanted=False) as at:
        assert "data-propose" not in at.page("ben")
        at.table.take_proposals(True)
        assert log(at.table) == "from now on, players may propose from their phones"
        assert "data-propose" in at.page("ben")
        at.table.take_proposals(False)
        assert log(at.table) == "from now on, players cannot propose from their phones"
        assert "data-propose" not in at.page("ben")
        assert (await at.client.send(BEN, says())).status == 422
