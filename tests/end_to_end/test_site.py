"""The documentation as a site, built as `make site` does, and read from files as without a server."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from tests.end_to_end.test_docs import PAGES
from tests.web.browser import Browser, Chromium

pytest.importorskip("sphinx", reason="the extra `docs` is not installed")

TOP = Path(__file__).resolve().parents[2]
WIDTHS = (390, 1920)  # CSS pixels: a phone, a large screen
SHOWN = "document.readyState === 'complete' && document.querySelector('article') !== null"


class Elements(HTMLParser):
    """What a page links, what it loads, and its anchors."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value:
                self.anchors.add(value)
            elif name in ("href", "src") and value:
                (self.links if tag == "a" else self.loads).append(value)


@cache
def elements(page: Path) -> Elements:
    return Elements(page.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a site that was built into a folder of its own."""
    folder = tmp_path_factory.mktemp("site") / "site"
    makefile = (TOP / "Makefile").read_text(encoding="utf-8")
    (command,) = re.findall(r"^\t\.venv/bin/sphinx-build (.+)", makefile, re.MULTILINE)
    *arguments, _ = shlex.split(command)
    built = subprocess.run(
        [sys.executable, "-m", "sphinx", *arguments, folder],
        cwd=TOP,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert built.returncode == 0, built.stderr
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> list[Path]:
    return sorted(site.rglob("*.html"))


@pytest.fixture
def page(chromium: Chromium) -> Iterator[Browser]:
    with chromium.page() as opened:
        yield opened


def test_the_site_has_every_page_of_the_documentation(site: Path) -> None:
    ours = [page.relative_to(TOP) for page in PAGES]
    missing = [page for page in ours if not (site / page.with_suffix(".html")).exists()]
    assert missing == []


def leads_somewhere(page: Path, link: str) -> bool:
    """Return whether a link of a page is an address elsewhere, or a file, and the anchor in it exists."""
    address = urlsplit(link)
    if address.scheme:
        return True
    target = page
    if address.path:
        target = (page.parent / unquote(address.path)).resolve()
    if not target.is_file():
        return False
    anchor = unquote(address.fragment)
    return not anchor or target.suffix != ".html" or anchor in elements(target).anchors


def test_every_link_leads_to_a_file_of_the_site_and_to_a_place_in_it(pages: list[Path]) -> None:
    links = [(page, link) for page in pages for link in elements(page).links]
    assert len(links) > 1000
    assert [(page.name, link) for page, link in links if not leads_somewhere(page, link)] == []


def test_nothing_is_loaded_from_elsewhere(site: Path, pages: list[Path]) -> None:
    loaded = [link for page in pages for link in elements(page).loads]
    assert len(loaded) > len(pages)
    assert [link for link in loaded if urlsplit(link).scheme not in ("", "data")] == []
    for style in site.rglob("*.css"):
        assert not re.findall(r"(?:@import|url\()\s*[\"']?(?:https?:)?//", style.read_text("utf-8"))


def test_a_page_opens_from_its_file_and_fits_a_phone_and_a_large_screen(
    page: Browser, site: Path
) -> None:
    for name in ("README", "docs/player", "companion/KEYS", "firmware_protocol/PROTOCOL"):
        for width in WIDTHS:
            page.size(width, 844)
            address = (site / f"{name}.html").as_uri()
            page.open(address)
            page.wait_for(f"location.href === {address!r} && {SHOWN}")
            assert page.js("document.documentElement.scrollWidth - innerWidth") <= 0, (name, width)
    assert page.errors == []
    assert {urlsplit(each).scheme for each in page.requested} <= {"file", "data"}


def test_the_first_file_of_the_folder_leads_to_the_first_page(page: Browser, site: Path) -> None:
    page.open((site / "index.html").as_uri())
    assert page.wait_for(f"location.pathname.endsWith('README.html') && {SHOWN}")


def test_the_search_works_from_files(page: Browser, site: Path) -> None:
    page.open(f"{(site / 'search.html').as_uri()}?q=rematch")
    found = "[...document.querySelectorAll('#search-results li a')].map((each) => each.textContent)"
    page.wait_for(found, lambda titles: titles and "For players" in titles)
    assert page.errors == []
