"""Pages in a browser beside the screen, as moving pictures: what the bands of each page showed, and when.

A page is cut into bands of some pixels. Each band is drawn once for each look it ever had, as the
lines of the screen are: most of a page stands still while its clock runs.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tests.pictures.keyframes import keyframes
from tests.web.browser import Browser

BAND = 32  # CSS pixels
QUALITY = 0.82
CAPTION = 28  # the height of a caption
GROUND = "#12161b"  # of the pages, in dark
_CUT: Final = """
async (picture, band, quality) => {
  const image = new Image();
  image.src = `data:image/png;base64,${picture}`;
  await image.decode();
  window.before ??= [];
  const changed = [];
  for (let top = 0, place = 0; top < image.height; top += band, place++) {
    const canvas = document.createElement("canvas");
    canvas.width = image.width;
    canvas.height = Math.min(band + 1, image.height - top);
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, -top);
    const pixels = context.getImageData(0, 0, canvas.width, canvas.height).data.toString();
    if (window.before[place] === pixels) continue;
    window.before[place] = pixels;
    changed.push([place, canvas.height, canvas.toDataURL("image/webp", quality)]);
  }
  return changed;
}
"""
"""Returns the bands that differ from those of the picture before, each as a picture of its own. A band has the first
line of the next one, which covers it, so that no seam appears between them where the picture is shown smaller."""


@dataclass(frozen=True)
class Place:
    """Where a page is drawn: its size in CSS pixels, its caption, its corner and its scale in the picture."""

    caption: str
    size: tuple[int, int]
    corner: tuple[float, float]
    scale: float = 1.0


@dataclass(frozen=True)
class Band:
    """A look of a band: its place from the top, its height, a data URL, and the first frame that has it."""

    place: int
    height: int
    url: str
    first: int


def look(page: Browser) -> str:
    """Return what a page shows, as a PNG in base64."""
    return str(page.call("Page.captureScreenshot", format="png")["data"])


def bands(cutter: Browser, pictures: Sequence[str]) -> Iterator[Band]:
    """Yield each band of a page's pictures when it changes; `cutter` is an empty page of a browser."""
    cutter.js("window.before = []")
    for first, picture in enumerate(pictures):
        if first and picture == pictures[first - 1]:
            continue
        called = f"({_CUT})({json.dumps(picture)}, {BAND}, {QUALITY})"
        for place, height, url in cutter.js(called):
            yield Band(place, height, url, first)


def spans(found: Sequence[Band], frames: int) -> Iterator[tuple[Band, int]]:
    """Yield each band with the frame at which another one takes its place, or the number of frames."""
    following: dict[int, int] = {}
    for band in reversed(found):
        yield band, following.get(band.place, frames)
        following[band.place] = band.first


def beside(
    screen: str, caption: str, seconds: Sequence[float], pages: Mapping[Place, Sequence[Band]]
) -> str:
    """Return one picture: the moving SVG `screen` below its caption, and each page at its place. `seconds` are those of
    each frame."""
    times = [sum(seconds[:count]) for count in range(len(seconds) + 1)]
    names: dict[tuple[float, float], str] = {}
    parts = [_caption(caption, (0, CAPTION)), _at(screen, CAPTION)]
    for place, found in pages.items():
        parts.append(_caption(place.caption, place.corner))
        parts += _page(place, found, times, names)
    rules = "\n".join(keyframes(name, span, times[-1]) for span, name in names.items())
    wide, high = _extent(screen, pages)
    return f"""<svg viewBox="0 0 {wide:g} {high:g}" xmlns="http://www.w3.org/2000/svg">
<style>
.caption {{ font: 18px sans-serif; fill: #808080; }}
{rules}
</style>
{"".join(parts)}
</svg>
"""


def _extent(screen: str, pages: Mapping[Place, Sequence[Band]]) -> tuple[float, float]:
    """Return the size of the whole picture."""
    wide, high = _size(screen)
    high += CAPTION
    for place in pages:
        wide = max(wide, place.corner[0] + place.size[0] * place.scale)
        high = max(high, place.corner[1] + place.size[1] * place.scale)
    return wide + 1, high + 1


def _size(screen: str) -> tuple[float, float]:
    found = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', screen)
    assert found is not None
    return float(found[1]), float(found[2])


def _at(screen: str, top: float) -> str:
    wide, high = _size(screen)
    return screen.replace("<svg ", f'<svg y="{top:g}" width="{wide:g}" height="{high:g}" ', 1)


def _caption(text: str, corner: tuple[float, float]) -> str:
    return f'<text class="caption" x="{corner[0] + 4:g}" y="{corner[1] - 9:g}">{text}</text>\n'


def _page(
    place: Place,
    found: Sequence[Band],
    times: Sequence[float],
    names: dict[tuple[float, float], str],
) -> Iterator[str]:
    """Yield the shapes of a page; each time span gets a class in `names` when it is first met."""
    (left, top), (wide, high) = place.corner, place.size
    yield f'<g class="screen" transform="translate({left:g}, {top:g}) scale({place.scale:g})">\n'
    yield f'<rect width="{wide}" height="{high}" rx="6" fill="{GROUND}"/>\n'
    for band, end in sorted(spans(found, len(times) - 1), key=lambda shown: shown[0].place):
        name = names.setdefault((times[band.first], times[end]), f"p{len(names)}")
        last = " last" if end == len(times) - 1 else ""
        yield (
            f'<g class="{name}{last}"><image y="{band.place * BAND}" width="{wide}" height="{band.height}" '
            f'href="{band.url}"/></g>\n'
        )
    yield f'<rect width="{wide}" height="{high}" rx="6" fill="none" stroke="#808080"/></g>\n'
