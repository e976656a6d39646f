"""Draws the moving picture: `python -m tests.pictures.moving [FILE]`.

The demo of Panic Fire is played from a seed, on the virtual board at human speed. Its dashboard, a
player's phone and the wall's page, both in a real browser, are captured at the same moments until a
Bullet card is won. Each line of the screen is drawn once for each text it ever had, and shown while
it had that text; `side_by_side` does the same with bands of the pages. It is an SVG that any browser
plays by itself, without a script and without loading anything.
"""

from __future__ import annotations

import asyncio
import re
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from companion.dashboard.app import Dashboard
from companion.demo.run import Performance, Stopped, run_demo
from companion.rules.registry import example_game
from companion.session.roles import Role
from companion.session.table import Table
from companion.web import at_play
from companion.web.addresses import LOCALHOST
from companion.web.at_play import TablePages
from tests.pictures.keyframes import keyframes
from tests.pictures.make import without_fonts
from tests.pictures.side_by_side import Place, bands, beside, look
from tests.web.browser import Browser, Chromium

HERE = Path(__file__).parent
SIZE = (80, 24)
SEED = 1
EVERY_S = 0.4  # between two looks at the screen
HELD_S = 4.0  # that the last screen stands before all begins again
LONGEST_S = 60.0
END = "takes a Bullet card"
PHONE, WALL = "phone", "wall"
PLACES = {
    PHONE: Place("Red's phone", (390, 844), (1014, 28)),
    WALL: Place("the wall", (960, 376), (0, 712), 1.035),
}
LAPTOP = "the laptop"

_CLASS = re.compile(r"\.terminal-\d+-(r\d+) \{([^}]*)\}")
_SHAPE = re.compile(r"<rect [^>]*?/>|<text [^>]*>.*?</text>", re.DOTALL)
_TOP = re.compile(r' y="([\d.]+)"')
_LINE = re.compile(r"line-(\d+)")
_LINE_HEIGHT = 24.4


@dataclass(frozen=True)
class Frame:
    """A screen as Textual draws it, the seconds it was shown, and each page then: a PNG in base64."""

    svg: str
    seconds: float
    pages: Mapping[str, str] = field(default_factory=dict)


# -- what is seen


def frames(chromium: Chromium) -> list[Frame]:
    """Play the demo, and return its frames."""
    seen: list[Frame] = []
    watched = partial(_watched, seen, chromium)
    run_demo(example_game(), seed=SEED, speed=1.0, plain=False, play=watched)
    return seen


@contextmanager
def _served(table: Table, data: str) -> Iterator[TablePages]:
    """Serve the table's pages at any free port; the codes of the evening are kept in `data`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COMPANION_DATA", data)
        patch.setattr(at_play, "PORT", 0)
        with closing(TablePages(table, LOCALHOST)) as pages:
            yield pages


@contextmanager
def _opened(chromium: Chromium, table: Table) -> Iterator[Mapping[str, Browser]]:
    """Serve the table's pages, and open the first player's on a phone and the wall's."""
    table.allow_entries(True)
    with (
        TemporaryDirectory() as data,
        _served(table, data) as pages,
        chromium.page() as phone,
        chromium.page() as wall,
    ):
        addresses = {
            PHONE: pages.address_of(pages.seats[0].id),
            WALL: pages.address_of_role(pages.give_out(Role.WALL, LAPTOP)),
        }
        opened = {PHONE: phone, WALL: wall}
        for name, page in opened.items():
            page.light(False)
            wide, high = PLACES[name].size
            metrics = {"width": wide, "height": high, "deviceScaleFactor": 1, "mobile": True}
            page.call("Emulation.setDeviceMetricsOverride", **metrics)
            page.call("Emulation.setScrollbarsHidden", hidden=True)
            page.open(addresses[name])
            page.wait_for("document.getElementById('lost')?.hidden")
        yield opened


def _watched(seen: list[Frame], chromium: Chromium, performance: Performance) -> None:
    board, table = performance.players.board, performance.players.table

    def play() -> None:
        try:
            performance.run()
        except Stopped:
            return

    leave = table.subscribe(performance.waiting.wake)
    table.board.connect(board.url, board.clock_ns)
    players = threading.Thread(target=play, name="players")
    app = Dashboard(table, clock=performance.waiting.clock_s)
    with _opened(chromium, table) as pages:
        players.start()
        try:
            asyncio.run(_looked_at(app, seen, pages, lambda: _is_over(table)))
        finally:
            performance.waiting.end()
            players.join()
            leave()


def _is_over(table: Table) -> bool:
    return any(END in line.text for line in table.view().log)


def _looks(pages: Mapping[str, Browser]) -> dict[str, str]:
    return {name: look(page) for name, page in pages.items()}


async def _looked_at(
    app: Dashboard, seen: list[Frame], pages: Mapping[str, Browser], over: Callable[[], bool]
) -> None:
    async with app.run_test(size=SIZE) as pilot:
        loop, ended = asyncio.get_running_loop(), False
        begun = loop.time()
        await pilot.pause()
        while not ended and loop.time() - begun < LONGEST_S:
            ended, looked = over(), loop.time()
            if ended:
                await asyncio.sleep(EVERY_S)  # until the pages have it, too
            looking = asyncio.create_task(asyncio.to_thread(_looks, pages))
            drawn = without_fonts(app.export_screenshot(title="companion demo"))
            pictures = await looking
            await asyncio.sleep(max(0, EVERY_S - (loop.time() - looked)))
            seen.append(Frame(drawn, HELD_S if ended else loop.time() - looked, pictures))


# -- what is drawn


def moving(seen: Sequence[Frame]) -> str:
    """Return one SVG that loops over the frames, or shows the last one if motion is not wanted."""
    styles: dict[str, str] = {}
    lines = [_lines(frame.svg, styles) for frame in seen]
    ends = [sum(frame.seconds for frame in seen[: place + 1]) for place in range(len(seen))]
    begins = [0.0, *ends[:-1]]
    body: list[str] = []
    spans: dict[tuple[float, float], str] = {}
    for number in sorted({number for frame in lines for number in frame}):
        texts = [frame.get(number, "") for frame in lines]
        for text, places in groupby(range(len(texts)), key=lambda place: texts[place]):
            first, *_, last = (*places,) * 2
            span = (begins[first], ends[last])
            name = spans.setdefault(span, f"s{len(spans)}")
            stays = " last" if last == len(seen) - 1 else ""
            body.append(f'<g class="{name}{stays}">{text}</g>' if text else "")
    return _page(seen[0].svg, styles, spans, ends[-1], body)


def _lines(svg: str, styles: dict[str, str]) -> dict[int, str]:
    """Return the shapes of each line of a screen, with classes that all frames share.

    A style gets its class when it is first met.
    """
    named = {
        name: styles.setdefault(css.strip(), f"r{len(styles)}") for name, css in _CLASS.findall(svg)
    }
    inside = svg[svg.index("</defs>") :]
    inside = inside[inside.index('clip-path="url(') :]
    shapes: dict[int, list[str]] = {}
    for shape in _SHAPE.findall(inside):
        number = _number(shape)
        plain = shape.replace(' shape-rendering="crispEdges"', "")
        shapes.setdefault(number, []).append(
            _text(shape, named) if "textLength" in shape else plain
        )
    return {number: "".join(parts) for number, parts in shapes.items()}


def _number(shape: str) -> int:
    line = _LINE.search(shape)
    if line is not None:
        return int(line[1])
    top = _TOP.search(shape)
    assert top is not None
    return int(float(top[1]) / _LINE_HEIGHT)


def _text(shape: str, named: dict[str, str]) -> str:
    shape = re.sub(r' clip-path="[^"]*"| xml:space="preserve"', "", shape)
    return re.sub(r'class="terminal-\d+-(r\d+)"', lambda match: f'class="{named[match[1]]}"', shape)


def _page(
    first: str,
    styles: dict[str, str],
    spans: dict[tuple[float, float], str],
    total: float,
    body: Sequence[str],
) -> str:
    head = first[: first.index("<style>")]
    frame = first[first.index("</defs>") + len("</defs>") :]
    frame = re.sub(r"terminal-\d+-", "", frame[: frame.index('<g transform="translate(9')])
    classes = "\n".join(f".{name} {{ {css} }}" for css, name in styles.items())
    moves = "\n".join(keyframes(name, span, total) for span, name in spans.items())
    return f"""{head}<style>
text {{ font-family: ui-monospace, Consolas, monospace; font-size: 20px; white-space: pre; }}
.title {{ font-size: 18px; font-weight: bold; font-family: arial; }}
rect {{ shape-rendering: crispEdges; }}
{classes}
{moves}
@media (prefers-reduced-motion: reduce) {{ g {{ animation: none !important; }} .screen > g {{ visibility: hidden; }}
.screen > .last {{ visibility: visible; }} }}
</style>{frame}<g class="screen" transform="translate(9, 41)">
{"".join(body)}
</g>
</svg>
"""


def main(arguments: list[str]) -> int:
    """Write the picture; return the exit code."""
    file = Path(next(iter(arguments), HERE / "demo.svg"))
    with TemporaryDirectory() as profile, closing(Chromium(Path(profile))) as chromium:
        seen = frames(chromium)
        with chromium.page() as cutter:
            pages = {
                place: list(bands(cutter, [frame.pages[name] for frame in seen]))
                for name, place in PLACES.items()
            }
    screen, seconds = moving(seen), [frame.seconds for frame in seen]
    file.write_text(beside(screen, LAPTOP, seconds, pages), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
