"""Pages of roles, seats' phones, the laptop's keys, the board and the clock, mixed at random: nothing is
lost, nothing is done twice, and all pages show the same."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.journal.entries import Control, Layer
from companion.session.opening import resume
from companion.session.roles import Role
from companion.session.seat_notes import SeatNote
from companion.session.table import Table
from companion.session.tap_side import key_of
from companion.session.taps import Step, Tap
from companion.session.views import TableView
from companion.web.tap_post import device_of
from tests.session.parts import BOOT, Board, hello, settle
from tests.thorough import examples
from tests.web.acting import Acting, acting
from tests.web.client import Answer

GAMES = ("panic-fire", "skyfire", "sky-rise", "fractured-sky")
TURNS = 40
Wish = dict[str, Any]


@dataclass
class Page:
    """A page of a role on a device of its own: what it showed when it was drawn last."""

    role: Role
    code: str
    device: dict[str, str]
    seen: int = 0
    offered: list[Wish] = field(default_factory=list)


@dataclass
class Sent:
    """What a page sent, and the answer to it."""

    code: str
    body: dict[str, Any]
    status: int
    text: str


def offers(table: Table, view: TableView) -> Iterator[Wish]:
    """Yield what a page offers."""
    for action in table.actions:
        is_step = not action.id.startswith("table.") or action.id == "table.pause"
        if is_step and view.works(action.id):
            yield {"kind": "step", "action": action.id}
    yield from _answers(view)
    for line in table.inspection.marshal().rulings[-2:]:
        if line.kind != "ignored":
            yield {"kind": "delete", "entry": line.shown, "restore": not line.stands}


def _answers(view: TableView) -> Iterator[Wish]:
    for entry, redo in ((view.undo_entry, False), (view.redo_entry, True)):
        if entry is not None:
            yield {"kind": "undo", "entry": entry, "redo": redo}
    if view.question_id:
        for agreed in (True, True, False):
            yield {"kind": "answer", "question": view.question_id, "agreed": agreed}
    if view.proposal is not None:
        for accepted in (True, True, False):
            yield {"kind": "decide", "proposal": view.proposal.id, "accepted": accepted}


class Evening:
    """A game with everything that can act on it."""

    def __init__(self, at: Acting, seed: int) -> None:
        self.at, self.table, self.chance = at, at.table, Random(seed)
        self.sent: list[Sent] = []
        self.outcomes = Counter[str]()
        self.board = Board()
        self.pages = [
            Page(
                role,
                at.give(role, name),
                {"id": f"page-of-{name:_<16}".replace(" ", "-"), "name": name},
            )
            for role, name in ((Role.TABLE, "Ann"), (Role.TABLE, "Bo"), (Role.REFEREE, "Cleo"))
        ]
        self.table.take_proposals(True)

    async def play(self) -> None:
        """Let all of them act, a few at the same time."""
        for _ in range(TURNS):
            self.at.now_s += 5.0
            self.at.host_us += self.chance.choice((20_000, 250_000, 700_000, 12_000_000))
            self.table.tick()
            if self.chance.random() < 0.3:
                self.at.show()
            await self.chance.choice(
                (self._tap, self._tap, self._tap, self._both, self._again, self._key, self._else)
            )()

    def _look(self, page: Page) -> None:
        if not page.offered or self.chance.random() < 0.6:
            view = self.table.view()
            page.seen = view.newest
            page.offered = [*offers(self.table, view)] or [{"kind": "step", "action": "none"}]

    def _body(self, page: Page, **other: Any) -> dict[str, Any]:
        self._look(page)
        wish = self.chance.choice(page.offered)
        return self.at.body(page.role, wish, seen=page.seen, device=page.device, **other)

    async def _send(self, code: str, body: dict[str, Any]) -> Sent:
        answer = await self.at.client.send(f"/{code}/do", body)
        assert answer.status in (200, 409, 422), answer.text
        assert "{" not in json.loads(answer.text)["said"], "no marker of a key"
        sent = Sent(code, body, answer.status, answer.text)
        self.sent.append(sent)
        self.outcomes[json.loads(answer.text)["outcome"]] += 1
        return sent

    async def _tap(self) -> None:
        page = self.chance.choice(self.pages)
        sent = await self._send(page.code, self._body(page))
        if sent.status == 409:  # asked whether to do the same once more
            again = json.loads(sent.text)["again"]
            body = {**self.at.body(page.role, sent.body["wish"]), "seen": page.seen}
            await self._send(page.code, {**body, "device": page.device, "again": again})

    async def _both(self) -> None:
        """Tap on two pages at the same time, one of them twice with the same id."""
        bodies = [(page.code, self._body(page)) for page in self.chance.sample(self.pages, 2)]
        bodies.append(bodies[0])
        first, _, second = await asyncio.gather(*(self._send(*body) for body in bodies))
        assert first.text == second.text

    async def _again(self) -> None:
        """Send again what was sent before: the answer is the first one."""
        if self.sent:
            before = self.chance.choice(self.sent)
            after = await self._send(before.code, before.body)
            assert (after.status, after.text) == (before.status, before.text)

    async def _key(self) -> None:
        view = self.table.view()
        working = [action.id for action in self.table.actions if view.works(action.id)]
        if working:
            self.table.do(self.chance.choice(working))

    async def _else(self) -> None:
        """Something that no hand of the table does: the board, a phone, or a correction at the laptop."""
        match self.chance.randrange(3):
            case 0 if self.table.game.id == "panic-fire":
                us = self.at.host_us
                channel = self.chance.choice(("trigger", "zone-1", "zone-2"))
                evidence = [self.board.press(channel, us), self.board.release(channel, us + 60_000)]
                self.table.board.store(evidence)
                settle(self.table, us + 2_000_000)
            case 1:
                number = len(self.sent) + self.at.host_us
                with_line = SeatNote(
                    f"note-{number:016}", propose=self.chance.choice(("draw", "hit"))
                )
                await self._proposed(with_line)
            case _:
                rulings = self.table.inspection.marshal().rulings
                if rulings:
                    self.table.take_back(self.chance.choice(rulings).n)

    async def _proposed(self, note: SeatNote) -> None:
        seats = self.table.view().setup.seats
        body = {"id": note.id, "propose": note.propose}
        code = self.at.pages._codes.of(self.chance.choice(seats).id)
        await self.at.client.send(f"/{code}/notes", body)

    def _keys(self, outcome: str) -> Iterator[str]:
        """Yield the keys in the record of what was answered so."""
        for sent in self.sent:
            if json.loads(sent.text)["outcome"] == outcome:
                yield self._key_of(sent)

    def _key_of(self, sent: Sent) -> str:
        given = self.at.roles.of(sent.code)
        assert given is not None
        device = device_of(given, sent.body["device"])
        tap = Tap(sent.body["id"], 0, Step(""), 0)
        return key_of(device, tap)

    def _became(self, key: str | None) -> str:
        for sent in self.sent:
            if self._key_of(sent) == key:
                outcome = json.loads(sent.text)["outcome"]
                is_decided = sent.body["wish"]["kind"] == "decide" and outcome == "refused"
                return f"decide {outcome}" if is_decided else outcome
        return "nobody's"

    def check(self) -> list[tuple[str, Any]]:
        """Check that what was answered as done is in the record once, and nothing else; return what counts."""
        entries = self.table.look(lambda record: [*record.entries])
        keys = [entry.key for entry in entries if entry.kind == Control.TAPPED]
        assert len(keys) == len({*keys})
        done = Counter(self._became(entry.key) for entry in entries if entry.kind == Control.TAPPED)
        # What was accepted too late is recorded as not counted.
        assert set(done) <= {"done", "decide refused"}
        assert done["done"] == len({*self._keys("done")})
        return what_counts(self.table)


def what_counts(table: Table) -> list[tuple[str, Any]]:
    return table.look(
        lambda record: [
            (entry.kind, entry.body)
            for entry in record.entries
            if entry.layer is Layer.FACT and record.stands(entry.n)
        ]
    )


async def all_show_the_same(evening: Evening, streams: Sequence[Answer]) -> None:
    """Check that pages whose streams were open all the time show what is true now."""
    evening.at.show()
    true = {
        role: dict(evening.at.looker.showing.blocks[role]) for role in evening.at.roles.wanted()
    }
    for page, stream in zip(evening.pages, streams, strict=True):
        await stream.until_it(partial(_shows, stream, true[page.role]))
        assert _shows(stream, true[page.role])


def _shows(stream: Answer, blocks: Mapping[str, str]) -> bool:
    return shown(stream) == blocks


def shown(stream: Answer) -> dict[str, str]:
    """Return the blocks that a page shows which read this stream."""
    blocks: dict[str, str] = {}
    for name, changed in stream.events:
        if name == "blocks":
            blocks |= changed
    return blocks


@pytest.mark.parametrize("game", GAMES)
async def test_whatever_happens_at_once_is_done_once_and_shown_to_all(
    tmp_path: Path, game: str
) -> None:
    outcomes = Counter[str]()
    for seed in range(examples(5, 125)):
        folder = tmp_path / str(seed)
        folder.mkdir()
        with acting(folder, game) as at:
            if game == "panic-fire":
                at.table.board.on_identified(hello(), BOOT)
            evening = Evening(at, seed)
            async with AsyncExitStack() as open_streams:
                streams = []
                for page in evening.pages:
                    stream = at.client.stream(f"/{page.code}/events")
                    streams.append(await open_streams.enter_async_context(stream))
                await evening.play()
                counts = evening.check()
                await all_show_the_same(evening, streams)
            outcomes += evening.outcomes
        with closing(resume(folder / "evening.sqlite")) as again:
            assert what_counts(again) == counts
    assert outcomes["done"]
    assert outcomes["refused"]
