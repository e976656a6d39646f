"""Draws the moving picture: `python -m tests.pictures.moving [FILE]`.

The demo of Panic Fire is played from a seed, on the virtual board at human speed, and its dashboard
is captured until a Bullet card is won. Each line of the screen is drawn once for each text it ever
had, and shown while it had that text: an SVG that any browser plays by itself, without a script and
without loading anything.
"""

from __future__ import annotations

import asyncio
import re
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from pathlib import Path

from companion.dashboard.app import Dashboard
from companion.demo.run import Performance, Stopped, run_demo
from companion.rules.registry import example_game
from tests.pictures.make import without_fonts

HERE = Path(__file__).parent
SIZE = (96, 27)
SEED = 1
EVERY_S = 0.4  # between two looks at the screen
HELD_S = 4.0  # that the last screen stands before all begins again
LONGEST_S = 60.0
END = "takes a Bullet card"

_CLASS = re.compile(r"\.terminal-\d+-(r\d+) \{([^}]*)\}")
_SHAPE = re.compile(r"<rect [^>]*?/>|<text [^>]*>.*?</text>", re.DOTALL)
_TOP = re.compile(r' y="([\d.]+)"')
_LINE = re.compile(r"line-(\d+)")
_LINE_HEIGHT = 24.4


@dataclass(frozen=True)
class Frame:
    """A screen as Textual draws it, and the seconds it was shown."""

    svg: str
    seconds: float


# -- what is seen


def frames() -> list[Frame]:
    """Play the demo, and return its frames."""
    seen: list[Frame] = []
    run_demo(example_game(), seed=SEED, speed=1.0, plain=False, play=partial(_watched, seen))
    return seen


def _watched(seen: list[Frame], performance: Performance) -> None:
    board, table = performance.players.board, performance.players.table

    def play() -> None:
        try:
            performance.run()
        except Stopped:
            return

    leave = table.subscribe(performance.waiting.wake)
    table.board.connect(board.url, board.clock_ns)
    players = threading.Thread(target=play, name="players")
    players.start()
    try:
        app = Dashboard(table, clock=performance.waiting.clock_s)
        asyncio.run(
            _looked_at(app, seen, lambda: any(END in line.text for line in table.view().log))
        )
    finally:
        performance.waiting.end()
        players.join()
        leave()


async def _looked_at(app: Dashboard, seen: list[Frame], over: Callable[[], bool]) -> None:
    async with app.run_test(size=SIZE) as pilot:
        loop, ended = asyncio.get_running_loop(), False
        begun = loop.time()
        await pilot.pause()
        while not ended and loop.time() - begun < LONGEST_S:
            ended, looked = over(), loop.time()
            drawn = without_fonts(app.export_screenshot(title="companion demo"))
            await asyncio.sleep(EVERY_S)
            seen.append(Frame(drawn, HELD_S if ended else loop.time() - looked))


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
    moves = "\n".join(_keyframes(name, span, total) for span, name in spans.items())
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


def _keyframes(name: str, span: tuple[float, float], total: float) -> str:
    begin, end = (100 * second / total for second in span)
    if (begin, end) == (0, 100):
        return f".{name} {{ visibility: visible; }}"
    steps = [] if begin == 0 else ["0% { visibility: hidden; }"]
    steps.append(f"{begin:.2f}% {{ visibility: visible; }}")
    steps += [] if end >= 100 else [f"{end:.2f}%, 100% {{ visibility: hidden; }}"]
    moves = " ".join(steps)
    return (
        f"@keyframes {name} {{ {moves} }}\n"
        f".{name} {{ visibility: hidden; animation: {name} {total:.1f}s step-end infinite; }}"
    )


def main(arguments: list[str]) -> int:
    """Write the picture; return the exit code."""
    file = Path(next(iter(arguments), HERE / "demo.svg"))
    file.write_text(moving(frames()), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
