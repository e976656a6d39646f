"""Pages as they are sent: each is made once after a change, for all who look at it, and never on the event loop."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Hashable
from typing import Any, TypeVar, cast

from companion.rules.facts import SeatId
from companion.web import document
from companion.web.blocks import Blocks
from companion.web.showing import PageContents

T = TypeVar("T")


class RenderedPages:
    """The pages of one `PageContents`. Used by the event loop alone; what it returns was made in a thread."""

    def __init__(self, contents: PageContents, fingerprint: str = "") -> None:
        """`fingerprint` is that of the certificate, empty where nothing is encrypted."""
        self._contents, self._fingerprint = contents, fingerprint
        self._made: dict[Hashable, asyncio.Future[Any]] = {}

    @property
    def title(self) -> str:
        """What the game is called."""
        return self._contents.title

    def blocks(self, viewer: SeatId) -> Blocks:
        """Return the parts of a viewer's page."""
        return self._contents.blocks[viewer]

    async def page(self, viewer: SeatId) -> bytes:
        """Return a viewer's whole page."""

        def make() -> bytes:
            blocks = self._contents.blocks[viewer]
            return document.session_page(self.title, blocks, self._fingerprint).encode()

        return await self.once(viewer, make)

    async def changes(self, viewer: SeatId, names: tuple[str, ...]) -> bytes:
        """Return the event that brings a page these parts, by name."""

        def make() -> bytes:
            news = {name: self._contents.blocks[viewer][name] for name in names}
            return f"event: blocks\ndata: {json.dumps(news, ensure_ascii=False)}\n\n".encode()

        return await self.once((viewer, names), make)

    async def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return what `make` returns in a thread; it is called for the first who asks for what `key` names."""
        made = self._made.get(key)
        if made is None:
            made = self._made[key] = asyncio.ensure_future(asyncio.to_thread(make))
        # Whoever began it may be gone before it is made, and others wait for it too.
        return cast("T", await asyncio.shield(made))
