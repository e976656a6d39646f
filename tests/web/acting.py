"""A table in play with pages of roles, and what such pages send."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from companion.reports.markup import Markup
from companion.session.opening import begin
from companion.session.roles import Role
from companion.session.table import Table
from companion.web import rendered, showing
from companion.web.app import Pages
from companion.web.blocks import Blocks
from companion.web.codes import RoleCodes
from companion.web.lookers import TableLooker
from companion.web.showing import place_of
from companion.web.tap_post import TapPost
from tests.web.client import ORIGIN, Answer, Client, codes

DEVICE = {"id": "page-of-a-tablet", "name": "a tablet"}
FIRE = {"kind": "step", "action": "panic-fire.fire"}


def draw_plainly(monkeypatch: pytest.MonkeyPatch) -> list[Role]:
    """Draw a page of a role as two blocks, for tests of what is around them; return the roles that are drawn."""
    drawn: list[Role] = []

    def plain(view: Any, _actions: Any, role: Role, public: Blocks, _offers: Any) -> Blocks:
        drawn.append(role)
        return {"state": public["state"], "do": Markup(f"{role.title} {view.newest}")}

    def page(
        _title: str, role: Role, name: str, blocks: Blocks, *_: str, **__: Any
    ) -> tuple[str, Any]:
        return f"{role.title} {name} {''.join(blocks.values())}", {}

    monkeypatch.setattr(showing, "role_blocks", plain)
    monkeypatch.setattr(rendered, "role_page", page)
    return drawn


class Acting:
    """A game with pages of roles. Its clocks stand still unless told otherwise."""

    def __init__(self, table: Table, **options: Any) -> None:
        self.table = table
        self.now_s, self.host_us = 0.0, 10_000_000
        table._host_us = lambda: self.host_us
        numbers, self._ids = count(1), count()
        self.roles = RoleCodes(lambda: f"role-{next(numbers)}")
        self.looker = TableLooker(
            table, roles=self.roles.wanted, clock=lambda: self.now_s, **options
        )
        self.said: list[str] = []
        self.pages = Pages(
            self.looker.showing,
            codes(),
            ORIGIN,
            self.looker.tail,
            table,
            roles=self.roles,
            on_session=self._session,
        )
        self.pages._taps = TapPost(table, self._session, lambda: self.now_s)
        self.client = Client(self.pages)

    def _session(self, wish: str) -> str:
        self.said.append(wish)
        return "The next game begins."

    def give(self, role: Role, name: str = "") -> str:
        """Give a role out, draw its page and return its code."""
        code = self.roles.give_out(role, name, speaks_for_table=False)
        self.show()
        return code

    def show(self) -> None:
        """Push what changed."""
        self.looker.look()
        self.pages.show(self.looker.showing)

    def body(self, role: Role, wish: Any, **other: Any) -> dict[str, Any]:
        """Return what a page of a role sends."""
        return {
            "id": f"tap-{next(self._ids):012}",
            "place": place_of(self.looker.showing.session, role),
            "seen": self.table.view().newest,
            "heard": self.host_us - 200_000,
            "again": 0,
            "device": DEVICE,
            "wish": wish,
            **other,
        }

    async def tap(self, code: str, wish: Any, **other: Any) -> Answer:
        """Send a wish as the page with that code does."""
        given = self.roles.of(code)
        role = Role.TABLE if given is None else given.role
        return await self.client.send(f"/{code}/do", self.body(role, wish, **other))

    @property
    def refused(self) -> dict[str, int]:
        """How many taps were refused, by the reasons in words."""
        return {str(why): n for why, n in self.pages.refused_taps.by_reason().items()}


@contextmanager
def acting(folder: Path, game: str = "panic-fire", *names: str, **options: Any) -> Iterator[Acting]:
    """Yield a game with pages of roles."""
    people = names or ("Ann", "Bo", "Cleo")
    with closing(begin(game, people, {}, folder / "evening.sqlite")) as table:
        at = Acting(table, **options)
        yield at
        at.looker.close()


def said(answer: Answer) -> tuple[int, str, str]:
    """Return the status of an answer to a tap, what became of it, and the sentence."""
    fields = json.loads(answer.text)
    return answer.status, fields["outcome"], fields["said"]
