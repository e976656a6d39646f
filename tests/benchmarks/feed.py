"""The public feed: from a ruling to who reads it, and what a reader that never answers costs the table.

    python -m tests.benchmarks.feed

It takes four minutes, and needs Chromium and mosquitto.
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from companion.config.outlets import Broker, Hook
from companion.config.schema import Preferences
from companion.dashboard.app import Dashboard
from companion.outbound.outlets import Outlets
from companion.session.opening import begin
from companion.session.table import Table
from companion.web.addresses import LOCALHOST
from companion.web.at_play import TablePages
from tests.benchmarks.chip import row
from tests.benchmarks.dashboard import latency
from tests.outbound.broker import Reader, mosquitto
from tests.outbound.events import event_of
from tests.outbound.receiver import receiver
from tests.outbound.test_mqtt import EVENTS, through_a_broker_that_is_killed, without_repeats
from tests.web.browser import Chromium

RULINGS = 200
APART_S = 0.1
PAIRS = 5
RATE = 20  # draws a second
KILLED = (10, 1000)  # lots of events, and their size
PAINTED = """
window.painted = [];
new MutationObserver(() => requestAnimationFrame(() => {
  const channel = new MessageChannel();  // its message comes behind the frame that was asked for
  channel.port1.onmessage = () => painted.push(Date.now());
  channel.port2.postMessage(0);
})).observe(document.getElementById("where"), { childList: true, characterData: true, subtree: true });
"""


@contextmanager
def table() -> Iterator[Table]:
    """Yield a table in play."""
    with (
        tempfile.TemporaryDirectory() as folder,
        closing(
            begin("panic-fire", ("Anna", "Ben", "Carl"), {}, Path(folder) / "evening.sqlite")
        ) as made,
    ):
        made.do("panic-fire.fire")
        yield made


def to_the_overlay() -> list[float]:
    """Return the milliseconds from a ruling to the browser's frame that shows it, by the machine's clock."""
    with (
        tempfile.TemporaryDirectory() as profile,
        closing(
            Chromium(Path(profile))
        ) as chromium,  # before there are other threads: it is forked
        chromium.page() as page,
        table() as at,
        closing(TablePages(at, LOCALHOST)) as pages,
    ):
        page.open(f"{pages.address_of()}overlay")
        page.wait_for("document.querySelectorAll('#players li').length === 3")
        page.js(PAINTED)
        done = []
        for number in range(1, RULINGS + 1):
            time.sleep(APART_S)
            done.append(time.time() * 1000)
            at.enter("unpause" if at.view().paused else "pause", {})
            page.wait_for(f"painted.length >= {number}")
        return [
            float(shown) - ruled for ruled, shown in zip(done, page.js("painted"), strict=False)
        ]


def to_a_reader_of_mqtt() -> list[float]:
    """Return the milliseconds from a ruling to a reader of a broker."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        broker = stack.enter_context(mosquitto(folder))
        wanted = Preferences(mqtt=Broker("127.0.0.1", broker.port))
        ending = stack.enter_context(ExitStack())
        at = stack.enter_context(table())
        ending.callback(Outlets(at, wanted, leave_s=5).close)
        reader = Reader(broker.port, EVENTS)
        took = []
        for _ in range(RULINGS):
            time.sleep(APART_S)
            count, ruled = len(reader.messages), time.perf_counter()
            at.enter("unpause" if at.view().paused else "pause", {})
            reader.until(lambda count=count: len(reader.messages) > count)  # type: ignore[misc]
            took.append((time.perf_counter() - ruled) * 1000)
        reader.close()
        return took


def paint_ms(hooks: tuple[Hook, ...]) -> float:
    """Return the median milliseconds from a draw to the dashboard that shows it."""
    with table() as at, closing(Outlets(at, Preferences(hooks=hooks), leave_s=0)):
        seats = ("anna", "ben", "carl")

        def draw(n: int) -> None:
            at.enter("draw", {"seat": seats[n % 3]})

        def painted() -> int:
            from companion.dashboard.screens.log import RunningLog

            return int(app.screen.query_one(RunningLog)._lines[-1].n)

        app = Dashboard(at)
        return float(statistics.median(asyncio.run(latency(app, draw, painted, RATE))["ms"]))


def silent_hook() -> tuple[list[float], list[float]]:
    """Return paint times in pairs: without a hook, and with one whose server never answers."""
    without, beside = [], []
    with receiver() as server:
        server.otherwise = server.never
        hook = Hook("silent", url=f"{server.url}/x")
        for _ in range(PAIRS):
            without.append(paint_ms(()))
            beside.append(paint_ms((hook,)))
    return without, beside


def main() -> None:
    """Print the table."""
    row("the public feed", "here", "wanted")
    for what, took, wanted in (
        ("a ruling painted in the overlay", to_the_overlay(), 150),
        ("a ruling at a reader of MQTT", to_a_reader_of_mqtt(), 50),
    ):
        p99 = statistics.quantiles(took, n=100)[98]
        row(
            f"{what}, p50 / p99 of {len(took)}",
            f"{statistics.median(took):.0f} / {p99:.0f} ms",
            f"<= {wanted} ms",
        )
    without, beside = silent_hook()
    ratio = statistics.median(one / other for one, other in zip(beside, without, strict=True))
    times = f"{statistics.median(without):.2f} / {statistics.median(beside):.2f} ms, {ratio:.3f}"
    row("paint without / with a hook never answered, ratio", times, "<= 1.05")
    lots, size = KILLED
    with tempfile.TemporaryDirectory() as folder:
        seen = through_a_broker_that_is_killed(Path(folder), lots, size)
    whole = [event_of(entry).number for entry in range(1, lots * size + 1)]
    kept = without_repeats(seen)
    row(f"missed of {len(whole)}, a broker killed 5 times", str(len(set(whole) - set(kept))), "0")
    row("twice, repeats dropped", str(len(kept) - len(set(kept))), "0")


if __name__ == "__main__":
    main()
