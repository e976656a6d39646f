"""Pages served by this process, in a thread, so that they can end and begin again at one address."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

from companion.web.addresses import LOCALHOST, listening
from companion.web.app import Pages
from companion.web.codes import Codes
from companion.web.lookers import Onlooker
from companion.web.run import keep_serving
from tests.web.client import ORIGIN


class Here:
    """The pages of a session at `port`, during a block."""

    def __init__(self, path: Path, codes: Codes, port: int = 0) -> None:
        self._onlooker = Onlooker(path)
        self._codes = codes
        self._door = listening(LOCALHOST, port)
        self.port: int = self._door.getsockname()[1]
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), name="pages")
        self._running = threading.Event()

    async def _run(self) -> None:
        self._loop, self._end = asyncio.get_running_loop(), asyncio.Event()
        pages = Pages(self._onlooker.showing, self._codes, ORIGIN, self._onlooker.tail)
        serving = asyncio.create_task(keep_serving(self._onlooker, pages, (self._door,)))
        self._running.set()
        await self._end.wait()
        serving.cancel()
        await asyncio.wait((serving,))

    def __enter__(self) -> Here:
        self._thread.start()
        self._running.wait()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join()
        self._door.close()
