"""Pages as bytes: each is made once per change, for all its viewers, and never on the event loop."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Hashable, Mapping
from typing import Any, TypeVar, cast

from companion.session.evening import RoleGiven
from companion.web import document
from companion.web.blocks import Blocks
from companion.web.role_page import role_page
from companion.web.showing import PageContents, Viewer, place_of

T = TypeVar("T")


class RenderedPages:
    """The pages of one `PageContents`. The event loop alone uses it; pages are made in threads."""

    def __init__(self, contents: PageContents, fingerprint: str = "") -> None:
        """`fingerprint` is the certificate's, empty if pages are not encrypted."""
        self.contents = contents
        self._fingerprint = fingerprint
        self._made: dict[Hashable, asyncio.Future[Any]] = {}

    @property
    def title(self) -> str:
        """The game's title."""
        return self.contents.title

    def place(self, viewer: Viewer) -> str:
        """Return what a viewer's page is of, see `place_of`."""
        return place_of(self.contents.session, viewer)

    def has(self, viewer: Viewer) -> bool:
        """Return whether a viewer's page was drawn: that of a role is, a moment after it was given out."""
        return viewer in self.contents.blocks

    def blocks(self, viewer: Viewer) -> Blocks:
        """Return the blocks of a viewer's page."""
        return self.contents.blocks[viewer]

    async def page(self, viewer: Viewer) -> bytes:
        """Return a viewer's whole page."""

        def make() -> bytes:
            blocks = self.contents.blocks[viewer]
            return document.session_page(
                self.title, blocks, self._fingerprint, self.place(viewer)
            ).encode()

        return await self.once(viewer, make)

    async def role_page(self, given: RoleGiven) -> tuple[str, Mapping[str, str]]:
        """Return the whole page of a role on a device, and the headers that go with it."""

        def make() -> tuple[str, Mapping[str, str]]:
            blocks, place = self.contents.blocks[given.role], self.place(given.role)
            return role_page(
                self.title,
                given.role,
                given.name,
                blocks,
                self._fingerprint,
                place,
                has_devices=given.speaks_for_table,
            )

        return await self.once((given.role, given.name, given.speaks_for_table), make)

    async def changes(self, viewer: Viewer, names: tuple[str, ...]) -> bytes:
        """Return the event that updates these blocks of a page."""

        def make() -> bytes:
            news = {name: self.contents.blocks[viewer][name] for name in names}
            return f"event: blocks\ndata: {json.dumps(news, ensure_ascii=False)}\n\n".encode()

        return await self.once((viewer, names), make)

    async def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return the result of `make`, called in a thread for the first request of `key` and shared by the later
        ones."""
        made = self._made.get(key)
        if made is None:
            made = self._made[key] = asyncio.ensure_future(asyncio.to_thread(make))
        # Shielded: if the first request is cancelled, others still wait for the result.
        return cast("T", await asyncio.shield(made))
