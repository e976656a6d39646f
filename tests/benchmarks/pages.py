"""How soon pages are painted in a real browser, each beside a static copy of itself: a table's pages, a hub's while its
tables play, and a note on a second phone.

    python -m tests.benchmarks.pages [hub] [table] [notes]

It takes two minutes. Needs Chromium. A ratio compares with the same bytes and headers served from a folder by Python's
own server, in turns with ours, so whatever else the machine does is in both.
"""

from __future__ import annotations

import http.client
import os
import random
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import ClassVar
from urllib.parse import urlsplit

from companion.rules.facts import TABLE
from companion.web.addresses import LOCALHOST
from companion.web.at_play import TablePages
from tests.benchmarks.figures import Figure, heading, show
from tests.games.skyfire.screen.parts import skyfire_table
from tests.web.browser import Browser, Chromium

TABLES = 12
RUNS = 40
NOTES = 150
APART_S = 0.25  # between two notes: a seat may send five a second
WARM_S = 15.0  # until some of the hub's games are over
HANDS = ("Comet, Ember, Wave, Poppy", "Ruby, Lagoon, Fern, Reed")
PAINTED = """
new Promise((resolve) => new PerformanceObserver((list) => {
  for (const { name, startTime } of list.getEntries()) if (name === "first-contentful-paint") resolve(startTime);
}).observe({ type: "paint", buffered: true }))
"""
WATCH = """
window.seen = [];
new MutationObserver(() => requestAnimationFrame(() => {
  const channel = new MessageChannel();
  channel.port1.onmessage = () => seen.push(performance.timeOrigin + performance.now());
  channel.port2.postMessage(0);
})).observe(document.getElementById("own"), { subtree: true, childList: true, characterData: true });
"""
"""Notes when a change of a seat's own part was painted: a message sent in a frame arrives after its paint."""
SEND = """
(() => {
  document.getElementById("hand-cards").value = %r;
  document.querySelector("form[data-line=hand]").requestSubmit();
  return performance.timeOrigin + performance.now();
})()
"""


class Copies(SimpleHTTPRequestHandler):
    """Serves files. A page has the headers that it has with us: one makes a browser begin a process for it."""

    protocol_version = "HTTP/1.1"
    kept: ClassVar[dict[str, dict[str, str]]] = {}
    """The headers of each page, by path."""

    def end_headers(self) -> None:
        """End the head, after the page's own headers."""
        for name, value in self.kept.get(self.path, {}).items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, *_: object) -> None:
        """Log nothing."""


@contextmanager
def folder_served(folder: Path) -> Iterator[str]:
    """Serve a folder; yield the address."""
    with ThreadingHTTPServer((LOCALHOST, 0), partial(Copies, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://{LOCALHOST}:{server.server_port}"
        server.shutdown()


def copied(address: str, folder: Path, name: str) -> None:
    """Keep a copy of a page with its headers."""
    _, content, headers = _answer(address)
    (folder / name).write_bytes(content)
    of_server = ("date", "content-length", "content-type", "etag", "vary")
    Copies.kept[f"/{name}"] = {
        key: value for key, value in headers.items() if key.casefold() not in of_server
    }


@contextmanager
def hub_at_play() -> Iterator[str]:
    """Run a hub whose tables play; yield its address once some games are over."""
    command = [
        sys.executable,
        "-m",
        "companion",
        "hub",
        "demo",
        "--tables",
        str(TABLES),
        "--seed",
        "1",
        "--port",
        "0",
    ]
    hub = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert hub.stdout is not None
        found = None
        while found is None:
            found = re.search(r"The hub: (http://[\d.:]+)", hub.stdout.readline())
        time.sleep(WARM_S)
        yield found[1]
    finally:
        hub.kill()
        hub.wait()
        assert hub.stdout is not None
        hub.stdout.close()


def first_byte(address: str) -> float:
    """Return the milliseconds from a request to the first byte of its answer, over a connection that is open."""
    return _answer(address)[0]


def _answer(address: str) -> tuple[float, bytes, dict[str, str]]:
    where = urlsplit(address)
    with closing(http.client.HTTPConnection(where.netloc, timeout=30)) as connection:
        connection.connect()
        began = time.perf_counter()
        connection.request("GET", where.path, headers={"accept": "text/html"})
        answer = connection.getresponse()
        ms = (time.perf_counter() - began) * 1000
        return ms, answer.read(), dict(answer.getheaders())


def painted(page: Browser, address: str) -> float:
    """Return the milliseconds from a navigation to the first paint of content."""
    page.open("about:blank")
    page.wait_for("location.href === 'about:blank'")
    page.open(address)
    page.wait_for(f"location.href === {address!r}")
    return float(page.js(PAINTED))


def beside_a_copy(page: Browser, label: str, ours: str, copy: str, runs: int = RUNS) -> None:
    """Print when the first byte comes and when the page is painted, beside a copy of it in a folder."""
    chance = random.Random(1)
    bytes_ms: tuple[list[float], list[float]] = ([], [])
    paints_ms: tuple[list[float], list[float]] = ([], [])
    for _ in range(runs):
        time.sleep(chance.random() * 0.1)  # not in step with anything that is done now and then
        for which, address in enumerate((ours, copy)):
            bytes_ms[which].append(first_byte(address))
            paints_ms[which].append(painted(page, address))
    for what, (here, there) in (("first byte", bytes_ms), ("painted", paints_ms)):
        show(Figure(f"copy: {what}", there), Figure(f"{label}: {what}", here))


def of_hub(page: Browser, folder: Path) -> None:
    """Print the figures of a hub's pages while its tables play."""
    paths = ("/", "/hall", "/league", "/seating")
    with hub_at_play() as hub, folder_served(folder) as copies:
        for name in ("hub.css", "hub.js", "patch.js"):
            copied(f"{hub}/{name}", folder, name)
        for number, path in enumerate(paths):
            copied(hub + path, folder, f"{number}.html")
            beside_a_copy(page, f"hub {path}", hub + path, f"{copies}/{number}.html")


def of_table(page: Browser, folder: Path) -> None:
    """Print the figures of a table's pages."""
    with (
        skyfire_table(folder / "evening.sqlite", 4) as table,
        closing(TablePages(table, LOCALHOST)) as pages,
        folder_served(folder) as copies,
    ):
        table.do("skyfire.deal")
        for name in (TABLE, "ada"):
            address = pages.address_of(name)
            copied(address, folder, f"{name}.html")
            beside_a_copy(page, f"page of {name}", address, f"{copies}/{name}.html")


def noted(sender: Browser, other: Browser, pages: TablePages) -> Sequence[float]:
    """Return the milliseconds from sending a note on one phone to its paint on another of the same seat."""
    for page in (sender, other):
        page.size(390, 844)
        page.open(pages.address_of("ada"))
        page.wait_for(
            "document.getElementById('hand-cards') !== null && document.getElementById('lost').hidden"
        )
    other.js(WATCH)
    chance, taken = random.Random(1), []
    for number in range(NOTES):
        sent = sender.js(SEND % HANDS[number % 2])
        seen = other.wait_for("seen", lambda times: bool(times))
        taken.append(seen[0] - sent)
        time.sleep(APART_S + chance.random() * 0.1)
        other.js("seen = []")
    return taken


def of_notes(chromium: Chromium, folder: Path) -> None:
    """Print how soon a note is on a second phone, beside a change that one phone paints by itself."""
    with (
        skyfire_table(folder / "notes.sqlite", 4) as table,
        closing(TablePages(table, LOCALHOST)) as pages,
        chromium.page() as sender,
        chromium.page() as other,
    ):
        table.do("skyfire.deal")
        taken = noted(sender, other, pages)
        alone = []
        for number in range(NOTES):
            alone.append(
                other.js(
                    f"seen = []; window.began = performance.timeOrigin + performance.now();"
                    f"document.getElementById('own').append({number});"
                    "new Promise((go) => {"
                    "  const look = () => seen.length ? go(seen[0] - began) : setTimeout(look, 1);"
                    "  look();"
                    "})"
                )
            )
        show(
            Figure("a change of the page itself", alone), Figure("a note on a second phone", taken)
        )


def main(wanted: Sequence[str]) -> None:
    """Print the figures."""
    heading()
    with TemporaryDirectory() as name, ExitStack() as ending:
        folder = Path(name)
        os.environ["COMPANION_DATA"] = str(folder / "data")
        (folder / "copies").mkdir()
        chromium = ending.enter_context(closing(Chromium(folder / "profile")))
        with chromium.page() as page:
            if "hub" in wanted:
                of_hub(page, folder / "copies")
            if "table" in wanted:
                of_table(page, folder / "copies")
        if "notes" in wanted:
            of_notes(chromium, folder)


if __name__ == "__main__":
    main(sys.argv[1:] or ["hub", "table", "notes"])
