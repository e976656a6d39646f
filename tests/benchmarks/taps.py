"""How soon a tap on one page is painted on another, while 59 more pages are open, beside a bare echo.

    python -m tests.benchmarks.taps

It takes two minutes. Needs Chromium. The echo is the least that a server of events can do: it passes on what one page
sends to the same number of streams, and a page shows it. Both are asked in turns, so whatever else the machine does is
in both.
"""

from __future__ import annotations

import asyncio
import os
import random
import socket
import threading
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response, StreamingResponse
from starlette.routing import Route

from companion.rules.facts import TABLE
from companion.session.opening import begin
from companion.session.roles import Role
from companion.web.addresses import LOCALHOST
from companion.web.at_play import TablePages
from tests.benchmarks.figures import Figure, heading, show
from tests.web.browser import Browser, Chromium

READERS = 59
TAPS = 150
APART_S = 0.45  # a button that has just changed takes no tap for 300 ms
WATCH = """
window.seen = [];
new MutationObserver(() => requestAnimationFrame(() => {
  const channel = new MessageChannel();
  channel.port1.onmessage = () => seen.push(performance.timeOrigin + performance.now());
  channel.port2.postMessage(0);
})).observe(document.getElementById(%r), { subtree: true, childList: true, characterData: true });
"""
"""Notes when a change was painted: a message sent in a frame arrives after its paint."""
PAUSE = """
(() => {
  const buttons = [...document.querySelectorAll("[data-wish]")];
  buttons.find((each) => each.dataset.wish.includes("table.pause")).click();
  return performance.timeOrigin + performance.now();
})()
"""
ECHO = """
<!doctype html><title>echo</title><p id="heard"></p><script>
new EventSource("/events").onmessage = ({ data }) => { document.getElementById("heard").textContent = data; };
</script>
"""
SEND_ECHO = """
(() => {
  fetch("/echo", { method: "POST", body: String(Math.random()) });
  return performance.timeOrigin + performance.now();
})()
"""


@contextmanager
def readers(host: str, paths: Sequence[str]) -> Iterator[None]:
    """Keep streams open and read them."""
    with ExitStack() as ending:
        for path in paths:
            address, _, port = host.partition(":")
            stream = ending.enter_context(socket.create_connection((address, int(port)), 60))
            stream.sendall(f"GET {path} HTTP/1.1\r\nhost: {host}\r\n\r\n".encode())
            threading.Thread(target=_read, args=(stream,), daemon=True).start()
        yield


def _read(stream: socket.socket) -> None:
    try:
        while stream.recv(65536):
            pass
    except OSError:
        return  # closed at the end


@contextmanager
def echo_served() -> Iterator[str]:
    """Serve the bare echo; yield its host and port."""
    queues: set[asyncio.Queue[str]] = set()

    async def page(_request: Request) -> Response:
        return HTMLResponse(ECHO)

    async def echo(request: Request) -> Response:
        data = (await request.body()).decode()
        for queue in queues:
            queue.put_nowait(data)
        return Response()

    async def events(_request: Request) -> Response:
        queue: asyncio.Queue[str] = asyncio.Queue()
        queues.add(queue)

        async def parts() -> AsyncIterator[str]:
            while True:
                yield f"data: {await queue.get()}\n\n"

        return StreamingResponse(parts(), media_type="text/event-stream")

    routes = [
        Route("/", page),
        Route("/echo", echo, methods=["POST"]),
        Route("/events", events),
    ]
    door = socket.create_server((LOCALHOST, 0))
    config = uvicorn.Config(
        Starlette(routes=routes), log_level="critical", timeout_graceful_shutdown=1
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [door]})
    thread.start()
    try:
        yield f"{LOCALHOST}:{door.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        door.close()


def one(sender: Browser, other: Browser, send: str) -> float:
    """Return the milliseconds from a tap on one page to its paint on another."""
    other.js("seen = []")
    sent = sender.js(send)
    seen = other.wait_for("seen", lambda times: bool(times))
    return float(seen[0] - sent)


def measured(chromium: Chromium, folder: Path) -> tuple[list[float], list[float]]:
    """Return the milliseconds of taps and of echoes, measured in turns."""
    table = begin("panic-fire", ("Ann", "Bo", "Cleo"), {}, folder / "taps.sqlite")
    with ExitStack() as ending:
        ending.enter_context(closing(table))
        pages = ending.enter_context(closing(TablePages(table, LOCALHOST)))
        table.do("panic-fire.fire")
        role = pages.address_of_role(pages.give_out(Role.TABLE, "a tablet"))
        everybody = pages.address_of(TABLE)
        echo = ending.enter_context(echo_served())
        where = urlsplit(everybody)
        ending.enter_context(readers(where.netloc, [f"{where.path}events"] * READERS))
        ending.enter_context(readers(echo, ["/events"] * READERS))
        tapping, seeing, calling, hearing = (
            ending.enter_context(chromium.page()) for _ in range(4)
        )
        for page, address in (
            (tapping, role),
            (calling, f"http://{echo}/"),
            (hearing, f"http://{echo}/"),
        ):
            page.open(address)
        seeing.open(everybody)
        seeing.wait_for(
            "document.getElementById('log') !== null && document.getElementById('lost').hidden"
        )
        tapping.wait_for("document.querySelector('[data-wish]') !== null")
        hearing.wait_for("document.getElementById('heard') !== null")
        seeing.js(WATCH % "log")
        hearing.js(WATCH % "heard")
        time.sleep(1)
        chance = random.Random(1)
        taps, echoes = [], []
        for _ in range(TAPS):
            taps.append(one(tapping, seeing, PAUSE))
            time.sleep(APART_S + chance.random() * 0.1)
            echoes.append(one(calling, hearing, SEND_ECHO))
    return taps, echoes


def main() -> None:
    """Print the figures."""
    heading()
    with TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["COMPANION_DATA"] = str(folder / "data")
        with closing(Chromium(folder / "profile")) as chromium:
            taps, echoes = measured(chromium, folder)
        show(Figure("a bare echo", echoes), Figure("a tap on another page", taps))


if __name__ == "__main__":
    main()
