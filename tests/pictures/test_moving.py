"""The moving picture: composed of screens, and as delivered."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from tests.pictures.moving import HERE, LAPTOP, PLACES, Frame, moving

PICTURE = HERE / "demo.svg"
SVG = "{http://www.w3.org/2000/svg}"


def screen(*lines: str, style: str = "fill: #fff") -> str:
    """Return a screen of these lines, as Textual exports one."""
    texts = "".join(
        f'<text xml:space="preserve" class="terminal-7-r1" x="0" y="{20 + 24.4 * place:g}" textLength="9" '
        f'clip-path="url(#terminal-7-line-{place})">{line}</text>'
        for place, line in enumerate(lines)
    )
    return (
        '<svg viewBox="0 0 9 9" xmlns="http://www.w3.org/2000/svg"><style>'
        f".terminal-7-r1 {{ {style} }}</style><defs></defs>"
        '<rect fill="#292929" x="1" y="1" width="9" height="9" rx="8"/>'
        f'<g transform="translate(9, 41)" clip-path="url(#terminal-7-clip-terminal)">{texts}</g></svg>'
    )


def shown(picture: str) -> dict[str, str]:
    """Return the text of each group, and the keyframes that show it."""
    groups = [
        group
        for group in ElementTree.fromstring(picture).iter(f"{SVG}g")
        if group.get("class", "") != "screen"
    ]
    moves = dict(re.findall(r"@keyframes (s\d+) \{ (.*) \}", picture))
    return {
        "".join(group.itertext()): moves.get(group.get("class", "").split()[0], "always")
        for group in groups
        if group.get("class")
    }


def test_a_line_is_drawn_once_for_each_text_and_shown_while_it_had_that_text() -> None:
    frames = [
        Frame(screen("same", "one"), 1),
        Frame(screen("same", "one"), 1),
        Frame(screen("same", "two"), 2),
    ]
    assert shown(moving(frames)) == {
        "same": "always",
        "one": "0.00% { visibility: visible; } 50.00%, 100% { visibility: hidden; }",
        "two": "0% { visibility: hidden; } 50.00% { visibility: visible; }",
    }


def test_a_text_that_comes_back_is_shown_again() -> None:
    picture = moving([Frame(screen(word), 1) for word in ("one", "two", "one", "two")])
    assert picture.count("<text") == 4
    assert len(re.findall("@keyframes", picture)) == 4


def test_what_looks_the_same_has_one_class_in_all_frames() -> None:
    picture = moving(
        [Frame(screen("one", style="fill: #f00"), 1), Frame(screen("two", style="fill: #0f0"), 1)]
    )
    assert ".r0 { fill: #f00 }" in picture
    assert ".r1 { fill: #0f0 }" in picture
    assert 'class="r0"' in picture
    assert 'class="r1"' in picture


def test_where_nothing_may_move_the_last_screen_stands() -> None:
    picture = moving([Frame(screen("one"), 1), Frame(screen("two"), 1)])
    last = [
        "".join(group.itertext())
        for group in ElementTree.fromstring(picture).iter(f"{SVG}g")
        if "last" in group.get("class", "").split()
    ]
    assert last == ["two"]
    assert "prefers-reduced-motion: reduce" in picture


def test_the_delivered_picture_has_the_laptop_a_phone_and_the_wall_in_step() -> None:
    picture = ElementTree.fromstring(PICTURE.read_text(encoding="utf-8"))
    captions = [text.text for text in picture.iter(f"{SVG}text") if text.get("class") == "caption"]
    assert captions == [LAPTOP, *(place.caption for place in PLACES.values())]
    lengths = set(re.findall(r"([\d.]+)s step-end", PICTURE.read_text(encoding="utf-8")))
    assert len(lengths) == 1


@pytest.mark.parametrize("words", ["Panic Fire", "since fire!", "takes a Bullet card"])
def test_the_delivered_picture_shows_a_round_of_the_demo(words: str) -> None:
    texts = "".join(ElementTree.fromstring(PICTURE.read_text(encoding="utf-8")).itertext())
    assert words in texts.replace("\N{NO-BREAK SPACE}", " ")


def test_the_delivered_picture_is_small_and_loads_nothing() -> None:
    text = PICTURE.read_text(encoding="utf-8")
    assert len(text.encode()) < 1_500_000
    assert "<script" not in text
    assert not re.findall(r'href="(?!data:image/webp;)|@import|@font-face|url\(http', text)
